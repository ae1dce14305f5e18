/* The TX queues of an Ethernet tile and its link: 0xFFB90000 + 0x1000 per queue, registers in chips/blackhole/ethernet_queue.def.
 *
 * A command is a block of L1 that is written into the other tile's L1, or one word for a register of the other tile. A queue takes
 * commands while STATUS bit 16 is clear, and sends them in order; the queues take turns on the one line. A block is cut into frames, each read
 * from L1 when it begins on the line and written to the other L1 as a whole: link_frame and its data at link_bits_per_cycle, then
 * link_latency. So a register write arrives after the block before it. A frame that begins while the link is down is lost.
 *
 * Not modelled, and refused by name: raw frames, the RX classifier, header table and MAC, resends (no frame is lost on a link that is up),
 * RX queues. inferred: how many commands a queue takes ahead is DATA_PACKET_ACCEPT_AHEAD, at least one.
 * Sources: EthernetTxRx.md of the Blackhole Ethernet tile, tt_eth_ss_regs.h; times in link_timing.def. */
#ifndef TESSERA_TENSIX_LINK_H
#define TESSERA_TENSIX_LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "tensix/state/ethernet.h"

struct tx_tile;
struct sim_effect;

void tx_link_reset(struct tx_tile *t);
/* The channel has a link. */
void tx_link_connect(struct tx_tile *t, const struct tx_eth_line *line);
/* Whether there is such a register. */
bool tx_link_has(uint32_t address);
/* Aligned words. false: no such register, or a fault was recorded. */
bool tx_link_read(const struct tx_tile *t, uint32_t address, uint32_t *value);
bool tx_link_write(struct tx_tile *t, uint32_t address, uint32_t value);
void tx_effect_LINK_FRAME(struct tx_tile *t, const struct sim_effect *e);
bool tx_link_is_up(const struct tx_tile *t);
void tx_link_note_arrival(struct tx_tile *t); /* counts a frame of the other end */
/* For a restored state. */
bool tx_link_valid(const struct tx_tile *t);

#endif
