/* The pages of paged.h. */
#include "tensix/mem/paged.h"

#include "tensix/machine.h"
#include "tensix/regs/streams.h"

#define COUNT_MASK 0xffffu
#define ENOUGH (COUNT_MASK / 4) /* more pages than a buffer has, and less than half of the counter */

static uint32_t later_count(uint32_t a, uint32_t b) { return ((b - a) & COUNT_MASK) < COUNT_MASK / 2 ? b & COUNT_MASK : a; }

/* Pages that the consumer has popped, with the counts that are still on their way to the register. */
static uint32_t popped(const struct tx_tile *t, unsigned stream) {
  const uint32_t address = TX_ADDR_STREAM + stream * TX_STREAM_BYTES + noc_stream_index(NOC_STREAM_DEST_START) * 4u;
  uint32_t count = tx_stream_read(t, stream, NOC_STREAM_DEST_START) & COUNT_MASK;
  for (uint32_t i = 0; i < t->engine.effect_count; i++) {
    const struct sim_effect *e = &t->engine.effects[i];
    if ((e->kind == TX_EFFECT_CORE_REQUEST || e->kind == TX_EFFECT_SCALAR_MEMORY) && e->w[1] == address)
      count = later_count(count, e->w[2]);
  }
  for (unsigned core = 0; core < TX_CORES; core++)
    for (uint32_t i = 0; i < t->core[core].queue_count; i++) {
      const struct tx_core_store *s = &t->core[core].queue[i];
      if (!s->is_l1 && s->address == address) count = later_count(count, s->data[0]);
    }
  return count;
}

uint32_t tx_paged_count(struct tx_tile *t, unsigned agent, unsigned stream, uint32_t received) {
  struct tx_what_if *w = t->unsaved.what_if;
  const unsigned core = agent - TX_AGENT_TRISC0;
  if (core >= TX_CORES || stream >= TX_WHAT_IF_BUFFERS || !(w->paged.cores >> core & 1u)) return received;
  if (!w->paged.buffer[stream].pages || ((received - popped(t, stream)) & COUNT_MASK) == 0) return received;
  w->paged.buffers |= 1u << stream;
  return received + ENOUGH;
}

bool tx_paged_there(const struct tx_tile *t, uint32_t address) {
  const struct tx_what_if *w = t->unsaved.what_if;
  for (unsigned i = 0; i < TX_WHAT_IF_BUFFERS; i++) {
    const uint32_t bytes = w->paged.buffer[i].page_bytes, pages = w->paged.buffer[i].pages;
    const uint32_t offset = address - w->paged.buffer[i].address;
    if (!(w->paged.buffers >> i & 1u) || offset >= bytes * pages) continue;
    const uint32_t front = popped(t, i), received = tx_stream_read(t, i, NOC_STREAM_DEST_SIZE);
    const uint32_t ahead = (offset / bytes + pages - front % pages) % pages; /* pages before it in the buffer */
    return ((received - front) & COUNT_MASK) > ahead;
  }
  return true;
}
