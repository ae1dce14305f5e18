/* PACR and PACR_SETREG (pack.h). Here is the usual PACR; general.c handles any. */
#include <string.h>

#include "sim/keep.h"
#include "tensix/mem/inflight.h"
#include "tensix/mem/l1.h"
#include "tensix/mem/l1_ports.h"
#include "tensix/num/format_pack.h"
#include "tensix/regs/adc.h"
#include "tensix/unit/pack/config.h"
#include "tensix/unit/pack/general.h"
#include "tensix/unit/pack/metadata.h"
#include "tensix/unit/pack/pack.h"
#include "tensix/unit/tdma.h"

/* --- fast paths of the usual PACR: whole rows of a plain format --- */

/* Fields of PACR that they do not handle. */
#define RARE_FIELDS \
  (TX_PUT(PACR, cfg_context, ~0u) | TX_PUT(PACR, ctxt_ctrl, ~0u) | TX_PUT(PACR, row_pad_zero, ~0u) | \
   TX_PUT(PACR, addr_cnt_context, ~0u) | TX_PUT(PACR, flush, ~0u) | TX_PUT(PACR, zero_write, ~0u) | \
   TX_PUT(PACR, ovrd_thread_id, ~0u))

/* Once for a configuration: do they apply? Formats that are not of blocks have at least eight bits, so that a row fills blocks of L1.
 * The addresses are multiples of a row of Dst: then the row is a sum of rows, without columns. */
static void find_usual(struct tx_tile *t, const struct tx_pack_config *c, unsigned thread) {
  struct tx_pack_cache *u = &t->unsaved.pack;
  const unsigned shift = 4 + c->datum_shift; /* bytes of a row in the input address */
  const uint32_t *stride = c->in_stride, all = c->in_base | stride[TX_ADC_Y] | stride[TX_ADC_Z] | stride[TX_ADC_W];
  bool usual = c->plain && !(c->accumulate | c->how.block | c->how.rounds_twice | c->auto_interfaces);
  u->thread = (uint8_t)(usual && !(all & ((1u << shift) - 1u)) ? thread + 1 : 0);
  u->row_bytes = (uint8_t)(2u * c->how.bits);
  u->bf16 = num_pack_is_bf16(&c->how) && !c->relu_mode;
  u->mapped = c->request.wide || c->map.remap;
  u->row = (uint16_t)(((c->in_base >> shift) + c->dst_offset) % TX_DST_ROWS);
  for (unsigned i = 0; i < 3; i++) u->row_step[i] = (uint16_t)((stride[TX_ADC_Y + i] >> shift) % TX_DST_ROWS);
}

static inline uint32_t address_mode(const struct tx_tile *t, unsigned thread, uint32_t word) {
  return t->config.thread_words[thread][TX_CFG_ADDR_MOD_PACK_SEC0_YsrcIncr_ADDR + TX_FIELD(word, PACR, addr_mode)];
}

/* What a word decides under such a configuration. */
struct usual {
  unsigned rows;  /* of Dst; more than TX_PACK_INTERFACES: they are not contiguous */
  uint32_t bytes; /* in L1 */
  uint32_t mode;  /* of the counters */
};

__attribute__((always_inline)) static inline struct usual read_word(const struct tx_tile *t, unsigned thread,
                                                                    uint32_t word) {
  enum { NONE = 2 * TX_PACK_INTERFACES };
  static const uint8_t rows_of[1u << TX_PACK_INTERFACES] = {/* by ReadIntfSel; gaps: none */
                                                            4,    1,    NONE, 2,    NONE, NONE, NONE, 3,
                                                            NONE, NONE, NONE, NONE, NONE, NONE, NONE, 4};
  const struct tx_dst_map map = t->pack.config.map;
  unsigned rows = rows_of[TX_FIELD(word, PACR, read_intf_sel)];
  if (TX_FIELD(word, PACR, dst_access_mode) && (rows > 1 || !map.remap || !map.swizzle)) rows = NONE;
  return (struct usual){rows, t->unsaved.pack.row_bytes * rows, address_mode(t, thread, word)};
}

/* All columns of these rows are defined: one test for a row, and where a kernel has written a group of four in one view. */
static inline bool are_whole(const uint8_t *valid, unsigned rows) {
  const uint32_t each = UINT32_MAX / UINT8_MAX;
  uint32_t states;
  if (rows == 1) return tx_dst_is_whole(*valid);
  if (rows == sizeof states) {
    memcpy(&states, valid, sizeof states);
    if (states == TX_DST_VALID16 * each || states == TX_DST_VALID32 * each) return true;
  }
  for (unsigned k = 0; k < rows; k++)
    if (!tx_dst_is_whole(valid[k])) return false;
  return true;
}

/* Do the word's rows of Dst hold whole rows of L1? `first`: the first physical row. */
__attribute__((always_inline)) static inline bool plain_rows(const struct tx_tile *t, const struct tx_adc_channel *ch,
                                                             unsigned rows, unsigned *first) {
  const struct tx_pack_cache *u = &t->unsaved.pack;
  const struct tx_dst_map map = t->pack.config.map;
  const uint32_t *n = ch[0].c;
  unsigned row =
      (u->row + n[TX_ADC_Y] * u->row_step[0] + n[TX_ADC_Z] * u->row_step[1] + n[TX_ADC_W] * u->row_step[2]) % TX_DST_ROWS;
  if (n[TX_ADC_X] || ch[1].c[TX_ADC_X] != TX_DST_COLUMNS - 1 || (row & 3u) + rows > TX_PACK_INTERFACES) return false;
  if (u->mapped) row = t->pack.config.request.wide ? tx_dst_map32(map, row) : tx_dst_map16(map, row);
  *first = row;
  return are_whole(&t->dst.valid[row], rows);
}

/* The same of a word with DstAccessMode and more than one row, which are 16 apart in the view: the rows, and their number; 0: another case. */
static unsigned strided_rows(const struct tx_tile *t, const struct tx_adc_channel *ch, uint32_t word,
                             unsigned row[TX_PACK_INTERFACES]) {
  const struct tx_pack_cache *u = &t->unsaved.pack;
  const struct tx_pack_config *c = &t->pack.config;
  const uint32_t *n = ch[0].c, mask = TX_FIELD(word, PACR, read_intf_sel) ? TX_FIELD(word, PACR, read_intf_sel) : 0xfu;
  const unsigned rows = (unsigned)__builtin_popcount(mask);
  const unsigned first = u->row + n[TX_ADC_Y] * u->row_step[0] + n[TX_ADC_Z] * u->row_step[1] + n[TX_ADC_W] * u->row_step[2];
  if (!TX_FIELD(word, PACR, dst_access_mode) || mask & (mask + 1) || !c->map.remap || !c->map.swizzle) return 0;
  if (n[TX_ADC_X] || ch[1].c[TX_ADC_X] != TX_DST_COLUMNS - 1) return 0;
  for (unsigned k = 0; k < rows; k++) {
    const unsigned at = (first + 16 * k) % TX_DST_ROWS;
    row[k] = c->request.wide ? tx_dst_map32(c->map, at) : tx_dst_map16(c->map, at);
    if (!tx_dst_is_whole(t->dst.valid[row[k]])) return 0;
  }
  return rows;
}

/* The modes of most kernels: of channel 0, Y steps or is cleared, and Z steps. */
enum { STEPS_Y = 0xf, CLEARS_Y = 1 << 5, STEPS_Z = 1 << 12, USUAL_MODE = STEPS_Y | CLEARS_Y | STEPS_Z };

static inline void step_usual_counters(struct tx_adc_channel *ch, uint32_t mode) {
  if (mode & CLEARS_Y) ch[0].c[TX_ADC_Y] = ch[0].cr[TX_ADC_Y] = 0;
  else ch[0].c[TX_ADC_Y] = (ch[0].c[TX_ADC_Y] + (mode & STEPS_Y)) & tx_adc_mask[TX_ADC_Y];
  if (mode & STEPS_Z) ch[0].c[TX_ADC_Z] = (ch[0].c[TX_ADC_Z] + 1) & tx_adc_mask[TX_ADC_Z];
}

static inline void step_word_counters(struct tx_adc_channel *ch, uint32_t mode) {
  if (mode & ~(uint32_t)USUAL_MODE) tx_adc_step_pack(ch, mode);
  else step_usual_counters(ch, mode);
}

static inline void convert_rows(struct tx_tile *t, const struct tx_pack_config *c, unsigned row, unsigned count,
                                uint8_t *bytes) {
  uint8_t exponents[TX_PACK_INTERFACES];
  if (t->unsaved.pack.bf16) {
    num_pack_bf16(t->dst.bits[row], count, bytes, &t->pack_stats.exponent_histogram_max);
    return;
  }
  const struct num_pack_rows rows = {.high = t->dst.bits[row],
                                     .low = t->dst.bits[row + (c->request.wide ? 8 : 0)],
                                     .count = count,
                                     .relu_mode = c->relu_mode,
                                     .relu_threshold = c->relu_threshold};
  tx_pack_note_largest(t, num_pack_rows(&c->how, &rows, bytes, exponents));
}

static struct usual use_strided(const struct tx_tile *t, const struct usual *u, unsigned rows) {
  return (struct usual){rows, t->unsaved.pack.row_bytes * rows, u->mode};
}

static void convert_strided(struct tx_tile *t, const struct tx_pack_config *c, const unsigned *row, unsigned count,
                            uint8_t *bytes) {
  for (unsigned k = 0; k < count; k++) convert_rows(t, c, row[k], 1, bytes + k * t->unsaved.pack.row_bytes);
}

/* step_position where the position is not used. */
static inline void step_unused_position(struct tx_pack *p, const struct tx_pack_config *c, unsigned rows) {
  p->position = (uint8_t)(p->position + rows);
  if (p->position != c->reads_per_plane) return;
  p->position = 0;
  p->plane++;
}

__attribute__((noinline)) static void end_tile_at_once(struct tx_tile *t, const struct tx_pack_config *c) {
  struct tx_pack_batch out;
  memset(&out, 0, offsetof(struct tx_pack_batch, bytes));
  out.agent = t->current.agent;
  for (unsigned i = 0; i < TX_PACK_STREAMS; i++) t->pack.stream[i].open = 0;
  tx_pack_end_tile(t, c, &out);
  tx_pack_metadata_publish(t, &out);
}

/* Timing off, streams empty, and no other access in flight near: the bytes go from Dst to L1 without a batch, because no agent
 * acts between this instruction and its completion. `row`: its first one in Dst. */
static inline bool streams_are_empty(const struct tx_pack *p) {
  const struct tx_pack_stream *s = p->stream;
  return !(p->count || s[TX_PACK_EXPONENTS].bits | s[TX_PACK_ROW_STARTS].bits | s[TX_PACK_DATA].bits);
}

__attribute__((always_inline)) static inline bool may_pack_at_once(const struct tx_tile *t, const struct tx_adc_channel *ch,
                                                                   unsigned rows, unsigned *row) {
  return streams_are_empty(&t->pack) && plain_rows(t, ch, rows, row);
}

static inline bool is_free(const struct tx_tile *t, uint32_t address, uint32_t bytes) {
  return address + bytes <= TX_L1_BYTES && !tx_inflight_near(t, address, bytes);
}

static inline void step_at_once(struct tx_tile *t, const struct usual *u) {
  struct tx_pack *p = &t->pack;
  p->stream[TX_PACK_DATA].address += u->bytes;
  p->tile_blocks += u->bytes / 16;
  p->last_done_at = tx_now(t) + 1;
  step_unused_position(p, &p->config, u->rows);
}

/* With what is not in every PACR: it begins or ends a tile, some agent observes the write ... false: the caller uses a batch; only the
 * output address has been computed. */
static bool pack_at_once(struct tx_tile *t, unsigned thread, uint32_t word) {
  const struct tx_pack_config *c = &t->pack.config;
  const struct tx_pack_stream *data = &t->pack.stream[TX_PACK_DATA];
  struct usual u = read_word(t, thread, word);
  struct tx_adc_channel *ch = sim_keep(t->adc[thread].unit[TX_ADC_PACKER]);
  unsigned row[TX_PACK_INTERFACES], apart = 0;
  if (!may_pack_at_once(t, ch, u.rows, row)) {
    apart = streams_are_empty(&t->pack) ? strided_rows(t, ch, word, row) : 0;
    if (!apart) return false;
    u = use_strided(t, &u, apart);
  }
  if (!data->open) tx_pack_find_output(t, c, thread, NULL);
  const uint32_t address = data->address;
  if (!is_free(t, address, u.bytes)) return false;
  if (apart) convert_strided(t, c, row, apart, &t->l1[address]);
  else convert_rows(t, c, row[0], u.rows, &t->l1[address]);
  tx_l1_wrote(t, address, u.bytes);
  tx_perf_request(t, TX_PERF_L1_PACKER, u.bytes / 16, 0);
  step_at_once(t, &u);
  if (TX_FIELD(word, PACR, last)) end_tile_at_once(t, c);
  step_word_counters(ch, u.mode);
  return true;
}

/* No write of the matrix unit to this block of Dst is in flight. */
static inline bool block_is_quiet(const struct tx_tile *t, unsigned block) {
  return t->dst.busy_until[block] <= tx_now(t) && t->dst.mov_until[block] <= tx_now(t);
}

/* The newest batch, if a usual PACR may join it, as in output.c: it has data only, which end with a whole block. */
static inline struct tx_pack_batch *joined_batch(struct tx_tile *t) {
  struct tx_pack *p = &t->pack;
  if (!p->count || !p->stream[TX_PACK_DATA].open) return NULL;
  struct tx_pack_batch *b = sim_keep(&p->batch[(p->first + p->count - 1) % TX_PACK_BATCHES]);
  const uint32_t bits = b->bits[TX_PACK_DATA];
  const bool joins = !(b->closed | b->accumulate) && b->format == p->config.how.to && b->agent == t->current.agent;
  if (!joins || bits % 128 || bits > TX_PACK_ROOM_BITS || b->bits[TX_PACK_EXPONENTS] | b->bits[TX_PACK_ROW_STARTS])
    return NULL;
  return b->piece[TX_PACK_DATA].length ? b : NULL;
}

/* tx_pack_leave of a PACR that has joined its batch. Its bytes leave in the last `wide` of these cycles. */
static inline void leave_joined(struct tx_tile *t, struct tx_pack_batch *b, uint32_t wide, uint32_t cycles) {
  const uint32_t rate = t->params.pack_l1_bytes_per_cycle;
  b->done_at = t->pack.last_done_at = tx_now(t) + (cycles ? cycles : 1);
  tx_l1_stream(t, TX_L1_PACKER, b->streams, rate, b->done_at - (wide < cycles ? wide : cycles), b->done_at);
  sim_effect_postpone(&t->engine, b->effect, b->done_at);
}

/* Timing on: the rows of Dst that a usual PACR packs now. */
__attribute__((always_inline)) static inline bool rows_are_ready(const struct tx_tile *t, const struct tx_adc_channel *ch,
                                                                 unsigned rows, unsigned *row) {
  if (!plain_rows(t, ch, rows, row) || !block_is_quiet(t, *row / 8)) return false;
  return !t->pack.config.request.wide || block_is_quiet(t, *row / 8 + 1);
}

/* The rows that a PACR packs now, with timing on: contiguous, or 16 apart. */
struct ready {
  unsigned row[TX_PACK_INTERFACES], apart; /* 0: they follow row[0] */
};

static bool strided_are_ready(const struct tx_tile *t, const struct tx_adc_channel *ch, uint32_t word, struct ready *r) {
  r->apart = strided_rows(t, ch, word, r->row);
  for (unsigned k = 0; k < r->apart; k++)
    if (!block_is_quiet(t, r->row[k] / 8) || (t->pack.config.request.wide && !block_is_quiet(t, r->row[k] / 8 + 1)))
      return false;
  return r->apart != 0;
}

/* false: not now, or another case. */
__attribute__((always_inline)) static inline bool find_ready(const struct tx_tile *t, const struct tx_adc_channel *ch,
                                                             uint32_t word, struct usual *u, struct ready *r) {
  r->apart = 0;
  if (__builtin_expect(rows_are_ready(t, ch, u->rows, r->row), 1)) return true;
  if (!strided_are_ready(t, ch, word, r)) return false;
  *u = use_strided(t, u, r->apart);
  return true;
}

__attribute__((always_inline)) static inline void convert_ready(struct tx_tile *t, const struct tx_pack_config *c,
                                                                const struct ready *r, unsigned rows, uint8_t *bytes) {
  if (__builtin_expect(r->apart, 0)) convert_strided(t, c, r->row, rows, bytes);
  else convert_rows(t, c, r->row[0], rows, bytes);
}

/* It joins its thread's batch, which ends with a whole block. false: no change. */
__attribute__((always_inline)) static inline bool pack_into_batch(struct tx_tile *t, unsigned thread, uint32_t word,
                                                                  struct tx_cost *cost) {
  struct tx_pack *p = &t->pack;
  const struct tx_pack_config *c = &p->config;
  struct usual u = read_word(t, thread, word);
  struct tx_adc_channel *ch = sim_keep(t->adc[thread].unit[TX_ADC_PACKER]);
  struct tx_pack_batch *b = joined_batch(t);
  struct ready ready;
  if (!b || !find_ready(t, ch, word, &u, &ready)) return false;
  struct tx_pack_piece *piece = &b->piece[TX_PACK_DATA];
  const uint32_t bytes = u.bytes, end = piece->address + piece->length;
  if (end + bytes > TX_L1_BYTES) return false;
  convert_ready(t, c, &ready, u.rows, tx_pack_room(b, bytes));
  step_unused_position(p, c, u.rows);
  b->streams = end;
  piece->length += bytes;
  tx_inflight_extend(t, piece->handle, bytes);
  p->tile_blocks += bytes / 16;
  step_word_counters(ch, u.mode);
  const uint32_t wide = tx_pack_charge(t, c, u.rows, bytes, cost);
  if (!TX_FIELD(word, PACR, last)) {
    leave_joined(t, b, wide, cost->hold + cost->latency);
    return true;
  }
  tx_pack_flush(p, b);
  tx_pack_end_tile(t, c, b);
  tx_pack_leave(t, b, bytes, cost->hold + cost->latency, true);
  return true;
}

/* The first one of a tile begins a batch. false: no change. Out of line: keeps the others short. */
__attribute__((noinline)) static bool pack_into_new_batch(struct tx_tile *t, unsigned thread, uint32_t word,
                                                          struct tx_cost *cost) {
  struct tx_pack *p = &t->pack;
  const struct tx_pack_config *c = &p->config;
  struct usual u = read_word(t, thread, word);
  const struct tx_pack_stream *s = p->stream;
  struct tx_adc_channel *ch = sim_keep(t->adc[thread].unit[TX_ADC_PACKER]);
  const bool last = TX_FIELD(word, PACR, last);
  struct ready ready;
  bool ok;
  if (s[TX_PACK_DATA].open || s[TX_PACK_EXPONENTS].bits | s[TX_PACK_ROW_STARTS].bits | s[TX_PACK_DATA].bits) return false;
  if (p->count && !p->batch[(p->first + p->count - 1) % TX_PACK_BATCHES].closed) return false;
  if (!find_ready(t, ch, word, &u, &ready)) return false;
  struct tx_pack_batch *b = tx_pack_batch(t, false, false, c->how.to);
  tx_pack_find_output(t, c, thread, b);
  convert_ready(t, c, &ready, u.rows, tx_pack_room(b, u.bytes));
  step_unused_position(p, c, u.rows);
  if (last) tx_pack_flush(p, b);
  const uint32_t bytes = tx_pack_list(t, b, &ok);
  if (!ok) return true;
  p->tile_blocks += bytes / 16;
  if (last) tx_pack_end_tile(t, c, b);
  step_word_counters(ch, u.mode);
  tx_pack_charge(t, c, u.rows, bytes, cost);
  tx_pack_leave(t, b, bytes, cost->hold + cost->latency, last);
  return true;
}

/* --- the instructions --- */

__attribute__((noinline)) static void pack_off_with_calls(struct tx_tile *t, unsigned thread, uint32_t word,
                                                          struct tx_cost *cost) {
  if (!pack_at_once(t, thread, word)) tx_pack_in_general(t, thread, word, cost);
}

/* BF16 in the middle of a tile, as pack_at_once. Its last action is its only call, so that it saves no registers. */
__attribute__((noinline)) static void pack_off(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  const struct tx_pack_stream *data = sim_keep(&t->pack.stream[TX_PACK_DATA]);
  if (!t->unsaved.pack.bf16 || !data->open || TX_FIELD(word, PACR, last)) {
    pack_off_with_calls(t, thread, word, cost);
    return;
  }
  const struct usual u = read_word(t, thread, word);
  const uint32_t address = data->address;
  struct tx_adc_channel *ch = sim_keep(t->adc[thread].unit[TX_ADC_PACKER]);
  unsigned row;
  if (u.mode & ~(uint32_t)USUAL_MODE || t->perf.counting || !may_pack_at_once(t, ch, u.rows, &row) ||
      !is_free(t, address, u.bytes) || !tx_l1_is_quiet(t, address, u.bytes)) {
    pack_off_with_calls(t, thread, word, cost);
    return;
  }
  tx_l1_note_page(t, address);
  step_at_once(t, &u);
  step_usual_counters(ch, u.mode);
  num_pack_bf16(t->dst.bits[row], u.rows, &t->l1[address], &t->pack_stats.exponent_histogram_max);
}

__attribute__((noinline)) static void pack_timed(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  if (!pack_into_batch(t, thread, word, cost) && !pack_into_new_batch(t, thread, word, cost))
    tx_pack_in_general(t, thread, word, cost);
}

/* The first PACR of a configuration, or one that the fast paths do not handle. */
__attribute__((noinline)) static void pack_anew(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  if (!(word & RARE_FIELDS)) {
    const struct tx_pack_config *c = tx_pack_configure(t, thread);
    if (!c) return;
    if (t->unsaved.pack.thread != thread + 1) find_usual(t, c, thread);
  }
  if (word & RARE_FIELDS || !t->unsaved.pack.thread) tx_pack_in_general(t, thread, word, cost);
  else if (t->timing) pack_timed(t, thread, word, cost);
  else pack_off(t, thread, word, cost);
}

/* Ends with calls only: a usual PACR saves the registers of its own path, once. */
void tx_exec_PACR(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  const bool current = t->pack.config.version == t->config.version + 1;
  if (word & RARE_FIELDS || !current || t->unsaved.pack.thread != thread + 1) pack_anew(t, thread, word, cost);
  else if (t->timing) pack_timed(t, thread, word, cost);
  else pack_off(t, thread, word, cost);
}

/* Blackhole's form (the vendor's instruction table; no page): ModeSel writes 16 bits of the word to a half of a 32-bit data
 * register; otherwise Push and Flush together write that register to {FFB, REG_ADDR[11:10], StreamId, REG_ADDR[9:0], 00},
 * where AddrSel selects REG_ADDR. TDMA-RISC.md has two of the four that the table mentions. */
static bool setreg_address(struct tx_tile *t, uint32_t word, uint32_t *address) {
  unsigned select = TX_FIELD(word, PACR_SETREG, addr_sel);
  if (select > 1) {
    tx_fault(t, SIM_FAULT_UNSUPPORTED, "TDMA-RISC.md", "PACR_SETREG: AddrSel %u: TDMA-RISC has addresses 0 and 1", select);
    return false;
  }
  *address = TX_ADDR_REGISTERS | tx_tdma_register_base(t->mover.pack_register_raw, select) |
             TX_FIELD(word, PACR_SETREG, stream_id) << 12;
  if (*address >= TX_ADDR_TDMA) return true;
  tx_fault(t, SIM_FAULT_UNDEFINED, "PACR_SETREG.md", "PACR_SETREG: address 0x%08x is below 0x%08x", *address, TX_ADDR_TDMA);
  return false;
}

void tx_exec_PACR_SETREG(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  struct tx_pack *p = &t->pack;
  uint32_t address;
  bool ok;
  (void)thread;
  if (TX_FIELD(word, PACR_SETREG, mode_sel)) {
    unsigned shift = word >> 2 & 1u ? 16 : 0;
    p->register_data = (p->register_data & ~(0xffffu << shift)) | (word >> 3 & 0xffffu) << shift;
    return;
  }
  if (!TX_FIELD(word, PACR_SETREG, push) || !TX_FIELD(word, PACR_SETREG, flush)) {
    tx_fault(t, SIM_FAULT_UNSUPPORTED, "assembly.yaml",
             "PACR_SETREG without Push and Flush: only both together are documented");
    return;
  }
  if (!setreg_address(t, word, &address)) return;
  /* format of the previous PACR */
  struct tx_pack_batch *out = tx_pack_batch(t, false, p->config.accumulate, p->config.how.to);
  out->register_address = address;
  out->register_value = p->register_data;
  tx_pack_flush(p, out);
  uint32_t bytes = tx_pack_list(t, out, &ok);
  if (!ok) return;
  tx_pack_leave_in_order(t, cost);
  tx_pack_leave(t, out, bytes, cost->latency, true);
}

void tx_pack_ready(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_answer *answer) {
  const struct tx_pack *p = &t->pack;
  (void)thread, (void)word;
  if (p->count < TX_PACK_BATCHES) return;
  *answer = (struct tx_answer){
      .ok = false, .retry_at = p->batch[p->first].done_at, .wait = {.kind = TX_BLOCKED_UNIT, .object = TX_UNIT_PACK}};
}
