/* Control and status registers of a baby core. ISA: CSRs.md.
 *
 * Not modelled: the events of mhpmcounter3 and 4 (no document lists them: selecting one is a fault), the stream of a
 * T core's tt_cfg_sstatus (undocumented: reading it is a fault), interrupts. */
#include "tensix/riscv/csr.h"

#include "sim/keep.h"
#include "tensix/frontend/frontend.h"
#include "tensix/riscv/interrupt.h"
#include "tensix/unit/unpack/unpack.h"

/* Indices into tx_core.csr; core.h names those that other files use. */
enum csr_slot {
  SLOT_NONE = 0, /* of a register that is not stored */
  SLOT_CFG0 = 0,
  SLOT_PMACFG0,
  SLOT_PMACFG1,
  SLOT_CFG1,
  SLOT_HWA_MASK,
  SLOT_HWA_CFG,
  SLOT_VGSRC,
  SLOT_FCSR,
  SLOT_VXSAT,
  SLOT_VXRM,
  SLOT_MCOUNTINHIBIT,
  SLOT_HPM3,
  SLOT_HPM3H,
  SLOT_HPM4,
  SLOT_HPM4H,
  SLOT_QSTATUS,
  SLOT_BSTATUS,
  SLOT_SSTATUS,
  SLOT_RESTORE_PC = SLOT_SSTATUS + 8,
  SLOT_VL,
  SLOT_VTYPE,
  SLOT_VLENB,
  SLOT_COUNT
};
_Static_assert(SLOT_COUNT <= 32 && (int)SLOT_VLENB == TX_CSR_VLENB && (int)SLOT_RESTORE_PC == TX_CSR_RESTORE_PC &&
                   (int)SLOT_PMACFG1 == TX_CSR_PMACFG1,
               "tx_core.csr");

enum csr_kind { NO_CSR, STORED, CONSTANT, COUNTER, STATUS, EVENT };

struct csr {
  uint16_t number;
  uint8_t kind, slot;
  uint32_t value; /* csr.def */
};

static const struct csr csrs[] = {
#define CSR(number, name, kind, slot, value) {number, kind, SLOT_##slot, value},
#include "chips/blackhole/csr.def"
};

static const struct csr *find(uint32_t number) {
  for (size_t i = 0; i < sizeof csrs / sizeof *csrs; i++)
    if (csrs[i].number == number) return &csrs[i];
  return NULL;
}

/* --- counters --- */

static uint64_t counter(const struct tx_core *c, uint32_t which, sim_time enter) {
  return which & 1u ? c->retired + c->instret_offset : enter - c->started_at + c->cycle_offset;
}

bool tx_csr_counts(const struct tx_core *c, uint32_t number, sim_time now, uint32_t *value) {
  const struct csr *csr = find(number);
  if (!csr || csr->kind != COUNTER) return false;
  *value = (uint32_t)(counter(c, csr->value, now) >> (csr->value & 2u ? 32 : 0));
  return true;
}

bool tx_csr_is_clock(uint32_t number) {
  const struct csr *csr = find(number);
  return csr && csr->kind == COUNTER && csr->value == 0;
}

static void set_counter(struct tx_core *c, uint32_t which, uint32_t value, sim_time enter) {
  uint64_t now = counter(c, which, enter), wanted;
  wanted = which & 2u ? (now & 0xffffffffu) | (uint64_t)value << 32 : (now & ~UINT64_C(0xffffffff)) | value;
  if (which & 1u) c->instret_offset += wanted - now;
  else c->cycle_offset += wanted - now;
}

/* --- status: kinds of instructions in the front end and in the units --- */

/* Bits of tt_cfg_qstatus and tt_cfg_bstatus. */
enum { Q_REPLAY = 1u << 0, Q_MOP = 1u << 1, Q_TDMA = 1u << 8 };

static uint32_t unit_bits(unsigned unit) {
  static const uint32_t bits[TX_UNIT_COUNT] = {
      [TX_UNIT_SCALAR] = 1u << 2 | Q_TDMA,
      [TX_UNIT_MOVER] = 1u << 3 | Q_TDMA,
      [TX_UNIT_UNPACK] = 1u << 4 | Q_TDMA,
      [TX_UNIT_PACK] = 1u << 5 | Q_TDMA,
      [TX_UNIT_CONFIG] = 1u << 6,
      [TX_UNIT_SYNC] = 1u << 7,
      [TX_UNIT_MISC] = Q_TDMA,
      [TX_UNIT_VECTOR] = 1u << 9,
      [TX_UNIT_MATRIX] = 1u << 10,
  };
  return unit < TX_UNIT_COUNT ? bits[unit] : 0;
}

static uint32_t word_bits(uint32_t word) {
  switch (word >> 24) {
    case TX_MOP: return Q_MOP;
    case TX_REPLAY: return (word & 3u) == 1u ? 0 : Q_REPLAY; /* exec, or not a load */
    default: return unit_bits(tx_ops[word >> 24].unit);
  }
}

static uint32_t fifo_bits(const struct tx_fifo *fifo, uint32_t count) {
  uint32_t bits = 0;
  for (uint32_t i = 0; i < count; i++) bits |= word_bits(fifo->slot[(fifo->head + i) % TX_FIFO_SLOTS].word);
  return bits;
}

static uint32_t queued(struct tx_tile *t, unsigned thread) {
  tx_frontend_settle(t, thread, t->engine.now);
  const struct tx_frontend *fe = sim_keep(&t->frontend[thread]);
  uint32_t bits = fifo_bits(&fe->fifo1, tx_frontend_arrived(t, thread)) | fifo_bits(&fe->fifo2, fe->fifo2.count) |
                  fifo_bits(&fe->fifo3, fe->fifo3.count);
  if (fe->mop.active) bits |= Q_MOP;
  if (fe->replay.playing) bits |= Q_REPLAY;
  return bits;
}

static uint32_t busy(struct tx_tile *t, unsigned thread) {
  uint32_t bits = queued(t, thread);
  for (unsigned unit = 0; unit < TX_UNIT_COUNT; unit++)
    if (t->units[unit].drained_at[thread] > t->engine.now) bits |= unit_bits(unit);
  if (tx_unpack_busy(t, 0, thread) || tx_unpack_busy(t, 1, thread)) bits |= unit_bits(TX_UNIT_UNPACK);
  return bits;
}

static uint32_t status(struct tx_core_run *run, unsigned slot) {
  struct tx_tile *t = run->t;
  uint32_t own = 0, all = 0;
  for (unsigned thread = 0; thread < TX_THREADS; thread++) {
    uint32_t bits = slot == SLOT_QSTATUS ? queued(t, thread) : busy(t, thread);
    all |= bits;
    if (thread == run->core) own = bits;
  }
  if (run->core >= TX_THREADS) own = all;
  if (slot == SLOT_BSTATUS) return own | all << 11;
  uint32_t enabled = (t->vector.now.flags | ~t->vector.now.use) ? 1u : 0u;
  return own | enabled << 11 | all << 13 | enabled << 24;
}

/* --- access --- */

static bool read_status(struct tx_core_run *run, const struct csr *csr, uint32_t *value) {
  struct tx_core *c = run->c;
  bool scratch = csr->slot >= SLOT_SSTATUS && run->core >= TX_THREADS;
  *value = c->csr[csr->slot];
  if (scratch || (c->csr[SLOT_CFG0] & TX_CFG0_NO_STATUS)) return true;
  if (csr->slot < SLOT_SSTATUS) {
    *value = c->csr[csr->slot] = status(run, csr->slot);
    return true;
  }
  tx_fault(run->t, SIM_FAULT_UNSUPPORTED, "CSRs.md",
           "%s: tt_cfg_sstatus%u (CSR 0x%03x): no document says which stream it shows", tx_core_name_in(run->t, run->core),
           csr->slot - (unsigned)SLOT_SSTATUS, csr->number);
  return false;
}

/* Reading a half of a counter clears it while cfg0's PmcClrOnRd is set. */
static uint32_t read_stored(struct tx_core *c, unsigned slot) {
  uint32_t value = c->csr[slot];
  if (slot >= SLOT_HPM3 && slot <= SLOT_HPM4H && (c->csr[SLOT_CFG0] & TX_CFG0_COUNTER_CLEARS)) c->csr[slot] = 0;
  return value;
}

static bool read(struct tx_core_run *run, const struct csr *csr, sim_time enter, uint32_t *value) {
  switch (csr->kind) {
    case STORED: *value = read_stored(run->c, csr->slot); return true;
    case CONSTANT: *value = csr->value; return true;
    case STATUS: return read_status(run, csr, value);
    case COUNTER: *value = (uint32_t)(counter(run->c, csr->value, enter) >> (csr->value & 2u ? 32 : 0)); return true;
    default: *value = 0; return true;
  }
}

static bool write(struct tx_core_run *run, const struct csr *csr, sim_time enter, uint32_t value) {
  switch (csr->kind) {
    case STORED:
    case STATUS: run->c->csr[csr->slot] = value & csr->value; return true;
    case COUNTER: set_counter(run->c, csr->value, value, enter); return true;
    case EVENT:
      if (!value) return true;
      tx_fault(run->t, SIM_FAULT_UNSUPPORTED, "CSRs.md",
               "%s: CSR 0x%03x = 0x%x: no document lists the events of the counters", tx_core_name_in(run->t, run->core),
               csr->number, value);
      return false;
    default: return true; /* CONSTANT: writes have no effect */
  }
}

bool tx_csr_access(struct tx_core_run *run, const struct tx_insn *d, sim_time enter) {
  struct tx_core *c = run->c;
  const struct csr *csr = find(d->imm & 0xfffu);
  bool immediate = d->op == TX_RV_CSRRWI || d->op == TX_RV_CSRRSI || d->op == TX_RV_CSRRCI;
  bool replaces = d->op == TX_RV_CSRRW || d->op == TX_RV_CSRRWI, sets = d->op == TX_RV_CSRRS || d->op == TX_RV_CSRRSI;
  uint32_t operand = immediate ? d->imm >> 16 : c->r[d->rs1], old = 0;
  bool writes = replaces || (d->word >> 15 & 31u) != 0;
  if (!csr) {
    tx_fault(run->t, SIM_FAULT_BAD_INSTRUCTION, "CSRs.md", "%s: %s at 0x%x: there is no CSR 0x%03x",
             tx_core_name_in(run->t, run->core), tx_rv_name(d->op), c->pc, d->imm & 0xfffu);
    return false;
  }
  if (writes && tx_interrupt_handled(run->t, run->core)) { /* ISA: PIC.md, "Due to a hardware bug" */
    tx_fault(run->t, SIM_FAULT_UNSUPPORTED, "PIC.md",
             "%s: CSR 0x%03x written at 0x%x: interrupt handlers cannot write to CSRs", tx_core_name_in(run->t, run->core),
             csr->number, c->pc);
    return false;
  }
  if (!read(run, csr, enter, &old)) return false;
  if (writes && !write(run, csr, enter, replaces ? operand : sets ? old | operand : old & ~operand)) return false;
  c->r[d->rd] = old;
  return true;
}
