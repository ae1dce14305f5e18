/* The store queue of a core. */
#ifndef TESSERA_TENSIX_RISCV_QUEUE_H
#define TESSERA_TENSIX_RISCV_QUEUE_H

#include "tensix/riscv/run.h"

enum tx_step tx_queue_store(struct tx_core_run *run, uint32_t address, uint32_t value, unsigned bytes, sim_time enter);
enum tx_step tx_queue_push(struct tx_core_run *run, const uint32_t *words, unsigned count, sim_time enter);
/* Timing on: the .ttinsn at the start of `line` that enter EX1 one after the other, the first of them in cycle `enter`, after a push of the same stretch:
 * all that this takes of the core but pc and count of instructions; says how many. */
unsigned tx_queue_push_run(struct tx_core_run *run, const uint32_t *line, unsigned count, sim_time enter);
/* Timing off: of the `count` words of a cache line from pc on, pushes those that are .ttinsn and for which FIFO 1 has room. */
unsigned tx_queue_push_at_once(struct tx_core_run *run, const uint32_t *line, unsigned count);
/* Timing off: a T core's store of a word to its own FIFO 1 in this cycle; false: something may hold it, tx_queue_store finds out. */
bool tx_queue_push_word(struct tx_core_run *run, uint32_t word);
sim_time tx_queue_due(const struct tx_core *c); /* when its head is emitted; SIM_NEVER: empty, or refused by the bus */
void tx_queue_drain(struct tx_core_run *run);
void tx_queue_ask_again(struct tx_core *c); /* what the bus refused may be taken now */
/* A store is in the queue in cycle `at`, this one or a later one; a push may be in FIFO 1 already, for the cycle in which it leaves. */
bool tx_queue_occupied(const struct tx_core *c, sim_time at);
/* A load that asks again does so before a push leaves the queue in the same cycle. Puts such words in FIFO 1 off by a cycle; the answer has
 * a bit for each slot, for tx_queue_show. */
uint32_t tx_queue_hide(const struct tx_core_run *run);
void tx_queue_show(const struct tx_core_run *run, uint32_t slots);
bool tx_queue_overlaps(const struct tx_core *c, uint32_t address, unsigned bytes, sim_time at);
uint32_t tx_queue_writes(const struct tx_core_run *run); /* resources of Auto TTSync that instructions in it write */
void tx_effect_CORE_LINE(struct tx_tile *t, const struct sim_effect *e);

#endif
