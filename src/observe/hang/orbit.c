#include "observe/hang/orbit.h"

#include <string.h>

#include "observe/hang/mark.h"
#include "tensix/riscv/decode.h"
#include "tensix/riscv/run.h"
#include "tensix/tile/control.h"

/* Returns to the first anchor in other states: then another one is taken, and twice as many are allowed. At least 8, and this part of all. */
#define RETURNS_FIRST 8u
#define FIRST_PART 8u
#define ANCHORS_MAX 4096u /* attempts with a new anchor */
#define IDLE_MAX 256u     /* instructions without a load from outside: then any instruction is an anchor ... */
#define BEGIN_MAX 65536u  /* instructions up to an anchor where a time is read */
#define STRAY_STEPS 4096u /* a round with more instructions than two before, and these: the core has left its orbit */
#define TRIES_MAX 32u     /* times that differences are taken for counters in an examination */

static bool is_bool(const void *field) { return *(const unsigned char *)field <= 1; }

static bool is_valid(const struct obs_places *places) {
  if (places->count > OBS_PLACES) return false;
  for (unsigned i = 0; i < places->count; i++)
    if (places->at[i] >= TX_CORE_REGISTERS + TX_LOCAL_BYTES / 4) return false;
  return true;
}

static bool are_valid(const struct obs_orbit *o) {
  bool valid = is_valid(&o->counting) && is_bool(&o->stamped) && is_bool(&o->counts) && is_bool(&o->torn) &&
               is_bool(&o->asks) && is_bool(&o->measures);
  for (unsigned k = 0; k < OBS_FAILED; k++) valid &= is_valid(&o->failed[k]);
  return valid;
}

bool obs_orbit_valid(const struct obs_orbit *o) {
  return (unsigned)o->state <= OBS_ORBIT_LOST && is_bool(&o->anchored) && is_bool(&o->at_load) && is_bool(&o->computes) &&
         is_bool(&o->polls) && is_bool(&o->whole) && is_bool(&o->peeks) && is_bool(&o->hides) && is_bool(&o->old_words) &&
         is_bool(&o->confirmed) && are_valid(o);
}

void obs_orbit_begin(struct obs_orbit *o, const struct tx_core *c, uint32_t idle_max, uint32_t returns_max) {
  memset(o, 0, sizeof *o);
  o->idle_max = idle_max;
  o->returns_max = returns_max;
  o->span = returns_max / FIRST_PART > RETURNS_FIRST ? returns_max / FIRST_PART : RETURNS_FIRST;
  memcpy(o->now, c->r, sizeof o->now);
  o->low_pc = c->pc;
  o->reads = OBS_MARK_READS;
}

static uint64_t mix(uint64_t hash, uint32_t value) {
  hash = (hash + 1 + value) * UINT64_C(0x9e3779b97f4a7c15);
  return hash ^ hash >> 29;
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
static bool anchors_at(struct obs_orbit *o, uint32_t pc, bool outside_load) {
  if (o->begin_pc) {
    if (pc == o->begin_pc) return true;
    if (++o->idle < BEGIN_MAX) return false;
    o->begin_pc = o->idle = 0;
  }
  if (!o->at_load || outside_load) return true;
  o->idle++;
  if (o->computes && o->idle == o->idle_max) o->state = OBS_ORBIT_LOST;
  return !o->computes && o->idle == IDLE_MAX;
}

static void anchor_here(struct obs_orbit *o, const struct tx_core *c, uint32_t pc, bool settled) {
  if (++o->anchors == ANCHORS_MAX) o->state = OBS_ORBIT_LOST;
  o->anchored = true;
  o->begin_pc = 0;
  o->pc = o->low_pc = pc;
  o->since = o->reads | 1u;
  o->returns = 0;
  o->polls = o->asks = o->peeks = o->stamped = o->torn = false;
  o->local_address = 0;
  o->steps = 0;
  o->whole = settled;
  o->old_words = false;
  o->stores = o->stores_before = o->loads = 0;
  memset(&o->stored, 0, sizeof o->stored);
  memset(&o->loaded, 0, sizeof o->loaded);
  memcpy(o->registers, o->now, sizeof o->registers);
  memcpy(o->local, c->local, sizeof o->local);
  memcpy(o->csr, c->csr, sizeof o->csr);
  o->l0_hits = c->l0_hits;
  memcpy(o->marks, o->mark, sizeof o->marks);
  memcpy(o->local_marks, o->local_mark, sizeof o->local_marks);
}

enum likeness { ALIKE, NEWLY_MARKED, DIFFERENT };

/* Values that vary in obs_mark_both states may differ. */
static enum likeness compare(uint32_t then, uint32_t now, uint32_t mark_then, uint32_t mark_now) {
  if (obs_mark_varies(mark_then) != obs_mark_varies(mark_now)) return NEWLY_MARKED;
  return then == now || obs_mark_varies(mark_now) ? ALIKE : DIFFERENT;
}

static enum likeness compare_register(const struct obs_orbit *o, unsigned i) {
  return compare(o->registers[i], o->now[i], o->marks[i], o->mark[i]);
}

static enum likeness compare_registers(const struct obs_orbit *o) {
  enum likeness worst = ALIKE;
  for (unsigned i = 1; i < TX_CORE_NOWHERE && worst != DIFFERENT; i++) {
    enum likeness l = compare_register(o, i);
    if (l > worst) worst = l;
  }
  return worst;
}

static enum likeness compare_local_word(const struct obs_orbit *o, const struct tx_core *c, unsigned i) {
  uint32_t then, now;
  memcpy(&then, &o->local[4 * i], 4);
  memcpy(&now, &c->local[4 * i], 4);
  return compare(then, now, o->local_marks[i], o->local_mark[i]);
}

static enum likeness compare_local(const struct obs_orbit *o, const struct tx_core *c) {
  enum likeness worst = ALIKE;
  const bool none_marked = o->reads == OBS_MARK_READS && !o->tries;
  if (none_marked) return memcmp(o->local, c->local, sizeof o->local) == 0 ? ALIKE : DIFFERENT;
  for (unsigned i = 0; i < TX_LOCAL_BYTES / 4 && worst != DIFFERENT; i++) {
    enum likeness l = compare_local_word(o, c, i);
    if (l > worst) worst = l;
  }
  return worst;
}

/* CSRs; and if it measures how long a load takes, the hits of L0 up to the next flush. */
static bool is_same_beside(const struct obs_orbit *o, const struct tx_core *c) {
  if (o->measures && (c->l0_hits - o->l0_hits) % TX_L0_HITS_PER_FLUSH != 0) return false;
  return memcmp(o->csr, c->csr, sizeof o->csr) == 0;
}

static enum likeness compare_all(const struct obs_orbit *o, const struct tx_core *c) {
  enum likeness registers = compare_registers(o);
  if (registers == DIFFERENT || !is_same_beside(o, c)) return DIFFERENT;
  enum likeness local = compare_local(o, c);
  return local > registers ? local : registers;
}

/* --- counters --- */

/* With these marked, or fewer, something has depended on one of them. */
static bool has_failed(const struct obs_orbit *o, const struct obs_places *places) {
  for (unsigned k = 0; k < OBS_FAILED; k++) {
    const struct obs_places *f = &o->failed[k];
    unsigned found = 0;
    if (!f->tried || f->pc != o->pc) continue;
    for (unsigned i = 0; i < f->count; i++)
      for (unsigned n = 0; n < places->count; n++) found += places->at[n] == f->at[i];
    if (found == f->count) return true;
  }
  return false;
}

static bool add_place(struct obs_places *places, unsigned place) {
  if (places->count == OBS_PLACES) return false;
  places->at[places->count++] = (uint16_t)place;
  return true;
}

static uint32_t *mark_at(struct obs_orbit *o, unsigned place) {
  return place < TX_CORE_REGISTERS ? &o->mark[place] : &o->local_mark[place - TX_CORE_REGISTERS];
}

/* Marks what differs from the state at the anchor. */
static bool mark_differences(struct obs_orbit *o, const struct tx_core *c) {
  struct obs_places places = {.pc = o->pc, .tried = 1};
  if (!is_same_beside(o, c)) return false;
  for (unsigned i = 1; i < TX_CORE_NOWHERE; i++)
    if (compare_register(o, i) == DIFFERENT && !add_place(&places, i)) return false;
  if (has_failed(o, &places)) return false; /* more places fail too: local RAM need not be compared */
  for (unsigned i = 0; i < TX_LOCAL_BYTES / 4; i++)
    if (compare_local_word(o, c, i) == DIFFERENT && !add_place(&places, TX_CORE_REGISTERS + i)) return false;
  if (has_failed(o, &places)) return false;
  for (unsigned i = 0; i < places.count; i++) *mark_at(o, places.at[i]) |= OBS_MARK_COUNT;
  o->counting = places;
  return true;
}

/* A core may count its rounds, in a register, in local RAM, or in L1: that changes its state, but neither its way nor what others see of it. What differs
 * is taken for such a counter until something depends on it. */
static bool try_counters(struct obs_orbit *o, const struct tx_core *c, bool settled) {
  const struct obs_words stored = o->stored, loaded = o->loaded;
  if (o->tries >= TRIES_MAX || !mark_differences(o, c)) return false;
  o->tries++;
  o->counts = true;
  anchor_here(o, c, o->pc, settled);
  obs_words_add_common(&o->counted, &stored, &loaded);
  return true;
}

static void forget_counters(struct obs_orbit *o) {
  for (unsigned i = 0; i < TX_CORE_REGISTERS; i++) {
    o->mark[i] &= ~OBS_MARK_COUNT;
    o->marks[i] &= ~OBS_MARK_COUNT;
  }
  for (unsigned i = 0; i < TX_LOCAL_BYTES / 4; i++) {
    o->local_mark[i] &= ~OBS_MARK_COUNT;
    o->local_marks[i] &= ~OBS_MARK_COUNT;
  }
  memset(&o->counted, 0, sizeof o->counted);
  o->counts = false;
  o->torn = true;
  o->failed[o->failures++ % OBS_FAILED] = o->counting;
  if (o->stamped) o->state = OBS_ORBIT_LOST; /* what depends on it differs from round to round */
}

static void begin_round(struct obs_orbit *o, bool settled) {
  o->stores_before = o->torn ? 0 : o->stores;
  o->loads_before = o->loads;
  o->stores = o->loads = 0;
  o->steps = 0;
  o->whole = settled;
  o->old_words = o->torn = false;
}

/* It loads what it does not store itself. A core that only counts, and looks at nothing, computes. */
static bool awaits_others(const struct obs_orbit *o) { return o->asks || obs_words_exceed(&o->loaded, &o->stored); }

/* What obs_mark_varies in local RAM is no part of the state, but others can load it. */
static bool hides(const struct obs_orbit *o) {
  for (unsigned i = 0; i < TX_LOCAL_BYTES / 4; i++)
    if (obs_mark_varies(o->local_marks[i])) return true;
  return false;
}

/* The first round may have changed L1; the second one stored what L1 already contained. */
static void end_round(struct obs_orbit *o, const struct tx_core *c, bool settled) {
  const bool again = o->stores == o->stores_before && !o->torn;
  if (again && (o->counts || o->stamped) && !awaits_others(o)) o->state = OBS_ORBIT_LOST;
  if (o->state == OBS_ORBIT_LOST) return;
  if (!again && !o->torn && o->stores_before && try_counters(o, c, settled)) return;
  if (again) {
    o->state = OBS_ORBIT_CLOSED;
    o->confirmed = o->whole && !o->old_words && (!o->asks || o->loads == o->loads_before);
    o->round = o->steps;
    o->hides = hides(o);
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

static bool in_this_round(const struct obs_orbit *o, uint32_t mark) { /* OBS_MARK_SCALED never is */
  return o->anchored && obs_mark_time(mark) > o->since && !(mark & OBS_MARK_COUNT);
}

/* Two times of one clock that were read in this round. */
static bool are_together(const struct obs_orbit *o, uint32_t a, uint32_t b) {
  return in_this_round(o, a) && in_this_round(o, b) && obs_mark_same_clock(a, b);
}

/* A time is related to one that was read before the anchor: the round may begin where that is read, if the loop has no poll outside of what lies between
 * them. Every second anchor is such a place. */
static void note_begin(struct obs_orbit *o, uint32_t mark_a, uint32_t mark_b) {
  const uint32_t a = obs_mark_time(mark_a), b = obs_mark_time(mark_b), first = a < b ? a : b;
  if (first <= OBS_MARK_SCALED || first > o->since || o->reads - (first & ~1u) >= 2 * OBS_READS) return;
  o->older_pc = o->read_pc[first / 2 % OBS_READS];
}

/* Two values are compared. The distance of times read in one round is the same in the next. */
static void relate(struct obs_orbit *o, uint32_t a, uint32_t b) {
  if (!obs_mark_time(a) && !obs_mark_time(b)) return;
  if (are_together(o, a, b) || obs_mark_is_borrow(a, b) || obs_mark_is_borrow(b, a)) return;
  note_begin(o, a, b);
  look_anew(o, false);
  if (o->anchors & 1u) o->begin_pc = o->older_pc;
}

/* Unmarked and 0. */
static bool is_zero(const struct obs_orbit *o, unsigned index) { return !o->mark[index] && !o->now[index]; }

/* The register of which the result is a copy; TX_CORE_NOWHERE: it is none. */
static unsigned copied(const struct obs_orbit *o, const struct tx_insn *d) {
  switch (d->op) {
    case TX_RV_ADD:
    case TX_RV_OR:
    case TX_RV_XOR: return is_zero(o, d->rs2) ? d->rs1 : is_zero(o, d->rs1) ? d->rs2 : TX_CORE_NOWHERE;
    case TX_RV_SUB:
    case TX_RV_SLL:
    case TX_RV_SRL:
    case TX_RV_SRA: return is_zero(o, d->rs2) ? d->rs1 : TX_CORE_NOWHERE;
    case TX_RV_ADDI:
    case TX_RV_ORI:
    case TX_RV_XORI:
    case TX_RV_SLLI:
    case TX_RV_SRLI:
    case TX_RV_SRAI: return d->imm ? TX_CORE_NOWHERE : d->rs1;
    default: return TX_CORE_NOWHERE;
  }
}

/* Adding a constant shifts a time, as subtracting one does. */
static uint32_t mark_of_result(struct obs_orbit *o, const struct tx_insn *d) {
  const uint32_t a = o->mark[d->rs1], b = o->mark[d->rs2], mark = obs_mark_both(obs_mark_both(a, b), o->mark[d->rs3]);
  const unsigned copy = copied(o, d);
  if (copy != TX_CORE_NOWHERE) return o->mark[copy];
  switch (d->op) {
    case TX_RV_SLT:
    case TX_RV_SLTU:
    case TX_RV_SLTI:
    case TX_RV_SLTIU: relate(o, a, b); return mark & OBS_MARK_COUNT;
    case TX_RV_SUB:
      if (are_together(o, a, b)) {
        const uint32_t first = obs_mark_time(a) < obs_mark_time(b) ? obs_mark_time(a) : obs_mark_time(b);
        o->measures |= (o->last_load | 1u) >= first;
        return OBS_MARK_LENGTH | obs_mark_time(a);
      }
      if (obs_mark_time(b)) note_begin(o, a, b);
      return obs_mark_time(b) ? obs_mark_scaled(mark) : mark;
    case TX_RV_ADD: return obs_mark_time(a) && obs_mark_time(b) ? obs_mark_scaled(mark) : mark;
    case TX_RV_ADDI: return mark;
    default: return obs_mark_scaled(mark);
  }
}

static bool is_local(uint32_t address) { return address - TX_LOCAL_BASE < TX_LOCAL_BYTES; }

static uint32_t read_clock(struct obs_orbit *o, uint32_t pc, bool instructions) {
  o->reads += 2;
  o->read_pc[o->reads / 2 % OBS_READS] = pc;
  return o->reads | instructions;
}

/* A part of a word depends on all of it. */
static void store_local(struct obs_orbit *o, const struct tx_insn *d, uint32_t address) {
  uint32_t *mark = &o->local_mark[(address - TX_LOCAL_BASE) / 4];
  *mark =
      tx_access_bytes(d->op) < 4 ? obs_mark_both(obs_mark_scaled(*mark), obs_mark_scaled(o->mark[d->rs2])) : o->mark[d->rs2];
}

static uint32_t mark_of_load(struct obs_orbit *o, uint32_t pc, unsigned op, uint32_t address) {
  if (is_local(address)) {
    if (!o->local_address || address < o->local_address) o->local_address = address & ~3u;
    const uint32_t mark = o->local_mark[(address - TX_LOCAL_BASE) / 4];
    return tx_access_bytes(op) < 4 ? obs_mark_scaled(mark) : mark;
  }
  if (tx_control_moves(address & ~3u)) return read_clock(o, pc, false);
  if (address - TX_ADDR_LOCAL_SLOW < TX_LOCAL_SLOW_BYTES) o->peeks = true;
  if (address - TX_ADDR_PC_SNAPSHOT < TX_PC_SNAPSHOT_BYTES)
    o->state = OBS_ORBIT_LOST; /* it obs_mark_varies as another core moves */
  if (!o->polls) o->address = address;
  o->last_load = o->reads;
  if (address < TX_L1_BYTES) obs_words_add(&o->loaded, address & ~3u);
  else o->asks = true;
  o->polls = true;
  return obs_words_have(&o->counted, address & ~3u) ? OBS_MARK_COUNT : OBS_MARK_NONE;
}

/* The core writes a word outside local RAM. Registers may act. */
static void write_outside(struct obs_orbit *o, unsigned op, uint32_t address, uint32_t value) {
  bool new = o->state == OBS_ORBIT_CLOSED && !obs_words_have(&o->stored, address & ~3u); /* it has left its orbit */
  if (new || address >= TX_L1_BYTES) o->state = OBS_ORBIT_LOST;
  obs_words_add(&o->stored, address & ~3u);
  o->writes++;
  o->stores = mix(mix(mix(o->stores, op), address), obs_words_have(&o->counted, address & ~3u) ? 0 : value);
}

/* A time is another one in the next round, as is a counter. */
static void store_outside(struct obs_orbit *o, const struct tx_insn *d, uint32_t address) {
  if (obs_mark_varies(o->mark[d->rs2])) obs_words_add(&o->counted, address & ~3u);
  if (obs_mark_time(o->mark[d->rs2])) o->stamped = true;
  write_outside(o, d->op, address, o->now[d->rs2]);
}

/* mcycle, minstret, cycle, time, instret and their upper halves. */
static bool is_counter(uint32_t csr) { return (csr & 0xf00u) == 0xb00 || (csr & 0xf00u) == 0xc00; }
static bool counts_instructions(uint32_t csr) { return (csr & 0x1fu) == 2; }

/* The other registers are a part of the state. */
static uint32_t mark_of_csr(struct obs_orbit *o, uint32_t pc, const struct tx_insn *d) {
  const uint32_t csr = d->imm & 0xfffu;
  if (is_counter(csr)) return read_clock(o, pc, counts_instructions(csr));
  if (obs_mark_time(o->mark[d->rs1])) o->state = OBS_ORBIT_LOST;
  return OBS_MARK_NONE;
}

/* An atomic whose result does not depend on how often it was executed. What it writes is seen when it acts (obs_orbit_atomic). Others count, or toggle. */
static bool is_settled(const struct obs_orbit *o, const struct tx_insn *d) {
  bool counts = d->op == TX_RV_AMOADD || d->op == TX_RV_AMOXOR;
  return !obs_mark_varies(o->mark[d->rs1]) && !obs_mark_varies(o->mark[d->rs2]) && (!counts || !o->now[d->rs2]);
}

/* The way of the core, or the place of an access, depends on something that was taken for a counter. */
static bool is_decided_by_counter(const struct obs_orbit *o, const struct tx_insn *d) {
  const uint32_t a = o->mark[d->rs1] & OBS_MARK_COUNT, b = o->mark[d->rs2] & OBS_MARK_COUNT;
  switch (d->class) {
    case TX_RV_CLASS_BRANCH:
    case TX_RV_CLASS_AMO: return a || b;
    case TX_RV_CLASS_JALR:
    case TX_RV_CLASS_LOAD:
    case TX_RV_CLASS_STORE:
    case TX_RV_CLASS_CSR: return a;
    default: return false;
  }
}

static void follow(struct obs_orbit *o, uint32_t pc, const struct tx_insn *d) {
  if (is_decided_by_counter(o, d)) forget_counters(o);
  uint32_t address = o->now[d->rs1] + d->imm, result = OBS_MARK_NONE;
  switch (d->class) {
    case TX_RV_CLASS_BRANCH: relate(o, o->mark[d->rs1], o->mark[d->rs2]); break;
    case TX_RV_CLASS_AMO:
      if (is_settled(o, d)) result = mark_of_load(o, pc, d->op, o->now[d->rs1]);
      else o->state = OBS_ORBIT_LOST; /* the word that it writes is not followed */
      break;
    case TX_RV_CLASS_JALR:
      if (obs_mark_time(o->mark[d->rs1])) o->state = OBS_ORBIT_LOST;
      break;
    case TX_RV_CLASS_LOAD:
      if (obs_mark_time(o->mark[d->rs1])) o->state = OBS_ORBIT_LOST;
      else result = mark_of_load(o, pc, d->op, address);
      break;
    case TX_RV_CLASS_STORE:
      if (obs_mark_time(o->mark[d->rs1])) o->state = OBS_ORBIT_LOST;
      else if (is_local(address)) store_local(o, d, address);
      else store_outside(o, d, address);
      break;
    case TX_RV_CLASS_CSR: result = mark_of_csr(o, pc, d); break;
    default: result = mark_of_result(o, d); break;
  }
  o->mark[d->rd] = d->rd < TX_CORE_NOWHERE ? result : OBS_MARK_NONE;
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
    else if (!o->anchored && anchors_at(o, e->b, is_outside_load(o, &d))) anchor_here(o, c, e->b, settled);
  }
  follow(o, e->b, &d);
  if (o->state == OBS_ORBIT_CLOSED) keep_marks(o);
  if (d.class == TX_RV_CLASS_LOAD && is_outside_load(o, &d)) note_load(o, t, c, &d, e);
  memcpy(o->now, c->r, sizeof o->now);
}

void obs_orbit_atomic(struct obs_orbit *o, uint32_t pc, uint32_t address, uint32_t old, uint32_t value) {
  if (o->state == OBS_ORBIT_LOST) return;
  if (value != old) write_outside(o, TX_RV_AMOSWAP, address, value);
  note_value(o, pc, address, old);
}
