/* Random guests: instruction words with all opcodes and random operands after random configuration on the three threads, and random RISC-V
 * code on the five cores. For every guest the run ends with one of the defined results, a fault has a message, and the same guest gives the
 * same state again. Under the sanitizers and in the invariant build (make invariants) this is the proof that no guest reaches a broken
 * assertion of src/sim/assert.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "scale.h"
#include "tensix/isa/isa.h"
#include "tessera/tensix.h"

#define CYCLES 4000u
#define OPS 160u
#define CODE 0x8000u
#define CODE_WORDS 192u

static uint64_t random_state;

static uint32_t draw(void) {
  random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(random_state >> 32);
}

static uint32_t below(uint32_t limit) { return draw() % limit; }

/* Operands: any bits, few bits, or small numbers, so that modes are reached as well as their combinations. */
static uint32_t operand_bits(unsigned bits) {
  uint32_t mask = (1u << bits) - 1u;
  switch (below(4)) {
    case 0: return draw() & mask;
    case 1: return draw() & draw() & mask;
    case 2: return 1u << below(bits);
    default: return below(16);
  }
}

/* Most operands of these fault: they are generated less often, so that a guest runs longer. */
static const uint8_t often_refused[] = {TX_PACR_SETREG, TX_SEMWAIT,     TX_UNPACR_NOP, TX_LOADREG, TX_STOREREG,
                                        TX_STOREIND,    TX_LOADIND,     TX_REPLAY,     TX_ATGETM,  TX_ATRELM,
                                        TX_REG2FLOP,    TX_CMPDMAREG,   TX_SFPSHFT2,   TX_PACR,    TX_UNPACR,
                                        TX_STREAMWAIT,  TX_STREAMWRCFG, TX_MOP,        TX_XMOV};

/* Mostly documented instructions with operands only in defined bits; occasionally any word. */
static uint32_t tensix_word(void) {
  uint32_t opcode = below(256);
  if (below(1024) == 0) return draw();
  while (!tx_ops[opcode].name || tx_ops[opcode].state == TX_OP_UNDOC ||
         (memchr(often_refused, (int)opcode, sizeof often_refused) && below(10)))
    opcode = below(256);
  uint32_t word = opcode << 24 | operand_bits(24);
  return below(128) ? word & tx_ops[opcode].used : word;
}

static uint32_t config_value(void) {
  switch (below(4)) {
    case 0: return draw();
    case 1: return draw() & draw() & draw();
    case 2: return below(256);
    default: return below(0x18000); /* an address in units of 16 bytes */
  }
}

/* BF16 everywhere, as kernels set it, and MOPs of NOPs: later instructions may change it. */
static void add_formats(struct tessera_tile *tile, unsigned thread) {
  uint32_t words[512] = {0};
  for (size_t i = 0; i < tx_config_field_count; i++) {
    const struct tx_config_field *f = &tx_config_fields[i];
    bool format = strstr(f->name, "ormat") && f->width >= 4 && !f->thread;
    if (format) words[f->addr % 512] |= 5u << f->shift;
  }
  for (uint32_t i = 0; i < 224; i++)
    if (words[i]) tessera_tile_store(tile, thread, 0xFFEF0000u + 4 * i, words[i]);
  for (uint32_t i = 0; i < 9; i++)
    tessera_tile_store(tile, thread, 0xFFB80000u + 4 * i, i < 2 ? 1 + below(4) : (uint32_t)TX_NOP << 24);
}

static void add_op(struct tessera_tile *tile, unsigned thread) {
  uint32_t word = tensix_word();
  switch (below(16)) {
    case 0:
      tessera_tile_store(tile, thread, 0xFFEF0000u + 4 * below(448), config_value());
      break; /* configuration, both banks */
    case 1:
      tessera_tile_store(tile, thread, 0xFFB80000u + 4 * below(9), below(3) ? tensix_word() : 1 + below(127));
      break;                                                                                        /* MOP */
    case 2: tessera_tile_store(tile, thread, 0xFFE00000u + 4 * below(192), config_value()); break;  /* GPRs */
    case 3: tessera_tile_store(tile, thread, 0xFFE80020u + 4 * below(8), draw() & 1u); break;       /* semaphores */
    case 4: tessera_tile_push(tile, thread, &(uint32_t){0x01000000u | operand_bits(24)}, 1); break; /* MOP */
    default: tessera_tile_push(tile, thread, &word, 1); break;
  }
}

/* Registers x8 to x15 hold addresses of register windows, local RAM and L1; x16 up are data. */
static uint32_t base_register(void) { return 8 + below(8); }
static uint32_t any_register(void) { return below(32); }

static uint32_t riscv_word(void) {
  uint32_t rd = any_register() << 7, rs1 = any_register() << 15, rs2 = any_register() << 20, funct3 = below(8) << 12;
  if (rd >> 7 >= 8 && rd >> 7 < 16) rd = 16u << 7; /* keeps the addresses */
  static const uint8_t conditions[] = {0, 1, 4, 5, 6, 7}, sizes[] = {0, 1, 2, 4, 5};
  switch (below(14)) {
    case 0:
    case 1: return 0x03 | rd | base_register() << 15 | sizes[below(5)] * 0x1000u | (below(48) * 4) << 20; /* load */
    case 2:
    case 3: return 0x23 | base_register() << 15 | rs2 | 2u << 12 | (below(8) * 4) << 7 | below(2) << 25; /* store */
    case 4: return 0x63 | rs1 | rs2 | conditions[below(6)] * 0x1000u | (2 + 2 * below(7)) << 8; /* branch forwards */
    case 5: return 0xfe0010e3u | rs1 | rs2 | (16 - 2 * (1 + below(7))) << 8;                    /* bne a few words back */
    case 6: return 0x33 | rd | rs1 | rs2 | funct3 | below(2) << 25;
    case 7: return 0x73 | rd | rs1 | (1 + below(3)) << 12 | (0x7c0 + below(2)) << 20; /* CSRs */
    case 8: return below(8) ? 0x53 | rd | rs1 | rs2 | below(4) << 27 : draw();        /* floats; occasionally any bits */
    case 9:
    case 10: return tx_word_to_stream(tensix_word() & 0xbfffffffu); /* .ttinsn */
    default: return 0x13 | rd | rs1 | (funct3 == 0x1000u || funct3 == 0x5000u ? 0x6000u : funct3) | below(4096) << 20;
  }
}

static uint32_t lui(unsigned rd, uint32_t value) { return 0x37 | rd << 7 | (value & 0xfffff000u); }

static void add_core(struct tessera_tile *tile, unsigned core) {
  static const uint32_t windows[] = {0xFFB00000u, 0xFFB11000u, 0xFFB12000u, 0xFFB20000u, 0xFFB40000u,
                                     0xFFB80000u, 0xFFBD8000u, 0xFFE00000u, 0xFFE40000u, 0xFFE80000u,
                                     0xFFEC0000u, 0xFFEF0000u, 0x00000000u, 0x00020000u};
  uint32_t code[CODE_WORDS];
  for (unsigned i = 0; i < CODE_WORDS; i++) code[i] = riscv_word();
  for (unsigned i = 0; i < 8; i++) code[i] = lui(8 + i, windows[below(sizeof windows / sizeof *windows)]);
  code[CODE_WORDS - 1] = 0x00100073; /* ebreak */
  uint32_t at = CODE + core * 0x1000u;
  assert_int_equal(tessera_tile_write(tile, at, code, sizeof code), TESSERA_OK);
  tessera_tile_set_reset_pc(tile, (enum tessera_core)core, at);
}

static uint64_t run_guest(struct tessera_tile *tile, uint64_t seed) {
  uint8_t bytes[4096];
  random_state = seed;
  bool timing = draw() & 1u, cores = draw() & 1u;
  assert_int_equal(tessera_tile_reset(tile, timing ? TESSERA_TIMING_CYCLE : TESSERA_TIMING_OFF), TESSERA_OK);
  for (unsigned part = 0; part < 4; part++) {
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)draw();
    tessera_tile_write(tile, part * 0x1000u, bytes, sizeof bytes);
  }
  if (cores) {
    for (unsigned core = 0; core < TESSERA_CORES; core++) add_core(tile, core);
    tessera_tile_start(tile, 1 + below(31));
  } else {
    for (unsigned thread = 0; thread < TESSERA_THREADS; thread++)
      for (unsigned i = 0; i < OPS; i++) {
        if (i == 0 && below(4)) add_formats(tile, thread);
        add_op(tile, thread);
      }
  }
  for (unsigned piece = 0; piece < 3; piece++) {
    enum tessera_result result = tessera_tile_run(tile, CYCLES / 3 + below(7));
    assert_in_range(result, TESSERA_DONE, TESSERA_FAULT);
    if (result == TESSERA_FAULT) assert_string_not_equal(tessera_tile_explain(tile), "");
  }
  return tessera_tile_hash(tile);
}

static void random_guests(void **state) {
  (void)state;
  struct tessera_tile *tile = tessera_tile_create(TESSERA_TIMING_CYCLE);
  unsigned faults = 0, rounds = (unsigned)test_scaled(1200);
  struct tessera_fault fault;
  for (unsigned round = 0; round < rounds; round++) {
    uint64_t hash = run_guest(tile, 1000 + round);
    faults += (unsigned)tessera_tile_fault(tile, &fault);
    if (round % 8 == 0) assert_true(run_guest(tile, 1000 + round) == hash);
  }
  printf("%u of %u guests end in a fault\n", faults, rounds);
#ifdef TESSERA_INVARIANTS /* whose tiny limits end many guests early */
  assert_true(rounds < 100 || faults < rounds);
#else
  assert_true(rounds < 100 || faults < rounds * 9 / 10); /* many guests run to the end */
#endif
  tessera_tile_destroy(tile);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_guests)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
