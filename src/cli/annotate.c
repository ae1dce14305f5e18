/* tessera annotate: prints sources with the cycles of each line, from a profile written by `tessera run --profile FILE`. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/cli.h"
#include "cli/input.h"
#include "cli/lines.h"
#include "cli/verb.h"

#define PROFILE_MAX ((size_t)16 << 20)
#define SOURCE_MAX ((size_t)4 << 20)
#define AROUND 2u /* lines shown around one that has cycles */

struct settings {
  const char *path, *only;
  struct cli_lines lines;
  const struct cli_line **sorted; /* by file and line */
  size_t *first;                  /* of each file in `sorted`, and the end */
};

static bool read_profile(struct settings *s) {
  struct cli_input in;
  if (!cli_input_read(&in, "annotate", s->path, PROFILE_MAX)) return false;
  bool good = cli_lines_read(&s->lines, "annotate", s->path, (const char *)in.data, in.size);
  cli_input_free(&in);
  return good;
}

/* --- showing --- */

static int by_place(const void *left, const void *right) {
  const struct cli_line *a = *(const struct cli_line *const *)left, *b = *(const struct cli_line *const *)right;
  if (a->file != b->file) return a->file < b->file ? -1 : 1;
  return a->line < b->line ? -1 : a->line > b->line;
}

static bool sort_lines(struct settings *s) {
  const struct cli_lines *l = &s->lines;
  s->sorted = calloc(l->line_count + 1, sizeof *s->sorted);
  s->first = calloc(l->file_count + 1, sizeof *s->first);
  if (!s->sorted || !s->first) return cli_bad_input("annotate", "out of memory"), false;
  for (size_t i = 0; i < l->line_count; i++) s->sorted[i] = &l->lines[i];
  qsort(s->sorted, l->line_count, sizeof *s->sorted, by_place);
  for (size_t file = 0, i = 0; file <= l->file_count; file++) {
    while (i < l->line_count && s->sorted[i]->file < file) i++;
    s->first[file] = i;
  }
  return true;
}

static double share(const struct settings *s, unsigned long long cycles) {
  return 100.0 * (double)cycles / (double)s->lines.total;
}

/* `l` NULL: the line has no cycles. */
static void show_line(const struct settings *s, const struct cli_line *l, unsigned long line, const char *text, int length) {
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
  size_t next = s->first[file], end_of_file = s->first[file + 1]; /* `next`: the first line that may still be near */
  unsigned long line = 1;
  bool gap = false;
  for (const char *p = text, *stop = text + size; p < stop; line++) {
    const char *end = memchr(p, '\n', (size_t)(stop - p));
    if (!end) end = stop;
    while (next < end_of_file && s->sorted[next]->line + AROUND < line) next++;
    bool near = next < end_of_file && s->sorted[next]->line <= line + AROUND;
    const struct cli_line *here = NULL;
    for (size_t i = next; i < end_of_file && s->sorted[i]->line <= line; i++)
      if (s->sorted[i]->line == line) here = s->sorted[i];
    if (near) show_line(s, here, line, p, (int)(end - p));
    else if (!gap) printf("%65s...\n", "");
    gap = !near;
    p = end + 1;
  }
}

/* Cycles of the file's own instructions, or (whole) with the functions inlined there. */
static unsigned long long cycles_of(const struct settings *s, unsigned file, bool whole) {
  unsigned long long sum = 0;
  for (size_t i = s->first[file]; i < s->first[file + 1]; i++) sum += whole ? s->sorted[i]->whole : s->sorted[i]->cycles;
  return sum;
}

static bool show_file(const struct settings *s, unsigned file) {
  struct stat is;
  const char *path = s->lines.files[file]; /* a device or a pipe would not end */
  const bool there = stat(path, &is) == 0 && S_ISREG(is.st_mode);
  FILE *source = there ? fopen(path, "rb") : NULL;
  if (there && !source) return cli_bad_input("annotate", "cannot read %s: %s", path, strerror(errno)), false;
  unsigned long long cycles = cycles_of(s, file, false), whole = cycles_of(s, file, true);
  cli_showf("%s: %llu cycles, %.1f%%; with what is inlined %llu\n", s->lines.files[file], cycles, share(s, cycles), whole);
  printf("%10s %10s %6s  %-28s %5s\n", "own", "whole", "", "mostly", "line");
  char *text = source ? malloc(SOURCE_MAX) : NULL;
  if (text) show_source(s, file, text, fread(text, 1, SOURCE_MAX, source));
  free(text);
  if (source) fclose(source);
  for (size_t i = s->first[file]; !source && i < s->first[file + 1]; i++) /* it was not found: line numbers only */
    show_line(s, s->sorted[i], s->sorted[i]->line, "", 0);
  return true;
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
    any = true;
    if (!show_file(s, file)) return free(shown), CLI_BAD_INPUT;
  }
  free(shown);
  return any ? CLI_OK : cli_bad_input("annotate", "no file of the profile has '%s' in its name", s->only ? s->only : "");
}

static int run(const struct cli_verb *verb, int argc, char **argv) {
  struct settings s = {.path = NULL};
  int code = CLI_BAD_INPUT;
  if (cli_parse(verb, argc, argv, &s, set_path)) {
    if (!s.path) cli_bad_input("annotate", "no profile given; tessera annotate --help shows an example");
    else if (read_profile(&s) && sort_lines(&s)) code = show(&s);
  }
  free(s.sorted);
  free(s.first);
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
