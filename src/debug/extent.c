/* The extents of extent.h. Encodings: the RISC-V unprivileged ISA, chapter 2.5. */
#include "debug/extent.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debug/symbols.h"

enum { OP_BRANCH = 0x63, OP_JALR = 0x67, OP_JAL = 0x6f, RA = 1, T0 = 5 };

/* --- as text --- */

static bool read_line(const char *text, const char *end_at, uint32_t *line) {
  char *end;
  if (*text < '0' || *text > '9') return false;
  unsigned long value = strtoul(text, &end, 10);
  *line = (uint32_t)value;
  return end == end_at && value && value <= UINT32_MAX;
}

static bool read_lines(const char *text, struct dbg_extent *out) {
  const char *end = text + strlen(text), *dash = strchr(text, '-');
  if (!read_line(text, dash ? dash : end, &out->first)) return false;
  out->last = out->first;
  return !dash || (read_line(dash + 1, end, &out->last) && out->last >= out->first);
}

bool dbg_extent_parse(const char *text, struct dbg_extent *out) {
  const char *colon = strrchr(text, ':');
  size_t length = colon ? (size_t)(colon - text) : strlen(text);
  *out = (struct dbg_extent){.first = 0};
  if (!length || length >= sizeof out->name || (colon && !read_lines(colon + 1, out))) return false;
  memcpy(out->name, text, length);
  return true;
}

int dbg_extent_text(const struct dbg_extent *e, char *text, size_t size) {
  if (!e->first) return snprintf(text, size, "%s", e->name);
  if (e->first == e->last) return snprintf(text, size, "%s:%u", e->name, e->first);
  return snprintf(text, size, "%s:%u-%u", e->name, e->first, e->last);
}

/* --- instructions --- */

bool dbg_extent_has(const struct dbg_extent *e, const struct dbg_frame *frames, unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    const struct dbg_frame *f = &frames[i];
    if (!e->first && f->function && strcmp(f->function, e->name) == 0) return true;
    if (e->first && f->line >= e->first && f->line <= e->last && f->path.file &&
        strcmp(dbg_path_base(&f->path), e->name) == 0)
      return true;
  }
  return false;
}

bool dbg_counts_pages(const struct dbg_frame *frames, unsigned count) {
  static const char *const names[] = {"reserve_back", "push_back",     "wait_front",
                                      "pop_front",    "cb_wait_known", "cb_reserve_known"};
  for (unsigned i = 0; i < count; i++)
    for (unsigned n = 0; frames[i].function && n < sizeof names / sizeof names[0]; n++)
      if (strstr(frames[i].function, names[n])) return true;
  return false;
}

static unsigned find_hand_over(const struct dbg_hand_overs *h, const struct dbg_frame *f) {
  unsigned i = 0;
  while (i < h->count && (h->at[i].line != f->line || strcmp(h->at[i].file, dbg_path_base(&f->path)) != 0)) i++;
  return i;
}

void dbg_hand_overs_add(struct dbg_hand_overs *h, const struct dbg_frame *frames, unsigned count) {
  const unsigned user = dbg_frames_user(frames, count);
  if (!dbg_counts_pages(frames, count) || user >= count || !frames[user].path.file) return;
  if (h->count == DBG_HAND_OVERS || find_hand_over(h, &frames[user]) < h->count) return;
  h->at[h->count].file = dbg_path_base(&frames[user].path);
  h->at[h->count++].line = frames[user].line;
}

bool dbg_hand_overs_have(const struct dbg_hand_overs *h, const struct dbg_frame *frames, unsigned count) {
  if (dbg_counts_pages(frames, count)) return true;
  return count && frames[0].path.file && find_hand_over(h, &frames[0]) < h->count;
}

static uint32_t jump_target(uint32_t address, uint32_t word) {
  uint32_t offset = (word >> 21 & 0x3ffu) << 1 | (word >> 20 & 1u) << 11 | (word >> 12 & 0xffu) << 12;
  return address + offset - (word >> 31 ? 1u << 20 : 0);
}

static uint32_t branch_target(uint32_t address, uint32_t word) {
  uint32_t offset = (word >> 8 & 15u) << 1 | (word >> 25 & 63u) << 5 | (word >> 7 & 1u) << 11;
  return address + offset - (word >> 31 ? 1u << 12 : 0);
}

static uint32_t function_of(const struct dbg_elf *elf, uint32_t address) {
  uint32_t offset = 0;
  return dbg_symbol_at(elf, address, &offset) ? address - offset : UINT32_MAX;
}

bool dbg_is_call(const struct dbg_elf *elf, uint32_t address, uint32_t word, uint32_t *target) {
  uint32_t link = word >> 7 & 31u;
  bool links = link == RA || link == T0;
  *target = (word & 0x7fu) == OP_JAL ? jump_target(address, word) : 0;
  if ((word & 0x7fu) == OP_JALR) return links;
  if ((word & 0x7fu) != OP_JAL) return false;
  return links || (!link && function_of(elf, *target) != function_of(elf, address));
}

bool dbg_is_return(uint32_t word) { return (word & 0xfffffu) == (RA << 15 | OP_JALR); }

bool dbg_jumps(uint32_t address, uint32_t word, uint32_t *target) {
  if ((word & 0x7fu) == OP_BRANCH) *target = branch_target(address, word);
  else if ((word & 0xfffu) == OP_JAL) *target = jump_target(address, word); /* no link */
  else return false;
  return true;
}

bool dbg_jumps_back(uint32_t address, uint32_t word, uint32_t *target) {
  return dbg_jumps(address, word, target) && *target <= address;
}
