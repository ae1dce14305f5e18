/* Fuzz target: a whole tile. Byte 0 selects the cores that start, the timing and whether checkers, account and trace are on; the rest is their code, 256 words per core in turn, and
 * .ttinsn words are pushed as they come. The state is hashed twice, the second time restored: any difference aborts. */
#include <stdlib.h>
#include <string.h>

#include "observers.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static struct tessera_tile *tile, *other;
  static uint8_t *state;
  static size_t room;
  if (size < 5) return 0;
  if (!tile) tile = tessera_tile_create(TESSERA_TIMING_CYCLE), other = tessera_tile_create(TESSERA_TIMING_CYCLE);
  tessera_tile_reset(tile, data[0] & 0x20 ? TESSERA_TIMING_CYCLE : TESSERA_TIMING_OFF);
  fuzz_observe(tile, data[0] & 0x40 ? 7 : 0);
  fuzz_observe(other, data[0] & 0x40 ? 7 : 0);
  for (unsigned core = 0; core < TESSERA_CORES; core++) {
    uint32_t at = 0x4000 + core * 0x1000;
    size_t from = 1 + core * 1024u < size ? 1 + core * 1024u : 1, length = size - from > 1024 ? 1024 : size - from;
    tessera_tile_write(tile, at, data + from, length);
    tessera_tile_set_reset_pc(tile, (enum tessera_core)core, at);
  }
  tessera_tile_start(tile, (data[0] & 0x1fu) ? data[0] & 0x1fu : 8u);
  tessera_tile_run(tile, 700);
  size_t needed = tessera_tile_state_size(tile);
  if (needed > room) state = realloc(state, room = needed);
  if (tessera_tile_save(tile, state, room) != TESSERA_OK || tessera_tile_restore(other, state, needed) != TESSERA_OK)
    abort();
  if (tessera_tile_run(tile, 700) != tessera_tile_run(other, 700)) abort();
  if (tessera_tile_hash(tile) != tessera_tile_hash(other)) abort();
  tessera_tile_explain(tile);
  return 0;
}
