/* Trial execution of a polling loop (poll.h).
 *
 * Starting after the load, the core's instructions are executed on copies of its registers until they return to the load (the value
 * does not end the loop) or leave: by a store outside local RAM, a push, or after more instructions than any poll has. Values are
 * tried in the order of their frequency in programs: any change, a bit, a number, a count. */
#include "observe/hang/poll.h"

#include <string.h>

#include "observe/hang/ahead.h"
#include "tensix/riscv/csr.h"
#include "tensix/riscv/integer.h"
#include "tensix/tile/control.h"

#define STEPS_MAX 4096u      /* per iteration: a poll may pause by counting */
#define ROUND_STEPS 96u      /* for a poll without a pause: executed at every load of a counter while a checker runs */
#define BUDGET 4000000u      /* instructions of the trial execution of one poll */
#define BUDGET_AHEAD 400000u /* of one that lies ahead of the core */
#define USE_STEPS 4000u      /* in which a value that is loaded in passing is followed */
#define SPILLS_MAX 16u
#define COUNTS_MAX 65536u
#define PAUSE_TURNS 16u /* of a loop in a poll that only passes time, before it is left */
#define OTHER_TURNS 2u  /* of a wait for something else, where a value is followed */
#define TURNS_KEPT 4u
#define POLLED 1u /* in `from`, when pauses are left: computed from the polled value, from another word that may change */
#define OTHER 2u
#define BLOCK_MAX 16u /* instructions of a poll before and after its load */

/* Records stores to local RAM: unoptimised code keeps loaded values on its stack. */
struct paper {
  const struct tx_tile *t;
  const struct tx_core *core;
  uint32_t load_pc;
  uint32_t r[TX_CORE_REGISTERS];
  uint32_t pc;
  uint32_t spill_at[SPILLS_MAX], spill[SPILLS_MAX];
  unsigned spills;
  unsigned round; /* most instructions of one iteration */
  uint32_t *budget;
  const struct obs_polled *word; /* whole iterations: this word has another value */
  uint32_t word_value;
  const struct obs_polled *polled; /* the loads of the loop */
  unsigned polled_count;
  bool met;       /* one of them was executed */
  bool passed;    /* the word's branch has gone two ways with one value: the poll has ended, and another of the word begun */
  bool watched;   /* the branch that depends on the word's load is still to come */
  uint32_t turn;  /* the way that it went first; 0: not yet */
  bool guessed;   /* a register was read whose value is not known: ... */
  uint32_t guess; /* ... it has this one */
  bool again;     /* the load's address is known: compilers load the word at several places of the loop */
  bool one_address; /* a loop over a table returns to the load with another address: not a poll */
  uint32_t again_at, again_value;
  uint32_t again_pc; /* the other place that loaded it last */
  bool looped;       /* that place has loaded it twice: a loop without the first load */
  bool *tired;       /* set if the loop neither came back nor ended within `round`; may be NULL */
  bool pauses;       /* loops that only pass time are left after some turns */
  bool depends;      /* with `pauses`: a branch, a jump or an address was computed from the polled value */
  struct turns {
    uint32_t at, count, uses;
  } turn_of[TURNS_KEPT];    /* jumps back and how often each was taken; `uses` when it was taken last */
  uint32_t stuck;           /* the jump of such a loop that has no condition: the next branch out of it is taken; 0: none */
  bool others;              /* a branch has depended on another word */
  uint32_t path;            /* of the branches that depend on the polled value */
  bool follows;             /* the value is followed: over stores, waits for something else, instructions to the threads */
  uint32_t uses;            /* computations and branches that have used it */
  uint32_t effects;         /* of the addresses and values that depend on it and leave the core's registers and its stack */
  struct obs_polled *loads; /* whole iterations: the loads so far, or NULL */
  unsigned load_count, load_room;
  uint32_t from[TX_CORE_REGISTERS], spill_from[SPILLS_MAX]; /* the loads that a value was computed from, bit per load */
  uint32_t pointers;                                        /* the loads whose value is part of the address of another one */
  bool by_branch;                                           /* loops that store: ... */
  uint32_t way; /* ... the branch that the present value takes, + 1 if it jumps */
};

enum outcome { GOES_ON, COMES_BACK, LEAVES };

static bool is_local(uint32_t address) { return address - TX_LOCAL_BASE <= TX_LOCAL_BYTES - 4; }

static unsigned bytes_of(unsigned op) {
  return op == TX_RV_LB || op == TX_RV_LBU || op == TX_RV_SB   ? 1
         : op == TX_RV_LH || op == TX_RV_LHU || op == TX_RV_SH ? 2
                                                               : 4;
}

/* An atomic returns the old value, as a load does. */
static bool loads(const struct tx_insn *d) { return d->class == TX_RV_CLASS_LOAD || d->class == TX_RV_CLASS_AMO; }

static uint32_t extend(unsigned op, uint32_t raw) {
  switch (op) {
    case TX_RV_LB: return (uint32_t)(int8_t)raw;
    case TX_RV_LBU: return raw & 0xffu;
    case TX_RV_LH: return (uint32_t)(int16_t)raw;
    case TX_RV_LHU: return raw & 0xffffu;
    default: return raw;
  }
}

/* Records the load and reads the word. false: a register that changes by itself, or one whose value is not known. */
static bool read_outside(struct paper *p, const struct tx_insn *d, uint32_t address, uint32_t *raw) {
  struct obs_polled load = {.pc = p->pc, .address = address, .bytes = bytes_of(d->op)};
  bool known = address <= TX_L1_BYTES - 4;
  if (known) *raw = tx_l1_read(p->t, address, load.bytes);
  for (unsigned i = 0; !known && i < TX_CORE_POLLS && !tx_control_moves(address & ~3u); i++) {
    known = p->core->polls.since[i] && p->core->polls.pc[i] == p->pc && p->core->polls.address[i] == address;
    *raw = p->core->polls.value[i];
  }
  load.value = *raw;
  p->from[d->rd] = 0;
  if (!known || !p->loads || p->load_count == p->load_room) return known;
  if (p->load_count < 32) p->from[d->rd] = 1u << p->load_count;
  p->loads[p->load_count++] = load;
  return true;
}

/* The time stands still: a limit of the loop is not reached, and a pause by the time is left as any other. */
static bool reads_clock(struct paper *p, const struct tx_insn *d, uint32_t address, uint32_t *raw) {
  if (!p->pauses || !tx_control_moves(address & ~3u)) return false;
  uint64_t now = p->t->engine.now;
  *raw = (uint32_t)((address & ~3u) == TX_ADDR_CONTROL + TX_CONTROL_WALL_CLOCK_0 ? now : now >> 32);
  p->from[d->rd] = 0;
  return true;
}

/* Reads of the cycle and instruction counters by CSR instructions. */
static bool reads_counter(struct paper *p, const struct tx_insn *d) {
  bool reads = (d->op == TX_RV_CSRRS || d->op == TX_RV_CSRRC) && d->rs1 == 0;
  if (!p->pauses || !reads || !tx_csr_counts(p->core, d->word >> 20, p->t->engine.now, &p->r[d->rd])) return false;
  p->from[d->rd] = 0;
  return true;
}

/* Does the core execute a load of its loop? */
static bool meets(const struct paper *p, uint32_t address) {
  for (unsigned i = 0; i < p->polled_count; i++)
    if (p->polled[i].pc == p->pc && p->polled[i].address == address) return true;
  return false;
}

static enum outcome load(struct paper *p, const struct tx_insn *d, uint32_t address) {
  uint32_t raw = 0, from = 0;
  if (p->follows && p->from[d->rs1] & POLLED) p->effects = (p->effects * 31u + p->pc) * 31u + address;
  if (p->loads) p->pointers |= p->from[d->rs1];
  p->met |= meets(p, address);
  for (unsigned i = p->spills; i-- > 0;)
    if (p->spill_at[i] == address && bytes_of(d->op) == 4) {
      p->r[d->rd] = p->spill[i];
      p->from[d->rd] = p->spill_from[i];
      return GOES_ON;
    }
  if (p->again && address == p->again_at) {
    raw = p->again_value;
    p->looped |= p->again_pc == p->pc;
    p->again_pc = p->pc;
    from = POLLED;
  } else if (is_local(address)) memcpy(&raw, &p->core->local[address - TX_LOCAL_BASE], bytes_of(d->op));
  else if (p->word && address == p->word->address && bytes_of(d->op) == p->word->bytes) {
    raw = p->word_value;
    p->watched = p->pc == p->word->pc;
    from = p->watched;
  } else if (!reads_clock(p, d, address, &raw)) {
    from = p->pauses ? OTHER : 0;
    if (!read_outside(p, d, address, &raw) && !p->follows) {
      if (!p->word) return LEAVES;
      raw = p->guess;
      p->guessed = true;
    }
  }
  p->r[d->rd] = extend(d->op, raw);
  if (p->word || p->pauses) p->from[d->rd] = from;
  return GOES_ON;
}

/* Of a value that is followed, what leaves the core by this instruction. */
static enum outcome leave(struct paper *p, const struct tx_insn *d, uint32_t address) {
  if (!p->follows) return LEAVES;
  uint32_t address_part = p->from[d->rs1] & POLLED ? address : 0, value_part = p->from[d->rs2] & POLLED ? p->r[d->rs2] : 0;
  if ((p->from[d->rs1] | p->from[d->rs2]) & POLLED)
    p->effects = ((p->effects * 31u + p->pc) * 31u + address_part) * 31u + value_part;
  return GOES_ON;
}

static enum outcome store(struct paper *p, const struct tx_insn *d, uint32_t address) {
  if (!is_local(address) || bytes_of(d->op) != 4) return leave(p, d, address);
  for (unsigned i = 0; i < p->spills; i++)
    if (p->spill_at[i] == address) {
      p->spill[i] = p->r[d->rs2];
      p->spill_from[i] = p->from[d->rs2];
      return GOES_ON;
    }
  if (p->spills == SPILLS_MAX) return leave(p, d, address);
  p->spill_at[p->spills] = address;
  p->spill_from[p->spills] = p->from[d->rs2];
  p->spill[p->spills++] = p->r[d->rs2];
  return GOES_ON;
}

/* The result of ALU, MUL and DIV rows, the condition of BRANCH rows. */
static uint32_t compute(const struct tx_insn *d, uint32_t a, uint32_t b, uint32_t pc) {
  uint32_t imm = d->imm;
  switch (d->op) {
#define RV(name, text, match, mask, format, class, what) \
  case TX_RV_##name: \
    return (uint32_t)(what);
#include "tensix/riscv/riscv.def"
#undef RV
    default: return 0;
  }
}

/* Polls of one word that follow each other in an outer loop compare it with another value each. */
static void watch(struct paper *p, const struct tx_insn *d, bool jumps) {
  if (!p->watched || !(p->from[d->rs1] | p->from[d->rs2])) return;
  uint32_t turn = p->pc | jumps | 2u;
  p->watched = false;
  p->passed |= p->turn && p->turn != turn;
  if (!p->turn) p->turn = turn;
}

static struct turns *turns_at(struct paper *p, uint32_t pc) {
  for (unsigned i = 0; i < TURNS_KEPT; i++) {
    if (!p->turn_of[i].count) p->turn_of[i].at = pc;
    if (p->turn_of[i].at == pc) return &p->turn_of[i];
  }
  return NULL;
}

/* A jump to `next`. Loops that neither the polled word nor another one ends pass time: they are left after some turns. One that another
 * word ends is another poll: the polled one has ended. */
static enum outcome pause_ends(struct paper *p, const struct tx_insn *d, uint32_t *next) {
  uint32_t target = p->pc + d->imm, from = d->class == TX_RV_CLASS_BRANCH ? p->from[d->rs1] | p->from[d->rs2] : 0;
  p->others |= (from & OTHER) != 0;
  if (from & POLLED) p->path = (p->path * 31u + p->pc) * 2u + (*next == target), p->uses++;
  if (*next != target) { /* out of a loop whose jump back has no condition */
    if (p->stuck && (!from || p->follows) && target > p->stuck) *next = target, p->stuck = 0;
    return GOES_ON;
  }
  struct turns *turns = target < p->pc && !(from & POLLED) ? turns_at(p, p->pc) : NULL;
  if (turns && p->follows && turns->uses != p->uses) turns->uses = p->uses, turns->count = 0; /* not a pause */
  if (!turns || ++turns->count <= (p->follows && from ? OTHER_TURNS : PAUSE_TURNS)) return GOES_ON;
  if (from && !p->follows) return LEAVES;
  if (d->class == TX_RV_CLASS_BRANCH) *next = p->pc + 4;
  else p->stuck = p->pc;
  return GOES_ON;
}

static enum outcome step(struct paper *p) {
  if (p->pc == p->load_pc) return COMES_BACK;
  if (p->pc > TX_L1_BYTES - 4 || p->pc & 3u) return LEAVES;
  struct tx_insn d = obs_insn_at(p->t, p->core, p->pc);
  uint32_t a = p->r[d.rs1], b = p->r[d.rs2], next = p->pc + 4;
  enum outcome outcome = GOES_ON;
  bool odd = false;
  switch (d.class) {
    case TX_RV_CLASS_MARK: break;
    case TX_RV_CLASS_ALU:
    case TX_RV_CLASS_MUL:
    case TX_RV_CLASS_DIV:
      p->r[d.rd] = compute(&d, a, b, p->pc);
      p->uses += (p->from[d.rd] = p->from[d.rs1] | p->from[d.rs2]) & POLLED;
      break;
    case TX_RV_CLASS_BRANCH:
      if (compute(&d, a, b, p->pc)) next = p->pc + d.imm;
      p->depends |= ((p->from[d.rs1] | p->from[d.rs2]) & POLLED) != 0;
      watch(p, &d, next != p->pc + 4);
      if (p->pauses) outcome = pause_ends(p, &d, &next);
      break;
    case TX_RV_CLASS_JAL:
      p->r[d.rd] = next;
      next = p->pc + d.imm;
      if (p->pauses && d.rd == TX_CORE_NOWHERE) outcome = pause_ends(p, &d, &next);
      break;
    case TX_RV_CLASS_JALR:
      p->depends |= (p->from[d.rs1] & POLLED) != 0;
      p->r[d.rd] = next;
      next = (a + d.imm) & ~1u;
      break;
    case TX_RV_CLASS_LOAD:
      p->depends |= (p->from[d.rs1] & POLLED) != 0;
      outcome = load(p, &d, a + d.imm);
      break;
    case TX_RV_CLASS_STORE:
      p->depends |= (p->from[d.rs1] & POLLED) != 0;
      outcome = store(p, &d, a + d.imm);
      break;
    case TX_RV_CLASS_CSR: odd = !reads_counter(p, &d); break;
    case TX_RV_CLASS_FENCE: break; /* tt-metal's loops empty the core's cache of L1 by one */
    case TX_RV_CLASS_TTINSN: odd = !p->follows; break;
    default: odd = true; break;
  }
  p->r[0] = p->from[0] = 0;
  p->pc = next;
  return odd ? LEAVES : outcome;
}

static bool same_state(const struct paper *a, const struct paper *b) {
  return memcmp(a->r, b->r, sizeof a->r) == 0 && a->spills == b->spills && memcmp(a->spill, b->spill, sizeof a->spill) == 0;
}

/* Executes from the core's pc until it leaves the loop, by a store or into another loop, or repeats a state (Brent's search, since an
 * iteration with another value need not pass through the core's pc). A repetition with a load of the loop in it: the core still polls. */
static bool leaves_loop(struct paper *p) {
  struct paper mark = *p;
  unsigned steps = 0, most = 1;
  for (unsigned i = 0; i < p->round && *p->budget; i++) {
    --*p->budget;
    if (step(p) == LEAVES || p->passed) return true;
    if (p->pc == mark.pc && same_state(p, &mark)) return !p->met;
    if (++steps < most) continue;
    mark = *p;
    steps = 0;
    most *= 2;
    p->met = false;
  }
  return false; /* not known */
}

/* Does the loop end if the word has this value and the other words keep theirs? Registers that the core reads behind the loop have
 * unknown values: none of them may lead back into it. */
static bool rounds_end(const struct paper *start, uint32_t value) {
  struct paper p = *start, other = *start;
  p.word_value = other.word_value = value;
  other.guess = UINT32_MAX;
  return leaves_loop(&p) && (!p.guessed || leaves_loop(&other));
}

/* Does the loop end if the load returns this value? Executes on `p` itself, which must not be used afterwards. */
static bool ends_on(struct paper *p, const struct tx_insn *d, uint32_t value) {
  p->again = d->rd != d->rs1;
  p->again_at = p->r[d->rs1] + d->imm;
  p->again_value = value;
  p->r[d->rd] = extend(d->op, value);
  p->from[d->rd] = POLLED;
  p->r[0] = p->from[0] = 0;
  p->pc = p->load_pc + 4;
  for (unsigned i = 0; i < p->round; i++) {
    if (!*p->budget) return false; /* not known */
    --*p->budget;
    enum outcome outcome = step(p);
    if (outcome == COMES_BACK) p->depends |= (p->from[d->rs1] & POLLED) != 0;
    if (outcome == COMES_BACK && p->one_address && p->again && p->r[d->rs1] + d->imm != p->again_at) return true;
    if (outcome != GOES_ON) return outcome == LEAVES;
    if (p->looped) return false;
  }
  if (p->tired) *p->tired = true;
  return true;
}

/* The first branch that depends on the loaded value, + 1 if it jumps; 0: none was found. Stores are not executed. */
static uint32_t way_of(const struct paper *start, const struct tx_insn *load_insn, uint32_t value, unsigned *against) {
  struct paper p = *start;
  p.r[load_insn->rd] = extend(load_insn->op, value);
  p.from[load_insn->rd] = 1;
  p.r[0] = 0;
  p.pc = p.load_pc + 4;
  for (unsigned i = 0; i < ROUND_STEPS && *p.budget; i++) {
    --*p.budget;
    if (p.pc > TX_L1_BYTES - 4 || p.pc & 3u) return 0;
    struct tx_insn d = obs_insn_at(p.t, p.core, p.pc);
    uint32_t at = p.pc;
    bool depends = d.class == TX_RV_CLASS_BRANCH && (p.from[d.rs1] | p.from[d.rs2]);
    if (d.class == TX_RV_CLASS_LOAD) p.from[d.rd] = 0;
    if (step(&p) == COMES_BACK) return 0;
    if (p.pc == at) p.pc += 4; /* a jump to itself */
    if (depends) {
      *against = !p.from[d.rs1] ? d.rs1 : !p.from[d.rs2] ? d.rs2 : 0;
      return at | (p.pc != at + 4);
    }
  }
  return 0;
}

/* The bits of the polled value: a load may read a byte. */
static uint32_t mask_of(const struct paper *p, const struct tx_insn *d) {
  unsigned bytes = p->word ? p->word->bytes : bytes_of(d->op);
  return bytes == 4 ? UINT32_MAX : (UINT32_C(1) << 8 * bytes) - 1;
}

static bool ends(const struct paper *start, const struct tx_insn *d, uint32_t value) {
  if (start->word) return rounds_end(start, value);
  unsigned against;
  if (start->by_branch) return way_of(start, d, value, &against) != start->way;
  struct paper p = *start;
  return ends_on(&p, d, value);
}

/* Does any other value end the loop? The values in registers are those that the loop may compare with. */
static bool wants_a_change(const struct paper *p, const struct tx_insn *d, uint32_t value) {
  static const uint32_t flips[] = {1, 2, 0x80, 0x8000, 0xffff, 0x10000, 0x80000000u, 0x5a5a5a5au, 0xffffffffu};
  uint32_t mask = mask_of(p, d);
  for (size_t i = 0; i < sizeof flips / sizeof *flips; i++)
    if (flips[i] & mask && !ends(p, d, value ^ (flips[i] & mask))) return false;
  for (unsigned i = 0; i < 32; i++)
    if (i != d->rd && (p->r[i] ^ value) & mask && !ends(p, d, p->r[i] & mask)) return false;
  return !value || (ends(p, d, value - 1) && ends(p, d, 0)); /* a loop for "large enough" continues with smaller values */
}

/* Does one bit end the loop, regardless of the others? A range of numbers may end with a bit too, but not for all values of the others. */
static bool wants_a_bit(const struct paper *p, const struct tx_insn *d, uint32_t value, uint32_t *wanted) {
  uint32_t bits = 0;
  for (unsigned i = 0; i < 32; i++)
    if (mask_of(p, d) >> i & 1u && ends(p, d, value ^ 1u << i)) bits |= 1u << i;
  if (!bits || (bits & (bits - 1))) return false;
  static const uint32_t others[] = {0,           0xffffffffu, 0x55555555u, ~0x55555555u, 0x01010101u, ~0x01010101u,
                                    0xfffffff0u, 0x0000ffffu, 0xffff0000u};
  *wanted = bits;
  bool all = ends(p, d, value ^ bits ^ (bits == 1 ? 2u : 1u));
  for (size_t i = 0; i < sizeof others / sizeof *others && all; i++)
    all = ends(p, d, ((others[i] & ~bits) | (~value & bits)) & mask_of(p, d));
  return all;
}

static bool wants_a_register(const struct paper *p, const struct tx_insn *d, uint32_t *wanted) {
  for (unsigned i = 0; i < 32; i++)
    if (i != d->rd && ends(p, d, p->r[i]) && !ends(p, d, p->r[i] + 1) && !ends(p, d, p->r[i] - 1)) {
      *wanted = p->r[i];
      return true;
    }
  return false;
}

/* The bits of the word that the loop looks at: with one of them other than in `wanted`, which ends it, it goes on. */
static uint32_t seen_bits(const struct paper *p, const struct tx_insn *d, uint32_t wanted) {
  uint32_t seen = 0;
  for (unsigned i = 0; i < 32; i++)
    if (mask_of(p, d) >> i & 1u && !ends(p, d, wanted ^ 1u << i)) seen |= 1u << i;
  return seen;
}

/* Another value, in another register, ends the loop too: no single value is what it waits for. */
static bool wants_another(const struct paper *p, const struct tx_insn *d, uint32_t wanted, uint32_t seen) {
  for (unsigned i = 0; i < 32; i++)
    if (i != d->rd && (p->r[i] ^ wanted) & seen && ends(p, d, p->r[i])) return true;
  return false;
}

/* The loop compares all bits of the word with a register, or some of them: the others then keep their present value. */
static enum obs_wish equals_register(const struct paper *p, const struct tx_insn *d, uint32_t value, uint32_t *wanted) {
  uint32_t seen = seen_bits(p, d, *wanted);
  if (wants_another(p, d, *wanted, seen)) return OBS_WISH_UNKNOWN;
  *wanted = (*wanted & seen) | (value & ~seen & mask_of(p, d));
  return OBS_WISH_EQUAL;
}

/* `wanted` is the nearest larger value that ends the loop. Every larger one does so too, or none; of a set of values none is reported. */
static enum obs_wish equal_or_more(const struct paper *p, const struct tx_insn *d, bool counter, uint32_t wanted) {
  static const uint32_t further[] = {1, 2, 3, 4, 7, 8, 15, 16, 31, 64, 100, 0x100, 0x400, 0x1000, 0x10000};
  const unsigned count = counter ? 1 : sizeof further / sizeof *further;
  uint32_t mask = mask_of(p, d);
  unsigned tried = 0, ended = 0;
  for (unsigned i = 0; i < count; i++) {
    if (further[i] > mask - wanted) continue; /* beyond the largest value */
    tried++;
    ended += ends(p, d, wanted + further[i]);
  }
  return tried && ended == tried ? OBS_WISH_AT_LEAST : ended ? OBS_WISH_UNKNOWN : OBS_WISH_EQUAL;
}

/* Tries values in the order of their frequency in programs. */
static enum obs_wish find_wish(const struct paper *p, const struct tx_insn *d, uint32_t value, bool counter,
                               uint32_t *wanted) {
  *wanted = value;
  if (!counter && wants_a_change(p, d, value)) return OBS_WISH_NOT_EQUAL;
  if (!counter && wants_a_bit(p, d, value, wanted)) return OBS_WISH_BITS;
  if (!counter && wants_a_register(p, d, wanted)) return equals_register(p, d, value, wanted);
  for (uint32_t more = 1; more < COUNTS_MAX && more <= mask_of(p, d) && *p->budget; more++) {
    *wanted = (value + more) & mask_of(p, d);
    if (ends(p, d, *wanted)) return equal_or_more(p, d, counter, *wanted);
  }
  for (*wanted = 0; *wanted < COUNTS_MAX && *wanted <= mask_of(p, d) && *p->budget; ++*wanted)
    if (ends(p, d, *wanted)) return *wanted < value && ends(p, d, *wanted + 1) ? OBS_WISH_UNKNOWN : OBS_WISH_EQUAL;
  return OBS_WISH_UNKNOWN;
}

enum obs_wish obs_poll_wish(const struct tx_tile *t, unsigned core, uint32_t pc, uint32_t value, bool counter,
                            uint32_t *wanted) {
  uint32_t budget = BUDGET;
  struct paper p = {.t = t, .core = &t->core[core], .load_pc = pc, .round = STEPS_MAX, .budget = &budget};
  *wanted = 0;
  if (pc > TX_L1_BYTES - 4 || pc & 3u) return OBS_WISH_UNKNOWN;
  struct tx_insn d = obs_insn_at(t, p.core, pc);
  memcpy(p.r, t->core[core].r, sizeof p.r);
  if (!loads(&d) || ends(&p, &d, value)) return OBS_WISH_UNKNOWN;
  return find_wish(&p, &d, value, counter, wanted);
}

enum obs_wish obs_poll_branch_wish(const struct tx_tile *t, unsigned core, uint32_t pc, uint32_t value, uint32_t *wanted,
                                   struct obs_branch *branch) {
  uint32_t budget = BUDGET;
  struct paper p = {.t = t, .core = &t->core[core], .load_pc = pc, .round = STEPS_MAX, .budget = &budget};
  *wanted = 0;
  if (pc > TX_L1_BYTES - 4 || pc & 3u) return OBS_WISH_UNKNOWN;
  struct tx_insn d = obs_insn_at(t, p.core, pc);
  memcpy(p.r, t->core[core].r, sizeof p.r);
  if (!loads(&d)) return OBS_WISH_UNKNOWN;
  p.way = way_of(&p, &d, value, &branch->against);
  p.by_branch = true;
  if (!p.way) return OBS_WISH_UNKNOWN;
  branch->at = p.way & ~1u;
  branch->other = p.way & 1u ? branch->at + 4 : branch->at + obs_insn_at(t, p.core, branch->at).imm;
  return find_wish(&p, &d, value, false, wanted);
}

static struct paper paper_here(const struct tx_tile *t, unsigned core, uint32_t *budget) {
  struct paper p = {
      .t = t, .core = &t->core[core], .load_pc = UINT32_MAX, .pc = t->core[core].pc, .round = STEPS_MAX, .budget = budget};
  memcpy(p.r, t->core[core].r, sizeof p.r);
  return p;
}

/* Executes two rounds of `steps` instructions, each of which returns to its state: an address may have been loaded in the round before. */
static unsigned loads_of(struct paper *p, unsigned steps, struct obs_polled *out, unsigned room) {
  p->loads = out;
  p->load_room = room;
  memset(p->from, 0, sizeof p->from);
  memset(p->spill_from, 0, sizeof p->spill_from);
  for (unsigned round = 0; round < 2; round++) {
    p->load_count = 0;
    for (unsigned i = 0; i < steps; i++) step(p);
  }
  for (unsigned i = 0; i < p->load_count && i < 32; i++) out[i].pointer = p->pointers >> i & 1u;
  return p->load_count;
}

unsigned obs_poll_round(const struct tx_tile *t, unsigned core, struct obs_polled *out, unsigned room) {
  uint32_t budget = STEPS_MAX;
  struct paper p = paper_here(t, core, &budget), mark = p;
  unsigned steps = 0, most = 1; /* Brent's search: registers may still hold values from before the loop */
  for (unsigned i = 0; i < p.round; i++) {
    if (step(&p) == LEAVES) return 0;
    steps++;
    if (p.pc == mark.pc && same_state(&p, &mark)) return loads_of(&mark, steps, out, room);
    if (steps < most) continue;
    mark = p;
    steps = 0;
    most *= 2;
  }
  return 0;
}

enum obs_wish obs_poll_round_wish(const struct tx_tile *t, unsigned core, const struct obs_polled *polled, unsigned count,
                                  const struct obs_polled *word, bool counter, uint32_t *wanted) {
  uint32_t budget = BUDGET;
  struct paper p = paper_here(t, core, &budget);
  const struct tx_insn none = {.op = TX_RV_LW};
  p.word = word;
  p.polled = polled;
  p.polled_count = count;
  *wanted = 0;
  return rounds_end(&p, word->value) ? OBS_WISH_UNKNOWN : find_wish(&p, &none, word->value, counter, wanted);
}

enum obs_wish obs_poll_wish_ahead(const struct tx_tile *t, unsigned core, const uint32_t *registers,
                                  const struct obs_polled *word, uint32_t *wanted) {
  uint32_t budget = BUDGET_AHEAD;
  struct paper p = paper_here(t, core, &budget);
  const struct tx_insn none = {.op = TX_RV_LW};
  memcpy(p.r, registers, sizeof p.r);
  p.pc = word->pc;
  p.word = p.polled = word;
  p.polled_count = 1;
  *wanted = 0;
  return rounds_end(&p, word->value) ? OBS_WISH_UNKNOWN : find_wish(&p, &none, word->value, false, wanted);
}

static bool prepare(const struct tx_tile *t, unsigned core, uint32_t pc, uint32_t *budget, struct paper *p,
                    struct tx_insn *d) {
  if (pc > TX_L1_BYTES - 4 || pc & 3u) return false;
  *d = obs_insn_at(t, &t->core[core], pc);
  *p = (struct paper){.t = t, .core = &t->core[core], .load_pc = pc, .round = ROUND_STEPS, .budget = budget};
  memcpy(p->r, t->core[core].r, sizeof p->r);
  return loads(d);
}

/* Most loops come back or end within a few instructions, others pause. */
struct obs_way obs_poll_way(const struct tx_tile *t, unsigned core, uint32_t pc, uint32_t value) {
  uint32_t budget = BUDGET;
  struct paper p;
  struct tx_insn d;
  bool tired = false, over = true;
  for (unsigned round = ROUND_STEPS; round <= STEPS_MAX; round *= STEPS_MAX / ROUND_STEPS) {
    if (!prepare(t, core, pc, &budget, &p, &d)) return (struct obs_way){.ends = true};
    p.round = round;
    p.pauses = true;
    p.tired = &tired;
    tired = false;
    over = ends_on(&p, &d, value);
    if (!tired) break;
  }
  return (struct obs_way){.ends = over, .others = p.others, .path = p.path};
}

static bool lives(const struct paper *p) {
  for (unsigned i = 0; i < TX_CORE_REGISTERS; i++)
    if (p->from[i] & POLLED) return true;
  for (unsigned i = 0; i < p->spills; i++)
    if (p->spill_from[i] & POLLED) return true;
  return false;
}

/* The registers that have the value; all of them if a spill has it too. */
static uint32_t holders(const struct paper *p) {
  uint32_t live = 0;
  for (unsigned i = 1; i < 32; i++) live |= p->from[i] & POLLED ? 1u << i : 0;
  for (unsigned i = 0; i < p->spills; i++)
    if (p->spill_from[i] & POLLED) return UINT32_MAX;
  return live;
}

/* Does the code read the value, which these registers have at this address? */
static bool is_used_ahead(const struct paper *p, uint32_t pc, uint32_t live) {
  return live == UINT32_MAX || obs_reads_ahead(p->t, (unsigned)(p->core - p->t->core), pc, live);
}

struct obs_use obs_poll_follow(const struct tx_tile *t, unsigned core, uint32_t pc, uint32_t value) {
  uint32_t budget = USE_STEPS;
  struct paper p;
  struct tx_insn d;
  bool ended = false;
  if (!prepare(t, core, pc, &budget, &p, &d)) return (struct obs_use){0};
  uint32_t address = p.r[d.rs1] + d.imm;
  p.pauses = p.follows = true;
  p.r[d.rd] = extend(d.op, value);
  p.from[d.rd] = POLLED;
  p.r[0] = p.from[0] = 0;
  p.load_pc = UINT32_MAX;
  p.pc = pc + 4;
  uint32_t used_at = p.pc, used = 0, live = holders(&p); /* after the last use that was met */
  while (budget-- && lives(&p) && (p.pc != pc || p.r[d.rs1] + d.imm != address) && !ended) {
    ended = step(&p) != GOES_ON;
    if (p.uses != used) used = p.uses, used_at = p.pc, live = holders(&p);
  }
  return (struct obs_use){.path = p.path,
                          .effects = p.effects,
                          .open = (ended || budget == UINT32_MAX) && lives(&p) && is_used_ahead(&p, p.pc, holders(&p)) &&
                                  is_used_ahead(&p, used_at, live)};
}

bool obs_same_use(const struct obs_use *a, const struct obs_use *b) {
  return a->path == b->path && a->effects == b->effects && !a->open && !b->open;
}

bool obs_poll_ends(const struct tx_tile *t, unsigned core, uint32_t pc, uint32_t value) {
  return obs_poll_way(t, core, pc, value).ends;
}

/* Most loads are no polls: the core's way does not depend on their value, and no other value needs to be tried. */
static bool any_value_loops(const struct paper *p, const struct tx_insn *d, uint32_t value) {
  const uint32_t others[] = {0, value ^ 1u, value - 1, value + 1, ~value, 1, 0x80};
  struct paper first = *p;
  if (!ends_on(&first, d, value)) return true;
  if (!first.depends) return false;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (others[i] != value && !ends(p, d, others[i])) return true;
  return false;
}

bool obs_poll_is_loop(const struct tx_tile *t, unsigned core, uint32_t pc, uint32_t value) {
  uint32_t budget = 16 * STEPS_MAX;
  struct paper p;
  struct tx_insn d;
  bool tired = false;
  if (!prepare(t, core, pc, &budget, &p, &d)) return false;
  p.one_address = true;
  p.pauses = true;
  p.tired = &tired;
  if (any_value_loops(&p, &d, value)) return true;
  p.round = STEPS_MAX; /* a poll with a pause */
  return tired && any_value_loops(&p, &d, value);
}

/* Does the block add to the load's address register? */
static bool walks(const struct tx_tile *t, unsigned core, uint32_t from, uint32_t to, unsigned address) {
  for (uint32_t pc = from; pc <= to; pc += 4) {
    struct tx_insn d = obs_insn_at(t, &t->core[core], pc);
    if (d.class == TX_RV_CLASS_ALU && d.rd == address && (d.rs1 == address || d.rs2 == address)) return true;
  }
  return false;
}

/* A counter of a pause, kept on the stack. */
static bool is_on_stack(const struct tx_insn *d) { return d->rs1 == 2; }

/* Is there a jump back to the load, or to just before it? */
static bool jumps_back(const struct tx_tile *t, unsigned core, uint32_t pc) {
  unsigned address = obs_insn_at(t, &t->core[core], pc).rs1;
  for (uint32_t at = pc + 4; at < pc + 4 + 4 * BLOCK_MAX && at <= TX_L1_BYTES - 4; at += 4) {
    struct tx_insn d = obs_insn_at(t, &t->core[core], at);
    bool jump = d.class == TX_RV_CLASS_BRANCH || d.class == TX_RV_CLASS_JAL;
    uint32_t target = at + d.imm;
    if ((d.class == TX_RV_CLASS_STORE && !is_on_stack(&d)) || d.class == TX_RV_CLASS_JALR) return false;
    if (jump && target <= pc && pc - target < 4 * BLOCK_MAX) return !walks(t, core, target, at, address);
  }
  return false;
}

/* Compilers load the word once before the loop and again at its end: the same load follows, and the jump back follows that. */
bool obs_poll_may_loop(const struct tx_tile *t, unsigned core, uint32_t pc) {
  if (pc > TX_L1_BYTES - 4 || pc & 3u) return false;
  struct tx_insn first = obs_insn_at(t, &t->core[core], pc);
  if (jumps_back(t, core, pc)) return true;
  for (uint32_t at = pc + 4; at < pc + 4 + 4 * BLOCK_MAX && at <= TX_L1_BYTES - 4 && first.rd != first.rs1; at += 4) {
    struct tx_insn d = obs_insn_at(t, &t->core[core], at);
    bool same = d.class == TX_RV_CLASS_LOAD && d.op == first.op && d.rs1 == first.rs1 && d.imm == first.imm;
    if (same) return jumps_back(t, core, at);
    bool writes = d.class == TX_RV_CLASS_ALU || d.class == TX_RV_CLASS_LOAD;
    bool goes_on =
        d.class == TX_RV_CLASS_BRANCH || d.class == TX_RV_CLASS_FENCE || (d.class == TX_RV_CLASS_STORE && is_on_stack(&d));
    if (writes ? d.rd == first.rs1 : !goes_on) return false;
  }
  return false;
}
