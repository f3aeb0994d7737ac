# A microbenchmark for each resource: what the machine is short of has most of the blame, whichever queue is full.
. "$WW_ROOT/tests/support/cli.sh"
cp "$WW_ROOT/bench/timed/timed.cl" .

cat >stream.yaml <<END
kernel: timed.cl
buffers:
  a: {type: f32, count: 65536, fill: iota}
  b: {type: f32, count: 65536, fill: iota}
  c: {type: f32, count: 65536}
launches:
  - {entry: vecadd, global: [65536], local: [256], args: [c, a, b]}
END
cat >walks.yaml <<END
kernel: timed.cl
buffers:
  out: {type: u32, count: 2048}
  table: {type: u8, count: 33554432}
launches:
  - {entry: divergent, global: [2048], local: [64], args: [out, table, {u32: 0x1ffffff}, {u32: 4}]}
END

# blames CAUSE WORKLOAD OPTIONS...: it has most of the time of requests and of warps; both views add up to the same
blames() {
    cause=$1
    shift
    run_program run "$@" -s host.blame_every=1 --json -
    check_status 0
    awk -v want="$cause" '
        {name = $1; gsub(/[":]/, "", name); value = $2 + 0}
        name ~ /^blame\./ {sum += value; if (value > most) {most = value; first = name}}
        name ~ /^core\.blame_/ {warps += value; if (value > top) {top = value; warp_first = name}}
        name ~ /^core\.warp_(structural|mshr|data_cache)$/ {waits += value}
        name == "latency.total" {total = value}
        END {
            if (first != "blame." want || warp_first != "core.blame_" want || sum != total || warps != waits) {
                print first, warp_first, sum, total, warps, waits
                exit 1
            }
        }' out.txt >&2 || complain "the blame is not on $cause, or does not add up"
}

small='-m v100 -s gpu.compute_units=8 -s l2.size=1536KiB'
blames dram_bus stream.yaml $small -s dram.channels=1
blames network stream.yaml $small -s dram.channels=16 -s network.width=2
blames dram_latency stream.yaml $small -s dram.channels=16 -s dram.latency=5us -s l1d.mshrs=4
blames network_latency stream.yaml $small -s dram.channels=16 -s network.latency=2000
blames l2_latency stream.yaml $small -s dram.channels=16 -s l2.latency=4000
blames walkers walks.yaml -m apu-isca18 -s walk.walkers=1
blames walk walks.yaml -m apu-isca18 -s walk.walkers=256 -s dram.latency=2us
finish
