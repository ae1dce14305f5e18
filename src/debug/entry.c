/* The lookups of entry.h. */
#include "debug/entry.h"

#include <stdio.h>
#include <string.h>

#include "debug/demangle.h"
#include "debug/extent.h"
#include "debug/functions.h"
#include "debug/symbols.h"

#define KERNEL "kernel_main"
#define KERNEL_MANGLED "_Z11kernel_mainv"

struct search {
  const char *name, *mangled;
  uint32_t *entries;
  unsigned count;
  bool given; /* the entry of the visited function */
};

static void add(struct search *s, uint32_t entry) {
  unsigned i = 0;
  while (i < s->count && s->entries[i] != entry) i++;
  if (i == s->count && s->count < DBG_ENTRIES) s->entries[s->count++] = entry;
}

/* --- inlined instances --- */

/* Of C++ the readable name as well. */
static bool is_linkage(const struct search *s, const char *linkage) {
  char readable[512];
  if (strcmp(linkage, s->name) == 0) return true;
  return strchr(s->name, ':') && dbg_demangle(linkage, readable, sizeof readable) && strcmp(readable, s->name) == 0;
}

static void on_function(struct dbg_walk *w) {
  struct search *s = w->context;
  const struct dbg_die *die = &w->scope[w->depth].die;
  const char *name, *linkage;
  s->given = true;
  if (!die->has_low && !die->has_ranges) return; /* no code */
  dbg_walk_names(w, die, &name, &linkage);
  if ((!name || strcmp(name, s->name) != 0) && (!linkage || !is_linkage(s, linkage))) return;
  s->given = die->has_entry && !die->entry_relative;
  if (s->given) add(s, die->entry);
}

/* Without an address of its own the entry is relative to the first range. */
static void on_range(struct dbg_walk *w, uint32_t low, uint32_t high) {
  struct search *s = w->context;
  const struct dbg_die *die = &w->scope[w->depth].die;
  (void)high;
  if (!s->given) add(s, low + (die->has_entry ? die->entry : 0));
  s->given = true;
}

static bool contains(struct dbg_bytes bytes, const char *name, size_t size) {
  const unsigned char *at = bytes.data, *end = at + bytes.size;
  while (at && (size_t)(end - at) >= size && (at = memchr(at, name[0], (size_t)(end - at) - size + 1)) != NULL) {
    if (memcmp(at, name, size) == 0) return true;
    at++;
  }
  return false;
}

/* Most names that are looked up are of no function: a walk over all functions takes much longer than a search of their names. */
static void find_inlined(struct search *s, const struct dbg_elf *elf) {
  struct dbg_dwarf d;
  struct dbg_work work = {.used = {0}};
  struct dbg_walk walk = {.dwarf = &d, .context = s, .function = on_function, .range = on_range};
  dbg_dwarf_open(&d, elf, &work);
  const char *part = s->name;
  size_t size = strlen(part) + 1; /* the whole name with its end; of a qualified one what its linkage name has too */
  if (strchr(s->name, ':')) size = dbg_last_part(s->name, &part);
  if (size && (contains(d.str, part, size) || contains(d.info, part, size))) dbg_walk_functions(&walk);
}

/* --- symbols --- */

static void find_symbols(struct search *s, const struct dbg_elf *elf) {
  uint32_t address;
  size_t at = 0;
  if (dbg_symbol_find(elf, s->name, &address) || dbg_symbol_find_copy(elf, s->name, &address) ||
      dbg_symbol_find_copy(elf, s->mangled, &address))
    add(s, address);
  if (!s->count)
    while (dbg_symbol_next_readable(elf, s->name, &at, &address)) add(s, address);
}

unsigned dbg_entries_find(const struct dbg_elf *elf, const char *name, uint32_t entries[DBG_ENTRIES]) {
  char mangled[320];
  struct search s = {.name = name, .mangled = mangled, .entries = entries};
  snprintf(mangled, sizeof mangled, "_Z%zu%sv", strlen(name), name);
  find_symbols(&s, elf);
  find_inlined(&s, elf);
  return s.count;
}

/* --- the kernel --- */

enum { OP_JAL = 0x6f };
#define LINK 0xf80u /* the field of the link register */

static bool is_jump(uint32_t word) { return (word & 0x7fu) == OP_JAL; }

/* Does an instruction of another function jump, branch or call there? */
static bool is_target(const struct dbg_elf *elf, uint32_t function) {
  struct dbg_segment s;
  uint32_t target, offset;
  for (unsigned n = 0; dbg_elf_segment(elf, n, &s); n++)
    for (uint32_t at = 0; s.executable && at + 4 <= s.bytes.size; at += 4) {
      const uint32_t address = s.run_address + at;
      const uint32_t word = dbg_u32(s.bytes, at), unlinked = is_jump(word) ? word & ~LINK : word;
      if (!dbg_jumps(address, unlinked, &target) || target != function) continue;
      if (!dbg_symbol_at(elf, address, &offset) || address - offset != function) return true;
    }
  return false;
}

bool dbg_kernel_find(const struct dbg_elf *elf, uint32_t *address) {
  uint32_t entries[DBG_ENTRIES];
  struct search s = {.name = KERNEL, .mangled = KERNEL_MANGLED, .entries = entries};
  find_symbols(&s, elf);
  const unsigned symbols = s.count;
  if (symbols && is_target(elf, entries[0])) {
    *address = entries[0];
    return true;
  }
  find_inlined(&s, elf);
  if (s.count) *address = entries[s.count > symbols ? symbols : 0];
  return s.count != 0;
}

unsigned dbg_names_find(const struct dbg_elf *elf, const char *name, uint32_t entries[DBG_ENTRIES]) {
  if (strcmp(name, KERNEL) == 0 || strcmp(name, KERNEL_MANGLED) == 0) return dbg_kernel_find(elf, &entries[0]);
  return dbg_entries_find(elf, name, entries);
}

bool dbg_name_find(const struct dbg_elf *elf, const char *name, uint32_t *address) {
  uint32_t entries[DBG_ENTRIES];
  if (strcmp(name, KERNEL) != 0 && dbg_symbol_find(elf, name, address)) return true; /* without a walk over all functions */
  if (!dbg_names_find(elf, name, entries)) return false;
  *address = entries[0];
  return true;
}
