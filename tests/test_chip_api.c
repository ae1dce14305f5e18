/* The chip through include/tessera/chip.h: hangs over several tiles, faults, save and restore, misuse. Cores run a few words of RV32. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tessera/chip.h"
#include "tessera/launch.h"

static struct tessera_chip *new_chip(enum tessera_timing timing, unsigned threads, const char *product) {
  struct tessera_chip_options options = {.product = product, .timing = timing, .threads = threads};
  struct tessera_chip *chip = tessera_chip_create(&options);
  assert_non_null(chip);
  return chip;
}

static void put(struct tessera_chip *chip, unsigned x, unsigned y, uint32_t address, uint32_t value) {
  assert_int_equal(tessera_chip_write(chip, x, y, address, &value, 4), TESSERA_OK);
}

static uint32_t get(struct tessera_chip *chip, unsigned x, unsigned y, uint32_t address) {
  uint32_t value = 0;
  assert_int_equal(tessera_chip_read(chip, x, y, address, &value, 4), TESSERA_OK);
  return value;
}

/* BRISC of the tile polls `address` until it is not 0, sends the prepared request (`fires`), and stops. Code at 0, as after
 * reset. */
static void wait_then(struct tessera_chip *chip, unsigned x, unsigned y, uint32_t address, bool fires) {
  const uint32_t code[] = {0x000402b7,
                           0x00828293,
                           0x7c02a073, /* cfg0 as firmware sets it */
                           (address & 0xfffff000u) | 0x7b7,
                           0x0007a503 /* lw a0,0(a5) */,
                           0xfe050ee3 /* beqz a0,-4 */,
                           0xffb20737 /* lui a4,0xffb20 */,
                           0x00100793 /* li a5,1 */,
                           fires ? 0x04f72023 /* sw a5,0x40(a4) */ : 0x00000013,
                           0x00100073};
  for (unsigned i = 0; i < sizeof code / 4; i++) put(chip, x, y, 4 * i, code[i]);
  put(chip, x, y, 0xFFB121B0u, 0x47800u & ~(1u << 11)); /* BRISC out of reset */
}

static void wait_for(struct tessera_chip *chip, unsigned x, unsigned y, uint32_t address) {
  wait_then(chip, x, y, address, false);
}

static void prepare(struct tessera_chip *chip, unsigned x, unsigned y, const uint32_t words[11]) {
  for (unsigned i = 0; i < 11; i++) put(chip, x, y, 0xFFB20000u + 4 * i, words[i]);
}

static void fire(struct tessera_chip *chip, unsigned x, unsigned y, const uint32_t words[11]) {
  prepare(chip, x, y, words);
  put(chip, x, y, 0xFFB20040u, 1);
}

static uint32_t at(unsigned x, unsigned y) { return x | y << 6; }

/* Each of the two waiters names the other's tile, and the chain is closed. */
static void mutual_wait_as_a_value(struct tessera_chip *chip) {
  struct tessera_hang hang;
  struct tessera_waiter waiter;
  assert_int_equal(tessera_chip_hang(chip, &hang), 1);
  assert_true(hang.deadlock && hang.waiter_count == 2 && hang.chain_count == 2);
  for (size_t i = 0; i < 2; i++) {
    assert_int_equal(tessera_chip_waiter(chip, hang.chain[i], &waiter), TESSERA_OK);
    bool first = waiter.tile_x == 3;
    assert_int_equal(waiter.tile_y, first ? 4 : 7);
    assert_int_equal(waiter.other_x, first ? 12 : 3);
    assert_int_equal(waiter.other_y, first ? 7 : 4);
    assert_int_equal(waiter.address, first ? 0x20000 : 0x30000);
    assert_int_equal(waiter.waits_for, (int)hang.chain[1 - i]);
    assert_string_equal(waiter.kind, "word");
    assert_string_equal(waiter.name, "BRISC");
    assert_true(waiter.since < 1000 && waiter.why[0]);
    assert_int_equal(waiter.releaser_count, 1);
    assert_string_equal(waiter.releasers[0].name, first ? "BRISC of Tensix (12,7)" : "BRISC of Tensix (3,4)");
    assert_string_equal(waiter.releasers[0].state, "waiting");
  }
  struct tessera_party party;
  assert_int_equal(tessera_chip_party(chip, 0, &party), TESSERA_INVALID); /* the other cores were never started */
  assert_int_equal(tessera_chip_party(NULL, 0, &party), TESSERA_INVALID);
  assert_int_equal(tessera_chip_waiter(chip, 2, &waiter), TESSERA_INVALID);
  assert_int_equal(tessera_chip_waiter(chip, 0, NULL), TESSERA_INVALID);
  assert_int_equal(tessera_chip_hang(NULL, &hang), 0);
}

static void two_tiles_that_wait_for_each_other(void **state) {
  (void)state;
  for (unsigned timing = 0; timing < 2; timing++) {
    struct tessera_chip *chip = new_chip(timing, 2, "full");
    prepare(chip, 3, 4, (const uint32_t[11]){0x30000, 0, at(12, 7), 0, 0, 0, 0, 1, 0x107c, 0, 1}); /* increments */
    prepare(chip, 12, 7, (const uint32_t[11]){0x20000, 0, at(3, 4), 0, 0, 0, 0, 1, 0x107c, 0, 1});
    wait_then(chip, 3, 4, 0x20000, true);
    wait_then(chip, 12, 7, 0x30000, true);
    assert_int_equal(tessera_chip_run(chip, 20000), TESSERA_HANG);
    const char *text = tessera_chip_explain(chip);
    assert_non_null(strstr(text, "deadlock: BRISC of Tensix ("));
    assert_non_null(strstr(text, "BRISC of Tensix (3,4) -> "));
    assert_non_null(strstr(text, "BRISC of Tensix (12,7) -> "));
    assert_non_null(strstr(text, "0x00020000"));
    mutual_wait_as_a_value(chip);
    assert_int_equal(tessera_chip_cycle(chip), 20000);
    /* The host ends the hang by writing the word, as it may for any hang. */
    put(chip, 3, 4, 0x20000, 1);
    put(chip, 12, 7, 0x30000, 1);
    assert_int_equal(tessera_chip_run(chip, 20000), TESSERA_DONE);
    tessera_chip_destroy(chip);
  }
}

/* A packet that writes the word wakes the core; while it is in flight the chip does not hang. */
static void a_packet_wakes_a_parked_core(void **state) {
  (void)state;
  for (unsigned timing = 0; timing < 2; timing++) {
    struct tessera_chip *chip = new_chip(timing, 1, NULL);
    wait_for(chip, 3, 4, 0x20000);
    assert_int_equal(tessera_chip_run(chip, 20000), TESSERA_HANG);
    put(chip, 12, 7, 0x40000, 5);
    fire(chip, 12, 7, (const uint32_t[11]){0x40000, 0, at(12, 7), 0x20000, 0, at(3, 4), 0, 2, 4, 0, 0});
    assert_int_equal(tessera_chip_run(chip, 20000), TESSERA_DONE);
    assert_int_equal(get(chip, 3, 4, 0x20000), 5);
    assert_true(tessera_chip_packets(chip) == 1);
    tessera_chip_destroy(chip);
  }
}

struct seen_packets {
  unsigned count;
  struct tessera_packet last;
};

static void see_packet(void *context, const struct tessera_packet *packet) {
  struct seen_packets *seen = context;
  seen->count++;
  seen->last = *packet;
}

/* The hook receives the packet's route: NoC 0 goes right and down and wraps at the edges. The JSON report counts it at the receiver. */
static void ranges_have_formats(void **state) {
  (void)state;
  struct tessera_chip *chip = new_chip(0, 1, NULL);
  assert_int_equal(tessera_chip_note_format(NULL, 17, 12, 0, 64, 5, "A"), TESSERA_INVALID);
  assert_int_equal(tessera_chip_note_format(chip, 1, 2, 0, 64, 5, "A"), TESSERA_INVALID); /* no DRAM */
  assert_int_equal(tessera_chip_note_format(chip, 17, 12, 0, 64, 16, "A"), TESSERA_INVALID);
  assert_int_equal(tessera_chip_note_format(chip, 17, 12, 0, 64, 5, NULL), TESSERA_INVALID);
  for (unsigned i = 0; i < 256; i++)
    assert_int_equal(tessera_chip_note_format(chip, 17, 12, 64 * i, 64, 5, "a name of more than 16"), TESSERA_OK);
  assert_int_equal(tessera_chip_note_format(chip, 17, 12, 64 * 256, 64, 5, "B"), TESSERA_INVALID);
  assert_int_equal(tessera_chip_note_format(chip, 17, 12, 64 * 255, 64, 6, "B"), TESSERA_OK); /* the same range again */
  tessera_chip_destroy(chip);
}

static void ranges_of_dram_are_declared(void **state) {
  (void)state;
  struct tessera_chip *chip = new_chip(0, 1, NULL);
  assert_int_equal(tessera_chip_note_range(NULL, 17, 12, 0, 64, "tensor A"), TESSERA_INVALID);
  assert_int_equal(tessera_chip_note_range(chip, 1, 2, 0, 64, "tensor A"), TESSERA_INVALID); /* no DRAM */
  assert_int_equal(tessera_chip_note_range(chip, 17, 12, 0, 64, NULL), TESSERA_INVALID);
  for (unsigned i = 0; i < 1024; i++)
    assert_int_equal(tessera_chip_note_range(chip, 17, 12, 64 * i, 64, "a name of more than thirty characters"), TESSERA_OK);
  assert_int_equal(tessera_chip_note_range(chip, 17, 12, 64 * 1024, 64, "tensor B"), TESSERA_INVALID);
  tessera_chip_destroy(chip);
}

static void packets_have_a_hook(void **state) {
  (void)state;
  for (unsigned timing = 0; timing < 2; timing++) {
    struct tessera_chip *chip = new_chip(timing, 1, NULL);
    struct seen_packets seen = {0};
    const uint32_t request[11] = {0x40000, 0, at(12, 7), 0x20000, 0, at(3, 4), 0, 2, 100, 0, 0};
    assert_int_equal(tessera_chip_packet_hook(chip, see_packet, &seen), TESSERA_OK);
    fire(chip, 12, 7, request);
    assert_int_equal(tessera_chip_run(chip, 20000), TESSERA_DONE);
    const struct tessera_packet *p = &seen.last;
    assert_true(seen.count == 1 && p->noc == 0 && p->bytes == 100 && p->address == 0x20000);
    assert_true(p->from_x == 12 && p->from_y == 7 && p->to_x == 3 && p->to_y == 4);
    assert_int_equal(p->hops, 8 + 9);
    assert_int_equal(p->cycles, timing ? 1 + 2 : 0); /* the header's flit, and two of data */
    assert_true(p->arrives > p->departs);
    assert_string_equal(p->kind, "write");
    if (timing) assert_non_null(strstr(tessera_chip_report_json(chip), "\"at\":[3,4],\"in\":[3,0]"));
    assert_int_equal(tessera_chip_packet_hook(chip, NULL, NULL), TESSERA_OK);
    fire(chip, 12, 7, request);
    assert_int_equal(tessera_chip_run(chip, 20000), TESSERA_DONE);
    assert_true(seen.count == 1 && tessera_chip_packets(chip) == 2);
    tessera_chip_destroy(chip);
  }
  assert_int_equal(tessera_chip_packet_hook(NULL, see_packet, NULL), TESSERA_INVALID);
  assert_string_equal(tessera_chip_report_json(NULL), "");
}

struct written {
  char text[4096];
  size_t size, room;
};

static int collect(void *context, const void *bytes, size_t size) {
  struct written *w = context;
  if (size > w->room - w->size) return -1;
  memcpy(w->text + w->size, bytes, size);
  w->size += size;
  return 0;
}

struct seen_bursts {
  unsigned count;
  struct tessera_burst first, last;
};

static void see_burst(void *context, const struct tessera_burst *burst) {
  struct seen_bursts *seen = context;
  if (!seen->count++) seen->first = *burst;
  seen->last = *burst;
}

struct seen_events {
  unsigned packets, bursts, others;
  uint64_t departs, begins;
};

static void see_event(void *context, const struct tessera_chip_event *event) {
  struct seen_events *seen = context;
  if (event->kind == TESSERA_CHIP_EVENT_PACKET && event->packet && !event->burst)
    seen->packets++, seen->departs = event->packet->departs;
  else if (event->kind == TESSERA_CHIP_EVENT_BURST && event->burst && !event->packet)
    seen->bursts++, seen->begins = event->burst->cycle;
  else seen->others++;
}

static const struct tessera_trace_options as_text = {.format = TESSERA_TRACE_TEXT}, as_vcd = {.format = TESSERA_TRACE_VCD},
                                          as_perfetto = {.format = TESSERA_TRACE_PERFETTO};

/* Two writes of 4096 bytes by two tiles to one controller: the second burst begins where the first one ends. The text
 * trace has both. */
static void bursts_have_a_hook(void **state) {
  (void)state;
  struct tessera_chip *chip = new_chip(1, 1, NULL);
  struct seen_bursts seen = {0};
  struct written w = {.room = sizeof w.text - 1};
  const uint32_t one[11] = {0x40000, 0, at(12, 7), 0x20000, 0, at(17, 12), 0, 2, 4096, 0, 0};
  const uint32_t two[11] = {0x40000, 0, at(3, 4), 0x20000, 0, at(17, 12), 0, 2, 4096, 0, 0};
  char line[200];
  assert_int_equal(tessera_chip_burst_hook(NULL, see_burst, &seen), TESSERA_INVALID);
  assert_int_equal(tessera_chip_burst_hook(chip, see_burst, &seen), TESSERA_OK);
  assert_int_equal(tessera_chip_trace(chip, &as_text, collect, &w), TESSERA_OK);
  fire(chip, 12, 7, one);
  fire(chip, 3, 4, two);
  assert_int_equal(tessera_chip_run(chip, 20000), TESSERA_DONE);
  assert_int_equal(tessera_chip_trace_end(chip), TESSERA_OK);
  assert_int_equal(seen.count, 2);
  assert_true(seen.first.is_write && seen.first.bytes == 4096 && seen.first.address == 0x20000 &&
              seen.first.controller == 0);
  assert_true(seen.first.cycles > 30 && seen.last.cycle >= seen.first.cycle + seen.first.cycles);
  for (unsigned i = 0; i < 2; i++) {
    const struct tessera_burst *b = i ? &seen.last : &seen.first;
    snprintf(line, sizeof line, "%12llu %12llu  DRAM 0  write, 4096 bytes at 0x20000\n", (unsigned long long)b->cycle,
             (unsigned long long)(b->cycle + b->cycles));
    if (!strstr(w.text, line)) fail_msg("%snot in\n%s", line, w.text);
  }
  assert_int_equal(tessera_chip_burst_hook(chip, NULL, NULL), TESSERA_OK);
  tessera_chip_destroy(chip);
}

/* A write of 4096 bytes to DRAM is one burst and two packets, the write and its answer: by the mask both, one kind, or none. */
static void events_have_a_mask(void **state) {
  (void)state;
  static const unsigned expected[4][2] = {{0, 0}, {2, 0}, {0, 1}, {2, 1}};
  const uint32_t one[11] = {0x40000, 0, at(12, 7), 0x20000, 0, at(17, 12), 0, 2 | 1u << 4, 4096, 0, 0};
  assert_int_equal(tessera_chip_hook(NULL, 1, see_event, NULL), TESSERA_INVALID);
  for (unsigned mask = 0; mask < 4; mask++) {
    struct tessera_chip *chip = new_chip(1, 1, NULL);
    struct seen_events seen = {0};
    assert_int_equal(tessera_chip_hook(chip, TESSERA_EVENT_BIT(TESSERA_CHIP_EVENT_KINDS), see_event, &seen),
                     TESSERA_INVALID);
    assert_int_equal(tessera_chip_hook(chip, mask, see_event, &seen), TESSERA_OK);
    fire(chip, 12, 7, one);
    assert_int_equal(tessera_chip_run(chip, 20000), TESSERA_DONE);
    assert_int_equal(seen.packets, expected[mask][0]);
    assert_int_equal(seen.bursts, expected[mask][1]);
    assert_int_equal(seen.others, 0);
    if (mask == 3) assert_true(seen.begins && seen.departs > seen.begins);
    assert_int_equal(tessera_chip_hook(chip, 3, NULL, NULL), TESSERA_OK);
    fire(chip, 12, 7, one);
    assert_int_equal(tessera_chip_run(chip, 20000), TESSERA_DONE);
    assert_int_equal(seen.packets + seen.bursts, expected[mask][0] + expected[mask][1]);
    tessera_chip_destroy(chip);
  }
  assert_string_equal(tessera_chip_event_kind_name(TESSERA_CHIP_EVENT_PACKET), "packet");
  assert_string_equal(tessera_chip_event_kind_name(TESSERA_CHIP_EVENT_BURST), "burst");
  assert_string_equal(tessera_chip_event_kind_name(TESSERA_CHIP_EVENT_KINDS), "?");
}

/* The trace and the hook see the same packet; a trace that cannot be written returns an error at its end; a chip may be
 * destroyed while its trace is open. */
static void packets_have_a_trace(void **state) {
  (void)state;
  const uint32_t request[11] = {0x40000, 0, at(12, 7), 0x20000, 0, at(3, 4), 0, 2, 100, 0, 0};
  for (unsigned room = 0; room <= 4095; room += 4095) {
    struct tessera_chip *chip = new_chip(1, 1, NULL);
    struct seen_packets seen = {0};
    struct written w = {.room = room};
    assert_int_equal(tessera_chip_trace_end(chip), TESSERA_INVALID);
    assert_int_equal(tessera_chip_trace(chip, &as_vcd, collect, &w), TESSERA_INVALID);
    assert_int_equal(tessera_chip_trace(chip, &as_text, NULL, &w), TESSERA_INVALID);
    assert_int_equal(tessera_chip_packet_hook(chip, see_packet, &seen), TESSERA_OK);
    assert_int_equal(tessera_chip_trace(chip, &as_text, collect, &w), TESSERA_OK);
    assert_int_equal(tessera_chip_trace(chip, &as_text, collect, &w), TESSERA_INVALID);
    fire(chip, 12, 7, request);
    assert_int_equal(tessera_chip_run(chip, 20000), TESSERA_DONE);
    assert_int_equal(tessera_chip_trace_end(chip), room ? TESSERA_OK : TESSERA_REFUSED);
    assert_int_equal(seen.count, 1);
    char line[200];
    snprintf(line, sizeof line, "%12llu %12llu  NoC 0  (12,7) to (3,4)  17 hops  write, 100 bytes at 0x20000\n",
             (unsigned long long)seen.last.departs, (unsigned long long)seen.last.arrives);
    if (room) assert_non_null(strstr(w.text, line));
    fire(chip, 12, 7, request);
    assert_int_equal(tessera_chip_run(chip, 20000), TESSERA_DONE);
    assert_int_equal(seen.count, 2);
    assert_int_equal(tessera_chip_trace(chip, &as_perfetto, collect, &w), TESSERA_OK);
    tessera_chip_destroy(chip);
  }
}

/* The words of kernels' runs are compared with the command's by tests/python/words.py. */
static void verdict_needs_a_chip_and_tiles(void **state) {
  (void)state;
  struct tessera_chip *chip = new_chip(0, 1, NULL);
  const struct tessera_tile_at tiles[] = {{1, 2}, {17, 12}};
  struct tessera_kernel_run run = {.end = TESSERA_LIMIT, .cycles = 77, .tiles = tiles, .tile_count = 1};
  int code = 99;
  assert_string_equal(tessera_chip_verdict(chip, &run, &code), "not done after 77 cycles\n");
  assert_int_equal(code, 6);
  run.end = TESSERA_DONE;
  assert_string_equal(tessera_chip_verdict(chip, &run, NULL), "");
  run.tile_count = 2; /* DRAM has no kernels */
  code = 99;
  assert_string_equal(tessera_chip_verdict(chip, &run, &code), "");
  assert_int_equal(code, 0);
  run.tiles = NULL;
  assert_string_equal(tessera_chip_verdict(chip, &run, NULL), "");
  assert_string_equal(tessera_chip_verdict(chip, NULL, NULL), "");
  assert_string_equal(tessera_chip_verdict(NULL, &run, &code), "");
  tessera_chip_destroy(chip);
}

/* p100: column 16 of the picture is fused off; a read from there never comes back. */
static void a_request_to_a_fused_off_tile_hangs(void **state) {
  (void)state;
  struct tessera_chip *chip = new_chip(TESSERA_TIMING_CYCLE, 1, "p100");
  fire(chip, 1, 2, (const uint32_t[11]){0x1000, 0, at(16, 5), 0x2000, 0, at(1, 2), 3u << 10, 0, 64, 0, 0});
  wait_for(chip, 1, 2, 0x2000); /* for the data of the read */
  assert_int_equal(tessera_chip_run(chip, 20000), TESSERA_HANG);
  const char *text = tessera_chip_explain(chip);
  assert_non_null(strstr(text, "BRISC of Tensix (1,2)"));
  assert_non_null(strstr(text, "its read of 64 bytes at 0x1000 of Tensix (16,5), NoC 0 ("));
  assert_non_null(strstr(text, "is never answered: the tile is fused off"));
  tessera_chip_destroy(chip);
}

static void broadcasts_and_dram(void **state) {
  (void)state;
  struct tessera_chip *chip = new_chip(TESSERA_TIMING_OFF, 0, "full");
  uint32_t word = 0x12345678;
  assert_int_equal(tessera_chip_broadcast(chip, 1, 2, 16, 11, 0x5000, &word, 4), TESSERA_OK);
  assert_int_equal(get(chip, 1, 2, 0x5000), word);
  assert_int_equal(get(chip, 16, 11, 0x5000), word);
  assert_int_equal(tessera_chip_write(chip, 17, 12, UINT64_C(0x80000000), &word, 4), TESSERA_OK);
  assert_int_equal(get(chip, 17, 13, 0x80000000u), word); /* another port of the same memory */
  assert_int_equal(get(chip, 18, 13, 0x80000000u), 0);
  assert_int_equal(tessera_chip_read(chip, 63, 63, 0, &word, 4), TESSERA_INVALID);
  assert_int_equal(tessera_chip_run_until(chip, 1, 2, 0x5000, ~0u, 0x12345678, 10, 100), TESSERA_STOPPED);
  assert_int_equal(tessera_chip_run_until(chip, 1, 2, 0x5000, ~0u, 7, 10, 100), TESSERA_DONE);
  tessera_chip_destroy(chip);
}

static void faults_name_the_tile(void **state) {
  (void)state;
  struct tessera_chip *chip = new_chip(TESSERA_TIMING_CYCLE, 1, "full");
  fire(chip, 1, 2, (const uint32_t[11]){0x180000, 0, at(5, 5), 0x2000, 0, at(1, 2), 0, 0, 64, 0, 0});
  assert_int_equal(tessera_chip_run(chip, 20000), TESSERA_FAULT);
  const char *text = tessera_chip_explain(chip);
  assert_non_null(strstr(text, "Tensix (5,5)"));
  assert_non_null(strstr(text, "(1,2) to (5,5) 0x180000"));
  assert_int_equal(tessera_chip_run(chip, 20000), TESSERA_FAULT);
  struct tessera_fault fault;
  unsigned x = 0, y = 0;
  assert_int_equal(tessera_chip_fault(chip, &fault, &x, &y), 1);
  assert_true(x == 5 && y == 5);
  assert_string_not_equal(fault.why, "");
  assert_int_equal(tessera_chip_fault(chip, NULL, &x, &y), 0);
  tessera_chip_destroy(chip);
}

/* p100: two Tensix columns of fourteen and one DRAM controller of eight are fused off (chips/blackhole/grid.def). */
static void nodes_of_a_product(void **state) {
  (void)state;
  struct tessera_chip *chip = new_chip(TESSERA_TIMING_OFF, 1, "p100");
  struct tessera_node node;
  unsigned tensix = 0, drams = 0;
  for (unsigned y = 2; y < 12; y++)
    for (unsigned x = 1; x < 17; x++)
      tensix += tessera_chip_node(chip, x, y, &node) == TESSERA_OK && node.kind == TESSERA_NODE_TENSIX && node.good;
  assert_int_equal(tensix, 120);
  for (unsigned bank = 0; bank < 8; bank++) {
    assert_int_equal(tessera_chip_node(chip, 17 + bank / 4, 12 + 3 * (bank % 4), &node), TESSERA_OK);
    assert_int_equal(node.kind, TESSERA_NODE_DRAM);
    assert_true(node.bytes == UINT64_C(0xFF000000));
    drams += (unsigned)node.good;
  }
  assert_int_equal(drams, 7);
  assert_int_equal(tessera_chip_node(chip, 1, 2, &node), TESSERA_OK);
  assert_true(node.kind == TESSERA_NODE_TENSIX && node.bytes == TESSERA_L1_BYTES);
  assert_string_equal(tessera_node_kind_name(node.kind), "Tensix");
  assert_string_equal(tessera_node_kind_name(TESSERA_NODE_KINDS), "?");
  assert_int_equal(tessera_chip_node(chip, 64, 2, &node), TESSERA_INVALID);
  assert_int_equal(tessera_chip_node(chip, 1, 2, NULL), TESSERA_INVALID);
  tessera_chip_destroy(chip);
}

/* The words of the block as the kernel library reads them (kernels/include/launch.h): go first, buffers from 0x88, then arguments. */
static void a_launch_is_a_block_in_l1(void **state) {
  (void)state;
  struct tessera_chip *chip = new_chip(TESSERA_TIMING_OFF, 1, "full");
  struct tessera_tile *tile = tessera_chip_tile(chip, 1, 2);
  struct tessera_launch launch = {.launches = 3, .dram_banks = 8, .args = {11, 12}};
  launch.buffer[1] = (struct tessera_launch_buffer){TESSERA_LAUNCH_HEAP + 64, 2048, 4, 5};
  assert_int_equal(tessera_tile_launch(tile, &launch), TESSERA_OK);
  assert_int_equal(get(chip, 1, 2, 0x40), 0x80);
  assert_int_equal(get(chip, 1, 2, 0x54), 3);
  assert_int_equal(get(chip, 1, 2, 0x88 + 16), TESSERA_LAUNCH_HEAP + 64);
  assert_int_equal(get(chip, 1, 2, 0x88 + 24), 4);
  assert_int_equal(get(chip, 1, 2, 0x88 + 16 * 32 + 4), 12);
  launch.waits = 1;
  assert_int_equal(tessera_tile_launch(tile, &launch), TESSERA_OK);
  assert_int_equal(get(chip, 1, 2, 0x40), 0);
  launch.buffer[1].pages = 1000;
  assert_int_equal(tessera_tile_launch(tile, &launch), TESSERA_INVALID);
  assert_non_null(strstr(tessera_tile_error(tile), "buffer 1"));
  tessera_chip_destroy(chip);
}

static void a_launch_refuses_buffers_that_overlap_or_wrap(void **state) {
  (void)state;
  struct tessera_chip *chip = new_chip(TESSERA_TIMING_OFF, 1, "full");
  struct tessera_tile *tile = tessera_chip_tile(chip, 1, 2);
  struct tessera_launch launch = {.launches = 1};
  launch.buffer[3] = (struct tessera_launch_buffer){TESSERA_LAUNCH_HEAP, 2048, 4, 5};
  launch.buffer[7] = (struct tessera_launch_buffer){TESSERA_LAUNCH_HEAP + 8176, 16, 1, 5};
  assert_int_equal(tessera_tile_launch(tile, &launch), TESSERA_INVALID);
  assert_string_equal(tessera_tile_error(tile),
                      "buffers 3 and 7 overlap: 0x2000 bytes at 0x20000 and 0x10 bytes at 0x21ff0");
  launch.buffer[7].address += 16;
  assert_int_equal(tessera_tile_launch(tile, &launch), TESSERA_OK);
  launch.buffer[7] = launch.buffer[3]; /* two values for one argument */
  assert_int_equal(tessera_tile_launch(tile, &launch), TESSERA_OK);
  launch.buffer[7] = (struct tessera_launch_buffer){TESSERA_LAUNCH_HEAP + 8192, 16, 0xffff, 5};
  assert_int_equal(tessera_tile_launch(tile, &launch), TESSERA_OK);
  launch.buffer[7].pages++;
  assert_int_equal(tessera_tile_launch(tile, &launch), TESSERA_INVALID);
  assert_non_null(strstr(tessera_tile_error(tile), "counters wrap"));
  tessera_chip_destroy(chip);
}

/* After the words of the block: banks of 32 arguments for the writer, the reader and the compute kernel. */
static void kernels_have_arguments_of_their_own(void **state) {
  (void)state;
  struct tessera_chip *chip = new_chip(TESSERA_TIMING_OFF, 1, "full");
  struct tessera_tile *tile = tessera_chip_tile(chip, 1, 2);
  struct tessera_launch launch = {.launches = 1, .args = {11, 12}};
  const uint32_t own[2] = {21, 22};
  const uint32_t banks = 0x88 + 16 * 32 + 4 * 32 + 4;
  assert_int_equal(tessera_tile_launch(tile, &launch), TESSERA_OK);
  for (unsigned bank = 0; bank < 3; bank++) assert_int_equal(get(chip, 1, 2, banks + 128 * bank + 4), 12);
  assert_int_equal(tessera_tile_launch_args(tile, TESSERA_NCRISC, 1, own, 2), TESSERA_OK);
  assert_int_equal(get(chip, 1, 2, banks + 4), 12);
  assert_int_equal(get(chip, 1, 2, banks + 128), 11);
  assert_int_equal(get(chip, 1, 2, banks + 128 + 4), 21);
  assert_int_equal(get(chip, 1, 2, banks + 128 + 8), 22);
  assert_int_equal(tessera_tile_launch_args(tile, TESSERA_TRISC2, 0, own, 1), TESSERA_OK);
  assert_int_equal(get(chip, 1, 2, banks + 256), 21);
  /* More than 32: all of the kernel's are at the end of L1, and the last word of L1 says so. */
  assert_int_equal(tessera_tile_launch_args(tile, TESSERA_NCRISC, 32, own, 2), TESSERA_OK);
  const uint32_t many = TESSERA_LAUNCH_OWN_AT + 4 * TESSERA_LAUNCH_OWN_ARGS;
  assert_int_equal(get(chip, 1, 2, many), 11);
  assert_int_equal(get(chip, 1, 2, many + 4), 21);
  assert_int_equal(get(chip, 1, 2, many + 4 * 33), 22);
  assert_int_equal(get(chip, 1, 2, 0x17fffc), 1);
  assert_int_equal(tessera_tile_launch_args(tile, TESSERA_BRISC, TESSERA_LAUNCH_OWN_ARGS - 2, own, 2), TESSERA_OK);
  assert_int_equal(tessera_tile_launch_args(tile, TESSERA_BRISC, TESSERA_LAUNCH_OWN_ARGS - 1, own, 2), TESSERA_INVALID);
  assert_int_equal(tessera_tile_launch_args(tile, TESSERA_CORES, 0, own, 1), TESSERA_INVALID);
  tessera_chip_destroy(chip);
}

static void tiles_belong_to_the_chip(void **state) {
  (void)state;
  struct tessera_chip *chip = new_chip(TESSERA_TIMING_OFF, 1, "full");
  struct tessera_tile *tile = tessera_chip_tile(chip, 4, 4);
  uint32_t word = 77, seen = 0;
  assert_non_null(tile);
  assert_null(tessera_chip_tile(chip, 17, 12));
  assert_null(tessera_chip_tile(chip, 99, 12));
  assert_int_equal(tessera_tile_write(tile, 0x1000, &word, 4), TESSERA_OK);
  assert_int_equal(get(chip, 4, 4, 0x1000), 77);
  assert_int_equal(tessera_tile_run(tile, 10), TESSERA_INVALID);
  assert_int_equal(tessera_tile_reset(tile, TESSERA_TIMING_OFF), TESSERA_INVALID);
  tessera_tile_destroy(tile); /* rejected: the next call still works */
  assert_int_equal(tessera_tile_read(tile, 0x1000, &seen, 4), TESSERA_OK);
  assert_int_equal(seen, 77);
  tessera_chip_destroy(chip);
}

static void refused(struct tessera_chip *chip, const void *state, size_t length, const char *why) {
  uint64_t before = tessera_chip_hash(chip);
  assert_int_equal(tessera_chip_restore(chip, state, length), TESSERA_REFUSED);
  assert_string_equal(tessera_chip_error(chip), why);
  assert_true(tessera_chip_hash(chip) == before);
}

static void each_refusal_names_its_reason(void **state) {
  (void)state;
  struct tessera_chip *chip = new_chip(TESSERA_TIMING_CYCLE, 1, "full"), *p100 = new_chip(TESSERA_TIMING_CYCLE, 1, "p100"),
                      *off = new_chip(TESSERA_TIMING_OFF, 1, "full");
  uint8_t *saved;
  void *bytes, *bytes_off;
  size_t length, length_off;
  put(chip, 1, 2, 0x1000, 5);
  assert_int_equal(tessera_chip_save(chip, &bytes, &length), TESSERA_OK);
  assert_int_equal(tessera_chip_save(off, &bytes_off, &length_off), TESSERA_OK);
  assert_non_null(saved = malloc(length + 1));
  memcpy(saved, bytes, length);
  saved[length] = 0;
  refused(chip, saved, 10, "the saved chip is shorter than its header");
  refused(chip, saved, length - 1, "the saved chip is truncated");
  refused(chip, saved, length + 1, "the saved chip has bytes after its end");
  refused(p100, saved, length, "the saved chip is another product: other tiles of it are fused off");
  refused(off, saved, length, "the saved chip has timing cycle, this one timing off");
  refused(chip, bytes_off, length_off, "the saved chip has timing off, this one timing cycle");
  static const struct {
    size_t at; /* magic 0, version 8, layout of a tile 32 */
    const char *why;
  } flips[] = {{0, "this is not a saved chip"},
               {8, "the saved chip has another format version"},
               {32, "the saved chip is of another version of the library"},
               {12, "the saved chip is damaged: its checksum is wrong"},
               {24, "the saved chip is damaged: its checksum is wrong"},
               {40, "the saved chip is damaged: its checksum is wrong"}};
  for (size_t i = 0; i < sizeof flips / sizeof *flips; i++) {
    saved[flips[i].at] ^= 1;
    refused(chip, saved, length, flips[i].why);
    saved[flips[i].at] ^= 1;
  }
  saved[length - 1] ^= 0x80;
  refused(chip, saved, length, "the saved chip is damaged: its checksum is wrong");
  saved[length - 1] ^= 0x80;
  assert_int_equal(tessera_chip_restore(chip, saved, length), TESSERA_OK);
  free(saved);
  tessera_chip_free(bytes);
  tessera_chip_free(bytes_off);
  tessera_chip_destroy(chip);
  tessera_chip_destroy(p100);
  tessera_chip_destroy(off);
}

static void save_and_restore(void **state) {
  (void)state;
  struct tessera_chip *chip = new_chip(TESSERA_TIMING_CYCLE, 2, "full");
  void *saved;
  size_t length;
  put(chip, 12, 7, 0x40000, 5);
  fire(chip, 12, 7, (const uint32_t[11]){0x40000, 0, at(12, 7), 0x20000, 0, at(3, 4), 0, 2, 4, 0, 0});
  assert_int_equal(tessera_chip_run(chip, 30), TESSERA_LIMIT); /* the packet is in flight */
  assert_int_equal(tessera_chip_save(chip, &saved, &length), TESSERA_OK);
  assert_int_equal(tessera_chip_run(chip, 1000), TESSERA_DONE);
  uint64_t hash = tessera_chip_hash(chip);
  struct tessera_chip *other = new_chip(TESSERA_TIMING_CYCLE, 1, "full");
  assert_string_equal(tessera_chip_error(other), "");
  assert_int_equal(tessera_chip_restore(other, NULL, 10), TESSERA_INVALID);
  assert_string_equal(tessera_chip_error(other), "no state given");
  assert_int_equal(tessera_chip_restore(other, saved, length), TESSERA_OK);
  assert_string_equal(tessera_chip_error(other), "");
  assert_int_equal(tessera_chip_run(other, 1000), TESSERA_DONE);
  assert_true(tessera_chip_hash(other) == hash);
  struct tessera_chip *off = new_chip(TESSERA_TIMING_OFF, 1, "full");
  assert_int_equal(tessera_chip_restore(off, saved, length), TESSERA_REFUSED);
  assert_string_equal(tessera_chip_error(off), "the saved chip has timing cycle, this one timing off");
  assert_int_equal(tessera_chip_read(off, 60, 60, 0, &hash, 4), TESSERA_INVALID);
  assert_string_equal(tessera_chip_error(off), "no tile is at 60,60");
  assert_int_equal(tessera_chip_write(off, 1, 2, 0x80000000u, &hash, 4), TESSERA_INVALID);
  assert_string_equal(tessera_chip_error(off), "no memory or register of (1, 2) allows this access at 0x80000000");
  assert_int_equal(tessera_chip_write(off, 1, 2, 0, &hash, 4), TESSERA_OK);
  assert_string_equal(tessera_chip_error(off), "");
  tessera_chip_free(saved);
  tessera_chip_destroy(chip);
  tessera_chip_destroy(other);
  tessera_chip_destroy(off);
}

/* Several busy cores in one tile beside another busy tile: windows end, whatever the order of the cores. */
static void busy_cores_share_a_tile(void **state) {
  (void)state;
  static const uint32_t code[] = {0x00008437 /* lui s0,8 */, 0xfff40413 /* addi s0,s0,-1 */, 0xfe041ee3 /* bnez s0,-4 */,
                                  0x00100073};
  for (unsigned timing = 0; timing < 2; timing++) {
    struct tessera_chip *chip = new_chip(timing, 2, "full");
    for (unsigned y = 2; y < 5; y++) {
      for (unsigned i = 0; i < 4; i++) {
        put(chip, 3, y, 4 * i, code[i]);
        put(chip, 3, y, 0x12000 + 4 * i, code[i]);
      }
      put(chip, 3, y, 0xFFB121B0u, 0x47800u & ~(1u << 11 | 1u << 18)); /* BRISC and NCRISC out of reset */
    }
    assert_int_equal(tessera_chip_run(chip, 1000000), TESSERA_DONE);
    for (unsigned y = 2; y < 5; y++)
      for (unsigned core = TESSERA_BRISC; core <= TESSERA_NCRISC; core++) {
        uint64_t retired = 0;
        assert_int_equal(tessera_tile_counter(tessera_chip_tile(chip, 3, y), TESSERA_COUNTER_INSTRUCTIONS, core, &retired),
                         TESSERA_OK);
        assert_true(retired >= 2 * 0x8000);
      }
    tessera_chip_destroy(chip);
  }
}

static void misuse_is_refused(void **state) {
  (void)state;
  uint32_t word = 0;
  struct tessera_chip_options options = {.product = "p999"};
  assert_null(tessera_chip_create(&options));
  options.product = NULL;
  options.harvest_dram = 3; /* two controllers */
  options.harvest_ethernet = 3;
  assert_null(tessera_chip_create(&options));
  assert_int_equal(tessera_chip_run(NULL, 10), TESSERA_INVALID);
  assert_int_equal(tessera_chip_read(NULL, 1, 2, 0, &word, 4), TESSERA_INVALID);
  assert_string_equal(tessera_chip_explain(NULL), "");
  assert_string_equal(tessera_chip_product(0), "full");
  assert_string_equal(tessera_chip_product(1000), "");
  tessera_chip_destroy(NULL);
}

/* A rejected access does nothing, and a fault of a place without a tile has the request. */
static void a_rejected_access_does_nothing(void **state) {
  (void)state;
  struct tessera_chip *chip = new_chip(TESSERA_TIMING_OFF, 1, NULL);
  static uint8_t bytes[0x20000];
  memset(bytes, 0xab, sizeof bytes);
  assert_int_equal(tessera_chip_write(chip, 17, 12, 0xFEFEC000u, bytes, sizeof bytes), TESSERA_INVALID);
  assert_int_equal(get(chip, 17, 12, 0xFEFEC000u), 0);
  assert_int_equal(get(chip, 17, 12, 0xFEFFFFFCu), 0);
  memset(bytes, 0x77, 4);
  assert_int_equal(tessera_chip_read(chip, 17, 12, 0, bytes, SIZE_MAX), TESSERA_INVALID);
  assert_int_equal(bytes[0], 0x77);
  assert_int_equal(tessera_chip_run_until(chip, 1, 2, 0x1001, 1, 1, 16, 1000), TESSERA_INVALID);
  assert_int_equal(tessera_chip_run_until(chip, 1, 2, 0x1000, 1, 3, 16, 1000), TESSERA_INVALID);
  tessera_chip_destroy(chip);
  chip = new_chip(TESSERA_TIMING_CYCLE, 1, NULL);
  fire(chip, 1, 2, (const uint32_t[11]){0x1000, 0, at(1, 2), 0x40, 0, at(8, 4), 0, 0x12, 64});
  assert_int_equal(tessera_chip_run(chip, 2000), TESSERA_FAULT);
  assert_non_null(strstr(tessera_chip_explain(chip), "write (1,2) to (8,4) 0x40, other end 0x1000, CTRL 0x12"));
  tessera_chip_destroy(chip);
}

/* Without memory of the host its windows say so. */
static void host_memory_is_missing(void **state) {
  (void)state;
  struct tessera_chip *chip = new_chip(TESSERA_TIMING_OFF, 1, NULL);
  fire(chip, 1, 2, (const uint32_t[11]){0x1000, 0x10000000, at(19, 24), 0x2000, 0, at(1, 2), 0, 0x10, 64});
  assert_int_equal(tessera_chip_run(chip, 2000), TESSERA_FAULT);
  assert_non_null(strstr(tessera_chip_explain(chip), "no host memory is installed"));
  tessera_chip_destroy(chip);
}

static void cores_of_ethernet_have_their_names(void **state) {
  (void)state;
  struct tessera_chip *chip = new_chip(TESSERA_TIMING_OFF, 1, NULL);
  const uint32_t code[] = {0x000307b7 /* lui a5,0x30 */, 0x0007a503 /* lw a0,0(a5) */, 0xfe050ee3 /* beqz a0,-4 */};
  for (unsigned core = 0; core < 2; core++) {
    for (unsigned i = 0; i < 3; i++) put(chip, 20, 25, 0x10000 + 4 * i, code[i]);
    put(chip, 20, 25, 0xFFB14000u + 8 * core, 0x10000);
    put(chip, 20, 25, 0xFFB121B0u, get(chip, 20, 25, 0xFFB121B0u) & ~(1u << (11 + core)));
  }
  assert_int_equal(tessera_chip_run(chip, 50000), TESSERA_HANG);
  assert_non_null(strstr(tessera_chip_explain(chip), "ERISC0 of Ethernet (20,25)"));
  assert_non_null(strstr(tessera_chip_explain(chip), "ERISC1 of Ethernet (20,25)"));
  tessera_chip_destroy(chip);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cores_of_ethernet_have_their_names),
      cmocka_unit_test(a_rejected_access_does_nothing),
      cmocka_unit_test(host_memory_is_missing),
      cmocka_unit_test(two_tiles_that_wait_for_each_other),
      cmocka_unit_test(a_packet_wakes_a_parked_core),
      cmocka_unit_test(ranges_have_formats),
      cmocka_unit_test(ranges_of_dram_are_declared),
      cmocka_unit_test(packets_have_a_hook),
      cmocka_unit_test(packets_have_a_trace),
      cmocka_unit_test(bursts_have_a_hook),
      cmocka_unit_test(events_have_a_mask),
      cmocka_unit_test(verdict_needs_a_chip_and_tiles),
      cmocka_unit_test(a_request_to_a_fused_off_tile_hangs),
      cmocka_unit_test(broadcasts_and_dram),
      cmocka_unit_test(faults_name_the_tile),
      cmocka_unit_test(nodes_of_a_product),
      cmocka_unit_test(a_launch_is_a_block_in_l1),
      cmocka_unit_test(a_launch_refuses_buffers_that_overlap_or_wrap),
      cmocka_unit_test(kernels_have_arguments_of_their_own),
      cmocka_unit_test(tiles_belong_to_the_chip),
      cmocka_unit_test(each_refusal_names_its_reason),
      cmocka_unit_test(save_and_restore),
      cmocka_unit_test(busy_cores_share_a_tile),
      cmocka_unit_test(misuse_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
