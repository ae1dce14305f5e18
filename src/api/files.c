/* The executables of files.h. */
#include "api/files.h"

#include <stdlib.h>
#include <string.h>

#include "debug/elf.h"
#include "debug/kept.h"

static void *copy_of(const void *bytes, size_t size) {
  void *copy = malloc(size ? size : 1);
  if (copy && size) memcpy(copy, bytes, size);
  return copy;
}

static struct api_file *find(const struct api_file_pool *pool, const void *file, size_t size) {
  struct api_file *f = pool->first;
  while (f && (f->size != size || memcmp(f->given, file, size) != 0)) f = f->next;
  return f;
}

static void give_back(struct api_file *f) {
  if (f->given != f->bytes) free(f->given);
  free(f->lines.memory);
  dbg_kept_free(&f->lines);
  free(f->bytes);
  free(f);
}

/* A file that is no executable is kept as it is: the loader refuses it. */
static struct api_file *make(const void *file, size_t size) {
  char why[256];
  struct api_file *f = calloc(1, sizeof *f);
  if (!f) return NULL;
  f->size = size;
  f->given = f->bytes = copy_of(file, size);
  if (f->bytes && dbg_elf_open(&f->elf, f->bytes, size, why, sizeof why) && dbg_elf_clean_names(&f->elf, f->bytes))
    f->given = copy_of(file, size);
  if (f->bytes && f->given) return f;
  give_back(f);
  return NULL;
}

struct api_file *api_file_hold(struct api_file_pool *pool, const void *file, size_t size) {
  struct api_file *f = find(pool, file, size);
  if (!f) {
    f = make(file, size);
    if (!f) return NULL;
    f->pool = pool;
    f->next = pool->first;
    pool->first = f;
  }
  f->holders++;
  return f;
}

void api_file_drop(struct api_file *file) {
  if (!file || --file->holders) return;
  struct api_file **at = &file->pool->first;
  while (*at != file) at = &(*at)->next;
  *at = file->next;
  give_back(file);
}
