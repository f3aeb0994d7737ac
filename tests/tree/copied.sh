#!/bin/sh
# A copy of a tree, build folders included, builds itself and leaves the original alone. The tree is made up: what it
# builds is a list of the folders that its sources lie in, and its tools do nothing.
set -eu
unset MAKEFLAGS MFLAGS MAKEOVERRIDES BUILD WERROR
rm -rf tree copy link
mkdir -p tree/tools
cp "$WW_ROOT/Makefile" tree
for tool in setup test format check-tidy check-memory fuzz; do
    printf '#!/bin/sh\n' >tree/tools/$tool
    chmod +x tree/tools/$tool
done
cat >tree/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.20)
project(made_up NONE)
add_custom_target(program ALL COMMAND pwd >>${CMAKE_SOURCE_DIR}/built)
END

# build TREE: all build folders of the Makefile
build() {
    for goal in all sanitized check fuzz; do
        make -C "$1" $goal >out 2>&1 || { cat out; exit 1; }
    done
}

build tree
sort -u tree/built >want
[ "$(wc -l <want)" -eq 4 ] || { echo "not all build folders were used:"; cat want; exit 1; }
cp -r tree copy
: >tree/built
: >copy/built
build copy
[ ! -s tree/built ] || { echo "a copy builds in the original:"; cat tree/built; exit 1; }
sed "s|$PWD/tree/|$PWD/copy/|" want >want.copy
sort -u copy/built | cmp - want.copy

# The same tree by another path is no copy: nothing is configured anew.
ln -s tree link
make -C "$PWD/link" all >out 2>&1
! grep -q anew out || { echo "configured anew without need"; exit 1; }
