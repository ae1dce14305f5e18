/* tessera conform on a file of NoC cases: each runs on a fresh chip. Golden and document cases are counted apart. */
#include <stdio.h>

#include "cli/cli.h"
#include "cli/conform.h"
#include "cli/noc_run.h"

static bool matches(const void *c, const char *selector) { return noc_case_matches(c, selector); }

static void run_one(const struct conform_options *o, const char *path, const struct noc_case *c,
                    struct conform_totals *totals) {
  const struct noc_run_options run = {.timing = o->timing, .threads = o->threads, .max_cycles = o->max_cycles};
  char why[CONFORM_REPORT_BYTES];
  uint64_t cycles;
  bool passed = noc_run_case(&run, c, &cycles, why, sizeof why);
  if (c->document) totals->document_passed += passed, totals->document_failed += !passed;
  else totals->golden_passed += passed, totals->golden_failed += !passed;
  conform_report(o, totals, path, c->name, c->tags, passed, cycles, why);
}

int conform_noc_file(const struct conform_options *o, const char *path, struct conform_totals *totals) {
  char error[512];
  struct noc_case c;
  struct noc_case_reader *reader = noc_case_open(path, error, sizeof error);
  if (!reader) return cli_bad_input("conform", "%s", error);
  int result = 0;
  if (o->riscv) result = cli_bad_input("conform", "%s: --riscv is for cases of one tile", path);
  while (result == 0 && (result = noc_case_next(reader, &c, error, sizeof error)) > 0) {
    if (conform_selected(o, matches, &c)) {
      totals->selected++;
      if (o->list) printf("%s %s\n", c.name, c.tags);
      else run_one(o, path, &c, totals);
    }
    noc_case_free(&c);
    result = 0;
  }
  noc_case_close(reader);
  return result < 0 ? cli_bad_input("conform", "%s", error) : result;
}
