/* The Ethernet tile: a tile with two cores (ERISC0 in the role of BRISC, ERISC1 in that of NCRISC), 512 KiB of L1, 32 streams, two NIUs
 * and no coprocessor. Its TX queues are in link.h; other registers of the Ethernet controller are rejected by name.
 *
 * The base firmware that runs beside a program is not simulated; its interface to programs and hosts is: its words in the top 64 KiB
 * of L1, a heartbeat, and its mailboxes.
 *
 *   0x7CC00 post code   0x7CC04 port status (1: up, 2: down)   0x7CC08 train status   0x7CC70 heartbeat   0x7CE04 link is up
 *   0x7CF00 table of functions   0x7CFBC version   0x7CFC0, 0x7CFE0 this end and the other end of the link
 *   0x7D000 + 16 i mailbox i: message, three arguments
 *
 * On a tile with a link ERISC0 runs base firmware: it is not in reset and executes nothing of a program until mailbox message 2 gives it
 * an address, or a program takes it through reset. Without a link both cores are in reset.
 *
 * Sources: the vendor's dev_mem_map.h and eth_fw_api.h (Blackhole); names of registers as there. */
#ifndef TESSERA_TENSIX_ETHERNET_H
#define TESSERA_TENSIX_ETHERNET_H

#include <stdbool.h>
#include <stdint.h>

#include "tensix/state/ethernet.h"

#define TX_ETH_ABSENT "of the Ethernet controller only the TX queues and PCS_STATUS are simulated"

struct tx_tile;
struct sim_effect;

/* One end of a link, as base firmware reports it. */
struct tx_ethernet_end {
  uint64_t board, asic;
  uint8_t location, channel;
};

/* Turns a tile that has just been reset into an Ethernet tile, as base firmware leaves it: without a link. */
void tx_ethernet_reset(struct tx_tile *t);
/* The same with a link. */
void tx_ethernet_link(struct tx_tile *t, const struct tx_ethernet_end *own, const struct tx_ethernet_end *peer,
                      const struct tx_eth_line *line);
uint32_t tx_ethernet_reset_pc(const struct tx_tile *t, unsigned core);
bool tx_ethernet_register_read(const struct tx_tile *t, uint32_t address, uint32_t *value);
bool tx_ethernet_register_write(struct tx_tile *t, uint32_t address, uint32_t value);
/* Base firmware sees the link go down. */
void tx_effect_LINK_DOWN(struct tx_tile *t, const struct sim_effect *e);
/* L1 was written: the base firmware responds to its mailboxes. */
void tx_ethernet_written(struct tx_tile *t, uint32_t address, uint32_t length);
/* L1 is about to be read from outside: updates the heartbeat. */
void tx_ethernet_reading(struct tx_tile *t, uint32_t address, uint32_t length);

#endif
