# The page of `report --html` in headless Chromium: what tests/browser/page.mjs looks at, for a study of 500 runs whose
# numbers are made up, and for one whose names mean harm.
set -u
for tool in node chromium; do
    command -v $tool >/dev/null || {
        echo "no $tool here (tools/setup --test installs it)"
        exit 77
    }
done
rm -rf ./*.db ./*.db-* wide nasty

"$WARPWALK" run backprop -m gtx480-cawa --size tiny --json real.json >/dev/null || exit 1
"$WW_BUILD/tests/made_up_results" "$WW_ROOT/tests/browser/wide.yaml" real.json wide.db || exit 1
"$WW_BUILD/tests/made_up_results" "$WW_ROOT/tests/browser/nasty.yaml" real.json nasty.db || exit 1
if ! "$WARPWALK" report wide.db --html wide 2>err.txt; then
    cat err.txt
    grep -q 'was built without node_modules/' err.txt && exit 77
    exit 1
fi
"$WARPWALK" report nasty.db --html nasty || exit 1
node "$WW_ROOT/tests/browser/page.mjs" "$PWD/wide" "$PWD/nasty"
