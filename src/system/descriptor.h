/* A system from a cluster descriptor in UMD's format, and the descriptor of a system: the YAML that host programs read beside the library.
 *
 *   arch: N: blackhole                     the chips, numbered from 0
 *   chip_unique_ids, asic_locations: N: number
 *   ethernet_connections: - - chip: N, chan: N, - chip: N, chan: N
 *   chips_with_mmio: - N: ...              PCI devices; the device has the chip's number
 *   harvesting: N: harvest_mask, dram_harvesting_mask, eth_harvesting_mask, pcie_harvesting_mask (2: PCIe tile 0 is in use; 1: tile 1)
 *   boards: - - board_id: number, - board_type: word, - chips: - N
 *
 * Other sections are the host's and are not read: ports to chips outside the file have no link here. Of YAML only what UMD writes is read:
 * one value or one key in a line. Source: tt-umd, cluster_descriptor.cpp and tests/cluster_descriptor_examples. */
#ifndef TESSERA_SYSTEM_DESCRIPTOR_H
#define TESSERA_SYSTEM_DESCRIPTOR_H

#include "sim/text.h"
#include "system/plan.h"

/* False: `error` names the line. */
bool system_descriptor_read(struct system_plan *plan, const char *text, size_t length, char *error, size_t error_size);
void system_descriptor_write(const struct system_plan *plan, struct sim_text *to);

#endif
