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

/* The number of the name among the agents; those that do not fit share the last number. */
static unsigned agent_number(struct cli_lines *l, const char *name) {
  for (unsigned i = 0; i < l->agent_count; i++)
    if (strcmp(l->agents[i], name) == 0) return i;
  if (l->agent_count == CLI_LINE_AGENTS) return CLI_LINE_AGENTS - 1;
  snprintf(l->agents[l->agent_count], sizeof l->agents[0], "%s", name);
  return l->agent_count++;
}

/* "events: Cycles SrcA_bank ..." */
static void read_reasons(struct cli_lines *l, const char *names) {
  const char *p = strchr(names, ' ');
  for (l->reason_count = 0; p && l->reason_count < CLI_LINE_REASONS; l->reason_count++) {
    char *name = l->reasons[l->reason_count];
    size_t length = strcspn(++p, " ");
    snprintf(name, sizeof l->reasons[0], "%.*s", (int)length, p);
    for (char *c = name; *c; c++)
      if (*c == '_') *c = ' ';
    p = p[length] ? p + length : NULL;
  }
}

static struct cli_line *line_at(struct cli_lines *l, unsigned file, unsigned long line) {
  for (size_t i = 0; i < l->line_count; i++)
    if (l->lines[i].file == file && l->lines[i].line == line) return &l->lines[i];
  if (!cli_reserve((void **)&l->lines, &l->line_room, l->line_count + 1, sizeof *l->lines)) return NULL;
  l->lines[l->line_count] = (struct cli_line){.file = file, .line = line};
  return &l->lines[l->line_count++];
}

/* The state of reading: the present file and agent. `callee`: the next numbers are the cost of a call. */
struct at {
  unsigned file, agent;
  bool callee, inlined;
};

/* "LINE CYCLES REASON ...": the cycles of a call belong to its line too, but not to the total a second time. */
static bool add_costs(struct cli_lines *l, struct at *at, const char *text) {
  char *end;
  unsigned long number = strtoul(text, &end, 10);
  unsigned long long cycles = strtoull(end, &end, 10);
  struct cli_line *line = line_at(l, at->file, number);
  if (!line) return false;
  const bool called = at->callee && !at->inlined;
  if (!at->callee) line->cycles += cycles, l->total += cycles;
  at->callee = at->inlined = false;
  if (called) line->called += cycles;
  else line->whole += cycles;
  for (unsigned i = 0; i < l->reason_count && *end; i++)
    (called ? line->called_reasons : line->reasons)[at->agent][i] += strtoull(end, &end, 10);
  return true;
}

static bool read_line(struct cli_lines *l, const char *line, struct at *at) {
  if (strncmp(line, "events: ", 8) == 0) read_reasons(l, line + 8);
  if (strncmp(line, "ob=", 3) == 0) at->agent = agent_number(l, line + 3);
  if (strncmp(line, "fl=", 3) == 0 || strncmp(line, "fi=", 3) == 0) return file_number(l, line + 3, &at->file);
  if (strcmp(line, "# inlined") == 0) at->inlined = true;
  if (strncmp(line, "calls=", 6) == 0) at->callee = true;
  return line[0] < '0' || line[0] > '9' || add_costs(l, at, line);
}

void cli_lines_mostly(const struct cli_lines *l, const struct cli_line *line, bool calls, char *text, size_t size) {
  unsigned long long most = 0;
  snprintf(text, size, "%s", "");
  for (unsigned agent = 0; agent < l->agent_count; agent++)
    for (unsigned i = 0; i < l->reason_count; i++) {
      const unsigned long long cycles = line->reasons[agent][i] + (calls ? line->called_reasons[agent][i] : 0);
      if (cycles <= most) continue;
      most = cycles;
      snprintf(text, size, "%s %s", l->agents[agent], l->reasons[i]);
    }
}

bool cli_lines_read(struct cli_lines *l, const char *verb, const char *name, const char *text, size_t size) {
  static const char head[] = "# callgrind format";
  struct at at = {.file = 0};
  bool good = true;
  if (size < sizeof head || memcmp(text, head, sizeof head - 1) != 0)
    return cli_bad_input(verb, "%s: not a profile of tessera run --profile", name), false;
  if (!file_number(l, "(unknown)", &at.file)) good = false;
  char *copy = malloc(size + 1);
  if (!copy) good = false;
  else memcpy(copy, text, size), copy[size] = '\0';
  for (char *line = copy; good && line;) {
    char *end = strchr(line, '\n');
    if (end) *end = '\0';
    good = read_line(l, line, &at);
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
