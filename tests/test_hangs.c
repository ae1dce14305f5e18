/* The hang as a value: the condition a core polls for, since when, and which agents wait. tests/cli_hangs.sh has whole programs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "observe/hang/hang.h"
#include "observe/hang/progress.h"
#include "run_alone.h"
#include "rv_builder.h"
#include "tensix/tile/tile.h"
#include "tile_pool.h"

#define FLAG 0x20000u
#define CODE 0x9000u

static struct tx_tile *start(bool timing, unsigned core, const struct rv *code) {
  struct tx_tile *t = tile_take();
  tx_tile_reset(t, timing);
  tx_l1_write(t, CODE, (const uint8_t *)code->word, 4 * code->count);
  tx_core_start(t, core, CODE);
  return t;
}

/* --- since --- */

struct first {
  uint32_t pc;
  sim_time at;
};

static void note_first(void *context, const struct sim_event *e) {
  struct first *f = context;
  if (e->b == f->pc && !f->at) f->at = e->at;
}

/* A wait begins at its first poll, also when it was recognised thousands of cycles later (through the L0 cache), and also when
 * the core polled another word before it. */
static void since_is_the_first_poll(void **state) {
  (void)state;
  for (unsigned variant = 0; variant < 4; variant++) {
    struct rv c = {0};
    rv_li(&c, A5, variant & 2 ? 8 : 0); /* cfg0: no L0 data cache */
    rv_put(&c, 0x7c07a073u);            /* csrs 0x7c0, a5 */
    rv_li(&c, A4, FLAG);
    for (unsigned i = 0; i < 20; i++) rv_load(&c, 2, A2, A4, 0x100 + 4 * (int32_t)i);
    struct first first = {.pc = CODE + 4 * c.count};
    rv_load(&c, 2, A3, A4, 0);
    rv_beq(&c, A3, ZERO, c.count - 1);
    rv_ebreak(&c);
    struct tx_tile *t = start(variant & 1, 3, &c);
    struct obs_hang h;
    int handle = sim_log_attach(&t->unsaved.log, note_first, &first, 1u << TX_EVENT_CORE);
    assert_int_equal(run_alone(t, 100000), SIM_END_BLOCKED);
    sim_log_detach(&t->unsaved.log, handle);
    obs_hang_find(t, NULL, &h);
    assert_int_equal(h.waiter_count, 1);
    /* The load is logged when it is issued; it polls when the load/store unit has room: earlier loads hold its four entries. */
    bool waits = variant == 3;
    assert_in_range(h.waiters[0].since, first.at, first.at + (waits ? 4 : 0));
    assert_int_equal(h.waiters[0].resource.address, FLAG);
    tile_give_back(t);
  }
}

/* --- the condition that ends the loop --- */

static void expect_wish(const struct rv *c, enum obs_wish wish, uint32_t wanted) {
  for (unsigned timing = 0; timing < 2; timing++) {
    struct tx_tile *t = start(timing, 4, c);
    struct obs_hang h;
    assert_int_equal(run_alone(t, 100000), SIM_END_BLOCKED);
    obs_hang_find(t, NULL, &h);
    assert_int_equal(h.waiter_count, 1);
    assert_int_equal(h.waiters[0].resource.kind, OBS_RESOURCE_WORD);
    assert_int_equal(h.waiters[0].resource.wish, wish);
    assert_int_equal(h.waiters[0].resource.wanted, wanted);
    tile_give_back(t);
  }
}

static void what_ends_a_poll(void **state) {
  (void)state;
  struct rv equal = {0}, other = {0}, bit = {0}, count = {0}, byte = {0};
  rv_li(&equal, A4, FLAG);
  rv_li(&equal, A2, 0xcafe1234u);
  rv_load(&equal, 2, A3, A4, 0);
  rv_bne(&equal, A3, A2, equal.count - 1);
  rv_ebreak(&equal);
  expect_wish(&equal, OBS_WISH_EQUAL, 0xcafe1234u);
  rv_li(&other, A4, FLAG);
  rv_load(&other, 2, A3, A4, 0);
  rv_beq(&other, A3, ZERO, other.count - 1);
  rv_ebreak(&other);
  expect_wish(&other, OBS_WISH_NOT_EQUAL, 0);
  rv_li(&bit, A4, FLAG);
  rv_li(&bit, A2, 0x40);
  rv_load(&bit, 2, A3, A4, 0);
  rv_and(&bit, A3, A3, A2);
  rv_beq(&bit, A3, ZERO, bit.count - 2);
  rv_ebreak(&bit);
  expect_wish(&bit, OBS_WISH_BITS, 0x40);
  rv_li(&count, A4, FLAG);
  rv_li(&count, A2, 17);
  rv_load(&count, 2, A3, A4, 0);
  rv_bltu(&count, A3, A2, count.count - 1);
  rv_ebreak(&count);
  expect_wish(&count, OBS_WISH_AT_LEAST, 17);
  rv_li(&byte, A4, FLAG);
  rv_li(&byte, A2, 0x12);
  rv_li(&byte, A5, 0xabcd12); /* it ends the loop too, by the same byte */
  rv_load(&byte, 2, A3, A4, 0);
  rv_put(&byte, 0x0ff6f693u); /* andi a3, a3, 0xff */
  rv_bne(&byte, A3, A2, byte.count - 2);
  rv_ebreak(&byte);
  expect_wish(&byte, OBS_WISH_EQUAL, 0x12);
}

/* TRISC1 polls a semaphore, which has the value 1, by its low byte, and where two values end the poll. */
static void what_ends_a_poll_of_a_semaphore(void **state) {
  (void)state;
  static const char *const expected[] = {"semaphore 3 (UNPACK_OPERAND_SYNC) (now 1) to become 0",
                                         "semaphore 3 (UNPACK_OPERAND_SYNC) (now 1) to change"};
  for (unsigned variant = 0; variant < 2; variant++) {
    struct rv c = {0};
    rv_li(&c, A4, TX_ADDR_SEMAPHORE + 12);
    rv_li(&c, A2, 5);
    rv_li(&c, A5, 0xb000); /* its low byte is 0 */
    rv_load(&c, 2, A3, A4, 0);
    if (variant == 0) rv_put(&c, 0x0ff6f693u); /* andi a3, a3, 0xff */
    else rv_beq(&c, A3, A2, c.count + 2);
    rv_bne(&c, A3, variant ? A5 : ZERO, c.count - 2);
    rv_ebreak(&c);
    struct tx_tile *t = start(true, 1, &c);
    struct obs_hang h;
    t->sync.sem[3] = (struct sim_csem){.value = 1, .max = 2};
    assert_int_equal(run_alone(t, 100000), SIM_END_BLOCKED);
    obs_hang_find(t, NULL, &h);
    assert_int_equal(h.waiter_count, 1);
    assert_string_equal(h.waiters[0].what, expected[variant]);
    tile_give_back(t);
  }
}

/* --- who waits --- */

static void an_ended_core_does_not_wait(void **state) {
  (void)state;
  struct rv c = {0}, ends = {0};
  struct obs_hang h;
  rv_li(&c, A4, FLAG);
  rv_load(&c, 2, A3, A4, 0);
  rv_beq(&c, A3, ZERO, c.count - 1);
  rv_ebreak(&ends);
  struct tx_tile *t = start(true, 3, &c);
  tx_l1_write(t, CODE + 0x800, (const uint8_t *)ends.word, 4);
  tx_core_start(t, 1, CODE + 0x800);
  assert_int_equal(run_alone(t, 100000), SIM_END_BLOCKED);
  obs_hang_find(t, NULL, &h);
  assert_int_equal(h.waiter_count, 1);
  assert_int_equal(h.waiters[0].agent, TX_AGENT_BRISC);
  assert_int_equal(h.waiters[0].tile, OBS_NO_TILE);
  assert_int_equal(h.chain_count, 1);
  assert_false(h.deadlock);
  unsigned returned = 0, held = 0;
  for (unsigned i = 0; i < h.party_count; i++) {
    returned += h.parties[i].state == OBS_PARTY_RETURNED;
    held += h.parties[i].state == OBS_PARTY_HELD;
  }
  assert_int_equal(returned, 1);
  assert_int_equal(held, 3);
  tile_give_back(t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(since_is_the_first_poll),
      cmocka_unit_test(what_ends_a_poll),
      cmocka_unit_test(what_ends_a_poll_of_a_semaphore),
      cmocka_unit_test(an_ended_core_does_not_wait),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
