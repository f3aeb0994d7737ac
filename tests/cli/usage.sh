# Help, version, and wrong usage: one line, status 2.
. "$WW_ROOT/tests/support/cli.sh"

run_program --version
check_status 0
version=$(sed -n 's/^project(warpwalk VERSION \([0-9.]*\).*/\1/p' "$WW_ROOT/CMakeLists.txt")
grep -qE "^warpwalk $version \(commit ([0-9a-f]{12,}[+]?|unknown)\)$" out.txt || complain "no version, or no commit"
[ "$(sed -n 's/.*(commit \(.*\))/\1/p' out.txt)" = "$(tr -d ' ' <"$WW_BUILD/generated/commit.txt")" ] ||
    complain "another commit than that of the build"
for way in --help -h help; do
    expect_line 'usage: warpwalk COMMAND [arguments]' "$way"
    expect_line '  help       explain a command' "$way"
done

# Every command explains itself, the same way however it is asked, with an example.
run_program --help
for name in $(sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' out.txt); do
    run_program help "$name"
    check_status 0
    cp out.txt help.txt
    grep -q '^examples:' help.txt || complain "no examples"
    grep -q "^usage: warpwalk $name " help.txt || complain "no usage"
    for way in --help -h; do
        expect 0 "$name" "$way" <help.txt
    done
done

expect_error 2 "no command ('warpwalk --help' shows the commands)"
expect_error 2 "unknown command 'lst' (did you mean 'list'?)" lst
expect_error 2 "unknown command 'zzzzzz' ('warpwalk --help' shows the commands)" zzzzzz
expect_error 2 "unknown command '--halp' ('warpwalk --help' shows the commands)" --halp
expect_error 2 "unknown command 'lst' (did you mean 'list'?)" help lst
expect_error 2 "'list' is one argument too many (usage: warpwalk help [COMMAND])" help help list
expect_error 2 "unknown option '--jsn' (did you mean '--json'?)" list keys --jsn
expect_error 2 "unknown option '--jsn' (did you mean '--json'?)" list keys --jsn=3
expect_error 2 "unknown option '-q' ('warpwalk help list' shows the options)" list keys -q
expect_error 2 "option --json takes no value" list keys --json=3
expect_error 2 "option --machine needs a value: MACHINE" list keys -m
expect_error 2 "option --machine is given twice" list keys -m simt32 --machine=simt64
expect_error 2 "option --size is given twice" exec atax --size tiny --size small
expect_line '    "name": "schedulers",' list studies --json --json -s core.warp_width=8 -s core.warp_width=16
expect_error 2 "list needs machines, workloads, policies, studies, keys or stats \
('warpwalk help list' explains)" list
expect_error 2 "cannot list 'key' (did you mean 'keys'?)" list key
expect_error 2 "cannot list 'everything' (machines, workloads, policies, studies, keys or stats)" \
    list everything
expect_error 2 "'stats' is one argument too many (usage: warpwalk list \
machines|workloads|policies|studies|keys|stats [options])" list keys stats

# Output that cannot be written is not success.
status=0
"$WARPWALK" list keys >/dev/full 2>err.txt || status=$?
command="list keys >/dev/full"
check_status 1
grep -qxF 'cannot write to standard output' err.txt || complain "no message"
finish
