#!/bin/sh
# A full disk and a limit on file sizes: one line that names file and reason, exit code 2, and nothing that is not complete. Prints TAP. Reads BUILD.
. tests/tap.sh
set -u
t=$(realpath "${BUILD:-build}/tessera") number=0 failed=0
work=$(mktemp -d) || exit 1
disk=$work/disk
trap 'umount "$disk" 2> /dev/null; rm -rf "$work"' EXIT
ok() { # WHAT: passes if the previous command succeeded
  if [ $? -eq 0 ]; then result=ok; else result="not ok" failed=1; fi
  number=$((number + 1))
  echo "$result $number - $1"
  [ "$result" = ok ] || printf '%s\n' "exit code $code" "$err" | sed 's/^/# /'
}
err=$("$t" isa 2>&1 > /dev/full)
code=$?
[ $code -eq 2 ] && [ "$err" = "tessera isa: standard output could not be written: No space left on device" ]
ok "a full standard output has a reason, also when an earlier write failed"
# limited BLOCKS COMMAND...: no file gets longer than so many blocks of 512 bytes. Standard error is a pipe.
limited() {
  blocks=$1; shift
  err=$( (ulimit -f "$blocks"; exec "$@" 2>&1 > /dev/null) )
  code=$?
}
one_line() { [ "$code" -eq 2 ] && [ "$(printf '%s\n' "$err" | wc -l)" -eq 1 ] && case $err in *"$1"*) ;; *) false ;; esac; }

limited 1 "$t" kernel new "$work/new"
one_line ".c: could not be written completely: File too large" && [ ! -e "$work/new" ]
ok "kernel new leaves no half folder"
mkdir "$work/out"
limited 0 "$t" explore tests/asm/handshake.tta --schedules 3 --json "$work/out/j" --sarif "$work/out/s"
one_line "/j: could not be written completely: File too large" && [ -z "$(ls "$work/out")" ]
ok "two files that fail are one line"
limited 0 "$t" exec examples/mop_and_replay.tta --trace "$work/out/t.vcd" --profile "$work/out/p" --coverage "$work/out/c" --sarif "$work/out/s"
one_line "could not be written completely: File too large" && [ -z "$(ls "$work/out")" ]
ok "four files that fail are one line"
limited 0 "$t" pto sweep examples/pto/stages.pto --depth 1:2 --svg "$work/out/s"
one_line "/s: could not be written completely: File too large" && [ -z "$(ls "$work/out")" ]
ok "pto sweep names the reason"
for format in pftrace json; do
  limited 1 "$t" pto run examples/pto/pattern1.pto --trace "$work/out/t.$format"
  one_line "t.$format: could not be written completely: File too large" && [ -z "$(ls "$work/out")" ]
  ok "pto run --trace t.$format names the reason"
done
if command -v riscv64-unknown-elf-gcc > /dev/null; then
  "$t" kernel new "$work/k" > /dev/null && "$t" kernel build "$work/k" > /dev/null
  limited 1 "$t" kernel run "$work/k" --no-build --out "C=$work/out/c.npy" --json "$work/out/j" --sarif "$work/out/s" --report "$work/out/r.html"
  one_line "could not be written completely: File too large" && [ -z "$(ls "$work/out" | grep -v '^[js]$')" ]
  ok "kernel run: several files that fail are one line"
  rm -f "$work/out"/*
  limited 1 "$t" kernel run "$work/k" --no-build --trace "$work/out/t.pftrace"
  one_line "t.pftrace: could not be written completely: File too large" && [ -z "$(ls "$work/out")" ]
  ok "kernel run: the reason of a file that holds a part of the trace"
  limited 16 "$t" kernel build "$work/k" --build "$work/other"
  one_line "File too large"
  ok "kernel build names a limit on file sizes"
  mkdir "$disk"
  if mount -t tmpfs -o size=64k none "$disk" 2> /dev/null; then
    "$t" kernel new "$disk/k" > /dev/null && rm -r "$disk/k"
    dd if=/dev/zero of="$disk/fill" bs=4k count=15 2> /dev/null; cat /dev/zero > "$disk/rest" 2> /dev/null
    err=$("$t" kernel new "$disk/new" 2>&1 > /dev/null)
    code=$?
    one_line "No space left on device" && [ ! -e "$disk/new" ]
    ok "kernel new on a full disk"
    err=$("$t" kernel build "$work/k" --build "$disk/b" 2>&1 > /dev/null)
    code=$?
    one_line "No space left on device"
    ok "kernel build on a full disk names it"
    umount "$disk"
  fi
fi
echo "1..$number"
exit $failed
