/* Time on the NoC against figures measured on a Blackhole p150: both sides are printed. Loops like the vendor's noc_async_write and
 * noc_async_read run on BRISC: poll NOC_CMD_CTRL, write the registers of an initiator, count in local RAM; then a barrier on the counter. */
#include <stdio.h>

#include "chip_flow.h"
#include "chip_rig.h"
#include "scale.h"

static uint32_t run_flows(const struct flow *flows, unsigned count, uint32_t *each) {
  struct chip *c = rig_chip(true, 1);
  for (unsigned i = 0; i < count; i++) load_program(c, &flows[i]);
  enum chip_end end = chip_run(c, 1000000);
  if (chip_fault(c, NULL)) fail_msg("%s", chip_fault(c, NULL)->why);
  assert_true(end == CHIP_END_DONE || end == CHIP_END_BLOCKED);
  for (unsigned i = 0; i < count; i++) {
    uint32_t cycles = rig_get(c, rig_tile_at(c, flows[i].x, flows[i].y), RESULT);
    assert_int_not_equal(cycles, 0);
    if (each) each[i] = cycles;
  }
  uint32_t first = rig_get(c, rig_tile_at(c, flows[0].x, flows[0].y), RESULT);
  chip_destroy(c);
  return first;
}

/* Prints both; asserts that they differ by at most `percent` unless that is 0. */
static void compare(const char *what, uint32_t here, uint32_t silicon, unsigned percent) {
  uint32_t off = here > silicon ? here - silicon : silicon - here;
  printf("# %-64s silicon %6u, here %6u, %+5.1f %%\n", what, silicon, here,
         100.0 * ((double)here - (double)silicon) / (double)silicon);
  if (percent) assert_true(100 * off <= percent * silicon);
}

static void one_flow(void **state) {
  (void)state;
  static const struct {
    const char *what;
    struct flow flow;
    uint32_t silicon;
    unsigned percent;
  } rows[] = {
      {"64 writes of 4096 B, 12 hops there and back", {2, 3, 2, 7, 4096, 64, false}, 4472, 3},
      {"64 writes of 4096 B, 29 hops", {2, 3, 6, 7, 4096, 64, false}, 4619, 3},
      {"64 writes of 16384 B, 29 hops", {2, 3, 6, 7, 16384, 64, false}, 17259, 3},
      {"64 writes of 64 B, 29 hops", {2, 3, 6, 7, 64, 64, false}, 2539, 3},
      {"4 reads of 64 B, 17 hops", {2, 3, 6, 3, 64, 4, true}, 420, 3},
      {"16 reads of 64 B, 17 hops", {2, 3, 6, 3, 64, 16, true}, 984, 3},
      {"128 reads of 64 B, 17 hops", {2, 3, 6, 3, 64, 128, true}, 6248, 3},
      {"64 reads of 1024 B, 17 hops", {2, 3, 6, 3, 1024, 64, true}, 3249, 3},
      {"64 reads of 4096 B, 17 hops", {2, 3, 6, 3, 4096, 64, true}, 4552, 3},
      {"64 reads of 8192 B, one reader", {2, 3, 6, 3, 8192, 64, true}, 8874, 3},
      {"64 reads of 64 B, 12 hops", {2, 3, 2, 6, 64, 64, true}, 3192, 3},
  };
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
    compare(rows[i].what, run_flows(&rows[i].flow, 1, NULL), rows[i].silicon, rows[i].percent);
}

static void shared_links(void **state) {
  (void)state;
  const struct flow apart[2] = {{2, 3, 6, 3, 8192, 64, false}, {2, 8, 6, 8, 8192, 64, false}};
  compare("two flows of 8192 B, no common link", run_flows(apart, 2, NULL), 8822, 3);
  const struct flow shared[2] = {{2, 3, 7, 3, 8192, 64, false}, {4, 3, 6, 3, 8192, 64, false}};
  compare("two flows of 8192 B, common links", run_flows(shared, 2, NULL), 16898, 3);
  const struct flow wide[2] = {{1, 3, 7, 3, 16384, 64, false}, {2, 3, 6, 3, 16384, 64, false}};
  compare("two flows of 16384 B, common links", run_flows(wide, 2, NULL), 33760, 3);
  const struct flow readers[2] = {{2, 3, 6, 3, 8192, 64, true}, {2, 8, 6, 3, 8192, 64, true}};
  compare("64 reads of 8192 B, two readers of one tile", run_flows(readers, 2, NULL), 17022, 3);
}

/* Round robin at every merge: the flow that joins last gets half, the others share the rest. */
static void merging_flows(void **state) {
  (void)state;
  const struct flow flows[4] = {{1, 11, 11, 2, 4096, 64, false},
                                {2, 10, 11, 2, 4096, 64, false},
                                {3, 9, 11, 2, 4096, 64, false},
                                {4, 8, 11, 2, 4096, 64, false}};
  static const uint32_t silicon[2][4] = {{8646, 12836, 12862, 0}, {8737, 12924, 17111, 17141}};
  for (unsigned n = 3; n <= 4; n++) {
    uint32_t each[4] = {0};
    run_flows(flows, n, each);
    for (unsigned i = 0; i < n; i++) /* sort */
      for (unsigned k = i + 1; k < n; k++)
        if (each[k] < each[i]) {
          uint32_t swap = each[i];
          each[i] = each[k];
          each[k] = swap;
        }
    for (unsigned i = 0; i < n; i++) {
      char what[64];
      snprintf(what, sizeof what, "%u flows merging one by one: end %u", n, i + 1);
      compare(what, each[i], silicon[n - 3][i], 3);
    }
  }
}

/* A core that stores words to L1 without end takes time from packets that come in to its tile, and from those that leave it. */
static uint32_t beside_stores(const struct flow *f, unsigned x, unsigned y) {
  struct chip *c = rig_chip(true, 1);
  struct code code = {.count = 0};
  unsigned tile = rig_tile_at(c, x, y);
  load_program(c, f);
  li(&code, A0, 0x18000);
  for (unsigned i = 0; i < 64; i++) sw(&code, A1, A0, 16 * (i % 8));
  bne(&code, A0, ZERO, 2);
  for (unsigned i = 0; i < code.count; i++) rig_put(c, tile, 0x8000 + 4 * i, code.words[i]);
  tx_core_start(chip_tensix(c, tile), TX_CORE_NCRISC, 0x8000);
  while (!rig_get(c, rig_tile_at(c, f->x, f->y), RESULT) && chip_now(c) < 100000) chip_run(c, chip_now(c) + 500);
  assert_null(chip_fault(c, NULL));
  uint32_t cycles = rig_get(c, rig_tile_at(c, f->x, f->y), RESULT);
  chip_destroy(c);
  return cycles;
}

/* ISA: L1.md: a narrow write holds its bank for five cycles, and a flit needs every bank once in eight. */
static void banks_of_both_ends(void **state) {
  (void)state;
  const struct flow writes = {2, 3, 6, 7, 4096, 64, false}, reads = {2, 3, 6, 3, 4096, 64, true};
  static const char *const names[] = {"64 writes of 4096 B", "64 reads of 4096 B"};
  for (unsigned i = 0; i < 2; i++) {
    const struct flow *f = i ? &reads : &writes;
    uint32_t alone = run_flows(f, 1, NULL), there = beside_stores(f, f->to_x, f->to_y), here = beside_stores(f, f->x, f->y);
    uint32_t elsewhere = beside_stores(f, 3, 5);
    printf("# %s: %u cycles; beside a core that stores to L1 at the far end %u, at the near end %u\n", names[i], alone,
           there, here);
    assert_int_equal(elsewhere, alone);
    assert_in_range(there, alone * 11 / 10, alone * 2);
    assert_in_range(here, alone * 11 / 10, alone * 2);
  }
}

/* --- DRAM --- */

/* Port 0 of a bank, in translated coordinates. */
static struct flow to_dram(unsigned tile, unsigned bank, uint32_t bytes, uint32_t count, bool read) {
  unsigned column = tile % 14;
  return (struct flow){
      column < 7 ? 1 + column : 3 + column, 2 + tile / 14, 17 + bank / 4, 12 + 3 * (bank % 4), bytes, count, read};
}

/* One access and its barrier. The code around it is not the same (silicon's profiler adds markers, this program a loop): the difference is
 * that of the same read of a tile's L1. */
static void one_access_to_dram(void **state) {
  (void)state;
  const struct flow peer = {2, 3, 6, 7, 256, 1, true};
  int around = (int)run_flows(&peer, 1, NULL) - 376;
  static const struct {
    const char *what;
    uint32_t bytes;
    bool read;
    uint32_t silicon;
  } rows[] = {{"DRAM write of 256 B and barrier", 256, false, 379},
              {"DRAM write of 4096 B and barrier", 4096, false, 451},
              {"DRAM read of 256 B and barrier", 256, true, 496},
              {"DRAM read of 4096 B and barrier", 4096, true, 581}};
  printf("# one access: the code around it takes %d cycles more here\n", around);
  assert_in_range(around + 40, 0, 80);
  for (unsigned i = 0; i < 4; i++) {
    struct flow f = to_dram(2 * 14 + 3, 5, rows[i].bytes, 1, rows[i].read);
    compare(rows[i].what, (uint32_t)((int)run_flows(&f, 1, NULL) - around), rows[i].silicon, 3);
  }
}

struct share {
  unsigned tiles;
  bool read;
  uint32_t silicon; /* hundredths of a byte per cycle, all tiles together */
};

#define DRAM_ACCESSES 64u /* silicon: 256; the bytes per cycle leave out the latency of the first answer */

/* Hundredths of a byte per cycle: bytes moved by all tiles, over the time from the first request to the end of the last
 * barrier, minus the latency of one access. */
static uint32_t bytes_per_cycle(const struct share *s, unsigned banks) {
  struct flow flows[140];
  uint32_t each[140], longest = 0;
  struct flow once = to_dram(0, 0, 4096, 1, s->read);
  uint32_t way = run_flows(&once, 1, NULL);
  for (unsigned i = 0; i < s->tiles; i++) flows[i] = to_dram(i, i % banks, 4096, DRAM_ACCESSES, s->read);
  run_flows(flows, s->tiles, each);
  for (unsigned i = 0; i < s->tiles; i++)
    if (each[i] > longest) longest = each[i];
  return (uint32_t)(UINT64_C(100) * s->tiles * (DRAM_ACCESSES - 1) * 4096 / (longest - way));
}

static void compare_shares(const char *what, const struct share *rows, unsigned count, unsigned banks, unsigned percent) {
  for (unsigned i = 0; i < count; i++) {
    char text[96];
    if (!test_in_slice(i)) continue;
    snprintf(text, sizeof text, "DRAM %s, %u tiles, %s: B/cycle x 100", rows[i].read ? "read" : "write", rows[i].tiles,
             what);
    compare(text, bytes_per_cycle(&rows[i], banks), rows[i].silicon, percent);
  }
}

/* Whatever the number of tiles, one channel carries 46 to 47 bytes per cycle. */
static void one_channel(void **state) {
  (void)state;
  static const struct share rows[] = {{2, true, 4613},   {32, true, 4710},  {4, true, 4622},   {12, true, 4620},
                                      {16, true, 4648},  {48, true, 4713},  {1, false, 4695},  {2, false, 4717},
                                      {8, false, 4704},  {12, false, 4710}, {24, false, 4648}, {32, false, 4651},
                                      {120, false, 4674}};
  compare_shares("one channel", rows, sizeof rows / sizeof *rows, 1, 3);
}

/* No rule is known: the measurement does not state which bank each tile used, and writes are slower than any single link or channel explains. */
static void eight_channels(void **state) {
  (void)state;
  static const struct share rows[] = {{4, true, 14771},  {1, true, 4636},   {8, true, 18891},   {16, true, 21158},
                                      {24, true, 20446}, {48, true, 19395}, {120, true, 22911}, {2, false, 5880},
                                      {4, false, 5897},  {12, false, 6338}, {16, false, 8425},  {32, false, 9275},
                                      {48, false, 11091}};
  compare_shares("eight channels", rows, sizeof rows / sizeof *rows, 8, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_access_to_dram), cmocka_unit_test(one_channel),  cmocka_unit_test(eight_channels),
      cmocka_unit_test(one_flow),           cmocka_unit_test(shared_links), cmocka_unit_test(merging_flows),
      cmocka_unit_test(banks_of_both_ends),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
