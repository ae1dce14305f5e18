/* Regions of the address map that belong to the coprocessor: GPRs, backend configuration, instruction push, MOP configuration,
 * semaphores and TTSync, TDMA-RISC, stream registers. For bus.h; ISA: the page of each.
 *
 * Auto TTSync (autosync.h) stands in front of the first two and TDMA-RISC. ISA: AutoTTSync.md */
#include "tensix/tile/bus_region.h"

#define CONFIG_BANKS_WORDS (2 * TX_CFG_WORDS)
#define CONFIG_DUAL_WORDS TX_CFG_WORDS
#define CONFIG_THREAD_WORDS (3 * TX_THREAD_CFG_WORDS)

/* --- the configuration space: Config[2][224], the dual-write alias [224], ThreadConfig[3][68] --- */

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

/* --- Auto TTSync: what an access counts as, and its turn --- */

/* Parts of Config[i] that a word below TX_CFG_GLOBAL_BASE belongs to: the page's table, word by word. Words that are not here
 * are the remainder; so are three of the four words of the tile descriptors (hardware bug). */
static const struct {
  uint8_t first, last, parts;
} unpacker_words[] = {
    {44, 44, TX_SYNC_UNPACKER0},                                         /* UNP0_ADDR_CTRL_XY_REG_0 */
    {45, 45, TX_SYNC_UNPACKER0 | TX_SYNC_UNPACKER1},                     /* UNP0_ADDR_CTRL_ZW_REG_0 */
    {46, 47, TX_SYNC_UNPACKER1},                                         /* UNP1_ADDR_CTRL_XY_REG_0, _ZW_REG_0 */
    {48, 50, TX_SYNC_UNPACKER0 | TX_SYNC_UNPACKER1 | TX_SYNC_REMAINDER}, /* UNP0_ADDR_BASE_REG, FORCED_SHARED_EXP */
    {51, 53, TX_SYNC_UNPACKER0},                                         /* UNP0_BLOBS_Y_START_CNTX, NOP_REG_CLR_VAL */
    {58, 63, TX_SYNC_UNPACKER1},                                         /* UNP1_ADDR_CTRL_XY_REG_1 ... NOP_REG_CLR_VAL */
    {64, 64, TX_SYNC_UNPACKER0},                                         /* THCON_SEC0_REG0_TileDescriptor */
    {72, 87, TX_SYNC_UNPACKER0},                                         /* THCON_SEC0_REG2 ... REG5 */
    {92, 95, TX_SYNC_UNPACKER0},                                         /* THCON_SEC0_REG7 */
    {104, 105, TX_SYNC_UNPACKER0},                                       /* THCON_SEC0_REG10_Unpack_* */
    {112, 112, TX_SYNC_UNPACKER1},                                       /* THCON_SEC1_REG0_TileDescriptor */
    {120, 121, TX_SYNC_UNPACKER1},                                       /* THCON_SEC1_REG2 but limit and FIFO size */
    {124, 125, TX_SYNC_UNPACKER1},                                       /* THCON_SEC1_REG3_Base of contexts 0 and 1 */
    {140, 141, TX_SYNC_UNPACKER1},                                       /* THCON_SEC1_REG7 of contexts 0, 1, 4, 5 */
};

static uint32_t parts_of(unsigned index) {
  for (size_t i = 0; i < sizeof unpacker_words / sizeof *unpacker_words; i++)
    if (index >= unpacker_words[i].first && index <= unpacker_words[i].last) return unpacker_words[i].parts;
  return TX_SYNC_REMAINDER;
}

static uint32_t config_resources(uint32_t address, bool subdivided) {
  unsigned bank, index;
  enum config_part part = find_config(address, &bank, &index);
  if (part == PART_BANKS && index < TX_CFG_GLOBAL_BASE) return (subdivided ? parts_of(index) : TX_SYNC_CONFIG) << 3 * bank;
  if (!subdivided) return TX_SYNC_CONFIG * TX_SYNC_BOTH_BANKS;
  if (part == PART_THREAD && bank == 0 && index == TX_CFG_DEST_TARGET_REG_CFG_MATH_Offset_ADDR)
    return (TX_SYNC_UNPACKER0 | TX_SYNC_UNPACKER1) * TX_SYNC_BOTH_BANKS;
  return TX_SYNC_REMAINDER * TX_SYNC_BOTH_BANKS;
}

#define TRACK(name) (1u << TX_CFG_TENSIX_TRISC_SYNC_##name##_SHIFT)

uint32_t tx_bus_resources(const struct tx_tile *t, unsigned agent, uint32_t address) {
  if (!tx_is_trisc(agent)) return 0;
  uint32_t track = t->config.thread_words[tx_core_of(agent)][TX_CFG_TENSIX_TRISC_SYNC_TrackGPR_ADDR];
  if (!(track & TRACK(TrackTensixInstructions))) return 0;
  switch (address >> 16) {
    case TX_ADDR_GPR >> 16: return track & TRACK(TrackGPR) ? TX_SYNC_GPR : 0;
    case TX_ADDR_TDMA >> 16: return track & TRACK(TrackTDMARegs) && address >> 12 == TX_ADDR_TDMA >> 12 ? TX_SYNC_TDMA : 0;
    case TX_ADDR_CONFIG >> 16:
      return track & TRACK(TrackGlobalCfg) ? config_resources(address, track & TRACK(EnSubdividedCfgForUnpacr)) : 0;
    default: return 0;
  }
}

/* An access to a region that Auto TTSync watches. */
static struct tx_bus_answer in_order(struct tx_tile *t, const struct tx_request *r, tx_region_fn *access) {
  struct tx_request tracked = *r;
  unsigned thread = tx_core_of(r->agent);
  tracked.resources = tx_bus_resources(t, r->agent, r->address);
  if (!tracked.resources) {
    if (tx_is_trisc(r->agent) && !r->store) tx_autosync_end_load(t, thread); /* tracking may have been turned off */
    return access(t, r);
  }
  uint32_t held = r->store ? tx_autosync_store_waits(t, thread, tracked.resources)
                           : tx_autosync_load_waits(t, thread, tracked.resources, r->address);
  struct tx_bus_answer answer;
  if (held) {
    sim_time at = t->timing && t->frontend[thread].moving ? t->engine.now + 1 : 0;
    answer = r->store ? tx_bus_wait(TX_CH(TX_CH_FIFO + thread), at, TX_BLOCKED_TRACKED, thread)
                      : tx_bus_wait_load(t, r, TX_CH(TX_CH_FIFO + thread), at, TX_BLOCKED_TRACKED, thread);
    answer.wait.detail = held;
  } else {
    answer = access(t, &tracked);
  }
  if (!r->store && answer.result == TX_BUS_WAIT) tx_autosync_note_load(t, thread, tracked.resources, r->address);
  else if (!r->store) tx_autosync_end_load(t, thread);
  /* cppcheck-suppress returnDanglingLifetime ; an answer holds no pointers */
  return answer;
}

/* --- GPRs: BRISC sees all 192, a T core its own 64, again and again. ISA: MemoryOrdering.md, "Aliasing" --- */

static bool find_gpr(const struct tx_request *r, unsigned *thread, unsigned *reg) {
  uint32_t index = (r->address - TX_ADDR_GPR) / 4;
  if (r->agent == TX_AGENT_BRISC && index < TX_THREADS * TX_GPRS) {
    *thread = index / TX_GPRS;
    *reg = index % TX_GPRS;
    return true;
  }
  if (!tx_is_trisc(r->agent)) return false;
  *thread = tx_core_of(r->agent);
  *reg = index % TX_GPRS;
  return true;
}

static struct tx_bus_answer access_gpr(struct tx_tile *t, const struct tx_request *r) {
  unsigned thread, reg;
  struct tx_bus_answer answer;
  if (!find_gpr(r, &thread, &reg))
    return tx_bus_refuse(t, r, SIM_FAULT_ADDRESS, "ScalarUnit.md", "BRISC sees 192 GPRs, NCRISC none");
  if (r->store) return tx_bus_emit(t, r, TX_REGION_GPR);
  if (tx_bus_behind_stores(t, r, TX_REGION_GPR, &answer)) return answer;
  uint32_t there = t->params.gpr_request_cycles;
  answer = tx_bus_finish_load(t, r, t->scalar.gpr[thread][reg], there, 2 * there);
  answer.moves = tx_is_trisc(r->agent) && r->address >= TX_ADDR_GPR + 4 * TX_GPRS; /* writes wake only who polls the first */
  return answer;
}

struct tx_bus_answer tx_access_gpr(struct tx_tile *t, const struct tx_request *r) {
  return in_order(t, r, access_gpr);
}

/* --- backend configuration --- */

static unsigned reader_of(unsigned agent) { return agent - TX_AGENT_TRISC0; } /* T0, T1, T2, BRISC: TX_CONFIG_READERS */

static bool fifo_reads(const struct tx_fifo *fifo, unsigned index) {
  for (uint32_t i = 0; i < fifo->count; i++)
    if (tx_config_reads(fifo->slot[(fifo->head + i) % TX_FIFO_SLOTS].word, index)) return true;
  return false;
}

/* A bank that no instruction of the thread uses now. */
static bool is_other_bank(const struct tx_tile *t, unsigned thread, unsigned bank, unsigned index) {
  return index < TX_CFG_GLOBAL_BASE && bank != TX_CFG_BANK(t, thread);
}

/* F.6: instructions that the core pushed before this store, that are not issued yet and that will read the word. Words
 * that a MOP or REPLAY has still to make are not looked at. A tracked store has waited for all that Auto TTSync knows of: what
 * is left then are its gaps. */
static void check_core_race(struct tx_tile *t, const struct tx_request *r, unsigned bank, unsigned index) {
  if (!tx_is_trisc(r->agent) || (r->resources && is_other_bank(t, tx_core_of(r->agent), bank, index))) return;
  if (t->config.words[bank][index] == (r->value & t->config.assigned[index])) return; /* nothing changes */
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
  struct tx_bus_answer answer = tx_bus_emit(t, r, TX_REGION_CONFIG);
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
  return in_order(t, r, r->store ? store_config : load_config);
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

static struct tx_bus_answer access_tdma(struct tx_tile *t, const struct tx_request *r) {
  struct tx_bus_answer answer;
  uint32_t value = 0, there = t->params.cfg_request_cycles;
  if (r->agent == TX_AGENT_NCRISC)
    return tx_bus_refuse(t, r, SIM_FAULT_ADDRESS, "BabyRISCV/README.md", "TDMA-RISC is not mapped for NCRISC");
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

struct tx_bus_answer tx_access_tdma(struct tx_tile *t, const struct tx_request *r) {
  return in_order(t, r, access_tdma);
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
  if (address < TX_L1_BYTES || !tx_outside_visible_in(t, address, 4)) return false;
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
