/* The snapshots of pages.h. */
#include "gdb/pages.h"

#include <stdlib.h>
#include <string.h>

static size_t pages_of(size_t bytes) { return (bytes + GDB_PAGE_BYTES - 1) / GDB_PAGE_BYTES; }

static size_t length_at(size_t bytes, size_t page) {
  size_t left = bytes - page * GDB_PAGE_BYTES;
  return left < GDB_PAGE_BYTES ? left : GDB_PAGE_BYTES;
}

static bool is_zero(const uint8_t *bytes, size_t length) {
  return bytes[0] == 0 && memcmp(bytes, bytes + 1, length - 1) == 0;
}

/* --- take --- */

/* The region of `base` with this key, from `*from` on: regions of two snapshots are in the same order; the later one may
 * have more. */
static const struct gdb_region *find_match(const struct gdb_snapshot *base, size_t *from, uint64_t key) {
  for (size_t i = *from; base && i < base->region_count; i++) {
    if (base->regions[i].key != key) continue;
    *from = i + 1;
    return &base->regions[i];
  }
  return NULL;
}

/* NULL: `*failed` distinguishes a page of zeros from lack of memory. */
static struct gdb_page *page_of(const uint8_t *bytes, size_t length, struct gdb_page *old, size_t *spent, bool *failed) {
  if (old && memcmp(old->bytes, bytes, length) == 0) {
    old->owners++;
    return old;
  }
  if (is_zero(bytes, length)) return NULL;
  struct gdb_page *page = malloc(sizeof *page);
  *failed = !page;
  if (!page) return NULL;
  page->owners = 1;
  memcpy(page->bytes, bytes, length);
  if (length < GDB_PAGE_BYTES) memset(page->bytes + length, 0, GDB_PAGE_BYTES - length);
  *spent += sizeof *page;
  return page;
}

/* `old`: the same region of `base`, or NULL. */
static bool take_region(struct gdb_snapshot *s, struct gdb_region *r, const struct gdb_snapshot *base,
                        const struct gdb_region *old, size_t *spent) {
  size_t count = pages_of(r->bytes), old_count = old ? pages_of(old->bytes) : 0;
  bool failed = false;
  r->first = s->page_count;
  for (size_t i = 0; i < count && !failed; i++) {
    struct gdb_page *page = i < old_count ? base->pages[old->first + i] : NULL;
    const uint8_t *bytes = (const uint8_t *)r->at + i * GDB_PAGE_BYTES;
    s->pages[s->page_count++] = page_of(bytes, length_at(r->bytes, i), page, spent, &failed);
  }
  return !failed;
}

static size_t own_bytes(const struct gdb_snapshot *s) {
  return s->page_count * sizeof *s->pages + s->region_count * sizeof *s->regions + sizeof *s;
}

size_t gdb_pages_take(struct gdb_snapshot *s, const struct gdb_region *regions, size_t count,
                      const struct gdb_snapshot *base) {
  size_t total = 0, spent = 0, from = 0;
  for (size_t i = 0; i < count; i++) total += pages_of(regions[i].bytes);
  memset(s, 0, sizeof *s);
  s->pages = calloc(total ? total : 1, sizeof *s->pages);
  s->regions = calloc(count ? count : 1, sizeof *s->regions);
  bool good = s->pages && s->regions;
  for (size_t i = 0; i < count && good; i++) {
    s->regions[i] = regions[i];
    s->region_count++;
    good = take_region(s, &s->regions[i], base, find_match(base, &from, regions[i].key), &spent);
  }
  if (!good) {
    gdb_pages_drop(s);
    return 0;
  }
  return spent + own_bytes(s);
}

/* --- put and drop --- */

void gdb_pages_put(const struct gdb_snapshot *s, size_t region, void *at) {
  size_t bytes = s->regions[region].bytes, first = s->regions[region].first;
  for (size_t i = 0; i < pages_of(bytes); i++) {
    const struct gdb_page *page = s->pages[first + i];
    uint8_t *to = (uint8_t *)at + i * GDB_PAGE_BYTES;
    size_t length = length_at(bytes, i);
    if (!page) {
      if (!is_zero(to, length)) memset(to, 0, length);
    } else if (memcmp(to, page->bytes, length) != 0) {
      memcpy(to, page->bytes, length);
    }
  }
}

size_t gdb_pages_drop(struct gdb_snapshot *s) {
  size_t freed = s->pages ? own_bytes(s) : 0;
  for (size_t i = 0; i < s->page_count; i++) {
    if (!s->pages[i] || --s->pages[i]->owners) continue;
    freed += sizeof *s->pages[i];
    free(s->pages[i]);
  }
  free(s->pages);
  free(s->regions);
  memset(s, 0, sizeof *s);
  return freed;
}
