/* Random programs for a whole tile: code for all five cores that pushes Tensix instructions of every unit, by .ttinsn and by stores,
 * in MOPs and replays, between arithmetic, loads, stores, semaphores and waits. A program starts in the state that a kernel of
 * tests/llk-like has left, so that units and banks are configured; most of its words are ones that this kernel issued. Whether it
 * is meaningful does not matter: it may hang or fault. Two simulations of it must behave identically.
 *
 * random_program_sums gives one number for each part of the tile. */
#ifndef TESSERA_TESTS_RANDOM_PROGRAM_H
#define TESSERA_TESTS_RANDOM_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../kernels/host/kernel_host.h"
#include "api/tile_value.h"
#include "tensix/riscv/core.h"

#define RANDOM_POOL 4096u
#define RANDOM_CODE 0x100000u /* address of the cores' code, RANDOM_CODE_BYTES for each */
#define RANDOM_CODE_BYTES 0x4000u
#define RANDOM_DATA 0x140000u

/* A kernel has run: the state it left, and the words that each thread issued. */
struct random_base {
  struct tx_tile *state;
  uint32_t pool[TX_THREADS][RANDOM_POOL];
  uint32_t count[TX_THREADS];
};

struct random_source {
  uint64_t seed;
  const struct random_base *base;
  struct tx_tile *t;
  uint32_t at; /* address of the next word of code */
  bool apart;  /* no loads of TTSync and MOPSync and no pushes by BRISC, to compare with older builds */
};

static inline uint32_t random_next(struct random_source *r) {
  r->seed = r->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  uint64_t x = r->seed ^ r->seed >> 29;
  return (uint32_t)(x * UINT64_C(0xbf58476d1ce4e5b9) >> 32);
}
static inline uint32_t random_below(struct random_source *r, uint32_t n) { return random_next(r) % n; }

/* --- the state a kernel leaves --- */

static inline void random_note_issue(void *context, const struct sim_event *e) {
  struct random_base *b = context;
  if (e->agent < TX_THREADS && b->count[e->agent] < RANDOM_POOL) b->pool[e->agent][b->count[e->agent]++] = e->a;
}

/* One round of a kernel of tests/llk-like in `directory`. false: it cannot be loaded. */
static inline bool random_base_make(struct random_base *base, const char *directory, bool timing) {
  static const char *const names[] = {"trisc0", "trisc1", "trisc2", "brisc"};
  static unsigned char file[1 << 20];
  unsigned format = strstr(directory, "int32") ? 8 : 5;
  struct tessera_tile *tile = tessera_tile_create(timing ? TESSERA_TIMING_CYCLE : TESSERA_TIMING_OFF);
  struct launch l;
  char path[1200];
  memset(base->count, 0, sizeof base->count);
  for (unsigned core = 0; core < 4; core++) {
    snprintf(path, sizeof path, "%s/%s.elf", directory, names[core]);
    FILE *f = fopen(path, "rb");
    if (!f) return false;
    size_t size = fread(file, 1, sizeof file, f);
    fclose(f);
    if (tessera_tile_load_elf(tile, (enum tessera_core)core, file, size) != TESSERA_OK) return false;
  }
  for (uint32_t i = 0; i < 0x20000; i += 2) {
    uint16_t x = (uint16_t)(i / 256 % 2 && strstr(directory, "reduce") ? 0x3f80u : 0x3f00u + i * 37u % 256u);
    memcpy(&tile->tile.l1[LAUNCH_HEAP + i], &x, 2);
  }
  memset(&l, 0, sizeof l);
  for (uint32_t i = 0; i < 3; i++)
    l.buffer[i == 2 ? 16 : i] = (struct launch_buffer){LAUNCH_HEAP + i * 0x10000u, format == 8 ? 4096 : 2048, 16, format};
  l.args[0] = 1;
  l.go = RUN_SYNC_MSG_GO;
  int handle = sim_log_attach(&tile->tile.unsaved.log, random_note_issue, base, 1u << TX_EVENT_ISSUE);
  tessera_tile_start(tile, 0xf);
  tessera_tile_write(tile, LAUNCH_ADDRESS, &l, sizeof l);
  tessera_tile_run(tile, 20000);
  sim_log_detach(&tile->tile.unsaved.log, handle);
  for (unsigned core = 0; core < TX_CORES; core++) tx_core_stop(&tile->tile, core);
  base->state = malloc(sizeof *base->state);
  if (base->state) memcpy(base->state, &tile->tile, sizeof *base->state);
  tessera_tile_destroy(tile);
  return base->state != NULL;
}

/* --- Tensix words --- */

static inline uint32_t random_vector_word(struct random_source *r) {
  static const uint8_t simple[] = {TX_SFPABS,    TX_SFPAND,   TX_SFPOR,    TX_SFPXOR,    TX_SFPNOT,   TX_SFPLZ,
                                   TX_SFPMOV,    TX_SFPIADD,  TX_SFPSETCC, TX_SFPSETEXP, TX_SFPSHFT,  TX_SFPCAST,
                                   TX_SFPSETMAN, TX_SFPEXEXP, TX_SFPEXMAN, TX_SFPDIVP2,  TX_SFPCOMPC, TX_SFPSETSGN};
  static const uint8_t modes[] = {0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  static const uint8_t mads[] = {TX_SFPMAD, TX_SFPADD, TX_SFPMUL};
  uint32_t a = random_below(r, 8), b = random_below(r, 8), c = random_below(r, 8), d = random_below(r, 8);
  switch (random_below(r, 8)) {
    case 0: return (uint32_t)TX_SFPLOADI << 24 | d << 20 | random_below(r, 3) << 16 | random_below(r, 0x10000);
    case 1:
      return (uint32_t)TX_SFPLOAD << 24 | d << 20 | random_below(r, 5) << 16 | random_below(r, 4) << 13 |
             random_below(r, 64) * 2;
    case 2:
      return (uint32_t)TX_SFPSTORE << 24 | d << 20 | random_below(r, 5) << 16 | random_below(r, 4) << 13 |
             random_below(r, 64) * 2;
    case 3: return (uint32_t)TX_SFPENCC << 24 | 3u << 12 | 10u;
    case 4:
    case 5: return (uint32_t)mads[random_below(r, 3)] << 24 | a << 16 | b << 12 | c << 8 | d << 4;
    default: {
      uint32_t i = random_below(r, sizeof simple);
      return (uint32_t)simple[i] << 24 | random_below(r, 32) << 12 | c << 8 | d << 4 | modes[i];
    }
  }
}

static inline uint32_t random_other_word(struct random_source *r) {
  static const uint16_t blocks[] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 511, 0x1f};
  switch (random_below(r, 20)) {
    case 0: return (uint32_t)TX_SEMPOST << 24 | 1u << (2 + random_below(r, 8));
    case 1: return (uint32_t)TX_SEMGET << 24 | 1u << (2 + random_below(r, 8));
    case 2: return (uint32_t)TX_STALLWAIT << 24 | (uint32_t)blocks[random_below(r, 11)] << 15 | 1u << random_below(r, 13);
    case 3: return (uint32_t)TX_SETDMAREG << 24 | random_below(r, 0x4000) << 8 | random_below(r, 60);
    case 4:
      return (uint32_t)TX_ADDDMAREG << 24 | random_below(r, 2) << 23 | random_below(r, 60) << 12 | random_below(r, 60) << 6 |
             random_below(r, 60);
    case 5: return (uint32_t)TX_SETC16 << 24 | 12u << 16 | random_below(r, 16);
    case 6: return (uint32_t)TX_INCRWC << 24 | random_below(r, 8) << 14 | random_below(r, 8) << 10 | random_below(r, 8) << 6;
    case 7: return (uint32_t)TX_RDCFG << 24 | random_below(r, 60) << 16 | random_below(r, 100);
    case 8: return (uint32_t)TX_ATGETM << 24 | (random_below(r, 4) ? 2u : 3u);
    case 9: return (uint32_t)TX_ATRELM << 24 | (random_below(r, 4) ? 2u : 3u);
    case 10: return (uint32_t)TX_SFPNOP << 24;
    case 11: return (uint32_t)TX_DMANOP << 24;
    case 12:
      return (uint32_t)TX_SEMWAIT << 24 | (uint32_t)blocks[random_below(r, 11)] << 15 | 1u << (2 + random_below(r, 8)) | 2u;
    case 13: return (uint32_t)TX_NOP << 24;
    case 14: return (uint32_t)TX_CLEARDVALID << 24 | 1u << 22;
    case 15: return (uint32_t)TX_CLEARDVALID << 24 | 2u << 22;
    default: return (uint32_t)TX_SETDVALID << 24 | (1u + random_below(r, 3)); /* keeps the matrix unit busy */
  }
}

/* A word for a thread: usually one that the kernel's own thread issued, sometimes one of another thread. */
static inline uint32_t random_word(struct random_source *r, unsigned thread) {
  unsigned kind = random_below(r, 16);
  if (kind == 0) return random_other_word(r);
  if (kind <= (thread == 1 ? 5u : 1u)) return random_vector_word(r);
  if (kind == 6) thread = random_below(r, TX_THREADS);
  if (!r->base->count[thread]) return (uint32_t)TX_NOP << 24;
  uint32_t word = r->base->pool[thread][random_below(r, r->base->count[thread])];
  return word >> 24 == TX_SEMWAIT && random_below(r, 4) ? (uint32_t)TX_NOP << 24 : word;
}

/* --- code --- */

enum { X_PUSH = 8, X_DATA, X_GPR, X_SYNC, X_MOP, X_LOCAL, X_A, X_B, X_COUNT = 18, X_CONFIG = 19 };

static inline void random_put(struct random_source *r, uint32_t word) {
  memcpy(&r->t->l1[r->at], &word, 4);
  r->at += 4;
}
static inline void random_i(struct random_source *r, uint32_t f3, unsigned rd, unsigned rs, uint32_t imm, uint32_t opcode) {
  random_put(r, (imm & 0xfffu) << 20 | rs << 15 | f3 << 12 | rd << 7 | opcode);
}
static inline void random_s(struct random_source *r, uint32_t f3, unsigned value, unsigned base, uint32_t offset) {
  random_put(r, (offset >> 5 & 0x7fu) << 25 | value << 20 | base << 15 | f3 << 12 | (offset & 31u) << 7 | 0x23u);
}
static inline void random_li(struct random_source *r, unsigned rd, uint32_t value) {
  random_put(r, ((value + 0x800u) & 0xfffff000u) | rd << 7 | 0x37u);
  random_i(r, 0, rd, rd, value, 0x13);
}
static inline void random_ttinsn(struct random_source *r, uint32_t word) { random_put(r, word << 2 | word >> 30); }

static inline void random_push(struct random_source *r, unsigned core) {
  unsigned thread = core < TX_THREADS ? core : random_below(r, TX_THREADS), count = 1 + random_below(r, 10);
  uint32_t word = random_word(r, thread);
  if (core == TX_CORE_NCRISC || (core == TX_CORE_BRISC && r->apart)) return;
  if (core < TX_THREADS && random_below(r, 3)) { /* runs of one word, as kernels have them, or of several */
    bool same = random_below(r, 2);
    for (unsigned i = 0; i < count; i++) random_ttinsn(r, same ? word : random_word(r, thread));
    return;
  }
  random_li(r, X_A, word);
  random_s(r, 2, X_A, X_PUSH, 0);
}

static inline void random_mop(struct random_source *r, unsigned core) {
  if (core >= TX_THREADS) return;
  if (!r->apart) random_i(r, 2, X_A, X_SYNC, 8, 0x03); /* MOPSync */
  random_i(r, 7, X_A, X_A, 0, 0x13);
  for (unsigned i = 0; i < 9; i++) {
    random_li(r, X_A, i < 2 ? 1 + random_below(r, 4) : random_below(r, 3) ? random_word(r, core) : (uint32_t)TX_NOP << 24);
    random_s(r, 2, X_A, X_MOP, 4 * i);
  }
  for (unsigned n = 1 + random_below(r, 3); n; n--)
    random_ttinsn(r,
                  (uint32_t)TX_MOP << 24 | (random_below(r, 2) ? 1u << 23 : random_below(r, 6) << 16 | random_below(r, 64)));
}

static inline void random_replay(struct random_source *r, unsigned core) {
  unsigned start = random_below(r, 16), count = 1 + random_below(r, 12), execute = random_below(r, 2);
  if (core >= TX_THREADS) return;
  random_ttinsn(r, (uint32_t)TX_REPLAY << 24 | start << 14 | count << 4 | execute << 1 | 1u);
  for (unsigned i = 0; i < count; i++) random_ttinsn(r, random_word(r, core));
  for (unsigned n = 1 + random_below(r, 5); n; n--) {
    random_ttinsn(r, (uint32_t)TX_REPLAY << 24 | start << 14 | count << 4);
    if (random_below(r, 3) == 0) random_ttinsn(r, random_word(r, core));
  }
}

static inline void random_memory(struct random_source *r, unsigned core) {
  uint32_t offset = 4 * random_below(r, 64), width = random_below(r, 3);
  unsigned reg = random_below(r, 2) ? X_A : X_B;
  switch (random_below(r, core == TX_CORE_NCRISC ? 4 : 10)) {
    case 0: random_i(r, width, reg, X_DATA, offset, 0x03); break;
    case 1: random_s(r, width, reg, X_DATA, offset); break;
    case 2: random_s(r, 2, reg, X_LOCAL, offset); break;
    case 3: random_i(r, 2, reg, X_LOCAL, offset, 0x03); break;
    case 4: random_s(r, 2, reg, X_GPR, 4 * (48 + random_below(r, 12))); break;
    case 5: random_i(r, 2, reg, X_GPR, 4 * random_below(r, 60), 0x03); break;
    case 6: random_i(r, 2, reg, X_SYNC, 0x20 + 4 * random_below(r, 8), 0x03); break;
    case 7:
      random_li(r, X_B, random_below(r, 2));
      random_s(r, 2, X_B, X_SYNC, 0x20 + 4 * random_below(r, 8));
      break;
    case 8: random_i(r, 2, reg, X_CONFIG, 4 * random_below(r, 200), 0x03); break;
    default:
      if (core < TX_THREADS && !r->apart) random_i(r, 2, X_A, X_SYNC, 4, 0x03); /* TTSync */
      random_i(r, 7, X_A, X_A, 0, 0x13);
      break;
  }
}

static inline void random_arithmetic(struct random_source *r) {
  switch (random_below(r, 8)) {
    case 0: random_put(r, 0x02000033u | X_A << 20 | X_B << 15 | X_A << 7); break; /* mul */
    case 1: random_put(r, 0x02005033u | X_A << 20 | X_B << 15 | X_B << 7); break; /* divu */
    case 2: random_i(r, 2, X_A, 0, 0xb00, 0x73); break;                           /* mcycle */
    case 3: random_s(r, 2, X_A, X_DATA, 0x200 + 4 * random_below(r, 64)); break;  /* shows it */
    case 4: random_put(r, 0x0ff0000fu); break;                                    /* fence */
    case 5:
      random_put(r, 4u << 8 | random_below(r, 2) << 12 | X_A << 15 | X_B << 20 | 0x63u); /* over the next one */
    /* fall through */
    default: random_i(r, 0, X_B, X_A, random_next(r), 0x13); break;
  }
}

static inline void random_block(struct random_source *r, unsigned core, unsigned depth) {
  switch (random_below(r, 12)) {
    case 0:
    case 1:
    case 2:
    case 3: random_push(r, core); break;
    case 4: random_mop(r, core); break;
    case 5: random_replay(r, core); break;
    case 6:
      if (depth == 0) {
        random_i(r, 0, X_COUNT, 0, 2 + random_below(r, 6), 0x13);
        uint32_t from = r->at;
        for (unsigned n = 1 + random_below(r, 4); n; n--) random_block(r, core, 1);
        random_i(r, 0, X_COUNT, X_COUNT, 0xfff, 0x13);
        uint32_t back = from - r->at;
        random_put(r, (back >> 12 & 1u) << 31 | (back >> 5 & 0x3fu) << 25 | X_COUNT << 15 | 1u << 12 |
                          (back >> 1 & 15u) << 8 | (back >> 11 & 1u) << 7 | 0x63u);
        break;
      }
    /* fall through */
    case 7:
    case 8: random_memory(r, core); break;
    default: random_arithmetic(r); break;
  }
}

static inline void random_core(struct random_source *r, unsigned core) {
  r->at = RANDOM_CODE + core * RANDOM_CODE_BYTES;
  random_li(r, X_PUSH, TX_ADDR_PUSH + (core == TX_CORE_BRISC ? random_below(r, 3) * 0x10000u : 0));
  random_li(r, X_DATA, RANDOM_DATA + 0x800u * random_below(r, 2));
  random_li(r, X_GPR, TX_ADDR_GPR);
  random_li(r, X_SYNC, TX_ADDR_PC_BUF);
  random_li(r, X_MOP, TX_ADDR_MOP_CFG);
  random_li(r, X_LOCAL, TX_LOCAL_BASE);
  random_li(r, X_CONFIG, TX_ADDR_CONFIG);
  if (random_below(r, 3)) { /* firmware's cfg0; else fusion and the L0 data cache are on */
    random_li(r, X_A, 1u << 18 | 1u << 3);
    random_i(r, 2, 0, X_A, 0x7c0, 0x73);
  }
  for (unsigned n = 10 + random_below(r, 190); n && r->at < RANDOM_CODE + (core + 1) * RANDOM_CODE_BYTES - 0x800; n--)
    random_block(r, core, 0);
  random_put(r, 0x00100073u); /* ebreak */
}

/* Loads program number `seed` into `t` and starts its cores. */
static inline void random_program_start(struct tx_tile *t, const struct random_base *base, uint64_t seed, bool apart) {
  struct random_source r = {.seed = seed * UINT64_C(0x9e3779b97f4a7c15) + 1, .base = base, .t = t, .apart = apart};
  tx_tile_reset(t, base->state->timing);
  tx_tile_copy_state(t, base->state);
  t->params.local_ram_clears = 0; /* 1024 cycles at the start in which little happens */
  uint32_t cores = random_below(&r, 4) ? 0x1fu : 1u + random_below(&r, 31);
  if (cores & 0x10u) cores &= random_below(&r, 4) ? 0xfu : 0x1fu;
  for (uint32_t i = 0; i < 0x2000; i += 4) {
    uint32_t x = random_next(&r);
    memcpy(&t->l1[RANDOM_DATA + i], &x, 4);
  }
  for (unsigned core = 0; core < TX_CORES; core++) random_core(&r, core);
  for (unsigned core = 0; core < TX_CORES; core++)
    if (cores >> core & 1u) tx_core_start(t, core, RANDOM_CODE + core * RANDOM_CODE_BYTES);
}

/* --- what came out --- */

static inline uint64_t random_sum(const void *from, size_t length) {
  const unsigned char *bytes = from;
  uint64_t h = UINT64_C(0x9e3779b97f4a7c15);
  for (size_t i = 0; i < length; i += 8) {
    uint64_t v = 0;
    memcpy(&v, bytes + i, length - i < 8 ? length - i : 8);
    h = (h ^ v) * UINT64_C(0x2127599bf4325c37);
    h ^= h >> 47;
  }
  return h;
}

enum { RANDOM_SUM_CYCLE = 0, RANDOM_SUM_STALLS = 2, RANDOM_SUM_CORES = 11, RANDOM_SUM_LOCAL, RANDOM_SUM_FINDINGS };
#define RANDOM_SUMS 16u
static const char *const random_sum_names[RANDOM_SUMS] = {"cycle",    "issued",   "stalls", "units",  "sync", "config",
                                                          "counters", "src",      "dst",    "vector", "pack", "cores",
                                                          "local",    "findings", "fault",  "l1"};

static inline void random_program_sums(const struct tx_tile *t, uint64_t sums[RANDOM_SUMS]) {
  uint64_t issued[TX_THREADS], stalls[TX_THREADS][TX_BLOCKED_COUNT], cores[TX_CORES][40], local[TX_CORES], pack[8];
  for (unsigned i = 0; i < TX_THREADS; i++) {
    issued[i] = t->gate[i].issued;
    for (unsigned k = 0; k < TX_BLOCKED_COUNT; k++) stalls[i][k] = k ? tx_gate_stalled(t, i, k) : 0;
  }
  for (unsigned i = 0; i < TX_CORES; i++) {
    for (unsigned k = 0; k < 32; k++) cores[i][k] = t->core[i].x[k];
    for (unsigned k = 32; k < 40; k++) cores[i][k] = 0;
    cores[i][32] = t->core[i].pc;
    cores[i][33] = t->core[i].retired;
    cores[i][34] = t->core[i].state;
    local[i] = random_sum(t->core[i].local, sizeof t->core[i].local);
  }
  const struct tx_pack *p = &t->pack;
  pack[0] = p->position | (uint64_t)p->plane << 16;
  pack[1] = p->tile_blocks;
  pack[2] = p->last_done_at;
  pack[3] = random_sum(p->stream, sizeof p->stream);
  pack[4] = random_sum(&t->pack_stats, sizeof t->pack_stats);
  pack[5] = p->count;
  pack[6] = p->register_data;
  pack[7] = 0;
  sums[0] = t->engine.now;
  sums[1] = random_sum(issued, sizeof issued);
  sums[2] = random_sum(stalls, sizeof stalls);
  sums[3] = random_sum(t->units, sizeof t->units);
  sums[4] = random_sum(&t->sync, sizeof t->sync);
  sums[5] = random_sum(t->config.words, sizeof t->config.words) ^
            random_sum(t->config.thread_words, sizeof t->config.thread_words);
  sums[6] = random_sum(t->rwc, sizeof t->rwc) ^ random_sum(t->adc, sizeof t->adc) ^ random_sum(&t->scalar, sizeof t->scalar);
  sums[7] = random_sum(&t->src, sizeof t->src);
  sums[8] = random_sum(&t->dst, sizeof t->dst);
  sums[9] = random_sum(t->vector.lreg, sizeof t->vector.lreg) ^ random_sum(&t->vector.now, sizeof t->vector.now);
  sums[10] = random_sum(pack, sizeof pack);
  sums[11] = random_sum(cores, sizeof cores);
  sums[12] = random_sum(local, sizeof local);
  sums[13] = random_sum(t->diag.counts, sizeof t->diag.counts);
  sums[13] ^= random_sum(t->diag.findings, t->diag.finding_count * sizeof t->diag.findings[0]);
  sums[14] = random_sum(&t->fault, sizeof t->fault);
  sums[15] = random_sum(t->l1, sizeof t->l1);
  if (t->fault.kind) sums[RANDOM_SUM_CORES] = sums[RANDOM_SUM_LOCAL] = 0; /* cores may be ahead of another agent's fault */
}

#endif
