/* Tiles other than Tensix: DRAM, Ethernet, ARC, PCIe, and the nodes that answer with their identity only. */
#include "chip_rig.h"
#include "rv_builder.h"
#include "tensix/tile/tile.h"

#define RUN_CYCLES 100000u

static void run(struct chip *c) {
  chip_run(c, chip_now(c) + RUN_CYCLES);
  assert_true(chip_quiet(c));
}

static struct chip *make(const struct chip_harvest *harvest, const struct chip_host *host, bool timing) {
  const char *why = NULL;
  struct chip_config config = {.harvest = *harvest, .timing = timing, .threads = 1};
  if (host) config.host = *host;
  struct chip *c = chip_create(&config, &why);
  assert_non_null(c);
  return c;
}

static void read_request(struct chip *c, unsigned tile, uint32_t own, uint32_t from, uint64_t address, uint64_t to,
                         uint32_t length) {
  rig_fire(c, tile, 0, 0,
           (struct rig_request){.targ = address, .targ_xy = from, .ret = to, .ret_xy = own, .ctrl = 0x10, .length = length});
}

static void write_request(struct chip *c, unsigned tile, uint32_t own, uint64_t from, uint32_t to, uint64_t address,
                          uint32_t length) {
  rig_fire(c, tile, 0, 1,
           (struct rig_request){.targ = from, .targ_xy = own, .ret = address, .ret_xy = to, .ctrl = 0x12, .length = length});
}

static void expect_refusal(struct chip *c, const char *word) {
  chip_run(c, chip_now(c) + RUN_CYCLES);
  const struct sim_fault *fault = chip_fault(c, NULL);
  assert_non_null(fault);
  assert_non_null(strstr(fault->why, word));
  chip_destroy(c);
}

/* --- DRAM --- */

static void three_ports_show_one_memory(void **state) {
  (void)state;
  struct chip *c = rig_chip(false, 1);
  uint8_t wrote[300], got[300];
  for (unsigned i = 0; i < sizeof wrote; i++) wrote[i] = (uint8_t)(i * 7);
  for (unsigned controller = 0; controller < 8; controller++) {
    unsigned x = 17 + controller / 4, y = 12 + 3 * (controller % 4);
    assert_true(chip_write(c, rig_tile_at(c, x, y + 1), 0xFEFFFE00u, wrote, sizeof wrote)); /* across a page */
    wrote[0]++;
  }
  for (unsigned controller = 0; controller < 8; controller++) {
    unsigned x = 17 + controller / 4, y = 12 + 3 * (controller % 4);
    for (unsigned port = 0; port < 3; port++) {
      assert_true(chip_read(c, rig_tile_at(c, x, y + port), 0xFEFFFE00u, got, sizeof got));
      assert_int_equal(got[0], controller);
      assert_int_equal(got[299], wrote[299]);
    }
  }
  assert_true(chip_read(c, rig_tile_at(c, 17, 12), 0x80000000u, got, 64)); /* never written */
  assert_int_equal(got[0], 0);
  assert_false(chip_read(c, rig_tile_at(c, 17, 12), 0xFEFFFFF0u, got, 32)); /* into the registers */
  chip_destroy(c);
}

static void dram_registers(void **state) {
  (void)state;
  struct chip *c = rig_chip(false, 1);
  unsigned tile = rig_tile_at(c, 18, 13);
  assert_int_equal(rig_get(c, tile, 0xFFB20048u), 0x00080004u);    /* controller 4 */
  assert_int_equal(rig_get(c, tile, 0xFFB30148u), 18u | 13u << 6); /* NOC_ID_LOGICAL, on NoC 1 too */
  uint32_t word = 0;
  assert_true(chip_read(c, tile, UINT64_C(0x12345678FFB20148), &word, 4)); /* whatever bits 63:32 hold */
  assert_int_equal(word, 18u | 13u << 6);
  rig_put(c, tile, 0xFFB40028u, 5); /* a stream: tiles received */
  assert_int_equal(rig_get(c, tile, 0xFFB40028u), 5);
  chip_destroy(c);
}

static void the_core_inside_a_dram_tile_is_refused_by_name(void **state) {
  (void)state;
  struct chip *c = rig_chip(false, 1);
  read_request(c, rig_tile_at(c, 1, 2), rig_xy(1, 2), rig_xy(17, 12), UINT64_C(0x2000000000), 0x20000, 64);
  expect_refusal(c, "the L1 of the DRAM tile's core (DRISC) is not simulated");
  c = rig_chip(false, 1);
  rig_put(c, rig_tile_at(c, 17, 12), 0xFFB20100u, 0xE000);
  read_request(c, rig_tile_at(c, 1, 2), rig_xy(1, 2), rig_xy(17, 12), 0, 0x20000, 64);
  expect_refusal(c, "bit 15");
}

/* A host access returns an error; a request over the NoC is lost, and the hang report names it (tests/test_chip_api.c). */
static void a_fused_off_controller_answers_nothing(void **state) {
  (void)state;
  struct chip *c = make(&chip_product_find("p100")->harvest, NULL, false);
  uint8_t bytes[64];
  assert_false(chip_read(c, rig_tile_at(c, 18, 21), 0, bytes, 64)); /* D2 is last in column 18 */
  assert_true(chip_read(c, rig_tile_at(c, 18, 18), 0, bytes, 64));
  read_request(c, rig_tile_at(c, 1, 2), rig_xy(1, 2), rig_xy(18, 21), 0, 0x20000, 64);
  chip_run(c, chip_now(c) + RUN_CYCLES);
  assert_null(chip_fault(c, NULL));
  assert_int_equal(rig_get(c, rig_tile_at(c, 1, 2), 0xFFB20208u), 0); /* no answer to the read */
  chip_destroy(c);
}

/* --- ARC --- */

static uint32_t telemetry(struct chip *c, unsigned tag) {
  unsigned arc = rig_tile_at(c, 8, 0);
  uint32_t table = rig_get(c, arc, 0x80030434u), values = rig_get(c, arc, 0x80030430u);
  uint32_t count = rig_get(c, arc, table + 4);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t entry = rig_get(c, arc, table + 8 + 4 * i);
    if ((entry & 0xffffu) == tag) return rig_get(c, arc, values + 4 * (entry >> 16));
  }
  fail_msg("no tag %u", tag);
  return 0;
}

static void arc_tells_what_the_part_is(void **state) {
  (void)state;
  struct chip *c = rig_chip(false, 1);
  assert_int_equal(rig_get(c, rig_tile_at(c, 8, 0), 0x80030408u) & 7u, 5);
  assert_int_equal(telemetry(c, 34), 0x3fff);
  assert_int_equal(telemetry(c, 35), 0xfff);
  assert_int_equal(telemetry(c, 36), 0xff);
  assert_int_equal(telemetry(c, 22), 0x5555);
  assert_int_equal(telemetry(c, 38), 1);
  assert_int_equal(telemetry(c, 40), 1);
  assert_int_equal(telemetry(c, 1), 0x400);
  uint32_t before = telemetry(c, 32);
  chip_run(c, chip_now(c) + 1000000);
  assert_true(telemetry(c, 32) > before);
  assert_true(rig_get(c, rig_tile_at(c, 8, 0), 0x800300E0u) >= 1000000 / 27);
  chip_destroy(c);
  c = make(&chip_product_find("p100")->harvest, NULL, false);
  assert_int_equal(telemetry(c, 34), 0x3fff & ~0xC0);
  assert_int_equal(telemetry(c, 35), 0);
  assert_int_equal(telemetry(c, 36), 0xfb);
  assert_int_equal(telemetry(c, 22), 0x5545);
  assert_int_equal(telemetry(c, 38), 4);
  chip_destroy(c);
}

/* Sends one message through queue 0; returns word 1 of the response, and the status in *status. */
static uint32_t message(struct chip *c, uint32_t code, uint32_t argument, uint32_t *status) {
  unsigned arc = rig_tile_at(c, 8, 0);
  uint32_t block = rig_get(c, arc, 0x8003042Cu), queue = rig_get(c, arc, block);
  uint32_t sizes = rig_get(c, arc, block + 4), entries = sizes & 0xffu;
  uint32_t wptr = rig_get(c, arc, queue), rptr = rig_get(c, arc, queue + 4);
  uint32_t at = queue + 32 + wptr % entries * 32;
  assert_int_equal(sizes >> 8 & 0xffu, 4);
  rig_put(c, arc, at, code);
  rig_put(c, arc, at + 4, argument);
  rig_put(c, arc, queue, (wptr + 1) % (2 * entries));
  rig_put(c, arc, 0x80030100u, 0x10000);
  assert_int_equal(rig_get(c, arc, 0x80030100u), 0); /* the doorbell is down again */
  assert_int_equal(rig_get(c, arc, queue + 0x10), (wptr + 1) % (2 * entries));
  assert_int_equal(rig_get(c, arc, queue + 0x14), (rptr + 1) % (2 * entries));
  at = queue + 32 + (entries + rptr % entries) * 32;
  *status = rig_get(c, arc, at) & 0xffu;
  rig_put(c, arc, queue + 4, (rptr + 1) % (2 * entries));
  return rig_get(c, arc, at + 4);
}

static void arc_answers_messages(void **state) {
  (void)state;
  struct chip *c = rig_chip(false, 1);
  uint32_t status;
  for (uint32_t i = 0; i < 40; i++) { /* around the ring, more than twice */
    assert_int_equal(message(c, 0x90, i, &status), i + 1);
    assert_int_equal(status, 0);
  }
  message(c, 0x52, 0, &status);
  assert_int_equal(telemetry(c, 14), 1350);
  assert_int_equal(message(c, 0x34, 0, &status), 1350);
  message(c, 0x54, 0, &status);
  assert_int_equal(telemetry(c, 14), 800);
  message(c, 0x77, 0, &status);
  assert_int_equal(status, 0xff);
  chip_destroy(c);
}

/* --- PCIe --- */

struct host_memory {
  uint8_t bytes[0x10000];
  uint64_t last;
};

static bool host_read(void *host, uint64_t address, void *bytes, size_t length) {
  struct host_memory *m = host;
  m->last = address;
  memcpy(bytes, m->bytes + (address & 0xffff), length);
  return true;
}

static bool host_write(void *host, uint64_t address, const void *bytes, size_t length) {
  struct host_memory *m = host;
  m->last = address;
  memcpy(m->bytes + (address & 0xffff), bytes, length);
  return true;
}

static void the_pcie_tile_reaches_host_memory(void **state) {
  (void)state;
  struct host_memory memory = {0};
  struct chip_host host = {.host = &memory, .read = host_read, .write = host_write};
  struct chip *c = make(&chip_product_find("full")->harvest, &host, true);
  unsigned tile = rig_tile_at(c, 3, 4);
  for (unsigned i = 0; i < 64; i++) memory.bytes[0x1000 + i] = (uint8_t)(i + 1);
  read_request(c, tile, rig_xy(3, 4), rig_xy(19, 24), UINT64_C(0x1000000000001000), 0x20000, 64);
  run(c);
  assert_true(memory.last == UINT64_C(0x1000000000001000));
  assert_int_equal(rig_get(c, tile, 0x20000), 0x04030201);
  write_request(c, tile, rig_xy(3, 4), 0x20000, rig_xy(19, 24), 0x2000, 32);
  run(c);
  assert_int_equal(memory.bytes[0x2000 + 31], 32);
  assert_int_equal(rig_counter(c, tile, 0, 1), 1); /* acknowledged */
  chip_destroy(c);
  c = rig_chip(false, 1);
  read_request(c, rig_tile_at(c, 3, 4), rig_xy(3, 4), rig_xy(19, 24), 0, 0x20000, 64);
  expect_refusal(c, "no host memory");
  c = make(&chip_product_find("full")->harvest, &host, false);
  read_request(c, rig_tile_at(c, 3, 4), rig_xy(3, 4), rig_xy(19, 24), UINT64_C(0xF800000000000000), 0x20000, 4);
  expect_refusal(c, "DBI");
}

/* --- nodes that answer with their identity --- */

static void other_places_have_an_identity_and_refuse_the_rest(void **state) {
  (void)state;
  static const struct {
    unsigned x, y;
    uint64_t niu;
    uint32_t type;
    const char *word;
  } places[] = {{8, 26, UINT64_C(0xFFFFFFFFFF000000), 0x0901, "x280"},
                {8, 30, UINT64_C(0xFFFFFFFFFF000000), 0x0A00, "security"},
                {8, 4, 0xFF000000u, 0, "router"},
                {8, 0, UINT64_C(0xFFFFFFFFFFB20000), 0x0500, "telemetry"}};
  for (unsigned i = 0; i < 4; i++) {
    struct chip *c = rig_chip(false, 1);
    unsigned tile = rig_tile_at(c, places[i].x, places[i].y);
    uint32_t id = 0;
    assert_true(chip_read(c, tile, places[i].niu + 0x48, &id, 4));
    assert_int_equal(id >> 8 & 0xffff, places[i].type);
    assert_true(chip_read(c, tile, places[i].niu + 0x44, &id, 4));
    assert_int_equal(id, chip_node_id(tile, 0));
    read_request(c, rig_tile_at(c, 1, 2), rig_xy(1, 2), rig_xy(places[i].x, places[i].y), 0x1000, 0x20000, 64);
    expect_refusal(c, places[i].word);
  }
}

/* --- Ethernet --- */

static void an_ethernet_tile_shows_base_firmware(void **state) {
  (void)state;
  struct chip *c = rig_chip(false, 1);
  unsigned tile = rig_tile_at(c, 20, 25);
  assert_int_equal(rig_get(c, tile, 0x7CC00), 0xC0DEA000);
  assert_int_equal(rig_get(c, tile, 0x7CC04), 2);
  assert_int_equal(rig_get(c, tile, 0xFFB121B0u), 0x1800);
  uint32_t before = rig_get(c, tile, 0x7CC70);
  chip_run(c, chip_now(c) + 100000);
  assert_true(rig_get(c, tile, 0x7CC70) > before);
  assert_int_equal(rig_get(c, tile, rig_get(c, tile, 0x7CF00 + 12)), 0x00008067); /* functions return */
  rig_put(c, tile, 0x7D000, 0xCA110001);
  assert_int_equal(rig_get(c, tile, 0x7D000), 0xD0E50001);
  uint8_t bytes[8];
  assert_false(chip_read(c, tile, 0x7FFFC, bytes, 8)); /* L1 ends at 512 KiB */
  assert_true(chip_read(c, tile, 0x7FFF8, bytes, 8));
  chip_destroy(c);
}

/* The start sequence of tt-metal's idle firmware: ERISC0 at its reset address, which starts ERISC1. */
static void ethernet_cores_run(void **state) {
  (void)state;
  for (unsigned timing = 0; timing < 2; timing++) {
    struct chip *c = rig_chip(timing, 1);
    unsigned tile = rig_tile_at(c, 23, 25);
    struct rv first = {0}, second = {0};
    rv_poke(&first, 0xFFB14008u, 0x9320);
    rv_poke(&first, 0xFFB121B0u, 0);
    rv_peek(&first, A0, 0xFFB20148u);
    rv_li(&first, A4, 0x20000);
    rv_store(&first, 2, A0, A4, 0);
    rv_loop_for_ever(&first);
    rv_poke(&second, 0x20004, 77);
    rv_loop_for_ever(&second);
    assert_true(chip_write(c, tile, 0x3320, first.word, 4 * first.count));
    assert_true(chip_write(c, tile, 0x9320, second.word, 4 * second.count));
    rig_put(c, tile, 0xFFB121B0u, 0x47800); /* only its two bits stay */
    assert_int_equal(rig_get(c, tile, 0xFFB121B0u), 0x1800);
    rig_put(c, tile, 0xFFB14000u, 0x3320);
    rig_put(c, tile, 0xFFB121B0u, 0x1000);
    chip_run(c, chip_now(c) + 20000);
    assert_null(chip_fault(c, NULL));
    assert_int_equal(rig_get(c, tile, 0x20000), 23u | 25u << 6);
    assert_int_equal(rig_get(c, tile, 0x20004), 77);
    assert_int_equal(rig_get(c, tile, 0xFFB121B0u), 0);
    chip_destroy(c);
  }
}

static void base_firmware_releases_a_core(void **state) {
  (void)state;
  struct chip *c = rig_chip(false, 1);
  unsigned tile = rig_tile_at(c, 21, 25);
  struct rv p = {0};
  rv_poke(&p, 0x20000, 5);
  rv_loop_for_ever(&p);
  assert_true(chip_write(c, tile, 0x3320, p.word, 4 * p.count));
  rig_put(c, tile, 0x7D004, 0x3320);
  rig_put(c, tile, 0x7D000, 0xCA110002);
  assert_int_equal(rig_get(c, tile, 0x7D000), 0xD0E50002);
  chip_run(c, chip_now(c) + 10000);
  assert_int_equal(rig_get(c, tile, 0x20000), 5);
  chip_destroy(c);
}

/* --- state --- */

/* One flipped bit anywhere, the header included: rejected, and the chip is unchanged. */
static void damaged_states_are_refused(void **state) {
  (void)state;
  struct chip *a = rig_chip(true, 1), *b = rig_chip(true, 1);
  struct chip_stream stream = {0};
  rig_put(a, rig_tile_at(a, 17, 13), 0x12345678, 99);
  rig_put(b, rig_tile_at(b, 17, 13), 0x12345678, 77);
  chip_run(a, 100);
  assert_true(chip_save(a, &stream));
  uint64_t before = chip_hash(b);
  for (size_t i = 0; i < stream.length; i += i < 1024 ? 1 : 1 + stream.length / 200) {
    stream.bytes[i] ^= (uint8_t)(1u << i % 8);
    stream.at = 0;
    assert_non_null(chip_restore(b, &stream));
    assert_true(chip_hash(b) == before);
    stream.bytes[i] ^= (uint8_t)(1u << i % 8);
  }
  stream.at = 0;
  assert_null(chip_restore(b, &stream));
  free(stream.bytes);
  chip_destroy(a);
  chip_destroy(b);
}

static void endpoints_are_saved_and_restored(void **state) {
  (void)state;
  struct chip *a = rig_chip(true, 1), *b = rig_chip(true, 1);
  uint32_t status;
  struct chip_stream stream = {0};
  rig_put(a, rig_tile_at(a, 17, 13), 0x12345678, 99);
  rig_put(a, rig_tile_at(a, 18, 20), 0xFFB20100u, 0x6001);
  rig_put(a, rig_tile_at(a, 22, 25), 0x1000, 7);
  message(a, 0x52, 0, &status);
  read_request(a, rig_tile_at(a, 1, 2), rig_xy(1, 2), rig_xy(17, 12), 0x12345640, 0x20000, 64);
  chip_run(a, chip_now(a) + 100); /* the packet is in flight */
  assert_true(chip_save(a, &stream));
  assert_null(chip_restore(b, &stream));
  assert_true(chip_hash(a) == chip_hash(b));
  run(a);
  run(b);
  assert_true(chip_hash(a) == chip_hash(b));
  assert_int_equal(rig_get(b, rig_tile_at(b, 1, 2), 0x20038), 99);
  assert_int_equal(rig_get(b, rig_tile_at(b, 17, 14), 0x12345678), 99);
  assert_int_equal(telemetry(b, 14), 1350);
  free(stream.bytes);
  chip_destroy(a);
  chip_destroy(b);
}

/* A write through one port arrives before a read through another port that was touched first: the read sees it. */
static void ports_of_a_controller_keep_the_order_of_arrival(void **state) {
  (void)state;
  struct chip *c = rig_chip(true, 1);
  unsigned writer = rig_tile_at(c, 16, 2), reader = rig_tile_at(c, 11, 3);
  rig_get(c, rig_tile_at(c, 17, 12), 0); /* port 0 exists before port 2 */
  for (unsigned i = 0; i < 16; i++) rig_put(c, writer, 0x20000 + 4 * i, 0x1000 + i);
  write_request(c, writer, rig_xy(16, 2), 0x20000, rig_xy(17, 14), 0x4000, 64);
  read_request(c, reader, rig_xy(11, 3), rig_xy(17, 12), 0x4000, 0x30000, 64);
  run(c);
  assert_int_equal(rig_get(c, reader, 0x30000), 0x1000);
  assert_int_equal(rig_get(c, reader, 0x3003c), 0x100f);
  chip_destroy(c);
}

/* One channel carries about 47 bytes per cycle, whatever the number of ports. */
static void a_controller_has_a_rate(void **state) {
  (void)state;
  struct chip *c = rig_chip(true, 1);
  uint64_t begin = chip_now(c);
  unsigned tiles[4];
  for (unsigned i = 0; i < 4; i++) {
    tiles[i] = rig_tile_at(c, 1 + i, 2 + i);
    for (unsigned initiator = 0; initiator < 4; initiator++)
      rig_fire(c, tiles[i], 0, initiator,
               (struct rig_request){.targ = initiator * 0x4000u,
                                    .targ_xy = rig_xy(17, 12 + i % 3),
                                    .ret = 0x20000 + initiator * 0x4000u,
                                    .ret_xy = rig_xy(1 + i, 2 + i),
                                    .ctrl = 0x10,
                                    .length = 16384});
  }
  bool done = false;
  while (!done) {
    chip_run(c, chip_now(c) + 16);
    done = true;
    for (unsigned i = 0; i < 4; i++) done &= rig_counter(c, tiles[i], 0, 2) == 4;
  }
  uint64_t cycles = chip_now(c) - begin, ideal = 16 * 16384 * 100 / 4708;
  assert_in_range(cycles, ideal, ideal + 700);
  chip_destroy(c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(three_ports_show_one_memory),
      cmocka_unit_test(dram_registers),
      cmocka_unit_test(the_core_inside_a_dram_tile_is_refused_by_name),
      cmocka_unit_test(a_fused_off_controller_answers_nothing),
      cmocka_unit_test(arc_tells_what_the_part_is),
      cmocka_unit_test(arc_answers_messages),
      cmocka_unit_test(the_pcie_tile_reaches_host_memory),
      cmocka_unit_test(other_places_have_an_identity_and_refuse_the_rest),
      cmocka_unit_test(an_ethernet_tile_shows_base_firmware),
      cmocka_unit_test(ethernet_cores_run),
      cmocka_unit_test(base_firmware_releases_a_core),
      cmocka_unit_test(damaged_states_are_refused),
      cmocka_unit_test(endpoints_are_saved_and_restored),
      cmocka_unit_test(ports_of_a_controller_keep_the_order_of_arrival),
      cmocka_unit_test(a_controller_has_a_rate),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
