/* The execution of future.h: paths depth first, each with its own registers and local RAM. */
#include "observe/hang/future.h"

#include <stdlib.h>
#include <string.h>

#include "../kernels/include/launch.h"
#include "observe/hang/constants.h"
#include "observe/hang/poll.h"
#include "observe/hang/reach.h"
#include "tensix/mem/l1.h"
#include "tensix/riscv/decode.h"
#include "tensix/riscv/run.h"

#define PATHS_MAX 64u     /* open at once */
#define STATES_MAX 16384u /* branches on unknown values, a power of two */
#define L1_WORDS 8u
#define AWAITED_MAX 4u    /* words that a path waits for */
#define WISHES_MAX 32u    /* waits of all paths that are examined */
#define STEPS_MAX 400000u /* instructions of all paths */

/* A word that the path has waited for: at least `count` more has arrived by now, and it has this value. */
struct awaited {
  uint32_t address, value, count;
  bool known;
};

struct path {
  uint32_t r[TX_CORE_REGISTERS];
  bool known[TX_CORE_REGISTERS];
  uint32_t loaded_pc[TX_CORE_REGISTERS],
      loaded_at[TX_CORE_REGISTERS]; /* the load of L1 that an unknown value is from; pc 0: none */
  struct awaited awaited[AWAITED_MAX];
  unsigned awaited_count, waits;
  uint32_t pc;
  uint32_t sum;    /* of the acts so far, kept by their function */
  uint64_t stores; /* hash of what local RAM and the initiators hold beyond their present contents */
  uint8_t local[TX_LOCAL_BYTES];
  bool local_known[TX_LOCAL_BYTES / 4];
  uint32_t l1_at[L1_WORDS], l1[L1_WORDS]; /* the last words of L1 that the path has stored: a packet may copy them */
  bool l1_known[L1_WORDS];
  unsigned l1_next;
  uint32_t niu[OBS_NIU_WORDS]; /* registers of the initiators */
  bool niu_known[OBS_NIU_WORDS];
};

struct search {
  const struct tx_tile *t;
  const struct dbg_program *program;
  unsigned core;
  obs_deed_fn *fn;
  void *context;
  const struct obs_waits *waits;
  unsigned wishes;
  struct path *paths;
  unsigned count;
  uint64_t *states; /* of branches that have been followed; 0: free */
  uint32_t state_count, steps;
  bool found, ended; /* a path has the act; a path ends without it */
  bool vague;        /* not every path could be followed */
  bool blind;        /* a path stores to an address that is not known */
};

/* --- states --- */

static uint64_t mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
  return hash ^ hash >> 29;
}

/* true: a path with the same state has been here. */
static bool is_repeated(struct search *s, const struct path *p) {
  uint64_t hash = mix(mix(p->stores, p->pc), p->sum);
  for (unsigned i = 1; i < TX_CORE_REGISTERS; i++) hash = mix(hash, p->known[i] ? p->r[i] : UINT64_MAX);
  if (!hash) hash = 1;
  uint32_t at = (uint32_t)hash % STATES_MAX;
  for (; s->states[at]; at = (at + 1) % STATES_MAX)
    if (s->states[at] == hash) return true;
  if (++s->state_count >= STATES_MAX / 2) s->vague = true;
  else s->states[at] = hash;
  return s->vague;
}

/* --- memory --- */

static bool is_local(uint32_t address, unsigned bytes) { return address - TX_LOCAL_BASE <= TX_LOCAL_BYTES - bytes; }

/* The buffers and arguments of a launch of the kernel library: only the host writes them. */
static bool is_argument(const struct search *s, uint32_t address) {
  uint32_t first = LAUNCH_FIELD(buffer), end = LAUNCH_ADDRESS + (uint32_t)sizeof(struct launch);
  return s->program && address >= first && address < end;
}

static bool load(const struct search *s, const struct path *p, const struct tx_insn *d, uint32_t *out) {
  uint32_t address = p->r[d->rs1] + d->imm, raw = 0;
  unsigned bytes = tx_access_bytes(d->op);
  if (!p->known[d->rs1] || (address & (bytes - 1))) return false;
  if (is_local(address, bytes)) {
    uint32_t at = address - TX_LOCAL_BASE;
    memcpy(&raw, &p->local[at], bytes);
    *out = tx_load_value(d->op, raw);
    return p->local_known[at / 4];
  }
  if (!is_argument(s, address)) return false;
  *out = tx_load_value(d->op, tx_l1_read(s->t, address, bytes));
  return true;
}

/* The hash of local RAM does not depend on the order of stores: a poll that keeps its value on the stack returns to its state. */
static uint64_t word_hash(const struct path *p, uint32_t word) {
  uint32_t value = 0;
  memcpy(&value, &p->local[4 * word], 4);
  return mix(mix(1, word), p->local_known[word] ? value : UINT64_MAX);
}

static void store_local(struct path *p, const struct tx_insn *d, uint32_t at) {
  unsigned bytes = tx_access_bytes(d->op);
  p->stores ^= word_hash(p, at / 4);
  memcpy(&p->local[at], &p->r[d->rs2], bytes);
  p->local_known[at / 4] = (bytes == 4 || p->local_known[at / 4]) && p->known[d->rs2];
  p->stores ^= word_hash(p, at / 4);
}

static uint64_t niu_hash(const struct path *p, uint32_t word) {
  return mix(mix(2, word), p->niu_known[word] ? p->niu[word] : UINT64_MAX);
}

static struct awaited *find_awaited(struct path *p, uint32_t address) {
  for (unsigned i = 0; i < p->awaited_count; i++)
    if (p->awaited[i].address == (address & ~3u)) return &p->awaited[i];
  return NULL;
}

/* A word of L1. Only packets read it on the path: another agent may change it before a load. */
static void store_l1(struct path *p, const struct tx_insn *d, uint32_t address) {
  unsigned i = 0;
  while (i < L1_WORDS && p->l1_at[i] != (address & ~3u)) i++;
  if (i == L1_WORDS) i = p->l1_next++ % L1_WORDS;
  p->l1_at[i] = address & ~3u;
  p->l1[i] = p->r[d->rs2];
  p->l1_known[i] = d->op == TX_RV_SW && p->known[d->rs2];
  struct awaited *a = find_awaited(p, address);
  if (!a) return;
  a->value = p->r[d->rs2];
  a->known = p->l1_known[i];
}

/* A packet that copies a word which the path has stored sets its target to that value. */
static void set_value(const struct path *p, struct obs_packet *packet) {
  for (unsigned i = 0; i < L1_WORDS && packet->copies && packet->length == 4; i++)
    if (packet->source == p->l1_at[i] && p->l1_known[i]) {
      packet->value_known = true;
      packet->value = p->l1[i];
    }
}

/* A store to an NIU: a register of a request, or the request itself. */
static void store_niu(const struct search *s, struct path *p, const struct tx_insn *d, struct obs_packet *packet,
                      struct obs_deed *deed) {
  uint32_t word, first;
  bool sends = obs_niu_store(deed->address - TX_ADDR_NOC, &word, &first);
  if (sends && obs_niu_packet(s->t, p->niu, p->niu_known, first, p->pc, packet, &deed->unsure)) {
    set_value(p, packet);
    deed->packet = packet;
  }
  if (word >= OBS_NIU_WORDS) return;
  p->stores ^= niu_hash(p, word);
  p->niu[word] = p->r[d->rs2];
  p->niu_known[word] = d->op == TX_RV_SW && p->known[d->rs2];
  p->stores ^= niu_hash(p, word);
}

/* true: it is the act. */
static bool store(struct search *s, struct path *p, const struct tx_insn *d) {
  uint32_t address = p->r[d->rs1] + d->imm;
  if (!p->known[d->rs1]) { /* this may be the act */
    s->blind = true;
    return false;
  }
  if (is_local(address, tx_access_bytes(d->op)) && !(address & (tx_access_bytes(d->op) - 1))) {
    store_local(p, d, address - TX_LOCAL_BASE);
    return false;
  }
  struct obs_deed deed = {
      .pc = p->pc, .address = address, .value = p->r[d->rs2], .value_known = p->known[d->rs2], .sum = &p->sum};
  struct obs_packet packet;
  deed.push = obs_is_push(address);
  if (address < TX_L1_BYTES) store_l1(p, d, address);
  if (address - TX_ADDR_NOC < TX_NOC_WINDOWS_BYTES) store_niu(s, p, d, &packet, &deed);
  return s->fn(s->context, &deed);
}

/* --- instructions --- */

static void set(struct path *p, const struct tx_insn *d, bool known, uint32_t value) {
  if (d->rd == TX_CORE_NOWHERE || d->rd == 0) return;
  p->known[d->rd] = known;
  p->r[d->rd] = value;
  p->loaded_pc[d->rd] = 0;
}

/* The load that an unknown value is from; pc 0: none. */
static void set_origin(struct path *p, const struct tx_insn *d, uint32_t pc, uint32_t address) {
  if (d->rd == TX_CORE_NOWHERE || d->rd == 0) return;
  p->loaded_pc[d->rd] = pc;
  p->loaded_at[d->rd] = address;
}

/* --- waits on the way --- */

/* How much more than now the word must have got by the end of this wait. false: no wait for a count. */
static bool count_wait(const struct search *s, struct path *p, uint32_t pc, uint32_t address, struct obs_resource *word) {
  uint32_t now = tx_l1_read(s->t, address, 4), wanted;
  struct awaited *a = find_awaited(p, address), fresh = {.address = address, .value = now, .known = true};
  if (a && !a->known) return false;
  struct obs_polled polled = {.pc = pc, .address = address, .bytes = 4, .value = a ? a->value : now};
  enum obs_wish wish = obs_poll_wish_ahead(s->t, s->core, p->r, &polled, &wanted);
  if (wish == OBS_WISH_NOT_EQUAL) wanted = (a ? a->value : now) + 1;
  else if (wish != OBS_WISH_EQUAL && wish != OBS_WISH_AT_LEAST) return false;
  if (!a && p->awaited_count == AWAITED_MAX) return false;
  if (!a) {
    p->awaited[p->awaited_count] = fresh;
    a = &p->awaited[p->awaited_count++];
  }
  *word = (struct obs_resource){.kind = OBS_RESOURCE_WORD, .address = address, .bytes = 4, .value = now, .wish = wish};
  if (a->count || wish == OBS_WISH_NOT_EQUAL) word->wish = a->count ? OBS_WISH_AT_LEAST : wish;
  a->count += wanted - a->value;
  a->value = wanted;
  word->wanted = wish == OBS_WISH_NOT_EQUAL && word->wish == wish ? now : now + a->count;
  return true;
}

/* The branch depends on a word of L1: if the core waits for it here, and no agent surely ends the wait, the path ends. */
static bool lasts_here(struct search *s, struct path *p, const struct tx_insn *d) {
  unsigned from = p->loaded_pc[d->rs1] ? d->rs1 : d->rs2;
  uint32_t pc = p->loaded_pc[from], address = p->loaded_at[from];
  struct obs_resource word;
  if (!s->waits || !pc || s->wishes == WISHES_MAX) return false;
  struct tx_insn load = tx_rv_decode(tx_l1_read(s->t, pc, 4));
  if (load.op != TX_RV_LW || address & 3u || address > TX_L1_BYTES - 4) return p->waits++, false;
  s->wishes++;
  if (!count_wait(s, p, pc, address, &word)) return false;
  return p->waits++ && s->waits->lasts(s->waits->context, s->t, s->core, &word, s->waits->depth);
}

/* Both ways; the second becomes a path of its own. */
static bool fork_path(struct search *s, struct path *p, uint32_t target) {
  if (s->count == PATHS_MAX) {
    s->vague = true;
    return false;
  }
  p->pc += 4;
  s->paths[s->count] = *p;
  s->paths[s->count++].pc = target;
  return true;
}

static bool end_path(bool *how) {
  *how = true;
  return false;
}

static bool branch(struct search *s, struct path *p, const struct tx_insn *d) {
  unsigned ways = obs_branch_ways(d, p->r, p->known);
  if (ways == 3) {
    if (is_repeated(s, p)) return false;
    if (lasts_here(s, p, d)) return end_path(&s->ended);
    return fork_path(s, p, p->pc + d->imm);
  }
  p->pc += ways & 1u ? d->imm : 4;
  return true;
}

/* A jump; false: its target is not known. */
static bool jump(struct path *p, const struct tx_insn *d) {
  bool direct = d->class == TX_RV_CLASS_JAL, known = direct || p->known[d->rs1];
  uint32_t target = direct ? p->pc + d->imm : (p->r[d->rs1] + d->imm) & ~1u;
  set(p, d, true, p->pc + 4);
  p->pc = target;
  return known;
}

/* An instruction that computes, loads or stores. false: the path ends with the act. */
static bool execute(struct search *s, struct path *p, const struct tx_insn *d) {
  uint32_t value = 0;
  bool act = false, known = false;
  switch (d->class) {
    case TX_RV_CLASS_TTINSN:
      act = s->fn(s->context, &(struct obs_deed){.pc = p->pc, .push = true, .value = d->imm, .value_known = true});
      break;
    case TX_RV_CLASS_STORE: act = store(s, p, d); break;
    case TX_RV_CLASS_LOAD: known = load(s, p, d, &value); break;
    default: known = obs_constant_result(d, p->r, p->known, p->pc, &value); break;
  }
  if (act) return end_path(&s->found);
  if (d->class != TX_RV_CLASS_TTINSN && d->class != TX_RV_CLASS_STORE) {
    uint32_t address = p->r[d->rs1] + d->imm;
    bool outside = d->class == TX_RV_CLASS_LOAD && p->known[d->rs1] && !is_local(address, 4);
    bool computed = d->class == TX_RV_CLASS_ALU && (p->loaded_pc[d->rs1] || p->loaded_pc[d->rs2]);
    uint32_t from = p->loaded_pc[d->rs1] ? d->rs1 : d->rs2, pc = outside ? p->pc : computed ? p->loaded_pc[from] : 0;
    if (computed) address = p->loaded_at[from];
    set(p, d, known, value);
    if (!known) set_origin(p, d, pc, address);
  }
  p->pc += 4;
  return true;
}

/* Executes one instruction. false: the path ends. */
static bool step(struct search *s, struct path *p) {
  struct tx_insn d = tx_rv_decode(tx_l1_read(s->t, p->pc, 4));
  switch (d.class) {
    case TX_RV_CLASS_BRANCH: return branch(s, p, &d);
    case TX_RV_CLASS_JAL:
    case TX_RV_CLASS_JALR:
      if (obs_reach_ends(s->program, s->t, s->core, &d, p->pc, p->known[d.rs1] ? &p->r[d.rs1] : NULL))
        return end_path(&s->ended);
      return jump(p, &d) || end_path(&s->vague);
    case TX_RV_CLASS_SYSTEM: return false; /* a failed check */
    case TX_RV_CLASS_ILLEGAL: return end_path(&s->vague);
    default: return execute(s, p, &d);
  }
}

/* --- the search --- */

/* The register of a load that has no response yet holds an old value. */
static void begin(const struct search *s, struct path *p) {
  const struct tx_core *c = &s->t->core[s->core];
  memset(p, 0, sizeof *p);
  for (unsigned i = 0; i < 32; i++) {
    p->r[i] = c->r[i];
    p->known[i] = true;
  }
  memcpy(p->local, c->local, sizeof p->local);
  memset(p->local_known, true, sizeof p->local_known);
  memset(p->l1_at, 0xff, sizeof p->l1_at);
  obs_niu_begin(s->t, p->niu, p->niu_known);
  p->pc = c->pc;
  uint32_t held = dbg_program_holding_pc(c);
  struct tx_insn d = tx_rv_decode(held < TX_L1_BYTES - 4 ? tx_l1_read(s->t, held, 4) : 0);
  uint32_t address = p->r[d.rs1] + d.imm;
  if (held == c->pc || d.class != TX_RV_CLASS_LOAD) return;
  set(p, &d, false, 0);
  if (d.rd != d.rs1) set_origin(p, &d, held, address);
}

static void follow_all(struct search *s, struct path *p) {
  begin(s, p);
  for (bool more = true; more;) {
    while (p->pc < TX_L1_BYTES - 4 && !(p->pc & 3u) && s->steps < STEPS_MAX && step(s, p)) s->steps++;
    s->vague |= p->pc >= TX_L1_BYTES - 4 || p->pc & 3u || s->steps >= STEPS_MAX;
    more = s->count > 0 && s->steps < STEPS_MAX;
    if (more) *p = s->paths[--s->count];
  }
}

enum obs_future obs_future_find(const struct tx_tile *t, const struct dbg_program *program, unsigned core, obs_deed_fn *fn,
                                void *context, const struct obs_waits *waits, bool *blind) {
  struct search s = {.t = t, .program = program, .core = core, .fn = fn, .context = context, .waits = waits};
  if (core >= TX_CORES || t->core[core].state != TX_CORE_RUNNING || !program || !program->loaded[core])
    return OBS_FUTURE_UNKNOWN;
  struct path *p = malloc(sizeof *p);
  s.paths = malloc(PATHS_MAX * sizeof *s.paths);
  s.states = calloc(STATES_MAX, sizeof *s.states);
  s.vague = !p || !s.paths || !s.states;
  if (!s.vague) follow_all(&s, p);
  free(p);
  free(s.paths);
  free(s.states);
  if (blind) *blind = s.blind;
  if (s.found) return s.ended || s.vague ? OBS_FUTURE_PERHAPS : OBS_FUTURE_SURELY;
  return s.vague ? OBS_FUTURE_UNKNOWN : OBS_FUTURE_NEVER;
}
