/* The assembler: translates text with a section per Tensix thread to instruction words.
 *
 *   .thread 1                                      ; the words that follow are thread 1's
 *   .equ ROWS, 8
 *           ttreplay 16, end - start, 0, 1         ; labels are word numbers in their thread
 *   start:  ttmvmul  p_setrwc::CLR_NONE, 0, ADDR_MOD_0, 0
 *           ttsetc16 setc16_reg=DEST_TARGET_REG_CFG_MATH_Offset, setc16_value=ROWS << 3
 *   end:    .ttinsn  0x3700000f                    ; a raw word
 *           .store   0xFFB80000, 1                 ; the thread's core stores a word, here to MopCfg[0]
 *
 * docs/reference/assembler.md describes the language. All sizes are bounded; no state is kept from one run to the next. */
#ifndef TESSERA_TENSIX_ASM_H
#define TESSERA_TENSIX_ASM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tensix/isa/lex.h"

#define TX_ASM_THREADS 3u
#define TX_ASM_ERRORS_MAX 20u
#define TX_ASM_TEXT_MAX (16u << 20) /* bytes of source */
#define TX_ASM_WORDS_MAX (1u << 20) /* words per thread */

/* Operations of the thread's core between two pushes, in the order of the text. */
enum tx_asm_core_kind { TX_ASM_STORE, TX_ASM_POLL, TX_ASM_SYNC };

struct tx_asm_core_op {
  size_t before; /* the number of the word that follows it */
  uint32_t kind; /* enum tx_asm_core_kind */
  uint32_t v[3]; /* store: address, value; poll: address, mask, value */
  uint32_t line; /* of the source */
};

struct tx_asm_words {
  uint32_t *words;
  uint32_t *lines; /* source lines, one per word */
  size_t count, capacity;
  struct tx_asm_core_op *core;
  size_t core_count, core_capacity;
};

struct tx_asm {
  struct tx_asm_words threads[TX_ASM_THREADS];
  struct tx_asm_error errors[TX_ASM_ERRORS_MAX];
  size_t error_count;
  bool more_errors; /* the assembler stopped at TX_ASM_ERRORS_MAX */
};

/* True if there are no errors. `out` is overwritten and must be freed in either case. */
bool tx_asm(struct tx_asm *out, const char *file, const char *text, size_t length);
void tx_asm_free(struct tx_asm *out);

/* "file:line:column: error: message", the source line, and a caret with tildes under the error. Writes at most `size` bytes
 * including the terminator; returns the full length. */
size_t tx_asm_explain(const struct tx_asm_error *error, const char *text, size_t length, char *out, size_t size);

#endif
