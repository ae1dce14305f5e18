# `tessera kernel run --why` on lines whose time is a delay by the clock, or whose loop reads or stores very often: the rerun in which they take
# no time is the kernel without them. Prints TAP. Reads BUILD.
. tests/tap.sh
BUILD=${BUILD:-build}
. tests/why_rig.sh

waits() { # the verdict says for what the line waits, and what to change
  grep -q '^why: .*of the cycles: it waits for the clock; ' "$work/out" && grep -q '^  change: .*wait for what the delay is meant for' "$work/out"
  ok "$(basename "$k"): the verdict says that the line waits for the clock" $?
}

# Delays: the library's, by the tile's clock, by the core's counter of cycles, through a function.
kernel library_delay
rm "$k/writer.c"
cat > "$k/writer.cpp" << 'PART'
#include "api/dataflow/dataflow_api.h"
void kernel_main() {
  uint32_t addr = get_arg_val<uint32_t>(0), tiles = get_arg_val<uint32_t>(1);
  const InterleavedAddrGen<true> c = {.bank_base_address = addr, .page_size = 2048};
  for (uint32_t i = 0; i < tiles; i++) {
    cb_wait_front(16, 1);
    noc_async_write(get_read_ptr(16), get_noc_addr(i, c), 2048);
    noc_async_write_barrier();
#ifndef CHANGED
    riscv_wait(2000); /* here */
#endif
    cb_pop_front(16, 1);
  }
}
PART
slow 'bound by BRISC: @here (kernel_main, in riscv_wait) takes'
waits
kernel clock_delay
put reader.c 'cb_push_back(CB_A' << 'PART'
    uint32_t t0 = *(volatile uint32_t *)0xFFB121F0;
    while (*(volatile uint32_t *)0xFFB121F0 - t0 < 1500) {} /* here */
PART
slow 'bound by NCRISC: @here (kernel_main) takes'
waits

# Below TESSERA_TEST_SCALE 100 these are all: make test has them, make test-all the others.
[ "${TESSERA_TEST_SCALE:-100}" -ge 100 ] || finish

kernel counter_delay
put reader.c 'cb_push_back(CB_A' << 'PART'
#define CYCLES(to) __asm__ volatile(".option push\n.option arch, +zicsr\ncsrr %0, mcycle\n.option pop" : "=r"(to))
    uint32_t t0, t1;
    CYCLES(t0);
    do CYCLES(t1); while (t1 - t0 < 1500); /* here */
PART
slow 'bound by NCRISC: @here (kernel_main) takes'
waits
kernel called_delay
insert reader.c 'void kernel_main' << 'PART'
__attribute__((noinline, unused)) static uint32_t now(void) { return *(volatile uint32_t *)0xFFB121F0; }
PART
put reader.c 'cb_push_back(CB_A' << 'PART'
    uint32_t t0 = now();
    while (now() - t0 < 1500) {} /* here */
PART
slow 'bound by NCRISC: @here (kernel_main) takes'
waits

# A line that reads the clock once per page does not wait for it.
kernel stamps
insert reader.c 'void kernel_main' << 'PART'
static volatile uint32_t sink;
PART
put reader.c 'cb_push_back(CB_A' << 'PART'
    for (uint32_t q = *(volatile uint32_t *)0xFFB121F0, end = q + 150; q != end; q++) sink = q; /* here */
PART
slow 'bound by NCRISC: @here (kernel_main) takes'
! grep -q 'waits for the clock' "$work/out"
ok "a line that reads the clock once does not wait for it" $?

# Loops that end by a count: the same word again and again, a poll with a bound, more instructions or stores than take place in few cycles.
kernel same_word
insert reader.c 'void kernel_main' << 'PART'
static volatile uint32_t sink;
PART
put reader.c 'cb_push_back(CB_A' << 'PART'
    uint32_t at = get_write_ptr(CB_B), s = 0;
    for (int q = 0; q < 150; q++) s += *(volatile uint32_t *)at; /* here */
    sink = s;
PART
slow 'bound by NCRISC: @here (kernel_main) takes'
kernel bounded_poll
echo '    for (uint32_t q = 0; q < 150 && *(volatile uint32_t *)0x150000 == 0; q++) {} /* here */' | put writer.c 'cb_pop_front(CB_C'
slow 'bound by BRISC: @here (kernel_main) takes'
kernel many_turns
echo '    for (volatile uint32_t q = 0; q < 40000; q++) {} /* here */' | put reader.c 'cb_push_back(CB_A'
slow 'bound by NCRISC: @here (kernel_main) takes'
kernel many_stores
echo '    for (uint32_t q = 0; q < 4000; q++) ((volatile uint8_t *)0x150000)[q] = q; /* here */' | put reader.c 'cb_push_back(CB_A'
slow 'bound by NCRISC: @here (kernel_main) takes'

# A poll without a bound waits, also if it counts its turns: the line alone saves nothing, and the rerun ends.
kernel counted_poll
insert reader.c 'void kernel_main' << 'PART'
static volatile uint32_t sink;
PART
cat > "$work/slow" << 'PART'
    for (uint32_t q = 0; q < 300; q++) sink = q;
    *(volatile uint32_t *)0x150000 = i + 1;
PART
insert reader.c 'cb_push_back(CB_A' < "$work/slow"
insert writer.c 'void kernel_main' << 'PART'
static volatile uint32_t turns;
PART
cat > "$work/slow" << 'PART'
    uint32_t n = 0;
    while (*(volatile uint32_t *)0x150000 <= i) n++; /* here */
    turns = n;
PART
insert writer.c 'cb_wait_front(CB_C' < "$work/slow"
"$BUILD/tessera" kernel run "$k" --what-if "BRISC@writer.c:$(sed -n '/here/=' "$k/writer.c")" --check none > "$work/out" 2> "$work/err"
grep -q 'BRISC spends no time at writer.c:.*, no faster' "$work/out"
ok "a poll that counts its turns waits" $?
finish
