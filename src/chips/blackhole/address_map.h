/* Addresses of the Tensix tile's memories and registers for its cores. ISA: BabyRISCV/README.md, "Memory map" (Blackhole)
 * and the page of each block. */
#ifndef TESSERA_CHIPS_BLACKHOLE_ADDRESS_MAP_H
#define TESSERA_CHIPS_BLACKHOLE_ADDRESS_MAP_H

#include <stdint.h>

#define TX_L1_BYTES (1536u * 1024u)
#define TX_ADDR_MMIO 0xFF000000u /* ISA: NoC/MemoryMap.md: L1 is below, registers are above */
#define TX_MMIO_END (UINT64_C(1) << 32)

#define TX_LOCAL_BASE 0xFFB00000u      /* a core's own data RAM */
#define TX_LOCAL_BYTES 8192u           /* BRISC, NCRISC */
#define TX_LOCAL_BYTES_TRISC 4096u     /* T0, T1, T2 */
#define TX_ADDR_LOCAL_SLOW 0xFFB14000u /* all five data RAMs, by the slow path: BRISC, NCRISC, T0, T1, T2 */
#define TX_LOCAL_SLOW_STRIDE 0x2000u
#define TX_LOCAL_SLOW_ORDER \
  { 3, 4, 0, 1, 2 } /* the core of each 8 KiB */
#define TX_LOCAL_SLOW_BYTES (5u * TX_LOCAL_SLOW_STRIDE)

#define TX_ADDR_REGISTERS 0xFFB00000u /* base of the offsets of LOADREG, STOREREG, STOREIND and PACR_SETREG */
#define TX_ADDR_TDMA 0xFFB11000u
#define TX_TDMA_BYTES 0x1000u
/* Offsets of the TDMA-RISC registers. ISA: TDMA-RISC.md. Those of a packer repeat every PACKER bytes, its sizes every THREAD. */
enum tx_tdma_register {
  TX_TDMA_PARAMETER_0 = 0x00,
  TX_TDMA_PARAMETER_1 = 0x04,
  TX_TDMA_PARAMETER_2 = 0x08,
  TX_TDMA_PARAMETER_3 = 0x0c,
  TX_TDMA_COMMAND = 0x10,
  TX_TDMA_STATUS = 0x14,
  TX_TDMA_TILE_SIZE = 0x18,
  TX_TDMA_ACC_TILE_SIZE = 0x1c,
  TX_TDMA_ALL_ZERO_FLAGS = 0x20,
  TX_TDMA_UNPACK_REGISTER = 0x24,
  TX_TDMA_HYSTERESIS = 0x28,
  TX_TDMA_BASE = 0x2c,
  TX_TDMA_METADATA_SIZE = 0x30,
  TX_TDMA_METADATA_FLAGS = 0x34,
  TX_TDMA_PACK_REGISTER = 0x38,
  TX_TDMA_SCALERS = 0x3c,
  TX_TDMA_SCALERS_1 = 0x13c
};
#define TX_TDMA_OF_PACKER 0x3fu /* the bits of an offset that select one of a packer's registers */
#define TX_TDMA_UNPACK_WRITABLE 0xffffff7fu
#define TX_TDMA_HYSTERESIS_WRITABLE 0x01ff007fu
/* Opcodes of its commands. */
enum tx_tdma_opcode { TX_TDMA_OP_MOVE = 0x40, TX_TDMA_OP_WAIT = 0x46, TX_TDMA_OP_WRITE = 0x66, TX_TDMA_OP_NOP = 0x89 };
#define TX_ADDR_CONTROL 0xFFB12000u
#define TX_CONTROL_BYTES 0x24Cu         /* up to the last register */
#define TX_CONTROL_WINDOW_BYTES 0x1000u /* what is decoded */
#define TX_SOFT_RESET_CORES 0x47800u    /* bits of SOFT_RESET_0: BRISC 11, T0..T2 12..14, NCRISC 18 */
#define TX_ADDR_PIC 0xFFB13000u
#define TX_ADDR_PC_SNAPSHOT 0xFFB13138u /* BRISC, NCRISC, T0, T1, T2 */
#define TX_PC_SNAPSHOT_BYTES 20u
#define TX_PIC_BYTES (TX_ADDR_PC_SNAPSHOT + TX_PC_SNAPSHOT_BYTES - TX_ADDR_PIC)
#define TX_PIC_WORDS ((TX_ADDR_PC_SNAPSHOT - TX_ADDR_PIC) / 4u)
#define TX_PIC_SW_INT 6u  /* words 6..37 */
#define TX_PIC_HW_INT 38u /* words 38..41 */
#define TX_PIC_PC 42u     /* words 42..77: handlers of the 32 software and 4 hardware interrupts */
#define TX_PIC_INTERRUPTS 36u
#define TX_ADDR_NOC 0xFFB20000u /* NoC 0, then NoC 1 */
#define TX_NOC_BYTES 0x10000u
#define TX_NOC_WINDOWS_BYTES (2u * TX_NOC_BYTES)
#define TX_ADDR_STREAM 0xFFB40000u
#define TX_STREAM_BYTES 0x1000u
#define TX_STREAMS_BYTES (64u * TX_STREAM_BYTES)
#define TX_ADDR_MOP_CFG 0xFFB80000u
#define TX_MOP_CFG_BYTES 0x24u
#define TX_ADDR_DST 0xFFBD8000u
#define TX_DST_BYTES 0x8000u

#define TX_ADDR_GPR 0xFFE00000u
#define TX_GPR_BYTES 0x1000u
#define TX_ADDR_PUSH 0xFFE40000u
#define TX_PUSH_STRIDE 0x10000u /* BRISC: one window per thread */
#define TX_PUSH_BYTES (3u * TX_PUSH_STRIDE)
#define TX_ADDR_PC_BUF 0xFFE80000u
#define TX_PC_BUF_BYTES 0x30000u
#define TX_ADDR_TTSYNC (TX_ADDR_PC_BUF + 4u)
#define TX_ADDR_MOPSYNC (TX_ADDR_PC_BUF + 8u)
#define TX_ADDR_SEMAPHORE (TX_ADDR_PC_BUF + 0x20u)
#define TX_ADDR_MAILBOX 0xFFEC0000u
#define TX_MAILBOX_BYTES 0x4000u
#define TX_ADDR_CONFIG 0xFFEF0000u
#define TX_CONFIG_WINDOW_BYTES 0x10000u

/* Default start addresses of the cores, without an override: T0, T1, T2, BRISC, NCRISC. ISA: SoftReset.md */
#define TX_RESET_PCS \
  { 0x06000u, 0x0A000u, 0x0E000u, 0x00000u, 0x12000u }

/* A single tile is simulated as the first Tensix tile of the chip. ISA: NoC/Coordinates.md (Blackhole) */
#define TX_NOC_X 1u
#define TX_NOC_Y 2u

#endif
