/* The sums of coverage.h. */
#include "cli/coverage.h"

#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

static struct cli_coverage_record *record_of(struct cli_coverage *c, const char *name, size_t length) {
  for (size_t i = 0; i < c->count; i++)
    if (strncmp(c->records[i].name, name, length) == 0 && !c->records[i].name[length]) return &c->records[i];
  if (!cli_reserve((void **)&c->records, &c->room, c->count + 1, sizeof *c->records)) return NULL;
  char *copy = malloc(length + 1);
  if (!copy) return NULL;
  memcpy(copy, name, length);
  copy[length] = '\0';
  c->records[c->count] = (struct cli_coverage_record){.name = copy};
  return &c->records[c->count++];
}

/* Lines of a text come in order: the search begins after the last one. */
static bool add_line(struct cli_coverage_record *r, size_t *at, unsigned long line, uint64_t times) {
  while (*at < r->count && r->lines[*at].line < line) ++*at;
  if (*at == r->count || r->lines[*at].line != line) {
    if (!cli_reserve((void **)&r->lines, &r->room, r->count + 1, sizeof *r->lines)) return false;
    memmove(&r->lines[*at + 1], &r->lines[*at], (r->count - *at) * sizeof *r->lines);
    r->lines[*at] = (struct cli_coverage_line){.line = line};
    r->count++;
  }
  r->lines[*at].times += times;
  return true;
}

bool cli_coverage_add(struct cli_coverage *c, const char *text) {
  struct cli_coverage_record *record = NULL;
  size_t at = 0;
  for (const char *line = text, *end; *line; line = *end ? end + 1 : end) {
    end = line + strcspn(line, "\n");
    if (strncmp(line, "TN:", 3) == 0) {
      const char *file = end + (*end != '\0');
      record = record_of(c, line, (size_t)(file - line) + strcspn(file, "\n") + 1);
      if (!record) return false;
      at = 0;
    } else if (record && strncmp(line, "DA:", 3) == 0) {
      char *comma;
      const unsigned long number = strtoul(line + 3, &comma, 10);
      if (!add_line(record, &at, number, *comma == ',' ? strtoull(comma + 1, NULL, 10) : 0)) return false;
    }
  }
  return true;
}

bool cli_coverage_write(const struct cli_coverage *c, FILE *out) {
  bool good = true;
  for (size_t i = 0; i < c->count; i++) {
    const struct cli_coverage_record *r = &c->records[i];
    size_t hit = 0;
    good = fputs(r->name, out) >= 0 && good;
    for (size_t k = 0; k < r->count; k++) {
      good = fprintf(out, "DA:%lu,%llu\n", r->lines[k].line, (unsigned long long)r->lines[k].times) > 0 && good;
      hit += r->lines[k].times != 0;
    }
    good = fprintf(out, "LF:%zu\nLH:%zu\nend_of_record\n", r->count, hit) > 0 && good;
  }
  return good;
}

void cli_coverage_free(struct cli_coverage *c) {
  for (size_t i = 0; i < c->count; i++) free(c->records[i].name), free(c->records[i].lines);
  free(c->records);
}
