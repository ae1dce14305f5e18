/* The same UNPACR again: only counters and base address have changed (struct tx_unpack_plan). */
#ifndef TESSERA_TENSIX_UNPACK_PLAN_H
#define TESSERA_TENSIX_UNPACK_PLAN_H

#include "sim/keep.h"
#include "tensix/machine.h"
#include "tensix/regs/adc.h"

#define TX_UNPACK_SECTION 48u /* words from THCON_SEC0 to THCON_SEC1 */

/* Counts the writes to configuration that may change a plan. */
static inline uint64_t tx_unpack_version(const struct tx_tile *t) {
  return t->config.version + 1 - t->unsaved.harmless_to_unpack;
}

/* WhichContext */
static inline unsigned tx_unpack_context(const struct tx_tile *t, unsigned thread, unsigned unpacker, uint32_t word) {
  if (!TX_FIELD(word, UNPACR, ovrd_thread_id)) return 0;
  unsigned offset = unpacker ? TX_THREAD_CFG_GET(t, thread, UNPACK_MISC_CFG_CfgContextOffset_1)
                             : TX_THREAD_CFG_GET(t, thread, UNPACK_MISC_CFG_CfgContextOffset_0);
  unsigned own = TX_FIELD(word, UNPACR, auto_inc_context_id) ? t->unpack.context_counter[unpacker][thread]
                                                             : TX_FIELD(word, UNPACR, cfg_context_id);
  return (own + offset) & 7u;
}

static inline uint64_t tx_unpack_key(unsigned thread, uint32_t word, unsigned context) {
  return (word & ~TX_PUT(UNPACR, set_dat_valid, 1)) | (uint64_t)(thread << 8 | context) << 32;
}

static inline uint32_t tx_unpack_rate(const struct tx_tile *t, unsigned speed) {
  return speed == TX_UNPACK_WIDE ? t->params.unpack_wide_bytes : t->params.unpack_x1_bytes << speed;
}

/* Whole rows of L1. */
struct tx_unpack_rows {
  const struct tx_unpack_plan *plan;
  uint32_t from, bytes;
  uint32_t count;   /* rows */
  uint32_t to, out; /* row of the Src bank; output position of the job */
  uint32_t address; /* of the tile's first datum, ... */
  uint32_t first;   /* ... and the number of the first one that is read */
};

/* The rows for the present counters and base address, if the instruction has a plan and needs no further check: they lie inside L1 and the bank,
 * and nothing is to be reported. */
__attribute__((always_inline)) static inline bool tx_unpack_find_rows(const struct tx_tile *t, unsigned thread, unsigned u,
                                                                      uint32_t word, struct tx_unpack_rows *rows) {
  const unsigned context = tx_unpack_context(t, thread, u, word);
  const struct tx_unpack_plan *p = sim_keep(&t->unsaved.unpack[u][context & 1u]);
  if (p->version != tx_unpack_version(t) || p->key != tx_unpack_key(thread, word, context)) return false;
  const struct tx_adc_channel *own = sim_keep(t->adc[thread].unit[TX_ADC_UNPACKER0 + u]),
                              *from = p->adc == thread ? own : t->adc[p->adc].unit[TX_ADC_UNPACKER0 + u];
  const uint32_t *words = sim_keep(t->config.words);
  const uint64_t address = ((uint64_t)words[p->base] + p->header) << 4,
                 plane = (own->c[TX_ADC_W] & 0xffu) * p->zdim + (own->c[TX_ADC_Z] & 0xffu),
                 first = (plane * p->ydim + from->c[TX_ADC_Y]) * p->xdim + from->c[TX_ADC_X],
                 at = address + first * p->datum_bytes;
  const uint32_t count = from[1].c[TX_ADC_X] + 1 - from->c[TX_ADC_X], bytes = count * p->datum_bytes;
  const uint32_t position =
      p->out_base + own[1].c[TX_ADC_Y] * p->y_stride + own[1].c[TX_ADC_Z] * p->z_stride + own[1].c[TX_ADC_W] * p->w_stride;
  const uint32_t out = (position >> p->out_shift & p->out_mask) + p->own, row = out / 16 - p->less;
  if (count - 1 >= p->most || at > TX_L1_BYTES - bytes || (count | out | (at & p->align)) % 16) return false;
  if (position & p->low || (row & p->burst && count > 16)) return false;
  *rows = (struct tx_unpack_rows){.plan = p,
                                  .from = (uint32_t)at,
                                  .bytes = bytes,
                                  .count = count / 16,
                                  .to = row + (p->adds_row ? t->unpack.src_row[u][thread] : 0),
                                  .out = out,
                                  .address = (uint32_t)address,
                                  .first = (uint32_t)first};
  return p->how.to_dst || (row < p->row_end && row + rows->count <= p->row_end && rows->to + rows->count <= TX_SRC_ROWS);
}

/* Into a job that is empty. */
__attribute__((always_inline)) static inline void tx_unpack_fill_job(const struct tx_tile *t, unsigned thread, unsigned u,
                                                                     const struct tx_unpack_rows *rows,
                                                                     struct tx_unpack_job *job) {
  const struct tx_unpack_plan *p = rows->plan;
  job->thread = (uint8_t)thread;
  job->kind = TX_UNPACK_DATUMS;
  job->flags = p->flags;
  job->how = p->how;
  job->forced_exponent = p->forced_exponent;
  job->count = 16 * rows->count;
  job->write_max = UINT32_MAX;
  job->data_bit = rows->from << 3;
  job->exponent_16th = (rows->address << 4) + rows->first;
  job->row_stride = p->row_stride;
  job->row_datums = p->row_datums;
  job->limit = p->limit;
  job->out = rows->out;
  job->row_base = p->adds_row ? t->unpack.src_row[u][thread] : 0;
  job->bytes = rows->bytes;
  job->rate = tx_unpack_rate(t, p->speed);
  job->format = p->format;
}

#endif
