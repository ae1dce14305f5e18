/* The PCI configuration space of the chip: a type 0 header with identity, command register and three 64-bit memory BARs.
 *
 *   BAR 0  512 MiB  TLB windows of 2 MiB, their configuration, NIU registers
 *   BAR 2    1 MiB  address translation unit (iATU)
 *   BAR 4   32 GiB  TLB windows of 4 GiB
 *
 * The sizes are those of the hardware (ISA: PCIExpressTile/HostToDeviceTLBs.md). The bases are arbitrary; a host may move
 * the BARs by writing them, and reads their sizes after writing all ones. Capabilities, interrupts and the expansion ROM
 * are not modelled: they read 0. */
#ifndef TESSERA_HOST_PCI_CONFIG_H
#define TESSERA_HOST_PCI_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#define HOST_BARS 3u /* BAR 0, 2 and 4 */

struct host_pci_config {
  uint64_t bar[HOST_BARS]; /* base addresses */
  uint32_t device;         /* bus << 8 | device << 3 | function */
  uint16_t command;
  uint8_t cache_line, interrupt_line;
};

/* Device `number` of bus 0, with BARs of its own 64 GiB: its host memory and those of the others begin at the same distance. */
void host_pci_config_init(struct host_pci_config *config, unsigned number);
/* Aligned words. `device` is bus << 8 | device << 3 | function; one that is not this reads as all ones. */
uint32_t host_pci_config_read(const struct host_pci_config *config, uint32_t device, uint32_t offset);
void host_pci_config_write(struct host_pci_config *config, uint32_t device, uint32_t offset, uint32_t value);
/* The BAR (0, 1 or 2 for BAR 0, 2, 4) that contains `address`, and the offset in it. -1: none. */
int host_pci_find_bar(const struct host_pci_config *config, uint64_t address, uint64_t *offset);

#endif
