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

static void note(struct tx_tile *t, uint32_t word) {
  struct tx_memo *m = &t->unsaved.memo;
  struct tx_memo_word *w = entry_of(m, word);
  if (w->address && w->address != word + 1 && is_polled(t, w->address - 1)) return;
  *w = (struct tx_memo_word){.address = word + 1, .value = word_at(t, word), .last = tx_trail_now(t)};
  if (t->current.agent == TX_AGENT_NETWORK) w->source = m->arriving;
}

void tx_memo_write(struct tx_tile *t, uint32_t address, const void *bytes, uint32_t length) {
  const uint8_t *from = bytes;
  if (length > TX_MEMO_BYTES) {
    struct tx_memo *m = &t->unsaved.memo;
    m->block[m->blocks++ % TX_MEMO_BLOCKS] = (struct tx_memo_block){t->engine.now, address, length};
    memcpy(&t->l1[address], bytes, length);
    return;
  }
  for (uint32_t at = 0, part; at < length; at += part) {
    part = 4 - (address + at) % 4 < length - at ? 4 - (address + at) % 4 : length - at;
    bool changes = length <= 4 || memcmp(&t->l1[address + at], from + at, part) != 0;
    memcpy(&t->l1[address + at], from + at, part);
    if (changes) note(t, (address + at) & ~3u);
  }
}

void tx_memo_buffer_read(struct tx_tile *t, unsigned stream, unsigned received, unsigned agent) {
  const struct tx_core *c = &t->core[agent - TX_AGENT_TRISC0];
  t->unsaved.memo.buffer_reader[stream][received & 1u] =
      (struct tx_trail){.cycle = t->engine.now, .pc = c->pc, .agent = (uint16_t)agent, .known = 1};
}

const struct tx_memo_word *tx_memo_find(const struct tx_tile *t, uint32_t address) {
  const struct tx_memo_word *w = &t->unsaved.memo.word[tx_memo_slot(address)];
  bool same = w->address == (address & ~3u) + 1 && word_at(t, address) == w->value;
  return same ? w : NULL;
}

void tx_memo_forget(struct tx_tile *t) {
  uint32_t on = t->unsaved.memo.on;
  memset(&t->unsaved.memo, 0, sizeof t->unsaved.memo);
  t->unsaved.memo.on = on;
}
