/* tessera annotate: prints sources with the cycles of each line, from a profile written by `tessera run --profile FILE`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/input.h"
#include "cli/lines.h"
#include "cli/verb.h"

#define PROFILE_MAX ((size_t)256 << 20)
#define SOURCE_MAX ((size_t)16 << 20)
#define AROUND 2u /* lines shown around one that has cycles */

struct settings {
  const char *path, *only;
  struct cli_lines lines;
};

static bool read_profile(struct settings *s) {
  struct cli_input in;
  if (!cli_input_read(&in, "annotate", s->path, PROFILE_MAX)) return false;
  bool good = cli_lines_read(&s->lines, "annotate", s->path, (const char *)in.data, in.size);
  cli_input_free(&in);
  return good;
}

/* --- showing --- */

static const struct cli_line *line_at(const struct settings *s, unsigned file, unsigned long line) {
  for (size_t i = 0; i < s->lines.line_count; i++)
    if (s->lines.lines[i].file == file && s->lines.lines[i].line == line) return &s->lines.lines[i];
  return NULL;
}

static bool near_cost(const struct settings *s, unsigned file, unsigned long line) {
  for (size_t i = 0; i < s->lines.line_count; i++)
    if (s->lines.lines[i].file == file && s->lines.lines[i].line + AROUND >= line && s->lines.lines[i].line <= line + AROUND)
      return true;
  return false;
}

static double share(const struct settings *s, unsigned long long cycles) {
  return 100.0 * (double)cycles / (double)s->lines.total;
}

static void show_line(const struct settings *s, unsigned file, unsigned long line, const char *text, int length) {
  const struct cli_line *l = line_at(s, file, line);
  char mostly[64];
  if (!l) {
    cli_showf("%10s %10s %6s  %-28s %5lu  %.*s\n", "", "", "", "", line, length, text);
    return;
  }
  cli_lines_mostly(&s->lines, l, true, mostly, sizeof mostly);
  cli_showf("%10llu %10llu %5.1f%%  %-28s %5lu  %.*s\n", l->cycles, l->whole + l->called, share(s, l->whole + l->called),
            mostly, line, length, text);
}

static void show_source(const struct settings *s, unsigned file, const char *text, size_t size) {
  unsigned long line = 1;
  bool gap = false;
  for (const char *p = text, *stop = text + size; p < stop; line++) {
    const char *end = memchr(p, '\n', (size_t)(stop - p));
    if (!end) end = stop;
    if (near_cost(s, file, line)) show_line(s, file, line, p, (int)(end - p));
    else if (!gap) printf("%65s...\n", "");
    gap = !near_cost(s, file, line);
    p = end + 1;
  }
}

/* Cycles of the file's own instructions, or (whole) with the functions inlined there. */
static unsigned long long cycles_of(const struct settings *s, unsigned file, bool whole) {
  unsigned long long sum = 0;
  for (size_t i = 0; i < s->lines.line_count; i++)
    if (s->lines.lines[i].file == file) sum += whole ? s->lines.lines[i].whole : s->lines.lines[i].cycles;
  return sum;
}

static void show_file(const struct settings *s, unsigned file) {
  FILE *source = fopen(s->lines.files[file], "rb");
  unsigned long long cycles = cycles_of(s, file, false), whole = cycles_of(s, file, true);
  cli_showf("%s: %llu cycles, %.1f%%; with what is inlined %llu\n", s->lines.files[file], cycles, share(s, cycles), whole);
  printf("%10s %10s %6s  %-28s %5s\n", "own", "whole", "", "mostly", "line");
  char *text = source ? malloc(SOURCE_MAX) : NULL;
  if (text) show_source(s, file, text, fread(text, 1, SOURCE_MAX, source));
  free(text);
  if (source) fclose(source);
  for (size_t i = 0; !source && i < s->lines.line_count; i++) /* it was not found: line numbers only */
    if (s->lines.lines[i].file == file) show_line(s, file, s->lines.lines[i].line, "", 0);
}

static bool set_path(void *settings, const char *text) {
  struct settings *s = settings;
  if (s->path) return cli_bad_input("annotate", "one profile at a time; '%s' is the second", text), false;
  s->path = text;
  return true;
}

static bool set_only(void *settings, const char *text) {
  ((struct settings *)settings)->only = text;
  return true;
}

/* Files of the kernels come first: what is inlined in their lines counts for them. */
static unsigned next_file(const struct settings *s, const bool *shown) {
  unsigned best = (unsigned)s->lines.file_count;
  for (unsigned file = 0; file < s->lines.file_count; file++)
    if (!shown[file] && cycles_of(s, file, true) &&
        (best == s->lines.file_count || cycles_of(s, file, true) > cycles_of(s, best, true)))
      best = file;
  return best;
}

static int show(const struct settings *s) {
  if (!s->lines.total) return cli_bad_input("annotate", "%s: the profile has no cycles", s->path);
  bool *shown = calloc(s->lines.file_count, sizeof *shown), any = false;
  if (!shown) return cli_bad_input("annotate", "out of memory");
  for (unsigned file; (file = next_file(s, shown)) < s->lines.file_count;) {
    shown[file] = true;
    if (s->only && !strstr(s->lines.files[file], s->only)) continue;
    show_file(s, file);
    any = true;
  }
  free(shown);
  return any ? CLI_OK : cli_bad_input("annotate", "no file of the profile has '%s' in its name", s->only ? s->only : "");
}

static int run(const struct cli_verb *verb, int argc, char **argv) {
  struct settings s = {.path = NULL};
  int code = CLI_BAD_INPUT;
  if (cli_parse(verb, argc, argv, &s, set_path)) {
    if (!s.path) cli_bad_input("annotate", "no profile given; tessera annotate --help shows an example");
    else if (read_profile(&s)) code = show(&s);
  }
  cli_lines_free(&s.lines);
  return code;
}

static const struct cli_opt options[] = {
    {"--file", "NAME", "only files with NAME in their path", CLI_NOTHING, set_only},
};

const struct cli_verb cli_annotate = {
    .name = "annotate",
    .what = "show sources with the cycles of each line, from a profile",
    .usage = "[--file NAME] PROFILE",
    .about = "Prints the sources that a profile of tessera run --profile names, with the cycles of each line and its share "
             "of all cores\n"
             "and threads. Lines far from any line with cycles are omitted.",
    CLI_OPTIONS(options),
    .notes = "",
    .example = "tessera annotate profile.callgrind --file reader.c",
    .operands = CLI_FILE,
    .run = run,
};
