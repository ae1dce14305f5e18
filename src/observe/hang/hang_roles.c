/* The agents that can release a wait (hang.h): from the past, from the code of the programs, else from the roles of the
 * hardware. */
#include <stdio.h>
#include <string.h>

#include "observe/hang/hang_internal.h"
#include "observe/hang/roles.h"
#include "observe/words.h"
#include "tensix/mem/memo.h"
#include "tensix/tile/bus.h"

/* --- releasers --- */

static int find_waiter(const struct obs_hang *h, unsigned agent) {
  for (unsigned i = 0; i < h->waiter_count; i++)
    if (h->waiters[i].agent == agent) return (int)i;
  return -1;
}

static void add_releaser(struct obs_finder *f, struct obs_waiter *w, unsigned agent, const char *role) {
  if (w->releaser_count == OBS_RELEASERS_MAX || agent == w->agent) return;
  for (uint32_t i = 0; i < w->releaser_count; i++)
    if (w->releasers[i].agent == agent) return;
  struct obs_releaser *r = &w->releasers[w->releaser_count++];
  r->agent = (uint16_t)agent;
  snprintf(r->name, sizeof r->name, "%s", obs_agent_name(agent));
  snprintf(r->role, sizeof r->role, "%s", role);
  unsigned core = obs_core_of_agent(agent) % TX_CORES;
  bool thread_waits = core < TX_THREADS && find_waiter(f->hang, core) >= 0; /* words pushed by the core have not executed */
  r->state = agent <= TX_AGENT_THREAD2 || thread_waits ? OBS_PARTY_WAITING : f->state[core];
}

/* Cores by bit, without the waiter's own. */
static void add_cores(struct obs_finder *f, struct obs_waiter *w, unsigned cores, const char *role) {
  for (unsigned core = 0; core < TX_CORES; core++)
    if ((cores >> core & 1u) && core != w->core) add_releaser(f, w, TX_AGENT_TRISC0 + core, role);
}

static unsigned cores_of_agents(uint32_t agents) {
  unsigned cores = 0;
  for (; agents; agents &= agents - 1) {
    unsigned core = obs_core_of_agent((unsigned)__builtin_ctz(agents));
    if (core < TX_CORES) cores |= 1u << core;
  }
  return cores;
}

static unsigned core_of_actor(const struct obs_actor *a) {
  unsigned core = a->known && !a->tile ? obs_core_of_agent(a->agent) : TX_CORES;
  return core < TX_CORES ? 1u << core : 0;
}

/* How many pages, or free pages, the waiter needs at once. The counters have 16 bits; a buffer whose counters contradict its size
 * has no such number. */
static void buffer_need(struct obs_waiter *w, bool pages) {
  struct obs_pages *p = &w->pages;
  const struct obs_resource *r = &w->resource;
  uint32_t held = (p->pushed - p->popped) & 0xffffu;
  if (r->wish != OBS_WISH_AT_LEAST && r->wish != OBS_WISH_EQUAL) return;
  uint32_t then = pages ? (r->wanted - p->popped) & 0xffffu : (p->pushed - r->wanted) & 0xffffu;
  if (!r->max || held > r->max || then > r->max) return;
  p->present = pages ? held : r->max - held;
  p->needed = pages ? then : r->max - then;
}

static void buffer_roles(struct obs_finder *f, struct obs_waiter *w, bool pages) {
  struct obs_resource *r = &w->resource;
  obs_buffer_past(f, w);
  w->last = pages ? w->pages.push : w->pages.pop;
  unsigned cores = core_of_actor(&w->last);
  for (unsigned core = 0; core < TX_CORES; core++) {
    struct obs_buffer b;
    obs_buffer_read(f, core, r->index, &b);
    if (b.known && b.pages && f->state[core] != OBS_PARTY_HELD) r->max = b.pages;
    if (b.known && (pages ? b.packed || b.received : b.acked != 0)) cores |= 1u << core;
  }
  buffer_need(w, pages);
  cores |= obs_roles_register(f->t, f->program, r->address & ~3u);
  add_cores(f, w, cores, pages ? "pushes" : "pops");
}

static void semaphore_roles(struct obs_finder *f, struct obs_waiter *w, bool post) {
  unsigned index = w->resource.index;
  const struct tx_sync *s = &f->t->sync;
  obs_actor_set(f, post ? &s->posted[index] : &s->taken[index], &w->last);
  unsigned cores = cores_of_agents(post ? s->posters[index] : s->takers[index]);
  cores |= obs_roles_semaphore(f->t, f->program, index, post);
  add_cores(f, w, cores, post ? "posts" : "takes");
}

static void bank_roles(struct obs_finder *f, struct obs_waiter *w, bool filled) {
  unsigned which = w->resource.index & 1u;
  obs_actor_set(f, filled ? &f->t->src.filled[which] : &f->t->src.released[which], &w->last);
  unsigned cores = core_of_actor(&w->last);
  if (filled) cores |= obs_roles_unpack(f->t, f->program, which);
  if (!(cores & ~(1u << w->core))) {
    cores = filled ? 1u : 2u; /* thread 0 unpacks and thread 1 computes, unless a program does otherwise */
    w->by_custom = true;
  }
  add_cores(f, w, cores, filled ? "fills" : "releases");
}

static void mutex_roles(struct obs_finder *f, struct obs_waiter *w) {
  unsigned index = w->resource.index % TX_MUTEXES, holder = f->t->sync.mutex_holder[index];
  obs_actor_set(f, &f->t->sync.acquired[index], &w->last);
  if (holder < TX_THREADS)
    add_releaser(f, w, find_waiter(f->hang, holder) >= 0 ? holder : TX_AGENT_TRISC0 + holder, "holds");
}

/* A packet of another tile: the chip's report has its programs (hang/chip.c). */
static void set_sender(const struct tx_memo_source *source, struct obs_actor *out) {
  if (!source->tile || source->agent >= TX_AGENT_COUNT) return;
  out->tile = source->tile;
  out->agent = source->agent;
  out->pc = source->pc;
  snprintf(out->name, sizeof out->name, "%s of another tile", obs_agent_name(source->agent));
}

/* The packets of that core to the word. */
static void set_count(const struct obs_finder *f, uint32_t address, struct obs_actor *a) {
  if (a->known) a->count = tx_memo_sent(f->t, address, a->tile, a->agent).count;
}

static void set_noted(const struct obs_finder *f, const struct tx_memo_writer *noted, struct obs_actor *out) {
  obs_actor_set(f, &noted->last, out);
  if (noted->last.agent == TX_AGENT_NETWORK) set_sender(&noted->source, out);
}

/* A core that waits for a flag or a semaphore often resets it: then the write before that shows who releases the wait. */
static void set_own_aside(struct obs_waiter *w, const struct obs_actor *other) {
  bool own = w->last.known && !w->last.tile && w->last.agent == w->agent && w->agent >= TX_AGENT_TRISC0;
  bool core = other->known && (other->tile || obs_core_of_agent(other->agent) < TX_CORES);
  if (!own || !core) return;
  w->own = w->last;
  w->last = *other;
}

static void find_writers(struct obs_finder *f, struct obs_waiter *w) {
  const struct tx_writer *writer = obs_writer_of(f->t, w->resource.address);
  struct obs_actor other = {.known = false};
  struct tx_memo_writer noted;
  if (writer) {
    obs_actor_set(f, &writer->last, &w->last);
    obs_actor_set(f, &writer->other, &other);
  } else if (tx_memo_find(f->t, w->resource.address, w->resource.bytes, &noted)) {
    set_noted(f, &noted, &w->last);
    if (tx_memo_find_other(f->t, w->resource.address, &noted)) set_noted(f, &noted, &other);
  }
  set_own_aside(w, &other);
  set_count(f, w->resource.address, &w->last);
}

static void word_roles(struct obs_finder *f, struct obs_waiter *w) {
  find_writers(f, w);
  add_cores(f, w, core_of_actor(&w->last), "writes"); /* the last writer precedes the others */
  add_cores(f, w, obs_roles_store(f->t, f->program, w->resource.address & ~3u), "writes");
}

/* The thread itself has nothing more to execute: it is not idle as long as its last word waits in the scalar unit. */
static bool is_in_scalar_unit(const struct tx_tile *t, unsigned thread) {
  return !t->engine.agents[thread].wait.kind && t->scalar.waiting_word && t->scalar.waiting_thread == thread;
}

static void roles_of(struct obs_finder *f, struct obs_waiter *w) {
  switch (w->resource.kind) {
    case OBS_RESOURCE_BUFFER_PAGES: buffer_roles(f, w, true); break;
    case OBS_RESOURCE_BUFFER_ROOM: buffer_roles(f, w, false); break;
    case OBS_RESOURCE_SEMAPHORE_POST: semaphore_roles(f, w, true); break;
    case OBS_RESOURCE_SEMAPHORE_GET: semaphore_roles(f, w, false); break;
    case OBS_RESOURCE_SRC_FILLED: bank_roles(f, w, true); break;
    case OBS_RESOURCE_SRC_RELEASED: bank_roles(f, w, false); break;
    case OBS_RESOURCE_MUTEX: mutex_roles(f, w); break;
    case OBS_RESOURCE_MAILBOX: add_cores(f, w, 1u << w->resource.index, "writes"); break;
    case OBS_RESOURCE_MAILBOX_ROOM: add_cores(f, w, 1u << w->resource.index, "reads"); break;
    case OBS_RESOURCE_PC_BUFFER: add_cores(f, w, 1u << TX_CORE_BRISC, "writes"); break;
    case OBS_RESOURCE_WORD: word_roles(f, w); break;
    case OBS_RESOURCE_REGISTER:
      add_cores(f, w, obs_roles_store(f->t, f->program, w->resource.address & ~3u), "writes");
      break;
    case OBS_RESOURCE_THREAD:
      if (is_in_scalar_unit(f->t, w->resource.index)) {
        add_releaser(f, w, TX_AGENT_SCALAR, "holds");
        break;
      } /* fall through */
    case OBS_RESOURCE_FIFO:
    case OBS_RESOURCE_MOP:
    case OBS_RESOURCE_ACCESS: add_releaser(f, w, w->resource.index % TX_THREADS, "executes"); break;
    case OBS_RESOURCE_UNIT:
      if (w->resource.index == TX_UNIT_SCALAR && f->t->scalar.waiting_word) add_releaser(f, w, TX_AGENT_SCALAR, "holds");
      break;
    default: break;
  }
}

/* --- the waiter that has to continue first --- */

/* A T core acts on the coprocessor through its thread: the thread's wait takes precedence. */
static int waiter_of(const struct obs_hang *h, const struct obs_waiter *w, unsigned agent) {
  unsigned core = obs_core_of_agent(agent);
  if (agent >= TX_AGENT_TRISC0 && core < TX_THREADS && w->resource.kind != OBS_RESOURCE_MAILBOX) {
    int thread = find_waiter(h, core);
    if (thread >= 0) return thread;
  }
  return find_waiter(h, agent);
}

static bool role_of(const struct tx_tile *t, const struct obs_resource *r, struct obs_role *role) {
  *role = (struct obs_role){.index = r->index};
  switch (r->kind) {
    case OBS_RESOURCE_BUFFER_PAGES:
    case OBS_RESOURCE_BUFFER_ROOM:
      *role = (struct obs_role){.kind = OBS_ROLE_REGISTER, .index = r->address & ~3u, .want = r};
      return true;
    case OBS_RESOURCE_SEMAPHORE_POST: role->kind = OBS_ROLE_POST; return true;
    case OBS_RESOURCE_SEMAPHORE_GET: role->kind = OBS_ROLE_TAKE; return true;
    case OBS_RESOURCE_SRC_FILLED: *role = (struct obs_role){.kind = OBS_ROLE_UNPACK, .index = r->index & 1u}; return true;
    case OBS_RESOURCE_WORD:
    case OBS_RESOURCE_REGISTER:
      *role = (struct obs_role){.kind = OBS_ROLE_STORE, .index = r->address & ~3u, .tile = t->niu[0].tile, .want = r};
      return true;
    default: return false;
  }
}

/* What the waiting cores but that of `w` and `except` add to its word; `*cores`: how many do, the last of them `*who`. */
static uint32_t sum_of(const struct obs_finder *f, const struct obs_waiter *w, struct obs_role role, unsigned except,
                       unsigned *cores, const char **who) {
  uint32_t sum = 0;
  *cores = 0;
  for (uint32_t i = 0; i < f->hang->waiter_count; i++) {
    const struct obs_waiter *other = &f->hang->waiters[i];
    if (other->agent < TX_AGENT_TRISC0 || other->core >= TX_CORES || other->core == w->core || other->core == except)
      continue;
    uint32_t gives = obs_roles_gives(f->t, f->program, other->core, role);
    if (!gives) continue;
    sum += gives;
    ++*cores;
    *who = other->name;
  }
  return sum;
}

/* A further wait of a core on its way: true if no waiting core of the tile surely ends it. */
static bool lasts(void *context, const struct tx_tile *t, unsigned core, const struct obs_resource *word, unsigned depth) {
  const struct obs_finder *f = context;
  struct obs_waits deeper = {.lasts = lasts, .context = context, .depth = depth - 1};
  uint32_t adds = 0, cores = 0;
  for (unsigned i = 0; i < TX_CORES; i++)
    if (f->state[i] == OBS_PARTY_RUNNING) return false;
  for (uint32_t i = 0; i < f->hang->waiter_count; i++) {
    const struct obs_waiter *other = &f->hang->waiters[i];
    struct obs_role role;
    if (other->agent < TX_AGENT_TRISC0 || other->core >= TX_CORES || other->core == core || !role_of(t, word, &role))
      continue;
    uint32_t gives = obs_roles_gives(t, f->program, other->core, role);
    role.waits = depth ? &deeper : NULL;
    enum obs_future future = obs_roles_future(t, f->program, other->core, false, role);
    if (future == OBS_FUTURE_SURELY || future == OBS_FUTURE_UNKNOWN) return false;
    adds += gives;
    cores += gives != 0;
  }
  return cores < 2 || adds < word->wanted - word->value;
}

/* What the other waiter does for `w` after its own wait. */
static enum obs_future future_of(const struct obs_finder *f, const struct obs_waiter *w, const struct obs_waiter *ahead) {
  struct obs_role role;
  const struct obs_waits waits = {.lasts = lasts, .context = (void *)(uintptr_t)f, .depth = 1};
  bool thread = ahead->agent <= TX_AGENT_THREAD2;
  if (!role_of(f->t, &w->resource, &role) || ahead->core >= TX_CORES || f->t->core[ahead->core].state == TX_CORE_HELD)
    return OBS_FUTURE_UNKNOWN;
  if (w->resource.kind == OBS_RESOURCE_WORD && w->last.known && !w->last.tile) role.pc = w->last.pc;
  if (f->alone) role.waits = &waits;
  enum obs_future future = obs_roles_future(f->t, f->program, ahead->core, thread, role);
  if (future != OBS_FUTURE_NEVER || role.kind != OBS_ROLE_STORE) return future;
  unsigned cores;
  const char *who; /* several cores count up one word */
  role.others = sum_of(f, w, role, ahead->core, &cores, &who);
  return role.others ? obs_roles_future(f->t, f->program, ahead->core, thread, role) : future;
}

/* Cores that count, but not far enough. */
static void set_few(const struct obs_finder *f, struct obs_waiter *w) {
  struct obs_role role;
  unsigned cores = 0;
  const char *who = "";
  if (w->waits_for >= 0 || w->word_count || !role_of(f->t, &w->resource, &role) || !role.want) return;
  if (role.want->wish != OBS_WISH_EQUAL && role.want->wish != OBS_WISH_AT_LEAST) return;
  uint32_t sum = sum_of(f, w, role, TX_CORES, &cores, &who);
  obs_few_words(w, who, cores, sum);
}

/* The other waiter is past its last instruction that releases `w`, and cannot return to one. */
static bool is_past(const struct obs_finder *f, const struct obs_waiter *w, const struct obs_waiter *ahead) {
  struct obs_role role;
  struct obs_reach reach;
  bool any = false, last = w->last.known && !w->last.tile && w->last.pc && obs_core_of_agent(w->last.agent) == ahead->core;
  if (!role_of(f->t, &w->resource, &role) || ahead->core >= TX_CORES) return false;
  if (f->t->core[ahead->core].state == TX_CORE_HELD) obs_reach_script(&reach, f->t, ahead->core, ahead->place.line);
  else obs_reach_from(&reach, f->program, ahead->core, ahead->place.pc);
  if (!reach.known || (last && !reach.script && obs_reaches(&reach, w->last.pc))) return false;
  return !obs_roles_ahead(f->t, f->program, ahead->core, role, &reach, &any) && (any || last);
}

bool obs_link_holds(const struct obs_finder *f, const struct obs_waiter *w) {
  const struct obs_waiter *ahead = &f->hang->waiters[w->waits_for];
  enum obs_future future = future_of(f, w, ahead);
  bool followed = ahead->agent >= TX_AGENT_TRISC0 && ahead->core < TX_CORES && f->program &&
                  f->program->loaded[ahead->core] && f->t->core[ahead->core].state == TX_CORE_RUNNING &&
                  w->resource.kind == OBS_RESOURCE_WORD;
  return future == OBS_FUTURE_SURELY || (future == OBS_FUTURE_UNKNOWN && !followed);
}

/* Cores of which no constant in their code shows that they release the wait: a caller passes the number of the buffer or the address, or a
 * packet writes the word. */
static void find_future_role(struct obs_finder *f, struct obs_waiter *w) {
  static const char *const verbs[] = {
      [OBS_RESOURCE_BUFFER_PAGES] = "pushes", [OBS_RESOURCE_BUFFER_ROOM] = "pops", [OBS_RESOURCE_WORD] = "writes"};
  bool word = w->resource.kind == OBS_RESOURCE_WORD; /* any core may write it */
  if (w->resource.kind >= sizeof verbs / sizeof *verbs || !verbs[w->resource.kind]) return;
  for (uint32_t i = 0; i < f->hang->waiter_count && (word || !w->releaser_count); i++) {
    const struct obs_waiter *other = &f->hang->waiters[i];
    if (other->agent < TX_AGENT_TRISC0 || other->core == w->core || future_of(f, w, other) < OBS_FUTURE_PERHAPS) continue;
    add_releaser(f, w, other->agent, verbs[w->resource.kind]);
  }
}

/* Of several waiters that can release the wait, one that surely does takes precedence. */
static void find_waits_for(struct obs_finder *f, struct obs_waiter *w) {
  enum obs_future best = OBS_FUTURE_UNKNOWN;
  for (uint32_t i = 0; i < w->releaser_count; i++) {
    int ahead = waiter_of(f->hang, w, w->releasers[i].agent);
    if (ahead < 0 || f->hang->waiters[ahead].agent == w->agent) continue;
    enum obs_future future = future_of(f, w, &f->hang->waiters[ahead]);
    if (future == OBS_FUTURE_UNKNOWN && is_past(f, w, &f->hang->waiters[ahead])) continue;
    if (future == OBS_FUTURE_NEVER || (w->waits_for >= 0 && future <= best)) continue;
    w->waits_for = ahead;
    best = future;
  }
}

static void find_roles(struct obs_finder *f, struct obs_waiter *w) {
  roles_of(f, w);
  if (!w->releaser_count || w->resource.kind == OBS_RESOURCE_WORD) find_future_role(f, w);
  find_waits_for(f, w);
}

void obs_word_waiter(struct obs_finder *f, const struct obs_waiter *w, uint32_t word, struct obs_waiter *out) {
  *out = *w;
  if (word) out->resource = w->words[word - 1].resource;
  out->last = out->own = (struct obs_actor){.known = false};
  out->releaser_count = out->word_count = out->words_left = 0;
  out->waits_for = -1;
  out->by_custom = out->either = false;
  find_roles(f, out);
}

/* Each word that can end the wait has its own releasers. */
static void add_word(struct obs_finder *f, struct obs_waiter *w, uint32_t word) {
  struct obs_waiter other;
  obs_word_waiter(f, w, word + 1, &other);
  w->words[word].last = other.last;
  if (!w->words[word].ends) return;
  for (uint32_t i = 0; i < other.releaser_count; i++) add_releaser(f, w, other.releasers[i].agent, other.releasers[i].role);
  if (other.waits_for >= 0 && w->waits_for >= 0 && other.waits_for != w->waits_for) w->either = true;
  if (w->waits_for < 0) w->waits_for = other.waits_for;
}

/* Only the waiter itself has written the word (0: the resource), and no other agent is known to: the word cannot end its wait. */
static bool is_own(struct obs_finder *f, const struct obs_waiter *w, uint32_t word) {
  struct obs_waiter one;
  obs_word_waiter(f, w, word, &one);
  return one.last.known && !one.last.tile && obs_core_of_agent(one.last.agent) == w->core && !one.releaser_count;
}

static void set_own_words_aside(struct obs_finder *f, struct obs_waiter *w) {
  uint32_t own = 0;
  for (uint32_t i = 0; i <= w->word_count; i++)
    if ((!i || w->words[i - 1].ends) && is_own(f, w, i)) own |= 1u << i;
  for (uint32_t i = 0; i < w->word_count && own & 1u; i++) { /* the wait is for another word */
    if (!w->words[i].ends || own >> (i + 1) & 1u) continue;
    struct obs_resource first = w->resource;
    w->resource = w->words[i].resource;
    w->words[i].resource = first;
    w->words[i].ends = false;
    own &= ~1u;
  }
  for (uint32_t i = 0; i < w->word_count && !(own & 1u); i++)
    if (own >> (i + 1) & 1u) w->words[i].ends = false;
}

void obs_hang_roles(struct obs_finder *f, struct obs_waiter *w) {
  if (w->word_count) set_own_words_aside(f, w);
  find_roles(f, w);
  for (uint32_t i = 0; i < w->word_count; i++) add_word(f, w, i);
  set_few(f, w);
}
