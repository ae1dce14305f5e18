/* Circular buffers whose consumer waits page by page, in a what-if rerun (state/what_if.h): the core's wait for several pages ends with the
 * first, and unpackers, NoC requests and loads of the core wait for the page that they read. */
#ifndef TESSERA_TENSIX_MEM_PAGED_H
#define TESSERA_TENSIX_MEM_PAGED_H

#include <stdbool.h>
#include <stdint.h>

struct tx_tile;

/* The count of received pages that the core reads instead, once the first page is there. */
uint32_t tx_paged_count(struct tx_tile *t, unsigned agent, unsigned stream, uint32_t received);
/* Is the page at this address of L1 there, or the address of no such buffer? */
bool tx_paged_there(const struct tx_tile *t, uint32_t address);

#endif
