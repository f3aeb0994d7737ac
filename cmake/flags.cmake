# How everything is compiled. Arithmetic must not depend on the compiler's mood: no contraction of
# a*b+c into an fma, and no errno from libm (which only stands in the way of vectorising).
add_compile_definitions(_GNU_SOURCE)
add_compile_options(
    -Wall -Wextra -Wshadow -Wconversion $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes> $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes>
    -ffp-contract=off -fno-math-errno
    -fno-semantic-interposition # no function of the library is replaced at run time: calls within a file are inlined
    -ffile-prefix-map=${CMAKE_SOURCE_DIR}/=)
if(WW_WERROR)
    add_compile_options(-Werror)
endif()
# What caches keep from one run to the next belongs to one build of the program (src/base/build_id.h).
add_link_options(-Wl,--build-id=sha1)
set(CMAKE_C_FLAGS_DEBUG "-O1 -g")
if(WW_FUZZ)
    add_compile_options(-fsanitize=fuzzer-no-link)
endif()
if(WW_SANITIZE)
    add_compile_options(-fsanitize=${WW_SANITIZE} -fno-sanitize-recover=all
        -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${WW_SANITIZE})
    if(CMAKE_C_COMPILER_ID STREQUAL GNU)
        # Instrumented code confuses this warning; the plain build has it.
        add_compile_options(-Wno-maybe-uninitialized)
    endif()
endif()
