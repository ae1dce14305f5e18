/* A debugging session: a position in a run, and movement from it in both directions.
 *
 *   step          runs with a log of the core's instructions up to the next one, then restores the state and runs to that cycle
 *                 without the log.
 *   continue      runs in pieces with a snapshot after each; a piece that contains a stop is repeated up to the cycle before the stop.
 *   back          runs from an earlier snapshot with a log of the core's instructions and selects the last one that matches. The log
 *                 is kept, so that the next steps back need no run. Snapshots on the way are kept too, denser near the position.
 *
 * So the state at a position is that of a run without stops, regardless of earlier breakpoints and steps. The simulator parks a core
 * that polls in a loop after some iterations (riscv/spin.h): the core waits at the load until the polled word is written, and a step
 * ends there. */
#ifndef TESSERA_GDB_DEBUGGER_H
#define TESSERA_GDB_DEBUGGER_H

#include "gdb/front.h"
#include "gdb/history.h"
#include "tessera/debugger.h"

#define GDB_BREAKS 64u
#define GDB_WATCHES 8u
#define GDB_TEXT 512u

struct gdb_where {
  unsigned unit, core;
};

struct gdb_break {
  struct gdb_where where;
  uint32_t address; /* as given by the user */
  uint32_t pc;
  unsigned uses; /* gdb inserts a software and a hardware breakpoint at the same address; 0: free */
};

enum gdb_access { GDB_WRITES = 1, GDB_READS = 2 };
struct gdb_watch {
  struct gdb_where where; /* whose local RAM */
  uint32_t address, length;
  unsigned access; /* enum gdb_access: of watch, rwatch; both of awatch */
  bool used, local;
  bool registers; /* neither L1 nor local RAM */
};

enum gdb_stop_kind {
  GDB_STOP_START, /* at the start, or moved there by a command */
  GDB_STOP_STEP,
  GDB_STOP_BREAK,
  GDB_STOP_WATCH,
  GDB_STOP_EVENT, /* a condition of monitor stop */
  GDB_STOP_INTERRUPT,
  GDB_STOP_LIMIT,
  GDB_STOP_DONE,
  GDB_STOP_HANG,
  GDB_STOP_FAULT,
  GDB_STOP_FINDING,
  GDB_STOP_BEGIN, /* backwards: the history begins here */
  GDB_STOP_NO_MEMORY
};

struct gdb_stop {
  enum gdb_stop_kind kind;
  struct gdb_where where;
  uint32_t address;    /* of a watchpoint */
  unsigned access;     /* of that watchpoint */
  char text[GDB_TEXT]; /* details that the protocol cannot carry, one line; "" */
};

/* An event of the hardware at which `continue` stops. */
#define GDB_CONDITIONS 8u
struct gdb_condition {
  bool used;
  uint32_t kind; /* enum tx_event */
  int32_t agent; /* -1: any */
  int32_t index; /* number of the semaphore, buffer or bank; the opcode of an instruction; -1: any */
  char text[64]; /* as given by the user */
};

/* The instructions of one core in the cycles after `from` up to `to`. */
#define GDB_TRAIL 2048u
struct gdb_trail {
  struct gdb_where where;
  uint64_t from, to; /* to 0: empty */
  size_t count;
  struct gdb_trace {
    uint64_t cycle;
    uint32_t pc;
  } at[GDB_TRAIL];
};

/* Breakpoints and accesses that were reported at a position (middle.h). */
struct gdb_passed {
  bool any;
  uint64_t cycle;                       /* the position */
  uint64_t number[GDB_UNITS][TX_CORES]; /* 0: none */
  unsigned accesses;                    /* timing off: to watched bytes, in the next cycle */
};

/* A place in the middle of the cycle after the position. */
struct gdb_inside {
  unsigned accesses;      /* directly after this access to watched bytes; 0: */
  struct gdb_where where; /* before the instruction of this core */
  uint64_t number;        /* with this number (retired + 1) */
};

struct tessera_debugger {
  struct api_handle handle; /* API_DEBUGGER */
  struct gdb_machine machine;
  struct gdb_history history;
  uint64_t cycle;     /* the place */
  uint64_t cycle_max; /* continue stops there */
  uint64_t end_cycle; /* the cycle at which the run ended, if it has */
  enum gdb_end end;   /* its result; GDB_END_TIME: the run has not ended */
  char *end_text;     /* the explanation of the end; NULL */
  bool plain;         /* the machine has the state of a run without stops */
  bool middle;        /* the machine has stopped in the middle of the next cycle (middle.h) */
  struct gdb_inside inside;
  struct gdb_passed passed;
  struct gdb_where focus; /* the core to which commands apply */
  /* number of .ttinsn that the focus has stepped in the group at its pc: the group is pushed in one cycle */
  uint32_t sub;
  struct gdb_where sub_of;
  struct gdb_break breaks[GDB_BREAKS];
  struct gdb_watch watches[GDB_WATCHES];
  struct gdb_condition conditions[GDB_CONDITIONS];
  struct gdb_stop stop;
  struct gdb_trail trail;
  uint32_t attached[GDB_UNITS]; /* 1: gdb debugs the cores of this tile */
  /* The host program limits the run (host/abi/debug.h): waits, and returns a cycle later than `now`; 0: the run is over.
   * `changed`: the host has changed the machine. NULL: no limit. */
  uint64_t (*grant)(void *context, uint64_t now, bool *changed);
  void *grant_context;
  uint64_t granted;
  bool asked;                        /* a stop was requested during the wait */
  int (*interrupted)(void *context); /* called between pieces; NULL */
  void *interrupted_context;
  char error[256]; /* error of tessera_debugger_serve */
  /* memory of searches, from the first one on: probe.c, back.c, reads.c */
  void *looks, *looks_back;
  struct gdb_reads *reads;
  char *text; /* output of the last command */
  size_t text_length, text_size;
};

static inline struct tx_core *gdb_core(const struct tessera_debugger *d, struct gdb_where w) {
  return &gdb_tile(&d->machine, w.unit)->core[w.core];
}
static inline bool gdb_same(struct gdb_where a, struct gdb_where b) { return a.unit == b.unit && a.core == b.core; }

#endif
