/* The response side of an NIU. noc_check_ends and noc_do_write are false if the request was rejected; `data`: the bytes of
 * a write. */
#ifndef TESSERA_NOC_RESPOND_H
#define TESSERA_NOC_RESPOND_H

#include "noc/at.h"

bool noc_check_ends(const struct noc_at *at, const struct noc_packet *p, uint64_t other);
bool noc_do_write(const struct noc_at *at, const struct noc_packet *p, const uint8_t *data);
void noc_take(const struct noc_at *at, const struct noc_packet *p); /* a packet's last flit has arrived */
void noc_count_request(const struct noc_at *at, const struct noc_packet *p);
void noc_count_answer(const struct noc_at *at, const struct noc_packet *p);
void noc_count_completed(const struct noc_at *at, const struct noc_packet *p);

#endif
