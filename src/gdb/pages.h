/* Snapshots as lists of pages: two snapshots share the pages that are equal, so a snapshot costs only the pages changed
 * since the one before it. A page of zeros costs nothing. */
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
};

struct gdb_snapshot {
  uint64_t cycle;
  bool pinned; /* the user changed the state here: a run up to this cycle does not reproduce it */
  size_t region_count, page_count;
  struct gdb_region *regions;
  struct gdb_page **pages; /* of all regions, one after the other; NULL: zeros */
};

/* Copies the regions; pages that `base` (NULL: none) has in the same place are shared. Returns the bytes of memory used; 0: out of memory,
 * no snapshot was made. */
size_t gdb_pages_take(struct gdb_snapshot *s, const struct gdb_region *regions, size_t count,
                      const struct gdb_snapshot *base);
/* Copies a region's pages to `at`, and writes only pages that differ. */
void gdb_pages_put(const struct gdb_snapshot *s, size_t region, void *at);
/* Frees the pages; returns the number of bytes freed. */
size_t gdb_pages_drop(struct gdb_snapshot *s);

#endif
