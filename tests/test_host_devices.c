/* A system behind the libttsim ABI: what tt-umd 0.9.14 does to discover the two chips of a P300, value by value, as it was logged on the
 * golden model's library; then the clock, host memory and reports of several devices. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "../src/host/abi/debug.c"
#include "../src/host/abi/ttsim.c"

#define BAR0 0x100000000ull
#define BAR2 0x120000000ull
#define DEVICE (1ull << 36)
#define ABSENT 0xffffffffu

static uint64_t dma_address;
static uint32_t dma_word;

static void dma_read(uint64_t address, void *bytes, uint32_t size) {
  dma_address = address;
  memset(bytes, 0x5a, size);
}

static void dma_write(uint64_t address, const void *bytes, uint32_t size) {
  dma_address = address;
  memcpy(&dma_word, bytes, size < sizeof dma_word ? size : sizeof dma_word);
}

static int start_system(const char *system) {
  setenv("TESSERA_LOG", "quiet", 1);
  setenv("TESSERA_TIMING", "cycle", 1);
  setenv("TESSERA_THREADS", "1", 1);
  setenv("TESSERA_SYSTEM", system, 1);
  libttsim_set_pci_dma_mem_callbacks(dma_read, dma_write);
  libttsim_init();
  return devices ? 0 : -1;
}

static int start(void **state) {
  (void)state;
  return start_system("p300");
}

static int stop(void **state) {
  (void)state;
  libttsim_exit();
  unsetenv("TESSERA_SYSTEM");
  return 0;
}

static uint64_t window(unsigned d, unsigned x, unsigned y, uint64_t address) {
  uint64_t low = address >> 21 | (uint64_t)x << 43 | (uint64_t)y << 49;
  uint32_t words[3] = {(uint32_t)low, (uint32_t)(low >> 32), 0};
  for (unsigned i = 0; i < 3; i++) libttsim_pci_mem_wr_bytes(d * DEVICE + BAR0 + 0x1fc00000 + 4 * i, &words[i], 4);
  return d * DEVICE + BAR0 + (address & 0x1fffff);
}

static uint32_t read_bytes(unsigned d, unsigned x, unsigned y, uint64_t address, uint32_t size) {
  uint32_t value = 0;
  libttsim_pci_mem_rd_bytes(window(d, x, y, address), &value, size);
  libttsim_clock(1);
  return value;
}

static void write_word(unsigned d, unsigned x, unsigned y, uint64_t address, uint32_t value) {
  libttsim_pci_mem_wr_bytes(window(d, x, y, address), &value, 4);
}

static uint32_t bar_word(uint64_t address) {
  uint32_t value = 0;
  libttsim_pci_mem_rd_bytes(address, &value, 4);
  return value;
}

/* --- the sequence --- */

static uint32_t config_word(unsigned d, uint32_t offset) { return libttsim_pci_config_rd32(d << 3, offset); }

static void configuration_space(void **state) {
  (void)state;
  for (unsigned d = 0; d < 32; d++) assert_int_equal(config_word(d, 0), d < 2 ? 0xb1401e52 : ABSENT);
  assert_int_equal(libttsim_pci_config_rd32(1, 0), ABSENT); /* another function */
  assert_int_equal(libttsim_pci_config_rd32(1 << 8, 0), ABSENT);
  for (unsigned d = 0; d < 2; d++) {
    static const struct {
      uint32_t offset, low, high;
    } bars[] = {{0x10, 0x4, 0x1}, {0x18, 0x20000004, 0x1}, {0x20, 0x4, 0x8}};
    for (unsigned i = 0; i < 3; i++) {
      assert_int_equal(config_word(d, bars[i].offset), bars[i].low);
      assert_int_equal(config_word(d, bars[i].offset + 4), bars[i].high + 0x10 * d);
    }
    assert_int_equal(bar_word(d * DEVICE + BAR0 + 0x1fd04100) & 0x4000,
                     0x4000); /* translation is on; the golden model has no other bit */
  }
  /* The golden model's node id is that of PCIe tile 0 for both; a card's second chip uses tile 1. */
  assert_int_equal(bar_word(BAR0 + 0x1fd04044), 0x10611002);
  assert_int_equal(bar_word(DEVICE + BAR0 + 0x1fd04044), 0x1061100b);
}

/* The telemetry value of a tag, by the table, as the driver finds it. */
static uint32_t telemetry(unsigned d, uint32_t tag) {
  uint32_t table = read_bytes(d, 8, 0, 0x80030434, 4), values = read_bytes(d, 8, 0, 0x80030430, 4);
  uint32_t count = read_bytes(d, 8, 0, table + 4, 4);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t entry = read_bytes(d, 8, 0, table + 8 + 4 * i, 4);
    if ((entry & 0xffff) == tag) return read_bytes(d, 8, 0, values + 4 * (entry >> 16), 4);
  }
  fail_msg("no tag %u", tag);
  return 0;
}

static void management_firmware(void **state) {
  (void)state;
  static const struct {
    uint32_t tag, value[2];
  } golden[] = {{1, {0x440, 0x440}},
                {2, {1, 1}},
                {3, {1, 2}},
                {4, {0, 0}},
                {11, {0x280000, 0x280000}},
                {13, {0x230000, 0x230000}},
                {21, {0xfff, 0xfff}},
                {35, {0xfff, 0xfff}},
                {38, {1, 4}},
                {52, {0, 1}},
                {61, {0, 0}},
                {62, {1, 2}}};
  for (unsigned d = 0; d < 2; d++) {
    assert_int_equal(read_bytes(d, 8, 0, 0x80030060, 4), 0);
    assert_int_equal(read_bytes(d, 8, 0, 0x80030408, 4), 5);
    for (unsigned i = 0; i < sizeof golden / sizeof *golden; i++)
      assert_int_equal(telemetry(d, golden[i].tag), golden[i].value[d]);
  }
}

static void boot_results_of_ethernet_tiles(void **state) {
  (void)state;
  static const struct { unsigned device, channel, peer_channel; } links[] = {{0, 2, 9}, {0, 3, 8}, {1, 8, 3}, {1, 9, 2}};
  for (unsigned d = 0; d < 2; d++)
    for (unsigned channel = 0; channel < 12; channel++) {
      unsigned x = 20 + channel, linked = 0, peer_channel = 0;
      for (unsigned i = 0; i < 4; i++)
        if (links[i].device == d && links[i].channel == channel) linked = 1, peer_channel = links[i].peer_channel;
      const struct {
        uint32_t address, size, down, up;
      } words[] = {{0x7cc00, 4, 0xc0dea000, 0xc0dea000},
                   {0x7cc04, 4, 2, 1},
                   {0x7cc08, 4, 0, 2},
                   {0x7ce00, 4, 0, 0},
                   {0x7ce04, 4, 0, 1},
                   {0x7cfc8, 4, 0, 1},
                   {0x7cfc4, 4, 0, 0x440},
                   {0x7cfc1, 1, 0, d},
                   {0x7cfc2, 1, 0, channel},
                   {0x7cfd4, 4, 0, 0},
                   {0x7cfd8, 4, 0, 1 + d},
                   {0xffb121b0, 4, 0x1800, 0x1000},
                   {0x7cfbe, 1, 1, 1},
                   {0x7cfbd, 1, 6, 6},
                   {0x7cfbc, 1, 0, 0},
                   {0x7cfe8, 4, 0, 1},
                   {0x7cfe4, 4, 0, 0x440},
                   {0x7cfe1, 1, 0, 1 - d},
                   {0x7cfe2, 1, 0, peer_channel},
                   {0x7cff4, 4, 0, 0},
                   {0x7cff8, 4, 0, 2 - d}};
      for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        assert_int_equal(read_bytes(d, x, 25, words[i].address, words[i].size), linked ? words[i].up : words[i].down);
    }
}

/* --- several devices --- */

static void devices_have_their_own_memory(void **state) {
  (void)state;
  for (unsigned d = 0; d < 2; d++) write_word(d, 1, 2, 0x100, 0xbeef0000 + d);
  for (unsigned d = 0; d < 2; d++) assert_int_equal(read_bytes(d, 1, 2, 0x100, 4), 0xbeef0000 + d);
}

static void one_clock_moves_all(void **state) {
  (void)state;
  write_word(0, 1, 2, 0, 1); /* a tile that exists */
  read_bytes(1, 1, 2, 0, 4);
  uint64_t before = chip_now(devices->device[1].machine->chip);
  libttsim_clock(5000);
  libttsim_pci_mem_wr_bytes(window(0, 1, 2, 8), &(uint32_t){0}, 4); /* a write settles clocks that idle chips owe */
  assert_true(chip_now(devices->device[1].machine->chip) >= before + 5000);
  assert_int_equal(chip_now(devices->device[0].machine->chip), chip_now(devices->device[1].machine->chip));
}

/* iATU region 5 of a device maps its NoC's accesses to host memory from device * 64 GiB on. */
static void host_memory_of_each(void **state) {
  (void)state;
  for (unsigned d = 0; d < 2; d++) {
    const uint32_t words[][2] = {{0x1a04, 0},          {0x1a00, 0}, {0x1a08, 0},        {0x1a0c, 0},
                                 {0x1a10, 0xfffdffff}, {0x1a14, 0}, {0x1a18, 0x10 * d}, {0x1a04, 0x80000000}};
    for (unsigned i = 0; i < 8; i++) libttsim_pci_mem_wr_bytes(d * DEVICE + BAR2 + words[i][0], &words[i][1], 4);
  }
  for (unsigned d = 0; d < 2; d++) {
    uint32_t value = 0x1000 + d;
    assert_true(host_memory_write(&devices->device[d].machine->host, (4ull << 58) + 0x2000, &value, 4));
    assert_int_equal(dma_address, d * DEVICE + 0x2000);
    assert_int_equal(dma_word, value);
  }
}

static void a_report_per_device(void **state) {
  (void)state;
  char directory[] = "/tmp/devices-XXXXXX", path[64];
  assert_non_null(mkdtemp(directory));
  setenv("TESSERA_REPORT", directory, 1);
  assert_int_equal(start_system("p300"), 0);
  write_word(1, 1, 2, 0, 1);
  libttsim_clock(1);
  stop(NULL);
  unsetenv("TESSERA_REPORT");
  for (unsigned d = 0; d < 2; d++) {
    snprintf(path, sizeof path, "%s/chip-%u/report.txt", directory, d);
    assert_int_equal(remove(path), 0);
    snprintf(path, sizeof path, "%s/chip-%u/report.html", directory, d);
    assert_int_equal(remove(path), 0);
    snprintf(path, sizeof path, "%s/chip-%u", directory, d);
    assert_int_equal(rmdir(path), 0);
  }
  assert_int_equal(rmdir(directory), 0);
}

/* Message 2 starts ERISC0 of a tile with a link, which is out of reset in base firmware, at the address of its argument. */
static void base_firmware_releases_erisc0(void **state) {
  (void)state;
  write_word(0, 22, 25, 0x8000, 0x0000006f); /* jal zero, 0 */
  write_word(0, 22, 25, 0x7d004, 0x8000);
  write_word(0, 22, 25, 0x7d000, 0xca110002);
  assert_int_equal(read_bytes(0, 22, 25, 0x7d000, 4), 0xd0e50002);
  assert_int_equal(read_bytes(0, 22, 25, 0xffb121b0, 4), 0x1000);
  const struct chip *c = devices->device[0].machine->chip;
  const struct chip_endpoint *e = chip_endpoint_peek((struct chip *)c, chip_tile_of(chip_grid(c), 0, 22, 25));
  const struct tx_tile *t = e->self;
  assert_int_not_equal(t->core[TX_CORE_BRISC].state, TX_CORE_HELD);
  assert_int_equal(t->core[TX_CORE_BRISC].pc & ~3u, 0x8000);
  assert_int_equal(t->core[TX_CORE_NCRISC].state, TX_CORE_HELD);
}

static char said[256];
static void keep(void *who, const char *line) {
  (void)who;
  snprintf(said, sizeof said, "%s", line);
}

static const char *error_of(const char *system, const char *product, const char *gdb) {
  static char error[256];
  struct host_options options = {.timing = true, .threads = 1, .system = system, .product = product, .gdb = gdb};
  struct host_devices *d = host_devices_create(&options, NULL, (struct host_voice){keep, error, sizeof error});
  host_devices_destroy(d);
  return d ? "" : error;
}

static void settings_that_are_refused(void **state) {
  (void)state;
  assert_string_equal(error_of("p301", NULL, NULL),
                      "TESSERA_SYSTEM=p301: No such file or directory; must be a cluster descriptor, or one of p150, p300, "
                      "quietbox, quietbox2, loudbox, galaxy");
  assert_string_equal(
      error_of("p300", "p100", NULL),
      "TESSERA_SYSTEM=p300: there is no such system of TESSERA_PRODUCT=p100; a cluster descriptor has the products "
      "of its chips");
  assert_string_equal(error_of("p300", NULL, "1234"),
                      "TESSERA_GDB=1234: gdb debugs a chip alone, not one of TESSERA_SYSTEM=p300");
  assert_string_equal(error_of("/dev/null", NULL, NULL),
                      "TESSERA_SYSTEM=/dev/null: line 0: arch must have chips from 0 on, without a gap");
  assert_string_equal(error_of("p150", NULL, NULL), "");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(configuration_space, start, stop),
      cmocka_unit_test_setup_teardown(management_firmware, start, stop),
      cmocka_unit_test_setup_teardown(boot_results_of_ethernet_tiles, start, stop),
      cmocka_unit_test_setup_teardown(devices_have_their_own_memory, start, stop),
      cmocka_unit_test_setup_teardown(one_clock_moves_all, start, stop),
      cmocka_unit_test_setup_teardown(host_memory_of_each, start, stop),
      cmocka_unit_test(a_report_per_device),
      cmocka_unit_test_setup_teardown(base_firmware_releases_erisc0, start, stop),
      cmocka_unit_test(settings_that_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
