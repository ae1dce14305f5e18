/* The work of pipe operations for a core's pipes: flags and marks as items, or at the scalar unit. */
#ifndef TESSERA_PTO_RUNTIME_REQUEST_H
#define TESSERA_PTO_RUNTIME_REQUEST_H

#include "pto/runtime/state.h"

/* A wait for a flag, or a set of it, as an item of a pipe. */
struct pto_flag_request {
  uint8_t kind, role, unit, flag; /* enum pto_item_kind, enum pto_role */
  uint8_t lanes;                  /* lanes of the request */
  int16_t pipe;
  uint32_t count;
  uint64_t tile;
};

/* A push or pop of a tile, on the pipe that moves the data. */
struct pto_mark_request {
  uint8_t unit, direction, split, mark; /* enum pto_mark */
  int16_t pipe;
  uint64_t tile;
};

void pto_add_flags(struct pto_machine *m, unsigned core, struct pto_flag_request request);
struct pto_item *pto_add_mark(struct pto_machine *m, unsigned core, struct pto_mark_request request);
/* false: blocked, to be called again. */
bool pto_scalar_wait(struct pto_machine *m, unsigned core, unsigned flag, int pipe, uint32_t count, uint32_t line);
bool pto_queue_room(struct pto_machine *m, unsigned core, unsigned unit);

/* The direction of a core's pushes, and of its pops. */
static inline unsigned pto_push_direction(unsigned core) { return core == PTO_AIC ? PTO_DIRECTION_C2V : PTO_DIRECTION_V2C; }
static inline unsigned pto_pop_direction(unsigned core) { return core == PTO_AIC ? PTO_DIRECTION_V2C : PTO_DIRECTION_C2V; }

#endif
