# warpwalk run --pages, the paging part of --timeline, and what a result says of paging over time.
. "$WW_ROOT/tests/support/cli.sh"

paged="backprop --size tiny -m fermi-paged -s paging.mode=demand -s paging.prefetch=locality -s paging.evict=lru -s paging.resident_fraction=0.5"

# The sums of the map are the statistics of the run, and the same run gives the same bytes.
run_program run $paged --pages map.csv --json result.json
check_status 0
cp out.txt summary.txt
run_program run $paged --pages again.csv --json again.json
cmp map.csv again.csv >&2 || complain "two runs differ"
stat() { sed -n "s/^ *\"$1\": \([0-9.]*\),*\$/\1/p" result.json; }
sum() { awk -F, -v column="$1" 'NR > 1 { sum += $column } END { print sum + 0 }' map.csv; }
head -1 map.csv | grep -qx 'buffer,first_page,pages,from_us,to_us,touched,demanded,prefetched,evicted' ||
    complain "another head of the CSV"
[ "$(sum 7)" = "$(stat paging.demanded)" ] || complain "$(sum 7) demanded pages, not $(stat paging.demanded)"
[ "$(sum 8)" = "$(stat paging.prefetched)" ] || complain "$(sum 8) prefetched pages, not $(stat paging.prefetched)"
[ "$(sum 9)" = "$(stat paging.evictions)" ] || complain "$(sum 9) evictions, not $(stat paging.evictions)"
[ "$(sum 9)" -gt 0 ] && [ "$(sum 6)" -gt 0 ] || complain "nothing touched or evicted"

# 64 bins; counts add up to the statistics, levels and shares are within their bounds.
series() { sed -n "/^ *\"$1\": \[/,/\]/p" result.json | grep -v '[][]' | tr -d ' ,'; }
for name in link_in link_out faults resident evictions waiting; do
    [ "$(series $name | wc -l)" -eq 64 ] || complain "series $name has not 64 bins"
done
[ "$(series faults | awk '{ s += $1 } END { print s }')" = "$(stat paging.faults)" ] || complain "faults do not add up"
[ "$(series evictions | awk '{ s += $1 } END { print s }')" = "$(stat paging.evictions)" ] ||
    complain "evictions do not add up"
series link_in | awk '$1 < 0 || $1 > 1 { bad = 1 } END { exit bad }' || complain "a link that is used more than all the time"
series resident | awk -v most="$(stat paging.capacity)" '$1 > most { bad = 1 } END { exit bad }' ||
    complain "more resident pages than memory holds"

# The observer changes nothing.
"$WARPWALK" run $paged --json plain.json >/dev/null
"$WARPWALK" run $paged --json seen.json --pages x.html --timeline x.json >/dev/null
for file in plain seen; do grep -v '"host_\|host_second' $file.json >$file.txt; done
cmp plain.txt seen.txt >&2 || complain "--pages or --timeline changes the result"
grep -q '"series"' plain.json || complain "no series without options"

# Names of the UVM driver in the timeline, all of them here, and counters that docs/timing.md describes.
for name in GpuFault GpuFaultReplay Migration Eviction; do
    grep -q "\"name\":\"$name\"" x.json || complain "no $name in the timeline"
done
faults=$(grep -c '"name":"GpuFault"' x.json)
grep -q "\"$faults of [0-9]* faults, " x.json || complain "the label does not say how many faults are shown"
sed -n 's/^{"ph":"C",.*"name":"\([^"]*\)".*/\1/p' x.json | sort -u | while IFS= read -r name; do
    grep -q "^|.*\`$name\`.*|" "$WW_ROOT/docs/timing.md" || echo "$name"
done >missing.txt
[ ! -s missing.txt ] || complain "docs/timing.md does not describe $(cat missing.txt)"

# The summary.
for line in '^  pages  .* to the GPU, .* to the host' '^  far-faults ' '^  prefetched ' '^  PCIe in use ' '^  waits for pages '; do
    grep -q "$line" summary.txt || complain "no line '$line' in the summary"
done
grep -q '^  paging  *[0-9.]*%' summary.txt || complain "no wait for paging among the causes"

# Other modes: touched, and copied; no series where nothing moves.
run_program run backprop --size tiny -m fermi-paged --pages resident.json --json result.json
check_status 0
grep -q '"mode": *"resident"' resident.json || complain "not resident"
! grep -q '"link_in"' resident.json result.json || complain "a series without paging"
run_program run backprop --size tiny -m fermi-paged -s paging.mode=copy --pages map.csv --json result.json
check_status 0
[ "$(sum 7)" = "$(stat paging.pages_in)" ] && [ "$(sum 8)" = 0 ] || complain "not all pages were copied"

expect_error 2 "--pages 'map.txt': the name of the file says what is written (.html: a page; .json, .csv: its data)" \
    run backprop --size tiny -m fermi-paged --pages map.txt
expect_error 2 "--pages with translation: ideal, where no page is looked up (-s translation=full)" \
    run backprop --size tiny -m v100 --pages map.csv
expect_error 2 "cannot write 'none/x.csv': No such file or directory" \
    run backprop --size tiny -m fermi-paged --pages none/x.csv
finish
