/* PIC, the interrupt controller of BRISC and NCRISC, 0xFFB13000, and the pc snapshots behind it, 0xFFB13138.
 *
 * Registers keep what is written. Interrupts are not modelled: enabling one faults. The page does not exist for Blackhole; names are
 * the vendor's (tensix.h): software and hardware interrupt enables and number of BRISC and NCRISC, 32 software interrupt
 * registers, 4 words of hardware interrupts, 36 handler addresses. */
#ifndef TESSERA_TENSIX_PIC_H
#define TESSERA_TENSIX_PIC_H

#include <stdbool.h>
#include <stdint.h>

#define TX_ADDR_PIC 0xFFB13000u
#define TX_PIC_WORDS 78u
#define TX_ADDR_PC_SNAPSHOT 0xFFB13138u /* BRISC, NCRISC, T0, T1, T2 */

struct tx_pic {
  uint32_t word[TX_PIC_WORDS];
};

struct tx_tile;

bool tx_pic_read(struct tx_tile *t, uint32_t address, uint32_t *value);
bool tx_pic_write(struct tx_tile *t, uint32_t address, uint32_t value);

#endif
