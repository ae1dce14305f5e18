/* Helpers of cli.h. */
#include "cli/cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "cli/interrupt.h"
#include "tessera/base.h"

#define DRAW_SECONDS 1.0 /* between two lines of progress */
#define LONG_SECONDS 10u /* after this time a run without a terminal reports once that it still runs */

void cli_show(FILE *out, const char *text) {
  for (size_t shown; *text; text += shown) {
    shown = *text == '\n' || *text == '\t' ? 1 : tessera_text_shown(text);
    if (shown) fwrite(text, 1, shown, out);
    else fprintf(out, "\\x%02x", (unsigned char)*text), shown = 1;
  }
}

bool cli_shell_word(const char *text, char *out, size_t size) {
  static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./+,:@%=-";
  bool quotes = !text[0] || text[strspn(text, plain)];
  size_t used = 0;
  if (quotes && size) out[used++] = '\'';
  for (; *text && used + 6 < size; text++) {
    const char *piece = *text == '\'' ? "'\\''" : NULL; /* ends the quotes, one quote, begins them again */
    if (piece) memcpy(out + used, piece, 4), used += 4;
    else out[used++] = *text;
  }
  if (quotes && used + 1 < size) out[used++] = '\'';
  if (size) out[used] = '\0';
  return !*text;
}

void cli_showf(const char *format, ...) {
  char text[4096];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  cli_show(stdout, text);
}

volatile int cli_memory_failed;
bool cli_complained;

#define MESSAGE_BYTES 1800u
/* A message that quotes a long word keeps its beginning and its end, which has the reason. */
static void shorten(char text[MESSAGE_BYTES], size_t length, const char *format, va_list args) {
  static const char gap[] = " ... ";
  const size_t head = MESSAGE_BYTES / 2, tail = MESSAGE_BYTES / 2 - sizeof gap;
  char *whole = malloc(length + 1);
  if (!whole) return;
  vsnprintf(whole, length + 1, format, args);
  const char *end = whole + length - tail;
  while ((*end & 0xc0) == 0x80) end++; /* inside a character */
  size_t used = head;
  while (used && (whole[used] & 0xc0) == 0x80) used--;
  snprintf(text + used, MESSAGE_BYTES - used, "%s%s", gap, end);
  free(whole);
}

int cli_bad_input(const char *verb, const char *format, ...) {
  char text[MESSAGE_BYTES];
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int length = vsnprintf(text, sizeof text, format, args);
  if (length >= (int)sizeof text) shorten(text, (size_t)length, format, again);
  va_end(again);
  va_end(args);
  fflush(stdout);
  if (strstr(text, strerror(ENOMEM))) cli_memory_failed = 1, cli_stop(); /* libc's own allocation, of fopen */
  if (cli_memory_failed && cli_complained) return CLI_BAD_INPUT;         /* what follows from it needs no line */
  if (cli_memory_failed && !strstr(text, "memory"))
    snprintf(text, sizeof text, "out of memory"); /* of which it is the result */
  cli_complained = true;
  fputs("tessera ", stderr);
  cli_show(stderr, verb);
  fputs(": ", stderr);
  cli_show(stderr, text);
  fputc('\n', stderr);
  return CLI_BAD_INPUT;
}

bool cli_parse_u64(const char *text, uint64_t *value) {
  char *end;
  if (text[0] < '0' || text[0] > '9') return false;
  errno = 0;
  unsigned long long parsed = strtoull(text, &end, 0);
  if (errno || *end) return false;
  *value = parsed;
  return true;
}

bool cli_wants_help(int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return true;
  return false;
}

void cli_json_string(FILE *out, const char *text) {
  fputc('"', out);
  for (size_t shown; *text; text += shown) {
    shown = tessera_text_shown(text);
    if (*text == '"' || *text == '\\') fprintf(out, "\\%c", *text);
    else if (*text == '\n') fputs("\\n", out), shown = 1;
    else if (shown) fwrite(text, 1, shown, out);
    else fprintf(out, "\\u%04x", (unsigned char)*text < 0x80 ? (unsigned)*text : 0xfffdu), shown = 1;
  }
  fputc('"', out);
}

void cli_progress(const char *format, ...) {
  va_list args;
  if (!isatty(STDERR_FILENO)) return;
  fputc('\r', stderr);
  va_start(args, format);
  vfprintf(stderr, format, args);
  va_end(args);
  fputs("\033[K", stderr);
  fflush(stderr);
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

struct cli_run_clock cli_run_begin(const char *verb, uint64_t cycle, cli_activity_fn *activity, void *machine) {
  const char *wanted = getenv("TESSERA_PROGRESS_SECONDS");
  uint64_t late = LONG_SECONDS;
  if (wanted) cli_parse_u64(wanted, &late);
  return (struct cli_run_clock){
      .verb = verb, .began = seconds(), .late = (double)late, .from = cycle, .activity = activity, .machine = machine};
}

#define PART_SECONDS 0.05
#define FIRST_PART (UINT64_C(1) << 12)
uint64_t cli_run_part(struct cli_run_clock *c, uint64_t left, uint64_t most) {
  double now = seconds(), spent = now - c->part_began;
  if (!c->part) c->part = FIRST_PART;
  else if (spent < PART_SECONDS / 2 && c->part < most) c->part *= 2;
  else if (spent > PART_SECONDS * 2 && c->part > FIRST_PART) c->part /= 2;
  c->part_began = now;
  return left < c->part ? left : c->part;
}

/* The line is rewritten in place: it has to fit into one of the terminal. */
static int columns(void) {
  struct winsize is = {0};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &is) == 0 && is.ws_col > 1 ? is.ws_col - 1 : 79;
}

static void draw(struct cli_run_clock *c, uint64_t cycle, double spent, double speed) {
  char line[512];
  if (c->drawn > 0 && spent - c->drawn < DRAW_SECONDS) return;
  c->drawn = spent;
  size_t used =
      (size_t)snprintf(line, sizeof line, "%s%.200s%s%llu cycles, %.1f million per second: ", c->rerun ? "rerun, " : "",
                       c->rerun ? c->rerun : "", c->rerun ? ": " : "", (unsigned long long)cycle, speed);
  if (!c->activity(c->machine, line + used, sizeof line - used)) line[used - 2] = '\0'; /* without the colon */
  cli_progress("%.*s", columns(), line);
}

void cli_run_progress(struct cli_run_clock *c, uint64_t cycle) {
  double spent = seconds() - c->began, speed = spent > 0 ? 1e-6 * (double)(cycle - c->from) / spent : 0.0;
  if (isatty(STDERR_FILENO)) draw(c, cycle, spent, speed);
  if (c->reported || spent < c->late || isatty(STDERR_FILENO)) return;
  c->reported = true;
  fprintf(stderr,
          "tessera %s: %s%s%sstill running after %.0f s: %llu cycles, %.1f million per second; --max-cycles sets the end\n",
          c->verb, c->rerun ? "the rerun " : "", c->rerun ? c->rerun : "", c->rerun ? " is " : "", spent,
          (unsigned long long)cycle, speed);
}

void cli_progress_clear(void) {
  if (isatty(STDERR_FILENO)) fputs("\r\033[K", stderr);
}

void cli_progress_runs(void *what, uint64_t done, uint64_t all) {
  cli_progress("%llu of %llu %s", (unsigned long long)done, (unsigned long long)all, (const char *)what);
}

bool cli_reserve(void **items, size_t *capacity, size_t needed, size_t item_size) {
  size_t wanted = *capacity ? *capacity : 16;
  while (wanted < needed) wanted *= 2;
  if (wanted == *capacity) return true;
  void *moved = realloc(*items, wanted * item_size);
  if (!moved) return false;
  *items = moved;
  *capacity = wanted;
  return true;
}
