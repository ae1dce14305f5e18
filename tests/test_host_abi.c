/* The libttsim ABI with a real chip behind it, by the calls that a driver makes. The library's source is part of this program, so that
 * the sanitizers see all of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "../src/host/abi/debug.c"
#include "../src/host/abi/ttsim.c"
#include "host/report.h"
#include "scale.h"

#define BAR0 0x100000000ull

static uint8_t host_bytes[0x10000];
static uint64_t host_writes;

static bool in_host_memory(uint64_t address, uint32_t size) {
  return address < sizeof host_bytes && size <= sizeof host_bytes - address;
}

static void dma_read(uint64_t address, void *bytes, uint32_t size) {
  memset(bytes, 0xee, size);
  if (in_host_memory(address, size)) memcpy(bytes, &host_bytes[address], size);
}

static void dma_write(uint64_t address, const void *bytes, uint32_t size) {
  if (in_host_memory(address, size)) memcpy(&host_bytes[address], bytes, size);
  host_writes++;
}

static int start(void **state) {
  (void)state;
  setenv("TESSERA_LOG", "quiet", 1);
  setenv("TESSERA_TIMING", "cycle", 1);
  setenv("TESSERA_THREADS", "1", 1);
  memset(host_bytes, 0, sizeof host_bytes);
  host_writes = 0;
  libttsim_set_pci_dma_mem_callbacks(dma_read, dma_write);
  libttsim_init();
  return devices ? 0 : -1;
}

static int stop(void **state) {
  (void)state;
  libttsim_exit();
  return 0;
}

/* Points window 0 at a tile, as UMD does before every access. */
static uint64_t window(unsigned x, unsigned y, uint64_t address) {
  uint64_t low = address >> 21 | (uint64_t)x << 43 | (uint64_t)y << 49;
  uint32_t words[3] = {(uint32_t)low, (uint32_t)(low >> 32), 0};
  for (unsigned i = 0; i < 3; i++) libttsim_pci_mem_wr_bytes(BAR0 + 0x1fc00000 + 4 * i, &words[i], 4);
  return BAR0 + (address & 0x1fffff);
}

static uint32_t read_word(unsigned x, unsigned y, uint64_t address) {
  uint32_t value = 0;
  libttsim_pci_mem_rd_bytes(window(x, y, address), &value, 4);
  return value;
}

static void write_word(unsigned x, unsigned y, uint64_t address, uint32_t value) {
  libttsim_pci_mem_wr_bytes(window(x, y, address), &value, 4);
}

static void calls_before_init_are_harmless(void **state) {
  (void)state;
  uint32_t value = 5;
  libttsim_pci_mem_wr_bytes(BAR0, &value, 4);
  libttsim_pci_mem_rd_bytes(BAR0, &value, 4);
  assert_int_equal(value, 0xffffffffu);
  libttsim_tile_rd_bytes(1, 2, 0, &value, 4);
  assert_int_equal(value, 0xffffffffu);
  libttsim_clock(100);
  libttsim_exit();
  assert_int_equal(libttsim_pci_config_rd32(0, 0), 0xffffffffu);
}

/* The first calls of newer drivers: an image without callbacks, a scan of 32 devices, and exit. */
static void enumeration(void **state) {
  (void)state;
  setenv("TESSERA_LOG", "quiet", 1);
  for (unsigned round = 0; round < 2; round++) {
    libttsim_set_pci_dma_mem_callbacks(NULL, NULL);
    libttsim_init();
    assert_int_equal(libttsim_pci_config_rd32(0, 0), 0xb1401e52u);
    for (uint32_t device = 1; device < 32; device++) assert_int_equal(libttsim_pci_config_rd32(device << 3, 0), 0xffffffffu);
    libttsim_exit();
  }
}

static void a_bad_setting_leaves_no_device(void **state) {
  (void)state;
  static const char *const settings[][3] = {{"TESSERA_TIMING", "sometimes", "cycle"},
                                            {"TESSERA_REPORT", "/nowhere/at/all", ""},
                                            {"TESSERA_REPORT", "/dev/null", ""},
                                            {"TESSERA_PRODUCT", "P100", ""},
                                            {"TESSERA_TRACE_TILES", "99,99", ""},
                                            {"TESSERA_TRACE_TILES", "1,2 3,4 1,2", ""},
                                            {"TESSERA_GDB_TILES", "0,0", ""},
                                            {"TESSERA_GDB", "99999999", ""},
                                            {"TESSERA_GDB", "unix:/nonexistent/x", ""},
                                            {"TESSERA_GDB", "unix:", ""},
                                            {"TESSERA_GDB", "stdio", ""}};
  for (unsigned i = 0; i < sizeof settings / sizeof *settings; i++) {
    setenv(settings[i][0], settings[i][1], 1);
    libttsim_init();
    assert_null(devices);
    assert_null(debug);
    assert_int_equal(libttsim_pci_config_rd32(0, 0), 0xffffffffu);
    setenv(settings[i][0], settings[i][2], 1);
    libttsim_exit();
  }
}

static void bad_tiles_for_gdb_leave_no_device(void **state) {
  (void)state;
  char place[64];
  snprintf(place, sizeof place, "unix:/tmp/tessera-gdb-%ld", (long)getpid());
  setenv("TESSERA_GDB", place, 1);
  setenv("TESSERA_GDB_TILES", "zz", 1);
  libttsim_init();
  assert_null(devices);
  assert_int_equal(libttsim_pci_config_rd32(0, 0), 0xffffffffu);
  setenv("TESSERA_GDB_TILES", "1,2", 1);
  libttsim_init();
  assert_int_equal(libttsim_pci_config_rd32(0, 0), 0xb1401e52u);
  libttsim_exit();
  unsetenv("TESSERA_GDB");
  unsetenv("TESSERA_GDB_TILES");
  assert_int_equal(access(place + 5, F_OK), -1);
}

static void memory_of_tiles(void **state) {
  (void)state;
  static uint8_t sent[20000], back[20000];
  for (unsigned i = 0; i < sizeof sent; i++) sent[i] = (uint8_t)(i * 7 + i / 256);
  static const unsigned places[][2] = {{1, 2}, {16, 11}, {17, 14}, {18, 23}, {20, 25}};
  for (unsigned i = 0; i < 5; i++) {
    unsigned x = places[i][0], y = places[i][1];
    libttsim_pci_mem_wr_bytes(window(x, y, 0x10002), sent, sizeof sent);
    libttsim_pci_mem_rd_bytes(window(x, y, 0x10002), back, sizeof back);
    assert_memory_equal(sent, back, sizeof sent);
  }
  write_word(17, 12, 0x100000, 0x1234567);
  assert_int_equal(read_word(17, 13, 0x100000), 0x1234567); /* three ports, one memory */
  assert_int_equal(read_word(17, 14, 0x100000), 0x1234567);
  assert_int_equal(read_word(17, 15, 0x100000), 0);
}

/* The reads of a driver before it accepts the chip. */
static void discovery(void **state) {
  (void)state;
  uint32_t value = 0;
  libttsim_pci_mem_rd_bytes(BAR0 + 0x1fd04044, &value, 4);
  assert_int_equal(value, 0x10611002u);
  libttsim_pci_mem_rd_bytes(BAR0 + 0x1fd04100, &value, 4);
  assert_true(value & 0x4000);
  assert_int_equal(read_word(8, 0, 0x80030408) & 7, 5);
  uint32_t queue = read_word(8, 0, 0x8003042c), table = read_word(8, 0, 0x80030434), values = read_word(8, 0, 0x80030430);
  assert_int_not_equal(queue, 0);
  uint32_t count = read_word(8, 0, table + 4), board = 0;
  assert_in_range(count, 14, 100);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t entry = read_word(8, 0, table + 8 + 4 * i);
    if ((entry & 0xffff) == 1) board = read_word(8, 0, values + 4 * (entry >> 16));
  }
  assert_int_not_equal(board, 0);
  for (unsigned i = 0; i < 12; i++) assert_int_not_equal(read_word(20 + i, 25, 0x7cc04), 0); /* port status */
}

static unsigned off_lines;
static void count_off(void *who, const char *text) {
  (void)who;
  off_lines += strstr(text, "which TESSERA_PRODUCT has fused off") != NULL;
}

/* p100: columns 15 and 16, one DRAM controller and all Ethernet tiles are fused off. Their memory and cores do not answer, their NIUs do,
 * and one line says it. */
static void a_fused_off_tile_does_not_answer(void **state) {
  (void)state;
  static const uint8_t off[][2] = {{15, 2}, {16, 11}, {20, 25}, {18, 21}};
  libttsim_exit();
  setenv("TESSERA_PRODUCT", "p100", 1);
  setenv("TESSERA_LOG", "error", 1);
  libttsim_init();
  host_devices_first(devices)->host.say = count_off;
  off_lines = 0;
  uint32_t boot = 0, scratch = 0x1234;
  libttsim_pci_mem_rd_bytes(BAR0 + 0x1ff30408, &boot,
                            sizeof boot); /* SCRATCH_RAM[2]: this product's PCIe tile has the ARC's registers */
  assert_int_equal(boot, 5);
  libttsim_pci_mem_wr_bytes(BAR0 + 0x1ff30060, &scratch, sizeof scratch);
  assert_int_equal(read_word(8, 0, 0x80030060), 0x1234);
  libttsim_pci_mem_rd_bytes(BAR0 + 0x1ff00000, &boot, sizeof boot); /* no register that is modelled */
  assert_int_equal(boot, 0xffffffffu);
  assert_int_equal(read_word(14, 11, 0x1000), 0);
  assert_int_equal(read_word(18, 18, 0x1000), 0);
  assert_int_equal(off_lines, 0);
  for (unsigned i = 0; i < 4; i++) {
    unsigned x = off[i][0], y = off[i][1];
    write_word(x, y, 0x1000, 7);
    assert_int_equal(read_word(x, y, 0x1000), 0xffffffffu);
    write_word(x, y, 0xffb121b0, 0x47000);
    assert_int_equal(read_word(x, y, 0xffb20148) & 0xfff, x | y << 6); /* NOC_ID_LOGICAL */
  }
  for (unsigned i = 0; i < 100; i++) libttsim_clock(1);
  assert_int_equal(off_lines, 1);
  assert_false(host_devices_first(devices)->host.time->frozen);
  unsetenv("TESSERA_PRODUCT");
}

/* BRISC runs the code that the host writes to address 0, which counts a word to 1000. The host polls. */
static void a_core_runs(void **state) {
  (void)state;
  static const uint32_t code[] = {
      0x00010537, /* lui  a0, 0x10         */
      0x3e800593, /* li   a1, 1000         */
      0x00000613, /* li   a2, 0            */
      0x00160613, /* addi a2, a2, 1        */
      0xfeb61ee3, /* bne  a2, a1, -4       */
      0x00c52023, /* sw   a2, 0(a0)        */
      0x0000006f, /* j    .                */
  };
  libttsim_pci_mem_wr_bytes(window(3, 4, 0), code, sizeof code);
  write_word(3, 4, 0xffb121b0, 0x47000);
  unsigned polls = 0;
  while (read_word(3, 4, 0x10000) != 1000 && polls++ < 1000) libttsim_clock(1);
  assert_in_range(polls, 1, 20); /* a clock call runs on while the host polls */
  assert_int_equal(read_word(3, 4, 0xffb121b0), 0x47000);
  write_word(3, 4, 0xffb121b0, 0x47800);
}

/* The host sets up a request initiator of a tile: 64 bytes of L1 go to host memory, through the iATU. */
/* Accesses of tt-exalens to the debug interface, with no clock call between them. */
static void debug_write(unsigned dr, uint32_t value) {
  write_word(1, 2, 0xFFB12084, value);
  write_word(1, 2, 0xFFB12080, 0x80010000u + dr);
  write_word(1, 2, 0xFFB12080, 0);
}

static uint32_t debug_read(unsigned dr) {
  write_word(1, 2, 0xFFB12080, 0x80000000u + dr);
  write_word(1, 2, 0xFFB12080, 0);
  return read_word(1, 2, 0xFFB1208C);
}

static void a_debugger_does_not_wait_for_the_core(void **state) {
  (void)state;
  static const uint32_t code[] = {0x00010537, 0x00000593, 0x00158593, 0x00b52023, 0xff9ff06f}; /* counts in L1 at 0x10000 */
  for (unsigned i = 0; i < 5; i++) write_word(1, 2, 4 * i, code[i]);
  write_word(1, 2, 0xFFB121B0, 0x47000);
  for (unsigned i = 0; i < 8; i++) {
    libttsim_clock(100 + i);
    debug_write(1, 0x80000001u);
    assert_int_equal(debug_read(0), 1); /* paused */
    uint32_t count = read_word(1, 2, 0x10000);
    assert_in_range(count, 1, 1000000);
    debug_write(3, 0x77 + i);
    debug_write(2, 0x20000);
    debug_write(1, 0x80000040u); /* memory write */
    assert_int_equal(read_word(1, 2, 0x20000), 0x77 + i);
    debug_write(2, 0x10000);
    debug_write(1, 0x80000020u); /* memory read */
    assert_int_equal(debug_read(4), count);
    debug_write(2, 0x90000000u);
    debug_write(1, 0x80000020u); /* nothing there: refused, and the chip runs on */
    assert_int_equal(debug_read(4), 0xffffffffu);
    debug_write(1, 0x80000004u);
    assert_int_equal(debug_read(0), 0);
  }
  assert_false(host_devices_first(devices)->host.time->frozen);
}

static void a_tile_writes_host_memory(void **state) {
  (void)state;
  uint8_t sent[64];
  static const uint32_t region[] = {0, 0, 0, 0, 0x3fffffff, 0x1000, 0, 0};
  for (uint32_t i = 0; i < 7; i++) libttsim_pci_mem_wr_bytes(0x120001000ull + 4 * i, &region[i], 4);
  libttsim_pci_mem_wr_bytes(0x120001004ull, &(uint32_t){0x80000000u}, 4);
  for (unsigned i = 0; i < 64; i++) sent[i] = (uint8_t)(i + 1);
  libttsim_pci_mem_wr_bytes(window(1, 2, 0x2000), sent, sizeof sent);
  static const uint32_t words[] = {0x2000, 0, 1 | 2 << 6, 0x200, 0x10000000u, 19 | 24 << 6, 0, 0x2092, 64};
  for (uint32_t i = 0; i < 9; i++) write_word(1, 2, 0xffb20000u + 4 * i, words[i]);
  write_word(1, 2, 0xffb20040, 1);
  for (unsigned i = 0; i < 100 && !host_writes; i++) libttsim_clock(1);
  assert_memory_equal(&host_bytes[0x1200], sent, 64);
  for (unsigned i = 0; i < 1000; i++) libttsim_clock(1);
  assert_int_equal(read_word(1, 2, 0xffb20204), 1); /* the acknowledgement has arrived */
}

/* 64 bytes go to an address that no tile has. */
static void send_nowhere(void) {
  static const uint32_t words[] = {0x2000, 0, 1 | 2 << 6, 0x00f00000, 0, 2 | 2 << 6, 0, 0x2092, 64};
  for (uint32_t i = 0; i < 9; i++) write_word(1, 2, 0xffb20000u + 4 * i, words[i]);
  write_word(1, 2, 0xffb20040, 1);
  for (unsigned i = 0; i < 1000 && !host_devices_first(devices)->host.time->frozen; i++) libttsim_clock(1);
}

static void expect_report(const char *directory, const char *name, const char *first, const char *second) {
  char path[128], text[8192] = "";
  snprintf(path, sizeof path, "%s/%s", directory, name);
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  assert_true(fread(text, 1, sizeof text - 1, file) > 0);
  fclose(file);
  if (!strstr(text, first) || !strstr(text, second)) fail_msg("%s has no %s, %s:\n%s", name, first, second, text);
}

static void remove_report(const char *directory, const char *name) {
  char path[128];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  assert_int_equal(remove(path), 0);
}

/* The chip stops, the host reads all ones, and the report is there at once. Devices that are opened later leave it there. */
static void an_error_freezes_and_is_reported(void **state) {
  (void)state;
  char directory[] = "/tmp/tessera-abi-XXXXXX";
  assert_non_null(mkdtemp(directory));
  libttsim_exit();
  setenv("TESSERA_REPORT", directory, 1);
  libttsim_init();
  send_nowhere();
  assert_int_equal(read_word(1, 2, 0x2000), 0xffffffffu);
  assert_int_equal(libttsim_pci_config_rd32(0, 0), 0xb1401e52u);
  expect_report(directory, "report.txt", "Tessera report (error)", "error at tile (2,2)");
  expect_report(directory, "report.txt", "0xf00000", "");
  libttsim_exit();
  expect_report(directory, "report.txt", "Tessera report (exit)", "error at tile (2,2)");
  for (unsigned i = 0; i < 3; i++) { /* without an error, with one, and without */
    libttsim_init();
    if (i == 1) send_nowhere();
    libttsim_exit();
  }
  unsetenv("TESSERA_REPORT");
  expect_report(directory, "report.txt", "0xf00000", "error at tile (2,2)");
  expect_report(directory, "report-2.txt", "0xf00000", "error at tile (2,2)");
  expect_report(directory, "report-3.txt", "Tessera report (exit), cycle 0", "");
  static const char *const names[] = {"report.txt",    "report.html",  "report-2.txt",
                                      "report-2.html", "report-3.txt", "report-3.html"};
  for (unsigned i = 0; i < 6; i++) remove_report(directory, names[i]);
  assert_int_equal(rmdir(directory), 0);
}

/* A core reads from a place with only a router: the report names the core and its tile. */
static void the_sender_of_a_rejected_request_is_reported(void **state) {
  (void)state;
  char directory[] = "/tmp/tessera-abi-XXXXXX", path[64], text[8192] = "";
  static const uint32_t code[] = {
      0xffb20537, /* lui a0, 0xffb20  */
      0x00100593, /* li  a1, 1        */
      0x04b52023, /* sw  a1, 0x40(a0) */
      0x0000006f, /* j   .            */
  };
  static const uint32_t words[] = {0x1000, 0, 8 | 14 << 6, 0x2000, 0, 3 | 4 << 6, 0, 0x2090, 64};
  assert_non_null(mkdtemp(directory));
  libttsim_exit();
  setenv("TESSERA_REPORT", directory, 1);
  libttsim_init();
  libttsim_pci_mem_wr_bytes(window(3, 4, 0), code, sizeof code);
  for (uint32_t i = 0; i < 9; i++) write_word(3, 4, 0xffb20000u + 4 * i, words[i]);
  write_word(3, 4, 0xffb121b0, 0x47000);
  for (unsigned i = 0; i < 1000 && !host_devices_first(devices)->host.time->frozen; i++) libttsim_clock(1);
  snprintf(path, sizeof path, "%s/report.txt", directory);
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  assert_true(fread(text, 1, sizeof text - 1, file) > 0);
  fclose(file);
  assert_non_null(strstr(text, "error at tile (8,11)")); /* the place has a name; the request had other coordinates */
  assert_non_null(strstr(text, "by BRISC at 0x00000008 of tile (3,4), to (8,14)\n"));
  libttsim_exit();
  unsetenv("TESSERA_REPORT");
  remove(path);
  snprintf(path, sizeof path, "%s/report.html", directory);
  assert_int_equal(remove(path), 0);
  assert_int_equal(rmdir(directory), 0);
}

/* A DRAM tile is named by the coordinates that programs use, and by its place. */
static void an_error_names_the_place_too(void **state) {
  (void)state;
  char text[4096] = "";
  static const uint32_t words[] = {0xfffffff0, 1, 17 | 12 << 6, 0x2000, 0, 3 | 4 << 6, 0, 0x2090, 64};
  for (uint32_t i = 0; i < 9; i++) write_word(3, 4, 0xffb20000u + 4 * i, words[i]);
  write_word(3, 4, 0xffb20040, 1);
  for (unsigned i = 0; i < 1000 && !host_devices_first(devices)->host.time->frozen; i++) libttsim_clock(1);
  assert_true(host_devices_first(devices)->host.time->frozen);
  host_report_error(host_devices_first(devices)->chip, &host_devices_first(devices)->kernels, text, sizeof text);
  assert_non_null(strstr(text, "error at tile (17,12), NoC 0 (0,0), cycle "));
}

/* The core whose instruction stopped the chip is not listed as running. */
static void a_core_that_faults_is_reported_so(void **state) {
  (void)state;
  char directory[] = "/tmp/tessera-abi-XXXXXX";
  assert_non_null(mkdtemp(directory));
  libttsim_exit();
  setenv("TESSERA_REPORT", directory, 1);
  libttsim_init();
  unsetenv("TESSERA_REPORT");
  write_word(1, 2, 0, 0x0000006f); /* BRISC loops */
  write_word(1, 2, 0x12000, 0xffffffffu);
  write_word(1, 2, 0xffb121b0, 0x47800 & ~(1u << 11 | 1u << 18));
  for (unsigned i = 0; i < 1000 && !host_devices_first(devices)->host.time->frozen; i++) libttsim_clock(1);
  expect_report(directory, "report.txt", "illegal instruction 0xffffffff", "NCRISC at 0x00012000: faulted\n");
  libttsim_exit();
  remove_report(directory, "report.txt");
  remove_report(directory, "report.html");
  assert_int_equal(rmdir(directory), 0);
}

/* A report on demand while a core waits forever. */
static void a_signal_asks_for_a_report(void **state) {
  (void)state;
  /* lui a0, 0x10; fence; lw a1, 0(a0); beqz a1, -8 */
  static const uint32_t code[] = {0x00010537, 0x0ff0000f, 0x00052583, 0xfe058ce3};
  char directory[] = "/tmp/tessera-abi-XXXXXX", path[64], text[8192] = "";
  assert_non_null(mkdtemp(directory));
  libttsim_exit();
  setenv("TESSERA_REPORT", directory, 1);
  libttsim_init();
  write_word(1, 2, 0, 0); /* these two tiles do nothing */
  write_word(2, 2, 0, 0);
  libttsim_pci_mem_wr_bytes(window(3, 4, 0), code, sizeof code);
  write_word(3, 4, 0xffb121b0, 0x47000);
  for (unsigned i = 0; i < 5; i++) libttsim_clock(1);
  raise(SIGUSR1);
  libttsim_clock(1);
  snprintf(path, sizeof path, "%s/report.txt", directory);
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  assert_true(fread(text, 1, sizeof text - 1, file) > 0);
  fclose(file);
  assert_non_null(strstr(text, "Tessera report (signal)"));
  const char *waiting = strstr(text, "tiles (3,4): 1 with"), *others = strstr(text, "tiles (1,2) (2,2): 2 with");
  assert_true(waiting && others && waiting < others); /* the smallest group first */
  assert_non_null(strstr(text, "BRISC at 0x0000000"));
  const char *hang = strstr(text, "hang after "), *cause = strstr(text, "BRISC of Tensix (3,4)");
  assert_true(hang && cause && hang < cause && cause < waiting); /* the cause comes before the tiles */
  assert_non_null(strstr(cause, "has been waiting for the word at 0x00010000 (now 0x0) to become other than 0x0"));
  write_word(3, 4, 0xffb121b0, 0x47800); /* the host gives up: the state is kept */
  libttsim_clock(1);
  libttsim_exit();
  memset(text, 0, sizeof text);
  assert_non_null(file = fopen(path, "r"));
  assert_true(fread(text, 1, sizeof text - 1, file) > 0);
  fclose(file);
  assert_non_null(strstr(text, "Tessera report (reset)"));
  assert_non_null(strstr(text, "BRISC at 0x0000000"));
  unsetenv("TESSERA_REPORT");
  remove(path);
  snprintf(path, sizeof path, "%s/report.html", directory);
  assert_int_equal(remove(path), 0);
  assert_int_equal(rmdir(directory), 0);
}

/* Does the chip rest again after an access of the host? */
static bool rests_again(void) {
  write_word(3, 4, 0x11000, 1);
  for (unsigned i = 0; i < 200 && !host_devices_first(devices)->host.time->idle; i++) libttsim_clock(100);
  return host_devices_first(devices)->host.time->idle;
}

/* A core that polls in a loop of several loads lets its tile rest, and a report must not end that for good: the cycles that the host waits
 * would then all be executed. */
static void a_report_has_no_lasting_effect(void **state) {
  (void)state;
  /* lui a0, 0x10; fence; lw a1, 0(a0); lw a2, 64(a0); and a3, a1, a2; beqz a3, -16 */
  static const uint32_t code[] = {0x00010537, 0x0ff0000f, 0x00052583, 0x04052603, 0x00c5f6b3, 0xfe0688e3};
  char directory[] = "/tmp/tessera-abi-XXXXXX";
  assert_non_null(mkdtemp(directory));
  libttsim_exit();
  setenv("TESSERA_REPORT", directory, 1);
  libttsim_init();
  unsetenv("TESSERA_REPORT");
  libttsim_pci_mem_wr_bytes(window(3, 4, 0), code, sizeof code);
  write_word(3, 4, 0x10040, 1);
  write_word(3, 4, 0xffb121b0, 0x47000);
  assert_true(rests_again());
  for (unsigned i = 0; i < 3; i++) {
    raise(SIGUSR1);
    libttsim_clock(1);
    expect_report(directory, "report.txt", "Tessera report (signal)", "BRISC at 0x0000");
    remove_report(directory, "report.txt");
    assert_true(rests_again());
  }
  libttsim_exit();
  remove_report(directory, "report.txt");
  remove_report(directory, "report.html");
  assert_int_equal(rmdir(directory), 0);
}

static unsigned failures;

static void fails_and_is_asked_again(void *listener, const char *line) {
  (void)listener;
  (void)line;
  failures++;
  raise(SIGUSR1);
}

/* A signal that arrives while its report is written asks for no second one. The listener gets a line for each of the two files, which cannot be written. */
static void signals_during_a_report_do_not_queue(void **state) {
  (void)state;
  char directory[] = "/tmp/tessera-abi-XXXXXX", paths[2][64];
  assert_non_null(mkdtemp(directory));
  libttsim_exit();
  setenv("TESSERA_REPORT", directory, 1);
  libttsim_init();
  for (unsigned i = 0; i < 2; i++) {
    snprintf(paths[i], sizeof paths[i], "%s/report.%s", directory, i ? "html" : "txt");
    assert_int_equal(mkdir(paths[i], 0777), 0);
  }
  host_devices_first(devices)->host.say = fails_and_is_asked_again;
  failures = 0;
  raise(SIGUSR1);
  for (unsigned i = 0; i < 3; i++) libttsim_clock(1);
  assert_int_equal(failures, 2);
  for (unsigned i = 0; i < 2; i++)
    assert_true(!rmdir(paths[i]) || errno == ENOENT); /* a failed report removes what it began */
  host_devices_first(devices)->options.report = NULL;
  unsetenv("TESSERA_REPORT");
  assert_int_equal(rmdir(directory), 0);
}

/* BRISC of (3,4) sends a request whose range goes beyond the end of L1: a read's answer in its own tile, a write in another. The
 * error states both ends and names the store that sent it. */
static void a_range_beyond_l1_names_its_request(void **state) {
  (void)state;
  static const uint32_t code[] = {0xffb20537, 0x00100593, 0x04b52023, 0x0000006f}; /* NOC_CMD_CTRL = 1; j . */
  static const uint32_t requests[2][9] = {{0x1000, 0, 1 | 2 << 6, 0x17ff00, 0, 3 | 4 << 6, 0, 0x2090, 0x800},
                                          {0x1000, 0, 3 | 4 << 6, 0x17ff00, 0, 1 | 2 << 6, 0, 0x2092, 0x800}};
  static const char *const by[] = {"  by BRISC at 0x00000008\n", "  by BRISC at 0x00000008 of tile (3,4)\n"};
  for (unsigned write = 0; write < 2; write++) {
    char text[8192];
    libttsim_exit();
    libttsim_init();
    libttsim_pci_mem_wr_bytes(window(3, 4, 0), code, sizeof code);
    for (unsigned i = 0; i < 9; i++) write_word(3, 4, 0xffb20000 + 4 * i, requests[write][i]);
    write_word(3, 4, 0xffb121b0, 0x47000);
    for (unsigned i = 0; i < 40 && !host_devices_first(devices)->host.time->frozen; i++) libttsim_clock(100);
    assert_true(host_devices_first(devices)->host.time->frozen);
    host_report_error(host_devices_first(devices)->chip, &host_devices_first(devices)->kernels, text, sizeof text);
    assert_non_null(strstr(text, write ? "error at tile (1,2): " : "error at tile (3,4): "));
    assert_non_null(strstr(text, "L1 ends at 0x180000, the access at 0x180700: not visible to the NoC"));
    assert_non_null(strstr(text, by[write]));
  }
}

/* --- random calls in random order --- */

static uint64_t seed;

static uint64_t next(void) { /* xorshift */
  seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
  return seed;
}

static uint64_t below(uint64_t bound) { return next() % bound; }

static uint64_t random_tile_address(void) {
  static const uint64_t bases[] = {0,          0x17ff00,   0xffb12000, 0xffb20000,         0xffb30000,
                                   0xffb40000, 0xffb14000, 0xffef0000, 0xffffffffff000000, 0x80030000};
  return bases[below(10)] + (below(2) ? below(0x400) & ~3ull : below(0x400));
}

static uint64_t random_address(void) {
  switch (below(6)) {
    case 0: return BAR0 + below(512u << 20);
    case 1: return 0x120000000ull + below(0x4000);
    case 2: return 0x800000000ull + below(32ull << 30);
    case 3: return next();
    default: return window((unsigned)below(34), (unsigned)below(32), random_tile_address());
  }
}

/* --- coordinates of no tile --- */

static char alias_lines[4][192];
static unsigned alias_count;
static void keep_line(void *who, const char *text) {
  (void)who;
  if (alias_count < 4) snprintf(alias_lines[alias_count], sizeof alias_lines[0], "%s", text);
  alias_count++;
}

/* x 30 is a column of Ethernet tiles, y 30 the row of the security tile: the pair is no tile's, and reaches one. */
static void coordinates_of_no_tile_are_told(void **state) {
  (void)state;
  host_devices_first(devices)->host.settings.lines_max = 20;
  host_devices_first(devices)->host.say = keep_line;
  alias_count = 0;
  uint32_t value = 0x11223344, back = 0;
  for (unsigned i = 0; i < 3; i++) libttsim_tile_wr_bytes(30, 30, 0x20000, &value, 4);
  libttsim_tile_rd_bytes(30, 30, 0x20000, &back, 4);
  assert_int_equal(back, value);
  assert_int_equal(alias_count, 1);
  unsigned x = 0, y = 0;
  const char *told =
      strstr(alias_lines[0], "writes to tile (30,30), which does not exist: the coordinates reach the tile at (");
  assert_non_null(told);
  assert_int_equal(sscanf(strstr(told, "at (") + 4, "%u,%u", &x, &y), 2);
  assert_int_equal(read_word(x, y, 0x20000), value);
  static const uint8_t named[][2] = {{1, 2}, {0, 0}, {16, 11}, {17, 12}, {18, 23}, {19, 24}, {20, 25}, {31, 25}, {8, 26}};
  for (unsigned i = 0; i < sizeof named / sizeof *named; i++)
    libttsim_tile_rd_bytes(named[i][0], named[i][1], 0xffb20044, &back, 4);
  for (unsigned i = 1; i < alias_count && i < 4; i++) assert_null(strstr(alias_lines[i], "which does not exist"));
}

static void send(uint32_t place, uint32_t ctrl) {
  const uint32_t words[] = {0x2000, 0, 1 | 2 << 6, 0x30000, 0, place, 0, ctrl, 64};
  for (uint32_t i = 0; i < 9; i++) write_word(1, 2, 0xffb20000u + 4 * i, words[i]);
  write_word(1, 2, 0xffb20040, 1);
  for (unsigned i = 0; i < 1000; i++) libttsim_clock(1);
}

static void send_to(uint32_t place) { send(place, 0x2092); }

static void a_request_on_a_channel_of_another_class_is_a_finding(void **state) {
  (void)state;
  const uint32_t broadcast = 1u << 5, one = 2 | 2 << 6, rectangle = one | one << 12;
  const struct tx_tile *t =
      chip_tensix(host_devices_first(devices)->chip, chip_tile_of(chip_grid(host_devices_first(devices)->chip), 0, 1, 2));
  for (uint32_t vc = 0; vc < 8; vc++) {
    uint64_t before = t->diag.counts[TX_DIAG_NOC_CHANNEL];
    send(one, 0x92 | vc << 13);
    assert_int_equal(t->diag.counts[TX_DIAG_NOC_CHANNEL] - before, vc > 3);
    before = t->diag.counts[TX_DIAG_NOC_CHANNEL];
    send(rectangle, 0x92 | broadcast | vc << 13);
    assert_int_equal(t->diag.counts[TX_DIAG_NOC_CHANNEL] - before, vc < 4 || vc > 5);
    before = t->diag.counts[TX_DIAG_NOC_CHANNEL];
    send(one, 0x12 | vc << 13); /* not static: the NIU chooses */
    assert_int_equal(t->diag.counts[TX_DIAG_NOC_CHANNEL] - before, 0);
  }
  assert_non_null(strstr(t->diag.findings[0].why, "virtual channel 0 for a broadcast: those are 4 and 5"));
}

static void a_request_to_no_tile_is_a_finding(void **state) {
  (void)state;
  const struct tx_tile *t =
      chip_tensix(host_devices_first(devices)->chip, chip_tile_of(chip_grid(host_devices_first(devices)->chip), 0, 1, 2));
  send_to(2 | 2 << 6);
  assert_int_equal(t->diag.counts[TX_DIAG_NOC_ALIAS], 0);
  send_to(30 | 30 << 6);
  assert_int_equal(t->diag.counts[TX_DIAG_NOC_ALIAS], 1);
  assert_non_null(strstr(t->diag.findings[0].why, "(30,30) on NoC 0 reach the tile at ("));
  assert_false(host_devices_first(devices)->host.time->frozen);
  write_word(1, 2, 0xffb20100u + 4 * 6, read_word(1, 2, 0xffb20100u + 4 * 6) ^ 1u << 10); /* the X table */
  send_to(30 | 30 << 6);                                                                  /* by the program's own tables */
  assert_int_equal(t->diag.counts[TX_DIAG_NOC_ALIAS], 1);
}

/* --- several threads --- */

#define CALLERS 4u

static volatile int callers_end; /* only a hint: the threads' own counts end them as well */

/* Every answer must be the word that all threads write, or all ones when there is no device at that moment, or 0 of a new one. */
static void *call(void *wrong) {
  for (unsigned i = 0; i < 20000 && !__atomic_load_n(&callers_end, __ATOMIC_RELAXED); i++) {
    uint32_t value = 0x12345678, vendor = libttsim_pci_config_rd32(0, 0);
    libttsim_tile_wr_bytes(1, 2, 0x20000, &value, 4);
    libttsim_clock(1);
    libttsim_tile_rd_bytes(1, 2, 0x20000, &value, 4);
    if (value != 0x12345678 && value != 0 && value != 0xffffffffu) ++*(unsigned *)wrong;
    if (vendor != 0xb1401e52u && vendor != 0xffffffffu) ++*(unsigned *)wrong;
  }
  return NULL;
}

static void *reopen(void *count) {
  for (unsigned i = 0; i < *(unsigned *)count; i++) {
    libttsim_exit();
    libttsim_init();
  }
  return NULL;
}

static void calls_may_overlap_init_and_exit(void **state) {
  pthread_t caller[CALLERS], opener[2];
  unsigned wrong[CALLERS] = {0}, count = (unsigned)test_scaled(20);
  (void)state;
  __atomic_store_n(&callers_end, 0, __ATOMIC_RELAXED);
  for (unsigned i = 0; i < CALLERS; i++) assert_int_equal(pthread_create(&caller[i], NULL, call, &wrong[i]), 0);
  for (unsigned i = 0; i < 2; i++) assert_int_equal(pthread_create(&opener[i], NULL, reopen, &count), 0);
  for (unsigned i = 0; i < 2; i++) pthread_join(opener[i], NULL);
  __atomic_store_n(&callers_end, 1, __ATOMIC_RELAXED);
  for (unsigned i = 0; i < CALLERS; i++) {
    pthread_join(caller[i], NULL);
    assert_int_equal(wrong[i], 0);
  }
  libttsim_exit();
  assert_int_equal(libttsim_pci_config_rd32(0, 0), 0xffffffffu);
}

/* A callback of the host that calls the library: reads are answered; the device cannot be closed under the call. */
static unsigned nested_calls;
static void dma_write_that_calls(uint64_t address, const void *bytes, uint32_t size) {
  dma_write(address, bytes, size);
  assert_int_equal(libttsim_pci_config_rd32(0, 0), 0xb1401e52u);
  libttsim_exit();
  assert_non_null(devices);
  nested_calls++;
}

static void a_callback_may_call(void **state) {
  nested_calls = 0;
  libttsim_set_pci_dma_mem_callbacks(dma_read, dma_write_that_calls);
  a_tile_writes_host_memory(state);
  assert_true(nested_calls > 0);
}

static void random_calls(void **state) {
  (void)state;
  static uint8_t bytes[4096];
  seed = 0xabcdef;
  for (uint64_t i = 0, count = test_scaled(20000); i < count; i++) {
    uint32_t size = below(4) ? 4 : (uint32_t)below(below(8) ? 64 : sizeof bytes);
    switch (below(8)) {
      case 0: libttsim_clock((uint32_t)below(16)); break;
      case 1: libttsim_pci_config_wr32((uint32_t)below(3) << 3, (uint32_t)below(0x10), (uint32_t)next()); break;
      case 2: libttsim_tile_rd_bytes((uint32_t)below(40), (uint32_t)below(40), random_tile_address(), bytes, size); break;
      case 3:
      case 4:
        for (unsigned k = 0; k < 8; k++) bytes[k] = (uint8_t)next();
        libttsim_pci_mem_wr_bytes(random_address(), bytes, size);
        break;
      default: libttsim_pci_mem_rd_bytes(random_address(), bytes, size); break;
    }
    if (!host_devices_first(devices)->host.time->frozen) continue;
    libttsim_exit(); /* a fault is legal; go on with a new chip */
    libttsim_init();
  }
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, start, stop)
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(calls_before_init_are_harmless),
      cmocka_unit_test(enumeration),
      cmocka_unit_test(a_bad_setting_leaves_no_device),
      cmocka_unit_test(bad_tiles_for_gdb_leave_no_device),
      TEST(memory_of_tiles),
      TEST(discovery),
      TEST(a_fused_off_tile_does_not_answer),
      TEST(a_core_runs),
      TEST(a_debugger_does_not_wait_for_the_core),
      TEST(a_tile_writes_host_memory),
      TEST(an_error_freezes_and_is_reported),
      TEST(the_sender_of_a_rejected_request_is_reported),
      TEST(an_error_names_the_place_too),
      TEST(a_core_that_faults_is_reported_so),
      TEST(a_signal_asks_for_a_report),
      TEST(a_report_has_no_lasting_effect),
      TEST(signals_during_a_report_do_not_queue),
      TEST(a_range_beyond_l1_names_its_request),
      TEST(coordinates_of_no_tile_are_told),
      TEST(a_request_on_a_channel_of_another_class_is_a_finding),
      TEST(a_request_to_no_tile_is_a_finding),
      TEST(calls_may_overlap_init_and_exit),
      TEST(a_callback_may_call),
      TEST(random_calls),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
