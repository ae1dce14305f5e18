/* Where functions begin: at their symbols, and where the compiler has inlined them. A kernel_main that is inlined into the entry code of
 * the kernel library keeps its symbol, because it is global, but no core ever reaches it. */
#ifndef TESSERA_DEBUG_ENTRY_H
#define TESSERA_DEBUG_ENTRY_H

#include "debug/elf.h"

#define DBG_ENTRIES 16u /* of one function: later ones are left out */

/* The addresses at which the function begins, each once: that of its symbol, as it is or as those of C++ functions with that name,
 * of the copies that the compiler has made of it, and of each place where it is inlined (DWARF 5, sections 3.3.8 and 2.18). */
unsigned dbg_entries_find(const struct dbg_elf *elf, const char *name, uint32_t entries[DBG_ENTRIES]);

/* The address at which the program's kernel_main begins: that of its symbol if the code jumps or branches there, else that of its first
 * inlined instance, else that of its symbol. */
bool dbg_kernel_find(const struct dbg_elf *elf, uint32_t *address);
/* The addresses for a name that a user gives: that of kernel_main, or those of dbg_entries_find; and the first of them. */
unsigned dbg_names_find(const struct dbg_elf *elf, const char *name, uint32_t entries[DBG_ENTRIES]);
bool dbg_name_find(const struct dbg_elf *elf, const char *name, uint32_t *address);

#endif
