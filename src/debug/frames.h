/* Source positions with the chain of inlined calls, innermost first, and the frame that belongs to the user.
 *
 *   frame 0   tt_poll            kernels/include/tensix_io.h:80     inlined into
 *   frame 1   cb_wait_front      kernels/include/circular_buffer.h:120   inlined into
 *   frame 2   kernel_main        reader.c:14                         the user's frame; frame 1 is its library call
 *
 * The chain comes from DW_TAG_inlined_subroutine entries (ranges, abstract origins) and the line table; DWARF 2 to 5, sections
 * 3.3.8, 2.17 and 6.2. The function with the smallest code range around the address is the innermost one, as in binutils.
 * dbg_frames_find reads the sections at every call and needs no memory; dbg_index reads them once into the caller's memory, for
 * callers with many addresses. Not read: 64-bit DWARF, split units, variables, columns. */
#ifndef TESSERA_DEBUG_FRAMES_H
#define TESSERA_DEBUG_FRAMES_H

#include "debug/cover.h"
#include "debug/dwarf.h"

#define DBG_FRAMES_MAX 32u

struct dbg_frame {
  const char *function; /* NULL: not known */
  const char *linkage;  /* mangled name, NULL when the language or the entry has none */
  struct dbg_path path; /* file NULL: no line information */
  uint32_t line;
  bool in_cxx;                /* the unit's language mangles names */
  uint32_t instance;          /* of dbg_index_frames: 1 + index of the function, one for each place where it is inlined */
  const struct dbg_path *own; /* of dbg_index_frames: the file that defines the function; NULL: not known */
};

/* Number of frames written, at most `max`; 0: neither function nor line is known. Strings are inside the file's buffer. */
unsigned dbg_frames_find(const struct dbg_elf *elf, uint32_t address, struct dbg_frame *frames, unsigned max);

/* --- many questions --- */

struct dbg_index_row {
  uint32_t low, high, line;
  uint32_t path; /* into paths */
};
struct dbg_index_range {
  uint32_t low, high, function;
};
struct dbg_index_function {
  const char *name, *linkage;
  struct dbg_path call_path; /* of an inlined function: where it is called */
  struct dbg_path own;       /* file NULL: not known */
  uint32_t call_line;
  uint32_t caller; /* 1 + index of the function around it; 0: not inlined */
  bool in_cxx;
};
struct dbg_index {
  const struct dbg_elf *elf;
  struct dbg_index_row *rows;
  struct dbg_index_range *ranges;
  struct dbg_index_function *functions;
  struct dbg_path *paths;
  struct dbg_cover row_at, range_at; /* the first row and the shortest range at an address */
  uint32_t row_count, range_count, function_count, path_count;
};

/* The index of a file that several callers share: its owner fills it at the first question. */
struct dbg_lines {
  struct dbg_index index;
  void *memory;          /* NULL: not built */
  struct dbg_kept *kept; /* kept.h */
};

/* Reads all of the executable that an index needs, for what it uses of the limits. */
void dbg_index_measure(const struct dbg_elf *elf, struct dbg_work *work);
/* Counts what the index of this executable holds; returns the bytes that it needs. */
size_t dbg_index_bytes(struct dbg_index *index, const struct dbg_elf *elf);
/* Fills `memory` (aligned as malloc's) with what was counted. false: it is too small. */
bool dbg_index_build(struct dbg_index *index, void *memory, size_t bytes);
unsigned dbg_index_frames(const struct dbg_index *index, uint32_t address, struct dbg_frame *frames, unsigned max);

/* The addresses at which statements of the program begin, as its line tables state them. */
typedef void dbg_statement_fn(void *context, const struct dbg_path *path, uint32_t line, uint32_t address);
void dbg_statements(const struct dbg_elf *elf, dbg_statement_fn *fn, void *context);

/* --- paths, and library or user code --- */

/* "dir/file.c", from its parts; returns the length as snprintf does. */
int dbg_path_text(const struct dbg_path *path, char *text, size_t size);
const char *dbg_path_base(const struct dbg_path *path); /* "file.c" */
/* Does the file belong to a kernel library or its firmware, this project's or the vendor's? */
bool dbg_path_is_library(const struct dbg_path *path);
/* The innermost frame outside the library; `count` if all belong to the library. */
unsigned dbg_frames_user(const struct dbg_frame *frames, unsigned count);

#endif
