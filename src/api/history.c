/* The history of a tile's run, for the last writers in a hang report (observe/hang/replay.h): its memory, and the host's writes to the tile. */
#include "api/history.h"

#include <stdlib.h>

#include "api/tile_value.h"

void api_written(struct tessera_tile *tile) {
  tile->progress.phase = OBS_PROGRESS_NONE;
  tile->changed = true;
}

void api_changed(struct tessera_tile *tile) {
  tile->history.whole = false;
  api_written(tile);
}

void api_forget_history(struct tessera_tile *tile) {
  struct tx_tile *start = tile->history.start;
  tile->history = (struct obs_history){.start = start};
  api_written(tile);
  tile->tile.unsaved.writers.count = 0;
}

void api_begin_history(struct tessera_tile *tile) {
  tile->tile.unsaved.writers.count = 0; /* left by an earlier hang */
  if (tile->in_chip) return;
  if (!tile->history.start) tile->history.start = calloc(1, sizeof(struct tx_tile)); /* out of memory: no history is kept */
  obs_history_begin(&tile->history, &tile->tile);
}

void api_find_writers(struct tessera_tile *tile) {
  if (tile->in_chip || tile->end != SIM_END_BLOCKED || !obs_replay_wanted(&tile->history, &tile->tile)) return;
  struct tx_tile *scratch = calloc(1, sizeof *scratch);
  if (scratch) obs_replay(&tile->history, &tile->tile, scratch);
  free(scratch);
}
