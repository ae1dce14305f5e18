/* The programs of a kernel's folder: for each a description with only its statements and those of all. */
#include <stdlib.h>

#include "cli/kernel.h"

static bool act_on_view(struct chip_description *d, unsigned program, kernel_program_fn *act, void *context) {
  struct chip_description view = *d;
  view.capacity = d->count + 1;
  view.statements = calloc(view.capacity, sizeof *view.statements);
  if (!view.statements) return chip_file_refuse(d, 0, "out of memory");
  view.count = 0;
  for (size_t i = 0; i < d->count; i++)
    if (!d->statements[i].program || d->statements[i].program == program) view.statements[view.count++] = d->statements[i];
  size_t kept = view.count;
  bool good = act(context, &view, program);
  d->blocks = view.blocks, d->block_count = view.block_count, d->block_capacity = view.block_capacity;
  for (size_t i = kept; good && i < view.count; i++) {
    struct chip_statement *added = chip_file_add(d, view.statements[i].kind);
    if (!(good = added != NULL)) break;
    *added = view.statements[i];
    added->program = (uint8_t)program;
    added->place = d->programs[program - 1].place;
  }
  free(view.statements);
  return good;
}

bool kernel_each_program(struct chip_description *d, kernel_program_fn *act, void *context) {
  if (!d->program_count) return act(context, d, 0);
  for (unsigned i = 1; i <= d->program_count; i++)
    if (!act_on_view(d, i, act, context)) return false;
  return true;
}
