/* Where the Tensix tile's memories and registers lie, as its cores see them.
 * ISA: BabyRISCV/README.md, "Memory map" (Blackhole) and the page of each block. */
#ifndef TESSERA_CHIPS_BLACKHOLE_ADDRESS_MAP_H
#define TESSERA_CHIPS_BLACKHOLE_ADDRESS_MAP_H

#define TX_L1_BYTES (1536u * 1024u)

#define TX_LOCAL_BASE 0xFFB00000u      /* a core's own data RAM */
#define TX_LOCAL_BYTES 8192u           /* BRISC, NCRISC */
#define TX_LOCAL_BYTES_TRISC 4096u     /* T0, T1, T2 */
#define TX_ADDR_LOCAL_SLOW 0xFFB14000u /* all five data RAMs, by the slow path: BRISC, NCRISC, T0, T1, T2 */
#define TX_LOCAL_SLOW_STRIDE 0x2000u

#define TX_ADDR_REGISTERS 0xFFB00000u /* what LOADREG, STOREREG, STOREIND and PACR_SETREG add their offset to */
#define TX_ADDR_TDMA 0xFFB11000u
#define TX_TDMA_BYTES 0x1000u
#define TX_TDMA_STATUS 0x14u /* offset */
#define TX_ADDR_CONTROL 0xFFB12000u
#define TX_CONTROL_BYTES 0x24Cu
#define TX_ADDR_PIC 0xFFB13000u
#define TX_ADDR_PC_SNAPSHOT 0xFFB13138u /* BRISC, NCRISC, T0, T1, T2 */
#define TX_ADDR_NOC 0xFFB20000u
#define TX_NOC_BYTES 0x10000u
#define TX_ADDR_STREAM 0xFFB40000u
#define TX_STREAM_BYTES 0x1000u
#define TX_ADDR_MOP_CFG 0xFFB80000u
#define TX_ADDR_DST 0xFFBD8000u
#define TX_DST_BYTES 0x8000u

#define TX_ADDR_GPR 0xFFE00000u
#define TX_ADDR_PUSH 0xFFE40000u
#define TX_ADDR_PC_BUF 0xFFE80000u
#define TX_ADDR_TTSYNC (TX_ADDR_PC_BUF + 4u)
#define TX_ADDR_MOPSYNC (TX_ADDR_PC_BUF + 8u)
#define TX_ADDR_SEMAPHORE (TX_ADDR_PC_BUF + 0x20u)
#define TX_ADDR_MAILBOX 0xFFEC0000u
#define TX_ADDR_CONFIG 0xFFEF0000u

/* The tile that is simulated alone is the first Tensix tile of the chip. ISA: NoC/Coordinates.md (Blackhole) */
#define TX_NOC_X 1u
#define TX_NOC_Y 2u

#endif
