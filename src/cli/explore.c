/* tessera explore: runs a program under schedules that hardware may have, and finds the smallest one that breaks it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/assembly.h"
#include "cli/explore_chip.h"
#include "cli/input.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/run.h"

static bool load_program(struct run_settings *s) {
  struct cli_input in;
  if (!cli_session_open(&s->session) || !cli_session_begin_account(&s->session) ||
      !cli_input_read(&in, "explore", s->explore.program, CLI_ASM_MAX))
    return false;
  struct tessera_asm *program = tessera_assemble(s->explore.program, in.data, in.size);
  cli_input_free(&in);
  if (!program) return cli_bad_input("explore", "out of memory"), false;
  if (!cli_assembled(program, s->session.verbose)) return tessera_asm_destroy(program), false;
  if (cli_is_empty(program))
    return tessera_asm_destroy(program), cli_bad_input("explore", "%s: no instruction in it", s->explore.program), false;
  enum tessera_result result = tessera_tile_load_asm(s->session.tile, program);
  tessera_asm_destroy(program);
  if (result == TESSERA_NO_MEMORY) cli_bad_input("explore", "out of memory");
  return result == TESSERA_OK;
}

static void print_schedule(const struct tessera_exploration *e, bool stopped) {
  printf("%s schedule, %u delay%s:\n", stopped ? "first" : "smallest", e->delay_count, e->delay_count == 1 ? "" : "s");
  for (uint32_t i = 0; i < e->delay_count; i++) {
    const struct tessera_delay *d = &e->delay[i];
    printf("  cycle %llu: %s is held for %u cycle%s%s%s\n", (unsigned long long)d->cycle, tessera_delay_target(d->target),
           d->cycles, d->cycles == 1 ? "" : "s", d->place[0] ? " at " : "", d->place);
  }
}

static void print_text(const struct tessera_exploration *e, bool stopped) {
  printf("%u schedules, %llu cycles without delays: ", e->runs, (unsigned long long)e->cycles);
  if (!e->broken) {
    printf("all end alike%s%s\n", e->what[0] ? ": " : "", e->what);
    return;
  }
  printf("%u of them end differently: %s%s%s%s\n", e->broken, e->what, e->finding[0] ? " [" : "", e->finding,
         e->finding[0] ? "]" : "");
  print_schedule(e, stopped);
}

static bool write_json(const struct tessera_exploration *e, bool stopped, const char *path) {
  FILE *out = strcmp(path, "-") == 0 ? stdout : cli_create(path);
  if (!out) return cli_bad_input("explore", "%s: could not be written: %s", path, strerror(errno)), false;
  fprintf(out, "{\"schedules\": %u, \"cycles\": %llu, \"broken\": %u, \"stopped\": %s", e->runs,
          (unsigned long long)e->cycles, e->broken, stopped ? "true" : "false");
  if (e->broken) fprintf(out, ", \"difference\": \"%s\"", tessera_difference_name(e->difference));
  if (e->what[0]) {
    fputs(", \"what\": ", out);
    cli_json_string(out, e->what);
  }
  if (e->finding[0]) fprintf(out, ", \"finding\": \"%s\"", e->finding);
  if (e->difference == TESSERA_DIFFERENT_OUTPUT)
    fprintf(out, ", \"address\": %u, \"expected\": %u, \"found\": %u", e->address, e->expected, e->found);
  fputs(", \"delays\": [", out);
  for (uint32_t i = 0; i < e->delay_count; i++) {
    const struct tessera_delay *d = &e->delay[i];
    fprintf(out, "%s{\"cycle\": %llu, \"cycles\": %u, \"target\": \"%s\", \"place\": ", i ? ", " : "",
            (unsigned long long)d->cycle, d->cycles, tessera_delay_target(d->target));
    cli_json_string(out, d->place);
    fputc('}', out);
  }
  fputs("]}\n", out);
  bool good = out == stdout ? fflush(out) == 0 : cli_finish(out, path, true);
  return good || (cli_not_written("explore", path), false);
}

/* What the checkers find without delays, until a signal. The exploration has left the tile as it was. */
static bool write_sarif(struct run_settings *s, uint32_t check) {
  struct tessera_tile *tile = s->session.tile;
  if (!s->session.sarif) return true;
  if (tessera_tile_set_option(tile, TESSERA_OPTION_CHECK, check) != TESSERA_OK)
    return cli_bad_input("explore", "%s", tessera_tile_error(tile)), false;
  if (!cli_stopped()) cli_session_run(&s->session, tessera_tile_cycle(tile) + s->session.max_cycles);
  return cli_session_write_sarif(&s->session);
}

static int report(const struct tessera_exploration *e, bool stopped, const char *json, bool text) {
  if (cli_memory_failed) return cli_bad_input("explore", "out of memory"); /* the runs say nothing about the program */
  if (!e->runs && !stopped)
    return cli_bad_input("explore", "the program faults or does not end within the cycle limit: run it first");
  text = text && (!json || strcmp(json, "-") != 0);
  if (text && !e->runs) printf("0 schedules: the run without delays has not ended\n");
  else if (text) print_text(e, stopped);
  if (json && !write_json(e, stopped, json)) return CLI_BAD_INPUT;
  return !e->runs ? CLI_LIMIT : e->broken ? CLI_HAZARD : CLI_OK;
}

static int explore_tile(struct run_settings *s) {
  const char *sarif = s->session.sarif_path, *json = s->explore.json_path;
  uint32_t check = s->explore.own_check ? s->session.check : TESSERA_CHECK_DEFAULT;
  if (!sarif && s->explore.own_check)
    return cli_bad_input("explore", "--check goes with --sarif, a kernel's folder or a FILE.chip");
  if (json && strcmp(json, "-") != 0 && !cli_can_create(json))
    return cli_bad_input("explore", "%s: could not be written: %s", json, strerror(errno));
  s->session.check = 0; /* of the schedules' runs */
  struct tessera_exploration *e = calloc(1, sizeof *e);
  int code = CLI_BAD_INPUT;
  if (!e) return cli_bad_input("explore", "out of memory");
  if (s->explore.program ? load_program(s) && (!sarif || cli_session_open_files(&s->session)) : run_set_up(s)) {
    struct tessera_explore_options o = {.schedules = (uint32_t)s->explore.schedules,
                                        .threads = (uint32_t)s->explore.threads,
                                        .seed = s->explore.seed,
                                        .max_cycles = s->session.max_cycles,
                                        .ignore = s->explore.ignore,
                                        .ignore_count = s->explore.ignored,
                                        .progress = cli_progress_runs,
                                        .progress_context = "schedules"};
    cli_catch_signals();
    enum tessera_result end = tessera_tile_explore_until(s->session.tile, &o, cli_stop_word(), e);
    cli_progress_clear();
    if (end == TESSERA_OK || end == TESSERA_STOPPED)
      code = cli_code_of_run("explore", report(e, end == TESSERA_STOPPED, json, s->session.sarif != stdout));
    if ((end == TESSERA_STOPPED || (end == TESSERA_OK && e->runs)) && !write_sarif(s, check)) code = CLI_BAD_INPUT;
    if (end != TESSERA_OK && end != TESSERA_STOPPED) cli_bad_input("explore", "%s", tessera_tile_error(s->session.tile));
  }
  free(e);
  return code;
}

static int explore(const struct cli_verb *verb, int argc, char **argv) {
  struct run_settings s = {.session = {.verb = "explore", .timing = TESSERA_TIMING_CYCLE, .max_cycles = 1000000000}};
  int code = CLI_BAD_INPUT;
  if (explore_parse(verb, argc, argv, &s))
    code = s.explore.program && explore_is_chip(s.explore.program) ? explore_chip(&s) : explore_tile(&s);
  run_free(&s);
  return code;
}

const struct cli_verb cli_explore = {
    .name = "explore",
    .what = "run a program under schedules that hardware may have, and find the smallest that breaks it",
    .usage = "DIR | FILE.chip | FILE.tta | --elf CORE=FILE [OPTIONS]",
    .about =
        "Runs the program once without delays, then under schedules that delay cores, threads, units and packets of the\n"
        "NoCs: each target alone for the whole run, and random ones. DIR is a kernel's folder (tessera kernel run), "
        "FILE.chip\n"
        "a program description (tessera chip run). Compares how the run ended, the error findings, all of L1 and, of a "
        "chip,\n"
        "DRAM. When a run differs, removes and shortens delays while it still differs; on a chip the report names the "
        "first\n"
        "word that differs, its last writer in both runs, and what the checkers find under that schedule.\n"
        "docs/guide/races.md has examples.",
    .options = explore_option_table,
    .option_count = EXPLORE_OPTION_COUNT,
    .notes =
        "exit codes: 0 all schedules end the same way, 2 bad input or a program that does not end, 5 some schedule ends "
        "differently, 130 SIGINT and 143 SIGTERM: the report is of the schedules so far",
    .example = "tessera explore mine --schedules 1000 --seed 1",
    .operands = CLI_FILE,
    .run = explore,
};
