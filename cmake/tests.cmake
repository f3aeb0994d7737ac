# Tests: one executable per C file, one ctest per executable or script, named folder.file.
#
#   tests/{unit,property,timing,exec}/*.c   cmocka; linked with the library and tests/support/*.c;
#                                      a test_NAME.c with much to say has more sources in NAME/
#   tests/{cli,browser,tree}/*.sh      run with $WARPWALK (the program), $WW_ROOT (this tree) and
#                                      $WW_BUILD (the build folder); status 77: it cannot run here
#   tests/kernels/NAME/NAME.yaml       run in all ways by tests/exec/test_kernels; NAME.c beside it
#                                      says what it must compute
#   tests/catalogue/test_*.c           run once for each workload of kernels/; so is translated.sh
#   tests/programs/*.c                 programs that scripts use; in $WW_BUILD/tests/programs
#   tests/ocl/*.c, *.cpp               programs that use OpenCL; in $WW_BUILD/tests/ocl, run by tests/cli/opencl*.sh
#   tests/fuzz/fuzz_*.c                a fuzz target: its corpus and some mutants of it are a test
# All run in a folder of their own with a kernel cache of their own: nothing is left outside build/. One that cannot
# run here says why and ends with status 77.

set(WW_TEST_FOLDER ${CMAKE_BINARY_DIR}/tests)
set(WW_TEST_ENVIRONMENT
    WW_ROOT=${CMAKE_SOURCE_DIR}
    WW_BUILD=${CMAKE_BINARY_DIR}
    WARPWALK=${CMAKE_BINARY_DIR}/warpwalk
    XDG_CACHE_HOME=${WW_TEST_FOLDER}/cache
    ASAN_OPTIONS=detect_leaks=1:strict_string_checks=1
    UBSAN_OPTIONS=print_stacktrace=1)

function(ww_register_test name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "COMMAND")
    set(folder ${WW_TEST_FOLDER}/run/${name})
    file(MAKE_DIRECTORY ${folder})
    add_test(NAME ${name} COMMAND ${arg_COMMAND} WORKING_DIRECTORY ${folder})
    set_tests_properties(${name} PROPERTIES TIMEOUT 1500 SKIP_RETURN_CODE 77
        ENVIRONMENT "${WW_TEST_ENVIRONMENT}")
endfunction()

function(ww_add_c_tests folder)
    file(GLOB sources CONFIGURE_DEPENDS tests/${folder}/*.c)
    list(FILTER sources EXCLUDE REGEX "/test_kernels.c$") # ww_add_kernel_tests has it
    foreach(source IN LISTS sources)
        cmake_path(GET source STEM name)
        string(REGEX REPLACE "^test_" "" name ${name})
        set(target test_${folder}_${name})
        file(GLOB parts CONFIGURE_DEPENDS tests/${folder}/${name}/*.c)
        add_executable(${target} ${source} ${parts})
        target_link_libraries(${target} PRIVATE warpwalk_test_support)
        set_target_properties(${target} PROPERTIES
            RUNTIME_OUTPUT_DIRECTORY ${WW_TEST_FOLDER}/${folder} OUTPUT_NAME test_${name})
        ww_register_test(${folder}.${name} COMMAND ${target})
    endforeach()
endfunction()

function(ww_add_script_tests folder)
    file(GLOB scripts CONFIGURE_DEPENDS tests/${folder}/*.sh)
    foreach(script IN LISTS scripts)
        cmake_path(GET script STEM name)
        ww_register_test(${folder}.${name} COMMAND sh ${script})
    endforeach()
endfunction()

function(ww_add_test_programs)
    file(GLOB sources CONFIGURE_DEPENDS tests/programs/*.c)
    foreach(source IN LISTS sources)
        cmake_path(GET source STEM name)
        add_executable(${name} ${source})
        target_link_libraries(${name} PRIVATE warpwalk_test_support)
        set_target_properties(${name} PROPERTIES
            RUNTIME_OUTPUT_DIRECTORY ${WW_TEST_FOLDER}/programs)
    endforeach()
endfunction()

# Programs of users: they know nothing of warpwalk. The one in C++ needs a compiler for it and the C++ headers.
function(ww_add_ocl_programs)
    find_library(OPENCL_LOADER OpenCL)
    if(NOT TARGET warpwalk_ocl OR NOT OPENCL_LOADER)
        return()
    endif()
    file(GLOB sources CONFIGURE_DEPENDS tests/ocl/*.c)
    if(CMAKE_CXX_COMPILER_LOADED AND OPENCL_CPP_HEADERS)
        set(CMAKE_CXX_STANDARD 17)
        list(APPEND sources tests/ocl/matrix.cpp)
    endif()
    foreach(source IN LISTS sources)
        cmake_path(GET source STEM name)
        add_executable(ocl_${name} ${source})
        target_include_directories(ocl_${name} PRIVATE ${OPENCL_HEADERS})
        target_link_libraries(ocl_${name} PRIVATE ${OPENCL_LOADER} Threads::Threads)
        set_target_properties(ocl_${name} PROPERTIES OUTPUT_NAME ${name}
            RUNTIME_OUTPUT_DIRECTORY ${WW_TEST_FOLDER}/ocl)
        add_dependencies(ocl_${name} warpwalk_ocl)
    endforeach()
endfunction()

# A table of the references in C, by name.
function(ww_list_references output)
    set(declared "")
    set(listed "")
    foreach(source IN LISTS ARGN)
        cmake_path(GET source STEM name)
        string(APPEND declared "extern reference_fn reference_${name};\n")
        string(APPEND listed "    if (strcmp(name, \"${name}\") == 0)\n        return reference_${name};\n")
    endforeach()
    file(CONFIGURE OUTPUT ${output} CONTENT "#include \"support/reference.h\"
#include <string.h>
${declared}
reference_fn *reference_find(const char *name)
{
${listed}    return NULL;
}
")
endfunction()

# One test for each folder of tests/kernels: its launch file, run in all ways.
function(ww_add_kernel_tests)
    file(GLOB references CONFIGURE_DEPENDS tests/kernels/*/*.c)
    ww_list_references(${WW_TEST_FOLDER}/references.c ${references})
    add_executable(test_kernels tests/exec/test_kernels.c ${WW_TEST_FOLDER}/references.c ${references})
    target_link_libraries(test_kernels PRIVATE warpwalk_test_support)
    set_target_properties(test_kernels PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${WW_TEST_FOLDER}/exec)
    file(GLOB files CONFIGURE_DEPENDS tests/kernels/*/*.yaml)
    foreach(file IN LISTS files)
        cmake_path(GET file STEM name)
        ww_register_test(kernels.${name} COMMAND test_kernels ${file})
    endforeach()
endfunction()

# One test for each workload of the catalogue. Where sanitizers slow everything down, only at `tiny`.
function(ww_add_catalogue_tests)
    add_executable(test_catalogue tests/catalogue/test_catalogue.c)
    target_link_libraries(test_catalogue PRIVATE warpwalk_test_support)
    target_link_options(test_catalogue PRIVATE LINKER:--wrap=ww_warp_run)
    add_executable(test_timed tests/catalogue/test_timed.c)
    target_link_libraries(test_timed PRIVATE warpwalk_test_support)
    set_target_properties(test_catalogue test_timed PROPERTIES
        RUNTIME_OUTPUT_DIRECTORY ${WW_TEST_FOLDER}/catalogue)
    file(GLOB kernels CONFIGURE_DEPENDS kernels/*/kernel.cl)
    set(extent "")
    if(WW_SANITIZE)
        set(extent quick)
    endif()
    foreach(kernel IN LISTS kernels)
        cmake_path(GET kernel PARENT_PATH folder)
        cmake_path(GET folder FILENAME name)
        ww_register_test(catalogue.${name} COMMAND test_catalogue ${name} ${extent})
        ww_register_test(timed.${name} COMMAND test_timed ${name} ${extent})
        ww_register_test(translated.${name}
            COMMAND sh ${CMAKE_SOURCE_DIR}/tests/catalogue/translated.sh ${name} ${extent})
    endforeach()
endfunction()

# The workload that docs/adding-a-workload.md writes, in a program of its own.
function(ww_add_example_workload)
    file(GLOB sources CONFIGURE_DEPENDS src/cli/*.c)
    add_executable(warpwalk_example ${sources})
    target_link_libraries(warpwalk_example PRIVATE warpwalk_core)
    ww_add_catalogue(warpwalk_example examples/workload)
    set_target_properties(warpwalk_example PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${WW_TEST_FOLDER})
endfunction()

# A target is LLVMFuzzerTestOneInput and its seeds are tests/fuzz/corpus/<name>/. Normally it is
# linked with a driver of our own, as a short test with any compiler; with WW_FUZZ, with libFuzzer.
function(ww_add_fuzz_targets)
    file(GLOB sources CONFIGURE_DEPENDS tests/fuzz/fuzz_*.c)
    foreach(source IN LISTS sources)
        cmake_path(GET source STEM target)
        string(REGEX REPLACE "^fuzz_" "" name ${target})
        add_executable(${target} ${source})
        target_link_libraries(${target} PRIVATE warpwalk_core)
        set_target_properties(${target} PROPERTIES
            RUNTIME_OUTPUT_DIRECTORY ${WW_TEST_FOLDER}/fuzz)
        if(WW_FUZZ)
            target_link_options(${target} PRIVATE -fsanitize=fuzzer)
        else()
            target_sources(${target} PRIVATE tests/fuzz/driver.c)
            ww_register_test(fuzz.${name}
                COMMAND ${target} ${CMAKE_SOURCE_DIR}/tests/fuzz/corpus/${name})
        endif()
    endforeach()
endfunction()

# Report pages in a real browser, as `report` writes them: once is enough. Skipped where Node or Chromium is not there.
function(ww_add_browser_tests)
    add_executable(made_up_results tests/browser/made_up_results.c)
    target_link_libraries(made_up_results PRIVATE warpwalk_core)
    set_target_properties(made_up_results PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${WW_TEST_FOLDER})
    ww_add_script_tests(browser)
endfunction()

# Tests of the tree, not of the program: once is enough.
function(ww_add_tree_tests)
    ww_add_script_tests(tree)
    find_program(CLANG_FORMAT clang-format-14) # a developer's tool: `make check` installs it
    if(CLANG_FORMAT)
        ww_register_test(tree.format COMMAND ${CMAKE_SOURCE_DIR}/tools/format --check)
    endif()
endfunction()

function(ww_add_tests)
    pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET cmocka)
    file(GLOB support CONFIGURE_DEPENDS tests/support/*.c)
    add_library(warpwalk_test_support INTERFACE)
    target_link_libraries(warpwalk_test_support INTERFACE warpwalk_core PkgConfig::CMOCKA)
    target_include_directories(warpwalk_test_support INTERFACE tests)
    if(support)
        add_library(warpwalk_test_objects STATIC ${support})
        target_include_directories(warpwalk_test_objects PUBLIC tests)
        target_link_libraries(warpwalk_test_objects PUBLIC warpwalk_core PkgConfig::CMOCKA)
        target_link_libraries(warpwalk_test_support INTERFACE warpwalk_test_objects)
    endif()
    ww_add_c_tests(unit)
    ww_add_c_tests(property)
    target_link_options(test_property_uniform_kernels PRIVATE LINKER:--wrap=ww_warp_run)
    ww_add_c_tests(timing)
    ww_add_kernel_tests()
    ww_add_catalogue_tests()
    ww_add_example_workload()
    ww_add_c_tests(exec)
    # Its references of arithmetic are computed in all rounding modes.
    target_compile_options(test_exec_opcodes PRIVATE -frounding-math)
    ww_add_test_programs()
    ww_add_ocl_programs()
    ww_add_script_tests(cli)
    ww_add_fuzz_targets()
    if(NOT WW_SANITIZE)
        ww_add_browser_tests()
        ww_add_tree_tests()
    endif()
endfunction()
