/* The lines of lines.h. */
#include "cli/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

#define OF_FILE 0x80000000u /* bit of a slot */

static unsigned next_slot(unsigned slot) { return (slot + 1) % CLI_LINE_SLOTS; }

static unsigned hash_name(const char *name) {
  unsigned h = 2166136261u; /* FNV-1a */
  for (; *name; name++) h = (h ^ (unsigned char)*name) * 16777619u;
  return (h ^ h >> 15) % CLI_LINE_SLOTS;
}

static bool file_number(struct cli_lines *l, const char *name, unsigned *number) {
  unsigned slot = hash_name(name);
  for (; l->slots[slot]; slot = next_slot(slot)) {
    *number = (l->slots[slot] & ~OF_FILE) - 1;
    if (l->slots[slot] & OF_FILE && strcmp(l->files[*number], name) == 0) return true;
  }
  if (l->file_count == CLI_LINE_FILES_MAX) return l->full = true, false;
  if (!cli_reserve((void **)&l->files, &l->file_room, l->file_count + 1, sizeof *l->files)) return false;
  size_t size = strlen(name) + 1;
  char *copy = malloc(size);
  if (!copy) return false;
  *number = (unsigned)l->file_count;
  l->files[l->file_count++] = memcpy(copy, name, size);
  l->slots[slot] = (*number + 1) | OF_FILE;
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
  unsigned long long h = (line * 1024ull + file) * 0x9e3779b97f4a7c15ull;
  unsigned slot = (unsigned)(h >> 40) % CLI_LINE_SLOTS;
  for (; l->slots[slot]; slot = next_slot(slot)) {
    if (l->slots[slot] & OF_FILE) continue;
    struct cli_line *found = &l->lines[l->slots[slot] - 1];
    if (found->file == file && found->line == line) return found;
  }
  if (l->line_count == CLI_LINES_MAX) return l->full = true, NULL;
  if (!cli_reserve((void **)&l->lines, &l->line_room, l->line_count + 1, sizeof *l->lines)) return NULL;
  l->lines[l->line_count] = (struct cli_line){.file = file, .line = line};
  l->slots[slot] = (unsigned)l->line_count + 1;
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
  const bool called = at->callee && !at->inlined, nowhere = at->callee && number == 0;
  if (!at->callee) line->cycles += cycles, l->total += cycles;
  at->callee = at->inlined = false;
  if (nowhere) return true; /* code without lines: callers and callees share line 0, which has their own cycles already */
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
  if (!l->slots) l->slots = calloc(CLI_LINE_SLOTS, sizeof *l->slots);
  if (!l->slots || !file_number(l, "(unknown)", &at.file)) good = false;
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
  if (!good && l->full)
    cli_bad_input(verb, "%s: more than %u lines with cycles, or more than %u files", name, CLI_LINES_MAX,
                  CLI_LINE_FILES_MAX);
  else if (!good) cli_bad_input(verb, "out of memory");
  return good;
}

void cli_lines_free(struct cli_lines *l) {
  for (size_t i = 0; i < l->file_count; i++) free(l->files[i]);
  free(l->files);
  free(l->lines);
  free(l->slots);
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
