/* The two network interface units (NIU), 0xFFB20000 and 0xFFB30000: four request initiators each, configuration, counters.
 *
 * There is one tile and no network: a request whose every end is this tile is carried out (loop-back: reads, writes, inline writes,
 * atomic increment, swap and compare-and-swap on L1), anything else faults and says where it wanted to go. Data moves when the
 * request completes; its L1 ranges are listed as in flight until then. The tile sits at (1, 2) of NoC 0, the first Tensix tile of a
 * Blackhole chip, mirrored on NoC 1, with coordinate translation off.
 *
 * ISA: NoC/MemoryMap.md, Counters.md (Blackhole), Atomics.md (Wormhole; the opcode field's place is the vendor's noc_parameters.h).
 * Latency is inferred. Not modelled, and refused: linked and broadcast requests, L1 accumulation, security fences, interrupts. */
#ifndef TESSERA_TENSIX_NOC_H
#define TESSERA_TENSIX_NOC_H

#include <stdbool.h>
#include <stdint.h>

#define TX_ADDR_NOC 0xFFB20000u
#define TX_NOCS 2u
#define TX_NOC_BYTES 0x10000u
#define TX_NOC_INITIATORS 4u
#define TX_NOC_PENDING 8u
#define TX_NOC_COUNTERS 64u
#define TX_NOC_X 1u
#define TX_NOC_Y 2u

struct tx_noc_request {
  uint32_t target, ret; /* addresses in this tile */
  uint32_t length;      /* bytes, or the atomic's opcode and operands */
  uint32_t enables[2];  /* bytes written, when the request has a mask */
  uint32_t control, data, id;
  uint8_t used, part_of_more, pad[2];
  uint8_t range[2]; /* in flight */
  uint8_t pad2[2];
  uint32_t agent;
};

struct tx_noc {
  uint32_t initiator[TX_NOC_INITIATORS][16]; /* NOC_TARG_ADDR_LO .. NOC_SEC_CTRL */
  uint32_t busy[TX_NOC_INITIATORS];          /* NOC_CMD_CTRL: waits for a free place in `pending` */
  uint32_t config[32];                       /* NIU_CFG_0 .. */
  uint32_t counter[TX_NOC_COUNTERS];
  struct tx_noc_request pending[TX_NOC_PENDING];
};

struct tx_tile;
struct sim_effect;

void tx_noc_reset(struct tx_tile *t);
/* Aligned 32-bit accesses in either NIU. false: no such register (nothing recorded), or a fault was recorded. */
bool tx_noc_read(struct tx_tile *t, uint32_t address, uint32_t *value);
bool tx_noc_write(struct tx_tile *t, uint32_t address, uint32_t value);
void tx_effect_NOC_DONE(struct tx_tile *t, const struct sim_effect *e);

/* The tile as the network sees it: L1, local RAMs, control, PIC, NIU and stream registers. Registers are read and written whole (four
 * bytes, aligned); memory in any way. false: not visible there, or a fault was recorded. */
bool tx_outside_visible(uint32_t address, uint32_t length);
bool tx_outside_read(struct tx_tile *t, uint32_t address, void *bytes, uint32_t length);
bool tx_outside_write(struct tx_tile *t, uint32_t address, const void *bytes, uint32_t length);

#endif
