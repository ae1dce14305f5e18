/* How fast kernels with the shapes of the vendor's run (tests/llk-like), on Tessera with timing on and off and, when TTSIM_LIB
 * names the golden model's library, on that too: the same ELF files, CPU seconds, rounds taken in turn. Rates are those of the fastest round of
 * each; a ratio is the median of the rounds' ratios, because a host's clock changes within a run but hardly within a round. One line per kernel.
 * All of it runs on one processor: the golden model, in a process of its own, would otherwise have another one, with other neighbours.
 *   bench_llk [NAME...] [--rounds N] [--loops N] [--only cycle|off|ttsim] [--clock]
 * --clock: NCRISC waits for 1350 cycles by the wall clock, again and again, as the vendor's BRISC does beside every kernel of tt-llk. */
#define _GNU_SOURCE /* sched_setaffinity */
#include <elf.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../kernels/host/kernel_host.h"
#include "ttsim.h"

#define BF16 5u
#define INT32 8u
#define BUFFER_BYTES 0x10000u

struct kernel {
  const char *name;
  unsigned format, loops, tiles;
};

/* 400 passes over the tiles inside the kernel. */
static const struct kernel kernels[] = {
    {"matmul_lofi", BF16, 400, 32},    {"matmul_hifi4", BF16, 400, 32},   {"eltwise_add", BF16, 400, 8},
    {"eltwise_mul_col", BF16, 400, 8}, {"eltwise_add_row", BF16, 400, 8}, {"sfpu_exp", BF16, 400, 8},
    {"sfpu_typecast", BF16, 400, 8},   {"reduce_col", BF16, 400, 8},      {"reduce_row", BF16, 400, 8},
    {"transpose", BF16, 400, 8},       {"tilize", BF16, 400, 8},          {"untilize", BF16, 400, 8},
    {"pack_untilize", BF16, 400, 16},  {"datacopy", BF16, 400, 8},        {"int32_add", INT32, 400, 8},
};
#define KERNELS (sizeof kernels / sizeof kernels[0])

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

/* Addresses of the buffers, their initial contents, and the number of passes over them. */
static void describe(const struct kernel *k, unsigned loops, struct launch *l) {
  memset(l, 0, sizeof *l);
  for (unsigned i = 0; i < 3; i++)
    l->buffer[i == 2 ? 16 : i] = (struct launch_buffer){LAUNCH_HEAP + i * BUFFER_BYTES, k->format == INT32 ? 4096 : 2048,
                                                        BUFFER_BYTES / 4096, k->format};
  l->args[0] = loops;
  l->go = RUN_SYNC_MSG_GO;
}

static void fill(const struct kernel *k, unsigned buffer, uint16_t *to) {
  bool scaler = buffer == 1 && strncmp(k->name, "reduce", 6) == 0;
  for (unsigned i = 0; i < BUFFER_BYTES / 2; i++)
    to[i] = scaler ? (i % 256 < 16 ? 0x3f80u : 0) : (uint16_t)((k->format == INT32 ? 0x20u : 0x3f00u) + (i * 37u) % 256u);
}

/* --- Tessera --- */

struct options {
  unsigned rounds, loops;
  bool clock;
  const char *only, *ttsim;
};

static double run_tessera(const struct kernel *k, unsigned loops, bool clock, const char *directory,
                          enum tessera_timing timing) {
  static uint16_t data[BUFFER_BYTES / 2];
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
    fill(k, buffer, data);
    tessera_tile_write(tile, LAUNCH_HEAP + buffer * BUFFER_BYTES, data, sizeof data);
  }
  describe(k, loops, &l);
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

static uint32_t ttsim_load(const struct ttsim *sim, const char *directory, const char *name) {
  static unsigned char file[1 << 20];
  char path[1200];
  snprintf(path, sizeof path, "%s/%s.elf", directory, name);
  FILE *f = fopen(path, "rb");
  if (!f) exit(1);
  size_t size = fread(file, 1, sizeof file, f);
  fclose(f);
  Elf32_Ehdr head;
  memcpy(&head, file, sizeof head);
  for (unsigned i = 0; i < head.e_phnum; i++) {
    Elf32_Phdr p;
    memcpy(&p, file + head.e_phoff + i * sizeof p, sizeof p);
    if (p.p_type == PT_LOAD && p.p_filesz && p.p_offset + p.p_filesz <= size)
      ttsim_put(sim, p.p_paddr, file + p.p_offset, (p.p_filesz + 3) & ~3u);
  }
  return head.e_entry;
}

struct ttsim_job {
  const struct kernel *k;
  unsigned loops;
  bool clock;
  const char *directory, *path;
};

static double run_ttsim_here(void *argument) {
  static uint16_t data[BUFFER_BYTES / 2];
  const struct ttsim_job *job = argument;
  struct ttsim sim;
  if (!ttsim_open(&sim, job->path)) return 0;
  uint32_t brisc = ttsim_load(&sim, job->directory, "brisc");
  uint32_t jump =
      0x6fu | (brisc >> 20 & 1u) << 31 | (brisc >> 1 & 0x3ffu) << 21 | (brisc >> 11 & 1u) << 20 | (brisc & 0xff000u);
  ttsim_poke(&sim, 0, jump);
  ttsim_poke(&sim, TTSIM_TRISC_RESET_PC, ttsim_load(&sim, job->directory, "trisc0"));
  ttsim_poke(&sim, TTSIM_TRISC_RESET_PC + 4, ttsim_load(&sim, job->directory, "trisc1"));
  ttsim_poke(&sim, TTSIM_TRISC_RESET_PC + 8, ttsim_load(&sim, job->directory, "trisc2"));
  ttsim_poke(&sim, TTSIM_TRISC_RESET_PC + 12, 7);
  for (unsigned buffer = 0; buffer < 2; buffer++) {
    fill(job->k, buffer, data);
    ttsim_put(&sim, LAUNCH_HEAP + buffer * BUFFER_BYTES, data, sizeof data);
  }
  struct launch l;
  describe(job->k, job->loops, &l);
  ttsim_put(&sim, LAUNCH_ADDRESS, &l, sizeof l);
  if (job->clock) {
    ttsim_put(&sim, CLOCK_CODE, clock_code, sizeof clock_code);
    ttsim_poke(&sim, TTSIM_NCRISC_RESET_PC, CLOCK_CODE);
    ttsim_poke(&sim, TTSIM_NCRISC_RESET_PC + 4, 1);
  }
  ttsim_poke(&sim, TTSIM_SOFT_RESET, job->clock ? 0 : 0x40000u); /* bit 18: NCRISC */
  double begin = seconds();
  while (ttsim_peek(&sim, LAUNCH_FIELD(go)) != RUN_SYNC_MSG_DONE) sim.clock(1000);
  return seconds() - begin;
}

static double run_ttsim(const struct kernel *k, unsigned loops, const struct options *o, const char *directory) {
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

static void measure(const struct kernel *k, const struct options *o, const char *place) {
  char directory[1100];
  double best[WAYS] = {0, 0, 0}, times[WAYS][ROUNDS_MAX] = {{0}};
  unsigned loops = o->loops ? o->loops : k->loops;
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
  for (unsigned i = 0; i < KERNELS; i++) {
    bool named = names == 0;
    for (int a = 1; a < argc; a++) named |= strcmp(argv[a], kernels[i].name) == 0;
    if (named) measure(&kernels[i], &o, place);
  }
  return 0;
}
