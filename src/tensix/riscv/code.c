/* The store of code.h: lines are only added. A line is complete before it becomes the head of its list. Two threads that decode the same line at the
 * same time may both add it. */
#include "tensix/riscv/code.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "tensix/riscv/decode.h"

/* Most of it is never touched, and takes no memory then: the lines are written before they are read. */
struct tx_code *tx_code_create(void) {
  struct tx_code *code = malloc(sizeof *code);
  if (code) memset(code, 0, offsetof(struct tx_code, next));
  return code;
}

void tx_code_destroy(struct tx_code *code) { free(code); }

static uint32_t *head_of(struct tx_code *code, const uint32_t words[TX_IC_WORDS]) {
  uint32_t hash = 0;
  for (unsigned i = 0; i < TX_IC_WORDS; i++) hash = (hash ^ words[i]) * UINT32_C(2654435761);
  return &code->head[(hash >> 16) % TX_CODE_HEADS];
}

static bool is_line(const struct tx_insn *line, const uint32_t words[TX_IC_WORDS]) {
  uint32_t other = 0;
  for (unsigned i = 0; i < TX_IC_WORDS; i++) other |= line[i].word ^ words[i];
  return !other;
}

uint32_t tx_code_find(struct tx_code *code, const uint32_t words[TX_IC_WORDS]) {
  uint32_t *head = head_of(code, words), first = __atomic_load_n(head, __ATOMIC_ACQUIRE);
  for (uint32_t i = first; i; i = code->next[i])
    if (is_line(code->line[i], words)) return i;
  if (__atomic_load_n(&code->count, __ATOMIC_RELAXED) >= TX_CODE_LINES - 1) return 0;
  const uint32_t own = __atomic_add_fetch(&code->count, 1, __ATOMIC_RELAXED);
  if (own >= TX_CODE_LINES) return 0;
  for (unsigned i = 0; i < TX_IC_WORDS; i++) code->line[own][i] = tx_rv_decode(words[i]);
  do code->next[own] = first;
  while (!__atomic_compare_exchange_n(head, &first, own, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
  return own;
}
