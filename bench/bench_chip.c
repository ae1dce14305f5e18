/* The chip: 140 tiles with five busy cores each, one busy tile among idle ones, creation and memory, packets per second. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "chip/chip.h"
#include "tensix/riscv/core.h"
#include "tensix/tile/tile.h"
#include "ttsim.h"

#define ROUNDS 4
#define ITERATIONS 20000u
#define ALONE_ITERATIONS 2000000u

static double seconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
static double wall(void) { return seconds(CLOCK_MONOTONIC); }
static double cpu(void) { return seconds(CLOCK_PROCESS_CPUTIME_ID); }

/* The loop "arithmetic and branches" of bench_riscv; returns its words. */
#define LOOP_WORDS 16u
#define LOOP_LENGTH 11u /* instructions; one of them is skipped at times */

static unsigned write_loop(uint32_t *code, uint32_t iterations) {
  static const uint32_t body[LOOP_LENGTH - 2] = {0x00150513, 0x00a5c5b3, 0x00359613, 0x00c586b3, 0x00d6f463,
                                                 0x00000013, 0x02a68733, 0x40c705b3, 0x00b57533};
  unsigned n = 0;
  code[n++] = 0x000402b7; /* cfg0 bits 18 and 3, as firmware sets them */
  code[n++] = 0x00828293;
  code[n++] = 0x7c02a073;
  code[n++] = (iterations + 0x800) >> 12 << 12 | 0x437;
  code[n++] = (iterations & 0xfff) << 20 | 0x40413;
  for (unsigned i = 0; i < LOOP_LENGTH - 2; i++) code[n++] = body[i];
  code[n++] = 0xfff40413;
  uint32_t back = -4u * (LOOP_LENGTH - 1);
  code[n++] = (back >> 12 & 1u) << 31 | (back >> 5 & 63u) << 25 | 8u << 15 | 1u << 12 | (back >> 1 & 15u) << 8 |
              (back >> 11 & 1u) << 7 | 0x63u;
  return n;
}

static void load(struct tx_tile *t, uint32_t iterations) {
  uint32_t code[LOOP_WORDS + 1];
  unsigned n = write_loop(code, iterations);
  code[n++] = 0x00100073; /* ebreak */
  memcpy(t->l1, code, 4 * n);
}

static struct chip *new_chip(bool timing, unsigned threads) {
  const char *why;
  struct chip_config config = {.harvest = chip_product_find("full")->harvest, .timing = timing, .threads = threads};
  struct chip *c = chip_create(&config, &why);
  if (!c) {
    puts(why);
    exit(1);
  }
  return c;
}

struct figure {
  double wall, cpu;
  uint64_t instructions;
};

static struct figure busy(bool timing, unsigned threads, unsigned tiles, unsigned cores, uint32_t iterations) {
  struct chip *c = new_chip(timing, threads);
  struct figure f = {0};
  for (unsigned i = 0; i < tiles; i++) {
    struct tx_tile *t = chip_tensix(c, chip_tile_of_kind(chip_grid(c), CHIP_TENSIX, i));
    load(t, iterations);
    for (unsigned core = 0; core < cores; core++) tx_core_start(t, core, 0);
  }
  f.wall = wall();
  f.cpu = cpu();
  chip_run(c, UINT64_C(1) << 40);
  f.wall = wall() - f.wall;
  f.cpu = cpu() - f.cpu;
  for (unsigned i = 0; i < tiles; i++) {
    struct tx_tile *t = chip_tensix(c, chip_tile_of_kind(chip_grid(c), CHIP_TENSIX, i));
    for (unsigned core = 0; core < cores; core++) f.instructions += t->core[core].retired;
  }
  chip_destroy(c);
  return f;
}

static double alone(bool timing) {
  struct tx_tile *t = calloc(1, sizeof *t);
  if (!t) return 0;
  tx_tile_reset(t, timing);
  load(t, ALONE_ITERATIONS);
  tx_core_start(t, 0, 0);
  double start = cpu();
  tx_tile_run(t, UINT64_C(1) << 40);
  double rate = (double)t->core[0].retired / (cpu() - start) / 1e6;
  free(t);
  return rate;
}

static long resident_kib(void) {
  long pages = 0, total = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  if (f && fscanf(f, "%ld %ld", &total, &pages) != 2) pages = 0;
  if (f) fclose(f);
  return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static void creation(void) {
  long before = resident_kib();
  double start = wall();
  struct chip *c = new_chip(true, 0);
  double created = wall() - start;
  start = wall();
  chip_run(c, UINT64_C(1000000000000));
  printf("chip, created in                              %8.3f ms, %ld KiB more resident\n", created * 1e3,
         resident_kib() - before);
  printf("chip, idle for 10^12 cycles                   %8.3f ms\n", (wall() - start) * 1e3);
  chip_destroy(c);
}

/* Every tile sends 64-byte writes to its neighbours, issued from outside; only the run is timed. */
static void packets(bool timing, unsigned threads) {
  struct chip *c = new_chip(timing, threads);
  double took = 0;
  for (unsigned round = 0; round < 300; round++) {
    for (unsigned i = 0; i < 140; i++) {
      unsigned to = (i * 37 + round) % 140;
      const struct chip_slot *from = &chip_grid(c)->slot[chip_tile_of_kind(chip_grid(c), CHIP_TENSIX, i)];
      const struct chip_slot *target = &chip_grid(c)->slot[chip_tile_of_kind(chip_grid(c), CHIP_TENSIX, to)];
      struct tx_tile *t = chip_tensix(c, chip_tile_of_kind(chip_grid(c), CHIP_TENSIX, i));
      const uint32_t words[9] = {0x20000, 0, from->logical, 0x40000, 0, target->logical, 0, 0x12, 64};
      for (unsigned k = 0; k < 9; k++) tx_noc_write(t, 0xFFB20000u + 4 * k, words[k]);
      tx_noc_write(t, 0xFFB20040u, 1);
    }
    double start = wall();
    chip_run(c, chip_now(c) + 1000);
    took += wall() - start;
  }
  printf("chip, NoC packets, timing %-5s %u threads       %8.0f packets/s\n", timing ? "cycle" : "off", threads,
         (double)chip_packets(c) / took);
  chip_destroy(c);
}

/* --- the golden model: the same loop on the same cores --- */

#define TTSIM_ITERATIONS 4000u
#define CODE_BYTES 0x1000u /* a copy per core */
#define DONE_WORDS 0x8000u /* a word per core */

static bool all_done(struct ttsim *sim) {
  for (sim->y = 2; sim->y < 12; sim->y++)
    for (sim->x = 1; sim->x < 17; sim->x++)
      for (unsigned core = 0; core < 5 && sim->x != 8 && sim->x != 9; core++)
        if (ttsim_peek(sim, DONE_WORDS + 4 * core) != 1) return false;
  return true;
}

static void start_tile(const struct ttsim *sim) {
  for (unsigned core = 0; core < 5; core++) {
    uint32_t code[LOOP_WORDS + 5];
    unsigned n = write_loop(code, TTSIM_ITERATIONS);
    code[n++] = (DONE_WORDS & 0xfffff000u) | 0x2b7; /* lui t0 */
    code[n++] = 0x00100313;                         /* li t1, 1 */
    code[n++] = core << 9 | 0x0062a023;             /* sw t1, 4 * core(t0) */
    code[n++] = 0x6f;                               /* j . */
    ttsim_put(sim, core * CODE_BYTES, code, 4 * n);
    ttsim_poke(sim, DONE_WORDS + 4 * core, 0);
  }
  for (unsigned i = 0; i < 3; i++) ttsim_poke(sim, TTSIM_TRISC_RESET_PC + 4 * i, (1 + i) * CODE_BYTES);
  ttsim_poke(sim, TTSIM_TRISC_RESET_PC + 12, 7);
  ttsim_poke(sim, TTSIM_NCRISC_RESET_PC, 4 * CODE_BYTES);
  ttsim_poke(sim, TTSIM_NCRISC_RESET_PC + 4, 1);
  ttsim_poke(sim, TTSIM_SOFT_RESET, 0);
}

/* Millions of instructions per second. */
static double busy_ttsim(void *path) {
  struct ttsim sim;
  if (!ttsim_open(&sim, path)) return 0;
  for (sim.y = 2; sim.y < 12; sim.y++)
    for (sim.x = 1; sim.x < 17; sim.x++)
      if (sim.x != 8 && sim.x != 9) start_tile(&sim);
  double start = wall();
  do sim.clock(TTSIM_ITERATIONS * LOOP_LENGTH / 100);
  while (!all_done(&sim));
  return 140 * 5 * (double)TTSIM_ITERATIONS * LOOP_LENGTH / (wall() - start) / 1e6;
}

static double higher(double a, double b) { return a > b ? a : b; }

/* Millions of instructions per second, each the highest of some rounds in turn: the host's clock changes from second to second. */
static void busy_chip(bool timing) {
  char *path = getenv("TTSIM_LIB");
  double alone_rate = 0, rate[2] = {0}, of_processor[2] = {0}, one = 0, golden = 0;
  for (unsigned round = 0; round < ROUNDS; round++) {
    alone_rate = higher(alone_rate, alone(timing));
    for (unsigned i = 0; i < 2; i++) {
      struct figure f = busy(timing, i + 1, 140, 5, ITERATIONS);
      rate[i] = higher(rate[i], (double)f.instructions / f.wall / 1e6);
      of_processor[i] = higher(of_processor[i], (double)f.instructions / f.cpu / 1e6);
    }
    struct figure f = busy(timing, 1, 1, 1, ALONE_ITERATIONS);
    one = higher(one, (double)f.instructions / f.cpu / 1e6);
    if (path) golden = higher(golden, ttsim_apart(busy_ttsim, path));
  }
  const char *name = timing ? "cycle" : "off";
  printf("chip, one core of a tile alone, timing %-5s  %8.1f million instructions/s\n", name, alone_rate);
  for (unsigned i = 0; i < 2; i++)
    printf("chip, 140 x 5 busy cores, timing %-5s %u threads%8.1f million instructions/s, %.2f of one core, %.2f of one "
           "thread; %.2f of one core per processor second\n",
           name, i + 1, rate[i], rate[i] / alone_rate, rate[i] / rate[0], of_processor[i] / alone_rate);
  if (path)
    printf("chip, 140 x 5 busy cores, ttsim                %8.1f million instructions/s; with two threads %.2f times that\n",
           golden, golden > 0 ? rate[1] / golden : 0);
  printf("chip, one busy core in 140 tiles, timing %-5s%8.1f million instructions/s, %.3f of a tile alone\n", name, one,
         one / alone_rate);
}

int main(void) {
  creation();
  for (unsigned timing = 0; timing < 2; timing++) {
    busy_chip(timing);
    packets(timing, 1);
  }
  return 0;
}
