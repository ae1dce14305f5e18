/* The functions of an executable's DWARF with their code ranges, each with the chain of functions into which it is inlined. Shared
 * by the files of debug/. */
#ifndef TESSERA_DEBUG_FUNCTIONS_H
#define TESSERA_DEBUG_FUNCTIONS_H

#include "debug/lines.h"

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
  struct dbg_files files; /* of this unit */
  /* The unit that held the last origin outside this one (after LTO most have one): the next is often in it too. */
  struct dbg_unit other;
  struct dbg_abbrevs other_abbrevs;
  struct dbg_scope scope[DBG_DEPTH_MAX];
  uint32_t depth; /* depth of the visited function in `scope` */
  uint32_t functions;
  void *context;
  void (*function)(struct dbg_walk *walk);                           /* scope[depth] */
  void (*range)(struct dbg_walk *walk, uint32_t low, uint32_t high); /* of that function */
};

/* Visits every function that has code, up to the limits of limits.h. */
void dbg_walk_functions(struct dbg_walk *walk);
/* The nearest function around scope[depth]; `depth` when there is none. */
uint32_t dbg_walk_caller(const struct dbg_walk *walk, uint32_t depth);
/* Names of an entry: its own, or those of its abstract origin. */
void dbg_walk_names(struct dbg_walk *walk, const struct dbg_die *die, const char **name, const char **linkage);
/* The call site of the inlined function of this entry. */
bool dbg_walk_call_path(struct dbg_walk *walk, const struct dbg_die *die, struct dbg_path *path);
/* The file that defines the function of this entry; false: not known. */
bool dbg_walk_own_path(struct dbg_walk *walk, const struct dbg_die *die, struct dbg_path *path);
bool dbg_walk_in_cxx(const struct dbg_walk *walk);

#endif
