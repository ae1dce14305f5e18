/* The checkers on random programs for the three threads and their cores: with every wait in place they find nothing, with one wait left out
 * they name both sides. Tiles of Dst go from thread to thread by semaphores, words of L1 from core to core by flags in L1, GPRs from the scalar
 * unit to the configuration unit by STALLWAIT. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "check/check.h"
#include "check/polls.h"
#include "scale.h"
#include "tensix/tile/outside.h"
#include "tensix/tile/tile.h"
#include "tile_pool.h"

#define TILES 4u
#define STEPS 24u
#define OPS 512u

static uint64_t next(uint64_t *state) {
  uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

struct program {
  struct tx_script_op ops[TX_THREADS][OPS];
  uint32_t count[TX_THREADS];
};

static void push(struct program *p, unsigned thread, uint32_t word) {
  uint32_t n = p->count[thread]++;
  p->ops[thread][n] = (struct tx_script_op){.kind = TX_SCRIPT_PUSH, .a = word, .line = n + 1};
}

/* An instruction of the matrix or vector unit on a tile of Dst. */
static void use(struct program *p, unsigned thread, unsigned tile, uint64_t *state) {
  uint32_t row = 64 * tile + 4 * (uint32_t)(next(state) % 4);
  switch (next(state) % 3) {
    case 0:
      push(p, thread, (uint32_t)TX_ZEROACC << 24 | TX_PUT(ZEROACC, clear_mode, 1) | TX_PUT(ZEROACC, where, 4 * tile));
      break;
    case 1: push(p, thread, (uint32_t)TX_SFPSTORE << 24 | row); break;
    default:
      push(p, thread, (uint32_t)TX_SFPSTORE << 24 | row);
      for (unsigned i = 0; i < 4; i++) push(p, thread, (uint32_t)TX_NOP << 24);
  }
}

/* Semaphore of a pair of threads: 0 to 5. */
static unsigned semaphore_of(unsigned from, unsigned to) { return from * 2 + (to > from ? to - 1 : to); }

enum leave_out { NOTHING, THE_STALLWAIT, THE_SEMWAIT, THE_POLL, FLAG_FIRST };

static void hand_over(struct program *p, unsigned from, unsigned to, enum leave_out leave_out) {
  uint32_t semaphore = 1u << semaphore_of(from, to);
  if (leave_out != THE_STALLWAIT)
    push(p, from,
         (uint32_t)TX_STALLWAIT << 24 | TX_PUT(STALLWAIT, stall_res, 2) |
             TX_PUT(STALLWAIT, wait_res, 1u << TX_C4_MATRIX | 1u << TX_C11_VECTOR));
  push(p, from, (uint32_t)TX_SEMPOST << 24 | TX_PUT(SEMPOST, sem_sel, semaphore));
  if (leave_out != THE_SEMWAIT)
    push(p, to,
         (uint32_t)TX_SEMWAIT << 24 | TX_PUT(SEMWAIT, stall_res, 0x1ff) | TX_PUT(SEMWAIT, sem_sel, semaphore) |
             TX_PUT(SEMWAIT, wait_sem_cond, 1));
  push(p, to, (uint32_t)TX_SEMGET << 24 | TX_PUT(SEMGET, sem_sel, semaphore));
}

#define REGIONS 3u
#define REGION(i) (0x40000u + 64u * (i))
#define FLAG(i) (0x50000u + 16u * (i))

static void core_op(struct program *p, unsigned thread, uint32_t kind, uint32_t a, uint32_t b, uint32_t value) {
  uint32_t n = p->count[thread]++;
  p->ops[thread][n] = (struct tx_script_op){.kind = kind, .a = a, .b = b, .c = value, .line = n + 1};
}

/* One core stores some words, then the flag; the other core waits for the flag and overwrites the words. */
static void pass_region(struct program *p, unsigned from, unsigned to, unsigned region, uint32_t step,
                        enum leave_out leave_out, uint64_t *state) {
  if (leave_out == FLAG_FIRST) core_op(p, from, TX_SCRIPT_STORE, FLAG(region), step, 0);
  for (uint64_t i = 0, words = 1 + next(state) % 6; i < words; i++)
    core_op(p, from, TX_SCRIPT_STORE, REGION(region) + 4 * (uint32_t)(next(state) % 16), (uint32_t)next(state), 0);
  core_op(p, from, TX_SCRIPT_STORE, REGION(region), step, 0);
  if (leave_out != FLAG_FIRST) core_op(p, from, TX_SCRIPT_STORE, FLAG(region), step, 0);
  if (leave_out != THE_POLL) core_op(p, to, TX_SCRIPT_WAIT, FLAG(region), UINT32_MAX, step);
  core_op(p, to, TX_SCRIPT_STORE, REGION(region), ~step, 0);
}

/* Copies a GPR to a scratch word of the configuration, with the wait required in between. */
static void configure(struct program *p, unsigned thread, uint64_t *state) {
  uint32_t gpr = 8 + (uint32_t)(next(state) % 8);
  push(p, thread, (uint32_t)TX_SETDMAREG << 24 | TX_PUT(SETDMAREG, reg_index_16b, 2 * gpr));
  push(p, thread, (uint32_t)TX_SETDMAREG << 24 | TX_PUT(SETDMAREG, reg_index_16b, 2 * gpr + 1));
  push(p, thread,
       (uint32_t)TX_STALLWAIT << 24 | TX_PUT(STALLWAIT, stall_res, 0x80) |
           TX_PUT(STALLWAIT, wait_res, 1u << TX_C0_SCALAR_MEMORY));
  push(p, thread,
       (uint32_t)TX_WRCFG << 24 | TX_PUT(WRCFG, gpr_address, gpr) |
           TX_PUT(WRCFG, cfg_reg, TX_CFG_SCRATCH_SEC0_val_ADDR + thread));
}

/* Random uses of the tiles; the last hand-over lies between two uses of its tile. */
static void make(struct program *p, uint64_t seed, enum leave_out leave_out) {
  unsigned owner[TILES] = {0, 1, 2, 0}, holder[REGIONS] = {0, 1, 2}, last = 0, to = 0;
  memset(p, 0, sizeof *p);
  for (unsigned i = 0; i < STEPS; i++) {
    unsigned tile = (unsigned)(next(&seed) % TILES), thread = owner[tile];
    last = tile;
    use(p, thread, tile, &seed);
    to = (thread + 1 + (unsigned)(next(&seed) % 2)) % TX_THREADS;
    if (i + 1 == STEPS) push(p, thread, (uint32_t)TX_SFPSTORE << 24 | 64 * tile);
    hand_over(p, thread, to, i + 1 == STEPS ? leave_out : NOTHING);
    owner[tile] = to;
    if (next(&seed) % 4 == 0) configure(p, thread, &seed);
    unsigned region = (unsigned)(next(&seed) % REGIONS), core = holder[region];
    holder[region] = (core + 1) % TX_THREADS;
    bool final = i + 1 == STEPS;
    pass_region(p, core, holder[region], region, i + 1, final ? leave_out : NOTHING, &seed);
  }
  push(p, to, (uint32_t)TX_ZEROACC << 24 | TX_PUT(ZEROACC, clear_mode, 1) | TX_PUT(ZEROACC, where, 4 * last));
}

/* Findings of the checkers; the other side of the last one. */
static unsigned run(const struct program *p, struct chk *c, struct tx_tile *t, bool timing, bool *both_sides) {
  struct tx_script scripts[TX_THREADS];
  unsigned found = 0;
  tx_tile_reset(t, timing);
  for (unsigned s = 0; s < TX_SEMAPHORES; s++) t->sync.sem[s].max = 15;
  chk_attach(c, t, CHK_ALL);
  for (unsigned i = 0; i < TX_THREADS; i++) {
    scripts[i] = (struct tx_script){.ops = p->ops[i], .count = p->count[i]};
    tx_script_attach(t, i, &scripts[i]);
  }
  assert_int_equal(tx_tile_run(t, 1000000), SIM_END_DONE);
  for (uint32_t i = 0; i < t->diag.finding_count; i++) {
    const struct tx_finding *f = &t->diag.findings[i];
    if (strncmp(tx_diag_infos[f->id].where, "check", 5) != 0 || tx_diag_infos[f->id].severity < SIM_WARNING) continue;
    found++;
    *both_sides = f->other.known && f->other.pc && f->pc;
  }
  chk_detach(c);
  return found;
}

static void waits_in_place_give_no_finding(void **state) {
  (void)state;
  struct tx_tile *t = tile_take();
  struct chk *c = chk_create();
  static struct program p;
  bool both;
  for (uint64_t seed = 0; seed < test_scaled(100); seed++) {
    make(&p, seed, NOTHING);
    if (run(&p, c, t, seed & 1, &both) != 0) fail_msg("seed %u", (unsigned)seed);
  }
  chk_free(c);
  tile_give_back(t);
}

static void a_missing_wait_is_named(void **state) {
  (void)state;
  struct tx_tile *t = tile_take();
  struct chk *c = chk_create();
  static struct program p;
  for (uint64_t seed = 0; seed < test_scaled(40); seed++) {
    bool both = false;
    make(&p, seed, 1 + (enum leave_out)(seed / 2 % 4));
    if (run(&p, c, t, seed & 1, &both) == 0) fail_msg("seed %u", (unsigned)seed);
    assert_true(both);
  }
  chk_free(c);
  tile_give_back(t);
}

/* --- writes of the host --- */

#define DATA 0x40000u
#define GO 0x50000u

/* T0 stores a word and ends. Then the host writes GO, and also the word if `also_data`; T1 waits for GO, unless `waits` is false,
 * and stores to the word and to the one beside it, which T0 stores to as well. */
static unsigned run_with_host(struct chk *c, struct tx_tile *t, bool also_data, bool waits) {
  static const uint32_t one = 1;
  struct program p = {0};
  core_op(&p, 0, TX_SCRIPT_STORE, DATA, 1, 0);
  core_op(&p, 0, TX_SCRIPT_STORE, DATA + 4, 1, 0);
  if (waits) core_op(&p, 1, TX_SCRIPT_WAIT, GO, UINT32_MAX, 1);
  else
    for (unsigned i = 0; i < 100; i++) push(&p, 1, (uint32_t)TX_NOP << 24);
  core_op(&p, 1, TX_SCRIPT_STORE, DATA, 2, 0);
  if (!also_data) core_op(&p, 1, TX_SCRIPT_STORE, DATA + 4, 2, 0);
  struct tx_script scripts[2];
  tx_tile_reset(t, true);
  chk_attach(c, t, CHK_ALL);
  for (unsigned i = 0; i < 2; i++) {
    scripts[i] = (struct tx_script){.ops = p.ops[i], .count = p.count[i]};
    tx_script_attach(t, i, &scripts[i]);
  }
  (void)tx_tile_run(t, waits ? 500 : 20);
  if (also_data) assert_true(tx_host_write(t, DATA, &one, sizeof one));
  assert_true(tx_host_write(t, GO, &one, sizeof one));
  assert_int_equal(tx_tile_run(t, 1000000), SIM_END_DONE);
  uint32_t found = t->diag.finding_count;
  chk_detach(c);
  return found;
}

static void a_write_of_the_host_orders(void **state) {
  (void)state;
  struct chk *c = chk_create();
  struct tx_tile *t = tile_take();
  assert_non_null(c);
  assert_int_equal(run_with_host(c, t, true, true), 0);
  assert_int_equal(run_with_host(c, t, false, true), 0);
  assert_int_not_equal(run_with_host(c, t, false, false), 0); /* nothing makes T1 wait for T0 */
  tile_give_back(t);
  chk_free(c);
}

/* --- a counter of pages in a stream register --- */

#define COUNTER (TX_ADDR_STREAM + 0x28u) /* pages received, of buffer 0 */
#define LAUNCHES 3u
#define PAGES 8u

/* T1 loads a word and counts it, T0 waits for the count and stores to the word: eight times per launch. Every launch sets the counter to 0
 * again, as firmware does. The programs do not use the kernel library: its table of buffers holds other data. T0 does not wait for the
 * last count of a launch if `waits` is false. */
static unsigned run_launches(struct chk *c, struct tx_tile *t, bool waits) {
  static struct program p;
  static const uint32_t other_data = UINT32_MAX;
  struct tx_script scripts[2];
  memset(&p, 0, sizeof p);
  for (uint32_t launch = 1; launch <= LAUNCHES; launch++) {
    core_op(&p, 1, TX_SCRIPT_WAIT, FLAG(0), UINT32_MAX, launch - 1);
    core_op(&p, 1, TX_SCRIPT_STORE, COUNTER, 0, 0);
    core_op(&p, 1, TX_SCRIPT_STORE, FLAG(1), launch, 0);
    core_op(&p, 0, TX_SCRIPT_WAIT, FLAG(1), UINT32_MAX, launch);
    for (uint32_t page = 1; page <= PAGES; page++) {
      const uint32_t word = DATA + 64 * page;
      core_op(&p, 1, TX_SCRIPT_COPY, word, 0x60000, 0);
      core_op(&p, 1, TX_SCRIPT_STORE, COUNTER, page, 0);
      core_op(&p, 1, TX_SCRIPT_WAIT, FLAG(2), UINT32_MAX, 100 * (launch - 1) + page - 1);
      if (waits || page < PAGES) core_op(&p, 0, TX_SCRIPT_WAIT, COUNTER, UINT32_MAX, page);
      core_op(&p, 0, TX_SCRIPT_STORE, word, page, 0);
      core_op(&p, 0, TX_SCRIPT_STORE, FLAG(2), page < PAGES ? 100 * (launch - 1) + page : 100 * launch, 0);
    }
    core_op(&p, 0, TX_SCRIPT_STORE, FLAG(0), launch, 0);
  }
  tx_tile_reset(t, true);
  assert_true(tx_host_write(t, 0x90, &other_data, sizeof other_data));
  chk_attach(c, t, CHK_ALL);
  for (unsigned i = 0; i < 2; i++) {
    scripts[i] = (struct tx_script){.ops = p.ops[i], .count = p.count[i]};
    tx_script_attach(t, i, &scripts[i]);
  }
  enum sim_end end = tx_tile_run(t, 1000000);
  assert_true(end == SIM_END_DONE || !waits); /* T0 then overtakes T1, which may wait for a value that has passed */
  uint32_t found = t->diag.finding_count;
  chk_detach(c);
  return found;
}

static void a_counter_that_starts_again_orders(void **state) {
  (void)state;
  struct chk *c = chk_create();
  struct tx_tile *t = tile_take();
  assert_non_null(c);
  assert_int_equal(run_launches(c, t, true), 0);
  assert_int_not_equal(run_launches(c, t, false), 0);
  tile_give_back(t);
  chk_free(c);
}

/* Another program is loaded: the load at the same address polls now. */
static void a_load_of_another_program_polls(void **state) {
  enum { PC = 0x8000, LOAD = 0x00072783 /* lw a5, 0(a4) */, UNTIL = 0xfe078ee3 /* beqz a5, PC */, RETURN = 0x00008067 };
  (void)state;
  struct chk *c = chk_create();
  struct tx_tile *t = tile_take();
  assert_non_null(c);
  tx_tile_reset(t, true);
  t->core[TX_CORE_NCRISC].state = TX_CORE_RUNNING;
  chk_attach(c, t, CHK_ALL);
  for (unsigned run = 0; run < 2; run++) {
    const uint32_t code[] = {LOAD, run ? UNTIL : RETURN, RETURN};
    tx_l1_write(t, PC, code, sizeof code);
    for (unsigned i = 0; i < 2 * CHK_LOOKS; i++) assert_int_equal(chk_in_a_poll(c, TX_CORE_NCRISC, PC, 0), run);
  }
  tile_give_back(t);
  chk_free(c);
}

/* --- order by a bank, and by the path to the GPRs --- */

static unsigned run_threads(struct chk *c, struct tx_tile *t, const struct program *p, enum tx_diag_id id) {
  struct tx_script scripts[TX_THREADS];
  uint32_t found = 0;
  tx_tile_reset(t, true);
  chk_attach(c, t, CHK_ALL);
  for (unsigned i = 0; i < TX_THREADS; i++) {
    scripts[i] = (struct tx_script){.ops = p->ops[i], .count = p->count[i]};
    tx_script_attach(t, i, &scripts[i]);
  }
  assert_int_equal(tx_tile_run(t, 1000000), SIM_END_DONE);
  for (uint32_t i = 0; i < t->diag.finding_count; i++) found += t->diag.findings[i].id == id;
  chk_detach(c);
  return found;
}

/* Thread 0 clears Dst and hands over SrcA, in this order or the other one. Thread 1 may clear Dst too, at any time; its MOVA2D waits for SrcA. */
static unsigned clear_and_move(struct chk *c, struct tx_tile *t, bool clears_first, bool both_clear) {
  const uint32_t clear = (uint32_t)TX_ZEROACC << 24 | TX_PUT(ZEROACC, clear_mode, 3),
                 give = (uint32_t)TX_UNPACR_NOP << 24 | 1u << 8 | 1u; /* SrcA */
  struct program p = {0};
  push(&p, 0, clears_first ? clear : give);
  push(&p, 0, clears_first ? give : clear);
  if (both_clear) push(&p, 1, clear);
  push(&p, 1, (uint32_t)TX_MOVA2D << 24);
  return run_threads(c, t, &p, TX_DIAG_DST_RACE);
}

static void a_bank_orders_the_clearing_of_dst_before_it(void **state) {
  (void)state;
  struct chk *c = chk_create();
  struct tx_tile *t = tile_take();
  assert_non_null(c);
  for (unsigned both = 0; both < 2; both++) {
    assert_int_equal(clear_and_move(c, t, true, both), 0);
    assert_int_equal(clear_and_move(c, t, false, both), 1);
  }
  tile_give_back(t);
  chk_free(c);
}

/* The core of thread 2 stores to GPR 28, then to others; then, or before these, it pushes SETDMAREG of GPR 28. */
static unsigned store_and_set(struct chk *c, struct tx_tile *t, unsigned others, bool sets_last) {
  const uint32_t set = (uint32_t)TX_SETDMAREG << 24 | 1u << 8 | 56;
  struct program p = {0};
  core_op(&p, 2, TX_SCRIPT_STORE, TX_ADDR_GPR + 4 * 28, 0, 0);
  if (!sets_last) push(&p, 2, set);
  for (unsigned i = 0; i < others; i++) core_op(&p, 2, TX_SCRIPT_STORE, TX_ADDR_GPR + 4 * (i % 28), 0, 0);
  if (sets_last) push(&p, 2, set);
  for (unsigned i = 0; i < 8; i++) push(&p, 2, (uint32_t)TX_NOP << 24);
  return run_threads(c, t, &p, TX_DIAG_GPR_RACE);
}

static void many_stores_to_gprs_push_one_through(void **state) {
  (void)state;
  struct chk *c = chk_create();
  struct tx_tile *t = tile_take();
  assert_non_null(c);
  assert_int_equal(store_and_set(c, t, 200, true), 0);
  assert_int_equal(store_and_set(c, t, 36, true), 0);
  assert_int_equal(store_and_set(c, t, 8, true), 1);
  assert_int_equal(store_and_set(c, t, 200, false), 1);
  tile_give_back(t);
  chk_free(c);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_load_of_another_program_polls),
                                     cmocka_unit_test(waits_in_place_give_no_finding),
                                     cmocka_unit_test(a_missing_wait_is_named),
                                     cmocka_unit_test(a_write_of_the_host_orders),
                                     cmocka_unit_test(a_counter_that_starts_again_orders),
                                     cmocka_unit_test(a_bank_orders_the_clearing_of_dst_before_it),
                                     cmocka_unit_test(many_stores_to_gprs_push_one_through)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
