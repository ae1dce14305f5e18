#include "observe/orbit.h"

#include <string.h>

#include "tensix/riscv/decode.h"
#include "tensix/riscv/run.h"
#include "tensix/tile/control.h"

#define RETURNS_FIRST \
  8u /* returns to the first anchor in other states, at least: then another one is taken, and twice as many are allowed */
#define FIRST_PART 8u     /* of those that are allowed in all */
#define ANCHORS_MAX 4096u /* attempts with a new anchor */
#define IDLE_MAX 256u     /* instructions without a load from outside: then any instruction is an anchor ... */
#define STRAY_STEPS 4096u /* a round with more instructions than two before, and these: the core has left its orbit */
#define NO_CLOCK 0u
#define COUNT \
  0x80000000u /* marks a value that differs from round to round in any way, as a counter of rounds does, beside the mark of a time */
#define COUNTS_MAX 8u /* registers and words of local RAM that are taken for counters at once */
#define TRIES_MAX 32u /* times that this is tried in an examination */
#define SCALED 1u     /* the mark of a part or a multiple of a time: two of them differ by another amount in another round */

static bool is_bool(const void *field) { return *(const unsigned char *)field <= 1; }

bool obs_orbit_valid(const struct obs_orbit *o) {
  return (unsigned)o->state <= OBS_ORBIT_LOST && is_bool(&o->anchored) && is_bool(&o->at_load) && is_bool(&o->computes) &&
         is_bool(&o->polls) && is_bool(&o->whole) && is_bool(&o->old_words) && is_bool(&o->confirmed) &&
         o->counting <= COUNTS_MAX && o->failed <= COUNTS_MAX;
}

void obs_orbit_begin(struct obs_orbit *o, const struct tx_core *c, uint32_t idle_max, uint32_t returns_max) {
  memset(o, 0, sizeof *o);
  o->idle_max = idle_max;
  o->returns_max = returns_max;
  o->span = returns_max / FIRST_PART > RETURNS_FIRST ? returns_max / FIRST_PART : RETURNS_FIRST;
  memcpy(o->now, c->r, sizeof o->now);
  o->low_pc = c->pc;
  o->reads = SCALED;
}

/* --- the anchor --- */

/* The next anchor is a load from outside, so that a pause between two polls lies within one round. */
static void look_anew(struct obs_orbit *o, bool computes) {
  o->anchored = false;
  o->at_load = true;
  o->computes = computes;
  o->idle = 0;
}

/* Is the next instruction the anchor? */
static bool anchors_at(struct obs_orbit *o, bool outside_load) {
  if (!o->at_load || outside_load) return true;
  o->idle++;
  if (o->computes && o->idle == o->idle_max) o->state = OBS_ORBIT_LOST;
  return !o->computes && o->idle == IDLE_MAX;
}

static void anchor_here(struct obs_orbit *o, const struct tx_core *c, uint32_t pc, bool settled) {
  if (++o->anchors == ANCHORS_MAX) o->state = OBS_ORBIT_LOST;
  o->anchored = true;
  o->pc = o->low_pc = pc;
  o->since = o->reads;
  o->returns = 0;
  o->polls = false;
  o->local_address = 0;
  o->steps = 0;
  o->whole = settled;
  o->old_words = false;
  o->stores = o->stores_before = o->loads = 0;
  memset(&o->stored, 0, sizeof o->stored);
  memset(&o->loaded, 0, sizeof o->loaded);
  memcpy(o->registers, o->now, sizeof o->registers);
  memcpy(o->local, c->local, sizeof o->local);
  memcpy(o->marks, o->mark, sizeof o->marks);
  memcpy(o->local_marks, o->local_mark, sizeof o->local_marks);
}

enum likeness { ALIKE, NEWLY_MARKED, DIFFERENT };

/* Values that are marked in both states may differ. */
static enum likeness compare(uint32_t then, uint32_t now, uint32_t mark_then, uint32_t mark_now) {
  if (!mark_then != !mark_now) return NEWLY_MARKED;
  return then == now || mark_now ? ALIKE : DIFFERENT;
}

static enum likeness compare_registers(const struct obs_orbit *o) {
  enum likeness worst = ALIKE;
  for (unsigned i = 1; i < TX_CORE_NOWHERE && worst != DIFFERENT; i++) {
    enum likeness l = compare(o->registers[i], o->now[i], o->marks[i], o->mark[i]);
    if (l > worst) worst = l;
  }
  return worst;
}

static enum likeness compare_local(const struct obs_orbit *o, const struct tx_core *c) {
  enum likeness worst = ALIKE;
  const bool none_marked = o->reads == SCALED && !o->tries;
  if (none_marked) return memcmp(o->local, c->local, sizeof o->local) == 0 ? ALIKE : DIFFERENT;
  for (unsigned i = 0; i < TX_LOCAL_BYTES / 4 && worst != DIFFERENT; i++) {
    uint32_t then, now;
    memcpy(&then, &o->local[4 * i], 4);
    memcpy(&now, &c->local[4 * i], 4);
    enum likeness l = compare(then, now, o->local_marks[i], o->local_mark[i]);
    if (l > worst) worst = l;
  }
  return worst;
}

static enum likeness compare_all(const struct obs_orbit *o, const struct tx_core *c) {
  enum likeness registers = compare_registers(o);
  if (registers == DIFFERENT) return DIFFERENT;
  enum likeness local = compare_local(o, c);
  return local > registers ? local : registers;
}

/* --- counters --- */

static bool differs(uint32_t then, uint32_t now, uint32_t mark_then, uint32_t mark_now) {
  return compare(then, now, mark_then, mark_now) == DIFFERENT;
}

/* Marks what differs from the state at the anchor, if it is less than what has failed there. */
static bool mark_differences(struct obs_orbit *o, const struct tx_core *c) {
  const unsigned most = o->failed_pc != o->pc ? COUNTS_MAX : o->failed ? o->failed - 1 : 0;
  uint32_t *marked[COUNTS_MAX];
  unsigned count = 0;
  for (unsigned i = 1; i < TX_CORE_NOWHERE; i++) {
    if (!differs(o->registers[i], o->now[i], o->marks[i], o->mark[i])) continue;
    if (count == most) return false;
    marked[count++] = &o->mark[i];
  }
  for (unsigned i = 0; i < TX_LOCAL_BYTES / 4; i++) {
    uint32_t then, now;
    memcpy(&then, &o->local[4 * i], 4);
    memcpy(&now, &c->local[4 * i], 4);
    if (!differs(then, now, o->local_marks[i], o->local_mark[i])) continue;
    if (count == most) return false;
    marked[count++] = &o->local_mark[i];
  }
  for (unsigned i = 0; i < count; i++) *marked[i] |= COUNT;
  o->counting = count;
  return true;
}

/* A core may count its rounds, in a register, in local RAM, or in L1: that changes its state, but neither its way nor what others see of it. What differs
 * is taken for such a counter until something depends on it. */
static bool try_counters(struct obs_orbit *o, const struct tx_core *c, bool settled) {
  const struct obs_words stored = o->stored, loaded = o->loaded;
  if (o->tries >= TRIES_MAX || !mark_differences(o, c)) return false;
  o->tries++;
  anchor_here(o, c, o->pc, settled);
  for (size_t i = 0; i < sizeof stored.bits / sizeof *stored.bits; i++)
    o->counted.bits[i] |= stored.bits[i] & loaded.bits[i];
  return true;
}

static void forget_counters(struct obs_orbit *o) {
  for (unsigned i = 0; i < TX_CORE_REGISTERS; i++) {
    o->mark[i] &= ~COUNT;
    o->marks[i] &= ~COUNT;
  }
  for (unsigned i = 0; i < TX_LOCAL_BYTES / 4; i++) {
    o->local_mark[i] &= ~COUNT;
    o->local_marks[i] &= ~COUNT;
  }
  memset(&o->counted, 0, sizeof o->counted);
  o->failed = o->counting;
  o->failed_pc = o->pc;
}

static void begin_round(struct obs_orbit *o, bool settled) {
  o->stores_before = o->stores;
  o->loads_before = o->loads;
  o->stores = o->loads = 0;
  o->steps = 0;
  o->whole = settled;
  o->old_words = false;
}

/* The first round may have changed L1; the second one stored what L1 already contained. */
static void end_round(struct obs_orbit *o, const struct tx_core *c, bool settled) {
  const bool again = o->stores == o->stores_before;
  if (!again && o->stores_before && try_counters(o, c, settled)) return;
  if (again) {
    o->state = OBS_ORBIT_CLOSED;
    o->confirmed = o->whole && !o->old_words;
    o->round = o->steps;
  }
  begin_round(o, settled);
}

/* A loop may pass through any number of states before it returns to one. With anchors that are kept twice as long each time one of them is passed again at
 * last, within three such rounds. */
static void pass_new_state(struct obs_orbit *o, const struct tx_core *c, bool settled) {
  if (try_counters(o, c, settled)) return;
  if (++o->changes >= o->returns_max) o->state = OBS_ORBIT_LOST;
  if (++o->returns < o->span) return;
  o->span *= 2;
  look_anew(o, true);
}

static void back_at_anchor(struct obs_orbit *o, const struct tx_core *c, bool settled) {
  switch (compare_all(o, c)) {
    case ALIKE: end_round(o, c, settled); break;
    case NEWLY_MARKED: anchor_here(o, c, o->pc, settled); break; /* the round before still had an older clock value there */
    default: pass_new_state(o, c, settled); break;
  }
}

/* --- marks --- */

static uint32_t older_time(uint32_t a, uint32_t b) { return !a ? b : !b || a < b ? a : b; }
static uint32_t older(uint32_t a, uint32_t b) { return older_time(a & ~COUNT, b & ~COUNT) | ((a | b) & COUNT); }
static uint32_t scaled(uint32_t mark) { return (mark & ~COUNT ? SCALED : NO_CLOCK) | (mark & COUNT); }
static bool in_this_round(const struct obs_orbit *o, uint32_t mark) {
  return mark > o->since && !(mark & COUNT);
} /* SCALED never is */

/* Adding shifts a time. */
static bool shifts(unsigned op) { return op == TX_RV_ADD || op == TX_RV_ADDI || op == TX_RV_SUB; }

/* Two values are compared. The distance of times read in one round is the same in the next. */
static void relate(struct obs_orbit *o, uint32_t a, uint32_t b) {
  if (a == NO_CLOCK && b == NO_CLOCK) return;
  if (o->anchored && in_this_round(o, a) && in_this_round(o, b)) return;
  look_anew(o, false);
}

static bool is_comparison(unsigned op) {
  return op == TX_RV_SLT || op == TX_RV_SLTU || op == TX_RV_SLTI || op == TX_RV_SLTIU;
}

static uint32_t mark_of_result(struct obs_orbit *o, const struct tx_insn *d) {
  uint32_t a = o->mark[d->rs1], b = o->mark[d->rs2];
  if (is_comparison(d->op)) {
    relate(o, a, b);
    return NO_CLOCK;
  }
  if (d->op == TX_RV_SUB && o->anchored && in_this_round(o, a) && in_this_round(o, b)) return NO_CLOCK; /* a duration */
  const uint32_t mark = older(older(a, b), o->mark[d->rs3]);
  return shifts(d->op) ? mark : scaled(mark);
}

static bool is_local(uint32_t address) { return address - TX_LOCAL_BASE < TX_LOCAL_BYTES; }

static uint32_t bit_of(uint32_t word) { return (word / 4 * 0x9e3779b1u) >> (32 - OBS_WORDS_BITS); }
static void add_word(struct obs_words *set, uint32_t word) {
  set->bits[bit_of(word) / 64] |= UINT64_C(1) << bit_of(word) % 64;
}

bool obs_words_have(const struct obs_words *set, uint32_t word) {
  return set->bits[bit_of(word) / 64] >> bit_of(word) % 64 & 1u;
}

bool obs_words_meet(const struct obs_words *a, const struct obs_words *b) {
  for (size_t i = 0; i < sizeof a->bits / sizeof *a->bits; i++)
    if (a->bits[i] & b->bits[i]) return true;
  return false;
}

static uint32_t mark_of_load(struct obs_orbit *o, unsigned op, uint32_t address) {
  if (is_local(address)) {
    if (!o->local_address || address < o->local_address) o->local_address = address & ~3u;
    const uint32_t mark = o->local_mark[(address - TX_LOCAL_BASE) / 4];
    return tx_access_bytes(op) < 4 ? scaled(mark) : mark;
  }
  if (tx_control_moves(address & ~3u)) return ++o->reads;
  if (!o->polls) o->address = address;
  if (address < TX_L1_BYTES) add_word(&o->loaded, address & ~3u);
  o->polls = true;
  return obs_words_have(&o->counted, address & ~3u) ? COUNT : NO_CLOCK;
}

static uint64_t mix(uint64_t hash, uint32_t value) {
  hash = (hash + 1 + value) * UINT64_C(0x9e3779b97f4a7c15);
  return hash ^ hash >> 29;
}

/* The core writes a word outside local RAM. Registers may act. */
static void write_outside(struct obs_orbit *o, unsigned op, uint32_t address, uint32_t value) {
  bool new = o->state == OBS_ORBIT_CLOSED && !obs_words_have(&o->stored, address & ~3u); /* it has left its orbit */
  if (new || address >= TX_L1_BYTES) o->state = OBS_ORBIT_LOST;
  add_word(&o->stored, address & ~3u);
  o->writes++;
  o->stores = mix(mix(mix(o->stores, op), address), obs_words_have(&o->counted, address & ~3u) ? 0 : value);
}

/* A time is another one in the next round, as is a counter. */
static void store_outside(struct obs_orbit *o, const struct tx_insn *d, uint32_t address) {
  if (o->mark[d->rs2] & COUNT) add_word(&o->counted, address & ~3u);
  write_outside(o, d->op, address, o->now[d->rs2]);
  if (o->mark[d->rs2] & ~COUNT) o->state = OBS_ORBIT_LOST;
}

/* mcycle, minstret, cycle, time, instret and their upper halves. */
static bool is_counter(uint32_t csr) { return (csr & 0xf00u) == 0xb00 || (csr & 0xf00u) == 0xc00; }

/* An atomic whose result does not depend on how often it was executed. What it writes is seen when it acts (obs_orbit_atomic). Others count, or toggle. */
static bool is_settled(const struct obs_orbit *o, const struct tx_insn *d) {
  bool counts = d->op == TX_RV_AMOADD || d->op == TX_RV_AMOXOR;
  return !o->mark[d->rs1] && !o->mark[d->rs2] && (!counts || !o->now[d->rs2]);
}

/* The way of the core, or the place of an access, depends on something that was taken for a counter. */
static bool is_decided_by_counter(const struct obs_orbit *o, const struct tx_insn *d) {
  const uint32_t a = o->mark[d->rs1] & COUNT, b = o->mark[d->rs2] & COUNT;
  switch (d->class) {
    case TX_RV_CLASS_BRANCH:
    case TX_RV_CLASS_AMO: return a || b;
    case TX_RV_CLASS_JALR:
    case TX_RV_CLASS_LOAD:
    case TX_RV_CLASS_STORE:
    case TX_RV_CLASS_CSR: return a;
    default: return is_comparison(d->op) && (a || b);
  }
}

static void follow(struct obs_orbit *o, const struct tx_insn *d) {
  if (is_decided_by_counter(o, d)) forget_counters(o);
  uint32_t address = o->now[d->rs1] + d->imm, result = NO_CLOCK;
  switch (d->class) {
    case TX_RV_CLASS_BRANCH: relate(o, o->mark[d->rs1], o->mark[d->rs2]); break;
    case TX_RV_CLASS_AMO:
      if (is_settled(o, d)) result = mark_of_load(o, d->op, o->now[d->rs1]);
      else o->state = OBS_ORBIT_LOST; /* the word that it writes is not followed */
      break;
    case TX_RV_CLASS_JALR:
      if (o->mark[d->rs1]) o->state = OBS_ORBIT_LOST;
      break;
    case TX_RV_CLASS_LOAD:
      if (o->mark[d->rs1]) o->state = OBS_ORBIT_LOST;
      else result = mark_of_load(o, d->op, address);
      break;
    case TX_RV_CLASS_STORE:
      if (o->mark[d->rs1]) o->state = OBS_ORBIT_LOST;
      else if (is_local(address)) o->local_mark[(address - TX_LOCAL_BASE) / 4] = o->mark[d->rs2];
      else store_outside(o, d, address);
      break;
    case TX_RV_CLASS_CSR: result = is_counter(d->imm & 0xfffu) ? ++o->reads : o->mark[d->rs1]; break;
    default: result = mark_of_result(o, d); break;
  }
  o->mark[d->rd] = d->rd < TX_CORE_NOWHERE ? result : NO_CLOCK;
}

static bool is_outside_load(const struct obs_orbit *o, const struct tx_insn *d) {
  uint32_t address = o->now[d->rs1] + d->imm;
  return d->class == TX_RV_CLASS_AMO ||
         (d->class == TX_RV_CLASS_LOAD && !is_local(address) && !tx_control_moves(address & ~3u));
}

/* L0 is not coherent: the loop reads old words until one of its hits flushes the cache, and may then end. What the core stores itself may still be on its
 * way. */
static bool is_old(const struct obs_orbit *o, const struct tx_tile *t, const struct tx_core *c, unsigned op,
                   uint32_t address, uint32_t value) {
  const bool forever = (c->csr[TX_CSR_CFG0] & (TX_CFG0_NO_L0 | TX_CFG0_NO_L0_FLUSH)) == TX_CFG0_NO_L0_FLUSH;
  if (forever || address > TX_L1_BYTES - 4 || obs_words_have(&o->stored, address & ~3u)) return false;
  return tx_load_value(op, tx_l1_read(t, address, tx_access_bytes(op))) != value;
}

/* The core may read another value in its orbit than in the round before: what it does then was not seen yet. */
static void note_value(struct obs_orbit *o, uint32_t pc, uint32_t address, uint32_t value) {
  o->loads = mix(mix(mix(o->loads, pc), address), obs_words_have(&o->counted, address & ~3u) ? 0 : value);
}

static void note_load(struct obs_orbit *o, const struct tx_tile *t, const struct tx_core *c, const struct tx_insn *d,
                      const struct sim_event *e) {
  const uint32_t address = o->now[d->rs1] + d->imm, value = (uint32_t)e->c;
  note_value(o, e->b, address, value);
  o->old_words |= is_old(o, t, c, d->op, address, value);
}

/* The round after the orbit was closed has loaded the same as the one before. */
static void end_closed_round(struct obs_orbit *o, bool settled) {
  o->confirmed = o->whole && !o->old_words && o->loads == o->loads_before;
  begin_round(o, settled);
}

/* The other cores are not yet known to be in orbits: a store of one of them may end this orbit, which shows in other values that are loaded, or in that
 * the core does not return to the anchor. */
static void follow_closed(struct obs_orbit *o, const struct tx_tile *t, const struct tx_core *c, const struct tx_insn *d,
                          const struct sim_event *e, bool settled) {
  uint32_t pc = e->b, address = o->now[d->rs1] + d->imm;
  if (++o->steps > 2 * o->round + STRAY_STEPS) o->state = OBS_ORBIT_LOST;
  if (d->class == TX_RV_CLASS_STORE && !is_local(address)) write_outside(o, d->op, address, o->now[d->rs2]);
  if (pc == o->pc && d->class != TX_RV_CLASS_STORE && compare_all(o, c) == ALIKE) end_closed_round(o, settled);
  if (d->class == TX_RV_CLASS_LOAD && is_outside_load(o, d)) note_load(o, t, c, d, e);
  memcpy(o->now, c->r, sizeof o->now);
}

/* What holds a time at the anchor does so at every return. */
static void keep_marks(struct obs_orbit *o) {
  memcpy(o->mark, o->marks, sizeof o->mark);
  memcpy(o->local_mark, o->local_marks, sizeof o->local_mark);
}

void obs_orbit_step(struct obs_orbit *o, const struct tx_tile *t, unsigned core, const struct sim_event *e, bool settled) {
  const struct tx_core *c = &t->core[core];
  struct tx_insn d = tx_rv_decode(e->a);
  if (o->state == OBS_ORBIT_LOST) return;
  if (o->state == OBS_ORBIT_CLOSED) {
    follow_closed(o, t, c, &d, e, settled);
    return;
  }
  o->steps++;
  if (e->b < o->low_pc) o->low_pc = e->b;
  if (d.class != TX_RV_CLASS_STORE) { /* the earlier content of local RAM under a store is not known */
    if (o->anchored && e->b == o->pc) back_at_anchor(o, c, settled);
    else if (!o->anchored && anchors_at(o, is_outside_load(o, &d))) anchor_here(o, c, e->b, settled);
  }
  follow(o, &d);
  if (o->state == OBS_ORBIT_CLOSED) keep_marks(o);
  if (d.class == TX_RV_CLASS_LOAD && is_outside_load(o, &d)) note_load(o, t, c, &d, e);
  memcpy(o->now, c->r, sizeof o->now);
}

void obs_orbit_atomic(struct obs_orbit *o, uint32_t pc, uint32_t address, uint32_t old, uint32_t value) {
  if (o->state == OBS_ORBIT_LOST) return;
  if (value != old) write_outside(o, TX_RV_AMOSWAP, address, value);
  note_value(o, pc, address, old);
}
