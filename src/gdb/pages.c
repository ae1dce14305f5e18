/* The snapshots of pages.h. */
#include "gdb/pages.h"

#include <stdlib.h>
#include <string.h>

#include "sim/assert.h"

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
static struct gdb_page *page_of(struct gdb_pool *pool, const uint8_t *bytes, size_t length, struct gdb_page *old,
                                bool *failed) {
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
  pool->bytes += sizeof *page;
  return page;
}

static bool is_same(const uint64_t *same, size_t page) { return same && same[page / 64] >> page % 64 & 1u; }

static bool equals(const struct gdb_page *page, const uint8_t *bytes, size_t length) {
  return page ? memcmp(page->bytes, bytes, length) == 0 : is_zero(bytes, length);
}

/* `old`: the same region of `base`, or NULL; `last`: of the pool's last one. */
static bool take_region(struct gdb_pool *pool, struct gdb_snapshot *s, struct gdb_region *r, const struct gdb_snapshot *base,
                        const struct gdb_region *old, const struct gdb_region *last) {
  size_t count = pages_of(r->bytes), old_count = old ? pages_of(old->bytes) : 0;
  bool failed = false;
  r->first = s->page_count;
  for (size_t i = 0; i < count && !failed; i++) {
    struct gdb_page *page = i < old_count ? base->pages[old->first + i] : NULL;
    const uint8_t *bytes = (const uint8_t *)r->at + i * GDB_PAGE_BYTES;
    if (last && is_same(r->same, i)) {
      page = pool->last.pages[last->first + i];
      sim_assert(equals(page, bytes, length_at(r->bytes, i)));
      if (page) page->owners++;
      s->pages[s->page_count++] = page;
      continue;
    }
    s->pages[s->page_count++] = page_of(pool, bytes, length_at(r->bytes, i), page, &failed);
  }
  return !failed;
}

static size_t own_bytes(const struct gdb_snapshot *s) {
  return s->page_count * sizeof *s->pages + s->region_count * sizeof *s->regions + sizeof *s;
}

static bool make_lists(struct gdb_snapshot *s, size_t regions, size_t pages) {
  memset(s, 0, sizeof *s);
  s->pages = calloc(pages ? pages : 1, sizeof *s->pages);
  s->regions = calloc(regions ? regions : 1, sizeof *s->regions);
  if (s->pages && s->regions) return true;
  free(s->pages);
  free(s->regions);
  memset(s, 0, sizeof *s);
  return false;
}

bool gdb_pages_take(struct gdb_pool *pool, struct gdb_snapshot *s, const struct gdb_region *regions, size_t count,
                    const struct gdb_snapshot *base) {
  size_t total = 0, from = 0, last = 0;
  for (size_t i = 0; i < count; i++) total += pages_of(regions[i].bytes);
  bool good = make_lists(s, count, total);
  if (!good) return false;
  for (size_t i = 0; i < count && good; i++) {
    s->regions[i] = regions[i];
    s->region_count++;
    good = take_region(pool, s, &s->regions[i], base, find_match(base, &from, regions[i].key),
                       find_match(&pool->last, &last, regions[i].key));
  }
  pool->bytes += own_bytes(s);
  if (!good) gdb_pages_drop(pool, s);
  return good;
}

/* --- put and drop --- */

/* The same region of the pool's last snapshot, which most often has it at the same place; NULL: none. */
static const struct gdb_region *last_of(const struct gdb_pool *pool, size_t region, uint64_t key) {
  size_t from = 0;
  if (region < pool->last.region_count && pool->last.regions[region].key == key) return &pool->last.regions[region];
  return find_match(&pool->last, &from, key);
}

void gdb_pages_put(const struct gdb_pool *pool, const struct gdb_snapshot *s, size_t region, void *at, uint64_t *same) {
  size_t bytes = s->regions[region].bytes, first = s->regions[region].first;
  const struct gdb_region *last = same ? last_of(pool, region, s->regions[region].key) : NULL;
  for (size_t i = 0; i < pages_of(bytes); i++) {
    const struct gdb_page *page = s->pages[first + i];
    uint8_t *to = (uint8_t *)at + i * GDB_PAGE_BYTES;
    size_t length = length_at(bytes, i);
    if (last && is_same(same, i) && pool->last.pages[last->first + i] == page) {
      sim_assert(equals(page, to, length));
      continue;
    }
    if (same) same[i / 64] &= ~(UINT64_C(1) << i % 64);
    if (equals(page, to, length)) continue;
    if (page) memcpy(to, page->bytes, length);
    else memset(to, 0, length);
  }
}

static void mark_same(const struct gdb_region *r) {
  for (size_t i = 0; i < pages_of(r->bytes); i++) r->same[i / 64] |= UINT64_C(1) << i % 64;
}

static void mark_unknown(const struct gdb_region *r) {
  memset(r->same, 0, (pages_of(r->bytes) + 63) / 64 * sizeof(uint64_t));
}

/* Out of memory: writes are not recorded, and the next snapshot compares all pages. */
void gdb_pages_sync(struct gdb_pool *pool, const struct gdb_snapshot *s, const struct gdb_region *regions) {
  struct gdb_snapshot copy;
  bool good = make_lists(&copy, s->region_count, s->page_count);
  for (size_t i = 0; i < s->region_count; i++)
    if (regions[i].same) (good ? mark_same : mark_unknown)(&regions[i]);
  if (!good) return;
  copy.region_count = s->region_count;
  copy.page_count = s->page_count;
  memcpy(copy.regions, s->regions, s->region_count * sizeof *s->regions);
  memcpy(copy.pages, s->pages, s->page_count * sizeof *s->pages);
  for (size_t i = 0; i < copy.page_count; i++)
    if (copy.pages[i]) copy.pages[i]->owners++;
  gdb_pages_drop(pool, &pool->last);
  pool->last = copy;
  pool->bytes += own_bytes(&copy);
}

bool gdb_pages_read(const struct gdb_snapshot *s, const void *at, size_t offset, void *bytes, size_t length) {
  const struct gdb_region *r = s->regions, *end = s->regions + s->region_count;
  while (r < end && r->at != at) r++;
  if (r == end || offset + length > r->bytes) return false;
  for (size_t i = 0; i < length; i++) {
    const struct gdb_page *page = s->pages[r->first + (offset + i) / GDB_PAGE_BYTES];
    ((uint8_t *)bytes)[i] = page ? page->bytes[(offset + i) % GDB_PAGE_BYTES] : 0;
  }
  return true;
}

void gdb_pages_drop(struct gdb_pool *pool, struct gdb_snapshot *s) {
  if (s->pages) pool->bytes -= own_bytes(s);
  for (size_t i = 0; i < s->page_count; i++) {
    if (!s->pages[i] || --s->pages[i]->owners) continue;
    pool->bytes -= sizeof *s->pages[i];
    free(s->pages[i]);
  }
  free(s->pages);
  free(s->regions);
  memset(s, 0, sizeof *s);
}

void gdb_pages_free(struct gdb_pool *pool) { gdb_pages_drop(pool, &pool->last); }
