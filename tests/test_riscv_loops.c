/* The cores' loop is compiled six times (src/tensix/riscv/run_body.h): with and without timing, each plain, watched by a checker and logged. Random programs
 * of all rows of riscv.def, most of them loads and stores of local RAM and L1, give the same registers, memory, instruction count and fault in all six. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "random_program.h"
#include "scale.h"
#include "tensix/riscv/decode.h"

enum { CODE = 0x1000, WORDS = 24, L1_DATA = 0x20000, DATA_BYTES = 256, CYCLES = 20000 };
enum { X_NEAR = 8, X_FAR = 9, X_FREE = 10, X_FREES = 6 }; /* registers: local RAM, L1, those that programs write */

struct row {
  uint32_t match, mask;
  char class;
};
static const struct row rows[] = {
#define RV(name, text, match, mask, format, class, what) \
  {match, mask, #class[0] == 'S' && #class[1] == 'Y' ? 'Y' : #class[0]},
#include "tensix/riscv/riscv.def"
#undef RV
};
#define ROWS (sizeof rows / sizeof *rows)

struct outcome {
  enum tessera_result result;
  uint64_t retired;
  uint32_t x[32], pc;
  unsigned char l1[DATA_BYTES], local[DATA_BYTES];
  char fault[512];
};

static struct random_source source;
static uint32_t pick(uint32_t n) { return random_below(&source, n); }

/* A word of this row with random fields: bases from the two registers that hold addresses, small offsets that are nearly always aligned, jumps forward. */
static uint32_t word_of(const struct row *r) {
  uint32_t rd = X_FREE + pick(X_FREES), rs1 = X_FREE + pick(X_FREES), rs2 = X_FREE + pick(X_FREES);
  uint32_t offset = pick(DATA_BYTES / 4) * 4 + (pick(16) ? 0 : pick(4)), free = random_next(&source);
  uint32_t base = pick(2) ? X_NEAR : X_FAR, fields;
  switch (r->class) {
    case 'L': fields = offset << 20 | base << 15 | rd << 7; break;
    case 'S': fields = (offset >> 5) << 25 | rs2 << 20 | base << 15 | (offset & 31u) << 7; break;
    case 'A': fields = r->mask >> 25 ? rs2 << 20 | rs1 << 15 | rd << 7 : 0; break;
    case 'B': fields = rs2 << 20 | rs1 << 15 | 4u << 8; break; /* to the word after the next */
    case 'J': fields = rd << 7 | rs1 << 15 | (pick(8) ? 8u << 20 : 0); break;
    default: fields = (free & 0xfe000000u) | rs2 << 20 | rs1 << 15 | rd << 7; break;
  }
  if (r->class == 'A' && (r->match & 0x7fu) == 0x2f) fields = rs2 << 20 | X_FAR << 15 | rd << 7; /* AMO: on L1 */
  return r->match | (fields & ~r->mask);
}

static bool fits(const struct row *r) {
  if ((r->match & 0x7fu) == 0x67) return false; /* jalr: its target is random; test_riscv_core.c has it */
  return r->class != 'C' && r->class != 'Y' && r->class != 'V' ? true : pick(32) == 0;
}

static void make(struct tx_tile *t, uint64_t seed) {
  source = (struct random_source){.seed = seed * 2654435761u + 1, .t = t, .at = CODE};
  random_li(&source, X_NEAR, TX_LOCAL_BASE);
  random_li(&source, X_FAR, L1_DATA);
  for (unsigned i = 0; i < X_FREES; i++) random_li(&source, X_FREE + i, random_next(&source));
  if (seed % 2) /* half of the programs read local RAM that nothing has written */
    for (unsigned i = 0; i < DATA_BYTES / 4; i++) random_s(&source, 2, X_FREE + i % X_FREES, X_NEAR, 4 * i);
  for (unsigned i = 0; i < WORDS;) {
    const struct row *r = &rows[pick(ROWS)];
    if (!pick(2)) do
        r = &rows[pick(ROWS)];
      while (r->class != 'L' && r->class != 'S');
    if (!fits(r)) continue;
    random_put(&source, word_of(r));
    i++;
  }
  for (unsigned i = 0; i < 4; i++) random_put(&source, 0x00100073u); /* ebreak */
}

static void ignore(void *context, const struct sim_event *e) { (void)context, (void)e; }

static void run(struct tessera_tile *tile, uint64_t seed, enum tessera_timing timing, unsigned kind, struct outcome *o) {
  struct tx_tile *t = &tile->tile;
  unsigned core = (unsigned)(seed % TX_CORES);
  tessera_tile_reset(tile, timing);
  assert_int_equal(tessera_tile_set_option(tile, TESSERA_OPTION_CHECK, kind == 1 ? TESSERA_CHECK_D : 0), TESSERA_OK);
  for (unsigned i = 0; i < DATA_BYTES; i++) t->l1[L1_DATA + i] = (unsigned char)(i * 37 + seed);
  make(t, seed);
  int handle =
      kind == 2 ? sim_log_attach(&t->unsaved.log, ignore, NULL, 1u << TX_EVENT_CORE | 1u << TX_EVENT_CORE_WAIT) : -1;
  tx_core_start(t, core, CODE);
  memset(o, 0, sizeof *o);
  o->result = tessera_tile_run(tile, CYCLES);
  if (handle >= 0) sim_log_detach(&t->unsaved.log, handle);
  struct tessera_fault fault;
  if (tessera_tile_fault(tile, &fault)) { /* with timing a core is further by then: its stores leave later */
    snprintf(o->fault, sizeof o->fault, "at 0x%x: %s", fault.pc, fault.why);
    return;
  }
  o->retired = t->core[core].retired;
  o->pc = t->core[core].pc;
  memcpy(o->x, t->core[core].x, sizeof o->x);
  memcpy(o->l1, &t->l1[L1_DATA], DATA_BYTES);
  memcpy(o->local, t->core[core].local, DATA_BYTES);
}

static void all_loops_do_the_same(void **state) {
  static const char *const kinds[] = {"plain", "checked", "logged"};
  struct tessera_tile *tile = tessera_tile_create(TESSERA_TIMING_OFF);
  unsigned faults = 0;
  uint64_t count = test_scaled(4000);
  (void)state;
  for (uint64_t seed = 0; seed < count; seed++) {
    struct outcome first, o;
    run(tile, seed, TESSERA_TIMING_OFF, 0, &first);
    faults += first.result == TESSERA_FAULT;
    for (unsigned i = 1; i < 6; i++) {
      run(tile, seed, i / 3 ? TESSERA_TIMING_CYCLE : TESSERA_TIMING_OFF, i % 3, &o);
      if (memcmp(&first, &o, sizeof o) != 0)
        fail_msg("program %llu, %s with timing %s: result %d, pc 0x%x, %llu instructions, \"%s\"; plain without timing: %d, "
                 "0x%x, %llu, \"%s\"",
                 (unsigned long long)seed, kinds[i % 3], i / 3 ? "on" : "off", o.result, o.pc, (unsigned long long)o.retired,
                 o.fault, first.result, first.pc, (unsigned long long)first.retired, first.fault);
    }
  }
  printf("note: %llu programs in six loops, %u ended with a fault\n", (unsigned long long)count, faults);
  assert_true(faults > 0 && faults < count);
  tessera_tile_destroy(tile);
}

/* --- loops of pushes: with timing off whole rounds of them are executed at once, and a core whose FIFO is full waits without the bus --- */

enum { X_ROUNDS = 28, LOOPS = 3 };

static void make_push_loops(struct tx_tile *t, uint64_t seed, unsigned core) {
  static const uint32_t integers[] = {0x00000013u, 0x00000033u, 0x02000033u, 0x00001013u, 0x00004033u, 0x00000017u};
  source = (struct random_source){.seed = (seed * 5 + core) * 2654435761u + 1, .t = t, .at = CODE + core * 0x1000u};
  for (unsigned i = 0; i < X_FREES; i++) random_li(&source, X_FREE + i, random_next(&source));
  for (unsigned loop = 0; loop < LOOPS; loop++) {
    const unsigned length = 1 + pick(pick(4) ? 8 : 40), words = pick(2) ? 100 : 30;
    for (unsigned i = pick(4); i > 0; i--) random_ttinsn(&source, random_vector_word(&source));
    random_li(&source, X_ROUNDS, 1 + pick(40));
    const uint32_t head = source.at;
    for (unsigned i = 0; i < length; i++) {
      if (pick(100) < words) random_ttinsn(&source, pick(8) ? random_vector_word(&source) : (uint32_t)TX_NOP << 24);
      else
        random_put(&source, integers[pick(6)] | (X_FREE + pick(X_FREES)) << 20 | (X_FREE + pick(X_FREES)) << 15 |
                                (X_FREE + pick(X_FREES)) << 7);
    }
    random_i(&source, 0, X_ROUNDS, X_ROUNDS, 0xfff, 0x13);
    const uint32_t back = head - source.at;
    random_put(&source, (back >> 12 & 1u) << 31 | (back >> 5 & 0x3fu) << 25 | X_ROUNDS << 15 | 1u << 12 |
                            (back >> 1 & 15u) << 8 | (back >> 11 & 1u) << 7 | 0x63u);
  }
  random_put(&source, 0x00100073u); /* ebreak */
}

/* kind 0: plain, 1: logged, 2: in pieces */
static uint64_t run_push_loops(struct tessera_tile *tile, uint64_t seed, unsigned kind, uint64_t *cycles) {
  struct tx_tile *t = &tile->tile;
  const unsigned cores = 1 + (unsigned)(seed % TX_THREADS);
  uint64_t piece = kind == 2 ? 1 + seed % 97 : CYCLES;
  tessera_tile_reset(tile, TESSERA_TIMING_OFF);
  assert_int_equal(tessera_tile_set_option(tile, TESSERA_OPTION_CHECK, 0), TESSERA_OK);
  for (unsigned core = 0; core < cores; core++) make_push_loops(t, seed, core);
  int handle = kind == 1 ? sim_log_attach(&t->unsaved.log, ignore, NULL, ~0u) : -1;
  for (unsigned core = 0; core < cores; core++) tx_core_start(t, core, CODE + core * 0x1000u);
  enum tessera_result result;
  do result = tessera_tile_run(tile, piece);
  while (result == TESSERA_LIMIT && t->engine.now < CYCLES);
  if (handle >= 0) sim_log_detach(&t->unsaved.log, handle);
  assert_int_equal(result, TESSERA_DONE);
  *cycles = t->engine.now;
  return tx_tile_hash(t);
}

static void loops_of_pushes_end_alike(void **state) {
  static const char *const kinds[] = {"plain", "logged", "cut"};
  struct tessera_tile *tile = tessera_tile_create(TESSERA_TIMING_OFF);
  const uint64_t count = test_scaled(600);
  uint64_t first_cycles, cycles;
  (void)state;
  for (uint64_t seed = 0; seed < count; seed++) {
    const uint64_t first = run_push_loops(tile, seed, 0, &first_cycles);
    for (unsigned kind = 1; kind < 3; kind++)
      if (run_push_loops(tile, seed, kind, &cycles) != first || cycles != first_cycles)
        fail_msg("program %llu, %s: another state after %llu cycles than plain after %llu", (unsigned long long)seed,
                 kinds[kind], (unsigned long long)cycles, (unsigned long long)first_cycles);
  }
  tessera_tile_destroy(tile);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_loops_do_the_same), cmocka_unit_test(loops_of_pushes_end_alike)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
