/* The lines of lines.h. */
#include "cli/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

static bool file_number(struct cli_lines *l, const char *name, unsigned *number) {
  for (*number = 0; *number < l->file_count; (*number)++)
    if (strcmp(l->files[*number], name) == 0) return true;
  if (!cli_reserve((void **)&l->files, &l->file_room, l->file_count + 1, sizeof *l->files)) return false;
  size_t size = strlen(name) + 1;
  char *copy = malloc(size);
  if (!copy) return false;
  l->files[l->file_count++] = memcpy(copy, name, size);
  return true;
}

static bool add(struct cli_lines *l, unsigned file, unsigned long line, unsigned long long cycles) {
  l->total += cycles;
  for (size_t i = 0; i < l->line_count; i++)
    if (l->lines[i].file == file && l->lines[i].line == line) {
      l->lines[i].cycles += cycles;
      return true;
    }
  if (!cli_reserve((void **)&l->lines, &l->line_room, l->line_count + 1, sizeof *l->lines)) return false;
  l->lines[l->line_count++] = (struct cli_line){file, line, cycles};
  return true;
}

/* One line of the profile. `callee`: the next numbers are the cost of an inlined call, which is counted elsewhere. */
static bool read_line(struct cli_lines *l, const char *line, unsigned *file, bool *callee) {
  if (strncmp(line, "fl=", 3) == 0) return file_number(l, line + 3, file);
  if (strncmp(line, "calls=", 6) == 0) *callee = true;
  if (line[0] < '0' || line[0] > '9') return true;
  char *end;
  unsigned long number = strtoul(line, &end, 10);
  unsigned long long cycles = strtoull(end, &end, 10);
  bool skip = *callee;
  *callee = false;
  return skip || add(l, *file, number, cycles);
}

bool cli_lines_read(struct cli_lines *l, const char *verb, const char *name, const char *text, size_t size) {
  static const char head[] = "# callgrind format";
  unsigned file = 0;
  bool callee = false, good = true;
  if (size < sizeof head || memcmp(text, head, sizeof head - 1) != 0)
    return cli_bad_input(verb, "%s: not a profile of tessera run --profile", name), false;
  if (!file_number(l, "(unknown)", &file)) good = false;
  char *copy = malloc(size + 1);
  if (!copy) good = false;
  else memcpy(copy, text, size), copy[size] = '\0';
  for (char *line = copy; good && line;) {
    char *end = strchr(line, '\n');
    if (end) *end = '\0';
    good = read_line(l, line, &file, &callee);
    line = end ? end + 1 : NULL;
  }
  free(copy);
  if (!good) cli_bad_input(verb, "out of memory");
  return good;
}

void cli_lines_free(struct cli_lines *l) {
  for (size_t i = 0; i < l->file_count; i++) free(l->files[i]);
  free(l->files);
  free(l->lines);
}

char *cli_lines_source(const char *path, unsigned long line) {
  FILE *file = fopen(path, "rb");
  char text[1024];
  unsigned long at = 1;
  char *found = NULL;
  if (!file) return NULL;
  while (at <= line && fgets(text, sizeof text, file)) {
    size_t length = strcspn(text, "\n");
    bool whole = text[length] == '\n';
    if (at == line) {
      text[length] = '\0';
      found = malloc(length + 1);
      if (found) memcpy(found, text, length + 1);
      break;
    }
    at += whole;
  }
  fclose(file);
  return found;
}
