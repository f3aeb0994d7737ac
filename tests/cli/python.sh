# The Python module: runs and sweeps give what the program gives, and wrong input an exception with the program's line.
. "$WW_ROOT/tests/support/cli.sh"
[ -e "$WW_BUILD/libwarpwalk.so" ] || {
    echo "the shared library is not built here"
    exit 77
}
command -v python3 >/dev/null || {
    echo "python3 is not installed"
    exit 77
}
page=$WW_ROOT/docs/python.md
WARPWALK_LIBRARY=$WW_BUILD/libwarpwalk.so
PYTHONPATH=$WW_ROOT/python
PYTHONDONTWRITEBYTECODE=1
export WARPWALK_LIBRARY PYTHONPATH PYTHONDONTWRITEBYTECODE
command="(python)"

# The page shows the example, and what it prints.
awk '$0 == "```" {on = 0} on {print} $0 == "```python" {on = 1}' "$page" >l1.py
cmp l1.py "$WW_ROOT/examples/python/l1.py" >&2 || complain "docs/python.md shows another program"
sed -n '/python3 examples\/python\/l1.py$/,/^$/{s/^    //;/^\$/d;/^$/d;p}' "$page" >want.txt
[ "$(wc -l <want.txt)" -eq 4 ] || complain "docs/python.md shows no output"
python3 l1.py >out.txt || complain "the example failed"
diff -u want.txt out.txt >&2 || complain "prints something else than docs/python.md"

# All else is in a program of its own.
python3 "$WW_ROOT/tests/support/use_module.py" "$WARPWALK" "$WW_ROOT" || complain "the module is wrong"

# The library is found beside the tree's build, beside an installed module, and only there.
rm -rf tree prefix
mkdir -p tree/python tree/build prefix/lib/python3/dist-packages
cp "$WW_ROOT/python/warpwalk.py" tree/python
cp "$WW_ROOT/python/warpwalk.py" prefix/lib/python3/dist-packages
ln -s "$WW_BUILD/libwarpwalk.so.0" tree/build
ln -s "$WW_BUILD/libwarpwalk.so.0" prefix/lib
unset WARPWALK_LIBRARY
for folder in tree/python prefix/lib/python3/dist-packages; do
    PYTHONPATH=$folder python3 -c 'import warpwalk; print(warpwalk.version)' >out.txt || complain "$folder: no library"
done
rm tree/build/libwarpwalk.so.0
! PYTHONPATH=tree/python python3 -c 'import warpwalk' 2>err.txt || complain "a library that is not there"
grep -q '^ImportError: .*(build warpwalk with make, or name its library in WARPWALK_LIBRARY)$' err.txt || complain "$(cat err.txt)"
finish
