/* Decodes an UNPACR and its configuration into a job: context, formats, source in L1, destination, rate.
 *
 *   L1 at base + offset   | header 16 * (1 + digest) | row starts (compressed) | exponents (block formats) | datums ... |
 *
 * Channel 0 of the counters gives the first datum: ((W * ZDim + Z) * YDim + Y) * XDim + X; channel 1's X the last one.
 * Channel 1's Y, Z, W times their strides give the position in the register file. ISA: UNPACR_Regular.md. */
#include "tensix/unit/unpack/address.h"

#include <string.h>

#include "tensix/machine.h"
#include "tensix/mem/inflight.h"
#include "tensix/mem/l1.h"
#include "tensix/num/format.h"
#include "tensix/regs/adc.h"
#include "tensix/unit/unpack/plan.h"

#define PAGE "UNPACR_Regular.md"

/* The inputs of decoding. */
struct context {
  struct tx_tile *t;
  const uint32_t *words; /* the thread's bank of Config */
  unsigned thread, unpacker;
  uint32_t word;
  bool at_once;    /* the job is not in flight */
  bool multi;      /* MultiContextMode: ovrd_thread_id */
  unsigned number; /* WhichContext */
  unsigned adc;    /* WhichADC: set of X and Y */
  uint32_t xdim, ydim, zdim, wdim;
  uint32_t blobs; /* BlobsPerXYPlane */
  uint32_t first; /* FirstDatum */
};

static uint32_t bits(uint32_t word, unsigned shift, unsigned width) { return word >> shift & (0xffffffffu >> (32 - width)); }

/* A field of THCON_SEC<unpacker>, by its name in section 0. */
#define SEC(c, NAME) \
  bits((c)->words[TX_CFG_THCON_SEC0_##NAME##_ADDR + TX_UNPACK_SECTION * (c)->unpacker], TX_CFG_THCON_SEC0_##NAME##_SHIFT, \
       TX_CFG_THCON_SEC0_##NAME##_WIDTH)
/* A field that both unpackers have under separate names. */
#define UNP(c, NAME) \
  ((c)->unpacker ? bits((c)->words[TX_CFG_UNP1_##NAME##_ADDR], TX_CFG_UNP1_##NAME##_SHIFT, TX_CFG_UNP1_##NAME##_WIDTH) \
                 : bits((c)->words[TX_CFG_UNP0_##NAME##_ADDR], TX_CFG_UNP0_##NAME##_SHIFT, TX_CFG_UNP0_##NAME##_WIDTH))

static uint32_t section_word(const struct context *c, unsigned addr) {
  return c->words[addr + TX_UNPACK_SECTION * c->unpacker];
}

static uint32_t descriptor(const struct context *c, unsigned first_bit, unsigned width) {
  return bits(section_word(c, TX_CFG_THCON_SEC0_REG0_TileDescriptor_ADDR + first_bit / 32), first_bit % 32, width);
}

/* One of eight flags, stored as four at `low` and four at `high` of a word. */
static bool context_flag(const struct context *c, unsigned addr, unsigned low, unsigned high) {
  return section_word(c, addr) >> (c->number < 4 ? low + c->number : high + c->number - 4) & 1u;
}

/* One of four 16-bit values, two per word. */
static uint32_t context_half(const struct context *c, unsigned addr) {
  unsigned i = c->number & 3u;
  return bits(section_word(c, addr + i / 2), 16 * (i % 2), 16);
}

static const struct tx_adc_channel *channel(const struct context *c, unsigned set, unsigned number) {
  return &c->t->adc[set].unit[TX_ADC_UNPACKER0 + c->unpacker][number];
}

/* --- context and formats --- */

static bool choose_context(struct context *c) {
  c->adc = c->thread;
  c->number = tx_unpack_context(c->t, c->thread, c->unpacker, c->word);
  if (!c->multi) return true;
  /* The page uses the set addr_cnt_context_id directly; golden: 0 is the issuing thread's own set, on all threads. */
  if (TX_FIELD(c->word, UNPACR, addr_cnt_context_id)) c->adc = TX_FIELD(c->word, UNPACR, addr_cnt_context_id);
  if (c->unpacker == 1 && c->number >= 2) {
    tx_fault(c->t, SIM_FAULT_UNDEFINED, PAGE, "UNPACR: unpacker 1 has contexts 0 and 1, not %u", c->number);
    return false;
  }
  if (c->adc == 3) {
    tx_fault(c->t, SIM_FAULT_UNDEFINED, PAGE, "UNPACR: address counter context 3 does not exist");
    return false;
  }
  return true;
}

static void read_dimensions(struct context *c) {
  c->xdim = descriptor(c, 16, 16);
  if (c->multi && c->unpacker == 0) c->xdim = context_half(c, TX_CFG_THCON_SEC0_REG5_Tile_x_dim_cntx0_ADDR);
  c->ydim = descriptor(c, 32, 8);
  c->zdim = descriptor(c, 48, 8);
  c->wdim = descriptor(c, 64, 8);
  if (!c->zdim) c->zdim = 1;
  if (!c->wdim) c->wdim = 1;
  c->blobs = descriptor(c, 8, 3);
}

static bool goes_to_dst(const struct context *c) {
  if (c->unpacker) return false;
  if (!c->multi) return SEC(c, REG2_Unpack_If_Sel);
  return context_flag(c, TX_CFG_THCON_SEC0_REG2_Unpack_if_sel_cntx0_ADDR, TX_CFG_THCON_SEC0_REG2_Unpack_if_sel_cntx0_SHIFT,
                      TX_CFG_THCON_SEC0_REG2_Unpack_if_sel_cntx4_SHIFT);
}

static bool choose_formats(const struct context *c, struct tx_unpack_job *job) {
  struct num_unpack *how = &job->how;
  how->in = (uint8_t)descriptor(c, 0, 4);
  how->out = (uint8_t)SEC(c, REG2_Out_data_format);
  if (c->multi && SEC(c, REG2_Ovrd_data_format)) {
    uint32_t word = section_word(c, TX_CFG_THCON_SEC0_REG7_Unpack_data_format_cntx0_ADDR + (c->number & 3u));
    how->in = (uint8_t)bits(word, c->number < 4 ? 16 : 24, 4);
    how->out = (uint8_t)bits(word, c->number < 4 ? 20 : 28, 4);
  }
  how->to_dst = goes_to_dst(c);
  how->e4m3 = (uint8_t)SEC(c, REG1_Unp_LF8_4b_exp);
  how->is_unsigned = (uint8_t)(c->unpacker ? TX_CFG_GET(c->t, c->thread, ALU_FORMAT_SPEC_REG0_SrcBUnsigned)
                                           : TX_CFG_GET(c->t, c->thread, ALU_FORMAT_SPEC_REG0_SrcAUnsigned));
  job->format = how->out;
  if (num_unpack_legal(how->in, how->out, how->to_dst)) return true;
  tx_fault(c->t, SIM_FAULT_UNDEFINED, "Unpackers/FormatConversion.md",
           "UNPACR: no conversion from %s (%u) in L1 to %s (%u) in %s", num_format_name(how->in), how->in,
           num_format_name(how->out), how->out,
           how->to_dst   ? "Dst"
           : c->unpacker ? "SrcB"
                         : "SrcA");
  return false;
}

static void choose_modes(const struct context *c, struct tx_unpack_job *job) {
  bool uncompressed = descriptor(c, 4, 1);
  if (c->multi)
    uncompressed = context_flag(c, TX_CFG_THCON_SEC0_REG2_Disable_zero_compress_cntx0_ADDR,
                                TX_CFG_THCON_SEC0_REG2_Disable_zero_compress_cntx0_SHIFT,
                                TX_CFG_THCON_SEC0_REG2_Disable_zero_compress_cntx4_SHIFT);
  if (!uncompressed) job->flags |= TX_UNPACK_COMPRESSED;
  if (TX_FIELD(c->word, UNPACR, set_dat_valid)) job->flags |= TX_UNPACK_HAND_OVER;
  if (TX_FIELD(c->word, UNPACR, zero_write2)) job->flags |= TX_UNPACK_ZERO;
  if (TX_FIELD(c->word, UNPACR, srcb_bcast)) job->flags |= TX_UNPACK_BROADCAST;
  if (SEC(c, REG2_Tileize_mode)) job->flags |= TX_UNPACK_TILIZE;
  if (SEC(c, REG2_Haloize_mode)) {
    if (c->unpacker == 0) job->flags |= TX_UNPACK_TRANSPOSE;
    else tx_diag(c->t, TX_DIAG_UNTESTED_MODE, "Haloize_mode of unpacker 1: silicon ignores it");
  }
  if (SEC(c, REG2_Upsample_and_interleave)) job->flags |= TX_UNPACK_INTERLEAVE;
  if (num_format_is_block(job->how.in) && SEC(c, REG2_Force_shared_exp)) job->flags |= TX_UNPACK_FORCE_EXP;
  job->forced_exponent = (uint8_t)UNP(c, FORCED_SHARED_EXP_shared_exp);
  job->upsample_zeros = (uint8_t)((1u << SEC(c, REG2_Upsample_rate)) - 1u);
  if (!(job->flags & TX_UNPACK_TILIZE) && c->unpacker == 0)
    job->column_shift = (uint8_t)bits(section_word(c, TX_CFG_THCON_SEC0_REG2_Shift_amount_cntx0_ADDR),
                                      TX_CFG_THCON_SEC0_REG2_Shift_amount_cntx0_SHIFT + 4 * (c->number & 3u), 4);
}

/* --- where in L1 --- */

static uint32_t round_up16(uint32_t x) { return (x + 15u) & ~15u; }

/* An address this far outside cannot wrap back into L1: the ring's size has 21 bits. */
#define FAR_OUTSIDE (4u * TX_L1_BYTES)

static bool near_l1(const struct context *c, uint64_t address) {
  return address < FAR_OUTSIDE || tx_l1_check(c->t, address > UINT32_MAX ? UINT32_MAX : (uint32_t)address, 1, "UNPACR");
}

/* The golden model uses 25 bits of the base; undocumented. Addresses outside L1 still fault. */
#define BASE_MASK 0x1ffffffu

static void note_base_bits(const struct context *c) {
  uint32_t base = section_word(c, TX_CFG_THCON_SEC0_REG3_Base_address_ADDR + c->number);
  if (base & ~BASE_MASK) tx_diag(c->t, TX_DIAG_UNPACK_BASE_BITS, "base address 0x%08x", base);
}

/* Offset and header of the tile, in 16-byte units. */
static uint32_t header_units(const struct context *c) {
  return bits(section_word(c, TX_CFG_THCON_SEC0_REG7_Offset_address_ADDR + (c->number & 3u)), 0, 16) + 1 +
         descriptor(c, 120, 8);
}

/* First byte after the tile's header. */
static uint64_t base_address(const struct context *c) {
  uint64_t base = section_word(c, TX_CFG_THCON_SEC0_REG3_Base_address_ADDR + c->number) & BASE_MASK;
  return (base + header_units(c)) << 4;
}

/* XPos, YPos and XEnd of uncompressed data. */
static void datum_window(const struct context *c, uint32_t *x, uint32_t *y, uint32_t *end) {
  const struct tx_adc_channel *xy = channel(c, c->adc, 0);
  uint32_t last = channel(c, c->adc, 1)->c[TX_ADC_X];
  *x = xy->c[TX_ADC_X];
  *y = xy->c[TX_ADC_Y];
  *end = last + 1;
  if (!TX_FIELD(c->word, UNPACR, row_search)) return;
  *x = 0;
  *end = last;
  if (!c->blobs) return;
  uint32_t starts = descriptor(c, 80, 16) | descriptor(c, 96, 16) << 16; /* eight of four bits */
  if (c->multi && c->unpacker == 0)
    starts = c->words[TX_CFG_UNP0_BLOBS_Y_START_CNTX_01_blobs_y_start_ADDR + ((c->number & 2u) >> 1)];
  uint32_t next = (xy->c[TX_ADC_X] & 7u) + 1;
  *x = bits(starts, 4 * (xy->c[TX_ADC_Y] & 7u), 4) << 4;
  *y = 0;
  *end = next == c->blobs ? c->xdim & 0x1f0u : bits(starts, 4 * (next & 7u), 4) << 4;
}

/* Plane number from channel 0's W and Z; the input address uses eight bits of it. */
static uint32_t plane(const struct context *c) {
  const struct tx_adc_channel *zw = channel(c, c->thread, 0);
  return (zw->c[TX_ADC_W] & 0xffu) * c->zdim + (zw->c[TX_ADC_Z] & 0xffu);
}

static bool find_uncompressed(struct context *c, struct tx_unpack_job *job) {
  uint32_t x, y, end;
  datum_window(c, &x, &y, &end);
  if (end < x) {
    tx_fault(c->t, SIM_FAULT_UNDEFINED, PAGE, "UNPACR: the X counters run backwards, from %u to %u", x, end);
    return false;
  }
  uint64_t first = ((uint64_t)plane(c) * c->ydim + y) * c->xdim + x;
  if (!near_l1(c, first * num_format_bits(job->how.in) / 8)) return false;
  c->first = (uint32_t)first;
  job->count = end - x;
  job->write_max = UINT32_MAX;
  return true;
}

static bool row_start(const struct context *c, uint32_t table, uint32_t index, uint32_t *value) {
  if (!tx_l1_check(c->t, table + 2 * index, 2, "UNPACR: row start index")) return false;
  *value = tx_l1_read(c->t, table + 2 * index, 2);
  return true;
}

static bool find_compressed(struct context *c, struct tx_unpack_job *job, uint32_t table) {
  const struct tx_adc_channel *xy = channel(c, c->adc, 0);
  bool search = TX_FIELD(c->word, UNPACR, row_search);
  uint32_t last = channel(c, c->adc, 1)->c[TX_ADC_X], end;
  uint32_t rows = search && c->blobs ? c->blobs : c->ydim;
  table += 2 * plane(c) * rows;
  if (!row_start(c, table, xy->c[TX_ADC_Y] & 0xffu, &c->first)) return false;
  job->write_max = UINT32_MAX;
  if (search || (xy->c[TX_ADC_X] == 0 && last + 1 == c->xdim)) {
    if (!row_start(c, table, ((search ? xy->c[TX_ADC_X] : xy->c[TX_ADC_Y]) & 0xffu) + 1, &end)) return false;
    if (end < c->first) {
      tx_fault(c->t, SIM_FAULT_UNDEFINED, PAGE, "UNPACR: row start indices fall from %u to %u", c->first, end);
      return false;
    }
    job->count = end - c->first;
  } else {
    job->drop = xy->c[TX_ADC_X];
    job->write_max = last + 1 - job->drop;
    job->count = UINT32_MAX;
  }
  return true;
}

/* Compressed datums come in groups: 32 datums, then their 32 counters of four bits. */
static void place_groups(const struct context *c, struct tx_unpack_job *job, uint32_t address) {
  uint32_t size = num_format_bits(job->how.in);
  uint32_t group = (address << 3) + (c->first / 32) * (32 * size + 128);
  job->data_bit = group + (c->first % 32) * size;
  job->delta_nibble = ((group + 32 * size) >> 2) + c->first % 32;
}

static bool find_input(struct context *c, struct tx_unpack_job *job) {
  bool compressed = job->flags & TX_UNPACK_COMPRESSED;
  note_base_bits(c);
  if (!near_l1(c, base_address(c))) return false;
  uint32_t address = (uint32_t)base_address(c), table = address;
  if (compressed) address += round_up16(((c->blobs ? c->blobs : c->ydim) * c->zdim * c->wdim + 1) * 2);
  job->exponent_16th = address << 4;
  bool own_exponents = num_format_is_block(job->how.in) && !(job->flags & TX_UNPACK_FORCE_EXP);
  bool always = job->how.in == NUM_BFP8 || job->how.in == NUM_BFP8A;
  if (own_exponents && (always || !descriptor(c, 5, 1))) {
    uint64_t exponents = ((uint64_t)c->xdim * c->ydim * c->zdim * c->wdim + 15) / 16;
    if (!near_l1(c, address + exponents)) return false;
    address += round_up16((uint32_t)exponents);
  }
  if (!(compressed ? find_compressed(c, job, table) : find_uncompressed(c, job))) return false;
  job->exponent_16th += c->first;
  if (compressed) place_groups(c, job, address);
  else job->data_bit = (address << 3) + c->first * num_format_bits(job->how.in);
  return true;
}

/* WrapAddr: an address above the limit is reduced by the size of the ring. */
static void apply_limit(const struct context *c, struct tx_unpack_job *job) {
  job->limit = SEC(c, REG2_Unpack_limit_address) << 4;
  job->wrap = SEC(c, REG2_Unpack_fifo_size) << 4;
  if (job->exponent_16th > job->limit << 4) job->exponent_16th -= job->wrap << 4;
  if (job->data_bit > job->limit << 3) job->data_bit -= job->wrap << 3;
  if (job->delta_nibble > job->limit << 1) job->delta_nibble -= job->wrap << 1;
}

static void find_rows(const struct context *c, struct tx_unpack_job *job) {
  uint32_t size = num_format_bits(job->how.in);
  job->row_datums = size <= 8 ? 16 : 32; /* Blackhole */
  job->row_stride = size * job->row_datums / 8;
  if (!(job->flags & TX_UNPACK_TILIZE)) return;
  uint32_t word = section_word(c, TX_CFG_THCON_SEC0_REG2_Shift_amount_cntx0_ADDR);
  job->row_stride = bits(word, TX_CFG_THCON_SEC0_REG2_Shift_amount_cntx0_SHIFT, 12) << 4;
}

/* --- where to --- */

static bool find_output(const struct context *c, struct tx_unpack_job *job) {
  const struct tx_adc_channel *out = channel(c, c->thread, 1);
  uint32_t address = UNP(c, ADDR_BASE_REG_1_Base) + out->c[TX_ADC_Y] * UNP(c, ADDR_CTRL_XY_REG_1_Ystride) +
                     out->c[TX_ADC_Z] * UNP(c, ADDR_CTRL_ZW_REG_1_Zstride) +
                     out->c[TX_ADC_W] * UNP(c, ADDR_CTRL_ZW_REG_1_Wstride);
  uint32_t size = num_format_bits(job->how.out) / 8; /* 1, 2 or 4; formats below a byte count as one */
  if (size > 1 && address % size) {
    tx_fault(c->t, SIM_FAULT_UNDEFINED, PAGE, "UNPACR: output address %u is not a multiple of %u bytes", address, size);
    return false;
  }
  job->out = size > 1 ? address / size : address;
  if (c->multi && c->unpacker == 0) {
    uint32_t own = context_half(c, TX_CFG_THCON_SEC0_REG5_Dest_cntx0_address_ADDR);
    job->out = job->how.to_dst || UNP(c, ADD_DEST_ADDR_CNTR_add_dest_addr_cntr) ? job->out + own : own;
  }
  bool override = TX_THREAD_CFG_GET(c->t, c->thread, SRCA_SET_SetOvrdWithAddr);
  if (c->unpacker || !override) job->row_base = c->t->unpack.src_row[c->unpacker][c->thread];
  return true;
}

/* --- how fast --- */

/* The mode (struct tx_unpack_plan, speed) and its bytes per cycle. Blackhole's default is x8 for datums of 8 bits, x4 for others, and x4 carries 128 bytes for datums of 16
 * and 32 bits (golden model, UNPACR: burst sizes). Modes that force a speed: UNPACR_Regular.md, "Performance". */
static unsigned speed_of(const struct context *c, const struct tx_unpack_job *job) {
  uint32_t size = num_format_bits(job->how.in), mode = SEC(c, REG2_Throttle_mode);
  if (!SEC(c, REG1_ovrd_default_throttle_mode)) mode = size == 8 ? 3 : 2;
  if (job->flags & TX_UNPACK_TILIZE) mode = 2;
  if (job->upsample_zeros == 1 && mode > 1) mode = 1;
  if (job->how.to_dst && size == 4 && mode > 1) mode = 1;
  if (size == 2 || job->upsample_zeros >= 3 || (job->flags & TX_UNPACK_COMPRESSED)) mode = 0;
  return mode == 2 && size >= 16 ? TX_UNPACK_WIDE : mode;
}

/* --- checks --- */

static bool refuse(const struct context *c, const char *why) {
  tx_fault(c->t, SIM_FAULT_UNDEFINED, PAGE, "UNPACR: %s", why);
  return false;
}

static bool check_modes(const struct context *c, const struct tx_unpack_job *job) {
  bool tilize = job->flags & TX_UNPACK_TILIZE, transpose = job->flags & TX_UNPACK_TRANSPOSE;
  bool override = TX_THREAD_CFG_GET(c->t, c->thread, SRCA_SET_SetOvrdWithAddr);
  if ((tilize || transpose) && job->data_bit % 128)
    return refuse(c, "tilize and transpose need datums that begin at a multiple of 16 bytes");
  if (tilize && (job->upsample_zeros || (job->flags & TX_UNPACK_COMPRESSED)))
    return refuse(c, "tilize does not go with upsampling or compressed data");
  if (tilize && num_format_bits(job->how.in) < 8) return refuse(c, "tilize does not go with datums of less than 8 bits");
  if (job->how.to_dst && (job->column_shift || transpose))
    return refuse(c, "to Dst, neither column shift nor transpose exist");
  if (job->how.to_dst && override) return refuse(c, "to Dst, SRCA_SET_SetOvrdWithAddr must be 0");
  if (c->unpacker == 0 && !job->how.to_dst && !override && job->count && (job->out + job->count - 1) / 16 >= 4 + 16)
    return refuse(c, "with SRCA_SET_SetOvrdWithAddr 0 only rows 0 to 15 of a set can be written");
  if (job->flags & TX_UNPACK_BROADCAST) {
    if (c->unpacker == 0) return refuse(c, "srcb_bcast is for unpacker 1");
    if (job->count > 16) return refuse(c, "srcb_bcast is defined for one row of 16 datums");
    tx_diag(c->t, TX_DIAG_UNTESTED_MODE, "UNPACR srcb_bcast: one row into eight rows of SrcB");
  }
  return true;
}

/* Hardware writes SrcA in bursts of rows; one that begins inside a burst may drop rows. ISA: UNPACR_Regular.md, loop. */
static void check_bursts(const struct context *c, const struct tx_unpack_job *job) {
  if (job->how.to_dst || c->unpacker || job->count <= 16 || job->out < 64) return;
  uint32_t rows = job->rate / (2 * num_format_bits(job->how.in)), row = job->out / 16 - 4;
  if (rows > 8) rows = 8;
  if (rows && (row & (rows - 1)))
    tx_diag(c->t, TX_DIAG_SRCA_BURST_DROPPED, "first row %u is inside a burst of %u rows: some may be dropped", row, rows);
}

static void check_rows(const struct context *c, const struct tx_unpack_job *job) {
  if (job->how.to_dst || !job->count) return;
  uint32_t places = (job->flags & TX_UNPACK_COMPRESSED) ? 1 : job->count * (job->upsample_zeros + 1u);
  uint32_t row = (job->out + places - 1) / 16 + job->row_base - (c->unpacker ? 0 : 4);
  if (job->out + places > 64 && row >= TX_SRC_ROWS)
    tx_diag(c->t, TX_DIAG_UNPACK_ROWS, "%s row %u; wraps around at 64", c->unpacker ? "SrcB" : "SrcA", row);
}

/* --- L1 in flight --- */

static bool list_range(const struct context *c, struct tx_unpack_job *job, unsigned i, uint32_t base, uint32_t width,
                       uint32_t rows) {
  uint32_t stride = rows > 1 ? job->row_stride : 0;
  uint64_t length = width + (uint64_t)stride * (rows - 1);
  if (length > TX_L1_BYTES) length = TX_L1_BYTES;
  if (!width || !tx_l1_check(c->t, base, (uint32_t)length, "UNPACR")) return width == 0;
  struct tx_range range = {.base = base,
                           .width = width,
                           .stride = stride,
                           .rows = rows,
                           .word = c->word,
                           .agent = (uint16_t)tx_agent_of_thread(c->thread),
                           .unit = TX_UNIT_UNPACK};
  if (c->at_once) tx_inflight_once(c->t, &range);
  else job->range[i] = (uint8_t)tx_inflight_add(c->t, &range);
  return true;
}

static bool list_datums(const struct context *c, struct tx_unpack_job *job) {
  uint32_t base = job->data_bit >> 3;
  if (job->flags & TX_UNPACK_TILIZE) {
    uint32_t rows = (job->count + job->row_datums - 1) / job->row_datums;
    uint32_t width = num_format_bits(job->how.in) * (job->count < job->row_datums ? job->count : job->row_datums) / 8;
    return rows <= 1 || !job->wrap ? list_range(c, job, 0, base, width, rows) : list_range(c, job, 0, base, width, 1);
  }
  uint64_t end = (uint64_t)base + job->bytes;
  if (!job->wrap || end <= job->limit || base > job->limit) return list_range(c, job, 0, base, job->bytes, 1);
  uint32_t before = job->limit - base;
  return list_range(c, job, 0, base, before, 1) &&
         list_range(c, job, 1, job->limit - job->wrap, (uint32_t)(end - job->limit), 1);
}

/* Counts the compressed datums whose counters expand to the datums that the UNPACR reads. */
static bool measure_compressed(const struct context *c, struct tx_unpack_job *job) {
  uint32_t size = num_format_bits(job->how.in), nibble = job->delta_nibble, read = 0;
  uint64_t wanted = job->write_max == UINT32_MAX ? UINT64_MAX : (uint64_t)job->drop + job->write_max, made = 0;
  while (read < job->count && made < wanted) {
    if (!tx_l1_check(c->t, nibble >> 1, 1, "UNPACR: zero counters")) return false;
    made += 1 + (tx_l1_read(c->t, nibble >> 1, 1) >> 4 * (nibble & 1u) & 15u);
    read++;
    if (++nibble % 32 == 0) nibble += 32 * size / 4;
    if (nibble % 32 == 0 && nibble > job->limit << 1) nibble -= job->wrap << 1;
  }
  job->count = read;
  uint32_t groups_end = (job->data_bit / 8) + (read + 31) / 32 * (4 * size + 16);
  job->bytes = groups_end - job->data_bit / 8;
  return true;
}

static bool list_input(const struct context *c, struct tx_unpack_job *job) {
  if (job->flags & TX_UNPACK_COMPRESSED) {
    if (!measure_compressed(c, job)) return false;
  } else {
    uint64_t size_bits = (uint64_t)job->count * num_format_bits(job->how.in) + job->data_bit % 8;
    job->bytes = (uint32_t)((size_bits + 7) / 8);
  }
  if (!list_datums(c, job)) return false;
  if (!num_format_is_block(job->how.in) || (job->flags & TX_UNPACK_FORCE_EXP) || !job->count) return true;
  uint32_t first = job->exponent_16th >> 4, last = (job->exponent_16th + job->count - 1) >> 4;
  return list_range(c, job, 2, first, last - first + 1, 1);
}

/* --- the plan of an UNPACR --- */

/* The datums that it has at most; 0: it has no plan. Whole rows as they are, and nothing that is reported for every UNPACR. */
static unsigned plan_most(const struct context *c, const struct tx_unpack_job *job) {
  const unsigned plain = TX_UNPACK_TILIZE | TX_UNPACK_TRANSPOSE | TX_UNPACK_HAND_OVER;
  const uint32_t update = section_word(c, TX_CFG_THCON_SEC0_REG2_Unpack_Src_Reg_Set_Upd_ADDR);
  if ((job->flags & ~plain) | job->upsample_zeros | job->column_shift | job->wrap) return 0;
  if (num_format_is_block(job->how.in) || num_format_bits(job->how.in) < 8) return 0;
  if (TX_FIELD(c->word, UNPACR, row_search) || (c->unpacker && SEC(c, REG2_Haloize_mode))) return 0;
  if (c->multi && TX_FIELD(c->word, UNPACR, auto_inc_context_id)) return 0;
  if (update >> TX_CFG_THCON_SEC0_REG2_Unpack_Src_Reg_Set_Upd_SHIFT & 1u) return 0; /* the row of the bank steps */
  return job->flags & TX_UNPACK_TILIZE ? job->row_datums : TX_SRC_ROWS * TX_SRC_COLUMNS;
}

static void make_plan(const struct context *c, const struct tx_unpack_job *job, unsigned most, unsigned speed) {
  const bool override = TX_THREAD_CFG_GET(c->t, c->thread, SRCA_SET_SetOvrdWithAddr),
             contexts = c->multi && c->unpacker == 0, to_srca = c->unpacker == 0 && !job->how.to_dst;
  const uint32_t size = num_format_bits(job->how.out) / 8;
  c->t->unsaved.unpack[c->unpacker][c->number & 1u] = (struct tx_unpack_plan){
      .version = tx_unpack_version(c->t),
      .key = tx_unpack_key(c->thread, c->word, c->number),
      .adc = (uint8_t)c->adc,
      .speed = (uint8_t)speed,
      .datum_bytes = (uint8_t)(num_format_bits(job->how.in) / 8),
      .out_shift = size == 4   ? 2
                   : size == 2 ? 1
                               : 0,
      .align = job->flags & (TX_UNPACK_TILIZE | TX_UNPACK_TRANSPOSE) ? 15 : 0,
      .burst = to_srca ? 7 : 0,
      .adds_row = c->unpacker || !override,
      .ydim = (uint8_t)c->ydim,
      .zdim = (uint8_t)c->zdim,
      .row_end = to_srca && !override ? 16 : TX_SRC_ROWS,
      .xdim = (uint16_t)c->xdim,
      .most = (uint16_t)most,
      .own = (uint16_t)(contexts ? context_half(c, TX_CFG_THCON_SEC0_REG5_Dest_cntx0_address_ADDR) : 0),
      .out_mask = contexts && to_srca && !UNP(c, ADD_DEST_ADDR_CNTR_add_dest_addr_cntr) ? 0 : UINT32_MAX,
      .out_base = UNP(c, ADDR_BASE_REG_1_Base),
      .y_stride = (uint16_t)UNP(c, ADDR_CTRL_XY_REG_1_Ystride),
      .z_stride = (uint16_t)UNP(c, ADDR_CTRL_ZW_REG_1_Zstride),
      .w_stride = (uint16_t)UNP(c, ADDR_CTRL_ZW_REG_1_Wstride),
      .flags = (uint16_t)(job->flags & ~(unsigned)TX_UNPACK_HAND_OVER),
      .how = job->how,
      .forced_exponent = job->forced_exponent,
      .format = job->format,
      .less = c->unpacker ? 0 : 4,
      .base = (uint16_t)(&c->words[TX_CFG_THCON_SEC0_REG3_Base_address_ADDR + TX_UNPACK_SECTION * c->unpacker + c->number] -
                         c->t->config.words[0]),
      .low = (uint8_t)(size ? size - 1 : 0),
      .header = header_units(c),
      .row_stride = job->row_stride,
      .row_datums = job->row_datums,
      .limit = job->limit};
}

/* --- all of it --- */

static void step_counters(const struct context *c) {
  uint32_t increments = TX_FIELD(c->word, UNPACR, addr_mode);
  tx_adc_apply_unpack(c->t, c->thread, c->unpacker, increments);
  if (c->adc != c->thread) tx_adc_apply_unpack(c->t, c->adc, c->unpacker, increments);
}

bool tx_unpack_decode(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_unpack_job *job, unsigned *context,
                      bool *at_once) {
  struct context c = {.t = t,
                      .words = t->config.words[t->config.thread_words[thread][TX_CFG_CFG_STATE_ID_StateID_ADDR] & 1u],
                      .thread = thread,
                      .unpacker = TX_FIELD(word, UNPACR, unpack_block_selection),
                      .word = word,
                      .multi = TX_FIELD(word, UNPACR, ovrd_thread_id)};
  *job = (struct tx_unpack_job){.thread = (uint8_t)thread, .kind = TX_UNPACK_DATUMS};
  if (!choose_context(&c)) return false;
  read_dimensions(&c);
  if (!choose_formats(&c, job)) return false;
  choose_modes(&c, job);
  if (!find_input(&c, job)) return false;
  apply_limit(&c, job);
  find_rows(&c, job);
  if (!find_output(&c, job) || !check_modes(&c, job)) return false;
  const unsigned speed = speed_of(&c, job), most = plan_most(&c, job);
  job->rate = tx_unpack_rate(t, speed);
  if (most) make_plan(&c, job, most, speed);
  *context = c.number;
  c.at_once = *at_once = *at_once && !job->how.to_dst && !(job->flags & TX_UNPACK_COMPRESSED);
  check_bursts(&c, job);
  check_rows(&c, job);
  if (!list_input(&c, job)) return false;
  step_counters(&c);
  return true;
}
