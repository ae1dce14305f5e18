/* The agents that can release a wait (hang.h): from what has happened, from the code of the programs, else from the roles of the
 * hardware. */
#include <stdio.h>
#include <string.h>

#include "debug/symbols.h"
#include "observe/hang_internal.h"
#include "observe/replay.h"
#include "observe/roles.h"
#include "observe/words.h"
#include "tensix/tile/bus.h"

/* Places in struct cb_interface of kernels/include/circular_buffer.h, in bytes; the programs of tests/hangs
 * (missing_pack_push, missing_pop) fail when they move. */
enum { CB_PAGES = 12, CB_PACKED = 32, CB_ACKED = 40, CB_RECEIVED = 42, CB_BYTES = 44 };

void obs_buffer_read(const struct obs_finder *f, unsigned core, unsigned cb, struct obs_buffer *out) {
  uint32_t address;
  memset(out, 0, sizeof *out);
  if (!f->program || !f->program->loaded[core] || !dbg_symbol_find(&f->program->elf[core], "cb_interfaces", &address))
    return;
  uint32_t at = address - TX_LOCAL_BASE + cb * CB_BYTES;
  if (address < TX_LOCAL_BASE || cb >= 32 || at > TX_LOCAL_BYTES - CB_BYTES) return;
  const uint8_t *row = &f->t->core[core].local[at];
  out->known = true;
  memcpy(&out->pages, row + CB_PAGES, 4);
  memcpy(&out->packed, row + CB_PACKED, 4);
  out->acked = (uint32_t)row[CB_ACKED] | (uint32_t)row[CB_ACKED + 1] << 8;
  out->received = (uint32_t)row[CB_RECEIVED] | (uint32_t)row[CB_RECEIVED + 1] << 8;
}

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
  if (agent <= TX_AGENT_THREAD2) r->state = OBS_PARTY_WAITING;
  else r->state = f->state[obs_core_of_agent(agent) % TX_CORES];
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
  unsigned core = a->known ? obs_core_of_agent(a->agent) : TX_CORES;
  return core < TX_CORES ? 1u << core : 0;
}

/* The firmware's reset of a counter is no push. */
static void forget_firmware(struct obs_actor *a) {
  if (a->known && (a->place.library || a->agent >= TX_AGENT_COUNT)) memset(a, 0, sizeof *a);
}

static void buffer_roles(struct obs_finder *f, struct obs_waiter *w, bool pages) {
  struct obs_resource *r = &w->resource;
  obs_actor_set(f, &f->t->buffer_writer[r->index % TX_STREAMS][pages], &w->last);
  forget_firmware(&w->last);
  unsigned cores = core_of_actor(&w->last);
  for (unsigned core = 0; core < TX_CORES; core++) {
    struct obs_buffer b;
    obs_buffer_read(f, core, r->index, &b);
    if (b.known && b.pages && f->state[core] != OBS_PARTY_HELD) r->max = b.pages;
    if (b.known && (pages ? b.packed || b.received : b.acked != 0)) cores |= 1u << core;
  }
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

static void word_roles(struct obs_finder *f, struct obs_waiter *w) {
  const struct tx_writer *writer = obs_writer_of(f->t, w->resource.address);
  if (writer) obs_actor_set(f, &writer->last, &w->last);
  add_cores(f, w, core_of_actor(&w->last), "writes"); /* who did it comes before who could */
  add_cores(f, w, obs_roles_store(f->t, f->program, w->resource.address & ~3u), "writes");
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
    case OBS_RESOURCE_FIFO:
    case OBS_RESOURCE_MOP:
    case OBS_RESOURCE_ACCESS: add_releaser(f, w, w->resource.index % TX_THREADS, "executes"); break;
    case OBS_RESOURCE_UNIT:
      if (w->resource.index == TX_UNIT_SCALAR && f->t->scalar.waiting_word) add_releaser(f, w, TX_AGENT_SCALAR, "holds");
      break;
    default: break;
  }
}

/* --- the waiter in front --- */

/* What a T core does to the coprocessor its thread does: the thread's wait comes first. */
static int waiter_of(const struct obs_hang *h, const struct obs_waiter *w, unsigned agent) {
  unsigned core = obs_core_of_agent(agent);
  if (agent >= TX_AGENT_TRISC0 && core < TX_THREADS && w->resource.kind != OBS_RESOURCE_MAILBOX) {
    int thread = find_waiter(h, core);
    if (thread >= 0) return thread;
  }
  return find_waiter(h, agent);
}

void obs_hang_roles(struct obs_finder *f, struct obs_waiter *w) {
  roles_of(f, w);
  for (uint32_t i = 0; i < w->releaser_count && w->waits_for < 0; i++) {
    int ahead = waiter_of(f->hang, w, w->releasers[i].agent);
    if (ahead >= 0 && &f->hang->waiters[ahead] != w) w->waits_for = ahead;
  }
}
