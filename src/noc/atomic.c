/* Atomics of the NoC: on an aligned 16 bytes of L1, described by NOC_AT_LEN_BE. The result is the old word at the target's address.
 *
 *    15  12 11      8 7            2 1 0
 *   +------+---------+--------------+---+
 *   |  op  |  of op 10              |Ofs|   fields differ by op
 *   +------+---------+--------------+---+
 *
 * ISA: NoC/Atomics.md (Blackhole). */
#include "noc/atomic.h"

#include <string.h>

enum { INCREMENT = 1, SWAP_MASK = 3, COMPARE_SWAP = 4, SWAP_6 = 6, SWAP_7 = 7, ACCUMULATE = 9, ARITHMETIC = 10 };
enum { AMO_ADD, AMO_XOR, AMO_OR, AMO_AND, AMO_MIN, AMO_MAX, AMO_MINU, AMO_MAXU };

static uint32_t get(const uint8_t *line, unsigned word) {
  const uint8_t *b = line + 4 * word;
  return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static void put(uint8_t *line, unsigned word, uint32_t value) {
  for (unsigned k = 0; k < 4; k++) line[4 * word + k] = (uint8_t)(value >> (8 * k));
}

static uint32_t amo(unsigned op, uint32_t old, uint32_t data) {
  switch (op) {
    case AMO_ADD: return old + data;
    case AMO_XOR: return old ^ data;
    case AMO_OR: return old | data;
    case AMO_AND: return old & data;
    case AMO_MIN: return (int32_t)old < (int32_t)data ? old : data;
    case AMO_MAX: return (int32_t)old > (int32_t)data ? old : data;
    case AMO_MINU: return old < data ? old : data;
    default: return old > data ? old : data;
  }
}

/* Op 10: swap when bits 11:8 are 3, otherwise arithmetic with bit 11 set. */
static bool op_10(uint8_t line[16], uint32_t at, uint32_t data) {
  unsigned word = at & 3u;
  if ((at >> 8 & 15u) == 3) put(line, word, data);
  else if (at & 0x800u) put(line, word, amo(at >> 8 & 7u, get(line, word), data));
  else return false;
  return true;
}

static void swap_mask(uint8_t line[16], uint32_t at, uint32_t data) {
  for (unsigned half = 0; half < 8; half++) {
    if (!(at >> (2 + half) & 1u)) continue;
    line[2 * half] = (uint8_t)(data >> (half & 1u ? 16 : 0));
    line[2 * half + 1] = (uint8_t)(data >> (half & 1u ? 24 : 8));
  }
}

/* false: no such operation. */
static bool apply(const struct noc_port *port, uint8_t line[16], uint32_t at, uint32_t data) {
  unsigned word = at & 3u;
  uint32_t old = get(line, word), mask = 0xffffffffu >> (31 - (at >> 2 & 31u));
  uint8_t operand[16];
  switch (at >> 12 & 15u) {
    case INCREMENT: put(line, word, ((old + data) & mask) | (old & ~mask)); return true;
    case SWAP_MASK: swap_mask(line, at, data); return true;
    case COMPARE_SWAP:
      if (old == (at >> 2 & 15u)) put(line, word, at >> 6 & 15u);
      return true;
    case SWAP_6: put(line, word, data); return at & 4u;
    case SWAP_7: put(line, at >> 2 & 3u, data); return true;
    case ARITHMETIC: return op_10(line, at, data);
    case ACCUMULATE:
      for (unsigned k = 0; k < 4; k++) put(operand, k, data);
      return port->accumulate && port->accumulate(at & 15u, line, operand);
    default: return false;
  }
}

bool noc_do_atomic(const struct noc_at *at, const struct noc_packet *p, uint32_t *result) {
  uint64_t base = p->address & ~(uint64_t)15;
  uint8_t line[16];
  if (at->port->space(at->tile, base, 16) != NOC_SPACE_L1) {
    noc_refuse(at, SIM_FAULT_ADDRESS, "NoC/Atomics.md", p, "atomics act on L1 of Tensix and Ethernet tiles only");
    return false;
  }
  if (!at->port->read(at->tile, base, line, 16)) return false;
  *result = get(line, (unsigned)(p->address >> 2 & 3u));
  if (!apply(at->port, line, p->atomic, p->data)) {
    noc_refuse(at, SIM_FAULT_UNSUPPORTED, "NoC/Atomics.md", p, "no document defines this atomic");
    return false;
  }
  return at->port->write(at->tile, base, line, 16);
}
