/* Checkers, traces and the HTML report of libttsim.so, by the calls that a driver makes. The library's source is part of this program. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "../src/host/abi/debug.c"
#include "../src/host/abi/ttsim.c"
#include "elf_builder.h"

#define SOFT_RESET_0 0xffb121b0u
#define BRISC_AND_TRISC0 0x46000u /* NCRISC, TRISC1 and TRISC2 stay held in reset */
#define ALL_HELD 0x47800u

static char directory[32];

static void begin(const char *variable, const char *value) {
  snprintf(directory, sizeof directory, "/tmp/tessera-watch-XXXXXX");
  assert_non_null(mkdtemp(directory));
  setenv("TESSERA_LOG", "quiet", 1);
  setenv("TESSERA_THREADS", "1", 1);
  setenv("TESSERA_REPORT", directory, 1);
  setenv("TESSERA_TRACE_TILES", "3,4", 1);
  if (variable) setenv(variable, value ? value : directory, 1);
  libttsim_init();
}

static void end(const char *variable) {
  libttsim_exit();
  if (variable) unsetenv(variable);
  unsetenv("TESSERA_REPORT");
}

/* The content of a file of the directory, which is then removed. */
static const char *content(const char *name) {
  static char text[1u << 18];
  char path[64];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  size_t length = fread(text, 1, sizeof text - 1, file);
  text[length] = '\0';
  fclose(file);
  assert_int_equal(remove(path), 0);
  return text;
}

static void write_word(uint32_t address, uint32_t value) { libttsim_tile_wr_bytes(3, 4, address, &value, sizeof value); }

static uint32_t read_word(uint32_t address) {
  uint32_t value = 0;
  libttsim_tile_rd_bytes(3, 4, address, &value, sizeof value);
  return value;
}

/* BRISC (at 0) and TRISC0 (at 0x6000) write the word at 0x20000, and nothing orders the two writes. */
static void run_race(void) {
  static const uint32_t code[] = {0x00020537, 0x00100593, 0x00b52023,
                                  0x0000006f}; /* lui a0, 0x20; li a1, 1; sw a1, 0(a0); j . */
  libttsim_tile_wr_bytes(3, 4, 0, code, sizeof code);
  libttsim_tile_wr_bytes(3, 4, 0x6000, code, sizeof code);
  write_word(SOFT_RESET_0, BRISC_AND_TRISC0);
  for (unsigned i = 0; i < 400 && !host_devices_first(devices)->host.time->frozen; i++) libttsim_clock(1);
  assert_int_equal(read_word(0x20000), 1);
}

static void a_checker_finds_a_race(void **state) {
  (void)state;
  begin("TESSERA_CHECK", "c");
  run_race();
  end("TESSERA_CHECK");
  const char *text = content("report.txt");
  assert_non_null(strstr(text, "L1_UNORDERED"));
  assert_non_null(strstr(text, "0x20000"));
  assert_non_null(strstr(text, "error at tile (3,4)"));
  assert_non_null(strstr(text, "tessera explain L1_UNORDERED (docs/reference/diagnostics.md#l1_unordered)"));
  assert_non_null(strstr(content("report.html"), "docs/reference/diagnostics.md#l1_unordered"));
  assert_int_equal(rmdir(directory), 0);
}

/* The race's code as an executable whose source is in a directory. */
static void write_race(const char *core, const char *source) {
  uint32_t text[16] = {0x00020537, 0x00100593, 0x00b52023, 0x0000006f};
  struct built b;
  char path[96];
  for (uint32_t i = 4; i < 16; i++) text[i] = 0x00000013u | i << 20;
  build_elf(&b, &(struct built_options){.base = 0x5000, .text = text, .words = 16, .dwarf = 4, .directory = source});
  snprintf(path, sizeof path, "%s/%s", directory, core);
  assert_int_equal(mkdir(path, 0777), 0);
  snprintf(path, sizeof path, "%s/%s/%s.elf", directory, core, core);
  FILE *out = fopen(path, "wb");
  assert_non_null(out);
  assert_int_equal(fwrite(b.bytes, 1, b.size, out), b.size);
  assert_int_equal(fclose(out), 0);
  libttsim_tile_wr_bytes(3, 4, core[0] == 'b' ? 0 : 0x6000, text, sizeof text);
}

static const char *race_between(const char *brisc, const char *trisc) {
  char command[64];
  begin("TESSERA_CHECK", "c");
  snprintf(host_devices_first(devices)->kernels.directory, sizeof host_devices_first(devices)->kernels.directory, "%s",
           directory);
  write_race("brisc", brisc);
  write_race("trisc0", trisc);
  write_word(SOFT_RESET_0, BRISC_AND_TRISC0);
  for (unsigned i = 0; i < 400; i++) libttsim_clock(1);
  end("TESSERA_CHECK");
  const char *text = content("report.txt");
  snprintf(command, sizeof command, "rm -r %s", directory);
  assert_int_equal(system(command), 0);
  return text;
}

/* A race between lines of the vendor's firmware is one line at the end; one with a line of the user's is a finding as any. */
static void the_vendors_own_races_are_told_apart(void **state) {
  (void)state;
  const char *text = race_between("/x/tt_metal/hw/firmware", "/x/tt_metal/impl/dispatch");
  assert_null(strstr(text, "error at tile"));
  assert_non_null(strstr(text, "1 finding L1_UNORDERED between lines of the vendor's own firmware and dispatcher"));
  assert_non_null(strstr(text, "kernel.c:12 against "));
  text = race_between("/x/tt_metal/hw/firmware", "/home/user");
  assert_non_null(strstr(text, "error at tile (3,4)"));
  assert_null(strstr(text, "own firmware and dispatcher"));
}

/* The next program overwrites the code of a finding: the report still needs it, to find the kernel's file. */
static void the_code_of_a_finding_is_kept(void **state) {
  (void)state;
  begin("TESSERA_CHECK", "c");
  run_race();
  unsigned tile = chip_tile_of(chip_grid(host_devices_first(devices)->chip), 0, 3, 4);
  const struct tx_tile *t = chip_tensix(host_devices_first(devices)->chip, tile);
  assert_true(t->diag.finding_count > 0);
  uint32_t pc = t->diag.findings[0].pc, there = read_word(pc), kept;
  write_word(pc, 0x13);
  assert_int_equal(read_word(pc), 0x13);
  memcpy(&kept, host_findings_l1(&host_devices_first(devices)->findings, t, tile, 0, 0) + pc, sizeof kept);
  assert_int_equal(kept, there);
  end("TESSERA_CHECK");
  content("report.txt");
  content("report.html");
  assert_int_equal(rmdir(directory), 0);
}

/* BRISC polls a byte, empties its cache with a fence between two loads, as tt-metal's firmware does, and then reads what TRISC0 wrote
 * before it set the byte: the poll orders the two. `rounds`: starts, and before each the host resets the byte. */
static const uint32_t fenced[] = {
    0x00020537, /* lui   a0, 0x20   */
    0x0ff0000f, /* fence            */
    0x00054583, /* lbu   a1, 0(a0)  */
    0xfe058ce3, /* beqz  a1, -8     */
    0x01052603, /* lw    a2, 16(a0) */
    0x02c52023, /* sw    a2, 32(a0) */
    0x0000006f, /* j     .          */
};

/* The same with a byte of a table: the loop loads its index and multiplies it, as tt-metal's firmware does with its message. */
static const uint32_t indexed[] = {
    0x00020537, /* lui   a0, 0x20   */
    0x0ff0000f, /* fence            */
    0x04052683, /* lw    a3, 64(a0) */
    0x00400713, /* li    a4, 4      */
    0x02e686b3, /* mul   a3, a3, a4 */
    0x00a686b3, /* add   a3, a3, a0 */
    0x0006c583, /* lbu   a1, 0(a3)  */
    0xfe0584e3, /* beqz  a1, -24    */
    0x01052603, /* lw    a2, 16(a0) */
    0x02c52023, /* sw    a2, 32(a0) */
    0x0000006f, /* j     .          */
};

static void poll_in_rounds(const uint32_t *reader, uint32_t bytes, uint32_t rounds) {
  static const uint32_t writer[] = {
      0x00020537, /* lui   a0, 0x20   */
      0x0c800613, /* li    a2, 200    */
      0xfff60613, /* addi  a2, a2, -1 */
      0xfe061ee3, /* bnez  a2, -4     */
      0x00100593, /* li    a1, 1      */
      0x00b52823, /* sw    a1, 16(a0) */
      0x00b50023, /* sb    a1, 0(a0)  */
      0x0000006f, /* j     .          */
  };
  begin("TESSERA_CHECK", "all");
  libttsim_tile_wr_bytes(3, 4, 0, reader, bytes);
  libttsim_tile_wr_bytes(3, 4, 0x6000, writer, sizeof writer);
  for (uint32_t round = 0; round < rounds; round++) {
    write_word(0x20000, 0);
    write_word(0x20020, 0);
    write_word(SOFT_RESET_0, BRISC_AND_TRISC0);
    for (unsigned i = 0; i < 40 && read_word(0x20020) != 1; i++) libttsim_clock(1000);
    assert_int_equal(read_word(0x20020), 1);
    write_word(SOFT_RESET_0, ALL_HELD);
    libttsim_clock(1);
  }
  end("TESSERA_CHECK");
  assert_null(strstr(content("report.txt"), "error at tile"));
  content("report.html");
  assert_int_equal(rmdir(directory), 0);
}

static void a_poll_with_a_fence_orders(void **state) {
  (void)state;
  poll_in_rounds(fenced, sizeof fenced, 1);
}

static void a_poll_of_a_table_orders(void **state) {
  (void)state;
  poll_in_rounds(indexed, sizeof indexed, 2);
}

/* The value of an earlier start, which the host has replaced, does not end the poll. */
static void a_poll_orders_after_the_host_has_reset_its_word(void **state) {
  (void)state;
  poll_in_rounds(fenced, sizeof fenced, 3);
}

static void without_checkers_nothing_is_found(void **state) {
  (void)state;
  begin(NULL, NULL);
  run_race();
  end(NULL);
  assert_null(strstr(content("report.txt"), "L1_UNORDERED"));
  content("report.html");
  assert_int_equal(rmdir(directory), 0);
}

/* The host stops the cores, writes the word, and starts one of them: these writes are ordered. */
static void the_host_is_no_race(void **state) {
  (void)state;
  static const uint32_t code[] = {0x00020537, 0x00052583, 0x00b52223, 0x0000006f}; /* lw a1, 0(a0); sw a1, 4(a0) */
  begin("TESSERA_CHECK", "all");
  libttsim_tile_wr_bytes(3, 4, 0, code, sizeof code);
  for (uint32_t round = 1; round < 4; round++) {
    write_word(0x20000, round);
    write_word(SOFT_RESET_0, 0x47000);
    for (unsigned i = 0; i < 400; i++) libttsim_clock(1);
    assert_int_equal(read_word(0x20004), round);
    write_word(SOFT_RESET_0, ALL_HELD);
    libttsim_clock(1);
  }
  end("TESSERA_CHECK");
  assert_null(strstr(content("report.txt"), "error at tile"));
  content("report.html");
  assert_int_equal(rmdir(directory), 0);
}

/* BRISC polls the word at 0x20000 once and later loads it without a loop: a word that is polled is a flag, also after the host
 * has written to the tile in between. TRISC0 stores to it before and after the host's write. */
static void a_write_of_the_host_forgets_no_flag(void **state) {
  (void)state;
  static const uint32_t reader[] = {
      0x00020537, /* lui   a0, 0x20   */
      0x00052583, /* lw    a1, 0(a0)  */
      0xfe058ee3, /* beqz  a1, -4     */
      0x01052583, /* lw    a1, 16(a0) */
      0xfe058ee3, /* beqz  a1, -4     */
      0x00052603, /* lw    a2, 0(a0)  */
      0x02c52023, /* sw    a2, 32(a0) */
      0x0000006f, /* j     .          */
  };
  static const uint32_t writer[] = {
      0x00020537, /* lui   a0, 0x20   */
      0x00100593, /* li    a1, 1      */
      0x00b52023, /* sw    a1, 0(a0)  */
      0x01052583, /* lw    a1, 16(a0) */
      0xfe058ee3, /* beqz  a1, -4     */
      0x00200593, /* li    a1, 2      */
      0x00b52023, /* sw    a1, 0(a0)  */
      0x0000006f, /* j     .          */
  };
  begin("TESSERA_CHECK", "all");
  libttsim_tile_wr_bytes(3, 4, 0, reader, sizeof reader);
  libttsim_tile_wr_bytes(3, 4, 0x6000, writer, sizeof writer);
  write_word(SOFT_RESET_0, BRISC_AND_TRISC0);
  for (unsigned i = 0; i < 400; i++) libttsim_clock(1);
  assert_int_equal(read_word(0x20000), 1);
  write_word(0x20010, 1);
  for (unsigned i = 0; i < 400; i++) libttsim_clock(1);
  assert_int_equal(read_word(0x20000), 2);
  end("TESSERA_CHECK");
  assert_null(strstr(content("report.txt"), "error at tile"));
  content("report.html");
  assert_int_equal(rmdir(directory), 0);
}

static void a_trace_shows_the_instructions(void **state) {
  (void)state;
  setenv("TESSERA_TRACE_FORMAT", "text", 1);
  begin("TESSERA_TRACE", NULL);
  run_race();
  end("TESSERA_TRACE");
  unsetenv("TESSERA_TRACE_FORMAT");
  const char *text = content("tile-3-4.txt");
  assert_non_null(strstr(text, "sw a1, 0(a0)"));
  assert_non_null(strstr(text, "BRISC"));
  assert_non_null(strstr(text, "TRISC0"));
  content("report.txt"), content("report.html");
  assert_int_equal(rmdir(directory), 0);
}

static void bad_traces_leave_no_device(void **state) {
  (void)state;
  static const char *const bad[] = {"3", "3,4,", "3;4", "0,0", "63,63"};
  for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
    begin("TESSERA_TRACE", NULL);
    libttsim_exit();
    setenv("TESSERA_TRACE_TILES", bad[i], 1);
    libttsim_init();
    assert_int_equal(libttsim_pci_config_rd32(0, 0), 0xffffffffu);
    end("TESSERA_TRACE");
    content("tile-3-4.pftrace"), content("report.txt"), content("report.html");
    assert_int_equal(rmdir(directory), 0);
  }
  begin("TESSERA_TRACE", "/nowhere/at/all");
  assert_int_equal(libttsim_pci_config_rd32(0, 0), 0xffffffffu);
  end("TESSERA_TRACE");
  assert_int_equal(rmdir(directory), 0);
}

/* Every tile of the grid is a cell, and the text of the report is in the page with its special characters escaped. */
static void the_page_shows_the_grid(void **state) {
  (void)state;
  begin(NULL, NULL);
  run_race();
  end(NULL);
  const char *page = content("report.html");
  unsigned cells = 0;
  for (const char *at = page; (at = strstr(at, "<td ")); at++) cells++;
  assert_int_equal(cells, 17 * 12);
  assert_non_null(strstr(page, "<td class=\"waits\" title=\"Tensix (3,4): waits")); /* "j ." is a spin that never ends */
  assert_non_null(strstr(page, "Tessera report (exit), cycle"));
  assert_non_null(strstr(page, "</html>"));
  content("report.txt");
  assert_int_equal(rmdir(directory), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_checker_finds_a_race),
      cmocka_unit_test(the_vendors_own_races_are_told_apart),
      cmocka_unit_test(a_poll_with_a_fence_orders),
      cmocka_unit_test(a_poll_of_a_table_orders),
      cmocka_unit_test(a_poll_orders_after_the_host_has_reset_its_word),
      cmocka_unit_test(the_code_of_a_finding_is_kept),
      cmocka_unit_test(without_checkers_nothing_is_found),
      cmocka_unit_test(a_write_of_the_host_forgets_no_flag),
      cmocka_unit_test(the_host_is_no_race),
      cmocka_unit_test(a_trace_shows_the_instructions),
      cmocka_unit_test(bad_traces_leave_no_device),
      cmocka_unit_test(the_page_shows_the_grid),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
