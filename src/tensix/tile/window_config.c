/* The window on the backend configuration. ISA: BackendConfiguration.md (Blackhole) */
#include "tensix/frontend/frontend.h"
#include "tensix/machine.h"
#include "tensix/tile/bus_order.h"
#include "tensix/tile/bus_region.h"
#include "tensix/tile/windows.h"
#include "tensix/unit/config.h"
#include "tensix/unit/config_space.h"

static unsigned reader_of(unsigned agent) { return agent - TX_AGENT_TRISC0; } /* T0, T1, T2, BRISC: TX_CONFIG_READERS */

static bool fifo_reads(const struct tx_fifo *fifo, uint32_t count, unsigned index) {
  tx_assert(count <= TX_FIFO_SLOTS && index < TX_CFG_WORDS);
  for (uint32_t i = 0; i < count; i++)
    if (tx_config_reads(fifo->slot[(fifo->head + i) % TX_FIFO_SLOTS].word, index)) return true;
  return false;
}

/* A bank that no instruction of the thread uses at present. */
static bool is_other_bank(const struct tx_tile *t, unsigned thread, unsigned bank, unsigned index) {
  return index < TX_CFG_GLOBAL_BASE && bank != TX_CFG_BANK(t, thread);
}

/* Finds instructions that the core pushed before this store, that are not issued yet and that will read the word. Words
 * that a MOP or REPLAY has not expanded yet are not checked. A tracked store has waited for all instructions that Auto
 * TTSync tracks: only its gaps remain. */
static void check_core_race(struct tx_tile *t, const struct tx_request *r, unsigned bank, unsigned index) {
  if (!tx_is_trisc(r->agent) || (r->resources && is_other_bank(t, tx_core_of(r->agent), bank, index))) return;
  if (t->config.words[bank][index] == (r->value & t->config.assigned[index])) return; /* nothing changes */
  unsigned thread = tx_core_of(r->agent);
  tx_frontend_settle(t, thread, t->engine.now);
  const struct tx_frontend *fe = &t->frontend[thread];
  if (!fifo_reads(&fe->fifo1, tx_frontend_arrived(t, thread), index) && !fifo_reads(&fe->fifo2, fe->fifo2.count, index) &&
      !fifo_reads(&fe->fifo3, fe->fifo3.count, index))
    return;
  tx_diag(t, TX_DIAG_CFG_CORE_RACE, "Config word %u while an instruction that reads it is queued on thread %u", index,
          thread);
}

static struct tx_bus_answer store_config(struct tx_tile *t, const struct tx_request *r) {
  unsigned bank, index;
  switch (tx_config_find(r->address, &bank, &index)) {
    case TX_CONFIG_NOWHERE: return tx_bus_unmapped();
    case TX_CONFIG_THREAD:
      return tx_bus_refuse(t, r, SIM_FAULT_UNDEFINED, "BackendConfiguration.md",
                           "cores cannot write ThreadConfig; push a SETC16");
    default: break;
  }
  struct tx_bus_answer answer = tx_bus_emit(t, r, TX_REGION_CONFIG);
  if (answer.result != TX_BUS_DONE) return answer;
  check_core_race(t, r, bank, index);
  if (index == TX_CFG_STATE_RESET_EN_ADDR) tx_diag(t, TX_DIAG_STATE_RESET, NULL);
  return answer;
}

static struct tx_bus_answer load_config(struct tx_tile *t, const struct tx_request *r) {
  unsigned bank, index;
  struct tx_bus_answer answer;
  enum tx_config_part part = tx_config_find(r->address, &bank, &index);
  if (part == TX_CONFIG_NOWHERE) return tx_bus_unmapped();
  if (tx_bus_behind_stores(t, r, TX_REGION_CONFIG, &answer)) return answer;
  if (!tx_config_core_enter(t)) return tx_bus_wait_load(t, r, 0, t->engine.now + 1, TX_BLOCKED_CONFIG, r->address);
  uint32_t there = t->params.cfg_request_cycles;
  if (part == TX_CONFIG_THREAD) return tx_bus_finish_load(t, r, t->config.thread_words[bank][index], there, 2 * there);
  tx_config_note_read(t, reader_of(r->agent), bank, index);
  return tx_bus_finish_load(t, r, t->config.words[bank][index], there, 2 * there); /* the alias reads as bank 0 */
}

struct tx_bus_answer tx_access_config(struct tx_tile *t, const struct tx_request *r) {
  if (r->agent == TX_AGENT_NCRISC)
    return tx_bus_refuse(t, r, SIM_FAULT_ADDRESS, "BabyRISCV/README.md", "backend configuration is not mapped for NCRISC");
  return tx_bus_in_order(t, r, r->store ? store_config : load_config);
}

bool tx_arrive_config(struct tx_tile *t, const struct tx_request *r, const struct sim_effect *e) {
  unsigned bank, index;
  if (t->timing && !e->w[3]) {
    struct sim_effect entered = *e;
    entered.w[3] = 1; /* in stage 0 in this cycle, visible in the next */
    if (tx_config_core_enter(t)) sim_effect_retry(&t->engine, entered, t->engine.now + 1);
    else tx_bus_again(t, e);
    return false;
  }
  bool dual = tx_config_find(r->address, &bank, &index) == TX_CONFIG_DUAL;
  for (unsigned i = dual ? 0 : bank; i <= (dual ? 1 : bank); i++) {
    tx_config_check_lost_update(t, reader_of(r->agent), i, index, r->value);
    tx_config_write(t, i, index, r->value);
    if (index >= TX_CFG_GLOBAL_BASE) break; /* has already been written to both */
  }
  return true;
}
