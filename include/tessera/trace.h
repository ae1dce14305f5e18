/* Tessera, Tensix tile: events of a run, and hooks that receive them.
 *
 * Events are reported in the order of time. Without a hook an event costs one test of a mask; while a hook wants CORE or
 * CORE_WAIT the cores do not run ahead of the tile, which changes no cycle. A hook is called in the middle of a cycle: it
 * may read the tile, not change or run it; tessera_tile_request_stop is the one exception. Other calls return TESSERA_INVALID, 0, NULL or "". */
#ifndef TESSERA_TRACE_H
#define TESSERA_TRACE_H

#include "tessera/tile.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The schema of events. The version grows by one when a kind or a field changes; a kind added at the end does not change it. */
#define TESSERA_TRACE_VERSION 1u

/* docs/reference/trace-schema.md has a row for each, and so has tessera_event_info. */
enum tessera_event_kind {
  TESSERA_EVENT_ISSUE,   /* an instruction of a thread has passed the wait gate: its unit accepts it */
  TESSERA_EVENT_CORE,    /* a core has executed an instruction */
  TESSERA_EVENT_FINDING, /* a finding was reported for the first time at its place */
  TESSERA_EVENT_BLOCK,   /* a thread or core begins or ends a wait */
  TESSERA_EVENT_UNIT, /* the cycles in which the instruction of the preceding ISSUE starts, frees its place for the next, and retires */
  TESSERA_EVENT_RETIRE,    /* unpackers, mover, scalar unit: an instruction is complete */
  TESSERA_EVENT_BANK,      /* a bank of SrcA or SrcB was handed over or released */
  TESSERA_EVENT_SEMAPHORE, /* a semaphore has changed */
  TESSERA_EVENT_MUTEX,     /* a mutex was acquired or released */
  TESSERA_EVENT_BUFFER,    /* pages of a circular buffer were pushed or popped */
  TESSERA_EVENT_CORE_WAIT, /* cycles in which a core began no instruction, and the reason */
  TESSERA_EVENT_ZONE,      /* a zone of a kernel begins or ends (DeviceZoneScopedN) */
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
  const char *track; /* the track it belongs to: "thread", "core", "unit", ... */
  const char *phase; /* "instant", "span", "state", "slice", "counter" */
};
enum tessera_result tessera_event_info(enum tessera_event_kind kind, struct tessera_event_info *info);
const char *tessera_event_name(enum tessera_event_kind kind); /* "issue" */
const char *tessera_agent_name(unsigned agent);               /* "thread 1 (math)", "BRISC" */

/* Of BLOCK and CORE_WAIT: "SrcA bank", "polling", "fetch"; "?" for no such reason. */
const char *tessera_reason_name(unsigned reason);
/* docs/reference/trace-schema.md. As snprintf. */
size_t tessera_trace_schema(char *text, size_t size);

typedef void tessera_hook_fn(void *context, const struct tessera_event *event);
/* Calls `hook` for every event whose bit is in `mask`; up to four hooks. `number` is for tessera_tile_unhook. */
enum tessera_result tessera_tile_hook(struct tessera_tile *tile, uint64_t mask, tessera_hook_fn *hook, void *context,
                                      int *number);
enum tessera_result tessera_tile_unhook(struct tessera_tile *tile, int number);
/* Makes the current run end after this cycle (TESSERA_STOPPED, reason REQUEST). */
enum tessera_result tessera_tile_request_stop(struct tessera_tile *tile);

/* --- traces as files --- */

enum tessera_trace_format {
  TESSERA_TRACE_TEXT,     /* one line per event, with mnemonics */
  TESSERA_TRACE_PERFETTO, /* protobuf for ui.perfetto.dev; one cycle is 1 ns there */
  TESSERA_TRACE_CHROME,   /* JSON for chrome://tracing; one cycle is 1 us */
  TESSERA_TRACE_KANATA,   /* Kanata 0004 for Konata: the threads' instructions */
  TESSERA_TRACE_COMPACT, /* short lines for programs (src/observe/trace/tracer_compact.c); the HTML report contains this format */
  TESSERA_TRACE_VCD, /* value change dump for waveform viewers (GTKWave) */
  TESSERA_TRACE_FORMATS
};
const char *tessera_trace_format_name(enum tessera_trace_format format); /* "perfetto" */
/* 0: written; any other value ends the trace as failed. Called in the middle of a cycle, like a hook. */
typedef int tessera_write_fn(void *context, const void *bytes, size_t size);
struct tessera_trace_options {
  enum tessera_trace_format format;
  uint64_t from, to; /* cycles; to 0: until the end */
  unsigned cores;    /* bit per core, with the core's thread; 0: all */
  /* 0: a file of its own. N: part N of one file of several traces, Perfetto or Chrome, as `tessera kernel run --trace` makes it of a grid:
   * the parts follow each other; Chrome's are elements of the array traceEvents, each after a comma. */
  unsigned part;
  const char *title; /* of the part's tracks: "tile (1,2)"; valid until the trace ends */
};
/* Writes the trace while the tile runs; its memory does not grow with the run. One trace at a time, and one of TESSERA_TRACE_COMPACT beside
 * it. */
enum tessera_result tessera_tile_trace(struct tessera_tile *tile, const struct tessera_trace_options *options,
                                       tessera_write_fn *write, void *context);
/* Ends the trace; if there is none, that of TESSERA_TRACE_COMPACT. TESSERA_REFUSED: a part of it could not be written. */
enum tessera_result tessera_tile_trace_end(struct tessera_tile *tile);

/* Puts the parts of a trace, Perfetto or Chrome, together in the order of time, with bounded memory. Of marks of one time in a part that is
 * not in order, ends precede begins. `scratch`: files without a name beside this one hold what does not fit into memory; NULL: the system's
 * temporary files. TESSERA_INVALID: a part could not be read, or something not be written; errno tells why. */
struct tessera_trace_part {
  int file;    /* a file descriptor, read from the file's start */
  int ordered; /* 1: the part is in the order of time already: that of a tile */
};
enum tessera_result tessera_trace_merge(const struct tessera_trace_part *parts, size_t count,
                                        enum tessera_trace_format format, const char *scratch, tessera_write_fn *write,
                                        void *context);

/* The event as a line of the trace, without a newline: cycle, agent, pc, word, text, written values. Returns the length, as
 * snprintf does. For use inside a hook. */
size_t tessera_trace_text(const struct tessera_tile *tile, const struct tessera_event *event, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
