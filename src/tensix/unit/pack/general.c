/* PACR in general (general.h). */
#include "tensix/unit/pack/general.h"

#include <string.h>

#include "tensix/mem/l1.h"
#include "tensix/num/format.h"
#include "tensix/num/format_pack.h"
#include "tensix/regs/adc.h"
#include "tensix/unit/pack/compress.h"
#include "tensix/unit/pack/config.h"
#include "tensix/unit/pack/rounding.h"

/* The state of a PACR during its body. */
struct job {
  const struct tx_pack_config *c;
  uint32_t word;
  unsigned thread;
  unsigned adc;                     /* whose counters */
  unsigned rows;                    /* enabled interfaces */
  unsigned row[TX_PACK_INTERFACES]; /* rows of Dst: in the 16- or 32-bit view, physical from map_rows on */
  unsigned column, width;           /* datums of each row */
  bool zero;                        /* ZeroWrite: datums are zero and are not read from Dst */
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
  if (c->auto_interfaces && p->position < c->reads_per_plane && c->reads_per_plane - p->position <= TX_PACK_INTERFACES)
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
    for (unsigned i = 0; i < TX_PACK_INTERFACES; i++) job->row[i] = (start + i) & 0x3ffu;
    job->rows = TX_PACK_INTERFACES;
    job->together = (start & 3u) == 0;
    return;
  }
  for (unsigned i = 0; i < TX_PACK_INTERFACES; i++)
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
    for (unsigned k = 0; k < TX_PACK_INTERFACES; k++) job->row[k] += moved;
  }
}

/* --- output addresses. ISA: Packers/OutputAddressGenerator.md --- */

static void open_stream(struct tx_pack_stream *s, uint32_t address) {
  if (s->open) return;
  s->address = (address & 0x1ffffu) << 4;
  s->open = 1;
}

void tx_pack_find_output(struct tx_tile *t, const struct tx_pack_config *c, unsigned adc, struct tx_pack_batch *out) {
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

/* Histogram and threshold. */
static void look_at_exponents(struct tx_tile *t, const struct job *job, union num_pack_row *row) {
  const struct tx_pack_config *c = job->c;
  uint8_t exponents[NUM_PACK_ROW];
  if (!c->statistics && !c->exponent_threshold && job->width == NUM_PACK_ROW) {
    if (!job->zero) tx_pack_note_largest(t, num_pack_largest_exponent(&c->how, row));
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
  uint8_t exponents[TX_PACK_INTERFACES];
  if (!c->plain || job->zero || job->width != TX_DST_COLUMNS || !rows_follow(t, job)) return false;
  uint8_t *room = tx_pack_room(out, 2u * c->how.bits * job->rows);
  if (!room) return false;
  const struct num_pack_rows rows = {.high = t->dst.bits[job->row[0]],
                                     .low = t->dst.bits[job->row[0] + (c->request.wide ? 8 : 0)],
                                     .count = job->rows,
                                     .relu_mode = c->relu_mode,
                                     .relu_threshold = c->relu_threshold};
  tx_pack_note_largest(t, num_pack_rows(&c->how, &rows, room, exponents));
  if (c->how.block) tx_pack_append(out, TX_PACK_EXPONENTS, exponents, 8 * job->rows);
  return true;
}

static void pack_rows(struct tx_tile *t, struct job *job, struct tx_pack_batch *out) {
  if (!job->zero) map_rows(t, job);
  if (pack_plainly(t, job, out)) return;
  tx_pack_prepare_rounding(t);
  for (unsigned k = 0; k < job->rows; k++) pack_row(t, job, k, out);
}

/* --- tile position, end of a row --- */

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

/* Without Concat the next PACR begins a new row. */
static void end_compressed_row(struct tx_tile *t, const struct job *job, struct tx_pack_batch *out) {
  if (job->last || job->flush) tx_pack_compress_end(&t->pack, &job->c->how, out);
  else if (!TX_FIELD(job->word, PACR, concat)) tx_pack_compress_end_row(&t->pack, &job->c->how, out);
}

/* --- all of it --- */

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

void tx_pack_in_general(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
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
  tx_pack_find_output(t, c, job.adc, out);
  pack_rows(t, &job, out);
  step_position(t, c, job.rows);
  if (job.c->compress) end_compressed_row(t, &job, out);
  if (job.last || job.flush) tx_pack_flush(&t->pack, out);
  uint32_t before = out->piece[TX_PACK_DATA].length, bytes = tx_pack_list(t, out, &ok);
  if (!ok) return;
  t->pack.tile_blocks += (out->piece[TX_PACK_DATA].length - before) / 16;
  if (job.last) tx_pack_end_tile(t, c, out);
  step_counters(t, &job);
  cost->hold += job.hold;
  tx_pack_charge(t, c, job.rows, bytes, cost);
  tx_pack_leave(t, out, bytes, cost->hold + cost->latency, job.last || job.flush);
}
