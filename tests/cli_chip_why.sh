# tessera chip run --why: the tile and the line that bound the run, against the same program changed by hand. Prints TAP. Reads BUILD.
. tests/tap.sh
BUILD=${BUILD:-build}
KERNELS=${KERNELS:-$BUILD/kernels}
. tests/why_rig.sh
T=$BUILD/tessera
chip() { "$T" chip run "$@" --check none > "$work/out" 2> "$work/err"; }
within() { # PREDICTED BY_HAND: 5 per cent
  [ $(($2 * 95)) -le $(($1 * 100)) ] && [ $(($1 * 100)) -le $(($2 * 105)) ] && [ "$2" -gt 0 ]
}
cycles_of() { # FILE.chip: of the longest account from kernel_main on
  "$T" chip run "$1" --quiet --check none --account --from kernel_main --json "$work/cycles.json" > "$work/out2" 2>> "$work/err" &&
    python3 -c 'import json, sys; print(max(a["cycles"] for a in json.load(open(sys.argv[1]))["accounts"]))' "$work/cycles.json"
}
predicted() { sed -n 's/^    .*: \([0-9]*\) cycles instead of .*/\1/p' "$work/out" | head -n 1; }

# One tile of four has a reader that divides much.
kernel slow_tile
sed -i 's/^void kernel_main/static volatile uint32_t sink;\n&/' "$k/reader.c"
echo '    for (uint32_t n = 1; n < 40; n++) sink = (i + 99) / n; /* here */' | put reader.c 'cb_push_back(CB_A'
here=reader.c:$(grep -n 'here' "$k/reader.c" | cut -d: -f1)
"$T" kernel build "$k" > "$work/out" 2> "$work/err" && "$T" kernel build "$k" --define CHANGED --build "$k/fast" >> "$work/out" 2>> "$work/err" || exit 1
rest() { # TILES
  sed -n "s/^tensor.*/&/p" "$k/kernel.chip"
  sed -n "s/^\(buffer\|args\) /\1 $1 /p" "$k/kernel.chip"
}
{ rest 1-4,2; printf 'kernel 1-2,2 %s\nkernel 3,2 %s\nkernel 4,2 %s\n' "$k/fast" "$k/build" "$k/fast"; } > "$work/slow.chip"
{ rest 1-4,2; printf 'kernel 1-4,2 %s\n' "$k/fast"; } > "$work/fast.chip"
chip "$work/slow.chip" --why --quiet --threads 1 --json "$work/1.json" && cp "$work/out" "$work/1.txt" && grep -q "^why: tile (3, 2) ended last: bound by NCRISC: $here (kernel_main) takes [0-9.]*% of the cycles" "$work/out" &&
  grep -q '^  change: ' "$work/out"
ok "a slow tile among three others is named, with the line of its own program" $?
saved=$(predicted) by_hand=$(cycles_of "$work/fast.chip")
within "${saved:-0}" "${by_hand:-0}"
ok "its what-if: ${saved:-no} cycles, changed by hand ${by_hand:-no}" $?
grep -q '^  what if, by running again with the change on those of the 4 tiles that it applies to$' "$work/1.txt"
ok "the reruns state that not all tiles have what is changed" $?
chip "$work/slow.chip" --why --quiet --threads 3 --json "$work/3.json" && cmp -s "$work/out" "$work/1.txt" && cmp -s "$work/1.json" "$work/3.json"
ok "verdict and reruns are the same with 1 and 3 host threads" $?
python3 - "$work/1.json" "$here" << 'PYTHON' > "$work/out" 2> "$work/err"
import json, sys
why = json.load(open(sys.argv[1]))["why"]
first = why["critical_path"][0]
assert why["verdict"].startswith("tile (3, 2) ended last: bound by NCRISC: " + sys.argv[2]), why
assert why["what_if"] == "NCRISC@" + sys.argv[2] and why["change"] and why["reruns"][0]["cycles"] < why["cycles"], why
assert first["tile"] == [3, 2] and first["agent"] == "NCRISC" and f'{first["file"].split("/")[-1]}:{first["line"]}' == sys.argv[2], first
PYTHON
ok "JSON has the verdict, its path and its reruns" $?
chip "$work/slow.chip" --quiet --why --what-if none --report "$work/r.html" && grep -q "tile (3, 2) ended last: bound by NCRISC: $here" "$work/r.html" && ! grep -q 'what if, by running' "$work/out"
ok "--what-if none has the verdict alone; the HTML report has the same" $?
chip "$work/slow.chip" --quiet --why --report "$work/r.html" && grep -q 'NCRISC spends no time at reader.c' "$work/r.html"
ok "the HTML report has the reruns" $?

# Below TESSERA_TEST_SCALE 100 these are all: make test has them, make test-all the others.
[ "${TESSERA_TEST_SCALE:-100}" -ge 100 ] || finish

# A tile that waits for another one, which is slow, and then ends last.
kernel waits
sed -i 's/^void kernel_main/static volatile uint32_t sink;\n&/' "$k/writer.c"
cat > "$k/writer.c" << 'PART'
#include "noc.h"
enum { CB_C = 16 };
static volatile uint32_t sink;
void kernel_main(void) {
  const uint32_t me = get_arg_val(2);
  for (uint32_t i = 0, tiles = get_arg_val(1); i < tiles; i++) {
    cb_wait_front(CB_C, 1);
    if (me == 2) {
#ifndef CHANGED
      for (uint32_t n = 0; n < 900; n++) sink += n; /* here */
#endif
      noc_semaphore_inc(get_noc_addr(1, 2, get_semaphore(0)), 1);
      noc_async_atomic_barrier();
    }
    if (me == 0) noc_semaphore_wait_min(get_semaphore(0), i + 1);
    cb_pop_front(CB_C, 1);
  }
  for (uint32_t n = 0; me == 0 && n < 60; n++) sink += n;
}
PART
sed -i 's/^args writer .*/args writer C C.pages col/' "$k/kernel.chip"
here=writer.c:$(grep -n 'here' "$k/writer.c" | cut -d: -f1)
"$T" kernel build "$k" > "$work/out" 2> "$work/err" && "$T" kernel build "$k" --define CHANGED --build "$k/fast" >> "$work/out" 2>> "$work/err" || exit 1
{ rest 1-4,2; printf 'kernel 1-4,2 %s\n' "$k/build"; } > "$work/waits.chip"
{ rest 1-4,2; printf 'kernel 1-4,2 %s\n' "$k/fast"; } > "$work/fast.chip"
chip "$work/waits.chip" --why --quiet && grep -q "^why: tile (1, 2) ended last and waited for tile (3, 2), which has [0-9.]*% of the critical path: bound by BRISC: $here (kernel_main) " "$work/out"
ok "the tile that the last one waited for, and its line" $?
saved=$(predicted) by_hand=$(cycles_of "$work/fast.chip")
within "${saved:-0}" "${by_hand:-0}"
ok "its what-if: ${saved:-no} cycles, changed by hand ${by_hand:-no}" $?
grep -q '^  what if, by running again with the change on all 4 tiles$' "$work/out"
ok "the reruns change all tiles" $?
chip "$work/waits.chip" --why --quiet --timing off && grep -q '^  timing is off: every instruction takes one cycle' "$work/out"
ok "without timing the verdict states that its cycles are not the chip's" $?

# One tile: the verdict of kernel run.
kernel one
echo '    for (uint32_t n = 1; n < 20; n++) *(volatile uint32_t *)0x100000 = (i + 99) / n; /* here */' | put reader.c 'cb_push_back(CB_A'
"$T" kernel run "$k" --check none --why 2> "$work/err" | sed -n '/^why: /,/^$/p' > "$work/kernel"
{ rest 1,2; printf 'kernel 1,2 %s\n' "$k/build"; } > "$work/one.chip"
chip "$work/one.chip" --why --quiet && sed -n '/^why: /,/^$/p' "$work/out" > "$work/chip"
sed 's/[0-9]* cycles instead of [0-9]*/N/; s/[0-9.]*%/N/g; s/last [0-9]* cycles/N/' "$work/kernel" > "$work/kernel.same"
sed 's/[0-9]* cycles instead of [0-9]*/N/; s/[0-9.]*%/N/g; s/last [0-9]* cycles/N/' "$work/chip" > "$work/chip.same"
[ -s "$work/kernel" ] && cmp "$work/kernel.same" "$work/chip.same" >> "$work/err" 2>&1
ok "on one tile: the verdict and the reruns of kernel run" $?

# Tiles with different programs: an address of one program is another line in the other, and no share of its work.
sed "s|build/kernels|$KERNELS|" examples/dispatch/dispatch.chip > "$work/dispatch.chip"
chip "$work/dispatch.chip" --why --quiet && grep -q '^why: tile (16, 11) ended last: ' "$work/out" && ! grep -q 'unequal shares' "$work/out"
ok "a tile that runs another program has no share of the others' work" $?

# Runs without a verdict, and bad options.
printf 'kernel 3,4 %s\nargs 3,4 0 12 7\nkernel 12,7 %s\nargs 12,7 0 3 4\n' "$KERNELS/chip_hang" "$KERNELS/chip_hang" > "$work/hang.chip"
chip "$work/hang.chip" --why --max-cycles 24000 --json "$work/hang.json"
[ $? = 4 ] && grep -q '^why: the run hung, so there is no verdict on its speed' "$work/out" && grep -q '"why":{"verdict":null,"reason":"hang"' "$work/hang.json" && python3 -m json.tool "$work/hang.json" > /dev/null
ok "a hang has no verdict, and says so" $?
chip "$work/waits.chip" --why --quiet --max-cycles 9000
[ $? = 6 ] && grep -q '^why: until the limit of cycles, at which the run had not ended: ' "$work/out" && ! grep -q 'what if' "$work/out"
ok "at the limit of cycles the verdict is about the run so far, without reruns" $?
chip "$work/slow.chip" --quiet --what-if noc --what-if NCRISC@no_such_function
[ $? = 2 ] && [ "$(wc -l < "$work/err")" = 1 ] && [ ! -s "$work/out" ]
ok "--what-if of code that no tile has is one line, before the run" $?
chip "$work/slow.chip" --what-if nonsense
[ $? = 2 ] && [ "$(wc -l < "$work/err")" = 1 ] && grep -q '^tessera chip: --what-if takes ' "$work/err"
ok "--what-if of a change that there is not is one line" $?
chip "$work/slow.chip" --why --gdb "unix:$work/socket"
[ $? = 2 ] && [ "$(wc -l < "$work/err")" = 1 ]
ok "--why and --gdb are one line" $?
chip "$work/slow.chip" --quiet --what-if noc --what-if lofi && grep -q '^    the NoC.* cycles instead of ' "$work/out" && [ "$(grep -c ' cycles instead of \|does not apply' "$work/out")" = 2 ]
ok "--what-if CHANGE: a line for each" $?
# A ring: each tile passes a page on, waits until it has left, and only then counts it up at the receiver. The wait takes most of the path, and a
# barrier behind the loop would save it, but the count rests on it: the checkers find a race in that rerun, so no advice moves the wait.
mkdir "$work/ring" && cat > "$work/ring/kernel.chip" << 'PART'
grid 1-4,2
tensor A zero:128x32 bf16 tiles dram
tensor C zero:512x32 bf16 tiles dram
buffer 0 4 A
args reader A col 2
args writer C col
PART
cat > "$work/ring/reader.cpp" << 'PART'
#include "dataflow_api.h"
void kernel_main() {
  const uint32_t a = get_arg_val<uint32_t>(0), me = get_arg_val<uint32_t>(1), y = get_arg_val<uint32_t>(2), tiles = 4;
  const uint32_t bytes = get_tile_size(0), next_x = 1 + (me + 1) % tiles, semaphore = get_semaphore(0);
  const InterleavedAddrGenFast<true> from = {.bank_base_address = a, .page_size = bytes, .data_format = get_dataformat(0)};
  cb_reserve_back(0, tiles);
  const uint32_t base = get_write_ptr(0);
  noc_async_read_tile(me, from, base + me * bytes);
  noc_async_read_barrier();
  for (uint32_t step = 0; step < tiles - 1; step++) {
    const uint32_t at = base + (me + tiles - step) % tiles * bytes;
    noc_async_write(at, get_noc_addr(next_x, y, at), bytes);
    noc_async_write_barrier(); // here
    noc_semaphore_inc(get_noc_addr(next_x, y, semaphore), 1);
    noc_semaphore_wait_min(reinterpret_cast<volatile tt_l1_ptr uint32_t*>(semaphore), step + 1);
  }
  cb_push_back(0, tiles);
}
PART
cat > "$work/ring/writer.cpp" << 'PART'
#include "dataflow_api.h"
void kernel_main() {
  const uint32_t c = get_arg_val<uint32_t>(0), me = get_arg_val<uint32_t>(1), bytes = get_tile_size(0);
  const InterleavedAddrGenFast<true> to = {.bank_base_address = c, .page_size = bytes, .data_format = get_dataformat(0)};
  cb_wait_front(0, 4);
  for (uint32_t i = 0; i < 4; i++) noc_async_write_tile(me * 4 + i, to, get_read_ptr(0) + i * bytes);
  noc_async_write_barrier();
  cb_pop_front(0, 4);
}
PART
here=reader.cpp:$(grep -n '// here' "$work/ring/reader.cpp" | cut -d: -f1)
"$T" kernel run "$work/ring" --why > "$work/out" 2> "$work/err"
[ $? -eq 0 ] && ! grep -q 'behind the loop instead' "$work/out" &&
  grep -q "^  change: more requests in flight.*what follows the wait at $here in its loop rests on it" "$work/out"
ok "no advice moves a wait on which a semaphore rests" $?
"$T" kernel run "$work/ring" --why --what-if "NCRISC@$here behind its loop" --json "$work/ring.json" > "$work/out" 2> "$work/err"
[ $? -eq 0 ] && grep -q 'cycles instead of [0-9]*, .*, but with a new error: CB_RACE at ' "$work/out" && grep -q '"race":"CB_RACE at ' "$work/ring.json"
ok "a what-if that moves it names the race that it makes" $?

finish
