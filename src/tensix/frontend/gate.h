/* The wait gate of a thread and the arbiter after the three gates.
 *
 * In every cycle the head of FIFO 3 passes iff no latched wait blocks its class, its own automatic condition holds, its unit
 * can accept it, no earlier access of its core blocks it (autosync.h), and it wins the arbitration against the other threads.
 * At most one instruction per thread and cycle, in order.
 *
 * A latched wait is evaluated in every cycle after the one in which it was latched. In the cycle in which its condition becomes true
 * it still blocks. ISA: STALLWAIT.md, SEMWAIT.md, STREAMWAIT.md (Blackhole). */
#ifndef TESSERA_TENSIX_GATE_H
#define TESSERA_TENSIX_GATE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/time.h"
#include "tensix/state/gate.h"

struct tx_tile;
struct tx_answer;
struct tx_op;
struct sim_wait;

void tx_gate_reset(struct tx_tile *t);
/* enum tx_port by unit; tx_gate_port has those of the configuration unit and of mutexes */
extern const uint8_t tx_gate_ports[];
unsigned tx_gate_port(const struct tx_op *op, uint32_t word); /* enum tx_port: the port that this word requests */
void tx_gate_request(struct tx_tile *t, unsigned thread);
void tx_gate_arbitrate(struct tx_tile *t);
void tx_gate_grant(struct tx_tile *t, unsigned thread); /* arbitrates for a thread that made the only request */
void tx_gate_issue(struct tx_tile *t, unsigned thread);
/* Fills `answer` with the open condition of the latched wait; ok if it is satisfied in this cycle. */
void tx_gate_look_at_latch(struct tx_tile *t, unsigned thread, struct tx_answer *answer);
/* The next evaluation of the gate while words are on their way to it and a latched wait is evaluated again at `latch`: in the next cycle.
 * A word in its core's store queue reaches the gate three cycles after it has left the queue. */
sim_time tx_gate_next_look(const struct tx_tile *t, unsigned thread, sim_time latch);
/* Sets the wait of the thread from now on; kind 0: none. */
void tx_gate_block(struct tx_tile *t, unsigned thread, const struct sim_wait *wait);
/* The event UNIT of an instruction that was just accepted: it starts after `hold` cycles and holds its thread for `thread_cycles`. */
void tx_gate_log_unit(struct tx_tile *t, unsigned thread, const struct tx_op *op, uint32_t hold, sim_time drained_at,
                      uint32_t thread_cycles);
/* Cycles that a thread has waited for conditions of this kind (enum tx_blocked), up to now. */
uint64_t tx_gate_stalled(const struct tx_tile *t, unsigned thread, unsigned kind);

#endif
