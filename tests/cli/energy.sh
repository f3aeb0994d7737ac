# Energy: every component is its counters times the keys, on machines with and without TLBs, links and paging, in whole runs
# and in regions; series; wrong keys; docs/energy.md.
. "$WW_ROOT/tests/support/cli.sh"
docs=$WW_ROOT/docs/energy.md

# check_energy: the result in out.txt.
check_energy() {
    check_status 0
    awk '
        /^ *"[a-z0-9_.]+": -?[0-9.]+(e[-+]?[0-9]+)?,?$/ {
            split($0, part, "\"")
            number = part[3]
            gsub(/[:, ]/, "", number)
            n[part[2]] = number + 0
        }
        /^ *"cuptw.form": "nvidia"/ { nvidia = 1 }
        /^ *"cuptw.mode": "softwalker"/ { warps = 1 }
        /^ *"walk.pte_cache": / { pte_cache = $2 !~ /^"?0/ }
        function check(name, expected, found, difference) {
            found = n["energy." name]
            difference = found > expected ? found - expected : expected - found
            if (difference > 1e-9 * expected || !("energy." name in n)) {
                printf "energy.%s is %.15g, by hand %.15g\n", name, found, expected
                bad = 1
            }
        }
        function tlb(name) { return n[name ".accesses"] + n[name ".fills"] }
        function registers(name) { return n[name ".misses"] + n[name ".merged"] + n[name ".fills"] }
        END {
            pj = 1e-12
            core = n["energy.int_lane"] * (n["unit.simd_lanes"] - n["unit.float_lanes"])
            core += n["energy.fp32_lane"] * n["unit.float_lanes"] + n["energy.sfu_lane"] * n["unit.sfu_lanes"]
            core += n["energy.fp64_lane"] * n["unit.fp64_lanes"] + n["energy.memory_lane"] * (n["unit.memory_lanes"] + n["cuptw.walks"])
            if (warps)
                core += n["energy.memory_lane"] * (n["cuptw.pte_reads"] + n["cuptw.cache_writes"])
            core += n["energy.scalar_instruction"] * n["unit.scalar_issues"]
            core += n["energy.branch_instruction"] * n["unit.branch_issues"]
            check("core", core * pj)
            check("lds", n["energy.lds_lane"] * n["unit.lds_lanes"] * pj)
            check("l1d", 8 * n["energy.l1_bit"] * n["l1d.bytes"] * pj)
            check("l1s", 8 * n["energy.l1_bit"] * n["l1s.bytes"] * pj)
            check("l2", 8 * n["energy.l2_bit"] * n["l2.bytes"] * pj)
            dram = 8 * (n["energy.dram_device_bit"] + n["energy.dram_path_bit"]) * pj
            check("dram", dram * n["dram.bytes"])
            check("network", 8 * n["energy.network_bit"] * (n["network.down_bytes"] + n["network.up_bytes"]) * pj)
            check("link", 8 * n["energy.link_bit"] * n["link.bytes"] * pj)
            check("pcie", 8 * n["energy.pcie_bit"] * (n["pcie.bytes_in"] + n["pcie.bytes_out"]) * pj)
            tlbs = n["energy.l1_tlb_access"] * (tlb("l1_tlb") + tlb("l1s_tlb") + tlb("iommu_l1_tlb"))
            tlbs += n["energy.l2_tlb_access"] * (tlb("l2_tlb") + tlb("iommu_l2_tlb"))
            tlbs += n["energy.mshr_access"] * (registers("l1_tlb") + registers("l1s_tlb") + registers("l2_tlb") + \
                registers("iommu_l1_tlb") + registers("iommu_l2_tlb"))
            check("tlb", tlbs * pj)
            caches = n["walk.cache_lookups"] + n["walk.estimates"] + n["walk.pte_reads_level2"]
            caches += n["walk.pte_reads_level3"] + n["walk.pte_reads_level4"]
            if (pte_cache)
                caches += n["walk.pte_cache_hits"] + 2 * n["walk.pte_reads"]
            if (warps)
                caches += n["cuptw.cache_writes"]
            walks = n["energy.walk_cache_access"] * caches + n["energy.mshr_access"] * 2 * (n["walk.selected"] + n["walk.merged"])
            check("walk", walks * pj)
            power = n["energy.constant_power"] + n["energy.cu_power"] * n["gpu.compute_units"]
            check("static", power * n["energy.time"])
            form = nvidia ? 2 : 1
            cuptw = n["energy.int_lane"] * form * n["cuptw.pte_reads"] + n["energy.branch_instruction"] * n["cuptw.branch_issues"]
            cuptw += nvidia ? 0 : n["energy.scalar_instruction"] * n["cuptw.pte_reads"]
            cuptw += n["energy.lds_lane"] * (9 * n["cuptw.cache_lookups"] + 3 * n["cuptw.cache_writes"])
            if (warps) {
                cuptw = n["energy.int_lane"] * n["softwalker.decode"] * n["cuptw.walks"]
                cuptw += n["energy.int_lane"] * (n["softwalker.offset"] + n["softwalker.check"]) * n["cuptw.pte_reads"]
                cuptw += n["energy.lds_lane"] * 3 * n["cuptw.walks"]
            }
            check("cuptw", cuptw * pj)
            reads = 8 * n["energy.l1_bit"] * (n["l1d.pte_bytes"] + n["l1s.pte_bytes"]) + 8 * n["energy.l2_bit"] * n["l2.pte_bytes"]
            check("translation", (tlbs + walks + cuptw + reads) * pj + dram * n["dram.pte_bytes"])
            sum = 0
            count = split("core lds l1d l1s l2 dram network link pcie tlb walk cuptw static", component, " ")
            for (i = 1; i <= count; i++) sum += n["energy." component[i]]
            check("total", sum)
            check("dynamic", sum - n["energy.static"])
            check("power", sum / n["energy.time"])
            exit bad
        }' out.txt >&2 || complain "the energy is another than by hand"
}

value() { sed -n "s/^ *\"$1\": \([^,]*\),*\$/\1/p" out.txt; }
is_zero() { for name; do value "$name" | grep -qx '0\(\.0\)*' || complain "$name is $(value "$name"), not 0"; done; }
is_positive() { for name; do value "$name" | awk '{ exit !($1 > 0) }' || complain "$name is $(value "$name")"; done; }

cp "$WW_ROOT"/examples/vadd/* .
run_program run vadd.yaml -m v100 --json -
check_energy
is_zero energy.l1s energy.lds energy.link energy.pcie energy.tlb energy.walk energy.translation dram.pte_bytes l2.pte_bytes
is_positive energy.core energy.l1d energy.l2 energy.dram energy.network energy.static
cycles=$(value cycles)

# Walks that read DRAM, and walks that read the L2; a cache of page-table lines.
run_program run atax --size tiny -m apu-isca18 --json -
check_energy
is_positive energy.tlb energy.walk energy.translation dram.pte_bytes
is_zero energy.link energy.pcie l2.pte_bytes
run_program run atax --size tiny -m apu-isca18 -s walk.memory=l2 -s walk.pte_cache=8KiB --json -
check_energy
is_positive l2.pte_bytes
# Local data share, doubles; clusters; paged memory, with accesses over the link.
run_program run hotspot --size tiny -m v100 --json -
check_energy
is_positive energy.lds
run_program run bfs --size tiny -m v100-halves --json -
check_energy
is_positive energy.link
for mode in copy demand; do
    run_program run atax --size tiny -m fermi-paged -s paging.mode=$mode --json -
    check_energy
    is_positive energy.pcie
done
# Walks on compute units, in both forms.
for form in amd nvidia; do
    run_program run gups --size tiny -m mi100-cuptw -s cuptw.mode=full -s cuptw.form=$form -s l2_tlb.mshrs=4 --json -
    check_energy
    is_positive energy.cuptw
done
# Walk warps: integers of their program, and a request of three words; a price for their memory instructions, which is 0 else.
run_program run gups --size tiny -m mi100-cuptw -s cuptw.mode=softwalker -s energy.memory_lane=7 --json -
check_energy
is_positive energy.cuptw
# A region has the energy of the region.
run_program run atax --size tiny -m apu-isca18 --region warm=1000,measure=2000 --json -
check_energy

# Prices change energies and nothing else.
run_program run vadd.yaml -m v100 -s energy.constant_power=0 -s energy.cu_power=0 -s energy.int_lane=1000 --json -
check_energy
is_zero energy.static
[ "$(value cycles)" = "$cycles" ] || complain "a price changes cycles"

# Series: groups add up to power, whose mean is that of the run.
run_program run atax --size tiny -m v100 --json -
awk '
    /"series": \{/ { on = 1 }
    on && match($0, /"power[a-z0-9_]*"/) { name = substr($0, RSTART + 1, RLENGTH - 2); at = 0 }
    on && /"stats"/ { on = 0 }
    on && name && /^ *[0-9.e-]+,?$/ { gsub(/[, ]/, ""); bin[name, ++at] = $0; if (at > most) most = at }
    on && /\]/ { name = "" }
    /"energy.power"/ { gsub(/[",:]/, ""); mean = $2 }
    END {
        for (i = 1; i <= most; i++) {
            sum = bin["power_core", i] + bin["power_l1", i] + bin["power_l2", i] + bin["power_dram", i]
            sum += bin["power_network", i] + bin["power_tlb", i] + bin["power_static", i]
            if (sum - bin["power", i] > 0.01 || bin["power", i] - sum > 0.01) { print "bin " i ": " sum; bad = 1 }
            all += bin["power", i] / 64
        }
        if (most != 64) { print most " bins"; bad = 1 }
        if (all / mean > 1.05 || mean / all > 1.05) { print "mean " all " instead of " mean; bad = 1 }
        exit bad
    }' out.txt >&2 || complain "the series of power is wrong"
# A short run on many compute units has samples enough for its bins to differ.
run_program run backprop --size tiny -m mi100-cuptw --json -
check_status 0
different=$(sed -n '/^ *"power": \[/,/\]/p' out.txt | grep -v '[][]' | tr -d ' ,' | sort -u | wc -l)
[ "$different" -ge 32 ] || complain "$different different values of power"
run_program exec vadd.yaml --json -
check_status 0
! grep -q '"series"\|"energy.total"' out.txt || complain "a functional run has energy"

expect_error 2 "-s energy.int_lane=-1: energy.int_lane is '-1' (a number of pJ from 0 to 1000000 is needed)" \
    run vadd.yaml -s energy.int_lane=-1
expect_error 2 "-s energy.l3_bit=1: unknown key 'energy.l3_bit' (did you mean 'energy.l1_bit' or 'energy.l2_bit'?)" \
    run vadd.yaml -s energy.l3_bit=1
expect_error 2 "-s energy.l2_bit=much: energy.l2_bit is 'much' (a number of pJ/bit from 0 to 1000000 is needed)" \
    run vadd.yaml -s energy.l2_bit=much

# A price of what the machine does not have.
for pair in 'link_bit machine.clusters=1' 'pcie_bit paging.mode=resident' 'mshr_access translation=ideal' 'scalar_instruction core.scalar_unit=false'; do
    set -- $pair
    expect_error 2 "-s energy.$1=1: has no effect while ${2%=*} is ${2#*=}" run vadd.yaml -m v100 -s "energy.$1=1"
done

# The example runs as printed, and every key and statistic is named.
run_program run vadd.yaml -m v100
check_status 0
line=$(sed -n '/^    \$ warpwalk run vadd.yaml -m v100$/,/^$/s/^    \(energy,.*\)/\1/p' "$docs")
[ "$line" ] && grep -qxF "$line" out.txt || complain "docs/energy.md prints another line: $line"
run_program run vadd.yaml -m v100 --json -
sed -n '/^## The example by hand/,/^## /p' "$docs" | awk -F '|' '$2 ~ /`/ { gsub(/[` ,]/, "", $2); gsub(/[ ,]/, "", $3); print $2, $3 }' >rows.txt
[ "$(wc -l <rows.txt)" -ge 8 ] || complain "docs/energy.md has no example by hand"
while read -r name number; do
    [ "$(value "$name")" = "$number" ] || complain "docs/energy.md has $number for $name, not $(value "$name")"
done <rows.txt
for topic in keys stats; do
    run_program list $topic --wide
    for name in $(sed -n 's/^\(energy\.[a-z0-9_]*\) .*/\1/p' out.txt); do
        grep -q "\`$name\`" "$docs" || complain "docs/energy.md does not name $name"
    done
done
finish
