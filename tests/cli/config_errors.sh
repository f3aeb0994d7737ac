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

# A base is found beside the file that names it.
mkdir -p folder
printf 'core.warp_width: 9\n' >folder/base.yaml
printf 'base: base.yaml\n' >folder/derived.yaml
run_program list keys -m folder/derived.yaml
check_status 0
grep -q '^core.warp_width  *9  *folder/base.yaml:1:18 ' out.txt || complain "base not found"

# Conditions that span keys of the memory system.
expect_error 2 "l2.size: 1024 is no whole number of sets (a multiple of 2048: 16 ways of 128)" \
    list keys -s l2.size=1KiB
expect_error 2 "l2.size: 6144 cannot be shared by 2 slices (a multiple of 4096: a set of 16 ways of 128 \
in each)" list keys -s l2.size=6KiB
finish
