# The outcome of `tessera kernel run` on several tiles, in text, JSON and SARIF: a check that fails on one of them, a request to a place without a
# tile, an expectation that does not hold, a hang with a core that runs longer than a slice of the run. Prints TAP. Reads BUILD.
. tests/tap.sh
BUILD=${BUILD:-build}
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
command -v riscv64-unknown-elf-gcc > /dev/null || { echo "1..0 # SKIP no riscv64-unknown-elf-gcc"; exit 0; }
t=$BUILD/tessera n=0 bad=0

check() { # NAME STATUS
  n=$((n + 1))
  if [ "$2" -eq 0 ]; then echo "ok $n - $1"; else
    echo "not ok $n - $1"
    bad=1
    sed 's/^/# /' "$dir/out" "$dir/err" "$dir/wrong" 2> /dev/null | cut -c1-300 | head -n 20
  fi
}
folder() { # NAME: a folder without work; reader.c and writer.c come from standard input, separated by a line ---
  mkdir -p "$dir/$1"
  printf '#include "compute.h"\nvoid kernel_main(void) {}\n' > "$dir/$1/compute.c"
  awk -v at="$dir/$1/reader.c" -v next_at="$dir/$1/writer.c" '/^---$/ { at = next_at; next } { print > at }'
}
forms() { # NAME OPTIONS: runs it with all output forms, keeps them for tests/agree.py, sets code
  name=$1
  shift
  "$t" kernel run "$dir/$name" --json "$dir/agree/$name.json" --sarif "$dir/agree/$name.sarif" "$@" > "$dir/out" 2> "$dir/err"
  code=$?
  echo $code > "$dir/agree/$name.code"
  cat "$dir/out" "$dir/err" > "$dir/agree/$name.out"
}
json() { # FILE EXPRESSION of d
  python3 -c 'import json, sys; d = json.load(open(sys.argv[1])); sys.exit(not eval(sys.argv[2]))' "$1" "$2" 2> "$dir/wrong"
}
mkdir "$dir/agree"

folder check << 'END'
#include "noc.h"
void kernel_main(void) {
  KERNEL_CHECK(get_arg_val(0) != 1, "column one is not allowed");
}
---
#include "noc.h"
void kernel_main(void) { noc_semaphore_wait(get_semaphore(2), 1); }
END
printf 'grid 1-2,2\nargs reader col\n' > "$dir/check/kernel.chip"
forms check --tile 1,2
[ $code = 3 ] && grep -q 'reader.c:3.*column one is not allowed' "$dir/err" &&
  json "$dir/agree/check.json" 'd["code"] == 3 and d["check_failed"]["tile"] == {"x": 2, "y": 2} and d["check_failed"]["place"]["line"] == 3 and "hang" not in d and d["cycles"] < 10000' &&
  json "$dir/agree/check.sarif" '[r["ruleId"] for r in d["runs"][0]["results"]] == ["KERNEL_CHECK"]'
check "a check that fails on another tile than that of --tile: in JSON and SARIF, with its tile, and no hang beside it" $?

folder router << 'END'
#include "noc.h"
void kernel_main(void) {}
---
#include "noc.h"
void kernel_main(void) {
  noc_async_read(get_noc_addr(0, 0, 0x1000), 0x80000, 64);
  noc_async_read_barrier();
}
END
echo 'grid 1,2' > "$dir/router/kernel.chip"
forms router
[ $code = 3 ] && grep -q 'writer.c:3 (BRISC of Tensix (1,2), in noc_async_read): router' "$dir/err" &&
  json "$dir/agree/router.json" 'd["code"] == 3 and d["fault"]["place"]["line"] == 3 and d["fault"]["at"].startswith("router")' &&
  json "$dir/agree/router.sarif" '[r["locations"][0]["physicalLocation"]["region"]["startLine"] for r in d["runs"][0]["results"]] == [3]'
check "a request to a place without a tile names the line that sent it" $?

# A race between two tiles: the other side has its tile in all forms.
cp -r tests/bugs/users/pair "$dir/pair"
forms pair --arg reader.4=1
[ $code = 5 ] && grep -q '^  other side: reader.c:15 .*, tile (1, 2), cycle' "$dir/out" &&
  json "$dir/agree/pair.json" '{(f["tile"]["x"], f["other"]["tile"]["x"], f["other"]["tile"]["y"]) for f in d["findings"]} == {(2, 1, 2)}' &&
  json "$dir/agree/pair.sarif" '[r["relatedLocations"][0]["message"]["text"].split(", cycle")[0] for r in d["runs"][0]["results"]] == ["the other side: NCRISC, tile (1, 2)"]'
check "a race between two tiles: the other side has its tile in text, JSON and SARIF" $?

folder late << 'END'
#include "noc.h"
void kernel_main(void) {
  for (volatile uint32_t i = 0; i < 1000; i++);
  tt_store(0x90000, 1);
}
---
#include "noc.h"
void kernel_main(void) { noc_semaphore_wait(get_semaphore(2), 1); }
END
echo 'grid 1,2' > "$dir/late/kernel.chip"
forms late --trace "$dir/trace"
# Ground truth: the last store of NCRISC (its firmware's) and its first poll after that.
truth=$(awk '$2 == "NCRISC" && $5 == "sw" { store = $1 } $2 == "NCRISC" && store && $5 == "lw" && !(store in polled) { polled[store] = $1 }
             END { print store, polled[store] }' "$dir/trace")
[ $code = 4 ] && json "$dir/agree/late.json" "$(echo "$truth" | awk '{ print $1 " < d[\"hang\"][\"cycle\"] <= " $2 }')"
check "the hang ends with the last core's progress ($truth), not with a slice" $?

folder loops << 'END'
#include "noc.h"
void kernel_main(void) {
  if (get_arg_val(0) == 1)
    for (;;) {}
  noc_semaphore_wait(get_semaphore(0), 1);
}
---
#include "noc.h"
void kernel_main(void) {}
END
printf 'grid 1-2,2\nargs reader col\n' > "$dir/loops/kernel.chip"
forms loops
[ $code = 4 ] && head -n 1 "$dir/out" | grep -q 'reader.c:5 .*no packet has written it, NCRISC of Tensix (2,2) loops forever at reader.c:4, and all other kernels have ended'
check "a core of another tile that loops forever is named" $?

# The tile records the last writers of 512 words. Many writes to other words evict the record of a word that no core polls yet.
folder flood << 'END'
#include "noc.h"
void kernel_main(void) {
  tt_store(0x80000 + 16 * (get_arg_val(0) + 4), 1);
  for (uint32_t i = 0; i < 1000; i++) tt_store(0x90000 + 4 * i, i);
}
---
#include "noc.h"
void kernel_main(void) {
#ifdef LATE
  for (volatile uint32_t i = 0; i < 2000; i++);
#endif
  while (*(volatile uint32_t *)0x80040 < 2) {}
}
END
printf 'grid 1,2\nargs reader 0\n' > "$dir/flood/kernel.chip"
forms flood
[ $code = 4 ] && head -n 1 "$dir/out" | grep -q '0x00080040: NCRISC last wrote it at reader.c:3 in cycle [0-9]* and has returned; writer.c:6 (BRISC)'
check "the note of a polled word stays, whatever else is written" $?
printf 'grid 1,2\nargs reader 0\ndefine LATE\n' > "$dir/flood/kernel.chip"
forms flood
[ $code = 4 ] && head -n 1 "$dir/out" | grep -q '0x00080040: its last writer is not recorded; writer.c:6 (BRISC) .*to reach 2 since'
check "of a word whose note was displaced only that is said" $?

folder differs << 'END'
#include "noc.h"
void kernel_main(void) {}
---
#include "noc.h"
void kernel_main(void) {}
END
python3 - "$dir/one.npy" << 'END'
import struct, sys
head = b"{'descr': '<f4', 'fortran_order': False, 'shape': (32, 32), }".ljust(117) + b"\n"
open(sys.argv[1], "wb").write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head + struct.pack("<1024f", *[1.0] * 1024))
END
printf 'grid 1,2\ntensor C zero:32x32 bf16 tiles dram\n' > "$dir/differs/kernel.chip"
forms differs --expect "C=$dir/one.npy"
"$t" kernel run "$dir/differs" --no-build --expect "C=$dir/one.npy" --json - > "$dir/json" 2> "$dir/err"
other=$?
"$t" kernel run "$dir/differs" --no-build --expect "C=$dir/one.npy" --sarif - > "$dir/sarif" 2>> "$dir/err"
[ $? = 1 ] && [ $code = 1 ] && [ $other = 1 ] && grep -q WRONG "$dir/err" && json "$dir/json" 'd["code"] == 1' &&
  json "$dir/sarif" 'd["runs"][0]["invocations"][0]["exitCode"] == 1' && [ ! -e - ]
check "an expectation that does not hold: exit code 1 in all forms; - is one document on standard output" $?
"$t" kernel new "$dir/cut" > "$dir/out" 2>&1
sed -i '/cb_wait_front/d' "$dir/cut/compute.c"
forms cut --max-cycles 9000
[ $code = 5 ] && grep -q 'limit after 9000 cycles' "$dir/out" && ! grep -q WRONG "$dir/out" "$dir/err"
check "after the limit nothing is compared; a finding comes before the limit" $?
"$t" kernel run "$dir/differs" --no-build --json - --sarif - > "$dir/out" 2> "$dir/err"
[ $? = 2 ] && [ "$(wc -l < "$dir/err")" = 1 ]
check "two documents on standard output are refused" $?

python3 tests/agree.py "$dir/agree" > "$dir/wrong"
check "text, JSON and SARIF of these runs agree" $?
echo "1..$n"
exit $bad
