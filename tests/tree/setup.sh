#!/bin/sh
# tools/setup with a made-up system in front of it: quiet when nothing is missing; installs only
# what is missing when it may; else prints the command and ends with status 2. It is a copy, so that
# nothing is fetched into this tree.
set -eu
rm -rf tree bin
mkdir -p bin tree
PATH=$PWD/bin:$PATH
export PATH
cp -R "$WW_ROOT/tools" "$WW_ROOT/package.json" "$WW_ROOT/package-lock.json" tree

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
    tree/tools/setup ${3:-} >out 2>&1 || status=$?
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

fake apt-get "echo \"\$*\" >>$PWD/asked"
fake npm "echo npm \"\$*\" >>$PWD/asked; mkdir -p node_modules"
fake sudo 'exit 1'
fake id 'echo 0'

# The plotting library is fetched once for each package-lock.json; without it the rest goes on.
fake dpkg-query 'echo "ii "'
expect 0 "npm ci --ignore-scripts"
expect 0 ""
echo >>tree/package-lock.json
expect 0 "npm ci --ignore-scripts"
rm -r tree/node_modules
fake npm 'echo "no network"; exit 1'
expect 0 "no network"
expect 0 "all but 'warpwalk report --html' works without it"
fake npm 'mkdir -p node_modules'
expect 0 "fetching"
expect 0 ""
expect 2 "unknown option '--wrong'" --wrong

fake dpkg-query 'for last; do :; done; [ "$last" = cmake ] || echo "ii "'
expect 0 "install -y --no-install-recommends cmake"
grep -q update asked
fake dpkg-query 'for last; do :; done; [ "$last" = valgrind ] && echo "rc " || echo "ii "'
expect 0 ""
expect 0 "install -y --no-install-recommends valgrind" --check

fake dpkg-query 'for last; do :; done; [ "$last" = chromium ] || echo "ii "'
expect 0 ""
expect 0 "install -y --no-install-recommends chromium" --test
expect 0 "install -y --no-install-recommends chromium" --check
fake dpkg-query 'for last; do :; done; [ "$last" = valgrind ] && echo "rc " || echo "ii "'

fake id 'echo 1000'
expect 2 "apt-get install -y --no-install-recommends valgrind" --check
[ ! -s asked ]
fake sudo '[ "$1" = -n ] && shift && exec "$@"'
expect 0 "install -y --no-install-recommends valgrind" --check
fake apt-get 'echo "no network"; exit 100'
expect 2 "no network" --check

# Debian's npm is for those who have none.
fake id 'echo 0'
fake apt-get "echo \"\$*\" >>$PWD/asked"
fake dpkg-query 'for last; do :; done; [ "$last" = npm ] || echo "ii "'
expect 0 ""
mkdir -p few
for tool in awk cat cmp cp dirname env grep mktemp rm tail; do ln -sf "$(command -v $tool)" few/$tool; done
rm bin/npm
PATH=$PWD/bin:$PWD/few
expect 0 "install -y --no-install-recommends npm"
