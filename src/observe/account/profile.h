/* Cycles by instruction: for every pc of a core, the cycles in which an instruction began there and the cycles of each kind of wait; the
 * same for the Tensix instructions of each thread, by the pc that pushed them.
 *
 * A table of fixed size: when it is full, the rest is counted in `lost`. Rows without cycles are of instructions before the region. */
#ifndef TESSERA_OBSERVE_ACCOUNT_PROFILE_H
#define TESSERA_OBSERVE_ACCOUNT_PROFILE_H

#include "debug/entry.h"
#include "debug/program.h"
#include "observe/account/account.h"
#include "observe/trace/trace.h"
#include "observe/why/path.h"

#define OBS_PROFILE_ROWS 65536u

/* Arrivals at an instruction that do not follow from the one before it, by the instruction that jumped; more than two: together. */
#define OBS_JUMPS 2u
struct obs_jumps {
  uint32_t from, times;
};

struct obs_profile_row {
  uint64_t key;    /* pc, agent and category; 0: the row is free */
  uint64_t cycles; /* since the region began */
  uint64_t times;  /* since the profile was attached */
  uint32_t pc;
  uint32_t object; /* of the last wait: an address, a unit, semaphores */
  uint16_t agent;
  uint16_t category; /* enum obs_category */
  struct obs_jumps jumps[OBS_JUMPS];
  uint32_t jumps_of_others;
};

/* Calls that are not inlined: by the instruction that calls and the function's first one. Calls beyond these are in no list. */
#define OBS_CALLS 1024u
#define OBS_CALL_DEPTH 64u
struct obs_call {
  uint32_t site, entry;
  uint16_t core;
  uint64_t times;                  /* 0: the place is free */
  uint64_t cycles[OBS_CATEGORIES]; /* of the core, from the call until it returns */
};

/* Jumps that were looked up in the symbols. */
#define OBS_JUMP_KINDS 256u
struct obs_jump_kind {
  uint32_t from, to;
  bool changes; /* the function: the jump is the last call of the one that it leaves */
};

struct obs_call_stack {
  uint64_t cycles[OBS_CATEGORIES]; /* of the core so far */
  uint32_t pc;                     /* of the last instruction; 0: none */
  uint32_t depth;
  /* functions that are active, by their first instruction: frame[i] is a call of function[i + 1] by function[i]; 0: not known */
  uint32_t function[OBS_CALL_DEPTH + 1];
  uint16_t hidden_by[OBS_CALL_DEPTH]; /* the depth at which the calling function is active again; 0: it is not */
  struct {
    uint32_t call;                   /* into `calls` */
    uint64_t before[OBS_CATEGORIES]; /* cycles of the core when it called */
  } frame[OBS_CALL_DEPTH];
};

/* Where an account begins: the first of these entries that a core reaches, or the first begin of a zone. */
struct obs_region {
  uint32_t entry[TX_CORES][DBG_ENTRIES];
  uint32_t count[TX_CORES]; /* of the entries of a core */
  char zone[OBS_ZONE_NAME]; /* "": no zone */
};

/* The last small packet of another tile to a word; two words may share an entry. */
#define OBS_ARRIVALS 64u
struct obs_arrival {
  sim_time departed;
  uint32_t word; /* + 1; 0: none */
  uint16_t tile; /* its number + 1 */
  uint16_t agent;
};

/* Waits of a circular buffer's consumer during which several pages are pushed: it waits for all of them before it uses the first. Each push
 * wakes the core for one turn of the loop that polls. */
#define OBS_BUFFERS 32u
struct obs_whole_waits {
  uint32_t waits, pages; /* pages: those that it has at the end of such a wait */
  uint64_t cycles;       /* of them */
  uint32_t pushed;       /* its counter after the last of them, + 1; 0: none yet */
  uint32_t block;        /* most pages that one push counted */
  uint16_t consumer;     /* agent */
  sim_time push_at[2];   /* of the last two pushes, the later one first */
  /* the last wait: its begin and end, the instructions of the core so far */
  sim_time begin, end;
  uint64_t issued;
  bool several; /* it is for several pages */
};

struct obs_profile {
  struct obs_account account;
  int sink; /* -1: not attached */
  struct sim_log *log;
  uint32_t count;
  uint64_t lost; /* cycles */
  struct obs_region region;
  sim_time begins;            /* the account begins after this cycle; SIM_NEVER: the region has not begun */
  bool awaits;                /* the region */
  uint32_t last_pc[TX_CORES]; /* of the last instruction of each core; 0: none */
  struct obs_arrival arrivals[OBS_ARRIVALS];
  struct obs_call calls[OBS_CALLS]; /* a hash table */
  struct obs_call_stack stack[TX_CORES];
  struct obs_jump_kind jump_kinds[OBS_JUMP_KINDS];
  const struct dbg_program *program;
  struct obs_whole_waits whole_waits[OBS_BUFFERS];
  struct obs_waits waits;                                /* for the critical path */
  uint32_t sorted;                                       /* rows in `order` */
  const struct obs_profile_row *order[OBS_PROFILE_ROWS]; /* obs_profile_sort: those with cycles, by agent and pc */
  struct obs_profile_row rows[OBS_PROFILE_ROWS];
};

/* Attaches to the tile, which has this program (NULL: none), from the next cycle on; with a region (or NULL), all cycles before it are forgotten when it begins. false: the
 * tile has no free observer slot. */
bool obs_profile_attach(struct obs_profile *p, struct tx_tile *t, const struct dbg_program *program,
                        const struct obs_region *region);
void obs_profile_detach(struct obs_profile *p, struct tx_tile *t);
/* The region has not begun and is no longer awaited: the account is that of all cycles since it was attached. */
void obs_profile_keep_all(struct obs_profile *p);
/* A run has ended: completes the account, up to the cycle `last`. */
void obs_profile_settle(struct obs_profile *p, sim_time last);

/* Is there an account, and has its region begun? */
static inline bool obs_profile_begun(const struct obs_profile *p) { return p && !p->awaits; }

/* Rows in order, and the cycles so far of calls that have not returned. */
void obs_profile_sort(struct obs_profile *p);
/* Adds the rows and calls of another tile's profile to `sum`, which begins as zeros and is attached to no tile. Both tiles have the same
 * program. Sorts `p`. */
void obs_profile_add(struct obs_profile *sum, struct obs_profile *p);
/* Is the address the counter of a circular buffer, of its pushed or of its popped pages? */
bool obs_profile_buffer(uint32_t address, unsigned *buffer, unsigned *pushes);
/* The row of the agent's issues at `pc`; NULL: none. */
const struct obs_profile_row *obs_profile_row(const struct obs_profile *p, unsigned agent, uint32_t pc);

#endif
