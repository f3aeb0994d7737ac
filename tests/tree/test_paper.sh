# tools/test-paper notices what is wrong at a paper's size: with a program of our own that only prints.
set -u
mkdir -p tools_build
cat >tools_build/warpwalk <<'END'
#!/bin/sh
. ./values
if [ "$1" = list ]; then
    cat <<JSON
[
  {
    "name": "thing",
    "sizes": [
      {
        "name": "tiny",
        "values": "n=1",
        "footprint": 1,
        "launches": 1
      },
      {
        "name": "isca18",
        "values": "n=4",
        "footprint": 104857600,
        "launches": 2,
        "paper_megabytes": 100.0
      }
    ],
    "parameters": [
      {
        "name": "n"
      }
    ]
  }
]
JSON
    exit
fi
while [ "$1" != --json ]; do shift; done
cat >"$2" <<JSON
{
  "parameters": {
    "n": 4,
    "layout": "row"
  },
  "verified": $verified,
  "warp_instructions": 12345,
  "footprint": $footprint,
  "host_seconds": 0.25,
  "host_peak_bytes": $peak,
  "kernels": [
    {
      "entry": "one"
    }$second
  ]
}
JSON
END
chmod +x tools_build/warpwalk

failures=0
# try STATUS LINE VALUES: LINE is among what it says.
try() {
    cat >values <<END
verified=true footprint=104857600 peak=200000000
second=', {
      "entry": "two"
    }'
$3
END
    status=0
    WW_TABLE=table.csv "$WW_ROOT/tools/test-paper" tools_build >out.txt 2>&1 || status=$?
    [ "$status" -eq "$1" ] && grep -qxF -e "$2" out.txt && return
    echo "FAILED: with '$3': status $status, not $1, or no line '$2':" >&2
    cat out.txt >&2
    failures=$((failures + 1))
}

good='thing,isca18,"n=4,layout=row",100.00,100.0,0.00,2,12345,0.25,191,true'
try 0 "$good" ''
grep -qxF "$good" table.csv && sed -n 1p table.csv | grep -q '^# commit ' || {
    echo "FAILED: no table" >&2
    failures=$((failures + 1))
}
try 1 'thing (isca18): verified is "false"' verified=false
try 1 'thing (isca18): verified is "null"' verified=null
try 1 'thing (isca18): 1 launches (2 in its table)' second=
try 1 'thing (isca18): 120.00 MiB (100.0 published)' footprint=125829120
try 1 'thing (isca18): 1144 MiB of host memory for 100 in arrays' peak=1200000000
"$WW_ROOT/tools/test-paper" tools_build nothing 2>/dev/null && failures=1
[ "$failures" -eq 0 ]
