/* Happens-before: which operations of a block the program orders, whatever the schedule.
 *
 * Each pipe of each core has a vector clock. An item of a pipe comes after the items before it in its queue, after the instruction that
 * queued it and all that the scalar unit has waited for until then, and after what the item itself waits for: the set of a flag, the
 * signal of set_flag, the items of other pipes that its operands need. An operation is ordered after another one only if its clock has
 * reached that one; otherwise another schedule may run them in the other order. A flag pairs its n-th set with its n-th wait. */
#ifndef TESSERA_PTO_RUNTIME_ORDER_H
#define TESSERA_PTO_RUNTIME_ORDER_H

#include "pto/runtime/state.h"

/* An operation: number `tick` of an agent. Tick 0: none. */
struct pto_moment {
  uint32_t tick, line;
  uint32_t tile, agent;
};

/* NULL: out of memory. */
struct pto_order *pto_order_new(void);
static inline size_t pto_slot_use_count(const struct pto_machine *m) {
  return (size_t)m->program->pipe_count * PTO_DIRECTIONS * 2 * PTO_SLOTS_MAX;
}
void pto_order_reset(struct pto_machine *m);
/* A launch begins after all of the launch before it. */
void pto_order_dispatch(struct pto_machine *m);

/* The scalar unit has waited for item `ticket` of a pipe, or for all pipes of its core. */
void pto_order_wait_item(struct pto_machine *m, unsigned core, unsigned unit, uint32_t ticket);
void pto_order_wait_all(struct pto_machine *m, unsigned core);

/* An item is queued, starts, has ended. */
static inline void pto_order_queue(const struct pto_core_state *c, struct pto_item *item) {
  item->epoch = c->epoch;
  item->issued = c->tick;
}
void pto_order_start(struct pto_machine *m, unsigned core, unsigned unit, const struct pto_item *item);
void pto_order_end(struct pto_machine *m, unsigned agent, uint32_t line);
/* In a function with manual order: a pipe with an item that this one needs and is not ordered after, and that item's line; PTO_UNITS:
 * none. The item has started. */
unsigned pto_order_missing(const struct pto_machine *m, unsigned core, unsigned unit, const struct pto_item *item,
                           uint32_t *line);

/* Flags between cores. `sent` is the number that pto_order_send has returned. */
uint32_t pto_order_send(struct pto_machine *m, unsigned core, unsigned unit);
/* false: with another schedule the counter may hold more than it can, since the wait of an earlier set is not known to have passed. */
bool pto_order_post(struct pto_machine *m, unsigned core, unsigned flag, unsigned source, uint32_t sent);
void pto_order_take(struct pto_machine *m, unsigned core, unsigned flag, unsigned unit);
/* set_flag and wait_flag. */
void pto_order_signal(struct pto_machine *m, unsigned core, unsigned from, unsigned to, unsigned event);
void pto_order_await(struct pto_machine *m, unsigned core, unsigned from, unsigned to, unsigned event);

/* The operation that the agent performs now, and whether it is ordered after an earlier one. */
struct pto_moment pto_order_now(const struct pto_machine *m, unsigned agent, uint32_t line, uint32_t tile);
bool pto_order_after(const struct pto_machine *m, unsigned agent, const struct pto_moment *earlier);

/* What a Vector has written to a slot without split (content.h). */
struct pto_content_write {
  uint64_t content, version, begin, end;
  uint32_t line, known;
};

/* The tile that was pushed into a slot, if one push fills it. */
struct pto_slot_shape {
  uint64_t version;
  uint32_t rows, cols, line;
  uint8_t dtype, split, known, pad;
};

/* The last read and write of a slot, for each lane; and the last use of a tile of the consumer on the slot's bytes. */
struct pto_slot_use {
  struct pto_moment read, write, tile;
  struct pto_content_write content;
  struct pto_slot_shape shape;
};
static inline struct pto_slot_use *pto_order_slot(const struct pto_machine *m, unsigned pipe, unsigned direction,
                                                  unsigned lane, unsigned slot) {
  return &m->slot_uses[((pipe * PTO_DIRECTIONS + direction) * 2 + lane) * PTO_SLOTS_MAX + slot];
}

#endif
