# `tessera kernel run --why` on a chip: kernels made from the template of `kernel new`, each slow for one reason. The account begins with the kernels
# (--from), every row sums to its cycles, the verdict names the cause and the line marked here, and the rerun takes as long, within 5 %, as
# the kernel compiled with CHANGED, from which the cause is removed by hand. Prints TAP. Reads BUILD.
. tests/tap.sh
BUILD=${BUILD:-build}
. tests/why_rig.sh

# The template: boot is not part of the account, and the verdict is about the kernels.
kernel template
"$BUILD/tessera" kernel run "$k" --why --account --check none > "$work/out" 2> "$work/err"
whole=$(sed -n 's/^done after \([0-9]*\) cycles/\1/p' "$work/out")
own=$(sed -n 's/^where the cycles go: each line sums to //p' "$work/out")
[ "${own:-0}" -gt 5000 ] && [ $((${own:-0} + 4000)) -lt "${whole:-0}" ] && ! grep -q 'PC buffer [0-9]* ([1-9][0-9]' "$work/out"
ok "the account of a kernel begins with kernel_main: $own of $whole cycles" $?
grep -q 'why: bound by the NoC: NCRISC waits for its requests at reader.c:13 ' "$work/out" && adds_up
ok "the template waits for the NoC" $?
"$BUILD/tessera" kernel run "$k" --why --what-if none --from start --account --check none > "$work/out" 2> "$work/err" &&
  grep -q "each line sums to $whole\$" "$work/out" && adds_up
ok "--from start: the whole run" $?
"$BUILD/tessera" kernel run "$k" --account --from no_such > "$work/out" 2> "$work/err"
[ $? -eq 2 ] && grep -q "^tessera kernel: --from: no core's executable has a function 'no_such'\$" "$work/err" && [ "$(wc -l < "$work/err")" -eq 1 ]
ok "--from an unknown function is one line and exit code 2" $?
"$BUILD/tessera" kernel run "$k" --account --from zone:never > "$work/out" 2> "$work/err"
[ $? -eq 2 ] && grep -q "^tessera kernel: --from: no zone 'never' began in this run, so it has no account\$" "$work/err"
ok "--from a zone that never begins is one line and exit code 2" $?
"$BUILD/tessera" kernel run "$k" --why --account --from zone:never > "$work/out" 2> "$work/err"
[ $? -eq 2 ] && ! grep -q '^why\|where the cycles go\|what if' "$work/out"
ok "--from a zone that never begins: no account and no verdict" $?
# The compiler inlines a small kernel_main into the entry code: no core reaches its symbol, but the debug information has the place.
mkdir "$work/inlined" && echo 'grid 1,2' > "$work/inlined/kernel.chip"
cat > "$work/inlined/reader.c" << 'PART'
#include "noc.h"
static volatile uint32_t z;
static void twice(uint32_t q) {
  z += q;
  z ^= q;
}
void kernel_main(void) {
  for (uint32_t q = 0; q < 2000; q++)
    z += q;
  for (uint32_t q = 0; q < 1000; q++)
    twice(q);
}
PART
"$BUILD/tessera" kernel run "$work/inlined" --why --account --what-if none --check none > "$work/out" 2> "$work/err"
code=$?
whole=$(sed -n 's/^done after \([0-9]*\) cycles/\1/p' "$work/out")
own=$(sed -n 's/^where the cycles go: each line sums to //p' "$work/out")
! riscv64-unknown-elf-objdump -d "$work/inlined/build/ncrisc.elf" | grep -q 'jal.*<kernel_main>' && [ $code -eq 0 ] && [ ! -s "$work/err" ] &&
  [ "${own:-0}" -gt 10000 ] && [ $((${own:-0} + 2000)) -lt "${whole:-0}" ] && adds_up 5
ok "an inlined kernel_main: the account begins with it: $own of $whole cycles" $?
grep -q '^why: bound by NCRISC: .* (kernel_main.*) takes' "$work/out" && ! grep -q 'kernel_entry\|circular_buffer.h' "$work/out"
ok "an inlined kernel_main: the verdict names its lines, and not the entry code around it" $?
"$BUILD/tessera" kernel run "$work/inlined" --account --from twice --check none > "$work/out" 2> "$work/err"
later=$(sed -n 's/^where the cycles go: each line sums to //p' "$work/out")
[ "${later:-0}" -gt 5000 ] && [ $((${later:-0} + 8000)) -lt "${own:-0}" ]
ok "--from an inlined function: $later of $own cycles" $?
riscv64-unknown-elf-strip -g "$work/inlined/build/ncrisc.elf" # the symbol stays, the place where it is inlined does not
"$BUILD/tessera" kernel run "$work/inlined" --no-build --why --account --what-if none --check none > "$work/out" 2> "$work/err"
[ $? -eq 0 ] && grep -q "each line sums to $whole\$" "$work/out" && grep -q '^why: bound by NCRISC' "$work/out" && adds_up 5 &&
  [ "$(cat "$work/err")" = 'tessera kernel: note: no core reached a function kernel_main, so the account begins with the run' ]
ok "a kernel_main that no core reaches: the account of the run, and a note" $?
echo '    DeviceZoneScopedN("copy");' | put reader.c 'noc_async_read_page(i, &a'
"$BUILD/tessera" kernel run "$k" --account --from zone:copy --check none > "$work/out" 2> "$work/err" &&
  zoned=$(sed -n 's/^where the cycles go: each line sums to //p' "$work/out") && [ "$zoned" -lt "$own" ] && [ "$zoned" -gt 3000 ] && adds_up
ok "--from zone:copy begins later" $?
rm "$k/reader.c"
cat > "$k/reader.cpp" << 'PART'
void kernel_main() {
  for (uint32_t i = 0; i < get_arg_val<uint32_t>(2); i++)
    for (uint32_t cb = 0; cb < 2; cb++) {
      cb_reserve_back(cb, 1);
      cb_push_back(cb, 1);
    }
}
PART
"$BUILD/tessera" kernel run "$k" --account --from kernel_main --check none > "$work/out" 2> "$work/err"
plus=$(sed -n 's/^where the cycles go: each line sums to //p' "$work/out")
[ "${plus:-0}" -gt 3000 ] && [ $((${plus:-0} + 4000)) -lt "$(sed -n 's/^done after \([0-9]*\) cycles/\1/p' "$work/out")" ]
ok "kernel_main of a C++ kernel" $?

# The profile: callgrind, speedscope and annotate have the same sum; a line has the cycles of what is inlined there; cores are not added up.
"$BUILD/tessera" kernel new "$work/mine" > "$work/out" && "$BUILD/tessera" kernel run "$work/mine" --profile "$work/mine.callgrind" --from kernel_main > "$work/out" 2> "$work/err" &&
  "$BUILD/tessera" kernel run "$work/mine" --no-build --profile "$work/mine.json" --from kernel_main > "$work/out" 2> "$work/err" &&
  "$BUILD/tessera" annotate "$work/mine.callgrind" > "$work/annotated" 2> "$work/err"
own=$(awk '$3 ~ /%$/ { sum += $1 } END { print sum }' "$work/annotated")
scope=$(python3 -c 'import json, sys; print(sum(sum(p["weights"]) for p in json.load(open(sys.argv[1]))["profiles"]))' "$work/mine.json")
[ "${own:-0}" -gt 20000 ] && [ "$own" = "$scope" ]
ok "annotate and speedscope have the same cycles: $own and $scope" $?
if command -v callgrind_annotate > "$work/where"; then
  callgrind_annotate --auto=no --show=Cycles,SrcA_bank "$work/mine.callgrind" > "$work/out" 2> "$work/err"
  [ "$(awk '/PROGRAM TOTALS/ { gsub(/,/, "", $1); print $1 }' "$work/out")" = "$own" ] &&
    grep 'mop_run' "$work/out" | sed 's/([^)]*%)//g' | awk '/, TRISC/ && $2 != "0" { bad = 1 } /, thread 1/ && $2 != "0" { seen = 1 } END { exit bad || !seen }'
  ok "callgrind_annotate has the same cycles and keeps the cores apart" $?
fi
"$BUILD/tessera" annotate "$work/mine.callgrind" --file reader.c > "$work/out" 2> "$work/err"
head -n 1 "$work/out" | grep -q "/mine/reader.c: " && grep -qE '^ +0 +[1-9][0-9]{3} +[0-9.]+%  NCRISC polling +13      noc_async_read_barrier\(\);$' "$work/out"
ok "annotate: a line has the cycles of what is inlined there, and their reason" $?
# What a line calls without inlining counts for it, with its reason.
kernel called
sed -i 's/^void kernel_main/__attribute__((noinline)) static void complete(void) {\n  noc_async_read_barrier();\n}\n&/; s/^    noc_async_read_barrier();/    complete(); \/* called *\//' "$k/reader.c"
"$BUILD/tessera" kernel run "$k" --check none --profile "$work/called.callgrind" --from kernel_main > "$work/out" 2> "$work/err" &&
  "$BUILD/tessera" annotate "$work/called.callgrind" --file reader.c > "$work/out" 2> "$work/err" &&
  grep -qE '^ +[0-9]+ +[1-9][0-9]{3} +[0-9.]+%  NCRISC polling +[0-9]+      complete\(\); /\* called' "$work/out"
ok "annotate: a line that calls a function has the reason of most of those cycles" $?
# Calls: with their number and what they cost until they return; what a function has is what its callers have for it.
kernel calls
sed -i 's/^void kernel_main/static volatile uint32_t seed = 3;\n__attribute__((noinline)) uint32_t leaf(uint32_t n) {\n  for (uint32_t i = 0; i < n; i++) seed = seed * 3 + 1;\n  return seed;\n}\nstatic inline uint32_t twice(uint32_t x) { return seed += 2 * x; }\n__attribute__((noinline)) uint32_t middle(uint32_t n) { return leaf(n) + leaf(2 * n) + twice(n); }\n__attribute__((noinline)) uint32_t last(uint32_t n) { seed = n; return leaf(n); }\n&/; s/^    noc_async_read_barrier/    middle(10), leaf(5), last(3);\n&/' "$k/reader.c"
for from in kernel_main start; do
  "$BUILD/tessera" kernel run "$k" --check none --from $from --profile "$work/calls.callgrind" > "$work/out" 2> "$work/err"
  for agent in BRISC TRISC0 TRISC1 TRISC2 'thread 1 (math)' 'thread 2 (pack)'; do python3 tests/read_profile.py "$work/calls.callgrind" "$agent" 2>> "$work/err"; done
  python3 tests/read_profile.py "$work/calls.callgrind" NCRISC 'kernel_main > middle=16' 'kernel_main > leaf=16' 'middle > leaf=32' 'middle > twice=16' \
    'kernel_main > last=16' 'last > leaf=16' 'kernel_main > noc_async_read_barrier=16' 'kernel_entry > kernel_main=1' 2>> "$work/err"
  [ ! -s "$work/err" ]
  ok "calls: edges with counts and inclusive costs, from $from" $?
done
if command -v callgrind_annotate > "$work/where"; then
  for option in yes no; do
    callgrind_annotate --auto=no --threshold=100 --show=Cycles --inclusive=$option "$work/calls.callgrind" 2> "$work/err" | tr -d , > "$work/inclusive.$option"
  done
  [ "$(grep 'PROGRAM TOTALS' "$work/inclusive.yes")" = "$(grep 'PROGRAM TOTALS' "$work/inclusive.no")" ] && [ ! -s "$work/err" ] &&
    [ "$(awk '/:leaf NCRISC/ { print $1 }' "$work/inclusive.yes")" = "$(awk '/:leaf NCRISC/ { print $1 }' "$work/inclusive.no")" ] &&
    [ "$(awk '/:_start NCRISC/ { print $1 }' "$work/inclusive.yes")" = "$(awk '/ NCRISC \[/ { sum += $1 } END { print sum }' "$work/inclusive.no")" ]
  ok "callgrind_annotate --inclusive=yes: the first function has all cycles of its core" $?
fi
! grep -q '/\.\./' "$work/mine.callgrind" && [ "$(sed -n 's/^fl=//p' "$work/mine.callgrind" | grep -c . )" -gt 10 ] &&
  [ "$(sed -n 's/^fl=//p' "$work/mine.callgrind" | sort -u | sed 's|.*/||' | sort | uniq -d | wc -l)" -eq 0 ]
ok "each source file has one path in the profile" $?

kernel barrier_each
insert reader.c 'noc_async_read_page(i, &a' << 'PART'
    for (uint32_t n = 0; n < 8; n++) {
      noc_async_read(get_noc_addr(12, 9, 0x80000 + n * 256), get_write_ptr(CB_A) + n * 256, 256);
#ifndef CHANGED /* one barrier for all eight; the compiler keeps the loop's instructions, as the rerun does */
      noc_async_read_barrier(); /* here: one request at a time */
#else
      __asm__ volatile("" ::: "memory");
#endif
    }
PART
sed -i '/noc_async_read_page/d' "$k/reader.c"
slow 'bound by the NoC: NCRISC waits for its requests at @here (kernel_main, in noc_async_read_barrier)'
grep -q "change: one barrier for all requests of the loop at reader.c:[0-9]*-[0-9]*: move that of $here behind it" "$work/out" && grep -q "NCRISC waits behind the loop instead of at $here: [0-9]* cycles" "$work/out"
ok "barrier_each: the advice and the rerun are the same change" $?

# Below TESSERA_TEST_SCALE 100 these are all: make test has them, make test-all the others.
[ "${TESSERA_TEST_SCALE:-100}" -ge 100 ] || finish

# Changed, they are one; the line's own what-if leaves them out.
kernel small_requests
insert reader.c 'noc_async_read_page(i, &a' << 'PART'
#ifdef CHANGED
    noc_async_read(get_noc_addr(2, 2, 0x80000), get_write_ptr(CB_A), 2048);
#elif !defined REMOVED
    for (uint32_t n = 0; n < 2048; n += 64) noc_async_read(get_noc_addr(2, 2, 0x80000 + n), get_write_ptr(CB_A) + n, 64); /* here */
#endif
PART
slow 'bound by NCRISC: @here (kernel_main, in noc_async_read)'
"$BUILD/tessera" kernel run "$k" --what-if "NCRISC@$here" --check none > "$work/out" 2> "$work/err"
predicted=$(sed -n 's/^    NCRISC spends no time at .*: \([0-9]*\) cycles instead of .*/\1/p' "$work/out")
by_hand=$("$BUILD/tessera" kernel run "$k" --define REMOVED --build "$k/removed" --account --from kernel_main --check none 2>> "$work/err" | sed -n 's/^where the cycles go: each line sums to //p')
[ $((${by_hand:-0} * 95)) -le $((${predicted:-0} * 100)) ] && [ $((${predicted:-0} * 100)) -le $((${by_hand:-0} * 105)) ]
ok "small_requests: what-if: ${predicted:-no} cycles, without the requests ${by_hand:-no}" $?

kernel writer_rows
insert writer.c 'noc_async_write_page(i, &c' << 'PART'
    for (uint32_t n = 0; n < 8; n++) {
      noc_async_write(get_read_ptr(CB_C) + n * 256, get_noc_addr(12, 9, 0x80000 + n * 256), 256);
#ifndef CHANGED /* one barrier for all eight: that of the template follows */
      noc_async_write_barrier(); /* here */
#endif
    }
PART
sed -i '/noc_async_write_page/d' "$k/writer.c"
slow 'bound by the NoC: BRISC waits for its requests at @here (kernel_main, in noc_async_write_barrier)'

kernel writer_copies
sed -i 's/#include "noc.h"/#include "noc.h"\n#include "dataflow.h"/' "$k/writer.c"
echo '    l1_copy(0x90000, get_read_ptr(CB_C), 2048); /* here: by the core itself */' | put writer.c 'noc_async_write_page'
slow 'bound by BRISC: @here (kernel_main, in l1_copy)'

kernel reconfigure
echo '    for (int n = 0; n < 4; n++) binary_op_init(CB_A, CB_B, CB_C), add_tiles_init(); /* here: in all three cores */' | put compute.c 'add_tiles(CB_A'
slow 'bound by TRISC1: @here (kernel_main, in add_tiles_init) takes'

kernel sfpu_in_loop
sed -i 's/  add_tiles_init();/  add_tiles_init();\n  exp_tile_init();/' "$k/compute.c"
echo '    exp_tile(0); /* here */' | put compute.c 'tile_regs_commit'
slow 'bound by the vector unit, busy 7'

kernel pack_often
echo '    for (int n = 0; n < 16; n++) pack_tile_at(0, CB_C, 0); /* here */' | put compute.c 'pack_tile(0'
slow 'bound by TRISC2: @here (kernel_main, in pack_tile_at) takes'

# Unpackers and matrix unit: without the line neither side of the Src banks is left; executed in no time, it ends as well.
without_line() {
  at=compute.c:$(sed -n '/here/=' "$k/compute.c")
  "$BUILD/tessera" kernel run "$k" --what-if "trisc1@$at" --what-if "trisc0@$at executed" --check none > "$work/out" 2> "$work/err"
  by_hand=$("$BUILD/tessera" kernel run "$k" --define CHANGED --build "$k/changed" --account --from kernel_main --check none 2>> "$work/err" | sed -n 's/^where the cycles go: each line sums to //p')
  sed -n 's/^    the T cores spend no time at .*: \([0-9]*\) cycles instead of .*/\1/p' "$work/out" |
    awk -v want="$by_hand" '{ n++ } n == 1 && ($1 < want * 0.95 || $1 > want * 1.05) { bad = 1 } END { exit bad || n != 2 }'
  ok "$(basename "$k"): the T cores spend no time at $at: as without it, $by_hand cycles" $?
}
kernel adds_often
echo '    for (int n = 0; n < 30; n++) add_tiles(CB_A, CB_B, 0, 0, 0); /* here */' | put compute.c 'cb_pop_front(CB_A'
without_line
# The unpackers are busy most of the time and yet not the cause: their rerun refutes it, and the next cause is tried.
slow 'bound by TRISC0: @here (kernel_main, in add_tiles) takes'
grep -q 'the unpackers move a tile in one cycle: [0-9]* cycles instead of [0-9]*, no faster' "$work/out"
ok "adds_often: the rerun that refutes the other cause is shown" $?
grep -q "change: fewer calls of add_tiles at $here, " "$work/out"
ok "adds_often: the advice is about the calls" $?
kernel products
sed -i 's/binary_op_init(CB_A, CB_B, CB_C)/mm_init(CB_A, CB_B, CB_C)/; /add_tiles_init/d; s/add_tiles(CB_A/matmul_tiles(CB_A/' "$k/compute.c"
echo '    for (int n = 0; n < 40; n++) matmul_tiles(CB_A, CB_B, 0, 0, 0); /* here */' | put compute.c 'cb_pop_front(CB_A'
without_line

kernel math_core_computes
sed -i 's/^void kernel_main/volatile uint32_t seed = 7;\nvoid kernel_main/' "$k/compute.c"
put compute.c 'tile_regs_commit' << 'PART'
#ifdef TRISC_MATH
    for (int n = 0; n < 300; n++) seed = seed * 5 + 1; /* here */
#endif
PART
slow 'bound by TRISC1: @here (kernel_main) takes'

# The throttle's NOPs are those of the math thread: the pack thread needs its own.
kernel throttled
sed -i '1i #define MATH_FIDELITY 0\n#ifndef CHANGED\n#define MM_THROTTLE 5\n#endif' "$k/compute.c"
sed -i 's/binary_op_init(/mm_init(/; /add_tiles_init/d; s|^    add_tiles(CB_A.*|    for (int n = 0; n < 40; n++) matmul_tiles(CB_A, CB_B, 0, 0, 0);|' "$k/compute.c"
slow 'bound by the throttle of the matrix unit: NOPs between its instructions; it is busy'

# A call that sets up the threads in each turn of a loop: without it there are no waits for the threads, and they are set up once.
kernel init_often
sed -i 's/binary_op_init(/mm_init(/; /add_tiles_init/d; s|^    add_tiles(CB_A.*|    for (int n = 0; n < 10; n++) {\n#ifndef CHANGED\n      mm_init(CB_A, CB_B, CB_C); /* here */\n#endif\n      matmul_tiles(CB_A, CB_B, 0, 0, 0);\n    }|' "$k/compute.c"
slow 'bound by TRISC1: @here (kernel_main, in mm_init) takes'
grep -q 'change: fewer calls of mm_init at compute.c:[0-9]*, or of a cheaper one' "$work/out"
ok "init_often: the change is fewer calls" $?

# The same with a call that writes Config and GPRs, and with one of three calls that configure MOPs behind instructions still in the store queue.
kernel init_config
sed -i 's|^    add_tiles(CB_A.*|    for (int n = 0; n < 20; n++) {\n#ifndef CHANGED\n      binary_op_init(CB_A, CB_B, CB_C); /* here */\n#endif\n      add_tiles(CB_A, CB_B, 0, 0, 0);\n    }|' "$k/compute.c"
slow 'bound by TRISC0: @here (kernel_main, in binary_op_init) takes'
kernel init_mops
sed -i 's|^    add_tiles(CB_A.*|    for (int n = 0; n < 20; n++) {\n#ifndef CHANGED\n      add_tiles_init(); mul_tiles_init(); add_tiles_init(); /* here */\n#endif\n      add_tiles(CB_A, CB_B, 0, 0, 0);\n    }|' "$k/compute.c"
slow 'bound by TRISC1: @here (kernel_main, in '

kernel reader_divides
echo '    for (uint32_t n = 1; n < 60; n++) ((volatile uint32_t *)get_write_ptr(CB_A))[511] = (i + 0x7fffffffu) / n; /* here */' | put reader.c 'cb_push_back(CB_A'
slow 'bound by NCRISC: @here (kernel_main) takes'

# The rerun and the verdict cover a whole call, inlined or not, and a whole loop.
kernel calls_inlined
cat > "$k/util.h" << 'PART'
static inline ATTRIBUTE uint32_t scrub(volatile uint32_t *p, uint32_t n) {
  uint32_t s = 0;
  for (uint32_t i = 0; i < n; i++)
    s += p[i];
  return s;
}
PART
sed -i 's/#include "noc.h"/#include "noc.h"\n#define ATTRIBUTE\n#include "util.h"/' "$k/reader.c"
echo '    scrub((volatile uint32_t *)get_write_ptr(CB_A), 400); /* here */' | put reader.c 'cb_push_back(CB_A'
slow 'bound by NCRISC: @here (kernel_main, in scrub) takes 6'
"$BUILD/tessera" kernel run "$k" --what-if ncrisc@util.h:3-4 --what-if ncrisc@scrub --check none > "$work/out" 2> "$work/err"
[ "$(sed -n 's/^    .*: \([0-9]*\) cycles instead of .*/\1/p' "$work/out" | awk -v want="$by_hand" '$1 > want * 0.99 && $1 < want * 1.01 { n++ } END { print n }')" = 2 ]
ok "calls_inlined: its lines and its function are other names of the same" $?

cp -r "$k" "$work/calls_function" && k=$work/calls_function && rm -rf "$k/build"
sed -i 's/#define ATTRIBUTE/#define ATTRIBUTE __attribute__((noinline))/' "$k/reader.c"
slow 'bound by NCRISC: @here (kernel_main, in scrub) takes 5'
! grep -q 'constprop\|isra' "$work/out" && grep -q 'most at util.h:[34] (scrub)' "$work/out"
ok "calls_function: names are those of the source" $?

"$BUILD/tessera" kernel run "$k" --no-build --account --from scrub --check none > "$work/out" 2> "$work/err" &&
  [ "$(sed -n 's/^where the cycles go: each line sums to //p' "$work/out")" -gt 5000 ]
ok "calls_function: --from takes the name of the source, though the compiler has made a copy" $?

# A function that is inlined at several lines is named, with all its cycles, and the rerun is without all of them.
cp -r "$work/calls_inlined" "$work/calls_often" && k=$work/calls_often && rm -rf "$k/build" "$k/changed"
sed -i 's|^\(    scrub(.*\) /\* here \*/|\1\n\1\n\1|' "$k/reader.c"
slow 'bound by NCRISC: the function scrub (most at util.h:3) takes 8'

kernel loops
put reader.c 'cb_push_back(CB_A' << 'PART'
    volatile uint32_t *p = (volatile uint32_t *)get_write_ptr(CB_A);
    for (uint32_t j = 0; j < 256; j++) { /* here */
      uint32_t v = p[j];
      v ^= 0x80008000;
      p[j] = v;
    }
PART
slow "bound by NCRISC: the loop at @here-$(($(grep -n '/\* here' "$k/reader.c" | cut -d: -f1) + 3)) (kernel_main) takes"

# Two causes side by side: the change of one saves little, and the rerun without it names the other; both changed take as long as by hand.
cp -r "$work/loops" "$work/two" && k=$work/two && rm -rf "$k/build" "$k/changed"
echo '    for (uint32_t j = 0; j < 512; j++) (void)((volatile uint32_t *)get_read_ptr(CB_C))[j]; /* there */' | put writer.c 'noc_async_write_page'
there=writer.c:$(grep -n '/\* there' "$k/writer.c" | cut -d: -f1)
"$BUILD/tessera" kernel run "$k" --why --json "$work/why.json" --check none > "$work/out" 2> "$work/err"
grep -q '^why: bound by .*\(reader\|writer\).c:' "$work/out" && grep -q '^    then bound by .*\(reader\|writer\).c:' "$work/out" &&
  grep -qE "(why: |then )bound by BRISC: (the loop at )?$there" "$work/out" && grep -qE '(why: |then )bound by NCRISC: the loop at reader.c:' "$work/out" &&
  grep -q '"what_if":"[^"]* + [^"]*"' "$work/why.json"
ok "two: both causes are named" $?
predicted=$(sed -n 's/^    also .*: \([0-9]*\) cycles instead of .*/\1/p' "$work/out" | head -n 1)
by_hand=$("$BUILD/tessera" kernel run "$k" --define CHANGED --build "$k/changed" --account --from kernel_main --check none 2>> "$work/err" | sed -n 's/^where the cycles go: each line sums to //p')
[ $((${by_hand:-0} * 95)) -le $((${predicted:-0} * 100)) ] && [ $((${predicted:-0} * 100)) -le $((${by_hand:-0} * 105)) ]
ok "two: with both changes ${predicted:-no} cycles, changed by hand ${by_hand:-no}" $?

# One page per buffer. The reader is the cause, or the buffers are: reruns decide.
cp -r "$work/calls_inlined" "$work/single_but_slow" && k=$work/single_but_slow && rm -rf "$k/build" "$k/changed"
sed -i 's/^buffer \([0-9]*\) *2/buffer \1 1/' "$k/kernel.chip"
slow 'bound by NCRISC: @here (kernel_main, in scrub) takes'
grep -q 'circular buffers of one page have two: [0-9]* cycles' "$work/out"
ok "single_but_slow: the rerun of the other cause is shown" $?
kernel single
sed -i 's/^buffer \([0-9]*\) *2/buffer \1 1/' "$k/kernel.chip"
"$BUILD/tessera" kernel run "$k" --why --check none > "$work/out" 2> "$work/err"
grep -q 'why: bound by a single buffer: CB [01] has one page, and its two sides take turns: reader.c:\(9\|10\) ' "$work/out"
ok "single: the buffer is the cause, at the line that waits for room" $?

# A core that computes between its pushes is not told to push less; each share is of what it is said of.
"$BUILD/tessera" kernel run "$work/math_core_computes" --why --check none > "$work/out" 2> "$work/err"
grep -q 'change: do less on this core between its pushes' "$work/out" && grep -q 'takes [0-9.]*% of the cycles; TRISC1 has [0-9.]*% of the critical path$' "$work/out"
ok "math_core_computes: advice and shares" $?

# After a hang there is no verdict on the speed.
kernel hangs
sed -i '/cb_push_back(CB_C/d' "$k/compute.c"
for tiles in 1,2 1-2,2; do
  sed -i "s/^grid   [0-9,-]*/grid   $tiles/" "$k/kernel.chip"
  "$BUILD/tessera" kernel run "$k" --why > "$work/out" 2> "$work/err"
  [ $? -eq 4 ] && grep -q '^why: the run hung, so there is no verdict on its speed; the hang report above' "$work/out" &&
    ! grep -q 'bound by\|change:\|what if' "$work/out" && grep -q 'has been waiting for page 1' "$work/out"
  ok "hangs, on $tiles: the hang instead of a verdict" $?
done
"$BUILD/tessera" kernel run "$k" --tile 1,2 --no-build --report "$work/hang.html" > "$work/out" 2> "$work/err"
grep -q 'why: the run hung' "$work/hang.html" && ! grep -q 'why: bound by' "$work/hang.html"
ok "hangs: nor in the HTML report" $?

# The account ends with the fault, or with the last progress of a hang, and every row sums to it.
ends() { # WORD: the run ends with it
  start=$(sed -n 's/^where the cycles go: each line sums to //p' "$work/out")
  after=$(sed -n "s/^$1 after \([0-9]*\) cycles.*/\1/p" "$work/out")
  [ "${start:-0}" -gt 1000 ] && [ "$start" -le "$after" ] && [ $((after - start)) -lt 6000 ] && adds_up &&
    awk -v end="$after" '/^core/ { on = 1; next } on && NF == 0 { on = 0 } on && $3 > end { print; bad = 1 } /^thread [012]/ && $5 > end && /STALL|semaphore/ && !/%/ { print; bad = 1 } END { exit bad }' "$work/out" >> "$work/err"
}
sed -i 's/^grid   [0-9,-]*/grid   1,2/' "$k/kernel.chip"
"$BUILD/tessera" kernel run "$k" --no-build --account --from kernel_main --verbose > "$work/out" 2> "$work/err"
ends hang
ok "hangs: the account ends with the last progress: $start of $after cycles" $?
kernel faults
echo '    if (i == 4) *(volatile uint32_t *)0xf0000000 = 1;' | put reader.c 'cb_push_back(CB_A'
"$BUILD/tessera" kernel run "$k" --why > "$work/out" 2> "$work/err"
[ $? -eq 3 ] && grep -q '^why: the run ended with a fault, so there is no verdict on its speed' "$work/out" && ! grep -q 'bound by\|what if' "$work/out"
ok "faults: the fault instead of a verdict" $?
"$BUILD/tessera" kernel run "$k" --no-build --account --from kernel_main --verbose > "$work/out" 2> "$work/err"
ends fault
ok "faults: the account ends with the fault: $start of $after cycles" $?

# A KERNEL_CHECK that does not hold is neither a hang nor an end, whether the other cores wait for the stopped one or not.
kernel checked
for tiles in 1,2 1-2,2; do
  sed -i "s/^grid   [0-9,-]*/grid   $tiles/" "$k/kernel.chip"
  for what in 'pack_tile(9, CB_C)' 'KERNEL_CHECK(i != 3, "not three"); pack_tile(0, CB_C)'; do
    sed -i "s/^ .*pack_tile(.*/    $what;/" "$k/compute.c"
    "$BUILD/tessera" kernel run "$k" --why --json "$work/why.json" > "$work/out" 2> "$work/err"
    [ $? -eq 3 ] && grep -q '^why: a KERNEL_CHECK did not hold and ended the run, so there is no verdict on its speed' "$work/out" &&
      ! grep -q 'bound by\|what if\|hung' "$work/out" && grep -q '"verdict":null,"reason":"check"' "$work/why.json"
    ok "checked, on $tiles: $what: the check instead of a verdict" $?
  done
done

# A run that reaches --max-cycles has a verdict on the cycles until then, which says so, and no rerun: its length is not known.
for tiles in 1,2 1-2,2; do
  sed -i "s/^grid   [0-9,-]*/grid   $tiles/" "$work/loops/kernel.chip"
  "$BUILD/tessera" kernel run "$work/loops" --why --check none --max-cycles 30000 > "$work/out" 2> "$work/err"
  [ $? -eq 6 ] && grep -q '^why: until the limit of cycles, at which the run had not ended: .*bound by NCRISC: the loop at ' "$work/out" &&
    ! grep -q 'what if\|ended last' "$work/out"
  ok "loops, on $tiles: the verdict under --max-cycles" $?
done

# A grid: the verdict is about the tile that ended last, not the first one.
kernel last_tile
sed -i 's/^grid   1,2 /grid   1-2,2-3 /; s/^args reader .*/args reader A B 4 col row/; s/^args compute .*/args compute 4/; s/^args writer .*/args writer C 4/' "$k/kernel.chip"
sed -i 's/^void kernel_main/volatile uint32_t seed = 3;\nvoid kernel_main/' "$k/reader.c"
put reader.c 'cb_push_back(CB_A' << 'PART'
    if (get_arg_val(3) && get_arg_val(4)) for (uint32_t n = 0; n < 200; n++) seed = seed * 3 + 1; /* here */
PART
slow 'tile (2, 3) ended last: bound by NCRISC: @here (kernel_main) takes'
grep -q '^  what if, by running again with the change on all 4 tiles$' "$work/out"
ok "last_tile: reruns state that they change all tiles" $?
"$BUILD/tessera" kernel run "$k" --no-build --check none --report "$work/grid.html" --json "$work/grid.json" > "$work/out" 2> "$work/err"
cycles=$(sed -n 's/^\([0-9]*\) cycles: 4 tiles ran.*/\1/p' "$work/out")
grep -q "^done after $cycles cycles\$" "$work/out" && grep -q "\"cycles\":$cycles[,}]" "$work/grid.json" &&
  [ "$(grep -o '"result":"done","code":[0-9]*,"cycles":[0-9]*\|"cycles":[0-9]*,"timing"' "$work/grid.html" | grep -c "\"cycles\":$cycles")" -eq 5 ] &&
  [ "$(grep -o '"end":[0-9]*' "$work/grid.html" | sed 's/.*://' | sort -n | tail -n 1)" = "$cycles" ]
ok "last_tile: text, JSON and HTML of the chip and of each tile have the same cycles: $cycles" $?

# One tile has four times the pages of the others: the shares are the cause, and equal ones take as long as stated.
kernel unequal
sed -i 's/^grid   1,2 /grid   1-4,2 /; s/^args reader .*/args reader A B 4 col/; s/^args compute .*/args compute 4 col/; s/^args writer .*/args writer C 4 col/' "$k/kernel.chip"
for part in reader.c:2:3 compute.c:0:1 writer.c:1:2; do
  file=${part%%:*} && pages=${part#*:} && col=${pages#*:} && pages=${pages%:*}
  sed -i "s/tiles = get_arg_val($pages)/tiles = PAGES(get_arg_val($pages), get_arg_val($col))/; s/_page(i, /_page(i % 16, /; 1i #ifdef CHANGED\n#define PAGES(pages, col) 7\n#else\n#define PAGES(pages, col) ((col) == 2 ? 16 : (pages))\n#endif" "$k/$file"
done
"$BUILD/tessera" kernel run "$k" --why --json "$work/why.json" --check none > "$work/out" 2> "$work/err" &&
  grep -q 'why: tile (3, 2) ended last: bound by unequal shares of the work: NCRISC executes reader.c:[0-9]* (kernel_main.* 4.0 times as often as the other 3 tiles on average, whose kernels take [0-9]* cycles instead of ' "$work/out"
ok "unequal: the shares of the tiles are the cause" $?
stated=$(sed -n 's/^  change: share the work equally: each tile would take about \([0-9]*\) cycles$/\1/p' "$work/out")
by_hand=$("$BUILD/tessera" kernel run "$k" --define CHANGED --build "$k/changed" --account --from kernel_main --check none 2>> "$work/err" | sed -n 's/^where the cycles go: each line sums to //p')
[ $((${by_hand:-0} * 95)) -le $((${stated:-0} * 100)) ] && [ $((${stated:-0} * 100)) -le $((${by_hand:-0} * 105)) ]
ok "unequal: stated ${stated:-no} cycles, shared equally ${by_hand:-no}" $?
python3 - "$work/why.json" > "$work/out" 2> "$work/err" << 'PART'
import json, sys
why = json.load(open(sys.argv[1]))["why"]
assert "bound by unequal shares" in why["verdict"] and why["change"].startswith("share the work equally"), why
assert why["cycles"] > 5000 and why["critical_path"][0]["agent"] == "NCRISC" and why["critical_path"][0]["tile"] == [3, 2], why
assert why["critical_path"][0]["file"] == "reader.c" and sum(p["percent"] for p in why["critical_path"]) > 90, why
assert why["reruns"][0]["what_if"].startswith("NCRISC@reader.c:") and why["reruns"][0]["cycles"] < why["cycles"], why
PART
ok "unequal: --json has verdict, change, path and reruns" $?
"$BUILD/tessera" kernel run "$work/faults" --why --json "$work/why.json" > "$work/out" 2> "$work/err"
python3 -c 'import json, sys; why = json.load(open(sys.argv[1]))["why"]; assert why["verdict"] is None and why["reason"] == "fault"' "$work/why.json" 2> "$work/err"
ok "faults: --json has no verdict, and the reason" $?

# A fault at the other end of the NoC: of no core of the tile.
kernel there && sed -i 's/get_read_ptr(CB_C)/& + (i == 9 ? 4 : 0)/' "$k/writer.c" && "$BUILD/tessera" kernel build "$k" > "$work/out" 2> "$work/err"
ok "there: builds" $?
for grid in 1,2 1-2,2; do
  sed -i "s/^grid .*/grid $grid/" "$work/there/kernel.chip"
  "$BUILD/tessera" kernel run "$work/there" --no-build --why --check none --json "$work/why.json" --report "$work/there.html" > "$work/out" 2> "$work/err"
  [ $? -eq 3 ] && grep -q '^why: the run ended with a fault, so there is no verdict on its speed' "$work/out" && ! grep -q 'bound by' "$work/out" &&
    python3 -c 'import json, sys; r = json.load(open(sys.argv[1])); assert r["result"] == "fault" and r["why"]["verdict"] is None and r["why"]["reason"] == "fault"' "$work/why.json" 2> "$work/err" &&
    grep -q 'source and destination differ modulo 16' "$work/there.html" && ! grep -q 'bound by the NoC' "$work/there.html"
  ok "there: on $grid the fault in DRAM instead of a verdict, in text, JSON and page" $?
done
sed -i "s/^grid .*/grid 1,2/" "$work/there/kernel.chip"
"$BUILD/tessera" kernel run "$work/there" --no-build --why --account --check none > "$work/out" 2> "$work/err"
[ $? -eq 3 ] && grep -q '^where the cycles go: each line sums to' "$work/out" && grep -q '^why: the run ended with a fault' "$work/out"
ok "there: --account is printed beside --why" $?

# Every tile reads pages that all lie in one bank of DRAM; changed, consecutive ones.
kernel one_bank
sed -i 's/^grid   1,2 /grid   1-4,2-5 /; s/128x128/512x512/; s/^buffer \([01]\)  2/buffer \1  4/; s/^args reader .*/args reader A B col row/; s/^args compute .*/args compute 16/; s/^args writer .*/args writer C col row/' "$k/kernel.chip"
cat > "$k/reader.c" << 'PART'
#include "noc.h"
#ifdef CHANGED
enum { CB_A = 0, CB_B = 1, STEP = 1 };
#else
enum { CB_A = 0, CB_B = 1, STEP = 8 };
#endif
void kernel_main(void) {
  const struct InterleavedAddrGen a = {get_arg_val(0), get_tile_size(CB_A)}, b = {get_arg_val(1), get_tile_size(CB_B)};
  const uint32_t me = get_arg_val(2) + 4 * get_arg_val(3);
  for (uint32_t i = 0; i < 8; i++) {
    const uint32_t page = STEP * ((me * 8 + i) % 30);
    cb_reserve_back(CB_A, 2);
    cb_reserve_back(CB_B, 2);
    for (uint32_t n = 0; n < 2; n++) {
      noc_async_read_page(page + n * STEP, &a, get_write_ptr(CB_A) + n * 2048);
      noc_async_read_page(page + n * STEP, &b, get_write_ptr(CB_B) + n * 2048);
    }
    noc_async_read_barrier(); /* here */
    cb_push_back(CB_A, 2);
    cb_push_back(CB_B, 2);
  }
}
PART
sed -i 's/tiles = get_arg_val(1)/tiles = 16, me = get_arg_val(1) + 4 * get_arg_val(2)/; s/noc_async_write_page(i,/noc_async_write_page((me * 16 + i) % 256,/' "$k/writer.c"
slow "tile (1, 3) ended last: bound by DRAM bank 0, busy 8"
grep -q ", busy 8[0-9.]*% of the cycles (all banks on average 1[0-9.]*%): NCRISC waits for its requests at $here " "$work/out" &&
  grep -qF '  change: spread the requests over the banks: page n of an interleaved tensor is in bank n % 8' "$work/out" &&
  grep -q '^    requests to DRAM bank 0 go to all banks in turn: ' "$work/out"
ok "one_bank: the bank, the line and the change" $?
"$BUILD/tessera" kernel run "$k" --define CHANGED --build "$k/changed" --why --check none > "$work/out" 2> "$work/err" && grep -q '^why: ' "$work/out" && ! grep -q 'DRAM bank' "$work/out"
ok "one_bank: changed, no bank is named" $?

# Turns of a loop that polls are left out of the text trace, which states it; a trace ends with the last core.
"$BUILD/tessera" kernel run "$work/template" --check none --trace "$work/polls.txt" > "$work/out" 2> "$work/err" && end=$(sed -n 's/^done after \([0-9]*\) cycles/\1/p' "$work/out") &&
  grep -qE '^ +[0-9]+  NCRISC +polled 0x[0-9a-f]{8} for [0-9]+ cycles: turns left out$' "$work/polls.txt" &&
  "$BUILD/tessera" kernel run "$work/template" --check none --trace "$work/polls.json" > "$work/out" 2> "$work/err" &&
  [ "$(python3 -c 'import json, sys; print(int(max(e.get("ts", 0) + e.get("dur", 0) for e in json.load(open(sys.argv[1]))["traceEvents"])))' "$work/polls.json")" -le $((end + 1)) ]
ok "traces: polls that are left out are stated, and the end is that of the run" $?

# The coverage is that of the run, with boot and firmware, whatever else is asked for.
for k in "$work/calls_inlined" "$work/last_tile"; do
  "$BUILD/tessera" kernel run "$k" --check none --no-build --coverage "$work/plain.info" > "$work/out" 2> "$work/err" &&
    "$BUILD/tessera" kernel run "$k" --check none --no-build --why --what-if none --coverage "$work/why.info" > "$work/out" 2> "$work/err" &&
    "$BUILD/tessera" kernel run "$k" --check none --no-build --report "$work/report.html" --coverage "$work/report.info" > "$work/out" 2> "$work/err" &&
    cmp "$work/plain.info" "$work/why.info" > "$work/out" && cmp "$work/plain.info" "$work/report.info" > "$work/out" && grep -q 'firmware.c' "$work/plain.info"
  ok "$(basename "$k"): the coverage is the same with --why and --report" $?
done

# A line counts once for each time it is executed: also one that only calls inlined functions, and however often those poll. A file has one record
# per core.
kernel covered
put reader.c 'noc_async_read_barrier' << 'PART'
    if (i == 1000)
      noc_async_write_barrier();
PART
"$BUILD/tessera" kernel run "$k" --check none --coverage "$work/covered.info" > "$work/out" 2> "$work/err" &&
  awk -F'[:,]' '/^TN:/ { core = $2 } /^SF:/ { here = core == "NCRISC" && /reader.c$/; if (seen[core, $0]++) print "twice: " core $0 } here && /^DA:/ { print $2, $3 }' "$work/covered.info" > "$work/lines" &&
  awk '/cb_reserve_back|noc_async_read|cb_push_back/ { print FNR, 16 } /noc_async_write_barrier/ { print FNR, 0 }' "$k/reader.c" > "$work/want" &&
  ! grep -q twice "$work/lines" && [ "$(grep -cxFf "$work/want" "$work/lines")" -eq 8 ]
ok "covered: calls of inlined functions count once per page" $?

# A line that the compiler enters in two places counts once. On a grid the counts of all tiles add up; --tile has one of them.
kernel entered
sed -i 's/^void kernel_main/static volatile uint32_t sink;\nstatic inline void inl(uint32_t n) {\n  for (uint32_t k = 0; k < n; k++)\n    sink += k;\n}\n__attribute__((noinline)) static void never(void) { sink = 7; }\n__attribute__((noinline)) static uint32_t sometimes(uint32_t i) {\n  if (i == 3)\n    sink = 9;\n  else\n    sink = 8;\n  return sink;\n}\n\n&/; s/^ *noc_async_read_barrier();/&\n    if (i > 1000)\n      never();\n    if (i % 2) \/* 16 times *\/\n      sometimes(i); \/* 8 times *\/\n    inl(5);\n    switch (i \& 3) {\n    case 0: sink = 1; break;\n    case 3:\n      sink = 2;\n      break;\n    default:\n      sink = 4;\n    }/' "$k/reader.c"
counts() { # FILE: lines of the reader and how often
  awk -F'[:,]' '/^TN:/ { core = $2 } /^SF:/ { here = core == "NCRISC" && /reader.c$/; if (seen[core, $0]++) print "twice: " core $0 } here && /^DA:/ { print $2, $3 }' "$1"
}
"$BUILD/tessera" kernel run "$k" --check none --coverage "$work/entered.info" > "$work/out" 2> "$work/err" && counts "$work/entered.info" > "$work/lines" &&
  awk '/ times \*\/$/ { print FNR, $(NF - 2) }' "$k/reader.c" > "$work/want" && [ "$(wc -l < "$work/want")" -eq 2 ] && ! grep -vxFf "$work/lines" "$work/want" >> "$work/err"
ok "entered: a condition counts once, also where the compiler moves a part of it" $?
sed -i 's/^grid   1,2 /grid   1-2,2 /' "$k/kernel.chip"
"$BUILD/tessera" kernel run "$k" --check none --no-build --coverage "$work/both.info" --profile "$work/both.prof" > "$work/out" 2> "$work/err" && counts "$work/both.info" > "$work/lines" &&
  awk '/ times \*\/$/ { print FNR, 2 * $(NF - 2) }' "$k/reader.c" > "$work/want" && ! grep -vxFf "$work/lines" "$work/want" >> "$work/err" && ! grep -q twice "$work/lines" &&
  grep -qF "the profile in $work/both.prof is that of tile (1, 2); --tile X,Y chooses another" "$work/out" &&
  "$BUILD/tessera" kernel run "$k" --check none --no-build --tile 2,2 --coverage "$work/one.info" --profile "$work/both.prof" > "$work/out" 2> "$work/err" &&
  counts "$work/entered.info" > "$work/want" && counts "$work/one.info" > "$work/lines" && cmp "$work/lines" "$work/want" > "$work/err" && ! grep -q 'the profile in' "$work/out"
ok "entered: on two tiles the coverage has the counts of both, and the profile names its tile" $?

# A line of which only a constant is loaded, before the loop, is not executed; calls that poll, which are macros, count once per page.
kernel moved
sed -i 's/^void kernel_main/__attribute__((noinline)) static void scan(volatile uint32_t *p, uint32_t n) {\n  for (uint32_t k = 0; k < n; k++) {\n    uint32_t v = p[k]; \/* 256 times *\/\n    if (v == 0x77654321)\n      p[k] = 0x12345678; \/* 0 times *\/\n    p[k] = v; \/* 256 times *\/\n  }\n}\n\n&/; s/^ *noc_async_read_barrier();/&\n    scan((volatile uint32_t *)get_write_ptr(CB_A), get_arg_val(2)); \/* 16 times *\//' "$k/reader.c"
"$BUILD/tessera" kernel run "$k" --check none --coverage "$work/moved.info" > "$work/out" 2> "$work/err" && counts "$work/moved.info" > "$work/lines" &&
  awk '/ times \*\/$/ { print FNR, $(NF - 2) }' "$k/reader.c" > "$work/want" && [ "$(wc -l < "$work/want")" -eq 4 ] && ! grep -vxFf "$work/lines" "$work/want" >> "$work/err"
ok "moved: a line of which the compiler executes only a constant ahead is not executed" $?
awk -F'[:,]' '/^TN:/ { core = $2 } /^SF:/ { n = split($0, part, "/"); file = part[n] } /^DA:/ { print core, file, $2, $3 }' "$work/moved.info" > "$work/lines"
{ awk '/cb_wait_front|cb_pop_front/ { print "TRISC0 compute.c", FNR, 16 } /cb_reserve_back|cb_push_back/ { print "TRISC2 compute.c", FNR, 16 }' "$k/compute.c"
  awk '/cb_wait_front|cb_pop_front/ { print "BRISC writer.c", FNR, 16 }' "$k/writer.c"; } > "$work/want"
[ "$(wc -l < "$work/want")" -ge 8 ] && ! grep -vxFf "$work/lines" "$work/want" > "$work/err"
ok "moved: waits for pages and room count once per page, however often they poll" $?

# A line that is a whole loop counts once per turn, also with calls and other loops in it; a loop of a function inlined there does not count.
kernel looped
sed -i 's/^void kernel_main/volatile uint32_t seed = 3;\nstatic void mix(uint32_t n) { seed = seed * 3 + n; }\nstatic void spin(uint32_t n) {\n  while (n--)\n    seed = seed + 1;\n}\n__attribute__((noinline)) static void apart(uint32_t n) { seed = seed ^ n; }\n\n&/' "$k/reader.c"
insert reader.c 'noc_async_read_barrier' << 'PART'
    for (uint32_t n = 0; n < 25; n++) seed = seed * 3 + 1; /* 400 times */
    for (uint32_t n = 0; n < 25; n++) mix(n); /* 400 times */
    for (uint32_t n = 0; n < 25; n++) apart(n); /* 400 times */
    for (uint32_t n = 0; n < 25; n++) { mix(n); apart(n); mix(n); } /* 400 times */
    for (uint32_t n = 0; n < 5; n++) for (uint32_t m = 0; m < 5; m++) seed = seed * n + m; /* 400 times */
    uint32_t left = 25; do { mix(left); } while (--left); /* 400 times */
    spin(25); /* 16 times */
PART
"$BUILD/tessera" kernel run "$k" --check none --coverage "$work/looped.info" > "$work/out" 2> "$work/err" &&
  awk -F'[:,]' '/^TN:/ { core = $2 } /^SF:/ { here = core == "NCRISC" && /reader.c$/ } here && /^DA:/ { print $2, $3 }' "$work/looped.info" > "$work/lines" &&
  awk '/ times \*\/$/ { print FNR, $(NF - 2) }' "$k/reader.c" > "$work/want" && [ "$(wc -l < "$work/want")" -eq 7 ] && ! grep -vxFf "$work/lines" "$work/want" >> "$work/err"
ok "looped: a loop on one line counts once per turn" $?
for from in 'reader.c:9999' no_such; do
  "$BUILD/tessera" kernel run "$k" --no-build --why --what-if "ncrisc@$from" > "$work/out" 2> "$work/err"
  [ $? -eq 2 ] && [ "$(cat "$work/err")" = "tessera kernel: --what-if ncrisc@$from: the program of NCRISC has no instruction of $from" ] && [ ! -s "$work/out" ]
  ok "--what-if ncrisc@$from, which is not there, is one line and exit code 2" $?
done

# Two tiles. The first waits for the other one, which is slow: the path leads there. The rerun of such a loop, without time, must end.
kernel starved_tile
sed -i 's/^grid   1,2 /grid   1-2,2 /; s/^args reader .*/args reader A B A.pages col/' "$k/kernel.chip"
sed -i 's/^void kernel_main/volatile uint32_t seed = 3;\nvoid kernel_main/' "$k/reader.c"
insert reader.c 'cb_push_back(CB_A' << 'PART'
    if (get_arg_val(3)) {
#ifndef CHANGED
      for (uint32_t n = 0; n < 400; n++) seed = seed * 3 + 1; /* here */
#endif
      noc_semaphore_inc(get_noc_addr(1, 2, get_semaphore(0)), 1);
    } else noc_semaphore_wait_min((uint32_t)get_semaphore(0), i + 1);
PART
slow 'tile (1, 2) ended last and waited for tile (2, 2), which has 9'
grep -q "critical path: bound by NCRISC: $here (kernel_main) takes" "$work/out" && grep -q "    tile (2, 2) NCRISC 9[0-9.]*%, most at $here " "$work/out"
ok "starved_tile: the path leads to the line of the other tile" $?
line=$((${here#*:} + 3))
timeout 60 "$BUILD/tessera" kernel run "$k" --what-if "ncrisc@reader.c:$line" --check none > "$work/out" 2> "$work/err" && grep -q "NCRISC spends no time at reader.c:$line: [0-9]* cycles" "$work/out"
ok "starved_tile: a rerun in which the poll takes no time ends" $?
"$BUILD/tessera" kernel run "$k" --tile 1,2 --why --check none > "$work/out" 2> "$work/err" &&
  grep -qF "why: bound by another tile: NCRISC waits for NoC semaphore 0 at reader.c:$line (kernel_main, in noc_semaphore_wait_min)" "$work/out" &&
  grep -q 'which NCRISC of the tile at (2,2) of NoC 0 wrote last' "$work/out" && ! grep -q 'what if' "$work/out"
ok "starved_tile: --tile 1,2 names the tile that writes the semaphore" $?
"$BUILD/tessera" kernel run "$k" --tile 2,2 --why --account --check none > "$work/out" 2> "$work/err" && grep -q "why: bound by NCRISC: $here (kernel_main) takes" "$work/out" && adds_up
ok "starved_tile: --tile 2,2 names its line" $?

# Runs that do not end well: the account stays, and a trace ends where the report does.
kernel failing
sed -i '/cb_push_back(CB_C, 1);/d' "$k/compute.c"
for more in "" --account; do
  "$BUILD/tessera" kernel run "$k" $more --trace "$work/hang.json" > "$work/out" 2> "$work/err"
  [ $? -eq 4 ] && python3 - "$(sed -n 's/^hang after \([0-9]*\) cycles.*/\1/p' "$work/out")" "$work/hang.json" << 'PYTHON'
import json, sys
last = max(e["ts"] + e.get("dur", 0) for e in json.load(open(sys.argv[2]))["traceEvents"] if "ts" in e)
sys.exit(not int(sys.argv[1]) <= last < int(sys.argv[1]) + 100)
PYTHON
  ok "the trace of a hang ends with it${more:+ ($more)}" $?
done
sed -i 's/^grid .*/grid 1-2,2/' "$k/kernel.chip"
"$BUILD/tessera" kernel run "$k" --account > "$work/out" 2> "$work/err"
[ $? -eq 4 ] && [ "$(tail -n 1 "$work/out")" = '--json FILE has the account of tile (1, 2); --tile X,Y chooses another' ]
ok "a grid that hangs says where its account is" $?
kernel stopping
sed -i 's/^void kernel_main(void) {/&\n  KERNEL_CHECK(0, "never");/' "$k/compute.c"
"$BUILD/tessera" kernel run "$k" --account > "$work/out" 2> "$work/err"
[ $? -eq 3 ] && grep -q '^where the cycles go: each line sums to ' "$work/out" && adds_up
ok "the account of a kernel whose check failed" $?
# A reader that waits for its pages and works a little on each: the wait is larger than each part of the work.
kernel little
sed -i '/noc_async_read_barrier/a for (volatile uint32_t q = 0; q < 20; q++) {}' "$k/reader.c"
"$BUILD/tessera" kernel run "$k" --why --check none > "$work/out" 2> "$work/err"
grep -q '^why: bound by the NoC: NCRISC waits for its requests at reader.c:[0-9]* (kernel_main, in noc_async_read_barrier)' "$work/out"
ok "a wait for pages before the work on them, which takes less" $?

finish
