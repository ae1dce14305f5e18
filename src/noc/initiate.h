/* The request initiators of an NIU: from NOC_CMD_CTRL to the packet on the network. */
#ifndef TESSERA_NOC_INITIATE_H
#define TESSERA_NOC_INITIATE_H

#include "noc/at.h"

void noc_initiate(const struct noc_at *at, unsigned i);
void noc_send_next(const struct noc_at *at);
void noc_sent(const struct noc_at *at, uint32_t what);
void noc_pump(const struct noc_at *at); /* a condition that blocked requests has ended */

#endif
