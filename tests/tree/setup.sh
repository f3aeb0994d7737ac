#!/bin/sh
# tools/setup with a made-up system in front of it: quiet when nothing is missing; installs only
# what is missing when it may; else prints the command and ends with status 2.
set -eu
mkdir -p bin
PATH=$PWD/bin:$PATH
export PATH

# fake NAME SCRIPT: a command of the made-up system.
fake() {
    printf '#!/bin/sh\n%s\n' "$2" >"bin/$1"
    chmod +x "bin/$1"
}

# expect STATUS TEXT [OPTION]: a line that setup prints or asks of apt-get holds this text; with
# no text it prints and asks nothing.
expect() {
    status=0
    : >asked
    "$WW_ROOT/tools/setup" ${3:-} >out 2>&1 || status=$?
    cat asked >>out
    if [ -n "$2" ]; then
        grep -qF -e "$2" out && found=1 || found=0
    else
        [ ! -s out ] && found=1 || found=0
    fi
    if [ "$status" != "$1" ] || [ $found = 0 ]; then
        echo "status $status, expected $1, with '$2' in:"
        cat out
        exit 1
    fi
}

fake apt-get 'echo "$*" >>asked'
fake sudo 'exit 1'
fake id 'echo 0'

fake dpkg-query 'echo "ii "'
expect 0 ""
expect 2 "unknown option '--wrong'" --wrong

fake dpkg-query 'for last; do :; done; [ "$last" = cmake ] || echo "ii "'
expect 0 "install -y --no-install-recommends cmake"
grep -q update asked
fake dpkg-query 'for last; do :; done; [ "$last" = valgrind ] && echo "rc " || echo "ii "'
expect 0 ""
expect 0 "install -y --no-install-recommends valgrind" --check

fake id 'echo 1000'
expect 2 "apt-get install -y --no-install-recommends valgrind" --check
[ ! -s asked ]
fake sudo '[ "$1" = -n ] && shift && exec "$@"'
expect 0 "install -y --no-install-recommends valgrind" --check
fake apt-get 'echo "no network"; exit 100'
expect 2 "no network" --check
