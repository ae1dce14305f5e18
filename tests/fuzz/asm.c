/* Fuzz target: Tensix assembly, and a run of the assembled program. */
#include "tessera/isa.h"
#include "tessera/tensix.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static struct tessera_tile *tile;
  char text[4096];
  struct tessera_asm *assembly = tessera_assemble("fuzz", (const char *)data, size);
  if (!tile) tile = tessera_tile_create(TESSERA_TIMING_CYCLE);
  for (size_t i = 0; i < tessera_asm_error_count(assembly); i++) tessera_asm_explain(assembly, i, text, sizeof text);
  tessera_tile_reset(tile, TESSERA_TIMING_CYCLE);
  if (tessera_tile_load_asm(tile, assembly) == TESSERA_OK) tessera_tile_run(tile, 2000);
  tessera_tile_explain(tile);
  tessera_asm_destroy(assembly);
  return 0;
}
