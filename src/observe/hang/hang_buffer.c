/* The past of a circular buffer in a hang (hang.h): how many pages were pushed and popped, by which core, at which lines, and which core
 * reserved a page or waited for one without counting it afterwards. */
#include <stdio.h>
#include <string.h>

#include "debug/symbols.h"
#include "noc/niu.h"
#include "observe/hang/hang_internal.h"
#include "sim/text.h"
#include "tensix/regs/streams.h"

/* Byte offsets in struct cb_interface of kernels/include/circular_buffer.h; the programs of tests/hangs (missing_pack_push,
 * missing_pop, missing_push) fail if they change. */
enum { CB_PAGE_BYTES = 8, CB_PAGES = 12, CB_WRITE = 20, CB_PACKED = 32, CB_ACKED = 40, CB_RECEIVED = 42, CB_BYTES = 44 };

void obs_buffer_read(const struct obs_finder *f, unsigned core, unsigned cb, struct obs_buffer *out) {
  uint32_t address;
  memset(out, 0, sizeof *out);
  if (core >= TX_CORES || !f->program || !f->program->loaded[core]) return;
  const struct dbg_elf *elf = &f->program->elf[core]; /* the second name is for C++ kernels */
  if (!dbg_symbol_find(elf, "cb_interfaces", &address) && !dbg_symbol_find(elf, "_ZL13cb_interfaces", &address)) return;
  uint32_t at = address - TX_LOCAL_BASE + cb * CB_BYTES;
  if (address < TX_LOCAL_BASE || cb >= 32 || at > TX_LOCAL_BYTES - CB_BYTES) return;
  const uint8_t *row = &f->t->core[core].local[at];
  out->known = true;
  memcpy(&out->page_bytes, row + CB_PAGE_BYTES, 4);
  memcpy(&out->pages, row + CB_PAGES, 4);
  memcpy(&out->write, row + CB_WRITE, 4);
  memcpy(&out->packed, row + CB_PACKED, 4);
  out->acked = (uint32_t)row[CB_ACKED] | (uint32_t)row[CB_ACKED + 1] << 8;
  out->received = (uint32_t)row[CB_RECEIVED] | (uint32_t)row[CB_RECEIVED + 1] << 8;
}

/* --- what happened --- */

/* Names the core also for a count that its thread stored; a reset by the firmware does not count. */
static void set_actor(const struct obs_finder *f, const struct tx_trail *trail, struct obs_actor *out) {
  obs_actor_set(f, trail, out);
  if (out->known && (out->place.library || out->agent >= TX_AGENT_COUNT)) memset(out, 0, sizeof *out);
  unsigned core = out->known ? obs_core_of_agent(out->agent) : TX_CORES;
  if (core < TX_CORES) snprintf(out->name, sizeof out->name, "%s", tx_core_name(core));
}

/* Is the page the destination of the NIU's last read? ISA: NoC/MemoryMap.md, a read: NOC_CTRL bits 1:0 are 0 */
static bool is_read_to(const struct noc_niu *n, uint32_t page, uint32_t bytes) {
  for (unsigned i = 0; i < NOC_INITIATORS; i++)
    if (!(n->initiator[i][NOC_CTRL] & 3u) && n->initiator[i][NOC_RET_LO] - page < bytes && n->initiator[i][NOC_AT_LEN_BE])
      return true;
  return false;
}

/* Was the page written since the last push? */
static bool is_filled(const struct obs_finder *f, const struct obs_actor *reserve, sim_time pushed, unsigned cb) {
  struct obs_buffer b;
  obs_buffer_read(f, reserve->known ? obs_core_of_agent(reserve->agent) : TX_CORES, cb, &b);
  if (!b.known || !b.page_bytes) return false;
  if (b.packed) return true;
  for (unsigned noc = 0; noc < TX_NOCS; noc++)
    if (is_read_to(&f->t->niu[noc], b.write, b.page_bytes)) return true;
  for (unsigned i = 0; i < TX_MEMO_WORDS; i++) {
    const struct tx_memo_word *w = &f->t->unsaved.memo.word[i];
    if (w->address && w->address - 1 - b.write < b.page_bytes && w->last.cycle > pushed) return true;
  }
  for (unsigned i = 0; i < TX_MEMO_BLOCKS; i++) {
    const struct tx_memo_block *block = &f->t->unsaved.memo.block[i];
    if (block->address - b.write < b.page_bytes && block->mark.cycle > pushed) return true;
  }
  return false;
}

/* tt-metal's cb_wait_front and cb_reserve_back read both counters: a read in the line of the wait itself is no call of the other kind. */
static void forget_own_read(const struct obs_waiter *w, struct obs_actor *read) {
  bool own = read->agent == w->agent && read->place.line == w->place.line && !strcmp(read->place.file, w->place.file);
  if (own) read->known = false;
}

void obs_buffer_past(const struct obs_finder *f, struct obs_waiter *w) {
  struct obs_pages *p = &w->pages;
  unsigned cb = w->resource.index % TX_STREAMS;
  const struct tx_memo *memo = &f->t->unsaved.memo;
  p->pushed = tx_stream_read(f->t, cb, NOC_STREAM_DEST_SIZE) & 0xffffu;
  p->popped = tx_stream_read(f->t, cb, NOC_STREAM_DEST_START) & 0xffffu;
  set_actor(f, &f->t->buffer_writer[cb][1], &p->push);
  set_actor(f, &f->t->buffer_writer[cb][0], &p->pop);
  set_actor(f, &memo->buffer_reader[cb][0], &p->reserve);
  set_actor(f, &memo->buffer_reader[cb][1], &p->wait);
  forget_own_read(w, w->resource.kind == OBS_RESOURCE_BUFFER_PAGES ? &p->reserve : &p->wait);
  p->filled = is_filled(f, &p->reserve, p->push.cycle, cb);
}

/* --- in words --- */

static const char *plural(uint32_t count) { return count == 1 ? "" : "s"; }

/* "pushed 3 pages, the last at reader.c:14"; "pushed none" */
static void add_count(struct sim_text *out, const char *verb, uint32_t count, const struct obs_actor *last) {
  char at[176];
  if (!count) {
    sim_text_add(out, "%s none", verb);
    return;
  }
  obs_at_words(&last->place, at, sizeof at);
  sim_text_add(out, "%s %u page%s", verb, count, plural(count));
  if (last->known && at[0]) sim_text_add(out, "%s%s", count > 1 ? ", the last" : "", at);
}

/* ", has returned" */
static const char *end_words(const struct obs_finder *f, unsigned agent) {
  unsigned core = obs_core_of_agent(agent);
  enum obs_party_state state = core < TX_CORES ? f->state[core] : OBS_PARTY_RUNNING;
  return state == OBS_PARTY_RETURNED ? "has returned" : state == OBS_PARTY_LOOPING ? "loops forever" : NULL;
}

/* The cause names the line of the loop (hang/hang_text.c). */
static bool is_looping(const struct obs_finder *f, unsigned agent) {
  unsigned core = obs_core_of_agent(agent);
  return core < TX_CORES && f->state[core] == OBS_PARTY_LOOPING;
}

/* A buffer of which the core counts pages without having waited for room or pages: the program probably confuses two
 * buffers. */
static void add_other_buffer(const struct obs_finder *f, const struct obs_waiter *w, unsigned core, struct sim_text *out) {
  bool pages = w->resource.kind == OBS_RESOURCE_BUFFER_PAGES;
  for (unsigned cb = 0; cb < TX_STREAMS; cb++) {
    struct obs_actor count, look;
    char at[176];
    if (cb == w->resource.index) continue;
    set_actor(f, &f->t->buffer_writer[cb][pages], &count);
    set_actor(f, &f->t->unsaved.memo.buffer_reader[cb][!pages], &look);
    if (!count.known || obs_core_of_agent(count.agent) != core) continue;
    if (look.known && obs_core_of_agent(look.agent) == core) continue;
    obs_at_words(&count.place, at, sizeof at);
    sim_text_add(out, ", but %s CB %u%s", pages ? "pushed" : "popped", cb, at);
    return;
  }
}

/* Pages that a core packed without pushing any since. */
static bool packed_words(const struct obs_finder *f, const struct obs_waiter *w, struct sim_text *out) {
  for (unsigned core = 0; core < TX_CORES; core++) {
    struct obs_buffer b;
    obs_buffer_read(f, core, w->resource.index, &b);
    if (!b.known || !b.packed || f->state[core] == OBS_PARTY_HELD) continue;
    uint32_t pages = b.packed + w->pages.pushed;
    sim_text_add(out, "%s packed %u page%s and ", tx_core_name(core), pages, plural(pages));
    add_count(out, "pushed", w->pages.pushed, &w->pages.push);
    if (!w->pages.pushed) add_other_buffer(f, w, core, out);
    return true;
  }
  return false;
}

static void release_words(const struct obs_finder *f, const struct obs_waiter *w, const char *verb, struct sim_text *out) {
  const struct obs_releaser *r = &w->releasers[0];
  const char *end = w->releaser_count ? end_words(f, r->agent) : NULL;
  if (!w->releaser_count) sim_text_add(out, "no core has %s a page", verb);
  else if (end) sim_text_add(out, "%s %s and %s none", r->name, end, verb);
  else sim_text_add(out, "%s %s none", r->name, verb);
}

/* A page that was reserved, perhaps filled, and not pushed: " reserved a page at reader.c:9, filled it". */
static void add_reserved(const struct obs_pages *p, const char *which, struct sim_text *out) {
  char at[176];
  obs_at_words(&p->reserve.place, at, sizeof at);
  sim_text_add(out, " reserved %s%s", which, at);
  if (p->filled) sim_text_add(out, ", filled it");
}

static bool is_reserved(const struct obs_pages *p) {
  return p->reserve.known && (!p->push.known || p->reserve.cycle > p->push.cycle);
}

void obs_buffer_detail(struct obs_waiter *w) {
  const struct obs_pages *p = &w->pages;
  struct sim_text out = {.data = w->detail, .size = sizeof w->detail};
  if (p->push.known && p->pushed) {
    sim_text_add(&out, "%s ", p->push.name);
    add_count(&out, "pushed", p->pushed, &p->push);
  }
  if (w->resource.kind == OBS_RESOURCE_BUFFER_PAGES && p->push.known && is_reserved(p) && p->filled) {
    sim_text_add(&out, ",");
    add_reserved(p, "another", &out);
  }
  if (p->pop.known && p->popped) {
    sim_text_add(&out, "%s%s ", out.length ? "; " : "", p->pop.name);
    add_count(&out, "popped", p->popped, &p->pop);
  }
}

static void pages_subject(const struct obs_finder *f, const struct obs_waiter *w, struct sim_text *out) {
  const struct obs_pages *p = &w->pages;
  if (packed_words(f, w, out)) return;
  if (!p->pushed || !p->push.known) {
    const char *end = p->reserve.known && !is_looping(f, p->reserve.agent) ? end_words(f, p->reserve.agent) : NULL;
    if (!p->reserve.known || p->pushed) {
      release_words(f, w, "pushed", out);
      return;
    }
    sim_text_add(out, "%s", p->reserve.name);
    add_reserved(p, "a page", out);
    sim_text_add(out, "%s pushed none", end ? "," : " and");
    add_other_buffer(f, w, obs_core_of_agent(p->reserve.agent), out);
    if (end) sim_text_add(out, " and %s", end);
    return;
  }
  const char *end = end_words(f, p->push.agent);
  sim_text_add(out, "%s ", p->push.name);
  add_count(out, "pushed", p->pushed, &p->push);
  if (is_reserved(p) && end) {
    sim_text_add(out, ",");
    add_reserved(p, "another", out);
    sim_text_add(out, " and never pushed it");
  }
  if (end) sim_text_add(out, "%s and %s", p->push.place.line && p->pushed > 1 ? "," : "", end);
}

static void room_subject(const struct obs_finder *f, const struct obs_waiter *w, struct sim_text *out) {
  const struct obs_pages *p = &w->pages;
  char at[176];
  if (p->push.known && p->pushed) {
    sim_text_add(out, "%s ", p->push.name);
    add_count(out, "pushed", p->pushed, &p->push);
    sim_text_add(out, "; ");
  }
  if (p->popped && p->pop.known) {
    const char *end = end_words(f, p->pop.agent);
    sim_text_add(out, "%s ", p->pop.name);
    add_count(out, "popped", p->popped, &p->pop);
    if (end) sim_text_add(out, "%s and %s", p->pop.place.line && p->popped > 1 ? "," : "", end);
  } else if (p->wait.known && !p->popped) {
    obs_at_words(&p->wait.place, at, sizeof at);
    const char *end = end_words(f, p->wait.agent);
    sim_text_add(out, "%s waited for them%s%s popped none", p->wait.name, at, end ? "," : " and");
    add_other_buffer(f, w, obs_core_of_agent(p->wait.agent), out);
    if (end) sim_text_add(out, " and %s", end);
  } else {
    release_words(f, w, "popped", out);
  }
}

void obs_buffer_subject(const struct obs_finder *f, const struct obs_waiter *w, char *text, size_t size) {
  struct sim_text out = {.data = text, .size = size};
  if (size) text[0] = '\0';
  if (w->resource.kind == OBS_RESOURCE_BUFFER_PAGES) pages_subject(f, w, &out);
  else room_subject(f, w, &out);
}
