/* See grid.h. Transfers of different blocks compete for the shared link, so blocks run in the order of time: the block with the
 * earliest next event runs for one cycle; among equals, the one with the lowest number. */
#include "pto/runtime/grid.h"

#include <stdlib.h>
#include <string.h>

#include "pto/program/pipe.h"
#include "pto/runtime/race.h"
#include "pto/runtime/report.h"

bool pto_same_tensors(const struct pto_program *a, const struct pto_program *b) {
  if (a->global_count != b->global_count || a->profile != b->profile) return false;
  for (uint32_t i = 0; i < a->global_count; i++)
    if (a->globals[i].addr - a->ring_bytes != b->globals[i].addr - b->ring_bytes ||
        a->globals[i].bytes != b->globals[i].bytes)
      return false;
  return a->gm_bytes - a->ring_bytes == b->gm_bytes - b->ring_bytes;
}

/* All blocks' rings in order, then the tensors. A write past the end of a ring stays inside this memory. */
static bool allocate(struct pto_grid *g, const struct pto_program *const *programs, uint32_t program_count,
                     uint64_t *rings) {
  *rings = 0;
  for (uint32_t i = 0; i < program_count; i++)
    if (programs[i]->ring_bytes > *rings) *rings = programs[i]->ring_bytes;
  g->gm = calloc(*rings * g->count + programs[0]->gm_bytes - programs[0]->ring_bytes + 64, 1);
  return g->gm != NULL;
}

struct pto_grid *pto_grid_new(const struct pto_program *const *programs, uint32_t program_count, uint32_t count,
                              bool with_data) {
  struct pto_grid *g = calloc(1, sizeof *g);
  uint64_t rings = 0;
  if (!g || !count || count > PTO_BLOCKS_MAX) return free(g), NULL;
  g->count = count;
  g->blocks = calloc(count, sizeof *g->blocks);
  g->ends = calloc(count, sizeof *g->ends);
  g->races = pto_races_new(programs, program_count, count);
  bool good = g->races && g->blocks && g->ends && (!with_data || allocate(g, programs, program_count, &rings));
  for (uint32_t i = 0; i < count && good; i++) {
    const struct pto_program *p = programs[i < program_count ? i : program_count - 1];
    struct pto_memory memory = {with_data ? g->gm + rings * i : NULL, with_data ? g->gm + rings * count : NULL, g->races, i,
                                count};
    good = pto_same_tensors(programs[0], p);
    if (good) g->blocks[i] = pto_machine_new_in(p, with_data, &memory);
    good = good && g->blocks[i];
    if (good) g->blocks[i]->link = count > 1 ? &g->link : NULL;
  }
  if (good) return g;
  pto_grid_free(g);
  return NULL;
}

void pto_grid_free(struct pto_grid *g) {
  if (!g) return;
  for (uint32_t i = 0; i < g->count && g->blocks; i++) pto_machine_free(g->blocks[i]);
  pto_races_free(g->races);
  free(g->blocks);
  free(g->ends);
  free(g->gm);
  free(g);
}

void pto_grid_set_policy(struct pto_grid *g, int policy) {
  for (uint32_t i = 0; i < g->count; i++) pto_machine_set_policy(g->blocks[i], policy);
}

/* The time at which the block acts next; SIM_NEVER: it has ended, or is blocked. */
static sim_time next_time(const struct pto_machine *m) {
  const struct sim_engine *e = &m->engine;
  sim_time first = e->effect_count ? e->effects[0].at : SIM_NEVER;
  for (unsigned i = 0; i < e->agents_used; i++)
    if (e->agents[i].at < first) first = e->agents[i].at;
  return first;
}

static enum pto_end_kind worst(const struct pto_grid *g) {
  static const uint8_t rank[] = {
      [PTO_RAN] = 0, [PTO_FAULTED] = 5, [PTO_DEADLOCKED] = 4, [PTO_HAZARD_STOP] = 3, [PTO_TIME_LIMIT] = 2};
  enum pto_end_kind end = PTO_RAN;
  for (uint32_t i = 0; i < g->count; i++)
    if (rank[g->ends[i]] > rank[end]) end = g->ends[i];
  return end;
}

static bool is_too_long(const struct pto_grid *g, uint32_t block) {
  return g->bounded && g->blocks[block]->work > PTO_WORK_MAX;
}

/* The block that acts first, and the time of the next one. */
static uint32_t first_block(const struct pto_grid *g, const sim_time *next, sim_time *then) {
  uint32_t first = 0;
  *then = SIM_NEVER;
  for (uint32_t i = 1; i < g->count; i++) {
    sim_time later = next[i];
    if (next[i] < next[first]) {
      later = next[first];
      first = i;
    }
    if (later < *then) *then = later;
  }
  return first;
}

/* Runs in parts, so that a requested stop takes effect. */
static enum pto_end_kind run_one(struct pto_grid *g, sim_time limit) {
  enum pto_end_kind end = pto_machine_begin(g->blocks[0]);
  for (sim_time until = 0; end == PTO_GOING_ON;) {
    until = limit - until > PTO_PART_CYCLES ? until + PTO_PART_CYCLES : limit;
    end = pto_machine_advance(g->blocks[0], until);
    if (end == PTO_GOING_ON && (until == limit || g->stop || is_too_long(g, 0))) return pto_machine_give_up(g->blocks[0]);
  }
  return end;
}

/* The bytes of a ring whose address the program gives, or that lies in a tensor; a ring without an address is the block's own. */
static bool shared_ring(const struct pto_program *p, unsigned pipe, uint64_t *begin, uint64_t *end) {
  bool told = false;
  for (unsigned core = 0; core < PTO_CORES; core++) {
    const struct pto_pipe_config *c = &p->pipes[pipe].end[core];
    told = told || (p->pipes[pipe].has[core] && (c->gm_addr != UINT64_MAX || c->gm_global != PTO_NONE));
  }
  *begin = p->pipes[pipe].gm_addr;
  *end = *begin + p->pipes[pipe].gm_bytes;
  /* inside a tensor: relative to the tensors, which all blocks share */
  if (*begin >= p->ring_bytes) *begin += PTO_GM_LIMIT - p->ring_bytes, *end += PTO_GM_LIMIT - p->ring_bytes;
  return told && p->pipes[pipe].gm_bytes;
}

void pto_grid_rings(const struct pto_grid *g, uint32_t block) {
  struct pto_machine *m = g->blocks[block];
  const struct pto_program *own = m->program;
  uint64_t a, a_end, b, b_end;
  for (unsigned pipe = 0; pipe < own->pipe_count; pipe++) {
    if (!shared_ring(own, pipe, &a, &a_end)) continue;
    for (uint32_t before = 0; before < block; before++) {
      const struct pto_program *other = g->blocks[before]->program;
      for (unsigned k = 0; k < other->pipe_count; k++) {
        if (!shared_ring(other, k, &b, &b_end) || a >= b_end || b >= a_end) continue;
        pto_find(m, (struct pto_finding){.kind = PTO_FIND_RING_RING,
                                         .core = PTO_AIC,
                                         .lane = 1,
                                         .pipe = (int16_t)pipe,
                                         .detail = (uint16_t)before,
                                         .line = pto_pipe_any_end(&own->pipes[pipe])->line,
                                         .other_line = pto_pipe_any_end(&other->pipes[k])->line,
                                         .tile = m->block,
                                         .other_tile = own->pipes[pipe].gm_addr});
        return; /* one is enough */
      }
    }
  }
}

enum pto_end_kind pto_grid_run(struct pto_grid *g, sim_time limit) {
  sim_time next[PTO_BLOCKS_MAX], then;
  g->stop = 0;
  if (g->count == 1) return g->ends[0] = run_one(g, limit);
  for (uint32_t i = 0; i < g->count; i++) {
    g->ends[i] = pto_machine_begin(g->blocks[i]);
    pto_grid_rings(g, i);
    next[i] = g->ends[i] == PTO_GOING_ON ? 0 : SIM_NEVER;
  }
  for (;;) {
    uint32_t i = first_block(g, next, &then);
    if (next[i] == SIM_NEVER) return worst(g);
    if (g->stop || is_too_long(g, i)) limit = 0; /* each block ends as at its limit */
    /* Until the next block's cycle no other block uses the link. */
    sim_time until = then > next[i] ? then - 1 : next[i];
    if (until - next[i] > PTO_PART_CYCLES) until = next[i] + PTO_PART_CYCLES;
    if (until > limit) until = limit;
    g->ends[i] = pto_machine_advance(g->blocks[i], until);
    next[i] = SIM_NEVER;
    if (g->ends[i] != PTO_GOING_ON) continue;
    next[i] = next_time(g->blocks[i]);
    if (next[i] == SIM_NEVER) next[i] = until + 1; /* blocked: the next call returns that */
    if (next[i] <= limit) continue;
    g->ends[i] = pto_machine_give_up(g->blocks[i]);
    next[i] = SIM_NEVER;
  }
}

sim_time pto_grid_cycles(const struct pto_grid *g) {
  sim_time last = 0;
  for (uint32_t i = 0; i < g->count; i++)
    if (g->blocks[i]->engine.now > last) last = g->blocks[i]->engine.now;
  return last;
}

uint32_t pto_grid_gm_use(const struct pto_grid *g) {
  sim_time cycles = pto_grid_cycles(g);
  return cycles ? (uint32_t)(g->link.busy / 1024 * 1000 / cycles) : 0;
}
