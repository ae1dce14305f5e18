/* The baby cores against silicon's figures (facts/timing.md, "baby RISC-V" and "the thread FIFO"), both sides printed. A probe is a
 * loop over 64 unrolled instructions whose own two cycles (addi, bne) are taken out, as they were there. */
#include "riscv_rig.h"

#include "tensix/isa/isa.h"

#define ALLOWED 0.03

static unsigned wrong;

static void compare(const char *what, double silicon, double here) {
  bool good = here > silicon * (1 - ALLOWED) && here < silicon * (1 + ALLOWED);
  printf("note: %-44s silicon %9.3f  here %9.3f  %+5.1f %%%s\n", what, silicon, here, (here / silicon - 1) * 100,
         good ? "" : "  OFF");
  wrong += !good;
}

/* --- loops --- */

enum { L1_DATA = 0x20000, CODE = 0x1000 };

typedef void body_fn(struct rv *r, unsigned i);

struct loop {
  const char *name;
  body_fn *body;
  double silicon;
  unsigned units; /* instructions that count, of one iteration */
};

static void body_addi_dependent(struct rv *r, unsigned i) { (void)i, rv_put(r, rv_addi(A0, A0, 1)); }
static void body_addi_independent(struct rv *r, unsigned i) { rv_put(r, rv_addi(A0 + i % 8, ZERO, 1)); }
static void body_mul_independent(struct rv *r, unsigned i) { rv_put(r, rv_mul(A0 + i % 6, T1, T2)); }
static void body_mul_dependent(struct rv *r, unsigned i) { (void)i, rv_put(r, rv_mul(A0, A0, T1)); }
static void body_divu(struct rv *r, unsigned i) { rv_put(r, rv_divu(A0 + i % 4, T1, T2)); }
static void body_chase_l1(struct rv *r, unsigned i) { (void)i, rv_put(r, rv_lw(A6, 0, A6)); }
static void body_chase_local(struct rv *r, unsigned i) { (void)i, rv_put(r, rv_lw(A7, 0, A7)); }
static void body_store_local(struct rv *r, unsigned i) { rv_put(r, rv_sw(A0, 4 * (int32_t)(i % 16), A7)); }
static void body_store_l1(struct rv *r, unsigned i) { rv_put(r, rv_sw(A0, 4 * (int32_t)(i % 4), A6)); }
static void body_store_l1_apart(struct rv *r, unsigned i) { rv_put(r, rv_sw(A0, 16 * (int32_t)i, A6)); }
static void body_ttinsn(struct rv *r, unsigned i) { (void)i, rv_put(r, rv_ttinsn((uint32_t)TX_NOP << 24)); }
static void body_branch_never(struct rv *r, unsigned i) { (void)i, rv_put(r, rv_bne(ZERO, ZERO, 8)); }
static void body_branch_forward(struct rv *r, unsigned i) { (void)i, rv_put(r, rv_beq(ZERO, ZERO, 4)); }
static void body_branch_by_place(struct rv *r, unsigned i) {
  rv_put(r, i % 2 ? rv_beq(ZERO, ZERO, 4) : rv_bne(ZERO, ZERO, 4));
}
static void body_branch_by_turn(struct rv *r, unsigned i) { (void)i, rv_put(r, rv_beq(T2, ZERO, 4)); }
static void body_jump(struct rv *r, unsigned i) { (void)i, rv_put(r, rv_jal(ZERO, 4)); }

static void set_up(struct rv *r) {
  rv_new(r, true);
  r->at = CODE;
  rv_firmware(r);
  rv_li(r, A6, L1_DATA);
  rv_li(r, A7, TX_LOCAL_BASE + 0x100);
  rv_put(r, rv_sw(A6, 0, A6)); /* words that point to themselves */
  rv_put(r, rv_sw(A7, 0, A7));
  rv_li(r, T1, 0x12345678);
  rv_li(r, T2, 3);
  rv_put(r, RV_FENCE);
}

static uint64_t cycles(unsigned core, body_fn *body, unsigned iterations) {
  struct rv r;
  set_up(&r);
  rv_li(&r, S0, iterations);
  uint32_t top = r.at;
  for (unsigned i = 0; i < 64; i++) body(&r, i);
  if (body == body_branch_by_turn) r.at -= 4, rv_put(&r, rv_i(1, T2, 4, T2, 0x13)); /* the last becomes t2 ^= 1 */
  rv_put(&r, rv_addi(S0, S0, -1));
  rv_put(&r, rv_bne(S0, ZERO, (int32_t)top - (int32_t)r.at));
  rv_put(&r, RV_EBREAK);
  uint64_t took = rv_run(&r, core, CODE);
  rv_free(&r);
  return took;
}

static double per_instruction(body_fn *body) {
  double per_iteration = (double)(cycles(1, body, 60) - cycles(1, body, 20)) / 40;
  return (per_iteration - 2) / 64;
}

static const struct loop loops[] = {
    {"addi dependent", body_addi_dependent, 1.0, 64},
    {"addi independent", body_addi_independent, 1.0, 64},
    {"mul independent", body_mul_independent, 1.0, 64},
    {"mul dependent", body_mul_dependent, 1.984, 64},
    {"divu 0x12345678 / 3", body_divu, 33.0, 64},
    {"lw pointer chase in L1", body_chase_l1, 8.125, 64},
    {"lw pointer chase in local RAM", body_chase_local, 1.984, 64},
    {"sw to local RAM", body_store_local, 1.0, 64},
    {"sw to L1, the same 16 bytes", body_store_l1, 1.0, 64},
    {"sw to L1, never the same 16 bytes (document)", body_store_l1_apart, 5.0, 64},
    {".ttinsn NOP", body_ttinsn, 1.0, 64},
    {"branch never taken", body_branch_never, 1.0, 64},
    {"branch always taken", body_branch_forward, 1.0, 64},
    {"branch alternating by place", body_branch_by_place, 1.0, 64},
    {"branch alternating by turn", body_branch_by_turn, 1.0, 64},
    {"j", body_jump, 1.0, 64},
};

static void instructions_match_silicon(void **state) {
  (void)state;
  wrong = 0;
  for (size_t i = 0; i < sizeof loops / sizeof *loops; i++)
    compare(loops[i].name, loops[i].silicon, per_instruction(loops[i].body));
  assert_int_equal(wrong, 0);
}

/* --- loops longer than the instruction cache: the back edge is a jal, a bne does not reach --- */

static uint64_t long_loop(uint32_t bytes, unsigned iterations) {
  struct rv r;
  set_up(&r);
  rv_li(&r, S0, iterations);
  while (r.at % 4096) rv_put(&r, RV_NOP);
  uint32_t top = r.at;
  rv_put_times(&r, rv_addi(A0, A0, 1), bytes / 4 - 3);
  rv_put(&r, rv_addi(S0, S0, -1));
  rv_put(&r, rv_beq(S0, ZERO, 8));
  rv_put(&r, rv_jal(ZERO, (int32_t)top - (int32_t)r.at));
  rv_put(&r, RV_EBREAK);
  uint64_t took = rv_run(&r, 1, CODE);
  rv_free(&r);
  return took;
}

static void fetch_matches_silicon(void **state) {
  static const struct {
    uint32_t bytes;
    double silicon;
  } sizes[] = {{4096, 1.004}, {4608, 1.095}, {5632, 1.214}, {6144, 1.253}, {8192, 1.252}};
  (void)state;
  wrong = 0;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    char name[64];
    snprintf(name, sizeof name, "loop body of %u bytes", sizes[i].bytes);
    compare(name, sizes[i].silicon,
            (double)(long_loop(sizes[i].bytes, 12) - long_loop(sizes[i].bytes, 4)) / 8 / (sizes[i].bytes * 0.25));
  }
  assert_int_equal(wrong, 0);
}

/* --- BRISC's totals: cold caches; 66 instructions an iteration, the rest of `retired` around the loop --- */

static uint64_t set_up_cycles(void) {
  struct rv r;
  set_up(&r);
  rv_put(&r, RV_EBREAK);
  uint64_t took = rv_run(&r, BRISC, CODE);
  rv_free(&r);
  return took;
}

static void brisc_matches_silicon(void **state) {
  static const struct {
    const char *name;
    body_fn *body;
    double silicon;
    unsigned retired;
  } rows[] = {
      {"BRISC alu_dep, 6208 retired", body_addi_dependent, 6232.3, 6208},
      {"BRISC alu_ind, 6398 retired", body_addi_independent, 6423.7, 6398},
      {"BRISC mul_dep, 3106 retired", body_mul_dependent, 6088.3, 3106},
      {"BRISC mul_ind, 6396 retired", body_mul_independent, 6417.7, 6396},
      {"BRISC load_dep, 795 retired", body_chase_l1, 6299.7, 795},
      {"BRISC branch_nt, 6114 retired", body_branch_never, 6161.3, 6114},
      {"BRISC branch_t, 6113 retired", body_branch_forward, 6455.0, 6113},
  };
  (void)state;
  wrong = 0;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    unsigned iterations = rows[i].retired / 66, outside = rows[i].retired - 66 * iterations;
    double loop = (double)(cycles(BRISC, rows[i].body, iterations) - set_up_cycles());
    compare(rows[i].name, rows[i].silicon, loop + outside - 3); /* li is two instructions and the ebreak one */
  }
  assert_int_equal(wrong, 0);
}

/* --- a burst of n ADDDMAREG, 16 in a loop: what the pushing core sees --- */

static uint64_t burst(uint32_t word, unsigned n) {
  struct rv r;
  set_up(&r);
  rv_li(&r, S0, n / 16);
  rv_put(&r, rv_csrrs(A0, 0xb00, ZERO));
  uint32_t top = r.at;
  rv_put_times(&r, word, 16);
  rv_put(&r, rv_addi(S0, S0, -1));
  rv_put(&r, rv_bne(S0, ZERO, (int32_t)top - (int32_t)r.at));
  rv_put(&r, rv_csrrs(A1, 0xb00, ZERO));
  rv_put(&r, RV_EBREAK);
  rv_run(&r, 1, CODE);
  uint64_t took = r.t->core[1].x[A1] - r.t->core[1].x[A0];
  rv_free(&r);
  return took;
}

static void fifo_matches_silicon(void **state) {
  static const unsigned n[] = {16, 32, 64, 128, 256, 512, 1024};
  static const double pushes[] = {28, 48, 107, 299, 683, 1451, 2987}, alu[] = {28, 48, 84, 156, 300, 588, 1164};
  const uint32_t push = rv_ttinsn((uint32_t)TX_ADDDMAREG << 24 | 1u << 23);
  (void)state;
  wrong = 0;
  /* Reading the clock and a cold cache are in silicon's figures: the difference to the same loop of addi is what counts. */
  for (size_t i = 0; i < 7; i++) {
    char name[64];
    double base = (double)burst(rv_addi(A2, A2, 1), n[i]);
    snprintf(name, sizeof name, "burst of %u ADDDMAREG", n[i]);
    compare(name, pushes[i], (double)burst(push, n[i]) - base + alu[i]);
  }
  compare("slope of a long burst, per instruction", (2987.0 - 1451) / 512,
          (double)(burst(push, 1024) - burst(push, 512)) / 512);
  compare("slope of the loop of addi", (1164.0 - 588) / 512,
          (double)(burst(rv_addi(A2, A2, 1), 1024) - burst(rv_addi(A2, A2, 1), 512)) / 512);
  assert_int_equal(wrong, 0);
}

/* --- tensix_sync between two reads of the wall clock --- */

static double sync_cycles(uint32_t before) {
  struct rv r;
  set_up(&r);
  rv_li(&r, S0, 0xFFE80004u);
  rv_li(&r, S1, 0xFFB121F0u);
  rv_put(&r, rv_addi(T2, ZERO, 2));
  uint32_t top = r.at; /* the second pass has a warm cache */
  rv_put(&r, RV_FENCE);
  rv_put(&r, rv_lw(A0, 0, S1));
  rv_put(&r, rv_addi(ZERO, A0, 0));
  rv_put(&r, before);
  rv_put(&r, rv_sw(ZERO, 0, S0));
  rv_put(&r, rv_lw(A2, 0, S0));
  rv_put(&r, rv_i(0, A2, 7, A2, 0x13)); /* andi */
  rv_put(&r, rv_lw(A1, 0, S1));
  rv_put(&r, rv_addi(ZERO, A1, 0));
  rv_put(&r, rv_addi(T2, T2, -1));
  rv_put(&r, rv_bne(T2, ZERO, (int32_t)top - (int32_t)r.at));
  rv_put(&r, RV_EBREAK);
  rv_run(&r, 1, CODE);
  double took = r.t->core[1].x[A1] - r.t->core[1].x[A0];
  rv_free(&r);
  return took;
}

static void tensix_sync_matches_silicon(void **state) {
  double empty = sync_cycles(RV_NOP), one = sync_cycles(rv_ttinsn((uint32_t)TX_ADDDMAREG << 24 | 1u << 23));
  (void)state;
  wrong = 0;
  printf("note: %-44s silicon  12 to 15  here %9.3f\n", "tensix_sync, nothing in the pipe", empty);
  assert_true(empty >= 12 && empty <= 15);
  compare("tensix_sync, one instruction in the pipe", 21, one);
  assert_int_equal(wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(instructions_match_silicon),  cmocka_unit_test(fetch_matches_silicon),
      cmocka_unit_test(brisc_matches_silicon),       cmocka_unit_test(fifo_matches_silicon),
      cmocka_unit_test(tensix_sync_matches_silicon),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
