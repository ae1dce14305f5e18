/* The chip of chip.h: creation, endpoints, access from outside, the state as a value. Time is in run.c. */
#include "chip/chip.h"

#include <stdlib.h>
#include <string.h>

#include "chip/inbox.h"
#include "chip/internal.h"
#include "chip/kinds.h"
#include "chip/receivers.h"
#include "chip/workers.h"
#include "tensix/riscv/code.h"
#include "tensix/tile/tile.h"

/* --- creation --- */

static void place_endpoints(struct chip *c) {
  for (unsigned tile = 0; tile < CHIP_TILES; tile++) {
    struct chip_endpoint *e = &c->endpoint[tile];
    e->chip = c;
    e->tile = (uint16_t)tile;
    e->slot = &c->grid.slot[tile];
    e->ops = chip_kind_ops(e->slot->kind);
    e->outbox_end = &e->outbox;
    e->next = SIM_NEVER;
  }
}

struct chip *chip_create(const struct chip_config *config, const char **why) {
  struct chip *c = calloc(1, sizeof *c);
  *why = "no memory";
  if (!c) return NULL;
  c->config = *config;
  c->frames_end = &c->frames;
  const bool links = config->timing && !config->noc_at_once;
  c->times = links ? noc_times_default() : noc_times_off();
  *why = chip_grid_init(&c->grid, &config->harvest);
  if (!*why) {
    place_endpoints(c);
    c->network = chip_network_create(c, &c->times, links);
    if (c->network) {
      c->workers = config->workers ? config->workers : config->threads == 1 ? NULL : chip_workers_create(config->threads);
      c->code = tx_code_create(); /* without memory for it lines are decoded again and again */
      return c;
    }
    *why = "no memory";
  }
  free(c);
  return NULL;
}

struct noc_packet *chip_take_frame(struct chip *c) {
  struct noc_packet *frame = c->frames;
  if (!frame) return NULL;
  c->frames = frame->next;
  if (!c->frames) c->frames_end = &c->frames;
  frame->next = NULL;
  return frame;
}

bool chip_put_frame(struct chip *c, unsigned tile, struct noc_packet *frame) {
  struct chip_endpoint *e = tile < CHIP_TILES && c->grid.slot[tile].kind == CHIP_ETHERNET ? chip_endpoint(c, tile) : NULL;
  sim_assert(frame->arrives > c->now);
  if (!e) {
    noc_packet_free(frame);
    return false;
  }
  frame->tile = (uint16_t)tile; /* no other packet in this inbox is of this tile: requests to itself do not leave a tile */
  chip_inbox_put(e, frame);
  return true;
}

static void drop_packets(struct chip_endpoint *e) {
  while (e->inbox_count) noc_packet_free(chip_inbox_take(e));
  while (e->outbox) {
    struct noc_packet *p = e->outbox;
    e->outbox = p->next;
    noc_packet_free(p);
  }
  e->outbox_end = &e->outbox;
}

static void drop_frames(struct chip *c) {
  while (c->frames) noc_packet_free(chip_take_frame(c));
}

void chip_clear_packets(struct chip *c) {
  drop_frames(c);
  for (unsigned tile = 0; tile < CHIP_TILES; tile++) {
    struct chip_endpoint *e = &c->endpoint[tile];
    drop_packets(e);
    if (e->sequence || e->received) memset(&e->trail, 0, sizeof e->trail);
    e->sequence = e->received = 0;
    e->next = SIM_NEVER;
  }
  chip_network_clear(c->network);
  c->now = c->last_progress = 0;
  c->lost_count = 0;
  memset(&c->fault, 0, sizeof c->fault);
}

void chip_clear(struct chip *c) {
  chip_clear_packets(c);
  c->active_count = 0;
  for (unsigned tile = 0; tile < CHIP_TILES; tile++) {
    struct chip_endpoint *e = &c->endpoint[tile];
    if (!e->self || e->exposed) continue;
    e->ops->destroy(e->self);
    e->self = NULL;
  }
  for (unsigned tile = 0; tile < CHIP_TILES; tile++)
    if (c->endpoint[tile].self) {
      c->active[c->active_count++] = (uint16_t)tile;
      c->endpoint[tile].ops->reset(c, &c->endpoint[tile]);
    }
}

void chip_destroy(struct chip *c) {
  if (!c) return;
  if (!c->config.workers) chip_workers_destroy(c->workers);
  for (unsigned tile = 0; tile < CHIP_TILES; tile++) {
    struct chip_endpoint *e = &c->endpoint[tile];
    drop_packets(e);
    free(e->inbox);
    if (e->self) e->ops->destroy(e->self);
  }
  chip_network_destroy(c->network);
  drop_frames(c);
  tx_code_destroy(c->code);
  free(c);
}

const struct chip_network *chip_network(const struct chip *c) { return c->network; }

bool chip_waiting(struct chip *c, unsigned which, struct chip_waiting *waiting) {
  return chip_network_waiting(c->network, which, waiting);
}

uint64_t chip_traffic(const struct chip *c, unsigned tile) {
  return c->endpoint[tile].sequence + c->endpoint[tile].received;
}

unsigned chip_lost_count(const struct chip *c) { return c->lost_count < CHIP_LOST_MAX ? c->lost_count : CHIP_LOST_MAX; }
const struct noc_packet *chip_lost(const struct chip *c, unsigned index) { return &c->lost[index % CHIP_LOST_MAX]; }

void chip_watch(struct chip *c, chip_packet_fn *watch, void *context) { chip_network_watch(c->network, watch, context); }
void chip_hold_packets(struct chip *c, struct chip_holds *holds) { chip_network_hold(c->network, holds); }
void chip_watch_memory(struct chip *c, chip_memory_fn *watch, void *context) {
  c->memory_watch = watch;
  c->memory_context = context;
}
uint64_t chip_dram_busy(const struct chip *c, unsigned controller) { return c->dram_busy[controller % CHIP_DRAMS]; }
void chip_watch_bursts(struct chip *c, chip_burst_fn *watch, void *context) {
  c->burst_watch = watch;
  c->burst_context = context;
}
uint64_t chip_packets(const struct chip *c) { return chip_network_packets(c->network); }

/* --- endpoints --- */

/* Advances a dormant tile to the chip's time before it is read. */
static struct chip_endpoint *awake(struct chip *c, unsigned tile) {
  struct chip_endpoint *e = chip_endpoint(c, tile);
  if (e && e->ops->wake) e->ops->wake(e->self, c->now);
  return e;
}

struct tx_tile *chip_tensix(struct chip *c, unsigned tile) {
  struct chip_endpoint *e = tile < CHIP_TILES && c->grid.slot[tile].kind == CHIP_TENSIX ? awake(c, tile) : NULL;
  if (e) e->exposed = 1;
  return e ? e->self : NULL;
}

const struct tx_tile *chip_tensix_seen(struct chip *c, unsigned tile) {
  struct chip_endpoint *e = chip_endpoint_peek(c, tile);
  if (!e || !e->self || e->slot->kind != CHIP_TENSIX) return NULL;
  e->ops->wake(e->self, c->now);
  e->next = e->ops->next(e->self);
  return e->self;
}

/* --- access from outside --- */

static void after_access(struct chip_endpoint *e) {
  if (e->ops->next) e->next = e->ops->next(e->self);
  const struct sim_fault *fault = e->ops->fault ? e->ops->fault(e->self) : NULL;
  if (!fault || e->chip->fault.kind) return;
  e->chip->fault = *fault;
  e->chip->fault_tile = e->tile;
}

bool chip_read(struct chip *c, unsigned tile, uint64_t address, void *bytes, size_t length) {
  struct chip_endpoint *e = awake(c, tile);
  if (!e || !e->ops->read) return false;
  bool done = e->ops->read(e->self, address, bytes, length);
  after_access(e);
  return done;
}

bool chip_write(struct chip *c, unsigned tile, uint64_t address, const void *bytes, size_t length) {
  struct chip_endpoint *e = awake(c, tile);
  if (!e || !e->ops->write) return false;
  bool done = e->ops->write(e->self, address, bytes, length);
  after_access(e);
  return done;
}

unsigned chip_write_rectangle(struct chip *c, unsigned noc, struct noc_place start, struct noc_place end, uint64_t address,
                              const void *bytes, size_t length) {
  uint16_t tiles[CHIP_TILES];
  unsigned count = chip_receivers(c, noc, start, end, 0, tiles), done = 0;
  for (unsigned i = 0; i < count; i++) done += chip_write(c, tiles[i], address, bytes, length);
  return done;
}
