# Options that the user adds to those of a program: they come after the program's own, and are checked as those are.
. "$WW_ROOT/tests/support/cli.sh"

options=$WW_BUILD/tests/ocl/options
[ -x "$options" ] || {
    echo "the OpenCL driver is not built here"
    exit 77
}

# The kernel's VALUE, the language's version, what the program is told of its options, and what a launch with an edge returns.
tells() { # WANTED ADDED OWN
    run_program app --mode exec --no-summary --build-options "$2" -- "$options" "$3"
    check_status 0
    [ "$(cat out.txt)" = "$1" ] || complain "'$2' after '$3': $(cat out.txt err.txt)"
}
tells "5, 120, '-DVALUE=5', -54" "" "-DVALUE=5"
tells "7, 120, '', -54" "-DVALUE=7" ""
tells "0, 120, '-DVALUE=5', -54" "-UVALUE" "-DVALUE=5"
tells "7, 120, '-DVALUE=5', -54" "-U VALUE -D VALUE=7" "-DVALUE=5"
tells "5, 300, '-DVALUE=5', 0" "-cl-std=CL3.0" "-DVALUE=5"
tells "5, 120, '-DVALUE=5 -cl-std=CL3.0', -54" "-cl-std=CL1.2" "-DVALUE=5 -cl-std=CL3.0"
tells "5, 300, '-DVALUE=5 -cl-std=CL3.0', -54" "-cl-uniform-work-group-size" "-DVALUE=5 -cl-std=CL3.0"

# The variable does the same, and another cache entry belongs to it; what was built before is found again.
entries() { find cache -type f | wc -l; }
added() { # WANTED ADDED
    OCL_ICD_VENDORS=$WW_BUILD/warpwalk.icd XDG_CACHE_HOME=$PWD/cache WARPWALK_MODE=exec WARPWALK_BUILD_OPTIONS=$2 "$options" "-DVALUE=5" >out.txt 2>err.txt ||
        complain "WARPWALK_BUILD_OPTIONS=$2 ends with $?: $(cat err.txt)"
    [ "$(cut -d, -f1 out.txt)" = "$1" ] || complain "WARPWALK_BUILD_OPTIONS=$2: $(cat out.txt err.txt)"
}
mkdir cache
added 5 ""
without=$(entries)
added 8 "-UVALUE -DVALUE=8"
with=$(entries)
[ "$with" -gt "$without" ] || complain "added options have no entry of their own: $without and $with"
added 5 ""
added 8 "-UVALUE -DVALUE=8"
[ "$(entries)" = "$with" ] || complain "what was built is built again: $with and $(entries)"

# An option that a program may not have is one line; what only the compiler knows to be wrong fails the build, with a log.
expect_error 2 "--build-options: '-o' is not a build option for a kernel (-DNAME=VALUE, -UNAME, -Ifolder and -include file inside of the file's own folder, -O2, -W..., -std=..., -cl-... and -f... of code generation)" \
    app --build-options "-DVALUE=1 -o x" -- "$options" ""
OCL_ICD_VENDORS=$WW_BUILD/warpwalk.icd WARPWALK_BUILD_OPTIONS="-o x" "$options" "" >out.txt 2>err.txt && complain "a wrong option is accepted"
grep -q "^warpwalk: WARPWALK_BUILD_OPTIONS: '-o' is not a build option" err.txt || complain "no line about -o: $(cat err.txt)"
run_program app --mode exec --no-summary --build-options "-std=nonsense" -- "$options" ""
check_status 0
grep -q "^-11: .*nonsense" out.txt || complain "no log about -std=nonsense: $(cat out.txt err.txt)"
finish
