# Paged memory on a whole machine: times that differ by the driver's time exactly, copies, memory that is just large enough, and
# bytes that are pages.
. "$WW_ROOT/tests/support/cli.sh"

cat >pages.cl <<'END'
kernel void one_by_one(global volatile uint *data, uint pages, uint words)
{
    uint zero = 0;
    for (uint page = 0; page < pages; page++)
        zero = data[(ulong)page * words + zero];
}

kernel void at_once(global volatile uint *data, uint words)
{
    data[get_global_id(0) * words];
}

/* Two warps, each with a page of its own. */
kernel void two(global volatile uint *data, uint words)
{
    data[get_global_id(0) / 32 * words];
}

/* The first warp faults on page after page; the second one uses only the first page. */
kernel void beside(global volatile uint *data, uint words, uint hits, uint faults)
{
    uint zero = data[0];
    if (get_global_id(0) < 32)
        for (uint page = 1; page <= faults; page++)
            zero = data[page * words + zero];
    else
        for (uint i = 0; i < hits; i++)
            zero = data[zero];
}

kernel void fill(global uint *out, global const uint *in)
{
    out[get_global_id(0)] = in[get_global_id(0)] + 1;
}
END
cat >one_by_one.yaml <<'END'
kernel: pages.cl
buffers:
  data: {type: u32, count: 16384}
launches:
  - {entry: one_by_one, global: [1], local: [1], args: [data, {u32: 16}, {u32: 1024}]}
END
cat >at_once.yaml <<'END'
kernel: pages.cl
buffers:
  data: {type: u32, count: 65536}
launches:
  - {entry: at_once, global: [64], local: [64], args: [data, {u32: 1024}]}
END
cat >two.yaml <<'END'
kernel: pages.cl
parameters: {words: 1024}
buffers:
  data: {type: u32, count: 2048}
launches:
  - {entry: two, global: [64], local: [64], args: [data, {u32: =words}]}
END
cat >beside.yaml <<'END'
kernel: pages.cl
parameters: {hits: 1, faults: 8}
buffers:
  data: {type: u32, count: 16384}
launches:
  - {entry: beside, global: [64], local: [64], args: [data, {u32: 1024}, {u32: =hits}, {u32: =faults}]}
END
cat >fill.yaml <<'END'
kernel: pages.cl
buffers:
  in: {type: u32, count: 65536, fill: iota}
  out: {type: u32, count: 65536}
launches:
  - {entry: fill, global: [65536], local: [256], args: [out, in]}
  - {entry: fill, global: [65536], local: [256], args: [out, in]}
END

# run_paged FILE KEYS...: on the preset, with time of the driver in cycles of 1.4 GHz
run_paged() {
    file=$1
    shift
    run_program run "$file" -m fermi-paged "$@" --json result.json
    check_status 0
}

# stat NAME: of the last run
stat() {
    sed -n "s/^ *\"$1\": *\([0-9.]*\),*\$/\1/p" result.json | head -n 1
}

# is WHAT VALUE WANTED
is() {
    [ "$2" = "$3" ] || complain "$1 is $2, not $3"
}

demand="-s paging.mode=demand"

# Sixteen faults one after the other: sixteen times 20 us more.
run_paged one_by_one.yaml $demand
cycles=$(stat cycles)
is faults "$(stat paging.faults)" 16
run_paged one_by_one.yaml $demand -s paging.fault_latency=40us
is "cycles at 40 us" "$(stat cycles)" $((cycles + 16 * 28000))

# The faults of two warps overlap, or come one after the other where the TLB is blocked. The driver's time is in the run time
# once or twice.
for faults in replayable blocking; do
    times=1
    [ $faults = replayable ] || times=2
    run_paged two.yaml $demand -s paging.faults=$faults
    cycles=$(stat cycles)
    is pages_in "$(stat paging.pages_in)" 2
    run_paged two.yaml $demand -s paging.faults=$faults -s paging.fault_latency=40us
    is "cycles at 40 us, $faults" "$(stat cycles)" $((cycles + times * 28000))
done

# Two warps on one page: one page comes, for one fault in the queue.
run_paged two.yaml $demand --size words=0
is pages_in "$(stat paging.pages_in)" 1
is queued "$(stat paging.queued)" 1

# Hit under fault: 500 loads of one warp are hidden behind the other's faults. Blocked, they wait.
for faults in replayable blocking; do
    run_paged beside.yaml $demand -s paging.faults=$faults --size hits=1
    cycles=$(stat cycles)
    run_paged beside.yaml $demand -s paging.faults=$faults --size hits=500
    more=$(($(stat cycles) - cycles))
    case $faults in
    replayable) is "cycles of hits under faults" $more 0 ;;
    blocking) [ $more -gt 10000 ] || complain "blocked hits cost only $more cycles" ;;
    esac
done

# A warp needs 32 of the 64 pages at once.
run_paged at_once.yaml $demand -s paging.resident_fraction=0.5
is capacity "$(stat paging.capacity)" 32
expect_error 2 "-s paging.resident_fraction=0.484: kernel 'at_once': an instruction needs more pages at a time than the 31 \
that paging.resident_fraction leaves (a larger fraction, or smaller pages)" \
    run at_once.yaml -m fermi-paged $demand -s paging.resident_fraction=0.484

# Copies: 128 pages, or the 64 that the host has written, at 350 cycles each; the last one is written into memory after that. The
# kernel's time comes on top. 64 pages are copied back.
for copied in all inputs; do
    pages=128
    [ $copied = all ] || pages=64
    run_paged fill.yaml -s paging.mode=copy -s paging.copy=$copied
    is "bytes_in, $copied" "$(stat pcie.bytes_in)" $((pages * 4096))
    is "bytes_out, $copied" "$(stat pcie.bytes_out)" 0
    cycles=$(stat cycles)
    ticks=$(stat paging.copy_ticks)
    written=$((ticks - pages * 350))
    [ $written -gt 0 ] && [ $written -lt 1000 ] || complain "the last page was written in $written"
    kernel=$((cycles - ticks))
    [ $kernel -gt 6000 ] && [ $kernel -lt 9000 ] || complain "the kernels took $kernel"
    run_paged fill.yaml -s paging.mode=copy -s paging.copy=${copied}_back
    is "bytes_out, $copied" "$(stat pcie.bytes_out)" $((64 * 4096))
    back=$(($(stat paging.copy_ticks) - ticks))
    [ $back -gt $((64 * 350)) ] && [ $back -lt $((64 * 350 + 1000)) ] || complain "copying back took $back"
    is "cycles, $copied" "$(stat cycles)" $((cycles + back + 1)) # the last tick begins a cycle
    is "core.cycles, $copied" "$(stat core.cycles)" "$(stat cycles)"
done

# Bytes are pages, and blocks of 2 MiB take turns.
for keys in "" "-s paging.resident_fraction=0.3" "-s paging.resident_fraction=0.3 -s paging.evict=random" \
    "-s paging.chunk=2MiB" "-s paging.chunk=2MiB -s paging.resident_fraction=0.5" \
    "-s paging.resident_fraction=0.5 -s paging.write_back=always -s paging.service=batched" \
    "-s paging.resident_fraction=0.5 -s paging.faults=blocking"; do
    run_paged backprop --size tiny $demand $keys
    is "bytes_in, $keys" "$(stat pcie.bytes_in)" $(($(stat paging.pages_in) * 4096))
    is "bytes_out, $keys" "$(stat pcie.bytes_out)" $(($(stat paging.written_back) * 4096))
    case $keys in
    "" | "-s paging.chunk=2MiB") is "evictions, $keys" "$(stat paging.evictions)" 0 ;;
    *) [ "$(stat paging.evictions)" -gt 0 ] || complain "no evictions" ;;
    esac
done
finish
