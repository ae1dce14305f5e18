/* See explain.h. */
#include "pto/runtime/explain.h"

#include <string.h>

#include "pto/program/regions.h"
#include "pto/runtime/direction.h"
#include "pto/runtime/hang.h"
#include "sim/text.h"

/* The line of the pop that reads a slot, or of the push that fills it. */
static uint32_t line_of(const struct pto_machine *m, unsigned core, int pipe, bool pop) {
  const struct pto_end *e = &m->cores[core].ends[pipe];
  const struct pto_function *fn = m->function[core];
  if (pop && e->last_pop_line) return e->last_pop_line;
  if (!pop && e->last_push_line) return e->last_push_line;
  for (uint32_t n = 0; fn && n < fn->instr_count; n++) {
    unsigned op = fn->instrs[n].op;
    bool is = pop ? op == PTO_OP_TPOP || op == PTO_OP_TPOP_VIEW : op == PTO_OP_TPUSH || op == PTO_OP_TPUSH_VIEW;
    if (is && fn->instrs[n].pipe == pipe) return fn->instrs[n].line;
  }
  return 0;
}

static const char *direction_name(unsigned direction) { return direction == PTO_DIRECTION_C2V ? "C2V" : "V2C"; }

static const char *pipe_name(const struct pto_machine *m, int pipe) {
  return pipe >= 0 && (unsigned)pipe < m->program->pipe_count ? m->program->pipes[pipe].name : "?";
}

static void say_version(struct sim_text *o, uint64_t version) {
  if (version == SIM_RING_EMPTY) sim_text_add(o, "nothing");
  else sim_text_add(o, "tile %llu", (unsigned long long)version);
}

static void explain_ring(const struct pto_machine *m, const struct pto_finding *f, struct sim_text *o) {
  const char *core = pto_core_name(f->core), *other = pto_core_name(f->other_core);
  const char *pipe = pipe_name(m, f->pipe), *direction = direction_name(f->direction);
  unsigned reader = f->direction == PTO_DIRECTION_C2V ? PTO_AIV0 + (unsigned)f->lane : PTO_AIC;
  unsigned writer = f->direction == PTO_DIRECTION_C2V ? PTO_AIC : PTO_AIV0 + (unsigned)f->lane;
  if (f->kind == PTO_FIND_OVERWRITE && f->detail == SIM_RING_OVERWRITE_READING)
    sim_text_add(
        o, "%s %s (line %u) writes tile %llu into slot %u of pipe %%%s (%s) while %s (line %u) still reads tile %llu there",
        core, pto_unit_name(f->unit), f->line, (unsigned long long)f->tile, f->slot, pipe, direction, other, f->other_line,
        (unsigned long long)f->other_tile);
  else if (f->kind == PTO_FIND_OVERWRITE && f->detail == PTO_ALIASED_RING)
    sim_text_add(o,
                 "%s %s (line %u) writes tile %llu into slot %u of pipe %%%s (%s), but the ring of the other direction "
                 "starts at the same "
                 "address: "
                 "tile %llu that line %u put there is lost",
                 core, pto_unit_name(f->unit), f->line, (unsigned long long)f->tile, f->slot, pipe, direction,
                 (unsigned long long)f->other_tile, f->other_line);
  else if (f->kind == PTO_FIND_OVERWRITE && f->detail == PTO_UNORDERED)
    sim_text_add(o,
                 "%s %s (line %u) writes tile %llu into slot %u of pipe %%%s (%s), and no flag orders the write after the "
                 "read of tile %llu by %s (line %u): a slower %s loses that tile",
                 core, pto_unit_name(f->unit), f->line, (unsigned long long)f->tile, f->slot, pipe, direction,
                 (unsigned long long)f->other_tile, other, f->other_line, other);
  else if (f->kind == PTO_FIND_OVERWRITE)
    sim_text_add(
        o,
        "%s %s (line %u) writes tile %llu into slot %u of pipe %%%s (%s) although tile %llu (written at line %u) has not "
        "been "
        "read by %s (line %u)",
        core, pto_unit_name(f->unit), f->line, (unsigned long long)f->tile, f->slot, pipe, direction,
        (unsigned long long)f->other_tile, f->other_line, pto_core_name(reader), line_of(m, reader, f->pipe, true));
  else if (f->kind == PTO_FIND_STALE && f->detail == PTO_UNORDERED)
    sim_text_add(
        o,
        "%s %s (line %u) reads tile %llu from slot %u of pipe %%%s (%s), and no flag orders the read after the write "
        "by %s (line %u): a slower %s has not written it yet",
        core, pto_unit_name(f->unit), f->line, (unsigned long long)f->tile, f->slot, pipe, direction, other, f->other_line,
        other);
  else if (f->kind == PTO_FIND_STALE) {
    sim_text_add(o, "%s %s (line %u) reads tile %llu from slot %u of pipe %%%s (%s), but the slot holds ", core,
                 pto_unit_name(f->unit), f->line, (unsigned long long)f->tile, f->slot, pipe, direction);
    if (f->detail == SIM_RING_READ_EMPTY)
      sim_text_add(o, "nothing yet: %s pushes at line %u", pto_core_name(writer), line_of(m, writer, f->pipe, false));
    else if (f->detail == SIM_RING_READ_PARTIAL) sim_text_add(o, "a tile that line %u is still writing", f->other_line);
    else say_version(o, f->other_tile), sim_text_add(o, " (line %u)", f->other_line);
  } else if (f->kind == PTO_FIND_USE_AFTER_FREE) {
    sim_text_add(o,
                 "%s %s (line %u) uses tile %llu of slot %u of pipe %%%s (%s), popped at line %u, after its TFREE; the slot "
                 "now holds ",
                 core, pto_unit_name(f->unit), f->line, (unsigned long long)f->tile, f->slot, pipe, direction,
                 line_of(m, f->core, f->pipe, true));
    say_version(o, f->other_tile);
    sim_text_add(o, " (line %u)", f->other_line);
  } else {
    sim_text_add(
        o,
        "%s (line %u) frees slot %u of pipe %%%s (%s) which is not held: one credit too many, a later push will overwrite "
        "(last pop at line %u)",
        core, f->line, f->slot, pipe, direction, f->other_line);
  }
}

static void explain_ring_tile(const struct pto_machine *m, const struct pto_finding *f, struct sim_text *o) {
  const struct pto_function *fn = m->function[f->detail == PTO_UNORDERED ? f->other_core : f->core];
  const char *tile = fn->tiles[f->tile].name;
  if (f->detail == PTO_UNORDERED)
    sim_text_add(o,
                 "%s %s (line %u) writes tile %llu into slot %u of pipe %%%s, and no flag orders the write before or after "
                 "the use of tile %%%s by %s "
                 "(line %u), which lies on its bytes",
                 pto_core_name(f->core), pto_unit_name(f->unit), f->line, (unsigned long long)f->other_tile, f->slot,
                 pipe_name(m, f->pipe), tile, pto_core_name(f->other_core), f->other_line);
  else if (f->detail)
    sim_text_add(
        o, "%s %s (line %u) writes tile %%%s over slot %u of pipe %%%s, which still holds tile %llu (written at line %u)",
        pto_core_name(f->core), pto_unit_name(f->unit), f->line, tile, f->slot, pipe_name(m, f->pipe),
        (unsigned long long)f->other_tile, f->other_line);
  else
    sim_text_add(
        o, "%s %s (line %u) reads tile %%%s, but slot %u of pipe %%%s lies on its bytes and line %u has filled it since",
        pto_core_name(f->core), pto_unit_name(f->unit), f->line, tile, f->slot, pipe_name(m, f->pipe), f->other_line);
}

static void explain_ring_ring(const struct pto_machine *m, const struct pto_finding *f, struct sim_text *o) {
  if (f->lane) {
    sim_text_add(o,
                 "blocks %u and %llu both have the slots of pipe %%%s (line %u) in GM from 0x%llx on: each overwrites the "
                 "other's tiles",
                 f->detail, (unsigned long long)f->tile, pipe_name(m, f->pipe), f->line, (unsigned long long)f->other_tile);
    return;
  }
  sim_text_add(o, "pipes %%%s (line %u) and %%%s (line %u) both have slots in %s", pipe_name(m, f->detail), f->other_line,
               pipe_name(m, f->pipe), f->line, pto_loc_name(f->slot));
  if (f->slot != PTO_GM) sim_text_add(o, " of %s", pto_core_name(f->core));
  sim_text_add(o, " from 0x%llx to 0x%llx: each overwrites the other's tiles", (unsigned long long)f->tile,
               (unsigned long long)f->other_tile);
}

/* "AIC MTE2 (line 9) loads from tensor @X, byte 0x40 (row 1), which AIV0 MTE3 (line 4) stores: ..." */
static void explain_race(const struct pto_machine *m, const struct pto_finding *f, struct sim_text *o) {
  const struct pto_global *g = &m->program->globals[f->flag];
  uint64_t row_bytes = g->bytes / (g->shape[0] ? g->shape[0] : 1);
  sim_text_add(o, "%s %s", pto_core_name(f->core), pto_unit_name(f->unit));
  if (f->slot) sim_text_add(o, " of block %llu", (unsigned long long)f->other_tile);
  sim_text_add(o, " (line %u) %s tensor @%s at byte 0x%llx (row %llu), which %s %s", f->line,
               f->detail & PTO_RACE_WRITES ? "stores to" : "loads from", g->name, (unsigned long long)f->tile,
               (unsigned long long)(row_bytes ? f->tile / row_bytes : 0), pto_core_name(f->other_core),
               pto_unit_name(f->lane));
  if (f->slot) sim_text_add(o, " of block %u", f->slot - 1u);
  sim_text_add(o, " (line %u) %s: %s", f->other_line, f->detail & PTO_RACE_WROTE ? "stores to" : "loads from",
               f->slot ? "nothing orders two blocks" : "no flag orders the two");
}

static void explain_ends(const struct pto_machine *m, const struct pto_finding *f, struct sim_text *o) {
  const uint64_t says[] = {f->tile, f->other_tile};
  sim_text_add(o, "pipe %%%s: %s is ", pipe_name(m, f->pipe), pto_mismatch_name(f->detail));
  for (unsigned i = 0; i < 2; i++) {
    if (f->detail == PTO_ENDS_DIR) sim_text_add(o, "%s", pto_dir_name((unsigned)says[i]));
    else sim_text_add(o, f->detail == PTO_ENDS_ADDRESS ? "0x%llx" : "%llu", (unsigned long long)says[i]);
    if (i == 0) sim_text_add(o, " on the Cube (line %u), but ", f->other_line);
  }
  sim_text_add(o, " on %s (line %u)", pto_core_name(f->core), f->line);
}

static void explain_other(const struct pto_machine *m, const struct pto_finding *f, struct sim_text *o) {
  const char *core = pto_core_name(f->core), *pipe = pipe_name(m, f->pipe);
  switch (f->kind) {
    case PTO_FIND_LANDING:
      sim_text_add(o, "%s %s (line %u) uses tile %llu of pipe %%%s, but line %u has written to the same local bytes since",
                   core, pto_unit_name(f->unit), f->line, (unsigned long long)f->tile, pipe, f->other_line);
      break;
    case PTO_FIND_OVERFLOW:
      if (f->detail == PTO_UNORDERED) {
        sim_text_add(
            o,
            "flag %u of %s goes beyond %u when %s is slow: set once more by %s (line %u, pipe %%%s), and nothing orders "
            "the set after the wait %u sets before; the 4-bit counter loses it",
            f->flag, core, PTO_FLAG_MAX, core, pto_core_name(f->other_core), f->line, pipe, PTO_FLAG_MAX);
        break;
      }
      sim_text_add(o, "flag %u of %s goes beyond %u: set once more by %s (line %u, pipe %%%s); the 4-bit counter loses it",
                   f->flag, core, PTO_FLAG_MAX, pto_core_name(f->other_core), f->line, pipe);
      break;
    case PTO_FIND_COLLISION:
      sim_text_add(
          o,
          "%s %s (line %u) takes a credit of flag %u for pipe %%%s that line %u gave for pipe %%%s: their flag ids overlap",
          core, pto_unit_name(f->unit), f->line, f->flag, pipe, f->other_line, pipe_name(m, f->detail));
      break;
    case PTO_FIND_SPLIT:
      sim_text_add(o, "%s (line %u) pops from slot %u of pipe %%%s with %s what %s (line %u) pushed with %s", core, f->line,
                   f->slot, pipe, pto_split_name((unsigned)f->tile), pto_core_name(f->other_core), f->other_line,
                   pto_split_name((unsigned)f->other_tile));
      if (f->direction == PTO_DIRECTION_V2C) {
        unsigned other = f->other_core == PTO_AIV0 ? PTO_AIV1 : PTO_AIV0;
        if (line_of(m, other, f->pipe, false))
          sim_text_add(o, "; %s pushes at line %u", pto_core_name(other), line_of(m, other, f->pipe, false));
      }
      break;
    case PTO_FIND_SLOT_SIZE:
      sim_text_add(
          o, "%s (line %u) touches %llu bytes from the start of slot %u of pipe %%%s (line %u), whose slots have %llu", core,
          f->line, (unsigned long long)f->tile, f->slot, pipe, f->other_line, (unsigned long long)f->other_tile);
      break;
    case PTO_FIND_LEAK:
      sim_text_add(
          o,
          "%llu credit%s left in flag %u of %s at the end of dispatch %u (pipe %%%s, set at line %u): the next launch "
          "starts with "
          "%s",
          (unsigned long long)f->tile, f->tile == 1 ? "" : "s", f->flag, core, f->dispatch + 1, pipe, f->line,
          f->tile == 1 ? "it" : "them");
      break;
    case PTO_FIND_TYPE:
      sim_text_add(o,
                   "%s (line %u) pops a tile of %u x %u %s with %s from pipe %%%s, but line %u has pushed what is a tile of "
                   "%u x %u %s here: type or shape differ",
                   core, f->line, (unsigned)(f->tile >> 32), (unsigned)f->tile, pto_dtype_name(f->lane),
                   pto_split_name(f->detail), pipe, f->other_line, (unsigned)(f->other_tile >> 32), (unsigned)f->other_tile,
                   pto_dtype_name(f->flag));
      break;
    case PTO_FIND_TILE_TILE:
      sim_text_add(o, "%s %s (line %u) reads tile %%%s, but line %u has written tile %%%s to the same bytes since", core,
                   pto_unit_name(f->unit), f->line, m->function[f->core]->tiles[f->tile].name, f->other_line,
                   m->function[f->core]->tiles[f->other_tile].name);
      break;
    case PTO_FIND_WRITERS:
      if (f->detail) {
        sim_text_add(o, "%s (line %u) pushes control word %llu to pipe %%%s: on A5 a V2C_CTRL pipe has one producer, AIV0",
                     core, f->line, (unsigned long long)f->tile, pipe);
        break;
      }
      sim_text_add(o,
                   "%s (line %u) writes tile %llu into slot %u of pipe %%%s without split, where %s (line %u) writes other "
                   "data: the slot has one writer, the later Vector wins",
                   core, f->line, (unsigned long long)f->tile, f->slot, pipe, pto_core_name(f->other_core), f->other_line);
      break;
    case PTO_FIND_RACE: explain_race(m, f, o); break;
    case PTO_FIND_RING_TILE: explain_ring_tile(m, f, o); break;
    case PTO_FIND_RING_RING: explain_ring_ring(m, f, o); break;
    case PTO_FIND_ENDS: explain_ends(m, f, o); break;
    case PTO_FIND_UNSYNCED:
      sim_text_add(
          o, "%s %s (line %u) starts before %s has finished line %u, on which it depends: set_flag/wait_flag is missing",
          core, pto_unit_name(f->unit), f->line, pto_unit_name(f->detail), f->other_line);
      break;
    default: break;
  }
}

size_t pto_explain_finding(const struct pto_machine *m, const struct pto_finding *f, char *text, size_t size) {
  struct sim_text o = {text, size, 0};
  if (size) text[0] = '\0';
  sim_text_add(&o, "%s at cycle %llu: ", pto_finding_name(f->kind), (unsigned long long)f->cycle);
  if (f->kind >= PTO_FIND_OVERWRITE && f->kind <= PTO_FIND_DOUBLE_FREE) explain_ring(m, f, &o);
  else explain_other(m, f, &o);
  return o.length;
}

size_t pto_explain_deadlock(const struct pto_machine *m, char *text, size_t size) {
  struct pto_hang hang;
  struct sim_text o = {text, size, 0};
  if (size) text[0] = '\0';
  pto_hang_find(m, &hang);
  pto_hang_text(&hang, &o);
  return o.length;
}

uint32_t pto_deadlock_line(const struct pto_machine *m) {
  struct pto_hang hang;
  pto_hang_find(m, &hang);
  return hang.waiter_count ? hang.waiters[hang.chain_count ? hang.chain[0] : 0].line : 0;
}
