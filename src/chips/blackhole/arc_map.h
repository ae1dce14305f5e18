/* The management firmware's interface in the ARC tile: offsets in its memory (CHIP_ARC_MEMORY) and in its reset unit (CHIP_ARC_UNIT),
 * message codes and clocks. Sources: tt-zephyr-platforms (telemetry.h, msgqueue.c), tt-umd's Blackhole ARC code. */
#ifndef TESSERA_CHIPS_BLACKHOLE_ARC_MAP_H
#define TESSERA_CHIPS_BLACKHOLE_ARC_MAP_H

#define ARC_TABLE 0x100u
#define ARC_VALUES 0x300u
#define ARC_CONTROL_BLOCK 0x500u
#define ARC_QUEUES_AT 0x600u
#define ARC_QUEUES 4u
#define ARC_QUEUE_ENTRIES 8u
#define ARC_QUEUE_HEADER 32u
#define ARC_MESSAGE_BYTES 32u
#define ARC_QUEUE_BYTES (ARC_QUEUE_HEADER + 2 * ARC_QUEUE_ENTRIES * ARC_MESSAGE_BYTES)

#define ARC_SCRATCH_RAM 0x400u
#define ARC_BOOT_STATUS_READY 5u /* booted, ready for messages */
#define ARC_MISC_CNTL 0x100u
#define ARC_MISC_CNTL_DOORBELL (1u << 16)
#define ARC_REFERENCE_CLOCK 0xE0u
#define ARC_AICLK_PER_REFERENCE 27u /* 1350 MHz over 50 MHz */

#define ARC_AICLK_BUSY 1350u
#define ARC_AICLK_IDLE 800u
#define ARC_HEARTBEAT_SHIFT 17u /* about 100 us */
#define ARC_TABLE_VERSION 0x100u

enum arc_message {
  ARC_MSG_POWER_SETTING = 0x21,
  ARC_MSG_GET_AICLK = 0x34,
  ARC_MSG_GO_BUSY = 0x52,
  ARC_MSG_GO_SHORT_IDLE = 0x53,
  ARC_MSG_GO_LONG_IDLE = 0x54,
  ARC_MSG_TEST = 0x90,
  ARC_MSG_DEASSERT_RISCV_RESET = 0xBA
};
#define ARC_STATUS_UNKNOWN 0xFFu

/* Board types: bits 36 and up of the board id. */
#define ARC_BOARD_SHIFT 36u
#define ARC_BOARD_P100 0x36u
#define ARC_BOARD_P150 0x40u
#define ARC_BOARD_P150_LAST 0x42u
#define ARC_BOARD_P300 0x44u
#define ARC_BOARD_P300_LAST 0x46u
#define ARC_BOARD_GALAXY 0x47u

#endif
