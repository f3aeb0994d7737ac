# The commit that a program was built from (src/base/build_id.h), written into it after it was linked: the linker's
# hash over the program, which tells builds apart, stays the same for commits that change nothing of the program.
#
#   ww_stamp_commit(target)   the target knows its commit; it is linked anew when the commit changes
#
# As a script (cmake -DROOT=folder -DOUTPUT=file -P) it writes the text: the commit's first 12 digits with a '+' when
# files were changed since, "unknown" outside a checkout; padded with blanks and a newline to the size of the section.
set(WW_COMMIT_BYTES 40)

function(ww_write_commit root output)
    find_program(git git)
    set(commit "")
    if(git AND EXISTS ${root}/.git)
        execute_process(COMMAND ${git} --no-optional-locks -C ${root} describe --always --exclude=* --abbrev=12 --dirty=+
            OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    endif()
    if(NOT commit MATCHES "^[0-9a-f]+[+]?$")
        set(commit unknown)
    endif()
    string(LENGTH ${commit} length)
    math(EXPR rest "${WW_COMMIT_BYTES} - ${length} - 1")
    string(REPEAT " " ${rest} blanks)
    file(CONFIGURE OUTPUT ${output} CONTENT "${commit}${blanks}" @ONLY NEWLINE_STYLE UNIX)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE)
    ww_write_commit(${ROOT} ${OUTPUT})
    return()
endif()

function(ww_stamp_commit target)
    set(file ${CMAKE_BINARY_DIR}/generated/commit.txt)
    add_custom_target(commit BYPRODUCTS ${file}
        COMMAND ${CMAKE_COMMAND} -DROOT=${CMAKE_SOURCE_DIR} -DOUTPUT=${file} -P ${CMAKE_SOURCE_DIR}/cmake/commit.cmake
        COMMENT "Asking git for the commit")
    set_target_properties(${target} PROPERTIES LINK_DEPENDS ${file})
    add_dependencies(${target} commit)
    add_custom_command(TARGET ${target} POST_BUILD
        COMMAND ${CMAKE_OBJCOPY} --update-section .ww_commit=${file} $<TARGET_FILE:${target}>)
endfunction()
