/* Random use of the BARs: any window, field, size, address and order. Nothing may crash (the sanitizers watch), every read must fill its
 * buffer and no more, and data written through a window must be there when the same window reads it. A million accesses in `make soak`. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host_rig.h"
#include "scale.h"

#define GUARD 0xa5u
#define LARGEST 5000u

static uint64_t seed;

static uint64_t next(void) { /* xorshift */
  seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
  return seed;
}

static uint64_t below(uint64_t bound) { return next() % bound; }

static uint32_t random_size(void) { return below(3) ? 4 * (1 + (uint32_t)below(16)) : (uint32_t)below(LARGEST); }

static uint64_t random_window_address(unsigned *window) {
  *window = (unsigned)below(HOST_TLB_COUNT);
  if (*window < HOST_TLB_SMALL) return 0x100000000ull + *window * 0x200000ull + below(below(2) ? 0x200000u : 0x800u);
  return 0x800000000ull + ((uint64_t)(*window - HOST_TLB_SMALL) << 32) + below(below(2) ? 1ull << 32 : 0x800u);
}

static uint64_t random_address(void) {
  unsigned window;
  switch (below(8)) {
    case 0: return 0x100000000ull + below(512ull << 20);
    case 1: return 0x11fc00000ull + below(HOST_TLB_CONFIG_SIZE + 16);
    case 2: return 0x11fd04000ull + below(0x12000);
    case 3: return 0x120000000ull + below(0x4000);
    case 4: return next();
    default: return random_window_address(&window);
  }
}

static void random_window(void) {
  uint64_t bits = next();
  struct host_target to = {.noc = bits & 1,
                           .broadcast = (bits >> 1 & 7) == 0,
                           .x_end = (uint8_t)below(bits >> 8 & 1 ? 64 : 17),
                           .y_end = (uint8_t)below(bits >> 9 & 1 ? 64 : 12),
                           .x_start = (uint8_t)below(64),
                           .y_start = (uint8_t)below(64),
                           .ordering = bits >> 10 & 3,
                           .linked = bits >> 12 & 1,
                           .static_vc = bits >> 13 & 1,
                           .vc = bits >> 14 & 7};
  rig_window((unsigned)below(HOST_TLB_COUNT), below(4) ? 0 : next(), to);
}

static void fuzz_read(uint64_t address, uint32_t size) {
  static uint8_t bytes[LARGEST + 16], other[LARGEST + 16];
  memset(bytes, GUARD, size + 16);
  memset(other, (uint8_t)~GUARD, size + 16);
  host_read(&rig->host, address, bytes, size);
  host_read(&rig->host, address, other, size);
  assert_memory_equal(bytes, other, size); /* every byte is filled */
  for (unsigned i = 0; i < 16; i++) assert_int_equal(bytes[size + i], GUARD);
}

static void fuzz_write(uint64_t address, uint32_t size) {
  static uint8_t bytes[LARGEST];
  for (uint32_t i = 0; i < size; i += 8) memcpy(bytes + i, &(uint64_t){next()}, size - i < 8 ? size - i : 8);
  host_write(&rig->host, address, bytes, size);
}

/* Writes through a window on a tile and reads back; one byte is also read directly from the rig's memory. */
static void fuzz_round_trip(void) {
  unsigned window, x = (unsigned)below(RIG_SIDE), y = (unsigned)below(RIG_SIDE);
  uint64_t address = random_window_address(&window) & ~0xffffull;
  uint32_t offset = (uint32_t)below(RIG_MEMORY - LARGEST), size = 1 + (uint32_t)below(LARGEST);
  static uint8_t sent[LARGEST], back[LARGEST];
  if (window < HOST_TLB_SMALL) address = 0x100000000ull + window * 0x200000ull;
  if (window >= HOST_TLB_SMALL) address = 0x800000000ull + ((uint64_t)(window - HOST_TLB_SMALL) << 32);
  rig_window(window, 0, rig_tile(x, y));
  for (uint32_t i = 0; i < size; i++) sent[i] = (uint8_t)next();
  host_write(&rig->host, address + offset, sent, size);
  host_read(&rig->host, address + offset, back, size);
  assert_memory_equal(sent, back, size);
  assert_memory_equal(sent, &rig->memory[y][x][offset], size);
}

static void random_calls(void **state) {
  (void)state;
  seed = 0x5eed;
  for (uint64_t i = 0, count = test_scaled(100000); i < count; i++) {
    switch (below(10)) {
      case 0: random_window(); break;
      case 1: fuzz_round_trip(); break;
      case 2: host_clock(&rig->host, (uint32_t)below(100)); break;
      case 3: host_pci_config_read(&rig->host.config, (uint32_t)below(64), (uint32_t)next() & 0xfff); break;
      case 4: host_tile_write(&rig->host, (uint32_t)below(80), (uint32_t)below(80), below(0x20000), &seed, 8); break;
      case 5: fuzz_write(random_address(), random_size()); break;
      default: fuzz_read(random_address(), random_size()); break;
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(random_calls, rig_start, rig_stop)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
