/* Regions of the address map that belong to the coprocessor: GPRs, backend configuration, instruction push, MOP configuration,
 * semaphores and TTSync, TDMA-RISC, stream registers. For bus.h; ISA: the page of each.
 *
 * Auto TTSync (no page): when ThreadConfig TENSIX_TRISC_SYNC tracks a space, a T core's access to it waits until the thread is
 * idle, and its pushes wait until its requests are processed (inferred, stricter than hardware). */
#include "tensix/tile/bus_region.h"

#define CONFIG_BANKS_WORDS (2 * TX_CFG_WORDS)
#define CONFIG_DUAL_WORDS TX_CFG_WORDS
#define CONFIG_THREAD_WORDS (3 * TX_THREAD_CFG_WORDS)

/* --- Auto TTSync --- */

enum {
  TRACK_CONFIG = 1u << TX_CFG_TENSIX_TRISC_SYNC_TrackGlobalCfg_SHIFT,
  TRACK_GPR = 1u << TX_CFG_TENSIX_TRISC_SYNC_TrackGPR_SHIFT
};

static bool tracks(const struct tx_tile *t, unsigned agent, uint32_t bits) {
  return tx_is_trisc(agent) && (t->config.thread_words[tx_core_of(agent)][TX_CFG_TENSIX_TRISC_SYNC_TrackGPR_ADDR] & bits);
}

/* --- GPRs: BRISC sees all 192, a T core its own 64 --- */

static bool find_gpr(const struct tx_request *r, unsigned *thread, unsigned *reg) {
  uint32_t index = (r->address - TX_ADDR_GPR) / 4;
  if (r->agent == TX_AGENT_BRISC && index < TX_THREADS * TX_GPRS) {
    *thread = index / TX_GPRS;
    *reg = index % TX_GPRS;
    return true;
  }
  if (!tx_is_trisc(r->agent) || index >= TX_GPRS) return false;
  *thread = tx_core_of(r->agent);
  *reg = index;
  return true;
}

struct tx_bus_answer tx_access_gpr(struct tx_tile *t, const struct tx_request *r) {
  unsigned thread, reg;
  struct tx_bus_answer answer;
  if (!find_gpr(r, &thread, &reg))
    return tx_bus_refuse(t, r, SIM_FAULT_ADDRESS, "ScalarUnit.md", "a T core sees its own 64 GPRs, BRISC 192, NCRISC none");
  if (tracks(t, r->agent, TRACK_GPR) && tx_bus_wait_until_idle(t, r, &answer)) return answer;
  if (r->store) return tx_bus_emit(t, r, TX_REGION_GPR);
  if (tx_bus_behind_stores(t, r, TX_REGION_GPR, &answer)) return answer;
  uint32_t there = t->params.gpr_request_cycles;
  return tx_bus_finish_load(t, r, t->scalar.gpr[thread][reg], there, 2 * there);
}

/* --- backend configuration: Config[2][224], the dual-write alias [224], ThreadConfig[3][68] --- */

enum config_part { PART_BANKS, PART_DUAL, PART_THREAD, PART_NONE };

static enum config_part find_config(uint32_t address, unsigned *bank, unsigned *index) {
  uint32_t at = (address - TX_ADDR_CONFIG) / 4;
  if (at < CONFIG_BANKS_WORDS) {
    *bank = at / TX_CFG_WORDS;
    *index = at % TX_CFG_WORDS;
    return PART_BANKS;
  }
  at -= CONFIG_BANKS_WORDS;
  *bank = 0;
  *index = at;
  if (at < CONFIG_DUAL_WORDS) return PART_DUAL;
  at -= CONFIG_DUAL_WORDS;
  if (at >= CONFIG_THREAD_WORDS) return PART_NONE;
  *bank = at / TX_THREAD_CFG_WORDS;
  *index = at % TX_THREAD_CFG_WORDS;
  return PART_THREAD;
}

static unsigned reader_of(unsigned agent) { return agent - TX_AGENT_TRISC0; } /* T0, T1, T2, BRISC: TX_CONFIG_READERS */

static bool fifo_reads(const struct tx_fifo *fifo, unsigned index) {
  for (uint32_t i = 0; i < fifo->count; i++)
    if (tx_config_reads(fifo->slot[(fifo->head + i) % TX_FIFO_SLOTS].word, index)) return true;
  return false;
}

/* F.6: instructions that the core pushed before this store, that are not issued yet and that will read the word. Words
 * that a MOP or REPLAY has still to make are not looked at. */
static void check_core_race(struct tx_tile *t, const struct tx_request *r, unsigned bank, unsigned index) {
  if (!tx_is_trisc(r->agent) || tracks(t, r->agent, TRACK_CONFIG)) return;
  if (t->config.words[bank][index] == r->value) return; /* nothing changes */
  unsigned thread = tx_core_of(r->agent);
  tx_frontend_settle(t, thread, t->engine.now);
  const struct tx_frontend *fe = &t->frontend[thread];
  if (!fifo_reads(&fe->fifo1, index) && !fifo_reads(&fe->fifo2, index) && !fifo_reads(&fe->fifo3, index)) return;
  tx_diag(t, TX_DIAG_CFG_CORE_RACE, "Config word %u while an instruction that reads it is queued on thread %u", index,
          thread);
}

static struct tx_bus_answer store_config(struct tx_tile *t, const struct tx_request *r) {
  unsigned bank, index;
  switch (find_config(r->address, &bank, &index)) {
    case PART_NONE: return tx_bus_refuse_unmapped(t, r);
    case PART_THREAD:
      return tx_bus_refuse(t, r, SIM_FAULT_UNDEFINED, "BackendConfiguration.md",
                           "cores cannot write ThreadConfig; push a SETC16");
    default: break;
  }
  struct tx_bus_answer answer;
  if (tracks(t, r->agent, TRACK_CONFIG) && tx_bus_wait_until_idle(t, r, &answer)) return answer;
  answer = tx_bus_emit(t, r, TX_REGION_CONFIG);
  if (answer.result != TX_BUS_DONE) return answer;
  check_core_race(t, r, bank, index);
  if (index == TX_CFG_STATE_RESET_EN_ADDR) tx_diag(t, TX_DIAG_STATE_RESET, NULL);
  return answer;
}

static struct tx_bus_answer load_config(struct tx_tile *t, const struct tx_request *r) {
  unsigned bank, index;
  struct tx_bus_answer answer;
  enum config_part part = find_config(r->address, &bank, &index);
  if (part == PART_NONE) return tx_bus_refuse_unmapped(t, r);
  if (tracks(t, r->agent, TRACK_CONFIG) && tx_bus_wait_until_idle(t, r, &answer)) return answer;
  if (tx_bus_behind_stores(t, r, TX_REGION_CONFIG, &answer)) return answer;
  if (!tx_config_core_enter(t)) return tx_bus_wait_load(t, r, 0, t->engine.now + 1, TX_BLOCKED_CONFIG, r->address);
  uint32_t there = t->params.cfg_request_cycles;
  if (part == PART_THREAD) return tx_bus_finish_load(t, r, t->config.thread_words[bank][index], there, 2 * there);
  tx_config_note_read(t, reader_of(r->agent), bank, index);
  return tx_bus_finish_load(t, r, t->config.words[bank][index], there, 2 * there); /* the alias reads as bank 0 */
}

struct tx_bus_answer tx_access_config(struct tx_tile *t, const struct tx_request *r) {
  if (r->agent == TX_AGENT_NCRISC)
    return tx_bus_refuse(t, r, SIM_FAULT_ADDRESS, "BabyRISCV/README.md", "backend configuration is not mapped for NCRISC");
  return r->store ? store_config(t, r) : load_config(t, r);
}

/* --- instruction push and MOP configuration --- */

/* The stages of a front end that move need to be asked again; those that stand are moved by the gate, which says so. */
static sim_time next_move(const struct tx_tile *t, unsigned thread) { return tx_frontend_drains_at(t, thread); }

struct tx_bus_answer tx_access_push(struct tx_tile *t, const struct tx_request *r) {
  unsigned window = (r->address - TX_ADDR_PUSH) >> 16;
  if (!r->store)
    return tx_bus_refuse(t, r, SIM_FAULT_ADDRESS, "PushTensixInstruction.md", "the instruction FIFOs cannot be read");
  if (r->agent == TX_AGENT_NCRISC)
    return tx_bus_refuse(t, r, SIM_FAULT_ADDRESS, "PushTensixInstruction.md", "NCRISC cannot push Tensix instructions");
  unsigned target = r->agent == TX_AGENT_BRISC ? window : tx_core_of(r->agent);
  if (t->control.word[TX_CONTROL_DBG_INSTRN_BUF_CTRL0 / 4] >> target & 1u)
    return tx_bus_refuse(t, r, SIM_FAULT_UNDEFINED, "PushTensixInstruction.md",
                         "the debug bus has control of this FIFO: the word is very likely lost");
  if (r->agent == TX_AGENT_BRISC) {
    if (tx_frontend_push_brisc(t, window, r->value, t->current.pc)) return tx_bus_done(0, 1);
    return tx_bus_wait(TX_CH(TX_CH_FIFO + window), next_move(t, window), TX_BLOCKED_FIFO, window);
  }
  if (window)
    return tx_bus_refuse(t, r, SIM_FAULT_UNDEFINED, "PushTensixInstruction.md",
                         "this hangs a T core: it pushes to its own thread, through 0xffe40000");
  unsigned thread = tx_core_of(r->agent);
  if (t->port[tx_core_of(r->agent)].outstanding && tracks(t, r->agent, TRACK_CONFIG | TRACK_GPR))
    return tx_bus_wait(TX_CH(TX_CH_CORE), 0, TX_BLOCKED_LOAD, r->address);
  if (tx_frontend_push(t, thread, r->value, t->current.pc)) return tx_bus_done(0, 1);
  return tx_bus_wait(TX_CH(TX_CH_FIFO + thread), next_move(t, thread), TX_BLOCKED_FIFO, thread);
}

struct tx_bus_answer tx_access_mop(struct tx_tile *t, const struct tx_request *r) {
  uint32_t index = (r->address - TX_ADDR_MOP_CFG) / 4;
  if (index >= TX_MOP_REGISTERS) return tx_bus_refuse_unmapped(t, r);
  if (!tx_is_trisc(r->agent))
    return tx_bus_refuse(t, r, SIM_FAULT_ADDRESS, "MOPExpander.md",
                         "MOP configuration is mapped for the T cores only, each its own");
  if (!r->store) return tx_bus_refuse(t, r, SIM_FAULT_UNDEFINED, "MOPExpander.md", "MOP configuration is write-only");
  tx_frontend_write_mop_cfg(t, tx_core_of(r->agent), index, r->value);
  return tx_bus_done(0, 1);
}

/* --- semaphores and TTSync --- */

static struct tx_bus_answer load_sync(struct tx_tile *t, const struct tx_request *r) {
  unsigned thread = tx_core_of(r->agent);
  uint32_t there = t->params.sync_request_cycles, round_trip = 2 * there + 1;
  struct tx_bus_answer answer;
  if (tx_bus_behind_stores(t, r, TX_REGION_SYNC, &answer)) return answer;
  bool override = (tx_pcbuf_override(t, thread) & 3u) == (TX_PCBUF_OVERRIDE_EN | TX_PCBUF_OVERRIDE_BUSY);
  if (override && r->address < TX_ADDR_SEMAPHORE) return tx_bus_finish_load(t, r, 0, there, round_trip);
  if (r->address == TX_ADDR_TTSYNC) {
    if (tx_bus_wait_until_idle(t, r, &answer)) return answer;
    return tx_bus_finish_load(t, r, 0, there, round_trip); /* the value is undefined */
  }
  if (r->address == TX_ADDR_MOPSYNC) {
    tx_frontend_settle(t, thread, t->engine.now);
    if (!tx_frontend_mop_idle(&t->frontend[thread]))
      return tx_bus_wait_load(t, r, TX_CH(TX_CH_FIFO + thread), next_move(t, thread), TX_BLOCKED_MOPSYNC, thread);
    return tx_bus_finish_load(t, r, 0, there, round_trip);
  }
  return tx_bus_finish_load(t, r, t->sync.sem[(r->address - TX_ADDR_SEMAPHORE) / 4].value, there, round_trip);
}

/* 0xFFE80000 and up. BRISC's view is its ends of the three PC buffers. */
struct tx_bus_answer tx_access_sync(struct tx_tile *t, const struct tx_request *r) {
  bool ttsync = r->address == TX_ADDR_TTSYNC || r->address == TX_ADDR_MOPSYNC;
  bool semaphore = r->address >= TX_ADDR_SEMAPHORE && r->address < TX_ADDR_SEMAPHORE + 4 * TX_SEMAPHORES;
  if (r->agent == TX_AGENT_BRISC || (tx_is_trisc(r->agent) && r->address == TX_ADDR_PC_BUF)) return tx_access_pcbuf(t, r);
  if (!tx_is_trisc(r->agent))
    return tx_bus_refuse(t, r, SIM_FAULT_ADDRESS, "SyncUnit.md", "semaphores and TTSync are mapped for the T cores only");
  if (!ttsync && !semaphore) return tx_bus_refuse_unmapped(t, r);
  if (!r->store) return load_sync(t, r);
  if (ttsync) return tx_bus_done(0, 1); /* discarded; its order after earlier stores is the program's */
  return tx_bus_emit(t, r, TX_REGION_SYNC);
}

/* --- TDMA-RISC (mover.h) --- */

enum { TRACK_TDMA = 1u << TX_CFG_TENSIX_TRISC_SYNC_TrackTDMARegs_SHIFT };

struct tx_bus_answer tx_access_tdma(struct tx_tile *t, const struct tx_request *r) {
  struct tx_bus_answer answer;
  uint32_t value = 0, there = t->params.cfg_request_cycles;
  if (r->agent == TX_AGENT_NCRISC)
    return tx_bus_refuse(t, r, SIM_FAULT_ADDRESS, "BabyRISCV/README.md", "TDMA-RISC is not mapped for NCRISC");
  if (tracks(t, r->agent, TRACK_TDMA) && tx_bus_wait_until_idle(t, r, &answer)) return answer;
  if (r->store) return tx_bus_emit(t, r, TX_REGION_TDMA);
  if (tx_bus_behind_stores(t, r, TX_REGION_TDMA, &answer)) return answer;
  switch (tx_tdma_read(t, r->agent, r->address, &value)) {
    case TX_TDMA_DONE: return tx_bus_finish_load(t, r, value, there, 2 * there);
    case TX_TDMA_NONE: return tx_bus_refuse_unmapped(t, r);
    default:
      return tx_bus_wait_load(t, r, TX_CH(TX_CH_UNIT + TX_UNIT_PACK) | TX_CH(TX_CH_UNIT + TX_UNIT_MOVER), 0, TX_BLOCKED_LOAD,
                              r->address);
  }
}

bool tx_arrive_tdma(struct tx_tile *t, const struct tx_request *r, const struct sim_effect *e) {
  if (t->control.word[TX_CONTROL_SOFT_RESET_0 / 4] >> 8 & 1u) return true; /* held in reset: discarded. ISA: SoftReset.md */
  enum tx_tdma_result result = tx_tdma_write(t, r->agent, r->address, r->value);
  if (result == TX_TDMA_WAIT) tx_bus_again(t, e); /* the command queue is full */
  if (result == TX_TDMA_NONE) tx_bus_refuse_unmapped(t, r);
  return result != TX_TDMA_WAIT;
}

/* --- stream registers, and what else the coprocessor sees behind 0xFFB11000 --- */

static bool find_stream(uint32_t address, unsigned *stream, unsigned *index) {
  uint32_t offset = address - TX_ADDR_STREAM;
  *stream = offset / TX_STREAM_BYTES;
  *index = offset % TX_STREAM_BYTES / 4;
  return address >= TX_ADDR_STREAM && *stream < TX_STREAMS;
}

bool tx_mmio_read(struct tx_tile *t, unsigned thread, uint32_t address, uint32_t *value) {
  unsigned stream, index;
  (void)thread;
  if (find_stream(address, &stream, &index)) return tx_stream_register_read(t, stream, index, value);
  uint8_t raw[4];
  if (address < TX_L1_BYTES || !tx_outside_read(t, address, raw, 4)) return false;
  *value = (uint32_t)raw[0] | (uint32_t)raw[1] << 8 | (uint32_t)raw[2] << 16 | (uint32_t)raw[3] << 24;
  return true;
}

bool tx_mmio_write(struct tx_tile *t, unsigned thread, uint32_t address, uint32_t value, uint32_t byte_mask) {
  unsigned stream, index;
  (void)thread;
  if (find_stream(address, &stream, &index)) return tx_stream_register_write(t, stream, index, value, byte_mask);
  if (address < TX_L1_BYTES || !tx_outside_visible(address, 4)) return false;
  if (!byte_mask) return true;
  if (byte_mask != 0xfu) return false; /* registers are written whole */
  const uint8_t raw[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16), (uint8_t)(value >> 24)};
  return tx_outside_write(t, address, raw, 4) || t->fault.kind;
}

struct tx_bus_answer tx_access_mmio(struct tx_tile *t, const struct tx_request *r) {
  struct tx_bus_answer answer;
  uint32_t value;
  if (r->store)
    return tx_mmio_write(t, 0, r->address, 0, 0) ? tx_bus_emit(t, r, TX_REGION_MMIO) : tx_bus_refuse_unmapped(t, r);
  if (!tx_mmio_read(t, 0, r->address, &value)) return tx_bus_refuse_unmapped(t, r);
  if (tx_bus_behind_stores(t, r, TX_REGION_MMIO, &answer)) return answer;
  return tx_bus_finish_load(t, r, value, t->params.mmio_request_cycles, 2 * t->params.mmio_request_cycles + 1);
}

/* --- requests arrive --- */

bool tx_arrive_config(struct tx_tile *t, const struct tx_request *r, const struct sim_effect *e) {
  unsigned bank, index;
  if (t->timing && !e->w[3]) {
    struct sim_effect entered = *e;
    entered.w[3] = 1; /* in stage 0 in this cycle, seen in the next */
    if (tx_config_core_enter(t)) sim_effect_retry(&t->engine, entered, t->engine.now + 1);
    else tx_bus_again(t, e);
    return false;
  }
  bool dual = find_config(r->address, &bank, &index) == PART_DUAL;
  for (unsigned i = dual ? 0 : bank; i <= (dual ? 1 : bank); i++) {
    tx_config_check_lost_update(t, reader_of(r->agent), i, index, r->value);
    tx_config_write(t, i, index, r->value);
    if (index >= TX_CFG_GLOBAL_BASE) break; /* has reached both already */
  }
  return true;
}

/* One semaphore operation per cycle for the whole unit; this one comes before the threads'. */
static bool arrive_semaphore(struct tx_tile *t, const struct tx_request *r, const struct sim_effect *e) {
  unsigned index = (r->address - TX_ADDR_SEMAPHORE) / 4;
  if (t->arbiter.sync_taken_at == t->engine.now) {
    tx_bus_again(t, e);
    return false;
  }
  t->arbiter.sync_taken_at = t->engine.now;
  if (r->value & 1u) tx_sem_get(t, index);
  else tx_sem_post(t, index);
  sim_signal(&t->engine, TX_CH(TX_CH_SEM), t->engine.now); /* an effect: the gates see it in this cycle */
  return true;
}

bool tx_arrive_sync(struct tx_tile *t, const struct tx_request *r, const struct sim_effect *e) {
  return tx_is_trisc(r->agent) ? arrive_semaphore(t, r, e) : tx_arrive_pcbuf(t, r, e);
}

bool tx_arrive_gpr(struct tx_tile *t, const struct tx_request *r, const struct sim_effect *e) {
  unsigned thread = 0, reg = 0;
  (void)e;
  find_gpr(r, &thread, &reg);
  tx_gpr_write(t, thread, reg, r->value, 0xfu);
  return true;
}

bool tx_arrive_mmio(struct tx_tile *t, const struct tx_request *r, const struct sim_effect *e) {
  (void)e;
  tx_mmio_write(t, 0, r->address, r->value, 0xfu);
  return true;
}
