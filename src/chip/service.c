/* The services of the chip for its endpoints (service.h). */
#include "chip/service.h"

#include "chip/internal.h"
#include "chip/receivers.h"

const struct chip_grid *chip_grid(const struct chip *c) { return &c->grid; }

const struct chip_config *chip_config(const struct chip *c) { return &c->config; }

const struct chip_host *chip_host(const struct chip *c) { return &c->config.host; }

bool chip_timing(const struct chip *c) { return c->config.timing; }
struct tx_code *chip_code(const struct chip *c) {
  return c->code;
}

sim_time chip_now(const struct chip *c) { return c->now; }

void chip_niu_init(const struct chip_endpoint *e, unsigned noc, struct noc_niu *niu) {
  uint32_t config[NOC_CONFIG_WORDS] = {0};
  chip_niu_config(&e->chip->grid, e->tile, noc, config);
  noc_niu_reset(niu, noc, chip_node_id(e->tile, noc), chip_endpoint_id(&e->chip->grid, e->tile, noc), config,
                &e->chip->times);
}

struct chip_endpoint *chip_endpoint_peek(struct chip *c, unsigned tile) {
  return tile < CHIP_TILES ? &c->endpoint[tile] : NULL;
}

struct chip_endpoint *chip_endpoint(struct chip *c, unsigned tile) {
  struct chip_endpoint *e = chip_endpoint_peek(c, tile);
  if (!e || !e->ops) return NULL;
  if (e->self) return e;
  e->self = e->ops->create(c, e);
  if (!e->self) return NULL;
  c->active[c->active_count++] = e->tile;
  e->next = e->ops->next ? e->ops->next(e->self) : SIM_NEVER;
  return e;
}

void chip_send(struct chip_endpoint *from, struct noc_packet *packet) {
  packet->tile = from->tile;
  packet->sequence = from->sequence++;
  packet->next = NULL;
  *from->outbox_end = packet;
  from->outbox_end = &packet->next;
}

bool chip_returns(const struct chip_endpoint *from, const struct noc_packet *p) {
  if (noc_packet_is_answer(p) || !(p->ctrl & NOC_CTRL_BROADCAST))
    return chip_tile_of_raw(p->noc, p->target.x, p->target.y) == from->tile;
  return (p->ctrl & NOC_CTRL_SOURCE_INCLUDE) &&
         chip_is_receiver(from->chip, p->noc, p->start, p->target, p->exclude, from->tile);
}

void chip_refuse(struct chip_endpoint *at, sim_time when, enum sim_fault_kind kind, const char *document, const char *why) {
  struct chip *c = at->chip;
  if (c->fault.kind) return;
  sim_fault_set(&c->fault, kind, when, document, "%s", why);
  c->fault.agent = SIM_NO_AGENT;
  c->fault_tile = at->tile;
}

void chip_blame(struct chip *c, const struct noc_packet *packet) {
  if (!c->fault.kind || packet->agent == SIM_NO_AGENT) return;
  c->fault.agent = packet->agent;
  c->fault.pc = packet->pc;
  c->fault.unit = packet->tile;
}

const struct sim_fault *chip_fault(const struct chip *c, unsigned *tile) {
  if (tile) *tile = c->fault_tile;
  return c->fault.kind ? &c->fault : NULL;
}
