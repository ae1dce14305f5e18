/* Snapshots as lists of pages: two snapshots share the pages that are equal, so one costs what has changed since the one before it. A page
 * of zeros costs nothing. */
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

/* A stretch of memory that is a part of the state. */
struct gdb_region {
  uint64_t key; /* the same stretch in every snapshot */
  void *at;
  size_t bytes;
  size_t first; /* of its pages in the snapshot */
};

struct gdb_snapshot {
  uint64_t cycle;
  bool pinned; /* the user changed the state here: running up to it does not give it */
  size_t region_count, page_count;
  struct gdb_region *regions;
  struct gdb_page **pages; /* of all regions, one after the other; NULL: zeros */
};

/* Copies the regions; pages that `base` (NULL: none) has in the same place are shared. The bytes of memory that this took; 0: there is
 * none, and nothing was made. */
size_t gdb_pages_take(struct gdb_snapshot *s, const struct gdb_region *regions, size_t count,
                      const struct gdb_snapshot *base);
/* Copies a region's pages to a place, which is written only where it differs. */
void gdb_pages_put(const struct gdb_snapshot *s, size_t region, void *at);
/* Gives the pages back; answers how many bytes that freed. */
size_t gdb_pages_drop(struct gdb_snapshot *s);

#endif
