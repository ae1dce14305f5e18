/* Random calls of the PTO program's C API, most with operands that exist, some with ones that do not: each succeeds, or fails with a text and
 * leaves a program that can be checked and run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "scale.h"
#include "tessera/pto.h"

static uint32_t state;

static uint32_t below(uint32_t limit) {
  state = state * 1664525u + 1013904223u;
  return (state >> 8) % limit;
}

static bool chance(uint32_t one_in) { return below(one_in) == 0; }

/* Mostly 0 to limit - 1, sometimes just outside or far away. */
static int index_of(uint32_t limit) {
  static const int far[] = {-1, 99, INT32_MAX, INT32_MIN};
  return chance(12) ? far[below(4)] : chance(12) ? (int)limit : (int)below(limit ? limit : 1);
}

static uint32_t size_of(void) {
  static const uint32_t sizes[] = {16, 16, 16, 32, 32, 8, 1, 3, 64, 0, 1000000, UINT32_MAX};
  return sizes[below(chance(6) ? 12 : 6)];
}

static struct tessera_pto_tile random_tile(void) {
  struct tessera_pto_tile t = {.loc = (enum tessera_pto_loc)(chance(12) ? index_of(12) : 2 + (int)below(7)),
                               .dtype = (enum tessera_pto_dtype)index_of(9),
                               .rows = size_of(),
                               .cols = size_of(),
                               .addr = chance(2) ? TESSERA_PTO_AUTO : size_of() * 64,
                               .line = 1 + below(90)};
  if (chance(3)) t.valid_rows = below(t.rows / 2 + 2), t.valid_cols = below(t.cols / 2 + 2);
  return t;
}

static struct tessera_pto_pipe random_pipe(void) {
  static const uint32_t slots[] = {512, 1024, 1024, 2048, 4096, 0, 100, UINT32_MAX};
  return (struct tessera_pto_pipe){.flag_id = chance(10) ? below(2000) : below(8),
                                   .dir = (enum tessera_pto_dir)(chance(10) ? index_of(9) : 1 + (int)below(7)),
                                   .slot_size = slots[below(8)],
                                   .slot_num = chance(8) ? below(100) : 1 + below(8),
                                   .local_slot_num = below(4),
                                   .no_split = (int)below(2),
                                   .unit_flag = (int)below(2),
                                   .multi = chance(4),
                                   .fifo = (enum tessera_pto_fifo)index_of(4),
                                   .ratio = (enum tessera_pto_ratio)index_of(4),
                                   .sync_period = below(4),
                                   .gm_addr = chance(2) ? UINT64_MAX : below(1 << 20) * 32,
                                   .gm_tensor = chance(3) ? index_of(3) : 0,
                                   .c2v_addr = chance(2) ? TESSERA_PTO_AUTO : below(1 << 16) * 32,
                                   .v2c_addr = TESSERA_PTO_AUTO,
                                   .prod = random_tile(),
                                   .cons = random_tile(),
                                   .line = below(90)};
}

/* What exists so far: operands are chosen from it. */
struct counts {
  uint32_t functions, tensors, tiles, pipes, views, instructions, events;
};

static void add(uint32_t *count, int result) { *count += result >= 0; }

static int declare(struct tessera_pto_program *p, struct counts *n) {
  struct tessera_pto_tile tile = random_tile();
  struct tessera_pto_pipe pipe = random_pipe();
  int f = index_of(n->functions), result = -1;
  char name[24];
  snprintf(name, sizeof name, "n%u", below(chance(8) ? 4 : 1000000));
  switch (below(6)) {
    case 0:
      result = tessera_pto_add_function(p, chance(30) ? NULL : name, chance(10) ? below(12) : 1u << below(3));
      return add(&n->functions, result), result;
    case 1:
      result =
          tessera_pto_add_tensor(p, chance(30) ? NULL : name, (enum tessera_pto_dtype)index_of(9), size_of(), size_of());
      return add(&n->tensors, result), result;
    case 2:
    case 3:
      result = tessera_pto_add_tile(p, f, chance(30) ? NULL : name, chance(30) ? NULL : &tile);
      return add(&n->tiles, result), result;
    case 4:
      result = tessera_pto_add_pipe(p, f, chance(30) ? NULL : name, chance(30) ? NULL : &pipe);
      return add(&n->pipes, result), result;
    default:
      result = tessera_pto_add_view(p, f, (enum tessera_pto_dtype)index_of(9), size_of(), size_of(),
                                    (enum tessera_pto_split)index_of(5));
      return add(&n->views, result), result;
  }
}

static int move(struct tessera_pto_program *p, struct counts *n) {
  int f = index_of(n->functions), pipe = index_of(n->pipes), tile = index_of(n->tiles), view = index_of(n->views);
  enum tessera_pto_split split = (enum tessera_pto_split)index_of(5);
  struct tessera_pto_transfer t = {tile, index_of(n->tensors), below(4), below(4), below(2) * 16, below(2) * 16, 7};
  struct tessera_pto_window w = {index_of(n->tensors),
                                 (enum tessera_pto_dtype)index_of(9),
                                 size_of(),
                                 size_of(),
                                 size_of(),
                                 below(3),
                                 below(2) * 16,
                                 below(64),
                                 below(16) * 2};
  if (chance(10)) t.row = UINT32_MAX - below(3);
  switch (below(16)) {
    case 0: return tessera_pto_push(p, f, pipe, tile, split, 1);
    case 1: return tessera_pto_pop(p, f, pipe, tile, split, 2);
    case 2: return tessera_pto_free(p, f, pipe, split, 3);
    case 3: return tessera_pto_load(p, f, chance(20) ? NULL : &t);
    case 4: return tessera_pto_store(p, f, chance(20) ? NULL : &t);
    case 5: return tessera_pto_load_window(p, f, tile, chance(20) ? NULL : &w, 4);
    case 6: return tessera_pto_store_window(p, f, chance(20) ? NULL : &w, tile, 5);
    case 7: return tessera_pto_alloc(p, f, pipe, view, 6);
    case 8: return tessera_pto_push_view(p, f, pipe, view, 7);
    case 9: return tessera_pto_pop_view(p, f, pipe, view, 8);
    case 10: return tessera_pto_free_view(p, f, pipe, view, 9);
    case 11: return tessera_pto_load_view(p, f, tile, view, below(20), below(20), 10);
    case 12: return tessera_pto_store_view(p, f, view, below(20), below(20), tile, 11);
    case 13: return tessera_pto_end_pipe(p, f, pipe, 12);
    case 14: return tessera_pto_build_pipe(p, f, pipe, 13);
    default: return tessera_pto_record_event(p, f, index_of(30));
  }
}

static int compute(struct tessera_pto_program *p, struct counts *n) {
  int f = index_of(n->functions), pipe = index_of(n->pipes), tile = index_of(n->tiles);
  enum tessera_pto_unit unit = (enum tessera_pto_unit)index_of(8), other = (enum tessera_pto_unit)index_of(8);
  struct tessera_pto_operation o = {(enum tessera_pto_op)index_of(TESSERA_PTO_OPS),
                                    tile,
                                    {index_of(n->tiles), index_of(n->tiles), index_of(n->tiles)},
                                    1.5,
                                    14};
  struct tessera_pto_fixpipe x = {(enum tessera_pto_quant)index_of(5),
                                  (enum tessera_pto_layout)index_of(3),
                                  (int)below(2),
                                  (int)below(2),
                                  0.5,
                                  index_of(n->tiles)};
  switch (below(18)) {
    case 0:
    case 1:
    case 2: return tessera_pto_emit(p, f, chance(20) ? NULL : &o);
    case 3: return tessera_pto_set_fixpipe(p, f, chance(20) ? NULL : &x);
    case 4: return tessera_pto_set_subblock(p, f, below(4));
    case 5: return tessera_pto_set_pad_zero(p, f);
    case 6: return tessera_pto_cost(p, f, below(100));
    case 7: return tessera_pto_loop_begin(p, f, chance(6) ? size_of() : 1 + below(3));
    case 8: return tessera_pto_loop_end(p, f);
    case 9: return tessera_pto_lane_begin(p, f, below(3));
    case 10: return tessera_pto_lane_end(p, f);
    case 11: return tessera_pto_set_valid(p, f, tile, below(40), below(40), 15);
    case 12:
      return chance(2) ? tessera_pto_cross_set(p, f, unit, below(36), 16)
                       : tessera_pto_cross_wait(p, f, unit, below(36), 17);
    case 13:
      return chance(2) ? tessera_pto_pipe_set(p, f, unit, other, below(10), 18)
                       : tessera_pto_pipe_wait(p, f, unit, other, below(10), 19);
    case 14: return tessera_pto_barrier(p, f, unit, 20);
    case 15: return tessera_pto_wait_event(p, f, index_of(3), 21);
    case 16: return tessera_pto_set_status(p, f, pipe, (enum tessera_pto_status)index_of(4), (int)below(3), 22);
    default: return tessera_pto_set_field(p, f, pipe, (enum tessera_pto_field)index_of(4), (int64_t)below(5) - 1, 23);
  }
}

static int adjust(struct tessera_pto_program *p) {
  static const char *const policies[] = {"exact", "cpu", "nonsense", ""};
  switch (below(5)) {
    case 0: return tessera_pto_set_policy(p, policies[below(4)]);
    case 1: return tessera_pto_set_blocks(p, chance(3) ? size_of() : 1 + below(3));
    case 2: return tessera_pto_set_dispatches(p, chance(3) ? size_of() : 1 + below(3));
    case 3: return tessera_pto_set_figure(p, chance(2) ? "no_such" : "clock_mhz", below(2000));
    default: return tessera_pto_read_figures(p, "clock_mhz = x\n", 14);
  }
}

/* A program that the checks accept also runs: to its end, a deadlock, a fault or the limit. */
static unsigned try_program(struct tessera_pto_program *p) {
  static char text[1 << 16];
  struct tessera_pto_note notes[4];
  tessera_pto_check(p, text, sizeof text);
  tessera_pto_notes(p, chance(2) ? NULL : "exact", notes, 4);
  tessera_pto_check_sarif(p, NULL, "program.pto", text, sizeof text);
  struct tessera_pto_machine *m =
      chance(4) ? tessera_pto_start_without_data(p, NULL) : tessera_pto_start(p, chance(9) ? "nonsense" : NULL);
  if (!m) return 0;
  double values[64] = {0};
  tessera_pto_write(m, index_of(3), values, 64);
  tessera_pto_write_bytes(m, index_of(3), below(64), values, below(64));
  enum tessera_pto_result result = tessera_pto_run(m, 20000);
  assert_true(result == TESSERA_PTO_RAN || result == TESSERA_PTO_FAULT || result == TESSERA_PTO_DEADLOCK ||
              result == TESSERA_PTO_HAZARD || result == TESSERA_PTO_LIMIT);
  tessera_pto_read(m, index_of(3), values, 64);
  tessera_pto_read_bytes(m, index_of(3), below(64), values, below(64));
  assert_non_null(tessera_pto_run_report(m, (enum tessera_pto_report_format)below(4)));
  tessera_pto_stop(m);
  return 1;
}

enum { DECLARE, MOVE, COMPUTE, ADJUST };

/* A call is its kind and the generator's state before it. */
struct call {
  unsigned kind;
  uint32_t seed;
};

static int do_call(struct tessera_pto_program *p, struct counts *n, const struct call *c) {
  state = c->seed;
  switch (c->kind) {
    case DECLARE: return declare(p, n);
    case MOVE: return move(p, n);
    case COMPUTE: return compute(p, n);
    default: return adjust(p);
  }
}

/* After an error a program takes no more calls: those that were taken are repeated in a new one. */
static struct tessera_pto_program *repeat(const char *profile, const struct call *calls, uint32_t count, struct counts *n) {
  struct tessera_pto_program *p = tessera_pto_create(profile);
  assert_non_null(p);
  *n = (struct counts){0};
  for (uint32_t i = 0; i < count; i++) assert_true(do_call(p, n, &calls[i]) >= 0);
  return p;
}

static void random_calls_never_break(void **unused) {
  (void)unused;
  uint64_t programs = 60 + test_scaled(400), taken = 0, rejected = 0, ran = 0;
  for (uint64_t i = 0; i < programs; i++) {
    struct call calls[160];
    struct counts n;
    state = (uint32_t)(i * 2654435761u + 11);
    const char *profile = tessera_pto_profile_name(below(2));
    uint32_t count = 0, tries = 40 + below(110), next = state;
    struct tessera_pto_program *p = repeat(profile, calls, 0, &n);
    for (uint32_t k = 0; k < tries; k++) {
      state = next;
      calls[count] = (struct call){chance(40) ? ADJUST : k < 30 || chance(4) ? DECLARE : chance(2) ? MOVE : COMPUTE, 0};
      calls[count].seed = next = below(1u << 24) ^ state;
      if (do_call(p, &n, &calls[count]) >= 0) {
        count++, taken++;
        continue;
      }
      rejected++;
      assert_non_null(tessera_pto_error(p));
      tessera_pto_destroy(p);
      p = repeat(profile, calls, count, &n);
    }
    state = next;
    ran += try_program(p);
    tessera_pto_destroy(p);
  }
  printf("note: %llu random programs: %llu calls taken, %llu rejected; %llu programs run\n", (unsigned long long)programs,
         (unsigned long long)taken, (unsigned long long)rejected, (unsigned long long)ran);
  assert_true(taken && rejected && ran);
}

/* A TMPipe's slot has the size of its tiles: empty ones, and ones of 2^32 bytes, are rejected. */
static void tiles_without_a_size(void **unused) {
  (void)unused;
  static const uint32_t shapes[][2] = {{16, 0}, {0, 16}, {65536, 16384}, {UINT32_MAX, UINT32_MAX}};
  for (unsigned i = 0; i < 4; i++) {
    struct tessera_pto_program *p = tessera_pto_create(tessera_pto_profile_name(0));
    int function = tessera_pto_add_function(p, "f", TESSERA_PTO_CUBE);
    struct tessera_pto_pipe pipe = {.multi = 1, .slot_num = 2, .fifo = TESSERA_PTO_GM_FIFO, .dir = TESSERA_PTO_C2V};
    pipe.prod = (struct tessera_pto_tile){.loc = TESSERA_PTO_ACC, .rows = shapes[i][0], .cols = shapes[i][1]};
    pipe.cons = (struct tessera_pto_tile){.loc = TESSERA_PTO_VEC, .rows = 16, .cols = 16};
    assert_int_equal(tessera_pto_add_pipe(p, function, "p", &pipe), -1);
    assert_non_null(strstr(tessera_pto_error(p), "rows and columns"));
    tessera_pto_destroy(p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_calls_never_break), cmocka_unit_test(tiles_without_a_size)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
