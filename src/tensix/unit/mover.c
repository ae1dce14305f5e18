/* The mover of mover.h. */
#include "tensix/unit/mover.h"

#include <string.h>

#include "tensix/body.h"
#include "tensix/machine.h"
#include "tensix/mem/inflight.h"
#include "tensix/mem/l1.h"
#include "tensix/mem/l1_ports.h"
#include "tensix/unit/config.h"

#define UNIT TX_MOVE_UNIT

/* --- one transfer --- */

/* Cores may be parked on polls of it. */
void tx_mover_poke_status(struct tx_tile *t) { sim_poke(&t->engine, TX_ADDR_TDMA + TX_TDMA_STATUS); }

bool tx_mover_busy(const struct tx_tile *t) { return t->mover.busy; }

void tx_mover_ready(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_answer *answer) {
  (void)thread, (void)word;
  if (!t->mover.busy) return;
  *answer = (struct tx_answer){.retry_at = SIM_NEVER,
                               .channels = TX_CH(TX_CH_UNIT + TX_UNIT_MOVER),
                               .wait = {.kind = TX_BLOCKED_UNIT, .object = TX_UNIT_MOVER}};
}

static bool reads_l1(const struct tx_move *m) { return m->mode == TX_MOVE_L1_TO_L1 || m->mode == TX_MOVE_L1_TO_CONFIG; }
static bool writes_l1(const struct tx_move *m) { return m->mode == TX_MOVE_L1_TO_L1 || m->mode == TX_MOVE_CLEAR_L1; }

static unsigned list_range(struct tx_tile *t, const struct tx_move *m, uint32_t base, bool write) {
  struct tx_range range = {.base = base,
                           .width = m->length,
                           .rows = 1,
                           .word = m->word,
                           .agent = (uint16_t)m->agent,
                           .unit = TX_UNIT_MOVER,
                           .write = write};
  return tx_inflight_add(t, &range);
}

/* Inside one region: the whole transfer, or (Mover.md) undefined. */
static bool check_target(struct tx_tile *t, const struct tx_move *m) {
  if (writes_l1(m)) return tx_l1_check(t, m->target, m->length, "mover");
  if ((m->target & 0xffffu) + m->length <= 0x10000u) return true;
  tx_fault(t, SIM_FAULT_UNDEFINED, "Mover.md", "mover: 0x%x bytes from 0x%x on leave the target's 64 KiB", m->length,
           m->target);
  return false;
}

void tx_mover_start(struct tx_tile *t, const struct tx_move *m) {
  struct tx_mover *mover = &t->mover;
  if (!check_target(t, m) || (reads_l1(m) && !tx_l1_check(t, m->source, m->length, "mover"))) return;
  tx_assert(!mover->busy && !mover->range[0] && !mover->range[1]);
  mover->move = *m;
  mover->busy = 1;
  tx_mover_poke_status(t);
  if (reads_l1(m)) mover->range[0] = (uint8_t)list_range(t, m, m->source, false);
  if (writes_l1(m)) mover->range[1] = (uint8_t)list_range(t, m, m->target, true);
  uint32_t per_128 = reads_l1(m) ? t->params.mover_copy_cycles : t->params.mover_clear_cycles;
  uint32_t cycles = t->params.mover_start_cycles + (uint32_t)(((uint64_t)m->length * per_128 + 127) / 128);
  uint32_t w[SIM_EFFECT_WORDS] = {0};
  mover->done_at = tx_now(t) + (t->timing ? cycles : 1);
  tx_later(t, cycles, TX_EFFECT_MOVER_DONE, w);
  tx_perf_touch(t);
  if (!t->timing) return;
  if (reads_l1(m)) tx_l1_stream(t, TX_L1_MOVER_READ, m->source, UNIT, tx_now(t), mover->done_at);
  if (writes_l1(m)) tx_l1_stream(t, TX_L1_MOVER_WRITE, m->target, UNIT, tx_now(t), mover->done_at);
}

/* Config as the cores address it: bank 0, bank 1, an alias that writes both; ThreadConfig after them accepts no stores. */
static void write_config(struct tx_tile *t, uint32_t offset, uint32_t value) {
  uint32_t index = offset / 4;
  if (index < 2 * TX_CFG_WORDS) {
    tx_config_write(t, index / TX_CFG_WORDS, index % TX_CFG_WORDS, value);
  } else if (index < 3 * TX_CFG_WORDS) {
    tx_config_write(t, 0, index % TX_CFG_WORDS, value);
    tx_config_write(t, 1, index % TX_CFG_WORDS, value);
  } else {
    tx_fault(t, SIM_FAULT_UNDEFINED, "BackendConfiguration.md",
             "mover writes word %u of Config: ThreadConfig takes no stores", index);
  }
}

static void to_config(struct tx_tile *t, const struct tx_move *m) {
  if (m->target > 0xffffu) { /* nowhere */
    tx_diag(t, TX_DIAG_UNTESTED_MODE, "mover to 0x%x: Blackhole has no memory there, the writes are lost", m->target);
    return;
  }
  for (uint32_t at = 0; at < m->length && !t->fault.kind; at += 4)
    write_config(t, m->target + at, reads_l1(m) ? tx_l1_read(t, m->source + at, 4) : 0);
}

static void to_l1(struct tx_tile *t, const struct tx_move *m) {
  tx_assert(m->length % UNIT == 0 && m->mode <= TX_MOVE_L1_TO_L1);
  for (uint32_t at = 0; at < m->length; at += UNIT) { /* in order, so that overlapping copies have the result of hardware */
    uint8_t unit[UNIT] = {0};
    if (reads_l1(m)) memcpy(unit, &t->l1[m->source + at], UNIT);
    tx_l1_write(t, m->target + at, unit, UNIT);
  }
}

void tx_mover_look_at_queue(struct tx_tile *t) {
  struct tx_mover *mover = &t->mover;
  if (!mover->commands || mover->command_pending) return;
  uint32_t w[SIM_EFFECT_WORDS] = {0};
  mover->command_pending = 1;
  tx_later(t, 1, TX_EFFECT_TDMA_COMMAND, w);
}

void tx_effect_MOVER_DONE(struct tx_tile *t, const struct sim_effect *e) {
  struct tx_mover *mover = &t->mover;
  struct tx_move move = mover->move;
  tx_assert(mover->busy && mover->done_at <= tx_now(t));
  uint32_t read = tx_l1_take_delay(t, TX_L1_MOVER_READ), written = tx_l1_take_delay(t, TX_L1_MOVER_WRITE);
  if (read | written) { /* cores used its ports: the delays of reads and writes overlap */
    mover->done_at += read > written ? read : written;
    sim_effect_retry(&t->engine, *e, mover->done_at);
    return;
  }
  t->current = (struct tx_current){.agent = move.agent, .word = move.word, .pc = move.pc, .unit = TX_UNIT_MOVER};
  for (unsigned i = 0; i < 2; i++) tx_inflight_remove(t, mover->range[i]);
  memset(&mover->move, 0, sizeof mover->move);
  memset(mover->range, 0, sizeof mover->range);
  mover->busy = 0;
  tx_mover_poke_status(t);
  if (reads_l1(&move)) tx_perf_request(t, TX_PERF_L1_PORT_2, move.length / UNIT, 0);
  if (writes_l1(&move)) tx_perf_request(t, TX_PERF_L1_PORT_3, move.length / UNIT, 0);
  tx_emit(t, TX_EVENT_RETIRE, move.agent, move.word, move.pc, TX_UNIT_MOVER);
  if (writes_l1(&move)) to_l1(t, &move);
  else to_config(t, &move);
  sim_signal(&t->engine, TX_CH(TX_CH_UNIT + TX_UNIT_MOVER) | TX_CH(TX_CH_IDLE), tx_now(t));
  tx_mover_look_at_queue(t);
}

/* ISA: XMOV.md */
void tx_exec_XMOV(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  (void)cost;
  uint32_t size = TX_CFG_GET(t, thread, THCON_SEC0_REG6_Buffer_size) & 0xffffu;
  struct tx_move move = {.source = tx_move_bytes(TX_CFG_GET(t, thread, THCON_SEC0_REG6_Source_address)),
                         .target = tx_move_bytes(TX_CFG_GET(t, thread, THCON_SEC0_REG6_Destination_address)),
                         .length = size << 4,
                         .mode = TX_CFG_GET(t, thread, THCON_SEC0_REG6_Transfer_direction),
                         .word = word,
                         .pc = t->current.pc,
                         .agent = tx_agent_of_thread(thread)};
  tx_mover_start(t, &move);
}
