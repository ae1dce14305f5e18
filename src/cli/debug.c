/* tessera debug: runs a program of tessera run or tessera chip run in the terminal of the debugger. */
#include <stdio.h>
#include <string.h>

#include "cli/chip_job.h"
#include "cli/gdb.h"
#include "cli/interrupt.h"
#include "cli/run.h"
#include "cli/terminal.h"
#include "cli/verb.h"

#define CYCLES_DEFAULT UINT64_C(1000000000)

static int debug_tile(struct run_settings *s) {
  if (!run_can_debug(s) || !run_set_up(s)) return CLI_BAD_INPUT;
  uint64_t limit = tessera_tile_cycle(s->session.tile) + (s->session.max_cycles ? s->session.max_cycles : CYCLES_DEFAULT);
  struct tessera_debugger *debugger = cli_debugger_open("debug", s->session.tile, NULL, limit);
  if (!debugger) return CLI_BAD_INPUT;
  cli_terminal(debugger);
  tessera_debugger_close(debugger);
  return cli_code_of_run("debug", CLI_OK);
}

/* The file describes the programs of its tiles. */
static bool fits_chip(const struct run_settings *s) {
  bool program = s->load_count || s->poke_count || s->cores || s->restore_path;
  for (unsigned core = 0; core < TESSERA_CORES; core++) program |= s->elf[core] || s->has_reset_pc[core];
  if (program)
    return cli_bad_input(
               "debug",
               "%s: a chip description names its programs: --elf, --load, --poke, --reset-pc, --cores and --restore "
               "cannot be combined with it",
               s->explore.program),
           false;
  if (s->session.param_count) return cli_bad_input("debug", "%s: --param is for a single tile", s->explore.program), false;
  return true;
}

static int debug_job(struct chip_job *j, const struct cli_session *s) {
  struct tessera_chip_options options = {.product = j->d.product, .timing = s->timing_given ? s->timing : j->d.timing};
  j->chip = tessera_chip_create(&options);
  if (!j->chip) return cli_bad_input("debug", "no memory for the chip, or no product '%s'", j->d.product);
  if (!chip_job_load(j) || !chip_job_start(j, s->check)) return CLI_BAD_INPUT;
  for (size_t i = 0; i < j->unit_count; i++) tessera_tile_set_option(j->units[i].tile, TESSERA_OPTION_STRICT, s->strict);
  uint64_t cycles = s->max_cycles ? s->max_cycles : j->d.cycles ? j->d.cycles : CYCLES_DEFAULT;
  struct tessera_debugger *debugger = chip_job_debugger(j, "debug", cycles);
  if (!debugger) return CLI_BAD_INPUT;
  cli_terminal(debugger);
  tessera_debugger_close(debugger);
  return cli_code_of_run("debug", CLI_OK);
}

static int debug_chip(const struct run_settings *s) {
  struct chip_job j = {.d.verb = "debug"};
  if (!fits_chip(s) || !chip_file_read(&j.d, s->explore.program)) return CLI_BAD_INPUT;
  int code = debug_job(&j, &s->session);
  chip_job_free(&j);
  return code;
}

static int debug(const struct cli_verb *verb, int argc, char **argv) {
  struct run_settings s = {.session = {.verb = "debug", .timing = TESSERA_TIMING_CYCLE, .check = TESSERA_CHECK_DEFAULT}};
  int code = CLI_BAD_INPUT;
  if (explore_parse(verb, argc, argv, &s)) code = s.explore.program ? debug_chip(&s) : debug_tile(&s);
  run_free(&s);
  return code;
}

const struct cli_verb cli_debug = {
    .name = "debug",
    .what = "step through a run, forwards and backwards, in a terminal",
    .usage = "--elf CORE=FILE [OPTIONS] | FILE.chip",
    .about =
        "Loads a program like tessera run (or tessera chip run FILE.chip), and reads commands instead of running it: help\n"
        "lists them. Time goes both ways: step and back, continue and reverse, goto CYCLE. The same commands work in\n"
        "gdb as monitor COMMAND (tessera run --gdb). docs/guide/debugging.md has a session.",
    .options = debug_option_table,
    .option_count = DEBUG_OPTION_COUNT,
    .notes = "Keys on a terminal: up and down for earlier lines, TAB completes, any key stops a run. Without a terminal, "
             "lines of\n"
             "standard input are commands.",
    .example = "tessera debug --elf trisc1=math.elf",
    .operands = CLI_FILE,
    .run = debug,
};
