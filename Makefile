# make            build build/warpwalk, the shared library and the OpenCL driver, and nothing else
# make run        install what is missing, build, show what page walks cost: a table and a page (or ARGS='exec my.yaml')
# make test       install what is missing, build, run all tests
# make test-paper run the catalogue at the papers' sizes (minutes; 3 GiB of memory)
# make bench      measure the speed of the simulator
# make check      format, tidy, sanitizers, generated docs, include direction (installs the tools)
# make format     lay out the sources
# make docs       write the generated part of docs/, and man/warpwalk.1
# make golden     write the results of small runs that tests compare with, and what examples of README.md and docs/ print
# make fuzz       fuzz each target for SECONDS (600)
# make trained    build build/trained/warpwalk, compiled for what small runs execute: 10% faster (BUILD=build/trained installs it)
# make install    into PREFIX (/usr/local)
# make clean
BUILD ?= build
PREFIX ?= /usr/local
SECONDS ?= 600
ARGS ?=
WERROR ?= OFF
CMAKE = cmake -G Ninja -S . -DWW_WERROR=$(WERROR)
SANITIZE = -DCMAKE_BUILD_TYPE=Debug -DWW_SANITIZE=address,undefined

# The build folders of a copied or moved tree still build the original: they are configured anew.
FOLDERS = $(BUILD) $(BUILD)/sanitize $(BUILD)/clang $(BUILD)/fuzz $(BUILD)/trained
define FORGET_ORIGINAL
for folder in $(FOLDERS); do
    original=$$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' $$folder/CMakeCache.txt 2>/dev/null);
    if [ -n "$$original" ] && ! [ "$$original" -ef . ]; then
        echo "$$folder is of $$original: it is configured anew" >&2;
        (cd $$folder && rm -rf CMakeCache.txt CMakeFiles build.ninja .ninja_deps .ninja_log);
    fi;
done
endef
$(shell $(FORGET_ORIGINAL))

.PHONY: all complete setup setup-test sanitized run test test-paper bench check format docs golden fuzz trained install clean

all: $(BUILD)/build.ninja
	@ninja -C $(BUILD) program

# With tests and tools.
complete: $(BUILD)/build.ninja
	@ninja -C $(BUILD)

sanitized: $(BUILD)/sanitize/build.ninja
	@ninja -C $(BUILD)/sanitize

$(BUILD)/build.ninja:
	@command -v cmake >/dev/null && command -v ninja >/dev/null || \
		{ echo "cmake and ninja are needed: run tools/setup" >&2; exit 2; }
	@$(CMAKE) -B $(BUILD)

$(BUILD)/sanitize/build.ninja:
	@$(CMAKE) -B $(BUILD)/sanitize $(SANITIZE)

setup:
	@tools/setup

setup-test:
	@tools/setup --test

run: setup
	@$(MAKE) --no-print-directory all
	@tools/run $(BUILD) $(ARGS)

test: setup-test
	@$(MAKE) --no-print-directory complete sanitized
	@tools/test $(BUILD) $(BUILD)/sanitize

test-paper: setup
	@$(MAKE) --no-print-directory all
	@tools/test-paper $(BUILD)

bench: setup
	@$(MAKE) --no-print-directory all
	@bench/run $(BUILD)

check:
	@tools/setup --check
	@$(CMAKE) -B $(BUILD)
	@$(MAKE) --no-print-directory test
	@tools/format --check
	@tools/check-tidy $(BUILD)
	@tools/check-memory $(BUILD)
	@$(CMAKE) -B $(BUILD)/clang -DCMAKE_C_COMPILER=clang-19 $(SANITIZE) -DWW_WERROR=ON
	@ninja -C $(BUILD)/clang
	@tools/test $(BUILD)/clang

format:
	@tools/format

docs: all
	@ninja -C $(BUILD) ww_docs
	@$(BUILD)/ww_docs . docs
	@$(BUILD)/warpwalk help --man >man/warpwalk.1

golden: all
	@tools/golden $(BUILD)/warpwalk tests/golden
	@tools/examples $(BUILD)/warpwalk README.md docs/studies.md docs/timing.md docs/paging.md

fuzz:
	@tools/setup --check
	@$(CMAKE) -B $(BUILD)/fuzz -DCMAKE_C_COMPILER=clang-19 -DWW_FUZZ=ON $(SANITIZE)
	@ninja -C $(BUILD)/fuzz
	@tools/fuzz $(BUILD)/fuzz $(SECONDS)

trained:
	@$(CMAKE) -B $(BUILD)/trained -DWW_TRAINING=record
	@ninja -C $(BUILD)/trained program
	@tools/train $(BUILD)/trained
	@$(CMAKE) -B $(BUILD)/trained -DWW_TRAINING=use
	@ninja -C $(BUILD)/trained program

install: all
	@cmake --install $(BUILD) --prefix $(PREFIX)

clean:
	rm -rf $(BUILD)
