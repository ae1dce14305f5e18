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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_loops_do_the_same)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
