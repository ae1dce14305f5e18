/* The account of account.h. */
#include "observe/account/account.h"

#include <string.h>

#include "observe/words.h"

static const struct {
  const char *name, *of, *meaning;
} rows[] = {
#define COUNTER(NAME, name_, of_, meaning_) {.name = name_, .of = of_, .meaning = meaning_},
#include "observe/account/counters.def"
#undef COUNTER
};

const char *obs_category_name(unsigned category) {
  if (category < TX_REASON_COUNT) return obs_reason_name(category);
  return category < OBS_CATEGORIES ? rows[category - TX_REASON_COUNT].name : "?";
}

void obs_account_begin(struct obs_account *a, const struct tx_tile *t) {
  memset(a, 0, sizeof *a);
  a->t = t;
  a->from = a->until = t->engine.now;
  for (unsigned i = 0; i < TX_CORES; i++) {
    a->core[i].next = a->from + 1;
    a->logged[i] = t->unsaved.cores.log[i].next;
  }
  for (unsigned i = 0; i < TX_UNIT_COUNT; i++) a->unit[i].next = a->from + 1;
  for (unsigned i = 0; i < TX_THREADS; i++) {
    a->thread[i].next = a->from + 1;
    a->kind[i] = t->engine.agents[tx_agent_of_thread(i)].wait.kind;
  }
}

static void unit_advance(struct obs_account *a, unsigned unit, sim_time until);

/* A core that is ahead may have been accounted for beyond `from`. */
static void restart_row(struct obs_account_row *row, sim_time from) {
  sim_time beyond = row->next > from + 1 ? row->next - from - 1 : 0;
  memset(row->cycles, 0, sizeof row->cycles);
  row->cycles[OBS_ISSUE] = beyond;
  if (!beyond) row->next = from + 1;
}

void obs_account_restart(struct obs_account *a, sim_time from) {
  a->from = from;
  memset(a->guess, 0, sizeof a->guess);
  for (unsigned i = 0; i < TX_CORES; i++) restart_row(&a->core[i], from);
  for (unsigned i = 0; i < TX_THREADS; i++) restart_row(&a->thread[i], from);
  for (unsigned i = 0; i < TX_UNIT_COUNT; i++) {
    unit_advance(a, i, from + 1);
    restart_row(&a->unit[i], from);
  }
}

/* --- cores --- */

static void spend(struct obs_account *a, unsigned agent, struct obs_account_row *row, sim_time until, unsigned category,
                  uint32_t pc, uint32_t object) {
  if (until <= row->next) return;
  row->cycles[category] += until - row->next;
  if (a->spent) a->spent(a->context, agent, category, pc, object, until - row->next);
  row->next = until;
}

/* A core that was held or stopped now runs. */
static void core_runs(struct obs_account *a, unsigned core) {
  struct obs_account_row *row = &a->core[core];
  unsigned category = row->cycles[OBS_ISSUE] ? OBS_STOPPED : OBS_RESET;
  spend(a, TX_AGENT_TRISC0 + core, row, a->t->core[core].started_at, category, 0, 0);
}

/* The account was settled between two events of the core: the second one has the reason. */
static void take_back(struct obs_account *a, unsigned core) {
  struct obs_account_row *row = &a->core[core];
  const uint64_t cycles = a->guess[core];
  a->guess[core] = 0;
  if (cycles > row->cycles[TX_REASON_PIPELINE]) return;
  row->cycles[TX_REASON_PIPELINE] -= cycles;
  row->next -= cycles;
  if (a->unspent) a->unspent(a->context, TX_AGENT_TRISC0 + core, TX_REASON_PIPELINE, a->guess_pc[core], 0, cycles);
}

__attribute__((noinline)) static void core_event_slowly(struct obs_account *a, const struct sim_event *e) {
  const unsigned core = e->agent - TX_AGENT_TRISC0;
  struct obs_account_row *row = &a->core[core];
  tx_assert(core < TX_CORES);
  if (a->guess[core]) take_back(a, core);
  if (row->next < a->t->core[core].started_at && a->t->core[core].started_at <= e->at) core_runs(a, core);
  if (e->kind == TX_EVENT_CORE_WAIT) {
    if (a->logged[core] < a->t->core[core].started_at) a->logged[core] = a->t->core[core].started_at;
    a->logged[core] += (uint32_t)e->c;
    spend(a, e->agent, row, a->logged[core] < e->at ? a->logged[core] : e->at, e->a, e->b, (uint32_t)(e->c >> 32));
    return;
  }
  a->logged[core] = e->at + 1;
  /* timing off: the core's time catches up */
  if (row->next > e->at && a->spent) a->spent(a->context, e->agent, OBS_ISSUE, e->b, 0, 0);
  spend(a, e->agent, row, e->at, OBS_UNKNOWN, e->b, 0);
  spend(a, e->agent, row, e->at + 1, OBS_ISSUE, e->b, 0);
}

/* The usual case: an instruction in the cycle after the last one that is known. */
static inline void core_event(struct obs_account *a, const struct sim_event *e) {
  const unsigned core = e->agent - TX_AGENT_TRISC0;
  struct obs_account_row *row = &a->core[core];
  const bool plain = e->kind == TX_EVENT_CORE && !a->guess[core] && row->next == e->at;
  if (!plain || e->at < a->t->core[core].started_at) {
    core_event_slowly(a, e);
    return;
  }
  a->logged[core] = e->at + 1;
  row->cycles[OBS_ISSUE]++;
  if (a->spent) a->spent(a->context, e->agent, OBS_ISSUE, e->b, 0, 1);
  row->next = e->at + 1;
}

static void deliver(struct obs_account *a, struct obs_early *early, sim_time until) {
  while (early->count && early->event[early->first].at <= until) {
    core_event(a, &early->event[early->first]);
    early->first = (early->first + 1) % OBS_EARLY;
    early->count--;
  }
}

/* Timing off: the event of a core aside has the time of the others (sim_log.floor). The time of its instruction is in the core's log. */
static void aside_event(struct obs_account *a, const struct sim_event *e) {
  struct sim_event own = *e;
  if (e->kind == TX_EVENT_CORE) own.at = a->t->unsaved.cores.log[e->agent - TX_AGENT_TRISC0].next;
  if (own.at > a->from) core_event(a, &own);
}

static void core_event_in_time(struct obs_account *a, const struct sim_event *e) {
  const unsigned core = e->agent - TX_AGENT_TRISC0;
  if (core >= TX_CORES) return;
  if (a->t->engine.aside >> e->agent & 1u) {
    aside_event(a, e);
    return;
  }
  struct obs_early *early = &a->early[core];
  sim_time now = a->t->engine.now;
  if (early->count) deliver(a, early, now);
  if (e->at <= now) {
    core_event(a, e);
    return;
  }
  if (early->count == OBS_EARLY) deliver(a, early, early->event[early->first].at);
  early->event[(early->first + early->count++) % OBS_EARLY] = *e;
}

/* --- units --- */

static void unit_advance(struct obs_account *a, unsigned unit, sim_time until) {
  struct obs_account_row *row = &a->unit[unit];
  if (until <= row->next) return;
  if (a->busy_until[unit] > row->next) {
    sim_time busy = a->busy_until[unit] < until ? a->busy_until[unit] : until;
    row->cycles[OBS_BUSY] += busy - row->next;
    row->next = busy;
  }
  row->cycles[a->waiting[unit] ? OBS_WAITING : OBS_IDLE] += until - row->next;
  row->next = until;
}

/* Counts the instructions that the unit has accepted. */
static bool works_on(const struct obs_account *a, unsigned unit) {
  if (unit == TX_UNIT_UNPACK) return a->t->unpack.jobs[0] || a->t->unpack.jobs[1];
  if (unit == TX_UNIT_MOVER) return a->t->mover.busy != 0;
  return false;
}

static void unit_event(struct obs_account *a, const struct sim_event *e) {
  unsigned unit = e->a & 0xffu, thread = e->agent;
  if (unit >= TX_UNIT_COUNT || thread >= TX_THREADS) return;
  unit_advance(a, unit, e->at);
  sim_time until = !e->b || works_on(a, unit) ? SIM_NEVER : e->at + e->b;
  if (until > a->busy_until[unit]) a->busy_until[unit] = until;
  a->held_until[thread] = e->at + (e->c >> 32);
}

static void retire_event(struct obs_account *a, const struct sim_event *e) {
  unsigned unit = (unsigned)(e->c & 0xffu);
  if (unit >= TX_UNIT_COUNT) return;
  unit_advance(a, unit, e->at);
  a->busy_until[unit] = works_on(a, unit) ? SIM_NEVER : e->at + (e->c >> 16);
}

/* --- threads --- */

static void thread_advance(struct obs_account *a, unsigned thread, sim_time until) {
  struct obs_account_row *row = &a->thread[thread];
  if (a->kind[thread]) {
    spend(a, thread, row, until, a->kind[thread], a->pc[thread], a->object[thread]);
    return;
  }
  spend(a, thread, row, a->held_until[thread] < until ? a->held_until[thread] : until, OBS_HELD, a->pc[thread], 0);
  spend(a, thread, row, until, row->cycles[OBS_ISSUE] ? OBS_EMPTY : OBS_BOOT, 0, 0);
}

/* The thread's next instruction waits for `kind`; 0: it does not wait. */
static void thread_waits(struct obs_account *a, unsigned thread, sim_time at, uint32_t kind) {
  const struct tx_fifo *fifo = &a->t->frontend[thread].fifo3;
  const struct tx_word *head = fifo->count ? &fifo->slot[fifo->head] : NULL;
  unsigned old = tx_ops[a->word[thread] >> 24].unit, unit = head ? tx_ops[head->word >> 24].unit : TX_UNIT_COUNT;
  if (a->kind[thread] && old < TX_UNIT_COUNT) {
    unit_advance(a, old, at);
    a->waiting[old] &= ~(1u << thread);
  }
  a->kind[thread] = kind;
  if (!kind || !head) return;
  a->word[thread] = head->word;
  a->pc[thread] = head->pc;
  if (kind == TX_BLOCKED_LATCH || unit >= TX_UNIT_COUNT) return;
  unit_advance(a, unit, at);
  a->waiting[unit] |= 1u << thread;
}

static void block_event(struct obs_account *a, const struct sim_event *e) {
  if (e->agent >= TX_THREADS) return;
  thread_advance(a, e->agent, e->at);
  thread_waits(a, e->agent, e->at, e->a);
  a->object[e->agent] = e->b;
}

static void issue_event(struct obs_account *a, const struct sim_event *e) {
  if (e->agent >= TX_THREADS) return;
  thread_advance(a, e->agent, e->at);
  thread_waits(a, e->agent, e->at, 0);
  a->pc[e->agent] = e->b;
  spend(a, e->agent, &a->thread[e->agent], e->at + 1, OBS_ISSUE, e->b, 0);
}

__attribute__((noinline)) static void other_event(struct obs_account *a, const struct sim_event *e) {
  switch (e->kind) {
    case TX_EVENT_ISSUE: issue_event(a, e); break;
    case TX_EVENT_BLOCK: block_event(a, e); break;
    case TX_EVENT_UNIT: unit_event(a, e); break;
    case TX_EVENT_RETIRE: retire_event(a, e); break;
    case TX_EVENT_BUFFER:
      if (a->counted) a->counted(a->context, e);
      break;
    default: break;
  }
}

/* Called for every instruction: the usual case first. */
void obs_account_event(struct obs_account *a, const struct sim_event *e) {
  if (e->at <= a->from) return;
  if (e->kind == TX_EVENT_CORE || e->kind == TX_EVENT_CORE_WAIT) core_event_in_time(a, e);
  else other_event(a, e);
}

/* --- the end --- */

static unsigned largest(const struct obs_account_row *row) {
  unsigned best = 0;
  for (unsigned i = 1; i < OBS_CATEGORIES; i++)
    if (row->cycles[i] > row->cycles[best]) best = i;
  return best;
}

/* The account ends before the last cycle of the row: a hang is found long after the last progress. What follows the end is the agent's
 * present wait, or a loop that polls. */
static void trim(struct obs_account *a, unsigned agent, struct obs_account_row *row, sim_time until, unsigned category,
                 uint32_t pc, uint32_t object) {
  for (; row->next > until; category = largest(row)) {
    uint64_t cycles = row->next - until;
    if (cycles > row->cycles[category]) cycles = row->cycles[category];
    row->cycles[category] -= cycles;
    row->next -= cycles;
    if (cycles && a->unspent && agent != SIM_NO_AGENT) a->unspent(a->context, agent, category, pc, object, cycles);
  }
}

static void finish_row(struct obs_account *a, unsigned agent, struct obs_account_row *row, sim_time until, unsigned category,
                       uint32_t pc, uint32_t object) {
  spend(a, agent, row, until, category, pc, object);
  trim(a, agent, row, until, category, pc, object);
}

static void guess(struct obs_account *a, unsigned core, sim_time until, uint32_t pc) {
  struct obs_account_row *row = &a->core[core];
  if (row->next < until) {
    a->guess[core] = until - row->next;
    a->guess_pc[core] = pc;
  }
  finish_row(a, TX_AGENT_TRISC0 + core, row, until, TX_REASON_PIPELINE, pc, 0);
}

uint32_t obs_core_before_wait(const struct tx_tile *t, unsigned core, uint32_t *object) {
  const struct tx_core_log *log = &t->unsaved.cores.log[core];
  const bool logged = log->next && log->next >= t->core[core].started_at;
  *object = logged ? log->object : 0;
  return logged ? log->busy : (uint32_t)TX_REASON_PIPELINE;
}

static void settle_core(struct obs_account *a, unsigned core, sim_time until) {
  const struct tx_core *c = &a->t->core[core];
  unsigned agent = TX_AGENT_TRISC0 + core, category = OBS_RESET;
  const struct sim_wait *wait = &a->t->engine.agents[agent].wait;
  struct obs_early *early = &a->early[core];
  if (a->guess[core]) take_back(a, core);
  deliver(a, early,
          a->t->engine.now < until ? until - 1 : a->t->engine.now); /* the last instructions may be ahead of the tile */
  if (c->state == TX_CORE_HELD) early->count = 0;                   /* it was stopped before */
  else core_runs(a, core);
  if (early->count) { /* it is ahead: its next instruction has not begun */
    guess(a, core, until, early->event[early->first].b);
    return;
  }
  if (c->state == TX_CORE_EBREAK) category = OBS_STOPPED;
  if (c->state == TX_CORE_RUNNING) category = wait->kind;
  if (c->state == TX_CORE_RUNNING && wait->kind) {
    uint32_t object, busy = obs_core_before_wait(a->t, core, &object);
    spend(a, agent, &a->core[core], wait->since < until ? wait->since : until, busy, c->pc, object);
  } else if (c->state == TX_CORE_RUNNING) {
    guess(a, core, until, c->pc);
    return;
  }
  finish_row(a, agent, &a->core[core], until, category, c->state == TX_CORE_RUNNING ? c->pc : 0, wait->object);
}

static void settle_thread(struct obs_account *a, unsigned thread, sim_time until) {
  struct obs_account_row *row = &a->thread[thread];
  thread_advance(a, thread, until);
  if (a->kind[thread]) trim(a, thread, row, until, a->kind[thread], a->pc[thread], a->object[thread]);
  else trim(a, thread, row, until, row->cycles[OBS_ISSUE] ? OBS_EMPTY : OBS_BOOT, 0, 0);
}

static void settle_unit(struct obs_account *a, unsigned unit, sim_time until) {
  unit_advance(a, unit, until);
  unsigned category = a->busy_until[unit] >= until ? OBS_BUSY : a->waiting[unit] ? OBS_WAITING : OBS_IDLE;
  trim(a, SIM_NO_AGENT, &a->unit[unit], until, category, 0, 0);
}

void obs_account_settle(struct obs_account *a, sim_time last) {
  if (last < a->from) last = a->from;
  sim_time until = last + 1;
  a->until = last;
  for (unsigned core = 0; core < TX_CORES; core++) settle_core(a, core, until);
  for (unsigned thread = 0; thread < TX_THREADS; thread++) settle_thread(a, thread, until);
  for (unsigned unit = 0; unit < TX_UNIT_COUNT; unit++) settle_unit(a, unit, until);
}

uint64_t obs_account_cycles(const struct obs_account *a) { return a->until > a->from ? a->until - a->from : 0; }

const struct obs_account_row *obs_account_row(const struct obs_account *a, enum obs_of of, unsigned index) {
  if (of == OBS_OF_CORE && index < TX_CORES) return &a->core[index];
  if (of == OBS_OF_THREAD && index < TX_THREADS) return &a->thread[index];
  return of == OBS_OF_UNIT && index < TX_UNIT_COUNT ? &a->unit[index] : NULL;
}

/* --- as text --- */

static const uint8_t counts[OBS_OFS] = {TX_CORES, TX_THREADS, TX_UNIT_COUNT};

static const char *name_of(enum obs_of of, unsigned index) {
  if (of == OBS_OF_CORE) return tx_core_name(index);
  return of == OBS_OF_THREAD ? obs_agent_name(tx_agent_of_thread(index)) : obs_unit_name(index);
}

/* Are all cycles of the row in idle categories? */
static bool rests(enum obs_of of, const struct obs_account_row *row, uint64_t cycles) {
  unsigned category = of == OBS_OF_CORE ? OBS_RESET : of == OBS_OF_THREAD ? OBS_BOOT : OBS_IDLE;
  return row->cycles[category] == cycles;
}

static void row_text(const struct obs_account_row *row, uint64_t cycles, struct sim_text *out) {
  bool shown[OBS_CATEGORIES] = {false};
  for (;;) {
    unsigned best = OBS_CATEGORIES;
    for (unsigned i = 0; i < OBS_CATEGORIES; i++)
      if (row->cycles[i] && !shown[i] && (best == OBS_CATEGORIES || row->cycles[i] > row->cycles[best])) best = i;
    if (best == OBS_CATEGORIES) break;
    shown[best] = true;
    sim_text_add(out, "  %s %llu (%.1f%%)", obs_category_name(best), (unsigned long long)row->cycles[best],
                 100.0 * (double)row->cycles[best] / (double)cycles);
  }
  sim_text_add(out, "\n");
}

void obs_account_text(const struct obs_account *a, struct sim_text *out) {
  uint64_t cycles = obs_account_cycles(a);
  sim_text_add(out, "\nwhere the cycles go: each line sums to %llu\n", (unsigned long long)cycles);
  for (unsigned of = 0; of < OBS_OFS; of++)
    for (unsigned i = 0; i < counts[of]; i++) {
      const struct obs_account_row *row = obs_account_row(a, (enum obs_of)of, i);
      if (!cycles || rests((enum obs_of)of, row, cycles)) continue;
      sim_text_add(out, "%-18s", name_of((enum obs_of)of, i));
      row_text(row, cycles, out);
    }
}

void obs_account_json(const struct obs_account *a, struct sim_text *out) {
  static const char *const names[OBS_OFS] = {"cores", "threads", "units"};
  sim_text_add(out, ",\"account\":{\"cycles\":%llu", (unsigned long long)obs_account_cycles(a));
  for (unsigned of = 0; of < OBS_OFS; of++) {
    sim_text_add(out, ",\"%s\":{", names[of]);
    for (unsigned i = 0; i < counts[of]; i++) {
      const struct obs_account_row *row = obs_account_row(a, (enum obs_of)of, i);
      const char *between = "";
      sim_text_add(out, "%s\"%s\":{", i ? "," : "", name_of((enum obs_of)of, i));
      for (unsigned k = 0; k < OBS_CATEGORIES; k++) {
        if (!row->cycles[k]) continue;
        sim_text_add(out, "%s\"%s\":%llu", between, obs_category_name(k), (unsigned long long)row->cycles[k]);
        between = ",";
      }
      sim_text_add(out, "}");
    }
    sim_text_add(out, "}");
  }
  sim_text_add(out, "}");
}
