/* The chip as a PCIe device: identity, BARs, and the registers in BAR 0. ISA: PCIExpressTile/HostToDeviceTLBs.md
 * (Blackhole) */
#ifndef TESSERA_CHIPS_BLACKHOLE_HOST_MAP_H
#define TESSERA_CHIPS_BLACKHOLE_HOST_MAP_H

#define HOST_PCI_VENDOR 0x1e52u
#define HOST_PCI_DEVICE 0xb140u

#define HOST_BAR0_BYTES (512ull << 20)
#define HOST_BAR2_BYTES (1ull << 20)
#define HOST_BAR4_BYTES (32ull << 30)

/* Windows: BAR 0 has the small ones, BAR 4 the large ones. */
#define HOST_TLB_SMALL 202u
#define HOST_TLB_COUNT 210u
#define HOST_TLB_STRIDED 32u
#define HOST_TLB_SMALL_SHIFT 21u
#define HOST_TLB_LARGE_SHIFT 32u

#define HOST_BAR0_TLB_CONFIG 0x1fc00000u
#define HOST_BAR0_NIU_0 0x1fd04000u
#define HOST_BAR0_NIU_1 0x1fd14000u
#define HOST_BAR0_NIU_BYTES 0x2000u
/* The ARC's registers, which its tile has on the NoC at CHIP_ARC_REGISTERS. Only behind the second PCIe tile: tt-umd, get_pcie_x_coordinate. */
#define HOST_BAR0_ARC 0x1ff00000u
#define HOST_BAR0_ARC_BYTES 0x100000u

/* BAR 2: the PCIe controller's outbound address translation unit (Synopsys DesignWare, unrolled registers). */
#define HOST_IATU_BASE 0x1000u
#define HOST_IATU_REGIONS 16u
#define HOST_IATU_STRIDE 0x200u
#define HOST_IATU_SIZE (HOST_IATU_REGIONS * HOST_IATU_STRIDE)
#define HOST_IATU_WORDS 9u

#endif
