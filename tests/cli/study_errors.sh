# Wrong studies: every mistake at its place, all at once, before the first run.
. "$WW_ROOT/tests/support/cli.sh"
rm -rf ./*.db ./*.db.work

cat >wrong.yaml <<'END'
machine: gtx480-cava
size: tiny
workloads: [ataxx, {name: bfs, size: huge}]
variants:
  rr:  {core.scheduler: rrr}
  gto: {core.sheduler: gto}
axes:
  l1d.size: [16KiB, 17cm]
metrics:
  speedup: cycles[rr] / cycle
  misses: l1d.misses / l1d.acesses
END
expect_error 2 "wrong.yaml:3:13: no workload 'ataxx' in the catalogue (did you mean 'atax'?)
wrong.yaml:1:10: unknown machine 'gtx480-cava' (did you mean 'gtx480-cawa'?)
wrong.yaml:5:25: core.scheduler is 'rrr' (did you mean 'rr'?)
wrong.yaml:3:38: bfs has no size 'huge' (tiny, small, cuptw, cawa, ctrlc, hpca16, latency_tree, latency_equal, latency, or PARAMETER=VALUE,...)
wrong.yaml:8:21: l1d.size is '17cm' (a size from 0 to 1GiB is needed)
wrong.yaml:6:9: unknown key 'core.sheduler' (did you mean 'core.scheduler'?)
wrong.yaml:10:25: unknown statistic 'cycle' (did you mean 'cycles'?)
wrong.yaml:11:24: unknown statistic 'l1d.acesses' (did you mean 'l1d.accesses'?)" sweep wrong.yaml
[ ! -e wrong.db ] || complain "a database was made"

cat >wrong.yaml <<'END'
workload: [atax]
variants: {rr: {}, gto: {}}
sets: {irregular: [atax]}
figures: {}
END
expect_error 2 "wrong.yaml:1:1: unknown key 'workload' (did you mean 'workloads'?)
wrong.yaml:1:1: 'workloads' is missing
wrong.yaml:3:20: unknown workload of this study 'atax' (there is none)" sweep wrong.yaml

# Names are for tables, scripts and files: one line that can be shown.
cat >wrong.yaml <<'END'
name: "two\nlines"
workloads: [{name: atax, label: "\e[31mred"}, {name: bfs, label: ""}]
variants: {"tab\tbed": {}, "": {}}
axes: {l1: {l1d.size: [16KiB, 32KiB], labels: ["a\x7f", b]}}
END
expect_error 2 "wrong.yaml:3:12: the name of a key has a character that cannot be shown (code 9)
wrong.yaml:3:28: a key without a name (it is empty)
wrong.yaml:1:7: the name of the study has a character that cannot be shown (code 10)
wrong.yaml:2:13: the name of a workload has a character that cannot be shown (code 27)
wrong.yaml:2:47: a workload without a name (it is empty)
wrong.yaml:4:48: the name of a value has a character that cannot be shown (code 127)" sweep wrong.yaml

printf 'name: ../elsewhere\nworkloads: [atax]\n' >wrong.yaml
expect_error 2 "wrong.yaml:1:7: the name of the study has a '/'" sweep wrong.yaml
printf 'workloads: [atax]\nmetrics: {walks: walks}\nfigures: {a: {metric: walks}}\n' >wrong.yaml
expect_error 2 "wrong.yaml:2:18: unknown statistic 'walks' ('warpwalk list stats' shows them)" sweep wrong.yaml

cat >wrong.yaml <<'END'
workloads: [atax, atax]
variants: {rr: {}, gto: {}}
axes:
  both: {l1d.size: [16KiB, 32KiB], l2.size: [1MiB]}
  variant: {l1d.size: [16KiB]}
  same: {l1d.size: [16KiB, 16KiB]}
seeds: [1, 1]
limits: {time: soon, memory: much}
END
expect_error 2 "wrong.yaml:8:16: 'time' is 'soon' (a whole number from 1 to 4294967295 is needed)
wrong.yaml:8:30: 'memory' is 'much' (an amount such as 4GiB is needed)
wrong.yaml:1:19: workload 'atax' is listed twice (give one of them a label)
wrong.yaml:7:12: seed 1 is given twice
wrong.yaml:4:45: 1 values (the keys of an axis vary together: 2 are needed, as before)
wrong.yaml:5:3: an axis 'variant' (every sweep has that one: give it another name)
wrong.yaml:5:13: l1d.size is varied by axis 'both' already
wrong.yaml:6:3: two values of axis 'same' are called '16KiB' ('labels' gives each its own)
wrong.yaml:6:10: l1d.size is varied by axis 'both' already" sweep wrong.yaml

cat >wrong.yaml <<'END'
workloads: [atax, bfs]
sets: {both: [atax, bfs]}
variants: {rr: {}, gto: {}}
axes: {l1: {l1d.size: [16KiB, 32KiB]}}
metrics:
  open: (cycles
  rest: cycles cycles
END
expect_error 2 "wrong.yaml:6:16: the expression ends here (')' is needed)
wrong.yaml:7:16: 'c' in an expression (an operator is needed)" sweep wrong.yaml

cat >wrong.yaml <<'END'
workloads: [atax, bfs]
sets: {both: [atax, bfs]}
variants: {rr: {}, gto: {}}
axes: {l1: {l1d.size: [16KiB, 32KiB]}}
metrics:
  speedup: cycles[lr] / cycles[l1=64KiB]
figures:
  a: {metric: speedup}
  b: {metric: cycle}
  c: {metric: cycles, rows: l2}
  d: {metric: cycles, where: {l1: 8KiB}}
  e: {metric: cycles, where: {l1: 16KiB}, sets: [all, bth], references: [{row: all, column: rr, source: us}]}
  f: {metric: cycles, columns: l1, where: {variant: rr}, references: [{row: all, column: 8KiB, value: 1, source: us}]}
END
expect_error 2 "wrong.yaml:6:19: unknown value of 'variant' in this sweep: 'lr' (did you mean 'rr'?)
wrong.yaml:6:32: unknown value of 'l1' in this sweep: '64KiB' (one of: 16KiB, 32KiB)
wrong.yaml:9:15: unknown metric 'cycle' (did you mean 'cycles'?)
wrong.yaml:10:29: unknown coordinate 'l2' (did you mean 'l1'?)
wrong.yaml:11:35: unknown value of 'l1' in this sweep: '8KiB' (one of: 16KiB, 32KiB)
wrong.yaml:12:55: unknown set 'bth' (did you mean 'both'?)
wrong.yaml:12:74: a reference without a value ('value', 'low' or 'high')
wrong.yaml:13:77: unknown value of 'workload' in this sweep: 'all' (one of: atax, bfs)
wrong.yaml:13:90: unknown value of 'l1' in this sweep: '8KiB' (one of: 16KiB, 32KiB)" sweep wrong.yaml

cat >wrong.yaml <<'END'
workloads: [atax, {name: bfs, metrics: {wanted: cycles, three: 1, none: "2 *"}}]
metrics:
  one: two + 1
  two: 2 * three
  three: three * one
  none: {doc: nothing}
  open: {doc: nothing}
END
expect_error 2 "wrong.yaml:1:41: unknown metric 'wanted' (one of: one, two, three, none, open, cycles)
wrong.yaml:1:77: the expression ends here (a name, a number or '(' is needed)" sweep wrong.yaml
sed -i '1s/.*/workloads: [atax, {name: bfs, metrics: {none: two}}]/' wrong.yaml
expect_error 2 "wrong.yaml:5:18: metric 'one' depends on itself
wrong.yaml:7:3: metric 'open' has no value" sweep wrong.yaml

cat >wrong.yaml <<'END'
workloads: [atax]
metrics:
  one: config.l1d.sise + config.core.scheduler + config.x
  two: l1d.missses / on
figures: {a: {metric: three}}
END
expect_error 2 "wrong.yaml:5:23: unknown metric 'three' (one of: one, two, cycles)" sweep wrong.yaml
sed -i '$d' wrong.yaml
expect_error 2 "wrong.yaml:3:8: unknown key 'l1d.sise' (did you mean 'l1d.size'?)
wrong.yaml:3:26: key 'core.scheduler' is not a number
wrong.yaml:3:50: unknown key 'x' ('warpwalk list keys' shows them all)
wrong.yaml:4:8: unknown statistic 'l1d.missses' (did you mean 'l1d.misses'?)
wrong.yaml:4:22: unknown statistic 'on' (did you mean 'one'?)" sweep wrong.yaml

# A metric that is used is checked with all that it needs, in the sweep that shows it.
cat >wrong.yaml <<'END'
workloads: [atax]
metrics: {inner: "cycles[variant=b]", outer: 2 * inner}
figures: {a: {metric: outer}}
END
expect_error 2 "wrong.yaml:2:26: unknown value of 'variant' in this sweep: 'b' (one of: base)" sweep wrong.yaml

cat >wrong.yaml <<'END'
workloads: [atax, bfs]
metrics: {misses: l1d.misses}
figures:
  a: {metric: [cycles, cycles]}
  b: {metric: []}
  c: {metric: [cycles, misses], columns: variant}
  d: {metric: [cycles, misses], references: [{row: atax, column: mises, low: 2, high: 1, source: us}]}
  e: {metric: [cycles, misses], references: [{row: atax, column: mises, low: 1, source: us}]}
END
expect_error 2 "wrong.yaml:4:24: metric 'cycles' is listed twice
wrong.yaml:5:15: no metrics (at least one is needed)
wrong.yaml:6:42: 'columns' with several metrics (the metrics are the columns)
wrong.yaml:7:46: 'low' is more than 'high'
wrong.yaml:8:66: unknown metric of this figure 'mises' (did you mean 'misses'?)" sweep wrong.yaml

cat >wrong.yaml <<'END'
workloads: [atax]
axes: {l1: {l1d.size: [16KiB, 32KiB]}, l2: {l2.size: [1MiB, 2MiB]}}
figures: {a: {metric: cycles, columns: l1}}
END
expect_error 2 "wrong.yaml:3:14: the figure does not select a value of 'l2', which has 2 values (make it rows or columns, \
or choose one with 'where')" sweep wrong.yaml

cat >wrong.yaml <<'END'
workloads: [atax, there/is/none.yaml]
sweeps: {a: {size: huge}, b: {workload: [atax]}}
axes: {l1d.size: [0]}
END
expect_error 2 "wrong.yaml:3:7: 'axes' with 'sweeps' (each sweep has its own)
wrong.yaml:2:31: unknown key 'workload' (did you mean 'workloads'?)" sweep wrong.yaml
sed -i '2,3d' wrong.yaml
expect_error 2 "wrong.yaml:1:19: cannot read launch file 'there/is/none.yaml': No such file or directory
--size: atax has no size 'nowhere' (tiny, small, isca18, cuptw, or PARAMETER=VALUE,...)" sweep wrong.yaml --size nowhere
expect_error 2 "wrong.yaml:1:19: cannot read launch file 'there/is/none.yaml': No such file or directory
wrong.yaml:1:13: no size for --size paper (paper: {size: ...})" sweep wrong.yaml --size paper

cat >wrong.yaml <<'END'
workloads: [atax]
figures:
  a: {metric: cycles, references: [{row: atax, column: base, value: nan, source: us}]}
  b: {metric: cycles, references: [{row: atax, column: base, low: inf, source: us}]}
END
expect_error 2 "wrong.yaml:3:69: 'value' is 'nan' (a number is needed)
wrong.yaml:4:67: 'low' is 'inf' (a number is needed)" sweep wrong.yaml

# A combination that makes no sense is found before the first run, at the key that was set last.
cat >wrong.yaml <<'END'
machine: gtx480-cawa
workloads: [atax]
size: tiny
axes: {l1d.size: [16KiB, 3000]}
END
run_program sweep wrong.yaml
check_status 2
grep -q '^wrong.yaml:4:26: ' err.txt || complain "not at its place"

# Parameters: of no workload, without a value, twice; in a launch file, with the place that named them.
cat >own.yaml <<'END'
kernel: none.cl
parameters: {items: 64, more: =itms}
buffers: {a: {type: i32, count: =items}}
launches: []
END
cat >wrong.yaml <<'END'
machine: gtx480-cawa
workloads: [{name: atax, parameter.rows: 0, parameter.colums: 9}, own.yaml]
metrics: {n: parameter.item + parameter.rows}
END
expect_error 2 "wrong.yaml:2:63: rows is '0' (a whole number from 1 to 65536 is needed)
wrong.yaml:2:63: atax has no parameter 'colums' (did you mean 'columns'?)
own.yaml:2:32: unknown parameter 'itms' (did you mean 'items'?)
wrong.yaml:3:14: unknown parameter 'item' (one of: rows, columns, group)" sweep wrong.yaml
sed -i 's/=itms/=items/; s/none.cl/none.ptx/' own.yaml
cat >wrong.yaml <<'END'
machine: gtx480-cawa
workloads: [own.yaml]
axes: {parameter.item: [1, 2]}
END
expect_error 2 "wrong.yaml:3:25: the launch file has no parameter 'item' (did you mean 'items'?)" sweep wrong.yaml
sed -i 's/parameter.item: \[1, 2\]/parameter.items: [many]/' wrong.yaml
expect_error 2 "wrong.yaml:3:26: items is 'many' (a whole number is needed)" sweep wrong.yaml

# What would win without a word: a second axis for a key, a second reference for a cell. A folder is no launch file.
cat >wrong.yaml <<'END'
workloads: [atax]
axes: {a: {l1d.size: [16KiB], parameter.rows: [8]}, l1d.size: [32KiB], b: {l2.size: [1MiB], parameter.rows: [9]}}
END
expect_error 2 "wrong.yaml:2:53: l1d.size is varied by axis 'a' already
wrong.yaml:2:93: parameter.rows is varied by axis 'a' already" sweep wrong.yaml
cat >wrong.yaml <<'END'
workloads: [atax]
figures: {f: {metric: cycles, references: [{row: atax, column: base, value: 1, source: x}, {row: atax, column: base, value: 2, source: y}]}}
END
expect_error 2 "wrong.yaml:2:92: a second reference for 'atax' and 'base'" sweep wrong.yaml
echo 'workloads: [./]' >wrong.yaml
expect_error 2 "wrong.yaml:1:13: './' is not a regular file" sweep wrong.yaml

# Names of studies, databases and numbers of jobs.
expect_error 2 "unknown study 'scheduler' (did you mean 'schedulers'?)" study scheduler
expect_error 2 "unknown study 'zzz' ('warpwalk list studies' shows them; a file's name ends in .yaml)" study zzz
expect_error 2 "--jobs is '0' (a whole number from 1 to 1024 is needed)" study schedulers --jobs 0
expect_error 2 "none.db: no such database to resume (leave out --resume to begin one)" \
    study schedulers --resume --db none.db
expect_error 2 "none.db: no such file" report none.db
echo "this is no database, whatever its name says" >text.db
expect_error 2 "text.db: not a database of results (file is not a database)" report text.db
expect_error 2 "--csv, --json, --html and --tables (give one of them)" report text.db --csv --json
expect_error 2 "no/such/folder.db.work: the folder cannot be made: No such file or directory" \
    study schedulers --db no/such/folder.db
finish
