# The OpenCL driver under valgrind: no invalid access, nothing lost. Programs that leak do not make the driver leak.
. "$WW_ROOT/tests/support/cli.sh"

programs=$WW_BUILD/tests/ocl
if ! [ -x "$programs/vadd" ] || ! command -v valgrind >/dev/null || nm -D "$WW_BUILD/libwarpwalk_ocl.so" | grep -q __asan_init; then
    echo "no OpenCL driver, no valgrind, or a driver with sanitizers"
    exit 77
fi
for program in vadd buffers kernels events shared endings; do
    run_program app --mode exec --no-summary -- valgrind -q --error-exitcode=9 --leak-check=full \
        --show-leak-kinds=definite --errors-for-leak-kinds=definite "$programs/$program"
    check_status 0
    ! grep '^==' err.txt >&2 || complain "valgrind complains about $program"
done
finish
