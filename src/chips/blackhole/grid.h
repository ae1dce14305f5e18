/* The size of the chip's grid and the number of tiles of each kind; grid.def has their positions. ISA: NoC/Coordinates.md
 * (Blackhole) */
#ifndef TESSERA_CHIPS_BLACKHOLE_GRID_H
#define TESSERA_CHIPS_BLACKHOLE_GRID_H

#define NOC_GRID_X 17u /* the torus: raw coordinates of both NoCs are below this */
#define NOC_GRID_Y 12u

#define CHIP_COLUMNS 14u /* Tensix columns, and Ethernet tiles */
#define CHIP_ROWS 10u    /* Tensix tiles of a column */
#define CHIP_TENSIX_TILES (CHIP_COLUMNS * CHIP_ROWS)
#define CHIP_DRAMS 8u /* controllers */
#define CHIP_DRAM_PORTS 3u

/* Raw coordinates of NoC 0. */
#define NOC_WEST_X 0u /* the two DRAM columns, which the NIUs' DDR table can translate */
#define NOC_EAST_X 9u
#define CHIP_MIDDLE_X 8u /* ARC, L2CPU and security tiles */
#define CHIP_ETHERNET_Y 1u
#define CHIP_TENSIX_Y 2u /* the first row */

/* Translated coordinates. Firmware names twelve Ethernet tiles. */
#define CHIP_TRANSLATED_DRAM_X 17u
#define CHIP_TRANSLATED_DRAM_Y 12u
#define CHIP_TRANSLATED_PCIE_X 19u
#define CHIP_TRANSLATED_PCIE_Y 24u
#define CHIP_TRANSLATED_ETHERNET_X 20u
#define CHIP_TRANSLATED_ETHERNET_Y 25u
#define CHIP_TRANSLATED_ETHERNETS 12u
#define CHIP_TRANSLATED_L2CPU_Y 26u
#define CHIP_TRANSLATED_SECURITY_Y 30u

#define CHIP_BAD_COLUMNS_MAX 7u    /* fused-off Tensix columns that firmware's tables allow */
#define CHIP_PCIE_ENDPOINT 2u      /* index in NOC_ENDPOINT_ID of both PCIe tiles */
#define CHIP_ROUTER_BACKOFF 0xF00u /* ROUTER_CFG_0: largest exponent of the random back-off */

/* Type field of NOC_ENDPOINT_ID of a Tensix and of an Ethernet tile. ISA: NoC/MemoryMap.md */
#define NOC_ENDPOINT_TENSIX 0x0100u
#define NOC_ENDPOINT_ETHERNET 0x0200u

#endif
