/* See explain.h. */
#include "pto/runtime/explain.h"

#include <string.h>

#include "pto/program/regions.h"
#include "pto/runtime/direction.h"
#include "pto/runtime/hang.h"
#include "sim/text.h"

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
  else if (f->kind == PTO_FIND_OVERWRITE)
    sim_text_add(
        o,
        "%s %s (line %u) writes tile %llu into slot %u of pipe %%%s (%s) although tile %llu (written at line %u) has not "
        "been "
        "read by %s",
        core, pto_unit_name(f->unit), f->line, (unsigned long long)f->tile, f->slot, pipe, direction,
        (unsigned long long)f->other_tile, f->other_line,
        f->direction == PTO_DIRECTION_C2V ? pto_core_name(PTO_AIV0 + (unsigned)f->lane) : "AIC");
  else if (f->kind == PTO_FIND_STALE) {
    sim_text_add(o, "%s %s (line %u) reads tile %llu from slot %u of pipe %%%s (%s), but the slot holds ", core,
                 pto_unit_name(f->unit), f->line, (unsigned long long)f->tile, f->slot, pipe, direction);
    if (f->detail == SIM_RING_READ_EMPTY) sim_text_add(o, "nothing yet");
    else if (f->detail == SIM_RING_READ_PARTIAL) sim_text_add(o, "a tile that line %u is still writing", f->other_line);
    else say_version(o, f->other_tile), sim_text_add(o, " (line %u)", f->other_line);
  } else if (f->kind == PTO_FIND_USE_AFTER_FREE) {
    sim_text_add(o, "%s %s (line %u) uses tile %llu of slot %u of pipe %%%s (%s) after its TFREE; the slot now holds ", core,
                 pto_unit_name(f->unit), f->line, (unsigned long long)f->tile, f->slot, pipe, direction);
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
  const char *tile = m->function[f->core]->tiles[f->tile].name;
  if (f->detail)
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
  sim_text_add(o, "pipes %%%s (line %u) and %%%s (line %u) both have slots in %s", pipe_name(m, f->detail), f->other_line,
               pipe_name(m, f->pipe), f->line, pto_loc_name(f->slot));
  if (f->slot != PTO_GM) sim_text_add(o, " of %s", pto_core_name(f->core));
  sim_text_add(o, " from 0x%llx to 0x%llx: each overwrites the other's tiles", (unsigned long long)f->tile,
               (unsigned long long)f->other_tile);
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
      sim_text_add(o, "%s (line %u) pops from slot %u of pipe %%%s with %s what line %u pushed with %s", core, f->line,
                   f->slot, pipe, pto_split_name((unsigned)f->tile), f->other_line, pto_split_name((unsigned)f->other_tile));
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
