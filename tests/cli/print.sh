# printf of a string that is nowhere is a fault with its line, functionally and with time.
. "$WW_ROOT/tests/support/cli.sh"

cat >print.cl <<'KERNEL'
kernel void print(ulong at)
{
    printf("%s\n", "text");
    printf("%s\n", (constant char *)at);
}
KERNEL
cat >print.yaml <<'LAUNCH'
kernel: print.cl
launches: [{entry: print, global: [1], local: [1], args: [{u64: 4660}]}]
LAUNCH
for command in exec run; do
    run_program $command print.yaml
    check_status 1
    [ "$(head -n 1 err.txt)" = text ] || complain "a good string is not printed"
    tail -n 1 err.txt | grep -q "^print.cl:4: kernel 'print', .* printf with a string at 0x1234, where nothing is" ||
        complain "no fault: $(cat err.txt)"
done
finish
