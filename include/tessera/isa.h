/* Tessera, Tensix tile: assembler, disassembler and the tables of the instruction set. docs/reference/assembler.md
 * describes the language.
 *
 * Functions with `text` and `size` write at most `size` bytes with the terminator and return the full length, as snprintf does. */
#ifndef TESSERA_ISA_H
#define TESSERA_ISA_H

#include "tessera/tile.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- assembler: from text with one section per thread to words --- */

struct tessera_asm;

/* `name` precedes error lines. Errors, and a text of more than 16 MiB, are part of the result; NULL: out of memory, or no text. */
struct tessera_asm *tessera_assemble(const char *name, const char *text, size_t length);
void tessera_asm_destroy(struct tessera_asm *assembly);
size_t tessera_asm_error_count(const struct tessera_asm *assembly); /* at most 20 are kept */
int tessera_asm_more_errors(const struct tessera_asm *assembly);    /* 1: there were more */
struct tessera_asm_error {
  uint32_t line, column, length; /* from 1; column and length in bytes */
  const char *message;           /* lives as long as the handle */
};
enum tessera_result tessera_asm_error(const struct tessera_asm *assembly, size_t index, struct tessera_asm_error *error);
/* "name:line:column: error: message", the source line, and a caret with tildes under the error. */
size_t tessera_asm_explain(const struct tessera_asm *assembly, size_t index, char *text, size_t size);

size_t tessera_asm_word_count(const struct tessera_asm *assembly, unsigned thread);
/* The words of a thread and the source line of each; they live as long as the handle. NULL: there is none. */
const uint32_t *tessera_asm_words(const struct tessera_asm *assembly, unsigned thread);
const uint32_t *tessera_asm_lines(const struct tessera_asm *assembly, unsigned thread);

/* Operations of the thread's core between two words, in the order of the text. */
enum tessera_asm_op_kind { TESSERA_ASM_STORE, TESSERA_ASM_POLL, TESSERA_ASM_SYNC };
const char *tessera_asm_op_kind_name(enum tessera_asm_op_kind kind); /* "poll" */
struct tessera_asm_op {
  size_t before; /* the number of the word that follows it */
  enum tessera_asm_op_kind kind;
  uint32_t address, mask, value; /* store: address, value; poll: all three */
};
size_t tessera_asm_op_count(const struct tessera_asm *assembly, unsigned thread);
enum tessera_result tessera_asm_op(const struct tessera_asm *assembly, unsigned thread, size_t index,
                                   struct tessera_asm_op *op);
/* Queues the words and operations for the stand-ins of the tile's threads (tessera_tile_push). TESSERA_REFUSED: the text
 * has errors. */
enum tessera_result tessera_tile_load_asm(struct tessera_tile *tile, const struct tessera_asm *assembly);

/* --- disassembler --- */

/* "ttmvmul 0,0,5,0"; a word that is not an instruction, or sets bits that its instruction does not use, becomes ".ttinsn 0x..." with
 * the reason. */
size_t tessera_disassemble(uint32_t word, char *text, size_t size);
/* Every field by name, and the configuration registers by theirs; "" for an instruction without fields and for a raw word. */
size_t tessera_disassemble_fields(uint32_t word, char *text, size_t size);
/* An instruction of a RISC-V core; `pc` for branch targets. */
size_t tessera_disassemble_riscv(uint32_t word, uint32_t pc, char *text, size_t size);
int tessera_is_instruction(uint32_t word); /* 1: tessera_disassemble prints it as an instruction */
/* .ttinsn form: the word rotated left by two. Words from 0xC0000000 on have none. */
uint32_t tessera_word_to_stream(uint32_t word);
uint32_t tessera_stream_to_word(uint32_t stream);

/* --- tables --- */

struct tessera_isa_op {
  const char *name, *semantics, *document, *unit_name;
  const char *state;           /* "works", "later", "undocumented" */
  const char *evidence;        /* "golden", "document", "silicon", "inferred" */
  const char *timing_evidence; /* likewise */
  const char *timing_source;
  uint32_t used;                         /* bits that the instruction uses, opcode byte included */
  uint32_t blocks;                       /* bit n: block bit Bn stops it; bit 15: only B0..B8 together stop it */
  uint32_t waits;                        /* 1 SrcA bank, 2 SrcB bank, 4 mutex, 8 unpack bank */
  unsigned unit;                         /* tessera_unit_name */
  unsigned issue_cycles, latency_cycles; /* latency 0: no document gives it */
  unsigned field_count;
  unsigned cases; /* conformance cases that contain it */
};
struct tessera_isa_field {
  const char *name;
  unsigned low_bit, width; /* width 0: an operand that the hardware ignores; it must be 0 */
  int named_only;          /* 1: written name=value */
  int64_t minimum, maximum;
};
/* TESSERA_INVALID: no instruction has this opcode. */
enum tessera_result tessera_isa_op(unsigned opcode, struct tessera_isa_op *op);
enum tessera_result tessera_isa_field(unsigned opcode, unsigned index, struct tessera_isa_field *field);
int tessera_isa_find(const char *name);            /* its opcode: any case, with or without tt; -1 */
const char *tessera_isa_nearest(const char *name); /* the most similar name, or "" */
uint32_t tessera_isa_field_value(unsigned opcode, unsigned index, uint32_t word);

struct tessera_config_field {
  const char *name;
  unsigned address, low_bit, width;
  int thread; /* 1: ThreadConfig; 0: Config */
};
size_t tessera_config_field_count(void);
enum tessera_result tessera_config_field(size_t index, struct tessera_config_field *field);

enum tessera_isa_text {
  TESSERA_ISA_LIST,     /* one line per instruction */
  TESSERA_ISA_EXPLAIN,  /* one instruction: bits, operands, blocking conditions, cycles, evidence */
  TESSERA_ISA_JSON,     /* one instruction as a JSON object */
  TESSERA_ISA_MARKDOWN, /* docs/reference/isa.md */
  TESSERA_ISA_COVERAGE, /* docs/evidence/coverage.md */
  TESSERA_ISA_C_HEADER, /* instructions, constants and configuration fields as a header for kernels */
  TESSERA_ISA_TEXTS
};
const char *tessera_isa_text_name(enum tessera_isa_text which); /* "markdown" */
/* `opcode` is used for EXPLAIN and JSON only. Returns 0 for an unknown instruction. */
size_t tessera_isa_text(enum tessera_isa_text which, unsigned opcode, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
