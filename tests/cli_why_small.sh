# `tessera kernel run --why` and `--profile` on shapes of code that the compiler makes of small kernels: a loop that is entered in its middle,
# functions that call themselves. Prints TAP. Reads BUILD.
. tests/tap.sh
BUILD=${BUILD:-build}
. tests/why_rig.sh

# The first round has no wait: the compiler lets the loop begin in the middle and ends it with an unconditional jump.
mkdir "$work/ring" && printf 'grid 1-4,2\nargs reader col cols y\n' > "$work/ring/kernel.chip"
cat > "$work/ring/reader.c" << 'PART'
#include "noc.h"
static volatile uint32_t z;
void kernel_main(void) {
  uint32_t col = get_arg_val(0), cols = get_arg_val(1), y = get_arg_val(2);
  uint32_t sem = get_semaphore(0);
  for (uint32_t round = 0; round < 6; round++) {
    if (col || round) noc_semaphore_wait_min(sem, round + (col ? 1 : 0));
    for (uint32_t q = 0; q < (col == 2 ? 500u : 40u); q++) z += q; /* here */
    noc_semaphore_inc(get_noc_addr(1 + (col + 1) % cols, y, sem), 1);
    noc_async_atomic_barrier();
  }
}
PART
here=reader.c:$(sed -n '/here/=' "$work/ring/reader.c")
"$BUILD/tessera" kernel run "$work/ring" --why --what-if none --check none > "$work/out" 2> "$work/err"
grep -q "^why: .*bound by NCRISC: $here (kernel_main) takes [0-9.]*% of the cycles; " "$work/out" && ! grep -q 'runs once' "$work/out"
ok "a line in a loop with two entries does not run once" $?

# The clock of a chip runs on until the end of its turn: the note on an empty trace has the cycle of the report.
"$BUILD/tessera" kernel run "$work/ring" --check none --trace "$work/trace.json" --trace-from 99999999 > "$work/out" 2> "$work/err"
end=$(sed -n 's/^done after \([0-9]*\) cycles/\1/p' "$work/out")
grep -q "^tessera kernel: --trace-from 99999999 is after the end of the run at cycle $end: the trace is empty\$" "$work/err" && [ "${end:-0}" -gt 0 ]
ok "--trace-from after the end: cycle $end, as in the report" $?
"$BUILD/tessera" kernel run "$work/ring" --check none --trace "$work/trace.json" --trace-from $((end + 1)) > "$work/out" 2> "$work/err"
grep -q 'the trace is empty' "$work/err"
ok "--trace-from one cycle after the end: the trace is empty, too" $?

# A breakpoint at a kernel_main, or another function, that the compiler has inlined.
mkdir "$work/inlined" && echo 'grid 1,2' > "$work/inlined/kernel.chip"
cat > "$work/inlined/reader.c" << 'PART'
#include "noc.h"
static volatile uint32_t z;
static void part(uint32_t q) { z ^= q; }
void kernel_main(void) {
  for (uint32_t q = 0; q < 2000; q++) z += q;
  for (uint32_t q = 0; q < 2000; q++) part(q);
}
PART
"$BUILD/tessera" kernel run "$work/inlined" > "$work/out" 2> "$work/err"
elfs=
for core in brisc ncrisc trisc0 trisc1 trisc2; do elfs="$elfs --elf $core=$work/inlined/build/$core.elf"; done
cycle=0
for name in kernel_main part; do
  before=$cycle
  # shellcheck disable=SC2086
  "$BUILD/tessera" run $elfs --poke 0x40=0x80 --poke 0x54=1 --check none --break ncrisc:$name > "$work/out" 2> "$work/err"
  cycle=$(sed -n 's/^stopped after \([0-9]*\) cycles.*/\1/p' "$work/out" | head -n 1)
  [ "${cycle:-0}" -gt $((before + 1000)) ] && grep -q 'kernel_main\|reader.c' "$work/out"
  ok "a breakpoint at the inlined $name: cycle ${cycle:-none}" $?
done

# The cycles of a function are those in which it is active, once: with all that it calls never more than those of the core.
# FUNCTION...: each of them has at least four fifths of the kernel's cycles, and none has more than the core.
inclusive() {
  "$BUILD/tessera" kernel run "$k" --account --from kernel_main --profile "$work/profile" --check none > "$work/out" 2> "$work/err" || return 1
  awk -v cycles="$(sed -n 's/^where the cycles go: each line sums to //p' "$work/out")" -v wanted="$*" '
    /^fn=/ { name = substr($0, 4); next }
    /^[0-9]/ { sum[name] += $2 }
    END { for (n in sum) if (sum[n] > cycles) { print n ": " sum[n] " of " cycles " cycles"; bad = 1 }
          count = split(wanted, list, " ")
          for (i = 1; i <= count; i++) if (sum[list[i] ", NCRISC"] * 5 < cycles * 4) { print list[i] ": only " sum[list[i] ", NCRISC"]; bad = 1 }
          exit bad || cycles == 0 }' "$work/profile" >> "$work/err"
}
k=$work/recursion
mkdir "$k" && echo 'grid 1,2' > "$k/kernel.chip"
cat > "$k/reader.c" << 'PART'
#include "noc.h"
#ifdef INLINED
#define APART
#else
#define APART __attribute__((noinline))
#endif
static volatile uint32_t z;
APART static uint32_t itself(uint32_t n) {
  z += n;
  return n < 2 ? n : itself(n - 1) + itself(n - 2);
}
void kernel_main(void) { z = itself(14); }
PART
inclusive itself kernel_main
ok "a function that calls itself has its cycles once" $?
"$BUILD/tessera" annotate "$work/profile" > "$work/out" 2> "$work/err"
awk '/itself\(n - 1\)/ { seen = 1; exit !($1 > 1000 && $2 < 2 * $1) } END { exit !seen }' "$work/out"
ok "annotate: the line of the recursion has its cycles once" $?
sed -i 's/^#ifdef INLINED/#if 1/' "$k/reader.c"
inclusive itself kernel_main
ok "the same where the compiler has inlined it into itself" $?
cat > "$k/reader.c" << 'PART'
#include "noc.h"
static volatile uint32_t z;
static uint32_t even(uint32_t n);
__attribute__((noinline)) static uint32_t odd(uint32_t n) {
  z += n;
  return n < 2 ? n : even(n - 1) + even(n - 2);
}
__attribute__((noinline)) static uint32_t even(uint32_t n) {
  z ^= n;
  return n < 2 ? n : odd(n - 1) + odd(n - 2);
}
void kernel_main(void) { z = even(14); }
PART
inclusive even odd kernel_main
ok "two functions that call each other have their cycles once" $?

# A function that is called through a pointer, and by itself: the line that calls it is named, and its rerun is the kernel without it.
kernel through_pointer
insert reader.c 'void kernel_main' << 'PART'
static volatile uint32_t sink;
__attribute__((noinline, unused)) static uint32_t tree(uint32_t n, uint32_t v) {
  if (n < 2) return v + n;
  return tree(n - 1, v) + tree(n - 2, v ^ n);
}
__attribute__((unused)) static uint32_t (*volatile table[2])(uint32_t, uint32_t) = {tree, tree};
PART
echo '    sink = table[i & 1](11, i); /* here */' | put reader.c 'cb_push_back(CB_A'
slow 'bound by NCRISC: @here (kernel_main, in tree) takes'

# Symbols, but no lines: the function is named, and its rerun shows what it is worth.
kernel without_lines
sed -i 's|^ *cb_wait_front.*|&\n    for (volatile uint32_t n = 0; n < 300; n++) {}|' "$k/writer.c"
"$BUILD/tessera" kernel build "$k" > "$work/out" 2> "$work/err" && riscv64-unknown-elf-strip -g "$k"/build/*.elf &&
  "$BUILD/tessera" kernel run "$k" --no-build --why --check none > "$work/out" 2> "$work/err"
[ $? -eq 0 ] && grep -q '^why: bound by BRISC: most in kernel_main; BRISC has [0-9.]*% of the critical path$' "$work/out" && grep -q '^  change: .*build it with -g' "$work/out" &&
  grep -q '^    BRISC spends no time in kernel_main: [0-9]* cycles instead of [0-9]*, [1-9]' "$work/out"
ok "without lines the verdict names the function, and asks for -g" $?

# Kernels that do nothing: no advice about pages.
kernel nothing
for part in reader compute writer; do
  printf '#include "%s.h"\nvoid kernel_main(void) {}\n' "$([ $part = compute ] && echo compute || echo noc)" > "$k/$part.c"
done
"$BUILD/tessera" kernel run "$k" --why --check none > "$work/out" 2> "$work/err"
[ $? -eq 0 ] && grep -q '^why: bound by [A-Z0-9]*; ' "$work/out" && grep -q '^  change: no line of its kernel takes a large share' "$work/out"
ok "a kernel that does nothing: the verdict says so" $?
finish
