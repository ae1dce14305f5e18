/* A second model of the vector unit for the tests, lane by lane and page by page (BlackholeA0 SFP*.md, VectorUnit.md),
 * with its own state. No timing, no SFPLOADMACRO. Only the multiply-add is shared with the simulator: test_vector_fma
 * has its own model of that. */
#ifndef TESSERA_TESTS_VECTOR_MODEL_H
#define TESSERA_TESTS_VECTOR_MODEL_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "tensix/isa/isa.h"
#include "tensix/num/fma.h"

struct model_entry {
  bool flag, use;
};

struct model {
  uint32_t L[17][32];
  bool flag[32], use[32];
  struct model_entry stack[32][8];
  int depth[32];
  uint32_t lane_config[32], template[32][4], sequence[32][4], misc[32], prng[32];
  uint16_t dst[1024][16]; /* as stored */
  uint32_t rwc_dst, sp, math_offset, regw_base, sp_base, stack_incr, srcb_format;
  bool fp32, remap, swizzle;
};

static inline uint32_t bit(uint32_t x, unsigned n) { return x >> n & 1u; }

static inline void model_reset(struct model *m) {
  memset(m, 0, sizeof *m);
  for (int l = 0; l < 32; l++) {
    m->L[8][l] = 0x3f56594bu;
    m->L[10][l] = 0x3f800000u;
    m->L[11][l] = 0xbf800000u;
    m->L[12][l] = 0x3b000000u;
    m->L[13][l] = 0xbf2cc4c7u;
    m->L[14][l] = 0xbeb08ff9u;
    m->L[15][l] = (uint32_t)l * 2;
  }
}

static inline bool enabled(const struct model *m, int l) {
  if (bit(m->lane_config[l & 7], 12 + (unsigned)l / 8)) return false;
  return m->use[l] ? m->flag[l] : true;
}

static inline bool backdoor_disabled(const struct model *m, int l) { return bit(m->lane_config[l], 1); }

static inline uint32_t advance_prng(struct model *m, int l) {
  uint32_t old = m->prng[l], parity = bit(old, 31) ^ bit(old, 21) ^ bit(old, 1) ^ bit(old, 0);
  m->prng[l] = (parity ? 0 : 0x80000000u) | old >> 1;
  return old;
}

static inline void put(struct model *m, unsigned vd, int l, uint32_t value) {
  if (vd < 8) m->L[vd][l] = value;
}

/* -NaN < -Inf < ... < -0 < +0 < ... < +NaN */
static inline bool smaller(uint32_t c, uint32_t d) {
  int64_t cv = c >> 31 ? -(int64_t)(c & 0x7fffffffu) - 1 : (int64_t)c,
          dv = d >> 31 ? -(int64_t)(d & 0x7fffffffu) - 1 : (int64_t)d;
  return cv < dv;
}

/* --- Dst --- */

static inline unsigned model_adj16(const struct model *m, unsigned r) {
  r &= 0x3ffu;
  return m->remap ? (r & 0x3c7u) ^ ((r & 0x30u) >> 1) ^ ((r & 8u) << 2) : r;
}

static inline unsigned model_adj32(const struct model *m, unsigned r) {
  r = model_adj16(m, r);
  if (m->swizzle) r = (r & 0x3f3u) ^ ((r & 0x18u) >> 1) ^ ((r & 4u) << 1);
  return ((r & 0x1f8u) << 1) | (r & 0x207u);
}

static inline uint32_t read16(const struct model *m, unsigned row, unsigned col) { return m->dst[model_adj16(m, row)][col]; }
static inline void write16(struct model *m, unsigned row, unsigned col, uint32_t v) {
  m->dst[model_adj16(m, row)][col] = (uint16_t)v;
}
static inline uint32_t read32(const struct model *m, unsigned row, unsigned col) {
  unsigned r = model_adj32(m, row);
  return (uint32_t)m->dst[r][col] << 16 | m->dst[r + 8][col];
}
static inline void write32(struct model *m, unsigned row, unsigned col, uint32_t v) {
  unsigned r = model_adj32(m, row);
  m->dst[r][col] = (uint16_t)(v >> 16);
  m->dst[r + 8][col] = (uint16_t)v;
}

/* Dst's bit order: mantissa before exponent. */
static inline uint32_t to_dst(uint32_t x) {
  uint32_t sign = x >> 31, exponent = x >> 23 & 255u, high = x >> 16 & 127u, low = x & 0xffffu;
  return sign << 31 | high << 24 | exponent << 16 | low;
}
static inline uint32_t from_dst(uint32_t x) {
  uint32_t sign = x >> 31, high = x >> 24 & 127u, exponent = x >> 16 & 255u, low = x & 0xffffu;
  return sign << 31 | exponent << 23 | high << 16 | low;
}

static inline unsigned model_format(const struct model *m, unsigned mode) {
  if (mode != 0) return mode;
  if (m->fp32) return 3;
  switch (m->srcb_format) {
    case 0:
    case 4:
    case 5:
    case 6:
    case 7:
    case 8:
    case 9:
    case 15: return 2;
    default: return 1;
  }
}

static inline unsigned model_address(struct model *m, unsigned mode, uint32_t imm, bool store) {
  uint32_t dst = m->rwc_dst + m->regw_base;
  if (mode != 10) return (imm + m->math_offset + dst + ((m->sp + m->sp_base) & 3u)) & 0x3ffu;
  if (!store && m->sp) m->sp = (m->sp - m->stack_incr) & 0x3ffu;
  unsigned address = (imm + m->math_offset + m->sp + m->sp_base + (dst & 3u)) & 0x3ffu;
  if (store) m->sp = (m->sp + m->stack_incr) & 0x3ffu;
  return address;
}

static inline uint32_t load_datum(const struct model *m, unsigned mode, unsigned row, unsigned col, int l, uint32_t old) {
  uint32_t x = read16(m, row, col), e = x & 31u, man = x >> 5 & 0x3ffu;
  switch (mode) {
    case 1:
      if (bit(m->lane_config[l], 0) && e == 31 && man == 0x3ff) return bit(x, 15) << 31 | 0x7f800000u;
      return bit(x, 15) << 31 | (e ? e + 112 : 0) << 23 | man << 13;
    case 2: return from_dst(x << 16);
    case 3:
    case 4:
    case 10:
    case 12: return from_dst(read32(m, row, col));
    case 5: return bit(x, 15) << 31 | (x >> 5 & 0xffu);
    case 13: return bit(x, 15) << 31 | (x >> 5 & 0x3ffu);
    case 6:
    case 9: return x;
    case 7: return x << 16;
    case 8: return bit(x, 15) << 31 | (x & 0x7fffu);
    case 14: return (old & 0xffff0000u) | x;
    case 15: return x << 16 | (old & 0xffffu);
    default: return 0;
  }
}

static inline void model_load(struct model *m, unsigned vd, unsigned mode, uint32_t imm) {
  mode = model_format(m, mode);
  unsigned address = model_address(m, mode, imm, false);
  uint32_t before[32];
  memcpy(before, m->L[vd & 7u], sizeof before);
  for (int l = 0; l < 32 && vd < 8; l++) {
    if (bit(m->lane_config[l], 5)) continue;
    if (!enabled(m, l) && mode != 10) continue;
    unsigned row = ((address & ~3u) + (unsigned)l / 8) & 0x3ffu, col = (unsigned)(l & 7) * 2;
    if ((address & 2u) || bit(m->lane_config[l & 7], 6)) col++;
    m->L[vd][l] = load_datum(m, mode, row, col, l, before[l]);
    if (vd < 4 && bit(m->lane_config[l], 2) && bit(m->lane_config[l], 3)) m->L[vd + 4][l] = row << 4 | col;
  }
}

static inline uint32_t flush(uint32_t x) { return x >> 23 & 255u ? x : x & 0x80000000u; }

static inline uint32_t to_fp16(uint32_t x) { /* in Dst's order */
  int e = (int)(x >> 23 & 255u) - 112;
  uint32_t s = x >> 31, man = x & 0x7fffffu;
  if (e <= 0) e = 0, man = 0;
  else if (e > 31) e = 31, man = 0x7fffff;
  return s << 15 | (man >> 13) << 5 | (uint32_t)e;
}

static inline void store_datum(struct model *m, unsigned mode, unsigned row, unsigned col, uint32_t x) {
  switch (mode) {
    case 1: write16(m, row, col, to_fp16(x)); break;
    case 2: write16(m, row, col, to_dst(flush(x)) >> 16); break;
    case 3: write32(m, row, col, to_dst(flush(x))); break;
    case 4:
    case 10:
    case 12: write32(m, row, col, to_dst(x)); break;
    case 5:
    case 13: write16(m, row, col, (x >> 31) << 15 | (x & 0x3ffu) << 5 | 16u); break;
    case 6:
    case 14: write16(m, row, col, x); break;
    case 7: write32(m, row, col, x); break;
    case 8: write16(m, row, col, (x >> 31) << 15 | (x & 0x7fffu)); break;
    case 9: write32(m, row, col, x << 16 | x >> 16); break;
    case 11: write16(m, row, col, 0); break;
    default: write16(m, row, col, x >> 16); break;
  }
}

static inline void model_store(struct model *m, unsigned vd, unsigned mode, uint32_t imm) {
  mode = model_format(m, mode);
  unsigned address = model_address(m, mode, imm, true);
  for (int l = 0; l < 32; l++) {
    if (bit(m->lane_config[l], 4)) continue;
    if (vd >= 12 && !backdoor_disabled(m, l)) continue;
    if (!enabled(m, l) && mode != 10) continue;
    unsigned row = ((address & ~3u) + (unsigned)l / 8) & 0x3ffu, col = (unsigned)(l & 7) * 2;
    if ((address & 2u) || bit(m->lane_config[l & 7], 7)) col++;
    store_datum(m, mode, row, col, m->L[vd][l]);
  }
}

/* --- the lanewise instructions --- */

struct operands {
  unsigned va, vb, vc, vd, mod, imm12, imm16;
};

static inline uint32_t lut8_value(uint32_t x) {
  x &= 255u;
  return x == 255u ? 0 : (x >> 7) << 31 | (127u - (x >> 4 & 7u)) << 23 | (x & 15u) << 19;
}
static inline uint32_t lut16_value(uint32_t x) {
  uint32_t e = x >> 10 & 31u;
  return bit(x, 15) << 31 | (e == 31u ? 0 : 112u + e) << 23 | (x & 0x3ffu) << 13;
}

static inline void model_mad_result(struct model *m, const struct operands *o, int l, uint32_t d) {
  put(m, o->mod & 8u ? m->L[7][l] & 15u : o->vd, l, d);
}

static inline uint32_t mul24_disturbed(uint32_t p, uint32_t z) {
  uint32_t ze = z >> 23 & 255u, re = ze > 129 ? ze : 129, s = (re - ze) & 31u;
  if (!ze) return p;
  uint32_t zg = ((1u << 23) + (z & 0x7fffffu)) << 3, zm = zg >> s;
  p >>= (re - 129) & 31u;
  if (!zm) return p;
  p += zm;
  if (((zm << s) ^ zg) > 0xffffu) p += 1u << 16;
  return p & 0x7fffffu;
}

static inline void model_mad(struct model *m, unsigned opcode, const struct operands *o, int l) {
  uint32_t a = m->L[o->mod & 4u ? m->L[7][l] & 15u : o->va][l], b = m->L[o->vb][l], c = m->L[o->vc][l], d;
  if (opcode == TX_SFPMUL24) {
    uint64_t product = (uint64_t)(a & 0x7fffffu) * (b & 0x7fffffu);
    d = (uint32_t)(o->mod & 1u ? product >> 23 : product & 0x7fffffu);
    if (c) d = mul24_disturbed(d, c);
  } else {
    d = num_fma32(o->mod & 1u ? a ^ 0x80000000u : a, b, o->mod & 2u ? c ^ 0x80000000u : c);
  }
  model_mad_result(m, o, l, d);
}

static inline void model_lut(struct model *m, unsigned opcode, const struct operands *o, int l) {
  uint32_t l3 = m->L[3][l], b = l3 & 0x7fffffffu, a, c;
  unsigned i = b < 0x3f800000u ? 0 : b < 0x40000000u ? 1 : 2;
  if (opcode == TX_SFPLUT) {
    a = lut8_value(m->L[i][l] >> 8);
    c = lut8_value(m->L[i][l]);
  } else if (o->mod & 2u) {
    if ((o->mod & 10u) == 10u) {
      a = lut16_value(m->L[i][l] >> 16);
      c = lut16_value(m->L[i][l] & 0xffffu);
    } else {
      uint32_t cut = (o->mod & 3u) == 3u ? 0x40800000u : 0x40400000u;
      unsigned j = b < 0x3f000000u   ? 0
                   : b < 0x3f800000u ? 16
                   : b < 0x3fc00000u ? 0
                   : b < 0x40000000u ? 16
                   : b < cut         ? 0
                                     : 16;
      a = lut16_value(m->L[i][l] >> j & 0xffffu);
      c = lut16_value(m->L[4 + i][l] >> j & 0xffffu);
    }
  } else {
    a = m->L[i][l];
    c = m->L[4 + i][l];
  }
  uint32_t d = num_fma32(a, b, c);
  if (o->mod & 4u) d = (d & 0x7fffffffu) | (l3 & 0x80000000u);
  model_mad_result(m, o, l, d);
}

static inline uint32_t shifted(uint32_t x, int32_t by, bool arithmetic) {
  if (by >= 0) return x << (by & 31);
  unsigned n = (unsigned)-(int64_t)by & 31u;
  if (!arithmetic || !(x >> 31)) return x >> n;
  return ~(~x >> n);
}

static inline int32_t signed12(unsigned imm) { return imm & 0x800u ? (int32_t)imm - 4096 : (int32_t)imm; }

static inline uint32_t stochastic(struct model *m, const struct operands *o, int l, unsigned rounding, unsigned imm5) {
  uint32_t limit = advance_prng(m, l) & 0x7fffffu, c = m->L[o->vc][l], e = c >> 23 & 255u;
  unsigned mod = o->mod & 7u;
  if (rounding == 0) limit = 0x400000u;
  if (rounding == 2) limit = 0x7fffffu;
  if (mod < 2) {
    unsigned drop = mod ? 16 : 13;
    if (e == 0) return 0;
    if (e == 255) return c & 0xff800000u;
    uint32_t lost = c % (1u << drop);
    return c - lost + (lost >= limit >> (23 - drop) ? 1u << drop : 0);
  }
  bool keep = mod & 1u;
  uint32_t max = mod == 2 || mod == 4 ? 255 : mod == 3 || mod == 5 ? 127 : mod == 6 ? 65535 : 32767;
  uint32_t sign = keep ? c & 0x80000000u : 0;
  uint64_t mag;
  if (mod == 4 || mod == 5) {
    mag = (uint64_t)(c & 0x7fffffffu) << 23 >> (o->mod & 8u ? imm5 : m->L[o->vb][l] & 31u);
  } else {
    int exponent = (int)e - 127;
    if (exponent < -1) return 0;
    if (exponent >= 16) return sign + max;
    mag = (c & 0x7fffffu) | 0x800000u;
    mag = exponent >= 0 ? mag << exponent : mag >> -exponent;
  }
  mag = (mag >> 23) + ((mag & 0x7fffffu) >= limit);
  if (mag > max) mag = max;
  return mag ? sign + (uint32_t)mag : 0;
}

static inline uint32_t cast_value(struct model *m, unsigned mod, int l, uint32_t c) {
  uint32_t sign = c & 0x80000000u, mag = c & 0x7fffffffu;
  if ((mod & 3u) == 2) return c >> 31 ? 0u - c : c;
  if ((mod & 3u) == 3) return sign | (sign ? 0u - c : c);
  int zeros = 0;
  uint32_t random = mod & 1u ? advance_prng(m, l) : 0;
  if (!mag) return sign;
  while (!(mag << zeros >> 31)) zeros++;
  uint32_t normal = mag << zeros, d = sign + ((157u - (uint32_t)zeros) << 23) + (normal >> 8);
  if (mod & 1u) return d + ((normal & 0xfeu) > (random >> 9 & 0xfeu));
  return d + ((normal & 0x80u) && (normal & 0x17fu));
}

static inline uint32_t simple_value(struct model *m, unsigned opcode, const struct operands *o, int l) {
  uint32_t c = m->L[o->vc][l], d = m->L[o->vd][l], x;
  unsigned mod = o->mod;
  switch (opcode) {
    case TX_SFPABS:
      if (!(c >> 31)) return c;
      if (mod & 1u) return c > 0xff800000u ? c : c & 0x7fffffffu;
      return 0u - c;
    case TX_SFPAND: return c & (mod & 1u ? m->L[o->vb][l] : d);
    case TX_SFPOR: return c | (mod & 1u ? m->L[o->vb][l] : d);
    case TX_SFPXOR: return c ^ d;
    case TX_SFPNOT: return ~c;
    case TX_SFPDIVP2:
      if (mod & 1u) return (c >> 23 & 255u) == 255u ? c : (c & 0x807fffffu) | ((c >> 23 & 255u) + o->imm12) % 256 << 23;
      return (c & 0x807fffffu) | (o->imm12 & 255u) << 23;
    case TX_SFPEXEXP: return (c >> 23 & 255u) - (mod & 1u ? 0 : 127u);
    case TX_SFPEXMAN: return (c & 0x7fffffu) + (mod & 1u ? 0 : 0x800000u);
    case TX_SFPIADD: return mod & 1u ? c + (uint32_t)signed12(o->imm12) : mod & 2u ? c - d : c + d;
    case TX_SFPLZ:
      if (mod & 4u) c &= 0x7fffffffu;
      for (x = 0; x < 32 && !(c << x >> 31); x++) {}
      return x;
    case TX_SFPSETEXP: return (c & 0x807fffffu) | (mod & 1u ? o->imm12 & 255u : mod & 2u ? d >> 23 & 255u : d & 255u) << 23;
    case TX_SFPSETMAN: return (c & 0xff800000u) | (mod & 1u ? o->imm12 << 11 : d & 0x7fffffu);
    case TX_SFPSETSGN: return (c & 0x7fffffffu) | (mod & 1u ? o->imm12 & 1u : d >> 31) << 31;
    case TX_SFPSHFT:
      if (mod == 4 || mod == 6) mod &= 3u;
      mod &= 7u;
      if (!(mod & 1u)) return shifted(d, (int32_t)c, mod & 2u);
      return shifted(mod & 4u ? c : d, signed12(o->imm12), mod & 2u);
    case TX_SFPCAST: return cast_value(m, mod, l, c);
    default: return c;
  }
}

static inline bool simple_flag(const struct model *m, unsigned opcode, unsigned mod, int l, uint32_t c, uint32_t result) {
  bool flag = m->flag[l];
  if (opcode == TX_SFPIADD) {
    if (!(mod & 4u)) flag = result >> 31;
  } else if (opcode == TX_SFPEXEXP) {
    if (mod & 2u) flag = result >> 31;
  } else if (opcode == TX_SFPLZ) {
    if (mod & 2u) flag = (mod & 4u ? c & 0x7fffffffu : c) != 0;
  } else {
    return flag;
  }
  return mod & 8u ? !flag : flag;
}

static inline uint32_t special_value(struct model *m, unsigned vc, int l) {
  if (vc < 4) return m->template[l][vc];
  if (vc < 8) return m->sequence[l][vc - 4];
  if (vc == 8) return m->misc[l];
  if (vc == 9) return advance_prng(m, l);
  return vc == 15 ? m->lane_config[l] : 0;
}

/* --- flags --- */

static inline bool boolean_op(unsigned mod, bool a, bool b) {
  switch (mod) {
    case 1: return b;
    case 2: return !b;
    case 3: return a && b;
    case 4: return a || b;
    case 5: return a && !b;
    case 6: return a || !b;
    case 7: return !a && b;
    case 8: return !a || b;
    case 9: return !a && !b;
    case 10: return !a || !b;
    case 11: return a != b;
    default: return a == b;
  }
}

static inline void model_push(struct model *m, unsigned mod, int l) {
  struct model_entry now = {m->flag[l], m->use[l]}, *top = m->depth[l] ? &m->stack[l][m->depth[l] - 1] : NULL;
  if (mod == 0) {
    if (m->depth[l] == 8) { /* undefined; ours loses the oldest */
      memmove(m->stack[l], m->stack[l] + 1, 7 * sizeof now);
      m->depth[l] = 7;
    }
    m->stack[l][m->depth[l]++] = now;
    return;
  }
  if (mod == 13) m->flag[l] = !m->flag[l];
  if (!top) return; /* undefined; ours does nothing */
  if (mod <= 12) *top = (struct model_entry){boolean_op(mod, top->flag, now.flag), now.use};
  else if (mod == 13) *top = (struct model_entry){!now.flag, now.use};
  else *top = (struct model_entry){mod == 14, true};
}

static inline void model_pop(struct model *m, unsigned mod, int l) {
  struct model_entry top = {false, false};
  if (m->depth[l]) top = m->stack[l][m->depth[l] - 1];
  if (mod == 0 && m->depth[l]) m->depth[l]--;
  if (mod <= 12) {
    m->use[l] = top.use;
    m->flag[l] = mod ? boolean_op(mod, m->flag[l], top.flag) : top.flag;
  } else if (mod == 13) {
    m->flag[l] = !m->flag[l];
  } else {
    m->use[l] = true;
    m->flag[l] = mod == 14;
  }
}

static inline void model_setcc(struct model *m, const struct operands *o, int l) {
  int32_t c = (int32_t)m->L[o->vc][l];
  if (!enabled(m, l)) return;
  if (!m->use[l] || (o->mod & 8u)) m->flag[l] = false;
  else if (o->mod & 1u) m->flag[l] = o->imm12 & 1u;
  else m->flag[l] = o->mod == 0 ? c < 0 : o->mod == 2 ? c != 0 : o->mod == 4 ? c >= 0 : c == 0;
}

static inline void model_compare(struct model *m, unsigned opcode, const struct operands *o, int l) {
  bool truth = smaller(m->L[o->vc][l], m->L[o->vd][l]) == (opcode == TX_SFPGT);
  if (enabled(m, l)) {
    if (o->mod & 8u) put(m, o->vd, l, truth ? 0xffffffffu : 0);
    if (o->mod & 1u) m->flag[l] = truth;
  }
  if ((o->mod & 2u) && m->depth[l]) {
    struct model_entry *top = &m->stack[l][m->depth[l] - 1];
    top->flag = o->mod & 4u ? top->flag || truth : top->flag && truth;
  }
}

/* --- lanes that read each other --- */

static inline void model_swap(struct model *m, const struct operands *o, int l) {
  static const uint32_t min_lanes[9] = {0,     0xffffffffu, 0xffffu,   0xff00ffu,  0xff0000ffu,
                                        0xffu, 0xff00u,     0xff0000u, 0xff000000u};
  uint32_t c = m->L[o->vc][l], d = m->L[o->vd][l];
  bool swap = true;
  if (o->mod) {
    bool min = o->mod < 9 && bit(min_lanes[o->mod], (unsigned)l);
    swap = smaller(c, d) == min;
    if (bit(m->lane_config[l], 8)) swap = !swap;
  }
  if (!swap || !enabled(m, l)) return;
  if (bit(m->lane_config[l], 2)) {
    unsigned vca = 4 + (o->vc & 3u), vda = 4 + (o->vd & 3u);
    uint32_t ca = m->L[vca][l], da = m->L[vda][l];
    if (o->vc < 4) m->L[o->vc][l] = d;
    if (o->vd < 4) m->L[o->vd][l] = c;
    m->L[vca][l] = da;
    m->L[vda][l] = ca;
  } else {
    put(m, o->vc, l, d);
    put(m, o->vd, l, c);
  }
}

static inline void model_transpose(struct model *m, const bool *lanes) {
  for (unsigned base = 0; base < 8; base += 4)
    for (unsigned col = 0; col < 8; col++)
      for (unsigned i = 0; i < 4; i++)
        for (unsigned j = 0; j < i; j++) {
          int a = (int)(j * 8 + col), b = (int)(i * 8 + col);
          uint32_t ij = m->L[base + i][a], ji = m->L[base + j][b];
          if (lanes[a]) m->L[base + i][a] = ji;
          if (lanes[b]) m->L[base + j][b] = ij;
        }
}

static inline void model_shift2(struct model *m, const struct operands *o, const bool *lanes) {
  uint32_t v0[32], vc[32];
  memcpy(v0, m->L[0], sizeof v0);
  memcpy(vc, m->L[o->vc], sizeof vc);
  for (int l = 0; l < 32; l++) {
    if (!lanes[l]) continue;
    uint32_t rotated = l & 7 ? vc[l - 1] : vc[l + 7], three = 0;
    if (o->mod == 1) three = l < 24 ? v0[l + 8] : 0;
    if (o->mod == 2) three = rotated;
    if (o->mod < 3) {
      for (int i = 0; i < 3; i++) m->L[i][l] = m->L[i + 1][l];
      m->L[3][l] = three;
    } else if (o->mod < 5) {
      put(m, o->vd, l, o->mod == 4 && !(l & 7) ? 0 : rotated);
    } else {
      put(m, o->vd, l, shifted(m->L[o->vb][l], o->mod == 5 ? (int32_t)m->L[o->vc][l] : signed12(o->imm12), false));
    }
  }
}

static inline uint32_t config_combined(uint32_t old, uint32_t value, unsigned mod) {
  switch (mod & 6u) {
    case 0: return value;
    case 2: return old | value;
    case 4: return old & value;
    default: return old ^ value;
  }
}

static inline void model_config(struct model *m, const struct operands *o) {
  static const uint32_t constants[4] = {0xbf800000u, 0x3b000000u, 0xbf2cc4c7u, 0xbeb08ff9u};
  bool first_row_use[8], first_row_flag[8];
  for (int c = 0; c < 8; c++) first_row_use[c] = m->use[c], first_row_flag[c] = m->flag[c];
  for (int l = 0; l < 32; l++) {
    if ((o->mod & 8u) && !bit(o->imm16, (unsigned)(l & 7) * 2)) continue;
    if (first_row_use[l & 7] && !first_row_flag[l & 7]) continue;
    uint32_t from = m->L[0][l & 7], value = o->mod & 1u ? o->imm16 : from;
    if (o->vd < 4) m->template[l][o->vd] = from;
    else if (o->vd < 8) m->sequence[l][o->vd - 4] = value;
    else if (o->vd == 8) m->misc[l] = config_combined(m->misc[l], value, o->mod) & 0xfffu;
    else if (o->vd >= 11 && o->vd < 15) m->L[o->vd][l] = o->mod & 1u ? constants[o->vd - 11] : from;
    else if (o->vd == 15) {
      uint32_t old = m->lane_config[l];
      m->lane_config[l] = config_combined(old, value & 0x3ffffu, o->mod) | (o->mod & 1u ? old & ~0xffffu : 0);
      m->lane_config[l] &= 0x3ffffu;
    }
  }
}

/* --- one instruction --- */

static inline void model_loadi(struct model *m, unsigned vd, unsigned mod, uint32_t imm, int l) {
  if (vd >= 8 || !enabled(m, l)) return;
  uint32_t old = m->L[vd][l];
  switch (mod) {
    case 0: m->L[vd][l] = imm << 16; break;
    case 1: m->L[vd][l] = bit(imm, 15) << 31 | ((imm >> 10 & 31u) + 112u) << 23 | (imm & 0x3ffu) << 13; break;
    case 2: m->L[vd][l] = imm; break;
    case 4: m->L[vd][l] = imm & 0x8000u ? imm | 0xffff0000u : imm; break;
    case 8: m->L[vd][l] = imm << 16 | (old & 0xffffu); break;
    default: m->L[vd][l] = (old & 0xffff0000u) | imm; break;
  }
}

static inline void model_lane(struct model *m, unsigned opcode, const struct operands *o, int l, unsigned rounding,
                              unsigned imm5) {
  uint32_t c = m->L[o->vc][l];
  bool on = enabled(m, l);
  switch (opcode) {
    case TX_SFPMAD:
    case TX_SFPADD:
    case TX_SFPMUL:
    case TX_SFPMUL24:
      if (on) model_mad(m, opcode, o, l);
      break;
    case TX_SFPLUT:
    case TX_SFPLUTFP32:
      if (on) model_lut(m, opcode, o, l);
      break;
    case TX_SFPADDI:
    case TX_SFPMULI: {
      uint32_t d = m->L[o->vd][l] ^ (o->mod & 2u ? 0x80000000u : 0), imm = o->imm16 << 16;
      if (on) model_mad_result(m, o, l, opcode == TX_SFPADDI ? num_fma32(imm, 0x3f800000u, d) : num_fma32(imm, d, 0));
      break;
    }
    case TX_SFP_STOCH_RND:
      if (on) put(m, o->vd, l, stochastic(m, o, l, rounding, imm5));
      break;
    case TX_SFPARECIP: break; /* by table, in its own test */
    case TX_SFPSETCC: model_setcc(m, o, l); break;
    case TX_SFPENCC:
      if (o->mod & 2u) m->use[l] = o->imm12 & 1u;
      else if (o->mod & 1u) m->use[l] = !m->use[l];
      m->flag[l] = o->mod & 8u ? o->imm12 >> 1 & 1u : true;
      break;
    case TX_SFPCOMPC: {
      struct model_entry top = {true, true};
      if (m->depth[l]) top = m->stack[l][m->depth[l] - 1];
      m->flag[l] = top.use && m->use[l] ? top.flag && !m->flag[l] : false;
      break;
    }
    case TX_SFPPUSHC: model_push(m, o->mod, l); break;
    case TX_SFPPOPC: model_pop(m, o->mod, l); break;
    case TX_SFPLE:
    case TX_SFPGT: model_compare(m, opcode, o, l); break;
    case TX_SFPSWAP: model_swap(m, o, l); break;
    case TX_SFPNOP: break;
    case TX_SFPMOV: {
      unsigned mod = o->mod & ~4u;
      if (!on && mod != 2) break;
      put(m, o->vd, l, mod & 8u ? special_value(m, o->vc, l) : c ^ (mod & 1u ? 0x80000000u : 0));
      break;
    }
    default:
      if (!on) break;
      {
        uint32_t result = simple_value(m, opcode, o, l);
        put(m, o->vd, l, result);
        if (o->vd < 8) m->flag[l] = simple_flag(m, opcode, o->mod, l, c, result);
      }
  }
}

static inline void model_template(struct model *m, unsigned vd, uint32_t word) {
  bool take[8];
  for (int c = 0; c < 8; c++) take[c] = !backdoor_disabled(m, c) && (!m->use[c] || m->flag[c]);
  for (int l = 0; l < 32; l++)
    if (take[l & 7]) m->template[l][vd - 12] = word;
}

static inline void model_step(struct model *m, uint32_t word) {
  unsigned opcode = word >> 24;
  struct operands o = {.va = word >> 16 & 15u,
                       .vb = word >> 12 & 15u,
                       .vc = word >> 8 & 15u,
                       .vd = word >> 4 & 15u,
                       .mod = word & 15u,
                       .imm12 = word >> 12 & 0xfffu,
                       .imm16 = word >> 8 & 0xffffu};
  bool loads = opcode == TX_SFPLOAD || opcode == TX_SFPLOADI || opcode == TX_SFPSTORE || opcode == TX_SFPLUT;
  bool lanes[32];
  if (loads) o.vd = word >> 20 & 15u, o.mod = word >> 16 & 15u, o.imm16 = word & 0xffffu;
  if (opcode == TX_SFPCONFIG) {
    model_config(m, &o);
    return;
  }
  for (int l = 0; l < 32; l++) lanes[l] = o.vd < 12 || backdoor_disabled(m, l);
  if (o.vd >= 12) model_template(m, o.vd, word);
  if (opcode == TX_SFPLOAD) model_load(m, o.vd, o.mod, word & 0x3ffu);
  else if (opcode == TX_SFPSTORE) model_store(m, o.vd, o.mod, word & 0x3ffu);
  else if (opcode == TX_SFPTRANSP || opcode == TX_SFPSHFT2) {
    for (int l = 0; l < 32; l++) lanes[l] = lanes[l] && enabled(m, l);
    if (opcode == TX_SFPTRANSP) model_transpose(m, lanes);
    else model_shift2(m, &o, lanes);
  } else {
    for (int l = 0; l < 32; l++) {
      if (!lanes[l]) continue;
      if (opcode == TX_SFPLOADI) model_loadi(m, o.vd, o.mod, o.imm16, l);
      else model_lane(m, opcode, &o, l, word >> 21 & 3u, word >> 16 & 31u);
    }
  }
}

#endif
