# libwarpwalk.so, for programs that link with the library or load it, and python/warpwalk.py, which loads it. It exports the
# functions of include/warpwalk.h alone (library.map); the other files come from the static library, as far as they are needed.
# Its version of the interface is SOVERSION, which python/warpwalk.py names. Python does not load sanitizers first: with them
# it is left out.
if(WW_SANITIZE)
    return()
endif()
add_library(warpwalk_shared SHARED src/sim/library.c src/sim/library_run.c)
target_link_libraries(warpwalk_shared PRIVATE warpwalk_core)
target_link_options(warpwalk_shared PRIVATE -Wl,--version-script=${CMAKE_SOURCE_DIR}/src/sim/library.map -Wl,-Bsymbolic
    -Wl,--as-needed)
set_target_properties(warpwalk_shared PROPERTIES OUTPUT_NAME warpwalk VERSION ${PROJECT_VERSION} SOVERSION 0
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR} LINK_DEPENDS ${CMAKE_SOURCE_DIR}/src/sim/library.map)
install(TARGETS warpwalk_shared LIBRARY DESTINATION lib)
install(FILES python/warpwalk.py DESTINATION lib/python3/dist-packages)
