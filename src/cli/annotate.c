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

static unsigned long long cycles_at(const struct settings *s, unsigned file, unsigned long line) {
  unsigned long long sum = 0;
  for (size_t i = 0; i < s->lines.line_count; i++)
    if (s->lines.lines[i].file == file && s->lines.lines[i].line == line) sum += s->lines.lines[i].cycles;
  return sum;
}

static bool near_cost(const struct settings *s, unsigned file, unsigned long line) {
  for (size_t i = 0; i < s->lines.line_count; i++)
    if (s->lines.lines[i].file == file && s->lines.lines[i].line + AROUND >= line && s->lines.lines[i].line <= line + AROUND)
      return true;
  return false;
}

static void show_line(const struct settings *s, unsigned file, unsigned long line, const char *text, int length) {
  unsigned long long cycles = cycles_at(s, file, line);
  if (cycles)
    printf("%12llu %5.1f%% %6lu  %.*s\n", cycles, 100.0 * (double)cycles / (double)s->lines.total, line, length, text);
  else printf("%12s %6s %6lu  %.*s\n", "", "", line, length, text);
}

static void show_source(const struct settings *s, unsigned file, const char *text, size_t size) {
  unsigned long line = 1;
  bool gap = false;
  for (const char *p = text, *stop = text + size; p < stop; line++) {
    const char *end = memchr(p, '\n', (size_t)(stop - p));
    if (!end) end = stop;
    if (near_cost(s, file, line)) show_line(s, file, line, p, (int)(end - p));
    else if (!gap) printf("%27s...\n", "");
    gap = !near_cost(s, file, line);
    p = end + 1;
  }
}

static unsigned long long cycles_of(const struct settings *s, unsigned file) {
  unsigned long long sum = 0;
  for (size_t i = 0; i < s->lines.line_count; i++) sum += s->lines.lines[i].file == file ? s->lines.lines[i].cycles : 0;
  return sum;
}

static void show_file(const struct settings *s, unsigned file) {
  FILE *source = fopen(s->lines.files[file], "rb");
  unsigned long long cycles = cycles_of(s, file);
  printf("%s: %llu cycles, %.1f%%\n", s->lines.files[file], cycles, 100.0 * (double)cycles / (double)s->lines.total);
  if (source) {
    char *text = malloc(SOURCE_MAX);
    size_t size = text ? fread(text, 1, SOURCE_MAX, source) : 0;
    if (text) show_source(s, file, text, size);
    free(text);
    fclose(source);
    return;
  }
  for (size_t i = 0; i < s->lines.line_count; i++) /* the source was not found: line numbers only */
    if (s->lines.lines[i].file == file)
      printf("%12llu %5.1f%% %6lu\n", s->lines.lines[i].cycles,
             100.0 * (double)s->lines.lines[i].cycles / (double)s->lines.total, s->lines.lines[i].line);
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

static int show(const struct settings *s) {
  unsigned shown = 0;
  if (!s->lines.total) return cli_bad_input("annotate", "%s: the profile has no cycles", s->path);
  for (unsigned file = 0; file < s->lines.file_count; file++) {
    if (!cycles_of(s, file)) continue;
    if (s->only && !strstr(s->lines.files[file], s->only)) continue;
    show_file(s, file);
    shown++;
  }
  return shown ? CLI_OK : cli_bad_input("annotate", "no file of the profile has '%s' in its name", s->only ? s->only : "");
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
