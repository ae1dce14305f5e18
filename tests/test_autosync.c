/* Auto TTSync with scripted cores, against the statements and tables of AutoTTSync.md (Blackhole): the resources, the classification of
 * addresses and instructions, the order of waits, MOP and REPLAY, RESOURCEDECL, banks; and whole programs against
 * program order. */
#include <fnmatch.h>

#include "bus_store.h"
#include "rig.h"
#include "scale.h"
#include "tensix/isa/isa.h"

enum { T0 = TX_AGENT_TRISC0, T1 = TX_AGENT_TRISC1, B = TX_AGENT_BRISC };
enum {
  GLOBAL_CFG_BIT = 1,
  SUBDIVIDED = 2,
  GPR_BIT = 4,
  TDMA_BIT = 8,
  INSTRUCTIONS = 16,
  EVERYTHING = 31
}; /* ThreadConfig 56 */

#define CONFIG(bank, index) (0xFFEF0000u + 4 * (224 * (bank) + (index)))
#define DUAL(index) (0xFFEF0000u + 4 * (448 + (index)))
#define THREAD_CONFIG(thread, index) (0xFFEF0000u + 4 * (672 + 68 * (thread) + (index)))
#define GPR(index) (0xFFE00000u + 4 * (index))
#define TDMA 0xFFB11000u
#define PUSH 0xFFE40000u
#define SEMAPHORE 0xFFE80020u

#define SETDMA(reg, value) OP(SETDMAREG, (uint32_t)(value) << 8 | 2 * (reg)) /* the low half */
#define ADD(to, a, n) OP(ADDDMAREG, 1u << 23 | (uint32_t)(to) << 12 | (uint32_t)(n) << 6 | (a))
#define STATE_ID(bank) OP(SETC16, 0u << 16 | (bank))
#define DECLARE(class, resources, linger) OP(RESOURCEDECL, (uint32_t)(linger) << 13 | (uint32_t)(resources) << 4 | (class))
#define READ_GPR(reg) OP(STOREREG, (uint32_t)(reg) << 18 | (0xFFB40000u + 29 * 4 - 0xFFB00000u) / 4) /* class 5 */
#define HOLD OP(SEMWAIT, TX_BLOCK_BITS << 15 | 1u << 2 | 1u) /* blocks every class until semaphore 0 is posted */

static struct tx_tile *new_tile(uint32_t settings) {
  struct tx_tile *t = rig_tile(true);
  for (unsigned thread = 0; thread < TX_THREADS; thread++) t->config.thread_words[thread][56] = (uint16_t)settings;
  return t;
}

/* Whether Auto TTSync holds the access. Other reasons to wait (the region's own) are ignored. */
static bool is_held(struct tx_tile *t, unsigned agent, uint32_t address, bool is_store) {
  struct tx_bus_answer answer = is_store ? bus_store(t, agent, address, 0) : tx_bus_load(t, agent, address);
  assert_int_not_equal(answer.result, TX_BUS_FAULT);
  bool held = answer.result == TX_BUS_WAIT && answer.wait.kind == TX_BLOCKED_TRACKED;
  if (held) assert_int_equal(answer.wait.object, 0); /* the tests use thread 0 */
  if (held && !is_store) tx_autosync_end_load(t, 0); /* they do not come back */
  return held;
}

/* --- what instructions use --- */

/* The page's table: r and w per resource; c all parts of the bank, u the unpacker that the instruction names, m the remainder. */
static const struct {
  const char *names, *gpr, *tdma, *config, *parts;
} page[] = {
    {"NOP MOP_CFG RESOURCEDECL", "", "", "", ""},
    {"ADDDMAREG SUBDMAREG MULDMAREG BITWOPDMAREG SHIFTDMAREG CMPDMAREG SETDMAREG", "rw", "", "", ""},
    {"ATINCGET ATINCGETPTR ATSWAP ATCAS", "rw", "", "", ""},
    {"REG2FLOP", "rw", "rw", "", ""},
    {"LOADIND STOREIND", "rw", "", "", ""},
    {"STREAMWRCFG CFGSHIFTMASK", "", "", "rw", "c"},
    {"STOREREG", "r", "", "", ""},
    {"LOADREG", "w", "", "", ""},
    {"FLUSHDMA", "", "w", "", ""},
    {"WRCFG", "r", "", "w", "c"},
    {"RDCFG", "w", "", "r", "c"},
    {"XMOV", "rw", "", "rw", "c"},
    {"UNPACR UNPACR_NOP", "", "rw", "r", "u"},
    {"PACR", "", "rw", "r", "m"},
    {"MOP REPLAY", "rw", "rw", "rw", "c"},
};

static bool is_named(const char *names, const char *name) {
  size_t length = strlen(name);
  for (const char *at = names; (at = strstr(at, name)); at += length)
    if ((at == names || at[-1] == ' ') && (at[length] == ' ' || !at[length])) return true;
  return false;
}

static const char *use_of_part(size_t row, char part, unsigned unpacker, bool subdivided) {
  char which = page[row].parts[0];
  if (which == 'c' || (which == 'u' && !subdivided)) return page[row].config;
  if (which == 'u') return part == (unpacker ? '1' : '0') ? page[row].config : "";
  return which == part ? page[row].config : "";
}

/* Asserts that a queued `word` holds stores to and loads from the address according to its use ("", "r", "w", "rw"). */
static void expect_hold(uint32_t settings, uint32_t word, uint32_t address, const char *use) {
  for (unsigned is_store = 0; is_store < 2; is_store++) {
    struct tx_tile *t = new_tile(settings);
    assert_int_equal(bus_store(t, T0, PUSH, word).result, TX_BUS_DONE);
    bool held = is_store ? use[0] != 0 : strchr(use, 'w') != NULL;
    if (is_held(t, T0, address, is_store) != held)
      fail_msg("%s, %s 0x%08x, settings 0x%02x: %d expected", tx_ops[word >> 24].name, is_store ? "store" : "load", address,
               settings, held);
    /* No other resource is held, and none without the other enable bit. */
    assert_false(is_held(t, T1, address, is_store));
    t->config.thread_words[0][56] = (uint16_t)(settings & ~(uint32_t)INSTRUCTIONS);
    assert_false(is_held(t, T0, address, is_store));
    tile_give_back(t);
  }
}

static void check_instruction(const struct tx_op *op, unsigned unpacker, bool subdivided) {
  size_t row = 0;
  while (row < sizeof page / sizeof *page && !is_named(page[row].names, op->name)) row++;
  static const char rest[] = "r";
  bool other = row == sizeof page / sizeof *page; /* reads the remainder */
  uint32_t word = (uint32_t)op->opcode << 24 | unpacker << 23, settings = subdivided ? EVERYTHING : EVERYTHING & ~SUBDIVIDED;
  expect_hold(settings, word, GPR(7), other ? "" : page[row].gpr);
  expect_hold(settings, word, TDMA + 4, other ? "" : page[row].tdma);
  static const struct {
    unsigned index;
    char part;
  } words[] = {{64, '0'}, {112, '1'}, {30, 'm'}};
  for (unsigned i = 0; i < 3; i++) {
    const char *use = other ? (words[i].part == 'm' ? rest : "") : use_of_part(row, words[i].part, unpacker, subdivided);
    if (!subdivided) { /* every address counts as all three parts */
      use = other ? rest : page[row].config;
    }
    expect_hold(settings, word, CONFIG(0, words[i].index), use);
    expect_hold(settings, word, CONFIG(1, words[i].index), ""); /* the thread's CFG_STATE_ID is 0 */
    expect_hold(settings & ~(uint32_t)GLOBAL_CFG_BIT, word, CONFIG(0, words[i].index), "");
  }
  expect_hold(settings & ~(uint32_t)GPR_BIT, word, GPR(7), "");
  expect_hold(settings & ~(uint32_t)TDMA_BIT, word, TDMA + 4, "");
}

static void every_instruction_holds_what_the_page_says(void **state) {
  (void)state;
  for (unsigned i = 0; i < 256; i++)
    for (unsigned variant = 0; variant < 4 && tx_ops[i].name; variant++)
      check_instruction(&tx_ops[i], variant & 1u, variant & 2u);
}

/* --- classification of addresses --- */

/* The page's table of fields that are not only remainder: parts 0, 1 and m. The first match applies. */
static const struct {
  const char *field, *parts;
} fields[] = {
    {"THCON_SEC0_REG10_Unpack_*", "0"},
    {"THCON_SEC0_REG0_TileDescriptor", "0"}, /* first word */
    {"THCON_SEC0_REG[23457]_*", "0"},
    {"THCON_SEC1_REG0_TileDescriptor", "1"}, /* first word */
    {"THCON_SEC1_REG2_Unpack_fifo_size", "m"},
    {"THCON_SEC1_REG2_Unpack_limit_address", "m"},
    {"THCON_SEC1_REG2_*", "1"},
    {"THCON_SEC1_REG3_Base_address", "1"},
    {"THCON_SEC1_REG3_Base_cntx1_address", "1"},
    {"THCON_SEC1_REG7_Offset_address", "1"},
    {"THCON_SEC1_REG7_Offset_cntx1_address", "1"},
    {"THCON_SEC1_REG7_Unpack_data_format_cntx[0145]", "1"},
    {"THCON_SEC1_REG7_Unpack_out_data_format_cntx[0145]", "1"},
    {"UNP0_ADDR_BASE_REG_[01]_Base", "01m"},
    {"UNP0_ADDR_CTRL_XY_REG_0_*", "0"},
    {"UNP0_ADDR_CTRL_ZW_REG_0_*", "01"},
    {"UNP0_ADDR_CTRL_*", "m"},
    {"UNP0_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr", "01m"},
    {"UNP0_BLOBS_Y_START_CNTX_*", "0"},
    {"UNP0_FORCED_SHARED_EXP_shared_exp", "01m"},
    {"UNP0_NOP_REG_CLR_VAL_nop_reg_clr_val", "0"},
    {"UNP1_*", "1"},
    {"*", "m"},
};

static uint32_t mask_of(const char *parts) {
  uint32_t mask = 0;
  for (; *parts; parts++) mask |= *parts == '0' ? 1u : *parts == '1' ? 2u : 4u;
  return mask;
}

static void addresses_count_as_the_page_says(void **state) {
  (void)state;
  struct tx_tile *t = new_tile(EVERYTHING), *whole = new_tile(EVERYTHING & ~SUBDIVIDED);
  unsigned seen = 0;
  for (size_t i = 0; i < tx_config_field_count; i++) {
    const struct tx_config_field *f = &tx_config_fields[i];
    size_t row = 0;
    if (f->thread) continue;
    while (fnmatch(fields[row].field, f->name, 0)) row++;
    for (unsigned word = f->addr; word < f->addr + (f->width + 31u) / 32; word++) {
      uint32_t parts = word == f->addr ? mask_of(fields[row].parts) : 4u; /* the bug: only the first word of a descriptor */
      for (unsigned bank = 0; bank < 2; bank++) {
        uint32_t wanted = word < 180 ? parts << 3 * bank : 044u;
        if (tx_autosync_resources(t, T0, CONFIG(bank, word)) != wanted)
          fail_msg("%s, word %u, bank %u: %o instead of %o", f->name, word, bank,
                   tx_autosync_resources(t, T0, CONFIG(bank, word)), wanted);
        assert_int_equal(tx_autosync_resources(whole, T0, CONFIG(bank, word)), word < 180 ? 7u << 3 * bank : 077u);
      }
      assert_int_equal(tx_autosync_resources(t, T0, DUAL(word)), 044);
      assert_int_equal(tx_autosync_resources(whole, T0, DUAL(word)), 077);
      seen++;
    }
  }
  assert_true(seen > 300);
  for (unsigned thread = 0; thread < 3; thread++)
    for (unsigned i = 0; i < 68; i++) {
      assert_int_equal(tx_autosync_resources(t, T1, THREAD_CONFIG(thread, i)), thread == 0 && i == 1 ? 033 : 044);
      assert_int_equal(tx_autosync_resources(whole, T1, THREAD_CONFIG(thread, i)), 077);
    }
  /* Only T cores, only these three spaces. */
  assert_int_equal(tx_autosync_resources(t, T0, GPR(63)), TX_SYNC_GPR);
  assert_int_equal(tx_autosync_resources(t, T0, TDMA + 0x14), TX_SYNC_TDMA);
  static const uint32_t others[] = {0x1000, SEMAPHORE, 0xFFB80000u, 0xFFBD8000u, 0xFFB12000u, 0xFFEC0000u, 0xFFB40000u};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) assert_int_equal(tx_autosync_resources(t, T0, others[i]), 0);
  for (unsigned agent = B; agent <= TX_AGENT_NCRISC; agent++) assert_int_equal(tx_autosync_resources(t, agent, GPR(3)), 0);
  tile_give_back(t);
  free(whole);
}

/* --- which access waits for which --- */

static struct rig *rig_with(bool timing, uint32_t settings) {
  struct rig *r = rig_new(timing);
  r->t->sync.sem[0].max = 1;
  r->t->config.thread_words[0][56] = (uint16_t)settings;
  return r;
}

/* Thread 1's core releases thread 0 after some cycles. */
static void release_later(struct rig *r) {
  rig_push_times(r, 1, OP(NOP, 0), 150);
  rig_sync(r, 1);
  rig_store(r, 1, SEMAPHORE, 0);
}

/* Push, then store: a queued reader sees the old value, and a queued writer's value is overwritten. */
static void a_store_waits_for_instructions_that_read_or_write(void **state) {
  (void)state;
  for (unsigned variant = 0; variant < 4; variant++) {
    bool tracked = variant & 1u;
    struct rig *r = rig_with(variant & 2u, tracked ? EVERYTHING : 0);
    r->t->scalar.gpr[0][2] = 1;
    rig_push(r, 0, HOLD);
    rig_push(r, 0, ADD(3, 2, 0)); /* GPR 3 = GPR 2 */
    rig_push(r, 0, SETDMA(4, 7));
    rig_store(r, 0, GPR(2), 50);
    rig_store(r, 0, GPR(4), 8);
    release_later(r);
    rig_run_well(r);
    assert_int_equal(r->t->scalar.gpr[0][3], tracked ? 1 : 50);
    assert_int_equal(r->t->scalar.gpr[0][4], tracked ? 8 : 7);
    rig_free(r);
  }
}

/* Push, then load: only queued writers hold the load; a reading instruction does not. */
static void a_load_waits_for_instructions_that_write(void **state) {
  (void)state;
  for (unsigned variant = 0; variant < 4; variant++) {
    bool writes = variant & 1u;
    struct rig *r = rig_with(variant & 2u, EVERYTHING);
    rig_push(r, 0, HOLD);
    rig_push(r, 0, writes ? SETDMA(2, 7) : READ_GPR(2));
    if (!writes) rig_copy(r, 0, GPR(2), 0x1000);
    if (!writes) rig_store(r, 0, 0x1004, 1); /* the core reaches this point although no access releases the thread */
    if (!writes) {
      assert_int_equal(rig_run(r), SIM_END_BLOCKED);
      assert_int_equal(r->t->l1[0x1004], 1);
      rig_free(r);
      continue;
    }
    rig_copy(r, 0, GPR(2), 0x1000);
    release_later(r);
    rig_run_well(r);
    assert_int_equal(r->t->l1[0x1000], 7);
    rig_free(r);
  }
}

/* Store, then push: the instruction waits at the gate, and the time shows as such. */
static void an_instruction_waits_for_the_store_before_it(void **state) {
  (void)state;
  for (unsigned tracked = 0; tracked < 2; tracked++) {
    struct rig *r = rig_with(true, tracked ? GPR_BIT | INSTRUCTIONS : 0);
    r->t->params.gpr_request_cycles = 30;
    rig_store(r, 0, GPR(2), 100);
    rig_push(r, 0, OP(SETRWC, 0)); /* uses no GPR: passes */
    rig_push(r, 0, ADD(3, 2, 5));
    rig_run_well(r);
    assert_int_equal(r->t->scalar.gpr[0][3], tracked ? 105 : 5);
    assert_true(rig_issued(r, 0, TX_SETRWC, 0)->at < 10);
    assert_int_equal(rig_issued(r, 0, TX_ADDDMAREG, 0)->at >= 30, tracked);
    assert_int_equal(r->t->gate[0].stalled[TX_BLOCKED_ACCESS] > 20, tracked);
    rig_free(r);
  }
}

/* The instruction waits some cycles after the access, as many as its class's linger register takes to shift out. yaml: RESOURCEDECL. */
static void an_instruction_lingers_after_its_wait(void **state) {
  (void)state;
  static const unsigned cycles[16] = {0, 1, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4};
  sim_time arrived = 0;
  for (unsigned linger = 0; linger <= 16; linger++) { /* 16: as after reset */
    struct rig *r = rig_with(true, GPR_BIT | INSTRUCTIONS);
    r->t->params.gpr_request_cycles = 30;
    if (linger < 16) rig_push(r, 0, DECLARE(0, 0x60, linger));
    else rig_push(r, 0, OP(NOP, 0));
    rig_store(r, 0, GPR(2), 100);
    rig_push(r, 0, ADD(3, 2, 5));
    rig_run_well(r);
    sim_time at = rig_issued(r, 0, TX_ADDDMAREG, 0)->at;
    if (linger == 0) arrived = at;
    assert_int_equal(at - arrived, cycles[linger < 16 ? linger : 1]);
    rig_free(r);
  }
}

/* Load, then push: the load waits for an earlier writer; a later writer waits for the load. */
static void an_instruction_waits_for_the_load_before_it(void **state) {
  (void)state;
  struct tx_tile *t = new_tile(GPR_BIT | INSTRUCTIONS);
  assert_int_equal(bus_store(t, T0, PUSH, SETDMA(2, 5)).result, TX_BUS_DONE);
  assert_int_equal(tx_bus_load(t, T0, GPR(2)).result, TX_BUS_WAIT);
  assert_int_equal(bus_store(t, T0, PUSH, READ_GPR(2)).result, TX_BUS_DONE); /* may pass */
  assert_int_equal(bus_store(t, T0, PUSH, SETDMA(2, 9)).result, TX_BUS_DONE);
  tx_tile_run(t, 140);
  if (t->engine.now < 140) t->engine.now = 140;
  assert_int_equal(t->scalar.gpr[0][2], 5);
  assert_int_equal(t->gate[0].issued, 2);
  assert_int_equal(t->engine.agents[TX_AGENT_THREAD0].wait.kind, TX_BLOCKED_ACCESS);
  struct tx_bus_answer answer = tx_bus_load(t, T0, GPR(2)); /* the core repeats the load: only older instructions count */
  assert_int_equal(answer.result, TX_BUS_DONE);
  assert_int_equal(answer.value, 5);
  tx_tile_run(t, 180);
  assert_int_equal(t->scalar.gpr[0][2], 9);
  tile_give_back(t);
}

/* A stalled thread alone does not hold its core: the core stores while the thread is stalled, and releases it afterwards. */
static void unrelated_instructions_hold_nothing(void **state) {
  (void)state;
  for (unsigned timing = 0; timing < 2; timing++) {
    struct rig *r = rig_with(timing, EVERYTHING);
    rig_push(r, 0, HOLD);
    rig_push_times(r, 0, OP(SETRWC, 0), 5);
    rig_push(r, 0, OP(UNPACR_NOP, 1u << 23 | 2)); /* unpacker 1 */
    rig_store(r, 0, GPR(2), 50);
    rig_store(r, 0, CONFIG(0, 76), 0x1234); /* of unpacker 0 */
    rig_copy(r, 0, CONFIG(0, 0), 0x1000);   /* read by all of them, but only read */
    rig_store(r, 0, SEMAPHORE, 0);
    rig_run_well(r);
    assert_int_equal(r->t->scalar.gpr[0][2], 50);
    assert_int_equal(r->t->config.words[0][76], 0x1234);
    rig_free(r);
  }
}

/* --- expansion --- */

static void program_mop(struct rig *r, uint32_t word, unsigned inner) {
  const uint32_t nop = OP(NOP, 0);
  const uint32_t cfg[9] = {1, inner, nop, nop, nop, word, nop, word, word};
  memcpy(r->t->frontend[0].mop.cfg, cfg, sizeof cfg);
}

/* The core waits for the last word of an expansion, regardless of its contents; the first word waits for the core. */
static void an_expansion_counts_as_its_mop_or_replay(void **state) {
  (void)state;
  for (unsigned variant = 0; variant < 4; variant++) {
    bool replay = variant & 1u, declared = variant & 2u;
    struct rig *r = rig_with(true, GPR_BIT | INSTRUCTIONS);
    r->t->params.gpr_request_cycles = 20;
    r->t->sync.sem[1].max = 15;
    if (declared) rig_push(r, 0, DECLARE(replay ? 14 : 13, 0, 1)); /* uses nothing */
    program_mop(r, OP(SEMPOST, 1u << 3), 12);                      /* class 15: no GPR by itself */
    for (unsigned i = 0; i < 12; i++) r->t->frontend[0].replay.slot[i] = OP(SEMPOST, 1u << 3);
    r->t->frontend[0].replay.loaded = 0xfffu;
    rig_store(r, 0, GPR(2), 1);
    rig_push(r, 0, replay ? OP(REPLAY, 12u << 4) : OP(MOP, 1u << 23));
    rig_store(r, 0, GPR(2), 2);
    rig_copy(r, 0, SEMAPHORE + 4, 0x1000); /* how many had passed when the store was taken, at least */
    rig_run_well(r);
    const struct rig_issue *first = rig_issued(r, 0, TX_SEMPOST, 0), *last = rig_issued(r, 0, TX_SEMPOST, 11);
    assert_int_equal(first->at >= 20, !declared);
    assert_int_equal(last->at - first->at, 11); /* the others wait for nothing */
    if (!declared) assert_int_equal(r->t->l1[0x1000], 12);
    else assert_true(r->t->l1[0x1000] < 12);
    assert_int_equal(r->t->scalar.gpr[0][2], 2);
    rig_free(r);
  }
}

/* A REPLAY expanded from a MOP counts as part of the MOP. */
static void a_replay_inside_a_mop_counts_as_the_mop(void **state) {
  (void)state;
  for (unsigned declared = 13; declared <= 14; declared++) {
    struct rig *r = rig_with(true, GPR_BIT | INSTRUCTIONS);
    r->t->sync.sem[1].max = 15;
    rig_push(r, 0, DECLARE(declared, 0, 1));
    program_mop(r, OP(REPLAY, 4u << 4), 3);
    for (unsigned i = 0; i < 4; i++) r->t->frontend[0].replay.slot[i] = OP(SEMPOST, 1u << 3);
    r->t->frontend[0].replay.loaded = 0xfu;
    rig_push(r, 0, OP(MOP, 1u << 23));
    rig_store(r, 0, GPR(2), 2);
    rig_copy(r, 0, SEMAPHORE + 4, 0x1000);
    rig_run_well(r);
    if (declared == 14) assert_int_equal(r->t->l1[0x1000], 12);
    else assert_true(r->t->l1[0x1000] < 12);
    rig_free(r);
  }
}

/* --- declarations and banks --- */

/* A declaration applies to instructions pushed after it, not to those queued before it; it may be made before tracking is on. */
static void declarations_keep_program_order(void **state) {
  (void)state;
  for (unsigned before = 0; before < 2; before++) {
    struct tx_tile *t = new_tile(before ? 0 : EVERYTHING);
    if (!before) bus_store(t, T0, PUSH, SETDMA(2, 1));
    bus_store(t, T0, PUSH, DECLARE(0, 0, 1));
    assert_int_equal(is_held(t, T0, GPR(1), false), !before);
    tx_tile_run(t, 140);
    t->engine.now = 140;
    t->config.thread_words[0][56] = EVERYTHING;
    bus_store(t, T0, PUSH, SETDMA(2, 2));
    assert_false(is_held(t, T0, GPR(1), false));
    bus_store(t, T0, PUSH, DECLARE(15, 1u << 8, 1)); /* all others write TDMA-RISC now */
    bus_store(t, T0, PUSH, OP(SETRWC, 0));
    assert_true(is_held(t, T0, TDMA + 0x14, false));
    assert_int_equal(t->autosync[1].declared[15], 0x11); /* each thread has its own */
    tile_give_back(t);
  }
}

static void the_bank_is_the_one_that_the_instruction_will_use(void **state) {
  (void)state;
  struct tx_tile *t = new_tile(GLOBAL_CFG_BIT | INSTRUCTIONS);
  bus_store(t, T0, PUSH, STATE_ID(1));
  assert_true(is_held(t, T0, CONFIG(0, 100), true)); /* SETC16 itself still reads bank 0 */
  assert_false(is_held(t, T0, CONFIG(1, 100), true));
  for (unsigned passed = 0; passed < 2; passed++) { /* SETC16 is still queued, then its effect is there */
    bus_store(t, T0, PUSH, OP(WRCFG, 100));
    assert_false(is_held(t, T0, CONFIG(0, 101), false));
    assert_true(is_held(t, T0, CONFIG(1, 101), false));
    assert_true(is_held(t, T0, DUAL(101), false));
    tx_tile_run(t, 140);
    t->engine.now = 140;
  }
  tile_give_back(t);
}

/* --- programs --- */

enum { CELLS = 4, FIRST_WORD = 100 };

struct model {
  uint32_t gpr[CELLS], config[2][CELLS], bank;
};

/* One random step, in the program and in the model, which does everything at once. */
static void add_step(struct rig *r, struct model *m, uint64_t *seed, uint32_t *to, uint32_t *expected) {
  uint32_t a = (uint32_t)(rig_random(seed) % CELLS), b = (uint32_t)(rig_random(seed) % CELLS);
  uint32_t bank = (uint32_t)(rig_random(seed) % 2), value = (uint32_t)(rig_random(seed) % 60);
  switch (rig_random(seed) % 10) {
    case 0:
      rig_push(r, 0, ADD(a, b, value));
      m->gpr[a] = m->gpr[b] + value;
      break;
    case 1:
      rig_push(r, 0, SETDMA(a, value));
      m->gpr[a] = (m->gpr[a] & 0xffff0000u) | value;
      break;
    case 2:
      rig_push(r, 0, OP(WRCFG, a << 16 | (FIRST_WORD + b)));
      m->config[m->bank][b] = m->gpr[a];
      break;
    case 3:
      rig_push(r, 0, STATE_ID(bank));
      m->bank = bank;
      break;
    case 4:
      rig_store(r, 0, GPR(a), value);
      m->gpr[a] = value;
      break;
    case 5:
      rig_store(r, 0, CONFIG(bank, FIRST_WORD + a), value);
      m->config[bank][a] = value;
      break;
    case 6:
      rig_copy(r, 0, GPR(a), *to);
      expected[(*to - 0x1000) / 4] = m->gpr[a];
      *to += 4;
      break;
    case 7:
      rig_copy(r, 0, CONFIG(bank, FIRST_WORD + a), *to);
      expected[(*to - 0x1000) / 4] = m->config[bank][a];
      *to += 4;
      break;
    default: rig_push_times(r, 0, OP(NOP, 0), 1 + value % 8); break;
  }
}

static void programs_run_as_if_in_program_order(void **state) {
  (void)state;
  uint64_t seed = 56;
  for (uint64_t n = 0; n < test_scaled(400); n++) {
    struct rig *r = rig_with(n % 2, n % 4 < 2 ? EVERYTHING : EVERYTHING & ~SUBDIVIDED);
    struct model m = {0};
    uint32_t to = 0x1000, expected[200];
    for (unsigned i = 0; i < 200; i++) add_step(r, &m, &seed, &to, expected);
    rig_sync(r, 0);
    rig_run_well(r);
    for (uint32_t at = 0x1000; at < to; at += 4)
      if (tx_l1_read(r->t, at, 4) != expected[(at - 0x1000) / 4])
        fail_msg("program %u, load %u: %u instead of %u", (unsigned)n, (at - 0x1000) / 4, tx_l1_read(r->t, at, 4),
                 expected[(at - 0x1000) / 4]);
    for (unsigned i = 0; i < CELLS; i++) {
      assert_int_equal(r->t->scalar.gpr[0][i], m.gpr[i]);
      for (unsigned bank = 0; bank < 2; bank++)
        assert_int_equal(r->t->config.words[bank][FIRST_WORD + i], m.config[bank][i]);
    }
    assert_int_equal(r->t->gate[0].accesses, 0);
    rig_free(r);
  }
}

/* --- reports --- */

static void a_hang_is_explained(void **state) {
  (void)state;
  for (unsigned timing = 0; timing < 2; timing++) {
    struct rig *r = rig_with(timing, EVERYTHING);
    char text[4096];
    rig_push(r, 0, HOLD);
    rig_push(r, 0, SETDMA(2, 7));
    rig_store(r, 0, GPR(2), 50); /* waits for a release that only the next line performs */
    rig_store(r, 0, SEMAPHORE, 0);
    assert_int_equal(rig_run(r), SIM_END_BLOCKED);
    obs_hang_report(r->t, text, sizeof text);
    if (!strstr(text, "TRISC0: waiting for instructions of thread 0") ||
        !strstr(text, "instructions of thread 0 that use GPRs to pass the gate (Auto TTSync)"))
      fail_msg("%s", text);
    rig_free(r);
  }
}

/* An access through a gap of the mapping is still a race and is reported: UNPACR reads all of its descriptor. */
static void the_descriptors_other_words_are_not_tracked(void **state) {
  (void)state;
  for (unsigned word = 64; word < 68; word++) {
    struct tx_tile *t = new_tile(EVERYTHING);
    bus_store(t, T0, PUSH, OP(UNPACR, 0));
    struct tx_bus_answer answer = bus_store(t, T0, CONFIG(0, word), 0x11);
    assert_int_equal(answer.result, word == 64 ? TX_BUS_WAIT : TX_BUS_DONE);
    assert_int_equal(t->diag.counts[TX_DIAG_CFG_CORE_RACE], word != 64);
    tile_give_back(t);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_instruction_holds_what_the_page_says),
      cmocka_unit_test(addresses_count_as_the_page_says),
      cmocka_unit_test(a_store_waits_for_instructions_that_read_or_write),
      cmocka_unit_test(a_load_waits_for_instructions_that_write),
      cmocka_unit_test(an_instruction_waits_for_the_store_before_it),
      cmocka_unit_test(an_instruction_lingers_after_its_wait),
      cmocka_unit_test(an_instruction_waits_for_the_load_before_it),
      cmocka_unit_test(unrelated_instructions_hold_nothing),
      cmocka_unit_test(an_expansion_counts_as_its_mop_or_replay),
      cmocka_unit_test(a_replay_inside_a_mop_counts_as_the_mop),
      cmocka_unit_test(declarations_keep_program_order),
      cmocka_unit_test(the_bank_is_the_one_that_the_instruction_will_use),
      cmocka_unit_test(programs_run_as_if_in_program_order),
      cmocka_unit_test(a_hang_is_explained),
      cmocka_unit_test(the_descriptors_other_words_are_not_tracked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
