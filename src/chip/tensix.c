/* Tiles with cores as endpoints: Tensix and Ethernet. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, madvise */
#include <string.h>
#include <sys/mman.h>

#include "chip/chip.h"
#include "chip/endpoint.h"
#include "chip/kinds.h"
#include "chip/orbit.h"
#include "chip/service.h"
#include "chip/stream.h"
#include "tensix/mem/memo.h"
#include "tensix/tile/link_arrival.h"
#include "tensix/tile/outside.h"
#include "tensix/tile/tile.h"
#include "tensix/tile/valid.h"

/* A what-if: requests to some banks of DRAM go to all of them in turn, also those for one page. Each tile begins at another bank. The data of
 * the rerun is that of another bank. */
static void spread(const struct chip_endpoint *endpoint, struct noc_packet *p, struct tx_what_if *w) {
  const struct chip_grid *grid = chip_grid(endpoint->chip);
  unsigned tile = chip_tile_of_raw(p->noc, p->target.x, p->target.y), x, y;
  if (tile == CHIP_NO_TILE || grid->slot[tile].kind != CHIP_DRAM || !(w->spread_dram >> grid->slot[tile].index & 1u)) return;
  if (!p->length || p->ctrl & NOC_CTRL_BROADCAST || noc_packet_is_answer(p)) return;
  const unsigned controller = (p->tile + w->spread_requests++) % CHIP_DRAMS;
  unsigned other = chip_tile_of_kind(grid, CHIP_DRAM, controller * CHIP_DRAM_PORTS + grid->slot[tile].port);
  if (other == CHIP_NO_TILE) return; /* fused off */
  chip_raw_of_tile(p->noc, other, &x, &y);
  p->target = (struct noc_place){(uint8_t)x, (uint8_t)y};
}

static bool send(void *net, struct noc_packet *packet) {
  struct chip_endpoint *endpoint = net;
  struct tx_tile *t = endpoint->self;
  if (t->unsaved.what_if && t->unsaved.what_if->spread_dram) spread(endpoint, packet, t->unsaved.what_if);
  chip_send(endpoint, packet);
  if (endpoint->stop_at_send) sim_stop(&t->engine);
  const bool own = chip_returns(endpoint, packet);
  packet->returned = own && !chip_timing(endpoint->chip);
  return own;
}

static bool incoming(void *net, unsigned index, struct tx_incoming *packet) {
  const struct chip_endpoint *endpoint = net;
  if (index >= endpoint->inbox_count) return false;
  const struct noc_packet *p = endpoint->inbox[index];
  *packet = (struct tx_incoming){.arrives = p->arrives, .address = p->address, .noc = p->noc};
  if (p->noc != NOC_LINK && tx_noc_has_lines(p) && !p->weightless) packet->flits = noc_flits(p->length);
  return true;
}

/* The link of an Ethernet tile that translation names, if its channel has one. */
static void set_up_link(const struct chip_config *config, const struct chip_endpoint *endpoint, struct tx_tile *t) {
  const struct chip_identity *own = &config->identity;
  const unsigned x = endpoint->slot->logical & 63u, y = endpoint->slot->logical >> 6,
                 channel = x - CHIP_TRANSLATED_ETHERNET_X;
  if (y != CHIP_TRANSLATED_ETHERNET_Y || channel >= CHIP_TRANSLATED_ETHERNETS || !own->port[channel].linked) return;
  const struct chip_peer *peer = &own->port[channel];
  tx_ethernet_link(t, &(struct tx_ethernet_end){own->board, own->asic, own->location, (uint8_t)channel},
                   &(struct tx_ethernet_end){peer->board, peer->asic, peer->location, peer->channel},
                   &(struct tx_eth_line){peer->latency, peer->bits_per_cycle, peer->down_at});
}

static void set_up_ethernet(struct chip *chip, const struct chip_endpoint *endpoint, struct tx_tile *t) {
  tx_ethernet_reset(t);
  set_up_link(chip_config(chip), endpoint, t);
}

static void set_up(struct chip *chip, struct chip_endpoint *endpoint, struct tx_tile *t) {
  tx_tile_reset_zeroed(t, chip_timing(chip));
  for (unsigned noc = 0; noc < NOC_NOCS; noc++) chip_niu_init(endpoint, noc, &t->niu[noc]);
  tx_noc_attach(t, (struct tx_network){endpoint, send, chip_timing(chip) ? incoming : NULL});
  t->engine.now = chip_now(chip);
  if (endpoint->slot->kind == CHIP_ETHERNET) set_up_ethernet(chip, endpoint, t);
  t->unsaved.memo.on = 1;
  t->unsaved.cores.code = chip_code(chip);
}

/* Fresh pages are zero and cost nothing until they are touched. A tile fits in one large page of the host: a run over all
 * tiles then needs 140 entries of the TLB instead of thousands. But the host has to clear a large page, most of which a tile never uses, and
 * for 140 tiles that can take longer than the start of the device: a tile moves to one when it has run for so many windows that it pays. */
#define LARGE_PAGE (2u * 1024u * 1024u)
#define WINDOWS_TO_GROW 4096u
#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25 /* Linux 6.1; earlier versions reject it without harm */
#endif
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* Linux 5.14; likewise */
#endif

static size_t in_large_pages(size_t bytes) { return (bytes + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE; }

_Static_assert(sizeof(struct tx_tile) <= LARGE_PAGE, "a tile fits in one large page");

/* Bytes before the tile, of which the last ones are the caller's, and of the tile, which begins on a large page. */
struct layout {
  size_t before, bytes;
};

static struct layout layout_of(const struct chip_endpoint *endpoint) {
  const struct chip_config *config = chip_config(endpoint->chip);
  size_t bytes = config->tile_bytes ? config->tile_bytes - config->tile_offset : sizeof(struct tx_tile);
  return (struct layout){in_large_pages(config->tile_offset), in_large_pages(bytes)};
}

static uint8_t *map(size_t bytes) {
  uint8_t *raw = mmap(NULL, bytes + LARGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (raw == MAP_FAILED) return NULL;
  size_t before = (LARGE_PAGE - (uintptr_t)raw % LARGE_PAGE) % LARGE_PAGE;
  if (before) munmap(raw, before);
  if (LARGE_PAGE - before) munmap(raw + before + bytes, LARGE_PAGE - before);
  return raw + before;
}

static void *create(struct chip *chip, struct chip_endpoint *endpoint) {
  const struct chip_config *config = chip_config(chip);
  struct layout layout = layout_of(endpoint);
  uint8_t *memory = map(layout.before + layout.bytes);
  if (!memory) return NULL;
  struct tx_tile *t = (struct tx_tile *)(void *)(memory + layout.before);
  if (config->tile_made) config->tile_made((uint8_t *)t - config->tile_offset);
  endpoint->self = t;
  endpoint->orbit = config->no_rest || !config->timing ? NULL : chip_orbit_create();
  set_up(chip, endpoint, t);
  return t;
}

static struct chip_endpoint *endpoint_of(const struct tx_tile *t) { return t->unsaved.network.net; }
static struct chip_orbit *orbit_of(const void *self) { return endpoint_of(self)->orbit; }

static void destroy(void *self) {
  struct chip_endpoint *endpoint = endpoint_of(self);
  const struct chip_config *config = chip_config(endpoint->chip);
  struct layout layout = layout_of(endpoint);
  if (config->tile_gone) config->tile_gone((uint8_t *)self - config->tile_offset);
  chip_orbit_destroy(endpoint->orbit);
  endpoint->orbit = NULL;
  munmap((uint8_t *)self - layout.before, layout.before + layout.bytes);
}

#define HOST_PAGE 65536u /* a multiple of the page size of every host */

/* Returns the pages inside the range to the host: the next access reads zeros, and only pages in use cost memory. */
static void zero(void *from, size_t bytes) {
  uintptr_t at = (uintptr_t)from, first = (at + HOST_PAGE - 1) / HOST_PAGE * HOST_PAGE;
  uintptr_t end = (at + bytes) / HOST_PAGE * HOST_PAGE;
  if (end <= first || madvise((void *)first, end - first, MADV_DONTNEED) != 0) {
    memset(from, 0, bytes);
    return;
  }
  memset(from, 0, first - at);
  memset((void *)end, 0, at + bytes - end);
}

/* What the caller has attached to the tile stays: lists of words, checkers, logs, breaks, a what-if. */
static void reset(struct chip *chip, struct chip_endpoint *endpoint) {
  struct tx_tile *t = endpoint->self;
  const struct tx_ports *ports = t->unsaved.ports; /* a checker's, if one is attached */
  chip_orbit_reset(endpoint->orbit);
  zero(t, offsetof(struct tx_tile, unsaved));
  memset(t->unsaved.l1_same, 0, sizeof t->unsaved.l1_same);
  memset(t->unsaved.l1_given, 0, sizeof t->unsaved.l1_given);
  t->unsaved.writers.count = 0;
  set_up(chip, endpoint, t);
  t->unsaved.ports = ports;
  tx_tile_copied(t);
}

static uint32_t take(void *self, const struct noc_packet *packet, sim_time at) {
  chip_orbit_wake(orbit_of(self), self, at - 1);
  chip_orbit_forget(orbit_of(self));
  if (packet->noc == NOC_LINK) {
    tx_link_arrive(self, packet, at);
    return 0;
  }
  uint32_t wait = tx_noc_wait(self, packet, at);
  if (!wait) tx_noc_arrive(self, packet, at);
  return wait;
}

/* With timing off agents take turns, so some may be behind the tile's time: they continue with the next cycle. Their
 * packets leave the tile later still, because a store reaches the NIU a cycle after it is issued. */
static sim_time next(const void *self) {
  const struct tx_tile *t = self;
  if (chip_orbit_dormant(orbit_of(t))) return SIM_NEVER;
  sim_time at = t->fault.kind ? SIM_NEVER : sim_next(&t->engine);
  return !t->timing && at <= t->engine.now ? t->engine.now + 1 : at;
}

static void wake(void *self, sim_time now) {
  chip_orbit_wake(orbit_of(self), self, now);
  tx_tile_catch_up(self, now);
}

#define PAGE 4096u

/* The whole pages of a part of the tile. */
static void map_now(struct tx_tile *t, size_t from, size_t to) {
  from = (from + PAGE - 1) / PAGE * PAGE;
  if (to / PAGE * PAGE > from) madvise((uint8_t *)t + from, to / PAGE * PAGE - from, MADV_POPULATE_WRITE);
}

/* A core that runs soon touches all pages of its state and of its decoded code: one call maps them in half the time of one fault each. */
static void map_cores(struct tx_tile *t) {
  const size_t cores = offsetof(struct tx_tile, core), known = offsetof(struct tx_tile, unsaved.cores);
  map_now(t, cores, cores + sizeof t->core);
  map_now(t, known, known + sizeof t->unsaved.cores);
}

static void use_pages(struct chip_endpoint *e) {
  if (!e->runs) map_cores(e->self);
  if (++e->runs == WINDOWS_TO_GROW) madvise(e->self, layout_of(e).bytes, MADV_COLLAPSE);
}

static enum sim_end run(void *self, sim_time until, sim_time ahead) {
  struct tx_tile *t = self;
  struct chip_endpoint *e = endpoint_of(t);
  if (e->runs < WINDOWS_TO_GROW) use_pages(e);
  return chip_orbit_run(e->orbit, t, !e->exposed, until, ahead);
}

static bool in_range(uint64_t address, size_t length) {
  return length <= UINT32_MAX && address <= UINT32_MAX && address + length <= UINT64_C(0x100000000);
}

static bool read(void *self, uint64_t address, void *bytes, size_t length) {
  return in_range(address, length) && tx_outside_read(self, (uint32_t)address, bytes, (uint32_t)length);
}

static bool write(void *self, uint64_t address, const void *bytes, size_t length) {
  chip_orbit_forget(orbit_of(self));
  return in_range(address, length) && tx_host_write(self, (uint32_t)address, bytes, (uint32_t)length);
}

static enum noc_space space(void *self, uint64_t address, size_t length) {
  const struct tx_tile *t = self;
  if (!in_range(address, length) || !tx_outside_visible_in(t, (uint32_t)address, (uint32_t)length)) return NOC_SPACE_NOTHING;
  return address + length <= t->l1_bytes ? NOC_SPACE_L1 : NOC_SPACE_REGISTERS;
}

static struct noc_niu *niu(void *self, unsigned noc) { return &((struct tx_tile *)self)->niu[noc]; }

static const struct sim_fault *fault(const void *self) {
  const struct tx_tile *t = self;
  return t->fault.kind ? &t->fault : NULL;
}

static bool blocked(const void *self) {
  return chip_orbit_dormant(orbit_of(self)) || sim_blocked(&((const struct tx_tile *)self)->engine);
}

/* Saves everything except L1 completely, and the pages of L1 that are not zero. */
#define PAGES (TX_L1_BYTES / PAGE)

static bool is_zero(const uint8_t *bytes) { return bytes[0] == 0 && memcmp(bytes, bytes + 1, PAGE - 1) == 0; }

static uint64_t key_of(const struct tx_tile *t) { return (uint64_t)endpoint_of(t)->tile << 32; }

static void save_bulk(const struct tx_tile *t, struct chip_stream *to) {
  const size_t l1 = offsetof(struct tx_tile, l1), behind = l1 + TX_L1_BYTES;
  chip_put_bulk(to, key_of(t), t, l1, NULL);
  chip_put_bulk(to, key_of(t) + 1, t->l1, TX_L1_BYTES, t->unsaved.l1_same);
  chip_put_bulk(to, key_of(t) + 2, (const uint8_t *)t + behind, offsetof(struct tx_tile, unsaved) - behind, NULL);
}

static bool restore_bulk(struct tx_tile *t, struct chip_stream *from) {
  const size_t l1 = offsetof(struct tx_tile, l1), behind = l1 + TX_L1_BYTES;
  return chip_get_bulk(from, key_of(t), t, l1, NULL) &&
         chip_get_bulk(from, key_of(t) + 1, t->l1, TX_L1_BYTES, t->unsaved.l1_same) &&
         chip_get_bulk(from, key_of(t) + 2, (uint8_t *)t + behind, offsetof(struct tx_tile, unsaved) - behind, NULL);
}

static void save(const void *self, struct chip_stream *to) {
  const struct tx_tile *t = self;
  size_t l1 = offsetof(struct tx_tile, l1), behind = l1 + TX_L1_BYTES;
  chip_put(to, t->unsaved.memo.last_tile_access, sizeof t->unsaved.memo.last_tile_access); /* reports count from it */
  if (to->bulk) {
    save_bulk(t, to);
    return;
  }
  const size_t inflight = offsetof(struct tx_tile, inflight), rest = inflight + sizeof t->inflight;
  struct tx_inflight plain;
  tx_inflight_plain(t, &plain);
  chip_put(to, t, inflight);
  chip_put(to, &plain, sizeof plain);
  chip_put(to, (const uint8_t *)t + rest, l1 - rest);
  chip_put(to, (const uint8_t *)t + behind, offsetof(struct tx_tile, unsaved) - behind);
  for (uint32_t page = 0; page < PAGES; page++) {
    const uint8_t *bytes = &t->l1[(size_t)page * PAGE];
    if (is_zero(bytes)) continue;
    chip_put(to, &page, sizeof page);
    chip_put(to, bytes, PAGE);
  }
  uint32_t end = UINT32_MAX;
  chip_put(to, &end, sizeof end);
}

static bool get_l1(struct tx_tile *t, struct chip_stream *from) {
  uint32_t page;
  memset(t->unsaved.l1_same, 0, sizeof t->unsaved.l1_same);
  for (page = 0; page < PAGES; page++)
    if (!is_zero(&t->l1[(size_t)page * PAGE])) memset(&t->l1[(size_t)page * PAGE], 0, PAGE);
  for (;;) {
    if (!chip_get(from, &page, sizeof page)) return false;
    if (page == UINT32_MAX) return true;
    if (page >= PAGES || !chip_get(from, &t->l1[(size_t)page * PAGE], PAGE)) return false;
  }
}

static bool restore(void *self, struct chip_stream *from) {
  struct tx_tile *t = self;
  size_t l1 = offsetof(struct tx_tile, l1), behind = l1 + TX_L1_BYTES;
  sim_time last_tile_access[TX_CORES];
  _Static_assert(sizeof last_tile_access == sizeof t->unsaved.memo.last_tile_access, "one per core");
  bool good = chip_get(from, last_tile_access, sizeof last_tile_access);
  chip_orbit_reset(orbit_of(t));
  if (!good) return false;
  if (from->bulk) good = restore_bulk(t, from);
  else
    good = chip_get(from, t, l1) && chip_get(from, (uint8_t *)t + behind, offsetof(struct tx_tile, unsaved) - behind) &&
           get_l1(t, from);
  tx_tile_copied(t);
  memcpy(t->unsaved.memo.last_tile_access, last_tile_access, sizeof last_tile_access);
  return good && (from->bulk || !tx_tile_wrong(t)); /* snapshots in memory are trusted */
}

static uint64_t hash(const void *self) { return tx_tile_hash(self); }

const struct chip_endpoint_ops chip_tensix_ops = {.name = "Tensix",
                                                  .create = create,
                                                  .destroy = destroy,
                                                  .reset = reset,
                                                  .take = take,
                                                  .next = next,
                                                  .run = run,
                                                  .wake = wake,
                                                  .read = read,
                                                  .write = write,
                                                  .space = space,
                                                  .niu = niu,
                                                  .fault = fault,
                                                  .blocked = blocked,
                                                  .save = save,
                                                  .restore = restore,
                                                  .hash = hash};

const struct chip_endpoint_ops chip_ethernet_ops = {.name = "Ethernet",
                                                    .create = create,
                                                    .destroy = destroy,
                                                    .reset = reset,
                                                    .take = take,
                                                    .next = next,
                                                    .run = run,
                                                    .wake = wake,
                                                    .read = read,
                                                    .write = write,
                                                    .space = space,
                                                    .niu = niu,
                                                    .fault = fault,
                                                    .blocked = blocked,
                                                    .save = save,
                                                    .restore = restore,
                                                    .hash = hash};
