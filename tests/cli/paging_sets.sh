# A far-fault takes its latency, or the time of its page on the link. Sets of pages flow as often with a longer far-fault, only later; pages of an old set can leave.
. "$WW_ROOT/tests/support/cli.sh"

value() { sed -n "s/^ *\"$1\": \([0-9]*\),*\$/\1/p" "$2" | head -n 1; }

cat >pages.cl <<'END'
kernel void wait(global uint *out, uint count)
{
    uint x = get_local_id(0);
    for (uint i = 0; i < count; i++)
        x = (x * 1664525u + 1013904223u) ^ (x >> 3);
    out[get_local_id(0)] = x;
}

kernel void rounds(global int *data, uint pages, uint count)
{
    for (uint round = 0; round < count; round++)
        for (uint page = 0; page < pages; page++)
            data[page * 1024 + get_local_id(0)] += 1;
}
END

# One store, 1.4 GHz: 20 us for a page of 4 KiB or 64 KiB; one of 2 MiB is on the link for 128 us.
cat >one.yaml <<'END'
kernel: pages.cl
buffers:
  data: {type: u32, count: 1024}
launches:
  - {entry: wait, global: [32], local: [32], args: [data, {u32: 1}]}
END
run_program run one.yaml -m fermi-paged --json -
resident=$(value cycles out.txt)
for size in 4KiB:28000 64KiB:28000 2MiB:179200; do
    run_program run one.yaml -m fermi-paged -s paging.mode=demand -s page_size=${size%:*} --json -
    check_status 0
    more=$(($(value cycles out.txt) - resident - ${size#*:}))
    [ "$more" -ge 0 ] && [ "$more" -lt 100 ] || complain "$more cycles beside ${size#*:}"
done

# A kernel of about 80 us, which the sets do not delay: 80 pages pass the link in 20 us.
cat >wait.yaml <<'END'
kernel: pages.cl
buffers:
  data: {type: u32, count: 1048576}
launches:
  - {entry: wait, global: [32], local: [32], args: [data, {u32: 8000}]}
END
# run_wait PAGES SETTING...: so many pages have come when it ends.
run_wait() {
    pages=$1
    shift
    run_program run wait.yaml -m fermi-paged -s paging.mode=demand -s paging.prefetch=sequential "$@" --json -
    check_status 0
    [ "$(value paging.pages_in out.txt)" = "$pages" ] || complain "not $pages pages have come"
}
run_wait 262 -s paging.fault_latency=20us
run_wait 222 -s paging.fault_latency=30us
run_wait 182 -s paging.fault_latency=40us
run_wait 142 -s paging.selection_cost=30us

# 200 pages in turn, with memory for 100: true LRU never has the next one, whatever set it came in.
cat >rounds.yaml <<'END'
kernel: pages.cl
buffers:
  data: {type: i32, count: 204800}
launches:
  - {entry: rounds, global: [32], local: [32], args: [data, {u32: 200}, {u32: 4}]}
END
for service in pipelined batched; do
    run_program run rounds.yaml -m fermi-paged -s paging.mode=demand -s paging.warm=oracle \
        -s paging.resident_fraction=0.5 -s paging.service=$service --json -
    check_status 0
    [ "$(value paging.pages_in out.txt)" = 800 ] || complain "$service: pages that never leave"
done

# The last 40 of 400 pages, from the end: the oracle brings them with the first far-fault, sequential brings the first pages.
cat >backwards.cl <<'END'
kernel void backwards(global int *data, uint pages, uint wait)
{
    int sum = 0;
    for (uint i = pages; i-- > pages - 40;) {
        uint x = (uint)sum;
        for (uint k = 0; k < wait; k++)
            x = (x * 1664525u + 1013904223u) ^ (x >> 3);
        sum += data[i * 1024 + (x & 1)];
    }
    data[0] = sum;
}
END
cat >backwards.yaml <<'END'
kernel: backwards.cl
buffers:
  data: {type: i32, count: 409600}
launches:
  - {entry: backwards, global: [1], local: [1], args: [data, {u32: 400}, {u32: 100}]}
END
for prefetch in oracle:1 sequential:6; do
    run_program run backwards.yaml -m fermi-paged -s paging.mode=demand -s paging.prefetch=${prefetch%:*} --json -
    check_status 0
    [ "$(value paging.faults out.txt)" = "${prefetch#*:}" ] || complain "$(value paging.faults out.txt) far-faults"
done
finish
