/* A tile whose cores only poll is not run (chip/orbit.h): random loops of up to four loads on up to five cores, words written at random
 * times, by the host and over the NoC. L1 holds the cycle in which each core saw each change: the chip with dormant tiles and the one that runs every
 * cycle end with byte-identical L1. */
#include "chip_rig.h"
#include "riscv_rig.h"
#include "scale.h"

#include "tensix/riscv/core.h"

#define CODE 0x4000u
#define FLAGS 0x100u
#define SEEN 0x8000u
#define WORDS 32u

static uint32_t next_random(uint64_t *seed) {
  *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(*seed >> 33);
}

static uint32_t pick(uint64_t *seed, uint32_t below) { return next_random(seed) % below; }

/* Polls some words until one of them changes, records the sum and the cycle, and polls again. */
static void put_poller(struct rv *r, unsigned core, uint64_t *seed) {
  unsigned loads = 1 + pick(seed, 4);
  r->at = CODE + 0x400 * core;
  uint32_t start = r->at;
  if (pick(seed, 2)) rv_firmware(r);
  rv_li(r, S0, FLAGS);
  rv_li(r, S1, SEEN + 0x1000 * core);
  rv_put(r, rv_addi(A2, ZERO, 0));
  uint32_t loop = r->at;
  rv_put(r, rv_addi(A1, ZERO, 0));
  for (unsigned i = 0; i < loads; i++) {
    rv_put(r, rv_lw(A0, (int32_t)(4 * pick(seed, WORDS)), S0));
    rv_put_times(r, RV_NOP, pick(seed, 6));
    if (pick(seed, 3) == 0) rv_put(r, RV_FENCE);
    rv_put(r, rv_r(0, A0, A1, 0, A1, 0x33)); /* add */
  }
  if (pick(seed, 2)) rv_put(r, RV_FENCE);
  rv_put(r, rv_beq(A1, A2, (int32_t)(loop - r->at)));
  rv_put(r, rv_addi(A2, A1, 0));
  rv_put(r, rv_csrrs(A3, 0xb00, ZERO)); /* mcycle */
  rv_put(r, rv_sw(A2, 0, S1));
  rv_put(r, rv_sw(A3, 4, S1));
  rv_put(r, rv_addi(S1, S1, 8));
  rv_put(r, rv_jal(ZERO, (int32_t)(loop - r->at)));
  tx_core_start(r->t, core, start);
}

static struct chip *make(bool rests, uint64_t seed) {
  const char *why = NULL;
  struct chip_config config = {
      .harvest = chip_product_find("full")->harvest, .timing = true, .threads = 1, .no_rest = !rests};
  struct chip *c = chip_create(&config, &why);
  assert_non_null(c);
  unsigned tile = rig_tile_at(c, 1, 2);
  struct rv r = {.t = chip_endpoint(c, tile)->self};
  r.t->params.local_ram_clears = 0;
  unsigned running = 1 + pick(&seed, 31);
  for (unsigned core = 0; core < TX_CORES; core++)
    if (running >> core & 1u) put_poller(&r, core, &seed);
  rig_get(c, tile, SEEN); /* the chip reads the word of the tile */
  return c;
}

/* A word changes: at once from the host, or by a packet from another tile. */
static void disturb(struct chip *c, unsigned tile, unsigned other, uint64_t seed) {
  uint32_t address = FLAGS + 4 * pick(&seed, WORDS + 16), value = pick(&seed, 3);
  if (pick(&seed, 2)) {
    rig_put(c, tile, address, value);
    return;
  }
  rig_put(c, other, 0x200 + address % 64, value);
  rig_fire(c, other, 0, 0,
           (struct rig_request){.targ = 0x200 + address % 64,
                                .targ_xy = rig_xy(2, 2),
                                .ret = address,
                                .ret_xy = rig_xy(1, 2),
                                .ctrl = 1u << 1 | 1u << 4,
                                .length = 4});
}

static unsigned compare(uint64_t seed, unsigned *seen) {
  struct chip *plain = make(false, seed), *resting = make(true, seed);
  unsigned rests = 0, changes = 0, tile = rig_tile_at(plain, 1, 2), other = rig_tile_at(plain, 2, 2);
  for (unsigned event = 0; event < 12; event++) {
    sim_time until = chip_now(plain) + 1 + pick(&seed, pick(&seed, 2) ? 20000 : 300);
    chip_run(plain, until);
    rests += chip_run(resting, until) == CHIP_END_BLOCKED;
    assert_null(chip_fault(plain, NULL));
    rig_get(resting, tile, SEEN); /* awake */
    const struct tx_tile *a = chip_endpoint(plain, tile)->self, *b = chip_endpoint(resting, tile)->self;
    if (memcmp(a->l1, b->l1, TX_L1_BYTES) != 0) fail_msg("seed %llu event %u", (unsigned long long)seed, event);
    for (unsigned core = 0; core < TX_CORES; core++) changes += rig_get(plain, tile, SEEN + 0x1000 * core + 4) != 0;
    uint64_t what = next_random(&seed);
    disturb(plain, tile, other, what);
    disturb(resting, tile, other, what);
  }
  chip_destroy(plain);
  chip_destroy(resting);
  *seen += changes;
  return rests;
}

static void a_dormant_tile_wakes_in_the_state_that_it_would_be_in(void **state) {
  unsigned rests = 0, seen = 0;
  (void)state;
  for (uint64_t seed = 1; seed <= 4 + test_scaled(100); seed++) rests += compare(seed, &seen);
  assert_true(rests > 0); /* the tile was dormant, */
  assert_true(seen > 0);  /* and its cores read the changed words */
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_dormant_tile_wakes_in_the_state_that_it_would_be_in)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
