/* Tessera, Tensix tile: events while it runs, and functions of the caller that see them.
 *
 * Without a hook an event costs one test of a mask. A hook is called in the middle of a cycle: it may read the tile, not change or run
 * it; tessera_tile_request_stop is the one exception. */
#ifndef TESSERA_TRACE_H
#define TESSERA_TRACE_H

#include "tessera/tile.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One row per kind: EVENT(NAME, name, meaning, a, b, c), where a, b and c name what the event's numbers are. */
#define TESSERA_EVENTS_OF_A_TILE(EVENT) \
  EVENT(ISSUE, "issue", "an instruction of a thread has passed the wait gate", "word", "pc of the push", "unit") \
  EVENT(CORE, "core", "a core has executed an instruction", "word", "pc", "value written | register << 32 (64: none)") \
  EVENT(FINDING, "finding", "a place was found for the first time", "row", "word", "index for tessera_tile_finding")

enum tessera_event_kind {
#define TESSERA_EVENT_KIND(NAME, name, meaning, a, b, c) TESSERA_EVENT_##NAME,
  TESSERA_EVENTS_OF_A_TILE(TESSERA_EVENT_KIND)
#undef TESSERA_EVENT_KIND
      TESSERA_EVENT_KINDS
};
#define TESSERA_EVENT_BIT(kind) (UINT64_C(1) << (kind))

struct tessera_event {
  uint64_t cycle;
  enum tessera_event_kind kind;
  uint32_t agent; /* tessera_agent_name */
  uint32_t a, b;
  uint64_t c;
};

struct tessera_event_info {
  const char *name, *meaning, *a, *b, *c;
};
enum tessera_result tessera_event_info(enum tessera_event_kind kind, struct tessera_event_info *info);
const char *tessera_event_name(enum tessera_event_kind kind); /* "issue" */
const char *tessera_agent_name(unsigned agent);               /* "thread 1 (math)", "BRISC" */

typedef void tessera_hook_fn(void *context, const struct tessera_event *event);
/* Calls `hook` for every event whose bit is in `mask`; up to four hooks. `number` is for tessera_tile_unhook. */
enum tessera_result tessera_tile_hook(struct tessera_tile *tile, uint64_t mask, tessera_hook_fn *hook, void *context,
                                      int *number);
enum tessera_result tessera_tile_unhook(struct tessera_tile *tile, int number);
/* The run under way ends after this cycle (TESSERA_STOPPED, reason REQUEST). */
enum tessera_result tessera_tile_request_stop(struct tessera_tile *tile);

/* The event as a line of the trace, without a newline: cycle, who, pc, word, text, what it wrote. As snprintf. Inside a hook. */
size_t tessera_trace_text(const struct tessera_tile *tile, const struct tessera_event *event, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
