# What kernels leave free, how busy units are, and how equally far compute units are: statistics that follow from others.
. "$WW_ROOT/tests/support/cli.sh"

# stat NAME: of the last run.
stat() { sed -n "s/^    \"$1\": \(.*[0-9]\),\{0,1\}\$/\1/p" out.txt; }

# holds WHAT EXPRESSION: to eleven digits.
holds() {
    awk "BEGIN { d = $2; exit !(d < 1e-9 && d > -1e-9) }" || complain "$1: $2 is not 0"
}

transpose() { run_program run transpose -m mi100-cuptw --size "$1,side=16,square=2" "$2" "$3" --json -; }

# One group of four warps with 4 KiB, on one of two compute units.
transpose n=32 -s gpu.compute_units=2
check_status 0
cycles=$(stat core.cycles)
[ "$(stat core.lds_cycles)" = $((4096 * $(stat core.resident_cycles))) ] ||
    complain "local memory is not counted while the group is there"
holds "free local memory" "$(stat core.lds_free_mean) - 65536 + $(stat core.lds_cycles) / (2 * $cycles)"
holds "free registers" "$(stat core.registers_free_mean) - 65536 + $(stat core.register_cycles) / (2 * $cycles)"
holds "free scalar registers" \
    "$(stat core.scalar_registers_free_mean) - 3200 + $(stat core.scalar_register_cycles) / (2 * $cycles)"
holds "warps" "$(stat core.warps_mean) - $(stat core.warp_cycles) / (2 * $cycles)"
holds "SIMD units, four in a compute unit" "$(stat unit.simd_utilisation) - $(stat unit.simd_busy) / (8 * $cycles)"
holds "memory units" "$(stat unit.memory_utilisation) - $(stat unit.memory_busy) / (2 * $cycles)"
holds "walks" "$(stat walk.per_kcycle) - 1000 * $(stat translation.walks) / $cycles"
[ "$(stat translation.walks)" = "$(stat walk.count)" ] || complain "not all walks are completed"
holds "one compute unit with a group" "$(stat core.imbalance)"

# Nine groups on two compute units: five and four.
transpose n=96 -s gpu.compute_units=2
holds "nine groups" "$(stat core.imbalance) - 1 / 9"
transpose n=96 -s gpu.compute_units=3
holds "three groups each" "$(stat core.imbalance)"

# A part of it counts from its own start: each of eight compute units goes on with its groups.
run_program run gups -m mi100-cuptw --size tiny -s gpu.compute_units=8 --region skip=0,warm=500,measure=1000 --json -
awk "BEGIN { exit !($(stat core.imbalance) >= 0 && $(stat core.imbalance) < 1) }" || complain "imbalance of a region"
finish
