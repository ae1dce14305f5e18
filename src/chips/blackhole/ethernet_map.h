/* Addresses of the memories, the registers and the words of base firmware in an Ethernet tile. All others are as in a
 * Tensix tile (address_map.h). Sources: the vendor's dev_mem_map.h and eth_fw_api.h (Blackhole). */
#ifndef TESSERA_CHIPS_BLACKHOLE_ETHERNET_MAP_H
#define TESSERA_CHIPS_BLACKHOLE_ETHERNET_MAP_H

#define TX_ETH_L1_BYTES (512u * 1024u)
#define TX_ETH_STREAMS 32u
#define TX_ADDR_ETH_CORES 0xFFB14000u /* reset addresses at 0 and 8, interrupt modes at 0x20.. */
#define TX_ETH_CORE_BYTES 0x40u
#define TX_ADDR_ETH_LINK 0xFFB90000u /* TX queues; RX queues 0xFFB94000, control 0xFFB98000 */
#define TX_ETH_LINK_BYTES 0x9000u
#define TX_ADDR_ETH_CONTROL 0xFFB98000u
#define TX_ADDR_ETH_PCS_STATUS 0xFFB9800Cu
#define TX_ETH_QUEUES 3u
#define TX_ETH_QUEUE_BYTES 0x1000u
#define TX_ETH_QUEUE_WORDS 36u   /* registers of ethernet_queue.def */
#define TX_ETH_REGISTER_QUEUE 2u /* from this queue on there are no register writes */
#define TX_ETH_STATUS_BUSY (1u << 16)
#define TX_ETH_CTRL_BITS 9u /* resending, no drop notification */
#define TX_ETH_COMMAND_RAW 1u
#define TX_ETH_COMMAND_DATA 2u
#define TX_ETH_COMMAND_REGISTER 4u
#define TX_ETH_FRAME_BYTES 1500u     /* MAX_PKT_SIZE after reset */
#define TX_ETH_COUNTED_WORD 96u      /* bytes of WORD_CNT's words */
#define TX_ETH_BURST 8u              /* BURST_LEN after reset */
#define TX_ETH_REACHABLE 0xFFB12000u /* register writes of a link reach registers from here on */
#define TX_ETH_SOFT_RESET_0 0x0800u  /* ERISC0 */
#define TX_ETH_SOFT_RESET_1 0x1000u  /* ERISC1 */
#define TX_ETH_SOFT_RESET (TX_ETH_SOFT_RESET_0 | TX_ETH_SOFT_RESET_1)

/* Base firmware: words in the top 64 KiB of L1. */
#define TX_ETH_POST_CODE 0x7CC00u
#define TX_ETH_POST_CODE_PASS 0xC0DEA000u
#define TX_ETH_PORT_STATUS 0x7CC04u
#define TX_ETH_PORT_UP 1u
#define TX_ETH_PORT_DOWN 2u
#define TX_ETH_TRAIN_STATUS 0x7CC08u
#define TX_ETH_TRAIN_PASS 2u
#define TX_ETH_HEARTBEAT 0x7CC70u
#define TX_ETH_LINK_UP 0x7CE04u
#define TX_ETH_RETURN_AT 0x7CEF0u
#define TX_ETH_FUNCTIONS 0x7CF00u
#define TX_ETH_VERSION 0x7CFBCu
#define TX_ETH_VERSION_WORD 0x00010600u /* 1.6.0: patch, minor, major from the low byte up */
#define TX_ETH_LOCAL 0x7CFC0u           /* who this end of the link is; 32 bytes */
#define TX_ETH_PEER 0x7CFE0u            /* the same of the other end */
#define TX_ETH_END_PLACE 0u             /* bytes: board's type, location, channel, logical channel */
#define TX_ETH_END_BOARD 4u             /* id, high and low word */
#define TX_ETH_END_ASIC 20u             /* likewise */
#define TX_ETH_MAILBOXES 0x7D000u
#define TX_ETH_MAILBOX_COUNT 4u
#define TX_ETH_MAILBOX_BYTES 16u
#define TX_ETH_CALL 0xCA110000u
#define TX_ETH_DONE 0xD0E50000u

#endif
