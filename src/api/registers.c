/* Reading every register file and counter of a tile (include/tessera/tensix.h). Nothing here changes the tile. */
#include <string.h>

#include "api/tile.h"

/* A place of a file: its address, or NULL when there is none. */
static const uint32_t *word_of(const struct tx_tile *t, enum tessera_file file, unsigned index, unsigned item) {
  switch (file) {
    case TESSERA_FILE_CORE: return index < TX_CORES && item < 64 ? &t->core[index].r[item] : NULL;
    case TESSERA_FILE_GPR: return index < TX_THREADS && item < TX_GPRS ? &t->scalar.gpr[index][item] : NULL;
    case TESSERA_FILE_CONFIG: return index < 2 && item < TX_CFG_WORDS ? &t->config.words[index][item] : NULL;
    case TESSERA_FILE_SRCA:
    case TESSERA_FILE_SRCB:
      if (index >= 2 * TX_SRC_ROWS || item >= TX_SRC_COLUMNS) return NULL;
      return &t->src.bank[file == TESSERA_FILE_SRCB][index / TX_SRC_ROWS].datum[index % TX_SRC_ROWS][item];
    case TESSERA_FILE_ADC: {
      if (index >= TX_THREADS || item >= 16 * TX_ADC_UNITS) return NULL;
      const struct tx_adc_channel *channel = &t->adc[index].unit[item / 16][item / 8 % 2];
      return item / 4 % 2 ? &channel->cr[item % 4] : &channel->c[item % 4];
    }
    default: return NULL;
  }
}

static uint32_t rwc_item(const struct tx_rwc *r, unsigned item) {
  const uint32_t items[8] = {r->srca, r->srca_cr, r->srcb, r->srcb_cr, r->dst, r->dst_cr, r->fidelity, r->sp};
  return items[item];
}

static bool read_lreg(const struct tx_tile *t, unsigned index, unsigned lane, uint32_t *value) {
  uint32_t lanes[32];
  if (index >= TX_LREGS || lane >= 32) return false;
  memcpy(lanes, &t->vector.lreg[index], sizeof lanes);
  *value = lanes[lane];
  return true;
}

/* Files that are not arrays of 32-bit words. */
static bool read_other(const struct tx_tile *t, enum tessera_file file, unsigned index, unsigned item, uint32_t *value) {
  switch (file) {
    case TESSERA_FILE_CORE:
      if (index >= TX_CORES || item < 64 || item > 65) return false;
      *value = item == 64 ? t->core[index].pc : t->core[index].state;
      return true;
    case TESSERA_FILE_THREAD_CONFIG:
      if (index >= TX_THREADS || item >= TX_THREAD_CFG_WORDS) return false;
      *value = t->config.thread_words[index][item];
      return true;
    case TESSERA_FILE_DST:
      if (index >= TX_DST_ROWS || item >= TX_DST_COLUMNS) return false;
      *value = t->dst.bits[index][item];
      return true;
    case TESSERA_FILE_DST_VALID:
      if (index >= TX_DST_ROWS || item) return false;
      *value = t->dst.valid[index] != TX_DST_UNDEFINED;
      return true;
    case TESSERA_FILE_LREG: return read_lreg(t, index, item, value);
    case TESSERA_FILE_RWC:
      if (index >= TX_THREADS || item >= 8) return false;
      *value = rwc_item(&t->rwc[index], item);
      return true;
    case TESSERA_FILE_SEMAPHORE:
      if (index >= TX_SEMAPHORES || item > 1) return false;
      *value = item ? t->sync.sem[index].max : t->sync.sem[index].value;
      return true;
    case TESSERA_FILE_MUTEX:
      if (index >= TX_MUTEXES || item) return false;
      *value = t->sync.mutex_holder[index];
      return true;
    default: return false;
  }
}

enum tessera_result tessera_tile_register(const struct tessera_tile *tile, enum tessera_file file, unsigned index,
                                          unsigned item, uint32_t *value) {
  const uint32_t *word = word_of(&tile->tile, file, index, item);
  if (word) *value = *word;
  return word || read_other(&tile->tile, file, index, item, value) ? TESSERA_DONE : TESSERA_INVALID;
}

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

enum tessera_result tessera_tile_counter(const struct tessera_tile *tile, enum tessera_counter counter, unsigned index,
                                         uint64_t *value) {
  const struct tx_tile *t = &tile->tile;
  static const unsigned limits[] = {TX_CORES, TX_CORES, TX_THREADS, TX_THREADS, TX_UNIT_COUNT, TX_UNIT_COUNT, 1};
  if ((unsigned)counter >= sizeof limits / sizeof *limits || index >= limits[counter]) return TESSERA_INVALID;
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
  return TESSERA_DONE;
}
