/* Saved states of random programs in the middle of their work, with one or two fields damaged and the checksum recomputed: the tile rejects the state, or
 * restores it and runs on, reports and saves without a crash or a broken invariant. `make soak` damages a hundred times as many. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/state.h"
#include "beside.h"
#include "random_program.h"
#include "scale.h"

enum { HEADER = 40, DAMAGES = 200, CYCLES = 4000, AFTER = 500 };

static char programs[512];
static const char *const kernels[] = {"matmul_lofi", "eltwise_mul_col", "sfpu_exp", "reduce_row", "tilize", "pack_untilize"};
#define KERNELS (sizeof kernels / sizeof kernels[0])
static struct random_base bases[2][KERNELS]; /* by timing */

static void start(struct tessera_tile *tile, uint64_t seed) {
  unsigned timing = (unsigned)(seed % 4 != 3);
  struct random_base *base = &bases[timing][seed % KERNELS];
  char path[600];
  snprintf(path, sizeof path, "%s/llk_%s", programs, kernels[seed % KERNELS]);
  if (!base->state) assert_true(random_base_make(base, path, timing));
  tessera_tile_reset(tile, timing ? TESSERA_TIMING_CYCLE : TESSERA_TIMING_OFF);
  random_program_start(&tile->tile, base, seed, false);
}

/* A place of the state that is not data (L1, Src, Dst, LRegs); mostly one that is not 0, which is in use. */
static size_t place(struct random_source *r, const unsigned char *state) {
  const size_t first = offsetof(struct tx_tile, src), second = offsetof(struct tx_tile, unpack),
               end = offsetof(struct tx_tile, l1);
  size_t at = 0;
  for (unsigned tries = 0; tries < 64; tries++) {
    at = random_below(r, (uint32_t)(first + end - second - 8));
    if (at >= first) at += second - first;
    at += HEADER;
    if (random_below(r, 8) == 0 || state[at]) break;
  }
  return at;
}

static void damage(struct random_source *r, unsigned char *state) {
  unsigned char *at = state + place(r, state);
  uint32_t word;
  memcpy(&word, at, sizeof word);
  switch (random_below(r, 7)) {
    case 0: at[0] = (unsigned char)random_next(r); return;
    case 1: at[0] = (unsigned char)(at[0] ^ 1u << random_below(r, 8)); return;
    case 2: at[0]++; return;
    case 3: at[0] = 0xff; return;
    case 4: word = random_next(r); break;
    case 5: word = 0xffffffffu; break;
    default: word += random_below(r, 64); break;
  }
  memcpy(at, &word, sizeof word);
}

static void damaged_states_are_rejected_or_run(void **unused) {
  struct tessera_tile *tile = tessera_tile_create(TESSERA_TIMING_CYCLE), *other = tessera_tile_create(TESSERA_TIMING_CYCLE);
  unsigned char *whole = NULL, *state = NULL;
  uint64_t count = test_scaled(24), restored = 0, rejected = 0;
  (void)unused;
  for (uint64_t seed = 0; seed < count; seed++) {
    struct random_source r = {.seed = seed + 77};
    start(tile, seed);
    tessera_tile_run(tile, 1 + random_below(&r, CYCLES));
    size_t size = tessera_tile_state_size(tile);
    whole = realloc(whole, size), state = realloc(state, size);
    assert_non_null(whole);
    assert_non_null(state);
    assert_int_equal(tessera_tile_save(tile, whole, size), TESSERA_OK);
    for (unsigned i = 0; i < DAMAGES; i++) {
      memcpy(state, whole, size);
      for (uint32_t n = 1 + random_below(&r, 2); n; n--) damage(&r, state);
      api_seal_state(state, size);
      enum tessera_result result = tessera_tile_restore(other, state, size);
      assert_true(result == TESSERA_OK || result == TESSERA_REFUSED);
      restored += result == TESSERA_OK;
      rejected += result != TESSERA_OK;
      if (result != TESSERA_OK) continue;
      tessera_tile_run(other, AFTER);
      tessera_tile_explain(other);
    }
  }
  printf("note: %llu damaged states: %llu rejected, %llu restored and run\n", (unsigned long long)(restored + rejected),
         (unsigned long long)rejected, (unsigned long long)restored);
  assert_true(restored > 0 && rejected > 0);
  free(whole);
  free(state);
  for (unsigned i = 0; i < 2; i++)
    for (unsigned k = 0; k < KERNELS; k++) free(bases[i][k].state);
  tessera_tile_destroy(tile);
  tessera_tile_destroy(other);
}

int main(int argc, char **argv) {
  (void)argc;
  test_kernels_directory(programs, sizeof programs, argv[0]);
  const struct CMUnitTest tests[] = {cmocka_unit_test(damaged_states_are_rejected_or_run)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
