/* Dst as the T cores see it, 0xFFBD8000: one datum at a time, in the layout of a CPU. ISA: Dst.md, "RISCV access to Dst" (Blackhole).
 *
 *   RISC_DEST_ACCESS_CTRL_SEC[thread].fmt   0 FP32 or raw   1 INT32   2 FP16   3 BF16   4 INT16   5 INT8
 *
 * T2's accesses to several data at once are split. Latency is that of configuration (inferred). Not modelled: interlocks with the
 * coprocessor (the page names none). */
#include "tensix/machine.h"
#include "tensix/regs/dst.h"
#include "tensix/tile/bus_region.h"
#include "tensix/tile/windows.h"

struct view {
  unsigned fmt, bytes; /* of a datum */
  bool raw, is_unsigned;
};

static struct view view_of(const struct tx_tile *t, unsigned thread) {
  static const uint8_t bytes[8] = {4, 4, 2, 2, 2, 1, 0, 0};
  uint32_t word = t->config.words[TX_CFG_BANK(t, thread)][TX_CFG_RISC_DEST_ACCESS_CTRL_SEC0_fmt_ADDR];
  uint32_t bits = word >> (TX_CFG_RISC_DEST_ACCESS_CTRL_SEC0_no_swizzle_SHIFT + 5 * thread);
  unsigned fmt = bits >> 2 & 7u;
  return (struct view){.fmt = fmt, .bytes = bytes[fmt], .raw = bits & 1u, .is_unsigned = bits >> 1 & 1u};
}

/* --- datum in Dst to datum of a CPU and back --- */

static uint32_t load_32(const struct view *v, uint32_t x) {
  if (!v->raw) x = (x & 0x8000ffffu) | (x & 0x7f000000u) >> 8 | (x & 0x00ff0000u) << 7;
  return v->fmt == 1 && !v->raw && x >> 31 ? 0u - (x & 0x7fffffffu) : x;
}

static uint32_t store_32(const struct view *v, uint32_t x) {
  if (v->fmt == 1 && !v->raw && x >> 31) x = 0x80000000u | (0u - (x + (x == 0x80000000u)));
  if (!v->raw) x = (x & 0x8000ffffu) | (x & 0x7f800000u) >> 7 | (x & 0x007f0000u) << 8;
  return x;
}

static uint32_t load_16(const struct view *v, uint32_t x) {
  if (v->raw) return x;
  if (v->fmt == 2) return (x & 0x8000u) | (x & 0x7fe0u) >> 5 | (x & 0x1fu) << 10;
  if (v->fmt == 3) return (x & 0x8000u) | (x & 0x7f00u) >> 8 | (x & 0xffu) << 7;
  return !v->is_unsigned && (x & 0x8000u) ? (0u - (x & 0x7fffu)) & 0xffffu : x;
}

static uint32_t store_16(const struct view *v, uint32_t x) {
  if (v->raw) return x;
  if (v->fmt == 2) return (x & 0x8000u) | (x & 0x7c00u) >> 10 | (x & 0x3ffu) << 5;
  if (v->fmt == 3) return (x & 0x8000u) | (x & 0x7f80u) >> 7 | (x & 0x7fu) << 8;
  return !v->is_unsigned && (x & 0x8000u) ? (0x8000u | (0u - (x + (x == 0x8000u)))) & 0xffffu : x;
}

static uint32_t load_8(const struct view *v, uint32_t x) {
  if (v->raw || v->is_unsigned) return x >> 5 & 0xffu;
  uint32_t magnitude = x >> 5 & 0x7fu;
  return (x & 0x8000u ? 0u - magnitude : magnitude) & 0xffu;
}

/* The negative case is intended as a conversion from two's complement, but is not one: a hardware bug. */
static uint32_t store_8(const struct view *v, uint32_t x) {
  if (v->raw || v->is_unsigned || x < 0x80u) return x << 5 | (x ? 16u : 0u);
  uint32_t magnitude = (0x180u - x - (x == 0x80u)) & 0xffu;
  return 0x8000u | magnitude << 5 | 16u;
}

/* --- one datum --- */

static uint32_t load_datum(const struct tx_tile *t, const struct view *v, uint32_t index) {
  unsigned row = index / TX_DST_COLUMNS, column = index % TX_DST_COLUMNS;
  if (v->bytes == 4) {
    unsigned high = tx_dst_adj32(t, row);
    return load_32(v, (uint32_t)t->dst.bits[high][column] << 16 | t->dst.bits[high + 8][column]);
  }
  uint32_t bits = t->dst.bits[tx_dst_adj16(t, row)][column];
  return v->bytes == 2 ? load_16(v, bits) : load_8(v, bits);
}

static void store_datum(struct tx_tile *t, const struct view *v, uint32_t index, uint32_t value) {
  unsigned row = index / TX_DST_COLUMNS, column = index % TX_DST_COLUMNS;
  if (v->bytes == 4) {
    unsigned high = tx_dst_adj32(t, row);
    uint32_t bits = store_32(v, value);
    t->dst.bits[high][column] = (uint16_t)(bits >> 16);
    t->dst.bits[high + 8][column] = (uint16_t)bits;
    if (t->dst.valid[high] == TX_DST_UNDEFINED) t->dst.valid[high] = TX_DST_VALID;
    return;
  }
  unsigned at = tx_dst_adj16(t, row);
  t->dst.bits[at][column] = (uint16_t)(v->bytes == 2 ? store_16(v, value & 0xffffu) : store_8(v, value & 0xffu));
  if (t->dst.valid[at] == TX_DST_UNDEFINED) t->dst.valid[at] = TX_DST_VALID;
}

/* --- requests --- */

static bool fits(struct tx_tile *t, const struct tx_request *r, const struct view *v) {
  if (v->bytes == 0) tx_bus_refuse(t, r, SIM_FAULT_UNDEFINED, "Dst.md", "RISC_DEST_ACCESS_CTRL fmt 6 and 7 are reserved");
  else if (r->bytes < v->bytes || (r->bytes > v->bytes && r->agent != TX_AGENT_TRISC2))
    tx_bus_refuse(t, r, SIM_FAULT_UNDEFINED, "Dst.md",
                  "the access must be as wide as a datum of RISC_DEST_ACCESS_CTRL's format");
  else if ((r->address - TX_ADDR_DST) / v->bytes >= (v->bytes == 4 ? 512u : 1024u) * TX_DST_COLUMNS)
    tx_bus_refuse(t, r, SIM_FAULT_ADDRESS, "Dst.md", "after the last row of Dst in this format");
  else return true;
  return false;
}

struct tx_bus_answer tx_access_dst(struct tx_tile *t, const struct tx_request *r) {
  struct view v = view_of(t, tx_core_of(r->agent));
  struct tx_bus_answer answer;
  uint32_t value = 0, there = t->params.cfg_request_cycles;
  if (!fits(t, r, &v)) return (struct tx_bus_answer){.result = TX_BUS_FAULT};
  if (r->store) return tx_bus_emit(t, r, TX_REGION_DST);
  if (tx_bus_behind_stores(t, r, TX_REGION_DST, &answer)) return answer;
  for (uint32_t i = 0; i < r->bytes / v.bytes; i++)
    value |= load_datum(t, &v, (r->address - TX_ADDR_DST) / v.bytes + i) << (8 * v.bytes * i % 32);
  answer = tx_bus_finish_load(t, r, value, there, 2 * there);
  answer.moves = 1;
  return answer;
}

bool tx_arrive_dst(struct tx_tile *t, const struct tx_request *r, const struct sim_effect *e) {
  (void)e;
  struct view v = view_of(t, tx_core_of(r->agent));
  if (!fits(t, r, &v)) return true; /* the format has changed meanwhile */
  for (uint32_t i = 0; i < r->bytes / v.bytes; i++)
    store_datum(t, &v, (r->address - TX_ADDR_DST) / v.bytes + i, r->value >> (8 * v.bytes * i % 32));
  return true;
}
