/* Findings of a checker (report.h). */
#include "check/report.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "check/peers.h"
#include "debug/program.h"
#include "tensix/riscv/run.h"

struct chk_mark chk_now(const struct chk *c, unsigned entity) {
  const struct tx_tile *t = c->t;
  unsigned unit = entity - CHK_UNIT, thread = unit < 3 * CHK_UNITS ? unit / CHK_UNITS : entity;
  bool issued = thread < TX_THREADS; /* entity CHK_THREAD + i is number i */
  return (struct chk_mark){.issued = unit < 3 * CHK_UNITS    ? c->clocks.of[CHK_THREAD + thread].at[CHK_THREAD + thread]
                                     : entity == CHK_NETWORK ? c->tiles.clock
                                                             : 0,
                           .locks = issued ? c->thread[thread].locks : 0,
                           .clock = c->clocks.of[entity].at[entity],
                           .pc = t->current.pc,
                           .word = t->current.word,
                           .cycle = (uint32_t)t->engine.now,
                           .entity = (uint8_t)entity,
                           .agent = (uint8_t)t->current.agent};
}

/* Lines are looked up when a finding needs them: each lookup walks the debug information. */
static bool is_users(const struct chk *c, unsigned core, uint32_t pc) {
  struct dbg_source source;
  dbg_program_source(c->program, core, pc, &source);
  return source.file[0] && !source.library;
}

static unsigned core_of(unsigned entity) {
  return entity < CHK_CORE ? TX_CORES : entity >= CHK_CONFIG ? entity - CHK_CONFIG : entity - CHK_CORE;
}

/* The library's functions for inits are not all inlined: the calls are then on the core's stack, the newest in ra. */
struct chk_call chk_now_called(const struct chk *c, unsigned entity) {
  struct chk_call call = {.mark = chk_now(c, entity)};
  unsigned core = core_of(entity), count = 0;
  if (core >= TX_CORES || !c->program || !c->program->loaded[core]) return call;
  const struct tx_core *x = &c->t->core[core];
  uint32_t word = x->x[1];
  for (uint32_t at = x->x[2] - TX_LOCAL_BASE, n = 0; n < CHK_STACK_WORDS && count < CHK_CALLERS; at += 4, n++) {
    if (dbg_program_is_return(c->t, word)) call.from[count++] = word - 4;
    if (at % 4 || at >= TX_LOCAL_BYTES) break;
    memcpy(&word, &x->local[at], sizeof word);
  }
  return call;
}

struct chk_mark chk_users_call(const struct chk *c, const struct chk_call *call) {
  struct chk_mark mark = call->mark;
  unsigned core = core_of(mark.entity);
  if (!call->from[0] || is_users(c, core, mark.pc)) return mark;
  for (unsigned i = 0; i < CHK_CALLERS && call->from[i]; i++) {
    if (!is_users(c, core, call->from[i])) continue;
    mark.pc = call->from[i];
    break;
  }
  return mark;
}

void chk_report(struct chk *c, enum tx_diag_id id, const struct chk_mark *other, const char *format, ...) {
  char text[sizeof c->t->diag.findings[0].why];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (!other) {
    tx_diag(c->t, id, "%s", text);
    return;
  }
  struct tx_side side = chk_side_of(c, other);
  struct tx_current kept = c->t->current;
  if (c->tiles.acting) { /* a finding is placed on its own tile */
    struct chk_mark now = chk_now(c, CHK_NETWORK);
    side = chk_side_of(c, &now);
    c->t->current = (struct tx_current){.agent = other->agent, .pc = other->pc, .word = other->word};
  }
  tx_diag_pair(c->t, id, &side, "%s", text);
  c->t->current = kept;
}

const char *chk_entity_name(unsigned entity) {
  static const char *const units[CHK_UNITS] = {"unpacker 0",      "unpacker 1", "the matrix unit",
                                               "the vector unit", "the packer", "the scalar unit"};
  static const char *const threads[] = {"thread 0", "thread 1", "thread 2"};
  if (entity < CHK_CORE) return threads[entity];
  if (entity < CHK_UNIT) return tx_core_name(entity - CHK_CORE);
  if (entity < CHK_MOVER) return units[(entity - CHK_UNIT) % CHK_UNITS];
  if (entity == CHK_MOVER) return "the mover";
  if (entity < CHK_CONFIG) return "a load of the scalar unit";
  if (entity < CHK_NOC_IN) return tx_core_name(entity - CHK_CONFIG);
  if (entity >= CHK_STORES && entity < CHK_NETWORK) return tx_core_name(entity - CHK_STORES);
  return entity < CHK_NOC_OUT ? "a NoC read" : entity < CHK_STORES ? "a NoC write" : "another tile";
}

const char *chk_mark_name(const struct chk *c, const struct chk_mark *m) {
  bool own = m->entity == CHK_NETWORK && (m->word & 0xffffu) == c->tiles.tile;
  return own ? "a NoC request of the tile to itself" : chk_entity_name(m->entity);
}
