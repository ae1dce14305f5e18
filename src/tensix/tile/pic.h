/* PIC, the interrupt controller of BRISC and NCRISC, 0xFFB13000, and the pc snapshots behind it, 0xFFB13138.
 *
 * Enables and number of BRISC and NCRISC, 32 software interrupts, 4 hardware interrupts, 36 handler addresses. A software
 * interrupt is a word that a read clears; a hardware interrupt is read-only: the NIUs raise theirs (1 and 2), the overlay's
 * and the watchdog's are not modelled, and enabling them faults. riscv/interrupt.h implements the core's side. ISA: PIC.md
 * (Blackhole). */
#ifndef TESSERA_TENSIX_PIC_H
#define TESSERA_TENSIX_PIC_H

#include <stdbool.h>
#include <stdint.h>

#include "tensix/state/pic.h"

struct tx_tile;

bool tx_pic_read(struct tx_tile *t, uint32_t address, uint32_t *value); /* a read clears a software interrupt */
bool tx_pic_write(struct tx_tile *t, uint32_t address, uint32_t value);

#endif
