#!/bin/sh
# What comes from npm is pinned by version and by content, from whichever registry the user's npm is set up for.
set -eu
cd "$WW_ROOT"
fail() {
    echo "$1"
    exit 1
}
if grep -nE '"(vega|vega-lite)": "[^0-9]' package.json; then fail "package.json: not one version"; fi
if grep -n '"resolved"' package-lock.json; then fail "package-lock.json names where it was fetched from"; fi
packages=$(grep -c '^    "node_modules/' package-lock.json)
[ "$packages" -gt 10 ] || fail "package-lock.json has $packages packages"
[ "$(grep -c '"integrity": "sha512-' package-lock.json)" = "$packages" ] || fail "packages without a hash"
grep -qx 'omit-lockfile-registry-resolved=true' .npmrc || fail ".npmrc: a host would get into package-lock.json"
grep -qx '/node_modules/' .gitignore || fail ".gitignore: node_modules would be committed"

# No file names a registry.
files=$(find . -name .git -prune -o -name node_modules -prune -o -path './build*' -prune -o -type f -size -2000k -print)
if echo "$files" | tr '\n' '\0' | xargs -0 grep -lIE 'registry[.][a-z]+[.](org|com|net)|registry *= *http'; then
    fail "these files name a registry"
fi
