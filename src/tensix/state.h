/* The Tensix tile: one struct of plain data. Everything up to `unsaved` can be copied with memcpy, hashed, saved and restored.
 *
 * All blocks use this state. Each section has a header in state/ and belongs to one block; the others read it and
 * call that block's functions. */
#ifndef TESSERA_TENSIX_STATE_H
#define TESSERA_TENSIX_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "chips/blackhole/address_map.h"
#include "noc/streams.h"
#include "sim/assert.h"
#include "sim/engine.h"
#include "sim/fault.h"
#include "sim/log.h"
#include "tensix/agents.h"
#include "tensix/isa/isa.h"
#include "tensix/params.h"
#include "tensix/state/adc.h"
#include "tensix/state/autosync.h"
#include "tensix/state/bus.h"
#include "tensix/state/config.h"
#include "tensix/state/control.h"
#include "tensix/state/core.h"
#include "tensix/state/core_debug.h"
#include "tensix/state/diag.h"
#include "tensix/state/dst.h"
#include "tensix/state/ethernet.h"
#include "tensix/state/frontend.h"
#include "tensix/state/gate.h"
#include "tensix/state/inflight.h"
#include "tensix/state/l1_ports.h"
#include "tensix/state/lap.h"
#include "tensix/state/mailbox.h"
#include "tensix/state/matrix.h"
#include "tensix/state/memo.h"
#include "tensix/state/mop.h"
#include "tensix/state/mover.h"
#include "tensix/state/noc.h"
#include "tensix/state/pack.h"
#include "tensix/state/pack_stats.h"
#include "tensix/state/perf.h"
#include "tensix/state/pic.h"
#include "tensix/state/ports.h"
#include "tensix/state/replay.h"
#include "tensix/state/rwc.h"
#include "tensix/state/scalar.h"
#include "tensix/state/script.h"
#include "tensix/state/src.h"
#include "tensix/state/sync.h"
#include "tensix/state/units.h"
#include "tensix/state/unpack.h"
#include "tensix/state/vector.h"
#include "tensix/state/watch.h"
#include "tensix/state/what_if.h"
#include "tensix/state/writers.h"
#include "tensix/trail.h"

struct tx_lane_ops;

enum tx_effect_kind {
#define EFFECT(name) TX_EFFECT_##name,
#include "tensix/effects.def"
#undef EFFECT
  TX_EFFECT_COUNT
};

/* Kinds of log events (bit numbers of sim_log masks). */
enum tx_event {
#define EVENT(NAME, name, track, phase, a, b, c, meaning) TX_EVENT_##NAME,
#include "tensix/events.def"
#undef EVENT
  TX_EVENT_COUNT
};
/* An observer of one of these receives every instruction of the cores in its own cycle, so the cores do not run ahead; with
 * timing on they do if it accepts early events. */
#define TX_EVENTS_OF_CORES (1u << TX_EVENT_CORE | 1u << TX_EVENT_CORE_WAIT)

/* The instruction whose body runs now, for diagnostics and faults. */
struct tx_current {
  uint32_t agent;
  uint32_t word;
  uint32_t pc;
  uint32_t unit;
};

/* Pages of L1 whose writes are recorded, for snapshots. */
#define TX_L1_PAGE 4096u
#define TX_L1_PAGES (TX_L1_BYTES / TX_L1_PAGE)

struct tx_unsaved {
  struct tx_matrix_cache matrix;
  struct tx_core_cache cores;
  struct tx_breaks breaks;
  struct tx_vector_cache vector;
  struct sim_log log;
  struct tx_answer answer[TX_THREADS];       /* this cycle: result of the gate's request phase */
  const struct tx_script *scripts[TX_CORES]; /* op lists of the scripted cores */
  struct tx_network network;                 /* the connection to the NoC */
  struct tx_pack_cache pack;                 /* how current the decoded configuration of PACR is */
  struct tx_unpack_plan unpack[2][2];        /* of each unpacker's last UNPACR in an even and in an odd context */
  uint64_t harmless_to_unpack;               /* writes to configuration that change no plan */
  uint64_t harmless_to_matrix;               /* ... and none of the formats and styles in `matrix` */
  struct tx_writers writers;                 /* of the words for a hang report */
  struct tx_memo memo;                       /* past accesses, for reports */
  uint64_t l1_same[TX_L1_PAGES / 64];        /* one bit per page of L1: not written since its owner set the bit */
  uint64_t l1_given[TX_L1_PAGES / 64];       /* one bit per page of L1: the host wrote there before the first cycle */
  const struct tx_lane_ops *lane_ops;        /* arithmetic of the vector unit for this processor */
  const struct tx_ports *ports;              /* of the tile, for the layers below it */
  void *check;                               /* of the checker that owns the ports, or NULL */
  struct tx_what_if *what_if;                /* NULL: the unchanged machine */
  struct {                                   /* called after each packet has arrived; NULL: not wanted */
    void (*note)(void *context, const struct noc_packet *packet);
    void *context;
  } arrivals;
  struct tx_atomic_listener *atomics; /* NULL: none */
  const char *debug_refusal;          /* why the last command to a core's debug interface had no effect; NULL: it had */
  sim_time settling;                  /* the cycle through which a front end is being stepped; 0: none */
  struct tx_lap_notes *lap;           /* NULL: no notes are taken about a lap */
};

/* Blocks that the invariant build follows with a guard. */
/* clang-format off */
#define TX_GUARDS(GUARD) \
  GUARD(engine) GUARD(fault) GUARD(frontend) GUARD(autosync) GUARD(units) GUARD(config) \
  GUARD(scalar) GUARD(src) GUARD(dst) GUARD(vector) GUARD(unpack) GUARD(pack) \
  GUARD(mailboxes) GUARD(niu) GUARD(core) GUARD(diag) GUARD(l1)
/* clang-format on */

struct tx_tile {
  struct sim_engine engine;
  SIM_GUARD(engine);
  uint32_t timing;   /* 0: every instruction costs one cycle */
  uint32_t l1_bytes; /* TX_L1_BYTES, less in an Ethernet tile */
  struct tx_params params;
  struct tx_current current;
  struct sim_fault fault;
  SIM_GUARD(fault);
  struct tx_frontend frontend[TX_THREADS];
  SIM_GUARD(frontend);
  struct tx_autosync autosync[TX_THREADS];
  SIM_GUARD(autosync);
  struct tx_gate gate[TX_THREADS];
  struct tx_arbiter arbiter;
  struct tx_unit_state units[TX_UNIT_COUNT];
  SIM_GUARD(units);
  struct tx_sync sync;
  struct tx_config config;
  SIM_GUARD(config);
  struct tx_rwc rwc[TX_THREADS];
  struct tx_adc adc[TX_THREADS];
  struct tx_adc_watch adc_watch;
  struct tx_scalar scalar;
  SIM_GUARD(scalar);
  struct tx_src src;
  SIM_GUARD(src);
  struct tx_dst dst;
  SIM_GUARD(dst);
  struct tx_matrix matrix;
  struct tx_vector vector;
  SIM_GUARD(vector);
  struct tx_unpack unpack;
  SIM_GUARD(unpack);
  struct tx_inflight inflight;
  struct tx_l1_ports l1_ports;
  struct tx_mover mover;
  struct tx_pack_stats pack_stats;
  struct tx_pack pack;
  SIM_GUARD(pack);
  struct noc_streams streams;
  struct tx_trail buffer_writer[NOC_STREAMS_MAX][2]; /* circular buffers: tiles acknowledged, tiles received */
  struct tx_control control;
  struct tx_perf perf;
  struct tx_core_debug core_debug;
  struct tx_mailboxes mailboxes;
  SIM_GUARD(mailboxes);
  struct tx_pcbufs pcbufs;
  struct tx_pic pic;
  struct tx_watch watch[TX_WATCHES];
  struct noc_niu niu[TX_NOCS];
  SIM_GUARD(niu);
  struct tx_ethernet ethernet;
  struct tx_core core[TX_CORES]; /* T0, T1, T2, BRISC, NCRISC */
  SIM_GUARD(core);
  struct tx_core_port port[5]; /* T0, T1, T2, BRISC, NCRISC: requests in progress (bus.c) */
  struct tx_script_state script[TX_CORES];
  struct tx_diag diag;
  SIM_GUARD(diag);
  union {
    uint8_t l1[TX_L1_BYTES];
    struct { /* an Ethernet tile: its L1 is smaller, and its link lies behind it */
      uint8_t ethernet_l1[TX_ETH_L1_BYTES];
      struct tx_link link;
    };
  };
  SIM_GUARD(l1);
  struct tx_unsaved unsaved; /* last: not part of the state */
};

#endif
