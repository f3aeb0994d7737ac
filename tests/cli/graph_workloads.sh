# Workloads on graphs: the user's own files, and parameters that make no sense together.
. "$WW_ROOT/tests/support/cli.sh"

# Seven vertices, of which the last has no edges: the same graph in each format.
printf '%s\n' '%%MatrixMarket matrix coordinate integer general' '7 7 6' '1 2 7' '2 3 1' '1 3 9' \
    '4 5 2' '3 4 4' '6 1 3' >g.mtx
printf '%s\n' 'c a comment' 'p sp 7 6' 'a 1 2 7' 'a 2 3 1' 'a 1 3 9' 'a 4 5 2' 'a 3 4 4' 'a 6 1 3' >g.gr
printf '%s\n' '# a comment' '0 1 7' '1 2 1' '0 2 9' '3 4 2' '2 3 4' '5 0 3' '6 6 1' >g.wel
cut -d' ' -f1,2 g.wel | sed 1d >g.el
printf '0 1\n' >two.el

for file in g.mtx g.gr g.wel g.el two.el; do
    for what in bfs:directed=no bfs:directed=yes sssp:rounds=0 sssp:directed=no sssp:rounds=2,source=1 \
        mis:group=64 color:group=3 pagerank:group=64 pagerank:iterations=5,group=1 spmv:format=scalar \
        spmv:format=vector bc:sources=0 bc:marks=no,group=3 dijkstra_ell:rounds=0 dijkstra_ell:entries=9,directed=no \
        floyd:steps=0 floyd:steps=2,group=3 pagerank_spmv:iterations=5; do
        run_program exec "${what%%:*}" --size "tiny,graph=$file,${what#*:}" --json -
        check_status 0
        grep -qxF '  "verified": true,' out.txt || complain "not verified"
    done
done

# Where the edges lead: from vertex 0, the edges of g lead to four others, and a fifth leads back.
launches() { grep -c '"entry"' out.txt; }
run_program exec bfs --size tiny,graph=g.gr,directed=yes --json -
[ "$(launches)" = 8 ] || complain "bfs: $(launches) launches instead of two for each of 4 levels"
run_program exec sssp --size tiny,graph=g.gr --json -
[ "$(launches)" = 16 ] || complain "sssp: $(launches) launches instead of 1 + 3 for each of 5 rounds"

# The formats give the same graph.
for file in g.mtx g.gr g.wel; do
    run_program exec sssp --size "tiny,graph=$file" --json -
    grep -e warp_instructions\" out.txt >"counts_$file"
    cmp -s "counts_$file" counts_g.mtx || complain "$file is another graph than g.mtx"
done

expect_error 2 '--size: source is 7 (a vertex from 0 to 6 is needed)' \
    exec bfs --size graph=g.gr,source=7
expect_error 2 '--size: source is 400 (a vertex from 0 to 399 is needed)' \
    exec sssp --size tiny,source=400
expect_error 2 '--size: group is 96 (a power of 2 is needed)' exec pagerank --size group=96
expect_error 2 '--size: group is 48 (format=vector needs a multiple of 32)' \
    exec spmv --size format=vector,group=48
expect_error 2 "--size: graph is 'raod' (rmat, road, mesh, uniform, power, tree, or a file is needed)" \
    exec mis --size graph=raod
expect_error 2 '--size: entries is 1 (the longest row needs 2)' exec dijkstra_ell --size graph=g.gr,entries=1
expect_error 2 '--size: a matrix for 65536 vertices (at most 65535)' exec floyd --size scale=16
expect_error 2 '--size: marks=yes with 65536 vertices (at most 65535)' exec bc --size scale=16
run_program exec bfs --size tiny,graph=power,vertices=1000,edgefactor=3 --json -
grep -qxF '  "verified": true,' out.txt || complain "a power graph: not verified"
ln -s nowhere dangling
expect_error 2 "cannot read 'dangling': No such file or directory" exec mis --size graph=dangling
expect_error 2 '--size: scale is for rmat, uniform, power and tree graphs (graph is mesh: width and height)' \
    exec color --size scale=20
run_program exec bfs --size tiny,graph=tree,vertices=1000 --json -
[ "$(launches)" = 14 ] || complain "bfs: $(launches) launches instead of two for each of 7 levels of a tree"
grep -qxF '  "verified": true,' out.txt || complain "a tree: not verified"
run_program exec bfs --size scale=4,edgefactor=2 --json -
grep -qx '    "vertices": 0,' out.txt || complain "the vertices of 'small' are still there"
printf 'p sp 3 1\na 1 4 1\n' >bad.gr
expect_error 2 "bad.gr:2:5: '4' is not a vertex (a whole number 1 .. 3)" \
    exec color --size graph=bad.gr

for format in scalar vector; do
    for width in 1 7 64; do
        run_program exec spmv --size "tiny,format=$format" -s core.warp_width=$width -s exec.order=random
        check_status 0
    done
done
finish
