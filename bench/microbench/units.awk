# The keys of a machine as numbers, from the lines "key value" of a result, and the timings of its DRAM, which
# come from the table of types (first file: src/mem/dram_timing.c) where its own keys are 0.
function number(text) {
    if (text ~ /GHz$/) return text * 1e9
    if (text ~ /MHz$/) return text * 1e6
    if (text ~ /kHz$/) return text * 1e3
    if (text ~ /KiB$/) return text * 1024
    if (text ~ /MiB$/) return text * 1048576
    if (text ~ /GiB$/) return text * 1073741824
    if (text ~ /ns$/) return text * 1e-9
    if (text ~ /us$/) return text * 1e-6
    if (text ~ /^[0-9.]+B$/) return text + 0
    return text
}
FNR == NR && /\.name = "/ { split($0, part, "\""); name = part[2] }
FNR == NR {
    rest = $0
    while (match(rest, /\.[a-z_]+ = [0-9]+/)) {
        split(substr(rest, RSTART + 1, RLENGTH - 1), part, " = ")
        type[name, part[1]] = part[2]
        fields[part[1]]
        rest = substr(rest, RSTART + RLENGTH)
    }
    next
}
FNR < NR { value[$1] = number($2); order[++count] = $1 }

# A timing of the type in cycles of the machine's DRAM clock.
function scaled(field, hertz) {
    cycles = type[value["dram.type"], field]
    if (field ~ /^(ccd|bta|rtrs)/ || hertz == type[value["dram.type"], "hertz"])
        return cycles
    exact = cycles * hertz / type[value["dram.type"], "hertz"]
    return exact > int(exact) ? int(exact) + 1 : exact
}
END {
    t = value["dram.type"]
    if (!value["dram.clock"]) value["dram.clock"] = type[t, "hertz"]
    for (field in fields)
        if (field !~ /^(hertz|width|burst_length|transfers|ranks|bank_groups|banks|row_bytes)$/) {
            if (!value["dram.t" field]) value["dram.t" field] = scaled(field, value["dram.clock"])
        } else {
            key = "dram." (field == "transfers" ? "transfers_per_cycle" : field == "row_bytes" ? "row_size" : field)
            if (field != "hertz" && !value[key]) value[key] = type[t, field]
        }
    for (i = 1; i <= count; i++) {
        text = value[order[i]]
        print order[i], text ~ /^[0-9.e+-]+$/ ? sprintf("%.12g", text) : text
    }
}
