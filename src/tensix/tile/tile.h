/* The Tensix tile: one struct of plain data. Everything up to `unsaved` can be copied with memcpy, hashed, saved and restored.
 *
 * Each section belongs to one file; others read it and call that file's functions. */
#ifndef TESSERA_TENSIX_TILE_H
#define TESSERA_TENSIX_TILE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/engine.h"
#include "sim/fault.h"
#include "sim/log.h"
#include "tensix/agents.h"
#include "tensix/diag.h"
#include "tensix/frontend/autosync.h"
#include "tensix/frontend/frontend.h"
#include "tensix/frontend/gate.h"
#include "tensix/isa/isa.h"
#include "tensix/mem/inflight.h"
#include "tensix/mem/l1.h"
#include "tensix/params.h"
#include "tensix/regs/adc.h"
#include "tensix/regs/dst.h"
#include "tensix/regs/pack_stats.h"
#include "tensix/regs/rwc.h"
#include "tensix/regs/src.h"
#include "tensix/riscv/core.h"
#include "tensix/tile/bus.h"
#include "tensix/tile/control.h"
#include "tensix/tile/core_debug.h"
#include "tensix/tile/ethernet.h"
#include "tensix/tile/mailbox.h"
#include "tensix/tile/noc.h"
#include "tensix/tile/pic.h"
#include "tensix/tile/script.h"
#include "tensix/tile/streams.h"
#include "tensix/tile/watch.h"
#include "tensix/trail.h"
#include "tensix/unit/config.h"
#include "tensix/unit/matrix/matrix.h"
#include "tensix/unit/mover.h"
#include "tensix/unit/pack/pack.h"
#include "tensix/unit/scalar.h"
#include "tensix/unit/sync.h"
#include "tensix/unit/units.h"
#include "tensix/unit/unpack/unpack.h"
#include "tensix/unit/vector/vector.h"

enum tx_effect_kind {
#define EFFECT(name) TX_EFFECT_##name,
#include "tensix/tile/effects.def"
#undef EFFECT
  TX_EFFECT_COUNT
};

/* Kinds of log events (bit numbers of sim_log masks). */
enum tx_event {
  TX_EVENT_ISSUE,   /* agent = thread, a = word, b = pc, c = unit */
  TX_EVENT_BLOCK,   /* agent, a = wait kind, b = object */
  TX_EVENT_FINDING, /* agent, a = diagnostic, b = word, c = place in tx_diag.findings */
  TX_EVENT_FAULT,
  TX_EVENT_CORE, /* agent = core, a = word, b = pc, c = value written | register << 32 (64: none) */
};

/* The instruction whose body runs now: what diagnostics and faults name. */
struct tx_current {
  uint32_t agent;
  uint32_t word;
  uint32_t pc;
  uint32_t unit;
};

struct tx_unsaved {
  struct tx_matrix_cache matrix;
  struct tx_core_cache cores;
  struct tx_breaks breaks;
  struct tx_vector_cache vector;
  struct sim_log log;
  struct tx_answer answer[TX_THREADS];       /* this cycle: what the gate found in the request phase */
  const struct tx_script *scripts[TX_CORES]; /* op lists of the scripted cores */
  struct tx_network network;                 /* the way out of the tile */
  const struct tx_lane_ops *lane_ops;        /* arithmetic of the vector unit for this processor */
};

struct tx_tile {
  struct sim_engine engine;
  uint32_t timing; /* 0: every instruction costs one cycle */
  uint32_t l1_bytes; /* TX_L1_BYTES, less in an Ethernet tile */
  struct tx_params params;
  struct tx_current current;
  struct sim_fault fault;
  struct tx_frontend frontend[TX_THREADS];
  struct tx_autosync autosync[TX_THREADS];
  struct tx_gate gate[TX_THREADS];
  struct tx_arbiter arbiter;
  struct tx_unit_state units[TX_UNIT_COUNT];
  struct tx_sync sync;
  struct tx_config config;
  struct tx_rwc rwc[TX_THREADS];
  struct tx_adc adc[TX_THREADS];
  struct tx_adc_watch adc_watch;
  struct tx_scalar scalar;
  struct tx_src src;
  struct tx_dst dst;
  struct tx_matrix matrix;
  struct tx_vector vector;
  struct tx_unpack unpack;
  struct tx_inflight inflight;
  struct tx_mover mover;
  struct tx_pack_stats pack_stats;
  struct tx_pack pack;
  struct noc_streams streams;
  struct tx_trail buffer_writer[TX_STREAMS][2]; /* circular buffers: tiles acknowledged, tiles received */
  struct tx_control control;
  struct tx_core_debug core_debug;
  struct tx_mailboxes mailboxes;
  struct tx_pcbufs pcbufs;
  struct tx_pic pic;
  struct tx_watch watch[TX_WATCHES];
  struct noc_niu niu[TX_NOCS];
  struct tx_ethernet ethernet;
  struct tx_core core[TX_CORES]; /* T0, T1, T2, BRISC, NCRISC */
  struct tx_core_port port[5];   /* T0, T1, T2, BRISC, NCRISC: requests under way (bus.c) */
  struct tx_script_state script[TX_CORES];
  struct tx_diag diag;
  uint8_t l1[TX_L1_BYTES];
  struct tx_unsaved unsaved; /* last: not part of the state */
};

/* Fills a tile of caller's memory with the reset state. */
void tx_tile_reset(struct tx_tile *t, bool timing);
/* The same for memory that is zero already: pages that nothing writes stay untouched. */
void tx_tile_reset_zeroed(struct tx_tile *t, bool timing);
/* Runs up to and including cycle `until`; stops early on a fault, when everything is done, or when nothing can go on. */
enum sim_end tx_tile_run(struct tx_tile *t, sim_time until);
/* A tile in which nobody has anything to do (all cores held or stopped): its clock goes on to `until` all the same. false: there is
 * something to do, or a fault; nothing happened. */
bool tx_tile_rest(struct tx_tile *t, sim_time until);
/* For a tile in a chip: all cycles up to and including `until`, even when nothing can go on by itself: a packet may come. */
enum sim_end tx_tile_run_window(struct tx_tile *t, sim_time until);
uint64_t tx_tile_hash(const struct tx_tile *t);                          /* over everything before `unsaved` */
void tx_tile_copy_state(struct tx_tile *to, const void *from); /* all but `unsaved`; `from` need not be aligned */
/* When this thread's front end is empty and nothing of it is in any unit: a time, or SIM_NEVER while that is not known. */
sim_time tx_tile_idle_at(struct tx_tile *t, unsigned thread);
bool tx_tile_thread_idle(struct tx_tile *t, unsigned thread);

void tx_tile_use_scalar(struct tx_tile *t); /* plain scalar arithmetic instead of vector code */

/* Records the first fault and stops the machine; later ones are dropped. Agent and instruction come from t->current. */
void tx_fault(struct tx_tile *t, enum sim_fault_kind kind, const char *document, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Schedules an effect `cycles` from now (timing off: next cycle). */
void tx_later(struct tx_tile *t, uint32_t cycles, enum tx_effect_kind kind, const uint32_t w[SIM_EFFECT_WORDS]);

/* The instruction whose body runs now, as a trail. */
static inline struct tx_trail tx_trail_now(const struct tx_tile *t) {
  return (struct tx_trail){.cycle = t->engine.now, .pc = t->current.pc, .agent = (uint16_t)t->current.agent, .known = 1};
}

static inline sim_time tx_now(const struct tx_tile *t) { return t->engine.now; }
/* What an effect changes is looked at in this cycle, what an instruction changes in the next. */
static inline void tx_signal(struct tx_tile *t, unsigned channel) {
  sim_signal(&t->engine, TX_CH(channel), t->engine.now + (t->engine.in_effects ? 0 : 1));
}

#endif
