# The page of `run --pages` in headless Chromium: what tests/browser/pages.mjs looks at.
set -u
for tool in node chromium; do
    command -v $tool >/dev/null || {
        echo "no $tool here (tools/setup --test installs it)"
        exit 77
    }
done
for mode in demand copy resident; do
    if ! "$WARPWALK" run backprop --size tiny -m fermi-paged -s paging.mode=$mode --pages $mode.html >/dev/null 2>err.txt; then
        cat err.txt
        grep -q 'was built without' err.txt && exit 77
        exit 1
    fi
done
node "$WW_ROOT/tests/browser/pages.mjs" "$PWD/demand.html" "$PWD/copy.html" "$PWD/resident.html"
