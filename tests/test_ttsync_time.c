/* The cycle in which a load of CoprocessorDoneCheck, of MOPExpanderDoneCheck or of a tracked resource is answered: the first one in which what it
 * waits for is over (ISA: ManualTTSync.md, AutoTTSync.md). The programs are random; that cycle is found by inspecting the tile after
 * each. */
#include "riscv_rig.h"
#include "scale.h"
#include "tensix/frontend/autosync_access.h"
#include "tensix/frontend/frontend.h"
#include "tensix/tile/idle.h"

#define OP(name, bits) ((uint32_t)TX_##name << 24 | (uint32_t)(bits))
#define TTSYNC 0xFFE80004u
#define MOPSYNC 0xFFE80008u
#define GPRS 0xFFE00000u

static uint32_t random_word(uint64_t *seed) {
  static const uint32_t words[] = {OP(NOP, 0),
                                   OP(SETRWC, 0),
                                   OP(ADDDMAREG, 0),
                                   OP(SFPNOP, 0),
                                   OP(SFPADD, 0x9000),
                                   OP(LOADIND, 1u << 22 | 4u << 6 | 8u),
                                   OP(WRCFG, 5u << 16 | 100u),
                                   OP(RDCFG, 6u << 16 | 100u),
                                   OP(STALLWAIT, 0x1ffu << 15 | 1u << TX_C0_SCALAR_MEMORY),
                                   OP(STALLWAIT, 1u << 6 << 15 | 1u << TX_C12_CONFIG),
                                   OP(ZEROACC, 3u << 19),
                                   OP(SEMPOST, 1u << 2),
                                   OP(SETADC, 0),
                                   OP(MOP, 1u << 23),
                                   OP(SETDMAREG, 7u << 8 | 2 * 9)};
  return words[rv_random(seed) % (sizeof words / sizeof *words)];
}

/* n pushes, a load of `address`, the end. */
static void make(struct rv *r, uint64_t seed, uint32_t address) {
  rv_new(r, true);
  for (unsigned i = 0; i < 9; i++) r->t->frontend[0].mop.cfg[i] = i < 2 ? 2 + (unsigned)(seed % 3) : OP(SETADC, 0);
  r->t->sync.sem[0].max = 15;
  if (address >> 16 == GPRS >> 16) r->t->config.thread_words[0][56] = 0x1f;
  rv_firmware(r);
  rv_li(r, A0, address);
  for (uint64_t n = rv_random(&seed) % 6, i = 0; i < n; i++) rv_put(r, rv_ttinsn(random_word(&seed)));
  rv_put_times(r, RV_NOP, (unsigned)(rv_random(&seed) % 4));
  if (rv_random(&seed) % 2) rv_put(r, RV_FENCE);
  if (address >> 16 != GPRS >> 16) rv_put(r, rv_sw(ZERO, 0, A0));
  rv_put(r, rv_lw(A1, 0, A0));
  rv_put(r, rv_addi(A1, A1, 0));
  rv_put(r, RV_EBREAK);
}

/* Whether nothing holds the load in this cycle. A latched wait that was there in the cycle before blocked in this one still
 * (STALLWAIT.md). */
static bool over(struct tx_tile *t, uint32_t address, bool latched) {
  if (address == TTSYNC) return !latched && tx_tile_idle_at(t, 0) <= t->engine.now;
  if (address == MOPSYNC) {
    tx_frontend_settle(t, 0, t->engine.now);
    return tx_frontend_mop_idle(t, 0);
  }
  return !tx_autosync_load_waits(t, 0, tx_autosync_resources(t, TX_AGENT_TRISC0, address), address);
}

/* Cycles that the load waits after nothing holds it; *waited: it waited at all. */
static sim_time late(uint64_t seed, uint32_t address, bool *waited) {
  struct rv r;
  make(&r, seed, address);
  tx_core_start(r.t, 0, 0);
  sim_time since = 0;
  bool latched = false;
  for (sim_time c = 0; tx_tile_run(r.t, c) != SIM_END_DONE; c++) {
    assert_true(c < 100000 && r.t->fault.kind == SIM_FAULT_NONE);
    bool waits = r.t->core[0].waiting.kind && r.t->core[0].waiting.address == address;
    if (waits) *waited = true;
    if (waits && !since && over(r.t, address, latched)) since = c;
    if (since && !waits) {
      rv_free(&r);
      return c - since;
    }
    latched = r.t->gate[0].latch.opcode != 0;
  }
  rv_free(&r);
  return 0;
}

static void answers_come_at_once(void **state) {
  (void)state;
  static const uint32_t addresses[] = {TTSYNC, MOPSYNC, GPRS + 4 * 20};
  for (unsigned i = 0; i < 3; i++) {
    uint64_t waits = 0, programs = test_scaled(2000);
    for (uint64_t seed = 1; seed <= programs; seed++) {
      bool waited = false;
      sim_time by = late(seed, addresses[i], &waited);
      if (by) fail_msg("load of 0x%08x, program %u: %u cycles too late", addresses[i], (unsigned)seed, (unsigned)by);
      waits += waited;
    }
    if (waits < programs / 20) fail_msg("only %u of %u loads waited", (unsigned)waits, (unsigned)programs);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(answers_come_at_once)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
