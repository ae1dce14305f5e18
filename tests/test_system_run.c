/* Links in time: scripted cores of Ethernet tiles send blocks of L1 and register writes, with the registers that the fabric's routers write,
 * and the other end checks what has arrived when. Expected cycles are link_timing.def's figures, calculated here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "chip/service.h"
#include "chip/stream.h"
#include "system/state.h"
#include "tensix/tile/outside.h"
#include "tensix/tile/script.h"
#include "tensix/tile/tile.h"

#define BRISC 3u /* ERISC0 */
#define QUEUE 0xffb90000u
#define SCRATCH 0xffb40010u /* stream 0, a register of 24 bits */
#define LATENCY 675u
#define BITS 296u
#define OVERHEAD 56u

static struct system_plan plan;
static struct system *sys;
static bool timing;
static struct tx_script scripts[8];

static void open_system(const char *name, const char *options) {
  const char *why = "";
  char error[128];
  struct chip_config config = {.timing = timing, .threads = 1};
  assert_true(system_plan_find(&plan, name, &(struct chip_harvest){.ethernet = 0x3000}));
  if (options && !system_plan_options(&plan, options, error, sizeof error)) fail_msg("%s", error);
  sys = system_create(&plan, &config, NULL, NULL, &why);
  if (!sys) fail_msg("%s", why);
}

static void close_system(void) {
  system_destroy(sys);
  sys = NULL;
}

static struct tx_tile *ethernet(unsigned chip, unsigned channel) {
  struct chip *c = system_chip(sys, chip);
  struct chip_endpoint *e = chip_endpoint(c, chip_tile_of(chip_grid(c), 0, 20 + channel, 25));
  assert_non_null(e);
  return e->self;
}

static void put_script(unsigned slot, struct tx_tile *t, const struct tx_script_op *ops, uint32_t count) {
  scripts[slot] = (struct tx_script){.ops = ops, .count = count};
  tx_script_attach(t, BRISC, &scripts[slot]);
  struct chip_endpoint *e = t->unsaved.network.net;
  e->exposed = 1; /* the chip recalculates when it acts */
}

#define STORE(address, value) \
  { TX_SCRIPT_STORE, address, value, 0, 0 }
#define WAIT(address, mask, value) \
  { TX_SCRIPT_WAIT, address, mask, value, 0 }
#define COPY(from, to) \
  { TX_SCRIPT_COPY, from, to, 0, 0 }
#define FREE(q) WAIT(QUEUE + 0x1000 * (q) + 8, 1u << 16, 0)
#define BLOCK(q, from, bytes, to) \
  STORE(QUEUE + 0x1000 * (q) + 0x14, from), STORE(QUEUE + 0x1000 * (q) + 0x18, bytes), \
      STORE(QUEUE + 0x1000 * (q) + 0x1c, to), STORE(QUEUE + 0x1000 * (q) + 4, 2)
#define REGISTER(q, to, data) \
  STORE(QUEUE + 0x1000 * (q) + 0x1c, to), STORE(QUEUE + 0x1000 * (q) + 0x44, data), STORE(QUEUE + 0x1000 * (q) + 4, 4)
#define SCRIPT(slot, tile, ops) put_script(slot, tile, ops, sizeof(ops) / sizeof *(ops))

static void fill(struct tx_tile *t, uint32_t at, uint32_t bytes, unsigned seed) {
  uint8_t *raw = malloc(bytes);
  assert_non_null(raw);
  for (uint32_t i = 0; i < bytes; i++) raw[i] = (uint8_t)(i * 7 + i / 256 + seed);
  assert_true(tx_host_write(t, at, raw, bytes));
  free(raw);
}

static void both(void (*test)(void)) {
  for (unsigned i = 0; i < 2; i++) {
    timing = i == 0;
    test();
    close_system();
    sys = NULL;
  }
}

/* --- a packet and its register write --- */

/* When the receiver sees the register, all of the block is there; its answer ends the sender. */
static void ping(void) {
  static const struct tx_script_op sender[] = {STORE(QUEUE + 0x6c, 32),          FREE(0),
                                               BLOCK(0, 0x20000, 4400, 0x37f60), FREE(0),
                                               REGISTER(0, SCRATCH, 0x40),       WAIT(SCRATCH, 0xffffff, 0x41)};
  static const struct tx_script_op receiver[] = {WAIT(SCRATCH, 0xffffff, 0x40), COPY(0x37f60 + 4396, 0x1000),
                                                 COPY(0x37f60, 0x1004), FREE(0), REGISTER(0, SCRATCH, 0x41)};
  open_system("p300", NULL);
  struct tx_tile *a = ethernet(0, 2), *b = ethernet(1, 9);
  fill(a, 0x20000, 4400, 3);
  SCRIPT(0, a, sender);
  SCRIPT(1, b, receiver);
  assert_int_equal(system_run(sys, 20000), CHIP_END_DONE);
  assert_memory_equal(&b->l1[0x37f60], &a->l1[0x20000], 4400);
  assert_memory_equal(&b->l1[0x1000], &a->l1[0x20000 + 4396], 4);
  assert_memory_equal(&b->l1[0x1004], &a->l1[0x20000], 4);
  /* 1488, 1488 and 1424 bytes and the register write; words of 96 bytes; the answer */
  assert_int_equal(a->link.queue[0].word[0x30 / 4], 2);
  assert_int_equal(a->link.queue[0].word[0x34 / 4], 4);
  assert_int_equal(a->link.queue[0].word[0x3c / 4], 4);
  assert_int_equal(a->link.queue[0].word[0x40 / 4], 16 + 16 + 15 + 1);
  assert_int_equal(b->link.received, 4);
  assert_int_equal(a->link.received, 1);
  assert_int_equal(a->link.lost, 0);
}

static void a_packet_arrives_before_its_register_write(void **state) {
  (void)state;
  both(ping);
}

/* --- time --- */

static uint64_t arrival_of(struct tx_tile *t, uint32_t address, uint64_t limit) {
  while (system_now(sys) < limit) {
    uint32_t word;
    memcpy(&word, &t->l1[address], 4);
    if (word) return system_now(sys);
    system_run(sys, system_now(sys) + 1);
  }
  return 0;
}

/* The difference between blocks of 16 and of 1472 bytes is their time on the line; 16 bytes take the latency and two cycles. */
static void a_block_takes_its_bits_and_the_latency(void **state) {
  (void)state;
  static const uint32_t sizes[] = {16, 1472, 2960};
  uint64_t took[3];
  timing = true;
  for (unsigned i = 0; i < 3; i++) {
    const struct tx_script_op sender[] = {BLOCK(0, 0x20000, sizes[i], 0x30000)};
    open_system("p300", NULL);
    struct tx_tile *a = ethernet(0, 3), *b = ethernet(1, 8);
    fill(a, 0x20000, sizes[i], 1);
    SCRIPT(0, a, sender);
    took[i] = arrival_of(b, 0x30000 + sizes[i] - 4, 3000);
    assert_in_range(took[i], LATENCY, LATENCY + 150);
    close_system();
  }
  assert_int_equal(took[1] - took[0], (1472 + OVERHEAD) * 8 / BITS - (16 + OVERHEAD) * 8 / BITS);
  /* two frames of 1488 and 1472: the second begins after the first */
  assert_int_equal(took[2] - took[0], (2960 + 2 * OVERHEAD) * 8 / BITS - (16 + OVERHEAD) * 8 / BITS);
}

/* Eight blocks of 14,880 bytes back to back: 400 Gb/s less the frames' overhead, 56 of 1,544 bytes. */
static void the_line_is_the_bottleneck(void **state) {
  (void)state;
  struct tx_script_op ops[8 * 5 + 1];
  const struct tx_script_op block[] = {FREE(0), BLOCK(0, 0x20000, 14880, 0x30000)};
  timing = true;
  open_system("p300", NULL);
  struct tx_tile *a = ethernet(0, 2);
  ops[0] = (struct tx_script_op)STORE(QUEUE + 0x6c, 32);
  for (unsigned i = 0; i < 8; i++) memcpy(&ops[1 + 5 * i], block, sizeof block);
  SCRIPT(0, a, ops);
  system_run(sys, 20000);
  const uint64_t bits = 8ull * (8 * 14880 + 80 * OVERHEAD), line = bits / BITS;
  assert_in_range(a->link.free_at, line, line + 250);
  assert_int_equal(a->link.frames, 80);
  close_system();
}

/* --- any cut, saved states --- */

static const struct tx_script_op ring_first[] = {BLOCK(0, 0x20000, 4400, 0x20000), FREE(0), REGISTER(0, SCRATCH, 1),
                                                 WAIT(SCRATCH, 0xffffff, 1)};
static const struct tx_script_op ring_next[] = {WAIT(SCRATCH, 0xffffff, 1), BLOCK(0, 0x20000, 4400, 0x20000), FREE(0),
                                                REGISTER(0, SCRATCH, 1)};

/* Both links of a p300 at once, in both directions. */
static void start_traffic(void) {
  open_system("p300", NULL);
  fill(ethernet(0, 2), 0x20000, 4400, 5);
  SCRIPT(0, ethernet(0, 2), ring_first);
  SCRIPT(1, ethernet(1, 9), ring_next);
  fill(ethernet(1, 8), 0x20000, 4400, 9);
  SCRIPT(2, ethernet(1, 8), ring_first);
  SCRIPT(3, ethernet(0, 3), ring_next);
}

static void cut(void) {
  static const uint64_t pieces[] = {20000, 1, 17, 128, 675, 676, 3001};
  uint64_t whole = 0;
  for (unsigned i = 0; i < sizeof pieces / sizeof *pieces; i++) {
    close_system();
    start_traffic();
    while (system_now(sys) < 20000) {
      uint64_t next = system_now(sys) + pieces[i];
      system_run(sys, next < 20000 ? next : 20000);
    }
    assert_memory_equal(&ethernet(0, 3)->l1[0x20000], &ethernet(1, 8)->l1[0x20000], 4400);
    if (!i) whole = system_hash(sys);
    assert_int_equal(system_hash(sys), whole);
  }
}

static void one_hash_for_every_cut(void **state) {
  (void)state;
  both(cut);
}

static void saved(void) {
  start_traffic();
  for (uint64_t at = 300; at < 3000; at += 225) {
    struct chip_stream bytes = {0}, again = {0};
    system_run(sys, at);
    assert_true(system_save(sys, &bytes));
    const uint64_t then = system_hash(sys);
    system_run(sys, 12000);
    const uint64_t end = system_hash(sys);
    assert_null(system_restore(sys, &bytes));
    assert_int_equal(system_hash(sys), then);
    assert_true(system_save(sys, &again));
    assert_int_equal(again.length, bytes.length);
    system_run(sys, 12000);
    assert_int_equal(system_hash(sys), end);
    bytes.at = 0;
    assert_null(system_restore(sys, &bytes));
    bytes.at = 0, bytes.length--;
    assert_non_null(system_restore(sys, &bytes));
    bytes.length++, bytes.at = 0;
    assert_null(system_restore(sys, &bytes));
    free(bytes.bytes);
    free(again.bytes);
  }
}

static void states_with_frames_under_way(void **state) {
  (void)state;
  both(saved);
}

static void a_state_of_another_system(void **state) {
  (void)state;
  struct chip_stream bytes = {0};
  timing = true;
  open_system("p300", NULL);
  assert_true(system_save(sys, &bytes));
  close_system();
  open_system("p300", "0.2=latency:500");
  assert_string_equal(system_restore(sys, &bytes), "the saved system has other chips or links");
  bytes.bytes[0] ^= 1, bytes.at = 0;
  assert_string_equal(system_restore(sys, &bytes), "this is not a saved system");
  close_system();
  free(bytes.bytes);
}

/* --- links that are down or slow --- */

static uint32_t read_word(struct tx_tile *t, uint32_t address) {
  uint32_t word = 0;
  assert_true(tx_outside_read(t, address, &word, 4));
  return word;
}

static void down(void) {
  static const struct tx_script_op sender[] = {BLOCK(0, 0x20000, 1472, 0x30000)};
  static const struct tx_script_op later[] = {WAIT(0x100, 1, 1), BLOCK(0, 0x20000, 1472, 0x30000)};
  open_system("p300", "0.2=down@5000 1.8=down");
  struct tx_tile *a = ethernet(0, 2), *b = ethernet(1, 9), *c = ethernet(0, 3), *d = ethernet(1, 8);
  fill(a, 0x20000, 1472, 1);
  SCRIPT(0, a, later);
  SCRIPT(1, c, sender);
  fill(c, 0x20000, 1472, 1);
  assert_int_equal(read_word(a, 0x7cc04), 1);
  assert_int_equal(read_word(c, 0x7cc04), 2);
  system_run(sys, 4999);
  assert_int_equal(read_word(a, 0xffb9800c), 1);
  assert_int_equal(read_word(c, 0xffb9800c), 0);
  assert_int_equal(c->link.lost, 1);
  assert_int_equal(d->link.received, 0);
  system_run(sys, 5000);
  assert_int_equal(read_word(b, 0x7cc04), 2);
  assert_int_equal(read_word(b, 0x7ce04), 0);
  assert_int_equal(read_word(b, 0xffb9800c), 0);
  fill(a, 0x100, 1, 1);
  ((struct chip_endpoint *)a->unsaved.network.net)->exposed = 1;
  system_run(sys, 9000);
  assert_int_equal(a->link.frames, 1);
  assert_int_equal(a->link.lost, 1);
  assert_int_equal(b->link.received, 0);
}

static void a_link_that_goes_down_loses_frames(void **state) {
  (void)state;
  both(down);
}

static void a_slow_link(void **state) {
  (void)state;
  const struct tx_script_op sender[] = {BLOCK(0, 0x20000, 1472, 0x30000)};
  timing = true;
  open_system("p300", "1.9=latency:2000 1.9=bits:8");
  struct tx_tile *a = ethernet(0, 2), *b = ethernet(1, 9);
  fill(a, 0x20000, 1472, 1);
  SCRIPT(0, a, sender);
  assert_in_range(arrival_of(b, 0x30000, 8000), 2000 + 1528, 2000 + 1528 + 100);
  close_system();
}

static void options_that_are_refused(void **state) {
  (void)state;
  static const char *const bad[][2] = {
      {"x", "x: must be CHIP.CHANNEL=WHAT"},
      {"0.2=down 0.4=down", "0.4=down: there is no link"},
      {"0.2=up", "0.2=up: must be down, down@CYCLE, latency:CYCLES or bits:BITS_PER_CYCLE"},
      {"0.2=latency:0", "0.2=latency:0: must be down, down@CYCLE, latency:CYCLES or bits:BITS_PER_CYCLE"},
      {"0.2=bits:99999", "0.2=bits:99999: must be down, down@CYCLE, latency:CYCLES or bits:BITS_PER_CYCLE"},
      {"0.2=down@5x", "0.2=down@5x: must be down, down@CYCLE, latency:CYCLES or bits:BITS_PER_CYCLE"},
  };
  char error[128];
  for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
    assert_true(system_plan_find(&plan, "p300", &(struct chip_harvest){.ethernet = 0x3000}));
    assert_false(system_plan_options(&plan, bad[i][0], error, sizeof error));
    assert_string_equal(error, bad[i][1]);
  }
}

/* --- misuse --- */

static void misuse_is_named(void **state) {
  (void)state;
  const struct {
    struct tx_script_op ops[6];
    const char *why;
  } bad[] = {
      {{BLOCK(0, 0x20000, 14880, 0x30000), STORE(QUEUE + 4, 2)},
       "Ethernet TX queue 0: a command while STATUS bit 16 is set: the last one has not been taken"},
      {{BLOCK(0, 0x20008, 16, 0x30000)}, "Ethernet TX queue 0: source, size and destination must be multiples of 16"},
      {{BLOCK(1, 0x20000, 24, 0x30000)}, "Ethernet TX queue 1: source, size and destination must be multiples of 16"},
      {{BLOCK(0, 0x20000, 0, 0x30000)}, "Ethernet TX queue 0: a transfer of 0 bytes"},
      {{BLOCK(0, 0x7fff0, 32, 0x30000)}, "Ethernet TX queue 0: the source is not in L1"},
      {{BLOCK(2, 0x20000, 32, 0x7fff0)}, "Ethernet TX queue 2: the destination is not in L1"},
      {{REGISTER(2, SCRATCH, 1)}, "Ethernet TX queue 2: it has no register writes"},
      {{REGISTER(0, SCRATCH + 2, 1)}, "Ethernet TX queue 0: the address of a register write is not a multiple of 4"},
      {{REGISTER(0, 0x1000, 1)}, "Ethernet TX queue 0: a register write whose address is no register that a link reaches"},
      {{STORE(QUEUE + 4, 1)}, "Ethernet TX queue 0: raw frames are not simulated"},
      {{STORE(QUEUE + 4, 8)}, "Ethernet TX queue 0: only commands 2 (data) and 4 (register) are simulated"},
      {{STORE(QUEUE, 4)}, "Ethernet TX queue 0: of CTRL only bits 0 (resending) and 3 (no drop notification) are simulated"},
  };
  timing = true;
  for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
    uint32_t count = 0;
    unsigned tile;
    open_system("p300", NULL);
    while (count < 6 && bad[i].ops[count].a) count++;
    put_script(0, ethernet(0, 2), bad[i].ops, count);
    assert_int_equal(system_run(sys, 5000), CHIP_END_FAULT);
    assert_true(system_faulted(sys));
    const struct sim_fault *fault = chip_fault(system_chip(sys, 0), &tile);
    assert_non_null(fault);
    assert_string_equal(fault->why, bad[i].why);
    assert_int_equal(tile, chip_tile_of(chip_grid(system_chip(sys, 0)), 0, 22, 25));
    close_system();
  }
}

/* The receiver has no register there: it stops. */
static void a_write_to_no_register(void **state) {
  (void)state;
  const struct tx_script_op sender[] = {REGISTER(0, 0xffb12ffc, 1)};
  timing = true;
  open_system("p300", NULL);
  SCRIPT(0, ethernet(0, 2), sender);
  ethernet(1, 9);
  assert_int_equal(system_run(sys, 5000), CHIP_END_FAULT);
  const struct sim_fault *fault = chip_fault(system_chip(sys, 1), NULL);
  assert_non_null(fault);
  assert_string_equal(fault->why,
                      "the other end of the Ethernet link writes 4 bytes to 0xffb12ffc: there is no such register");
  close_system();
}

/* A port without a link takes commands, and their frames are lost. */
static void a_port_without_a_link(void **state) {
  (void)state;
  const struct tx_script_op sender[] = {BLOCK(0, 0x20000, 32, 0x30000), FREE(0), REGISTER(0, SCRATCH, 1)};
  timing = true;
  open_system("p300", NULL);
  struct tx_tile *t = ethernet(0, 0);
  SCRIPT(0, t, sender);
  assert_int_equal(system_run(sys, 5000), CHIP_END_DONE);
  assert_int_equal(t->link.lost, 2);
  close_system();
}

/* All links of 32 chips at once: each end sends a block, and each receives the other's. */
static void every_link_of_a_galaxy(void **state) {
  (void)state;
  static const struct tx_script_op sender[] = {BLOCK(0, 0x20000, 64, 0x30000)};
  timing = false;
  open_system("galaxy", NULL);
  for (unsigned i = 0; i < plan.links; i++)
    for (unsigned k = 0; k < 2; k++) {
      const struct system_end *end = &plan.link[i].end[k];
      fill(ethernet(end->chip, end->channel), 0x20000, 64, 12u * end->chip + end->channel);
      SCRIPT(0, ethernet(end->chip, end->channel), sender);
    }
  assert_int_equal(system_run(sys, 3000), CHIP_END_DONE);
  for (unsigned i = 0; i < plan.links; i++)
    for (unsigned k = 0; k < 2; k++) {
      const struct system_end *own = &plan.link[i].end[k], *other = &plan.link[i].end[1 - k];
      assert_memory_equal(&ethernet(own->chip, own->channel)->l1[0x30000],
                          &ethernet(other->chip, other->channel)->l1[0x20000], 64);
    }
  close_system();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_packet_arrives_before_its_register_write),
      cmocka_unit_test(a_block_takes_its_bits_and_the_latency),
      cmocka_unit_test(the_line_is_the_bottleneck),
      cmocka_unit_test(one_hash_for_every_cut),
      cmocka_unit_test(states_with_frames_under_way),
      cmocka_unit_test(a_state_of_another_system),
      cmocka_unit_test(a_link_that_goes_down_loses_frames),
      cmocka_unit_test(a_slow_link),
      cmocka_unit_test(options_that_are_refused),
      cmocka_unit_test(misuse_is_named),
      cmocka_unit_test(a_write_to_no_register),
      cmocka_unit_test(a_port_without_a_link),
      cmocka_unit_test(every_link_of_a_galaxy),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
