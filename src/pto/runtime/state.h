/* The PTO machine: three cores with in-order pipes on the engine, cross-core flags, rings with their shadow, memories.
 *
 * An agent is one pipe of one core; pipe S of a core is its scalar unit, which executes the program and queues work on
 * the others. A pipe's queue holds items: wait for a flag, work for some cycles, set a flag.
 * Two pipes of a core are ordered by tickets: every item of a pipe has a number, pipes finish in order, and an item
 * names for each other pipe the number that must be finished before it starts. The program's data dependencies give
 * these numbers (what a compiler inserts as set_flag and wait_flag); in a function with manual synchronisation they are
 * only compared, and a violation is a finding.
 *
 * Data moves when the work that moves it ends. Not modelled: fractal layouts (tiles are row-major), caches, bank
 * conflicts. */
#ifndef TESSERA_PTO_RUNTIME_STATE_H
#define TESSERA_PTO_RUNTIME_STATE_H

#include "pto/program/program.h"
#include "pto/runtime/events.h"
#include "pto/runtime/finding.h"
#include "pto/runtime/schedule.h"
#include "sim/csem.h"
#include "sim/engine.h"
#include "sim/fault.h"
#include "sim/log.h"
#include "sim/ring.h"

#define PTO_QUEUE_MAX 32u
#define PTO_FINDINGS_MAX 64u
#define PTO_LOCAL_EVENTS 8u
#define PTO_RECORDS (PTO_TILES_MAX + PTO_PIPES_MAX * PTO_SLOTS_MAX)
#define PTO_HELD_MAX 16u

/* A rectangle of bytes in any memory of the machine, read or written by an item. */
struct pto_ref {
  uint8_t core, loc, dtype, zero_copy; /* zero_copy: in a ring slot, not in a copy */
  int8_t pipe, direction;              /* pipe and direction of the slot; -1: none */
  uint16_t slot;
  uint32_t rows, cols, row_stride, col_stride; /* elements */
  uint64_t addr;
  uint64_t version;      /* expected tile index of the slot's content */
  uint32_t lanes;        /* zero_copy or slot write: bit per lane whose ring is used */
  uint32_t block_cols;   /* TMPipe, wide tiles: columns of one block; 0: not split */
  uint32_t block_stride; /* elements from one block to the next */
  uint32_t pad;
};

enum pto_item_kind { PTO_ITEM_WAIT, PTO_ITEM_SET, PTO_ITEM_MARK, PTO_ITEM_WORK, PTO_ITEM_LOCAL_SET, PTO_ITEM_LOCAL_WAIT };
enum pto_mark { PTO_BEGIN_WRITE = 1, PTO_END_WRITE = 2, PTO_BEGIN_READ = 4, PTO_END_READ = 8 };

struct pto_item {
  uint8_t kind, flag;
  uint8_t at_start, at_end; /* marks for the ring's shadow */
  int16_t pipe;
  uint8_t direction, lanes, split;
  uint8_t role; /* enum pto_role: purpose of a WAIT or SET */
  uint8_t ref_count;
  uint8_t recorded;  /* a push that sets the ready signal */
  uint8_t unit_flag; /* M and FIX hand the accumulator over in hardware */
  uint16_t slot;
  uint32_t count;    /* WAIT, SET: how many */
  uint32_t gm_bytes; /* bytes of global memory's bandwidth; 0: none, or the program gives the cost */
  uint32_t cost;
  uint32_t instr, line;
  uint64_t tile;
  uint64_t content;         /* STORE: of the tile (content.h) */
  uint32_t epoch, issued;   /* order.h: what the scalar unit had waited for, and its instruction */
  uint32_t need[PTO_UNITS]; /* tickets of the other pipes that must be finished */
  uint32_t needs;           /* bit per pipe with a ticket in `need` */
  struct pto_ref dst, src[3];
};

enum pto_role { PTO_ROLE_NONE, PTO_ROLE_READY, PTO_ROLE_FREE, PTO_ROLE_DRAIN, PTO_ROLE_BARE };

/* enum sim_wait.kind of this machine. object: FLAG core * 32 + flag; DEP unit; QUEUE unit; LOCAL src * 64 + dst * 8 +
 * event. */
enum pto_wait_kind {
  PTO_WAIT_NOTHING,
  PTO_WAIT_FLAG,
  PTO_WAIT_DEP,
  PTO_WAIT_QUEUE,
  PTO_WAIT_LOCAL,
  PTO_WAIT_DRAIN,
  PTO_WAIT_POOL,
  PTO_WAIT_KINDS,
};

struct pto_queue {
  uint32_t head, count;
  uint32_t issued, done; /* tickets */
  uint32_t started;      /* items whose delay has passed: the schedule's counter */
  uint8_t running, delayed, pad[2];
  uint32_t taken; /* credits taken so far by the WAIT at the head */
  sim_time begin, end;
  struct pto_item items[PTO_QUEUE_MAX];
};

/* The state of one end of a pipe in one core. */
struct pto_end {
  uint64_t prod_tile, cons_tile;
  uint64_t pushed, popped, freed;         /* calls, regardless of setTileId */
  uint64_t waited;                        /* credits taken by pushes */
  uint64_t notified;                      /* credits given */
  uint64_t unrecorded, unwaited, unfreed; /* calls with the status off */
  uint64_t pushes_done, pops_done;        /* pushes and pops whose data has moved */
  uint64_t ready_done, free_done;         /* flags that were set, not only queued */
  int64_t prod_offset, cons_offset;
  uint8_t is_allocate, is_record, is_wait, is_free;
  uint8_t built, lanes_used, pad[2];
  uint64_t held[PTO_HELD_MAX]; /* tile ids of the latest pops that are not freed yet */
  uint32_t last_push_line, last_pop_line;
};

/* Last writer and readers of a tile or slot buffer: tickets of this core's pipes. */
struct pto_record {
  uint32_t write_unit, write_ticket;
  uint32_t read_ticket[PTO_UNITS];
  uint32_t readers; /* bit per unit whose read_ticket is set */
  uint32_t read_line, write_line;
  uint32_t unit_ticket; /* FIX's ticket of the last store, which returns the accumulator by the unit flag */
};

/* The slot to which a popped tile is bound. */
struct pto_binding {
  uint64_t addr, version, pop; /* pop: number of the pop on this core's end */
  int16_t pipe;                /* -1: not bound */
  uint16_t record;
  uint16_t slot;
  uint8_t direction, zero_copy, lanes, pad;
  uint32_t line;
  uint32_t overwritten_line; /* line of a later pop that overwrote these bytes */
  uint32_t bytes;
};

/* A tile that the write of a slot has overwritten. */
struct pto_lost {
  uint32_t line; /* line of the write; 0: none */
  int16_t pipe;
  uint16_t slot;
};

/* The bytes that a tile was written with, and a later write of another tile to them. */
struct pto_written {
  uint64_t begin, end; /* end 0: not written */
  uint32_t line;       /* of the later write; 0: none */
  int32_t by;
};

struct pto_core_state {
  uint32_t pc;
  uint8_t waited; /* the S-wide wait of the current instruction is done */
  uint8_t finished, present, lane;
  uint32_t taken;       /* credits taken so far by the S-wide wait */
  uint32_t teardown;    /* 1 + next pipe to tear down, counting down; 0: not started */
  uint32_t target_slot; /* per-slot policies: next slot of the tear-down */
  uint32_t started;     /* instructions whose delay has passed */
  uint8_t delayed, pad[3];
  uint32_t epoch, tick; /* order.h: how often the scalar unit has waited, and its instruction */
  uint64_t instructions;
  int64_t regs[PTO_REGS_MAX];
  uint32_t event_unit[PTO_EVENTS_MAX], event_ticket[PTO_EVENTS_MAX];
  uint8_t local[PTO_UNITS][PTO_UNITS][PTO_LOCAL_EVENTS];
  struct pto_end ends[PTO_PIPES_MAX];
  struct pto_binding tile_binding[PTO_TILES_MAX];
  struct pto_binding view_binding[PTO_VIEWS_MAX];
  struct pto_record records[PTO_RECORDS];
  struct pto_lost lost[PTO_TILES_MAX];
  uint64_t content[PTO_TILES_MAX]; /* content.h */
  struct pto_written written[PTO_TILES_MAX];
  uint32_t valid[PTO_TILES_MAX][2]; /* 1 + the valid rows and columns set at run time; 0: as declared */
};

/* The counter of a flag, and the setters of the credits in it. */
struct pto_flag {
  struct sim_csem sem;
  int16_t origin_pipe[16];
  uint32_t origin_line[16];
  uint32_t origin_head, origin_count;
  uint32_t set_line[PTO_CORES]; /* of the last set of each core */
  uint64_t sets[PTO_CORES];     /* number of sets since the start, by the core that sets */
};

struct pto_direction_state {
  struct sim_ring ring[2];            /* one ring per lane */
  uint8_t recorded[2][PTO_SLOTS_MAX]; /* the ready flag of the tile in the slot was set */
  uint32_t word[PTO_SLOTS_MAX];       /* CTRL: the slots themselves */
  uint32_t occupied, occupied_max;
  uint32_t reserved; /* pushes whose tile has not been read: the shared pool of pto-isa#301 */
  uint32_t pad;
  sim_time changed;
  uint64_t occupied_cycles[PTO_SLOTS_MAX + 1]; /* time spent at each occupancy */
};

struct pto_stats {
  uint64_t busy[PTO_AGENTS];
  uint64_t items[PTO_AGENTS];
  uint64_t stalled[PTO_AGENTS][PTO_WAIT_KINDS];
  /* Waits of a core for flags of a TPipe while none of its pipes works: [0] for a free slot, [1] for a tile. The drain of a destructor is
   * neither. */
  uint64_t waited[PTO_PIPES_MAX][PTO_CORES][2];
  uint64_t busy_before[PTO_AGENTS]; /* the core's busy cycles when the agent's wait began */
  uint64_t core_busy[PTO_CORES];    /* cycles in which at least one pipe of the core works */
  sim_time core_began[PTO_CORES];
  uint32_t core_working[PTO_CORES], pad; /* pipes that work now; the first of them since core_began */
};

/* Cycles of one instruction of a core. */
struct pto_spent {
  uint64_t busy;   /* of the pipe that does its work */
  uint64_t waited; /* part of pto_stats.waited */
  uint8_t unit;    /* that pipe */
};

/* Changes of a machine that answer what would be if. All zero: none. */
struct pto_what_if {
  uint32_t no_time;        /* bit per agent whose work takes no cycles and no bandwidth */
  uint8_t no_dependencies; /* bit per core whose pipes do not wait for each other */
  uint8_t no_wait;         /* bit per core that does not wait for tiles (wait_for_tile) or free slots of `wait_pipe` */
  uint8_t wait_for_tile;
  int16_t wait_pipe;
};

/* One direction of a pipe for one core, derived from configuration and policy. */
struct pto_direction_info {
  uint64_t base;          /* first byte of slot 0 */
  uint8_t path;           /* enum pto_fifo */
  uint8_t zero_copy;      /* the popped tile is the slot */
  uint8_t ready, free_id; /* flag ids */
  uint8_t push_unit, pop_unit;
  uint8_t wait_free_unit, set_ready_unit, wait_ready_unit, set_free_unit;
  uint8_t advance; /* increment of the tile id per push or pop */
  uint8_t pad;
  uint32_t period;                   /* the same for both directions */
  uint32_t slots, slot_size, factor; /* factor: pto_pipe_factor */
};

/* Global memory's own bandwidth, which the blocks of a grid share: transfers are served one after the other, each for the time
 * that its bytes take at the full rate. In 1/1024 cycles. */
struct pto_gm_link {
  uint64_t free_at;
  uint64_t busy; /* time in which the link was busy, in 1/1024 cycle, for the report */
};

enum pto_end_kind { PTO_RAN, PTO_FAULTED, PTO_DEADLOCKED, PTO_HAZARD_STOP, PTO_TIME_LIMIT, PTO_GOING_ON };

struct pto_machine {
  struct sim_engine engine;
  uint64_t waiting; /* bit per agent that is blocked */
  struct pto_queue queues[PTO_AGENTS];
  struct pto_core_state cores[PTO_CORES];
  struct pto_flag flags[PTO_CORES][PTO_FLAGS];
  struct pto_direction_state directions[PTO_PIPES_MAX][PTO_DIRECTIONS];
  struct pto_schedule schedule;
  struct pto_stats stats;
  struct sim_fault fault;
  uint32_t dispatch, dispatch_limit; /* dispatch_limit 0: the number of dispatches given in the program */
  uint32_t finding_count;
  uint64_t finding_total[PTO_FIND_KINDS];
  struct pto_finding findings[PTO_FINDINGS_MAX];
  uint32_t pad2;
  uint8_t with_data, strict, deadlocked, pad[5];
  /* --- not saved --- */
  const struct pto_program *program;
  const char *file; /* of the program's source, for reports; NULL: it has none */
  const struct pto_profile *profile;
  const struct pto_function *function[PTO_CORES]; /* the function of each core; NULL: none */
  const struct pto_policy *policy[PTO_PIPES_MAX];
  int policy_asked; /* policy that the caller has set for all pipes; -1: each pipe has its policy of the program */
  struct pto_direction_info direction_info[PTO_PIPES_MAX][PTO_DIRECTIONS][PTO_CORES];
  uint8_t lanes[PTO_PIPES_MAX][PTO_SPLITS]; /* lanes that take part with a split mode */
  uint8_t lanes_present[PTO_PIPES_MAX];     /* lanes that run a program with the pipe */
  uint8_t counted_lane[PTO_PIPES_MAX];      /* the lane whose occupancy is recorded */
  uint8_t engine_id[PTO_AGENTS]; /* by agent: its number in the engine; PTO_NO_ENGINE_ID: it never receives work */
  uint8_t agent_at[PTO_AGENTS];  /* by number in the engine: the agent */
  uint8_t core_at[PTO_AGENTS], unit_at[PTO_AGENTS]; /* by number in the engine: the core and the unit of that agent */
  uint8_t any_overlap, one_vector, rings_meet;
  uint8_t tiles_meet[PTO_CORES]; /* tiles of this core overlap */
  uint8_t overlaps[PTO_CORES];   /* a pipe's slots overlap tiles of this core */
  struct sim_log log;
  struct pto_what_if what_if;
  uint64_t elements;                  /* products and sums of this run, about: with data */
  uint64_t work;                      /* of this run: scalar instructions executed, and PTO_WORK_OTHER for any other one */
  struct pto_spent *spent[PTO_CORES]; /* by instruction; NULL: the core runs no program */
  uint8_t refused; /* 1: the C++ headers of PTO would reject the program at compile time, so the machine does not run it */
  uint32_t refused_line;
  char refused_why[480];
  uint32_t block, blocks;   /* index of this block in its grid, and number of blocks in the grid */
  struct pto_gm_link *link; /* the link to global memory that the blocks share; NULL: the grid has one block */
  uint8_t *gm;              /* the rings; for a machine without a grid, also the tensors after them */
  uint8_t *gm_tensors;      /* the tensors, shared by all blocks of a grid */
  uint8_t gm_owned;
  uint8_t *local[PTO_CORES][PTO_LOCS];
  struct pto_order *order;            /* order.h */
  struct pto_slot_use *slot_uses;     /* order.h: by pipe, direction, lane and slot */
  struct pto_races *races;            /* race.h; shared by the blocks of a grid */
  uint8_t races_owned, races_watched; /* watched: a tensor is checked */
  uint8_t events_used;                /* a push gives an event, which an instruction may wait for */
  double *scratch;                    /* three decoded operands */
};
#define PTO_NO_ENGINE_ID 0xffu

/* check, explore and sweep run a program many times: each run has at most this work, about half a second, so that a loop of 10^11 rounds
 * ends with one line. A machine polls both this and a requested stop after PTO_PART_CYCLES: in a cycle a core executes up to 4096 scalars. */
#define PTO_WORK_MAX (UINT64_C(1) << 26)
#define PTO_WORK_OTHER 16u
#define PTO_PART_CYCLES (UINT64_C(1) << 13)
#define PTO_WORK_WORDS "a run has more than 67108864 scalar instructions (any other counts as 16)"
#define PTO_SCRATCH 262144u /* elements of one operand: the largest local memory in bytes */

/* A byte of global memory. */
static inline uint8_t *pto_gm_at(const struct pto_machine *m, uint64_t addr) {
  return addr < m->program->ring_bytes ? m->gm + addr : m->gm_tensors + (addr - m->program->ring_bytes);
}

static inline const struct pto_instr *pto_instr_at(const struct pto_machine *m, unsigned core, uint32_t instr) {
  return &m->function[core]->instrs[instr];
}

static inline int64_t pto_scalar(const struct pto_core_state *core, struct pto_value v) {
  return v.reg >= 0 ? core->regs[v.reg] : v.imm;
}

#endif
