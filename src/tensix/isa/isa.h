/* The Blackhole Tensix instruction set as data.
 *
 * tensix.def holds one row per instruction and one per field; config.def one row per field of a configuration register.
 * Everything else (this header's enums, decoder, unused-bit check, encoder, assembler, disassembler, dispatch, timing, the
 * generated documents, the overlap test) is generated from those two files.
 *
 *   31      24 23                                   0
 *  +----------+--------------------------------------+
 *  |  opcode  |  parameters, cut into fields         |
 *  +----------+--------------------------------------+
 */
#ifndef TESSERA_TENSIX_ISA_H
#define TESSERA_TENSIX_ISA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The nine execution units, and the front end, which executes MOP, MOP_CFG, REPLAY and RESOURCEDECL itself. */
enum tx_unit {
  TX_UNIT_SYNC,
  TX_UNIT_UNPACK,
  TX_UNIT_MATRIX,
  TX_UNIT_PACK,
  TX_UNIT_VECTOR,
  TX_UNIT_SCALAR,
  TX_UNIT_CONFIG,
  TX_UNIT_MOVER,
  TX_UNIT_MISC,
  TX_UNIT_COUNT,
  TX_UNIT_FRONTEND = TX_UNIT_COUNT,
};

/* Block bits B0..B8 of STALLWAIT, SEMWAIT and STREAMWAIT: which of them stop an instruction at the wait gate. */
#define TX_B(n) (1u << (n))
#define TX_BLOCK_BITS 0x1ffu
#define TX_BLOCK_ALL9 0x8000u /* NOP: stopped only when all nine bits are set */
#define TX_BLOCK_NONE 0u

/* Conditions that the wait gate checks automatically before an instruction passes. */
enum tx_auto_wait {
  TX_WAIT_NONE = 0,
  TX_WAIT_SRCA = 1,        /* the matrix unit's SrcA bank is owned by the matrix unit */
  TX_WAIT_SRCB = 2,        /* same for SrcB */
  TX_WAIT_MUTEX = 4,       /* the mutex is free or ours */
  TX_WAIT_UNPACK_BANK = 8, /* the unpacker's bank is owned by the unpackers */
};

enum tx_evidence { TX_GOLDEN, TX_DOCUMENT, TX_SILICON, TX_INFERRED };

enum tx_op_state {
  TX_OP_WORKS, /* has a body tx_exec_<NAME> */
  TX_OP_LATER, /* documented, but not implemented: faults as unsupported, with the reason */
  TX_OP_UNDOC, /* undocumented, or disabled in hardware: faults as unsupported, with its name */
};

struct tx_field {
  const char *name;
  uint8_t lo, width; /* width 0: an operand of the vendor's macro that the hardware ignores; it must be 0 */
  bool named_only;   /* not part of the positional operand list: written name=value, printed only when not zero */
};

struct tx_op {
  const char *name; /* NULL: no such opcode */
  uint32_t used;    /* bits that the instruction uses, opcode byte included */
  uint16_t block;   /* TX_B(n) | ... */
  uint8_t opcode;
  uint8_t unit;           /* enum tx_unit */
  uint8_t wait;           /* enum tx_auto_wait bits */
  uint8_t issue_cycles;   /* cycles between two accepted instructions */
  uint8_t latency_cycles; /* accept to result; 0: not documented */
  uint8_t state;          /* enum tx_op_state */
  uint8_t evidence;       /* enum tx_evidence: the evidence for the semantics */
  uint8_t timing_evidence;
  uint8_t field_count;
  uint16_t field_first;
  const char *timing_source;
  const char *spec;      /* document that defines it */
  const char *semantics; /* one line */
};

/* Opcode numbers: TX_MVMUL ... */
enum tx_opcode {
#define INSN(opcode, name, ...) TX_##name = (opcode),
#define FIELD(...)
#include "chips/blackhole/tensix.def"
#undef INSN
#undef FIELD
};

/* Bit positions: TX_MVMUL_dst_LO, TX_MVMUL_dst_WIDTH. */
enum tx_field_bits {
#define INSN(...)
#define FIELD(insn, name, lo, width, ...) TX_##insn##_##name##_LO = (lo), TX_##insn##_##name##_WIDTH = (width),
#include "chips/blackhole/tensix.def"
#undef INSN
#undef FIELD
};

/* TX_FIELD(word, MVMUL, dst) */
#define TX_FIELD(word, insn, name) (((word) >> TX_##insn##_##name##_LO) & ((1u << TX_##insn##_##name##_WIDTH) - 1u))
#define TX_PUT(insn, name, value) \
  (((uint32_t)(value) & ((1u << TX_##insn##_##name##_WIDTH) - 1u)) << TX_##insn##_##name##_LO)

extern const struct tx_op tx_ops[256];
extern const struct tx_field tx_fields[];

const struct tx_op *tx_op_by_name(const char *name, size_t length); /* any case; NULL when unknown */
uint32_t tx_unused_bits(uint32_t word); /* bits set that no field uses; all of them for an unknown opcode */
/* .ttinsn form: the word rotated left by two. Words from 0xC0000000 on have none. */
static inline uint32_t tx_word_to_stream(uint32_t word) { return (word << 2) | (word >> 30); }
static inline uint32_t tx_stream_to_word(uint32_t stream) { return (stream >> 2) | (stream << 30); }

/* Configuration registers: TX_CFG_<NAME>_ADDR / _SHIFT / _WIDTH. Addresses of ThreadConfig and Config both start at 0. */
enum tx_config_bits {
#define THREAD_CFG(name, addr, shift, width) \
  TX_CFG_##name##_ADDR = (addr), TX_CFG_##name##_SHIFT = (shift), TX_CFG_##name##_WIDTH = (width),
#define GLOBAL_CFG(name, addr, shift, width) \
  TX_CFG_##name##_ADDR = (addr), TX_CFG_##name##_SHIFT = (shift), TX_CFG_##name##_WIDTH = (width),
#include "chips/blackhole/config.def"
#undef THREAD_CFG
#undef GLOBAL_CFG
};

struct tx_config_field {
  const char *name;
  uint16_t addr;
  uint8_t shift, width;
  bool thread; /* ThreadConfig rather than Config */
};

extern const struct tx_config_field tx_config_fields[];
extern const size_t tx_config_field_count;

#endif
