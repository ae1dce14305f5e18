/* Checker d on the stack of a core: a word of a frame is undefined until it is written, copies and masks are followed, and the finding names the
 * use and the load. Every case runs with timing on and off; the correct ones stay quiet. */
#include "check/check.h"
#include "riscv_rig.h"

#define MAIN 64u /* bytes of code before the case: sets sp and dirties a frame */

static uint32_t and_i(unsigned rd, unsigned rs1, int32_t imm) { return rv_i(imm, rs1, 7, rd, 0x13); }
static uint32_t srl_i(unsigned rd, unsigned rs1, int32_t by) { return rv_i(by, rs1, 5, rd, 0x13); }
static uint32_t sh(unsigned rs2, int32_t offset, unsigned rs1) { return rv_s(offset, rs2, rs1, 1, 0x23); }

/* The findings of BRISC with these words after a frame of 32 bytes; place of the use and of the load in words of the case. */
static uint64_t findings(const uint32_t *words, unsigned count, bool timing, int *use, int *load) {
  struct rv r;
  struct chk *c = chk_create();
  rv_new(&r, timing);
  rv_li(&r, SP, 0xffb01000u);
  rv_put(&r, rv_addi(SP, SP, -32)); /* an earlier call leaves values there */
  rv_put(&r, rv_sw(SP, 8, SP));
  rv_put(&r, rv_addi(SP, SP, 32));
  rv_put(&r, rv_addi(SP, SP, -32));
  while (r.at < MAIN) rv_put(&r, rv_addi(ZERO, ZERO, 0));
  for (unsigned i = 0; i < count; i++) rv_put(&r, words[i]);
  rv_put(&r, RV_EBREAK);
  chk_attach(c, r.t, CHK_DEFAULT);
  rv_run(&r, 3, 0);
  uint64_t found = r.t->diag.counts[TX_DIAG_STACK_UNDEFINED];
  for (uint32_t i = 0; i < r.t->diag.finding_count; i++) {
    if (r.t->diag.findings[i].id != TX_DIAG_STACK_UNDEFINED) continue;
    *use = (int)(r.t->diag.findings[i].pc - MAIN) / 4;
    *load = (int)(r.t->diag.findings[i].other.pc - MAIN) / 4;
  }
  chk_free(c);
  rv_free(&r);
  return found;
}

#define CASE(expected, at, from, ...) \
  do { \
    const uint32_t words[] = {__VA_ARGS__}; \
    for (unsigned timing = 0; timing < 2; timing++) { \
      int use = -1, load = -1; \
      assert_int_equal(findings(words, sizeof words / sizeof *words, timing, &use, &load), expected); \
      assert_int_equal(use, at); \
      assert_int_equal(load, from); \
    } \
  } while (0)

static void what_was_written_is_quiet(void **state) {
  (void)state;
  CASE(0, -1, -1, rv_sw(ZERO, 8, SP), rv_lw(A0, 8, SP), rv_beq(A0, ZERO, 4));
  CASE(0, -1, -1, rv_lw(A0, 8, SP), rv_sw(A0, 12, SP));                                      /* a copy that is not used */
  CASE(0, -1, -1, rv_lw(A0, 8, SP), and_i(A0, A0, 0), rv_beq(A0, ZERO, 4));                  /* no bit of it is left */
  CASE(0, -1, -1, sh(ZERO, 8, SP), rv_lw(A0, 8, SP), and_i(A0, A0, 255), rv_bne(A0, A0, 4)); /* the half that was written */
  CASE(0, -1, -1, rv_lw(A0, 8, SP), rv_addi(A0, ZERO, 1), rv_bne(A0, ZERO, 4));              /* loaded and not used */
  CASE(0, -1, -1, rv_lw(A0, 40, SP), rv_bne(A0, ZERO, 4)); /* above the frames: zero after reset */
}

static void what_was_not_written_is_named(void **state) {
  (void)state;
  CASE(1, 1, 0, rv_lw(A0, 8, SP), rv_bne(A0, ZERO, 4));
  CASE(1, 3, 2, rv_lw(A0, 8, SP), rv_sw(A0, 12, SP), rv_lw(A1, 12, SP), rv_bne(A1, ZERO, 4)); /* through a copy */
  CASE(1, 2, 0, rv_lw(A0, 8, SP), and_i(A0, A0, 4), rv_lw(A1, 0, A0));                        /* an address in L1 */
  CASE(1, 3, 1, sh(ZERO, 8, SP), rv_lw(A0, 8, SP), srl_i(A0, A0, 16), rv_bne(A0, ZERO, 4));   /* the other half */
}

/* A core that starts again has registers and local RAM of zero. */
static void a_new_start_defines_everything(void **state) {
  (void)state;
  struct rv r;
  struct chk *c = chk_create();
  rv_new(&r, true);
  rv_li(&r, SP, 0xffb01000u);
  rv_put(&r, rv_addi(SP, SP, -32));
  rv_put(&r, rv_lw(A0, 8, SP));
  rv_put(&r, RV_EBREAK);
  uint32_t second = r.at;
  rv_put(&r, rv_bne(A0, ZERO, 4));
  rv_li(&r, SP, 0xffb01000u);
  rv_put(&r, rv_lw(A0, -24, SP));
  rv_put(&r, rv_bne(A0, ZERO, 4));
  rv_put(&r, RV_EBREAK);
  chk_attach(c, r.t, CHK_DEFAULT);
  rv_run(&r, 3, 0);
  rv_run(&r, 3, second);
  assert_int_equal(r.t->diag.counts[TX_DIAG_STACK_UNDEFINED], 0);
  chk_free(c);
  rv_free(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_was_written_is_quiet),
                                     cmocka_unit_test(what_was_not_written_is_named),
                                     cmocka_unit_test(a_new_start_defines_everything)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
