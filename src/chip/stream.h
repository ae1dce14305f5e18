/* Bytes of a saved chip: plain data, memories, packets; and their hash. */
#ifndef TESSERA_CHIP_STREAM_H
#define TESSERA_CHIP_STREAM_H

#include "chip/endpoint.h"

void chip_put(struct chip_stream *s, const void *bytes, size_t length);
bool chip_get(struct chip_stream *s, void *bytes, size_t length);
void chip_put_bulk(struct chip_stream *s, uint64_t key, const void *bytes, size_t length, const uint64_t *same);
bool chip_get_bulk(struct chip_stream *s, uint64_t key, void *bytes, size_t length, uint64_t *same);

void chip_put_packet(struct chip_stream *to, const struct noc_packet *packet);
struct noc_packet *chip_get_packet(struct chip_stream *from); /* NULL: no memory, or the bytes end */
void chip_put_packets(struct chip_stream *to, struct noc_packet *const *packets, uint32_t count);
bool chip_get_packets(struct chip_stream *from, void (*take)(void *to, struct noc_packet *packet), void *to);
/* A packet of a saved chip with `room` bytes of data: can an NIU have created it? */
bool chip_packet_valid(const struct noc_packet *packet, uint32_t room);
uint64_t chip_packet_hash(const struct noc_packet *packet);

#endif
