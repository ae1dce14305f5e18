/* Creation of a checker, reporting into the tile's list of findings, and names of entities. */
#include "check/check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../kernels/include/launch.h"
#include "check/buffers.h"
#include "check/contend.h"
#include "check/internal.h"
#include "check/issue.h"
#include "check/operation.h"
#include "check/ports.h"
#include "check/pulls.h"
#include "check/report.h"
#include "debug/symbols.h"
#include "tensix/riscv/run.h"

struct chk *chk_create(void) {
  return calloc(1, sizeof(struct chk));
}

uint32_t chk_kinds(const struct chk *c) { return c->kinds; }

sim_time chk_since(const struct chk *c) { return c->kinds ? c->since : 0; }

void chk_free(struct chk *c) {
  if (!c) return;
  chk_detach(c);
  free(c);
}

/* --- attaching --- */

static void on_event(void *context, const struct sim_event *event) {
  struct chk *c = context;
  chk_issue(c, event->agent, event->a);
}

static void mark_host(struct chk *c, uint32_t from, uint32_t to) {
  for (uint32_t word = from / 4; word < (to + 3) / 4; word++)
    if (!c->writer[word]) c->writer[word] = CHK_HOST;
}

static void find_code(struct chk *c, unsigned core, const struct dbg_elf *elf) {
  struct dbg_segment s;
  for (unsigned i = 0; dbg_elf_segment(elf, i, &s); i++) {
    if (s.address < TX_L1_BYTES && s.memory_size <= TX_L1_BYTES - s.address)
      mark_host(c, s.address, s.address + s.memory_size);
    if (!s.executable || !s.memory_size || s.address >= TX_L1_BYTES || s.memory_size > TX_L1_BYTES - s.address) continue;
    if (c->code_count == sizeof c->code / sizeof *c->code) return;
    c->code[c->code_count].from = s.address;
    c->code[c->code_count].to = s.address + s.memory_size;
    c->code[c->code_count++].core = core;
    for (uint32_t at = s.address; at < s.address + s.memory_size; at += CHK_BLOCK) c->guarded[at / CHK_BLOCK] = 1;
    c->guarded[(s.address + s.memory_size - 1) / CHK_BLOCK] = 1;
  }
}

/* What the checkers need to know of the programs: once after each load of one. */
static void examine(struct chk *c, const struct dbg_program *p) {
  c->code_count = 0;
  memset(c->guarded, 0, sizeof c->guarded);
  for (unsigned core = 0; p && core < TX_CORES; core++) {
    uint32_t address;
    if (!p->loaded[core]) continue;
    find_code(c, core, &p->elf[core]);
    if (dbg_symbol_find(&p->elf[core], "cb_interfaces", &address) || dbg_symbol_find(&p->elf[core], "tt_fail", &address))
      c->library = true, memset(c->guarded, 1, LAUNCH_ARGS_END / CHK_BLOCK + 1);
    c->stack_end[core] = dbg_elf_data_end(&p->elf[core], TX_LOCAL_BASE, TX_LOCAL_BASE + tx_core_local_bytes(core));
    if (!c->stack_end[core]) c->stack_end[core] = TX_LOCAL_BASE;
  }
  if (c->library) mark_host(c, 0, LAUNCH_HEAP); /* the launch block and the semaphores start as zero */
}

void chk_program(struct chk *c, const struct dbg_program *p) {
  if (!c->t) return;
  c->finished = false;
  if (!p || c->program != p || c->known_loads != p->loads + 1) {
    c->program = p;
    c->known_loads = p ? p->loads + 1 : 0;
    examine(c, p);
  }
  for (unsigned core = 0; p && core < TX_CORES; core++)
    if (p->loaded[core]) c->stack_limit[core] = c->stack_end[core];
}

/* Before the first cycle, words that are zero count as unwritten; later the checker cannot distinguish them. */
static void note_contents(struct chk *c) {
  if (c->t->engine.now) memset(c->writer, CHK_HOST, sizeof c->writer);
  static const uint8_t zeros[8 * CHK_BLOCK];
  for (uint32_t i = 0; i < TX_L1_BYTES / 4; i++) {
    if (i % (sizeof zeros / 4) == 0 && memcmp(&c->t->l1[4 * i], zeros, sizeof zeros) == 0) {
      i += sizeof zeros / 4 - 1;
      continue;
    }
    if (tx_l1_read(c->t, 4 * i, 4)) c->writer[i] = CHK_HOST;
  }
  for (unsigned thread = 0; thread < TX_THREADS; thread++)
    for (unsigned reg = 0; reg < TX_GPRS; reg++)
      if (c->t->engine.now || c->t->scalar.gpr[thread][reg]) c->thread[thread].gpr_written |= UINT64_C(1) << reg;
}

static void watch(struct chk *c, struct tx_tile *t) {
  c->t = t;
  c->sink = sim_log_attach(&t->unsaved.log, on_event, c, 1u << TX_EVENT_ISSUE);
  c->below = t->unsaved.ports;
  chk_ports_make(c);
  t->unsaved.ports = &c->ports;
  t->unsaved.check = c;
  tx_inflight_watch(t, true);
}

/* The state after chk_create. Of 30 MB most have never been written: reading them takes no memory, writing zeros would take it all, for each
 * tile of a grid. */
static void clear(struct chk *c) {
  static const char zeros[4096];
  char *at = (char *)c;
  for (size_t left = sizeof *c, size; left; left -= size, at += size) {
    size = left < sizeof zeros ? left : sizeof zeros;
    if (memcmp(at, zeros, size) != 0) memset(at, 0, size);
  }
}

void chk_attach(struct chk *c, struct tx_tile *t, uint32_t kinds) {
  chk_detach(c);
  if (c->used) clear(c);
  c->used = true;
  c->kinds = kinds & CHK_ALL;
  c->sink = -1;
  c->since = t->engine.now;
  if (!c->kinds) return;
  c->t = t;
  chk_clocks_reset(&c->clocks);
  for (unsigned i = 0; i < TX_THREADS; i++) {
    c->thread[i].mop_known = UINT64_MAX;
    c->thread[i].core_version = c->clocks.version[CHK_CORE + i];
  }
  for (unsigned i = 0; i < TX_SEMAPHORES; i++)
    c->semaphore[i].posts = t->sync.sem[i].value; /* a program that runs already */
  note_contents(c);
  watch(c, t);
}

void chk_all_written(struct chk *c) {
  memset(c->writer, CHK_HOST, sizeof c->writer);
  for (unsigned thread = 0; thread < TX_THREADS; thread++) c->thread[thread].gpr_written = ~UINT64_C(0);
}

void chk_detach(struct chk *c) {
  if (!c->t) return;
  sim_log_detach(&c->t->unsaved.log, c->sink);
  c->t->unsaved.ports = c->below;
  c->t->unsaved.check = NULL;
  tx_inflight_watch(c->t, false);
  c->t = NULL;
}

void chk_pause(struct chk *c) {
  struct tx_tile *t = c->t;
  chk_detach(c);
  c->paused = t;
}

void chk_resume(struct chk *c) {
  if (c->paused) watch(c, c->paused);
  c->paused = NULL;
}

static struct chk_mark mark_of(const struct tx_trail *by) {
  return (struct chk_mark){.clock = by->known, .pc = by->pc, .cycle = (uint32_t)by->cycle, .agent = (uint8_t)by->agent};
}

/* Checker f: banks that the unpackers handed over and the matrix unit never released. */
static void check_banks(struct chk *c) {
  static const char *const names[] = {"SrcA", "SrcB"};
  const struct tx_src *src = &c->t->src;
  for (unsigned which = 0; which < 2; which++) {
    unsigned left = 0;
    for (unsigned bank = 0; bank < 2; bank++) left += src->bank[which][bank].owner == TX_CLIENT_MATRIX ? 1u : 0u;
    const struct tx_trail *filled = &src->filled[which], *released = &src->released[which];
    /* a program that only unpacks leaves them filled on purpose */
    if (!left || !filled->known || !released->known) continue;
    const struct chk_mark other = mark_of(released);
    c->t->current = (struct tx_current){.agent = filled->agent, .pc = filled->pc};
    chk_report(c, TX_DIAG_SRC_LEDGER, released->known ? &other : NULL, "%s: %u bank%s", names[which], left,
               left == 1 ? "" : "s");
  }
}

/* A mutex that a thread still holds at the end: a thread of the next program would wait for it forever. */
static void check_mutexes(struct chk *c) {
  for (unsigned i = 0; i < TX_MUTEXES; i++) {
    const struct tx_trail *by = &c->t->sync.acquired[i];
    if (c->t->sync.mutex_holder[i] >= TX_THREADS || !by->known) continue;
    c->t->current = (struct tx_current){.agent = by->agent, .pc = by->pc};
    chk_report(c, TX_DIAG_MUTEX_LEFT, NULL, "mutex %u, held by thread %u", i, c->t->sync.mutex_holder[i]);
  }
}

/* Posts without their take in a semaphore whose poster waits for room, as tile_regs_acquire does. A signal that is posted once may stay. */
static void check_semaphores(struct chk *c) {
  for (unsigned i = 0; i < TX_SEMAPHORES; i++) {
    const struct chk_semaphore *s = &c->semaphore[i];
    const struct tx_trail *posted = &c->t->sync.posted[i], *taken = &c->t->sync.taken[i];
    unsigned value = c->t->sync.sem[i].value, posts = s->posts - s->first; /* without what SEMINIT set */
    if (value <= s->first || !s->room.clock || !posted->known) continue;
    const struct chk_mark other = mark_of(taken);
    c->t->current = (struct tx_current){.agent = posted->agent, .pc = posted->pc};
    chk_report(c, TX_DIAG_SEM_LEFT, taken->known ? &other : &s->room, "semaphore %u: %u of %u post%s%s", i, value - s->first,
               posts, posts == 1 ? "" : "s", taken->known ? "" : ", none was taken");
  }
}

void chk_hung(struct chk *c) {
  if (c->t && chk_on(c, CHK_C)) chk_contended_finish(c);
}

void chk_finish(struct chk *c) {
  if (!c->t || c->finished) return;
  c->finished = true;
  if (chk_on(c, CHK_A)) chk_buffers_finish(c);
  if (chk_on(c, CHK_B) || chk_on(c, CHK_F)) check_banks(c);
  if (chk_on(c, CHK_B)) check_mutexes(c), check_semaphores(c);
  if (chk_on(c, CHK_C)) chk_pulls_finish(c), chk_contended_finish(c);
  if (chk_on(c, CHK_E)) chk_reduction_finish(c);
}
