# The manual page: man/warpwalk.1 is what the program writes, has what a manual page has, and man can read it.
. "$WW_ROOT/tests/support/cli.sh"
run_program help --man
check_status 0
diff -u "$WW_ROOT/man/warpwalk.1" out.txt >&2 || complain "man/warpwalk.1 is out of date (run: make docs)"

head -n 1 out.txt | grep -q '^\.TH WARPWALK 1 ' || complain "no title"
for section in NAME SYNOPSIS DESCRIPTION COMMANDS 'EXIT STATUS' ENVIRONMENT 'SEE ALSO'; do
    grep -qx "\.SH $section" out.txt || complain "no section $section"
done
grep -qE '^warpwalk \\- [a-z]' out.txt || complain "no line for apropos"
# Each line is text or a macro that man has; each escape is one of these.
grep -E "^[.']" out.txt | grep -vE '^\.(TH|SH|SS|TP|PP|B)( |$)' && complain "an unknown macro"
grep -oE '\\.' out.txt | grep -vE '^\\[-e&f]$' && complain "an unknown escape"
grep -nE '^$' out.txt && complain "an empty line"
cp out.txt warpwalk.1
run_program --help
for name in $(sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' out.txt); do
    grep -q "^\.SS warpwalk $name " warpwalk.1 || complain "no command $name"
    run_program help "$name"
    for option in $(sed -n '/^options:/,/^$/s/^  .*\(--[a-z-]*\).*/\1/p' out.txt | grep -vx -e --help); do
        grep -qF -- "$(printf '%s' "$option" | sed 's/-/\\-/g')" warpwalk.1 || complain "no option $option of $name"
    done
done
if command -v mandoc >/dev/null; then
    mandoc -T lint -W error warpwalk.1 >&2 || complain "mandoc finds fault with it"
elif command -v groff >/dev/null; then
    [ "$(groff -man -Tascii -ww -z warpwalk.1 2>&1)" = "" ] || complain "groff finds fault with it"
fi
finish
