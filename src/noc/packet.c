/* Packets of packet.h. */
#include "noc/packet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct noc_packet *noc_packet_new(uint32_t bytes) {
  struct noc_packet *p = calloc(1, sizeof *p);
  if (!p || bytes <= NOC_FLIT_BYTES) return p;
  p->payload = malloc(sizeof *p->payload + bytes);
  if (!p->payload) {
    free(p);
    return NULL;
  }
  p->payload->users = 1;
  p->payload->length = bytes;
  return p;
}

struct noc_packet *noc_packet_share(const struct noc_packet *packet) {
  struct noc_packet *p = malloc(sizeof *p);
  if (!p) return NULL;
  *p = *packet;
  p->next = NULL;
  if (p->payload) __atomic_add_fetch(&p->payload->users, 1, __ATOMIC_RELAXED);
  return p;
}

void noc_packet_free(struct noc_packet *packet) {
  if (!packet) return;
  if (packet->payload && __atomic_sub_fetch(&packet->payload->users, 1, __ATOMIC_ACQ_REL) == 0) free(packet->payload);
  free(packet);
}

uint8_t *noc_packet_bytes(struct noc_packet *packet) { return packet->payload ? packet->payload->bytes : packet->small; }

const char *noc_kind_name(unsigned kind) {
  static const char *const names[NOC_KINDS] = {
      "read", "atomic", "write", "answer to a read", "answer to a write", "answer to an atomic"};
  return kind < NOC_KINDS ? names[kind] : "reserved request";
}

void noc_packet_words(const struct noc_packet *p, char *text, uint32_t size) {
  snprintf(text, size, "NoC %u %s%s (%u,%u) to (%u,%u) 0x%llx, other end 0x%llx, CTRL 0x%x, TAG 0x%x, %s 0x%x", p->noc,
           p->ctrl & NOC_CTRL_BROADCAST ? "broadcast " : "", noc_kind_name(p->kind), p->source.x, p->source.y, p->target.x,
           p->target.y, (unsigned long long)p->address, (unsigned long long)p->answer_address, p->ctrl, p->tag,
           p->kind == NOC_ATOMIC ? "AT_LEN_BE" : "length", p->kind == NOC_ATOMIC ? p->atomic : p->length);
}
