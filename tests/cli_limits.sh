#!/bin/sh
# Huge input is read up to a limit that one line names, in bounded time and memory. Prints TAP. BUILD: the build directory.
. tests/tap.sh
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
python3 tests/limits.py "${BUILD:-build}/tessera" "$work"
