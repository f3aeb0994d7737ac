# One row of the table: reads "key value" lines (the machine's keys in plain units; d:key, the difference of a
# statistic between two runs) and computes what was measured and what the keys say. -v row=NAME.
{ v[$1] = $2 }

function max(a, b) { return a > b ? a : b }
function min(a, b) { return a < b ? a : b }
function up(a) { return a > int(a) ? int(a) + 1 : int(a) }
# `limit`: the least that any part of the machine allows, where that may be less than what is asked for.
function line(name, unit, measured, configured, limit, published) {
    printf "%s,%s,%s,%.4g,%.4g,%.3f,%.4g,%s\n", v["machine"], name, unit, measured, configured,
        measured / configured, limit, v["machine"] == "v100" ? published : ""
}
# A warp issues when its scheduler's turn comes.
function turn(cycles) { return up(cycles / v["core.issue_period"]) * v["core.issue_period"] }
function packet(data) { return max(1, up((v["network.header"] + data) / v["network.width"])) }

# ---- latency ----
# To the L2 and back: a cycle from the L1 into the network, both crossings, and the L2. The packets' first
# bytes take network.latency, the rest of them follows, network.width a cycle.
function l2_trip() {
    return 1 + v["network.latency"] + packet(0) - 1 + v["l2.latency"] + v["network.latency"] + \
        packet(v["l1d.sector"]) - 1
}
function burst_bytes() { return v["dram.width"] / 8 * v["dram.burst_length"] }
function burst_cycles() { return v["dram.burst_length"] / v["dram.transfers_per_cycle"] }
function bursts() { return max(1, v["l1d.sector"] / burst_bytes()) }
# The bursts of a sector are of one bank.
function data_cycles() { return (bursts() - 1) * max(burst_cycles(), v["dram.tccd_l"]) + burst_cycles() }
# A load that the DRAM serves: a cycle into its queue, then its commands, its data and the controller's latency.
function dram_cycles(commands, cycles) {
    cycles = commands + v["dram.tcl"] + data_cycles() + up(v["dram.latency"] * v["dram.clock"] - 1e-6)
    return v["l1d.latency"] + l2_trip() + 1 + cycles / v["dram.clock"] * v["gpu.clock"]
}
# Over all loads, by what they found: an open row, a closed bank, another row.
function dram_mean() {
    return (v["d:dram.row_hits"] * turn(dram_cycles(0)) + \
            v["d:dram.row_misses"] * turn(dram_cycles(v["dram.trcd"])) + \
            v["d:dram.row_conflicts"] * turn(dram_cycles(v["dram.trp"] + v["dram.trcd"]))) / v["d:dram.reads"]
}
function chase(name, cycles, published) {
    line(name, "cycles", v["d:core.cycles"] / v["steps"], cycles, cycles, published)
}

# ---- bandwidth, in GB/s ----
function peak() {
    return v["dram.channels"] * v["dram.clock"] * v["dram.transfers_per_cycle"] * v["dram.width"] / 8 / 1e9
}
function rate(bytes) { return bytes / (v["d:core.cycles"] / v["gpu.clock"]) / 1e9 }
# Sectors that a channel can read from a new row each, a DRAM cycle: limits of the data bus, the command bus
# (activate, reads, precharge), the distance and the window of activates, and the banks' row cycles.
function random_limit(cycles) {
    cycles = max(bursts() * max(burst_cycles(), v["dram.tccd_s"]), 2 + bursts())
    cycles = max(cycles, max(v["dram.trrd_s"], v["dram.tfaw"] / 4) / v["dram.ranks"])
    cycles = max(cycles, v["dram.trc"] / (v["dram.banks"] * v["dram.ranks"]))
    return v["dram.channels"] * v["dram.clock"] / cycles * v["l1d.sector"] / 1e9
}

# GB/s of packets with so many bytes of data: the ports of the slices and those of the compute units.
function network_limit(bytes) {
    return min(v["dram.channels"] * v["network.slice_ports"], v["gpu.compute_units"]) * v["gpu.clock"] * \
        bytes / packet(bytes) / 1e9
}
# GB/s that the miss registers allow when nothing waits: as many lines in each latency, rows being open.
function miss_limit(bytes, l1, l2) {
    l1 = v["gpu.compute_units"] * v["l1d.mshrs"] / (dram_cycles(0) - v["l1d.latency"])
    l2 = v["dram.channels"] * v["l2.mshrs"] / (dram_cycles(0) - v["l1d.latency"] - l2_trip())
    return min(l1, l2) * bytes * v["gpu.clock"] / 1e9
}
function bandwidth(name, configured, unit_bytes, published, limit) {
    limit = min(configured, network_limit(unit_bytes))
    if (name ~ /^read|random/) limit = min(limit, miss_limit(unit_bytes))
    if (name == "copy") limit = configured # both directions of the network have a half of it
    line(name, "GB/s", rate(v["bytes"]), configured, limit, published)
}
# Of L2 hits, which is what the network brings: the lookups of the slices, the network, and the miss registers of the L1s.
function l2_read(hits, misses) {
    hits = v["dram.channels"] * v["l2.ports"] * v["l1d.line"] * v["gpu.clock"] / 1e9
    misses = v["gpu.compute_units"] * v["l1d.mshrs"] / l2_trip() * v["l1d.line"] * v["gpu.clock"] / 1e9
    line("l2_read", "GB/s", rate(v["d:network.up_data_bytes"]), min(hits, network_limit(v["l1d.line"])),
         min(min(hits, misses), network_limit(v["l1d.line"])), 2155)
}
# Of L1 hits: the load/store unit, the lines of an access, one after the other or several in a cycle.
function l1_read(bytes, cycles, lines) {
    bytes = v["core.warp_width"] * 4
    lines = max(1, bytes / v["l1d.line"])
    cycles = max(v["unit.memory_interval"], lines / min(v["l1d.requests_per_cycle"], v["l1d.ports"]))
    line("l1_read", "bytes/cycle/CU", v["accesses"] * bytes / v["d:core.cycles"], bytes / cycles, bytes / cycles)
}

# ---- compute ----
# Warp instructions a cycle and compute unit, of what the loop has: the SIMD units or the schedulers limit it.
function fma(done, cycles, most) {
    done = v["rounds"] * 128 * v["items"] / v["core.warp_width"]
    cycles = max(v["d:unit.simd_issues"] * v["unit.simd_interval"],
                 v["d:core.instructions"] * v["core.issue_period"] / v["core.issue_width"])
    cycles /= v["core.schedulers"] * v["gpu.compute_units"]
    most = done / cycles / v["gpu.compute_units"]
    line("fma", "FMAs/cycle/CU", done / v["d:core.cycles"] / v["gpu.compute_units"], most, most)
}
# Passes through the banks and the least that this many lanes need.
function lds_steps() { return up(v["core.warp_width"] / v["lds.banks"]) }
function lds_passes(lanes) {
    lanes = min(v["core.warp_width"], v["lds.banks"])
    return lds_steps() * max(1, min(lanes, v["stride"]))
}
function lds_chain(cycles) {
    cycles = turn(v["unit.lds_latency"] + (lds_passes() - lds_steps()) * v["lds.conflict"])
    line("lds_chain_" v["stride"], "cycles", v["d:core.cycles"] / v["steps"], cycles, cycles,
         v["stride"] == 1 ? "19" : "")
}
function lds_stream(cycles) {
    cycles = max(v["unit.lds_interval"], lds_passes())
    line("lds_stream_" v["stride"], "cycles/access",
         v["d:core.cycles"] / (v["rounds"] * 64 * v["items"] / v["core.warp_width"]), cycles, cycles,
         v["stride"] == 1 ? "1.14" : "")
}
function atomic() {
    line("atomic", "cycles/lane", v["d:core.cycles"] / (v["rounds"] * 4 * v["items"]),
         v["l2.atomic_interval"], v["l2.atomic_interval"])
}

END {
    if (row == "l1") chase(row, turn(v["l1d.latency"]), 28)
    if (row == "l2") chase(row, turn(v["l1d.latency"] + l2_trip()), 193)
    if (row == "dram_near") chase(row, dram_mean())
    if (row == "dram_far") chase(row, dram_mean(), 375)
    if (row == "read") bandwidth(row, peak(), v["l1d.line"], 750)
    if (row == "copy") bandwidth(row, peak(), v["l1d.line"], 790)
    if (row == "write" || row ~ /_apart$/) bandwidth(row, peak(), v["l1d.line"])
    if (row == "random") bandwidth(row, random_limit(), v["l1d.sector"])
    if (row == "l2_read") l2_read()
    if (row == "l1_read") l1_read()
    if (row == "fma") fma()
    if (row == "fma_chain") chase(row, turn(max(v["unit.simd_latency"], v["unit.simd_interval"])), 4)
    if (row == "dfma_chain") chase(row, turn(max(v["unit.fp64_latency"], v["unit.fp64_interval"])), 8)
    if (row == "lds_chain") lds_chain()
    if (row == "lds_stream") lds_stream()
    if (row == "atomic") atomic()
}
