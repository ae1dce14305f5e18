/* The chip's state as bytes: hash, save, restore. */
#include <stdlib.h>
#include <string.h>

#include "chip/chip.h"
#include "chip/inbox.h"
#include "chip/internal.h"
#include "chip/stream.h"
#include "sim/hash.h"
#include "tensix/tile/tile.h"

/* --- hash --- */

/* Advances dormant tiles to the chip's time, which does not change the chip's state. */
void chip_wake(const struct chip *c) {
  for (unsigned i = 0; i < c->active_count; i++) {
    struct chip_endpoint *e = (struct chip_endpoint *)&c->endpoint[c->active[i]];
    if (e->ops->wake) e->ops->wake(e->self, c->now);
    if (e->ops->next) e->next = e->ops->next(e->self);
  }
}

/* The order of packets in a heap does not affect the hash: it is not part of the state. */
uint64_t chip_hash(const struct chip *c) {
  uint64_t h = sim_hash_bytes(SIM_HASH_BASIS, &c->now, sizeof c->now);
  chip_wake(c);
  for (unsigned tile = 0; tile < CHIP_TILES; tile++) {
    const struct chip_endpoint *e = &c->endpoint[tile];
    uint64_t parts[3] = {tile, 0, 0};
    if (!e->self) continue;
    parts[1] = e->ops->hash ? e->ops->hash(e->self) : 0;
    for (uint32_t i = 0; i < e->inbox_count; i++) parts[2] += chip_packet_hash(e->inbox[i]);
    h = sim_hash_bytes(h, parts, sizeof parts);
  }
  uint64_t network = chip_network_hash(c->network);
  return sim_hash_bytes(h, &network, sizeof network);
}

/* --- save and restore --- */

#define MAGIC "TesseraC"
#define VERSION 8u

#define PRESENT ((CHIP_TILES + 63u) / 64u)

struct head {
  char magic[8];
  uint32_t version, endpoints;
  uint64_t length, checksum; /* length of the bytes after the head; the checksum covers both, with itself as 0 */
  uint64_t tile_bytes;       /* the layout of a tile depends on the version of the library */
  uint64_t present[PRESENT]; /* one bit for each endpoint */
  struct chip_harvest harvest;
  uint8_t timing, pad;
  sim_time now, last_progress;
  uint32_t fault_tile, lost_count;
  struct sim_fault fault;
};

static void put_endpoint(struct chip_stream *to, const struct chip_endpoint *e) {
  uint32_t tile = e->tile;
  chip_put(to, &tile, sizeof tile);
  chip_put(to, &e->sequence, sizeof e->sequence);
  chip_put(to, &e->received, sizeof e->received);
  chip_put(to, &e->trail, sizeof e->trail);
  chip_put_packets(to, e->inbox, e->inbox_count);
  if (e->ops->save) e->ops->save(e->self, to);
}

static void mark_present(const struct chip *c, uint64_t present[PRESENT]) {
  memset(present, 0, PRESENT * sizeof *present);
  for (unsigned i = 0; i < c->active_count; i++) present[c->active[i] / 64u] |= UINT64_C(1) << c->active[i] % 64u;
}

static bool same_endpoints(const struct chip *c, const struct head *head) {
  uint64_t present[PRESENT];
  mark_present(c, present);
  return memcmp(present, head->present, sizeof present) == 0;
}

static uint64_t checksum_of(const struct head *head, const uint8_t *rest) {
  struct head plain;
  memcpy(&plain, head, sizeof plain);
  plain.checksum = 0;
  return sim_hash_bytes(sim_hash_bytes(SIM_HASH_BASIS, (const uint8_t *)&plain, sizeof plain), rest, head->length);
}

void chip_seal(void *state, size_t length) {
  struct head head;
  if (length < sizeof head) return;
  memcpy(&head, state, sizeof head);
  if (head.length != length - sizeof head) return; /* rejected without a look at the checksum */
  head.checksum = checksum_of(&head, (const uint8_t *)state + sizeof head);
  memcpy(state, &head, sizeof head);
}

bool chip_save(const struct chip *c, struct chip_stream *to) {
  struct head head;
  memset(&head, 0, sizeof head);
  chip_wake(c);
  size_t start = to->length;
  chip_put(to, &head, sizeof head);
  for (unsigned i = 0; i < c->active_count; i++) put_endpoint(to, &c->endpoint[c->active[i]]);
  chip_network_save(c->network, to);
  chip_put(to, c->lost, sizeof c->lost); /* without payloads */
  if (to->failed) return false;
  memcpy(head.magic, MAGIC, sizeof head.magic);
  head.version = VERSION;
  head.endpoints = c->active_count;
  mark_present(c, head.present);
  head.length = to->length - start - sizeof head;
  head.tile_bytes = offsetof(struct tx_tile, unsaved);
  head.harvest = c->config.harvest;
  head.timing = c->config.timing;
  head.now = c->now;
  head.last_progress = c->last_progress;
  head.fault_tile = c->fault_tile;
  head.lost_count = c->lost_count;
  memcpy(&head.fault, &c->fault, sizeof head.fault);
  head.checksum = checksum_of(&head, to->bytes + start + sizeof head);
  memcpy(to->bytes + start, &head, sizeof head);
  return true;
}

/* NULL, or the reason why the saved chip is rejected. */
static const char *wrong_with(const struct chip *c, const struct head *head, const struct chip_stream *from) {
  const size_t rest = from->length - from->at;
  if (memcmp(head->magic, MAGIC, sizeof head->magic) != 0) return "this is not a saved chip";
  if (head->version != VERSION) return "the saved chip has another format version";
  if (head->tile_bytes != offsetof(struct tx_tile, unsaved)) return "the saved chip is of another version of the library";
  if (head->length > rest) return "the saved chip is truncated";
  if (head->length < rest && !from->bulk) return "the saved chip has bytes after its end";
  if (checksum_of(head, from->bytes + from->at) != head->checksum) return "the saved chip is damaged: its checksum is wrong";
  if (memcmp(&head->harvest, &c->config.harvest, sizeof head->harvest) != 0)
    return "the saved chip is another product: other tiles of it are fused off";
  if (head->timing != c->config.timing)
    return head->timing ? "the saved chip has timing cycle, this one timing off"
                        : "the saved chip has timing off, this one timing cycle";
  return NULL;
}

static void take_arrival(void *to, struct noc_packet *packet) { chip_inbox_put(to, packet); }

static bool get_endpoint(struct chip *c, struct chip_stream *from) {
  uint32_t tile;
  if (!chip_get(from, &tile, sizeof tile)) return false;
  struct chip_endpoint *e = chip_endpoint(c, tile);
  if (!e || !chip_get(from, &e->sequence, sizeof e->sequence) || !chip_get(from, &e->received, sizeof e->received) ||
      !chip_get(from, &e->trail, sizeof e->trail) || !chip_get_packets(from, take_arrival, e))
    return false;
  for (uint32_t i = 0; i < e->inbox_count; i++)
    if (e->inbox[i]->noc == NOC_LINK && e->slot->kind != CHIP_ETHERNET) return false;
  for (unsigned noc = 0; noc < NOC_NOCS; noc++) {
    e->trail.broadcast[noc].payload = e->trail.other[noc].payload = NULL;
    e->trail.broadcast[noc].next = e->trail.other[noc].next = NULL;
  }
  if (e->ops->restore && !e->ops->restore(e->self, from)) return false;
  e->next = e->ops->next ? e->ops->next(e->self) : SIM_NEVER;
  return true;
}

/* Packets without a receiver: kept for the report only, without payloads. */
static bool get_lost(struct chip *c, struct chip_stream *from) {
  if (!chip_get(from, c->lost, sizeof c->lost)) return false;
  for (unsigned i = 0; i < CHIP_LOST_MAX; i++) {
    if (i < c->lost_count && !chip_packet_valid(&c->lost[i], NOC_PACKET_BYTES)) return false;
    c->lost[i].payload = NULL;
    c->lost[i].next = NULL;
  }
  return true;
}

static bool head_valid(const struct head *head) {
  const struct sim_fault *f = &head->fault;
  unsigned present = 0;
  for (unsigned i = 0; i < PRESENT; i++) present += (unsigned)__builtin_popcountll(head->present[i]);
  return present == head->endpoints && head->now < UINT64_C(1) << 60 && head->last_progress <= head->now &&
         f->kind <= SIM_FAULT_HAZARD && memchr(f->why, 0, sizeof f->why) && memchr(f->document, 0, sizeof f->document) &&
         (!f->kind || head->fault_tile < CHIP_TILES);
}

/* All events up to the chip's time have happened, unless a fault has stopped the chip. */
static bool times_valid(const struct chip *c) {
  if (chip_fault(c, NULL)) return true;
  for (unsigned i = 0; i < c->active_count; i++)
    if (c->endpoint[c->active[i]].next <= c->now) return false;
  return true;
}

static bool get_all(struct chip *c, const struct head *head, struct chip_stream *from) {
  for (uint32_t i = 0; i < head->endpoints; i++)
    if (!get_endpoint(c, from)) return false;
  if (!from->bulk && !times_valid(c)) return false; /* snapshots in memory are trusted */
  return chip_network_restore(c->network, from) && get_lost(c, from) && (from->bulk || from->at == from->length);
}

const char *chip_restore(struct chip *c, struct chip_stream *from) {
  struct head head;
  if (!chip_get(from, &head, sizeof head)) return "the saved chip is shorter than its header";
  const char *why = wrong_with(c, &head, from);
  if (why) return why;
  if (!head_valid(&head)) return "the saved chip is damaged: a value of its header is out of range";
  if (from->bulk && same_endpoints(c, &head)) chip_clear_packets(c); /* memory is overwritten in place */
  else chip_clear(c);
  c->now = head.now;
  c->last_progress = head.last_progress;
  c->fault = head.fault;
  c->fault_tile = head.fault_tile;
  c->lost_count = head.lost_count;
  if (get_all(c, &head, from)) return NULL;
  chip_clear(c);
  return "the saved chip is damaged: a value is out of range; or there is no memory for it";
}
