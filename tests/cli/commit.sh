# The commit of a build: what cmake/commit.cmake writes, and that a commit alone makes no other build.
. "$WW_ROOT/tests/support/cli.sh"
rm -rf tree ./*.db ./*.db.work stamped commit.txt

# expect_commit PATTERN: what is written for the folder `tree`.
expect_commit() {
    command="cmake/commit.cmake"
    cmake -DROOT="$PWD/tree" -DOUTPUT="$PWD/commit.txt" -P "$WW_ROOT/cmake/commit.cmake" || complain "it failed"
    grep -qE "^($1) *$" commit.txt || complain "'$(cat commit.txt)' instead of $1"
    [ "$(wc -c <commit.txt)" -eq 40 ] || complain "another size than that of the section"
}
mkdir -p tree
expect_commit unknown
if command -v git >/dev/null; then
    git -C tree init -q
    expect_commit unknown
    echo one >tree/file
    git -C tree add file
    git -C tree -c user.name=a -c user.email=b commit -q -m c
    expect_commit "$(git -C tree rev-parse --short=12 HEAD)"
    touch -d 2020-01-01 commit.txt
    cp -p commit.txt before.txt
    expect_commit "$(git -C tree rev-parse --short=12 HEAD)"
    [ commit.txt -nt before.txt ] && complain "written again, although nothing changed"
    echo two >tree/file
    expect_commit "$(git -C tree rev-parse --short=12 HEAD)[+]"
fi

# Another commit, the same program: its runs are found.
cat >mine.yaml <<'END_OF_FILE'
machine: gtx480-cawa
size: tiny
workloads: [backprop]
END_OF_FILE
run_program sweep mine.yaml
check_status 0
printf '%-39s\n' 0123456789ab+ >commit.txt
cp "$WARPWALK" stamped
command="objcopy"
objcopy --update-section .ww_commit=commit.txt stamped || complain "no section for the commit"
WARPWALK=$PWD/stamped
run_program --version
grep -q '(commit 0123456789ab+)$' out.txt || complain "another commit"
run_program sweep mine.yaml --resume
check_status 0
grep -qxF 'mine: 1 point, 1 different run, 1 of them done before; into mine.db' err.txt || complain "made again"
finish
