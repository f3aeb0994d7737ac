# Hints about buffers on a machine with paged memory: pages that stay on the host, come early, or have a copy there.
. "$WW_ROOT/tests/support/cli.sh"

statistic() { sed -n "s/^ *\"$1\": \([0-9.]*\).*/\1/p" result.json; }
run_paged() {
    run_program run backprop -m fermi-paged --size tiny -s paging.mode=demand -s checked=true --json result.json "$@"
    check_status 0
    grep -q ': verified' out.txt || complain "$*: not verified"
}
# Each page that is mapped on the host is an event, under the name of NVIDIA's UVM driver.
expect_mappings() {
    mappings=$(grep -c '"name":"MapRemote"' timeline.json)
    [ "$mappings" -eq "$(statistic paging.mapped_remote)" ] || complain "$mappings mappings in the timeline"
    grep -q ", $mappings of $mappings mappings on the host\"" timeline.json || complain "the label does not count mappings"
}
expect() { [ "$(statistic "$1")" "$2" "$3" ] || complain "$1 is $(statistic "$1"), not $2 $3"; }

run_paged
plain=$(statistic cycles | head -1)
pages=$(statistic paging.pages)
expect paging.pages_in -eq "$pages"
expect paging.remote -eq 0

# Mapped at the launch: no fault, and every line passes the link.
run_paged --hint '*=accessed_by:gpu' --timeline timeline.json
expect_mappings
expect paging.faults -eq 0
expect paging.pages_in -eq 0
expect paging.mapped_remote -eq "$pages"
expect paging.remote -gt 0
expect pcie.bytes_in -gt 0

# Mapped by a fault instead of moved.
run_paged --hint '*=preferred:host' --timeline timeline.json
expect_mappings
grep '"name":"MapRemote"' timeline.json | grep -q '"ts":0\.\?0*,' && complain "a page is mapped before its fault"
expect paging.faults -gt 0
expect paging.pages_in -eq 0
expect paging.mapped_remote -eq "$pages"

# Brought at the launch: sooner than by faults.
run_paged --hint '*=prefetch'
expect paging.pages_in -eq "$pages"
expect paging.queued -lt "$pages"
[ "$(statistic cycles | head -1)" -lt "$((plain / 2))" ] || complain "prefetched pages come late"

# A copy stays on the host: a page that was not written need not be sent back.
run_paged -s paging.resident_fraction=0.5 -s paging.write_back=always
back=$(statistic paging.written_back)
run_paged -s paging.resident_fraction=0.5 -s paging.write_back=always --hint '*=read_mostly'
expect paging.written_back -lt "$back"
expect paging.written_back -gt 0

# One buffer on the host, the others paged.
run_paged --hint input=accessed_by
expect paging.mapped_remote -gt 0
expect paging.mapped_remote -lt "$pages"
expect paging.pages_in -gt 0

# On a machine of two clusters both networks reach the host.
run_program run backprop -m v100-halves --size tiny -s translation=full -s paging.mode=demand -s checked=true \
    --hint '*=accessed_by:gpu' --json result.json
check_status 0
expect paging.remote -gt 0
finish
