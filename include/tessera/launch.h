/* Tessera, kernels of the kernel library (kernels/): the block in L1 that a host writes to launch them.
 *
 * The five programs of a tile lie below TESSERA_LAUNCH_HEAP and begin with the library's firmware, which waits for the launch:
 *
 *   struct tessera_launch launch = {.launches = 1, .args = {tiles}};
 *   launch.buffer[0] = (struct tessera_launch_buffer){TESSERA_LAUNCH_HEAP, 2048, 4, 5};
 *   tessera_tile_launch(tile, &launch);
 *   tessera_tile_start(tile, 31); */
#ifndef TESSERA_LAUNCH_H
#define TESSERA_LAUNCH_H

#include "tessera/tile.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TESSERA_LAUNCH_BUFFERS 32u
#define TESSERA_LAUNCH_ARGS 32u
#define TESSERA_LAUNCH_OWN_ARGS 341u    /* of one kernel, as many as tt-metal gives */
#define TESSERA_LAUNCH_OWN_AT 0x17f000u /* L1 from here on holds them where a kernel has more than TESSERA_LAUNCH_ARGS */
#define TESSERA_LAUNCH_HEAP 0x20000u    /* first free address of L1 */

/* A circular buffer. pages 0: not configured. */
struct tessera_launch_buffer {
  uint32_t address;    /* a multiple of 16 */
  uint32_t page_bytes; /* a multiple of 16 */
  uint32_t pages;
  uint32_t format; /* the hardware's number of the data format: 0 Float32, 5 Float16_b, 8 Int32, 14 Int8 */
};

struct tessera_launch {
  uint32_t launches;   /* before the firmware stops; 0: it waits forever for the next one */
  int waits;           /* 1: another tile sends GO over the NoC; 0: GO */
  uint32_t dram_banks; /* over which pages are interleaved; 0: the kernels use no DRAM */
  struct tessera_launch_buffer buffer[TESSERA_LAUNCH_BUFFERS];
  uint32_t args[TESSERA_LAUNCH_ARGS];
};

/* Writes the launch block. TESSERA_INVALID: a buffer does not lie in L1 from the heap on, is not aligned, has more pages than its 16-bit
 * counters can distinguish, or overlaps another (two identical ranges are allowed). tessera_tile_error names it. */
enum tessera_result tessera_tile_launch(struct tessera_tile *tile, const struct tessera_launch *launch);
/* After tessera_tile_launch: arguments for the kernel of one core (the T cores share a kernel), from `first` on. Kernels
 * compiled with KERNEL_OWN_ARGS, as by `tessera kernel build`, read them. Those beyond TESSERA_LAUNCH_ARGS, and with them all of the kernel, lie at
 * the end of L1, where the kernel finds them if its KERNEL_ARG_COUNT is that large. */
enum tessera_result tessera_tile_launch_args(struct tessera_tile *tile, enum tessera_core core, unsigned first,
                                             const uint32_t *args, unsigned count);

/* In L1, for hosts that empty print buffers (kernels/include/print_buffer.h): one area per core, a count and its characters. The host sets DRAINED
 * before the start; a core whose area is full sets FULL and waits until the count is less. */
#define TESSERA_LAUNCH_PRINT_AREAS 0x1280u
#define TESSERA_LAUNCH_PRINT_BYTES 0x2a0u
#define TESSERA_LAUNCH_PRINT_DRAINED 0x1fa0u
#define TESSERA_LAUNCH_PRINT_FULL 0x1fa4u

/* The text that a core's kernel has printed with DPRINT since its area was emptied; at most size - 1 characters; returns
 * the length of all that was printed, as snprintf does. Characters beyond the area (kernels/include/print_buffer.h, some
 * 660) are counted and dropped, unless the host empties it as that header describes. 0: nothing. */
size_t tessera_tile_printed(struct tessera_tile *tile, enum tessera_core core, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
