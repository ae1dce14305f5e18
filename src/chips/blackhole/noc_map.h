/* Registers of a network interface unit (NIU) and of the NoC overlay's streams. ISA: NoC/MemoryMap.md, Counters.md,
 * Coordinates.md (Blackhole); noc_overlay_parameters.h (Blackhole) for the streams. */
#ifndef TESSERA_CHIPS_BLACKHOLE_NOC_MAP_H
#define TESSERA_CHIPS_BLACKHOLE_NOC_MAP_H

#define NOC_INITIATOR_STRIDE 0x800u
#define NOC_NIU_BYTES 0x10000u

/* Offsets of registers. */
enum noc_register {
  NOC_REG_CMD_CTRL = 0x40, /* +0x800 per initiator */
  NOC_REG_NODE_ID = 0x44,
  NOC_REG_ENDPOINT_ID = 0x48,
  NOC_REG_ERRORS = 0x50, /* parity, 1-bit and 2-bit header errors, ECC control */
  NOC_REG_ERRORS_END = 0x60,
  NOC_REG_CLEAR_OUTSTANDING = 0x60,
  NOC_REG_BUF_AVAIL = 0x64,
  NOC_REG_BUF_OVERFLOW = 0x68,
  NOC_REG_CONFIG = 0x100,
  NOC_REG_COUNTERS = 0x200,
  NOC_REG_ROUTER_DEBUG = 0x300,
  NOC_REG_RTZ_NUM = 0x378,
  NOC_REG_RTZ_SOURCE = 0x37c,
  NOC_REG_SECURITY = 0x400, /* to 0x4A8 */
  NOC_REG_SECURITY_END = 0x4ac,
  NOC_REG_FLITS = 0x500, /* router ports X and Y, 16 VCs x 64 bit each */
  NOC_REG_FLITS_END = 0x600,
};

/* Words of the configuration. */
enum noc_config {
  NOC_CFG_NIU_0 = 0,
  NOC_CFG_ROUTER_0 = 1,
  NOC_CFG_OPT_OUT_X = 2, /* ROUTER_CFG_1: bit x */
  NOC_CFG_OPT_OUT_Y = 4, /* ROUTER_CFG_3: bit y */
  NOC_CFG_X_TABLE = 6,
  NOC_CFG_Y_TABLE = 12,
  NOC_CFG_ID_LOGICAL = 18,
  NOC_CFG_COLUMN_MASK = 20,
  NOC_CFG_ROW_MASK = 21,
  NOC_CFG_DDR_TABLE = 22,
  NOC_CFG_DDR_SWAP = 28,
  NOC_CFG_RTZ = 30,
  NOC_CFG_RTZ_CLEAR = 31,
};
enum {
  NOC_NIU_CFG_CLOCK_OFF = 1u << 12,
  NOC_NIU_CFG_NO_HEADER_STORE = 1u << 13,
  NOC_NIU_CFG_TRANSLATE = 1u << 14,
  NOC_NIU_CFG_AXI = 1u << 15,
  NOC_NIU_CFG_FIFO = 1u << 16,
};

/* The tables of the configuration hold six entries of five bits per word. */
#define NOC_BEYOND_TABLES (1u << 5 | 1u << 11) /* of a HI register: x or y is above 31, the tables' last entry */
#define NOC_ENTRIES_PER_WORD 6u
#define NOC_ENTRY_BITS 5u
#define NOC_DDR_COLUMNS_BIT 10u /* in the DDR table's last word, which holds two entries */

/* Streams: indices of registers. streams.def has the stored ones. */
#define NOC_STREAM_BYTES 0x1000u
#define NOC_STREAM_SPACE_UPDATE \
  270u /* STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE_UPDATE: [5:0] destination, [22:6] how much more */
#define NOC_STREAM_MSG_DATA_CLEAR 266u
#define NOC_STREAM_SPACE 297u /* STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE, one register per destination */
#define NOC_STREAM_SPACES 32u
#define NOC_STREAM_SPACE_MASK 0x1ffffu

#endif
