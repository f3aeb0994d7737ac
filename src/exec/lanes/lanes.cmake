# Lane operators: the same sources, compiled once for each level (kind of processor) with its flags.
# All levels give the same bits; ww_lane_best picks one at run time.
file(GLOB lane_sources CONFIGURE_DEPENDS src/exec/lanes/*.c)

function(ww_add_lane_level level)
    add_library(warpwalk_lanes_${level} OBJECT ${lane_sources})
    target_include_directories(warpwalk_lanes_${level} PRIVATE src)
    target_compile_definitions(warpwalk_lanes_${level} PRIVATE WW_LANE_LEVEL=${level})
    target_compile_options(warpwalk_lanes_${level} PRIVATE -fno-trapping-math ${ARGN})
    if(NOT WW_SANITIZE)
        target_compile_options(warpwalk_lanes_${level} PRIVATE -O3)
    endif()
    if(CMAKE_C_COMPILER_ID MATCHES "Clang") # loops that cannot be vectorised are no mistake
        target_compile_options(warpwalk_lanes_${level} PRIVATE -Wno-pass-failed)
    endif()
    target_sources(warpwalk_core PRIVATE $<TARGET_OBJECTS:warpwalk_lanes_${level}>)
endfunction()

set_source_files_properties(src/exec/lanes/rounded.c PROPERTIES COMPILE_OPTIONS -frounding-math)

ww_add_lane_level(portable)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
    # Tuned for processors that gather well: sin and cos look up a table.
    set(avx2 -mavx2 -mfma -mbmi -mbmi2 -mpopcnt)
    ww_add_lane_level(avx2 ${avx2} -mtune=haswell)
    ww_add_lane_level(avx512 ${avx2} -mavx512f -mavx512bw -mavx512dq -mavx512vl
        -mtune=skylake-avx512 -mprefer-vector-width=512)
    target_compile_definitions(warpwalk_objects PRIVATE WW_LANE_HAS_X86_LEVELS)
endif()
