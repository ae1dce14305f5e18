/* The snapshots of pages.h. */
#include "gdb/pages.h"

#include <stdlib.h>
#include <string.h>

static size_t pages_of(size_t bytes) { return (bytes + GDB_PAGE_BYTES - 1) / GDB_PAGE_BYTES; }

static size_t length_at(const struct gdb_region *r, size_t page) {
  size_t left = r->bytes - page * GDB_PAGE_BYTES;
  return left < GDB_PAGE_BYTES ? left : GDB_PAGE_BYTES;
}

/* The page of `base` at this place, if it may be shared. */
static struct gdb_page *shared(const struct gdb_snapshot *base, size_t index, const void *bytes, size_t length) {
  if (!base || index >= base->page_count) return NULL;
  struct gdb_page *page = base->pages[index];
  return memcmp(page->bytes, bytes, length) == 0 ? page : NULL;
}

static bool same_shape(const struct gdb_snapshot *base, const struct gdb_region *regions, unsigned count) {
  for (unsigned i = 0; i < count && i + 1 < GDB_REGIONS; i++) /* the last may have another length */
    if (base->region[i].bytes != regions[i].bytes) return false;
  return true;
}

size_t gdb_pages_take(struct gdb_snapshot *s, const struct gdb_region *regions, unsigned count,
                      const struct gdb_snapshot *base) {
  size_t total = 0, index = 0;
  for (unsigned i = 0; i < count; i++) total += pages_of(regions[i].bytes);
  size_t spent = total * sizeof *s->pages + sizeof *s;
  memset(s, 0, sizeof *s);
  s->pages = calloc(total ? total : 1, sizeof *s->pages);
  if (!s->pages) return 0;
  if (base && (!base->pages || !same_shape(base, regions, count))) base = NULL;
  for (unsigned i = 0; i < count; i++) {
    s->region[i] = regions[i];
    for (size_t page = 0; page < pages_of(regions[i].bytes); page++, index++) {
      const uint8_t *bytes = (const uint8_t *)regions[i].at + page * GDB_PAGE_BYTES;
      size_t length = length_at(&regions[i], page);
      struct gdb_page *p = shared(base, index, bytes, length);
      if (!p) {
        p = malloc(sizeof *p);
        if (!p) {
          gdb_pages_drop(s);
          return 0;
        }
        p->owners = 0;
        memcpy(p->bytes, bytes, length);
        if (length < GDB_PAGE_BYTES) memset(p->bytes + length, 0, GDB_PAGE_BYTES - length);
        spent += sizeof *p;
      }
      p->owners++;
      s->pages[s->page_count++] = p;
    }
  }
  return spent;
}

void gdb_pages_put(const struct gdb_snapshot *s, const struct gdb_region *regions, unsigned count) {
  size_t index = 0;
  for (unsigned i = 0; i < count; i++)
    for (size_t page = 0; page < pages_of(regions[i].bytes) && index < s->page_count; page++, index++)
      memcpy((uint8_t *)regions[i].at + page * GDB_PAGE_BYTES, s->pages[index]->bytes, length_at(&regions[i], page));
}

size_t gdb_pages_drop(struct gdb_snapshot *s) {
  size_t freed = s->pages ? s->page_count * sizeof *s->pages + sizeof *s : 0;
  for (size_t i = 0; i < s->page_count; i++) {
    if (--s->pages[i]->owners) continue;
    freed += sizeof *s->pages[i];
    free(s->pages[i]);
  }
  free(s->pages);
  memset(s, 0, sizeof *s);
  return freed;
}
