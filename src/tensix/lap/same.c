/* The comparison of two states, and the skip of whole laps (same.h). */
#include "tensix/lap/same.h"

#include <string.h>

#include "tensix/frontend/frontend.h"

/* An equal time earlier than this many cycles before the noted state is in the past for everything that compares it with now. */
#define PAST_CYCLES 64u

_Static_assert(TX_LAP_STATE % sizeof(uint64_t) == 0, "the state is whole words");

/* --- a comparison --- */

struct walk {
  struct tx_lap_same *s;
  const struct tx_tile *t;
  const uint8_t *was, *is;
  const struct tx_tile *ref; /* the noted state: only its part before L1 is there */
  const char *where;
  sim_time past;  /* an equal time before it stays equal */
  sim_time round; /* cycles since the noted state */
  bool notes;     /* the moves are wanted */
};

static bool differs(struct walk *w, const char *where) {
  w->where = where;
  return false;
}

static uint64_t word8(const uint8_t *bytes, size_t offset) {
  uint64_t word;
  memcpy(&word, bytes + offset, sizeof word);
  return word;
}

static uint32_t word4(const uint8_t *bytes, size_t offset) {
  uint32_t word;
  memcpy(&word, bytes + offset, sizeof word);
  return word;
}

/* A word has grown. */
static bool note(struct walk *w, size_t offset, uint32_t bytes, uint64_t by, bool moves) {
  struct tx_lap_same *s = w->s;
  if (!moves || !w->notes) return true;
  if (s->move_count == TX_LAP_MOVES) return differs(w, "too many moves");
  s->move[s->move_count++] = (struct tx_lap_move){(uint32_t)offset, bytes, by};
  return true;
}

/* true: it has grown by the period, or did not change and stays in the past. */
static bool time_is_same(const struct walk *w, sim_time before, sim_time now) {
  if (before == now) return !before || before < w->past || before == SIM_NEVER;
  return before && before != SIM_NEVER && now - before == w->round;
}

/* A core apart has used a port meanwhile, or has not. */
static bool port_time_is_same(const struct walk *w, sim_time before, sim_time now) {
  if (time_is_same(w, before, now)) return true;
  return w->s->apart && before && now && before < w->past && now + PAST_CYCLES < w->t->engine.now;
}

static bool is_apart(const struct walk *w, unsigned core) { return w->s->apart >> core & 1u; }

/* Does entry k of the section belong to a core apart? */
static bool is_left_out(const struct walk *w, const struct tx_lap_section *section, uint32_t k) {
  if (!w->s->apart || section->of == TX_LAP_OF_NONE) return false;
  if (section->of == TX_LAP_OF_AGENTS)
    return k >= TX_AGENT_TRISC0 && k <= TX_AGENT_NCRISC && is_apart(w, k - TX_AGENT_TRISC0);
  return is_apart(w, section->of == TX_LAP_OF_CORES ? k : section->of - TX_LAP_OF_CORE);
}

static bool same_times(struct walk *w, size_t was, size_t is, size_t bytes, bool moves, const char *name) {
  for (size_t i = 0; i < bytes; i += sizeof(sim_time)) {
    const sim_time before = word8(w->was, was + i), now = word8(w->is, is + i);
    if (!time_is_same(w, before, now)) return differs(w, name);
    if (before != now && !note(w, is + i, sizeof(sim_time), w->round, moves)) return false;
  }
  return true;
}

static bool same_port_times(struct walk *w, size_t was, size_t is, size_t bytes, const char *name) {
  for (size_t i = 0; i < bytes; i += sizeof(sim_time))
    if (!port_time_is_same(w, word8(w->was, was + i), word8(w->is, is + i))) return differs(w, name);
  return true;
}

static bool same_counts(struct walk *w, size_t offset, size_t bytes, bool moves) {
  for (size_t i = offset; i < offset + bytes; i += sizeof(uint64_t)) {
    const uint64_t by = word8(w->is, i) - word8(w->was, i);
    if (by && !note(w, i, sizeof by, by, moves)) return false;
  }
  return true;
}

static bool same_words(struct walk *w, size_t offset, size_t bytes, bool moves) {
  for (size_t i = offset; i < offset + bytes; i += sizeof(uint32_t)) {
    const uint32_t by = word4(w->is, i) - word4(w->was, i);
    if (by && !note(w, i, sizeof by, by, moves)) return false;
  }
  return true;
}

static bool same_part(struct walk *w, size_t was, size_t is, size_t bytes, const struct tx_lap_part *part) {
  switch (part->kind) {
    case TX_LAP_EXACT: return memcmp(w->was + was, w->is + is, bytes) == 0 || differs(w, part->name);
    case TX_LAP_TIME_ON: return !w->t->timing || same_times(w, was, is, bytes, true, part->name);
    case TX_LAP_TIME: return same_times(w, was, is, bytes, true, part->name);
    case TX_LAP_NATIVE_TIME: return same_times(w, was, is, bytes, false, part->name);
    case TX_LAP_PORT_TIME: return same_port_times(w, was, is, bytes, part->name);
    case TX_LAP_COUNT: return same_counts(w, is, bytes, true);
    case TX_LAP_NATIVE_COUNT: return same_counts(w, is, bytes, false);
    case TX_LAP_WORD: return same_words(w, is, bytes, true);
    case TX_LAP_NATIVE_WORD: return same_words(w, is, bytes, false);
    case TX_LAP_DATA: break;
  }
  return true;
}

/* The parts of a struct that may have moved. */
static bool same_struct(struct walk *w, size_t was, size_t is, const struct tx_lap_part *part) {
  for (; part->name; part++)
    if (!same_part(w, was + part->offset, is + part->offset, part[1].offset - part->offset, part)) return false;
  return true;
}

static bool same_sections(struct walk *w) {
  for (size_t i = 0; i < tx_lap_section_count; i++) {
    const struct tx_lap_section *section = &tx_lap_sections[i];
    for (uint32_t k = 0; k < section->count; k++) {
      const size_t offset = section->offset + k * section->size;
      if (is_left_out(w, section, k)) continue;
      if (!same_struct(w, offset, offset, section->parts)) return false;
    }
  }
  return true;
}

/* --- rings --- */

static uint32_t place_of(const struct tx_lap_band *b, uint32_t head, uint64_t entry) {
  return (uint32_t)((head + entry) % b->places);
}

/* A word of FIFO 1: without its mark if that is not read any more. */
static bool same_pushed(const struct walk *w, const struct tx_lap_band *b, size_t was, size_t is) {
  struct tx_word before, now;
  memcpy(&before, w->was + was, sizeof before);
  memcpy(&now, w->is + is, sizeof now);
  const sim_time first = word8(w->was, b->pushed_at + (was - b->base) / b->size * sizeof(sim_time));
  const sim_time second = word8(w->is, b->pushed_at + (is - b->base) / b->size * sizeof(sim_time));
  const uint32_t mark = first < w->s->at && second < w->t->engine.now ? TX_WORD_QUEUED : 0;
  return before.word == now.word && before.pc == now.pc && !((before.flags ^ now.flags) & ~mark);
}

static bool same_slot(const struct walk *w, const struct tx_lap_band *b, size_t was, size_t is, uint32_t *moved) {
  if (b->pushed_at) return same_pushed(w, b, was, is);
  if (b->kind == TX_LAP_EXACT) return memcmp(w->was + was, w->is + is, b->size) == 0;
  const sim_time before = word8(w->was, was), now = word8(w->is, is);
  *moved = before != now;
  return b->kind == TX_LAP_PORT_TIME ? port_time_is_same(w, before, now) : time_is_same(w, before, now);
}

static bool same_band(struct walk *w, unsigned number, const struct tx_lap_band *b) {
  const uint32_t before = word4(w->was, b->head), now = word4(w->is, b->head);
  const uint32_t used = b->fifo ? word4(w->is, b->head + sizeof now) : b->places;
  struct tx_lap_turn turn = {.by = (now + b->places - before) % b->places};
  for (uint32_t i = 0; i < used; i++) {
    uint32_t moved = 0;
    const size_t was = b->base + place_of(b, before, i) * b->size, is = b->base + place_of(b, now, i) * b->size;
    if (!same_slot(w, b, was, is, &moved)) return differs(w, b->name);
    turn.moved |= moved << i;
  }
  if (w->notes) w->s->turn[number] = turn;
  return true;
}

static bool same_bands(struct walk *w) {
  struct tx_lap_band b;
  for (unsigned i = 0; tx_lap_band(i, &b); i++)
    if ((w->t->timing || !b.on) && !(b.core && is_apart(w, b.core - 1)) && !same_band(w, i, &b)) return false;
  return true;
}

/* The streams of a unit of L1's ports, the oldest first. */
static bool same_streams(struct walk *w) {
  const struct tx_l1_ports *before = &w->ref->l1_ports, *now = &w->t->l1_ports;
  for (unsigned unit = 0; unit < TX_L1_STREAMERS; unit++) {
    for (uint32_t i = 0; i < TX_L1_PLANNED; i++) {
      const uint32_t was = (before->stream_next[unit] + i) % TX_L1_PLANNED;
      const uint32_t is = (now->stream_next[unit] + i) % TX_L1_PLANNED;
      if (!same_struct(w, offsetof(struct tx_tile, l1_ports.stream[unit][was]),
                       offsetof(struct tx_tile, l1_ports.stream[unit][is]), tx_lap_of_stream))
        return false;
    }
  }
  return true;
}

/* --- lists whose entries move --- */

static bool is_earlier(const struct sim_effect *a, const struct sim_effect *b) {
  return a->at != b->at ? a->at < b->at : (int32_t)(a->seq - b->seq) < 0;
}

/* The pending effects in the order in which they will be applied. */
static void sort_effects(const struct sim_engine *engine, uint16_t order[SIM_EFFECTS_MAX]) {
  for (uint32_t i = 0; i < engine->effect_count; i++) {
    uint32_t place = i;
    for (; place > 0 && is_earlier(&engine->effects[i], &engine->effects[order[place - 1]]); place--)
      order[place] = order[place - 1];
    order[place] = (uint16_t)i;
  }
}

static bool same_effect(const struct walk *w, const struct sim_effect *a, const struct sim_effect *b) {
  return b->at - a->at == w->round && a->kind == b->kind && a->agent == b->agent && a->pc == b->pc && a->extra == b->extra &&
         a->word == b->word && memcmp(a->w, b->w, sizeof a->w) == 0;
}

static bool same_effects(struct walk *w) {
  uint16_t before[SIM_EFFECTS_MAX], now[SIM_EFFECTS_MAX];
  sort_effects(&w->ref->engine, before);
  sort_effects(&w->t->engine, now);
  for (uint32_t i = 0; i < w->t->engine.effect_count; i++)
    if (!same_effect(w, &w->ref->engine.effects[before[i]], &w->t->engine.effects[now[i]]))
      return differs(w, "sim_engine.effects");
  return true;
}

static bool same_jobs(struct walk *w) {
  for (unsigned u = 0; u < 2; u++)
    for (unsigned i = 0; i < w->t->unpack.jobs[u]; i++) {
      const size_t job = offsetof(struct tx_tile, unpack.job[u][i]);
      if (!same_struct(w, job, job, tx_lap_of_job)) return false;
    }
  return true;
}

/* Batches leave the packer in order. A batch names its effect by the number that effect_seq had. */
static bool same_batches(struct walk *w) {
  const struct tx_tile *before = w->ref, *now = w->t;
  for (uint32_t i = 0; i < now->pack.count; i++) {
    const uint32_t was = (before->pack.first + i) % TX_PACK_BATCHES, is = (now->pack.first + i) % TX_PACK_BATCHES;
    const struct tx_pack_batch *a = &before->pack.batch[was], *b = &now->pack.batch[is];
    if (!same_struct(w, offsetof(struct tx_tile, pack.batch[was]), offsetof(struct tx_tile, pack.batch[is]),
                     tx_lap_of_batch))
      return false;
    if (b->done_at && before->engine.effect_seq - a->effect != now->engine.effect_seq - b->effect)
      return differs(w, "tx_pack_batch.effect");
  }
  return true;
}

static bool same_ranges(struct walk *w) {
  for (uint64_t left = w->t->inflight.used & ~TX_INFLIGHT_WATCHED; left; left &= left - 1) {
    const unsigned i = (unsigned)__builtin_ctzll(left);
    if (memcmp(&w->ref->inflight.range[i], &w->t->inflight.range[i], sizeof w->t->inflight.range[i]) != 0)
      return differs(w, "tx_inflight.range");
  }
  return true;
}

/* --- what needs more than a kind --- */

/* Values that two-cycle instructions of this or the last cycle have replaced; older ones are not read. */
static bool same_hidden(struct walk *w) {
  const sim_time now = w->t->engine.now;
  for (sim_time back = 0; back < 2 && back < w->s->at; back++) {
    const struct tx_hidden *a = &w->ref->vector.hidden[(w->s->at - back) & 1u], *b = &w->t->vector.hidden[(now - back) & 1u];
    const bool held = a->at == w->s->at - back;
    if (held != (b->at == now - back)) return differs(w, "tx_hidden.at");
    if (held && (a->rows != b->rows || a->held_rows != b->held_rows || a->fresh_rows != b->fresh_rows ||
                 a->wanted_rows != b->wanted_rows))
      return differs(w, "tx_hidden.rows");
  }
  return true;
}

/* The place of a waiting load in the ring of retirement. */
static uint32_t waiting_place(const struct tx_core *c) {
  return (c->waiting.slot + TX_CORE_RETIRE - c->retire_next) % TX_CORE_RETIRE;
}

#define SAME_IN(name) (memcmp(&a->name, &b->name, sizeof a->name) == 0)

/* The registers at the start of a spin's iteration: each is the same, or that of the core. */
static bool same_registers(struct walk *w, unsigned core) {
  const struct tx_core *a = &w->ref->core[core], *b = &w->t->core[core];
  for (unsigned i = 0; i < TX_CORE_NOWHERE; i++) {
    if (a->spin.registers[i] == b->spin.registers[i]) continue;
    if (a->spin.registers[i] != a->r[i] || b->spin.registers[i] != b->r[i]) return differs(w, "tx_core.spin.registers");
    if (w->notes)
      w->s->copy[w->s->copy_count++] = (struct tx_lap_copy){(uint32_t)offsetof(struct tx_tile, core[core].spin.registers[i]),
                                                            (uint32_t)offsetof(struct tx_tile, core[core].r[i])};
  }
  return true;
}

/* A spin has begun: the core compares it with its next iteration. Else nothing reads this. */
static bool same_spin(struct walk *w, unsigned core) {
  const struct tx_core_spin *a = &w->ref->core[core].spin, *b = &w->t->core[core].spin;
  const size_t at = offsetof(struct tx_tile, core[core].spin.at),
               retired = offsetof(struct tx_tile, core[core].spin.retired);
  if (!tx_spin_has_begun(b)) return true;
  if (!SAME_IN(value) || !SAME_IN(values) || !SAME_IN(offsets) || !SAME_IN(period) || !SAME_IN(word))
    return differs(w, "tx_core.spin.value");
  if (!same_registers(w, core)) return false;
  return same_times(w, at, at, sizeof b->at, true, "tx_core.spin.at") && same_counts(w, retired, sizeof b->retired, true);
}

/* An entry of the store queue leaves some time after its first store at the latest, which may be much later than any other time is of use. */
static bool same_stores(struct walk *w, unsigned core) {
  const struct tx_core *a = &w->ref->core[core], *b = &w->t->core[core];
  for (uint32_t i = 0; i < b->queue_count; i++)
    if (b->queue[i].first - a->queue[i].first != w->round) return differs(w, "tx_core_store.first");
  return true;
}

/* Every 125th hit flushes the cache. */
static bool same_core(struct walk *w, unsigned core) {
  const struct tx_core *a = &w->ref->core[core], *b = &w->t->core[core];
  if (w->t->timing && b->waiting.kind && waiting_place(a) != waiting_place(b)) return differs(w, "tx_core.waiting.slot");
  if (!same_spin(w, core) || !same_stores(w, core)) return false;
  const uint32_t hits = b->l0_hits - a->l0_hits;
  if (hits % TX_L0_HITS_PER_FLUSH && !(b->csr[TX_CSR_CFG0] & TX_CFG0_NO_L0_FLUSH)) return differs(w, "tx_core.l0_hits");
  return same_words(w, offsetof(struct tx_tile, core[core].l0_hits), sizeof hits, true);
}

/* The last accesses of the cores, which are no part of the state, are for reports. */
static bool note_accesses(struct walk *w) {
  for (unsigned core = 0; core < TX_CORES; core++) {
    if (is_apart(w, core)) continue;
    const sim_time by = w->t->unsaved.memo.last_tile_access[core] - w->s->last_access[core];
    if (by && !note(w, offsetof(struct tx_tile, unsaved.memo.last_tile_access[core]), sizeof by, by, true)) return false;
  }
  return true;
}

/* States of which no lap is made. */
static bool may_repeat(struct walk *w) {
  const struct tx_tile *t = w->t;
  if (t->fault.kind) return differs(w, "sim_fault.kind");
  if (t->perf.counting) return differs(w, "tx_perf.counting");
  if (t->pack.config.compress) return differs(w, "tx_pack_config.compress");
  for (unsigned i = 0; i < TX_SUB_SCHEDULED; i++)
    if (t->vector.occupied[i]) return differs(w, "tx_vector.occupied");
  return w->round || differs(w, "sim_engine.now");
}

/* What differs most often, at first glance. */
static bool looks_same(struct walk *w) {
  const struct tx_tile *a = w->ref, *b = w->t;
  for (unsigned core = 0; core < TX_CORES; core++)
    if (!is_apart(w, core) &&
        (a->core[core].pc != b->core[core].pc || a->core[core].queue_count != b->core[core].queue_count))
      return differs(w, "tx_core.pc");
  for (unsigned i = 0; i < TX_THREADS; i++) {
    const struct tx_frontend *before = &a->frontend[i], *now = &b->frontend[i];
    if (before->fifo1.count != now->fifo1.count || before->fifo2.count != now->fifo2.count ||
        before->fifo3.count != now->fifo3.count)
      return differs(w, "tx_fifo.count");
  }
  if (a->engine.effect_count != b->engine.effect_count) return differs(w, "sim_engine.effect_count");
  for (unsigned i = 0; i < TX_AGENT_COUNT; i++)
    if (a->engine.agents[i].state != b->engine.agents[i].state) return differs(w, "sim_agent.state");
  return true;
}

static bool same_everything(struct walk *w) {
  if (!looks_same(w) || !may_repeat(w) || !same_sections(w) || !same_bands(w)) return false;
  if (!same_effects(w) || !same_jobs(w) || !same_batches(w) || !same_ranges(w) || !same_streams(w) || !same_hidden(w))
    return false;
  for (unsigned core = 0; core < TX_CORES; core++)
    if (!is_apart(w, core) && !same_core(w, core)) return false;
  return note_accesses(w);
}

/* --- from outside --- */

void tx_lap_note(struct tx_lap_same *s, const struct tx_tile *t, uint32_t apart) {
  s->at = t->engine.now;
  s->apart = apart;
  s->period = 0;
  s->move_count = s->copy_count = 0;
  memset(s->turn, 0, sizeof s->turn);
  memcpy(s->last_access, t->unsaved.memo.last_tile_access, sizeof s->last_access);
  memcpy(s->state, t, sizeof s->state);
}

static bool compare(struct tx_lap_same *s, const struct tx_tile *t, bool notes, const char **where) {
  struct walk w = {.s = s, .t = t, .was = (const uint8_t *)s->state, .is = (const uint8_t *)t, .notes = notes};
  w.ref = (const struct tx_tile *)(const void *)s->state;
  w.past = s->at > PAST_CYCLES ? s->at - PAST_CYCLES : 0;
  w.round = t->engine.now - s->at;
  const bool same = same_everything(&w);
  if (where) *where = w.where;
  return same;
}

bool tx_lap_is_same(struct tx_lap_same *s, const struct tx_tile *t, const char **where) {
  s->period = t->engine.now - s->at;
  s->move_count = s->copy_count = 0;
  return compare(s, t, true, where);
}

bool tx_lap_is_back(struct tx_lap_same *s, const struct tx_tile *t, const char **where) {
  return compare(s, t, false, where);
}

/* --- the skip --- */

static void move_words(const struct tx_lap_same *s, struct tx_tile *t, uint64_t n) {
  uint8_t *bytes = (uint8_t *)t;
  for (uint32_t i = 0; i < s->move_count; i++) {
    const struct tx_lap_move *m = &s->move[i];
    const uint64_t by = n * m->by, word = m->bytes == sizeof word ? word8(bytes, m->offset) + by : 0;
    const uint32_t half = m->bytes == sizeof half ? word4(bytes, m->offset) + (uint32_t)by : 0;
    if (m->bytes == sizeof word) memcpy(bytes + m->offset, &word, sizeof word);
    else memcpy(bytes + m->offset, &half, sizeof half);
  }
}

static void copy_words(const struct tx_lap_same *s, struct tx_tile *t) {
  for (uint32_t i = 0; i < s->copy_count; i++)
    memcpy((uint8_t *)t + s->copy[i].offset, (uint8_t *)t + s->copy[i].of, sizeof(uint32_t));
}

/* Entries keep their places behind the head, which is turned afterwards, when all bands of the ring have been. */
static void turn_band(const struct tx_lap_same *s, struct tx_tile *t, unsigned number, const struct tx_lap_band *b,
                      uint64_t n) {
  const struct tx_lap_turn *turn = &s->turn[number];
  uint8_t *base = (uint8_t *)t + b->base, entries[TX_FIFO_SLOTS * sizeof(struct tx_word)];
  const uint32_t head = word4((uint8_t *)t, b->head);
  sim_assert((size_t)b->places * b->size <= sizeof entries);
  for (uint32_t i = 0; i < b->places; i++) {
    memcpy(entries + i * b->size, base + place_of(b, head, i) * b->size, b->size);
    if (!(turn->moved >> i & 1u)) continue;
    const sim_time at = word8(entries, (size_t)i * b->size) + n * s->period;
    memcpy(entries + i * b->size, &at, sizeof at);
  }
  const uint32_t next = place_of(b, head, n % b->places * turn->by);
  for (uint32_t i = 0; i < b->places; i++) memcpy(base + place_of(b, next, i) * b->size, entries + i * b->size, b->size);
}

static void turn_head(const struct tx_lap_same *s, struct tx_tile *t, unsigned number, const struct tx_lap_band *b,
                      uint64_t n) {
  const uint32_t next = place_of(b, word4((uint8_t *)t, b->head), n % b->places * s->turn[number].by);
  memcpy((uint8_t *)t + b->head, &next, sizeof next);
}

static void turn_rings(const struct tx_lap_same *s, struct tx_tile *t, uint64_t n) {
  struct tx_lap_band b, behind;
  for (unsigned i = 0; tx_lap_band(i, &b); i++) {
    const bool last = !tx_lap_band(i + 1, &behind) || behind.head != b.head;
    if (!b.frozen || (b.core && s->apart >> (b.core - 1) & 1u)) continue;
    turn_band(s, t, i, &b, n);
    if (last && s->turn[i].by) turn_head(s, t, i, &b, n);
  }
}

void tx_lap_skip(const struct tx_lap_same *s, struct tx_tile *t, uint64_t n) {
  uint32_t place[TX_CORES];
  for (unsigned core = 0; core < TX_CORES; core++) place[core] = waiting_place(&t->core[core]);
  move_words(s, t, n);
  copy_words(s, t);
  turn_rings(s, t, n);
  for (unsigned core = 0; core < TX_CORES; core++) {
    struct tx_core *c = &t->core[core];
    if (t->timing && c->waiting.kind && !(s->apart >> core & 1u))
      c->waiting.slot = (uint8_t)((c->retire_next + place[core]) % TX_CORE_RETIRE);
  }
}
