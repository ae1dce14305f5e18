/* The list of inflight.h. Reported (L1_RACE): L1 written while an UNPACR streams it, or read before a PACR has drained. */
#include "tensix/mem/inflight.h"

#include <string.h>

#include "noc/port.h"
#include "tensix/machine.h"

static uint32_t end_of(const struct tx_range *r) { return r->base + (r->rows - 1) * r->stride + r->width; }

/* Does [address, address + length) overlap a piece of the range? */
static bool meets(const struct tx_range *r, uint32_t address, uint32_t length) {
  uint64_t end = (uint64_t)address + length;
  if (!length || end <= r->base || address >= end_of(r)) return false;
  if (r->rows == 1 || !r->stride) return true;
  uint32_t row = address > r->base ? (address - r->base) / r->stride : 0; /* the last piece that begins at or before it */
  uint64_t piece = r->base + (uint64_t)row * r->stride;
  if (address < piece + r->width && end > piece) return true;
  return row + 1 < r->rows && end > piece + r->stride;
}

static bool ranges_meet(const struct tx_range *a, const struct tx_range *b) {
  for (uint32_t row = 0; row < b->rows; row++)
    if (meets(a, b->base + row * b->stride, b->width)) return true;
  return false;
}

static void report(struct tx_tile *t, const struct tx_range *r, uint32_t address, bool write) {
  const char *name = r->word ? tx_ops[r->word >> 24].name : r->unit == TX_UNIT_MOVER ? "TDMA-RISC" : "the NoC";
  if (r->write >= NOC_CLAIM_COPY) name = "the tile's own copy of what it has sent"; /* nothing has waited for it */
  struct tx_side other = {.agent = r->agent, .pc = r->pc, .word = r->word};
  tx_diag_pair(t, TX_DIAG_L1_RACE, &other, "0x%x %s while %s %s 0x%x..0x%x", address, write ? "written" : "read", name,
               r->write ? "writes" : "reads", r->base, end_of(r) - 1);
}

/* The tile's copy of what it has sent itself races with what its own agents do; of packets from elsewhere the checkers decide. */
static bool races(const struct tx_tile *t, const struct tx_range *r, bool write) {
  if (r->write < NOC_CLAIM_COPY) return write || r->write;
  return t->current.agent != TX_AGENT_NETWORK && (write || r->write == NOC_CLAIM_COPY);
}

static uint64_t ranges(const struct tx_inflight *list) { return list->used & ~TX_INFLIGHT_WATCHED; }

static void show(struct tx_tile *t, const struct tx_range *range) {
  if (t->inflight.used & TX_INFLIGHT_WATCHED) t->unsaved.ports->l1_access(t, range);
}

void tx_inflight_check(struct tx_tile *t, uint32_t address, uint32_t length, bool write) {
  if (t->inflight.used & TX_INFLIGHT_WATCHED) {
    struct tx_range range = {.base = address,
                             .width = length,
                             .rows = 1,
                             .word = t->current.word,
                             .pc = t->current.pc,
                             .agent = (uint16_t)t->current.agent,
                             .unit = (uint8_t)t->current.unit,
                             .write = write};
    show(t, &range);
  }
  for (uint64_t left = ranges(&t->inflight); left; left &= left - 1) {
    const struct tx_range *r = &t->inflight.range[__builtin_ctzll(left)];
    if (races(t, r, write) && meets(r, address, length)) {
      report(t, r, address, write);
      return;
    }
  }
}

static void check_range(struct tx_tile *t, const struct tx_range *range) {
  for (uint64_t left = ranges(&t->inflight); left; left &= left - 1) {
    const struct tx_range *r = &t->inflight.range[__builtin_ctzll(left)];
    if (r->unit == range->unit || !races(t, r, range->write)) continue;
    if (!ranges_meet(r, range)) continue;
    report(t, r, range->base, range->write);
    return;
  }
}

static void find_bounds(struct tx_inflight *list) {
  if (list->used & TX_INFLIGHT_WATCHED) {
    list->low = 0;
    list->high = UINT32_MAX;
    return;
  }
  list->low = list->used ? UINT32_MAX : 0;
  list->high = 0;
  for (uint64_t left = list->used; left; left &= left - 1) {
    const struct tx_range *r = &list->range[__builtin_ctzll(left)];
    if (r->base < list->low) list->low = r->base;
    if (end_of(r) > list->high) list->high = end_of(r);
  }
}

static unsigned put(struct tx_tile *t, const struct tx_range *range) {
  struct tx_inflight *list = &t->inflight;
  if ((list->used | TX_INFLIGHT_WATCHED) == UINT64_MAX) {
    tx_fault(t, SIM_FAULT_CAPACITY, "inflight.h", "more than %u ranges of L1 in flight at once", TX_INFLIGHT_MAX - 1);
    return TX_INFLIGHT_NONE;
  }
  unsigned place = (unsigned)__builtin_ctzll(~list->used);
  tx_assert(place < TX_INFLIGHT_MAX && end_of(range) <= TX_L1_BYTES);
  list->range[place] = *range;
  if (!range->pc) list->range[place].pc = t->current.pc;
  if (!list->used || range->base < list->low) list->low = range->base;
  if (end_of(range) > list->high) list->high = end_of(range);
  list->used |= UINT64_C(1) << place;
  return place + 1;
}

unsigned tx_inflight_add(struct tx_tile *t, const struct tx_range *range) {
  if (!range->rows || !range->width) return TX_INFLIGHT_NONE;
  if (tx_inflight_near(t, range->base, end_of(range) - range->base)) check_range(t, range);
  show(t, range);
  return put(t, range);
}

unsigned tx_inflight_expect(struct tx_tile *t, const struct tx_range *range) {
  return range->rows && range->width ? put(t, range) : TX_INFLIGHT_NONE;
}

void tx_inflight_once(struct tx_tile *t, const struct tx_range *range) {
  if (tx_inflight_near(t, range->base, end_of(range) - range->base)) check_range(t, range);
  show(t, range);
}

void tx_inflight_check_extension(struct tx_tile *t, const struct tx_range *range, uint32_t from, uint32_t bytes) {
  struct tx_range more = *range;
  more.base = from;
  more.width = bytes;
  more.pc = t->current.pc;
  more.word = t->current.word;
  show(t, &more);
  check_range(t, &more);
}

void tx_inflight_remove(struct tx_tile *t, unsigned handle) {
  if (handle == TX_INFLIGHT_NONE) return;
  unsigned place = handle - 1;
  tx_assert(place < TX_INFLIGHT_MAX && (t->inflight.used >> place & 1u)); /* taken off once */
  t->inflight.used &= ~(UINT64_C(1) << place);
  memset(&t->inflight.range[place], 0, sizeof t->inflight.range[place]); /* equal states have equal bytes */
  find_bounds(&t->inflight);
}

static void mark(struct tx_inflight *list, bool watched) {
  if (watched) list->used |= TX_INFLIGHT_WATCHED;
  else list->used &= ~TX_INFLIGHT_WATCHED;
  find_bounds(list);
}

void tx_inflight_watch(struct tx_tile *t, bool on) { mark(&t->inflight, on); }

void tx_inflight_copied(struct tx_tile *t) {
  const struct tx_ports *ports = t->unsaved.ports; /* NULL: memory that only keeps a state */
  mark(&t->inflight, ports && ports->l1_access);
}

void tx_inflight_plain(const struct tx_tile *t, struct tx_inflight *plain) {
  memcpy(plain, &t->inflight, sizeof *plain);
  if (plain->used & TX_INFLIGHT_WATCHED) mark(plain, false);
}
