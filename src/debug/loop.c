/* The loops of loop.h. The header of a natural loop dominates the jumps that end it: without the header no path leads there from the
 * function's start. */
#include "debug/loop.h"

#include <string.h>

#include "debug/source.h"
#include "debug/symbols.h"

enum { OP_JALR = 0x67, OP_JAL = 0x6f };

struct function {
  const struct dbg_elf *elf;
  struct dbg_segment segment;
  uint32_t first, end;
};

struct marks {
  uint32_t bit[DBG_LOOP_INSTRUCTIONS / 32];
};

static bool is_marked(const struct marks *m, const struct function *f, uint32_t address) {
  uint32_t i = (address - f->first) / 4u;
  return address >= f->first && address < f->end && m->bit[i / 32u] >> (i % 32u) & 1u;
}

static bool mark(struct marks *m, const struct function *f, uint32_t address) {
  if (address < f->first || address >= f->end || is_marked(m, f, address)) return false;
  uint32_t i = (address - f->first) / 4u;
  m->bit[i / 32u] |= 1u << (i % 32u);
  return true;
}

static uint32_t start_of(const struct dbg_elf *elf, uint32_t address) {
  uint32_t offset = 0;
  return dbg_symbol_at(elf, address, &offset) ? address - offset : UINT32_MAX;
}

static bool open_function(const struct dbg_elf *elf, uint32_t address, struct function *out) {
  bool found = false;
  *out = (struct function){.elf = elf, .first = start_of(elf, address)};
  for (unsigned n = 0; !found && dbg_elf_segment(elf, n, &out->segment); n++)
    found = out->segment.executable && address - out->segment.run_address < out->segment.bytes.size;
  if (!found || out->first == UINT32_MAX || out->first < out->segment.run_address) return false;
  uint32_t low = address, high = out->segment.run_address + (uint32_t)out->segment.bytes.size / 4u * 4u;
  while (high - low > 4) { /* low is in the function, high is not */
    uint32_t middle = low + (high - low) / 8u * 4u;
    if (start_of(elf, middle) == out->first) low = middle;
    else high = middle;
  }
  out->end = low + 4;
  return out->end - out->first <= 4 * DBG_LOOP_INSTRUCTIONS;
}

static uint32_t word_at(const struct function *f, uint32_t address) {
  return dbg_u32(f->segment.bytes, address - f->segment.run_address);
}

struct next {
  uint32_t to[2];
  unsigned count;
};

/* What follows an instruction; nothing follows a return. A call returns to the next one. */
static struct next next_of(const struct function *f, uint32_t address) {
  uint32_t word = word_at(f, address), target;
  struct next next = {.to = {address + 4}, .count = 1};
  if (dbg_is_call(f->elf, address, word, &target)) next.count = (word >> 7 & 31u) != 0;
  else if ((word & 0x7fu) == OP_JALR) next.count = 0;
  else if (dbg_jumps(address, word, &target)) {
    if ((word & 0x7fu) == OP_JAL) next.to[0] = target;
    else next.to[next.count++] = target;
  }
  return next;
}

static bool returns(const struct function *caller, uint32_t function);

static bool is_end(const struct function *f, uint32_t address) {
  uint32_t target;
  return dbg_is_call(f->elf, address, word_at(f, address), &target) && target && !returns(f, target);
}

/* Marks what can be reached from the function's start without passing `without` (0: no such instruction). */
static void reach(const struct function *f, uint32_t without, bool calls_end, struct marks *out) {
  bool changed = true;
  memset(out, 0, sizeof *out);
  mark(out, f, f->first);
  while (changed) {
    changed = false;
    for (uint32_t at = f->first; at < f->end; at += 4) {
      if (at == without || !is_marked(out, f, at)) continue;
      const struct next next = next_of(f, at);
      if (calls_end && next.count && !is_marked(out, f, at + 4) && is_end(f, at)) continue;
      for (unsigned i = 0; i < next.count; i++) changed = mark(out, f, next.to[i]) || changed;
    }
  }
}

/* A function that stops the kernel has no instruction that leaves it. */
static bool returns(const struct function *caller, uint32_t function) {
  struct function f;
  struct marks reached;
  if (!open_function(caller->elf, function, &f) || f.first != function) return true;
  reach(&f, 0, false, &reached);
  for (uint32_t at = f.first; at < f.end; at += 4)
    if (is_marked(&reached, &f, at) && (next_of(&f, at).count == 0 || ((word_at(&f, at) & 0x7fu) == OP_JALR))) return true;
  return false;
}

/* Grows the loop from the instructions that lead to its first one. */
static void fill(const struct function *f, const struct marks *reached, const struct marks *without, uint32_t first,
                 struct marks *in) {
  bool changed = true;
  mark(in, f, first);
  while (changed) {
    changed = false;
    for (uint32_t at = f->end; at > f->first;) {
      at -= 4;
      if (!is_marked(reached, f, at) || is_marked(without, f, at) || is_marked(in, f, at)) continue;
      const struct next next = next_of(f, at);
      for (unsigned i = 0; i < next.count; i++)
        if (is_marked(in, f, next.to[i])) changed = mark(in, f, at) || changed;
    }
  }
}

bool dbg_loop_of(const struct dbg_elf *elf, uint32_t address, struct dbg_loop *out) {
  struct function f;
  struct marks reached, without, in;
  uint32_t target;
  if (!open_function(elf, address, &f) || !dbg_jumps_back(address, word_at(&f, address), &target) || target < f.first)
    return false;
  *out = (struct dbg_loop){.first = target, .function = f.first, .end = f.end};
  reach(&f, 0, true, &reached);
  reach(&f, target, true, &without);
  memset(&in, 0, sizeof in);
  if (!is_marked(&reached, &f, address)) { /* behind an indirect jump */
    for (uint32_t at = target; at <= address; at += 4) mark(&in, &f, at);
  } else {
    if (address != target && is_marked(&without, &f, address)) return false;
    fill(&f, &reached, &without, out->first, &in);
  }
  memcpy(out->inside, in.bit, sizeof in.bit);
  for (uint32_t at = f.first; at < f.end; at += 4) out->count += is_marked(&in, &f, at);
  return true;
}

bool dbg_loop_around(const struct dbg_elf *elf, uint32_t address, struct dbg_loop *out) {
  struct function f;
  struct dbg_loop loop;
  uint32_t target;
  out->count = 0;
  if (!open_function(elf, address, &f)) return false;
  for (uint32_t at = f.first; at < f.end; at += 4) {
    if (!dbg_jumps_back(at, word_at(&f, at), &target) || !dbg_loop_of(elf, at, &loop)) continue;
    if (dbg_loop_has(&loop, address) && (!out->count || loop.count < out->count)) *out = loop;
  }
  return out->count != 0;
}

static bool is_of_extent(const struct dbg_index *index, const struct dbg_extent *extent, const struct dbg_loop *loop) {
  struct dbg_frame frames[DBG_FRAMES_MAX];
  uint32_t own = 0;
  for (uint32_t at = loop->function; at < loop->end; at += 4)
    own += dbg_loop_has(loop, at) && dbg_extent_has(extent, frames, dbg_index_frames(index, at, frames, DBG_FRAMES_MAX));
  return 4 * own >= 3 * loop->count;
}

bool dbg_loop_of_extent(const struct dbg_index *index, const struct dbg_extent *extent, struct dbg_loop *out) {
  struct dbg_segment segment;
  struct dbg_loop loop;
  out->count = 0;
  for (unsigned n = 0; index->elf && dbg_elf_segment(index->elf, n, &segment); n++)
    for (uint32_t at = 0; segment.executable && at + 4 <= segment.bytes.size; at += 4) {
      const uint32_t address = segment.run_address + at;
      uint32_t target;
      if (!dbg_jumps_back(address, dbg_u32(segment.bytes, at), &target) || !dbg_loop_of(index->elf, address, &loop))
        continue;
      if (loop.count > out->count && is_of_extent(index, extent, &loop)) *out = loop;
    }
  return out->count != 0;
}
