#!/bin/sh
# The kept corpora of the fuzz targets (tests/fuzz), and mutations of them from a fixed seed: make test runs a slice, make test-all and
# make soak more. A crash, a hang over ten seconds per thousand inputs or a difference after a restore fails.
. tests/tap.sh
set -u
scale=${TESSERA_TEST_SCALE:-25} seed=${TESSERA_FUZZ_SEED:-1} n=0 failed=0
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
# NAME:MUTATIONS at 100 per cent
for t in asm:4000 case:4000 chip:20 chipstate:80 elf:400 gdb:400 npy:8000 pto:8000 state:600 tile:300; do
  name=${t%:*} count=$((${t#*:} * scale / 100)) n=$((n + 1))
  mkdir "$tmp/$name" && tar -xzf tests/fuzz/corpus/$name.tar.gz -C "$tmp/$name" || exit 1
  if timeout 600 "$BUILD/fuzz/$name" -s "$seed" -n "$count" "$tmp/$name"/* > "$tmp/out" 2>&1; then
    echo "ok $n - $name: $count mutations"
  else
    echo "not ok $n - $name: $count mutations from seed $seed"; tail -3 "$tmp/out"; failed=1
  fi
done
echo "1..$n"
exit $failed
