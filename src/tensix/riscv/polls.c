/* The polls of polls.h. */
#include "tensix/riscv/polls.h"

#define MORE_FACTOR 2u /* another path through a loop is at most this many times as long, ... */
#define MORE_STEPS 16u /* ... and this many instructions longer */
#define RA 1u

static bool is_far(uint64_t steps, uint64_t round) { return steps > MORE_FACTOR * round + MORE_STEPS; }
static uint32_t capped(uint64_t steps) { return steps < UINT32_MAX ? (uint32_t)steps : UINT32_MAX; }

/* A sequence begins. `gap`: instructions since the previous sequence. */
static void begin_row(struct tx_core_polls *p, unsigned i, sim_time since, uint64_t first, uint32_t gap) {
  bool same = p->gaps[i] && p->gap[i] == gap;
  if (!same) p->before[i] = p->since[i];
  p->gaps[i] = same ? 2 : 1;
  p->gap[i] = gap;
  p->since[i] = since;
  p->first[i] = first;
  p->round[i] = p->turned[i] = 0;
  p->path[i] = TX_POLL_FIRST;
}

static void move_row(struct tx_core_polls *p, unsigned i, sim_time since, uint64_t first) {
  p->since[i] = since;
  p->first[i] = first;
  p->gap[i] = p->gaps[i] = 0;
}

static void set_other(struct tx_core_polls *p, unsigned i, sim_time since, uint64_t first) {
  p->other_since[i] = since;
  p->other_first[i] = first;
}

/* The core has executed the load once more after a change of a polled word and another number of instructions. The same
 * number as before the change: it is in the loop again, which it had left. */
static void after_leaving(struct tx_core *c, unsigned i, uint32_t steps, sim_time enter) {
  struct tx_core_polls *p = &c->polls;
  if (steps != p->left_round[i]) {
    set_other(p, i, enter, c->retired); /* further waits that ended at once */
    return;
  }
  p->path[i] = TX_POLL_STEADY;
  if (p->seen[i] == p->news) move_row(p, i, p->other_since[i], p->other_first[i]);
}

/* Another number of instructions than between the two executions before. */
static void change_path(struct tx_core *c, unsigned i, uint32_t steps, sim_time enter) {
  struct tx_core_polls *p = &c->polls;
  bool news = p->seen[i] != p->news, first = p->path[i] == TX_POLL_FIRST, shorter = steps < p->round[i];
  if (p->path[i] == TX_POLL_MIXED) return;
  if (news && !(first && shorter)) {
    p->path[i] = TX_POLL_LEFT;
    p->left_round[i] = p->round[i];
    set_other(p, i, enter, c->retired);
  } else if (shorter) { /* the last execution was the first of this loop */
    if (p->path[i] != TX_POLL_SHORTER) set_other(p, i, p->since[i], p->first[i]);
    p->path[i] = TX_POLL_SHORTER;
    move_row(p, i, p->at[i], p->last[i]);
  } else {
    if (p->path[i] == TX_POLL_SHORTER) move_row(p, i, p->other_since[i], p->other_first[i]);
    p->path[i] = TX_POLL_MIXED;
  }
}

static bool leaves(const struct tx_core_polls *p, unsigned i, uint64_t steps) {
  return p->path[i] == TX_POLL_STEADY && p->seen[i] != p->news && steps < p->round[i];
}

/* Another number of instructions, another caller, or the sequence is short. */
static void judge_path(struct tx_core *c, unsigned i, uint64_t steps, sim_time enter) {
  struct tx_core_polls *p = &c->polls;
  uint32_t round = p->round[i];
  bool turned = p->caller[i] != c->r[RA];
  if (!round) { /* this is the second execution of the sequence */
    p->round[i] = capped(steps);
    p->turned[i] = turned;
  } else if (p->path[i] == TX_POLL_LEFT && steps == p->left_round[i]) {
    after_leaving(c, i, capped(steps), enter);
    p->round[i] = capped(steps);
  } else if (!leaves(p, i, steps) && (is_far(round, steps) || (p->turned[i] && steps != round))) {
    begin_row(p, i, p->at[i], p->last[i], round); /* the previous execution was in another loop */
    p->round[i] = capped(steps);
  } else if (is_far(steps, round) || (turned && steps != round)) {
    begin_row(p, i, enter, c->retired, capped(steps));
  } else {
    if (p->path[i] == TX_POLL_LEFT) after_leaving(c, i, capped(steps), enter);
    else if (steps != round) change_path(c, i, capped(steps), enter);
    else if (p->path[i] == TX_POLL_FIRST) p->path[i] = TX_POLL_STEADY;
    p->turned[i] = 0;
    p->round[i] = capped(steps); /* the last, not the smallest: the pause of a loop may grow */
  }
}

static void execute_again(struct tx_core *c, unsigned i, sim_time enter) {
  struct tx_core_polls *p = &c->polls;
  uint64_t steps = c->retired - p->last[i];
  if (!steps) return; /* no instruction retired in between: the load waited for a port and is still the same execution */
  if (steps != p->round[i] || p->path[i] == TX_POLL_FIRST || p->path[i] == TX_POLL_LEFT) judge_path(c, i, steps, enter);
  p->at[i] = enter;
  p->last[i] = c->retired;
  p->caller[i] = c->r[RA];
  p->seen[i] = p->news;
}

static void begin_scan(struct tx_core *c, unsigned i, uint32_t address, sim_time enter) {
  struct tx_core_polls *p = &c->polls;
  p->scan_address[i] = address;
  p->scan_round[i] = 0;
  p->scan_since[i] = enter;
  p->scan_first[i] = c->retired;
}

/* The load was executed once with each of several addresses. A round ends at the address of its first execution. */
static void scan(struct tx_core *c, unsigned i, uint32_t address, sim_time enter) {
  struct tx_core_polls *p = &c->polls;
  uint64_t steps = c->retired - p->scan_first[i];
  if (p->scan_round[i] && is_far(steps, p->scan_round[i])) {
    begin_scan(c, i, address, enter);
  } else if (address == p->scan_address[i]) {
    p->scan_round[i] = capped(steps);
    p->scan_first[i] = c->retired;
  }
}

/* A store has ended the sequence of this load, and the core executes it again: a loop that stores. other_since then has the first execution
 * in the loop, left_round its instructions; both are free until a sequence has another path. */
static void stay_in_loop(struct tx_core *c, unsigned i, sim_time enter) {
  struct tx_core_polls *p = &c->polls;
  uint64_t steps = c->retired - p->last[i];
  bool kept = p->path[i] != TX_POLL_LEFT && p->path[i] != TX_POLL_SHORTER;
  if (!kept || (p->left_round[i] && is_far(steps, p->left_round[i]))) {
    p->other_since[i] = enter;
    p->left_round[i] = 0;
    return;
  }
  if (p->left_round[i] && is_far(p->left_round[i], steps)) p->other_since[i] = p->at[i]; /* the execution before began it */
  p->left_round[i] = capped(steps);
}

void tx_poll_note(struct tx_core *c, uint32_t pc, uint32_t address, sim_time enter) {
  struct tx_core_polls *p = &c->polls;
  unsigned i = 0;
  while (i < TX_CORE_POLLS && p->pc[i] != pc) i++;
  if (i < TX_CORE_POLLS && p->address[i] == address && p->since[i]) {
    p->current = i;
    execute_again(c, i, enter);
    return;
  }
  if (i == TX_CORE_POLLS) {
    i = p->next;
    p->next = (p->next + 1) % TX_CORE_POLLS;
    p->since[i] = 0;
  }
  if (!p->since[i] && p->pc[i] == pc && p->address[i] == address) {
    stay_in_loop(c, i, enter);
  } else {
    p->other_since[i] = enter;
    p->left_round[i] = 0;
  }
  if (p->since[i] && !p->round[i]) scan(c, i, address, enter);
  else begin_scan(c, i, address, enter);
  p->current = i;
  p->pc[i] = pc;
  p->address[i] = address;
  p->caller[i] = c->r[RA];
  p->seen[i] = p->news;
  p->round[i] = p->gap[i] = p->gaps[i] = p->turned[i] = p->path[i] = 0;
  p->since[i] = p->at[i] = enter;
  p->before[i] = 0;
  p->first[i] = p->last[i] = c->retired;
}

void tx_poll_changed(struct tx_core *c, uint32_t value) {
  struct tx_core_polls *p = &c->polls;
  unsigned i = p->current;
  if (p->first[i] != p->last[i]) p->news++;
  p->value[i] = value;
}

void tx_polls_skip(struct tx_core *c, uint64_t round, uint64_t steps, sim_time by) {
  for (unsigned i = 0; i < TX_CORE_POLLS; i++) {
    if (c->retired - c->polls.last[i] > round) continue;
    c->polls.last[i] += steps;
    c->polls.scan_first[i] += steps;
    c->polls.at[i] += by;
  }
}

/* --- questions --- */

static bool loads(const struct tx_core *c, unsigned i, uint32_t address) {
  return c->polls.since[i] && (c->polls.address[i] & ~3u) == (address & ~3u);
}

/* A parked core has one sequence, without gaps. */
static bool in_bursts(const struct tx_core *c, unsigned i) {
  const struct tx_core_polls *p = &c->polls;
  return !c->spin.parked && p->gaps[i] > 1 && c->retired - p->first[i] <= MORE_FACTOR * (uint64_t)p->gap[i];
}

bool tx_core_polls_now(const struct tx_core *c, unsigned i) {
  const struct tx_core_polls *p = &c->polls;
  uint64_t steps = c->retired - p->last[i];
  if (c->spin.parked) return p->since[i] && steps <= c->spin.retired; /* of one round */
  return p->since[i] && !is_far(steps, in_bursts(c, i) ? p->gap[i] : p->round[i]);
}

/* The entry with the earliest sequence of those in the loop; without one, the load that was executed last. TX_CORE_POLLS:
 * none. */
static unsigned first_entry(const struct tx_core *c, uint32_t address) {
  const struct tx_core_polls *p = &c->polls;
  unsigned found = TX_CORE_POLLS;
  bool current = false;
  for (unsigned i = 0; i < TX_CORE_POLLS; i++) {
    if (!loads(c, i, address)) continue;
    bool now = tx_core_polls_now(c, i);
    if (current && !now) continue;
    bool better =
        found == TX_CORE_POLLS || (now && !current) || (now ? p->first[i] < p->first[found] : p->last[i] > p->last[found]);
    if (better) found = i;
    current |= now;
  }
  return found;
}

sim_time tx_core_first_poll(const struct tx_core *c, uint32_t address) {
  unsigned i = first_entry(c, address);
  if (i == TX_CORE_POLLS) return SIM_NEVER;
  return in_bursts(c, i) ? c->polls.before[i] : c->polls.since[i];
}

sim_time tx_core_loop_since(const struct tx_core *c, unsigned i) {
  const struct tx_core_polls *p = &c->polls;
  bool stores =
      p->left_round[i] && (p->path[i] == TX_POLL_FIRST || p->path[i] == TX_POLL_STEADY || p->path[i] == TX_POLL_MIXED);
  uint64_t round = stores ? p->left_round[i] : p->round[i];
  if (!round || is_far(c->retired - p->last[i], round)) return SIM_NEVER;
  return stores ? p->other_since[i] : p->since[i] ? p->since[i] : SIM_NEVER;
}

sim_time tx_core_first_scan(const struct tx_core *c, uint32_t pc) {
  const struct tx_core_polls *p = &c->polls;
  for (unsigned i = 0; i < TX_CORE_POLLS; i++) {
    bool rounds = p->since[i] && p->pc[i] == pc && p->scan_round[i];
    if (rounds && !is_far(c->retired - p->scan_first[i], p->scan_round[i])) return p->scan_since[i];
  }
  return SIM_NEVER;
}

uint32_t tx_core_poll_pc(const struct tx_core *c, uint32_t address) {
  unsigned i = first_entry(c, address);
  return i == TX_CORE_POLLS ? UINT32_MAX : c->polls.pc[i];
}

sim_time tx_core_test_before(const struct tx_core *c, uint32_t address, uint32_t *pc) {
  const struct tx_core_polls *p = &c->polls;
  unsigned loop = first_entry(c, address);
  if (loop == TX_CORE_POLLS) return SIM_NEVER;
  for (unsigned i = 0; i < TX_CORE_POLLS; i++) {
    bool once = loads(c, i, address) && p->first[i] == p->last[i] && p->caller[i] == p->caller[loop];
    if (i == loop || !once || p->last[i] > p->first[loop]) continue;
    if (p->first[loop] - p->last[i] > p->round[loop] + MORE_STEPS) continue;
    *pc = p->pc[i];
    return p->since[i];
  }
  return SIM_NEVER;
}
