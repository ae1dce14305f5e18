/* Tessera, Tensix tile: the C API.
 *
 * A tile is created, given L1 contents and instruction words for its three threads, run, and looked at. Nothing is global, nothing
 * exits the process: what goes wrong is a value to be read, and the tile stays readable. Different tiles may be used from
 * different threads at the same time; one tile from one thread at a time.
 *
 *   struct tessera_tile *tile = tessera_tile_create(TESSERA_TIMING_CYCLE);
 *   tessera_tile_push(tile, 1, words, count);
 *   if (tessera_tile_run(tile, 100000) != TESSERA_DONE) puts(tessera_tile_explain(tile));
 *   tessera_tile_destroy(tile);
 */
#ifndef TESSERA_TENSIX_H
#define TESSERA_TENSIX_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tessera_tile;

enum tessera_timing {
  TESSERA_TIMING_OFF,   /* every instruction costs one cycle */
  TESSERA_TIMING_CYCLE, /* documented and measured costs */
};

enum tessera_result {
  TESSERA_DONE,    /* everything pushed has completed */
  TESSERA_LIMIT,   /* the cycles asked for have passed; run again to go on */
  TESSERA_FAULT,   /* tessera_tile_explain says which */
  TESSERA_HANG,    /* nothing can ever go on; tessera_tile_explain says who waits for what */
  TESSERA_INVALID, /* an argument makes no sense: nothing was done */
};

/* NULL when there is no memory. */
struct tessera_tile *tessera_tile_create(enum tessera_timing timing);
void tessera_tile_destroy(struct tessera_tile *tile);

/* L1, as the network sees it. TESSERA_INVALID when the range is not inside L1. */
enum tessera_result tessera_tile_write(struct tessera_tile *tile, uint32_t address, const void *bytes, size_t length);
enum tessera_result tessera_tile_read(const struct tessera_tile *tile, uint32_t address, void *bytes, size_t length);

/* Queues words for thread 0, 1 or 2; its core pushes one a cycle while the FIFO takes them. */
enum tessera_result tessera_tile_push(struct tessera_tile *tile, unsigned thread, const uint32_t *words, size_t count);
/* Queues a store by that thread's core: L1, MOP configuration, GPRs, backend configuration, semaphores. */
enum tessera_result tessera_tile_store(struct tessera_tile *tile, unsigned thread, uint32_t address, uint32_t value);

/* Runs for at most `cycles` more cycles. */
enum tessera_result tessera_tile_run(struct tessera_tile *tile, uint64_t cycles);
uint64_t tessera_tile_cycle(const struct tessera_tile *tile);

/* One or more lines about the last fault or hang; "" when there is none. Valid until the next call on this tile. */
const char *tessera_tile_explain(struct tessera_tile *tile);
/* The report of a run: per thread issued and stalled by what, units, findings. Valid until the next call on this tile. */
const char *tessera_tile_report(struct tessera_tile *tile);
/* The same as JSON. */
const char *tessera_tile_report_json(struct tessera_tile *tile);

/* The state as a value: its size, a copy of it, going back to a copy, a hash. A copy belongs to this version of the library. */
size_t tessera_tile_state_size(void);
void tessera_tile_save(const struct tessera_tile *tile, void *state);
void tessera_tile_restore(struct tessera_tile *tile, const void *state);
uint64_t tessera_tile_hash(const struct tessera_tile *tile);

const char *tessera_version(void);

#ifdef __cplusplus
}
#endif

#endif
