/* tessera run: the executables that the hardware would run, on a tile, with a report. */
#include "cli/run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/cli.h"
#include "observe/progress.h"
#include "observe/report.h"
#include "observe/words.h"
#include "sim/text.h"

#define REPORT_BYTES ((size_t)1 << 18)
#define FILE_MAX ((size_t)256 << 20)

static const char help[] =
    "usage: tessera run --elf CORE=FILE [OPTIONS]\n\n"
    "Loads executables for the cores (brisc, ncrisc, trisc0, trisc1, trisc2), releases the cores from reset, runs until "
    "they stop\n"
    "(ebreak), a condition is met, something goes wrong or nothing can go on, and reports. docs/running.md says more.\n\n"
    "  --elf CORE=FILE       load a RISC-V executable and start the core at its entry point\n"
    "  --load ADDR:FILE      load a raw file\n"
    "  --poke ADDR=VALUE     write a word as the network would: L1, local RAMs, control and NoC registers\n"
    "  --reset-pc CORE=ADDR  start a core there instead of at its executable's entry\n"
    "  --cores LIST          release only these cores (default: those that have a program); others wait for one of them\n"
    "  --until ADDR=VALUE[/MASK]  stop when this word of L1 or this register has that value\n"
    "  --max-cycles N        stop after N cycles (default 1000000000)\n"
    "  --dump ADDR:LENGTH:FILE  write memory to a file afterwards\n"
    "  --timing off|cycle    cycle (default): instructions take their time; off: one cycle each\n"
    "  --json FILE           write the report as JSON to FILE (- is standard output, instead of text)\n"
    "  --sarif FILE          write faults, hangs and findings as SARIF 2.1.0, for editors and code review\n"
    "  --verbose             after a hang: all releasers, where every core is, and the tables\n"
    "  --trace FILE          a line an instruction: cycle, core or thread, pc, word, text, registers and memory written\n"
    "  --break CORE:SYMBOL   stop in front of this instruction (a symbol of the core's executable, or an address)\n"
    "  --show LIST           print dst, srca, srcb, lreg, rwc, adc, cfg, sem at the end or at the break\n"
    "  --strict              stop at the first finding that is a warning or an error (exit code 5)\n"
    "  --quiet-hazards       count findings, do not list them\n"
    "  --param NAME=VALUE    change a parameter of the model; tessera exec --params lists them\n\n"
    "exit codes: 0 stopped or condition met, 2 bad input, 3 fault or failed KERNEL_CHECK, 4 hang, 5 an error finding "
    "(under\n"
    "--strict a warning too), 6 cycle limit; of several the first in this order\n\n"
    "example: tessera run --elf trisc0=unpack.elf --elf trisc1=math.elf --elf trisc2=pack.elf --until 0x1fff0=0xff\n";

struct session {
  struct run_options o;
  struct dbg_program program;
  struct cli_input files[TX_CORES];
  struct tx_tile *t;
  struct run_trace *trace;
  FILE *json, *sarif; /* opened before the run: a bad path is known at once */
  bool met, at_break;
};

/* --- setting up --- */

static bool overlap(const struct dbg_segment *a, const struct dbg_segment *b) {
  if (a->address >= TX_L1_BYTES || b->address >= TX_L1_BYTES) return false; /* local RAMs are private */
  return a->address < b->address + b->memory_size && b->address < a->address + a->memory_size;
}

/* Two executables in one place: legal, and almost always a mistake of the link (headers in the first segment: -Wl,-N leaves them out). */
static void note_overlaps(const struct session *s, unsigned core) {
  struct dbg_segment a, b;
  for (unsigned i = 0; dbg_elf_segment(&s->program.elf[core], i, &a); i++)
    for (unsigned other = 0; other < core; other++)
      for (unsigned k = 0; s->program.loaded[other] && dbg_elf_segment(&s->program.elf[other], k, &b); k++)
        if (overlap(&a, &b))
          fprintf(stderr, "tessera run: note: %s's segment at 0x%x overwrites a part of %s's at 0x%x\n", tx_core_name(core),
                  a.address, tx_core_name(other), b.address);
}

static bool load_elfs(struct session *s) {
  char why[256];
  for (unsigned core = 0; core < TX_CORES; core++) {
    const char *path = s->o.elf[core];
    if (!path) continue;
    if (!cli_input_read(&s->files[core], "run", path, FILE_MAX)) return false;
    if (!dbg_program_load(&s->program, s->t, core, s->files[core].data, s->files[core].size, why, sizeof why))
      return cli_bad_input("run", "%s: %s", path, why), false;
    note_overlaps(s, core);
  }
  return true;
}

static bool load_images(struct session *s) {
  for (int i = 0; i < s->o.load_count; i++) {
    struct cli_input in;
    uint32_t address = s->o.loads[i].address;
    if (!cli_input_read(&in, "run", s->o.loads[i].path, FILE_MAX)) return false;
    bool fits = in.size <= UINT32_MAX && tx_outside_visible(address, (uint32_t)in.size) &&
                tx_outside_write(s->t, address, in.data, (uint32_t)in.size);
    size_t size = in.size;
    cli_input_free(&in);
    if (!fits)
      return cli_bad_input("run", "%s: %zu bytes at 0x%08x do not fit into L1 or a local RAM", s->o.loads[i].path, size,
                           address),
             false;
  }
  return true;
}

static bool poke(struct session *s) {
  for (int i = 0; i < s->o.poke_count; i++) {
    uint32_t value = s->o.pokes[i].value;
    const uint8_t raw[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16), (uint8_t)(value >> 24)};
    if (!tx_outside_write(s->t, s->o.pokes[i].address, raw, 4) && !s->t->fault.kind)
      return cli_bad_input("run", "--poke: no register at 0x%08x", s->o.pokes[i].address), false;
  }
  return true;
}

static bool set_break(struct session *s) {
  const char *symbol = s->o.break_symbol;
  unsigned core = s->o.break_core;
  uint32_t address;
  if (!symbol) return true;
  if (!run_parse_number(symbol, strlen(symbol), &address) &&
      !(s->program.loaded[core] && dbg_symbol_find(&s->program.elf[core], symbol, &address)))
    return cli_bad_input("run", "--break: %s's executable has no symbol '%s'", tx_core_name(core), symbol), false;
  if (tx_break_add(s->t, core, address) < 0) return false;
  return true;
}

static bool set_up(struct session *s) {
  struct run_options *o = &s->o;
  tx_tile_reset(s->t, o->timing);
  s->t->params = o->params;
  s->t->diag.strict = o->strict;
  if (!load_elfs(s) || !load_images(s)) return false;
  for (unsigned core = 0; core < TX_CORES; core++)
    if (o->has_reset_pc[core]) dbg_program_reset_pc(s->t, core, o->reset_pc[core]);
  if (!poke(s) || !set_break(s)) return false;
  struct tx_watch_word word = {.address = o->until_address, .mask = o->until_mask, .value = o->until_value};
  if (o->has_until && tx_watch_condition(s->t, &word, 1) < 0)
    return cli_bad_input("run", "--until: 0x%08x is not an aligned word of L1 or a register that tells of its changes",
                         o->until_address),
           false;
  if (o->json) s->json = strcmp(o->json, "-") == 0 ? stdout : fopen(o->json, "w");
  if (o->json && !s->json) return cli_bad_input("run", "%s: could not be written: %s", o->json, strerror(errno)), false;
  if (o->sarif && !(s->sarif = fopen(o->sarif, "w")))
    return cli_bad_input("run", "%s: could not be written: %s", o->sarif, strerror(errno)), false;
  if (o->trace && !(s->trace = run_trace_open(s->t, o->trace))) return false;
  for (int i = 0; i < o->dump_count; i++)
    if (!(o->dumps[i].file = fopen(o->dumps[i].path, "wb")))
      return cli_bad_input("run", "%s: could not be written: %s", o->dumps[i].path, strerror(errno)), false;
  uint32_t brisc_pc = o->has_reset_pc[TX_CORE_BRISC]     ? o->reset_pc[TX_CORE_BRISC]
                      : s->program.loaded[TX_CORE_BRISC] ? s->program.elf[TX_CORE_BRISC].entry
                                                         : 0;
  dbg_program_start(s->t, o->cores, brisc_pc);
  return true;
}

/* --- running --- */

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static enum sim_end run(struct session *s) {
  static const sim_time step = 1u << 20;
  double began = seconds();
  enum sim_end end;
  struct dbg_failure failure;
  do {
    sim_time left = s->o.max_cycles - s->t->engine.now;
    end = obs_run(s->t, s->t->engine.now + (left > step ? step : left));
    double spent = seconds() - began;
    if (end == SIM_END_TIME)
      cli_progress("%llu cycles, %.1f million a second", (unsigned long long)s->t->engine.now,
                   spent > 0 ? 1e-6 * (double)s->t->engine.now / spent : 0.0);
  } while (end == SIM_END_TIME && s->t->engine.now < s->o.max_cycles && !dbg_program_failure(&s->program, s->t, &failure));
  cli_progress_clear();
  s->met = tx_watch_take(s->t) >= 0;
  s->at_break = end == SIM_END_STOPPED && !s->t->fault.kind && !s->met;
  return end;
}

/* --- telling --- */

static void print_heading(const struct session *s) {
  char where[256];
  if (s->met) {
    printf("condition met: the word at 0x%08x is 0x%x%s\n", s->o.until_address, s->o.until_value,
           s->o.until_mask == UINT32_MAX ? "" : " under its mask");
  } else if (s->at_break) {
    const struct tx_core *c = &s->t->core[s->o.break_core];
    dbg_program_where(&s->program, s->o.break_core, c->pc, where, sizeof where);
    printf("break: %s at 0x%08x %s\n", tx_core_name(s->o.break_core), c->pc, where);
  }
}

static void print_cores(const struct session *s, enum sim_end end) {
  char text[4096];
  if (end == SIM_END_DONE || (end == SIM_END_BLOCKED && !s->o.verbose)) return;
  dbg_program_cores(&s->program, s->t, text, sizeof text);
  if (text[0]) printf("\nwhere the cores are\n%s", text);
}

static struct obs_report report_of(const struct session *s, enum sim_end end) {
  return (struct obs_report){
      .t = s->t, .program = &s->program, .end = end, .wanted = s->met || s->at_break, .verbose = s->o.verbose};
}

/* The report, with how the run ended. */
static bool write_json(struct session *s, enum sim_end end, char *text) {
  struct obs_report r = report_of(s, end);
  size_t length = obs_report_json(&r, text, REPORT_BYTES);
  struct sim_text out = {
      .data = text, .size = REPORT_BYTES, .length = length > 2 ? length - 2 : 0}; /* without the closing "}\n" */
  sim_text_add(&out, ",\"condition_met\":%s,\"at_break\":%s}\n", s->met ? "true" : "false", s->at_break ? "true" : "false");
  bool good = out.length < REPORT_BYTES && fputs(text, s->json) >= 0;
  if (s->json != stdout && fclose(s->json) != 0) good = false;
  s->json = NULL;
  if (!good) cli_bad_input("run", "%s: could not be written to its end", s->o.json);
  return good;
}

static bool write_sarif(struct session *s, enum sim_end end, char *text) {
  struct obs_report r = report_of(s, end);
  size_t length = obs_report_sarif(&r, text, REPORT_BYTES);
  bool good = length < REPORT_BYTES && fputs(text, s->sarif) >= 0;
  if (fclose(s->sarif) != 0) good = false;
  s->sarif = NULL;
  if (!good) cli_bad_input("run", "%s: could not be written to its end", s->o.sarif);
  return good;
}

static bool write_dumps(struct session *s) {
  for (int i = 0; i < s->o.dump_count; i++) {
    uint32_t length = s->o.dumps[i].length;
    uint8_t *bytes = malloc(length);
    FILE *file = s->o.dumps[i].file;
    bool good =
        bytes && tx_outside_read(s->t, s->o.dumps[i].address, bytes, length) && fwrite(bytes, 1, length, file) == length;
    if (fclose(file) != 0) good = false;
    s->o.dumps[i].file = NULL;
    free(bytes);
    if (!good) return cli_bad_input("run", "%s: could not be written to its end", s->o.dumps[i].path), false;
  }
  return true;
}

static int tell(struct session *s, enum sim_end end) {
  char *text = malloc(REPORT_BYTES);
  if (!text) return cli_bad_input("run", "out of memory");
  bool good = true;
  s->t->diag.quiet = s->o.quiet;
  if (s->json != stdout) {
    struct obs_report r = report_of(s, end);
    print_heading(s);
    obs_report_text(&r, text, REPORT_BYTES);
    fputs(text, stdout);
    print_cores(s, end);
    run_show(stdout, s->t, s->o.shows);
  }
  if (s->o.json) good = write_json(s, end, text);
  if (s->sarif) good = write_sarif(s, end, text) && good;
  free(text);
  good = write_dumps(s) && good;
  struct obs_report r = report_of(s, end);
  return good ? obs_report_code(&r) : CLI_BAD_INPUT;
}

int cli_run(int argc, char **argv) {
  struct session s = {.o = {.timing = true, .max_cycles = 1000000000, .params = tx_params_default()}};
  int result = CLI_BAD_INPUT;
  if (cli_wants_help(argc, argv)) {
    fputs(help, stdout);
    return CLI_OK;
  }
  if (!run_parse_options(argc, argv, &s.o)) return CLI_BAD_INPUT;
  s.t = malloc(sizeof *s.t);
  if (!s.t) return cli_bad_input("run", "out of memory");
  bool ready = set_up(&s);
  enum sim_end end = ready ? run(&s) : SIM_END_DONE;
  if (s.trace && !run_trace_close(s.trace) && ready)
    ready = cli_bad_input("run", "%s: could not be written to its end", s.o.trace) == 0;
  if (ready) result = tell(&s, end);
  if (s.json && s.json != stdout) fclose(s.json);
  if (s.sarif) fclose(s.sarif);
  for (int i = 0; i < s.o.dump_count; i++)
    if (s.o.dumps[i].file) fclose(s.o.dumps[i].file);
  for (unsigned core = 0; core < TX_CORES; core++) cli_input_free(&s.files[core]);
  free(s.t);
  return result;
}
