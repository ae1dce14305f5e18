/* Streams and batches (output.h). ISA: Packers/OutputAddressGenerator.md, "Output alignment". */
#include "tensix/unit/pack/output.h"

#include <string.h>

#include "tensix/machine.h"
#include "tensix/mem/inflight.h"
#include "tensix/mem/l1.h"
#include "tensix/mem/l1_ports.h"
#include "tensix/num/format_pack_acc.h"
#include "tensix/unit/pack/metadata.h"
#include "tensix/unit/tdma.h"

/* Parts of batch->bytes behind the data, and the most bytes of each that one instruction needs. Exponents: six and padding. Row starts:
 * two and padding. */
enum { EXPONENTS_FROM = TX_PACK_DATA_BYTES, ROW_STARTS_FROM = 2688, OTHERS_NEED = 32 };
static const uint16_t part_from[TX_PACK_STREAMS] = {0, EXPONENTS_FROM, ROW_STARTS_FROM};

static inline uint32_t part_end(enum tx_pack_stream_name name) {
  return name + 1 < TX_PACK_STREAMS ? part_from[name + 1] : TX_PACK_BATCH_BYTES;
}

static struct tx_pack_batch *newest(struct tx_pack *p) {
  tx_assert(p->count > 0 && p->count <= TX_PACK_BATCHES && p->first < TX_PACK_BATCHES);
  return &p->batch[(p->first + p->count - 1) % TX_PACK_BATCHES];
}

/* Bytes that fill no block return to the streams' buffers; the next PACR begins with them. */
static void close_batch(struct tx_pack *p, struct tx_pack_batch *b) {
  if (b->closed) return;
  for (unsigned i = 0; i < TX_PACK_STREAMS; i++) {
    struct tx_pack_stream *s = &p->stream[i];
    uint32_t whole = b->bits[i] / 128 * 16;
    if (!b->bits[i]) continue;
    s->address += whole;
    s->bits = (uint16_t)(b->bits[i] % 128);
    memset(s->buffer, 0, sizeof s->buffer);
    memcpy(s->buffer, b->bytes + part_from[i] + whole, (s->bits + 7u) / 8);
  }
  b->closed = 1;
}

static bool has_room(const struct tx_pack_batch *b) {
  return b->bits[TX_PACK_DATA] / 8 <= TX_PACK_ROOM_BITS / 8 &&
         b->bits[TX_PACK_EXPONENTS] / 8 <= ROW_STARTS_FROM - EXPONENTS_FROM - OTHERS_NEED &&
         b->bits[TX_PACK_ROW_STARTS] / 8 <= TX_PACK_BATCH_BYTES - ROW_STARTS_FROM - OTHERS_NEED;
}

bool tx_pack_batch_fits(const struct tx_pack_batch *b) {
  for (unsigned i = 0; i < TX_PACK_STREAMS; i++)
    if ((b->bits[i] + 7u) / 8 > part_end((enum tx_pack_stream_name)i) - part_from[i]) return false;
  return b->bits[0] < UINT32_MAX - 7 && b->bits[1] < UINT32_MAX - 7 && b->bits[2] < UINT32_MAX - 7;
}

/* Out of line: keeps joining short. */
__attribute__((noinline)) static struct tx_pack_batch *open_batch(struct tx_tile *t, bool accumulate, unsigned format) {
  struct tx_pack *p = &t->pack;
  if (p->count) close_batch(p, newest(p));
  tx_assert(p->count < TX_PACK_BATCHES); /* ensured by tx_pack_ready */
  struct tx_pack_batch *b = &p->batch[(p->first + p->count++) % TX_PACK_BATCHES];
  memset(b, 0, offsetof(struct tx_pack_batch, bytes));
  b->agent = t->current.agent;
  b->word = t->current.word;
  b->pc = t->current.pc;
  b->accumulate = accumulate;
  b->format = (uint8_t)format;
  for (unsigned i = 0; i < TX_PACK_STREAMS; i++) {
    struct tx_pack_stream *s = &p->stream[i];
    b->bits[i] = s->bits;
    if (s->bits) memcpy(b->bytes + part_from[i], s->buffer, sizeof s->buffer);
    s->bits = 0;
  }
  return b;
}

/* The open batch that the current instruction may join; NULL: none. */
static struct tx_pack_batch *joined(struct tx_tile *t, bool accumulate, unsigned format) {
  struct tx_pack *p = &t->pack;
  if (!p->count) return NULL;
  struct tx_pack_batch *b = newest(p);
  bool joins = !b->closed && b->agent == t->current.agent && b->accumulate == accumulate && b->format == format;
  return joins && has_room(b) ? b : NULL;
}

struct tx_pack_batch *tx_pack_batch(struct tx_tile *t, bool joins, bool accumulate, unsigned format) {
  struct tx_pack_batch *b = joins ? joined(t, accumulate, format) : NULL;
  return b ? b : open_batch(t, accumulate, format);
}

/* Not at a byte boundary: datums of two or four bits in rows that are not whole. */
static void append_slowly(uint8_t *to, uint32_t at, const uint8_t *bytes, unsigned bits) {
  for (unsigned i = 0; i < bits; i++, at++) {
    if (at % 8 == 0) to[at / 8] = 0;
    to[at / 8] |= (uint8_t)(((unsigned)bytes[i / 8] >> i % 8 & 1u) << at % 8);
  }
}

void tx_pack_append(struct tx_pack_batch *b, enum tx_pack_stream_name name, const uint8_t *bytes, unsigned bits) {
  uint8_t *to = b->bytes + part_from[name];
  uint32_t at = b->bits[name];
  tx_assert(!b->closed && (at + bits + 7) / 8 <= part_end(name) - part_from[name]);
  if ((at | bits) % 8 == 0 && bits == 8) to[at / 8] = *bytes; /* an exponent */
  else if ((at | bits) % 8 == 0) memcpy(to + at / 8, bytes, bits / 8);
  else append_slowly(to, at, bytes, bits);
  b->bits[name] += bits;
}

void tx_pack_flush(struct tx_pack *p, struct tx_pack_batch *b) {
  static const uint8_t zeros[16];
  for (unsigned i = 0; i < TX_PACK_STREAMS; i++) {
    unsigned missing = (128 - b->bits[i] % 128) % 128;
    if (missing) tx_pack_append(b, (enum tx_pack_stream_name)i, zeros, missing);
    p->stream[i].open = 0;
  }
}

static bool list_more(struct tx_tile *t, struct tx_pack_batch *b, struct tx_pack_piece *piece, uint32_t more) {
  uint32_t end = piece->address + piece->length;
  if (!tx_l1_check(t, end, more, "PACR")) return false;
  piece->length += more;
  if (piece->handle) {
    tx_inflight_extend(t, piece->handle, more);
    return true;
  }
  struct tx_range range = {
      .base = end, .width = more, .rows = 1, .word = b->word, .agent = (uint16_t)b->agent, .unit = TX_UNIT_PACK, .write = 1};
  piece->handle = tx_inflight_add(t, &range);
  return true;
}

uint32_t tx_pack_list(struct tx_tile *t, struct tx_pack_batch *b, bool *ok) {
  uint32_t sum = 0;
  unsigned streams = b->bits[TX_PACK_EXPONENTS] | b->bits[TX_PACK_ROW_STARTS] ? TX_PACK_STREAMS : TX_PACK_DATA + 1;
  *ok = true;
  for (unsigned i = 0; i < streams; i++) {
    struct tx_pack_piece *piece = &b->piece[i];
    tx_assert(piece->length <= b->bits[i] / 8 && piece->length % 16 == 0);
    uint32_t more = b->bits[i] / 128 * 16 - piece->length;
    if (!more) continue;
    if (!piece->length) piece->address = t->pack.stream[i].address;
    if (t->timing && i == TX_PACK_DATA) b->streams = piece->address + piece->length;
    if (!list_more(t, b, piece, more)) {
      *ok = false;
      return 0;
    }
    sum += more;
  }
  return sum;
}

static void schedule(struct tx_tile *t, struct tx_pack_batch *b, uint32_t cycles) {
  static const uint32_t nothing[SIM_EFFECT_WORDS];
  b->effect = t->engine.effect_seq;
  tx_later(t, cycles, TX_EFFECT_PACK_DONE, nothing);
}

void tx_pack_leave(struct tx_tile *t, struct tx_pack_batch *b, uint32_t bytes, uint32_t cycles, bool closes) {
  bool first = b->done_at == 0;
  b->done_at = tx_now(t) + (t->timing && cycles ? cycles : 1);
  t->pack.last_done_at = b->done_at;
  if (t->timing && bytes) {
    uint32_t rate = t->params.pack_l1_bytes_per_cycle, wide = tx_pack_divide_up(bytes, rate);
    tx_l1_stream(t, TX_L1_PACKER, b->streams, rate, b->done_at - (wide < cycles ? wide : cycles), b->done_at);
  }
  if (first) schedule(t, b, cycles);
  else sim_effect_postpone(&t->engine, b->effect, b->done_at);
  if (closes) close_batch(&t->pack, b);
}

/* --- into L1 --- */

static void accumulate(struct tx_tile *t, const struct tx_pack_batch *b, const struct tx_pack_piece *piece, unsigned from) {
  uint8_t sum[TX_PACK_BATCH_BYTES];
  tx_assert(piece->length <= sizeof sum && piece->address + piece->length <= TX_L1_BYTES);
  memcpy(sum, &t->l1[piece->address], piece->length);
  unsigned bugs = num_acc_bytes(b->format, sum, b->bytes + from, piece->length);
  if (bugs)
    tx_diag(t, TX_DIAG_PACK_FP16_ACCUMULATE, "%u datums between 0x%x and 0x%x became 7fff though the sum was small", bugs,
            piece->address, piece->address + piece->length - 1);
  tx_l1_write(t, piece->address, sum, piece->length);
}

/* ISA: PACR_SETREG.md: no effect from 0xFFB80000 on. */
static void write_register(struct tx_tile *t, const struct tx_pack_batch *b) {
  uint32_t address = b->register_address, value = b->register_value;
  bool done;
  if (address >= TX_ADDR_MOP_CFG) return;
  if (address >> 12 == TX_ADDR_TDMA >> 12) done = tx_tdma_write(t, b->agent, address, value) == TX_TDMA_DONE;
  else done = t->unsaved.ports->register_write(t, address, value, 0xfu);
  if (!done) tx_fault(t, SIM_FAULT_ADDRESS, "PACR_SETREG.md", "PACR_SETREG: no register takes a value at 0x%08x", address);
}

static void write_batch(struct tx_tile *t, struct tx_pack_batch *b) {
  t->current = (struct tx_current){.agent = b->agent, .word = b->word, .pc = b->pc, .unit = TX_UNIT_PACK};
  close_batch(&t->pack, b);
  for (unsigned i = 0; i < TX_PACK_STREAMS; i++) {
    const struct tx_pack_piece *piece = &b->piece[i];
    if (!piece->length) continue;
    tx_inflight_remove(t, piece->handle);
    tx_perf_request(t, TX_PERF_L1_PACKER, (piece->length + 15) / 16, 0);
    if (b->accumulate) accumulate(t, b, piece, part_from[i]);
    else tx_l1_write(t, piece->address, b->bytes + part_from[i], piece->length);
  }
  if (b->ends_tile) tx_pack_metadata_publish(t, b);
  if (b->register_address) write_register(t, b);
}

/* Narrow writes occupied banks of the packer's stream: this batch and the later ones are delayed. */
static void postpone_all(struct tx_tile *t, const struct sim_effect *e, uint32_t delay) {
  struct tx_pack *p = &t->pack;
  for (uint32_t i = 0; i < p->count; i++) {
    struct tx_pack_batch *b = &p->batch[(p->first + i) % TX_PACK_BATCHES];
    if (!b->done_at) continue; /* it is being filled */
    b->done_at += delay;
    if (i) sim_effect_postpone(&t->engine, b->effect, b->done_at);
    else sim_effect_retry(&t->engine, *e, b->done_at);
  }
  p->last_done_at += delay;
  struct tx_unit_state *unit = &t->units[TX_UNIT_PACK];
  for (unsigned thread = 0; thread < TX_THREADS; thread++)
    if (unit->drained_at[thread] >= tx_now(t)) unit->drained_at[thread] += delay;
  tx_perf_request(t, TX_PERF_L1_PACKER, 0, delay);
}

/* Batches leave in order, each with its own effect. */
void tx_effect_PACK_DONE(struct tx_tile *t, const struct sim_effect *e) {
  struct tx_pack *p = &t->pack;
  tx_assert(p->count > 0 && p->batch[p->first].done_at <= tx_now(t)); /* batches leave in order */
  uint32_t delay = tx_l1_take_delay(t, TX_L1_PACKER);
  if (delay) {
    postpone_all(t, e, delay);
    return;
  }
  write_batch(t, &p->batch[p->first]);
  sim_poison(&p->batch[p->first]);
  p->first = (p->first + 1) % TX_PACK_BATCHES;
  p->count--;
}
