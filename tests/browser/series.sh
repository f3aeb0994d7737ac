# A figure over time on the page of `report --html`, in headless Chromium: what tests/browser/series.mjs looks at.
set -u
for tool in node chromium; do
    command -v $tool >/dev/null || {
        echo "no $tool here (tools/setup --test installs it)"
        exit 77
    }
done
rm -rf ./*.db ./*.db-* ./*.db.work page
cat >times.yaml <<'END'
machine: fermi-paged
size: tiny
workloads: [backprop, pathfinder]
variants:
  resident: {paging.mode: resident}
  copy: {paging.mode: copy}
  demand: {paging.mode: demand}
sections: {over time: [times, watts]}
figures:
  cycles: {metric: cycles}
  times: {title: link and pages, plot: series, series: [link_in, resident, faults]}
  watts: {title: power, plot: series, series: [power, power_dram]}
  empty: {title: nothing, plot: series, series: [faults], where: {variant: resident}, columns: seed}
END
"$WARPWALK" sweep times.yaml >/dev/null 2>&1 || exit 1
if ! "$WARPWALK" report times.db --html page 2>err.txt; then
    cat err.txt
    grep -q 'was built without node_modules/' err.txt && exit 77
    exit 1
fi
node "$WW_ROOT/tests/browser/series.mjs" "$PWD/page"
