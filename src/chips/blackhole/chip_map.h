/* Addresses of memories and registers in the tiles that are neither Tensix nor Ethernet.
 * ISA: NoC/MemoryMap.md, PCIExpressTile (Blackhole); tt-zephyr-platforms and tt-umd for the ARC. */
#ifndef TESSERA_CHIPS_BLACKHOLE_CHIP_MAP_H
#define TESSERA_CHIPS_BLACKHOLE_CHIP_MAP_H

#include <stdint.h>

/* DRAM tiles: GDDR of a controller, then registers, for any value of bits 63:32. */
#define CHIP_DRAM_BYTES UINT64_C(0xFF000000)
#define CHIP_DRAM_NIU 0xFFB20000u
#define CHIP_DRAM_STREAM 0xFFB40000u
#define CHIP_DRAM_STREAMS 16u
#define CHIP_DRAM_REGISTERS 0xFFB00000u          /* and above: those of the core, NIUs and streams */
#define CHIP_DRAM_CORE_L1 UINT64_C(0x2000000000) /* the vendor's dev_mem_map.h */
#define CHIP_DRAM_CORE_L1_BYTES 0x20000u

/* NIU registers of router-only tiles: at ROUTER_NIU in the vendor's firmware and driver, at ROUTER_NIU_0 and above in the
 * page. */
#define CHIP_ROUTER_NIU 0xFF000000u
#define CHIP_ROUTER_NIU_0 0xFFB20000u
#define CHIP_ROUTER_NIU_END 0xFFB40000u

/* NIU registers of ARC, PCIe, L2CPU and security tiles. The page names NEAR_TOP, drivers use TOP. */
#define CHIP_NIU_TOP UINT64_C(0xFFFFFFFFFF000000)
#define CHIP_NIU_NEAR_TOP UINT64_C(0xFFFFFFFFFFB20000)
#define CHIP_NIU_NEAR_TOP_BYTES 0x20000u

/* The PCIe tile. */
#define CHIP_PCIE_DBI UINT64_C(0xF800000000000000)
#define CHIP_PCIE_SII UINT64_C(0xFFFFFFFFF0000000)

/* The ARC tile. */
#define CHIP_ARC_MEMORY 0x10000000u
#define CHIP_ARC_MEMORY_BYTES 0x10000u
#define CHIP_ARC_REGISTERS 0x80000000u
#define CHIP_ARC_UNIT 0x80030000u /* reset unit: scratch registers, reference clock, the doorbell */
#define CHIP_ARC_UNIT_BYTES 0x1000u

#endif
