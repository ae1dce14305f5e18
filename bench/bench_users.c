/* What users run, on Tessera and, when TTSIM_LIB names the golden model's library, on that too: the same ELF files through the libttsim ABI of
 * both libraries. Elementwise addition over DRAM on 140 tiles, a matrix product on 64 tiles, and the kernels of tests/llk-like with few and many
 * passes. Each run is a process of its own, and its figure the user and system time of all its threads from the load of the library to its
 * end. Rounds are taken in turn; a ratio is the median of the rounds' ratios. All runs of a program must leave the same bits. One line per program.
 *   bench_users [NAME...] [--rounds N] [--loops N] [--one-thread] */
#define _GNU_SOURCE /* wait4 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "llk_kernels.h"
#include "ttsim.h"

#define TILE_BYTES 2048u /* 32 x 32 BF16 */
#define BANKS 8u
#define A_AT 0x1000000u
#define B_AT 0x2000000u
#define C_AT 0x3000000u
#define TILES_MAX 140u
#define ROUNDS_MAX 100u
#define PATH_BYTES 1200u

/* --- the sides --- */

struct side {
  const char *name, *timing, *threads; /* timing NULL: the golden model */
};
static const struct side sides[] = {
    {"ttsim", NULL, NULL},           {"on", "cycle", "1"},           {"off", "off", "1"},
    {"on, 2 threads", "cycle", "2"}, {"off, 2 threads", "off", "2"},
};
#define SIDES (sizeof sides / sizeof *sides)

/* --- programs --- */

struct program;
typedef uint64_t program_fn(struct ttsim *sim, const struct program *p,
                            const char *place); /* returns the hash of its result */
struct program {
  char name[64];
  program_fn *run;
  unsigned pages; /* eltwise: per tile */
  const struct llk_kernel *llk;
  unsigned loops;
};

static uint64_t mix(uint64_t hash, const void *bytes, size_t n) {
  const unsigned char *at = bytes;
  for (size_t i = 0; i < n; i++) hash = (hash ^ at[i]) * UINT64_C(1099511628211);
  return hash;
}

static void select_tile(struct ttsim *sim, uint32_t x, uint32_t y) {
  sim->x = x;
  sim->y = y;
}

static void select_bank(struct ttsim *sim, unsigned bank) { select_tile(sim, 17 + bank / 4, 12 + 3 * (bank & 3u)); }

/* Columns 8 and 9 of the grid have no Tensix tile. */
static void select_worker(struct ttsim *sim, unsigned index, unsigned columns) {
  const uint32_t x = 1 + index % columns;
  select_tile(sim, x < 8 ? x : x + 2, 2 + index / columns);
}

/* BF16 numbers of either sign from 1/2 to 2. */
static void fill_page(uint16_t page[TILE_BYTES / 2], uint32_t seed) {
  for (unsigned i = 0; i < TILE_BYTES / 2; i++) {
    seed = seed * 1664525u + 1013904223u;
    page[i] = (uint16_t)((seed >> 31) << 15 | (0x3f00u + (seed >> 16 & 0xffu)));
  }
}

static void put_tensor(struct ttsim *sim, uint32_t base, unsigned pages, uint32_t seed) {
  uint16_t page[TILE_BYTES / 2];
  for (unsigned i = 0; i < pages; i++) {
    fill_page(page, seed + i);
    select_bank(sim, i % BANKS);
    ttsim_put(sim, base + i / BANKS * TILE_BYTES, page, sizeof page);
  }
}

static uint64_t hash_tensor(struct ttsim *sim, uint32_t base, unsigned pages) {
  uint8_t page[TILE_BYTES];
  uint64_t hash = 1;
  for (unsigned i = 0; i < pages; i++) {
    select_bank(sim, i % BANKS);
    ttsim_get(sim, base + i / BANKS * TILE_BYTES, page, sizeof page);
    hash = mix(hash, page, sizeof page);
  }
  return hash;
}

/* The tile waits for its release from reset. */
static void prepare(struct ttsim *sim, const char *place, const char *kernel, const struct launch *l) {
  static const uint8_t zeros[16 * LAUNCH_SEMAPHORE_COUNT];
  char directory[PATH_BYTES];
  snprintf(directory, sizeof directory, "%s/kernels/%s", place, kernel);
  ttsim_programs(sim, directory, true);
  ttsim_put(sim, LAUNCH_SEMAPHORES, zeros, sizeof zeros);
  ttsim_put(sim, LAUNCH_ADDRESS, l, sizeof *l);
}

static void run_grid(struct ttsim *sim, unsigned tiles, unsigned columns) {
  for (unsigned i = 0; i < tiles; i++) {
    select_worker(sim, i, columns);
    ttsim_poke(sim, TTSIM_SOFT_RESET, 0);
  }
  for (unsigned i = 0; i < tiles;) {
    select_worker(sim, i, columns);
    if (ttsim_peek(sim, LAUNCH_FIELD(go)) == RUN_SYNC_MSG_DONE) i++;
    else sim->clock(1000);
  }
}

static void describe(struct launch *l, const unsigned pages[3], unsigned nargs, const uint32_t *args) {
  static const unsigned buffers[] = {0, 1, 16};
  uint32_t heap = LAUNCH_HEAP;
  memset(l, 0, sizeof *l);
  for (unsigned i = 0; i < 3; i++) {
    l->buffer[buffers[i]] = (struct launch_buffer){heap, TILE_BYTES, pages[i], LLK_BF16};
    heap += pages[i] * TILE_BYTES;
  }
  memcpy(l->args, args, nargs * sizeof *args);
  l->dram_banks = BANKS;
  l->go = RUN_SYNC_MSG_GO;
}

/* examples/grid_add: each tile reads, adds and writes its pages. */
static uint64_t run_eltwise(struct ttsim *sim, const struct program *p, const char *place) {
  put_tensor(sim, A_AT, TILES_MAX * p->pages, 5);
  put_tensor(sim, B_AT, TILES_MAX * p->pages, 100005);
  for (unsigned i = 0; i < TILES_MAX; i++) {
    struct launch l;
    describe(&l, (const unsigned[]){2, 2, 2}, 8, (const uint32_t[]){p->pages, i, A_AT, B_AT, C_AT, 0, 0, 0});
    select_worker(sim, i, 14);
    prepare(sim, place, "users_grid_add", &l);
  }
  run_grid(sim, TILES_MAX, 14);
  return hash_tensor(sim, C_AT, TILES_MAX * p->pages);
}

/* examples/grid_matmul/large.chip: 1024 x 1024 x 1024 on 8 x 8 tiles, 4 x 4 data tiles of C on each, K in steps of 4. */
static uint64_t run_matmul(struct ttsim *sim, const struct program *p, const char *place) {
  (void)p;
  put_tensor(sim, A_AT, 32 * 32, 1);
  put_tensor(sim, B_AT, 32 * 32, 100001);
  for (unsigned i = 0; i < 64; i++) {
    struct launch l;
    const uint32_t args[] = {4, 32, 4, i % 8, i / 8, 8, 8, 1, 2, A_AT, B_AT, C_AT, 4};
    describe(&l, (const unsigned[]){32, 32, 2}, sizeof args / sizeof *args, args);
    select_worker(sim, i, 8);
    prepare(sim, place, "users_grid_matmul", &l);
  }
  run_grid(sim, 64, 8);
  return hash_tensor(sim, C_AT, 32 * 32);
}

static uint64_t run_llk(struct ttsim *sim, const struct program *p, const char *place) {
  static uint8_t data[LLK_BUFFER_BYTES];
  char directory[PATH_BYTES];
  struct launch l;
  snprintf(directory, sizeof directory, "%s/kernels/llk_%s", place, p->llk->name);
  ttsim_programs(sim, directory, false);
  for (unsigned buffer = 0; buffer < 2; buffer++) {
    llk_fill(p->llk, buffer, (uint16_t *)(void *)data);
    ttsim_put(sim, LAUNCH_HEAP + buffer * LLK_BUFFER_BYTES, data, sizeof data);
  }
  llk_describe(p->llk, p->loops, &l);
  ttsim_put(sim, LAUNCH_ADDRESS, &l, sizeof l);
  ttsim_poke(sim, TTSIM_SOFT_RESET, TTSIM_NCRISC_HELD);
  while (ttsim_peek(sim, LAUNCH_FIELD(go)) != RUN_SYNC_MSG_DONE) sim->clock(1000);
  ttsim_get(sim, LAUNCH_HEAP + 2 * LLK_BUFFER_BYTES, data, sizeof data);
  return mix(1, data, sizeof data);
}

/* --- a run --- */

struct took {
  double seconds; /* 0: it failed */
  uint64_t hash;
};

static double seconds_of(const struct timeval *t) { return (double)t->tv_sec + (double)t->tv_usec * 1e-6; }

static void child(const struct program *p, const struct side *s, const char *place, int to) {
  char library[PATH_BYTES];
  struct ttsim sim;
  snprintf(library, sizeof library, "%s/libttsim.so", place);
  if (s->timing) {
    setenv("TESSERA_TIMING", s->timing, 1);
    setenv("TESSERA_THREADS", s->threads, 1);
    setenv("TESSERA_CHECK", "none", 1);
  }
  if (!ttsim_open(&sim, s->timing ? library : getenv("TTSIM_LIB"))) _exit(1);
  uint64_t hash = p->run(&sim, p, place);
  _exit(write(to, &hash, sizeof hash) == (ssize_t)sizeof hash ? 0 : 1);
}

static struct took run(const struct program *p, const struct side *s, const char *place) {
  struct took took = {0, 0};
  struct rusage used;
  int pipes[2], status = 1;
  if (pipe(pipes) != 0) return took;
  fflush(stdout);
  pid_t pid = fork();
  if (pid == 0) child(p, s, place, pipes[1]);
  close(pipes[1]);
  bool good = pid > 0 && read(pipes[0], &took.hash, sizeof took.hash) == (ssize_t)sizeof took.hash;
  close(pipes[0]);
  if (pid > 0 && wait4(pid, &status, 0, &used) == pid && good && status == 0)
    took.seconds = seconds_of(&used.ru_utime) + seconds_of(&used.ru_stime);
  else fprintf(stderr, "bench_users: %s on %s failed\n", p->name, s->name);
  return took;
}

/* --- the table --- */

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median_ratio(const double *ours, const double *golden, unsigned rounds) {
  double ratios[ROUNDS_MAX];
  unsigned count = 0;
  for (unsigned i = 0; i < rounds; i++)
    if (ours[i] > 0 && golden[i] > 0) ratios[count++] = golden[i] / ours[i];
  if (!count) return 0;
  qsort(ratios, count, sizeof *ratios, by_size);
  return count % 2 ? ratios[count / 2] : (ratios[count / 2 - 1] + ratios[count / 2]) / 2;
}

struct options {
  unsigned rounds, loops;
  bool one_thread;
};

/* false: a run failed, or left other bits than the first one. */
static bool measure(const struct program *p, const struct options *o, const char *place) {
  static double times[SIDES][ROUNDS_MAX];
  uint64_t hash = 0;
  bool good = true, known = false;
  memset(times, 0, sizeof times);
  for (unsigned round = 0; round < o->rounds; round++)
    for (unsigned s = 0; s < SIDES; s++) {
      if ((!sides[s].timing && !getenv("TTSIM_LIB")) || (o->one_thread && sides[s].threads && sides[s].threads[0] != '1'))
        continue;
      const struct took took = run(p, &sides[s], place);
      times[s][round] = took.seconds;
      good &= took.seconds > 0 && (!known || took.hash == hash);
      if (known && took.hash != hash) fprintf(stderr, "bench_users: %s on %s left other bits\n", p->name, sides[s].name);
      if (!known && took.seconds > 0) hash = took.hash, known = true;
    }
  printf("%-26s", p->name);
  for (unsigned s = 0; s < SIDES; s++) {
    double least = 0;
    for (unsigned i = 0; i < o->rounds; i++)
      if (times[s][i] > 0 && (least <= 0 || times[s][i] < least)) least = times[s][i];
    if (least <= 0) continue;
    printf("  %s %.3f s", sides[s].name, least);
    const double ratio = s ? median_ratio(times[s], times[0], o->rounds) : 0;
    if (ratio > 0) printf(" (%.2f)", ratio);
  }
  printf("\n");
  fflush(stdout);
  return good;
}

static bool is_named(const char *name, int argc, char **argv) {
  bool any = false, named = false;
  for (int i = 1; i < argc; i++) {
    if (argv[i][0] == '-') {
      i += strcmp(argv[i], "--one-thread") != 0;
      continue;
    }
    any = true;
    named |= strncmp(name, argv[i], strlen(argv[i])) == 0;
  }
  return named || !any;
}

int main(int argc, char **argv) {
  static const unsigned counts[] = {8, 40, 400};
  struct options o = {.rounds = getenv("TTSIM_LIB") ? 5 : 1};
  char place[960];
  bool good = true;
  snprintf(place, sizeof place, "%s", argv[0]);
  for (int i = 0; i < 2; i++) {
    char *slash = strrchr(place, '/');
    if (slash) *slash = '\0';
  }
  for (int i = 1; i < argc; i++) {
    if (i + 1 < argc && strcmp(argv[i], "--rounds") == 0) o.rounds = (unsigned)strtoul(argv[++i], NULL, 10);
    else if (i + 1 < argc && strcmp(argv[i], "--loops") == 0) o.loops = (unsigned)strtoul(argv[++i], NULL, 10);
    else if (strcmp(argv[i], "--one-thread") == 0) o.one_thread = true;
  }
  if (o.rounds > ROUNDS_MAX) o.rounds = ROUNDS_MAX;
  struct program grid[] = {{.name = "eltwise 140 tiles x 8", .run = run_eltwise, .pages = 8},
                           {.name = "eltwise 140 tiles x 64", .run = run_eltwise, .pages = 64},
                           {.name = "matmul 1024^3 64 tiles", .run = run_matmul}};
  for (unsigned i = 0; i < sizeof grid / sizeof *grid; i++)
    if (is_named(grid[i].name, argc, argv)) good &= measure(&grid[i], &o, place);
  for (unsigned i = 0; i < LLK_KERNELS; i++)
    for (unsigned k = 0; k < sizeof counts / sizeof *counts; k++) {
      struct program p = {.run = run_llk, .llk = &llk_kernels[i], .loops = o.loops ? o.loops : counts[k]};
      snprintf(p.name, sizeof p.name, "%s x %u", p.llk->name, p.loops);
      if (is_named(p.name, argc, argv) && !(o.loops && k)) good &= measure(&p, &o, place);
    }
  return !good;
}
