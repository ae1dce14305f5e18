/* The host side: configuration space, windows of both sizes, strided rectangles, iATU, accesses that reach nothing, polls, freezing.
 * Expected values are the ones that a driver of the chip writes and reads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host_rig.h"

#define BAR0 0x100000000ull
#define BAR2 0x120000000ull
#define BAR4 0x800000000ull
#define WINDOW(i) (BAR0 + (uint64_t)(i)*0x200000u)

static uint32_t config(uint32_t device, uint32_t offset) { return host_pci_config_read(&rig->host.config, device, offset); }

static uint32_t read32(uint64_t address) {
  uint32_t value = 0x5a5a5a5au;
  host_read(&rig->host, address, &value, 4);
  return value;
}

static void write32(uint64_t address, uint32_t value) { host_write(&rig->host, address, &value, 4); }

static void a_driver_finds_the_device_and_its_bars(void **state) {
  (void)state;
  assert_int_equal(config(0, 0), 0xb1401e52u);
  for (uint32_t device = 1; device < 32; device++) assert_int_equal(config(device << 3, 0), 0xffffffffu);
  static const uint32_t bars[6] = {0x4, 0x1, 0x20000004u, 0x1, 0x4, 0x8};
  for (uint32_t i = 0; i < 6; i++) assert_int_equal(config(0, 0x10 + 4 * i), bars[i]);
  assert_int_equal(config(0, 2), 0xffffffffu);
}

static void a_host_measures_and_moves_a_bar(void **state) {
  (void)state;
  struct host_pci_config *c = &rig->host.config;
  for (uint32_t offset = 0x10; offset < 0x28; offset += 4) host_pci_config_write(c, 0, offset, 0xffffffffu);
  static const uint32_t sizes[6] = {0xe0000004u, 0xffffffffu, 0xfff00004u, 0xffffffffu, 0x4, 0xfffffff8u};
  for (uint32_t i = 0; i < 6; i++) assert_int_equal(config(0, 0x10 + 4 * i), sizes[i]);
  host_pci_config_write(c, 0, 0x10, 0x40000000u);
  host_pci_config_write(c, 0, 0x14, 0x7);
  write32(0x75fc00000ull, 0x1234);
  assert_int_equal(rig->host.tlb.word[0][0], 0x1234);
  host_pci_config_write(c, 8, 0x10, 0); /* another device: nothing happens */
  assert_int_equal(config(0, 0x10), 0x40000004u);
}

static void a_small_window_reaches_a_tile(void **state) {
  (void)state;
  /* The words that the driver writes for tile (1,2) at 0xffb121b0. */
  write32(BAR0 + 0x1fc00000, 0x7fd);
  write32(BAR0 + 0x1fc00004, 0x40800);
  write32(BAR0 + 0x1fc00008, 0);
  struct host_target target;
  assert_int_equal(host_tlb_decode(&rig->host.tlb, 0, &target) + 0x1121b0, 0xffb121b0u);
  assert_int_equal(target.x_end, 1);
  assert_int_equal(target.y_end, 2);
  assert_false(target.broadcast);
  assert_int_equal(read32(BAR0 + 0x1fc00004), 0x40800);
  rig_window(201, 0, rig_tile(16, 11));
  write32(WINDOW(201) + 0x80, 77);
  assert_int_equal(rig->memory[11][16][0x80], 77);
  assert_int_equal(read32(WINDOW(201) + 0x80), 77);
}

static void a_window_keeps_every_field(void **state) {
  (void)state;
  struct host_target to = {.noc = 1,
                           .broadcast = true,
                           .x_end = 13,
                           .y_end = 41,
                           .x_start = 62,
                           .y_start = 21,
                           .ordering = HOST_ORDER_COUNTED,
                           .linked = true,
                           .static_vc = true,
                           .vc = 5};
  static const unsigned windows[3] = {5, 150, 205};
  static const uint64_t addresses[3] = {0xfffffffffff00000ull & ~0x1fffffull, 0x1000000000000000ull, 0x1234567800000000ull};
  for (unsigned i = 0; i < 3; i++) {
    struct host_target got;
    memset(&got, 0, sizeof got);
    rig_window(windows[i], addresses[i], to);
    assert_true(host_tlb_decode(&rig->host.tlb, windows[i], &got) == addresses[i]);
    assert_int_equal(got.noc, 1);
    assert_true(got.broadcast && got.linked && got.static_vc);
    assert_int_equal(got.x_end << 18 | got.y_end << 12 | got.x_start << 6 | got.y_start, 13 << 18 | 41 << 12 | 62 << 6 | 21);
    assert_int_equal(got.ordering << 4 | got.vc, HOST_ORDER_COUNTED << 4 | 5);
  }
}

static void a_large_window_reaches_a_tile(void **state) {
  (void)state;
  rig_window(202, 0, rig_tile(3, 4));
  rig_window(209, 0, rig_tile(5, 6));
  write32(BAR4 + 0x44, 0xaabb);
  write32(BAR4 + (7ull << 32) + 0x48, 0xccdd);
  assert_int_equal(read32(BAR4 + 0x44), 0xaabb);
  assert_int_equal(rig->memory[4][3][0x44], 0xbb);
  assert_int_equal(rig->memory[6][5][0x48], 0xdd);
}

static void an_access_crosses_into_the_next_window(void **state) {
  (void)state;
  uint8_t bytes[16], back[16];
  for (unsigned i = 0; i < 16; i++) bytes[i] = (uint8_t)(i + 1);
  rig_window(8, 0, rig_tile(1, 2));
  rig_window(9, 0, rig_tile(2, 2));
  /* The last bytes of window 8 reach past the rig's memory, the rest the first bytes of window 9. */
  host_write(&rig->host, WINDOW(9) - 8, bytes, 16);
  assert_int_equal(rig->host.lost, 1);
  assert_memory_equal(rig->memory[2][2], bytes + 8, 8);
  host_read(&rig->host, WINDOW(9) - 8, back, 16);
  assert_memory_equal(back + 8, bytes + 8, 8);
  assert_int_equal(back[0], 0xff);
}

static unsigned written_tiles(void) {
  unsigned count = 0;
  for (unsigned y = 0; y < 12; y++)
    for (unsigned x = 0; x < 17; x++) count += rig->memory[y][x][0] == 9;
  return count;
}

static void a_rectangle_leaves_tiles_out(void **state) {
  (void)state;
  struct host_target to = {.broadcast = true, .x_start = 1, .y_start = 2, .x_end = 6, .y_end = 9};
  static const uint8_t nine = 9;
  rig_window(3, 0, to);
  host_write(&rig->host, WINDOW(3), &nine, 1);
  assert_int_equal(written_tiles(), 6 * 8);
  memset(rig->memory, 0, sizeof rig->memory);
  write32(BAR0 + 0x1fc009d8 + 4 * 3, 1 | 2 << 2 | 2 << 4 | 1 << 6); /* keep 1 skip 2 in x, keep 2 skip 1 in y */
  host_write(&rig->host, WINDOW(3), &nine, 1);
  assert_int_equal(written_tiles(), 2 * 6); /* x 1, 4; y 2, 3, 5, 6, 8, 9 */
  assert_int_equal(rig->memory[6][4][0], 9);
  assert_int_equal(rig->memory[4][4][0], 0);
  memset(rig->memory, 0, sizeof rig->memory);
  write32(BAR0 + 0x1fc009d8 + 4 * 3, 4 << 8 | 5 << 13 | 1 << 17 | 1 << 18 | 1 << 19); /* without x >= 4 and y >= 5 */
  host_write(&rig->host, WINDOW(3), &nine, 1);
  assert_int_equal(written_tiles(), 48 - 3 * 5);
  assert_int_equal(read32(WINDOW(3)), 0xffffffffu); /* a rectangle cannot be read */
  assert_int_equal(rig->host.lost, 1);
}

static void registers_take_aligned_words(void **state) {
  (void)state;
  rig->niu[1][2] = 0x10611002u;
  assert_int_equal(read32(BAR0 + 0x1fd14008), 0x10611002u);
  write32(BAR0 + 0x1fd04004, 3);
  assert_int_equal(rig->niu[0][1], 3);
  assert_int_equal(rig->host.lost, 0);
  uint16_t half = 0;
  host_read(&rig->host, BAR0 + 0x1fd14008, &half, 2);
  assert_int_equal(half, 0xffff);
  uint64_t crooked = 0;
  host_write(&rig->host, BAR0 + 0x1fd04002, &crooked, 8); /* a half word, a word, a half word: the word access is the poll */
  assert_int_equal(rig->niu[0][1], 0);
  assert_int_equal(rig->host.lost, 3);
}

static void nothing_reads_as_all_ones(void **state) {
  (void)state;
  assert_int_equal(read32(0x1000), 0xffffffffu);
  assert_int_equal(read32(BAR0 + 0x1ff30060), 0xffffffffu);
  assert_int_equal(read32(BAR2 + 0x80000), 0xffffffffu);
  assert_int_equal(read32(UINT64_MAX - 3), 0xffffffffu);
  rig_window(0, 0, rig_tile(40, 2));
  assert_int_equal(read32(WINDOW(0)), 0xffffffffu);
  write32(WINDOW(0), 1);
  assert_int_equal(rig->host.lost, 6);
  assert_int_equal(rig->lines, 6);
  assert_string_equal(rig->line, "the host writes 4 bytes to tile (40,2) at 0x0: there is no memory or register");
  for (unsigned i = 0; i < 100; i++) read32(0x1000);
  assert_int_equal(rig->lines, 21); /* twenty, and a line that there are more */
}

/* An access of many words that no BAR has, or that goes beyond the last address, is one line; nothing at address 0 is touched. */
static void an_access_outside_is_one_line(void **state) {
  (void)state;
  uint8_t bytes[64];
  const uint64_t places[] = {UINT64_MAX - 3, 0x1000, BAR0 - 64};
  rig_window(0, 0, rig_tile(3, 4));
  rig->host.config.bar[0] = 0; /* the host may move BAR 0 to the address where the access would go on */
  memset(rig->memory[4][3], 0x5a, 64);
  memset(bytes, 0, sizeof bytes);
  host_read(&rig->host, places[0], bytes, sizeof bytes);
  for (unsigned i = 0; i < sizeof bytes; i++) assert_int_equal(bytes[i], 0xff);
  memset(bytes, 0, sizeof bytes);
  host_write(&rig->host, places[0], bytes, sizeof bytes);
  assert_int_equal(rig->memory[4][3][0], 0x5a);
  assert_int_equal(rig->lines, 2);
  assert_string_equal(rig->line, "the host writes 64 bytes at 0xfffffffffffffffc: the end lies beyond the last address");
  rig->host.config.bar[0] = BAR0;
  for (unsigned i = 1; i < 3; i++) host_read(&rig->host, places[i], bytes, sizeof bytes);
  assert_int_equal(rig->lines, 4);
  assert_int_equal(rig->host.lost, 4);
  assert_int_equal(bytes[63], 0xff);
}

static void the_iatu_maps_host_memory(void **state) {
  (void)state;
  uint32_t value = 0x11223344u, back = 0;
  assert_true(host_memory_write(&rig->host, 4ull << 58 | 0x100, &value, 4)); /* no region: passes unchanged */
  assert_int_equal(rig->host_address, 0x100);
  static const uint32_t words[8] = {0, 0, 0x40000000u, 0, 0x7fffffffu, 0x10000000u, 2, 0};
  for (uint32_t i = 0; i < 7; i++) write32(BAR2 + 0x1a00 + 4 * i, words[i]);
  assert_true(host_memory_read(&rig->host, 4ull << 58 | 0x40001000u, &back, 4)); /* not yet enabled */
  assert_true(rig->host_address == 0x40001000u);
  write32(BAR2 + 0x1a04, 0x80000000u);
  assert_int_equal(read32(BAR2 + 0x1a04), 0x80000000u);
  assert_true(host_memory_read(&rig->host, 4ull << 58 | 0x40001000u, &back, 4));
  assert_true(rig->host_address == 0x210001000ull);
  assert_true(host_memory_read(&rig->host, 0x40001000u, &back, 4)); /* window 0 does not pass the iATU */
  assert_true(rig->host_address == 0x40001000u);
  assert_false(host_memory_read(&rig->host, 62ull << 58, &back, 4));
  uint64_t length = 0x1000;
  host_iatu_translate(&rig->host.iatu, 0x3ffff800u, &length);
  assert_int_equal(length, 0x800); /* the region begins in the middle */
  length = 0x1000;
  host_iatu_translate(&rig->host.iatu, 0x7ffff800u, &length);
  assert_int_equal(length, 0x800);
}

static void a_poll_runs_to_the_change(void **state) {
  (void)state;
  rig_window(0, 0, rig_tile(1, 2));
  assert_int_equal(read32(WINDOW(0) + 0x4f0), 0);
  host_clock(&rig->host, 1);
  assert_int_equal(rig->cycle, 1); /* a first read is not a poll */
  rig->event_byte = &rig->memory[2][1][0x4f0];
  rig->event_at = 5000;
  assert_int_equal(read32(WINDOW(0) + 0x4f0), 0);
  host_clock(&rig->host, 1);
  assert_in_range(rig->cycle, 5000, 5128);
  assert_int_equal(read32(WINDOW(0) + 0x4f0), 1);
  host_clock(&rig->host, 1);
  assert_in_range(rig->cycle, 5001, 5129);
  assert_int_equal(read32(WINDOW(0) + 0x4f0), 1);
  host_clock(&rig->host, 1); /* no change: the call runs up to the bound */
  assert_in_range(rig->cycle, 15001, 15129);
}

static void polls_of_many_tiles_are_polls(void **state) {
  (void)state;
  for (unsigned round = 0; round < 2; round++)
    for (unsigned x = 1; x < 8; x++) {
      rig_window(0, 0, rig_tile(x, 2));
      assert_int_equal(read32(WINDOW(0) + 0x4f0), 0);
      uint64_t before = rig->cycle;
      host_clock(&rig->host, 1);
      assert_int_equal(rig->cycle - before, round ? 10000 : 1);
    }
  write32(WINDOW(0) + 0x4f0, 0); /* the host's own write: the next read is a first read again */
  read32(WINDOW(0) + 0x4f0);
  uint64_t before = rig->cycle;
  host_clock(&rig->host, 1);
  assert_int_equal(rig->cycle - before, 1);
}

static void an_idle_chip_is_not_asked_often(void **state) {
  (void)state;
  rig->idle = true;
  host_clock(&rig->host, 1);
  assert_true(rig->host.time->idle);
  for (unsigned i = 0; i < 9; i++) host_clock(&rig->host, 1);
  assert_int_equal(rig->runs, 1); /* a slice; the remaining cycles run when the host can read the clock */
  rig_window(0, 0, rig_tile(1, 2));
  read32(WINDOW(0) + 0x4f0);
  assert_int_equal(rig->runs, 1); /* memory: it has not changed */
  rig->idle = false;
  read32(WINDOW(0) + RIG_REGISTERS);
  assert_int_equal(rig->runs, 2);
  assert_int_equal(rig->cycle, 100000);
  assert_false(rig->host.time->idle);
}

static void a_write_ends_the_rest_of_an_idle_chip(void **state) {
  (void)state;
  rig->idle = true;
  host_clock(&rig->host, 1);
  rig_window(0, 0, rig_tile(1, 2));
  write32(WINDOW(0) + 0x4f0, 1);
  assert_int_equal(rig->cycle, 10000);
  assert_false(rig->host.time->idle);
  read32(WINDOW(0) + 0x4f0);
  host_clock(&rig->host, 1);
  assert_int_equal(rig->cycle, 10001);
}

static void a_poll_of_host_memory_runs_to_a_write(void **state) {
  (void)state;
  host_clock(&rig->host, 1);
  assert_int_equal(rig->cycle, 10000);
  rig->host.settings.poll_bound = 0;
  host_clock(&rig->host, 3);
  assert_int_equal(rig->cycle, 10003);
}

static void a_fault_freezes(void **state) {
  (void)state;
  rig_window(0, 0, rig_tile(1, 2));
  write32(WINDOW(0), 5);
  rig->faulted = true;
  host_clock(&rig->host, 1);
  assert_true(rig->host.time->frozen);
  assert_int_equal(read32(WINDOW(0)), 0xffffffffu);
  write32(WINDOW(0), 6);
  assert_int_equal(rig->memory[2][1][0], 5);
  uint64_t cycle = rig->cycle;
  host_clock(&rig->host, 100);
  assert_int_equal(rig->cycle, cycle);
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, rig_start, rig_stop)
  const struct CMUnitTest tests[] = {
      TEST(a_driver_finds_the_device_and_its_bars),
      TEST(a_host_measures_and_moves_a_bar),
      TEST(a_small_window_reaches_a_tile),
      TEST(a_window_keeps_every_field),
      TEST(a_large_window_reaches_a_tile),
      TEST(an_access_crosses_into_the_next_window),
      TEST(a_rectangle_leaves_tiles_out),
      TEST(registers_take_aligned_words),
      TEST(nothing_reads_as_all_ones),
      TEST(an_access_outside_is_one_line),
      TEST(the_iatu_maps_host_memory),
      TEST(a_poll_runs_to_the_change),
      TEST(polls_of_many_tiles_are_polls),
      TEST(a_poll_of_host_memory_runs_to_a_write),
      TEST(an_idle_chip_is_not_asked_often),
      TEST(a_write_ends_the_rest_of_an_idle_chip),
      TEST(a_fault_freezes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
