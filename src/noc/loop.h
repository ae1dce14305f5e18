/* Requests of a tile to itself. noc_loop_start is false if no entry is free, noc_loop_done if the request was rejected. */
#ifndef TESSERA_NOC_LOOP_H
#define TESSERA_NOC_LOOP_H

#include "noc/at.h"

bool noc_loop_start(const struct noc_at *at, const struct noc_packet *p, unsigned source_claim);
bool noc_loop_done(const struct noc_at *at, unsigned place);

#endif
