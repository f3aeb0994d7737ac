# The OpenCL driver: libwarpwalk_ocl.so, which holds the whole library, and warpwalk.icd, which names it to loaders.
# It exports three functions (ocl.map) and never links libOpenCL. Without OpenCL's headers it is left out.
# Sanitizers must be loaded first, which a user's program does not do: valgrind looks at the driver instead.
if(WW_SANITIZE)
    return()
endif()
find_path(OPENCL_HEADERS CL/cl_icd.h)
if(NOT OPENCL_HEADERS)
    message(STATUS "no CL/cl_icd.h: the OpenCL driver is not built (tools/setup installs opencl-c-headers)")
    return()
endif()
find_package(Threads REQUIRED)
file(GLOB ocl_sources CONFIGURE_DEPENDS src/ocl/*.c)
add_library(warpwalk_ocl SHARED ${ocl_sources})
target_include_directories(warpwalk_ocl PRIVATE ${OPENCL_HEADERS})
target_compile_definitions(warpwalk_ocl PRIVATE CL_TARGET_OPENCL_VERSION=300 CL_USE_DEPRECATED_OPENCL_1_0_APIS
    CL_USE_DEPRECATED_OPENCL_1_1_APIS CL_USE_DEPRECATED_OPENCL_1_2_APIS CL_USE_DEPRECATED_OPENCL_2_0_APIS
    CL_USE_DEPRECATED_OPENCL_2_1_APIS CL_USE_DEPRECATED_OPENCL_2_2_APIS)
target_compile_options(warpwalk_ocl PRIVATE -fvisibility=hidden)
target_link_libraries(warpwalk_ocl PRIVATE warpwalk_core Threads::Threads)
target_link_options(warpwalk_ocl PRIVATE -Wl,--version-script=${CMAKE_SOURCE_DIR}/src/ocl/ocl.map -Wl,-Bsymbolic)
set_target_properties(warpwalk_ocl PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}
    LINK_DEPENDS ${CMAKE_SOURCE_DIR}/src/ocl/ocl.map)
file(WRITE ${CMAKE_BINARY_DIR}/warpwalk.icd "${CMAKE_BINARY_DIR}/libwarpwalk_ocl.so\n")
install(TARGETS warpwalk_ocl LIBRARY DESTINATION lib)
install(CODE [[
    get_filename_component(prefix "${CMAKE_INSTALL_PREFIX}" ABSOLUTE)
    file(WRITE "$ENV{DESTDIR}${prefix}/etc/OpenCL/vendors/warpwalk.icd" "${prefix}/lib/libwarpwalk_ocl.so\n")
]])

# A test is a program in C++ (cmake/tests.cmake).
find_path(OPENCL_CPP_HEADERS CL/opencl.hpp)
include(CheckLanguage)
check_language(CXX)
if(CMAKE_CXX_COMPILER AND OPENCL_CPP_HEADERS)
    enable_language(CXX)
endif()
