/* The services of the chip for its endpoints. */
#ifndef TESSERA_CHIP_SERVICE_H
#define TESSERA_CHIP_SERVICE_H

#include "chip/config.h"
#include "chip/endpoint.h"

const struct chip_grid *chip_grid(const struct chip *chip);
const struct chip_config *chip_config(const struct chip *chip);
const struct chip_host *chip_host(const struct chip *chip);
struct tx_code;
bool chip_timing(const struct chip *chip);
struct tx_code *chip_code(const struct chip *chip); /* decoded code of all tiles (tensix/riscv/code.h) */
sim_time chip_now(const struct chip *chip);

/* The first fault of the chip, and its tile; NULL: none. */
const struct sim_fault *chip_fault(const struct chip *chip, unsigned *tile);

/* The endpoint at a tile id, created at the first call; NULL: no such tile, or out of memory. */
struct chip_endpoint *chip_endpoint(struct chip *chip, unsigned tile);
/* The same without creating it: `self` is NULL if the endpoint was not accessed yet. */
struct chip_endpoint *chip_endpoint_peek(struct chip *chip, unsigned tile);

/* Passes a packet to the network, which owns it from then on. Sets `tile` and `sequence`. */
void chip_send(struct chip_endpoint *from, struct noc_packet *packet);
/* Is the sender one of the packet's receivers? With timing off it takes such a packet as it leaves: before the write counts as sent, and before
 * whatever the tile sends or stores later. */
bool chip_returns(const struct chip_endpoint *from, const struct noc_packet *packet);
/* Records the chip's fault. Active endpoints keep their own fault and need not call this. */
void chip_refuse(struct chip_endpoint *at, sim_time when, enum sim_fault_kind kind, const char *document, const char *why);
/* The packet caused the fault: sets its agent and pc to those of the sending core, its unit to the tile. */
void chip_blame(struct chip *chip, const struct noc_packet *packet);
/* The NIU register file of this tile as firmware leaves it. */
void chip_niu_init(const struct chip_endpoint *endpoint, unsigned noc, struct noc_niu *niu);

#endif
