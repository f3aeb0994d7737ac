# `report --html`: the files that it writes, texts that mean harm, the same bytes each time, and what can go wrong.
. "$WW_ROOT/tests/support/cli.sh"
rm -rf ./*.db page other first blocked limited bare

cp "$WW_ROOT/tests/browser/nasty.yaml" nasty.yaml
run_program sweep nasty.yaml --db nasty.db
check_status 0

run_program report nasty.db --html page
if [ "$status" -eq 1 ] && grep -q 'was built without node_modules/' err.txt; then
    echo "this build has no plotting library (tools/setup fetches it)"
    exit 77
fi
check_status 0
[ "$(cat out.txt)" = page/index.html ] && [ ! -s err.txt ] || complain "it prints something else than the page's path"
[ "$(ls page)" = "$(printf 'index.html\nruns')" ] || complain "other files than index.html and runs"
[ "$(ls page/runs | wc -l)" -eq 6 ] || complain "not one file for each run"
for file in page/runs/*; do
    case $file in
    page/runs/????????????????????????????????-????????.json) ;;
    *) complain "$file is named otherwise" ;;
    esac
    grep -qF "runs/$(basename "$file")" page/index.html && complain "links are made by the page"
    grep -qF "\"raw\":\"$(basename "$file" .json)\"" page/index.html || complain "no link to $file"
done

# Texts stay texts: no '<' in the data, no more elements than the template has.
data=$(grep -o '<script type="application/json" id="data">.*' page/index.html)
case ${data#<script type=\"application/json\" id=\"data\">} in
*'<'*'</script>') complain "a '<' in the data" ;;
'['*']</script>') ;;
*) complain "no data" ;;
esac
[ "$(grep -o '<script' "$WW_ROOT/data/report/page.html" | wc -l)" -eq "$(grep -oi '</script' page/index.html | wc -l)" ] ||
    complain "a script element more or less"
grep -qF '<title>nasty &lt;b&gt;&amp;&quot;name&quot; · warpwalk</title>' page/index.html || complain "the title is not escaped"
grep -qF '\u003c/script>\u003cscript>document.title' page/index.html || complain "the doc is not there"
grep -qF '{{' "$WW_ROOT/data/report/page.html" || complain "no places in the template"
grep -qE '\{\{(data|title|licences|node_modules)' page/index.html && complain "a place was not filled in"
for licence in 'Mike Bostock' 'University of Washington Interactive Data Lab' 'vega-lite' 'Mapbox'; do
    grep -qF "$licence" page/index.html || complain "no licence of $licence"
done
grep -qiE '(src|href)="?(https?:)?//' page/index.html && complain "something is loaded from elsewhere"
[ "$(wc -c <page/index.html)" -lt 1500000 ] || complain "larger than it need be"

# A raw result is what `run --json` gives: `compare` reads both.
set -- page/runs/*.json
run_program compare "$1" "$1"
check_status 0
run_program report nasty.db --json
check_status 0
grep -qF '"key": "core.scheduler"' out.txt || complain "no settings in JSON"

# Folders around the page are made; in the place of a file there is none.
rm -rf deep
run_program report nasty.db --html deep/er/page
check_status 0
cmp page/index.html deep/er/page/index.html >&2 || complain "no page in a new folder"
: >deep/file
expect_error 2 "cannot make the folder 'deep/file/page': Not a directory" report nasty.db --html deep/file/page

# The same database, the same bytes; into a folder that exists, and over an older page.
run_program report nasty.db --html other
mkdir -p first/runs
echo old >first/index.html
run_program report nasty.db --html first
check_status 0
for folder in other first; do
    diff -r page $folder >/dev/null || complain "other bytes in $folder"
done

# What can go wrong is one line, and an old page stays.
: >blocked
expect_error 2 "cannot make the folder 'blocked': File exists" report nasty.db --html blocked
mkdir -p limited/runs
echo old >limited/index.html
command="report with a full disk"
status=0
(trap '' XFSZ && ulimit -f 400 && "$WARPWALK" report nasty.db --html limited >out.txt 2>err.txt) || status=$?
check_status 1
[ "$(cat err.txt)" = "cannot write 'limited/index.html': File too large" ] || complain "$(cat err.txt)"
[ "$(ls limited; cat limited/index.html)" = "$(printf 'index.html\nruns\nold')" ] || complain "the old page is gone"
expect_error 2 "none.db: no such file" report none.db --html none
[ ! -e none ] || complain "a folder for nothing"

# A program without the plotting library says so and writes nothing; tables need none.
command="report without the library"
LC_ALL=C sed 's#\(node_modules/vega/build/vega.min.\)js\x00#\1no\x00#' "$WARPWALK" >bare
chmod +x bare
status=0
./bare report nasty.db --html without >out.txt 2>err.txt || status=$?
check_status 1
[ "$(cat err.txt)" = "this warpwalk was built without node_modules/vega/build/vega.min.js, which pages need (run tools/setup, then make; tables, JSON and CSV need nothing)" ] ||
    complain "$(cat err.txt)"
[ ! -e without ] || complain "a folder for nothing"
./bare report nasty.db >out.txt || complain "no tables without the library"
finish
