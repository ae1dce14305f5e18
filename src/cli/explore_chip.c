/* The chip's part of tessera explore: loads what tessera kernel run and tessera chip run accept, explores it, and runs the smallest
 * schedule once more with the checkers. */
#include "cli/explore_chip.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/interrupt.h"
#include "cli/kernel.h"
#include "cli/output.h"
#include "tessera/explore.h"

#define CYCLES_DEFAULT UINT64_C(1000000000)
#define RANGES_MAX 4096u
#define FINDINGS_SHOWN 4u

struct job {
  struct run_settings *s;
  struct kernel_settings kernel;
  struct chip_job j;
  char path[KERNEL_PATH], folder[KERNEL_PATH];
  struct tessera_chip_range *output, *ignore;
  size_t outputs, ignored;
  struct tessera_chip_exploration found;
  bool stopped;            /* by a signal */
  enum tessera_result end; /* of the smallest schedule with the checkers */
  FILE *json;
};

static bool ends_in(const char *text, const char *end) {
  size_t a = strlen(text), b = strlen(end);
  return a >= b && strcmp(text + a - b, end) == 0;
}

static bool is_folder(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

bool explore_is_chip(const char *path) { return ends_in(path, ".chip") || is_folder(path); }

/* --- loading --- */

/* DIR, or DIR/kernel.chip. */
static bool folder_of(struct job *job) {
  const char *path = job->s->explore.program, *slash = strrchr(path, '/');
  const char *name = slash ? slash + 1 : path;
  if (is_folder(path)) return snprintf(job->folder, sizeof job->folder, "%s", path) < (int)sizeof job->folder;
  if (strcmp(name, KERNEL_MANIFEST) != 0) return false;
  return snprintf(job->folder, sizeof job->folder, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".") <
         (int)sizeof job->folder;
}

static bool load_folder(struct job *job) {
  const struct run_explore *e = &job->s->explore;
  job->kernel = (struct kernel_settings){.session = {.verb = "kernel", .timing = KERNEL_NO_TIMING},
                                         .folder = job->folder,
                                         .compiler = e->compiler,
                                         .library = e->library,
                                         .build = e->build,
                                         .no_build = e->no_build,
                                         .product = e->product,
                                         .threads = 1,
                                         .tolerance = -1,
                                         .ins = e->ins.of,
                                         .in_count = e->ins.count,
                                         .cbs = e->cbs.of,
                                         .cb_count = e->cbs.count,
                                         .args = e->args.of,
                                         .arg_count = e->args.count,
                                         .defines = e->defines.of,
                                         .define_count = e->defines.count};
  return kernel_describe(&job->kernel, &job->j.d, job->path) && (e->no_build || kernel_build(&job->kernel, &job->j.d)) &&
         kernel_create_chip(&job->kernel, &job->j) && kernel_add_programs(&job->kernel, &job->j.d);
}

static bool load_file(struct job *job) {
  const struct run_explore *e = &job->s->explore;
  struct chip_job *j = &job->j;
  j->d.verb = "explore";
  if (e->ins.count || e->cbs.count || e->args.count || e->defines.count || e->build || e->no_build)
    return cli_bad_input("explore", "--in, --cb, --arg, --define, --build and --no-build go with a kernel's folder"), false;
  if (!chip_file_read(&j->d, e->program)) return false;
  if (e->product) snprintf(j->d.product, sizeof j->d.product, "%s", e->product);
  if (!chip_job_product(j)) return false;
  struct tessera_chip_options options = {.product = j->d.product, .timing = j->d.timing, .threads = 1};
  j->chip = tessera_chip_create(&options);
  return j->chip || (cli_bad_input("explore", "out of memory"), false);
}

static bool set_params(struct job *job) {
  const struct cli_session *session = &job->s->session;
  for (size_t i = 0; i < job->j.unit_count; i++)
    for (size_t k = 0; k < session->param_count; k++)
      if (tessera_tile_set_param(job->j.units[i].tile, session->params[k].name, session->params[k].value) != TESSERA_OK)
        return cli_bad_input("explore", "%s", tessera_tile_error(job->j.units[i].tile)), false;
  return true;
}

static bool load(struct job *job) {
  if (!(folder_of(job) ? load_folder(job) : load_file(job))) return false;
  if (job->j.d.timing != TESSERA_TIMING_CYCLE) return cli_bad_input("explore", "with timing off there are no delays"), false;
  return chip_job_load(&job->j) && set_params(job) &&
         chip_job_start(&job->j, job->s->explore.own_check ? job->s->session.check : TESSERA_CHECK_DEFAULT);
}

/* --- what is compared --- */

static bool collect_tensors(struct job *job) {
  job->output = calloc(RANGES_MAX, sizeof *job->output);
  if (!job->output) return false;
  for (size_t i = 0; i < job->j.tensor_count; i++) {
    struct chip_at at;
    struct tessera_chip_range *r = &job->output[job->outputs];
    for (unsigned k = 0; job->outputs < RANGES_MAX; k++, r++, job->outputs++) {
      if (!chip_tensor_range(&job->j, &job->j.tensors[i], k, &at, &r->address, &r->length)) break;
      r->x = at.x;
      r->y = at.y;
    }
  }
  return true;
}

static bool collect_ignored(struct job *job) {
  const struct run_explore *e = &job->s->explore;
  job->ignore = calloc(e->ignored * job->j.unit_count + 1, sizeof *job->ignore);
  if (!job->ignore) return false;
  for (size_t i = 0; i < e->ignored; i++)
    for (size_t k = 0; k < job->j.unit_count; k++)
      job->ignore[job->ignored++] = (struct tessera_chip_range){.x = job->j.units[k].at.x,
                                                                .y = job->j.units[k].at.y,
                                                                .address = e->ignore[i].address,
                                                                .length = e->ignore[i].value};
  return true;
}

static enum tessera_result run_schedules(struct job *job) {
  const struct run_explore *e = &job->s->explore;
  const struct chip_statement *until = job->j.until;
  struct tessera_chip_explore_options o = {.schedules = (uint32_t)e->schedules,
                                           .threads = (uint32_t)e->threads,
                                           .seed = e->seed,
                                           .max_cycles = job->j.d.cycles ? job->j.d.cycles : job->s->session.max_cycles,
                                           .output = job->output,
                                           .output_count = job->outputs,
                                           .output_only = job->outputs > 0,
                                           .ignore = job->ignore,
                                           .ignore_count = job->ignored,
                                           .progress = cli_progress_runs,
                                           .progress_context = "schedules"};
  if (until) {
    o.until_x = job->j.until_at.x;
    o.until_y = job->j.until_at.y;
    o.until_address = until->number[0];
    o.until_mask = (uint32_t)until->number[1];
    o.until_value = (uint32_t)until->number[2];
    o.until_every = CHIP_JOB_SLICE;
  }
  cli_catch_signals();
  enum tessera_result end = tessera_chip_explore(job->j.chip, &o, cli_stop_word(), &job->found);
  cli_progress_clear();
  return end;
}

/* --- text --- */

static void tile_text(unsigned x, unsigned y, char *text, size_t size) {
  if (x == TESSERA_ALL_TILES) snprintf(text, size, "%s", "all tiles");
  else snprintf(text, size, "(%u, %u)", x, y);
}

static void print_delays(const struct job *job) {
  const struct tessera_chip_exploration *f = &job->found;
  printf("%s schedule, %u delay%s:\n", job->stopped ? "first" : "smallest", f->delay_count, f->delay_count == 1 ? "" : "s");
  for (uint32_t i = 0; i < f->delay_count; i++) {
    const struct tessera_chip_delay *d = &f->delay[i];
    char target[64], tile[32];
    tessera_chip_delay_target(d->target, target, sizeof target);
    tile_text(d->x, d->y, tile, sizeof tile);
    bool packets = strstr(target, " on NoC ") != NULL;
    if (packets && strncmp(target, "arrivals", 8) != 0)
      printf("  cycle %llu: %s: %s that leave within %u cycles are as much later\n", (unsigned long long)d->cycle, tile,
             target, d->cycles);
    else
      printf("  cycle %llu: %s: %s held for %u cycle%s%s%s\n", (unsigned long long)d->cycle, tile, target, d->cycles,
             d->cycles == 1 ? "" : "s", d->place[0] ? " at " : "", d->place);
  }
}

static void print_difference(struct job *job) {
  const struct tessera_chip_exploration *f = &job->found;
  char tensor[160] = "";
  if (f->difference == TESSERA_DIFFERENT_OUTPUT)
    chip_tensor_text(&job->j, (struct chip_at){(uint8_t)f->x, (uint8_t)f->y}, f->address, tensor, sizeof tensor);
  printf("%u of them end differently: %s%s%s%s%s%s\n", f->broken, tensor, tensor[0] ? ": " : "", f->what,
         f->finding[0] ? " [" : "", f->finding, f->finding[0] ? "]" : "");
  if (f->difference != TESSERA_DIFFERENT_OUTPUT || job->stopped) return;
  printf("  without delays 0x%08x: %s\n", f->expected, f->expected_by[0] ? f->expected_by : "not written by the run");
  printf("  with them      0x%08x: %s\n", f->found, f->found_by[0] ? f->found_by : "not written by the run");
}

/* Error findings come first. */
static void print_findings(const struct job *job) {
  unsigned shown = 0, left = 0;
  for (size_t i = 0; i < job->j.unit_count; i++) {
    const struct chip_unit *u = &job->j.units[i];
    struct tessera_finding f;
    for (size_t k = 0; tessera_tile_finding(u->tile, k, &f) == TESSERA_OK; k++) {
      char text[2048];
      if (f.severity != TESSERA_ERROR) continue;
      if (shown == FINDINGS_SHOWN) {
        left++;
        continue;
      }
      if (!shown++) puts("\nthe checkers under this schedule");
      if (tessera_tile_finding_text(u->tile, k, text, sizeof text)) printf("tile (%u, %u): %s", u->at.x, u->at.y, text);
    }
  }
  if (left) printf("and %u more\n", left);
}

/* The checkers do not change time, so the word has the same value as when it was found. */
static bool replay_agrees(const struct job *job) {
  const struct tessera_chip_exploration *f = &job->found;
  uint8_t raw[4];
  if (f->difference != TESSERA_DIFFERENT_OUTPUT || job->end == TESSERA_LIMIT) return true;
  if (tessera_chip_read(job->j.chip, f->x, f->y, f->address, raw, sizeof raw) != TESSERA_OK) return false;
  return ((uint32_t)raw[0] | (uint32_t)raw[1] << 8 | (uint32_t)raw[2] << 16 | (uint32_t)raw[3] << 24) == f->found;
}

static void print_replay(struct job *job) {
  if (job->stopped) return;
  if (!replay_agrees(job)) puts("\nwith the checkers this schedule has another result");
  const char *words = job->end == TESSERA_HANG || job->end == TESSERA_FAULT ? tessera_chip_explain(job->j.chip) : "";
  if (words[0]) printf("\nunder this schedule\n%s", words);
  print_findings(job);
}

static void print_text(struct job *job) {
  const struct tessera_chip_exploration *f = &job->found;
  printf("%u schedules, %llu cycles without delays: ", f->runs, (unsigned long long)f->cycles);
  if (!f->broken) {
    printf("all end alike, with the hash 0x%016llx of L1 and DRAM%s%s\n", (unsigned long long)f->hash,
           f->what[0] ? ": " : "", f->what);
    return;
  }
  print_difference(job);
  print_delays(job);
  print_replay(job);
}

/* --- JSON --- */

static void write_text(FILE *out, const char *name, const char *text) {
  fprintf(out, ", \"%s\": ", name);
  cli_json_string(out, text);
}

static void write_delays(FILE *out, const struct tessera_chip_exploration *f) {
  fputs(", \"delays\": [", out);
  for (uint32_t i = 0; i < f->delay_count; i++) {
    const struct tessera_chip_delay *d = &f->delay[i];
    char target[64];
    tessera_chip_delay_target(d->target, target, sizeof target);
    fprintf(out, "%s{\"cycle\": %llu, \"cycles\": %u", i ? ", " : "", (unsigned long long)d->cycle, d->cycles);
    if (d->x == TESSERA_ALL_TILES) fputs(", \"tile\": \"all\"", out);
    else fprintf(out, ", \"tile\": [%u, %u]", d->x, d->y);
    write_text(out, "target", target);
    write_text(out, "place", d->place);
    fputc('}', out);
  }
  fputc(']', out);
}

static void write_difference(struct job *job, FILE *out) {
  const struct tessera_chip_exploration *f = &job->found;
  char tensor[160] = "";
  fprintf(out, ", \"difference\": \"%s\"", tessera_difference_name(f->difference));
  write_text(out, "what", f->what);
  if (f->finding[0]) write_text(out, "finding", f->finding);
  if (f->difference != TESSERA_DIFFERENT_OUTPUT) return;
  chip_tensor_text(&job->j, (struct chip_at){(uint8_t)f->x, (uint8_t)f->y}, f->address, tensor, sizeof tensor);
  if (tensor[0]) write_text(out, "tensor", tensor);
  fprintf(out, ", \"tile\": [%u, %u], \"address\": %llu, \"expected\": %u, \"found\": %u", f->x, f->y,
          (unsigned long long)f->address, f->expected, f->found);
  write_text(out, "expected_by", f->expected_by);
  write_text(out, "found_by", f->found_by);
}

static bool write_json(struct job *job) {
  const struct tessera_chip_exploration *f = &job->found;
  FILE *out = job->json;
  if (!out) return true;
  fprintf(out, "{\"schedules\": %u, \"cycles\": %llu, \"broken\": %u, \"hash\": \"0x%016llx\", \"stopped\": %s", f->runs,
          (unsigned long long)f->cycles, f->broken, (unsigned long long)f->hash, job->stopped ? "true" : "false");
  if (f->broken) write_difference(job, out);
  else if (f->what[0]) write_text(out, "what", f->what);
  write_delays(out, f);
  fputs("}\n", out);
  job->json = NULL;
  const char *path = job->s->explore.json_path;
  bool good = out == stdout ? fflush(out) == 0 : cli_finish(out, path, true);
  return good || (cli_not_written("explore", path), false);
}

/* --- the whole --- */

/* The state of the chip is that of the replay; where nothing differs, without delays. */
static bool write_sarif(struct job *job) {
  struct cli_session *session = &job->s->session;
  FILE *out = session->sarif;
  if (!out) return true;
  session->sarif = NULL;
  bool good = fputs(tessera_chip_outcome(job->j.chip, NULL, TESSERA_REPORT_SARIF), out) >= 0;
  good = out == stdout ? fflush(out) == 0 && good : cli_finish(out, session->sarif_path, good);
  return good || (cli_not_written("explore", session->sarif_path), false);
}

static bool open_sarif(struct job *job) {
  struct cli_session *session = &job->s->session;
  const char *path = session->sarif_path;
  if (!path) return true;
  session->sarif = cli_create_or_stdout(path);
  return session->sarif || (cli_bad_input("explore", "%s: could not be written: %s", path, strerror(errno)), false);
}

static bool open_json(struct job *job) {
  const char *path = job->s->explore.json_path;
  if (!path) return true;
  job->json = strcmp(path, "-") == 0 ? stdout : cli_create(path);
  return job->json || (cli_bad_input("explore", "%s: could not be written: %s", path, strerror(errno)), false);
}

static int report(struct job *job) {
  const struct tessera_chip_exploration *f = &job->found;
  bool text = job->json != stdout && job->s->session.sarif != stdout;
  if (cli_memory_failed) return cli_bad_input("explore", "out of memory"); /* the runs say nothing about the program */
  if (!f->runs && !job->stopped)
    return cli_bad_input("explore", "the program faults or does not end within the cycle limit: run it first");
  if ((f->broken || (f->runs && job->s->session.sarif)) && !job->stopped)
    job->end = tessera_chip_run_explored(job->j.chip, f, 64 * f->cycles + 100000);
  if (text && !f->runs) printf("0 schedules: the run without delays has not ended\n");
  else if (text) print_text(job);
  if (!write_json(job) || !write_sarif(job)) return CLI_BAD_INPUT;
  return !f->runs ? CLI_LIMIT : f->broken ? CLI_HAZARD : CLI_OK;
}

int explore_chip(struct run_settings *s) {
  struct job *job = calloc(1, sizeof *job);
  int code = CLI_BAD_INPUT;
  if (!job) return cli_bad_input("explore", "out of memory");
  job->s = s;
  if (open_sarif(job) && open_json(job) && load(job)) {
    enum tessera_result end = collect_tensors(job) && collect_ignored(job) ? run_schedules(job) : TESSERA_NO_MEMORY;
    job->stopped = end == TESSERA_STOPPED;
    if (end == TESSERA_OK || job->stopped) code = cli_code_of_run("explore", report(job));
    else cli_bad_input("explore", "%s", end == TESSERA_NO_MEMORY ? "out of memory" : tessera_chip_error(job->j.chip));
  }
  if (job->json && job->json != stdout) cli_discard(job->json, s->explore.json_path);
  free(job->output);
  free(job->ignore);
  chip_job_free(&job->j);
  free(job);
  return code;
}
