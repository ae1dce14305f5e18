/* Fuzz target: an executable for a core, its symbols and source lines. */
#include "tessera/debug.h"
#include "tessera/tensix.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static struct tessera_tile *tile;
  if (!tile) tile = tessera_tile_create(TESSERA_TIMING_CYCLE);
  tessera_tile_reset(tile, TESSERA_TIMING_CYCLE);
  if (tessera_tile_load_elf(tile, TESSERA_BRISC, data, size) != TESSERA_OK) return 0;
  tessera_tile_load_notes(tile);
  tessera_tile_start(tile, 1u << TESSERA_BRISC);
  tessera_tile_run(tile, 500);
  tessera_tile_explain(tile);
  return 0;
}
