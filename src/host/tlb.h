/* The 210 TLB windows through which the host reaches the tiles (ISA: BlackholeA0/PCIExpressTile/HostToDeviceTLBs.md).
 *
 *   windows 0..201    2 MiB each, BAR 0 from offset 0
 *   windows 202..209  4 GiB each, BAR 4 from offset 0
 *   configuration     BAR 0 from 0x1fc00000: 96 bits per window, then one word per window 0..31 that excludes parts of a rectangle
 *
 *   bits of a 2 MiB window                                   of a 4 GiB window
 *   [42:0] address >> 21     [67] NoC        [75] buddy      [31:0] address >> 32   [56] NoC      [64] buddy
 *   [48:43] x_end            [69] rectangle  [77:76] class   [37:32] x_end          [58] rect.    [66:65] class
 *   [54:49] y_end            [71:70] order                   [43:38] y_end          [60:59] order
 *   [60:55] x_start          [72] linked                     [49:44] x_start        [61] linked
 *   [66:61] y_start          [73] static VC                  [55:50] y_start        [62] static VC */
#ifndef TESSERA_HOST_TLB_H
#define TESSERA_HOST_TLB_H

#include <stdbool.h>
#include <stdint.h>

#include "chips/blackhole/host_map.h"
#include "host/port.h"

/* Bytes of configuration. */
#define HOST_TLB_CONFIG_SIZE (HOST_TLB_COUNT * 12u + HOST_TLB_STRIDED * 4u)

struct host_tlb {
  uint32_t word[HOST_TLB_COUNT][3];
  uint32_t strided[HOST_TLB_STRIDED];
};

/* Aligned words of the configuration, by their offset in it. */
uint32_t host_tlb_config_read(const struct host_tlb *tlb, uint32_t offset);
void host_tlb_config_write(struct host_tlb *tlb, uint32_t offset, uint32_t value);
/* Decodes a window; returns the address in the tile of its first byte. */
uint64_t host_tlb_decode(const struct host_tlb *tlb, unsigned window, struct host_target *target);

/* Does the strided word keep raw coordinate (x, y) of a rectangle with these raw corners? */
bool host_tlb_stride_keeps(uint32_t strided, unsigned x, unsigned y, unsigned x_start, unsigned y_start, unsigned columns,
                           unsigned rows);

#endif
