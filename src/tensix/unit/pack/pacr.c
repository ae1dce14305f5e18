/* PACR and PACR_SETREG (pack.h). */
#include <string.h>

#include "sim/keep.h"
#include "tensix/body.h"
#include "tensix/machine.h"
#include "tensix/mem/inflight.h"
#include "tensix/mem/l1.h"
#include "tensix/mem/l1_ports.h"
#include "tensix/num/format.h"
#include "tensix/num/format_pack.h"
#include "tensix/regs/adc.h"
#include "tensix/unit/pack/compress.h"
#include "tensix/unit/pack/config.h"
#include "tensix/unit/pack/metadata.h"
#include "tensix/unit/pack/output.h"
#include "tensix/unit/pack/pack.h"
#include "tensix/unit/pack/rounding.h"
#include "tensix/unit/tdma.h"

#define INTERFACES 4u

/* The state of a PACR during its body. */
struct job {
  const struct tx_pack_config *c;
  uint32_t word;
  unsigned thread;
  unsigned adc;             /* whose counters */
  unsigned rows;            /* enabled interfaces */
  unsigned row[INTERFACES]; /* rows of Dst: in the 16- or 32-bit view, physical from map_rows on */
  unsigned column, width;   /* datums of each row */
  bool zero;                /* ZeroWrite: datums are zero and are not read from Dst */
  bool last, flush;
  bool together; /* a whole group of four rows */
  bool leaves_group;
  bool too_soon; /* reads after MOVA2D or MOVB2D: reported once */
  uint32_t hold;
};

/* --- what is refused --- */

static bool fields_allowed(struct tx_tile *t, uint32_t word) {
  const uint32_t rare = TX_PUT(PACR, cfg_context, ~0u) | TX_PUT(PACR, ctxt_ctrl, ~0u) | TX_PUT(PACR, row_pad_zero, ~0u) |
                        TX_PUT(PACR, addr_cnt_context, ~0u);
  const char *what = NULL;
  if (!(word & rare)) return true;
  if (TX_FIELD(word, PACR, cfg_context)) what = "CfgContext";
  else if (TX_FIELD(word, PACR, ctxt_ctrl)) what = "CtxtCtrl";
  else if (TX_FIELD(word, PACR, row_pad_zero)) what = "RowPadZero";
  else if (TX_FIELD(word, PACR, addr_cnt_context) && !TX_FIELD(word, PACR, ovrd_thread_id))
    what = "AddrCntContext without OvrdThreadId";
  if (what) tx_fault(t, SIM_FAULT_UNSUPPORTED, "PACR.md", "PACR: %s is not documented on Blackhole", what);
  return !what;
}

/* --- input addresses. ISA: Packers/InputAddressGenerator.md, PACR.md --- */

/* inferred: Wormhole takes the index from Addr_cnt_context, Blackhole has that field in the instruction; 3 means 0. */
static unsigned which_adc(unsigned thread, uint32_t word) {
  if (!TX_FIELD(word, PACR, ovrd_thread_id)) return thread;
  unsigned index = TX_FIELD(word, PACR, addr_cnt_context);
  return index == 3 ? 0 : index;
}

/* Datum index into Dst: row * 16 + column. `n`: the counters of channel 0. */
static inline uint32_t start_datum(const struct tx_pack_config *c, const uint32_t *n) {
  uint32_t address = c->in_base + n[TX_ADC_X] * c->in_stride[TX_ADC_X] + n[TX_ADC_Y] * c->in_stride[TX_ADC_Y] +
                     n[TX_ADC_Z] * c->in_stride[TX_ADC_Z] + n[TX_ADC_W] * c->in_stride[TX_ADC_W];
  uint32_t datum = ((address >> c->datum_shift) & ~c->x_mask) + (n[TX_ADC_X] & c->x_mask);
  return (datum + (c->dst_offset << 4)) & 0x3fffu;
}

/* The mask of interfaces: 0 means all four; Auto_set_last_pacr_intf_sel restricts the last PACR of a plane to the remaining rows. */
static unsigned interfaces(const struct tx_pack *p, const struct job *job) {
  unsigned mask = TX_FIELD(job->word, PACR, read_intf_sel);
  const struct tx_pack_config *c = job->c;
  if (c->auto_interfaces && p->position < c->reads_per_plane && c->reads_per_plane - p->position <= INTERFACES)
    mask = (1u << (c->reads_per_plane - p->position)) - 1u;
  return mask ? mask : 0xfu;
}

static bool strided_rows(struct tx_tile *t, struct job *job, unsigned start, unsigned mask) {
  if (!job->c->map.remap || !job->c->map.swizzle) {
    tx_fault(t, SIM_FAULT_UNSUPPORTED, "PACR.md",
             "PACR: DstAccessMode without remap_addrs and swizzle_32b is not documented");
    return false;
  }
  if (mask & (mask + 1)) {
    tx_fault(t, SIM_FAULT_UNSUPPORTED, "PACR.md", "PACR: DstAccessMode with ReadIntfSel %u is not documented", mask);
    return false;
  }
  for (; mask; mask >>= 1, job->rows++) job->row[job->rows] = (start + 16 * job->rows) & 0x3ffu;
  return true;
}

/* The page's loop reads (StartRow & ~3) | i; its text, its table and the golden model count interfaces from StartRow, even
 * beyond StartRow's group of four rows, which the page does not define. */
static void adjacent_rows(struct tx_tile *t, struct job *job, unsigned start, unsigned mask) {
  job->leaves_group = mask << (start & 3u) > 0xfu;
  if (job->leaves_group)
    tx_diag(t, TX_DIAG_PACK_ROW_GROUP, "ReadIntfSel %u from Dst row %u leaves its group of four rows", mask, start);
  if (mask == 0xfu) { /* what kernels use */
    for (unsigned i = 0; i < INTERFACES; i++) job->row[i] = (start + i) & 0x3ffu;
    job->rows = INTERFACES;
    job->together = (start & 3u) == 0;
    return;
  }
  for (unsigned i = 0; i < INTERFACES; i++)
    if (mask >> i & 1u) job->row[job->rows++] = (start + i) & 0x3ffu;
}

static bool find_input(struct tx_tile *t, struct job *job) {
  const struct tx_adc_channel *ch = t->adc[job->adc].unit[TX_ADC_PACKER];
  uint32_t datum = start_datum(job->c, ch[0].c);
  unsigned mask = interfaces(&t->pack, job);
  if (job->flush) return true; /* no datums */
  job->column = datum & 15u;
  job->width = (ch[1].c[TX_ADC_X] - ch[0].c[TX_ADC_X] + 1) & tx_adc_mask[TX_ADC_X];
  if (job->width == 0 || job->column + job->width > TX_DST_COLUMNS) {
    tx_fault(t, SIM_FAULT_UNSUPPORTED, "PACR.md", "PACR: columns %u to %u: on Blackhole the X range lies within one row",
             job->column, job->column + job->width - 1);
    return false;
  }
  if (TX_FIELD(job->word, PACR, dst_access_mode)) return strided_rows(t, job, datum >> 4, mask);
  adjacent_rows(t, job, datum >> 4, mask);
  return true;
}

/* Writes of the matrix unit to Dst: the packer waits for interlocked ones; MOVA2D and MOVB2D are not interlocked
 * (MOVA2D.md). */
static void watch_block(struct tx_tile *t, struct job *job, unsigned block) {
  const struct tx_dst *dst = &t->dst;
  if (dst->busy_until[block] > tx_now(t) + job->hold) job->hold = (uint32_t)(dst->busy_until[block] - tx_now(t));
  if (!t->timing || job->too_soon || dst->mov_until[block] <= tx_now(t) + job->hold) return;
  job->too_soon = true;
  tx_diag(t, TX_DIAG_DST_READ_TOO_SOON, "PACR reads Dst rows %u to %u after MOVA2D or MOVB2D", 8 * block, 8 * block + 7);
}

static inline unsigned map_row(struct tx_tile *t, struct job *job, unsigned row) {
  bool wide = job->c->request.wide;
  row = wide ? tx_dst_map32(job->c->map, row) : tx_dst_map16(job->c->map, row);
  watch_block(t, job, row / 8);
  if (wide) watch_block(t, job, row / 8 + 1); /* the low halves */
  return row;
}

/* Maps rows of the view to physical rows and checks their blocks. The maps keep the two low bits of a row: rows of one
 * group of four stay together. */
static void map_rows(struct tx_tile *t, struct job *job) {
  if (TX_FIELD(job->word, PACR, dst_access_mode) || job->leaves_group) {
    for (unsigned k = 0; k < job->rows; k++) job->row[k] = map_row(t, job, job->row[k]);
  } else if (job->rows) {
    unsigned moved = map_row(t, job, job->row[0]) - job->row[0];
    for (unsigned k = 0; k < INTERFACES; k++) job->row[k] += moved;
  }
}

/* --- output addresses. ISA: Packers/OutputAddressGenerator.md --- */

static void open_stream(struct tx_pack_stream *s, uint32_t address) {
  if (s->open) return;
  s->address = (address & 0x1ffffu) << 4;
  s->open = 1;
}

static void find_output(struct tx_tile *t, const struct tx_pack_config *c, unsigned adc, struct tx_pack_batch *out) {
  struct tx_pack *p = &t->pack;
  const uint32_t *n = t->adc[adc].unit[TX_ADC_PACKER][1].c;
  if (p->stream[TX_PACK_DATA].open) return; /* the three open and close together */
  uint32_t offset = c->out_base + n[TX_ADC_Y] * c->out_stride[TX_ADC_Y] + n[TX_ADC_Z] * c->out_stride[TX_ADC_Z] +
                    n[TX_ADC_W] * c->out_stride[TX_ADC_W];
  uint32_t address = c->l1_address + (offset >> 4);
  if (c->add_offset) address += p->l1_dest_addr_offset;
  if (address > c->limit) address -= c->fifo;
  p->position = 0; /* [golden] a tile begins at its first row and plane */
  p->plane = 0;
  p->tile_blocks = 0;
  if (c->compress) {
    open_stream(&p->stream[TX_PACK_ROW_STARTS], address);
    tx_pack_compress_begin(p, out);
    address += c->row_section;
  }
  if (c->how.to & 2u) { /* less than 16 bits: FP8 and INT8 skip a section too, although they have no exponents */
    open_stream(&p->stream[TX_PACK_EXPONENTS], address);
    address += c->exponent_section;
  }
  open_stream(&p->stream[TX_PACK_DATA], address);
}

/* --- the stages between the conversions --- */

static void mask_edges(const struct tx_pack *p, const struct job *job, unsigned k, union num_pack_row *row) {
  const struct tx_pack_config *c = job->c;
  unsigned y = c->transposed ? p->plane : p->position + k, z = c->transposed ? p->position + k : p->plane;
  unsigned mask = tx_pack_edge_mask(c, y, z);
  uint32_t datum = 0;
  if (mask == 0xffffu) return;
  if (c->edge_minus_infinity) num_pack_minus_infinity(&c->how, &datum);
  bool wide = c->how.relu_kind == NUM_PACK_W || c->how.relu_kind == NUM_PACK_I32;
  for (unsigned i = 0; i < NUM_PACK_ROW; i++) {
    if (mask >> i & 1u) continue;
    if (wide) row->w[i] = datum;
    else row->h[i] = (uint16_t)datum;
  }
}

/* ISA: Packers/ExponentHistogram.md: the maximum is always updated, the histogram only while a thread has enabled it. */
static void take_statistics(struct tx_tile *t, const struct job *job, const uint8_t *exponents) {
  struct tx_pack_stats *stats = &t->pack_stats;
  for (unsigned i = job->column; i < job->column + job->width; i++) {
    if (exponents[i] > stats->exponent_histogram_max) stats->exponent_histogram_max = exponents[i];
    uint8_t *bin = &stats->packer[0].exponent_histogram[exponents[i] & 31u];
    if (job->c->statistics && *bin != 255) ++*bin;
  }
}

/* ISA: Packers/ExponentThresholding.md */
static void cut_small(const struct tx_pack_config *c, const uint8_t *exponents, union num_pack_row *row) {
  for (unsigned i = 0; i < NUM_PACK_ROW; i++)
    if (exponents[i] < c->exponent_threshold) num_pack_put(&c->how, row, i, 0);
}

/* The datums of the X range that the downsampling mask keeps, moved to the front. The mask restarts with every row:
 * inferred, Wormhole's continues over the datums of a PACR. Returns their number. */
static unsigned keep_selected(const struct job *job, union num_pack_row *row) {
  const struct tx_pack_config *c = job->c;
  unsigned kept = 0;
  if (job->width == NUM_PACK_ROW && c->downsample == 0xffffu) return NUM_PACK_ROW;
  for (unsigned i = 0; i < job->width; i++)
    if (c->downsample >> i & 1u) num_pack_put(&c->how, row, kept++, num_pack_get(&c->how, row, job->column + i));
  for (unsigned i = kept; i < NUM_PACK_ROW; i++) num_pack_put(&c->how, row, i, 0);
  return kept;
}

static void note_largest(struct tx_tile *t, unsigned exponent) {
  if (exponent > t->pack_stats.exponent_histogram_max) t->pack_stats.exponent_histogram_max = exponent;
}

/* Histogram and threshold. */
static void look_at_exponents(struct tx_tile *t, const struct job *job, union num_pack_row *row) {
  const struct tx_pack_config *c = job->c;
  uint8_t exponents[NUM_PACK_ROW];
  if (!c->statistics && !c->exponent_threshold && job->width == NUM_PACK_ROW) {
    if (!job->zero) note_largest(t, num_pack_largest_exponent(&c->how, row));
    return;
  }
  num_pack_exponents(&c->how, row, exponents);
  if (!job->zero) take_statistics(t, job, exponents);
  if (c->exponent_threshold) cut_small(c, exponents, row);
}

/* Returns the number of remaining datums, at the front of the row. */
static unsigned run_stages(struct tx_tile *t, const struct job *job, unsigned k, union num_pack_row *row) {
  const struct tx_pack_config *c = job->c;
  if (!job->zero && !c->edge_trivial) mask_edges(&t->pack, job, k, row);
  num_pack_relu(&c->how, c->relu_mode, c->relu_threshold, row);
  look_at_exponents(t, job, row);
  return keep_selected(job, row);
}

/* --- rows to bytes --- */

/* ISA: PACR.md: block formats have one exponent per row, regardless of the number of packed datums. */
static void emit_part_of_row(struct tx_pack *p, const union num_pack_row *row, unsigned count, struct tx_pack_batch *out) {
  const struct num_pack *how = &p->config.how;
  uint8_t bytes[NUM_PACK_ROW_BYTES];
  if (how->block) {
    uint8_t exponent = tx_pack_block(p, row, count, bytes);
    if (count) tx_pack_append(out, TX_PACK_EXPONENTS, &exponent, 8);
  } else {
    num_pack_late(how, row, bytes);
  }
  tx_pack_append(out, TX_PACK_DATA, bytes, count * how->bits);
}

static void emit_row(struct tx_tile *t, const struct job *job, const union num_pack_row *row, unsigned count,
                     struct tx_pack_batch *out) {
  const struct num_pack *how = &job->c->how;
  if (job->c->compress) {
    for (unsigned i = 0; i < count; i++) tx_pack_compress_datum(&t->pack, how, out, num_pack_get(how, row, i));
    return;
  }
  uint8_t *room = count == NUM_PACK_ROW ? tx_pack_room(out, 2u * how->bits) : NULL;
  if (!room) {
    emit_part_of_row(&t->pack, row, count, out);
  } else if (how->block) {
    uint8_t exponent = tx_pack_block(&t->pack, row, count, room);
    tx_pack_append(out, TX_PACK_EXPONENTS, &exponent, 8);
  } else {
    num_pack_late(how, row, room);
  }
}

static void pack_row(struct tx_tile *t, const struct job *job, unsigned k, struct tx_pack_batch *out) {
  static const uint16_t nothing[TX_DST_COLUMNS];
  const struct tx_pack_config *c = job->c;
  const uint16_t *high = nothing, *low = nothing;
  union num_pack_row row;
  uint8_t state = t->dst.valid[job->row[k]];
  if (!job->zero && state != TX_DST_UNDEFINED) { /* undefined rows read as zero */
    if (!tx_dst_is_whole(state))
      tx_diag(t, TX_DIAG_DST_PARTIAL_WRITE, "row %u is packed, and SFPSTORE wrote only its %s columns since it was cleared",
              job->row[k], state == TX_DST_EVEN ? "even" : "odd");
    high = t->dst.bits[job->row[k]];
    low = c->request.wide ? t->dst.bits[job->row[k] + 8] : nothing;
  }
  tx_pack_early(&t->pack, high, low, &row);
  unsigned count = run_stages(t, job, k, &row);
  emit_row(t, job, &row, count, out);
}

/* Are the rows contiguous and all defined? */
static bool rows_follow(const struct tx_tile *t, const struct job *job) {
  const uint8_t *valid = &t->dst.valid[job->row[0]];
  for (unsigned k = 0; k < (job->together ? 4u : job->rows); k++)
    if ((!job->together && job->row[k] != job->row[0] + k) || !tx_dst_is_whole(valid[k])) return false;
  if (job->together) return true;
  return job->rows != 0;
}

/* The common case: whole rows and only ReLU between the conversions. */
static bool pack_plainly(struct tx_tile *t, const struct job *job, struct tx_pack_batch *out) {
  const struct tx_pack_config *c = job->c;
  uint8_t exponents[INTERFACES];
  if (!c->plain || job->zero || job->width != TX_DST_COLUMNS || !rows_follow(t, job)) return false;
  uint8_t *room = tx_pack_room(out, 2u * c->how.bits * job->rows);
  if (!room) return false;
  const struct num_pack_rows rows = {.high = t->dst.bits[job->row[0]],
                                     .low = t->dst.bits[job->row[0] + (c->request.wide ? 8 : 0)],
                                     .count = job->rows,
                                     .relu_mode = c->relu_mode,
                                     .relu_threshold = c->relu_threshold};
  note_largest(t, num_pack_rows(&c->how, &rows, room, exponents));
  if (c->how.block) tx_pack_append(out, TX_PACK_EXPONENTS, exponents, 8 * job->rows);
  return true;
}

static void pack_rows(struct tx_tile *t, struct job *job, struct tx_pack_batch *out) {
  if (!job->zero) map_rows(t, job);
  if (pack_plainly(t, job, out)) return;
  tx_pack_prepare_rounding(t);
  for (unsigned k = 0; k < job->rows; k++) pack_row(t, job, k, out);
}

/* --- tile position, end of a tile --- */

/* ISA: PACR.md: an 8-bit counter that returns to zero only when it lands on pack_reads_per_xy_plane. Stepping past the end
 * has an effect only where the position is used: for edge masks, and for the interfaces of the last PACR. Kernels that use
 * neither do not set the register. */
static void step_position(struct tx_tile *t, const struct tx_pack_config *c, unsigned rows) {
  struct tx_pack *p = &t->pack;
  unsigned end = c->reads_per_plane, next = p->position + rows;
  bool used = !c->edge_trivial || c->auto_interfaces;
  if (used && p->position < end && next > end)
    tx_diag(t, TX_DIAG_PACK_ROWS, "%u rows from row %u of a plane of %u", rows, p->position, end);
  p->position = (uint8_t)next;
  if (!rows || p->position != end) return;
  p->position = 0;
  p->plane++;
}

/* ISA: TDMA-RISC.md. Sizes in units of 16 bytes; that the sections are included is inferred. Published when the bytes are
 * written. */
static void end_tile(struct tx_tile *t, const struct tx_pack_config *c, struct tx_pack_batch *out) {
  out->tile_size = t->pack.tile_blocks + (c->compress ? c->row_section : 0) + (c->how.to & 2u ? c->exponent_section : 0);
  out->all_zero_flags = t->pack.compress.zero_rows;
  out->ends_tile = 1;
  out->add_header = c->add_header;
  out->out_fifo = c->out_fifo;
}

/* Without Concat the next PACR begins a new row. */
static void end_compressed_row(struct tx_tile *t, const struct job *job, struct tx_pack_batch *out) {
  if (job->last || job->flush) tx_pack_compress_end(&t->pack, &job->c->how, out);
  else if (!TX_FIELD(job->word, PACR, concat)) tx_pack_compress_end_row(&t->pack, &job->c->how, out);
}

/* --- time --- */

static void leave_in_order(struct tx_tile *t, struct tx_cost *cost) {
  sim_time start = tx_now(t) + cost->hold;
  cost->latency = t->params.pack_latency + cost->issue;
  if (t->timing && t->pack.last_done_at > start + cost->latency) cost->latency = (uint32_t)(t->pack.last_done_at - start);
}

/* inferred: rows are read pack_rows_per_cycle at a time, bytes leave pack_l1_bytes_per_cycle at a time. Returns the cycles of the latter. */
__attribute__((always_inline)) static inline uint32_t charge(struct tx_tile *t, const struct tx_pack_config *c,
                                                             unsigned rows, uint32_t bytes, struct tx_cost *cost) {
  const struct tx_params *param = &t->params;
  uint32_t read = tx_pack_divide_up(rows, param->pack_rows_per_cycle),
           wide = tx_pack_divide_up(bytes, param->pack_l1_bytes_per_cycle),
           written = c->accumulate ? wide * param->pack_accumulate_slowdown : wide, drain = read > written ? read : written;
  cost->issue = drain ? drain : 1;
  leave_in_order(t, cost);
  return wide;
}

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
  unsigned rows;  /* of Dst; more than INTERFACES: they are not contiguous */
  uint32_t bytes; /* in L1 */
  uint32_t mode;  /* of the counters */
};

__attribute__((always_inline)) static inline struct usual read_word(const struct tx_tile *t, unsigned thread,
                                                                    uint32_t word) {
  enum { NONE = 2 * INTERFACES };
  static const uint8_t rows_of[1u << INTERFACES] = {/* by ReadIntfSel; gaps: none */
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
  if (n[TX_ADC_X] || ch[1].c[TX_ADC_X] != TX_DST_COLUMNS - 1 || (row & 3u) + rows > INTERFACES) return false;
  if (u->mapped) row = t->pack.config.request.wide ? tx_dst_map32(map, row) : tx_dst_map16(map, row);
  *first = row;
  return are_whole(&t->dst.valid[row], rows);
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
  uint8_t exponents[INTERFACES];
  if (t->unsaved.pack.bf16) {
    num_pack_bf16(t->dst.bits[row], count, bytes, &t->pack_stats.exponent_histogram_max);
    return;
  }
  const struct num_pack_rows rows = {.high = t->dst.bits[row],
                                     .low = t->dst.bits[row + (c->request.wide ? 8 : 0)],
                                     .count = count,
                                     .relu_mode = c->relu_mode,
                                     .relu_threshold = c->relu_threshold};
  note_largest(t, num_pack_rows(&c->how, &rows, bytes, exponents));
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
  end_tile(t, c, &out);
  tx_pack_metadata_publish(t, &out);
}

/* Timing off, streams empty, and no other access in flight near: the bytes go from Dst to L1 without a batch, because no agent
 * acts between this instruction and its completion. `row`: its first one in Dst. */
__attribute__((always_inline)) static inline bool may_pack_at_once(const struct tx_tile *t, const struct tx_adc_channel *ch,
                                                                   unsigned rows, unsigned *row) {
  const struct tx_pack *p = &t->pack;
  const struct tx_pack_stream *s = p->stream;
  if (p->count || s[TX_PACK_EXPONENTS].bits | s[TX_PACK_ROW_STARTS].bits | s[TX_PACK_DATA].bits) return false;
  return plain_rows(t, ch, rows, row);
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
  const struct usual u = read_word(t, thread, word);
  const struct tx_pack_stream *data = &t->pack.stream[TX_PACK_DATA];
  struct tx_adc_channel *ch = sim_keep(t->adc[thread].unit[TX_ADC_PACKER]);
  unsigned row;
  if (!may_pack_at_once(t, ch, u.rows, &row)) return false;
  if (!data->open) find_output(t, c, thread, NULL);
  const uint32_t address = data->address;
  if (!is_free(t, address, u.bytes)) return false;
  convert_rows(t, c, row, u.rows, &t->l1[address]);
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

/* It joins its thread's batch, which ends with a whole block. false: no change. */
__attribute__((always_inline)) static inline bool pack_into_batch(struct tx_tile *t, unsigned thread, uint32_t word,
                                                                  struct tx_cost *cost) {
  struct tx_pack *p = &t->pack;
  const struct tx_pack_config *c = &p->config;
  const struct usual u = read_word(t, thread, word);
  struct tx_adc_channel *ch = sim_keep(t->adc[thread].unit[TX_ADC_PACKER]);
  struct tx_pack_batch *b = joined_batch(t);
  unsigned row;
  if (!b) return false;
  struct tx_pack_piece *piece = &b->piece[TX_PACK_DATA];
  const uint32_t bytes = u.bytes, end = piece->address + piece->length;
  if (end + bytes > TX_L1_BYTES || !rows_are_ready(t, ch, u.rows, &row)) return false;
  convert_rows(t, c, row, u.rows, tx_pack_room(b, bytes));
  step_unused_position(p, c, u.rows);
  b->streams = end;
  piece->length += bytes;
  tx_inflight_extend(t, piece->handle, bytes);
  p->tile_blocks += bytes / 16;
  step_word_counters(ch, u.mode);
  const uint32_t wide = charge(t, c, u.rows, bytes, cost);
  if (!TX_FIELD(word, PACR, last)) {
    leave_joined(t, b, wide, cost->hold + cost->latency);
    return true;
  }
  tx_pack_flush(p, b);
  end_tile(t, c, b);
  tx_pack_leave(t, b, bytes, cost->hold + cost->latency, true);
  return true;
}

/* The first one of a tile begins a batch. false: no change. Out of line: keeps the others short. */
__attribute__((noinline)) static bool pack_into_new_batch(struct tx_tile *t, unsigned thread, uint32_t word,
                                                          struct tx_cost *cost) {
  struct tx_pack *p = &t->pack;
  const struct tx_pack_config *c = &p->config;
  const struct usual u = read_word(t, thread, word);
  const struct tx_pack_stream *s = p->stream;
  struct tx_adc_channel *ch = sim_keep(t->adc[thread].unit[TX_ADC_PACKER]);
  const bool last = TX_FIELD(word, PACR, last);
  unsigned row;
  bool ok;
  if (s[TX_PACK_DATA].open || s[TX_PACK_EXPONENTS].bits | s[TX_PACK_ROW_STARTS].bits | s[TX_PACK_DATA].bits) return false;
  if (p->count && !p->batch[(p->first + p->count - 1) % TX_PACK_BATCHES].closed) return false;
  if (!rows_are_ready(t, ch, u.rows, &row)) return false;
  struct tx_pack_batch *b = tx_pack_batch(t, false, false, c->how.to);
  find_output(t, c, thread, b);
  convert_rows(t, c, row, u.rows, tx_pack_room(b, u.bytes));
  step_unused_position(p, c, u.rows);
  if (last) tx_pack_flush(p, b);
  const uint32_t bytes = tx_pack_list(t, b, &ok);
  if (!ok) return true;
  p->tile_blocks += bytes / 16;
  if (last) end_tile(t, c, b);
  step_word_counters(ch, u.mode);
  charge(t, c, u.rows, bytes, cost);
  tx_pack_leave(t, b, bytes, cost->hold + cost->latency, last);
  return true;
}

/* --- the instructions --- */

/* AddrMod is that of the issuing thread, the counters are those of the ADC in use. */
static void step_counters(struct tx_tile *t, const struct job *job) {
  struct tx_adc_channel *own = t->adc[job->thread].unit[TX_ADC_PACKER], *used = t->adc[job->adc].unit[TX_ADC_PACKER];
  struct tx_adc_channel kept[2];
  unsigned section = TX_FIELD(job->word, PACR, addr_mode);
  if (job->adc == job->thread) {
    tx_adc_apply_pack(t, job->thread, section);
    return;
  }
  memcpy(kept, own, sizeof kept);
  memcpy(own, used, sizeof kept);
  tx_adc_apply_pack(t, job->thread, section);
  memcpy(used, own, sizeof kept);
  memcpy(own, kept, sizeof kept);
}

/* Any PACR. Out of line: keeps the usual one short. */
__attribute__((noinline)) static void pack_in_general(struct tx_tile *t, unsigned thread, uint32_t word,
                                                      struct tx_cost *cost) {
  bool ok;
  if (!fields_allowed(t, word)) return;
  const struct tx_pack_config *c = tx_pack_configure(t, thread);
  if (!c) return;
  struct job job = {.c = c,
                    .word = word,
                    .thread = thread,
                    .adc = which_adc(thread, word),
                    .zero = TX_FIELD(word, PACR, zero_write),
                    .last = TX_FIELD(word, PACR, last),
                    .flush = TX_FIELD(word, PACR, flush)};
  if (!find_input(t, &job)) return;
  if (c->how.rounds_twice) tx_diag(t, TX_DIAG_PACK_DOUBLE_ROUNDING, "to %s", num_format_name(c->how.to));
  struct tx_pack_batch *out = tx_pack_batch(t, true, job.c->accumulate, job.c->how.to);
  find_output(t, c, job.adc, out);
  pack_rows(t, &job, out);
  step_position(t, c, job.rows);
  if (job.c->compress) end_compressed_row(t, &job, out);
  if (job.last || job.flush) tx_pack_flush(&t->pack, out);
  uint32_t before = out->piece[TX_PACK_DATA].length, bytes = tx_pack_list(t, out, &ok);
  if (!ok) return;
  t->pack.tile_blocks += (out->piece[TX_PACK_DATA].length - before) / 16;
  if (job.last) end_tile(t, c, out);
  step_counters(t, &job);
  cost->hold += job.hold;
  charge(t, c, job.rows, bytes, cost);
  tx_pack_leave(t, out, bytes, cost->hold + cost->latency, job.last || job.flush);
}

__attribute__((noinline)) static void pack_off_with_calls(struct tx_tile *t, unsigned thread, uint32_t word,
                                                          struct tx_cost *cost) {
  if (!pack_at_once(t, thread, word)) pack_in_general(t, thread, word, cost);
}

/* BF16 in the middle of a tile, as pack_at_once. Its last action is its only call, so that it saves no registers. */
__attribute__((noinline)) static void pack_off(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  const struct tx_pack_stream *data = &t->pack.stream[TX_PACK_DATA];
  const struct usual u = read_word(t, thread, word);
  const uint32_t address = data->address;
  struct tx_adc_channel *ch = sim_keep(t->adc[thread].unit[TX_ADC_PACKER]);
  unsigned row;
  if (!t->unsaved.pack.bf16 || !data->open || TX_FIELD(word, PACR, last) || u.mode & ~(uint32_t)USUAL_MODE ||
      t->perf.counting || !may_pack_at_once(t, ch, u.rows, &row) || !is_free(t, address, u.bytes) ||
      !tx_l1_is_quiet(t, address, u.bytes)) {
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
    pack_in_general(t, thread, word, cost);
}

/* The first PACR of a configuration, or one that the fast paths do not handle. */
__attribute__((noinline)) static void pack_anew(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  if (!(word & RARE_FIELDS)) {
    const struct tx_pack_config *c = tx_pack_configure(t, thread);
    if (!c) return;
    find_usual(t, c, thread);
  }
  if (word & RARE_FIELDS || !t->unsaved.pack.thread) pack_in_general(t, thread, word, cost);
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
  leave_in_order(t, cost);
  tx_pack_leave(t, out, bytes, cost->latency, true);
}

void tx_pack_ready(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_answer *answer) {
  const struct tx_pack *p = &t->pack;
  (void)thread, (void)word;
  if (p->count < TX_PACK_BATCHES) return;
  *answer = (struct tx_answer){
      .ok = false, .retry_at = p->batch[p->first].done_at, .wait = {.kind = TX_BLOCKED_UNIT, .object = TX_UNIT_PACK}};
}
