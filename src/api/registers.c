/* Reading and writing every register file of a tile, and its counters (include/tessera/tile.h). */
#include <string.h>

#include "api/history.h"
#include "api/tile_error.h"
#include "tensix/riscv/breaks.h"

#define CORE_PC 64u
#define CORE_STATE 65u

static const struct {
  const char *name;
  unsigned indices, items;
} shapes[TESSERA_FILES] = {
    [TESSERA_FILE_CORE] = {"core", TX_CORES, 66},
    [TESSERA_FILE_GPR] = {"gpr", TX_THREADS, TX_GPRS},
    [TESSERA_FILE_CONFIG] = {"config", 2, TX_CFG_WORDS},
    [TESSERA_FILE_THREAD_CONFIG] = {"thread_config", TX_THREADS, TX_THREAD_CFG_WORDS},
    [TESSERA_FILE_DST] = {"dst", TX_DST_ROWS, TX_DST_COLUMNS},
    [TESSERA_FILE_DST_VALID] = {"dst_valid", TX_DST_ROWS, 1},
    [TESSERA_FILE_SRCA] = {"srca", 2 * TX_SRC_ROWS, TX_SRC_COLUMNS},
    [TESSERA_FILE_SRCB] = {"srcb", 2 * TX_SRC_ROWS, TX_SRC_COLUMNS},
    [TESSERA_FILE_LREG] = {"lreg", TX_LREGS, 32},
    [TESSERA_FILE_RWC] = {"rwc", TX_THREADS, 8},
    [TESSERA_FILE_ADC] = {"adc", TX_THREADS, 16 * TX_ADC_UNITS},
    [TESSERA_FILE_SEMAPHORE] = {"semaphore", TX_SEMAPHORES, 2},
    [TESSERA_FILE_MUTEX] = {"mutex", TX_MUTEXES, 1},
    [TESSERA_FILE_SRC_BANK] = {"src_bank", 4, 4},
};

const char *tessera_file_name(enum tessera_file file) { return (unsigned)file < TESSERA_FILES ? shapes[file].name : "?"; }

enum tessera_result tessera_file_shape(enum tessera_file file, unsigned *indices, unsigned *items) {
  if ((unsigned)file >= TESSERA_FILES || !indices || !items) return TESSERA_INVALID;
  *indices = shapes[file].indices;
  *items = shapes[file].items;
  return TESSERA_OK;
}

static bool exists(enum tessera_file file, unsigned index, unsigned item) {
  return (unsigned)file < TESSERA_FILES && index < shapes[file].indices && item < shapes[file].items;
}

/* --- reading --- */

static uint32_t rwc_item(const struct tx_rwc *r, unsigned item) {
  const uint32_t items[8] = {r->srca, r->srca_cr, r->srcb, r->srcb_cr, r->dst, r->dst_cr, r->fidelity, r->sp};
  return items[item];
}

static const uint32_t *adc_item(const struct tx_tile *t, unsigned thread, unsigned item) {
  const struct tx_adc_channel *channel = &t->adc[thread].unit[item / 16][item / 8 % 2];
  return item / 4 % 2 ? &channel->cr[item % 4] : &channel->c[item % 4];
}

static uint32_t lreg_item(const struct tx_tile *t, unsigned index, unsigned lane) {
  uint32_t lanes[32];
  memcpy(lanes, &t->vector.lreg[index], sizeof lanes);
  return lanes[lane];
}

static uint32_t bank_item(const struct tx_tile *t, unsigned index, unsigned item) {
  const struct tx_src_bank *b = &t->src.bank[index / 2][index % 2];
  switch (item) {
    case 0: return b->owner == TX_CLIENT_MATRIX;
    case 1: return b->format;
    case 2: return t->src.matrix_bank[index / 2] == index % 2;
    default: return t->src.unpack_bank[index / 2] == index % 2;
  }
}

static uint32_t core_item(const struct tx_core *c, unsigned item) {
  return item < CORE_PC ? c->r[item] : item == CORE_PC ? c->pc : c->state;
}

/* The place exists. */
static uint32_t read_place(const struct tx_tile *t, enum tessera_file file, unsigned index, unsigned item) {
  switch (file) {
    case TESSERA_FILE_CORE: return core_item(&t->core[index], item);
    case TESSERA_FILE_GPR: return t->scalar.gpr[index][item];
    case TESSERA_FILE_CONFIG: return t->config.words[index][item];
    case TESSERA_FILE_THREAD_CONFIG: return t->config.thread_words[index][item];
    case TESSERA_FILE_DST: return t->dst.bits[index][item];
    case TESSERA_FILE_DST_VALID: return t->dst.valid[index] != TX_DST_UNDEFINED;
    case TESSERA_FILE_SRCA:
    case TESSERA_FILE_SRCB:
      return t->src.bank[file == TESSERA_FILE_SRCB][index / TX_SRC_ROWS].datum[index % TX_SRC_ROWS][item];
    case TESSERA_FILE_LREG: return lreg_item(t, index, item);
    case TESSERA_FILE_RWC: return rwc_item(&t->rwc[index], item);
    case TESSERA_FILE_ADC: return *adc_item(t, index, item);
    case TESSERA_FILE_SEMAPHORE: return item ? t->sync.sem[index].max : t->sync.sem[index].value;
    case TESSERA_FILE_MUTEX: return t->sync.mutex_holder[index];
    default: return bank_item(t, index, item);
  }
}

enum tessera_result tessera_tile_register(const struct tessera_tile *tile, enum tessera_file file, unsigned index,
                                          unsigned item, uint32_t *value) {
  if (!api_is_tile(tile) || !value || !exists(file, index, item)) return TESSERA_INVALID;
  *value = read_place(&tile->tile, file, index, item);
  return TESSERA_OK;
}

enum tessera_result tessera_tile_registers(const struct tessera_tile *tile, enum tessera_file file, unsigned first,
                                           unsigned count, uint32_t *values) {
  if (!api_is_tile(tile) || !values || !exists(file, first, 0) || count > shapes[file].indices - first)
    return TESSERA_INVALID;
  for (unsigned index = first; index < first + count; index++)
    for (unsigned item = 0; item < shapes[file].items; item++) *values++ = read_place(&tile->tile, file, index, item);
  return TESSERA_OK;
}

/* --- writing --- */

/* Discards the core's decoded next instruction. */
static bool set_core(struct tx_tile *t, unsigned core, unsigned item, uint32_t value) {
  struct tx_core *c = &t->core[core];
  if (item == 0) return value == 0;
  if (item == CORE_STATE || (item == CORE_PC && (value & 3u))) return false;
  tx_core_invalidate(t, core);
  if (item < CORE_PC) c->r[item] = value;
  else c->pc = value;
  return true;
}

static bool set_rwc(struct tx_rwc *r, unsigned item, uint32_t value) {
  static const uint32_t limits[8] = {63, 63, 63, 63, 1023, 1023, 3, UINT16_MAX};
  if (value > limits[item]) return false;
  switch (item) {
    case 0: r->srca = (uint8_t)value; break;
    case 1: r->srca_cr = (uint8_t)value; break;
    case 2: r->srcb = (uint8_t)value; break;
    case 3: r->srcb_cr = (uint8_t)value; break;
    case 4: r->dst = (uint16_t)value; break;
    case 5: r->dst_cr = (uint16_t)value; break;
    case 6: r->fidelity = (uint8_t)value; break;
    default: r->sp = (uint16_t)value; break;
  }
  return true;
}

static bool set_adc(struct tx_tile *t, unsigned thread, unsigned item, uint32_t value) {
  struct tx_adc_channel *channel = &t->adc[thread].unit[item / 16][item / 8 % 2];
  if (value & ~tx_adc_mask[item % 4]) return false;
  *(item / 4 % 2 ? &channel->cr[item % 4] : &channel->c[item % 4]) = value;
  return true;
}

static bool set_src(struct tx_tile *t, unsigned which, unsigned index, unsigned item, uint32_t value) {
  struct tx_src_bank *b = &t->src.bank[which][index / TX_SRC_ROWS];
  if (value >> 19) return false;
  b->datum[index % TX_SRC_ROWS][item] = value;
  b->version++; /* marks decoded copies as stale */
  return true;
}

static bool set_lreg(struct tx_tile *t, unsigned index, unsigned lane, uint32_t value) {
  uint32_t lanes[32];
  memcpy(lanes, &t->vector.lreg[index], sizeof lanes);
  lanes[lane] = value;
  memcpy(&t->vector.lreg[index], lanes, sizeof lanes);
  return true;
}

static bool set_dst(struct tx_tile *t, unsigned row, unsigned column, uint32_t value) {
  if (value > UINT16_MAX) return false;
  t->dst.bits[row][column] = (uint16_t)value;
  t->dst.valid[row] = TX_DST_VALID;
  return true;
}

static bool set_semaphore(struct tx_tile *t, unsigned index, unsigned item, uint32_t value) {
  if (value > 15) return false;
  *(item ? &t->sync.sem[index].max : &t->sync.sem[index].value) = (uint16_t)value;
  tx_semaphore_changed(t, index);
  return true;
}

static bool write_place(struct tx_tile *t, enum tessera_file file, unsigned index, unsigned item, uint32_t value) {
  switch (file) {
    case TESSERA_FILE_CORE: return set_core(t, index, item, value);
    case TESSERA_FILE_GPR: return tx_gpr_write(t, index, item, value, 0xfu), true;
    case TESSERA_FILE_CONFIG: return tx_config_write(t, index, item, value), true;
    case TESSERA_FILE_THREAD_CONFIG:
      return value <= UINT16_MAX && (tx_thread_config_write(t, index, item, (uint16_t)value), true);
    case TESSERA_FILE_DST: return set_dst(t, index, item, value);
    case TESSERA_FILE_DST_VALID:
      if (value > 1) return false;
      t->dst.valid[index] = value ? TX_DST_VALID : TX_DST_UNDEFINED;
      return true;
    case TESSERA_FILE_SRCA:
    case TESSERA_FILE_SRCB: return set_src(t, file == TESSERA_FILE_SRCB, index, item, value);
    case TESSERA_FILE_LREG: return set_lreg(t, index, item, value);
    case TESSERA_FILE_RWC: return set_rwc(&t->rwc[index], item, value);
    case TESSERA_FILE_ADC: return set_adc(t, index, item, value);
    case TESSERA_FILE_SEMAPHORE: return set_semaphore(t, index, item, value);
    default: return false;
  }
}

enum tessera_result tessera_tile_set_register(struct tessera_tile *tile, enum tessera_file file, unsigned index,
                                              unsigned item, uint32_t value) {
  if (!api_is_tile(tile)) return TESSERA_INVALID;
  if (!exists(file, index, item)) return api_refuse(tile, TESSERA_INVALID, "no such register");
  api_changed(tile);
  if (!write_place(&tile->tile, file, index, item, value))
    return api_refuse(tile, TESSERA_INVALID, "%s %u, item %u cannot be set to 0x%x", shapes[file].name, index, item, value);
  return tile->tile.fault.kind ? TESSERA_FAULT : api_ok(tile);
}

enum tessera_result tessera_tile_set_registers(struct tessera_tile *tile, enum tessera_file file, unsigned first,
                                               unsigned count, const uint32_t *values) {
  if (!api_is_tile(tile)) return TESSERA_INVALID;
  if ((unsigned)file >= TESSERA_FILES || !values || first > shapes[file].indices || count > shapes[file].indices - first)
    return api_refuse(tile, TESSERA_INVALID, "no such registers");
  const unsigned items = shapes[file].items;
  for (unsigned i = 0; i < count * items; i++) {
    enum tessera_result result = tessera_tile_set_register(tile, file, first + i / items, i % items, values[i]);
    if (result != TESSERA_OK) return result;
  }
  return api_ok(tile);
}

/* --- counters --- */

static uint64_t stalled(const struct tx_tile *t, unsigned thread) {
  uint64_t sum = 0;
  for (unsigned kind = 1; kind < TX_BLOCKED_COUNT; kind++)
    if (kind != TX_BLOCKED_LATCH) sum += tx_gate_stalled(t, thread, kind);
  return sum;
}

static uint64_t findings(const struct tx_tile *t) {
  uint64_t sum = 0;
  for (unsigned i = 0; i < TX_DIAG_COUNT; i++)
    if (tx_diag_infos[i].severity != SIM_NOTE) sum += t->diag.counts[i];
  return sum;
}

static const struct {
  const char *name;
  unsigned count;
} counters[TESSERA_COUNTERS] = {
    [TESSERA_COUNTER_INSTRUCTIONS] = {"instructions", TX_CORES},
    [TESSERA_COUNTER_CORE_CYCLES] = {"core_cycles", TX_CORES},
    [TESSERA_COUNTER_ISSUED] = {"issued", TX_THREADS},
    [TESSERA_COUNTER_STALLED] = {"stalled", TX_THREADS},
    [TESSERA_COUNTER_UNIT_ACCEPTED] = {"unit_accepted", TX_UNIT_COUNT},
    [TESSERA_COUNTER_UNIT_BUSY] = {"unit_busy", TX_UNIT_COUNT},
    [TESSERA_COUNTER_FINDINGS] = {"findings", 1},
};

const char *tessera_counter_name(enum tessera_counter counter) {
  return (unsigned)counter < TESSERA_COUNTERS ? counters[counter].name : "?";
}

enum tessera_result tessera_tile_counter(const struct tessera_tile *tile, enum tessera_counter counter, unsigned index,
                                         uint64_t *value) {
  if (!api_is_tile(tile) || !value || (unsigned)counter >= TESSERA_COUNTERS || index >= counters[counter].count)
    return TESSERA_INVALID;
  const struct tx_tile *t = &tile->tile;
  switch (counter) {
    case TESSERA_COUNTER_INSTRUCTIONS: *value = t->core[index].retired; break;
    case TESSERA_COUNTER_CORE_CYCLES: *value = tx_core_cycles(t, index); break;
    case TESSERA_COUNTER_ISSUED: *value = t->gate[index].issued; break;
    case TESSERA_COUNTER_STALLED: *value = stalled(t, index); break;
    case TESSERA_COUNTER_UNIT_ACCEPTED:
      *value = t->units[index].accepted[0] + t->units[index].accepted[1] + t->units[index].accepted[2];
      break;
    case TESSERA_COUNTER_UNIT_BUSY: *value = t->units[index].busy_cycles; break;
    default: *value = findings(t); break;
  }
  return TESSERA_OK;
}
