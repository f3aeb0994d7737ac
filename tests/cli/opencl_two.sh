# Two programs at once that share an empty cache of compiled kernels: both are right, and the cache has the entries of one program alone.
. "$WW_ROOT/tests/support/cli.sh"

vadd=$WW_BUILD/tests/ocl/vadd
[ -x "$vadd" ] || {
    echo "the OpenCL driver is not built here"
    exit 77
}
command="app -- vadd"
start() { XDG_CACHE_HOME=$PWD/$1 "$WARPWALK" app --mode exec --no-summary -- "$vadd" >"$2.txt" 2>&1; }

start shared one &
first=$!
start shared two || complain "the second program ends with $?: $(cat two.txt)"
wait $first || complain "the first program ends with $?: $(cat one.txt)"
start alone three || complain "a program alone ends with $?: $(cat three.txt)"
for name in one two three; do
    grep -q '^right' $name.txt || complain "$name: $(cat $name.txt)"
done
entries() { (cd "$1" && find . -type f | LC_ALL=C sort); }
[ -n "$(entries alone)" ] || complain "nothing is cached"
[ "$(entries shared)" = "$(entries alone)" ] || complain "the shared cache has other entries: $(entries shared)"
finish
