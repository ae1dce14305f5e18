/* The scalar unit of scalar.h: arithmetic, SETDMAREG and REG2FLOP. Memory is in scalar_memory.c. */
#include "tensix/unit/scalar.h"

#include <string.h>

#include "tensix/body.h"
#include "tensix/machine.h"
#include "tensix/regs/adc.h"
#include "tensix/regs/gpr.h"
#include "tensix/unit/config.h"

void tx_exec_DMANOP(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  (void)thread, (void)word;
  tx_scalar_takes(t, cost, 1);
}

/* --- arithmetic: one layout of fields for all six --- */

struct operands {
  uint32_t left, right;
  unsigned result;
};

/* Three cycles, or four if two GPRs are in different aligned groups of four. */
static struct operands take_operands(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  unsigned a = TX_FIELD(word, ADDDMAREG, op_a_reg_index), b = TX_FIELD(word, ADDDMAREG, op_b_reg_index);
  bool constant = TX_FIELD(word, ADDDMAREG, op_b_is_const);
  tx_scalar_takes(t, cost, constant || a / 4 == b / 4 ? 3 : 4);
  return (struct operands){.left = tx_gpr_read(t, thread, a),
                           .right = constant ? b : tx_gpr_read(t, thread, b),
                           .result = TX_FIELD(word, ADDDMAREG, result_reg_index)};
}

static void put(struct tx_tile *t, unsigned thread, const struct operands *o, uint32_t value) {
  tx_gpr_write(t, thread, o->result, value, 0xfu);
}

static void refuse_mode(struct tx_tile *t, const char *name, const char *page, unsigned mode) {
  tx_fault(t, SIM_FAULT_UNDEFINED, page, "%s mode %u: no document defines it", name, mode);
}

void tx_exec_ADDDMAREG(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  struct operands o = take_operands(t, thread, word, cost);
  put(t, thread, &o, o.left + o.right);
}

void tx_exec_SUBDMAREG(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  struct operands o = take_operands(t, thread, word, cost);
  put(t, thread, &o, o.left - o.right);
}

void tx_exec_MULDMAREG(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  struct operands o = take_operands(t, thread, word, cost);
  put(t, thread, &o, (o.left & 0xffffu) * (o.right & 0xffffu));
}

void tx_exec_BITWOPDMAREG(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  struct operands o = take_operands(t, thread, word, cost);
  unsigned mode = TX_FIELD(word, BITWOPDMAREG, op_sel);
  switch (mode) {
    case 0: put(t, thread, &o, o.left & o.right); break;
    case 1: put(t, thread, &o, o.left | o.right); break;
    case 2: put(t, thread, &o, o.left ^ o.right); break;
    default: refuse_mode(t, "BITWOPDMAREG", "BITWOPDMAREG.md", mode); break;
  }
}

void tx_exec_SHIFTDMAREG(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  struct operands o = take_operands(t, thread, word, cost);
  unsigned mode = TX_FIELD(word, SHIFTDMAREG, op_sel);
  switch (mode) {
    case 0: put(t, thread, &o, o.left << (o.right & 0x1fu)); break;
    case 1: put(t, thread, &o, o.left >> (o.right & 0x1fu)); break;
    default: refuse_mode(t, "SHIFTDMAREG", "SHIFTDMAREG.md", mode); break;
  }
}

void tx_exec_CMPDMAREG(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  struct operands o = take_operands(t, thread, word, cost);
  unsigned mode = TX_FIELD(word, CMPDMAREG, op_sel);
  switch (mode) {
    case 0: put(t, thread, &o, o.left > o.right); break;
    case 1: put(t, thread, &o, o.left < o.right); break;
    case 2: put(t, thread, &o, o.left == o.right); break;
    default: refuse_mode(t, "CMPDMAREG", "CMPDMAREG.md", mode); break;
  }
}

/* --- SETDMAREG --- */

static void write_half(struct tx_tile *t, unsigned thread, unsigned half, uint32_t value) {
  tx_gpr_write(t, thread, half / 2, half & 1u ? value << 16 : value, half & 1u ? 0xcu : 0x3u);
}

static uint32_t last_tile_size(const struct tx_pack_stats_of *p, unsigned thread) {
  return p->last_thread == thread ? p->last_tile_size : 0;
}

/* The tile header of packer i. Bits 17..20 of THCON_SEC0_REG1's word are the packers' own disable bits of the
 * override, as on Wormhole (inferred: Blackhole's headers name them differently). */
static void tile_header(const struct tx_tile *t, unsigned thread, unsigned i, uint32_t values[4]) {
  static const uint16_t format_word[TX_PACKERS] = {
      TX_CFG_THCON_SEC0_REG1_Out_data_format_ADDR, TX_CFG_THCON_SEC0_REG8_Out_data_format_ADDR,
      TX_CFG_THCON_SEC1_REG1_Out_data_format_ADDR, TX_CFG_THCON_SEC1_REG8_Out_data_format_ADDR};
  const struct tx_pack_stats_of *p = &t->pack_stats.packer[i];
  uint32_t own = tx_config_word(t, thread, format_word[i]), first = tx_config_word(t, thread, format_word[0]);
  uint32_t format = own >> TX_CFG_THCON_SEC0_REG1_Out_data_format_SHIFT & 0xfu;
  bool override = first >> TX_CFG_THCON_SEC0_REG1_All_pack_disable_zero_compress_ovrd_SHIFT & 1u;
  uint32_t disable = override ? first >> (17 + i) & 1u : own >> TX_CFG_THCON_SEC0_REG1_Disable_zero_compress_SHIFT & 1u;
  values[0] = (last_tile_size(p, thread) + 1) & 0xffffu;
  values[1] = format << 16 | disable << 20;
  values[2] = p->all_zero_flags;
}

static uint32_t histogram_word(const struct tx_pack_stats_of *p, unsigned first) {
  uint32_t value = 0;
  for (unsigned i = 0; i < 4; i++) value |= (uint32_t)p->exponent_histogram[first + i] << (8 * i);
  return value;
}

static void read_packer_state(struct tx_tile *t, unsigned thread, unsigned source, unsigned which, uint32_t values[4]) {
  struct tx_pack_stats_of *packers = t->pack_stats.packer;
  switch (source) {
    case 0:
      for (unsigned i = 0; i < TX_PACKERS; i++)
        values[i] = (uint32_t)packers[i].acc_tile_size[thread] << 16 | last_tile_size(&packers[i], thread);
      break;
    case 1:
      for (unsigned i = 0; i < TX_PACKERS; i++) values[i] = packers[i].all_zero_flags;
      break;
    case 2:
    case 3:
    case 4:
    case 5: tile_header(t, thread, source - 2, values); break;
    case 6:
    case 7:
      for (unsigned i = 0; i < 4; i++) values[i] = histogram_word(&packers[which & 3u], (source - 6) * 16 + 4 * i);
      break;
    case 8:
      for (unsigned i = 0; i < TX_PACKERS; i++) {
        values[0] |= (packers[i].all_zero_flags & 1u) << i;
        if (which >> i & 1u) memset(packers[i].acc_tile_size, 0, sizeof packers[i].acc_tile_size);
      }
      break;
    case 9: values[0] = t->pack_stats.exponent_histogram_max; break;
    default: break; /* zeroes */
  }
}

/* Tile header fields that size 3 writes: size; format, compression, spare bits; all-zero flags. */
static const uint32_t header_bits[4] = {0x0000ffffu, 0x00ff0000u, 0xffffffffu, 0};

/* Out of line: keeps the usual form short. */
__attribute__((noinline)) static void special_form(struct tx_tile *t, unsigned thread, uint32_t word) {
  uint32_t payload = TX_FIELD(word, SETDMAREG, payload_sig_sel);
  unsigned half = payload & 7u, result = TX_FIELD(word, SETDMAREG, reg_index_16b), group = result / 2 & 0x3cu;
  uint32_t values[4] = {0};
  read_packer_state(t, thread, payload >> 3 & 0xfu, payload >> 7 & 0xfu, values);
  switch (TX_FIELD(word, SETDMAREG, payload_sig_sel_size)) {
    case 0: write_half(t, thread, result, half & 1u ? values[half / 2] >> 16 : values[half / 2] & 0xffffu); break;
    case 1: tx_gpr_write(t, thread, result / 2, values[half / 2], 0xfu); break;
    case 2:
      for (unsigned i = 0; i < 4; i++) tx_gpr_write(t, thread, group + i, values[i], 0xfu);
      break;
    default:
      for (unsigned i = 0; i < 4; i++) {
        uint32_t kept = t->scalar.gpr[thread][group + i] & ~header_bits[i];
        tx_gpr_write(t, thread, group + i, kept | (values[i] & header_bits[i]), 0xfu);
      }
      break;
  }
}

void tx_exec_SETDMAREG(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  tx_scalar_takes(t, cost, 1);
  if (TX_FIELD(word, SETDMAREG, set_signals_mode)) {
    special_form(t, thread, word);
    return;
  }
  uint32_t value = TX_FIELD(word, SETDMAREG, payload_sig_sel_size) << 14 | TX_FIELD(word, SETDMAREG, payload_sig_sel);
  write_half(t, thread, TX_FIELD(word, SETDMAREG, reg_index_16b), value);
}

/* --- REG2FLOP --- */

/* ISA: REG2FLOP_Configuration.md. Contention with the configuration unit for the THCON words is not modelled. */
static void to_configuration(struct tx_tile *t, unsigned thread, uint32_t word) {
  unsigned index = TX_FIELD(word, REG2FLOP, flop_index), reg = TX_FIELD(word, REG2FLOP, reg_index);
  bool four = TX_FIELD(word, REG2FLOP, size_sel) == 0;
  if (TX_FIELD(word, REG2FLOP, byte_offset) || TX_FIELD(word, REG2FLOP, context_id_2)) {
    tx_fault(t, SIM_FAULT_UNDEFINED, "REG2FLOP_Configuration.md", "REG2FLOP to configuration with a byte offset or context");
    return;
  }
  if (index >= TX_CFG_GLOBAL_BASE - TX_CFG_THCON_BASE) {
    tx_fault(t, SIM_FAULT_UNDEFINED, "REG2FLOP_Configuration.md", "THCON index %u: there are %u words", index,
             TX_CFG_GLOBAL_BASE - TX_CFG_THCON_BASE);
    return;
  }
  uint32_t values[4] = {0};
  if (four) index &= ~3u, reg &= ~3u;
  for (unsigned i = 0; i < (four ? 4u : 1u); i++) values[i] = tx_gpr_read(t, thread, reg + i);
  tx_config_write_later(t, thread, TX_CFG_THCON_BASE + index, values, four ? 4 : 1, 2);
}

/* The part of the GPR that size and shift select; other combinations select 0 (REG2FLOP_ADC.md). */
static uint32_t select_part(uint32_t value, unsigned size, unsigned shift8) {
  switch (size) {
    case 1: return shift8 ? 0 : value;
    case 2: return shift8 == 0 ? value & 0xffffu : shift8 == 2 ? value >> 16 : 0;
    case 3: return value >> (8 * shift8) & 0xffu;
    default: return 0;
  }
}

/* flop_index:   6      5      4   3     2    1   0
 *             | - | channel | ADC set | Cr | XYZW |   */
static void to_adc(struct tx_tile *t, unsigned thread, uint32_t word) {
  unsigned flop = TX_FIELD(word, REG2FLOP, flop_index), dim = flop & 3u, unit = flop >> 3 & 3u;
  uint32_t value = select_part(tx_gpr_read(t, thread, TX_FIELD(word, REG2FLOP, reg_index)),
                               TX_FIELD(word, REG2FLOP, size_sel), TX_FIELD(word, REG2FLOP, byte_offset));
  if (flop >> 6) {
    tx_fault(t, SIM_FAULT_UNDEFINED, "REG2FLOP_ADC.md", "REG2FLOP to an ADC with flop index %u: bit 6 has no meaning", flop);
    return;
  }
  unsigned which = TX_FIELD(word, REG2FLOP, target_sel) & 1u ? TX_FIELD(word, REG2FLOP, context_id_2) : thread;
  if (which >= TX_THREADS || unit >= TX_ADC_UNITS) return; /* no effect according to the page */
  struct tx_adc_channel *channel = &t->adc[which].unit[unit][flop >> 5 & 1u];
  uint32_t *counter = flop >> 2 & 1u ? &channel->cr[dim] : &channel->c[dim];
  *counter = value & tx_adc_mask[dim];
}

void tx_exec_REG2FLOP(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  tx_scalar_takes(t, cost, 2);
  unsigned target = TX_FIELD(word, REG2FLOP, target_sel);
  if (target >= 2) to_adc(t, thread, word);
  else if (target == 0) to_configuration(t, thread, word);
  else tx_fault(t, SIM_FAULT_UNDEFINED, "REG2FLOP.md", "REG2FLOP target 1: no document defines it");
}
