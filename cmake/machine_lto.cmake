# The timed machine is compiled across files for the program: one instruction passes a dozen of
# its files, and calls between them cost 2 to 5% of the host's instructions (docs/performance.md).
# The library and the tests keep ordinary objects, so that users of libwarpwalk.a need not have
# this very compiler. Functional execution stays out: inlining there costs more than it saves.
include(CheckIPOSupported)
option(WW_ACROSS_FILES "compile the timed machine across files; OFF links 10 s faster" ON)
set(WW_TRAINING "" CACHE STRING "record: the program records what it executes; use: it is compiled for that")

# The machine is compiled for what training runs executed most (`make trained`). What they did not
# execute is compiled as without training.
function(ww_train_machine target)
    if(WW_TRAINING STREQUAL record)
        target_compile_options(warpwalk_machine PRIVATE -fprofile-generate)
        target_link_options(${target} PRIVATE -fprofile-generate)
    elseif(WW_TRAINING STREQUAL use)
        target_compile_options(warpwalk_machine PRIVATE -fprofile-use -fprofile-partial-training
            -Wno-missing-profile)
        target_link_options(${target} PRIVATE -fprofile-use -fprofile-partial-training)
    endif()
endfunction()

function(ww_optimise_machine target)
    if(NOT WW_ACROSS_FILES OR WW_SANITIZE OR WW_FUZZ OR CMAKE_BUILD_TYPE STREQUAL Debug)
        return()
    endif()
    check_ipo_supported(RESULT supported OUTPUT reason LANGUAGES C)
    if(NOT supported)
        return()
    endif()
    file(GLOB sources CONFIGURE_DEPENDS src/core/*.c src/core/*/*.c src/engine/*.c src/mem/*.c
        src/mem/*/*.c src/paging/*.c src/paging/*/*.c src/sim/*.c src/vm/*.c src/vm/*/*.c)
    add_library(warpwalk_machine OBJECT ${sources})
    target_include_directories(warpwalk_machine PRIVATE src include)
    target_link_libraries(warpwalk_machine PRIVATE PkgConfig::DEPENDENCIES)
    target_compile_options(warpwalk_machine PRIVATE -O3 -fno-tree-vectorize) # 3% fewer instructions than -O2
    target_compile_definitions(warpwalk_machine PRIVATE WW_VERSION="${PROJECT_VERSION}")
    set_property(TARGET warpwalk_machine ${target} PROPERTY INTERPROCEDURAL_OPTIMIZATION ON)
    # These come before the library, from which the linker then takes none of the same files.
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:warpwalk_machine>)
    ww_train_machine(${target})
endfunction()
