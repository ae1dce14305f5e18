/* tessera conform --riscv: each core's op list becomes straight RV32I code (.ttinsn for a push) that the core executes from L1, as a
 * compiled kernel would. The code lies above 0xFFFFF, where no case has data.
 *
 * Firmware's settings come first (cfg0: no fusion, no L0 data cache), and the orderings that MemoryOrdering.md requires of software: a
 * store to L1 is read back before the next operation; a sync is a store and a load of the same address. */
#include "load/conform_riscv.h"

#include <stdio.h>

#include "tensix/riscv/core.h"
#include "tensix/tile/bus.h"

#define CODE_BASE 0x100000u
#define CODE_BYTES 0x2a000u /* per core */

enum { ZERO = 0, T0 = 5, T1 = 6, T2 = 7, T3 = 28 };

struct code {
  struct tx_tile *t;
  uint32_t at, end;
  bool full;
};

static void put(struct code *c, uint32_t word) {
  c->full |= c->at + 4 > c->end;
  if (c->full) return;
  tx_l1_write(c->t, c->at, &word, 4);
  c->at += 4;
}

static void li(struct code *c, unsigned rd, uint32_t value) {
  uint32_t low = value & 0xfffu, high = value + (low >> 11 << 12);
  put(c, (high & 0xfffff000u) | rd << 7 | 0x37u);
  put(c, low << 20 | rd << 15 | rd << 7 | 0x13u);
}

static void lw(struct code *c, unsigned rd, unsigned rs1) { put(c, rs1 << 15 | 2u << 12 | rd << 7 | 0x03u); }
static void sw(struct code *c, unsigned rs2, unsigned rs1) { put(c, rs2 << 20 | rs1 << 15 | 2u << 12 | 0x23u); }
static void use(struct code *c, unsigned rs1) { put(c, rs1 << 15 | 0x13u); } /* addi zero, rs1, 0 */

static void store(struct code *c, uint32_t address, unsigned value) {
  sw(c, value, T0);
  if (address >= TX_L1_BYTES) return;
  lw(c, T3, T0);
  use(c, T3);
}

static void put_push(struct code *c, uint32_t word) {
  if (word < 0xC0000000u) {
    put(c, word << 2 | word >> 30);
    return;
  }
  li(c, T0, TX_ADDR_PUSH);
  li(c, T1, word);
  sw(c, T1, T0);
}

static void put_wait(struct code *c, const struct tx_script_op *op) {
  li(c, T0, op->a);
  li(c, T1, op->b);
  li(c, T2, op->c);
  lw(c, T3, T0);
  put(c, T1 << 20 | T3 << 15 | 7u << 12 | T3 << 7 | 0x33u); /* and t3, t3, t1 */
  put(c, 0xfe000ce3u | T2 << 20 | T3 << 15 | 1u << 12);     /* bne t3, t2, -8 */
}

static void put_op(struct code *c, const struct tx_script_op *op) {
  switch (op->kind) {
    case TX_SCRIPT_PUSH: put_push(c, op->a); break;
    case TX_SCRIPT_STORE:
      li(c, T0, op->a);
      li(c, T1, op->b);
      store(c, op->a, T1);
      break;
    case TX_SCRIPT_WAIT: put_wait(c, op); break;
    case TX_SCRIPT_SYNC:
      li(c, T0, TX_ADDR_TTSYNC);
      sw(c, ZERO, T0);
      lw(c, T1, T0);
      use(c, T1);
      break;
    default: /* copy */
      li(c, T0, op->a);
      lw(c, T1, T0);
      li(c, T0, op->b);
      store(c, op->b, T1);
      break;
  }
}

static bool in_the_way(const struct case_ranges *ranges, uint32_t first, uint32_t end) {
  for (size_t i = 0; i < ranges->count; i++) {
    const struct case_range *r = &ranges->items[i];
    if (r->address < end && r->address + r->length > first) return true;
  }
  return false;
}

bool conform_riscv_start(struct tx_tile *t, const struct conform_case *c, char *why, size_t size) {
  t->params.local_ram_clears = 0;
  for (unsigned core = 0; core < TX_THREADS; core++) {
    uint32_t base = CODE_BASE + core * CODE_BYTES;
    struct code code = {.t = t, .at = base, .end = base + CODE_BYTES};
    if (!c->core[core].count) continue;
    if (in_the_way(&c->initial, base, code.end) || in_the_way(&c->expected, base, code.end)) {
      snprintf(why, size, "the case has data at 0x%x, where the code goes", base);
      return false;
    }
    li(&code, T0, 1u << 18 | 1u << 3);
    put(&code, 0x7c0u << 20 | T0 << 15 | 2u << 12 | 0x73u); /* csrrs zero, cfg0, t0 */
    for (size_t i = 0; i < c->core[core].count; i++) put_op(&code, &c->core[core].ops[i]);
    put(&code, 0x0ff0000fu); /* fence */
    put(&code, 0x00100073u); /* ebreak */
    if (code.full) {
      snprintf(why, size, "the code of core %u has more than %u bytes", core, CODE_BYTES);
      return false;
    }
    tx_core_start(t, core, base);
  }
  return true;
}
