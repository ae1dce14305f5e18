#define _DEFAULT_SOURCE /* getentropy, flock */
#include "host/machine.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "host/page.h"
#include "host/report.h"
#include "sim/text.h"
#include "tensix/tile/tile.h"

#define PART_TRIES 16u
#define NOTE_CYCLES 64u /* after a shorter run the findings are read with those of the next */

/* A directory that cannot hold the report is told at the start: the report may be needed hours later. */
static bool report_fits(const char *directory, char *error, size_t error_size) {
  struct stat info;
  mkdir(directory, 0777);
  bool there = !stat(directory, &info), is_directory = there && S_ISDIR(info.st_mode);
  if (there && !is_directory) errno = ENOTDIR;
  if (is_directory && !access(directory, W_OK | X_OK)) return true;
  snprintf(error, error_size, "TESSERA_REPORT=%s: must be a directory that can be written: %s", directory, strerror(errno));
  return false;
}

/* Not refused: tt-metal may create its cache later. */
static void look_for_cache(const struct host_machine *m) {
  char line[4096 + 128];
  struct stat info;
  if (!m->options.kernels || m->options.log == HOST_LOG_QUIET) return;
  if (!stat(m->options.kernels, &info) && S_ISDIR(info.st_mode)) return;
  snprintf(line, sizeof line, "TESSERA_KERNEL_CACHE=%s: there is no such directory, so reports will not name kernels",
           m->options.kernels);
  m->host.say(m->host.listener, line);
}

/* A host that gives up closes the device, which holds all cores in reset: the report is written before that. */
static void before_reset(void *machine, const struct host_target *target, uint32_t value) {
  struct host_machine *m = machine;
  unsigned tile = host_chip_port_tile(m->chip, target);
  struct chip_endpoint *e = tile == CHIP_NO_TILE ? NULL : chip_endpoint_peek(m->chip, tile);
  if (!e || !e->self || e->slot->kind != CHIP_TENSIX) return;
  const struct tx_tile *t = e->self;
  bool runs = false, stays = (value & TX_SOFT_RESET_CORES) != TX_SOFT_RESET_CORES;
  for (unsigned core = 0; core < TX_CORES; core++) runs |= t->core[core].state != TX_CORE_HELD;
  if (runs && !stays && !m->reported_reset) host_machine_report(m, "reset");
  m->reported_reset = runs && !stays ? true : m->reported_reset && !stays;
}

static void wrote(void *machine, const struct host_target *target) {
  struct host_machine *m = machine;
  /* with checkers a finding of any tile may need the code of this one */
  bool all = target->broadcast || m->watch;
  host_findings_note(&m->findings, m->chip, all ? CHIP_NO_TILE : host_chip_port_tile(m->chip, target));
  if (m->watch) host_watch_wrote(m->watch);
}

struct host_machine *host_machine_create(const struct host_options *options, struct system *system, unsigned number,
                                         struct host_time *time, struct host_voice voice) {
  struct host_machine *m = calloc(1, sizeof *m);
  if (!m) {
    snprintf(voice.error, voice.error_size, "no memory for the machine");
    return NULL;
  }
  m->options = *options;
  m->chip = system_chip(system, number);
  if (options->report && !report_fits(options->report, voice.error, voice.error_size)) {
    free(m);
    return NULL;
  }
  m->watch = host_watch_create(m->chip, &m->options, voice.error, voice.error_size);
  if (voice.error[0]) {
    free(m);
    return NULL;
  }
  struct host_port port = host_chip_port(system, number);
  host_init(&m->host, &port, number, time);
  m->host.settings.cycles_per_clock = options->cycles_per_clock;
  m->host.settings.poll_bound = options->poll_cycles;
  if (options->log == HOST_LOG_QUIET) m->host.settings.lines_max = 0;
  m->host.say = voice.say;
  m->host.owner = m;
  m->host.wrote = wrote;
  if (options->report) m->host.resets = before_reset;
  host_kernels_init(&m->kernels, options->kernels, getenv);
  look_for_cache(m);
  return m;
}

void host_machine_destroy(struct host_machine *m) {
  if (!m) return;
  host_kernels_free(&m->kernels);
  host_findings_free(&m->findings);
  host_watch_destroy(m->watch);
  free(m);
}

void host_machine_abandon(struct host_machine *m) {
  if (m->watch) host_watch_abandon(m->watch);
}

void host_machine_memory(struct host_machine *m, const struct host_memory *memory) { m->host.memory = *memory; }

static void say_error(struct host_machine *m) {
  size_t size = 1u << 16;
  char *text = m->options.log != HOST_LOG_QUIET && m->host.say ? malloc(size) : NULL;
  if (!text) return; /* the search for the kernels takes seconds */
  host_report_error(m->chip, &m->kernels, text, size);
  m->host.say(m->host.listener, text);
  host_kernels_forget(&m->kernels);
  free(text);
}

static void end_traces(struct host_machine *m) {
  if (m->watch && !host_watch_end_traces(m->watch) && m->options.log != HOST_LOG_QUIET)
    m->host.say(m->host.listener, "TESSERA_TRACE: a trace could not be written");
}

void host_machine_before_clock(struct host_machine *m) {
  if (m->watch && !m->host.time->frozen && !host_watch_prepare(m->watch) && m->options.log != HOST_LOG_QUIET)
    m->host.say(m->host.listener, "TESSERA_CHECK: no memory for the checker of a tile; it runs unchecked");
}

void host_machine_after_clock(struct host_machine *m, uint64_t cycles, bool stops) {
  if (cycles >= NOTE_CYCLES) host_findings_note(&m->findings, m->chip, CHIP_NO_TILE);
  if (!stops) return;
  if (chip_fault(m->chip, NULL)) say_error(m);
  end_traces(m);
  host_machine_report(m, "error");
}

/* --- the report --- */

/* "PID.START": no other process has both. START is the time of its start in /proc/PID/stat; "": there is no such process. */
static void name_of_process(long pid, char *text, size_t size) {
  char path[64], line[1024] = "", *at;
  snprintf(path, sizeof path, "/proc/%ld/stat", pid);
  FILE *file = fopen(path, "r");
  unsigned long long start = 0;
  size_t length = file ? fread(line, 1, sizeof line - 1, file) : 0;
  if (file) fclose(file);
  line[length] = '\0';
  at = strrchr(line, ')'); /* the program's name may contain spaces */
  for (unsigned field = 2; at && field < 22; field++) at = strchr(at + 1, ' ');
  if (at) start = strtoull(at, NULL, 10);
  text[0] = '\0';
  if (at || pid == (long)getpid()) snprintf(text, size, "%ld.%llu", pid, start);
}

static void report_name(unsigned number, const char *suffix, char *name, size_t size) {
  if (number == 1) snprintf(name, size, "report.%s", suffix);
  else snprintf(name, size, "report-%u.%s", number, suffix);
}

/* Does this process still run? The text is "PID.START\n" in its report. */
static bool is_alive(const char *process) {
  char name[48], now[48];
  const long pid = strtol(process, NULL, 10);
  if (pid <= 0) return false;
  name_of_process(pid, now, sizeof now);
  snprintf(name, sizeof name, "%.*s", (int)strcspn(process, "\n"), process);
  return now[0] && strcmp(now, name) == 0;
}

/* It is the report of another process that still runs, or an error that an earlier device of this one has reported. */
static bool is_kept(const char *process, const char *path) {
  char first[128] = "", empty[8] = "", error[16] = "", ends[64];
  FILE *file = fopen(path, "r");
  if (!file) return false;
  bool read = fgets(first, sizeof first, file) && fgets(empty, sizeof empty, file) && fgets(error, sizeof error, file);
  fclose(file);
  snprintf(ends, sizeof ends, ", process %s\n", process);
  size_t length = strlen(first), tail = strlen(ends);
  const bool own = length >= tail && !strcmp(first + length - tail, ends);
  const char *named = strstr(first, ", process ");
  if (!own && named) return is_alive(named + strlen(", process "));
  return read && own && !strncmp(error, "error at ", 9);
}

/* A device that is opened after an error keeps the error's report. The library may have been unloaded since, so the files decide. */
static void choose_report(struct host_machine *m, const char *process) {
  char path[4096], name[32], line[4096 + 160];
  if (m->report_number) return;
  do {
    report_name(++m->report_number, "txt", name, sizeof name);
    snprintf(path, sizeof path, "%s/%s", m->options.report, name);
  } while (is_kept(process, path));
  if (m->report_number == 1 || m->options.log == HOST_LOG_QUIET) return;
  snprintf(line, sizeof line,
           "TESSERA_REPORT=%s: this device writes %s; the report of another process, or an error of a device before, keeps "
           "its name",
           m->options.report, name);
  m->host.say(m->host.listener, line);
}

/* A file beside the report under a name that cannot be guessed; it follows no link. NULL with errno set. */
static FILE *create_part(const struct host_machine *m, char *part, size_t size) {
  for (unsigned tries = 0; tries < PART_TRIES; tries++) {
    uint64_t random = 0;
    if (getentropy(&random, sizeof random) != 0) random = (uint64_t)getpid() << 32 ^ (uint64_t)clock();
    snprintf(part, size, "%s/tessera-%016llx.part", m->options.report, (unsigned long long)random);
    int number = open(part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (number >= 0) return fdopen(number, "w");
    if (errno != EEXIST) return NULL;
  }
  return NULL;
}

/* A file of the report gets its name when it is complete, so a reader never sees a part of it. `write` is host_page_write or write_text. */
static void write_file(struct host_machine *m, const char *suffix, const char *text,
                       void (*write)(struct chip *chip, const char *text, FILE *file)) {
  char path[4096], part[4096 + 32], name[32];
  report_name(m->report_number, suffix, name, sizeof name);
  snprintf(path, sizeof path, "%s/%s", m->options.report, name);
  FILE *file = create_part(m, part, sizeof part);
  bool good = file != NULL;
  if (file) {
    write(m->chip, text, file);
    good = !ferror(file);
    good = !fclose(file) && good && !rename(part, path);
  }
  if (good) return;
  snprintf(path, sizeof path, "TESSERA_REPORT=%s: the report cannot be written: %s", m->options.report, strerror(errno));
  m->host.say(m->host.listener, path);
  if (file) remove(part);
}

static void write_text(struct chip *chip, const char *text, FILE *file) {
  (void)chip;
  fputs(text, file);
}

void host_machine_report(struct host_machine *m, const char *when) {
  char *text = NULL, process[48];
  size_t size = 0;
  if (!m->options.report) return;
  host_settle(&m->host);
  mkdir(m->options.report, 0777);
  name_of_process((long)getpid(), process, sizeof process);
  const int folder = open(m->options.report, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder >= 0) flock(folder, LOCK_EX); /* several processes may choose a name there */
  choose_report(m, process);
  FILE *memory = open_memstream(&text, &size);
  if (memory) {
    host_report_write(m->chip, &m->host, &m->kernels, &m->findings, when, process, memory);
    host_kernels_forget(&m->kernels);
  }
  if (!memory || fclose(memory) != 0) {
    write_file(m, "txt", "Tessera report: no memory for its text\n", write_text);
  } else {
    write_file(m, "txt", text, write_text);
    write_file(m, "html", text, host_page_write);
  }
  if (folder >= 0) close(folder);
  free(text);
}

/* The number of findings, and where to read them. Without TESSERA_CHECK only errors are counted: mistakes that the NoC sees itself. */
static void say_findings(struct host_machine *m) {
  char line[200], vendors[64] = "";
  uint64_t findings = host_report_findings(m->chip, !m->options.check), theirs = m->findings.vendors;
  if (m->options.log == HOST_LOG_QUIET || !findings) return;
  if (theirs && theirs <= findings) {
    findings -= theirs;
    snprintf(vendors, sizeof vendors, ", and %llu in the vendor's own code", (unsigned long long)theirs);
  }
  snprintf(line, sizeof line, "%llu finding%s%s; %s", (unsigned long long)findings, findings == 1 ? "" : "s", vendors,
           m->options.report ? "the report shows them" : "TESSERA_REPORT=DIRECTORY writes them into a report");
  m->host.say(m->host.listener, line);
}

void host_machine_exit(struct host_machine *m) {
  char line[64];
  host_settle(&m->host);
  snprintf(line, sizeof line, "exit at cycle %llu", (unsigned long long)chip_now(m->chip));
  if (m->options.log == HOST_LOG_INFO) m->host.say(m->host.listener, line);
  end_traces(m);
  if (!m->reported_reset) host_machine_report(m, "exit");
  say_findings(m);
}
