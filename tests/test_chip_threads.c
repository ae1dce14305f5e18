/* Random traffic over the whole chip: the same state for every number of host threads, and after save and restore in the middle.
 *
 * Requests are fired from outside into the initiators of all tiles, a few per tile and round: writes, reads, increments and broadcasts to
 * random nodes. TESSERA_TEST_SCALE scales the number of rounds. */
#include <stdio.h>

#include "chip_rig.h"

struct traffic {
  uint64_t random;
  unsigned rounds;
  uint32_t cuts; /* 0: no piece of a run is divided further */
};

static uint32_t pick(struct traffic *t, uint32_t below) {
  t->random = t->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(t->random >> 33) % below;
}

static void tensix_place(struct traffic *t, unsigned *x, unsigned *y) {
  unsigned i = pick(t, 14);
  *x = i < 7 ? 1 + i : 3 + i;
  *y = 2 + pick(t, 10);
}

/* Every tile writes into its own sixteenth of a target's area, so the result does not depend on the order of arrivals. */
static void fire_one(struct chip *c, struct traffic *t, unsigned x, unsigned y) {
  unsigned to_x, to_y, noc = pick(t, 2), kind = pick(t, 8), tile = rig_tile_at(c, x, y), initiator = pick(t, 4);
  tensix_place(t, &to_x, &to_y);
  if (rig_get(c, tile, rig_niu(noc) + 0x800 * initiator + 0x40)) return;
  struct rig_request q = {.targ_xy = rig_xy(x, y), .ret_xy = rig_xy(x, y), .tag = pick(t, 16) << 10};
  uint32_t offset = 16 * pick(t, 64);
  if (kind < 4) {
    q.targ = 0x20000 + offset;
    q.ret = 0x40000 + 0x400 * (tile % 128) + 16 * pick(t, 32);
    q.ret_xy = rig_xy(to_x, to_y);
    q.ctrl = kind & 1 ? 0x12 : 0x2092;
    q.length = 1 + pick(t, 512);
  } else if (kind < 6) {
    q.targ = 0x20000 + offset;
    q.targ_xy = rig_xy(to_x, to_y);
    q.ret = 0x80000 + offset;
    q.length = 1 + pick(t, 1024);
  } else if (kind == 6) {
    q.targ = 0x1000 + 16 * pick(t, 8);
    q.targ_xy = rig_xy(to_x, to_y);
    q.ret = 0x3000;
    q.ctrl = 0x11;
    q.length = 0x107c;
    q.data = 1 + pick(t, 5);
  } else {
    unsigned x1 = x + 3 > 16 ? 16 : x + 3, y1 = y + 2 > 11 ? 11 : y + 2;
    q.targ = 0x20000 + offset;
    q.ret = 0x100000 + 0x400 * (tile % 128);
    q.ret_xy = noc ? rig_rectangle(x1, y1, x, y) : rig_rectangle(x, y, x1, y1);
    q.ctrl = 0x8132 | (pick(t, 2) ? 1u << 17 : 0);
    q.length = 64;
  }
  rig_fire(c, tile, noc, initiator, q);
}

static void seed_memory(struct chip *c) {
  uint8_t bytes[2048];
  for (unsigned y = 2; y < 12; y++)
    for (unsigned x = 1; x < 17; x++) {
      if (x == 8 || x == 9) continue;
      for (unsigned i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)(i * x + y);
      assert_true(chip_write(c, rig_tile_at(c, x, y), 0x20000, bytes, sizeof bytes));
    }
}

/* In pieces of random lengths, if `cuts`. */
static void run_for(struct chip *c, struct traffic *t, sim_time cycles) {
  const sim_time end = chip_now(c) + cycles;
  while (t->cuts && chip_now(c) + 1 < end) {
    t->cuts = t->cuts * 1664525u + 1013904223u;
    sim_time to = chip_now(c) + 1 + (t->cuts >> 8) % 97;
    if (to < end) chip_run(c, to);
    else break;
  }
  chip_run(c, end);
}

static void round_of(struct chip *c, struct traffic *t) {
  for (unsigned y = 2; y < 12; y++)
    for (unsigned x = 1; x < 17; x++)
      if (x != 8 && x != 9) fire_one(c, t, x, y);
  run_for(c, t, 40 + pick(t, 200));
  assert_null(chip_fault(c, NULL));
}

static unsigned rounds_wanted(void) {
  const char *scale = getenv("TESSERA_TEST_SCALE");
  unsigned percent = scale ? (unsigned)atoi(scale) : 100, rounds = 40 * percent / 100;
  return rounds < 4 ? 4 : rounds;
}

static uint64_t whole_run(bool timing, unsigned threads, bool interrupt, uint64_t *packets) {
  struct chip *c = rig_chip(timing, threads);
  struct traffic t = {.random = 7, .rounds = rounds_wanted(), .cuts = interrupt ? 1 : 0};
  seed_memory(c);
  for (unsigned i = 0; i < t.rounds; i++) {
    round_of(c, &t);
    if (!interrupt || i != t.rounds / 2) continue;
    struct chip_stream s = {0};
    uint64_t hash = chip_hash(c);
    assert_true(chip_save(c, &s));
    chip_destroy(c);
    c = rig_chip(timing, threads);
    rig_put(c, rig_tile_at(c, 5, 5), 0x999000 & 0xfffff, 77); /* state that the restore must discard */
    assert_null(chip_restore(c, &s));
    assert_int_equal(chip_hash(c), hash);
    free(s.bytes);
  }
  assert_int_equal(chip_run(c, chip_now(c) + 20000), CHIP_END_DONE);
  assert_true(chip_quiet(c));
  uint64_t hash = chip_hash(c);
  *packets = chip_packets(c);
  chip_destroy(c);
  return hash;
}

static void same_state_for_every_number_of_threads(void **state) {
  (void)state;
  static const unsigned threads[] = {1, 2, 3, 8};
  for (unsigned timing = 0; timing < 2; timing++) {
    uint64_t first = 0, packets = 0;
    for (unsigned i = 0; i < 4; i++) {
      uint64_t hash = whole_run(timing, threads[i], false, &packets);
      if (i == 0) first = hash;
      assert_int_equal(hash, first);
    }
    assert_int_equal(whole_run(timing, 2, true, &packets), first);
    printf("# timing %s: %llu packets, hash %016llx\n", timing ? "on" : "off", (unsigned long long)packets,
           (unsigned long long)first);
  }
}

static void damaged_states_are_refused(void **state) {
  (void)state;
  struct chip *c = rig_chip(true, 1);
  struct chip_stream s = {0};
  rig_put(c, rig_tile_at(c, 5, 5), 0x1000, 77);
  uint64_t hash = chip_hash(c);
  assert_true(chip_save(c, &s));
  s.bytes[s.length - 5] ^= 1;
  assert_string_equal(chip_restore(c, &s), "the saved chip is damaged: its checksum is wrong");
  s.bytes[s.length - 5] ^= 1;
  s.bytes[0] ^= 1;
  s.at = 0;
  assert_string_equal(chip_restore(c, &s), "this is not a saved chip");
  s.bytes[0] ^= 1;
  for (size_t cut = 0; cut < s.length; cut += s.length / 17 + 1) {
    struct chip_stream part = {.bytes = s.bytes, .length = cut};
    assert_non_null(chip_restore(c, &part));
  }
  assert_int_equal(chip_hash(c), hash); /* as before */
  s.at = 0;
  assert_null(chip_restore(c, &s));
  assert_int_equal(chip_hash(c), hash);
  free(s.bytes);
  chip_destroy(c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(same_state_for_every_number_of_threads),
      cmocka_unit_test(damaged_states_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
