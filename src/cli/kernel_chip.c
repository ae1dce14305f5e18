/* The chip on which `tessera kernel` runs kernels. */
#include <stdio.h>
#include <string.h>

#include "cli/kernel.h"
#include "cli/what_if.h"

bool kernel_create_chip(const struct kernel_settings *s, struct chip_job *j) {
  if (s->product) {
    snprintf(j->d.product, sizeof j->d.product, "%s", s->product);
    j->d.product_line = 0;
  }
  if (s->session.timing != KERNEL_NO_TIMING) j->d.timing = s->session.timing;
  if (!chip_job_product(j)) return false;
  struct tessera_chip_options options = {.product = j->d.product,
                                         .timing = j->d.timing,
                                         .threads = (unsigned)s->threads,
                                         .noc_at_once = cli_what_if_has(s->what_if, "noc")};
  j->chip = tessera_chip_create(&options);
  return j->chip || (cli_bad_input("kernel", "out of memory"), false);
}

static bool add_program(const struct kernel_settings *s, struct chip_description *d, unsigned program) {
  struct chip_statement *kernel = chip_file_add(d, CHIP_KERNEL);
  char folder[KERNEL_PATH];
  if (!kernel || !kernel_build_folder(s, d, program, folder)) return false;
  if (strlen(folder) >= sizeof kernel->path) return cli_bad_input("kernel", "the folder's name is too long"), false;
  memcpy(kernel->path, folder, strlen(folder) + 1);
  kernel->program = (uint8_t)program;
  if (program) kernel->place = d->programs[program - 1].place;
  return true;
}

bool kernel_add_programs(const struct kernel_settings *s, struct chip_description *d) {
  bool good = d->program_count || add_program(s, d, 0);
  for (unsigned i = 1; good && i <= d->program_count; i++) good = add_program(s, d, i);
  return good;
}
