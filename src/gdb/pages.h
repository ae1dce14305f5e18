/* Snapshots as lists of pages: two snapshots share the pages that are equal, so a snapshot costs only the pages changed
 * since the one before it. A page of zeros costs nothing. Where the memory notes its writes (`same`), unwritten pages are not compared. */
#ifndef TESSERA_GDB_PAGES_H
#define TESSERA_GDB_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GDB_PAGE_BYTES 4096u

struct gdb_page {
  uint32_t owners;
  uint32_t pad;
  uint8_t bytes[GDB_PAGE_BYTES];
};

/* A range of memory that is part of the state. */
struct gdb_region {
  uint64_t key; /* identifies the range in every snapshot */
  void *at;
  size_t bytes;
  size_t first; /* index of its first page in the snapshot */
  /* one bit per page: not written since gdb_pages_sync; NULL: not known. Each write clears the bit of its page */
  uint64_t *same;
};

struct gdb_snapshot {
  uint64_t cycle;
  bool pinned; /* the user changed the state here: a run up to this cycle does not reproduce it */
  size_t region_count, page_count;
  struct gdb_region *regions;
  struct gdb_page **pages; /* of all regions, one after the other; NULL: zeros */
};

/* All snapshots of a machine. */
struct gdb_pool {
  size_t bytes;             /* that they take */
  struct gdb_snapshot last; /* the machine's memory where `same` is set */
};

/* Copies the regions; pages that `base` (NULL: none) has at the same address are shared. false: out of memory, no snapshot
 * was made. */
bool gdb_pages_take(struct gdb_pool *pool, struct gdb_snapshot *s, const struct gdb_region *regions, size_t count,
                    const struct gdb_snapshot *base);
/* Copies a region's pages to `at`, and writes only pages that differ. */
void gdb_pages_put(const struct gdb_pool *pool, const struct gdb_snapshot *s, size_t region, void *at, uint64_t *same);
/* The machine's memory equals the snapshot: from here on `same` records writes. `regions`: its present addresses. */
void gdb_pages_sync(struct gdb_pool *pool, const struct gdb_snapshot *s, const struct gdb_region *regions);
/* Bytes of the region that was at `at` when the snapshot was taken; false: there is none. */
bool gdb_pages_read(const struct gdb_snapshot *s, const void *at, size_t offset, void *bytes, size_t length);
void gdb_pages_drop(struct gdb_pool *pool, struct gdb_snapshot *s);
void gdb_pages_free(struct gdb_pool *pool); /* after all snapshots */

#endif
