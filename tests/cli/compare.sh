# Two results side by side: what differs, in which order, and what is wrong with a file.
. "$WW_ROOT/tests/support/cli.sh"

# result FILE WORKLOAD ROWS CYCLES SCHEDULER STATS LAUNCHES
result() {
    cat >"$1" <<JSON
{"machine": "m", "workload": "$2", "size": "tiny", "parameters": {"rows": $3}, "seed": 1, "version": "9.8",
 "config": {"core.scheduler": "$5", "l1d.size": "16KiB"}, "verified": true, "complete": true, "cycles": $4,
 "region": null, "first_pass": null, "warp_instructions": 500, "thread_instructions": 16000, "footprint": 64,
 "host_seconds": 0.$4, "host_peak_bytes": $4, "warp_instructions_per_host_second": 5.$4,
 "kernels": [$7], "stats": {$6}}
JSON
}
launch() {
    echo "{\"entry\": \"$1\", \"cycles\": $2, \"warp_instructions\": 250, \"thread_instructions\": 8000}"
}

# Few events and tiny shares come after what matters, however large their factor; equal ones keep their order.
result a.json atax 4 3000 rr '"same": 5, "few": 0, "many": 1000, "rate": 0.5, "tiny": 0.0, "gone": 7000, "lost": 8,
    "new": 0, "first": 100, "second": 100' "$(launch one 1000), $(launch two 2000), $(launch three 10)"
result b.json atax 4 2000 gto '"same": 5, "few": 3, "many": 1900, "rate": 0.25, "tiny": 0.0001, "gone": 0, "first": 110,
    "second": 110, "new": 123456, "born": 8' "$(launch one 990), $(launch two 1010), $(launch three 10)"
expect 0 compare a.json b.json <<'END_OF_OUTPUT'
A  a.json: atax tiny on m, seed 1, warpwalk 9.8
B  b.json: atax tiny on m, seed 1, warpwalk 9.8

1 of 2 keys of the configuration differ
key               A   B
  core.scheduler  rr  gto

result                 A       B       change
  cycles               3,000   2,000   -33.3%
  warp_instructions    500     500     =
  thread_instructions  16,000  16,000  =
  footprint            64      64      =
speedup of B over A: 1.5000

10 of 11 statistics differ, 1 of them only in A, 1 of them only in B; largest change first
statistic  A      B        change
  new      0      123,456  from 0
  gone     7,000  0        to 0
  rate     0.5    0.25     -50.0%
  many     1,000  1,900    +90.0%
  few      0      3        from 0
  first    100    110      +10.0%
  second   100    110      +10.0%
  tiny     0      0.0001   from 0
  lost     8      -        only in A
  born     -      8        only in B

2 of 3 launches differ in cycles; largest difference first
launch   A      B      change
  2 two  2,000  1,010  -49.5%
  1 one  1,000  990    -1.0%
END_OF_OUTPUT

# The same run at another time is no difference; what the host decided is shown on demand.
sed 's/"host_seconds": [0-9.]*/"host_seconds": 0.6/' a.json >again.json
expect 0 compare a.json again.json <<'END_OF_OUTPUT'
A  a.json: atax tiny on m, seed 1, warpwalk 9.8
B  again.json: atax tiny on m, seed 1, warpwalk 9.8
no difference
END_OF_OUTPUT
expect_line '  host_seconds                       0.3    0.6    +100.0%' compare a.json again.json --host
run_program compare a.json again.json --json -
check_status 0
grep -qxF '  "equal": true,' out.txt || complain "not equal"
grep -q host_seconds out.txt && complain "the host's numbers, unasked"
# Everything that makes another run is a difference.
for change in 's/"seed": 1/"seed": 2/' 's/"verified": true/"verified": null/' 's/"complete": true/"complete": false/' \
    's/"rows": 4/"rows": 5/' 's/"16KiB"/"32KiB"/' 's/"footprint": 64/"footprint": 65/' 's/"region": null/"region": {"skip": 1}/' \
    's/"first_pass": null/"first_pass": {"cycles": 3}/' 's/"same": 5/"same": 5.5/' 's/"one", "cycles": 1000/"one", "cycles": 1001/' \
    's/"entry": "one"/"entry": "other"/'; do
    sed "$change" a.json >changed.json
    cmp -s a.json changed.json && complain "$change changes nothing"
    run_program compare a.json changed.json
    check_status 0
    grep -qx 'no difference' out.txt && complain "$change is not seen"
done

# Other work is said, and has no speedup.
result other.json bicg 4 2000 rr '"same": 5' "$(launch one 990)"
expect_line 'The workloads differ: these runs did not do the same work.' compare a.json other.json
grep -q speedup out.txt && complain "a speedup of other work"
grep -qxF 'The launches are not the same (3 in A, 1 in B).' out.txt || complain "launches are compared"
result other.json atax 8 2000 rr '"same": 5' "$(launch one 990)"
expect_line 'The sizes differ: these runs did not do the same work.' compare a.json other.json

# Long lists are cut unless all is wanted; large factors are factors.
result many.json atax 4 3000 rr "$(awk 'BEGIN {for (i = 1; i <= 50; i++) printf "%s\"s%d\": 1000", (i > 1 ? "," : ""), i}')" "$(launch one 1)"
result most.json atax 4 3000 rr "$(awk 'BEGIN {for (i = 1; i <= 50; i++) printf "%s\"s%d\": %d", (i > 1 ? "," : ""), i, 1000 + i}')" \
    "$(launch one 1)"
expect_line '  ... 20 more (--all shows them)' compare many.json most.json
grep -q '^  s50 ' out.txt || complain "the largest is not shown"
grep -q '^  s1 ' out.txt && complain "the least is shown"
expect_line '  s1       1,000  1,001  +0.1%' compare many.json most.json --all
grep -q more out.txt && complain "cut although all is wanted"
result many.json atax 4 3000 rr '"up": 10000, "down": 310000' "$(launch one 1)"
result most.json atax 4 3000 rr '"up": 310000, "down": 10000' "$(launch one 1)"
expect_line '  up       10,000   310,000  x 31.0' compare many.json most.json
expect_line '  down     310,000  10,000   / 31.0' compare many.json most.json

# Standard input, and JSON to a file.
command="compare - b.json"
status=0
"$WARPWALK" compare - b.json --json both.json <a.json >out.txt 2>err.txt || status=$?
check_status 0
grep -qxF 'A  (standard input): atax tiny on m, seed 1, warpwalk 9.8' out.txt || complain "no standard input"
tr -d ' \n' <both.json | grep -qF '"stats":[{"name":"new","a":0,"b":123456,"ratio":null},{"name":"gone"' || complain "no list"
tr -d ' \n' <both.json | grep -qF '{"name":"core.scheduler","a":"rr","b":"gto","ratio":null}' || complain "no key"

# The program's own results.
run_program run backprop --size tiny -m gtx480-cawa --json one.json
run_program run backprop --size tiny -m gtx480-cawa -s l1d.size=0 --json two.json
run_program compare one.json two.json
check_status 0
grep -qE '^  l1d.hits +[0-9,]+ +0 +to 0$' out.txt || complain "no hits were lost"
expect_line 'no difference' compare one.json one.json

# What is wrong with a file, and where.
expect_error 2 "none.json: cannot be read: No such file or directory" compare none.json a.json
printf '{"a": 1,\n "b" 2}\n' >broken.json
expect_error 2 "broken.json:2:6: not JSON: ':' expected near '2'
none.json: cannot be read: No such file or directory" compare broken.json none.json
: >empty.json
expect_error 2 "empty.json:1: not JSON: '[' or '{' expected near end of file" compare a.json empty.json
head -c 300 a.json >cut.json
run_program compare a.json cut.json
check_status 2
grep -qE '^cut.json:[0-9]+:[0-9]+: not JSON: ' err.txt && [ "$(wc -l <err.txt)" -eq 1 ] || complain "not one line"
echo '[]' >list.json
expect_error 2 "list.json: JSON, but not the result of a run: it has no object 'config' ('warpwalk run ... --json FILE' \
writes one)" compare list.json a.json
echo '{"config": {}, "stats": {}, "kernels": 3}' >odd.json
expect_error 2 "odd.json: JSON, but not the result of a run: it has no workload or no kernels" compare odd.json a.json
mkdir -p folder.json
expect_error 2 "folder.json: cannot be read: Is a directory" compare folder.json a.json
expect_error 2 "both results from standard input (one of them can be '-')" compare - -
expect_error 2 "compare needs two results of 'run --json' ('warpwalk help compare' explains)" compare a.json
expect_error 1 "cannot write 'no/such.json': No such file or directory" compare a.json b.json --json no/such.json
finish
