/* The functions of an executable's DWARF with their code ranges, each with the chain of functions into which it is inlined. Shared
 * by the files of debug/. */
#ifndef TESSERA_DEBUG_FUNCTIONS_H
#define TESSERA_DEBUG_FUNCTIONS_H

#include "debug/dwarf.h"

#define DBG_DEPTH_MAX 64u /* depth of nested entries; deeper ones are skipped */

struct dbg_scope {
  struct dbg_die die;
  uint32_t number; /* number of functions so far, in the order of the section */
  bool open;       /* this level of the tree is a function */
};

struct dbg_walk {
  const struct dbg_dwarf *dwarf;
  struct dbg_unit unit;
  struct dbg_abbrevs abbrevs;
  struct dbg_line_unit lines;
  bool has_lines;
  struct dbg_scope scope[DBG_DEPTH_MAX];
  uint32_t depth; /* depth of the visited function in `scope` */
  uint32_t functions;
  uint32_t budget; /* ranges and entries that may still be read: bounds the work on a damaged file */
  void *context;
  void (*function)(struct dbg_walk *walk);                           /* scope[depth] */
  void (*range)(struct dbg_walk *walk, uint32_t low, uint32_t high); /* of that function */
};

/* Visits every function that has code. */
void dbg_walk_functions(struct dbg_walk *walk);
/* The nearest function around scope[depth]; `depth` when there is none. */
uint32_t dbg_walk_caller(const struct dbg_walk *walk, uint32_t depth);
/* Names of an entry: its own, or those of its abstract origin. */
void dbg_walk_names(struct dbg_walk *walk, const struct dbg_die *die, const char **name, const char **linkage);
/* The call site of the inlined function of this entry. */
bool dbg_walk_call_path(const struct dbg_walk *walk, const struct dbg_die *die, struct dbg_path *path);
/* The file that defines the function of this entry; false: not known. */
bool dbg_walk_own_path(struct dbg_walk *walk, const struct dbg_die *die, struct dbg_path *path);
bool dbg_walk_in_cxx(const struct dbg_walk *walk);

#endif
