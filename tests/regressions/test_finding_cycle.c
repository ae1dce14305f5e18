/* Two cores of each of three tiles write the same pages of DRAM, and nothing orders them: where and when each race is found first does not depend on
 * cuts, host threads, traces or accounts. The time of a finding was that of the sender's last window: cycle 239, 298 or 289. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../rv_builder.h"
#include "tessera/chip.h"
#include "tessera/tensix.h"

#define CODE 0x8000u
#define TILES 3u
#define CYCLES 8000u

enum { CUT = 1, THREADS = 2, TRACE = 4, ACCOUNT = 8, PACKETS = 16 };

static void write_pages(struct rv *p, uint32_t niu) {
  for (uint32_t i = 0; i < 9; i++) {
    uint32_t ready = p->count;
    rv_peek(p, A0, niu + 0x40);
    rv_bne(p, A0, ZERO, ready);
    const uint32_t words[][2] = {{0, 0x40000 + 64 * i},
                                 {4, 0},
                                 {0xc, 0x1000 + 64 * (i % 4)},
                                 {0x10, 0},
                                 {0x14, 12 << 6 | 17},
                                 {0x1c, 0x2092},
                                 {0x20, 64},
                                 {0x40, 1}};
    for (unsigned k = 0; k < sizeof words / sizeof *words; k++) rv_poke(p, niu + words[k][0], words[k][1]);
    rv_li(p, A1, 10 + 2 * i);
    uint32_t pause = p->count;
    rv_addi(p, A1, A1, -1);
    rv_bne(p, A1, ZERO, pause);
  }
  rv_ebreak(p);
}

static void start(struct tessera_tile *tile, enum tessera_core core, uint32_t niu) {
  struct rv p = {.count = 0};
  const uint32_t code = core == TESSERA_NCRISC ? CODE + 0x2000 : CODE;
  write_pages(&p, niu);
  assert_int_equal(tessera_tile_write(tile, code, p.word, 4 * p.count), TESSERA_OK);
  assert_int_equal(tessera_tile_set_reset_pc(tile, core, code), TESSERA_OK);
  assert_int_equal(tessera_tile_start(tile, 1u << core), TESSERA_OK);
}

static int drop(void *context, const void *bytes, size_t size) {
  (void)context, (void)bytes, (void)size;
  return 0;
}

static void ignore(void *context, const struct tessera_packet *packet) { (void)context, (void)packet; }

static void observe(struct tessera_chip *chip, struct tessera_tile *tile, unsigned how) {
  const struct tessera_trace_options text = {.format = TESSERA_TRACE_TEXT};
  assert_int_equal(tessera_tile_set_option(tile, TESSERA_OPTION_CHECK, TESSERA_CHECK_ALL), TESSERA_OK);
  if (how & TRACE) assert_int_equal(tessera_tile_trace(tile, &text, drop, NULL), TESSERA_OK);
  if (how & ACCOUNT) assert_int_equal(tessera_tile_set_option(tile, TESSERA_OPTION_ACCOUNT, 1), TESSERA_OK);
  if (how & PACKETS) assert_int_equal(tessera_chip_packet_hook(chip, ignore, NULL), TESSERA_OK);
}

/* All findings of all tiles as text. */
static void findings_of(struct tessera_tile *const *tile, char *text, size_t size) {
  size_t used = 0;
  for (unsigned i = 0; i < TILES; i++)
    for (size_t k = 0; k < tessera_tile_finding_count(tile[i]); k++)
      used += tessera_tile_finding_text(tile[i], k, text + used, size - used);
  assert_true(used < size);
}

static void run(enum tessera_timing timing, unsigned how, char *text, size_t size) {
  const struct tessera_chip_options options = {.timing = timing, .threads = how & THREADS ? 2 : 1};
  struct tessera_chip *chip = tessera_chip_create(&options);
  struct tessera_tile *tile[TILES];
  for (unsigned i = 0; i < TILES; i++) {
    tile[i] = tessera_chip_tile(chip, 1 + i, 2);
    observe(chip, tile[i], how);
    start(tile[i], TESSERA_BRISC, 0xFFB30000u);
    start(tile[i], TESSERA_NCRISC, 0xFFB20000u);
  }
  for (unsigned left = CYCLES, n = 1; left; n++) {
    unsigned piece = how & CUT ? 1 + n * 37 % 101 : left;
    if (piece > left) piece = left;
    left -= piece;
    tessera_chip_run(chip, piece);
  }
  findings_of(tile, text, size);
  assert_non_null(strstr(text, "DRAM_UNORDERED"));
  tessera_chip_destroy(chip);
}

static void a_race_has_one_cycle(void **state) {
  static char whole[1 << 16], other[1 << 16];
  (void)state;
  for (unsigned timing = TESSERA_TIMING_OFF; timing <= TESSERA_TIMING_CYCLE; timing++) {
    run((enum tessera_timing)timing, 0, whole, sizeof whole);
    for (unsigned how = 1; how < 32; how++) {
      run((enum tessera_timing)timing, how, other, sizeof other);
      if (strcmp(whole, other) != 0) fail_msg("timing %u, variant %u:\n%s\ninstead of\n%s", timing, how, other, whole);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_race_has_one_cycle)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
