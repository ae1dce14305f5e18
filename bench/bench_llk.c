/* How fast kernels with the shapes of the vendor's run (tests/llk-like), on Tessera with timing on and off and, when TTSIM_LIB
 * names the golden model's library, on that too: the same ELF files, CPU seconds, rounds taken in turn. Rates are those of the fastest round of
 * each; a ratio is the median of the rounds' ratios, because a host's clock changes within a run but hardly within a round. One line per kernel.
 * All of it runs on one processor: the golden model, in a process of its own, would otherwise have another one, with other neighbours.
 *   bench_llk [NAME...] [--rounds N] [--loops N] [--only cycle|off|ttsim] [--clock]
 * --clock: NCRISC waits for 1350 cycles by the wall clock, again and again, as the vendor's BRISC does beside every kernel of tt-llk. */
#define _GNU_SOURCE /* sched_setaffinity */
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../kernels/host/kernel_host.h"
#include "llk_kernels.h"
#include "ttsim.h"

#define LOOPS 400u /* passes over the tiles inside the kernel, unless --loops sets it */

/* What NCRISC executes beside a kernel: the loop of --clock. */
#define CLOCK_CODE 0x160000u
static const uint32_t clock_code[] = {
    0xffb12437u, /*        lui  s0, 0xffb12 */
    0x54600693u, /*        li   a3, 1350 */
    0x0ff0000fu, /* look:  fence */
    0x1f042283u, /*        lw   t0, 0x1f0(s0) */
    0x1f042303u, /* again: lw   t1, 0x1f0(s0) */
    0x1f842383u, /*        lw   t2, 0x1f8(s0) */
    0x405305b3u, /*        sub  a1, t1, t0 */
    0xfed5eae3u, /*        bltu a1, a3, again */
    0xfe9ff06fu, /*        j    look */
};

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* --- Tessera --- */

struct options {
  unsigned rounds, loops;
  bool clock;
  const char *only, *ttsim;
};

static double run_tessera(const struct llk_kernel *k, unsigned loops, bool clock, const char *directory,
                          enum tessera_timing timing) {
  static uint16_t data[LLK_BUFFER_BYTES / 2];
  static const char *const names[] = {"trisc0", "trisc1", "trisc2", "brisc"};
  static unsigned char file[1 << 20];
  struct tessera_tile *tile = tessera_tile_create(timing);
  struct launch l;
  char path[1200];
  if (!tile) return 0;
  for (unsigned core = 0; core < 4; core++) {
    snprintf(path, sizeof path, "%s/%s.elf", directory, names[core]);
    FILE *f = fopen(path, "rb");
    if (!f) return 0;
    size_t size = fread(file, 1, sizeof file, f);
    fclose(f);
    if (tessera_tile_load_elf(tile, (enum tessera_core)core, file, size) != TESSERA_OK) return 0;
  }
  for (unsigned buffer = 0; buffer < 2; buffer++) {
    llk_fill(k, buffer, data);
    tessera_tile_write(tile, LAUNCH_HEAP + buffer * LLK_BUFFER_BYTES, data, sizeof data);
  }
  llk_describe(k, loops, &l);
  if (clock) {
    tessera_tile_write(tile, CLOCK_CODE, clock_code, sizeof clock_code);
    tessera_tile_set_reset_pc(tile, TESSERA_NCRISC, CLOCK_CODE);
  }
  tessera_tile_start(tile, clock ? 0x1f : 0xf);
  tessera_tile_write(tile, LAUNCH_ADDRESS, &l, sizeof l);
  tessera_tile_until(tile, LAUNCH_FIELD(go), UINT32_MAX, RUN_SYNC_MSG_DONE, NULL);
  double begin = seconds();
  enum tessera_result result = tessera_tile_run(tile, UINT64_C(1) << 40);
  double took = seconds() - begin;
  if (result != TESSERA_STOPPED) {
    fprintf(stderr, "bench_llk: %s: %s\n", k->name, tessera_tile_explain(tile));
    took = 0;
  }
  tessera_tile_destroy(tile);
  return took;
}

/* --- the golden model --- */

struct ttsim_job {
  const struct llk_kernel *k;
  unsigned loops;
  bool clock;
  const char *directory, *path;
};

static double run_ttsim_here(void *argument) {
  static uint16_t data[LLK_BUFFER_BYTES / 2];
  const struct ttsim_job *job = argument;
  struct ttsim sim;
  if (!ttsim_open(&sim, job->path)) return 0;
  ttsim_programs(&sim, job->directory, false);
  for (unsigned buffer = 0; buffer < 2; buffer++) {
    llk_fill(job->k, buffer, data);
    ttsim_put(&sim, LAUNCH_HEAP + buffer * LLK_BUFFER_BYTES, data, sizeof data);
  }
  struct launch l;
  llk_describe(job->k, job->loops, &l);
  ttsim_put(&sim, LAUNCH_ADDRESS, &l, sizeof l);
  if (job->clock) {
    ttsim_put(&sim, CLOCK_CODE, clock_code, sizeof clock_code);
    ttsim_poke(&sim, TTSIM_NCRISC_RESET_PC, CLOCK_CODE);
    ttsim_poke(&sim, TTSIM_NCRISC_RESET_PC + 4, 1);
  }
  ttsim_poke(&sim, TTSIM_SOFT_RESET, job->clock ? 0 : TTSIM_NCRISC_HELD);
  double begin = seconds();
  while (ttsim_peek(&sim, LAUNCH_FIELD(go)) != RUN_SYNC_MSG_DONE) sim.clock(1000);
  return seconds() - begin;
}

static double run_ttsim(const struct llk_kernel *k, unsigned loops, const struct options *o, const char *directory) {
  return ttsim_apart(run_ttsim_here, &(struct ttsim_job){k, loops, o->clock, directory, o->ttsim});
}

/* --- the table --- */

enum { CYCLE, OFF, TTSIM, WAYS };

#define ROUNDS_MAX 100u

static bool wanted(const struct options *o, unsigned way) {
  static const char *const names[] = {"cycle", "off", "ttsim"};
  if (way == TTSIM && !o->ttsim) return false;
  return !o->only || strcmp(o->only, names[way]) == 0;
}

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The median, over rounds, of how many times as long the golden model took; 0: not measured. */
static double times_as_fast(const double *ours, const double *ttsim, unsigned rounds) {
  double ratios[ROUNDS_MAX];
  unsigned count = 0;
  for (unsigned i = 0; i < rounds; i++)
    if (ours[i] > 0 && ttsim[i] > 0) ratios[count++] = ttsim[i] / ours[i];
  if (!count) return 0;
  qsort(ratios, count, sizeof *ratios, by_size);
  return count % 2 ? ratios[count / 2] : (ratios[count / 2 - 1] + ratios[count / 2]) / 2;
}

static void measure(const struct llk_kernel *k, const struct options *o, const char *place) {
  char directory[1100];
  double best[WAYS] = {0, 0, 0}, times[WAYS][ROUNDS_MAX] = {{0}};
  unsigned loops = o->loops ? o->loops : LOOPS;
  snprintf(directory, sizeof directory, "%s/kernels/llk_%s", place, k->name);
  for (unsigned round = 0; round < o->rounds; round++)
    for (unsigned way = 0; way < WAYS; way++) {
      if (!wanted(o, way)) continue;
      double took = way == TTSIM
                        ? run_ttsim(k, loops, o, directory)
                        : run_tessera(k, loops, o->clock, directory, way == OFF ? TESSERA_TIMING_OFF : TESSERA_TIMING_CYCLE);
      times[way][round] = took;
      if (took > 0 && (best[way] == 0 || took < best[way])) best[way] = took;
    }
  double work = (double)loops * k->tiles;
  printf("llk-like %-16s", k->name);
  if (best[CYCLE] > 0) printf(" %8.0f tiles/s timing on", work / best[CYCLE]);
  if (best[OFF] > 0) printf(" %8.0f off", work / best[OFF]);
  if (best[TTSIM] > 0) printf(" %8.0f ttsim", work / best[TTSIM]);
  const double on = times_as_fast(times[CYCLE], times[TTSIM], o->rounds),
               off = times_as_fast(times[OFF], times[TTSIM], o->rounds);
  if (on > 0) printf("  on/ttsim %5.2f", on);
  if (off > 0) printf("  off/ttsim %5.2f", off);
  printf("\n");
  fflush(stdout);
}

/* Where that is not possible the figures are only less steady. */
static void stay_on_processor(void) {
  const int cpu = sched_getcpu();
  cpu_set_t set;
  CPU_ZERO(&set);
  if (cpu < 0 || cpu >= CPU_SETSIZE) return;
  CPU_SET((size_t)cpu, &set);
  if (sched_setaffinity(0, sizeof set, &set)) return;
}

int main(int argc, char **argv) {
  struct options o = {.ttsim = getenv("TTSIM_LIB")};
  char place[960];
  unsigned names = 0;
  o.rounds = o.ttsim ? 5 : 1;
  stay_on_processor();
  snprintf(place, sizeof place, "%s", argv[0]);
  for (int i = 0; i < 2; i++) {
    char *slash = strrchr(place, '/');
    if (slash) *slash = '\0';
  }
  for (int i = 1; i < argc; i++) {
    if (i + 1 < argc && strcmp(argv[i], "--rounds") == 0) o.rounds = (unsigned)strtoul(argv[++i], NULL, 10);
    else if (i + 1 < argc && strcmp(argv[i], "--loops") == 0) o.loops = (unsigned)strtoul(argv[++i], NULL, 10);
    else if (i + 1 < argc && strcmp(argv[i], "--only") == 0) o.only = argv[++i];
    else if (strcmp(argv[i], "--clock") == 0) o.clock = true;
    else names++;
  }
  if (o.rounds > ROUNDS_MAX) o.rounds = ROUNDS_MAX;
  for (unsigned i = 0; i < LLK_KERNELS; i++) {
    bool named = names == 0;
    for (int a = 1; a < argc; a++) named |= strcmp(argv[a], llk_kernels[i].name) == 0;
    if (named) measure(&llk_kernels[i], &o, place);
  }
  return 0;
}
