/* Finding the hang of hang.h: parties, waiters, resources, the chain. Releasers are in hang/hang_roles.c, last actors in hang/hang_actor.c, texts in
 * hang/hang_text.c. */
#include "observe/hang/hang.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debug/entry.h"
#include "noc/packet.h"
#include "observe/hang/hang_internal.h"
#include "observe/words.h"
#include "tensix/riscv/polls.h"

#define FORGOTTEN_CYCLES 1024u

/* --- resources of threads --- */

static void set_name(struct obs_resource *r, const char *format, unsigned index, const char *more) {
  snprintf(r->name, sizeof r->name, format, index, more);
}

static void bank(struct obs_resource *r, unsigned which, bool filled) {
  r->kind = filled ? OBS_RESOURCE_SRC_FILLED : OBS_RESOURCE_SRC_RELEASED;
  r->index = which;
  snprintf(r->name, sizeof r->name, "%s", which ? "SrcB" : "SrcA");
}

static void unit(struct obs_resource *r, unsigned index) {
  r->kind = OBS_RESOURCE_UNIT;
  r->index = index;
  snprintf(r->name, sizeof r->name, "the %s", obs_unit_name(index));
}

/* STALLWAIT: an unpacker that does not finish waits for a bank itself. */
static void condition(const struct tx_tile *t, uint32_t unmet, struct obs_resource *r) {
  static const uint8_t units[TX_CONDITIONS] = {[TX_C0_SCALAR_MEMORY] = TX_UNIT_SCALAR, [TX_C1_UNPACK0] = TX_UNIT_UNPACK,
                                               [TX_C2_UNPACK1] = TX_UNIT_UNPACK,       [TX_C3_PACK] = TX_UNIT_PACK,
                                               [TX_C4_MATRIX] = TX_UNIT_MATRIX,        [TX_C9_MOVER] = TX_UNIT_MOVER,
                                               [TX_C11_VECTOR] = TX_UNIT_VECTOR,       [TX_C12_CONFIG] = TX_UNIT_CONFIG};
  unsigned first = unmet ? (unsigned)__builtin_ctz(unmet) : TX_CONDITIONS;
  if (first >= TX_CONDITIONS) first = TX_C10_CORE_REQUESTS;
  if (first == TX_C5_SRCA_CLEARED || first == TX_C6_SRCB_CLEARED) bank(r, first - TX_C5_SRCA_CLEARED, false);
  else if (first == TX_C7_SRCA_VALID || first == TX_C8_SRCB_VALID) bank(r, first - TX_C7_SRCA_VALID, true);
  else if (first == TX_C1_UNPACK0 && tx_unpack_waiting(t, 0)) bank(r, 0, false);
  else if (first == TX_C2_UNPACK1 && tx_unpack_waiting(t, 1)) bank(r, 1, false);
  else unit(r, units[first]);
  if (first == TX_C10_CORE_REQUESTS) snprintf(r->name, sizeof r->name, "its core's requests");
}

static void stream(const struct tx_tile *t, unsigned index, uint64_t target, struct obs_resource *r) {
  r->kind = OBS_RESOURCE_STREAM;
  r->index = index;
  r->wish = OBS_WISH_AT_LEAST;
  r->wanted = (uint32_t)target;
  r->value = index < TX_STREAMS ? tx_stream_read(t, index, 0) : 0;
  set_name(r, "stream %u%s", index, "");
}

static void latch(const struct tx_tile *t, unsigned thread, struct obs_resource *r) {
  const struct tx_latch *l = &t->gate[thread].latch;
  if (l->opcode == TX_SEMWAIT) obs_semaphore_resource(t, l->semaphores, l->condition & 1u, r);
  else if (l->opcode == TX_STALLWAIT) condition(t, l->condition, r);
  else stream(t, l->stream, l->target, r);
}

/* --- resources of cores and threads --- */

static void thread_resource(struct obs_resource *r, enum obs_resource_kind kind, unsigned thread, const char *format) {
  r->kind = kind;
  r->index = thread;
  set_name(r, format, thread, "");
}

static void find_resource(const struct obs_finder *f, unsigned agent, const struct sim_wait *w, struct obs_waiter *out) {
  const struct tx_tile *t = f->t;
  struct obs_resource *r = &out->resource;
  switch (w->kind) {
    case TX_BLOCKED_CONDITION: condition(t, w->object, r); break;
    case TX_BLOCKED_SEMAPHORE: obs_semaphore_resource(t, w->object, w->detail & 1u, r); break;
    case TX_BLOCKED_STREAM: stream(t, w->object, w->detail, r); break;
    case TX_BLOCKED_SRCA: bank(r, 0, true); break;
    case TX_BLOCKED_SRCB: bank(r, 1, true); break;
    case TX_BLOCKED_UNPACK_BANK: bank(r, w->object & 1u, false); break;
    case TX_BLOCKED_MUTEX: thread_resource(r, OBS_RESOURCE_MUTEX, w->object, "mutex %u%s"); break;
    case TX_BLOCKED_UNIT:
    case TX_BLOCKED_HAZARD: unit(r, w->object); break;
    case TX_BLOCKED_CONFIG: unit(r, TX_UNIT_CONFIG); break;
    case TX_BLOCKED_LATCH: latch(t, w->object % TX_THREADS, r); break;
    case TX_BLOCKED_FIFO: thread_resource(r, OBS_RESOURCE_FIFO, w->object, "the instruction FIFO of thread %u%s"); break;
    case TX_BLOCKED_TTSYNC: thread_resource(r, OBS_RESOURCE_THREAD, w->object, "thread %u%s"); break;
    case TX_BLOCKED_MOPSYNC: thread_resource(r, OBS_RESOURCE_MOP, w->object, "the MOP expander of thread %u%s"); break;
    case TX_BLOCKED_TRACKED:
    case TX_BLOCKED_ACCESS:
      r->kind = OBS_RESOURCE_ACCESS;
      r->index = w->object;
      obs_words.wait(t, w, r->name, sizeof r->name);
      break;
    case TX_BLOCKED_MAILBOX: obs_mailbox_resource(f, obs_core_of_agent(agent) % TX_CORES, w, r); break;
    case TX_BLOCKED_PCBUF:
      r->kind = OBS_RESOURCE_PC_BUFFER;
      r->address = w->object;
      snprintf(r->name, sizeof r->name, "the PC buffer at 0x%08x", w->object);
      break;
    case TX_BLOCKED_ADDRESS: obs_poll_resource(f, agent, w, out); break;
    case TX_BLOCKED_LOOP: obs_local_resource(f, obs_core_of_agent(agent) % TX_CORES, w, r); break;
    default:
      r->kind = OBS_RESOURCE_REGISTER;
      r->address = w->object;
      snprintf(r->name, sizeof r->name, "the register at 0x%08x", w->object);
      break;
  }
}

/* --- waiters and parties --- */

static struct obs_waiter *add_waiter(struct obs_finder *f, unsigned agent, sim_time since, const struct sim_wait *w) {
  struct obs_hang *h = f->hang;
  if (h->waiter_count == OBS_WAITERS_MAX) return NULL;
  struct obs_waiter *out = &h->waiters[h->waiter_count++];
  out->tile = OBS_NO_TILE;
  out->agent = (uint16_t)agent;
  out->core = (uint16_t)obs_core_of_agent(agent);
  out->since = since;
  out->waits_for = -1;
  snprintf(out->name, sizeof out->name, "%s", obs_agent_name(agent));
  find_resource(f, agent, w, out);
  return out;
}

static void add_party(struct obs_finder *f, unsigned core, enum obs_party_state state, const struct dbg_source *place) {
  struct obs_party *p = &f->hang->parties[f->hang->party_count++];
  p->agent = (uint16_t)(TX_AGENT_TRISC0 + core);
  p->state = state;
  p->place = *place;
  snprintf(p->name, sizeof p->name, "%s", tx_core_name(core));
  f->state[core] = state;
}

/* A scripted core. */
static void look_at_script(struct obs_finder *f, unsigned core) {
  const struct sim_agent *a = &f->t->engine.agents[TX_AGENT_TRISC0 + core];
  const struct tx_script *script = f->t->unsaved.scripts[core];
  struct dbg_source none = {0};
  bool has = script && script->count;
  if (!has || !a->wait.kind) {
    add_party(f, core, has ? OBS_PARTY_RETURNED : OBS_PARTY_HELD, &none);
    return;
  }
  uint32_t next = f->t->script[core].next;
  bool polled = a->wait.kind == TX_BLOCKED_ADDRESS && f->t->script[core].polling == next + 1;
  struct obs_waiter *w = add_waiter(f, TX_AGENT_TRISC0 + core, polled ? f->t->script[core].since : a->wait.since, &a->wait);
  if (w) dbg_program_source(f->program, core, next < script->count ? script->ops[next].line : 0, &w->place);
  f->state[core] = OBS_PARTY_WAITING;
}

/* A loop that accesses nothing beyond the core is found slices later. The memo holds the core's last access before the loop. */
static sim_time loop_since(const struct tx_tile *t, unsigned core, const struct sim_wait *wait) {
  const struct tx_core *c = &t->core[core];
  sim_time last_access = t->unsaved.memo.last_tile_access[core];
  if (c->spin.parked || last_access < c->started_at || last_access > wait->since) return wait->since;
  return last_access;
}

/* The loop's first test may precede it in the same line. */
static void since_test_before(const struct obs_finder *f, const struct tx_core *c, struct obs_waiter *w) {
  uint32_t pc;
  sim_time before = tx_core_test_before(c, w->resource.address, &pc);
  struct dbg_source place;
  if (before >= w->since) return;
  dbg_program_source(f->program, w->core, pc, &place);
  if (place.line == w->place.line && strcmp(place.file, w->place.file) == 0) w->since = before;
}

/* The first poll of the word of the wait, or of another word that can end it. */
static sim_time first_poll(const struct tx_core *c, const struct obs_waiter *w) {
  sim_time first = tx_core_first_poll(c, w->resource.address);
  for (uint32_t i = 0; i < w->word_count; i++) {
    sim_time at = w->words[i].ends ? tx_core_first_poll(c, w->words[i].resource.address) : SIM_NEVER;
    if (at < first) first = at;
  }
  return first;
}

/* A loop over several words waits for one of them: the report shows its first poll and its line. */
static void place_poll(struct obs_finder *f, unsigned core, const struct sim_wait *wait, struct obs_waiter *w) {
  const struct tx_core *c = &f->t->core[core];
  sim_time first = first_poll(c, w);
  /* A core records the first polls of a few words only; a loop over more words overwrites them in every iteration, so the last progress
   * is used instead. A loop that is not parked was observed for longer than this before it was reported as a hang. */
  bool forgotten = !c->spin.parked && first != SIM_NEVER && f->t->engine.now - first < FORGOTTEN_CYCLES;
  sim_time scan = w->resource.pc ? tx_core_first_scan(c, w->resource.pc) : SIM_NEVER;
  if (scan != SIM_NEVER) w->since = scan;
  else if (first != SIM_NEVER && !forgotten) w->since = first;
  if (w->resource.pc || (w->resource.address & ~3u) != (wait->object & ~3u)) {
    uint32_t pc = w->resource.pc ? w->resource.pc : obs_poll_pc(c, w->resource.address);
    dbg_program_source(f->program, core, pc, &w->place);
    obs_name_semaphores(f, w);
  }
  if (!forgotten && scan == SIM_NEVER) since_test_before(f, c, w);
  for (unsigned i = 0; i < TX_CORE_POLLS && !c->spin.parked; i++) { /* a loop that stores the same in every round */
    sim_time since = c->polls.left_round[i] ? tx_core_loop_since(c, i) : SIM_NEVER;
    if ((c->polls.address[i] & ~3u) == (w->resource.address & ~3u) && since < w->since) w->since = since;
  }
}

static void add_core(struct obs_finder *f, unsigned core, const struct dbg_source *place) {
  const struct sim_wait *wait = &f->t->engine.agents[TX_AGENT_TRISC0 + core].wait;
  struct obs_waiter *w = add_waiter(f, TX_AGENT_TRISC0 + core, wait->since, wait);
  f->state[core] = OBS_PARTY_WAITING;
  if (!w) return;
  w->place = *place;
  obs_name_semaphores(f, w);
  if (wait->kind == TX_BLOCKED_LOOP) w->since = loop_since(f->t, core, wait);
  if (wait->kind == TX_BLOCKED_ADDRESS) place_poll(f, core, wait, w);
  dbg_program_add_caller(f->program, f->t, core, &w->place);
}

/* GCC gives the jump of an empty loop no line: without this the report would show the line before it, of the library. */
static void name_kernel(struct dbg_source *place) {
  *place = (struct dbg_source){.pc = place->pc, .function = "kernel_main"};
}

/* A core that has returned idles or ends in the firmware: names its kernel instead. */
static void name_returned(const struct obs_finder *f, unsigned core, struct dbg_source *place) {
  uint32_t address;
  struct dbg_source kernel;
  const struct dbg_program *p = f->program;
  if (!p || !p->loaded[core] || !place->library || !dbg_kernel_find(&p->elf[core], &address)) return;
  dbg_program_source(p, core, address + p->moved[core], &kernel);
  if (kernel.file[0] && !kernel.library) *place = kernel;
}

static void look_at_core(struct obs_finder *f, unsigned core) {
  const struct tx_core *c = &f->t->core[core];
  const struct sim_agent *a = &f->t->engine.agents[TX_AGENT_TRISC0 + core];
  struct dbg_source place;
  if (c->state == TX_CORE_HELD) {
    look_at_script(f, core);
    return;
  }
  uint32_t pc = a->wait.kind == TX_BLOCKED_ADDRESS ? obs_poll_pc(c, a->wait.object) : dbg_program_holding_pc(c);
  dbg_program_source(f->program, core, pc, &place);
  if (!place.pc) place.pc = pc;
  struct dbg_jump jump;
  if (!place.file[0] && dbg_program_jumped(f->program, f->t, core, &jump)) place = jump.place;
  if (c->state == TX_CORE_EBREAK) {
    bool failed = f->failed && f->failure.core == core;
    if (!failed) name_returned(f, core, &place);
    add_party(f, core, failed ? OBS_PARTY_FAILED : OBS_PARTY_RETURNED, failed ? &f->failure.place : &place);
  } else if (!a->wait.kind) { /* at a limit the firmware may run */
    add_party(f, core, place.library && !place.call[0] ? OBS_PARTY_IDLE : OBS_PARTY_RUNNING, &place);
  } else if (place.library || (a->wait.kind == TX_BLOCKED_LOOP && !obs_polled_variable(f, core, &a->wait))) {
    /* the firmware idles by polling, so an empty loop belongs to the kernel */
    bool looping = a->wait.kind == TX_BLOCKED_LOOP;
    if (looping && place.library) name_kernel(&place);
    if (!looping) name_returned(f, core, &place);
    add_party(f, core, looping ? OBS_PARTY_LOOPING : OBS_PARTY_RETURNED, &place);
  } else {
    add_core(f, core, &place);
  }
}

/* The wait's own instruction when it is a latched one, else the instruction at the head of the gate. */
static uint32_t thread_pc(const struct tx_tile *t, unsigned thread, bool latched) {
  const struct tx_fifo *fifo = &t->frontend[thread].fifo3;
  if (latched && t->gate[thread].latch.pc) return t->gate[thread].latch.pc;
  return fifo->count ? fifo->slot[fifo->head % TX_FIFO_SLOTS].pc : 0;
}

static void thread_place(struct obs_finder *f, unsigned thread, uint32_t pc, struct obs_waiter *w) {
  const struct tx_fifo *fifo = &f->t->frontend[thread].fifo3;
  bool brisc = fifo->count && fifo->slot[fifo->head % TX_FIFO_SLOTS].flags & TX_WORD_BRISC;
  dbg_program_source(f->program, brisc ? TX_CORE_BRISC : thread, pc, &w->place);
  w->place.pc = f->t->core[thread].state == TX_CORE_HELD ? 0 : pc;
}

/* The thread waits for an unpacker that itself waits for a bank: the UNPACR is reported as the wait. */
static void use_unpacker(struct obs_finder *f, unsigned thread, struct obs_waiter *w) {
  const struct tx_unpack_job *job = tx_unpack_waiting(f->t, w->resource.index & 1u);
  if (!job || job->thread != thread) return;
  if (job->ready_at < w->since) w->since = job->ready_at;
  thread_place(f, thread, job->pc, w);
}

static void look_at_thread(struct obs_finder *f, unsigned thread) {
  const struct tx_tile *t = f->t;
  const struct sim_wait *wait = &t->engine.agents[thread].wait;
  bool latched = wait->kind == TX_BLOCKED_LATCH || wait->kind == TX_BLOCKED_SEMAPHORE ||
                 wait->kind == TX_BLOCKED_CONDITION || wait->kind == TX_BLOCKED_STREAM;
  if (wait->kind) {
    const struct tx_latch *l = &t->gate[thread].latch;
    sim_time since = latched && l->opcode && l->since < wait->since ? l->since : wait->since;
    struct obs_waiter *w = add_waiter(f, thread, since, wait);
    if (!w) return;
    thread_place(f, thread, thread_pc(t, thread, latched), w);
    if (w->resource.kind == OBS_RESOURCE_SRC_RELEASED) use_unpacker(f, thread, w);
    return;
  }
  for (unsigned unpacker = 0; unpacker < 2; unpacker++) { /* its UNPACR has passed the gate and waits for a bank */
    const struct tx_unpack_job *job = tx_unpack_waiting(t, unpacker);
    if (!job || job->thread != thread) continue;
    struct sim_wait inside = {.kind = TX_BLOCKED_UNPACK_BANK, .object = unpacker};
    struct obs_waiter *w = add_waiter(f, thread, job->ready_at, &inside);
    if (w) thread_place(f, thread, job->pc, w);
    return;
  }
}

static void look_at_scalar(struct obs_finder *f) {
  const struct sim_agent *a = &f->t->engine.agents[TX_AGENT_SCALAR];
  if (!f->t->scalar.waiting_word || !a->wait.kind) return;
  struct obs_waiter *w = add_waiter(f, TX_AGENT_SCALAR, a->wait.since, &a->wait);
  if (!w) return;
  w->core = (uint16_t)f->t->scalar.waiting_thread;
  dbg_program_source(f->program, w->core, f->t->scalar.waiting_pc, &w->place);
}

/* --- the chain --- */

/* Follows the waits from one waiter to the last one; returns the number of steps, or 0 if they close. */
static unsigned follow(const struct obs_hang *h, unsigned from, unsigned *root) {
  unsigned steps = 1, at = from;
  while (h->waiters[at].waits_for >= 0) {
    at = (unsigned)h->waiters[at].waits_for;
    if (++steps > h->waiter_count + 1) break;
  }
  *root = at;
  return steps > h->waiter_count + 1 ? 0 : steps;
}

/* A chain that closes only through a wait attributed by custom, or through one of two words that can end a wait, is not a deadlock: that
 * wait becomes the end of the chain. */
static bool open_at_custom(struct obs_hang *h, const unsigned *chain, unsigned count) {
  for (unsigned i = 0; i < count; i++)
    if (h->waiters[chain[i]].by_custom || h->waiters[chain[i]].either) {
      h->waiters[chain[i]].waits_for = -1;
      return true;
    }
  return false;
}

/* A link to an agent that continues without releasing the wait is none: a branch is decided against it, or a loop is over. */
static bool open_at_dead(struct obs_finder *f, const unsigned *chain, unsigned count) {
  bool open = false;
  for (unsigned i = 0; i < count; i++) {
    if (obs_link_holds(f, &f->hang->waiters[chain[i]])) continue;
    f->hang->waiters[chain[i]].waits_for = -1;
    open = true;
  }
  return open;
}

static bool older(const struct obs_waiter *a, const struct obs_waiter *b) {
  return a->since < b->since || (a->since == b->since && a->agent < b->agent);
}

static bool find_cycle(struct obs_finder *f) {
  struct obs_hang *h = f->hang;
  for (unsigned i = 0; i < h->waiter_count; i++) {
    unsigned at, count = 0, chain[OBS_WAITERS_MAX];
    if (follow(h, i, &at) != 0) continue;
    for (unsigned first = at; count == 0 || at != first; at = (unsigned)h->waiters[at].waits_for) chain[count++] = at;
    if (open_at_custom(h, chain, count) || open_at_dead(f, chain, count)) continue;
    unsigned oldest = 0;
    for (unsigned k = 1; k < count; k++)
      if (older(&h->waiters[chain[k]], &h->waiters[chain[oldest]])) oldest = k;
    for (unsigned k = 0; k < count; k++) h->chain[k] = chain[(oldest + k) % count];
    h->chain_count = count;
    h->deadlock = true;
    return true;
  }
  return false;
}

/* The wait in which most chains end; among equals the oldest. */
static unsigned find_root(const struct obs_hang *h) {
  unsigned best = 0, best_count = 0;
  for (unsigned i = 0; i < h->waiter_count; i++) {
    unsigned behind = 0, root;
    if (h->waiters[i].waits_for >= 0) continue;
    for (unsigned k = 0; k < h->waiter_count; k++)
      if (follow(h, k, &root) && root == i) behind++;
    if (behind > best_count || (behind == best_count && h->waiters[i].since < h->waiters[best].since)) {
      best = i;
      best_count = behind;
    }
  }
  return best;
}

static void find_chain(struct obs_finder *f) {
  struct obs_hang *h = f->hang;
  if (h->waiter_count == 0 || find_cycle(f)) return;
  unsigned root = find_root(h);
  h->chain[h->chain_count++] = root;
  for (unsigned i = 0; i < h->chain_count; i++) /* breadth first: waiters for the cause, then waiters for those */
    for (unsigned k = 0; k < h->waiter_count; k++)
      if (h->waiters[k].waits_for == (int32_t)h->chain[i]) h->chain[h->chain_count++] = k;
}

/* A core that polls in its firmware made progress up to its first poll. */
static sim_time progress_of(const struct tx_tile *t, unsigned core) {
  const struct tx_core *c = &t->core[core];
  const struct sim_wait *wait = &t->engine.agents[TX_AGENT_TRISC0 + core].wait;
  if (c->state == TX_CORE_EBREAK) return c->clock;
  if (c->state != TX_CORE_RUNNING || !wait->kind) return 0;
  if (wait->kind == TX_BLOCKED_LOOP) return loop_since(t, core, wait);
  sim_time first = wait->kind == TX_BLOCKED_ADDRESS ? tx_core_first_poll(c, (uint32_t)wait->object) : SIM_NEVER;
  return first < wait->since ? first : wait->since;
}

/* The run may have continued, or its time may be that of a chip: the last agent to stop decides. */
static sim_time last_progress(const struct tx_tile *t, const struct obs_hang *h) {
  sim_time last = 0;
  for (uint32_t i = 0; i < h->waiter_count; i++) {
    const struct obs_waiter *w = &h->waiters[i];
    if (w->since > last) last = w->since;
    if (w->last.known && w->last.cycle > last) last = w->last.cycle; /* its effect, after the core continued */
    if (w->own.known && w->own.cycle > last) last = w->own.cycle;
    for (uint32_t k = 0; k < w->word_count; k++)
      if (w->words[k].last.known && w->words[k].last.cycle > last) last = w->words[k].last.cycle;
  }
  for (uint32_t i = 0; i < h->party_count; i++) {
    sim_time at = progress_of(t, obs_core_of_agent(h->parties[i].agent) % TX_CORES);
    if (at > last) last = at;
  }
  for (unsigned unit = 0; unit < TX_UNIT_COUNT; unit++) /* threads without pending words do not wait */
    if (t->units[unit].free_at > last) last = t->units[unit].free_at;
  return last && last < t->engine.now ? last : t->engine.now;
}

static void find_hang(struct obs_finder *f) {
  struct obs_hang *hang = f->hang;
  memset(hang, 0, sizeof *hang);
  f->failed = f->program && dbg_program_failure(f->program, f->t, &f->failure);
  for (unsigned thread = 0; thread < TX_THREADS; thread++) look_at_thread(f, thread);
  for (unsigned core = 0; core < TX_CORES; core++) look_at_core(f, core);
  look_at_scalar(f);
  for (unsigned i = 0; i < hang->waiter_count; i++) obs_hang_roles(f, &hang->waiters[i]);
  hang->cycle = last_progress(f->t, hang);
  find_chain(f);
  obs_hang_words(f);
}

void obs_hang_find_part(const struct tx_tile *t, const struct dbg_program *program, struct obs_hang *hang) {
  struct obs_finder f = {.t = t, .program = program, .hang = hang};
  find_hang(&f);
}

void obs_hang_find(const struct tx_tile *t, const struct dbg_program *program, struct obs_hang *hang) {
  struct obs_finder f = {.t = t, .program = program, .hang = hang, .alone = true};
  find_hang(&f);
}

struct obs_hang *obs_hang_new(const struct tx_tile *t, const struct dbg_program *program) {
  struct obs_hang *hang = malloc(sizeof *hang);
  if (hang) obs_hang_find(t, program, hang);
  return hang;
}

bool obs_hang_find_at(const struct tx_tile *t, const struct dbg_program *program, unsigned agent, struct obs_hang *hang) {
  struct obs_finder f = {.t = t, .program = program, .hang = hang};
  find_hang(&f);
  for (uint32_t i = 0; i < hang->waiter_count && !f.failed; i++)
    if (hang->waiters[i].agent == agent) {
      obs_wait_cause(&f, &hang->waiters[i], hang->cause, sizeof hang->cause);
      return true;
    }
  return false;
}

bool obs_hang_link_holds(const struct tx_tile *t, const struct dbg_program *program, unsigned agent, struct obs_hang *hang) {
  struct obs_finder f = {.t = t, .program = program, .hang = hang};
  find_hang(&f);
  for (uint32_t i = 0; i < hang->waiter_count; i++)
    if (hang->waiters[i].agent == agent && hang->waiters[i].waits_for >= 0) return obs_link_holds(&f, &hang->waiters[i]);
  return true;
}

/* The loop itself reads the word from elsewhere: the last read of an initiator of the tile that has it as its destination. */
static void read_words(const struct tx_tile *t, uint32_t address, char *text, size_t size) {
  for (unsigned noc = 0; noc < TX_NOCS; noc++)
    for (unsigned i = 0; i < NOC_INITIATORS; i++) {
      const uint32_t *w = t->niu[noc].initiator[i];
      uint32_t offset = address - w[NOC_RET_LO], from = w[NOC_TARG_HI];
      if ((w[NOC_CTRL] & NOC_CTRL_TYPE) != NOC_READ || offset >= w[NOC_AT_LEN_BE]) continue;
      snprintf(text, size, "it is read from 0x%08x of (%u,%u) over NoC %u", w[NOC_TARG_LO] + offset, from & 63u,
               from >> 6 & 63u, noc);
      return;
    }
}

static bool find_polls(const struct obs_finder *finder, unsigned core, struct obs_loop *loop) {
  struct obs_finder f = *finder;
  const struct tx_tile *t = f.t;
  const struct dbg_program *program = f.program;
  struct obs_waiter *w = &loop->wait;
  w->tile = OBS_NO_TILE;
  w->agent = (uint16_t)(TX_AGENT_TRISC0 + core);
  w->core = (uint16_t)core;
  w->waits_for = -1;
  snprintf(w->name, sizeof w->name, "%s", tx_core_name(core));
  if (!obs_loop_resource(&f, core, w, &loop->ends)) return false;
  dbg_program_source(program, core, w->resource.pc, &w->place);
  if (w->place.library && !w->place.call[0]) return false; /* the firmware's own loop */
  find_hang(&f);
  obs_name_semaphores(&f, w);
  dbg_program_add_caller(program, t, core, &w->place);
  obs_hang_roles(&f, w);
  obs_waiter_words(&f, w, loop->past, sizeof loop->past);
  read_words(t, w->resource.address, loop->past, sizeof loop->past);
  return true;
}

bool obs_hang_polls(const struct tx_tile *t, const struct dbg_program *program, unsigned core, struct obs_loop *loop) {
  const struct obs_finder f = {.t = t, .program = program, .hang = malloc(sizeof *f.hang)};
  memset(loop, 0, sizeof *loop);
  const bool found = f.hang && find_polls(&f, core, loop);
  free(f.hang);
  return found;
}

size_t obs_hang_report(const struct tx_tile *t, char *text, size_t size) {
  struct sim_text out = {.data = text, .size = size};
  struct obs_hang *hang = obs_hang_new(t, NULL);
  if (hang) obs_hang_text(hang, true, &out);
  free(hang);
  return out.length;
}
