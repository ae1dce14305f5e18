/* PIC, the interrupt controller of BRISC and NCRISC, 0xFFB13000, and the pc snapshots behind it, 0xFFB13138.
 *
 * Enables and number of BRISC and NCRISC, 32 software interrupts, 4 hardware interrupts, 36 handler addresses. A software
 * interrupt is a word that whoever reads it takes away; a hardware interrupt is read-only and never raised here. Interrupts are
 * not modelled: enabling one faults. ISA: PIC.md (Blackhole). */
#ifndef TESSERA_TENSIX_PIC_H
#define TESSERA_TENSIX_PIC_H

#include <stdbool.h>
#include <stdint.h>

#define TX_ADDR_PIC 0xFFB13000u
#define TX_PIC_WORDS 78u
#define TX_PIC_SW_INT 6u                /* words 6..37 */
#define TX_PIC_HW_INT 38u               /* words 38..41 */
#define TX_ADDR_PC_SNAPSHOT 0xFFB13138u /* BRISC, NCRISC, T0, T1, T2 */

struct tx_pic {
  uint32_t word[TX_PIC_WORDS];
};

struct tx_tile;

bool tx_pic_read(struct tx_tile *t, uint32_t address, uint32_t *value); /* takes a software interrupt away */
bool tx_pic_write(struct tx_tile *t, uint32_t address, uint32_t value);

#endif
