/* Names of addresses, and addresses of names, from an executable's symbol table (System V gABI). Read in place, on demand and without
 * allocation: lookups occur when a report is written, not during a run. */
#ifndef TESSERA_DEBUG_SYMBOLS_H
#define TESSERA_DEBUG_SYMBOLS_H

#include "debug/elf.h"

/* The function that covers `address`, else the nearest label below it, and the offset of the address from it; NULL: no symbol covers
 * it, or it lies outside the program's code. The string is inside the file's buffer. */
const char *dbg_symbol_at(const struct dbg_elf *elf, uint32_t address, uint32_t *offset);
/* The value of the symbol with this name. */
bool dbg_symbol_find(const struct dbg_elf *elf, const char *name, uint32_t *address);
/* The same by the demangled name of a C++ function: "ns::wait<7u>". Overloads have one name: the search goes on from `*at`, first 0. */
bool dbg_symbol_next_readable(const struct dbg_elf *elf, const char *name, size_t *at, uint32_t *address);
/* The last part of a C++ name, which its mangled form contains too, and its length: "wait" of "ns::Gate<7u>::wait<int>". */
size_t dbg_last_part(const char *name, const char **from);
/* That of the first copy of the function that the compiler has made: "NAME.constprop.0", "NAME.isra.0", "NAME.part.0". */
bool dbg_symbol_find_copy(const struct dbg_elf *elf, const char *name, uint32_t *address);

/* Symbols of the table, read or not (DBG_SYMBOLS_MAX). */
size_t dbg_symbol_count(const struct dbg_elf *elf);

/* The variable that holds `address`, or NULL. */
const char *dbg_object_find(const struct dbg_elf *elf, uint32_t address);

#endif
