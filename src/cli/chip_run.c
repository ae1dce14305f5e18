/* The run of chip_run.h. */
#include "cli/chip_run.h"

#include <stdio.h>

#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/session.h"

bool chip_run_open(struct chip_job *j, const struct chip_source *source, bool noc_at_once) {
  *j = (struct chip_job){.d.verb = "chip"};
  if (!chip_file_read(&j->d, source->path)) return false;
  if (source->product) {
    snprintf(j->d.product, sizeof j->d.product, "%s", source->product);
    j->d.product_line = 0;
  }
  if (source->timing) cli_parse_timing(source->timing, &j->d.timing);
  if (!chip_job_product(j)) return false;
  struct tessera_chip_options options = {
      .product = j->d.product, .timing = j->d.timing, .threads = (unsigned)source->threads, .noc_at_once = noc_at_once};
  j->chip = tessera_chip_create(&options);
  return j->chip || (cli_bad_input("chip", "out of memory"), false);
}

bool chip_run_start(struct chip_job *j, uint32_t check) { return chip_job_drain_begin(j) && chip_job_start(j, check); }

enum tessera_result chip_run_all(struct chip_job *j, uint64_t cycles, uint64_t step, const char *rerun) {
  enum tessera_result end;
  struct cli_run_clock clock = cli_run_begin("chip", tessera_chip_cycle(j->chip), chip_job_activity, j->chip);
  clock.rerun = rerun;
  cli_catch_signals();
  uint64_t last = tessera_chip_cycle(j->chip) + cycles;
  do {
    uint64_t left = last - tessera_chip_cycle(j->chip);
    end = chip_job_run(j, cli_run_part(&clock, left, step));
    cycles = tessera_chip_cycle(j->chip) < last;
    if (end == TESSERA_STOPPED && chip_job_drain(j) && !chip_job_until_met(j)) end = TESSERA_LIMIT;
    if (end == TESSERA_LIMIT) cli_run_progress(&clock, tessera_chip_cycle(j->chip));
  } while (end == TESSERA_LIMIT && cycles && !cli_stopped());
  /* The clock is at the end of the last part, whose length depends on the host's speed; the state at the end must not. */
  uint64_t past = tessera_chip_cycle(j->chip) % step, left = last - tessera_chip_cycle(j->chip);
  if (end == TESSERA_DONE && past && left) end = chip_job_run(j, left < step - past ? left : step - past);
  cli_progress_clear();
  return end;
}
