/* The accounts of chip_account.h. */
#include "cli/chip_account.h"

#include <stdlib.h>
#include <string.h>

#include "cli/chip_report.h"
#include "cli/cli.h"
#include "cli/session.h"
#include "tessera/profile.h"

/* --- beginning --- */

static bool has_region(const char *from) { return from && strcmp(from, "start") != 0; }

/* Of another function than kernel_main a tile whose programs lack it has no account; one tile at least has it. */
static bool begin_at(const struct chip_job *j, const char *from) {
  size_t found = 0;
  for (size_t i = 0; i < j->unit_count; i++) found += tessera_tile_account_from(j->units[i].tile, from) == TESSERA_OK;
  return found || (cli_bad_input(j->d.verb, "--from: %s", tessera_tile_error(j->units[0].tile)), false);
}

bool chip_accounts_begin(const struct chip_job *j, const char *from) {
  const bool region = has_region(from), any = region && strcmp(from, CLI_REGION) == 0;
  if (region && !any) return begin_at(j, from);
  for (size_t i = 0; i < j->unit_count; i++) {
    struct tessera_tile *tile = j->units[i].tile;
    if (any && tessera_tile_account_from(tile, from) == TESSERA_OK) continue; /* a program without one: from the start */
    if (tessera_tile_set_option(tile, TESSERA_OPTION_ACCOUNT, 1) != TESSERA_OK)
      return cli_bad_input(j->d.verb, "%s", tessera_tile_error(tile)), false;
  }
  return true;
}

static bool has_begun(const struct chip_unit *u, uint64_t *cycle) {
  return tessera_tile_account_begin(u->tile, cycle) == TESSERA_OK;
}

bool chip_accounts_began(const struct chip_job *j, const char *from) {
  const bool zone = from && strncmp(from, "zone:", 5) == 0;
  uint64_t cycle;
  if (!has_region(from) || strcmp(from, CLI_REGION) == 0) return true;
  for (size_t i = 0; i < j->unit_count; i++)
    if (has_begun(&j->units[i], &cycle)) return true;
  cli_bad_input(j->d.verb,
                zone ? "--from: no zone '%s' began in this run, so it has no account"
                     : "--from: the run did not reach '%s', so it has no account",
                from + (zone ? 5 : 0));
  return false;
}

/* --- rows --- */

#define ROWS_MAX 64u /* cores, threads and units of a tile */

struct row {
  enum tessera_of of;
  unsigned index;
  const char *name;
};

struct rows {
  struct row row[ROWS_MAX];
  unsigned count, categories;
};

static const char *name_of(enum tessera_of of, unsigned index) {
  if (of == TESSERA_OF_CORE) return tessera_core_name((enum tessera_core)index);
  return of == TESSERA_OF_THREAD ? tessera_thread_name(index) : tessera_unit_name(index);
}

static struct rows rows_of(const struct tessera_tile *tile) {
  struct rows r = {.count = 0, .categories = tessera_category_count()};
  uint64_t cycles;
  for (unsigned of = TESSERA_OF_CORE; of <= TESSERA_OF_UNIT; of++)
    for (unsigned i = 0; r.count < ROWS_MAX && tessera_tile_account(tile, (enum tessera_of)of, i, 0, &cycles) == TESSERA_OK;
         i++)
      r.row[r.count++] = (struct row){(enum tessera_of)of, i, name_of((enum tessera_of)of, i)};
  return r;
}

/* The rows are those of every tile; one at least has an account. */
static struct rows rows_of_job(const struct chip_job *j) {
  struct rows r = {.count = 0};
  for (size_t i = 0; !r.count && i < j->unit_count; i++) r = rows_of(j->units[i].tile);
  return r;
}

/* Adds the account of a tile to `sums`, row by row; returns the cycles to which each of its rows sums. */
static uint64_t add_account(const struct rows *r, const struct tessera_tile *tile, uint64_t *sums) {
  uint64_t all = 0;
  for (unsigned n = 0; n < r->count; n++)
    for (unsigned k = 0; k < r->categories; k++) {
      uint64_t cycles = 0;
      tessera_tile_account(tile, r->row[n].of, r->row[n].index, k, &cycles);
      sums[n * r->categories + k] += cycles;
      if (!n) all += cycles;
    }
  return all;
}

uint64_t chip_accounts_cycles(const struct chip_job *j) {
  uint64_t most = 0, begin;
  for (size_t i = 0; i < j->unit_count; i++) {
    uint64_t sum = 0, cycles;
    if (!has_begun(&j->units[i], &begin)) continue;
    for (unsigned k = 0; k < tessera_category_count(); k++)
      if (tessera_tile_account(j->units[i].tile, TESSERA_OF_CORE, 0, k, &cycles) == TESSERA_OK) sum += cycles;
    if (sum > most) most = sum;
  }
  return most;
}

/* --- as text --- */

#define EVERY_TILE_MAX 4u   /* tiles of a program that prints all accounts without --verbose */
#define GROUPS_MAX 4u       /* sums of tiles with the same programs */
#define NAMED_MAX 3u        /* tiles by name, if they are no rectangle */
#define DIFFERENT_LEAST 0.1 /* of a row's cycles: a tile that differs less is like the others */

/* The category of a core, thread or unit that did nothing in the whole run. */
static bool rests(const struct rows *r, unsigned n, const uint64_t *row, uint64_t cycles) {
  static const char *const idle[] = {
      [TESSERA_OF_CORE] = "reset", [TESSERA_OF_THREAD] = "not begun", [TESSERA_OF_UNIT] = "idle"};
  for (unsigned k = 0; k < r->categories; k++)
    if (row[k] == cycles) return strcmp(tessera_category_name(k), idle[r->row[n].of]) == 0;
  return false;
}

static void print_row(const struct rows *r, const uint64_t *row, uint64_t cycles, FILE *out) {
  uint64_t below = UINT64_MAX;
  unsigned last = 0; /* category of the cycles before */
  for (;;) {
    unsigned best = r->categories;
    for (unsigned k = 0; k < r->categories; k++) {
      bool left = row[k] < below || (row[k] == below && k > last);
      if (row[k] && left && (best == r->categories || row[k] > row[best])) best = k;
    }
    if (best == r->categories) break;
    below = row[last = best];
    fprintf(out, "  %s %llu (%.1f%%)", tessera_category_name(best), (unsigned long long)row[best],
            100.0 * (double)row[best] / (double)cycles);
  }
  fputs("\n", out);
}

static void print_account(const struct rows *r, const char *whose, const uint64_t *sums, uint64_t cycles, FILE *out) {
  fprintf(out, "\nwhere the cycles go%s: each line sums to %llu\n", whose, (unsigned long long)cycles);
  for (unsigned n = 0; cycles && n < r->count; n++) {
    const uint64_t *row = sums + n * r->categories;
    if (rests(r, n, row, cycles)) continue;
    fprintf(out, "%-18s", r->row[n].name);
    print_row(r, row, cycles, out);
  }
}

struct accounts {
  const struct chip_job *j;
  FILE *out;
  struct rows rows;
  uint64_t *sums, *group; /* of one tile, and of the tiles of a group */
};

static bool make_sums(struct accounts *a) {
  const size_t size = (size_t)ROWS_MAX * tessera_category_count();
  a->sums = calloc(size, sizeof *a->sums);
  a->group = calloc(size, sizeof *a->group);
  return a->sums && a->group;
}

static void clear(const struct accounts *a, uint64_t *sums) {
  memset(sums, 0, (size_t)a->rows.count * a->rows.categories * sizeof *sums);
}

static uint64_t read_one(const struct accounts *a, const struct chip_unit *u) {
  clear(a, a->sums);
  return add_account(&a->rows, u->tile, a->sums);
}

static void print_tile(const struct accounts *a, size_t unit, const char *which) {
  const struct chip_unit *u = &a->j->units[unit];
  char whose[256] = "";
  uint64_t begin;
  if (!has_begun(u, &begin)) return;
  if (a->j->unit_count > 1) snprintf(whose, sizeof whose, ", tile (%u, %u)%s", u->at.x, u->at.y, which);
  const uint64_t cycles = read_one(a, u);
  print_account(&a->rows, whose, a->sums, cycles, a->out);
}

static bool same_programs(const struct chip_unit *a, const struct chip_unit *b) {
  return memcmp(a->program, b->program, sizeof a->program) == 0;
}

/* Tiles with the same programs, by the first of them. */
struct group {
  size_t first, count;
  uint64_t cycles; /* of all */
};

/* ", the sum of 16 tiles with the same programs, (1, 2) to (4, 5)" */
static void name_group(const struct chip_job *j, const struct group *g, char *text, size_t size) {
  unsigned x0 = 255, y0 = 255, x1 = 0, y1 = 0, named = 0;
  size_t inside = 0;
  uint64_t begin;
  struct chip_at first[NAMED_MAX];
  for (size_t i = g->first; i < j->unit_count; i++) {
    const struct chip_unit *u = &j->units[i];
    if (!same_programs(u, &j->units[g->first]) || !has_begun(u, &begin)) continue;
    if (named < NAMED_MAX) first[named++] = u->at;
    if (u->at.x < x0) x0 = u->at.x;
    if (u->at.y < y0) y0 = u->at.y;
    if (u->at.x > x1) x1 = u->at.x;
    if (u->at.y > y1) y1 = u->at.y;
  }
  for (size_t i = 0; i < j->unit_count; i++) {
    const struct chip_unit *u = &j->units[i];
    inside += u->at.x >= x0 && u->at.x <= x1 && u->at.y >= y0 && u->at.y <= y1;
  }
  size_t columns = x1 - x0 + 1u - (x0 < 8 && x1 > 9 ? 2u : 0u), used;
  used = (size_t)snprintf(text, size, ", the sum of %zu tiles with the same programs, ", g->count);
  if (inside == g->count && columns * (y1 - y0 + 1u) == g->count) {
    snprintf(text + used, size - used, "(%u, %u) to (%u, %u)", x0, y0, x1, y1);
    return;
  }
  for (unsigned i = 0; i < named; i++)
    used += (size_t)snprintf(text + used, size - used, "%s(%u, %u)", i ? ", " : "", first[i].x, first[i].y);
  if (g->count > named) snprintf(text + used, size - used, " and %zu more", g->count - named);
}

/* The part of a row's cycles that a tile spends in other categories than the group does. */
static double difference(const struct rows *r, unsigned n, const uint64_t *tile, uint64_t cycles, const uint64_t *group,
                         uint64_t group_cycles) {
  double sum = 0;
  for (unsigned k = 0; k < r->categories; k++) {
    size_t at = n * r->categories + k;
    double own = (double)tile[at] / (double)cycles, mean = (double)group[at] / (double)group_cycles;
    sum += own > mean ? own - mean : 0;
  }
  return sum;
}

struct different {
  size_t unit;
  unsigned row;
  double part;
};

static void find_different(const struct accounts *a, const struct group *g, struct different *most) {
  uint64_t begin;
  for (size_t i = g->first; i < a->j->unit_count; i++) {
    const struct chip_unit *u = &a->j->units[i];
    if (!same_programs(u, &a->j->units[g->first]) || !has_begun(u, &begin)) continue;
    const uint64_t cycles = read_one(a, u);
    for (unsigned n = 0; cycles && n < a->rows.count && a->rows.row[n].of == TESSERA_OF_CORE; n++) {
      const double part = difference(&a->rows, n, a->sums, cycles, a->group, g->cycles);
      if (part > most->part) *most = (struct different){i, n, part};
    }
  }
}

static struct group sum_group(const struct accounts *a, size_t first) {
  struct group g = {.first = first};
  uint64_t begin;
  clear(a, a->group);
  for (size_t i = first; i < a->j->unit_count; i++) {
    const struct chip_unit *u = &a->j->units[i];
    if (!same_programs(u, &a->j->units[first]) || !has_begun(u, &begin)) continue;
    g.cycles += add_account(&a->rows, u->tile, a->group);
    g.count++;
  }
  return g;
}

static bool is_first_of_group(const struct chip_job *j, size_t unit) {
  for (size_t i = 0; i < unit; i++)
    if (same_programs(&j->units[i], &j->units[unit])) return false;
  return true;
}

static void print_groups(const struct accounts *a, struct different *most) {
  unsigned groups = 0, left = 0;
  for (size_t i = 0; i < a->j->unit_count; i++) {
    char whose[256];
    if (!is_first_of_group(a->j, i)) continue;
    const struct group g = sum_group(a, i);
    if (g.count < 2 || !g.cycles) continue;
    if (++groups > GROUPS_MAX) {
      left++;
      continue;
    }
    name_group(a->j, &g, whose, sizeof whose);
    print_account(&a->rows, whose, a->group, g.cycles, a->out);
    find_different(a, &g, most);
  }
  if (left) fprintf(a->out, "\n%u more groups of tiles with the same programs\n", left);
}

static void print_some(const struct accounts *a) {
  struct different most = {.part = 0};
  const size_t last = chip_report_last(a->j);
  char which[160];
  print_groups(a, &most);
  print_tile(a, last, ", which stopped last");
  if (most.part >= DIFFERENT_LEAST && most.unit != last) {
    snprintf(which, sizeof which, ", which differs most from them (%s: %.1f%% of its cycles)", a->rows.row[most.row].name,
             100.0 * most.part);
    print_tile(a, most.unit, which);
  }
  fprintf(a->out, "\nthe accounts of all %zu tiles: --verbose, or --json FILE\n", a->j->unit_count);
}

static size_t count_missing(const struct chip_job *j) {
  size_t missing = 0;
  uint64_t begin;
  for (size_t i = 0; i < j->unit_count; i++) missing += !has_begun(&j->units[i], &begin);
  return missing;
}

bool chip_accounts_print(const struct chip_job *j, bool every, FILE *out) {
  struct accounts a = {.j = j, .out = out, .rows = rows_of_job(j)};
  const size_t missing = count_missing(j);
  bool good = make_sums(&a);
  if (good && (every || j->unit_count <= EVERY_TILE_MAX)) {
    for (size_t i = 0; i < j->unit_count; i++) print_tile(&a, i, "");
    fputs("\n", out);
  } else if (good && missing < j->unit_count) print_some(&a);
  if (good && missing)
    fprintf(out, "%zu of %zu tiles did not reach the begin of the account and have none\n", missing, j->unit_count);
  free(a.sums);
  free(a.group);
  return good || (cli_bad_input(j->d.verb, "out of memory"), false);
}

/* --- as JSON --- */

static void put_row(const struct rows *r, const uint64_t *row, FILE *out) {
  const char *between = "";
  fputs("{", out);
  for (unsigned k = 0; k < r->categories; k++) {
    if (!row[k]) continue;
    fprintf(out, "%s\"%s\":%llu", between, tessera_category_name(k), (unsigned long long)row[k]);
    between = ",";
  }
  fputs("}", out);
}

static void put_tile(const struct accounts *a, const struct chip_unit *u, uint64_t begin) {
  static const char *const names[] = {
      [TESSERA_OF_CORE] = "cores", [TESSERA_OF_THREAD] = "threads", [TESSERA_OF_UNIT] = "units"};
  const struct rows *r = &a->rows;
  const uint64_t cycles = read_one(a, u);
  fprintf(a->out, "{\"at\":[%u,%u],\"from\":%llu,\"cycles\":%llu", u->at.x, u->at.y, (unsigned long long)begin,
          (unsigned long long)cycles);
  for (unsigned n = 0; n < r->count; n++) {
    bool first = !n || r->row[n].of != r->row[n - 1].of, last = n + 1 == r->count || r->row[n + 1].of != r->row[n].of;
    if (first) fprintf(a->out, ",\"%s\":{", names[r->row[n].of]);
    fprintf(a->out, "%s\"%s\":", first ? "" : ",", r->row[n].name);
    put_row(r, a->sums + n * r->categories, a->out);
    if (last) fputs("}", a->out);
  }
  fputs("}", a->out);
}

bool chip_accounts_json(const struct chip_job *j, FILE *out) {
  struct accounts a = {.j = j, .out = out, .rows = rows_of_job(j)};
  const char *between = "";
  uint64_t begin;
  bool good = make_sums(&a);
  fputs(",\"accounts\":[", out);
  for (size_t i = 0; good && i < j->unit_count; i++) {
    if (!has_begun(&j->units[i], &begin)) continue;
    fputs(between, out);
    put_tile(&a, &j->units[i], begin);
    between = ",";
  }
  fputs("]", out);
  free(a.sums);
  free(a.group);
  return good && !ferror(out);
}
