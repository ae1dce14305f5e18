/* Bytes of a saved chip: plain data, memories, packets; and their hash (stream.h). */
#include "chip/stream.h"
#include "sim/hash.h"

#include <stdlib.h>
#include <string.h>

void chip_put(struct chip_stream *s, const void *bytes, size_t length) {
  if (s->failed) return;
  if (s->length + length > s->capacity) {
    size_t wanted = 2 * s->capacity > s->length + length ? 2 * s->capacity : s->length + length + 4096;
    uint8_t *moved = realloc(s->bytes, wanted);
    if (!moved) {
      s->failed = true;
      return;
    }
    s->bytes = moved;
    s->capacity = wanted;
  }
  memcpy(s->bytes + s->length, bytes, length);
  s->length += length;
}

bool chip_get(struct chip_stream *s, void *bytes, size_t length) {
  if (s->failed || length > s->length - s->at) {
    s->failed = true;
    return false;
  }
  memcpy(bytes, s->bytes + s->at, length);
  s->at += length;
  return true;
}

void chip_put_bulk(struct chip_stream *s, uint64_t key, const void *bytes, size_t length, const uint64_t *same) {
  if (s->bulk) s->bulk(s->context, key, (void *)(uintptr_t)bytes, length, (uint64_t *)(uintptr_t)same);
  else chip_put(s, bytes, length);
}

bool chip_get_bulk(struct chip_stream *s, uint64_t key, void *bytes, size_t length, uint64_t *same) {
  if (!s->bulk) return chip_get(s, bytes, length);
  s->bulk(s->context, key, bytes, length, same);
  return true;
}

void chip_put_packet(struct chip_stream *to, const struct noc_packet *p) {
  uint32_t length = p->payload ? p->payload->length : 0;
  chip_put(to, p, offsetof(struct noc_packet, payload));
  chip_put(to, &length, sizeof length);
  if (length) chip_put(to, p->payload->bytes, length);
}

static bool in_grid(struct noc_place place) { return place.x < CHIP_GRID_X && place.y < CHIP_GRID_Y; }

bool chip_packet_valid(const struct noc_packet *p, uint32_t room) {
  bool has_data = p->kind != NOC_READ && p->kind != NOC_WRITE_ANSWER;
  if (p->kind >= NOC_KINDS || p->noc > NOC_LINK || (p->noc == NOC_LINK && p->kind != NOC_WRITE) || p->initiator > 3 ||
      p->vc > 15 || p->leg > 4 || p->tile >= CHIP_TILES)
    return false;
  if (p->length > NOC_PACKET_BYTES || (has_data && p->length > room)) return false;
  return (p->answer.x | p->answer.y | p->start.x | p->start.y) <= 63;
}

static struct noc_packet *get_packet(struct chip_stream *from) {
  struct noc_packet plain;
  uint32_t length;
  if (!chip_get(from, &plain, offsetof(struct noc_packet, payload)) || !chip_get(from, &length, sizeof length) ||
      length > NOC_PACKET_BYTES || !chip_packet_valid(&plain, length ? length : NOC_FLIT_BYTES) || !in_grid(plain.source) ||
      !in_grid(plain.target))
    return NULL;
  struct noc_packet *p = noc_packet_new(length);
  if (!p) return NULL;
  memcpy(p, &plain, offsetof(struct noc_packet, payload));
  if (length && !(p->payload && chip_get(from, p->payload->bytes, length))) {
    noc_packet_free(p);
    return NULL;
  }
  return p;
}

struct noc_packet *chip_get_packet(struct chip_stream *from) {
  struct noc_packet *p = get_packet(from);
  if (!p || p->noc != NOC_LINK) return p;
  noc_packet_free(p);
  return NULL;
}

void chip_put_packets(struct chip_stream *to, struct noc_packet *const *packets, uint32_t count) {
  chip_put(to, &count, sizeof count);
  for (uint32_t i = 0; i < count; i++) chip_put_packet(to, packets[i]);
}

bool chip_get_packets(struct chip_stream *from, void (*take)(void *to, struct noc_packet *packet), void *to) {
  uint32_t count;
  if (!chip_get(from, &count, sizeof count)) return false;
  for (uint32_t i = 0; i < count; i++) {
    struct noc_packet *p = get_packet(from);
    if (!p) return false;
    take(to, p);
  }
  return true;
}

uint64_t chip_packet_hash(const struct noc_packet *p) {
  uint64_t h = sim_hash_bytes(SIM_HASH_BASIS, p, offsetof(struct noc_packet, payload));
  return p->payload ? sim_hash_bytes(h, p->payload->bytes, p->payload->length) : h;
}
