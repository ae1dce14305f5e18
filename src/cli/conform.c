/* tessera conform: runs conformance cases and compares their bytes. No case is skipped in silence: one whose instructions are
 * not simulated fails and says so. */
#include <stdlib.h>
#include <string.h>

#include "cli/casefile.h"
#include "cli/cli.h"
#include "cli/conform.h"
#include "cli/conform_riscv.h"
#include "cli/noc_case.h"
#include "observe/words.h"
#include "sim/text.h"
#include "tensix/tile/tile.h"

#define CONFORM_THREADS_MAX 1024u

static const char help[] =
    "usage: tessera conform [OPTIONS] FILE...\n\n"
    "Runs the cases of FILE (.case, or gzipped .case.gz) on a fresh tile each and compares L1 with what they expect.\n"
    "NoC cases (named noc_...) run on a fresh chip each; golden and document cases are counted apart.\n\n"
    "  --timing off|cycle   cycle (default): instructions take their time; off: one cycle each\n"
    "  --only TAG           run only cases with this tag (KEY=VALUE), instruction (inst) or name; may be given again\n"
    "  --except TAG         leave out such cases; may be given again\n"
    "  --list               print name and tags of the selected cases, run nothing\n"
    "  --riscv              the op lists run as RISC-V code on the T cores\n"
    "  --scalar             use the plain scalar arithmetic instead of the vector code\n"
    "  --max-cycles N       give a case up after N cycles (default 10000000)\n"
    "  --threads N          host threads for the chip of NoC cases (default 1; 0: all cores)\n"
    "  --json               one JSON object a case on stdout instead of text\n"
    "  --quiet              print failures only as a count\n\n"
    "Closing line: N passed, N failed. Exit code 0 when none failed, 1 otherwise, 2 for bad input.\n\n"
    "example: tessera conform --timing cycle --only MVMUL tests/cases/fpu.case.gz\n";

bool conform_selected(const struct conform_options *o, bool (*matches)(const void *c, const char *selector), const void *c) {
  bool wanted = o->only_count == 0;
  for (int i = 0; i < o->only_count; i++) wanted |= matches(c, o->only[i]);
  for (int i = 0; i < o->except_count; i++)
    if (matches(c, o->except[i])) return false;
  return wanted;
}

static bool matches_case(const void *c, const char *selector) { return case_matches(c, selector); }

static void load(struct tx_tile *t, const struct conform_case *c) {
  for (size_t i = 0; i < c->initial.count; i++) {
    const struct case_range *r = &c->initial.items[i];
    if (r->is_fill) memset(t->l1 + r->address, r->fill, r->length);
    else memcpy(t->l1 + r->address, c->bytes.data + r->data, r->length);
  }
}

/* The first byte that differs, in words. */
static bool compare(const struct tx_tile *t, const struct conform_case *c, char *why, size_t size) {
  for (size_t i = 0; i < c->expected.count; i++) {
    const struct case_range *r = &c->expected.items[i];
    for (uint32_t k = 0; k < r->length; k++) {
      uint8_t want = r->is_fill ? r->fill : c->bytes.data[r->data + k], got = t->l1[r->address + k];
      if (want == got) continue;
      snprintf(why, size, "L1 byte 0x%05x: expected %02x, got %02x", r->address + k, want, got);
      return false;
    }
  }
  return true;
}

static bool run_case(const struct conform_options *o, struct tx_tile *t, const struct conform_case *c, char *why,
                     size_t size) {
  struct tx_script scripts[TX_THREADS];
  tx_tile_reset(t, o->timing);
  if (o->scalar) tx_tile_use_scalar(t);
  load(t, c);
  for (unsigned i = 0; i < TX_THREADS && !o->riscv; i++) {
    scripts[i] = (struct tx_script){.ops = c->core[i].ops, .count = (uint32_t)c->core[i].count};
    tx_script_attach(t, i, &scripts[i]);
  }
  if (o->riscv && !conform_riscv_start(t, c, why, size)) return false;
  switch (tx_tile_run(t, o->max_cycles)) {
    case SIM_END_DONE: return compare(t, c, why, size);
    case SIM_END_BLOCKED: {
      int n = snprintf(why, size, "hangs at cycle %llu\n", (unsigned long long)t->engine.now);
      obs_hang_report(t, why + n, size - (size_t)n);
      return false;
    }
    case SIM_END_STOPPED: obs_fault_line(t, why, size); return false;
    default: snprintf(why, size, "not finished after %llu cycles", (unsigned long long)o->max_cycles); return false;
  }
}

static void print_json_string(const char *value) {
  char text[2 * CONFORM_REPORT_BYTES];
  text[0] = '\0';
  struct sim_text out = {.data = text, .size = sizeof text};
  sim_text_add_json(&out, value);
  fputs(text, stdout);
}

void conform_report(const struct conform_options *o, struct conform_totals *totals, const char *path, const char *name,
                    const char *tags, bool passed, uint64_t cycles, const char *why) {
  totals->passed += passed;
  totals->failed += !passed;
  totals->cycles += cycles;
  if (o->json) {
    printf("{\"case\":");
    print_json_string(name);
    printf(",\"passed\":%s,\"cycles\":%llu", passed ? "true" : "false", (unsigned long long)cycles);
    if (!passed) {
      printf(",\"why\":");
      print_json_string(why);
    }
    printf("}\n");
  } else if (!passed && !o->quiet) {
    printf("FAIL %s (%s): %s\n", name, tags, why);
  }
  cli_progress("%s: %llu passed, %llu failed", path, (unsigned long long)totals->passed, (unsigned long long)totals->failed);
}

/* 0 or an exit code. */
static int run_file(const struct conform_options *o, struct tx_tile *t, const char *path, struct conform_totals *totals) {
  if (noc_case_file(path)) return conform_noc_file(o, path, totals);
  char error[512], why[CONFORM_REPORT_BYTES];
  struct conform_case c;
  struct case_reader *reader = case_open(path, error, sizeof error);
  if (!reader) return cli_bad_input("conform", "%s", error);
  int result;
  bool empty = true;
  while ((result = case_next(reader, &c, error, sizeof error)) > 0) {
    empty = false;
    if (conform_selected(o, matches_case, &c)) {
      totals->selected++;
      if (o->list) {
        printf("%s %s\n", c.name, c.tags);
      } else {
        bool passed = run_case(o, t, &c, why, sizeof why);
        conform_report(o, totals, path, c.name, c.tags, passed, t->engine.now, why);
      }
    }
    case_free(&c);
  }
  case_close(reader);
  if (result == 0 && empty) return cli_bad_input("conform", "%s: no case in it", path);
  return result < 0 ? cli_bad_input("conform", "%s", error) : 0;
}

/* Index of the first file, or -1 after a complaint. */
static int parse_options(int argc, char **argv, struct conform_options *o) {
  int files = 0, i;
  for (i = 1; i < argc; i++) {
    bool missing = false;
    const char *value;
    if (argv[i][0] != '-') {
      argv[1 + files++] = argv[i];
    } else if ((value = cli_option(argc, argv, &i, "--timing", &missing))) {
      if (strcmp(value, "off") != 0 && strcmp(value, "cycle") != 0)
        return cli_bad_input("conform", "--timing takes off or cycle, not '%s'", value), -1;
      o->timing = strcmp(value, "cycle") == 0;
    } else if ((value = cli_option(argc, argv, &i, "--only", &missing))) {
      if (o->only_count == CONFORM_SELECTORS) return cli_bad_input("conform", "more than %d --only", CONFORM_SELECTORS), -1;
      o->only[o->only_count++] = value;
    } else if ((value = cli_option(argc, argv, &i, "--except", &missing))) {
      if (o->except_count == CONFORM_SELECTORS)
        return cli_bad_input("conform", "more than %d --except", CONFORM_SELECTORS), -1;
      o->except[o->except_count++] = value;
    } else if ((value = cli_option(argc, argv, &i, "--max-cycles", &missing))) {
      if (!cli_parse_u64(value, &o->max_cycles) || o->max_cycles == 0)
        return cli_bad_input("conform", "--max-cycles takes a number above 0, not '%s'", value), -1;
    } else if ((value = cli_option(argc, argv, &i, "--threads", &missing))) {
      uint64_t threads;
      if (!cli_parse_u64(value, &threads) || threads > CONFORM_THREADS_MAX)
        return cli_bad_input("conform", "--threads takes a number from 0 to %u, not '%s'", CONFORM_THREADS_MAX, value), -1;
      o->threads = (unsigned)threads;
    } else if (missing) {
      return cli_bad_input("conform", "%s needs a value", argv[i]), -1;
    } else if (strcmp(argv[i], "--list") == 0) {
      o->list = true;
    } else if (strcmp(argv[i], "--json") == 0) {
      o->json = true;
    } else if (strcmp(argv[i], "--quiet") == 0) {
      o->quiet = true;
    } else if (strcmp(argv[i], "--scalar") == 0) {
      o->scalar = true;
    } else if (strcmp(argv[i], "--riscv") == 0) {
      o->riscv = true;
    } else {
      return cli_bad_input("conform", "unknown option '%s'; tessera conform --help lists them", argv[i]), -1;
    }
  }
  if (files == 0) return cli_bad_input("conform", "no file given; tessera conform --help shows an example"), -1;
  return files;
}

int cli_conform(int argc, char **argv) {
  struct conform_options o = {.timing = true, .max_cycles = 10000000, .threads = 1};
  struct conform_totals totals = {0};
  if (cli_wants_help(argc, argv)) {
    fputs(help, stdout);
    return CLI_OK;
  }
  int files = parse_options(argc, argv, &o);
  if (files < 0) return CLI_BAD_INPUT;
  struct tx_tile *t = malloc(sizeof *t);
  if (!t) return cli_bad_input("conform", "out of memory");
  int result = 0;
  for (int i = 1; i <= files && result == 0; i++) result = run_file(&o, t, argv[i], &totals);
  free(t);
  cli_progress_clear();
  if (result) return result;
  if (totals.selected == 0) return cli_bad_input("conform", "--only and --except leave no case to run");
  if (!o.list && !o.json && totals.golden_passed + totals.golden_failed + totals.document_passed + totals.document_failed)
    printf("NoC cases: golden %llu passed, %llu failed; document %llu passed, %llu failed\n",
           (unsigned long long)totals.golden_passed, (unsigned long long)totals.golden_failed,
           (unsigned long long)totals.document_passed, (unsigned long long)totals.document_failed);
  if (!o.list && !o.json)
    printf("%llu passed, %llu failed\n", (unsigned long long)totals.passed, (unsigned long long)totals.failed);
  return totals.failed ? CLI_FAILED : CLI_OK;
}
