/* Laps that are repeated (tensix/lap/lap.h), in random programs: the T cores, sometimes BRISC too, run loops of random bodies. Each program runs in one tile with
 * laps and in another without, and both have to end in the same state, bit for bit. Units and banks are in the state that a kernel of tests/llk-like has
 * left, and most words are its words (random_program.h). The packer writes where an unpacker reads, and vector registers count, so that data are others in each lap.
 * Whether a program is meaningful does not matter: it may hang or fault. TESSERA_FIRST_SEED sets the first seed; the share of programs with laps is printed.
 *
 * A program has at most a few of the oddities: what a lap may not contain, or what makes data act on the course of the program. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "beside.h"
#include "random_program.h"
#include "scale.h"
#include "tensix/frontend/gate.h"
#include "tensix/isa/isa.h"
#include "tessera/tensix.h"

#define FLAGS (RANDOM_DATA + 0x1f00u) /* a word for each core: it has ended; then those of ODD_FLAGS */
#define CYCLES_MAX (UINT64_C(1) << 18)
#define CODE_ROOM 0xe00u /* bytes of code left when a loop ends in any case */
#define REPLAYS 4u

static char programs[512]; /* directory of the kernels: next to the directory of this test */
static const char *const kernels[] = {"matmul_lofi",   "eltwise_mul_col", "sfpu_exp",    "reduce_row",   "tilize",
                                      "pack_untilize", "int32_add",       "eltwise_add", "matmul_hifi4", "datacopy"};
#define KERNELS (sizeof kernels / sizeof kernels[0])
static struct random_base bases[2][KERNELS];

static const struct random_base *base_of(bool timing, unsigned kernel) {
  struct random_base *base = &bases[timing][kernel];
  char path[600];
  snprintf(path, sizeof path, "%s/llk_%s", programs, kernels[kernel]);
  if (!base->state) assert_true(random_base_make(base, path, timing));
  return base;
}

/* --- what a program is like --- */

enum {
  ODD_PACKED = 1,      /* cores load what the packer writes */
  ODD_SIGNALS = 2,     /* SETDMAREG reads the packer's statistics */
  ODD_COUNTERS = 4,    /* stores of the loop counter */
  ODD_MEMORY = 8,      /* words of the scalar unit that access L1 */
  ODD_CSR = 16,        /* mcycle */
  ODD_MAIL = 32,       /* mailboxes */
  ODD_SEMAPHORES = 64, /* posts and takes that are not balanced */
  ODD_FLAGS = 128,     /* a core waits for another's word in L1 every 16 turns */
  ODD_DVALID = 256,    /* banks are not handed over in pairs */
  ODD_ADDRESSES = 512, /* counters of addresses go on from turn to turn */
  ODD_CONFIG = 1024,   /* vector configuration from data */
  ODD_MACROS = 2048,   /* SFPLOADMACRO: in the programs from FIRST_WITH_MACROS on */
  ODDITIES = 11        /* that are chosen */
};

#define FIRST_WITH_MACROS 9000000u /* number of a program */

enum sync { SYNC_NONE, SYNC_SEMAPHORES, SYNC_CORES, SYNC_IDLE, SYNCS };

enum { X_LINK = 1, X_TURN = 20, X_SUM, X_C, X_BOX, X_D, X_TURNS };

struct program {
  struct random_source r;
  unsigned core; /* whose code is being made */
  uint32_t cores, odd, turns[TX_CORES];
  enum sync sync;
  bool lean;                   /* few kinds of blocks */
  unsigned handed;             /* banks of both kinds that thread 0 hands to thread 1 in a turn */
  uint32_t packed;             /* address in L1 to which the packer writes */
  uint32_t routine[2];         /* subroutines of the core */
  unsigned replay[REPLAYS][2]; /* start and count of the core's recordings */
  bool mop;                    /* the MOP is configured */
};

static uint32_t below(struct program *p, uint32_t n) { return random_below(&p->r, n); }
static bool one_in(struct program *p, uint32_t n) { return random_below(&p->r, n) == 0; }
static bool is_odd(struct program *p, uint32_t what) { return (p->odd & what) && one_in(p, 2); }

/* --- words --- */

static uint32_t nop(void) { return (uint32_t)TX_NOP << 24; }

/* Without what hands over banks or waits for another thread. */
static uint32_t harmless(uint32_t word) {
  const uint32_t opcode = word >> 24;
  switch (opcode) {
    case TX_SEMWAIT:
    case TX_SEMPOST:
    case TX_SEMGET:
    case TX_SEMINIT:
    case TX_ATGETM:
    case TX_ATRELM:
    case TX_STREAMWAIT:
    case TX_SETDVALID:
    case TX_CLEARDVALID:
    case TX_GMPOOL: /* its scale is a finding */
    case TX_SFPLOADMACRO: return nop();
    case TX_STALLWAIT: return word & 0x1e0u ? nop() : word;
    case TX_UNPACR: return word & ~(1u << 6);
    case TX_UNPACR_NOP: return word & ~(1u << 8);
    case TX_SETRWC: return word & ~(3u << 22);
    default: break;
  }
  if (tx_ops[opcode].unit == TX_UNIT_MATRIX && (tx_ops[opcode].wait & (TX_WAIT_SRCA | TX_WAIT_SRCB)) && opcode >= TX_MVMUL)
    return word & ~(3u << 22);
  return word;
}

static uint32_t pool_word(struct program *p, unsigned thread) {
  const struct random_base *b = p->r.base;
  if (!b->count[thread]) return nop();
  return harmless(b->pool[thread][below(p, b->count[thread])]);
}

/* A word of this unit from the thread's pool; 0: none was found. */
static uint32_t unit_word(struct program *p, unsigned thread, unsigned unit) {
  for (unsigned i = 0; i < 24; i++) {
    const uint32_t word = pool_word(p, thread);
    if (tx_ops[word >> 24].unit == unit) return word;
  }
  return 0;
}

static uint32_t unpack_word(struct program *p, unsigned which, bool hands_over) {
  uint32_t word = 0;
  for (unsigned i = 0; i < 64 && (word >> 24 != TX_UNPACR || (word >> 23 & 1u) != which); i++) {
    word = pool_word(p, 0);
    if (word >> 24 == TX_UNPACR && (word >> 23 & 1u) == which) break;
  }
  if (word >> 24 != TX_UNPACR) return (uint32_t)TX_UNPACR_NOP << 24 | which << 23 | (uint32_t)hands_over << 8 | 1u;
  return (word & ~(1u << 23 | 1u << 6)) | which << 23 | (uint32_t)hands_over << 6;
}

static uint32_t counting_word(struct program *p) {
  const uint32_t d = below(p, 4);
  switch (below(p, 6)) {
    case 0: return (uint32_t)TX_SFPIADD << 24 | (1u + below(p, 900)) << 12 | d << 8 | d << 4 | 5u; /* += number */
    case 1: return (uint32_t)TX_SFPADD << 24 | 10u << 16 | d << 12 | below(p, 8) << 8 | d << 4;
    case 2: return (uint32_t)TX_SFPMOV << 24 | 9u << 8 | d << 4 | 8u; /* the PRNG */
    case 3: return (uint32_t)TX_SFP_STOCH_RND << 24 | 1u << 21 | d << 8 | below(p, 4) << 4 | 1u;
    case 4: return (uint32_t)TX_SFPSTORE << 24 | d << 20 | (below(p, 2) ? 4u : 2u) << 16 | 3u << 13 | below(p, 32) * 2;
    default: return (uint32_t)TX_SFPLOAD << 24 | d << 20 | (below(p, 2) ? 4u : 2u) << 16 | 3u << 13 | below(p, 32) * 2;
  }
}

static uint32_t macro_word(struct program *p) {
  const uint32_t d = below(p, 4);
  if (one_in(p, 3)) return (uint32_t)TX_SFPNOP << 24;
  if (one_in(p, 6)) return (uint32_t)TX_SFPSTORE << 24 | d << 20 | 4u << 16 | 3u << 13 | below(p, 32) * 2;
  return (uint32_t)TX_SFPLOADMACRO << 24 | (below(p, 2) << 2 | d) << 20 | 4u << 16 | 3u << 13 | below(p, 32) * 2;
}

static uint32_t scalar_word(struct program *p) {
  const uint32_t a = 52 + below(p, 10), b = 52 + below(p, 10), d = 52 + below(p, 10);
  if (is_odd(p, ODD_MEMORY)) {
    switch (below(p, 3)) {
      case 0: return (uint32_t)TX_ATINCGET << 24 | 1u << 23 | 3u << 14 | below(p, 4) << 12 | d << 6 | 51u;
      case 1: return (uint32_t)TX_STOREIND << 24 | 1u << 23 | 1u << 22 | 50u << 14 | a << 6 | 51u;
      default: return (uint32_t)TX_LOADIND << 24 | 1u << 22 | 50u << 14 | d << 6 | 51u;
    }
  }
  if (is_odd(p, ODD_SIGNALS))
    return (uint32_t)TX_SETDMAREG << 24 | 1u << 22 | below(p, 10) << 11 | below(p, 8) << 8 | 1u << 7 | 2 * d;
  switch (below(p, 9)) {
    case 0: return (uint32_t)TX_SETDMAREG << 24 | below(p, 0x4000) << 8 | 2 * d | below(p, 2);
    case 1: return (uint32_t)TX_ADDDMAREG << 24 | 1u << 23 | 53u << 12 | below(p, 64) << 6 | 52u;
    case 2: return (uint32_t)TX_ADDDMAREG << 24 | d << 12 | b << 6 | a;
    case 3: return (uint32_t)TX_MULDMAREG << 24 | d << 12 | b << 6 | a;
    case 4: return (uint32_t)TX_RDCFG << 24 | d << 16 | below(p, 160);
    case 5: return (uint32_t)TX_SETDMAREG << 24 | below(p, 0x4000) << 8 | 2 * 52u;
    case 6: return (uint32_t)TX_DMANOP << 24;
    case 7: return (uint32_t)TX_SETC16 << 24 | (12u + below(p, 8)) << 16 | below(p, 16);
    default: return (uint32_t)TX_WRCFG << 24 | d << 16 | 200u;
  }
}

static uint32_t address_word(struct program *p, unsigned thread) {
  const uint32_t which = thread == 2 ? 4u : 1u + below(p, 3);
  switch (below(p, 4)) {
    case 0: return (uint32_t)TX_SETADCXY << 24 | which << 21 | below(p, 2) << 9 | 15u;
    case 1: return (uint32_t)TX_SETADCZW << 24 | which << 21 | below(p, 2) << 6 | 15u;
    case 2: return (uint32_t)TX_INCADCXY << 24 | which << 21 | below(p, 2) << 15 | below(p, 3) << 9;
    default: return (uint32_t)TX_INCADCZW << 24 | which << 21 | below(p, 2) << 12 | below(p, 2) << 6;
  }
}

static uint32_t any_word(struct program *p, unsigned thread) {
  if (thread == 1 && is_odd(p, ODD_MACROS)) return macro_word(p);
  switch (below(p, 14)) {
    case 0: return scalar_word(p);
    case 1: return address_word(p, thread);
    case 2:
      if (is_odd(p, ODD_SEMAPHORES)) return random_other_word(&p->r);
      return (uint32_t)TX_STALLWAIT << 24 | 511u << 15 | (1u << below(p, 5)) | (one_in(p, 3) ? 0x1800u : 0);
    case 3: return thread == 1 ? harmless(random_vector_word(&p->r)) : nop();
    case 4:
    case 5: return thread == 1 ? counting_word(p) : pool_word(p, thread);
    case 6: {
      const uint32_t word = unit_word(p, thread, thread == 0 ? TX_UNIT_UNPACK : thread == 1 ? TX_UNIT_MATRIX : TX_UNIT_PACK);
      return word ? word : nop();
    }
    case 7:
      if (thread != 1) return pool_word(p, thread);
      if (one_in(p, 12)) return (uint32_t)TX_ZEROACC << 24 | below(p, 2) << 19 | below(p, 8);
      if (is_odd(p, ODD_CONFIG)) return (uint32_t)TX_SFPCONFIG << 24 | (11u + below(p, 5)) << 4;
      return (uint32_t)TX_INCRWC << 24 | (one_in(p, 8) ? 4u : 8u * below(p, 2)) << 14 | 8u * below(p, 2) << 10 |
             8u * below(p, 2) << 6;
    default: return pool_word(p, thread);
  }
}

/* --- code --- */

static void ttinsn(struct program *p, uint32_t word) { random_ttinsn(&p->r, word); }
static void li(struct program *p, unsigned rd, uint32_t value) { random_li(&p->r, rd, value); }
static void load(struct program *p, unsigned width, unsigned rd, unsigned base, uint32_t offset) {
  random_i(&p->r, width, rd, base, offset, 0x03);
}
static void store(struct program *p, unsigned width, unsigned value, unsigned base, uint32_t offset) {
  random_s(&p->r, width, value, base, offset);
}
static void addi(struct program *p, unsigned rd, unsigned rs, uint32_t imm) { random_i(&p->r, 0, rd, rs, imm, 0x13); }
static void andi(struct program *p, unsigned rd, unsigned rs, uint32_t imm) { random_i(&p->r, 7, rd, rs, imm, 0x13); }
static void alu(struct program *p, uint32_t f7, uint32_t f3, unsigned rd, unsigned a, unsigned b) {
  random_put(&p->r, f7 << 25 | b << 20 | a << 15 | f3 << 12 | rd << 7 | 0x33u);
}
static uint32_t branch_word(uint32_t f3, unsigned a, unsigned b, uint32_t by) {
  return (by >> 12 & 1u) << 31 | (by >> 5 & 0x3fu) << 25 | b << 20 | a << 15 | f3 << 12 | (by >> 1 & 15u) << 8 |
         (by >> 11 & 1u) << 7 | 0x63u;
}
static void branch(struct program *p, uint32_t f3, unsigned a, unsigned b, uint32_t to) {
  random_put(&p->r, branch_word(f3, a, b, to - p->r.at));
}
static void jump(struct program *p, unsigned rd, uint32_t to) {
  const uint32_t by = to - p->r.at;
  random_put(&p->r, (by >> 20 & 1u) << 31 | (by >> 1 & 0x3ffu) << 21 | (by >> 11 & 1u) << 20 | (by >> 12 & 255u) << 12 |
                        rd << 7 | 0x6fu);
}
/* A branch over what follows, up to end_skip. */
static uint32_t begin_skip(struct program *p, uint32_t f3, unsigned a, unsigned b) {
  random_put(&p->r, f3 << 12 | a << 15 | b << 20);
  return p->r.at - 4;
}
static void end_skip(struct program *p, uint32_t at) {
  uint32_t head;
  memcpy(&head, &p->r.t->l1[at], 4);
  const uint32_t word = branch_word(head >> 12 & 7u, head >> 15 & 31u, head >> 20 & 31u, p->r.at - at);
  memcpy(&p->r.t->l1[at], &word, 4);
}
static bool has_room(const struct program *p) {
  return p->r.at < RANDOM_CODE + p->core * RANDOM_CODE_BYTES + RANDOM_CODE_BYTES - CODE_ROOM;
}
static bool is_thread(const struct program *p) { return p->core < TX_THREADS; }

static void push(struct program *p, uint32_t word) {
  if (!one_in(p, 4)) {
    ttinsn(p, word);
    return;
  }
  li(p, X_A, word);
  store(p, 2, X_A, X_PUSH, 0);
}

static void push_words(struct program *p) {
  const unsigned count = 1 + below(p, 8);
  if (!is_thread(p)) return;
  const uint32_t word = any_word(p, p->core);
  const bool same = one_in(p, 3);
  for (unsigned i = 0; i < count; i++) push(p, same ? word : any_word(p, p->core));
}

static void configure_mop(struct program *p) {
  if (!is_thread(p)) return;
  load(p, 2, X_A, X_SYNC, 8); /* MOPSync */
  andi(p, X_A, X_A, 0);
  for (unsigned i = 0; i < 9; i++) {
    li(p, X_A, i < 2 ? 1 + below(p, 4) : one_in(p, 3) ? nop() : any_word(p, p->core));
    store(p, 2, X_A, X_MOP, 4 * i);
  }
  p->mop = true;
}

static void record(struct program *p, unsigned which) {
  const unsigned start = which * 8, count = p->replay[which][1] ? 1 + below(p, 8) : 8;
  p->replay[which][0] = start;
  p->replay[which][1] = count;
  ttinsn(p, (uint32_t)TX_REPLAY << 24 | start << 14 | count << 4 | below(p, 2) << 1 | 1u);
  for (unsigned i = 0; i < count; i++) push(p, any_word(p, p->core));
}

static void expand(struct program *p) {
  if (!is_thread(p)) return;
  const unsigned which = below(p, REPLAYS);
  if (one_in(p, 2) && p->mop) {
    push(p, (uint32_t)TX_MOP << 24 | (below(p, 2) ? 1u << 23 : below(p, 6) << 16 | below(p, 64)));
  } else if (p->replay[which][1] && !one_in(p, 5)) {
    push(p, (uint32_t)TX_REPLAY << 24 | p->replay[which][0] << 14 | p->replay[which][1] << 4);
  } else {
    record(p, which);
  }
}

static void access_memory(struct program *p) {
  const uint32_t offset = 4 * below(p, 64), width = below(p, 3), part = offset + (below(p, 4) & (4u - (1u << width)));
  const unsigned reg = one_in(p, 2) ? X_A : X_B;
  const uint32_t there = is_thread(p) ? below(p, 12) : below(p, 6);
  switch (there) {
    case 0: load(p, width, reg, X_DATA, part); break;
    case 1:
    case 2:
      li(p, X_A, random_next(&p->r));
      store(p, width, is_odd(p, ODD_COUNTERS) ? X_TURN : X_A, X_DATA, part);
      break;
    case 3: load(p, one_in(p, 2) ? width : width < 2 ? width + 4 : 2, reg, X_LOCAL, part); break;
    case 4: store(p, width, one_in(p, 2) ? X_SUM : X_TURN, X_LOCAL, part); break;
    case 5: /* a counter in local RAM */
      load(p, width, X_A, X_LOCAL, part);
      addi(p, X_A, X_A, 1 + below(p, 3));
      store(p, width, X_A, X_LOCAL, part);
      break;
    case 6:
      li(p, X_A, one_in(p, 2) ? below(p, 0x800) : random_next(&p->r));
      store(p, 2, is_odd(p, ODD_COUNTERS) ? X_TURN : X_A, X_GPR, 4 * (52 + below(p, 10)));
      break;
    case 7: load(p, 2, reg, X_GPR, 4 * below(p, 62)); break;
    case 8: load(p, 2, reg, X_SYNC, 0x20 + 4 * below(p, 8)); break;
    case 9: load(p, 2, reg, X_CONFIG, 4 * below(p, 200)); break;
    case 10: /* a word of the configuration is stored again */ {
      const uint32_t at = 4 * (60 + below(p, 80));
      load(p, 2, X_A, X_CONFIG, at);
      store(p, 2, X_A, X_CONFIG, at);
      break;
    }
    default:
      load(p, 2, X_A, X_SYNC, one_in(p, 2) ? 4 : 8); /* TTSync, MOPSync */
      if (one_in(p, 2)) andi(p, X_A, X_A, 0);
      break;
  }
  if (one_in(p, 3)) andi(p, reg, reg, 0xff); /* waits for it */
}

static void odd_access(struct program *p) {
  if (is_odd(p, ODD_PACKED)) {
    li(p, X_C, p->packed + 4 * below(p, 256));
    load(p, below(p, 3), X_A, X_C, 0);
    switch (below(p, 4)) {
      case 0: alu(p, 0, 0, X_SUM, X_SUM, X_A); break;
      case 1: store(p, 2, X_A, X_LOCAL, 4 * below(p, 64)); break;
      case 2:
        andi(p, X_A, X_A, 7);
        addi(p, X_A, X_A, 1);
        for (uint32_t from = p->r.at, once = 1; once; once--) {
          addi(p, X_A, X_A, 0xfff);
          branch(p, 1, X_A, 0, from);
        }
        break;
      default: store(p, 2, X_A, X_DATA, 4 * below(p, 64)); break;
    }
  }
  if (is_odd(p, ODD_CSR)) random_i(&p->r, 2, X_A, 0, 0xb00, 0x73);
  if (is_odd(p, ODD_SEMAPHORES) && is_thread(p)) {
    li(p, X_B, below(p, 2));
    store(p, 2, X_B, X_SYNC, 0x20 + 4 * below(p, 8));
  }
  if (is_odd(p, ODD_SIGNALS) && is_thread(p)) {
    load(p, 2, X_A, X_GPR, 4 * (52 + below(p, 10)));
    if (one_in(p, 2)) alu(p, 0, 0, X_SUM, X_SUM, X_A);
  }
}

static void compute(struct program *p) {
  switch (below(p, 9)) {
    case 0: alu(p, 1, 0, X_A, X_A, X_B); break;
    case 1: alu(p, 1, 4 + below(p, 4), X_B, one_in(p, 2) ? X_TURN : X_A, X_B); break;
    case 2: alu(p, 0, 0, X_SUM, X_SUM, X_TURN); break;
    case 3: alu(p, one_in(p, 2) ? 0x20 : 0, 0, X_SUM, X_SUM, X_A); break;
    case 4: random_put(&p->r, 0x0ff0000fu); break;
    case 5: random_put(&p->r, branch_word(below(p, 2), X_A, X_B, 8)); /* fall through */
    case 6: addi(p, X_B, X_A, random_next(&p->r)); break;
    case 7: alu(p, 0, 4, X_A, X_SUM, X_B); break;
    default: li(p, X_A, random_next(&p->r) & 0xffffu); break;
  }
}

static void block(struct program *p, unsigned depth);

/* An inner loop of a constant number of turns, or of one that depends on the turn of the outer one. */
static void inner_loop(struct program *p) {
  addi(p, X_COUNT, 0, 1 + below(p, 6));
  if (one_in(p, 4)) {
    andi(p, X_COUNT, X_TURN, one_in(p, 2) ? 1 : 3);
    addi(p, X_COUNT, X_COUNT, 1);
  }
  const uint32_t from = p->r.at;
  for (unsigned n = 1 + below(p, 3); n && has_room(p); n--) block(p, 2);
  addi(p, X_COUNT, X_COUNT, 0xfff);
  const uint32_t out = begin_skip(p, 0, X_COUNT, 0);
  jump(p, 0, from);
  end_skip(p, out);
}

/* Every 2nd, 4th, ... turn, or in one turn only. */
static void sometimes(struct program *p) {
  if (one_in(p, 5)) {
    addi(p, X_C, 0, 1 + below(p, 90));
    const uint32_t out = begin_skip(p, 1, X_TURN, X_C);
    block(p, 1);
    end_skip(p, out);
    return;
  }
  andi(p, X_C, X_TURN, one_in(p, 3) ? 3 : one_in(p, 10) ? 31 : 1);
  const uint32_t out = begin_skip(p, below(p, 2), X_C, 0);
  block(p, 1);
  end_skip(p, out);
}

static void block(struct program *p, unsigned depth) {
  if (!has_room(p)) return;
  if (p->odd && one_in(p, 3)) odd_access(p);
  switch (below(p, 16)) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4: push_words(p); break;
    case 5:
    case 6: expand(p); break;
    case 7:
      if (depth == 0) inner_loop(p);
      break;
    case 8:
      if (depth == 0) sometimes(p);
      break;
    case 9:
      if (depth == 0 || one_in(p, 2)) jump(p, X_LINK, p->routine[below(p, 2)]);
      break;
    case 10:
      if (depth == 0 && one_in(p, 6)) configure_mop(p);
      break;
    case 11:
    case 12:
    case 13: access_memory(p); break;
    default: compute(p); break;
  }
}

/* --- threads that agree with each other --- */

static uint32_t wait_word(unsigned semaphore, unsigned condition, uint32_t blocked) {
  return (uint32_t)TX_SEMWAIT << 24 | blocked << 15 | 1u << (2 + semaphore) | condition;
}

/* Semaphore 4 from thread 0 to 1, semaphore 5 from 1 to 2. */
static void begin_turn(struct program *p) {
  const uint32_t all = 0x1ffu;
  if ((p->odd & ODD_MAIL) && p->core == 1 && p->cores & 1u) {
    li(p, X_BOX, TX_ADDR_MAILBOX + 0x1000);
    load(p, 2, X_B, X_BOX, 0);
  }
  if (p->sync == SYNC_SEMAPHORES) {
    if (p->core > 0 && p->cores >> (p->core - 1) & 1u) {
      ttinsn(p, wait_word(3 + p->core, 1, all)); /* not while it is zero */
      ttinsn(p, (uint32_t)TX_SEMGET << 24 | 1u << (2 + 3 + p->core));
    }
    if (p->core < 2 && p->cores >> (p->core + 1) & 1u) ttinsn(p, wait_word(4 + p->core, 2, all));
    if (p->core == 0 && p->cores & 2u) ttinsn(p, (uint32_t)TX_SEMPOST << 24 | 1u << (2 + 4));
  } else if (p->sync == SYNC_CORES && p->core > 0 && p->cores >> (p->core - 1) & 1u) {
    const uint32_t at = 0x20 + 4 * (3 + p->core), from = p->r.at;
    load(p, 2, X_A, X_SYNC, at);
    branch(p, 0, X_A, 0, from);
    addi(p, X_A, 0, 1);
    store(p, 2, X_A, X_SYNC, at);
  } else if (p->sync == SYNC_IDLE) {
    load(p, 2, X_A, X_SYNC, 4);
    andi(p, X_A, X_A, 0);
  }
  if (p->core != 1 && !((p->odd & ODD_ADDRESSES) && one_in(p, 2))) {
    const uint32_t which = p->core == 2 ? 4u : 3u;
    ttinsn(p, (uint32_t)TX_SETADCXY << 24 | which << 21 | 15u);
    ttinsn(p, (uint32_t)TX_SETADCZW << 24 | which << 21 | 15u);
  }
  if (p->core == 1 && !((p->odd & ODD_ADDRESSES) && one_in(p, 2))) ttinsn(p, (uint32_t)TX_SETRWC << 24 | 31u);
}

static void end_turn(struct program *p) {
  if ((p->odd & ODD_MAIL) && p->core == 0 && p->cores & 2u) {
    li(p, X_BOX, TX_ADDR_MAILBOX + 0x2000);
    addi(p, X_A, 0, 7);
    store(p, 2, one_in(p, 3) ? X_TURN : X_A, X_BOX, 0);
  }
  if (p->core < 2 && p->cores >> (p->core + 1) & 1u) {
    if (p->sync == SYNC_SEMAPHORES && p->core == 1) ttinsn(p, (uint32_t)TX_SEMPOST << 24 | 1u << (2 + 4 + p->core));
    if (p->sync == SYNC_CORES) {
      const uint32_t at = 0x20 + 4 * (4 + p->core), from = p->r.at;
      load(p, 2, X_A, X_SYNC, at); /* not above 2 */
      addi(p, X_B, 0, 2);
      branch(p, 5, X_A, X_B, from);
      store(p, 2, 0, X_SYNC, at);
    }
  }
  if ((p->odd & ODD_FLAGS) && is_thread(p)) { /* every 16 turns all tell the others how far they are */
    andi(p, X_C, X_TURN, 15);
    const uint32_t out = begin_skip(p, 1, X_C, 0);
    li(p, X_D, FLAGS + 0x40);
    store(p, 2, X_TURN, X_D, 4 * p->core);
    const unsigned other = p->core ? p->core - 1 : 0;
    if (p->core && p->cores >> other & 1u && p->turns[other] == p->turns[p->core]) {
      const uint32_t from = p->r.at;
      load(p, 2, X_A, X_D, 4 * other);
      branch(p, 6, X_TURN, X_A, from);
    }
    end_skip(p, out);
  }
}

/* What thread 0 hands to thread 1 in a turn. */
static void hand_over(struct program *p) {
  if (p->core == 0 && p->cores >> 1 & 1u) {
    if (is_odd(p, ODD_DVALID) && one_in(p, 3)) return;
    if (one_in(p, 3)) push(p, unpack_word(p, below(p, 2), false));
    const unsigned first = below(p, 2);
    push(p, unpack_word(p, first, true));
    push(p, unpack_word(p, !first, true));
  } else if (p->core == 1 && p->cores & 1u) {
    uint32_t word = unit_word(p, 1, TX_UNIT_MATRIX);
    for (unsigned i = 0; i < 16 && !(tx_ops[word >> 24].wait & (TX_WAIT_SRCA | TX_WAIT_SRCB)); i++)
      word = unit_word(p, 1, TX_UNIT_MATRIX);
    if (!(tx_ops[word >> 24].wait & (TX_WAIT_SRCA | TX_WAIT_SRCB)) || word >> 24 < TX_MVMUL)
      word = (uint32_t)TX_ELWADD << 24 | 1u << 21;
    for (unsigned n = 1 + below(p, 6); n; n--) push(p, word);
    if (one_in(p, 3) || word >> 24 < TX_MVMUL) {
      ttinsn(p, (uint32_t)TX_STALLWAIT << 24 | 0x40u << 15 | 0x180u);
      ttinsn(p, (uint32_t)TX_CLEARDVALID << 24 | 3u << 22);
    } else {
      push(p, word | 3u << 22);
    }
  } else if (p->core == 2) {
    uint32_t word = unit_word(p, 2, TX_UNIT_PACK);
    if (word >> 24 != TX_PACR) word = unit_word(p, 2, TX_UNIT_PACK);
    if (word >> 24 != TX_PACR) return;
    for (unsigned n = below(p, 4); n; n--) push(p, word & ~1u);
    if (!one_in(p, 8)) push(p, word | 1u);
  }
}

/* --- programs of cores --- */

static void begin_core(struct program *p) {
  p->r.at = RANDOM_CODE + p->core * RANDOM_CODE_BYTES;
  li(p, X_PUSH, TX_ADDR_PUSH + (p->core == TX_CORE_BRISC ? below(p, 3) * 0x10000u : 0));
  li(p, X_DATA, RANDOM_DATA + 0x400u * p->core);
  li(p, X_GPR, TX_ADDR_GPR);
  li(p, X_SYNC, TX_ADDR_PC_BUF);
  li(p, X_MOP, TX_ADDR_MOP_CFG);
  li(p, X_LOCAL, TX_LOCAL_BASE);
  li(p, X_CONFIG, TX_ADDR_CONFIG);
  li(p, X_A, random_next(&p->r));
  li(p, X_B, random_next(&p->r));
  if (!one_in(p, 6)) {
    li(p, X_C, 1u << 18 | 1u << 3);
    random_i(&p->r, 2, 0, X_C, 0x7c0, 0x73);
  }
  memset(p->replay, 0, sizeof p->replay);
  p->mop = false;
  p->routine[0] = p->routine[1] = 0;
}

static void end_core(struct program *p) {
  li(p, X_D, FLAGS + 4 * p->core);
  addi(p, X_C, 0, 1);
  store(p, 2, X_C, X_D, 0);
  random_put(&p->r, 0x00100073u); /* ebreak */
}

static void make_routines(struct program *p) {
  random_put(&p->r, 0x0000006fu);
  const uint32_t over = p->r.at - 4;
  for (unsigned i = 0; i < 2; i++) {
    const uint32_t entry = p->r.at;
    for (unsigned n = 1 + below(p, 3); n; n--) {
      if (one_in(p, 2)) compute(p);
      else if (one_in(p, 2)) push_words(p);
      else access_memory(p);
    }
    random_i(&p->r, 0, 0, X_LINK, 0, 0x67);
    p->routine[i] = entry;
  }
  const uint32_t end = p->r.at;
  p->r.at = over;
  jump(p, 0, end);
  p->r.at = end;
}

/* Templates 0 and 1, and the sequences of macros 0 and 1. */
static void configure_macros(struct program *p) {
  ttinsn(p, (uint32_t)TX_SFPMAD << 24 | 10u << 16 | 10u << 8 | 12u << 4);
  ttinsn(p, one_in(p, 2) ? (uint32_t)TX_SFPNOT << 24 | 13u << 4 : (uint32_t)TX_SFPIADD << 24 | 5u << 12 | 13u << 4 | 5u);
  for (uint32_t macro = 0; macro < 2; macro++) {
    const uint32_t simple = below(p, 2) << 6 | below(p, 4) << 3 | 5u, mad = one_in(p, 2) ? 0x80u | below(p, 4) << 3 | 4u : 0;
    const uint32_t stores = below(p, 2) << 6 | below(p, 8) << 3 | 3u;
    ttinsn(p, (uint32_t)TX_SFPLOADI << 24 | 10u << 16 | mad << 8 | simple);
    ttinsn(p, (uint32_t)TX_SFPLOADI << 24 | 8u << 16 | (one_in(p, 4) ? 0 : stores << 8));
    ttinsn(p, (uint32_t)TX_SFPCONFIG << 24 | (4u + macro) << 4);
  }
  ttinsn(p, (uint32_t)TX_SFPCONFIG << 24 | (0xf0u | below(p, 16) << 8) << 8 | 8u << 4 | 1u);
}

static void make_thread(struct program *p) {
  begin_core(p);
  if (p->core == 1 && p->odd & ODD_MACROS) configure_macros(p);
  if (p->core == 2) {
    li(p, X_A, (p->packed >> 4) - 1);
    store(p, 2, X_A, X_GPR, 4 * 12);
  }
  li(p, X_A, (FLAGS + 0x80) >> 4); /* for words of the scalar unit that access L1 */
  store(p, 2, X_A, X_GPR, 4 * 51);
  store(p, 2, 0, X_GPR, 4 * 50);
  make_routines(p);
  configure_mop(p);
  for (unsigned i = 0; i < REPLAYS; i++) record(p, i); /* what the kernel has left there hands over banks */
  if (p->core == 0) ttinsn(p, (uint32_t)TX_SEMINIT << 24 | (1 + below(p, 3)) << 20 | 0x30u << 2);
  li(p, X_TURN, p->turns[p->core]);
  addi(p, X_SUM, 0, below(p, 100));
  const uint32_t from = p->r.at;
  begin_turn(p);
  const unsigned blocks = p->lean ? 1 + below(p, 3) : 1 + below(p, 10);
  for (unsigned i = 0; i < blocks || i < p->handed; i++) {
    if (i < p->handed) hand_over(p);
    if (i < blocks) block(p, 0);
  }
  end_turn(p);
  addi(p, X_TURN, X_TURN, 0xfff);
  const uint32_t out = begin_skip(p, 0, X_TURN, 0);
  jump(p, 0, from);
  end_skip(p, out);
  for (unsigned n = below(p, 3); n; n--) block(p, 1);
  if (p->core == 0)
    for (unsigned i = 0; i < 4; i++) ttinsn(p, unpack_word(p, i % 2, true)); /* for what follows the last turn of thread 1 */
  end_core(p);
}

/* A core without a thread: it waits for one that has, or has a loop of its own. */
static void make_other(struct program *p) {
  begin_core(p);
  make_routines(p);
  if (one_in(p, 2)) {
    const unsigned first = (unsigned)__builtin_ctz(p->cores & 7u ? p->cores & 7u : 8u);
    li(p, X_D, FLAGS + 4 * first);
    const uint32_t from = p->r.at;
    load(p, 2, X_A, X_D, 0);
    if (one_in(p, 3)) compute(p);
    branch(p, 0, X_A, 0, from);
    end_core(p);
    return;
  }
  li(p, X_TURN, p->turns[p->core]);
  const uint32_t from = p->r.at;
  for (unsigned n = 1 + below(p, 3); n; n--) {
    if (one_in(p, 2)) compute(p);
    else access_memory(p);
  }
  if (p->core == TX_CORE_BRISC && one_in(p, 3)) {
    li(p, X_A, one_in(p, 2) ? nop() : scalar_word(p));
    store(p, 2, X_A, X_PUSH, 0);
  }
  addi(p, X_TURN, X_TURN, 0xfff);
  branch(p, 1, X_TURN, 0, from);
  end_core(p);
}

/* What a watcher does between two waits: mostly what concerns only itself. */
static void look(struct program *p) {
  switch (below(p, 8)) {
    case 0: load(p, 2, X_B, X_DATA, 4 * below(p, 64)); break;
    case 1: load(p, 2, X_B, X_LOCAL, 4 * below(p, 64)); break;
    case 2: store(p, 2, X_A, X_LOCAL, 4 * below(p, 64)); break;
    case 3: random_put(&p->r, 0x0ff0000fu); break;
    case 4: load(p, 2, X_B, X_BOX, 8); break;
    default: compute(p); break;
  }
}

/* What a watcher does now and then: others can observe most of it. */
static void act(struct program *p) {
  switch (below(p, 7)) {
    case 0: store(p, 2, X_A, X_DATA, 4 * below(p, 64)); break;
    case 1: load(p, 2, X_B, X_SYNC, 0x20 + 4 * below(p, 8)); break;
    case 2: random_i(&p->r, 2, X_B, 0, 0xb00, 0x73); break;
    case 3:
      li(p, X_C, p->packed + 4 * below(p, 256));
      load(p, 2, X_B, X_C, 0);
      break;
    case 4:
      li(p, X_A, nop());
      if (p->core == TX_CORE_BRISC) store(p, 2, X_A, X_PUSH, 0);
      break;
    default: look(p); break;
  }
}

/* It polls a word that the packer writes, often with the same value, and counts its changes. */
static void make_poller(struct program *p) {
  begin_core(p);
  li(p, X_D, p->packed + 4 * below(p, 256));
  addi(p, X_A, 0, 0);
  const uint32_t again = p->r.at;
  if (one_in(p, 2)) random_put(&p->r, 0x0ff0000fu);
  load(p, 2, X_B, X_D, 0);
  branch(p, 0, X_B, X_A, again);
  addi(p, X_A, X_B, 0);
  addi(p, X_SUM, X_SUM, 1);
  if (one_in(p, 2)) store(p, 2, X_SUM, X_DATA, 4 * below(p, 64));
  jump(p, 0, again);
}

/* BRISC or NCRISC waits by the wall clock, as firmware does, until a thread's core has ended (lap/apart.h). */
static void make_watcher(struct program *p) {
  const unsigned first = (unsigned)__builtin_ctz(p->cores & 7u ? p->cores & 7u : 8u);
  begin_core(p);
  li(p, X_BOX, TX_ADDR_CONTROL + TX_CONTROL_WALL_CLOCK_0);
  li(p, X_D, one_in(p, 4) ? 1 + below(p, 100) : 100 + below(p, 2500));
  const uint32_t rarely = one_in(p, 3) ? 0 : 1 + below(p, 30), outer = p->r.at;
  li(p, X_TURN, rarely ? rarely : 1);
  const uint32_t inner = p->r.at;
  for (unsigned n = below(p, 4); n; n--) look(p);
  if (one_in(p, 2)) random_put(&p->r, 0x0ff0000fu); /* the flag comes from L1 */
  li(p, X_C, FLAGS + 4 * first);
  load(p, 2, X_C, X_C, 0);
  const uint32_t goes_on = begin_skip(p, 0, X_C, 0);
  end_core(p);
  end_skip(p, goes_on);
  load(p, 2, X_A, X_BOX, 0);
  const uint32_t again = p->r.at;
  load(p, 2, X_B, X_BOX, 0);
  if (one_in(p, 2)) load(p, 2, X_C, X_BOX, 8);
  alu(p, 0x20, 0, X_B, X_B, X_A);
  branch(p, 6, X_B, X_D, again);
  addi(p, X_TURN, X_TURN, 0xfff);
  branch(p, 1, X_TURN, 0, inner);
  if (rarely) act(p);
  jump(p, 0, outer);
}

static void choose(struct program *p) {
  static const uint8_t of_threads[] = {7, 7, 7, 7, 7, 7, 7, 3, 3, 1, 4, 5};
  p->cores = of_threads[below(p, sizeof of_threads)];
  if (one_in(p, 4)) p->cores |= 1u << TX_CORE_BRISC;
  if (one_in(p, 20)) p->cores |= 1u << TX_CORE_NCRISC;
  for (unsigned n = one_in(p, 2) ? 0 : 1 + below(p, 2); n; n--)
    p->odd |= one_in(p, 3) ? (one_in(p, 2)   ? ODD_PACKED
                              : one_in(p, 2) ? ODD_SIGNALS
                                             : ODD_CONFIG)
                           : 1u << below(p, ODDITIES);
  p->sync = one_in(p, 2) ? SYNC_SEMAPHORES : one_in(p, 2) ? SYNC_CORES : (enum sync)below(p, SYNCS);
  p->lean = one_in(p, 3);
  p->handed = 1 + below(p, 2);
  const uint32_t turns = 100 + below(p, 400);
  for (unsigned i = 0; i < TX_CORES; i++) p->turns[i] = one_in(p, 6) ? 50 + below(p, 350) : turns;
}

static struct program chosen; /* the last one, for a report */

/* Builds program number `seed` in `t` and starts its cores. */
static void start(struct tx_tile *t, const struct random_base *base, uint64_t seed, bool clock) {
  struct program p = {.r = {.seed = seed * UINT64_C(0x9e3779b97f4a7c15) + 77, .base = base, .t = t}};
  tx_tile_copy_state(t, base->state);
  t->params.local_ram_clears = 0;
  choose(&p);
  if (seed >= FIRST_WITH_MACROS) p.odd |= ODD_MACROS;
  chosen = p;
  for (uint32_t i = 0; i < 0x1f00; i += 4) {
    const uint32_t x = random_next(&p.r);
    memcpy(&t->l1[RANDOM_DATA + i], &x, 4);
  }
  /* the packer writes to the unpacker's tile, at its beginning or behind it, or elsewhere */
  p.packed = LAUNCH_HEAP + (one_in(&p, 8) ? 0x20000u : below(&p, 2) * 0x10000u) + 16 * below(&p, 8);
  for (unsigned bank = 0; bank < 2; bank++)
    t->config.words[bank][TX_CFG_THCON_SEC0_REG1_L1_Dest_addr_ADDR] = (p.packed >> 4) - 1;
  t->config.version++;
  memset(t->dst.valid, TX_DST_VALID, sizeof t->dst.valid);
  for (p.core = 0; p.core < TX_CORES; p.core++) {
    if (is_thread(&p)) make_thread(&p);
    else make_other(&p);
  }
  for (p.core = TX_CORE_BRISC; clock && p.core < TX_CORES; p.core++) {
    if (p.cores >> p.core & 1u || (p.core == TX_CORE_BRISC && one_in(&p, 3))) continue;
    if (one_in(&p, 4)) make_poller(&p);
    else make_watcher(&p);
    p.cores |= 1u << p.core;
    clock = one_in(&p, 3);
  }
  for (unsigned core = 0; core < TX_CORES; core++)
    if (p.cores >> core & 1u) tx_core_start(t, core, RANDOM_CODE + core * RANDOM_CODE_BYTES);
}

/* --- two runs --- */

static struct {
  unsigned count, with_laps, mismatches;
  unsigned results[16];
  unsigned long long cycles, repeated;
} seen;

/* The member of the tile that has this byte, for a report. */
static const char *member_at(size_t at, size_t *offset) {
  static const struct {
    const char *name;
    size_t offset;
  } members[] = {
#define MEMBER(name) {#name, offsetof(struct tx_tile, name)}
      MEMBER(engine),  MEMBER(timing),   MEMBER(frontend),  MEMBER(gate),       MEMBER(units),    MEMBER(sync),
      MEMBER(config),  MEMBER(rwc),      MEMBER(adc),       MEMBER(scalar),     MEMBER(src),      MEMBER(dst),
      MEMBER(matrix),  MEMBER(vector),   MEMBER(unpack),    MEMBER(pack),       MEMBER(inflight), MEMBER(streams),
      MEMBER(control), MEMBER(perf),     MEMBER(mailboxes), MEMBER(niu),        MEMBER(core),     MEMBER(port),
      MEMBER(diag),    MEMBER(l1),       MEMBER(fault),     MEMBER(pack_stats), MEMBER(l1_ports), MEMBER(pcbufs),
      MEMBER(arbiter), MEMBER(autosync), MEMBER(mover),     MEMBER(current),
  };
  size_t best = 0;
  for (size_t i = 1; i < sizeof members / sizeof *members; i++)
    if (members[i].offset <= at && (members[best].offset > at || members[i].offset >= members[best].offset)) best = i;
  *offset = at - members[best].offset;
  return members[best].name;
}

static void show_difference(const struct tx_tile *a, const struct tx_tile *b) {
  unsigned found = 0, in_member = 0;
  const char *last = "";
  for (size_t at = 0; at < offsetof(struct tx_tile, unsaved); at += 4) {
    uint32_t x, y;
    size_t offset;
    memcpy(&x, (const unsigned char *)a + at, 4);
    memcpy(&y, (const unsigned char *)b + at, 4);
    if (x == y) continue;
    const char *name = member_at(at, &offset);
    in_member = name == last ? in_member + 1 : 0;
    last = name;
    found++;
    if (in_member >= 4) continue;
    if (name[0] == 'c' && !strcmp(name, "core"))
      print_message("  core[%zu] + 0x%zx is 0x%x, expected 0x%x\n", offset / sizeof(struct tx_core),
                    offset % sizeof(struct tx_core), x, y);
    else print_message("  %s + 0x%zx is 0x%x, expected 0x%x\n", name, offset, x, y);
  }
  print_message("  %u words differ\n", found);
}

static struct tessera_tile *tiles[2]; /* with laps, without */

static bool differ(const char *what, uint64_t seed, bool timing) {
  struct tx_tile *t = &tiles[0]->tile;
  print_message("program %llu, timing %s: %s; cycle %llu and %llu, of which %llu repeated\n", (unsigned long long)seed,
                timing ? "on" : "off", what, (unsigned long long)t->engine.now,
                (unsigned long long)tiles[1]->tile.engine.now, (unsigned long long)tx_lap_told(tiles[0]->lap).repeated);
  print_message("  cores 0x%x, oddities 0x%x, sync %d, kernel %s\n", chosen.cores, chosen.odd, (int)chosen.sync,
                kernels[seed % KERNELS]);
  return true;
}

static bool compare_tiles(uint64_t seed, bool timing, const enum tessera_result result[2]) {
  struct tx_tile *a = &tiles[0]->tile, *b = &tiles[1]->tile;
  bool bad = false;
  static char text[2][1 << 16];
  if (result[0] != result[1]) {
    char what[80];
    snprintf(what, sizeof what, "result %d, expected %d", result[0], result[1]);
    bad = differ(what, seed, timing);
  } else if (tessera_tile_cycle(tiles[0]) != tessera_tile_cycle(tiles[1])) {
    bad = differ("cycle", seed, timing);
  }
  if (tx_tile_hash(a) != tx_tile_hash(b)) {
    if (!bad) differ("state", seed, timing);
    show_difference(a, b);
    return true;
  }
  if (bad) return true;
  for (unsigned i = 0; i < TX_THREADS; i++)
    for (unsigned k = 1; k < TX_BLOCKED_COUNT; k++)
      if (tx_gate_stalled(a, i, k) != tx_gate_stalled(b, i, k)) return differ("stall counters", seed, timing);
  if (memcmp(a->diag.counts, b->diag.counts, sizeof a->diag.counts) != 0) return differ("findings", seed, timing);
  for (unsigned i = 0; i < 2; i++) snprintf(text[i], sizeof text[i], "%s", tessera_tile_where(tiles[i]));
  if (!a->fault.kind && strcmp(text[0], text[1]) != 0) { /* cores may be ahead of a fault */
    print_message("is:\n%s\nexpected:\n%s\n", text[0], text[1]);
    return differ("the text of tessera_tile_where", seed, timing);
  }
  for (unsigned i = 0; i < 2; i++) snprintf(text[i], sizeof text[i], "%s", tessera_tile_explain(tiles[i]));
  if (strcmp(text[0], text[1]) != 0) {
    print_message("is:\n%s\nexpected:\n%s\n", text[0], text[1]);
    return differ("the text of tessera_tile_explain", seed, timing);
  }
  return false;
}

static bool run_both(uint64_t seed, bool timing, uint64_t cycles) {
  enum tessera_result result[2];
  for (unsigned i = 0; i < 2; i++) result[i] = tessera_tile_run(tiles[i], cycles);
  seen.results[result[1] & 15]++;
  return compare_tiles(seed, timing, result);
}

/* What a host does between two parts of a run: nothing, or it reads L1 or a register, or changes a bit of what kernels load. */
static void act_as_host(struct random_source *r) {
  const uint32_t kind = random_below(r, 8), address = random_below(r, TX_L1_BYTES / 4) * 4;
  const uint32_t changed = LAUNCH_HEAP + address % 0x8000;
  uint32_t value = 0;
  if (kind == 4) tessera_tile_read(tiles[0], changed, &value, 4);
  value ^= 1;
  for (unsigned i = 0; i < 2; i++) {
    uint32_t read;
    if (kind == 1 || kind == 2) tessera_tile_read(tiles[i], address, &read, 4);
    if (kind == 3) tessera_tile_read(tiles[i], TX_ADDR_GPR, &read, 4);
    if (kind == 4) tessera_tile_write(tiles[i], changed, &value, 4);
  }
}

/* The tile keeps its laps from part to part, as long as the host changes nothing. */
static void run_in_parts(struct random_source *r) {
  const uint64_t longest = 1u << (10 + random_below(r, 8));
  for (uint64_t part = 1 + random_below(r, 12); part > 0; part--) {
    const uint64_t cycles = 1 + random_below(r, (uint32_t)longest);
    for (unsigned i = 0; i < 2; i++) tessera_tile_run(tiles[i], cycles);
    act_as_host(r);
  }
}

/* To the end, or to any cycle and then to the end, or in parts. */
static void run_program(uint64_t seed, bool timing, bool clock) {
  const struct random_base *base = base_of(timing, (unsigned)(seed % KERNELS));
  struct random_source r = {.seed = seed ^ UINT64_C(0x5851f42d4c957f2d)};
  random_next(&r);
  for (unsigned i = 0; i < 2; i++) {
    tiles[i] = tessera_tile_create(timing ? TESSERA_TIMING_CYCLE : TESSERA_TIMING_OFF);
    assert_non_null(tiles[i]);
    start(&tiles[i]->tile, base, seed, clock);
  }
  tx_lap_destroy(tiles[1]->lap);
  tiles[1]->lap = NULL;
  const sim_time begin = tiles[0]->tile.engine.now;
  bool bad = false;
  if (random_below(&r, 3) == 0) bad = run_both(seed, timing, 1 + random_below(&r, 1u << (8 + random_below(&r, 9))));
  if (!bad && random_below(&r, 3) == 0) run_in_parts(&r);
  if (!bad) bad = run_both(seed, timing, CYCLES_MAX);
  seen.count++;
  seen.mismatches += bad;
  seen.with_laps += tx_lap_told(tiles[0]->lap).repeated > 0;
  seen.cycles += tiles[0]->tile.engine.now - begin;
  seen.repeated += tx_lap_told(tiles[0]->lap).repeated;
  for (unsigned i = 0; i < 2; i++) tessera_tile_destroy(tiles[i]);
}

static uint64_t first_seed(void) {
  const char *first = getenv("TESSERA_FIRST_SEED");
  return first ? strtoull(first, NULL, 0) : 0;
}

/* Each has differed once: a late question of the hang detection, copies of registers, the deadline of a merging store, pushes of a core ahead of an idle
 * front end, a mark of the front end that a step clears. */
static const uint64_t once_different[] = {100004, 100112, 100104, 101025, 500132, 300099, 3000043};

/* And these: a core apart that would delay a parked one, and one that takes a turn in each lap, with timing off. */
static const uint64_t once_different_beside_clock[] = {7000426, 8000707};

static void report(bool timing, const char *what) {
  print_message("timing %s%s: %u of %u programs repeat laps, %llu of %llu cycles; done %u, limit %u, hang %u, fault %u\n",
                timing ? "on" : "off", what, seen.with_laps, seen.count, seen.repeated, seen.cycles,
                seen.results[TESSERA_DONE & 15], seen.results[TESSERA_LIMIT & 15], seen.results[TESSERA_HANG & 15],
                seen.results[TESSERA_FAULT & 15]);
  if (seen.mismatches) fail_msg("%u programs differ", seen.mismatches);
}

/* clock: each beside a core that waits by the wall clock. */
static void run_programs(bool timing, bool clock) {
  memset(&seen, 0, sizeof seen);
  for (unsigned i = 0; i < sizeof once_different / sizeof *once_different && !clock; i++)
    run_program(once_different[i], timing, false);
  for (unsigned i = 0; i < sizeof once_different_beside_clock / sizeof *once_different_beside_clock && clock; i++)
    run_program(once_different_beside_clock[i], timing, true);
  for (uint64_t seed = first_seed(), end = seed + test_scaled(clock ? 100 : 200); seed < end; seed++)
    run_program(seed, timing, clock);
  report(timing, clock ? ", beside a clock" : "");
}

static void random_loops_end_in_the_same_state_with_timing(void **state) {
  (void)state;
  run_programs(true, false);
}

static void random_loops_end_in_the_same_state_without_timing(void **state) {
  (void)state;
  run_programs(false, false);
}

static void random_loops_beside_a_clock_end_in_the_same_state_with_timing(void **state) {
  (void)state;
  run_programs(true, true);
}

static void random_loops_beside_a_clock_end_in_the_same_state_without_timing(void **state) {
  (void)state;
  run_programs(false, true);
}

static void random_loops_with_macros_end_in_the_same_state(void **state) {
  (void)state;
  for (unsigned timing = 0; timing < 2; timing++) {
    memset(&seen, 0, sizeof seen);
    for (uint64_t n = 0; n < test_scaled(60); n++) run_program(FIRST_WITH_MACROS + first_seed() + n, timing, false);
    report(timing, ", with macros");
  }
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_loops_end_in_the_same_state_with_timing),
                                     cmocka_unit_test(random_loops_end_in_the_same_state_without_timing),
                                     cmocka_unit_test(random_loops_beside_a_clock_end_in_the_same_state_with_timing),
                                     cmocka_unit_test(random_loops_beside_a_clock_end_in_the_same_state_without_timing),
                                     cmocka_unit_test(random_loops_with_macros_end_in_the_same_state)};
  (void)argc;
  test_kernels_directory(programs, sizeof programs, argv[0]);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
