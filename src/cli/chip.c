/* tessera chip: runs a program description on a whole chip. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/chip_job.h"
#include "cli/cli.h"
#include "cli/verb.h"
#include "observe/chip.h"

#define THREADS_MAX 1024u
#define CYCLES_DEFAULT UINT64_C(1000000000)
#define SLICE 256u
#define REPORT_BYTES 8192
#define TILES_EXPLAINED 12u

struct options {
  const char *path, *product, *timing;
  uint64_t threads, max_cycles;
  bool hash, quiet;
};

/* --- options --- */

static bool set_timing(void *settings, const char *value) {
  ((struct options *)settings)->timing = value;
  return strcmp(value, "off") == 0 || strcmp(value, "cycle") == 0 ||
         (cli_bad_input("chip", "--timing takes off or cycle, not '%s'", value), false);
}

static bool set_product(void *settings, const char *value) {
  ((struct options *)settings)->product = value;
  return true;
}

static bool set_threads(void *settings, const char *value) {
  struct options *o = settings;
  return (cli_parse_u64(value, &o->threads) && o->threads <= THREADS_MAX) ||
         (cli_bad_input("chip", "--threads takes a number from 0 to %u, not '%s'", THREADS_MAX, value), false);
}

static bool set_max_cycles(void *settings, const char *value) {
  struct options *o = settings;
  return (cli_parse_u64(value, &o->max_cycles) && o->max_cycles) ||
         (cli_bad_input("chip", "--max-cycles takes a number above 0, not '%s'", value), false);
}

static bool set_hash(void *settings, const char *value) {
  (void)value;
  return ((struct options *)settings)->hash = true;
}

static bool set_quiet(void *settings, const char *value) {
  (void)value;
  return ((struct options *)settings)->quiet = true;
}

static bool set_path(void *settings, const char *text) {
  struct options *o = settings;
  if (o->path) return cli_bad_input("chip", "one file at a time, not also '%s'", text), false;
  o->path = text;
  return true;
}

/* --- the run --- */

static uint32_t word_of(struct chip_job *j, unsigned tile, uint32_t address) {
  uint8_t b[4] = {0};
  chip_read(j->chip, tile, address, b, 4);
  return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static void text_of(struct chip_job *j, unsigned tile, uint32_t address, char *text, size_t size) {
  size_t i = 0;
  while (i + 1 < size && chip_read(j->chip, tile, address + i, &text[i], 1) && text[i]) i++;
  text[i] = '\0';
}

/* A check of the kernel library that did not hold. */
static bool kernel_failed(struct chip_job *j) {
  for (size_t i = 0; i < j->unit_count; i++) {
    const struct chip_unit *u = &j->units[i];
    char text[160], file[160];
    if (!u->kernel || !word_of(j, u->tile, LAUNCH_FIELD(failed))) continue;
    text_of(j, u->tile, word_of(j, u->tile, LAUNCH_FIELD(failed_text)), text, sizeof text);
    text_of(j, u->tile, word_of(j, u->tile, LAUNCH_FIELD(failed_file)), file, sizeof file);
    fprintf(stderr, "tessera chip: (%u, %u): a kernel stopped: %s [%u] (%s:%u)\n", u->x, u->y, text,
            word_of(j, u->tile, LAUNCH_FIELD(failed_value)), file, word_of(j, u->tile, LAUNCH_FIELD(failed_line)));
    return true;
  }
  return false;
}

static const struct chip_statement *until_of(const struct chip_job *j) {
  for (size_t i = 0; i < j->d.count; i++)
    if (j->d.statements[i].kind == CHIP_UNTIL) return &j->d.statements[i];
  return NULL;
}

static enum chip_end run(struct chip_job *j, uint64_t cycles, bool *met) {
  const struct chip_statement *s = until_of(j);
  uint16_t tiles[CHIP_JOB_TILES];
  uint8_t xs[CHIP_JOB_TILES], ys[CHIP_JOB_TILES];
  *met = false;
  if (!s) return chip_run(j->chip, cycles);
  if (chip_job_tiles(j, s, tiles, xs, ys) != 1) return CHIP_END_STOPPED;
  enum chip_end end = CHIP_END_TIME;
  while (end == CHIP_END_TIME && chip_now(j->chip) < cycles) {
    *met = (word_of(j, tiles[0], (uint32_t)s->number[0]) & s->number[1]) == s->number[2];
    if (*met) return CHIP_END_DONE;
    end = chip_run(j->chip, chip_now(j->chip) + SLICE < cycles ? chip_now(j->chip) + SLICE : cycles);
  }
  *met = (word_of(j, tiles[0], (uint32_t)s->number[0]) & s->number[1]) == s->number[2];
  return *met ? CHIP_END_DONE : end;
}

/* Where the cores of waiting tiles stand in their kernels; the firmware's own waits say nothing. */
static void show_places(struct chip_job *j) {
  unsigned shown = 0;
  for (size_t i = 0; i < j->unit_count && shown < TILES_EXPLAINED; i++) {
    const struct chip_unit *u = &j->units[i];
    if (!sim_blocked(&u->t->engine)) continue;
    shown++;
    for (unsigned core = 0; core < TX_CORES; core++) {
      char where[256];
      if (u->t->core[core].state != TX_CORE_RUNNING) continue;
      dbg_program_where(&u->program, core, u->t->core[core].pc, where, sizeof where);
      if (where[0] && strncmp(where, "firmware_main", 13) != 0)
        fprintf(stderr, "%s of (%u,%u) is in %s\n", tx_core_name(core), u->x, u->y, where);
    }
  }
}

static int explain_hang(struct chip_job *j) {
  char text[4 * REPORT_BYTES];
  obs_chip_hang(j->chip, text, sizeof text);
  fprintf(stderr, "tessera chip: %s", text);
  show_places(j);
  return CLI_HANG;
}

static int explain_fault(struct chip_job *j) {
  char text[REPORT_BYTES];
  unsigned tile = 0;
  chip_fault(j->chip, &tile);
  obs_chip_fault(j->chip, text, sizeof text);
  fprintf(stderr, "tessera chip: %s", text);
  for (size_t i = 0; i < j->unit_count; i++) {
    if (j->units[i].tile != tile) continue;
    dbg_program_fault_place(&j->units[i].program, j->units[i].t, text, sizeof text);
    if (text[0]) fprintf(stderr, "  in %s\n", text);
  }
  return CLI_FAULT;
}

static void show_report(struct chip_job *j) {
  char text[4 * REPORT_BYTES];
  obs_chip_report(j->chip, text, sizeof text);
  fputs(text, stdout);
}

static int run_job(struct chip_job *j, const struct options *o) {
  uint64_t cycles = o->max_cycles ? o->max_cycles : j->d.cycles ? j->d.cycles : CYCLES_DEFAULT;
  bool met;
  if (!chip_job_load(j)) return CLI_BAD_INPUT;
  if (!chip_job_start(j)) return cli_bad_input("chip", "%s: the kernels cannot be launched", j->d.path);
  enum chip_end end = run(j, cycles, &met);
  if (chip_fault(j->chip, NULL)) return explain_fault(j);
  if (kernel_failed(j)) return CLI_FAULT;
  if (end == CHIP_END_BLOCKED) return explain_hang(j);
  if (end == CHIP_END_STOPPED) return CLI_BAD_INPUT;
  if (!o->quiet) show_report(j);
  if (o->hash) printf("hash %016llx\n", (unsigned long long)chip_hash(j->chip));
  if (end == CHIP_END_TIME) {
    fprintf(stderr, "tessera chip: not done after %llu cycles\n", (unsigned long long)cycles);
    return CLI_LIMIT;
  }
  return chip_job_finish(j);
}

static int run_file(const struct options *o) {
  struct chip_job j = {0};
  const char *why = "out of memory";
  if (!chip_file_read(&j.d, o->path)) return CLI_BAD_INPUT;
  if (o->product) snprintf(j.d.product, sizeof j.d.product, "%s", o->product);
  if (o->timing) j.d.timing = strcmp(o->timing, "cycle") == 0;
  const struct chip_product *product = chip_product_find(j.d.product);
  int code = CLI_BAD_INPUT;
  if (!product) {
    cli_bad_input("chip", "products are full, p150, galaxy and p100, not '%s'", j.d.product);
  } else {
    struct chip_config config = {.harvest = product->harvest, .timing = j.d.timing, .threads = (unsigned)o->threads};
    j.chip = chip_create(&config, &why);
    code = j.chip ? run_job(&j, o) : cli_bad_input("chip", "%s", why);
  }
  chip_job_free(&j);
  return code;
}

static int run_verb(const struct cli_verb *verb, int argc, char **argv) {
  struct options o = {0};
  if (!cli_parse(verb, argc, argv, &o, set_path)) return CLI_BAD_INPUT;
  return o.path ? run_file(&o) : cli_bad_input("chip", "no file given; tessera chip run --help shows an example");
}

static const struct cli_opt options[] = {
    {"--timing", "off|cycle", "instead of the file's timing (default cycle)", "off cycle", set_timing},
    {"--product", "NAME", "instead of the file's product: full, p150, galaxy, p100", "full p150 galaxy p100", set_product},
    {"--threads", "N", "host threads (default 0: all cores); the result is the same for every N", CLI_NOTHING, set_threads},
    {"--max-cycles", "N", "give up after N cycles (default 1000000000)", CLI_NOTHING, set_max_cycles},
    {"--hash", NULL, "print the hash of the chip's state at the end", CLI_NOTHING, set_hash},
    {"--quiet", NULL, "no report", CLI_NOTHING, set_quiet},
};

static const struct cli_verb chip_run_verb = {
    .name = "chip run",
    .what = "run a program description on a whole chip",
    .usage = "FILE [OPTIONS]",
    .about = "Runs the program description FILE on a Blackhole chip and prints a report with a picture of the grid.\n"
             "docs/guide/chip.md describes the file: product, elf, kernel, buffer, args, image, tensor, until, save, dump, "
             "expect.",
    CLI_OPTIONS(options),
    .notes =
        "Exit code 0 when everything stopped and every expectation holds, 1 when one does not, 2 for bad input, 3 fault,\n"
        "4 hang, 6 cycle limit.",
    .example = "tessera chip run examples/grid_matmul/grid_matmul.chip --threads 2",
    .operands = CLI_FILE,
    .run = run_verb,
};

static const struct cli_verb *const sub_verbs[] = {&chip_run_verb};

const struct cli_verb cli_chip = {
    .name = "chip",
    .what = "run programs on many tiles of a chip, with DRAM and the NoC",
    .usage = "run FILE [OPTIONS]",
    .about = "Programs on a whole Blackhole chip: tiles, DRAM and the NoC.",
    .notes = "tessera chip run --help shows every option.",
    .example = "tessera chip run examples/grid_matmul/grid_matmul.chip --threads 2",
    .operands = CLI_NOTHING,
    .run = cli_run_sub,
    .subs = sub_verbs,
    .sub_count = CLI_COUNT(sub_verbs),
};
