# Two and three tiles over the NoC and through DRAM: the checkers order accesses by semaphores and barriers, and name both sides of an unordered pair. Prints TAP.
. tests/tap.sh
BUILD=${BUILD:-build}
if ! command -v riscv64-unknown-elf-gcc > /dev/null; then
  echo "1..0 # SKIP no riscv64-unknown-elf-gcc"
  exit 0
fi
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
number=0
check() { # NAME RESULT
  number=$((number + 1))
  if [ "$2" = 0 ]; then echo "ok $number - $1"; else echo "not ok $number - $1"; fi
}
run_in() { # FOLDER OPTION...
  folder=$1
  shift
  "$BUILD/tessera" kernel run "tests/bugs/users/$folder" --build "$dir/$folder" --json "$dir/json" "$@" > "$dir/out" 2> "$dir/err"
}
run() { run_in pair "$@"; }

echo "1..10"
run --check all
check "a correct pair of tiles is quiet" $?
run --no-build --arg reader.4=1
test $? = 5
check "a sender that is a page ahead: exit code 5" $?
grep -q 'reader.c:[0-9]* (receive, in noc_async_write): error: .*written by another tile.*L1_UNORDERED' "$dir/out"
check "its finding has the line of the tile that is written to" $?
grep -q 'other side: reader.c:[0-9]* (send, in noc_async_write): NCRISC, pc 0x[0-9a-f]*, tile (1, 2)' "$dir/out"
check "and the line and the tile of the sender" $?
grep -q '"id":"L1_UNORDERED".*"other":{"agent":"NCRISC".*"file":"' "$dir/json"
check "JSON is about the tile that has the finding" $?
run_in gather --check all
check "a semaphore that is waited for from 0 on, and one that is reset, are quiet" $?
run_in hop --check all
check "three tiles that hand pages on through DRAM are quiet" $?
run_in hop --no-build --arg reader.6=1
test $? = 5
check "a tile that is told before the page is in DRAM: exit code 5" $?
grep -q 'reader.c:[0-9]* (kernel_main, in noc_async_read): error: .*DRAM controller 0, 0x[0-9a-f]*: read.*DRAM_UNORDERED' "$dir/out"
check "its finding has the line of the read" $?
grep -q 'other side: reader.c:[0-9]* (kernel_main, in noc_async_write): NCRISC, pc 0x[0-9a-f]*, tile (1, 2)' "$dir/out"
check "and the line and the tile of the write" $?
