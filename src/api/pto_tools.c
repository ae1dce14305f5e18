/* The C API: figures, sweeps and texts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/pto_program.h"
#include "api/pto_verdict.h"
#include "pto/ir/reference.h"
#include "pto/runtime/finding.h"
#include "pto/runtime/sweep.h"
#include "sim/text.h"

_Static_assert(TESSERA_PTO_SWEEP_BLOCKS_MAX == PTO_SWEEP_BLOCKS_MAX, "the public limit is the runtime's own");

int tessera_pto_set_figure(struct tessera_pto_program *p, const char *figure, uint64_t value) {
  if (!pto_api_is(p) || !figure) return -1;
  if (!figure || !pto_profile_set(&p->program->figures, figure, value))
    return pto_api_fail(p, "no such figure, or a value out of range");
  return 0;
}

int tessera_pto_read_figures(struct tessera_pto_program *p, const char *text, size_t length) {
  if (!pto_api_is(p)) return -1;
  char why[160] = "no text";
  if (!text || !pto_profile_read(&p->program->figures, text, length, why, sizeof why)) return pto_api_fail(p, why);
  return 0;
}

static struct tessera_pto_sweep_row row_of(const struct pto_sweep_row *r) {
  return (struct tessera_pto_sweep_row){.program = r->variant,
                                        .depth = r->depth,
                                        .period = r->period,
                                        .blocks = r->blocks,
                                        .fits = r->fits,
                                        .findings = r->kinds,
                                        .cycles = r->cycles,
                                        .tiles = r->tiles,
                                        .gm_bytes = r->gm_bytes,
                                        .ub_bytes = r->ub_bytes,
                                        .l1_bytes = r->l1_bytes};
}

static bool sweep_options(const struct tessera_pto_sweep_options *from, struct pto_sweep_options *to) {
  *to = (struct pto_sweep_options){.depth_min = from->depth_min,
                                   .depth_max = from->depth_max,
                                   .keep_depth = from->own_depth != 0,
                                   .period = from->period,
                                   .schedules = from->schedules,
                                   .policy = from->policy ? pto_policy_find(from->policy) : -1,
                                   .block_count = from->block_count,
                                   .threads = from->threads,
                                   .watcher = {.done = from->progress, .context = from->progress_context}};
  memcpy(to->blocks, from->blocks, sizeof to->blocks);
  bool good = (!from->policy || to->policy >= 0) && from->depth_max <= PTO_SLOTS_MAX && from->period <= PTO_SLOTS_MAX &&
              from->block_count <= PTO_SWEEP_BLOCKS_MAX;
  for (uint32_t i = 0; good && i < from->block_count; i++) good = from->blocks[i] >= 1 && from->blocks[i] <= PTO_BLOCKS_MAX;
  return good;
}

int tessera_pto_sweep(struct tessera_pto_program *const *programs, size_t program_count,
                      const struct tessera_pto_sweep_options *options, struct tessera_pto_sweep_row *rows, size_t room) {
  return tessera_pto_sweep_until(programs, program_count, options, NULL, rows, room);
}

int tessera_pto_sweep_until(struct tessera_pto_program *const *programs, size_t program_count,
                            const struct tessera_pto_sweep_options *options, const volatile int *stop,
                            struct tessera_pto_sweep_row *rows, size_t room) {
  struct pto_sweep_options o;
  if (!programs || !program_count || program_count > PTO_SWEEP_ROWS_MAX || !options || !sweep_options(options, &o))
    return -1;
  o.watcher.stop = stop;
  for (size_t i = 0; i < program_count; i++)
    if (!pto_api_is(programs[i]) || !pto_api_finish(programs[i])) return -1;
  const struct pto_program **list = calloc(program_count, sizeof *list);
  struct pto_sweep *s = malloc(sizeof *s);
  for (size_t i = 0; i < program_count && list; i++) list[i] = programs[i]->program;
  bool good = list && s && pto_sweep_all(list, (uint32_t)program_count, &o, s);
  int count = good ? (int)s->count : -1;
  for (uint32_t i = 0; good && rows && i < s->count && i < room; i++) rows[i] = row_of(&s->rows[i]);
  free(list);
  free(s);
  return count;
}

int tessera_pto_sweep_refused(struct tessera_pto_program *p, const struct tessera_pto_sweep_options *options,
                              struct tessera_pto_note *why) {
  struct pto_sweep_options o;
  struct pto_note note;
  bool refused = false;
  if (!pto_api_is(p) || !options || !why || !sweep_options(options, &o) || !pto_api_finish(p)) return -1;
  if (!pto_sweep_refused(p->program, &o, &note, &refused)) return pto_api_fail(p, "out of memory");
  if (refused) pto_api_note(&note, why);
  return refused;
}

/* The rows in the runtime's form; NULL: out of memory, or no rows. */
static struct pto_sweep *sweep_of(const struct tessera_pto_sweep_row *rows, size_t count) {
  struct pto_sweep *s = rows && count && count <= PTO_SWEEP_ROWS_MAX ? calloc(1, sizeof *s) : NULL;
  for (size_t i = 0; s && i < count; i++) {
    const struct tessera_pto_sweep_row *r = &rows[i];
    s->rows[s->count++] = (struct pto_sweep_row){.variant = r->program,
                                                 .depth = r->depth,
                                                 .period = r->period,
                                                 .blocks = r->blocks,
                                                 .fits = r->fits != 0,
                                                 .kinds = r->findings,
                                                 .cycles = r->cycles,
                                                 .tiles = r->tiles,
                                                 .gm_bytes = r->gm_bytes,
                                                 .ub_bytes = r->ub_bytes,
                                                 .l1_bytes = r->l1_bytes};
  }
  if (s) s->first_safe = pto_sweep_first_safe(s);
  return s;
}

uint32_t tessera_pto_sweep_first_safe(const struct tessera_pto_sweep_row *rows, size_t count) {
  struct pto_sweep *s = sweep_of(rows, count);
  uint32_t depth = s ? s->first_safe : 0;
  free(s);
  return depth;
}

size_t tessera_pto_sweep_svg(const struct tessera_pto_sweep_row *rows, size_t count, const char *title, char *text,
                             size_t size) {
  struct pto_sweep *s = sweep_of(rows, count);
  size_t length = s ? pto_sweep_svg(s, title ? title : "", text, text ? size : 0) : 0;
  free(s);
  return length;
}

size_t tessera_pto_profiles_text(char *text, size_t size) { return pto_profiles_text(text, text ? size : 0); }
size_t tessera_pto_operations_text(char *text, size_t size) { return pto_ir_list(text, text ? size : 0); }
size_t tessera_pto_reference_text(char *text, size_t size) { return pto_ir_reference(text, text ? size : 0); }

size_t tessera_pto_policies_text(char *text, size_t size) {
  struct sim_text o = {text, text ? size : 0, 0};
  if (text && size) text[0] = '\0';
  for (unsigned i = 0; i < pto_policy_count(); i++)
    sim_text_add(&o, "%-12s %s\n", pto_policy_get(i)->name, pto_policy_get(i)->about);
  return o.length;
}
