/* The records of memo.h. */
#include "tensix/mem/memo.h"

#include <string.h>

#include "tensix/machine.h"

static uint32_t word_at(const struct tx_tile *t, uint32_t address) {
  uint32_t value;
  memcpy(&value, &t->l1[address & ~3u], 4); /* little endian, like the supported hosts */
  return value;
}

static struct tx_memo_word *entry_of(struct tx_memo *m, uint32_t address) { return &m->word[tx_memo_slot(address)]; }

/* A core polls this word: its record is the one that a hang report wants. */
static bool is_polled(const struct tx_tile *t, uint32_t word) {
  for (unsigned core = 0; core < TX_CORES; core++) {
    const struct tx_core_polls *p = &t->core[core].polls;
    for (uint32_t i = 0; i < TX_CORE_POLLS; i++)
      if (p->since[i] && (p->address[i] & ~3u) == word) return true;
  }
  return false;
}

static struct tx_memo_mark mark_now(const struct tx_tile *t) {
  const struct tx_memo_source *from = &t->unsaved.memo.arriving;
  if (t->current.agent == TX_AGENT_NETWORK && from->tile)
    return (struct tx_memo_mark){.cycle = t->engine.now, .pc = from->pc, .agent = from->agent, .tile = from->tile};
  return (struct tx_memo_mark){.cycle = t->engine.now, .pc = t->current.pc, .agent = (uint16_t)t->current.agent};
}

static struct tx_memo_writer writer_of(const struct tx_memo_mark *m) {
  const uint16_t agent = m->tile ? TX_AGENT_NETWORK : m->agent;
  struct tx_memo_writer w = {.last = {.cycle = m->cycle, .pc = m->tile ? 0 : m->pc, .agent = agent, .known = 1}};
  if (m->tile) w.source = (struct tx_memo_source){.pc = m->pc, .tile = m->tile, .agent = m->agent};
  return w;
}

static unsigned bits_of(uint32_t address, uint32_t bytes) { return ((1u << bytes) - 1u) << address % 4 & 15u; }

/* The bytes of a word in which two values differ. */
static unsigned changed_bytes(uint32_t a, uint32_t b) {
  unsigned bits = 0;
  for (unsigned i = 0; i < 4; i++)
    if ((a ^ b) >> 8 * i & 0xffu) bits |= 1u << i;
  return bits;
}

/* The current agent has written `bits` of a word whose entry has earlier writers. */
static void keep_earlier(const struct tx_tile *t, struct tx_memo_word *w, unsigned bits) {
  unsigned other = changed_bytes(w->value, word_at(t, w->address - 1)) & ~bits; /* by a large write */
  unsigned kept = w->last_bytes & ~bits & ~other;
  if (kept) {
    w->lost_bytes = (uint8_t)(w->lost_bytes | w->before_bytes);
    w->before = w->last;
    w->before_bytes = (uint8_t)kept;
  }
  w->before_bytes = (uint8_t)(w->before_bytes & ~(bits | other));
  w->lost_bytes = (uint8_t)((w->lost_bytes | other) & ~(bits | w->before_bytes));
}

static bool same_core(const struct tx_memo_mark *a, const struct tx_memo_mark *b) {
  return a->agent == b->agent && a->tile == b->tile;
}

/* Words of one entry have other bits of the product in tx_memo_slot alike. */
static uint32_t lost_bit(uint32_t word) { return 1u << ((word >> 2) * UINT32_C(2654435761) >> 18 & 31u); }

static void note(struct tx_tile *t, uint32_t word, unsigned bits) {
  struct tx_memo *m = &t->unsaved.memo;
  struct tx_memo_word *w = entry_of(m, word);
  const struct tx_memo_mark now = mark_now(t);
  if (w->address == word + 1) {
    if (!same_core(&w->last, &now)) w->other = w->last;
    if (bits != 15u) keep_earlier(t, w, bits);
    else w->before_bytes = w->lost_bytes = 0;
  } else {
    if (w->address && is_polled(t, w->address - 1)) {
      w->lost_words |= lost_bit(word);
      return;
    }
    if (w->address) w->lost_words |= lost_bit(w->address - 1);
    w->lost_bytes = w->lost_words & lost_bit(word) ? 15u & ~bits : 0;
    w->before_bytes = 0;
    w->other.tile = TX_MEMO_NOBODY;
  }
  w->address = word + 1;
  w->value = word_at(t, word);
  w->last = now;
  w->last_bytes = (uint8_t)bits;
}

static void note_block(struct tx_tile *t, uint32_t address, uint32_t length) {
  struct tx_memo *m = &t->unsaved.memo;
  m->block[m->blocks++ % TX_MEMO_BLOCKS] = (struct tx_memo_block){.mark = mark_now(t), .address = address, .length = length};
  for (uint32_t page = address / TX_MEMO_PAGE; page <= (address + length - 1) / TX_MEMO_PAGE; page++)
    m->block_page[page / 64] |= UINT64_C(1) << page % 64;
}

void tx_memo_write(struct tx_tile *t, uint32_t address, const void *bytes, uint32_t length) {
  const uint8_t *from = bytes;
  if (length > TX_MEMO_BYTES) {
    memcpy(&t->l1[address], bytes, length);
    note_block(t, address, length);
    return;
  }
  for (uint32_t at = 0, part; at < length; at += part) {
    part = 4 - (address + at) % 4 < length - at ? 4 - (address + at) % 4 : length - at;
    bool changes = length <= 4 || memcmp(&t->l1[address + at], from + at, part) != 0;
    memcpy(&t->l1[address + at], from + at, part);
    if (changes) note(t, (address + at) & ~3u, bits_of(address + at, part));
  }
}

/* --- packets --- */

/* A word of L1 has 19 bits, a tile 8, a core 4. Senders to one word from up to 256 tiles do not share a record. */
static uint32_t key_of(uint32_t word, unsigned tile, unsigned agent) {
  return word / 4 << 12 | (tile & 0xffu) << 4 | (agent & 15u);
}
static uint32_t sender_slot(uint32_t word, unsigned tile, unsigned agent) {
  return (tx_memo_slot(word) + tile + 7u * agent) % TX_MEMO_SENDERS;
}

void tx_memo_packet(struct tx_tile *t, uint32_t address, uint32_t length) {
  const struct tx_memo_mark from = mark_now(t);
  for (uint32_t word = address & ~3u; word < address + length; word += 4) {
    struct tx_memo_sender *s = &t->unsaved.memo.sender[sender_slot(word, from.tile, from.agent)];
    uint32_t key = key_of(word, from.tile, from.agent) + 1, before = s->key == key ? s->count : 0;
    *s = (struct tx_memo_sender){.key = key, .count = before + 1, .pc = from.pc, .cycle = (uint32_t)from.cycle};
  }
}

struct tx_memo_sent tx_memo_sent(const struct tx_tile *t, uint32_t address, unsigned tile, unsigned agent) {
  uint32_t word = address & ~3u;
  const struct tx_memo_sender *s = &t->unsaved.memo.sender[sender_slot(word, tile, agent)];
  if (!t->unsaved.memo.on || (s->key && s->key != key_of(word, tile, agent) + 1))
    return (struct tx_memo_sent){.known = false};
  if (!s->key) return (struct tx_memo_sent){.known = true};
  sim_time ago = (uint32_t)((uint32_t)t->engine.now - s->cycle);
  return (struct tx_memo_sent){.known = true, .count = s->count, .pc = s->pc, .cycle = t->engine.now - ago};
}

void tx_memo_buffer_read(struct tx_tile *t, unsigned stream, unsigned received, unsigned agent) {
  const struct tx_core *c = &t->core[agent - TX_AGENT_TRISC0];
  t->unsaved.memo.buffer_reader[stream][received & 1u] =
      (struct tx_trail){.cycle = t->engine.now, .pc = c->pc, .agent = (uint16_t)agent, .known = 1};
}

/* The newest large write of these bytes that is still in the ring; NULL: none. */
static const struct tx_memo_block *block_of(const struct tx_memo *m, uint32_t address, uint32_t bytes) {
  uint32_t count = m->blocks < TX_MEMO_BLOCKS ? m->blocks : TX_MEMO_BLOCKS;
  for (uint32_t i = 1; i <= count; i++) {
    const struct tx_memo_block *b = &m->block[(m->blocks - i) % TX_MEMO_BLOCKS];
    if (b->address < address + bytes && address < b->address + b->length) return b;
  }
  return NULL;
}

bool tx_memo_find(const struct tx_tile *t, uint32_t address, uint32_t bytes, struct tx_memo_writer *out) {
  const struct tx_memo_word *w = &t->unsaved.memo.word[tx_memo_slot(address)];
  const struct tx_memo_block *block = block_of(&t->unsaved.memo, address, bytes);
  const struct tx_memo_mark *found = NULL;
  unsigned bits = bits_of(address, bytes);
  bool own = w->address == (address & ~3u) + 1;
  if (own && !(changed_bytes(w->value, word_at(t, address)) & bits))
    found = w->last_bytes & bits ? &w->last : w->before_bytes & bits ? &w->before : NULL;
  /* Lost writers precede the others of the entry. Without an entry of its own the word may have been written after the block. */
  bool unknown = own ? !found && w->lost_bytes & bits : w->address != 0;
  sim_time since = found ? found->cycle : own && unknown ? w->last.cycle : 0;
  if (block && (own || !unknown) && (!since || block->mark.cycle > since)) found = &block->mark;
  if (found) *out = writer_of(found);
  return found != NULL;
}

bool tx_memo_find_other(const struct tx_tile *t, uint32_t address, struct tx_memo_writer *out) {
  const struct tx_memo_word *w = &t->unsaved.memo.word[tx_memo_slot(address)];
  if (w->address != (address & ~3u) + 1 || w->other.tile == TX_MEMO_NOBODY) return false;
  *out = writer_of(&w->other);
  return true;
}

bool tx_memo_untouched(const struct tx_tile *t, uint32_t address, uint32_t bytes) {
  const struct tx_memo *m = &t->unsaved.memo;
  const struct tx_memo_word *w = &m->word[tx_memo_slot(address)];
  uint32_t page = address / TX_MEMO_PAGE;
  if (!m->on || page >= TX_MEMO_PAGES) return false;
  bool own = w->address == (address & ~3u) + 1;
  if (!own && w->lost_words & lost_bit(address)) return false;
  if (own && (w->last_bytes | w->before_bytes | w->lost_bytes) & bits_of(address, bytes)) return false;
  bool all = m->blocks <= TX_MEMO_BLOCKS || !(m->block_page[page / 64] >> page % 64 & 1u);
  return all && !block_of(m, address, bytes);
}

void tx_memo_forget(struct tx_tile *t) {
  uint32_t on = t->unsaved.memo.on;
  memset(&t->unsaved.memo, 0, sizeof t->unsaved.memo);
  t->unsaved.memo.on = on;
}
