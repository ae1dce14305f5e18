/* The outbound address translation unit of the PCIe controller: maps the addresses of the NoC's accesses to the PCIe tile to addresses of
 * the host's memory. A Synopsys DesignWare unit in its unrolled register layout; region r is at BAR 2 offset HOST_IATU_BASE + HOST_IATU_STRIDE r.
 *
 *   +0x00 control 1 (13: the upper limit is used)  +0x0c base high     +0x18 target high
 *   +0x04 control 2 (31: region enabled)           +0x10 limit low     +0x1c control 3
 *   +0x08 base low                                 +0x14 target low    +0x20 limit high
 *
 * Regions are aligned to 4 KiB. The lowest region that contains an address wins; an address in no region passes unchanged. The inbound
 * half of each region (+0x100) stores written values and maps nothing: the BARs are fixed. */
#ifndef TESSERA_HOST_IATU_H
#define TESSERA_HOST_IATU_H

#include <stdbool.h>
#include <stdint.h>

#include "chips/blackhole/host_map.h"

struct host_iatu {
  uint32_t outbound[HOST_IATU_REGIONS][HOST_IATU_WORDS];
  uint32_t inbound[HOST_IATU_REGIONS][HOST_IATU_WORDS];
};

/* Aligned words by their offset from HOST_IATU_BASE. False: there is no register. */
bool host_iatu_read(const struct host_iatu *iatu, uint32_t offset, uint32_t *value);
bool host_iatu_write(struct host_iatu *iatu, uint32_t offset, uint32_t value);
/* The host address of `address`; *length is reduced to the bytes with the same translation. */
uint64_t host_iatu_translate(const struct host_iatu *iatu, uint64_t address, uint64_t *length);

#endif
