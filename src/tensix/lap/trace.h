/* The trace of a core through a lap: what the instructions of the lap compute from values that differ from lap to lap. The functions are in
 * trace.c, which says what a lap is. */
#ifndef TESSERA_TENSIX_LAP_TRACE_H
#define TESSERA_TENSIX_LAP_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "tensix/state/lap.h"

#define TX_LAP_TRACE_STEPS 524288u /* most instructions of a core in a lap */
#define TX_LAP_TRACE_OPS 8192u     /* most variant ones */
#define TX_LAP_TRACE_SLOTS 16384u  /* most values: live-ins, constants and results of variant instructions */
#define TX_LAP_TRACE_LIVE 512u     /* most registers and words of local RAM that differ from lap to lap */
#define TX_LAP_TRACE_WORDS 2048u   /* most words of L1 that are loaded */
#define TX_LAP_TRACE_PASSES 64u    /* most rounds until it is known what differs */

/* Locations: the registers in their numbering (TX_CORE_NOWHERE is among them), then the words of local RAM. */
#define TX_LAP_LOCAL TX_CORE_REGISTERS
#define TX_LAP_LOCATIONS (TX_LAP_LOCAL + TX_LOCAL_BYTES / 4u)

/* A variant instruction, or a guard. */
struct tx_lap_op {
  uint8_t op;     /* enum tx_rv_op, or one of trace.c's own */
  uint8_t guards; /* 1: it has no result; the lap is another one if it does not find what it expects */
  uint16_t d, a, b;
  uint32_t imm, expect;
};

struct tx_lap_place {
  uint32_t offset; /* in struct tx_core */
  uint16_t slot, location;
};

/* Bytes of a word of L1, or of a place of the core (`address` is the offset in struct tx_core). */
struct tx_lap_word {
  uint32_t address, mask, value;
};

struct tx_lap_trace {
  uint32_t pc, cfg0;                     /* at the beginning and at the end */
  uint32_t jumps, jump_from, jump_to;    /* the last jalr; jumps 0: there is none */
  uint32_t failed_pc, failed_address;    /* why the last try failed: the instruction, or (failed_pc 0) the word of L1 */
  uint32_t ops, ins, outs, words, fixed; /* used of the arrays */
  uint32_t succeeded;                    /* the last try did, and `value` has its results */
  uint32_t code_from, code_to;           /* addresses of the first instruction and after the last */
  uint64_t code_hash;
  uint64_t steps;
  struct tx_lap_op op[TX_LAP_TRACE_OPS];
  uint32_t op_pc[TX_LAP_TRACE_OPS];
  struct tx_lap_place in[TX_LAP_TRACE_LIVE], out[TX_LAP_TRACE_LIVE];
  struct tx_lap_word word[TX_LAP_TRACE_WORDS];
  struct tx_lap_word fix[TX_LAP_LOCATIONS]; /* places that the lap reads or writes and that are the same in every lap */
  uint8_t varies[TX_LAP_LOCATIONS];
  uint32_t value[TX_LAP_TRACE_SLOTS];
};

/* An instruction of the recorded lap. */
struct tx_lap_step {
  struct tx_insn insn;
  uint32_t pc, a, b, c; /* values of the sources; c of a store to local RAM: the word before it */
  uint32_t address, result;
  uint32_t where; /* trace.c */
};

/* Room for the instructions of a lap and for what is known of them; needed by tx_lap_trace_build only. */
struct tx_lap_scratch {
  struct tx_lap_step step[TX_LAP_TRACE_STEPS + 1];
  uint8_t taken[TX_LAP_TRACE_STEPS + 1];    /* of the loads */
  uint16_t word_at[4 * TX_LAP_TRACE_WORDS]; /* hash table of tx_lap_trace.word: index plus 1 */
  uint8_t local[TX_LOCAL_BYTES];
  uint8_t touched[TX_LAP_LOCATIONS];
  uint16_t slot_of[TX_LAP_LOCATIONS];
  uint16_t constant[TX_LAP_TRACE_SLOTS]; /* slots of constants */
  uint8_t exact[TX_LAP_TRACE_SLOTS];     /* a guard has compared the value with the recorded one */
  uint8_t used[TX_LAP_TRACE_SLOTS];
};

struct tx_lap_request {
  const struct tx_core *before, *after; /* the core at the beginning and at the end of the recorded lap */
  unsigned core;
  bool timing;
  const uint8_t *l1;         /* at the end of the lap */
  const uint64_t *unwritten; /* a bit per page of L1 (TX_L1_PAGE): nothing was written there in the lap */
  uint32_t l1_bytes;
  uint32_t load_count;
  uint64_t steps; /* instructions executed in the lap; polls of a parked core that were skipped are not counted */
  const struct tx_lap_load *loads; /* in the order in which they completed */
};

/* false: the lap cannot be repeated by a trace; *why is a constant string. */
bool tx_lap_trace_build(struct tx_lap_trace *trace, struct tx_lap_scratch *scratch, const struct tx_lap_request *request,
                        const char **why);
/* Does the core, its code included, agree with the recorded lap's beginning in all that the lap touches and that does not differ from lap to lap? It does directly
 * after the recorded lap and after each commit. */
bool tx_lap_trace_fits(const struct tx_lap_trace *trace, const struct tx_core *c, const uint8_t *l1);
/* Would a core that fits do the same in another lap? */
bool tx_lap_trace_try(struct tx_lap_trace *trace, const struct tx_core *c, const uint8_t *l1);
/* After a successful try of this core: the registers, the local RAM and the last jump of the end of that lap. */
void tx_lap_trace_commit(const struct tx_lap_trace *trace, struct tx_core *c);

static inline bool tx_lap_trace_varies(const struct tx_lap_trace *trace, unsigned reg) { return trace->varies[reg]; }
/* `offset` in local RAM */
static inline bool tx_lap_trace_varies_local(const struct tx_lap_trace *trace, uint32_t offset) {
  return trace->varies[TX_LAP_LOCAL + offset / 4];
}

#endif
