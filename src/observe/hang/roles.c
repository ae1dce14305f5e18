/* The scan of roles.h. */
#include "observe/hang/roles.h"

#include <string.h>

#include "observe/hang/constants.h"
#include "tensix/riscv/decode.h"
#include "tensix/tile/bus.h"

#define SP 2u
#define STACK_WORDS 32u /* of a function's frame: compilers keep constants there when registers are short */

struct constants {
  uint32_t value[TX_CORE_REGISTERS];
  bool known[TX_CORE_REGISTERS];
  uint32_t stack[STACK_WORDS];
  bool stack_known[STACK_WORDS];
};

static bool is_stack_word(const struct tx_insn *d) { return d->rs1 == SP && d->imm < 4 * STACK_WORDS && !(d->imm & 3u); }

/* Follows a constant to the stack and back. true: the instruction is such a load. */
static bool follow_stack(const struct tx_insn *d, struct constants *c) {
  if (d->rd == SP) memset(c->stack_known, 0, sizeof c->stack_known); /* another frame */
  if (!is_stack_word(d)) return false;
  if (d->class == TX_RV_CLASS_STORE) {
    c->stack[d->imm / 4] = c->value[d->rs2];
    c->stack_known[d->imm / 4] = d->op == TX_RV_SW && c->known[d->rs2];
  }
  if (d->op != TX_RV_LW || !c->stack_known[d->imm / 4]) return false;
  c->value[d->rd] = c->stack[d->imm / 4];
  c->known[d->rd] = true;
  return true;
}

static bool look(const struct tx_insn *d, struct constants *c, uint32_t pc, obs_deed_fn *fn, void *context) {
  if (d->class == TX_RV_CLASS_TTINSN)
    return fn(context, &(struct obs_deed){.pc = pc, .push = true, .value = d->imm, .value_known = true});
  if (d->class == TX_RV_CLASS_STORE && c->known[d->rs1]) {
    struct obs_deed deed = {
        .pc = pc, .address = c->value[d->rs1] + d->imm, .value = c->value[d->rs2], .value_known = c->known[d->rs2]};
    deed.push = obs_is_push(deed.address);
    if (fn(context, &deed)) return true;
  }
  if (follow_stack(d, c)) return false;
  uint32_t value = 0;
  bool known = obs_constant_result(d, c->value, c->known, pc, &value);
  if (d->rd != TX_CORE_NOWHERE && d->rd != 0) {
    c->value[d->rd] = value;
    c->known[d->rd] = known;
  }
  return false;
}

static bool scan_script(const struct tx_tile *t, unsigned core, obs_deed_fn *fn, void *context) {
  const struct tx_script *script = t->core[core].state == TX_CORE_HELD ? t->unsaved.scripts[core] : NULL;
  for (uint32_t i = 0; script && i < script->count; i++) {
    const struct tx_script_op *op = &script->ops[i];
    struct obs_deed deed = {
        .pc = op->line, .index = i, .push = op->kind == TX_SCRIPT_PUSH, .value = op->a, .value_known = true};
    if (op->kind == TX_SCRIPT_STORE) {
      deed.address = op->a;
      deed.value = op->b;
      deed.push = obs_is_push(op->a);
    } else if (op->kind == TX_SCRIPT_COPY) {
      deed.address = op->b;
      deed.value_known = false;
    }
    if (op->kind != TX_SCRIPT_WAIT && op->kind != TX_SCRIPT_SYNC && fn(context, &deed)) return true;
  }
  return false;
}

/* true: `fn` has returned true. */
static bool scan_deeds(const struct tx_tile *t, const struct dbg_program *program, unsigned core, obs_deed_fn *fn,
                       void *context) {
  struct dbg_segment s;
  if (scan_script(t, core, fn, context)) return true;
  if (!program || !program->loaded[core]) return false;
  for (unsigned i = 0; dbg_elf_segment(&program->elf[core], i, &s); i++) {
    struct constants c = {.known = {true}};
    if (!s.executable) continue;
    for (uint32_t at = 0; at + 4 <= s.bytes.size; at += 4) {
      struct tx_insn d = tx_rv_decode(dbg_u32(s.bytes, at));
      if (look(&d, &c, s.run_address + at, fn, context)) return true;
    }
  }
  return false;
}

/* --- questions --- */

struct question {
  const struct tx_tile *t;
  const struct dbg_program *program;
  unsigned core;
  uint32_t address;
  unsigned index;
  bool post, reg;
  bool bytes;           /* a store to any byte of the word counts */
  bool packets, unsure; /* a packet counts; one whose destination is not known was sent */
  uint32_t tile, noc_pc;
  const struct obs_resource *want;
  uint32_t others;
  bool tally;    /* only how much the core gives is asked */
  bool few;      /* a release was seen that does not end the wait */
  uint32_t most; /* the largest sum of a path */
};

/* The firmware resets counters and semaphores; these stores give no core a role. */
static bool is_own_code(const struct question *q, uint32_t pc) {
  struct dbg_source place;
  dbg_program_source(q->program, q->core, pc, &place);
  return !place.library;
}

/* --- counts --- */

static bool is_count(const struct obs_resource *want) {
  return want && want->bytes == 4 && (want->wish == OBS_WISH_EQUAL || want->wish == OBS_WISH_AT_LEAST);
}

/* The word gets `sum` more than it has now. true: with what others add, the wait ends. */
static bool reaches(struct question *q, uint32_t sum) {
  const struct obs_resource *r = q->want;
  uint64_t value = (uint64_t)r->value + sum;
  if (sum > q->most) q->most = sum;
  q->few = true;
  if (q->tally) return value >= r->wanted;
  return value + q->others >= r->wanted && (r->wish == OBS_WISH_AT_LEAST || value <= r->wanted);
}

/* An increment of the word of which one alone perhaps does not end the wait. */
static bool is_step(const struct question *q, const struct obs_deed *deed) {
  return deed->packet->counts && deed->packet->adds && deed->sum && is_count(q->want);
}

/* A packet sets the word to a value that does not end the wait: later increments count from there. */
static void set_base(const struct question *q, const struct obs_deed *deed) {
  const struct obs_packet *p = deed->packet;
  if (!p || !p->value_known || !p->address_known || !deed->sum || !is_count(q->want)) return;
  if (obs_packet_writes(p, q->t, q->tile, q->address, NULL) == OBS_SENDS_SURELY && p->address == q->want->address)
    *deed->sum = p->value - q->want->value;
}

/* A store of a value that does not end the wait: a flag that is cleared, too few pages. */
static void store_base(struct question *q, const struct obs_deed *deed) {
  uint32_t more = deed->value - q->want->value;
  if (q->reg) more &= 0xffffu; /* the counters of circular buffers have 16 bits */
  q->few |= q->reg;
  if (q->reg && more < 0x8000u && more > q->most) q->most = more;
  if (!q->reg && deed->sum && is_count(q->want)) *deed->sum = more;
}

/* A packet whose destination is not known writes the word if it did so before. */
static bool sends_there(struct question *q, const struct obs_deed *deed) {
  enum obs_sends sends = deed->unsure   ? OBS_SENDS_POSSIBLY
                         : deed->packet ? obs_packet_writes(deed->packet, q->t, q->tile, q->address, q->want)
                                        : OBS_SENDS_NONE;
  q->unsure |= sends == OBS_SENDS_POSSIBLY;
  if (sends == OBS_SENDS_NONE) set_base(q, deed);
  if (sends == OBS_SENDS_SURELY && is_step(q, deed)) return reaches(q, *deed->sum += deed->packet->adds);
  return sends == OBS_SENDS_SURELY || (sends == OBS_SENDS_POSSIBLY && q->noc_pc && deed->pc == q->noc_pc);
}

static bool stores_there(void *context, const struct obs_deed *deed) {
  struct question *q = context;
  bool own = q->tile == q->t->niu[0].tile;
  bool there = own && !deed->push && (q->bytes ? deed->address & ~3u : deed->address) == q->address;
  if (q->packets && sends_there(q, deed)) return true;
  if (there && deed->value_known && obs_is_of_no_use(q->want, deed->address, deed->value)) {
    store_base(q, deed);
    return false;
  }
  if (q->reg && deed->push && deed->value_known && deed->value >> 24 == TX_STOREREG)
    there = TX_ADDR_REGISTERS + TX_FIELD(deed->value, STOREREG, reg_addr) * 4 == q->address;
  return there && is_own_code(q, deed->pc);
}

static bool does_semaphore(void *context, const struct obs_deed *deed) {
  const struct question *q = context;
  bool does = false;
  if (deed->push && deed->value_known) {
    if (deed->value >> 24 == TX_SEMPOST) does = q->post && TX_FIELD(deed->value, SEMPOST, sem_sel) >> q->index & 1u;
    if (deed->value >> 24 == TX_SEMGET) does = !q->post && TX_FIELD(deed->value, SEMGET, sem_sel) >> q->index & 1u;
  } else if (!deed->push && q->core < TX_THREADS && deed->address == TX_ADDR_SEMAPHORE + 4 * q->index) {
    does = deed->value_known && (deed->value & 1u) == !q->post;
  }
  return does && is_own_code(q, deed->pc);
}

static bool does_unpack(void *context, const struct obs_deed *deed) {
  const struct question *q = context;
  return deed->push && deed->value_known && deed->value >> 24 == TX_UNPACR &&
         TX_FIELD(deed->value, UNPACR, unpack_block_selection) == q->index;
}

struct ahead {
  struct question q;
  obs_deed_fn *fn;
  const struct obs_reach *reach;
  bool any;
};

static bool is_ahead(void *context, const struct obs_deed *deed) {
  struct ahead *a = context;
  if (!a->fn(&a->q, deed)) return false;
  a->any = true;
  return a->reach->script ? deed->index > a->reach->from : obs_reaches(a->reach, deed->pc);
}

static obs_deed_fn *const role_fns[] = {stores_there, stores_there, does_semaphore, does_semaphore, does_unpack};

static struct question question_of(const struct tx_tile *t, const struct dbg_program *program, unsigned core,
                                   struct obs_role role) {
  return (struct question){.t = t,
                           .program = program,
                           .core = core,
                           .address = role.index,
                           .index = role.index,
                           .tile = role.kind == OBS_ROLE_STORE ? role.tile : t->niu[0].tile,
                           .noc_pc = role.pc,
                           .packets = role.kind == OBS_ROLE_STORE,
                           .want = role.want,
                           .others = role.others,
                           .post = role.kind == OBS_ROLE_POST,
                           .reg = role.kind == OBS_ROLE_REGISTER};
}

bool obs_roles_ahead(const struct tx_tile *t, const struct dbg_program *program, unsigned core, struct obs_role role,
                     const struct obs_reach *reach, bool *any) {
  struct ahead a = {.q = question_of(t, program, core, role), .fn = role_fns[role.kind], .reach = reach};
  a.q.want = NULL; /* a scan does not know values behind a join */
  bool found = scan_deeds(t, program, core, is_ahead, &a);
  *any |= a.any;
  return found;
}

/* --- the future --- */

static bool does_word(struct question *q, obs_deed_fn *fn, uint32_t word, uint32_t pc) {
  return fn(q, &(struct obs_deed){.pc = pc, .push = true, .value = word, .value_known = true});
}

static bool in_fifo(const struct tx_fifo *fifo, struct question *q, obs_deed_fn *fn) {
  for (uint32_t i = 0; i < fifo->count; i++) {
    const struct tx_word *w = &fifo->slot[(fifo->head + i) % TX_FIFO_SLOTS];
    if (does_word(q, fn, w->word, w->pc)) return true;
  }
  return false;
}

/* Instructions that the thread executes without a further push of the same word. */
static bool is_stored(const struct tx_frontend *fe, struct question *q, obs_deed_fn *fn) {
  uint32_t pc = fe->mop.pc ? fe->mop.pc : fe->replay.pc;
  for (unsigned i = 0; i < TX_MOP_REGISTERS; i++)
    if (does_word(q, fn, fe->mop.cfg[i], pc)) return true;
  for (unsigned i = 0; i < TX_REPLAY_SLOTS; i++)
    if (fe->replay.loaded >> i & 1u && does_word(q, fn, fe->replay.slot[i], pc)) return true;
  return false;
}

enum obs_future obs_roles_future(const struct tx_tile *t, const struct dbg_program *program, unsigned core, bool thread,
                                 struct obs_role role) {
  struct question q = question_of(t, program, core, role);
  obs_deed_fn *fn = role_fns[role.kind];
  q.bytes = true;
  if (core >= TX_CORES || role.kind == OBS_ROLE_UNPACK) return OBS_FUTURE_UNKNOWN; /* a MOP unpacks */
  if (core < TX_THREADS) {
    const struct tx_frontend *fe = &t->frontend[core];
    if (is_stored(fe, &q, fn)) return OBS_FUTURE_UNKNOWN;
    if (thread && (in_fifo(&fe->fifo1, &q, fn) || in_fifo(&fe->fifo2, &q, fn) || in_fifo(&fe->fifo3, &q, fn)))
      return OBS_FUTURE_SURELY;
  }
  bool blind = false;
  enum obs_future future = obs_future_find(t, program, core, fn, &q, role.waits, &blind);
  bool own = q.tile == t->niu[0].tile && fn == stores_there; /* compilers address an NIU by constants */
  bool counted = q.reg && q.few;                             /* no program computes the address of one counter only */
  return future == OBS_FUTURE_NEVER && (q.unsure || (own && blind && !counted)) ? OBS_FUTURE_UNKNOWN : future;
}

uint32_t obs_roles_gives(const struct tx_tile *t, const struct dbg_program *program, unsigned core, struct obs_role role) {
  struct question q = question_of(t, program, core, role);
  bool asked = role.kind == OBS_ROLE_STORE || role.kind == OBS_ROLE_REGISTER;
  if (core >= TX_CORES || !asked || !role.want) return 0;
  q.bytes = q.tally = true;
  obs_future_find(t, program, core, stores_there, &q, NULL, NULL);
  return q.most;
}

static bool is_at(void *context, const struct obs_deed *deed) { return deed->pc == *(const uint32_t *)context; }

enum obs_future obs_roles_comes_to(const struct tx_tile *t, const struct dbg_program *program, unsigned core, uint32_t pc) {
  return core < TX_CORES ? obs_future_find(t, program, core, is_at, &pc, NULL, NULL) : OBS_FUTURE_UNKNOWN;
}

static unsigned ask(struct question q, obs_deed_fn *fn) {
  unsigned cores = 0;
  for (q.core = 0; q.core < TX_CORES; q.core++)
    if (scan_deeds(q.t, q.program, q.core, fn, &q)) cores |= 1u << q.core;
  return cores;
}

unsigned obs_roles_store(const struct tx_tile *t, const struct dbg_program *program, uint32_t address) {
  return ask((struct question){.t = t, .program = program, .address = address, .tile = t->niu[0].tile}, stores_there);
}
unsigned obs_roles_register(const struct tx_tile *t, const struct dbg_program *program, uint32_t address) {
  return ask((struct question){.t = t, .program = program, .address = address, .tile = t->niu[0].tile, .reg = true},
             stores_there);
}
unsigned obs_roles_semaphore(const struct tx_tile *t, const struct dbg_program *program, unsigned index, bool post) {
  return ask((struct question){.t = t, .program = program, .index = index, .post = post}, does_semaphore);
}
unsigned obs_roles_unpack(const struct tx_tile *t, const struct dbg_program *program, unsigned unpacker) {
  return ask((struct question){.t = t, .program = program, .index = unpacker}, does_unpack);
}
