# The policies of docs/adding-a-policy.md: each is one file and one line, and works as the page says.
. "$WW_ROOT/tests/support/cli.sh"

page=$WW_ROOT/docs/adding-a-policy.md

# A block whose first line is a comment with a path becomes that file.
awk '/^```c$/ { on = 1; file = ""; next }
     /^```$/ { on = 0 }
     on && file == "" { file = $2; sub(":$", "", file); print file }
     on { text[file] = text[file] $0 "\n" }
     END { for (f in text) { name = f; gsub("/", "+", name); printf "%s", text[f] > name } }' "$page" >files.txt
[ "$(wc -l <files.txt)" -ge 10 ] || complain "the page has $(wc -l <files.txt) files"

# compile FILE SOURCE: builds FILE, which is SOURCE of the tree or beside it, as the build does.
compile() {
    object=CMakeFiles/warpwalk_objects.dir/$2.o
    model=$(ninja -C "$WW_BUILD" -t commands "$object" | tail -1)
    (cd "$WW_BUILD" && eval "$(echo "$model" | sed "s|-M[TF] [^ ]*||g; s| -MD||; s|-o $object -c .*|-Werror -o $here/$1.o -c $here/$1|")") ||
        complain "$1 does not compile"
    objects="$objects $here/$1.o"
}

here=$(pwd)
objects=
for file in $(cat files.txt); do
    folder=$(dirname "$file")
    name=$(basename "$file" .c)
    lines=$(echo "$folder/policies.c" | tr / +)
    [ -e "$WW_ROOT/$file" ] && complain "$file is in the tree already"
    sed "s/^#define MEMBERS(X) \\\\\$/&\n    X($name) \\\\/" "$WW_ROOT/$folder/policies.c" >"$lines"
    cmp -s "$lines" "$WW_ROOT/$folder/policies.c" && complain "$folder/policies.c has no MEMBERS"
    compile "$(echo "$file" | tr / +)" "$folder/policies.c"
    compile "$lines" "$folder/policies.c"
done
# The library's objects, not those that are compiled across files.
link=$(ninja -C "$WW_BUILD" -t commands warpwalk | tail -1 | sed "s|^: && ||; s| CMakeFiles/warpwalk_machine.dir/[^ ]*||g; s| -o warpwalk | $objects -o $here/warpwalk |; s| && cd .*||")
(cd "$WW_BUILD" && eval "$link") || complain "does not link"
WARPWALK=$here/warpwalk

run_program list policies
check_status 0
for file in $(cat files.txt); do
    grep -q " $(basename "$file" .c) " out.txt || complain "$file is not listed"
done
run_program list stats
grep -q '^l2.predicted  *lines ' out.txt || complain "no statistic l2.predicted"
run_program list keys --wide
grep -q '^l1s.tolerance  *4 ' out.txt || complain "no key l1s.tolerance"
expect_error 2 '-s l2.tolerance=3: has no effect while l2.replacement is lru' \
    run atax -m v100 --size tiny -s l2.tolerance=3

# statistic NAME: its value in result.json
statistic() {
    sed -n "s/^ *\"$1\": \([0-9]*\).*/\1/p" result.json
}

run_program run atax -m v100 --size tiny -s l1d.replacement=dead_first -s l1d.tolerance=2 -s l1d.size=8KiB --json result.json
check_status 0
[ "$(statistic l1d.predicted)" -gt 0 ] || complain "nothing was predicted"
grep -q l2.predicted result.json && complain "a statistic of a policy that is not chosen"
run_program run bfs -m apu-isca18 --size tiny -s core.scheduler=oldest -s core.criticality=waiting \
    -s l1d.bypass=every_other -s dram.scheduler=no_cap \
    -s vm.frames=backwards -s walk.scheduler=youngest -s walk.merge=leaves -s tlb.merge=even -s memory.placement=spread \
    -s memory.distance=64MiB --json result.json
check_status 0
grep -q '^bfs .*: verified' out.txt || complain "bfs is not verified"
[ "$(statistic l1d.bypass_asked)" -ge "$((2 * $(statistic l1d.bypasses)))" ] || complain "wrong bypasses"
[ "$(statistic l1d.bypasses)" -gt 0 ] || complain "no load bypasses the cache"
run_program run backprop -m fermi-paged --size tiny -s paging.mode=demand -s paging.resident_fraction=0.5 \
    -s paging.prefetch=next_page -s paging.evict=fifo --json result.json
check_status 0
grep -q '^backprop .*: verified' out.txt || complain "backprop is not verified"
[ "$(statistic paging.prefetched)" -gt 0 ] || complain "no page is prefetched"
[ "$(statistic paging.evictions)" -gt 0 ] || complain "no page is evicted"
run_program exec bfs --size tiny -s exec.order=middle
check_status 0
finish
