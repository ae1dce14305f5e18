/* The chip on which `tessera kernel` runs kernels. */
#include <stdio.h>
#include <string.h>

#include "cli/kernel.h"

bool kernel_create_chip(const struct kernel_settings *s, struct chip_job *j) {
  if (s->product) snprintf(j->d.product, sizeof j->d.product, "%s", s->product);
  if (s->session.timing != KERNEL_NO_TIMING) j->d.timing = s->session.timing;
  if (!chip_job_product(j)) return false;
  struct tessera_chip_options options = {.product = j->d.product,
                                         .timing = j->d.timing,
                                         .threads = (unsigned)s->threads,
                                         .noc_at_once = s->what_if && strcmp(s->what_if, "noc") == 0};
  j->chip = tessera_chip_create(&options);
  return j->chip || (cli_bad_input("kernel", "out of memory"), false);
}
