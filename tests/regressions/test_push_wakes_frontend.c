/* A core that ran ahead pushed into a front end that had become idle since its last push, and did not restart it: FIFO 1
 * filled up with words that the MOP expander would have consumed. Here the gate waits for a semaphore that is never posted and
 * a playback fills FIFO 3: FIFO 2 still accepts words, so the core can push that many more, traced or not, at any distance
 * between its pushes. */
#include "../rig.h"
#include "../rv_builder.h"
#include "tensix/riscv/core.h"

#define CODE 0x10000u
#define PLAYED 6u
#define PUSHES 60u

static void ttinsn(struct rv *p, uint32_t word) { rv_put(p, word << 2 | word >> 30); }
static void pause(struct rv *p, unsigned cycles) {
  for (; cycles; cycles--) rv_addi(p, A0, A0, 1);
}

/* `before`, `after`: cycles around an access that the core must make in its own cycle, which advances time. */
static void build(struct rv *p, unsigned before, unsigned after, bool by_load) {
  rv_li(p, A1, 0x20000);
  rv_li(p, A2, 1u << 18 | 1u << 3); /* cfg0: no fusion of pushes, no L0 cache */
  rv_put(p, 0x7c0u << 20 | A2 << 15 | 1u << 12 | 0x73u);
  ttinsn(p, (uint32_t)TX_REPLAY << 24 | PLAYED << 4 | 1u);
  for (unsigned i = 0; i < PLAYED; i++) ttinsn(p, (uint32_t)TX_DMANOP << 24);
  ttinsn(p, (uint32_t)TX_SEMWAIT << 24 | 0x1ffu << 15 | 1u << 2 | 1u); /* holds everything while semaphore 0 is 0 */
  ttinsn(p, (uint32_t)TX_REPLAY << 24 | PLAYED << 4);
  pause(p, 40);
  for (unsigned i = 0; i < PUSHES; i++) {
    ttinsn(p, (uint32_t)TX_DMANOP << 24);
    pause(p, before);
    if (by_load) rv_load(p, 2, A3, A1, 0);
    else rv_put(p, 0xb00u << 20 | 2u << 12 | A3 << 7 | 0x73u); /* mcycle */
    pause(p, after);
    if (p->count > RV_WORDS_MAX - 32) break;
  }
  for (unsigned i = 0; i < 16; i++) ttinsn(p, (uint32_t)TX_DMANOP << 24);
  rv_ebreak(p);
}

static void ignore(void *context, const struct sim_event *event) { (void)context, (void)event; }

struct end {
  sim_time now;
  uint64_t pushed, retired, in_fifo2;
};

static struct end run(const struct rv *code, bool traced) {
  struct tx_tile *t = tile_take();
  tx_tile_reset(t, true);
  t->params.local_ram_clears = 0;
  memcpy(&t->l1[CODE], code->word, code->count * sizeof code->word[0]);
  int handle = traced ? sim_log_attach(&t->unsaved.log, ignore, NULL, ~0u) : -1;
  tx_core_start(t, 0, CODE);
  assert_int_equal(tx_tile_run(t, 20000), SIM_END_BLOCKED);
  if (handle >= 0) sim_log_detach(&t->unsaved.log, handle);
  struct end e = {t->engine.now, t->frontend[0].pushed, t->core[0].retired, t->frontend[0].fifo2.count};
  tile_give_back(t);
  return e;
}

static void pushes_set_a_resting_frontend_going(void **state) {
  (void)state;
  for (unsigned variant = 0; variant < 2 * 8 * 6; variant++) {
    unsigned before = variant / 2 % 8, after = variant / 16;
    struct rv code = {.count = 0};
    build(&code, before, after, variant & 1u);
    struct end plain = run(&code, false), traced = run(&code, true);
    if (memcmp(&plain, &traced, sizeof plain) != 0)
      fail_msg("%u before, %u after: blocked at cycle %llu with %llu words pushed, traced at %llu with %llu", before, after,
               (unsigned long long)plain.now, (unsigned long long)plain.pushed, (unsigned long long)traced.now,
               (unsigned long long)traced.pushed);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(pushes_set_a_resting_frontend_going)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
