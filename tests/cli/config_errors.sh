# Everything that is wrong with a configuration, at once, each with its place and what would be right.
. "$WW_ROOT/tests/support/cli.sh"

cat >bad.yaml <<'END'
name: bad
base: simt23
core:
  warp_widht: 64
  warp_width: 65
exec: {order: randm, lanes: [avx2]}
memory.placement: tight
warp_width: 32
END
expect_error 2 "bad.yaml:2:7: unknown machine 'simt23' (did you mean 'simt32'?)
bad.yaml:4:3: unknown key 'core.warp_widht' (did you mean 'core.warp_width'?)
bad.yaml:5:15: core.warp_width is '65' (a whole number of lanes from 1 to 64 is needed)
bad.yaml:6:15: exec.order is 'randm' (did you mean 'random'?)
bad.yaml:6:29: exec.lanes is a sequence (a single value is needed)
bad.yaml:7:19: memory.placement is 'tight' (one of guarded, packed is needed)
bad.yaml:8:1: unknown key 'warp_width' (did you mean 'core.warp_width'?)
-s core.warp_width=0: core.warp_width is '0' (a whole number of lanes from 1 to 64 is needed)
-s core.warp_width: not an assignment (write -s KEY=VALUE)
-s nonsense=1: unknown key 'nonsense' ('warpwalk list keys' shows them all)" \
    list keys -m bad.yaml -s core.warp_width=0 -s core.warp_width -s nonsense=1

expect_error 2 "unknown machine 'simt6' (did you mean 'simt64'?)" list keys -m simt6
expect_error 2 "unknown machine 'qqqq' ('warpwalk list machines' shows them; a file's name ends in \
.yaml)" list keys -m qqqq
expect_error 2 "cannot read 'none.yaml': No such file or directory" list keys -m none.yaml
expect_error 2 "'./' is not a regular file" list keys -m ./
: >empty.yaml
expect_error 2 "empty.yaml:1:1: nothing here (a YAML mapping is needed)" list keys -m empty.yaml
printf 'core: {warp_width: 8\n' >open.yaml
expect_error 2 "open.yaml:2:1: not valid YAML: did not find expected ',' or '}' while parsing a flow \
mapping" list keys -m open.yaml
printf 'a: &x {b: *x}\n' >anchor.yaml
expect_error 2 "anchor.yaml:1:4: anchors are not supported (write the value where it is used)" \
    list keys -m anchor.yaml
printf 'base: circle.yaml\n' >circle.yaml
expect_error 2 "circle.yaml:1:7: more than 8 machines are based on each other (a circle?)" \
    list keys -m circle.yaml

# A key that is not there: those that are meant by their last part, by words of their name or description, by spelling.
near() {
    expect_error 2 "-s $1=1: unknown key '$1' (did you mean $2?)" list keys -s "$1=1"
}
near dram.queue "'dram.read_queue' or 'dram.write_queue'"
near l1.size "'l1d.size', 'l1i.size' or 'l1s.size'"
near tlb.entries "'l1_tlb.entries' or 'l2_tlb.entries'"
near walkers "'walk.walkers'"
near warp_size "'core.warp_width'"
near walk.schedular "'walk.scheduler'"
near num_sms "'gpu.compute_units', 'paging.faults_per_cu' or 'energy.cu_power'"
near dram.frequency "'dram.clock'"
expect_error 2 "-s l1d.tally=1: unknown key 'l1d.tally' ('warpwalk list keys' shows them all)" list keys -s l1d.tally=1

# Units that are almost right, and names in capitals or cut short.
wrong_value() {
    expect_error 2 "-s $1=$2: $1 is '$2' (did you mean '$3'?)" list keys -s "$1=$2"
}
wrong_value l2.size 12MB 12MiB
wrong_value l2.size 64k 64KiB
wrong_value gpu.clock 2ghz 2GHz
wrong_value gpu.clock 2G 2GHz
wrong_value core.scheduler GTO gto
expect_error 2 "-s l2.size=12XB: l2.size is '12XB' (a size from 0 to 1GiB is needed)" list keys -s l2.size=12XB
expect_error 2 "-s l2.size=12TB: l2.size is '12TB' (a size from 0 to 1GiB is needed)" list keys -s l2.size=12TB
expect_error 2 "unknown machine 'APU' (did you mean 'apu-isca18'?)" list keys -m APU
expect_error 2 "unknown study 'micro' (did you mean 'micro18'?)" study micro
expect_error 2 "no workload 'gesum' in the catalogue (did you mean 'gesummv'?)" exec gesum
expect_error 2 "--size: atax has no size 'tny' (did you mean 'tiny'?)" exec atax --size tny

# A base is found beside the file that names it.
mkdir -p folder
printf 'core.warp_width: 9\n' >folder/base.yaml
printf 'base: base.yaml\n' >folder/derived.yaml
run_program list keys -m folder/derived.yaml --wide
check_status 0
grep -q '^core.warp_width  *9  *folder/base.yaml:1:18 ' out.txt || complain "base not found"

# Conditions that span keys, at the key that was set last.
expect_error 2 "-s l2.size=1KiB: l2.size is 1024, no whole number of sets (a multiple of 2048: l2.ways, 16, of \
l1d.line, 128)" list keys -s l2.size=1KiB
expect_error 2 "-s dram.channels=3: l2.size is 1048576, which dram.channels, 3 slices, cannot share (a multiple of \
6144: l2.ways, 16, of 128 in each)" list keys -s dram.channels=3

# All that makes no machine, at once: in each part of it whose own values are right.
cat >impossible.yaml <<'END'
gpu: {clock: 0, compute_units: -1}
core:
  wavefronts: 65
  scheduler: gtoo
l1d:
  line: 96
l1i:
  size: 1000
l1s:
  ways: 3
  replacement: plru
l2:
  size: 0
dram:
  trcd: 40
  trc: 3
  ranks: 3
  write_low: 60
network: {width: 0}
END
expect_error 2 "impossible.yaml:1:14: gpu.clock is '0' (a frequency from 1MHz to 20GHz is needed)
impossible.yaml:1:32: gpu.compute_units is '-1' (a whole number of compute units from 1 to 512 is needed)
impossible.yaml:3:15: core.wavefronts is '65' (a whole number of warps from 1 to 64 is needed)
impossible.yaml:4:14: core.scheduler is 'gtoo' (did you mean 'gto'?)
impossible.yaml:19:18: network.width is '0' (a whole number of bytes from 1 to 4096 is needed)
impossible.yaml:6:9: l1d.line is 96 (a power of two is needed, such as 64 or 128)
impossible.yaml:17:10: dram.ranks is 3 (a power of two is needed)
impossible.yaml:15:9: dram.tras is 28 cycles (at least dram.trcd, 40)
impossible.yaml:16:8: dram.trc is 3 cycles (at least dram.tras, 28)
impossible.yaml:18:14: dram.write_low is 60 (below dram.write_high, 56)" run atax -m impossible.yaml
sed -i -e '/^gpu/d' -e '/wavefronts/d' -e '/gtoo/s/gtoo/gto/' -e 's/line: 96/line: 128/' -e '/^network/d' -e '/^dram/,$d' impossible.yaml
expect_error 2 "impossible.yaml:6:9: l1i.size is 1000, no whole number of sets (a multiple of 512: l1i.ways, 4, of \
l1d.line, 128)
impossible.yaml:8:9: l1s.ways is 3 (l1s.replacement: plru needs a power of two)
impossible.yaml:11:9: l2.size is 0 (atomics are performed in this cache: more than 0)" run atax -m impossible.yaml
printf 'core: {schedulers: 8, wavefronts: 4, instruction_bytes: 64}\nlds.banks: 3\nl1d: {line: 32, sector: 64}\n' \
    >cores.yaml
expect_error 2 "cores.yaml:2:12: lds.banks is 3 (a power of two is needed)
cores.yaml:1:35: core.wavefronts is 4 (at least one for each of core.schedulers, 8)
cores.yaml:1:57: core.instruction_bytes is 64 (at most l1d.line, 32)
cores.yaml:3:13: l1d.sector is 64, no part of l1d.line, 32 (a power of two from 1 to 32)" list keys -m cores.yaml
printf 'l1d: {bypass: all, size: 0}\n' >bypass.yaml
expect_error 2 "bypass.yaml:1:15: l1d.bypass is all, but there is no L1 to bypass: l1d.size is 0 (none)" \
    run atax -m bypass.yaml
expect_error 2 "-s l1d.size=0: l1d.bypass is ctrl_c, but there is no L1 to bypass: l1d.size is 0 (none)" \
    run atax -m v100 -s l1d.bypass=ctrl_c -s l1d.size=0
expect_error 2 "-s l1d.bypass_low=0.5: l1d.bypass_low is above l1d.bypass_high (at most as high)" \
    run atax -m v100 -s l1d.bypass=ctrl_c -s l1d.bypass_low=0.5
expect_error 2 "-s l1d.bypass_limit=3: has no effect while l1d.bypass is ctrl_c" \
    run atax -m v100 -s l1d.bypass=ctrl_c -s l1d.bypass_limit=3
expect_error 2 "-s l1d.bypass_exponent=8: l1d.bypass_exponent is '8' (a whole number from 0 to 7 is needed)" \
    run atax -m v100 -s l1d.bypass=fixed -s l1d.bypass_exponent=8
# Of the kernels of vadd.yaml, instruction 15 is a load and 2 is none.
fixed="run $WW_ROOT/examples/vadd/vadd.yaml -m v100 -s gpu.compute_units=2 -s l1d.bypass=fixed"
run_program $fixed -s l1d.bypass_pc=15
check_status 0
run_program $fixed -s l1d.bypass_pc=2
check_status 2
line="-s l1d.bypass_pc=2: l1d.bypass_pc is 2, but no kernel that ran has a load of this number (warpwalk inspect shows numbers)"
[ "$(cat err.txt)" = "$line" ] || complain "says $(cat err.txt)"
cacp="run atax -m gtx480-cawa --size tiny -s l1d.replacement=cacp"
expect_error 2 "-s l1d.critical_ways=17: l1d.ways is 16 (l1d.replacement: cacp needs as many as its critical_ways, or more)" \
    $cacp -s core.criticality=cpl -s l1d.critical_ways=17
expect_error 2 "-s l1d.critical_threshold=3: l1d.critical_threshold is '3' (a whole number from 1 to 2 is needed)" \
    $cacp -s core.criticality=cpl -s l1d.critical_threshold=3
expect_error 2 "-s l1d.replacement=cacp: l1d.replacement is cacp, and core.criticality is none (a policy that predicts: cpl)" $cacp
expect_error 2 "-s l2.replacement=cacp: l2.replacement is cacp, and core.criticality is none (a policy that predicts: cpl)" \
    run atax -m gtx480-cawa --size tiny -s l2.replacement=cacp
# Of a cache without lines, none is evicted; stores leave lines in one that is written back.
plru="run atax -m gtx480-cawa --size tiny -s l1d.replacement=plru"
expect_error 2 "-s l1d.replacement=plru: has no effect while l1d.size is 0" $plru -s l1d.size=0
expect_error 2 "-s l1i.replacement=plru: has no effect while l1i.size is 0" \
    run atax -m gtx480-cawa -s l1i.replacement=plru -s l1i.size=0
expect_error 2 "-s l1d.replacement=plru: has no effect while l1d.bypass is all" $plru -s l1d.bypass=all
run_program $plru -s l1d.bypass=all -s l1d.write=back
check_status 0
printf 'base: gtx480-cawa\nname: small\nl1d: {replacement: cacp, size: 0}\n' >no_l1.yaml
expect_error 2 "-s l1d.signature=pc: has no effect while l1d.size is 0" run atax -m ./no_l1.yaml --size tiny -s l1d.signature=pc
run_program run atax -m ./no_l1.yaml --size tiny
check_status 0
expect_error 2 "-s l1d.critical_ways=4: has no effect while l1d.replacement is ship" \
    run atax -m gtx480-cawa -s l1d.replacement=ship -s l1d.critical_ways=4
expect_error 2 "-s walk.cache_ports=1: has no effect while walk.cache is none" \
    run atax -m apu-isca18 -s walk.cache=none -s walk.cache_ports=1
expect_error 2 "-s walk.cache_interval=3: has no effect while walk.cache_ports is 0" \
    run atax -m apu-isca18 -s walk.cache_interval=3
expect_error 2 "-s vm.allocate=first_touch: has no effect while paging.mode is demand" \
    run atax -m fermi-paged -s paging.mode=demand -s vm.allocate=first_touch
finish
