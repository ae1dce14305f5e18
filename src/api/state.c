/* Saved states (include/tessera/tile.h).
 *
 *   0  magic "TESSERA" and a zero        8  format version     12  size of this header
 *  16  size of the rest                 24  layout: a hash of the library's version and of the sizes in the state
 *  32  checksum of the rest             40  the tile, then per thread the operations that its stand-in has not executed, then the
 *                                           result of the run, its progress (observe/hang/progress.h) and each core's last access to
 *                                           the tile, from which reports count
 *
 * A state holds C structs as they lie in memory: it is valid for one version of the library on one kind of machine, and the layout
 * word rejects any other. The checksum detects damage; tensix/tile/valid.h detects values out of range in a state whose checksum
 * was recomputed. */
#include "api/state.h"

#include <stdlib.h>
#include <string.h>

#include "api/history.h"
#include "api/tile.h"
#include "api/tile_error.h"
#include "sim/hash.h"
#include "tensix/tile/valid.h"

#define FORMAT_VERSION 4u

struct header {
  char magic[8];
  uint32_t version, header_size;
  uint64_t size, layout, checksum;
};

/* After the lists. */
struct saved_run {
  uint64_t end; /* enum sim_end */
  struct obs_progress progress;
  sim_time last_tile_access[TX_CORES]; /* state/memo.h; any value is valid */
};

static const char magic[8] = "TESSERA";

static uint64_t hash(uint64_t h, const void *bytes, size_t length) { return sim_hash_end(sim_hash_bytes(h, bytes, length)); }

void api_seal_state(void *state, size_t size) {
  uint64_t checksum = hash(0, (const unsigned char *)state + sizeof(struct header), size - sizeof(struct header));
  memcpy((unsigned char *)state + offsetof(struct header, checksum), &checksum, sizeof checksum);
}

static uint64_t layout(void) {
  const uint64_t sizes[] = {sizeof(struct tx_tile),       offsetof(struct tx_tile, unsaved), offsetof(struct tx_tile, core),
                            offsetof(struct tx_tile, l1), sizeof(struct tx_script_op),       sizeof(void *),
                            sizeof(struct saved_run)};
  return hash(hash(1, TESSERA_VERSION, sizeof TESSERA_VERSION), sizes, sizeof sizes);
}

/* Operations of a thread that are still to be executed; only these are saved. */
static uint32_t left(const struct tessera_tile *tile, unsigned thread) {
  uint32_t next = tile->tile.script[thread].next, count = tile->script[thread].count;
  return next < count ? count - next : 0;
}

static size_t tile_bytes(void) { return offsetof(struct tx_tile, unsaved); }

size_t tessera_tile_state_size(const struct tessera_tile *tile) {
  if (!api_is_tile(tile)) return 0;
  size_t size = sizeof(struct header) + tile_bytes() + TX_THREADS * sizeof(uint64_t) + sizeof(struct saved_run);
  for (unsigned i = 0; i < TX_THREADS; i++) size += left(tile, i) * sizeof(struct tx_script_op);
  return size;
}

enum tessera_result tessera_tile_save(const struct tessera_tile *tile, void *state, size_t size) {
  size_t needed = tessera_tile_state_size(tile);
  if (!needed || !state || size < needed) return TESSERA_INVALID;
  unsigned char *at = (unsigned char *)state + sizeof(struct header);
  const uint64_t watched = sim_watched(&tile->tile.engine);
  struct tx_inflight plain;
  memcpy(at, &tile->tile, tile_bytes());
  memcpy(at + offsetof(struct tx_tile, engine.watched), &watched, sizeof watched);
  tx_inflight_plain(&tile->tile, &plain);
  memcpy(at + offsetof(struct tx_tile, inflight), &plain, sizeof plain);
  memset(at + offsetof(struct tx_tile, current), 0, sizeof tile->tile.current);
  at += tile_bytes();
  for (unsigned i = 0; i < TX_THREADS; i++) {
    uint64_t count = left(tile, i);
    memcpy(at, &count, sizeof count);
    at += sizeof count;
    if (count) memcpy(at, tile->ops[i] + tile->tile.script[i].next, count * sizeof(struct tx_script_op));
    at += count * sizeof(struct tx_script_op);
  }
  struct saved_run run = {.end = tile->end, .progress = tile->progress};
  run.progress.look.atomics.note = NULL;
  run.progress.look.t = NULL; /* no pointer in a state: equal runs give equal bytes */
  memcpy(run.last_tile_access, tile->tile.unsaved.memo.last_tile_access, sizeof run.last_tile_access);
  memcpy(at, &run, sizeof run);
  struct header h = {.version = FORMAT_VERSION, .header_size = sizeof h, .size = needed - sizeof h, .layout = layout()};
  memcpy(h.magic, magic, sizeof magic);
  memcpy(state, &h, sizeof h);
  api_seal_state(state, needed);
  return TESSERA_OK;
}

/* NULL, or the reason why the state is rejected. */
static const char *check(const void *state, size_t size) {
  struct header h;
  if (size < sizeof h) return "the saved state is shorter than its header";
  memcpy(&h, state, sizeof h);
  if (memcmp(h.magic, magic, sizeof magic) != 0) return "this is not a saved state of a tile";
  if (h.version != FORMAT_VERSION || h.header_size != sizeof h) return "the saved state has another format version";
  if (h.layout != layout()) return "the saved state is of another version of the library";
  if (h.size > size - sizeof h) return "the saved state is truncated";
  if (h.size < size - sizeof h) return "the saved state has bytes after its end";
  if (h.checksum != hash(0, (const unsigned char *)state + sizeof h, size - sizeof h))
    return "the saved state is damaged: its checksum is wrong";
  return NULL;
}

static bool run_valid(const unsigned char *at, size_t size) {
  struct saved_run run;
  if (size != sizeof run) return false;
  memcpy(&run, at, sizeof run);
  for (unsigned core = 0; core < TX_CORES; core++)
    if (!obs_orbit_valid(&run.progress.look.orbit[core])) return false;
  return run.end <= SIM_END_BLOCKED && run.progress.phase <= OBS_PROGRESS_LOOK && !(run.progress.look.cores >> TX_CORES);
}

static bool ops_valid(const unsigned char *at, uint64_t count) {
  for (uint64_t i = 0; i < count; i++) {
    uint32_t kind;
    memcpy(&kind, at + i * sizeof(struct tx_script_op) + offsetof(struct tx_script_op, kind), sizeof kind);
    if (kind > TX_SCRIPT_COPY) return false;
  }
  return true;
}

/* Do the lists after the tile and the progress fill the rest of the state exactly? */
static bool lists_fit(const unsigned char *at, size_t size) {
  for (unsigned i = 0; i < TX_THREADS; i++) {
    uint64_t count;
    if (size < sizeof count) return false;
    memcpy(&count, at, sizeof count);
    if (count > (size - sizeof count) / sizeof(struct tx_script_op)) return false;
    if (!ops_valid(at + sizeof count, count)) return false;
    at += sizeof count + count * sizeof(struct tx_script_op);
    size -= sizeof count + count * sizeof(struct tx_script_op);
  }
  return run_valid(at, size);
}

/* NULL, or the name of the block with an impossible value, or "memory". The caller's bytes may be unaligned. */
static const char *wrong_block(const unsigned char *body) {
  if ((uintptr_t)body % _Alignof(struct tx_tile) == 0) return tx_tile_wrong((const void *)body);
  struct tx_tile *copy = malloc(sizeof *copy);
  if (!copy) return "memory";
  memcpy(copy, body, tile_bytes());
  const char *wrong = tx_tile_wrong(copy);
  free(copy);
  return wrong;
}

/* A stop that the caller requested is not restored: the run continues. */
static void take_run(struct tessera_tile *tile, const unsigned char *at) {
  struct saved_run run;
  memcpy(&run, at, sizeof run);
  tile->progress = run.progress;
  tile->progress.look.t = NULL; /* any value: a state may be damaged */
  memcpy(tile->tile.unsaved.memo.last_tile_access, run.last_tile_access, sizeof run.last_tile_access);
  bool stopped = run.end == SIM_END_STOPPED && !tile->tile.fault.kind;
  api_end(tile, stopped ? SIM_END_TIME : (enum sim_end)run.end);
}

/* Makes room for all lists before anything is changed. The place of a list's first operation is the number of those that are done:
 * it is a part of the state. */
static enum tessera_result take_lists(struct tessera_tile *tile, const unsigned char *body, const unsigned char **end) {
  const unsigned char *at = body + tile_bytes(), *list[TX_THREADS];
  uint64_t count[TX_THREADS];
  struct tx_script_state done[TX_THREADS];
  memcpy(done, body + offsetof(struct tx_tile, script), sizeof done);
  for (unsigned i = 0; i < TX_THREADS; i++) {
    memcpy(&count[i], at, sizeof count[i]);
    list[i] = at + sizeof count[i];
    at = list[i] + count[i] * sizeof(struct tx_script_op);
    if (!api_reserve(tile, i, done[i].next + count[i])) return api_refuse(tile, TESSERA_NO_MEMORY, "out of memory");
  }
  for (unsigned i = 0; i < TX_THREADS; i++) {
    if (count[i]) memcpy(tile->ops[i] + done[i].next, list[i], count[i] * sizeof(struct tx_script_op));
    tile->script[i].count = (uint32_t)(done[i].next + count[i]);
  }
  *end = at;
  return TESSERA_OK;
}

enum tessera_result tessera_tile_restore(struct tessera_tile *tile, const void *state, size_t size) {
  if (!api_is_tile(tile)) return TESSERA_INVALID;
  if (!state) return api_refuse(tile, TESSERA_INVALID, "no state given");
  if (tile->in_chip) return api_refuse(tile, TESSERA_INVALID, "the tile belongs to a chip: restore the chip");
  const char *wrong = check(state, size);
  if (wrong) return api_refuse(tile, TESSERA_REFUSED, "%s", wrong);
  const unsigned char *body = (const unsigned char *)state + sizeof(struct header);
  size_t lists = size - sizeof(struct header) - tile_bytes();
  if (size < sizeof(struct header) + tile_bytes() || !lists_fit(body + tile_bytes(), lists))
    return api_refuse(tile, TESSERA_REFUSED, "the saved state is damaged: its lists of operations do not fill it");
  wrong = wrong_block(body);
  if (wrong)
    return api_refuse(tile, TESSERA_REFUSED, "the saved state is damaged: no tile can be in this state (%s)", wrong);
  const unsigned char *run = NULL;
  enum tessera_result result = take_lists(tile, body, &run);
  if (result != TESSERA_OK) return result;
  tx_tile_copy_state(&tile->tile, body);
  api_restored(tile);
  take_run(tile, run);
  return api_ok(tile);
}

uint64_t tessera_tile_hash(const struct tessera_tile *tile) { return api_is_tile(tile) ? tx_tile_hash(&tile->tile) : 0; }
