/* The public C API of include/tessera/tensix.h over the tile. The only file of the library that allocates after a tile exists:
 * the queues of words that a caller pushes. */
#include "tessera/tensix.h"

#include <stdlib.h>
#include <string.h>

#include "observe/report.h"
#include "observe/words.h"
#include "tensix/tile/tile.h"

#define TEXT_BYTES 16384u

struct tessera_tile {
  struct tx_script_op *ops[TX_THREADS];
  size_t capacity[TX_THREADS];
  struct tx_script script[TX_THREADS];
  enum sim_end end;
  char text[TEXT_BYTES];
  struct tx_tile tile;
};

struct tessera_tile *tessera_tile_create(enum tessera_timing timing) {
  struct tessera_tile *tile = calloc(1, sizeof *tile);
  if (!tile) return NULL;
  tx_tile_reset(&tile->tile, timing == TESSERA_TIMING_CYCLE);
  for (unsigned i = 0; i < TX_THREADS; i++) tile->tile.unsaved.scripts[i] = &tile->script[i];
  tile->end = SIM_END_DONE;
  return tile;
}

void tessera_tile_destroy(struct tessera_tile *tile) {
  if (!tile) return;
  for (unsigned i = 0; i < TX_THREADS; i++) free(tile->ops[i]);
  free(tile);
}

static int inside_l1(uint32_t address, size_t length) { return address <= TX_L1_BYTES && length <= TX_L1_BYTES - address; }

enum tessera_result tessera_tile_write(struct tessera_tile *tile, uint32_t address, const void *bytes, size_t length) {
  if (!inside_l1(address, length)) return TESSERA_INVALID;
  tx_l1_write(&tile->tile, address, bytes, (uint32_t)length);
  return TESSERA_DONE;
}

enum tessera_result tessera_tile_read(const struct tessera_tile *tile, uint32_t address, void *bytes, size_t length) {
  if (!inside_l1(address, length)) return TESSERA_INVALID;
  memcpy(bytes, tile->tile.l1 + address, length);
  return TESSERA_DONE;
}

/* Appends an op to a core's list. A core that had come to the end of its list goes on with it. */
static enum tessera_result append(struct tessera_tile *tile, unsigned thread, struct tx_script_op op) {
  struct tx_script *script = &tile->script[thread];
  if (script->count == tile->capacity[thread]) {
    size_t wanted = tile->capacity[thread] ? 2 * tile->capacity[thread] : 1024;
    struct tx_script_op *moved = wanted < UINT32_MAX ? realloc(tile->ops[thread], wanted * sizeof *moved) : NULL;
    if (!moved) return TESSERA_INVALID;
    tile->ops[thread] = moved;
    tile->capacity[thread] = wanted;
    script->ops = moved;
  }
  tile->ops[thread][script->count++] = op;
  tx_script_continue(&tile->tile, thread);
  return TESSERA_DONE;
}

enum tessera_result tessera_tile_push(struct tessera_tile *tile, unsigned thread, const uint32_t *words, size_t count) {
  if (thread >= TX_THREADS) return TESSERA_INVALID;
  for (size_t i = 0; i < count; i++) {
    enum tessera_result result = append(tile, thread, (struct tx_script_op){.kind = TX_SCRIPT_PUSH, .a = words[i]});
    if (result != TESSERA_DONE) return result;
  }
  return TESSERA_DONE;
}

enum tessera_result tessera_tile_store(struct tessera_tile *tile, unsigned thread, uint32_t address, uint32_t value) {
  if (thread >= TX_THREADS) return TESSERA_INVALID;
  return append(tile, thread, (struct tx_script_op){.kind = TX_SCRIPT_STORE, .a = address, .b = value});
}

enum tessera_result tessera_tile_run(struct tessera_tile *tile, uint64_t cycles) {
  sim_time now = tile->tile.engine.now;
  tile->end = tx_tile_run(&tile->tile, cycles < SIM_NEVER - 1 - now ? now + cycles : SIM_NEVER - 1);
  switch (tile->end) {
  case SIM_END_DONE: return TESSERA_DONE;
  case SIM_END_TIME: return TESSERA_LIMIT;
  case SIM_END_BLOCKED: return TESSERA_HANG;
  default: return TESSERA_FAULT;
  }
}

uint64_t tessera_tile_cycle(const struct tessera_tile *tile) { return tile->tile.engine.now; }

const char *tessera_tile_explain(struct tessera_tile *tile) {
  tile->text[0] = '\0';
  if (tile->tile.fault.kind)
    obs_fault_line(&tile->tile, tile->text, sizeof tile->text);
  else if (tile->end == SIM_END_BLOCKED)
    obs_hang_report(&tile->tile, tile->text, sizeof tile->text);
  return tile->text;
}

const char *tessera_tile_report(struct tessera_tile *tile) {
  obs_report_text(&tile->tile, tile->end, tile->text, sizeof tile->text);
  return tile->text;
}

const char *tessera_tile_report_json(struct tessera_tile *tile) {
  obs_report_json(&tile->tile, tile->end, tile->text, sizeof tile->text);
  return tile->text;
}

size_t tessera_tile_state_size(void) { return offsetof(struct tx_tile, unsaved); }

void tessera_tile_save(const struct tessera_tile *tile, void *state) { memcpy(state, &tile->tile, tessera_tile_state_size()); }

void tessera_tile_restore(struct tessera_tile *tile, const void *state) {
  tx_tile_copy_state(&tile->tile, state);
  tile->end = SIM_END_TIME;
}

uint64_t tessera_tile_hash(const struct tessera_tile *tile) { return tx_tile_hash(&tile->tile); }

const char *tessera_version(void) { return TESSERA_VERSION; }
