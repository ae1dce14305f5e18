/* The launch block of the kernel library (include/tessera/launch.h). kernels/include/launch.h defines its layout. */
#include "tessera/launch.h"

#include "../kernels/include/launch.h"
#include "../kernels/include/print_buffer.h"
#include "api/tile_error.h"

_Static_assert(TESSERA_LAUNCH_BUFFERS == LAUNCH_BUFFERS && TESSERA_LAUNCH_ARGS == LAUNCH_ARGS &&
                   TESSERA_LAUNCH_OWN_ARGS == LAUNCH_OWN_ARGS && TESSERA_LAUNCH_OWN_AT == LAUNCH_OWN_AT &&
                   TESSERA_LAUNCH_HEAP == LAUNCH_HEAP,
               "the public figures are the kernel library's own");
_Static_assert(TESSERA_LAUNCH_PRINT_AREAS == PRINT_BUFFER_BASE && TESSERA_LAUNCH_PRINT_BYTES == PRINT_BUFFER_BYTES &&
                   TESSERA_LAUNCH_PRINT_DRAINED == PRINT_BUFFER_DRAINED && TESSERA_LAUNCH_PRINT_FULL == PRINT_BUFFER_FULL,
               "the public header has the addresses of print_buffer.h");

/* A buffer's two counters have 16 bits: full and empty must differ. */
#define PAGES_MAX 0xffffu

static bool lies_in_l1(const struct tessera_launch_buffer *b) {
  uint64_t bytes = (uint64_t)b->page_bytes * b->pages;
  return b->address >= LAUNCH_HEAP && b->page_bytes && b->address % 16 == 0 && b->page_bytes % 16 == 0 &&
         b->address + bytes <= LAUNCH_L1_BYTES;
}

/* Two buffers may share one range exactly; they must not overlap partly. */
static bool overlap(const struct tessera_launch_buffer *a, const struct tessera_launch_buffer *b) {
  uint64_t end_a = a->address + (uint64_t)a->page_bytes * a->pages, end_b = b->address + (uint64_t)b->page_bytes * b->pages;
  if (!a->pages || !b->pages || (a->address == b->address && end_a == end_b)) return false;
  return a->address < end_b && b->address < end_a;
}

static enum tessera_result check_buffers(struct tessera_tile *tile, const struct tessera_launch *launch) {
  for (unsigned i = 0; i < LAUNCH_BUFFERS; i++) {
    const struct tessera_launch_buffer *b = &launch->buffer[i];
    if (!b->pages) continue;
    if (!lies_in_l1(b))
      return api_refuse(tile, TESSERA_INVALID, "buffer %u: %u pages of %u bytes at 0x%x do not lie in L1 from 0x%x on", i,
                        b->pages, b->page_bytes, b->address, LAUNCH_HEAP);
    if (b->pages > PAGES_MAX)
      return api_refuse(tile, TESSERA_INVALID, "buffer %u: its counters wrap at 65536, so it cannot have %u pages", i,
                        b->pages);
    for (unsigned k = 0; k < i; k++)
      if (overlap(b, &launch->buffer[k]))
        return api_refuse(tile, TESSERA_INVALID, "buffers %u and %u overlap: 0x%x bytes at 0x%x and 0x%x bytes at 0x%x", k,
                          i, launch->buffer[k].page_bytes * launch->buffer[k].pages, launch->buffer[k].address,
                          b->page_bytes * b->pages, b->address);
  }
  return TESSERA_OK;
}

enum tessera_result tessera_tile_launch(struct tessera_tile *tile, const struct tessera_launch *launch) {
  struct launch block = {0};
  if (!api_is_tile(tile)) return TESSERA_INVALID;
  if (!launch) return api_refuse(tile, TESSERA_INVALID, "no launch given");
  if (check_buffers(tile, launch) != TESSERA_OK) return TESSERA_INVALID;
  block.go = launch->waits ? RUN_SYNC_MSG_DONE : RUN_SYNC_MSG_GO;
  block.launches = launch->launches;
  block.dram_banks = launch->dram_banks;
  for (unsigned i = 0; i < LAUNCH_BUFFERS; i++) {
    const struct tessera_launch_buffer *b = &launch->buffer[i];
    block.buffer[i] = (struct launch_buffer){b->address, b->page_bytes, b->pages, b->format};
  }
  for (unsigned i = 0; i < LAUNCH_ARGS; i++) {
    block.args[i] = launch->args[i];
    for (unsigned k = 0; k < LAUNCH_KERNELS; k++) block.own_args[k][i] = launch->args[i];
  }
  return tessera_tile_write(tile, LAUNCH_ADDRESS, &block, sizeof block);
}

/* A kernel with more than LAUNCH_ARGS arguments: all of them are consecutive words, as get_arg_addr(0) is their array. */
static enum tessera_result write_many(struct tessera_tile *tile, uint32_t kernel, unsigned first, const uint32_t *args,
                                      unsigned count) {
  uint32_t at = LAUNCH_OWN_AT + 4 * kernel * LAUNCH_OWN_ARGS, few[LAUNCH_ARGS], mark = 1;
  bool good = tessera_tile_read(tile, LAUNCH_FIELD(own_args) + 4 * kernel * LAUNCH_ARGS, few, sizeof few) == TESSERA_OK &&
              tessera_tile_write(tile, at, few, sizeof few) == TESSERA_OK &&
              tessera_tile_write(tile, at + 4 * first, args, 4 * (size_t)count) == TESSERA_OK &&
              tessera_tile_write(tile, LAUNCH_OWN_MARK, &mark, sizeof mark) == TESSERA_OK;
  return good ? TESSERA_OK : TESSERA_INVALID;
}

enum tessera_result tessera_tile_launch_args(struct tessera_tile *tile, enum tessera_core core, unsigned first,
                                             const uint32_t *args, unsigned count) {
  if (!api_is_tile(tile)) return TESSERA_INVALID;
  if ((unsigned)core >= TESSERA_CORES || !args || first > LAUNCH_OWN_ARGS || count > LAUNCH_OWN_ARGS - first)
    return api_refuse(tile, TESSERA_INVALID, "a core of the tile and arguments 0 to %u are needed", LAUNCH_OWN_ARGS - 1);
  uint32_t kernel = core == TESSERA_BRISC ? LAUNCH_BRISC : core == TESSERA_NCRISC ? LAUNCH_NCRISC : LAUNCH_TRISC0;
  uint32_t at = LAUNCH_FIELD(own_args) + 4 * (kernel * LAUNCH_ARGS + first);
  unsigned short_ones = first < LAUNCH_ARGS ? LAUNCH_ARGS - first : 0;
  if (short_ones > count) short_ones = count;
  if (short_ones && tessera_tile_write(tile, at, args, 4 * (size_t)short_ones) != TESSERA_OK) return TESSERA_INVALID;
  return first + count > LAUNCH_ARGS ? write_many(tile, kernel, first, args, count) : TESSERA_OK;
}

static uint32_t launch_core_of(enum tessera_core core) {
  static const uint32_t numbers[TESSERA_CORES] = {[TESSERA_TRISC0] = LAUNCH_TRISC0,
                                                  [TESSERA_TRISC1] = LAUNCH_TRISC1,
                                                  [TESSERA_TRISC2] = LAUNCH_TRISC2,
                                                  [TESSERA_BRISC] = LAUNCH_BRISC,
                                                  [TESSERA_NCRISC] = LAUNCH_NCRISC};
  return numbers[core];
}

size_t tessera_tile_printed(struct tessera_tile *tile, enum tessera_core core, char *text, size_t size) {
  if (!api_is_read_tile(tile) || (unsigned)core >= TESSERA_CORES || (!text && size)) return 0;
  uint32_t area = PRINT_BUFFER_BASE + PRINT_BUFFER_BYTES * launch_core_of(core), count = 0;
  if (tessera_tile_read(tile, area, &count, sizeof count) != TESSERA_OK) count = 0;
  size_t kept = count < PRINT_BUFFER_TEXT ? count : PRINT_BUFFER_TEXT;
  if (kept + 1 > size) kept = size ? size - 1 : 0;
  if (kept && tessera_tile_read(tile, area + 4, text, kept) != TESSERA_OK) kept = 0;
  if (size) text[kept] = '\0';
  return count;
}
