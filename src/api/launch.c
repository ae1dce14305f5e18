/* The launch block of the kernel library (include/tessera/launch.h). Its layout is the kernels' own: kernels/include/launch.h. */
#include "tessera/launch.h"

#include "../kernels/include/launch.h"
#include "api/tile.h"

_Static_assert(TESSERA_LAUNCH_BUFFERS == LAUNCH_BUFFERS && TESSERA_LAUNCH_ARGS == LAUNCH_ARGS &&
                   TESSERA_LAUNCH_HEAP == LAUNCH_HEAP,
               "the public figures are the kernel library's own");

static bool good_buffer(const struct tessera_launch_buffer *b) {
  uint64_t bytes = (uint64_t)b->page_bytes * b->pages;
  if (!b->pages) return true;
  return b->address >= LAUNCH_HEAP && b->page_bytes && b->address % 16 == 0 && b->page_bytes % 16 == 0 &&
         b->address + bytes <= LAUNCH_L1_BYTES;
}

enum tessera_result tessera_tile_launch(struct tessera_tile *tile, const struct tessera_launch *launch) {
  struct launch block = {0};
  if (!api_is_tile(tile)) return TESSERA_INVALID;
  if (!launch) return api_refuse(tile, TESSERA_INVALID, "no launch given");
  block.go = launch->waits ? RUN_SYNC_MSG_DONE : RUN_SYNC_MSG_GO;
  block.launches = launch->launches;
  block.dram_banks = launch->dram_banks;
  for (unsigned i = 0; i < LAUNCH_BUFFERS; i++) {
    const struct tessera_launch_buffer *b = &launch->buffer[i];
    if (!good_buffer(b))
      return api_refuse(tile, TESSERA_INVALID, "buffer %u: %u pages of %u bytes at 0x%x do not lie in L1 from 0x%x on", i,
                        b->pages, b->page_bytes, b->address, LAUNCH_HEAP);
    block.buffer[i] = (struct launch_buffer){b->address, b->page_bytes, b->pages, b->format};
  }
  for (unsigned i = 0; i < LAUNCH_ARGS; i++) block.args[i] = launch->args[i];
  return tessera_tile_write(tile, LAUNCH_ADDRESS, &block, sizeof block);
}
