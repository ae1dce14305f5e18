/* Calls the whole API and continues after every error: tests/lib_alloc.sh fails its allocations one after the other. Every
 * call accepts a NULL handle, so after a failed creation all later calls are refused. */
#include <stdio.h>
#include <stdlib.h>

#include "tessera/chip.h"
#include "tessera/pto.h"
#include "tessera/tensix.h"

static int swallow(void *context, const void *bytes, size_t size) {
  (void)context, (void)bytes, (void)size;
  return 0;
}

static void walk_tile(void) {
  struct tessera_tile *tile = tessera_tile_create(TESSERA_TIMING_CYCLE), *other = tessera_tile_create(TESSERA_TIMING_OFF);
  struct tessera_trace_options trace = {.format = TESSERA_TRACE_TEXT};
  const uint32_t words[] = {0x02000000u, 0xa2400009u, 0x02000000u};
  tessera_tile_set_option(tile, TESSERA_OPTION_CHECK, 1);
  tessera_tile_set_option(tile, TESSERA_OPTION_ACCOUNT, 1);
  tessera_tile_trace(tile, &trace, swallow, NULL);
  for (unsigned i = 0; i < 100; i++) tessera_tile_push(tile, i % 3, words, 3);
  tessera_tile_store(tile, 0, 0xFFE80020u, 0);
  tessera_tile_run(tile, 2000);
  tessera_tile_trace_end(tile);
  size_t size = tessera_tile_state_size(tile);
  void *state = size ? malloc(size) : NULL;
  if (tessera_tile_save(tile, state, size) == TESSERA_OK) tessera_tile_restore(other, state, size);
  tessera_tile_run(other, 2000);
  for (int format = 0; format < 4; format++) tessera_tile_report(other, (enum tessera_report)format);
  tessera_tile_explain(other);
  tessera_tile_where(other);
  tessera_tile_load_elf(other, TESSERA_BRISC, "x", 1);
  free(state);
  tessera_tile_destroy(tile);
  tessera_tile_destroy(other);
}

static void walk_chip(void) {
  struct tessera_chip *chip = tessera_chip_create(NULL);
  uint32_t word = 0x0000006fu; /* a jump to itself */
  void *state = NULL;
  size_t length = 0;
  struct tessera_tile *tile = tessera_chip_tile(chip, 1, 2);
  tessera_chip_write(chip, 1, 2, 0, &word, sizeof word);
  tessera_tile_start(tile, 1u << TESSERA_BRISC);
  tessera_chip_run(chip, 3000);
  tessera_chip_explain(chip);
  tessera_chip_report(chip);
  tessera_chip_report_json(chip);
  if (tessera_chip_save(chip, &state, &length) == TESSERA_OK) tessera_chip_restore(chip, state, length);
  tessera_chip_free(state);
  tessera_chip_destroy(chip);
}

static void walk_pto(void) {
  char error[200];
  struct tessera_pto_program *program = tessera_pto_create("a5");
  tessera_pto_error(program);
  tessera_pto_destroy(program);
  program = tessera_pto_parse("func.func @f() { return }", 25, "a5", error, sizeof error);
  tessera_pto_destroy(program);
}

int main(void) {
  walk_tile();
  walk_chip();
  walk_pto();
  return 0;
}
