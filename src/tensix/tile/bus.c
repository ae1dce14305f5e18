/* The address map of bus.h.
 *
 * Loads are answered at once with the value of this cycle and the number of cycles after which the core has it; a load
 * behind unprocessed stores of the same core to the same region waits for them. Stores are effects: they arrive after the
 * region's request_cycles, in order, and are processed then. MOP configuration and pushes are processed in the cycle in
 * which they are emitted, so that a core's stores to both keep their order (conformance FORMAT.md: assumed ordered by
 * hardware).
 *
 * Auto TTSync (no page): when ThreadConfig TENSIX_TRISC_SYNC tracks a space, a T core's access to it waits until the
 * thread is idle, and its pushes wait until its requests are processed (inferred, stricter than hardware). */
#include "tensix/tile/bus.h"

#include "tensix/tile/tile.h"

#define PENDING_MAX 8u /* stores of a core to one region under way; inferred: a store queue of four and the way there */

#define CONFIG_BANKS_WORDS (2 * TX_CFG_WORDS)
#define CONFIG_DUAL_WORDS TX_CFG_WORDS
#define CONFIG_THREAD_WORDS (3 * TX_THREAD_CFG_WORDS)

static bool is_trisc(unsigned agent) { return agent >= TX_AGENT_TRISC0 && agent <= TX_AGENT_TRISC2; }
static unsigned thread_of(unsigned agent) { return agent - TX_AGENT_TRISC0; }
static struct tx_core_port *port_of(struct tx_tile *t, unsigned agent) { return &t->port[agent - TX_AGENT_TRISC0]; }

static const char *name_of(unsigned agent) {
  static const char *const names[] = {"TRISC0", "TRISC1", "TRISC2", "BRISC", "NCRISC"};
  return names[agent - TX_AGENT_TRISC0];
}

/* --- answers --- */

static struct tx_bus_answer done(uint32_t value, uint32_t cycles) {
  return (struct tx_bus_answer){.result = TX_BUS_DONE, .value = value, .cycles = cycles};
}

static struct tx_bus_answer wait_on(uint64_t channels, sim_time retry_at, uint32_t kind, uint32_t object) {
  return (struct tx_bus_answer){
      .result = TX_BUS_WAIT, .channels = channels, .retry_at = retry_at, .wait = {.kind = kind, .object = object}};
}

static const struct tx_bus_answer faulted = {.result = TX_BUS_FAULT};

/* --- the map, for messages --- */

struct named_range {
  uint32_t first, last;
  const char *name;
};

static const struct named_range map[] = {
    {0x00000000u, TX_L1_BYTES - 1, "L1"},
    {0xFFB00000u, 0xFFB01FFFu, "local data RAM"},
    {0xFFB11000u, 0xFFB11FFFu, "TDMA-RISC registers"},
    {0xFFB12000u, 0xFFB12FFFu, "tile control and debug registers"},
    {0xFFB13000u, 0xFFB1314Bu, "PIC registers and pc snapshots"},
    {0xFFB14000u, 0xFFB1DFFFu, "local data RAM, slow path"},
    {0xFFB20000u, 0xFFB2FFFFu, "NoC 0 registers"},
    {0xFFB30000u, 0xFFB3FFFFu, "NoC 1 registers"},
    {0xFFB40000u, 0xFFB7FFFFu, "stream registers"},
    {0xFFB80000u, 0xFFB80023u, "MOP configuration"},
    {0xFFBD8000u, 0xFFBDFFFFu, "Dst window"},
    {0xFFE00000u, 0xFFE00FFFu, "GPRs"},
    {0xFFE40000u, 0xFFE6FFFFu, "instruction push"},
    {0xFFE80000u, 0xFFEAFFFFu, "PC buffers, TTSync and semaphores"},
    {0xFFEC0000u, 0xFFEC3FFFu, "mailboxes"},
    {0xFFEF0000u, 0xFFEFFFFFu, "backend configuration"},
};

static uint32_t distance(const struct named_range *r, uint32_t address) {
  return address < r->first ? r->first - address : address > r->last ? address - r->last : 0;
}

static const struct named_range *nearest(uint32_t address) {
  const struct named_range *best = &map[0];
  for (size_t i = 1; i < sizeof map / sizeof *map; i++)
    if (distance(&map[i], address) < distance(best, address)) best = &map[i];
  return best;
}

/* What a core asks for; passed around instead of four arguments. */
struct request {
  unsigned agent;
  uint32_t address, value;
  bool store;
};

static const char *verb(const struct request *r) { return r->store ? "store to" : "load from"; }

static struct tx_bus_answer refuse(struct tx_tile *t, const struct request *r, enum sim_fault_kind kind,
                                   const char *document, const char *why) {
  t->current.agent = r->agent;
  tx_fault(t, kind, document, "%s: %s 0x%08x: %s", name_of(r->agent), verb(r), r->address, why);
  return faulted;
}

static struct tx_bus_answer refuse_unmapped(struct tx_tile *t, const struct request *r) {
  const struct named_range *n = nearest(r->address);
  bool inside = distance(n, r->address) == 0;
  t->current.agent = r->agent;
  tx_fault(t, inside ? SIM_FAULT_UNSUPPORTED : SIM_FAULT_ADDRESS, "BabyRISCV/README.md",
           "%s: %s 0x%08x: %s %s (0x%08x..0x%08x)", name_of(r->agent), verb(r), r->address,
           inside ? "not modelled, or not mapped for this core:" : "nothing is mapped there; nearest:", n->name, n->first,
           n->last);
  return faulted;
}

/* --- stores that take their time --- */

static uint32_t request_cycles(const struct tx_tile *t, enum tx_bus_region region) {
  switch (region) {
    case TX_REGION_L1: return t->params.l1_request_cycles;
    case TX_REGION_GPR: return t->params.gpr_request_cycles;
    case TX_REGION_CONFIG:
    case TX_REGION_TDMA: return t->params.cfg_request_cycles;
    case TX_REGION_SYNC: return t->params.sync_request_cycles;
    default: return t->params.mmio_request_cycles;
  }
}

static bool counts_for_c10(enum tx_bus_region region) {
  return region == TX_REGION_GPR || region == TX_REGION_CONFIG || region == TX_REGION_TDMA;
}

static struct tx_bus_answer emit(struct tx_tile *t, const struct request *r, enum tx_bus_region region) {
  struct tx_core_port *port = port_of(t, r->agent);
  if (port->pending[region] >= PENDING_MAX) return wait_on(TX_CH(TX_CH_CORE), 0, TX_BLOCKED_LOAD, r->address);
  uint32_t cycles = t->timing ? request_cycles(t, region) : 1;
  sim_time at = t->engine.now + (cycles ? cycles : 1);
  struct sim_effect effect = {
      .at = at, .kind = TX_EFFECT_CORE_REQUEST, .agent = (uint16_t)r->agent, .w = {(uint32_t)region, r->address, r->value}};
  if (!sim_effect_at(&t->engine, effect))
    return refuse(t, r, SIM_FAULT_CAPACITY, "engine.h", "too many effects pending at once");
  port->pending[region]++;
  if (counts_for_c10(region)) port->outstanding++;
  return done(0, 1);
}

static void processed(struct tx_tile *t, unsigned agent, enum tx_bus_region region) {
  struct tx_core_port *port = port_of(t, agent);
  port->pending[region]--;
  if (counts_for_c10(region)) port->outstanding--;
  sim_signal(&t->engine, TX_CH(TX_CH_CORE), t->engine.now);
}

/* Not now: the same request again in the next cycle, before anything that was emitted later. */
static void put_off(struct tx_tile *t, const struct sim_effect *e) {
  port_of(t, e->agent)->held_at[e->w[0]] = t->engine.now;
  sim_effect_retry(&t->engine, *e, t->engine.now + 1);
}

/* --- loads --- */

/* A load that waits keeps the time it was emitted: what the waiting hides of the way there is not paid twice. */
static void note_waiting_load(struct tx_tile *t, const struct request *r) {
  struct tx_core_port *port = port_of(t, r->agent);
  if (port->load_since && port->load_address == r->address) return;
  port->load_since = t->engine.now + 1;
  port->load_address = r->address;
}

static struct tx_bus_answer finish_load(struct tx_tile *t, const struct request *r, uint32_t value, uint32_t there,
                                        uint32_t round_trip) {
  struct tx_core_port *port = port_of(t, r->agent);
  uint32_t waited = 0;
  if (port->load_since && port->load_address == r->address) waited = (uint32_t)(t->engine.now + 1 - port->load_since);
  port->load_since = 0;
  port->load_address = 0;
  uint32_t back = round_trip - there, left = waited < there ? round_trip - waited : back;
  return done(value, left ? left : 1);
}

static struct tx_bus_answer wait_load(struct tx_tile *t, const struct request *r, uint64_t channels, sim_time retry_at,
                                      uint32_t kind, uint32_t object) {
  note_waiting_load(t, r);
  return wait_on(channels, retry_at, kind, object);
}

/* Earlier stores of this core to the region come first (MemoryOrdering.md). */
static bool behind_stores(struct tx_tile *t, const struct request *r, enum tx_bus_region region,
                          struct tx_bus_answer *answer) {
  if (!port_of(t, r->agent)->pending[region]) return false;
  *answer = wait_load(t, r, TX_CH(TX_CH_CORE), 0, TX_BLOCKED_LOAD, r->address);
  return true;
}

/* --- Auto TTSync --- */

enum {
  TRACK_CONFIG = 1u << TX_CFG_TENSIX_TRISC_SYNC_TrackGlobalCfg_SHIFT,
  TRACK_GPR = 1u << TX_CFG_TENSIX_TRISC_SYNC_TrackGPR_SHIFT
};

static bool tracks(const struct tx_tile *t, unsigned agent, uint32_t bits) {
  return is_trisc(agent) && (t->config.thread_words[thread_of(agent)][TX_CFG_TENSIX_TRISC_SYNC_TrackGPR_ADDR] & bits);
}

/* Everything that can end the business of a thread. */
#define IDLE_CHANNELS \
  (TX_CH(TX_CH_IDLE) | TX_CH(TX_CH_MEMORY) | TX_CH(TX_CH_UNIT + TX_UNIT_SCALAR) | TX_CH(TX_CH_UNIT + TX_UNIT_UNPACK) | \
   TX_CH(TX_CH_UNIT + TX_UNIT_PACK) | TX_CH(TX_CH_UNIT + TX_UNIT_MOVER))

static bool wait_until_idle(struct tx_tile *t, const struct request *r, struct tx_bus_answer *answer) {
  unsigned thread = thread_of(r->agent);
  sim_time at = tx_tile_idle_at(t, thread);
  if (at <= t->engine.now) return false;
  *answer = wait_load(t, r, IDLE_CHANNELS, at == SIM_NEVER ? 0 : at, TX_BLOCKED_TTSYNC, thread);
  return true;
}

/* --- L1 --- */

static struct tx_bus_answer access_l1(struct tx_tile *t, const struct request *r) {
  struct tx_bus_answer answer;
  tx_inflight_touch(t, r->address, 4, r->store);
  if (r->store) return emit(t, r, TX_REGION_L1);
  if (behind_stores(t, r, TX_REGION_L1, &answer)) return answer;
  uint32_t there = t->params.l1_request_cycles;
  return finish_load(t, r, tx_l1_read(t, r->address, 4), there, 2 * there);
}

/* --- GPRs: BRISC sees all 192, a T core its own 64 --- */

static bool find_gpr(const struct request *r, unsigned *thread, unsigned *reg) {
  uint32_t index = (r->address - TX_ADDR_GPR) / 4;
  if (r->agent == TX_AGENT_BRISC && index < TX_THREADS * TX_GPRS) {
    *thread = index / TX_GPRS;
    *reg = index % TX_GPRS;
    return true;
  }
  if (!is_trisc(r->agent) || index >= TX_GPRS) return false;
  *thread = thread_of(r->agent);
  *reg = index;
  return true;
}

static struct tx_bus_answer access_gpr(struct tx_tile *t, const struct request *r) {
  unsigned thread, reg;
  struct tx_bus_answer answer;
  if (!find_gpr(r, &thread, &reg))
    return refuse(t, r, SIM_FAULT_ADDRESS, "ScalarUnit.md", "a T core sees its own 64 GPRs, BRISC 192, NCRISC none");
  if (tracks(t, r->agent, TRACK_GPR) && wait_until_idle(t, r, &answer)) return answer;
  if (r->store) return emit(t, r, TX_REGION_GPR);
  if (behind_stores(t, r, TX_REGION_GPR, &answer)) return answer;
  uint32_t there = t->params.gpr_request_cycles;
  return finish_load(t, r, t->scalar.gpr[thread][reg], there, 2 * there);
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
static void check_core_race(struct tx_tile *t, const struct request *r, unsigned bank, unsigned index) {
  if (!is_trisc(r->agent) || tracks(t, r->agent, TRACK_CONFIG)) return;
  if (t->config.words[bank][index] == r->value) return; /* nothing changes */
  unsigned thread = thread_of(r->agent);
  tx_frontend_settle(t, thread, t->engine.now);
  const struct tx_frontend *fe = &t->frontend[thread];
  if (!fifo_reads(&fe->fifo1, index) && !fifo_reads(&fe->fifo2, index) && !fifo_reads(&fe->fifo3, index)) return;
  tx_diag(t, TX_DIAG_CFG_CORE_RACE, "Config word %u while an instruction that reads it is queued on thread %u", index,
          thread);
}

static struct tx_bus_answer store_config(struct tx_tile *t, const struct request *r) {
  unsigned bank, index;
  switch (find_config(r->address, &bank, &index)) {
    case PART_NONE: return refuse_unmapped(t, r);
    case PART_THREAD:
      return refuse(t, r, SIM_FAULT_UNDEFINED, "BackendConfiguration.md", "cores cannot write ThreadConfig; push a SETC16");
    default: break;
  }
  struct tx_bus_answer answer;
  if (tracks(t, r->agent, TRACK_CONFIG) && wait_until_idle(t, r, &answer)) return answer;
  answer = emit(t, r, TX_REGION_CONFIG);
  if (answer.result != TX_BUS_DONE) return answer;
  check_core_race(t, r, bank, index);
  if (index == TX_CFG_STATE_RESET_EN_ADDR) tx_diag(t, TX_DIAG_STATE_RESET, NULL);
  return answer;
}

static struct tx_bus_answer load_config(struct tx_tile *t, const struct request *r) {
  unsigned bank, index;
  struct tx_bus_answer answer;
  enum config_part part = find_config(r->address, &bank, &index);
  if (part == PART_NONE) return refuse_unmapped(t, r);
  if (tracks(t, r->agent, TRACK_CONFIG) && wait_until_idle(t, r, &answer)) return answer;
  if (behind_stores(t, r, TX_REGION_CONFIG, &answer)) return answer;
  if (!tx_config_core_enter(t)) return wait_load(t, r, 0, t->engine.now + 1, TX_BLOCKED_CONFIG, r->address);
  uint32_t there = t->params.cfg_request_cycles;
  if (part == PART_THREAD) return finish_load(t, r, t->config.thread_words[bank][index], there, 2 * there);
  tx_config_note_read(t, reader_of(r->agent), bank, index);
  return finish_load(t, r, t->config.words[bank][index], there, 2 * there); /* the alias reads as bank 0 */
}

static struct tx_bus_answer access_config(struct tx_tile *t, const struct request *r) {
  if (r->agent == TX_AGENT_NCRISC)
    return refuse(t, r, SIM_FAULT_ADDRESS, "BabyRISCV/README.md", "backend configuration is not mapped for NCRISC");
  return r->store ? store_config(t, r) : load_config(t, r);
}

/* --- instruction push and MOP configuration --- */

/* The stages of a front end that move need to be asked again; those that stand are moved by the gate, which says so. */
static sim_time next_move(const struct tx_tile *t, unsigned thread) {
  return tx_frontend_drains(t, thread) ? t->engine.now + 1 : 0;
}

static struct tx_bus_answer push(struct tx_tile *t, const struct request *r) {
  unsigned window = (r->address - TX_ADDR_PUSH) >> 16;
  if (!r->store) return refuse(t, r, SIM_FAULT_ADDRESS, "PushTensixInstruction.md", "the instruction FIFOs cannot be read");
  if (r->agent == TX_AGENT_NCRISC)
    return refuse(t, r, SIM_FAULT_ADDRESS, "PushTensixInstruction.md", "NCRISC cannot push Tensix instructions");
  if (r->agent == TX_AGENT_BRISC) {
    if (tx_frontend_push_brisc(t, window, r->value, t->current.pc)) return done(0, 1);
    return wait_on(TX_CH(TX_CH_FIFO + window), next_move(t, window), TX_BLOCKED_FIFO, window);
  }
  if (window)
    return refuse(t, r, SIM_FAULT_UNDEFINED, "PushTensixInstruction.md",
                  "this hangs a T core: it pushes to its own thread, through 0xffe40000");
  unsigned thread = thread_of(r->agent);
  if (port_of(t, r->agent)->outstanding && tracks(t, r->agent, TRACK_CONFIG | TRACK_GPR))
    return wait_on(TX_CH(TX_CH_CORE), 0, TX_BLOCKED_LOAD, r->address);
  if (tx_frontend_push(t, thread, r->value, t->current.pc)) return done(0, 1);
  return wait_on(TX_CH(TX_CH_FIFO + thread), next_move(t, thread), TX_BLOCKED_FIFO, thread);
}

static struct tx_bus_answer access_mop(struct tx_tile *t, const struct request *r) {
  uint32_t index = (r->address - TX_ADDR_MOP_CFG) / 4;
  if (index >= TX_MOP_REGISTERS) return refuse_unmapped(t, r);
  if (!is_trisc(r->agent))
    return refuse(t, r, SIM_FAULT_ADDRESS, "MOPExpander.md",
                  "MOP configuration is mapped for the T cores only, each its own");
  if (!r->store) return refuse(t, r, SIM_FAULT_UNDEFINED, "MOPExpander.md", "MOP configuration is write-only");
  tx_frontend_write_mop_cfg(t, thread_of(r->agent), index, r->value);
  return done(0, 1);
}

/* --- semaphores and TTSync --- */

static struct tx_bus_answer load_sync(struct tx_tile *t, const struct request *r) {
  unsigned thread = thread_of(r->agent);
  uint32_t there = t->params.sync_request_cycles, round_trip = 2 * there + 1;
  struct tx_bus_answer answer;
  if (behind_stores(t, r, TX_REGION_SYNC, &answer)) return answer;
  if (r->address == TX_ADDR_TTSYNC) {
    if (wait_until_idle(t, r, &answer)) return answer;
    return finish_load(t, r, 0, there, round_trip); /* the value is undefined */
  }
  if (r->address == TX_ADDR_MOPSYNC) {
    tx_frontend_settle(t, thread, t->engine.now);
    if (!tx_frontend_mop_idle(&t->frontend[thread]))
      return wait_load(t, r, TX_CH(TX_CH_FIFO + thread), next_move(t, thread), TX_BLOCKED_MOPSYNC, thread);
    return finish_load(t, r, 0, there, round_trip);
  }
  return finish_load(t, r, t->sync.sem[(r->address - TX_ADDR_SEMAPHORE) / 4].value, there, round_trip);
}

static struct tx_bus_answer access_sync(struct tx_tile *t, const struct request *r) {
  bool ttsync = r->address == TX_ADDR_TTSYNC || r->address == TX_ADDR_MOPSYNC;
  bool semaphore = r->address >= TX_ADDR_SEMAPHORE && r->address < TX_ADDR_SEMAPHORE + 4 * TX_SEMAPHORES;
  if (!is_trisc(r->agent) && r->address < TX_ADDR_SEMAPHORE + 4 * TX_SEMAPHORES && (ttsync || semaphore))
    return refuse(t, r, SIM_FAULT_ADDRESS, "SyncUnit.md", "semaphores and TTSync are mapped for the T cores only");
  if (!ttsync && !semaphore) return refuse_unmapped(t, r);
  if (!r->store) return load_sync(t, r);
  if (ttsync) return done(0, 1); /* discarded; its order after earlier stores is the program's */
  return emit(t, r, TX_REGION_SYNC);
}

/* --- TDMA-RISC (mover.h) --- */

enum { TRACK_TDMA = 1u << TX_CFG_TENSIX_TRISC_SYNC_TrackTDMARegs_SHIFT };

static struct tx_bus_answer access_tdma(struct tx_tile *t, const struct request *r) {
  struct tx_bus_answer answer;
  uint32_t value = 0, there = t->params.cfg_request_cycles;
  if (r->agent == TX_AGENT_NCRISC)
    return refuse(t, r, SIM_FAULT_ADDRESS, "BabyRISCV/README.md", "TDMA-RISC is not mapped for NCRISC");
  if (tracks(t, r->agent, TRACK_TDMA) && wait_until_idle(t, r, &answer)) return answer;
  if (r->store) return emit(t, r, TX_REGION_TDMA);
  if (behind_stores(t, r, TX_REGION_TDMA, &answer)) return answer;
  switch (tx_tdma_read(t, r->agent, r->address, &value)) {
    case TX_TDMA_DONE: return finish_load(t, r, value, there, 2 * there);
    case TX_TDMA_NONE: return refuse_unmapped(t, r);
    default:
      return wait_load(t, r, TX_CH(TX_CH_UNIT + TX_UNIT_PACK) | TX_CH(TX_CH_UNIT + TX_UNIT_MOVER), 0, TX_BLOCKED_LOAD,
                       r->address);
  }
}

static bool process_tdma(struct tx_tile *t, const struct sim_effect *e) {
  struct request r = {.agent = e->agent, .address = e->w[1], .value = e->w[2], .store = true};
  t->current = (struct tx_current){.agent = e->agent, .word = e->w[1], .unit = TX_UNIT_FRONTEND};
  enum tx_tdma_result result = tx_tdma_write(t, e->agent, r.address, r.value);
  if (result == TX_TDMA_WAIT) put_off(t, e); /* the command queue is full */
  if (result == TX_TDMA_NONE) refuse_unmapped(t, &r);
  return result != TX_TDMA_WAIT;
}

/* --- registers behind 0xFFB11000 that the coprocessor sees too: only streams so far --- */

static bool find_stream(uint32_t address, unsigned *stream, unsigned *index) {
  uint32_t offset = address - TX_ADDR_STREAM;
  *stream = offset / TX_STREAM_BYTES;
  *index = offset % TX_STREAM_BYTES / 4;
  return address >= TX_ADDR_STREAM && *stream < TX_STREAMS;
}

bool tx_mmio_read(struct tx_tile *t, unsigned thread, uint32_t address, uint32_t *value) {
  unsigned stream, index;
  (void)thread;
  return find_stream(address, &stream, &index) && tx_stream_register_read(t, stream, index, value);
}

bool tx_mmio_write(struct tx_tile *t, unsigned thread, uint32_t address, uint32_t value, uint32_t byte_mask) {
  unsigned stream, index;
  (void)thread;
  return find_stream(address, &stream, &index) && tx_stream_register_write(t, stream, index, value, byte_mask);
}

static struct tx_bus_answer access_mmio(struct tx_tile *t, const struct request *r) {
  struct tx_bus_answer answer;
  uint32_t value;
  if (r->store) return tx_mmio_write(t, 0, r->address, 0, 0) ? emit(t, r, TX_REGION_MMIO) : refuse_unmapped(t, r);
  if (!tx_mmio_read(t, 0, r->address, &value)) return refuse_unmapped(t, r);
  if (behind_stores(t, r, TX_REGION_MMIO, &answer)) return answer;
  return finish_load(t, r, value, t->params.mmio_request_cycles, 2 * t->params.mmio_request_cycles + 1);
}

/* --- requests arrive --- */

static bool process_config(struct tx_tile *t, const struct sim_effect *e) {
  unsigned bank, index;
  if (t->timing && !e->w[3]) {
    struct sim_effect entered = *e;
    entered.w[3] = 1; /* in stage 0 in this cycle, seen in the next */
    if (tx_config_core_enter(t)) sim_effect_retry(&t->engine, entered, t->engine.now + 1);
    else put_off(t, e);
    return false;
  }
  t->current = (struct tx_current){.agent = e->agent, .word = e->w[1], .unit = TX_UNIT_FRONTEND};
  bool dual = find_config(e->w[1], &bank, &index) == PART_DUAL;
  for (unsigned i = dual ? 0 : bank; i <= (dual ? 1 : bank); i++) {
    tx_config_check_lost_update(t, reader_of(e->agent), i, index, e->w[2]);
    tx_config_write(t, i, index, e->w[2]);
    if (index >= TX_CFG_GLOBAL_BASE) break; /* has reached both already */
  }
  return true;
}

/* One semaphore operation per cycle for the whole unit; this one comes before the threads'. */
static bool process_semaphore(struct tx_tile *t, const struct sim_effect *e) {
  unsigned index = (e->w[1] - TX_ADDR_SEMAPHORE) / 4;
  if (t->arbiter.sync_taken_at == t->engine.now) {
    put_off(t, e);
    return false;
  }
  t->arbiter.sync_taken_at = t->engine.now;
  t->current = (struct tx_current){.agent = e->agent, .word = e->w[1], .unit = TX_UNIT_FRONTEND};
  if (e->w[2] & 1u) tx_sem_get(t, index);
  else tx_sem_post(t, index);
  sim_signal(&t->engine, TX_CH(TX_CH_SEM), t->engine.now); /* an effect: the gates see it in this cycle */
  return true;
}

void tx_effect_CORE_REQUEST(struct tx_tile *t, const struct sim_effect *e) {
  struct request r = {.agent = e->agent, .address = e->w[1], .value = e->w[2], .store = true};
  unsigned thread = 0, reg = 0;
  bool finished = true;
  if (port_of(t, e->agent)->held_at[e->w[0]] == t->engine.now) { /* behind one that was put off */
    put_off(t, e);
    return;
  }
  switch ((enum tx_bus_region)e->w[0]) {
    case TX_REGION_L1: {
      const uint8_t raw[4] = {(uint8_t)r.value, (uint8_t)(r.value >> 8), (uint8_t)(r.value >> 16), (uint8_t)(r.value >> 24)};
      tx_l1_write(t, r.address, raw, 4);
      break;
    }
    case TX_REGION_GPR:
      find_gpr(&r, &thread, &reg);
      tx_gpr_write(t, thread, reg, r.value, 0xfu);
      break;
    case TX_REGION_CONFIG: finished = process_config(t, e); break;
    case TX_REGION_TDMA: finished = process_tdma(t, e); break;
    case TX_REGION_SYNC: finished = process_semaphore(t, e); break;
    default: tx_mmio_write(t, 0, r.address, r.value, 0xfu); break;
  }
  if (finished) processed(t, e->agent, (enum tx_bus_region)e->w[0]);
}

/* --- the two doors --- */

static struct tx_bus_answer access(struct tx_tile *t, const struct request *r) {
  if (r->address & 3u)
    return refuse(t, r, SIM_FAULT_ADDRESS, "BabyRISCV/README.md", "32-bit access at an unaligned address");
  if (r->address < TX_L1_BYTES) return access_l1(t, r);
  if (r->address >> 12 == TX_ADDR_TDMA >> 12) return access_tdma(t, r);
  switch (r->address >> 16) {
    case 0xFFB4:
    case 0xFFB5:
    case 0xFFB6:
    case 0xFFB7: return access_mmio(t, r);
    case 0xFFB8: return access_mop(t, r);
    case 0xFFE0: return access_gpr(t, r);
    case 0xFFE4:
    case 0xFFE5:
    case 0xFFE6: return push(t, r);
    case 0xFFE8: return access_sync(t, r);
    case 0xFFEF: return access_config(t, r);
    default: return refuse_unmapped(t, r);
  }
}

struct tx_bus_answer tx_bus_load(struct tx_tile *t, unsigned agent, uint32_t address) {
  return access(t, &(struct request){.agent = agent, .address = address});
}

struct tx_bus_answer tx_bus_store(struct tx_tile *t, unsigned agent, uint32_t address, uint32_t value) {
  return access(t, &(struct request){.agent = agent, .address = address, .value = value, .store = true});
}
