# The translation hardware of the presets is what their files say: how many accesses, hits, walks and reads of page-table
# entries a work-item makes that touches pages one after the other, twice. Buffers start at a multiple of 4 GiB, so that as many
# pages in a row as an entry is for share it.
. "$WW_ROOT/tests/support/cli.sh"

# Every value is 0 and part of the next address, so that one load waits for the other.
cat >pages.cl <<'EOF'
kernel void one_by_one(global volatile uint *data, uint pages, uint words, uint passes)
{
    uint zero = 0;
    for (uint pass = 0; pass < passes; pass++)
        for (uint page = 0; page < pages; page++)
            zero = data[(ulong)page * words + zero];
}

kernel void at_once(global volatile uint *data, uint words)
{
    data[get_global_id(0) * words];
}

kernel void uniform(global const uint *restrict word, global uint *out)
{
    out[get_global_id(0)] = *word;
}
EOF
cat >pages.yaml <<'EOF'
kernel: pages.cl
parameters:
  pages: 16
  words: 1024     # from one to the next
buffers:
  data: {type: u32, count: =pages * words}
launches:
  - {entry: one_by_one, global: [1], local: [1], args: [data, {u32: =pages}, {u32: =words}, {u32: 2}]}
EOF
cat >wave.yaml <<'EOF'
kernel: pages.cl
buffers:
  data: {type: u32, count: 65536}
launches:
  - {entry: at_once, global: [64], local: [64], args: [data, {u32: 1024}]}
EOF

cat >uniform.yaml <<'EOF'
kernel: pages.cl
buffers:
  word: {type: u32, count: 1}
  out: {type: u32, count: 512}
launches:
  - {entry: uniform, global: [512], local: [64], args: [word, out]}
EOF

# touch_pages FILE MACHINE SIZE KEYS...
touch_pages() {
    file=$1 machine=$2 size=$3
    shift 3
    run_program run "$file.yaml" -m "$machine" ${size:+--size "$size"} "$@" --json -
    check_status 0
}

# value STATISTIC [FILE]
value() {
    sed -n "s/^ *\"$1\": \([0-9]*\),\{0,1\}\$/\1/p" "${2:-out.txt}"
}

# is STATISTIC VALUE
is() {
    got=$(value "$1")
    [ "$got" = "$2" ] || complain "$1 is $got, not $2"
}

# tlb NAME ACCESSES HITS: all others are misses
tlb() {
    is "$1.accesses" "$2"
    is "$1.hits" "$3"
    is "$1.misses" $(($2 - $3))
}

# walks COUNT READS
walks() {
    is walk.count "$1"
    is walk.pte_reads "$2"
}

# more STATISTIC BY: than with ideal translation, of which ideal.json is the result
more() {
    got=$(($(value "$1") - $(value "$1" ideal.json)))
    [ "$got" -eq "$2" ] || complain "$1 is $got more than without translation, not $2"
}

one='-s l1_tlb.entries=1 -s l2_tlb.entries=1 -s l2_tlb.ways=1'

### apu-isca18: TLBs of 32 and 512 entries, an IOMMU with 32 and 256, 8 walkers, and walk caches of 8 entries for each level

# As many pages as the L1 TLB has entries: the second time all hit. The first walk reads four entries, the others the last alone.
touch_pages pages apu-isca18 pages=32
tlb l1_tlb 64 32
tlb l2_tlb 32 0
tlb iommu_l1_tlb 32 0
tlb iommu_l2_tlb 32 0
walks 32 $((4 + 31))

# One more, and the least recently used is always the next.
touch_pages pages apu-isca18 pages=33
tlb l1_tlb 66 0
tlb l2_tlb 66 33
tlb iommu_l1_tlb 33 0
walks 33 $((4 + 32))

touch_pages pages apu-isca18 pages=512
tlb l1_tlb 1024 0
tlb l2_tlb 1024 512
walks 512 $((4 + 511))

# The last page is one too many for its set: in the second pass the 17 multiples of 32 miss. Of them only 512 is still in the first
# TLB of the IOMMU (which has the last 32 that came), and none in the second, where they share one of 16 sets of 16 with the
# other multiples of 16; 16 are walked for again. Page 512 has a new entry of level 2.
touch_pages pages apu-isca18 pages=513
tlb l2_tlb 1026 $((513 - 17))
tlb iommu_l1_tlb $((513 + 17)) 1
tlb iommu_l2_tlb $((513 + 16)) 0
walks $((513 + 16)) $((4 + 511 + 2 + 16))

# With a hashed index it is those whose place in a block of 32 is 16 xor the block's number. Of them 511 and 512 are still in the
# first TLB of the IOMMU, 280, 313, ... and 478 in the second (the last 16 of each of its 16 sets); 8 are walked for again.
touch_pages pages apu-isca18 pages=513 -s l2_tlb.index=hash
tlb l2_tlb 1026 $((513 - 17))
tlb iommu_l1_tlb $((513 + 17)) 2
tlb iommu_l2_tlb $((513 + 15)) 7
walks $((513 + 8)) $((4 + 511 + 2 + 8))

# The IOMMU's TLBs alone.
touch_pages pages apu-isca18 pages=32 $one
tlb l2_tlb 64 0
tlb iommu_l1_tlb 64 32
tlb iommu_l2_tlb 32 0
touch_pages pages apu-isca18 pages=33 $one
tlb iommu_l1_tlb 66 0
tlb iommu_l2_tlb 66 33
touch_pages pages apu-isca18 pages=256 $one
tlb iommu_l2_tlb 512 256
walks 256 $((4 + 255))
touch_pages pages apu-isca18 pages=272 $one
tlb iommu_l2_tlb 544 0
walks 544 $((4 + 543))

# Pages of 64 KiB: 32 of them in a leaf table, and page 32 has a new entry of level 2. Of 2 MiB: that entry is the leaf.
touch_pages pages apu-isca18 pages=33,words=16384 -s page_size=64KiB
tlb l1_tlb 66 0
tlb l2_tlb 66 33
walks 33 $((4 + 31 + 2))
touch_pages pages apu-isca18 pages=33,words=524288 -s page_size=2MiB
tlb l2_tlb 66 33
walks 33 $((3 + 32))

# Walk caches: an entry of level 2 for each page. Eight stay; of nine, page 7 alone is still there the second time (not
# recently used: its entry is the one whose use let all others go).
none="$one -s iommu_l1_tlb.entries=1 -s iommu_l2_tlb.entries=1 -s iommu_l2_tlb.ways=1"
touch_pages pages apu-isca18 pages=8,words=524288 $none
walks 16 $((4 + 7 * 2 + 8))
touch_pages pages apu-isca18 pages=9,words=524288 $none
walks 18 $((4 + 8 * 2 + 8 * 2 + 1))

# A wavefront in 64 pages: the first walks, as many as there are walkers, find walk caches that are empty.
touch_pages wave apu-isca18 ''
tlb l1_tlb 64 0
tlb l2_tlb 64 0
walks 64 $((8 * 4 + 56))
is walk.at_once 8
touch_pages wave apu-isca18 '' -s walk.walkers=1
walks 64 $((4 + 63))
touch_pages wave apu-isca18 '' -s walk.walkers=infinite
walks 64 $((64 * 4))

# A group in each of the 8 compute units loads one word, which the scalar caches, of 4 compute units each, have TLBs for: both miss
# once. The stores are in another page, and every compute unit has a TLB of its own.
touch_pages uniform apu-isca18 ''
is l1s_tlb.accesses 8
is l1s_tlb.misses 2
is l1_tlb.accesses 8
is l1_tlb.misses 8
is l2_tlb.accesses 10
is l2_tlb.misses 2
is walk.count 2

# Entries are read in the DRAM, past the L2.
touch_pages pages apu-isca18 pages=33 -s translation=ideal
cp out.txt ideal.json
for name in l1_tlb l2_tlb iommu_l1_tlb iommu_l2_tlb; do
    tlb $name 0 0
done
walks 0 0
is translation.requests 0
touch_pages pages apu-isca18 pages=33
more dram.reads 36
more l2.accesses 0
is l2.pte_accesses 0

### mi100-cuptw: TLBs of 32 and 2048 entries, 8 ways; 16 walkers; a walk cache of 32 entries; entries are read through the L2

touch_pages pages mi100-cuptw pages=32
tlb l1_tlb 64 32
tlb l2_tlb 32 0
walks 32 $((4 + 31))
tlb iommu_l1_tlb 0 0
tlb iommu_l2_tlb 0 0
touch_pages pages mi100-cuptw pages=33
tlb l1_tlb 66 0
tlb l2_tlb 66 33
walks 33 $((4 + 32))
# Each 512 pages have a new entry of level 2. One page more: it and the 8 others of its set miss.
touch_pages pages mi100-cuptw pages=2048
tlb l2_tlb 4096 2048
walks 2048 $((4 + 2047 + 3))
touch_pages pages mi100-cuptw pages=2049
tlb l2_tlb 4098 2040
walks $((2049 + 9)) $((4 + 2048 + 4 + 9))
touch_pages pages mi100-cuptw pages=33,words=16384 -s page_size=64KiB
walks 33 $((4 + 31 + 2))
touch_pages pages mi100-cuptw pages=33,words=524288 -s page_size=2MiB
walks 33 $((3 + 32))
# One walk cache for all levels: with those of levels 4 and 3, 30 of level 2 stay; of 31, page 29 alone.
touch_pages pages mi100-cuptw pages=30,words=524288 $one
walks 60 $((4 + 29 * 2 + 30))
touch_pages pages mi100-cuptw pages=31,words=524288 $one
walks 62 $((4 + 30 * 2 + 30 * 2 + 1))
# The L1 TLB has 8 miss registers, so that 8 walks are the first; with more of them, as many as there are walkers.
touch_pages wave mi100-cuptw ''
walks 64 $((8 * 4 + 56))
touch_pages wave mi100-cuptw '' -s l1_tlb.mshrs=64
walks 64 $((16 * 4 + 48))

touch_pages pages mi100-cuptw pages=33 -s translation=ideal
cp out.txt ideal.json
walks 0 0
touch_pages pages mi100-cuptw pages=33
is l2.pte_accesses 36
more l2.accesses 36
# Lines of 64 bytes: one each of levels 4, 3 and 2, and 5 of the leaf.
is l2.pte_hits $((36 - 3 - 5))
more dram.reads 8

### fermi-paged: a TLB of 128 entries, no other; a cache of 128 lines of entries; reads through the L2

touch_pages pages fermi-paged pages=128
tlb l1_tlb 256 128
tlb l2_tlb 128 0
walks 128 $((3 + 16))
is walk.pte_cache_hits $((128 * 4 - 19))
is l2.pte_accesses 19
touch_pages pages fermi-paged pages=129
tlb l1_tlb 258 0
tlb l2_tlb 258 0
walks 258 $((3 + 17))
is walk.pte_cache_hits $((258 * 4 - 20))
# Of 64 KiB: a line of the leaf for each page, every second line of a table, which are in half of the sets: 64 places for 129.
touch_pages pages fermi-paged pages=129,words=16384 -s page_size=64KiB
walks 258 $((3 + 258))
touch_pages pages fermi-paged pages=129,words=524288 -s page_size=2MiB
walks 258 $((2 + 17))
is walk.pte_cache_hits $((258 * 3 - 19))
touch_pages pages fermi-paged pages=129 -s translation=ideal
cp out.txt ideal.json
walks 0 0
touch_pages pages fermi-paged pages=129
more l2.accesses 20

# apu-micro18 has the hardware of apu-isca18.
touch_pages pages apu-micro18 pages=513
tlb l2_tlb 1026 $((513 - 17))
tlb iommu_l1_tlb $((513 + 17)) 1
tlb iommu_l2_tlb $((513 + 16)) 0
walks $((513 + 16)) $((4 + 511 + 2 + 16))
# Every statistic and key that docs/translation.md names is there; *_ticks and the like stand for several.
run_program list stats --json
mv out.txt stats.txt
run_program list keys --json
cat stats.txt out.txt | sed -n 's/.*"\(name\|key\)": "\([a-z0-9_]*\.[a-z0-9_]*\)".*/\2/p' >known.txt
[ "$(wc -l <known.txt)" -gt 200 ] || complain "names are not found any more"
grep -o '`\(walk\|l1_tlb\|l2_tlb\|iommu_l1_tlb\|iommu_l2_tlb\|translation\|vm\|l1d\)\.[a-z0-9_]*[`:]' "$WW_ROOT/docs/translation.md" |
    tr -d '`:' | sort -u >named.txt
[ "$(wc -l <named.txt)" -gt 30 ] || complain "docs/translation.md has no table of statistics"
while IFS= read -r name; do
    case $name in *_ | *.) continue ;; esac
    grep -qxF -e "$name" known.txt || complain "docs/translation.md names $name, which is not there"
done <named.txt
# With as many walkers as there can be walks none waits; a TLB without entries still takes requests.
run_program run atax --size tiny -m apu-isca18 -s walk.walkers=infinite --json -
grep -q '"walk.queue_mean": 0[.0]*,' out.txt || complain "a walk waits for one of infinite walkers"
run_program run atax --size tiny -m apu-isca18 -s l1_tlb.entries=0 -s l2_tlb.entries=0 --json -
for name in l1_tlb.hits l2_tlb.hits; do
    grep -q "\"$name\": 0," out.txt || complain "$name of a TLB without entries"
done
! grep -q '"l2_tlb.accesses": 0,' out.txt || complain "no L2 TLB"

# A memory that is too small: what is told to be enough is enough.
cat >large.yaml <<'EOF'
kernel: pages.cl
buffers:
  word: {type: u32, count: 4325376} # 16.5 MiB
  small: {type: u32, count: 16}
  out: {type: u32, count: 512}
launches:
  - {entry: uniform, global: [512], local: [64], args: [word, out]}
EOF
expect_error 2 "-s vm.memory=16MiB: kernel 'uniform': the program does not fit into vm.memory, 16MiB, with its page \
table (17MiB or more in whole pages of 4KiB)" run large.yaml -s vm.memory=16MiB
expect_error 2 "-s page_size=2MiB: kernel 'uniform': the program does not fit into vm.memory, 16MiB, with its page \
table (26MiB or more in whole pages of 2MiB; with memory.placement=packed 22MiB)" \
    run large.yaml -s vm.memory=16MiB -s page_size=2MiB
for enough in 'vm.memory=17MiB page_size=4KiB' 'vm.memory=26MiB page_size=2MiB' \
    'vm.memory=22MiB page_size=2MiB memory.placement=packed'; do
    # shellcheck disable=SC2086 # words
    run_program run large.yaml $(printf -- '-s %s ' $enough)
    check_status 0
done
expect_error 2 "-s page_size=2MiB: kernel 'uniform': the program does not fit into vm.memory, 24MiB, with its page \
table (26MiB or more in whole pages of 2MiB; with memory.placement=packed 22MiB)" \
    run large.yaml -s vm.memory=24MiB -s page_size=2MiB
cat >touched.yaml <<'EOF'
kernel: pages.cl
buffers:
  data: {type: u32, count: =4200 * 1024}
launches:
  - {entry: one_by_one, global: [1], local: [1], args: [data, {u32: 4200}, {u32: 1024}, {u32: 1}]}
EOF
expect_error 2 "-s vm.memory=16MiB: kernel 'one_by_one': the program does not fit into vm.memory, 16MiB, with its page \
table (17MiB is enough in whole pages of 4KiB)" run touched.yaml -s vm.memory=16MiB -s vm.allocate=first_touch
expect_error 2 "-s vm.memory=16MiB: kernel 'one_by_one': the program does not fit into vm.memory, 16MiB, with its page \
table (17MiB is enough in whole pages of 4KiB)" run touched.yaml -s vm.memory=16MiB -s vm.allocate=first_walk

# Private memory that cannot fit is refused without laying out its pages.
cat >private.cl <<'EOF'
kernel void private_array(global uint *out, uint n)
{
    uint a[1048576];
    for (uint i = 0; i < n; i++)
        a[(i * 77) % 1048576] = i;
    out[get_global_id(0)] = a[n % 1048576];
}
EOF
cat >private.yaml <<'EOF'
kernel: private.cl
buffers: {out: {type: u32, count: 64}}
launches:
  - {entry: private_array, global: [64], local: [64], args: [out, {u32: 5}]}
EOF
expect_error 2 "private.yaml:4:5: kernel 'private_array' needs 640GiB of private memory: 4194304 bytes for each of the \
163840 work-items that compute units have room for (vm.memory is 16GiB: less than 104857 bytes each)" run private.yaml -m v100

# What changes nothing is refused.
expect_error 2 '-s walk.aging=5: has no effect while walk.scheduler is fcfs' run pages.yaml -m apu-isca18 -s walk.aging=5
expect_error 2 '-s walk.scheduler=simt: has no effect while translation is ideal' run pages.yaml -m v100 -s walk.scheduler=simt
expect_error 2 '-s l2_tlb.entries=64: has no effect while translation is ideal' \
    run pages.yaml -m apu-isca18 -s l2_tlb.entries=64 -s translation=ideal
expect_error 2 '-s tlb.merge_fill=page: has no effect while page_size is 64KiB' \
    run pages.yaml -m mi100-cuptw -s tlb.merge=snakebyte -s page_size=64KiB -s tlb.merge_fill=page
for size in 4KiB 2MiB; do
    run_program run pages.yaml -m mi100-cuptw -s tlb.merge=snakebyte -s page_size=$size -s tlb.merge_fill=page
    check_status 0
done
finish
