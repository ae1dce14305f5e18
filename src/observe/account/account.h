/* The account of cycles: for every core, thread and unit each cycle of the run is in exactly one category (counters.def).
 *
 * An account is computed from events only and can be read at any time. Events of a core that runs ahead of the tile wait in the
 * account until the tile reaches their cycle. */
#ifndef TESSERA_OBSERVE_ACCOUNT_ACCOUNT_H
#define TESSERA_OBSERVE_ACCOUNT_ACCOUNT_H

#include "sim/text.h"
#include "tensix/tile/tile.h"

/* Categories: the reasons of agents.h, then the rows of counters.def. */
enum obs_category {
  OBS_CATEGORY_ROWS = TX_REASON_COUNT - 1,
#define COUNTER(NAME, name, of, meaning) OBS_##NAME,
#include "observe/account/counters.def"
#undef COUNTER
  OBS_CATEGORIES
};
const char *obs_category_name(unsigned category);

/* Events that an account needs. */
#define OBS_ACCOUNT_EVENTS \
  (1u << TX_EVENT_ISSUE | 1u << TX_EVENT_BLOCK | 1u << TX_EVENT_UNIT | 1u << TX_EVENT_RETIRE | TX_EVENTS_OF_CORES)

enum obs_of { OBS_OF_CORE, OBS_OF_THREAD, OBS_OF_UNIT, OBS_OFS };

/* Cycles [next, ...) are not in a category yet. */
struct obs_account_row {
  sim_time next;
  uint64_t cycles[OBS_CATEGORIES];
};

#define OBS_EARLY 256u /* a core is at most TX_CORE_AHEAD cycles ahead and logs at most two events per cycle */
struct obs_early {
  uint32_t first, count;
  struct sim_event event[OBS_EARLY];
};

struct obs_account {
  const struct tx_tile *t;
  sim_time from;  /* the account begins after this cycle */
  sim_time until; /* and was settled in this one: the tile's clock may have gone on since */
  struct obs_account_row core[TX_CORES], thread[TX_THREADS], unit[TX_UNIT_COUNT];
  uint32_t kind[TX_THREADS];       /* the resource that the thread is blocked on; 0: none */
  uint32_t word[TX_THREADS];       /* the waiting instruction */
  uint32_t pc[TX_THREADS];         /* of its push */
  uint32_t object[TX_THREADS];     /* of the wait */
  sim_time held_until[TX_THREADS]; /* held by its own instruction until this cycle */
  sim_time busy_until[TX_UNIT_COUNT];
  /* bit per thread whose next instruction is for this unit and waits for another resource */
  uint32_t waiting[TX_UNIT_COUNT];
  /* Called for each span of cycles that is added to a category of a core or thread; NULL: not called. */
  void (*spent)(void *context, unsigned agent, unsigned category, uint32_t pc, uint32_t object, uint64_t cycles);
  /* the same for cycles that the account had and that are behind its end */
  void (*unspent)(void *context, unsigned agent, unsigned category, uint32_t pc, uint32_t object, uint64_t cycles);
  /* A counter of a circular buffer has changed (TX_EVENT_BUFFER, if the log has it); NULL: not called. */
  void (*counted)(void *context, const struct sim_event *e);
  void *context;
  sim_time
      logged[TX_CORES]; /* the cycles before this one are in the core's events; tx_core_log.next when they were logged */
  uint64_t
      guess[TX_CORES]; /* the last cycles of its row, if their reason is not logged yet: TX_REASON_PIPELINE until then */
  uint32_t guess_pc[TX_CORES];
  struct obs_early early[TX_CORES];
};

/* The reason (enum tx_reason) of the cycles between the core's last instruction and its present wait, which are logged when it acts again. */
uint32_t obs_core_before_wait(const struct tx_tile *t, unsigned core, uint32_t *object);

void obs_account_begin(struct obs_account *a, const struct tx_tile *t); /* from the next cycle on */
/* Forgets all cycles up to and including `from`, which the tile has reached: the account then begins after it. */
void obs_account_restart(struct obs_account *a, sim_time from);
void obs_account_event(struct obs_account *a, const struct sim_event *e);
/* Adds the cycles since the last event of each core, thread and unit to its category, up to the cycle `last`, which the tile has
 * reached. The tile must not be running. */
void obs_account_settle(struct obs_account *a, sim_time last);
const struct obs_account_row *obs_account_row(const struct obs_account *a, enum obs_of of, unsigned index); /* or NULL */
uint64_t obs_account_cycles(const struct obs_account *a); /* to which each row sums, after obs_account_settle */
/* One line per core, thread and unit that was active: shares of its cycles, largest first. After obs_account_settle. */
void obs_account_text(const struct obs_account *a, struct sim_text *out);

/* ,"account":{"cycles":N,"cores":{"BRISC":{"issue":1,...},...},...} */
void obs_account_json(const struct obs_account *a, struct sim_text *out);

#endif
