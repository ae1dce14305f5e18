/* Checker a: circular buffers of the kernel library. The launch block holds their addresses; their counters are stream
 * registers (circular_buffer.h). A use of a page is correct if it is ordered after the page's last user by the counter
 * value that this core's poll waited for. A newer value that was already there by chance does not count. */
#include "check/buffers.h"

#include <limits.h>
#include <string.h>

#include "check/pages.h"
#include "check/peers.h"
#include "check/polls.h"
#include "check/report.h"
#include "noc/streams.h"
#include "observe/hang/poll.h"

static uint32_t word_at(const struct chk *c, uint32_t address) { return tx_l1_read(c->t, address, 4); }

static unsigned core_of(const struct chk_mark *m) {
  return m->agent <= TX_AGENT_THREAD2 ? m->agent : m->agent - (unsigned)TX_AGENT_TRISC0;
}

/* --- where they lie --- */

static bool lies_in_l1(const struct chk_buffer *b) {
  return b->pages && b->page_bytes && b->pages <= 0xffffu && b->base >= 16 &&
         (uint64_t)b->base + (uint64_t)b->pages * b->page_bytes <= TX_L1_BYTES;
}

static void check_overlap(struct chk *c, unsigned index) {
  const struct chk_buffer *b = &c->buffer[index];
  for (unsigned i = 0; i < CHK_BUFFERS; i++) {
    const struct chk_buffer *other = &c->buffer[i];
    if (i == index || !other->tracked || b->base >= other->limit || other->base >= b->limit) continue;
    chk_report(c, TX_DIAG_CB_OVERLAP, NULL, "CB %u (0x%x..0x%x) and CB %u (0x%x..0x%x)", i < index ? i : index,
               i < index ? other->base : b->base, (i < index ? other->limit : b->limit) - 1, i < index ? index : i,
               i < index ? b->base : other->base, (i < index ? b->limit : other->limit) - 1);
  }
  for (unsigned i = 0; i < c->code_count; i++)
    if (b->base < c->code[i].to && c->code[i].from < b->limit)
      chk_report(c, TX_DIAG_CB_OVERLAP, NULL, "CB %u (0x%x..0x%x) and the code of %s", index, b->base, b->limit - 1,
                 tx_core_name(c->code[i].core));
}

static void map_buffers(struct chk *c) {
  memset(c->buffer_of, 0, sizeof c->buffer_of);
  for (unsigned i = 0; i < CHK_BUFFERS; i++) {
    const struct chk_buffer *b = &c->buffer[i];
    for (uint32_t block = b->base / CHK_BLOCK; b->tracked && block <= (b->limit - 1) / CHK_BLOCK; block++)
      c->buffer_of[block] = c->buffer_of[block] ? 0xff : (uint8_t)(1 + i);
  }
}

/* A counter was set to zero: a new launch begins, and its table is in use from here on. */
static void set_up(struct chk *c, unsigned index) {
  struct chk_buffer *b = &c->buffer[index], old = {0};
  uint32_t row = LAUNCH_BUFFERS_AT + 16 * index;
  old.base = b->base, old.page_bytes = b->page_bytes, old.pages = b->pages, old.tracked = b->tracked;
  b->base = word_at(c, row);
  b->page_bytes = word_at(c, row + 4);
  b->pages = word_at(c, row + 8);
  b->format = word_at(c, row + 12) & 15u; /* bit 4: integers without a sign, the same in L1 */
  if (!c->library || !lies_in_l1(b)) {
    b->tracked = false;
    map_buffers(c);
    return;
  }
  b->limit = b->base + b->pages * b->page_bytes;
  b->wrapped = false;
  bool same = old.tracked && old.base == b->base && old.page_bytes == b->page_bytes && old.pages == b->pages;
  if (same) return;
  b->tracked = b->pages <= CHK_PAGES - c->cells_used;
  if (!b->tracked) {
    map_buffers(c);
    return;
  }
  b->first_cell = c->cells_used;
  c->cells_used += b->pages;
  map_buffers(c);
  check_overlap(c, index);
}

struct chk_buffer *chk_buffer_search(struct chk *c, uint32_t address) {
  unsigned one = c->buffer_of[address / CHK_BLOCK];
  for (unsigned i = one == 0xff ? 0 : one - 1; i < (one == 0xff ? CHK_BUFFERS : one); i++) {
    struct chk_buffer *b = &c->buffer[i];
    if (b->tracked && address >= b->base && address < b->limit) return b;
  }
  return NULL;
}

/* --- the counters --- */

static struct chk_counter *counter_at(struct chk *c, uint32_t address, unsigned *index, unsigned *which) {
  uint32_t stream = (address - TX_ADDR_STREAM) / TX_STREAM_BYTES, reg = (address - TX_ADDR_STREAM) % TX_STREAM_BYTES / 4;
  if (address < TX_ADDR_STREAM || stream >= CHK_BUFFERS ||
      (reg != NOC_STREAM_INDEX_DEST_START && reg != NOC_STREAM_INDEX_DEST_SIZE))
    return NULL;
  *index = stream;
  *which = reg == NOC_STREAM_INDEX_DEST_SIZE;
  return &c->buffer[stream].count[*which];
}

static void release(struct chk *c, struct chk_counter *n, unsigned entity, uint16_t value) {
  struct chk_vector *place = &n->vector[n->writes % CHK_STREAM_RING];
  if (n->writes) *place = n->vector[(n->writes - 1) % CHK_STREAM_RING];
  else *place = (struct chk_vector){{0}};
  chk_add(place, &c->clocks.of[entity]);
  n->writer = n->by[n->writes % CHK_STREAM_RING] = chk_now(c, entity);
  n->value[n->writes++ % CHK_STREAM_RING] = value;
  n->last = value;
  chk_step(&c->clocks, entity);
}

static void claim(struct chk *c, struct chk_claim *claim, const struct chk_mark *other, unsigned entity, uint16_t added,
                  uint16_t known) {
  if (claim->at.clock) return;
  *claim = (struct chk_claim){.at = chk_now(c, entity), .added = added, .known = known};
  if (other) claim->other = *other;
}

/* Reports a claim at its own place. */
static void confirm(struct chk *c, struct chk_claim *claim, const char *format, unsigned index) {
  struct tx_current kept = c->t->current;
  if (!claim->at.clock) return;
  c->t->current = (struct tx_current){.agent = claim->at.agent, .pc = claim->at.pc, .word = claim->at.word};
  chk_report(c, TX_DIAG_CB_COUNT, claim->other.clock ? &claim->other : NULL, format, index, claim->added,
             claim->added == 1 ? "" : "s", claim->known);
  claim->at.clock = 0;
  c->t->current = kept;
}

#define PUSHED "CB %u: %u page%s pushed; the program has reserved %u"
#define POPPED "CB %u: %u page%s popped, but only %u are known to be present"

static void start_again(struct chk *c, unsigned index, struct chk_counter *n, unsigned entity) {
  if (chk_on(c, CHK_A)) confirm(c, &c->buffer[index].pushed, PUSHED, index);
  c->buffer[index].popped.at.clock = 0;
  memset(n->known, 0, sizeof n->known);
  memset(n->poll, 0, sizeof n->poll);
  memset(n->polls, 0, sizeof n->polls);
  n->writes = 0;
  release(c, n, entity, 0);
  n->writer.clock = 0;
  set_up(c, index);
}

/* The newest value of the counter that the entity is ordered after, by polling it or by other synchronisation. */
static uint16_t newest_known(const struct chk *c, const struct chk_counter *n, unsigned entity, unsigned core) {
  uint16_t known = n->known[core];
  uint32_t oldest = n->writes > CHK_STREAM_RING ? n->writes - CHK_STREAM_RING : 0;
  for (uint32_t i = oldest; i < n->writes; i++)
    if (chk_knows(&c->clocks, entity, &n->by[i % CHK_STREAM_RING])) {
      uint16_t value = n->value[i % CHK_STREAM_RING];
      if ((uint16_t)(value - known) < 0x8000u) known = value;
    }
  return known;
}

/* The core's own look at the other counter, else the last page counted there; the firmware's reset of a counter is none. */
static const struct chk_mark *other_side(const struct chk_counter *other, unsigned core) {
  if (other->poll[core].clock) return &other->poll[core];
  return other->last ? &other->writer : NULL;
}

/* Checks a push against the room that the core's own polls guarantee, even if more pages are free in this run: before the
 * first pop no order tells. If the pages are then used twice more and every push has room by some order, that order covers
 * this one too. A core that never polls is not checked. */
static void check_room(struct chk *c, unsigned index, unsigned entity, unsigned core, uint16_t value) {
  struct chk_buffer *b = &c->buffer[index];
  const struct chk_counter *other = &b->count[CHK_ACKED];
  uint16_t last = b->count[CHK_RECEIVED].last, added = (uint16_t)(value - last);
  uint16_t room = (uint16_t)(other->wanted[core] + b->pages - last);
  if (other->poll[core].clock && other->polls[core] <= CHK_FIRST_POLLS && room < added)
    claim(c, &b->pushed, &other->poll[core], entity, added, room);
  if (value > 2 * b->pages) b->pushed.at.clock = 0;
}

static unsigned free_pages(const struct chk_buffer *b, uint16_t used) { return used < b->pages ? b->pages - used : 0; }

static void check_push(struct chk *c, unsigned index, unsigned entity, unsigned core, uint16_t value, uint16_t known) {
  struct chk_buffer *b = &c->buffer[index];
  uint16_t last = b->count[CHK_RECEIVED].last, added = (uint16_t)(value - last);
  if ((uint16_t)(value - known) <= b->pages) {
    check_room(c, index, entity, core, value);
    return;
  }
  b->pushed.at.clock = 0;
  chk_report(c, TX_DIAG_CB_COUNT, other_side(&b->count[CHK_ACKED], core),
             "CB %u: %u page%s pushed, but only %u of its %u pages are known to be free", index, added,
             added == 1 ? "" : "s", free_pages(b, (uint16_t)(last - known)), b->pages);
}

/* The users for whom a pop of this core's matters. */
static uint32_t users_of(unsigned core) { return CHK_READ_BY_UNIT | CHK_OVERRUN_HANGS | 1u << core | CHK_WAITED << core; }

/* Pages that no agent reads may be popped before they are there, as long as no agent waits for them and their producer's wait
 * for room ends all the same. */
static void check_pop(struct chk *c, unsigned index, unsigned entity, unsigned core, uint16_t value, uint16_t known) {
  struct chk_buffer *b = &c->buffer[index];
  uint16_t last = b->count[CHK_ACKED].last;
  const struct chk_counter *received = &b->count[CHK_RECEIVED];
  if ((uint16_t)(known - value) <= 0x7fffu) return;
  const struct chk_mark *other = other_side(received, core);
  for (unsigned i = 0; i < TX_CORES && !other; i++) /* no page yet: the producer's wait for room */
    if (b->count[CHK_ACKED].poll[i].clock) other = &b->count[CHK_ACKED].poll[i];
  uint16_t present = (uint16_t)(known - last); /* an earlier pop has taken more than were known */
  claim(c, &b->popped, other, entity, (uint16_t)(value - last), present < 0x8000u ? present : 0);
  if (b->users & users_of(core)) confirm(c, &b->popped, POPPED, index);
}

static void check_count(struct chk *c, unsigned index, unsigned which, unsigned entity, unsigned core, uint16_t value) {
  const struct chk_buffer *b = &c->buffer[index];
  uint16_t known = newest_known(c, &b->count[which ^ 1u], entity, core);
  if (value == b->count[which].last) return;
  if (which == CHK_RECEIVED) check_push(c, index, entity, core, value, known);
  else check_pop(c, index, entity, core, value, known);
}

static void check_single(struct chk *c, unsigned index, unsigned which, unsigned core) {
  const struct chk_mark *last = &c->buffer[index].count[which].writer;
  if (!last->clock || core_of(last) == core) return;
  chk_report(c, TX_DIAG_CB_TWO_SIDES, last, "CB %u: %s %s pages, and so does %s", index, tx_core_name(core),
             which == CHK_RECEIVED ? "pushes" : "pops", tx_core_name(core_of(last)));
}

/* A counter that becomes 0 has wrapped around if that adds no more pages than the buffer has, else a new launch begins. Only the kernel
 * library's launch block tells how many pages a buffer has. */
static bool starts_again(const struct chk_buffer *b, const struct chk_counter *n, uint16_t value) {
  uint32_t added = (uint16_t)(value - n->last);
  return value == 0 && (added == 0 || added > (b->tracked ? b->pages : CHK_UNKNOWN_PAGES));
}

void chk_counter_store(struct chk *c, unsigned entity, unsigned core, uint32_t address, uint32_t value) {
  unsigned index, which;
  struct chk_counter *n = counter_at(c, address, &index, &which);
  uint32_t stream = (address - TX_ADDR_STREAM) / TX_STREAM_BYTES;
  if (!n) {
    if (address < TX_ADDR_STREAM || stream >= NOC_STREAMS_MAX) return;
    chk_add(&c->stream[stream], &c->clocks.of[entity]);
    chk_step(&c->clocks, entity);
    return;
  }
  uint16_t now = (uint16_t)value;
  if (starts_again(&c->buffer[index], n, now)) {
    start_again(c, index, n, entity);
    return;
  }
  if (c->buffer[index].tracked && chk_on(c, CHK_A)) {
    check_count(c, index, which, entity, core, now);
    check_single(c, index, which, core);
  }
  if (now < n->last) c->buffer[index].wrapped = true;
  release(c, n, entity, now);
}

/* Does the core go the same way with this value of the counter? */
static bool goes(const struct chk *c, unsigned core, uint16_t value, const struct obs_way *way) {
  struct obs_way other = obs_poll_way(c->t, core, c->t->current.pc, value);
  return other.ends == way->ends && other.path == way->path;
}

/* The smallest counter value with which the core would have gone this way: the value that the program guarantees. */
static uint16_t least_known(const struct chk *c, const struct chk_counter *n, unsigned core, uint32_t value,
                            const struct obs_way *way) {
  uint16_t from = n->known[core], now = (uint16_t)value, count = (uint16_t)(now - from);
  if (count > 0x7fffu) return now;
  if (c->t->core[core].state == TX_CORE_HELD || count > 256) return now; /* a scripted core */
  /* a counter counts up: if a value ends the poll, all larger ones do. A poll for one exact value ends at `now`. Most polls end with the last
   * change of their counter */
  if (count && !goes(c, core, (uint16_t)(now - 1u), way)) return now;
  uint16_t low = 0, high = count ? (uint16_t)(count - 1u) : 0;
  while (low < high) {
    uint16_t middle = (uint16_t)((low + high) / 2);
    if (goes(c, core, (uint16_t)(from + middle), way)) high = middle;
    else low = (uint16_t)(middle + 1);
  }
  return (uint16_t)(from + high);
}

static bool polls(struct chk *c, unsigned core, uint32_t value) {
  uint32_t pc = c->t->current.pc;
  return c->t->core[core].state == TX_CORE_HELD || chk_in_a_poll(c, core, pc, value) || obs_poll_may_loop(c->t, core, pc);
}

/* A buffer with more free room than requested: the smallest value that would have ended the poll is below the counter's
 * first value. Pages reserved earlier stay reserved. */
static uint16_t least_wanted(const struct chk *c, const struct chk_counter *n, unsigned core, uint16_t least, uint32_t pages,
                             const struct obs_way *way) {
  uint16_t down = 0;
  if (c->t->core[core].state == TX_CORE_HELD || pages > 256) return least;
  while (down < pages && goes(c, core, (uint16_t)(least - down - 1), way)) down++;
  least = (uint16_t)(least - down);
  bool before = n->polls[core] > 1 && (uint16_t)(n->wanted[core] - least) < 0x8000u;
  return before ? n->wanted[core] : least;
}

/* A wait for 0 pages is none. */
static void note_wait(struct chk *c, unsigned index, unsigned core, uint16_t least) {
  struct chk_buffer *b = &c->buffer[index];
  if ((uint16_t)(least - b->count[CHK_ACKED].last - 1u) > 0x7fffu) return;
  b->users |= CHK_WAITED << core;
  if (chk_on(c, CHK_A) && b->tracked) confirm(c, &b->popped, POPPED, index);
}

/* A producer's poll: would it end if one more page were popped than pushed? */
static void note_room(struct chk *c, unsigned index, unsigned core) {
  struct chk_buffer *b = &c->buffer[index];
  uint16_t overrun = (uint16_t)(b->count[CHK_RECEIVED].last + 1u);
  if (c->t->core[core].state == TX_CORE_HELD || obs_poll_ends(c->t, core, c->t->current.pc, overrun)) return;
  b->users |= CHK_OVERRUN_HANGS;
  if (!b->popped.other.clock) b->popped.other = b->count[CHK_ACKED].poll[core];
  if (chk_on(c, CHK_A) && b->tracked) confirm(c, &b->popped, POPPED, index);
}

void chk_counter_load(struct chk *c, unsigned core, uint32_t address, uint32_t value) {
  unsigned index, which, entity = CHK_CORE + core;
  struct chk_counter *n = counter_at(c, address, &index, &which);
  if (!n) {
    chk_join_vector(&c->clocks, entity, &c->stream[(address - TX_ADDR_STREAM) / TX_STREAM_BYTES % NOC_STREAMS_MAX]);
    return;
  }
  /* the core follows this value already: nothing to learn */
  bool settled = n->poll[core].clock && (which == CHK_RECEIVED || n->polls[core] > CHK_FIRST_POLLS);
  if (settled && (uint16_t)value == n->known[core]) return;
  struct obs_way way = obs_poll_way(c->t, core, c->t->current.pc, value);
  if (!way.ends) return; /* looks again */
  uint16_t least = least_known(c, n, core, value, &way);
  /* a single load without a loop guarantees the value that it reads */
  if (least == n->known[core] && !polls(c, core, value)) least = (uint16_t)value;
  bool first = which == CHK_ACKED && n->polls[core] < UINT8_MAX && ++n->polls[core] <= CHK_FIRST_POLLS;
  if (first) n->wanted[core] = least_wanted(c, n, core, least, c->buffer[index].pages, &way);
  n->known[core] = least;
  n->poll[core] = chk_now(c, entity);
  if (first) note_room(c, index, core);
  if (which == CHK_RECEIVED) note_wait(c, index, core, least);
  uint32_t oldest = n->writes > CHK_STREAM_RING ? n->writes - CHK_STREAM_RING : 0;
  for (uint32_t i = oldest; i < n->writes; i++) {
    if ((uint16_t)(n->value[i % CHK_STREAM_RING] - least) > 0x7fffu) continue;
    chk_join_vector(&c->clocks, entity, &n->vector[i % CHK_STREAM_RING]);
    return;
  }
  chk_read_all(c, entity); /* the increment came by the NoC */
}

/* --- pages --- */

static uint32_t end_of(const struct tx_range *r) { return r->base + (r->rows - 1) * r->stride + r->width; }

static const char *verb_of(const struct tx_range *r) { return r->write ? "written" : "read"; }

static void check_page(struct chk *c, unsigned entity, const struct chk_buffer *b, unsigned page, const struct tx_range *r) {
  struct chk_mark now = chk_now(c, entity), other;
  unsigned index = (unsigned)(b - c->buffer);
  if (!chk_page_use(c, b, page, r, &now, &other)) return;
  const char *missing = r->write ? "cb_reserve_back" : "cb_wait_front";
  bool stored = !r->write && other.entity >= CHK_STORES && other.entity < CHK_STORES + TX_CORES; /* in flight at the push */
  if (chk_is_own_store(entity, &other)) {
    chk_report(c, TX_DIAG_CB_RACE, &other, "CB %u, page %u is read by a NoC write, and " CHK_NO_FENCE, index, page,
               chk_entity_name(other.entity));
    return;
  }
  chk_report(c, TX_DIAG_CB_RACE, &other,
             "CB %u, page %u is %s by %s while %s may still use it: no %s, or no %s before the %s", index, page, verb_of(r),
             chk_entity_name(entity), chk_entity_name(other.entity), missing, stored ? "load back" : "wait",
             r->write ? "pop" : "push");
}

static bool among(const struct chk_buffer *b, uint32_t page, uint32_t first, uint32_t count) {
  return (page + b->pages - first % b->pages) % b->pages < count;
}

/* One of the pages that were pushed and not popped. */
static bool is_taken(const struct chk_buffer *b, uint32_t page) {
  uint16_t popped = b->count[CHK_ACKED].last, pushed = b->count[CHK_RECEIVED].last;
  return among(b, page, popped, (uint16_t)(pushed - popped));
}

/* A consumer's page. Buffers whose counters are not used hold no pages. */
static void check_taken(struct chk *c, struct chk_buffer *b, uint32_t page, const char *what) {
  const struct chk_counter *acked = &b->count[CHK_ACKED], *received = &b->count[CHK_RECEIVED];
  if (b->wrapped || !acked->last || is_taken(b, page)) return;
  chk_report(c, TX_DIAG_CB_NOT_HELD, &acked->writer, "CB %u: page %u is %s; of %u pages pushed %u are popped",
             (unsigned)(b - c->buffer), page, what, received->last, acked->last);
}

/* The pages that are known to be free; UINT_MAX: more than the buffer has are pushed. */
static unsigned known_free(const struct chk *c, const struct chk_buffer *b, unsigned entity, unsigned core) {
  uint16_t used = (uint16_t)(b->count[CHK_RECEIVED].last - newest_known(c, &b->count[CHK_ACKED], entity, core));
  return used > b->pages ? UINT_MAX : b->pages - used;
}

/* A producer's page: one of those. */
static void check_free(struct chk *c, struct chk_buffer *b, uint32_t page, unsigned entity, unsigned core,
                       const char *what) {
  const struct chk_counter *received = &b->count[CHK_RECEIVED];
  if (b->wrapped || !received->last) return;
  unsigned count = known_free(c, b, entity, core);
  if (count == UINT_MAX || among(b, page, received->last, count)) return;
  chk_report(c, TX_DIAG_CB_NOT_HELD, &received->writer, "CB %u: page %u is %s; %u pages are pushed and %u known to be free",
             (unsigned)(b - c->buffer), page, what, received->last, count);
}

/* A core that is both ends of the buffer holds all of its pages: as the producer those that it knows to be free, and the others as the
 * consumer. */
static bool holds_as_both(const struct chk *c, const struct chk_buffer *b, uint32_t page, unsigned core) {
  const struct chk_mark *pop = &b->count[CHK_ACKED].writer, *push = &b->count[CHK_RECEIVED].writer;
  if (!pop->clock || !push->clock || core_of(pop) != core || core_of(push) != core) return false;
  unsigned count = known_free(c, b, CHK_CORE + core, core);
  return is_taken(b, page) || count == UINT_MAX || among(b, page, b->count[CHK_RECEIVED].last, count);
}

void chk_pages_request(struct chk *c, unsigned core, uint32_t address, bool write) {
  struct chk_buffer *b = address < TX_L1_BYTES && chk_on(c, CHK_A) ? chk_buffer_at(c, address) : NULL;
  if (!b) return;
  uint32_t page = (address - b->base) / b->page_bytes;
  const struct chk_mark *pop = &b->count[CHK_ACKED].writer, *push = &b->count[CHK_RECEIVED].writer;
  if (holds_as_both(c, b, page, core)) return;
  if (write && pop->clock && core_of(pop) == core) check_taken(c, b, page, "sent by a NoC write");
  if (!write && push->clock && core_of(push) == core) check_free(c, b, page, CHK_CORE + core, core, "filled by a NoC read");
}

static void check_bounds(struct chk *c, const struct chk_buffer *b, const struct tx_range *r, bool by_tile) {
  unsigned index = (unsigned)(b - c->buffer);
  uint32_t end = end_of(r), page = (r->base - b->base) / b->page_bytes;
  if (end > b->limit)
    chk_report(c, TX_DIAG_CB_OUTSIDE, chk_page_writer(c, b, r->base), "0x%x..0x%x %s: CB %u ends at 0x%x", r->base, end - 1,
               verb_of(r), index, b->limit - 1);
  else if (by_tile && r->rows == 1 && end > b->base + (page + 1) * b->page_bytes)
    chk_report(c, TX_DIAG_CB_OUTSIDE, chk_page_writer(c, b, r->base), "0x%x..0x%x %s: page %u of CB %u ends at 0x%x",
               r->base, end - 1, verb_of(r), page, index, b->base + (page + 1) * b->page_bytes - 1);
}

void chk_pages_tag(struct chk *c, uint32_t address, uint32_t length, uint16_t tag) {
  const struct chk_buffer *b = address < TX_L1_BYTES ? chk_buffer_at(c, address) : NULL;
  if (!b) return;
  for (uint32_t page = (address - b->base) / b->page_bytes; page < b->pages; page++) {
    if (page * b->page_bytes + b->base >= address + length) return;
    c->page_tag[b->first_cell + page] = tag;
  }
}

uint16_t chk_page_tag(struct chk *c, uint32_t address) {
  const struct chk_buffer *b = address < TX_L1_BYTES ? chk_buffer_at(c, address) : NULL;
  return b ? c->page_tag[b->first_cell + (address - b->base) / b->page_bytes] : 0;
}

/* Records the format of written data. For NoC reads the request has recorded it: dram.c, ports.c. */
static void tag_written(struct chk *c, unsigned entity, const struct tx_range *r) {
  if (entity >= CHK_NOC_IN && entity < CHK_NOC_OUT) return;
  unsigned format = r->unit == TX_UNIT_PACK ? TX_CFG_GET(c->t, r->agent, THCON_SEC0_REG1_Out_data_format) : 0;
  chk_pages_tag(c, r->base, 1, r->unit == TX_UNIT_PACK ? (uint16_t)(CHK_TAG_PACKED + format) : 0);
}

static void note_reader(struct chk *c, struct chk_buffer *b, unsigned entity) {
  bool core = entity >= CHK_CORE && entity < CHK_UNIT;
  b->users |= core ? 1u << (entity - CHK_CORE) : CHK_READ_BY_UNIT;
  if (b->popped.at.clock && chk_on(c, CHK_A) && b->users & users_of(core_of(&b->popped.at)))
    confirm(c, &b->popped, POPPED, (unsigned)(b - c->buffer));
}

void chk_pages_use(struct chk *c, unsigned entity, const struct tx_range *r) {
  struct chk_buffer *b = chk_buffer_at(c, r->base);
  if (!b) return;
  if (r->write && c->tiles.chip && chk_on(c, CHK_E)) tag_written(c, entity, r);
  if (!r->write) note_reader(c, b, entity);
  uint32_t end = end_of(r) < b->limit ? end_of(r) : b->limit;
  bool by_tile = r->unit == TX_UNIT_UNPACK || r->unit == TX_UNIT_PACK;
  if (chk_on(c, CHK_A)) check_bounds(c, b, r, by_tile);
  uint32_t first = (r->base - b->base) / b->page_bytes;
  if (r->unit == TX_UNIT_UNPACK && !r->write && chk_on(c, CHK_A)) check_taken(c, b, first, "unpacked");
  if (r->unit == TX_UNIT_PACK && r->write && chk_on(c, CHK_A)) check_free(c, b, first, entity, r->agent, "packed");
  for (uint32_t page = (r->base - b->base) / b->page_bytes; page * b->page_bytes + b->base < end; page++)
    check_page(c, entity, b, page, r);
}

/* A buffer holds constants if a core has waited for all of its pages and popped none; such pages may stay. */
static bool is_constant(const struct chk_buffer *b) {
  for (unsigned core = 0; core < TX_CORES; core++)
    if (b->count[CHK_RECEIVED].known[core] == b->count[CHK_RECEIVED].last) return b->count[CHK_ACKED].last == 0;
  return false;
}

static const struct chk_mark *last_poll(const struct chk_buffer *b) {
  for (unsigned core = 0; core < TX_CORES; core++)
    if (b->count[CHK_RECEIVED].poll[core].clock) return &b->count[CHK_RECEIVED].poll[core];
  return b->count[CHK_ACKED].writer.clock ? &b->count[CHK_ACKED].writer : NULL;
}

void chk_buffers_finish(struct chk *c) {
  for (unsigned i = 0; i < CHK_BUFFERS; i++) {
    struct chk_buffer *b = &c->buffer[i];
    if (chk_on(c, CHK_A)) confirm(c, &b->pushed, PUSHED, i);
    uint16_t left = (uint16_t)(b->count[CHK_RECEIVED].last - b->count[CHK_ACKED].last);
    if (!b->tracked || !left || left > b->pages || is_constant(b)) continue;
    c->t->current =
        (struct tx_current){.agent = b->count[CHK_RECEIVED].writer.agent, .pc = b->count[CHK_RECEIVED].writer.pc};
    chk_report(c, TX_DIAG_CB_LEFT, last_poll(b), "CB %u: %u page%s", i, left, left == 1 ? "" : "s");
  }
}
