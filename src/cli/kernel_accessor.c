/* The compile-time words of a tensor, in the layout of kernels/include/api_tensor.h. */
#include "cli/kernel_accessor.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/chip_format.h"
#include "cli/cli.h"
#include "cli/npy.h"

enum { ACCESSOR_SHARDED = 1, ACCESSOR_DRAM = 2, TILE = 32, DRAM_ALIGNMENT = 64 };

/* Rows and columns of the tensor's source. chip_job_tensor.c reports errors in it, so an unreadable shape is 0 here. */
static bool shape_of(const struct chip_description *d, const struct chip_statement *t, uint64_t *rows, uint64_t *columns) {
  unsigned long long r = 0, c = 0;
  const char *at = strchr(t->path, ':');
  bool words = strncmp(t->path, "zero:", 5) == 0 || strncmp(t->path, "fill:", 5) == 0 || strncmp(t->path, "random:", 7) == 0;
  *rows = *columns = 0;
  if (words) {
    sscanf(at, ":%llux%llu", &r, &c);
    *rows = r;
    *columns = c;
    return true;
  }
  struct npy n;
  char verb[CHIP_FILE_VERB];
  chip_file_verb(d, t->line, verb);
  bool good = npy_open(&n, verb, t->path);
  if (good) *columns = n.rank ? n.shape[n.rank - 1] : 1;
  if (good && *columns) *rows = n.count / *columns;
  npy_close(&n);
  return good;
}

static bool page_bytes_of(const struct chip_description *d, const struct chip_statement *t, uint32_t *bytes) {
  uint64_t rows, columns;
  if (!shape_of(d, t, &rows, &columns)) return false;
  *bytes = (uint32_t)chip_format_bytes(t->format, t->tiled ? TILE * TILE : (uint32_t)columns);
  return true;
}

bool kernel_buffer(const struct chip_description *d, const struct chip_statement *buffer, unsigned *format,
                   uint32_t *page_bytes) {
  *format = buffer->format;
  *page_bytes = (uint32_t)buffer->number[2];
  for (size_t i = 0; buffer->path[0] && i < d->count; i++) {
    const struct chip_statement *t = &d->statements[i];
    if (t->kind != CHIP_TENSOR || strcmp(t->name, buffer->path) != 0) continue;
    *format = t->format;
    if (!*page_bytes && !page_bytes_of(d, t, page_bytes)) return false;
  }
  if (!*page_bytes) *page_bytes = (uint32_t)chip_format_bytes(*format, TILE * TILE);
  return true;
}

/* Worker tiles of a rectangle, row by row; columns 8 and 9 have none. */
static unsigned banks_of(const struct chip_place *place, uint32_t *coordinates, unsigned room) {
  unsigned count = 0;
  if (place->kind != CHIP_PLACE_TILES) {
    coordinates[0] = (uint32_t)place->bank << 8;
    return 1;
  }
  for (unsigned y = place->y0; y <= place->y1; y++)
    for (unsigned x = place->x0; x <= place->x1; x++)
      if (x != 8 && x != 9 && count < room) coordinates[count++] = x << 8 | y;
  return count;
}

static void add(struct kernel_word_list *list, uint32_t word) {
  if (list->count < KERNEL_WORD_LIST) list->words[list->count++] = word;
  else list->full = true;
}

bool kernel_accessor(const struct chip_description *d, const struct chip_statement *t, struct kernel_word_list *list) {
  uint64_t rows, columns;
  uint32_t coordinates[KERNEL_WORD_LIST] = {0};
  if (!shape_of(d, t, &rows, &columns)) return false;
  uint32_t bytes = (uint32_t)chip_format_bytes(t->format, t->tiled ? TILE * TILE : (uint32_t)columns);
  if (t->place.kind == CHIP_PLACE_DRAM) {
    add(list, ACCESSOR_DRAM);
    add(list, bytes);
    return true;
  }
  bool dram = t->place.kind != CHIP_PLACE_TILES;
  unsigned banks = banks_of(&t->place, coordinates, KERNEL_WORD_LIST);
  uint64_t pages = t->tiled ? rows / TILE * (columns / TILE) : rows;
  add(list, ACCESSOR_SHARDED | (dram ? (uint32_t)ACCESSOR_DRAM : 0u));
  add(list, dram ? (bytes + DRAM_ALIGNMENT - 1) / DRAM_ALIGNMENT * DRAM_ALIGNMENT : bytes);
  add(list, 1); /* one dimension: the pages in their order, an equal number per bank */
  add(list, banks);
  add(list, (uint32_t)pages);
  add(list, (uint32_t)((pages + banks - 1) / banks));
  for (unsigned i = 0; i < banks; i += 2) add(list, coordinates[i] | (i + 1 < banks ? coordinates[i + 1] << 16 : 0u));
  return true;
}

/* --- words --- */

/* TENSOR.WHAT of the description; as tensor_word in chip_job.c, for a chip that is not loaded yet. */
static int tensor_word(const struct chip_description *d, const char *word, uint32_t *value) {
  const char *what = strchr(word, '.');
  const struct chip_statement *t = NULL;
  uint64_t rows, columns;
  for (size_t i = 0; what && !t && i < d->count; i++) {
    const struct chip_statement *s = &d->statements[i];
    bool same = strlen(s->name) == (size_t)(what - word) && strncmp(s->name, word, (size_t)(what - word)) == 0;
    if (s->kind == CHIP_TENSOR && same) t = s;
  }
  if (!t) return 0;
  if (!shape_of(d, t, &rows, &columns)) return -1;
  if (strcmp(what, ".pages") == 0) *value = (uint32_t)(t->tiled ? rows / TILE * (columns / TILE) : rows);
  else if (strcmp(what, ".rows") == 0) *value = (uint32_t)rows;
  else if (strcmp(what, ".cols") == 0) *value = (uint32_t)columns;
  else if (strcmp(what, ".ht") == 0) *value = (uint32_t)(rows / TILE);
  else if (strcmp(what, ".wt") == 0) *value = (uint32_t)(columns / TILE);
  else if (strcmp(what, ".page_bytes") == 0)
    *value = (uint32_t)chip_format_bytes(t->format, t->tiled ? TILE * TILE : (uint32_t)columns);
  else return 0;
  return 1;
}

int kernel_word(const struct chip_description *d, const char *word, uint32_t *value) {
  uint64_t number;
  if (cli_parse_u64(word, &number) && number <= UINT32_MAX) return *value = (uint32_t)number, 1;
  if (word[0] == '-' && cli_parse_u64(word + 1, &number) && number <= UINT64_C(1) << 31)
    return *value = (uint32_t)-number, 1;
  if (strncmp(word, "float:", 6) == 0) {
    char *end = NULL;
    float f = strtof(word + 6, &end);
    memcpy(value, &f, sizeof *value);
    return end != word + 6 && !*end;
  }
  return tensor_word(d, word, value);
}
