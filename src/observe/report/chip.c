/* The texts of chip.h. */
#include "observe/report/chip.h"

#include <stdio.h>

#include "chip/endpoint.h"
#include "chip/service.h"
#include "observe/words.h"
#include "sim/text.h"
#include "tensix/riscv/run.h"

void obs_tile_name(const struct chip *c, unsigned tile, char *text, size_t size) {
  const struct chip_slot *slot = &chip_grid(c)->slot[tile];
  unsigned x = slot->logical & 63u, y = slot->logical >> 6 & 63u;
  int used = snprintf(text, size, "%s (%u,%u)", chip_kind_name(slot->kind), x, y);
  if (used < 0 || (size_t)used >= size || (x == slot->x && y == slot->y)) return;
  snprintf(text + used, size - (size_t)used, ", NoC 0 (%u,%u)", slot->x, slot->y);
}

size_t obs_chip_fault(struct chip *c, char *text, size_t size) {
  unsigned tile;
  const struct sim_fault *fault = chip_fault(c, &tile);
  struct sim_text out = {.data = text, .size = size};
  char name[80];
  if (!fault) return 0;
  obs_tile_name(c, tile, name, sizeof name);
  const struct chip_endpoint *e = chip_endpoint_peek(c, tile);
  bool own = e && e->self && e->ops->fault && e->ops->fault(e->self); /* otherwise the agent belongs to the sender's tile */
  const unsigned core = fault->agent - TX_AGENT_TRISC0;
  if (own && core < TX_CORES) sim_text_add(&out, "%s of ", tx_core_name_in(e->self, core));
  else if (own && fault->agent < TX_AGENT_COUNT) sim_text_add(&out, "%s of ", obs_agent_name(fault->agent));
  sim_text_add(&out, "%s, cycle %llu: %s fault: %s (%s)\n", name, (unsigned long long)fault->cycle,
               sim_fault_kind_name(fault->kind), fault->why, fault->document);
  return out.length;
}
