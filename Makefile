# make          build build/warpwalk
# make test     build and run all tests
BUILD ?= build

.PHONY: all test clean

all: $(BUILD)/build.ninja
	@ninja -C $(BUILD)

$(BUILD)/build.ninja:
	@cmake -G Ninja -S . -B $(BUILD)

test: all
	@ctest --test-dir $(BUILD) --output-on-failure

clean:
	rm -rf $(BUILD)
