/* Traces as files: events of a tile, written as they occur. Memory does not grow with the run.
 *
 *   text      one line per event: trace.h
 *   perfetto  protobuf of ui.perfetto.dev: a track per core, thread, unit, source bank, mutex, zones; counters; flows. One cycle is 1 ns there
 *   chrome    the same as JSON for chrome://tracing, one cycle is 1 us
 *   kanata    version 0004, for Konata: the instructions of the threads with their stages W (waits at the gate), H (held in the unit), X
 *   vcd       value change dump for waveform viewers: activity of each core, thread and unit, zones as text; semaphores, pages as numbers
 *   compact   short lines: tracer_compact.c; the HTML report contains one
 *
 * Perfetto, Chrome, VCD and compact show what each core does in each cycle (it runs, or the reason why it does not), not its instructions. */
#ifndef TESSERA_OBSERVE_TRACE_TRACER_H
#define TESSERA_OBSERVE_TRACE_TRACER_H

#include "debug/program.h"
#include "observe/trace/trace.h"
#include "tensix/tile/tile.h"

enum obs_trace_format {
  OBS_TRACE_TEXT,
  OBS_TRACE_PERFETTO,
  OBS_TRACE_CHROME,
  OBS_TRACE_KANATA,
  OBS_TRACE_COMPACT,
  OBS_TRACE_VCD,
  OBS_TRACE_FORMATS
};

typedef bool obs_write_fn(void *context, const void *bytes, size_t size); /* false: it could not be written */

struct obs_trace_options {
  enum obs_trace_format format;
  sim_time from, to; /* cycles */
  uint32_t agents;   /* bit per thread and core (enum tx_agent) */
  uint32_t part; /* of a file of several traces, Perfetto or Chrome: without the file's head and end; 0: a file of its own */
  const char *title;                 /* of a part's tracks */
  const struct dbg_program *program; /* of the tile: a failed KERNEL_CHECK ends the trace; NULL: none does */
  obs_write_fn *write;
  void *context;
};

/* --- tracks --- */

enum obs_track {
  OBS_TRACK_AGENT = 0,                                    /* +agent: threads, cores */
  OBS_TRACK_UNIT = TX_AGENT_NCRISC + 1,                   /* +unit */
  OBS_TRACK_BANK = OBS_TRACK_UNIT + TX_UNIT_COUNT,        /* +2 * which + bank */
  OBS_TRACK_MUTEX = OBS_TRACK_BANK + 4,                   /* +mutex */
  OBS_TRACK_ZONE = OBS_TRACK_MUTEX + TX_MUTEXES,          /* +core: the zones of its kernel */
  OBS_TRACK_SEMAPHORE = OBS_TRACK_ZONE + TX_CORES,        /* +semaphore: a counter */
  OBS_TRACK_BUFFER = OBS_TRACK_SEMAPHORE + TX_SEMAPHORES, /* +circular buffer: a counter, its pages */
  OBS_TRACKS = OBS_TRACK_BUFFER + 32
};

enum obs_mark_type { OBS_MARK_BEGIN, OBS_MARK_END, OBS_MARK_INSTANT, OBS_MARK_COUNTER, OBS_MARK_STAGE, OBS_MARK_RETIRE };

/* Names and kinds of a machine's tracks, for the writers of traces. */
struct obs_tracks {
  const char *process;
  void (*name)(const void *machine, unsigned track, char *text, size_t size); /* "TRISC1", "matrix unit", "SrcA bank 0" */
  bool (*counts)(unsigned track);                                             /* a counter */
};

/* One mark on a track. */
struct obs_mark {
  sim_time at;
  uint32_t seq; /* order among marks of one time */
  uint8_t type; /* enum obs_mark_type */
  uint8_t flow_ends;
  uint8_t waits; /* the name is that of the awaited resource */
  uint16_t track;
  const char *name;
  int32_t number;   /* after the name; -1: none */
  uint32_t id;      /* Kanata: of the instruction */
  uint64_t value;   /* of a counter; pc of an instruction */
  const char *note; /* Perfetto: an annotation of a mark that is written at once; NULL: none */
  uint64_t flow;    /* arrows begin and end at marks of one number; 0: none */
};

#define OBS_MARKS_MAX 4096u
#define OBS_TRACKS_MAX 1280u /* of any machine */
#define OBS_PARTS_MAX 1024u  /* of a file */
#define OBS_TRACE_BUFFER 65536u
#define OBS_TRACE_NAMES 512u
#define OBS_ZONES 128u
#define OBS_HELD_MAX 1024u       /* slices that are open where the trace begins */
#define OBS_ARROWS_MAX 2048u     /* arrows that have begun, in a hash table; one that finds no place is not drawn */
#define OBS_ELSEWHERE UINT16_MAX /* track of an arrow's end at a core that is not in the trace: it ends where it began */
#define OBS_VCD_DEPTH 16u        /* of slices on one track */

/* The marks before the first cycle of a trace: what is open there begins with it. */
struct obs_before {
  bool over; /* the trace has begun */
  uint32_t count;
  struct obs_mark held[OBS_HELD_MAX]; /* slices that have begun and not ended, in the order of their begin */
  uint32_t lost[OBS_TRACKS_MAX];      /* slices that found no room */
  bool has_value[OBS_TRACKS_MAX];     /* of counters */
  uint64_t value[OBS_TRACKS_MAX];
};

/* An arrow whose begin the trace has. Two marks may end one arrow. */
struct obs_arrow {
  uint64_t flow; /* 0: a free place */
  uint16_t track;
  bool ended;
};

/* Kanata: instructions inside a unit that retire at events, in their order; 0: one that the trace has not seen begin. */
#define OBS_INSIDE_MAX 8u
struct obs_inside {
  uint32_t id[OBS_INSIDE_MAX], first, count;
};

/* The track of a core (tracer_cores.c). */
struct obs_core_track {
  sim_time next;   /* the cycles before this one are on the track */
  uint32_t reason; /* of the slice that is open, enum tx_reason; 0: the core runs */
  int32_t number;  /* after its name; -1: none */
  bool asks;       /* blocked by the event before: what is open until then is not on the track yet */
  bool waits;      /* the slice is that of the agent's wait, open from its begin on */
};

struct obs_tracer;
typedef void obs_mark_fn(struct obs_tracer *w, const struct obs_mark *m);

struct obs_tracer {
  struct obs_trace_options options;
  const struct obs_tracks *tracks;
  const void *machine;     /* of `tracks` */
  struct tx_tile *t;       /* NULL: another machine */
  obs_mark_fn *write_mark; /* of the format */
  int sink;
  bool failed;
  bool narrowed;                        /* it ends before a given cycle */
  uint32_t stopped;                     /* the states of the cores; a failed check is looked for where they change */
  sim_time last;                        /* time of the last mark written */
  uint32_t seq, count;                  /* of future marks */
  struct obs_mark ahead[OBS_MARKS_MAX]; /* a heap by (at, seq) */
  const char *open[OBS_TRACKS_MAX];     /* state tracks: the slice that is open */
  bool declared[OBS_TRACKS_MAX];
  struct obs_core_track cores[TX_CORES];
  sim_time cores_to; /* slices of cores end behind this cycle: a core may be ahead of the tile's end */
  struct obs_before before;
  struct obs_arrow arrows[OBS_ARROWS_MAX];
  uint32_t behind[OBS_TRACKS_MAX]; /* slices that begin after the last cycle and have not ended */
  uint32_t posts[TX_SEMAPHORES], gets[TX_SEMAPHORES], value[TX_SEMAPHORES];
  uint32_t pages[32][2]; /* popped, pushed, all of them */
  uint16_t counter[32][2];
  uint32_t next_id, retired;                  /* Kanata */
  uint32_t open_id[TX_THREADS];               /* 1 + of the instruction at the gate */
  uint32_t inside[TX_UNIT_COUNT];             /* 1: an instruction is inside that retires at an event */
  struct obs_inside queue[TX_UNIT_COUNT + 1]; /* Kanata; the last: of unpacker 1 */
  uint32_t word[TX_THREADS], pc[TX_THREADS];  /* of the last issue */
  struct {
    const char *name;
    int32_t number;
    uint8_t waits;
  } names[OBS_TRACE_NAMES]; /* compact: those that were written */
  uint32_t name_count;
  struct {
    uint32_t address;
    char name[OBS_ZONE_NAME];
  } zones[OBS_ZONES]; /* names of zones, by their address in L1 */
  uint32_t zone_count;
  uint32_t zone_depth[TX_CORES];
  struct obs_dis seen; /* text */
  struct {
    struct obs_mark open[OBS_VCD_DEPTH];
    uint32_t depth;
  } vcd[OBS_TRACKS]; /* slices that are open on a track, the innermost last */
  uint32_t buffered;
  bool first; /* nothing has been written yet */
  char buffer[OBS_TRACE_BUFFER];
};

/* Begins to write; false: the tile has no free observer slot. */
bool obs_tracer_begin(struct obs_tracer *w, struct tx_tile *t, const struct obs_trace_options *options);
/* Closes open slices, at `stop` if the run ends later: after a hang the clock goes on. Writes the rest. false: a write failed. */
bool obs_tracer_end(struct obs_tracer *w, sim_time stop);

/* --- shared by the files of the tracer --- */

void obs_tracer_flush(struct obs_tracer *w);
void obs_tracer_put(struct obs_tracer *w, const void *bytes, size_t size);
void obs_tracer_printf(struct obs_tracer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
void obs_tracer_mark(struct obs_tracer *w, struct obs_mark mark); /* now or later */
/* A tracer without events; false: an earlier write failed. */
void obs_tracer_open(struct obs_tracer *w, const struct obs_trace_options *options, const struct obs_tracks *tracks,
                     const void *machine);
bool obs_tracer_close(struct obs_tracer *w);
void obs_tracer_catch_up(struct obs_tracer *w, sim_time until); /* writes the marks up to `until` */
void obs_tracer_slice_begins(struct obs_tracer *w, sim_time at, unsigned track, const char *name, int32_t number,
                             bool waits);
void obs_tracer_slice_ends(struct obs_tracer *w, sim_time at, unsigned track);
void obs_tracer_slice(struct obs_tracer *w, sim_time from, sim_time to, unsigned track, const char *name, int32_t number,
                      bool waits);
/* A state track: the previous slice ends where this one begins. NULL: none begins. */
void obs_tracer_state(struct obs_tracer *w, sim_time at, unsigned track, const char *name, int32_t number, bool waits);
void obs_tracer_count(struct obs_tracer *w, sim_time at, unsigned track, uint64_t value);
/* Arrows of different parts differ. */
uint64_t obs_tracer_flow(const struct obs_tracer *w, uint64_t flow);
/* "MVMUL", "waits: SrcA bank", "post 1". Returns the length of what fits. */
size_t obs_mark_name(const struct obs_mark *m, char *text, size_t size);

void obs_tracer_core(struct obs_tracer *w, const struct sim_event *e);        /* CORE or CORE_WAIT */
void obs_tracer_core_blocks(struct obs_tracer *w, const struct sim_event *e); /* BLOCK of a core */
/* Marks before this cycle, at most `at`, are complete; to be called at every event, before it. */
sim_time obs_tracer_cores_until(struct obs_tracer *w, sim_time at);
void obs_tracer_cores_end(struct obs_tracer *w, sim_time at); /* the trace ends before cycle `at` */

obs_mark_fn obs_perfetto_mark, obs_chrome_mark, obs_compact_mark, obs_vcd_mark, obs_kanata_mark;
void obs_kanata_event(struct obs_tracer *w, const struct sim_event *e);
void obs_kanata_end(struct obs_tracer *w, sim_time at); /* flushes instructions that have not retired */

#endif
