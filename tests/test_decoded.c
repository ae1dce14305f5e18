/* Reuse of decoded configuration: the packer's configuration after a write to any word, and an UNPACR that follows
 * one of the same word, equal those of a machine that decodes every word again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tensix/unit/config.h"
#include "tensix/unit/pack/config.h"
#include "tensix/unit/unpack/address.h"
#include "tensix/unit/unpack/plan.h"
#include "unpack_rig.h"

#define BF16 5u

static uint32_t chance(uint64_t *state) {
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(*state >> 33);
}

/* The packer's decoded configuration, and that of a decoder without earlier state. */
static void expect_current(struct tx_tile *t, const char *what, unsigned index) {
  struct tx_pack_config now;
  tx_pack_configure(t, 0);
  now = t->pack.config;
  t->pack.config.version = 0;
  memset(&t->fault, 0, sizeof t->fault);
  tx_pack_configure(t, 0);
  memset(&t->fault, 0, sizeof t->fault);
  if (memcmp(&now, &t->pack.config, sizeof now) != 0) fail_msg("%s word %u is not seen by the packer", what, index);
}

static void every_word_reaches_the_packer(void **state) {
  struct tx_tile *t = new_tile(true);
  uint64_t seed = 1;
  (void)state;
  PUT_CFG(t, ALU_FORMAT_SPEC_REG2_Dstacc, BF16);
  PUT_CFG(t, THCON_SEC0_REG1_In_data_format, BF16);
  PUT_CFG(t, THCON_SEC0_REG1_Out_data_format, BF16);
  expect_current(t, "no", 0);
  assert_int_equal(t->pack.config.refusal, 0);
  for (unsigned index = 0; index < TX_CFG_WORDS; index++) {
    if (index == TX_CFG_STATE_RESET_EN_ADDR) continue; /* clears the others */
    for (unsigned bit = 0; bit < 32; bit++) {
      const uint32_t old = t->config.words[0][index];
      tx_config_write(t, 0, index, old ^ 1u << bit);
      if (chance(&seed) % 4 == 0) tx_config_write(t, 0, TX_CFG_THCON_SEC0_REG3_Base_address_ADDR, chance(&seed));
      expect_current(t, "Config", index);
      tx_config_write(t, 0, index, old);
    }
  }
  for (unsigned index = 0; index < TX_THREAD_CFG_WORDS; index++) {
    if (index == TX_CFG_CFG_STATE_ID_StateID_ADDR) continue;
    const uint16_t old = t->config.thread_words[1][index];
    tx_thread_config_write(t, 1, index, old ^ 1u);
    expect_current(t, "ThreadConfig", index);
    tx_thread_config_write(t, 1, index, old);
  }
  free(t);
}

/* Counters and configuration of one more UNPACR: mostly in range, sometimes rejected. */
static void turn_counters(struct tx_tile *t, unsigned u, uint64_t *seed) {
  struct tx_adc_channel *ch = t->adc[0].unit[u];
  ch[0].c[TX_ADC_X] = chance(seed) % 8 ? 0 : chance(seed) % 64;
  ch[1].c[TX_ADC_X] = chance(seed) % 8 ? 15 : chance(seed) % 300;
  for (unsigned k = 0; k < 2; k++) {
    ch[k].c[TX_ADC_Y] = chance(seed) % 8;
    ch[k].c[TX_ADC_Z] = chance(seed) % 4;
    ch[k].c[TX_ADC_W] = chance(seed) % 3;
  }
  t->unpack.src_row[u][0] = (uint8_t)(chance(seed) % 64);
}

static void the_same_unpacr_again(void **state) {
  struct tx_tile *t = new_tile(true);
  uint64_t seed = 2;
  unsigned followed = 0;
  (void)state;
  for (unsigned round = 0; round < 200; round++) {
    struct setup s = {.unpacker = round & 1u, .in = BF16, .out = BF16, .base = 0x20000, .xdim = 256, .ydim = 4, .zdim = 4};
    s.to_dst = round % 5 == 4 && !s.unpacker;
    configure(t, &s);
    PUT_SEC(t, s.unpacker, REG2_Tileize_mode, round % 7 == 3);
    PUT_SEC(t, s.unpacker, REG2_Haloize_mode, round % 7 == 5 && !s.unpacker);
    PUT_SEC(t, s.unpacker, REG2_Unpack_limit_address, round % 3 ? 0x1ffff : 0x2040);
    PUT_SEC(t, s.unpacker, REG2_Unpack_fifo_size, round % 3 ? 0 : 0x40);
    uint32_t word = (uint32_t)TX_UNPACR << 24 | TX_PUT(UNPACR, unpack_block_selection, s.unpacker) |
                    TX_PUT(UNPACR, ovrd_thread_id, round >> 1 & 1u) | TX_PUT(UNPACR, addr_mode, chance(&seed) & 0xffu);
    for (unsigned i = 0; i < 10; i++) {
      struct tx_unpack_job again = {.kind = TX_UNPACK_DATUMS}, fresh = again;
      unsigned context = 0;
      bool at_once[2] = {i & 1u, i & 1u};
      turn_counters(t, s.unpacker, &seed);
      struct tx_adc adc = t->adc[0], stepped;
      struct tx_inflight inflight = t->inflight;
      struct tx_diag diag = t->diag;
      followed += t->unsaved.unpack[s.unpacker][0].version == tx_unpack_version(t);
      bool went = tx_unpack_decode(t, 0, word, &again, &context, &at_once[0]);
      stepped = t->adc[0];
      struct tx_diag said = t->diag;
      struct sim_fault fault = t->fault;
      t->adc[0] = adc;
      t->inflight = inflight;
      t->diag = diag;
      memset(&t->fault, 0, sizeof t->fault);
      tx_forget_decoded(t);
      assert_int_equal(tx_unpack_decode(t, 0, word, &fresh, &context, &at_once[1]), went);
      if (went) assert_int_equal(at_once[0], at_once[1]);
      assert_memory_equal(&t->fault, &fault, sizeof fault);
      assert_memory_equal(&t->diag, &said, sizeof said);
      assert_memory_equal(&t->adc[0], &stepped, sizeof stepped);
      if (went) assert_memory_equal(&again, &fresh, sizeof again);
      t->inflight = inflight;
      memset(&t->fault, 0, sizeof t->fault);
    }
  }
  assert_true(followed > 500);
  free(t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_word_reaches_the_packer),
      cmocka_unit_test(the_same_unpacr_again),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
