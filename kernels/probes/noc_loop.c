/* Writes of a tile to itself through NoC 0, on BRISC. Results, cycles from the request until its acknowledge, the second time:
 *   0 of 64 bytes   1 of 1024   2 of 8192
 * With PROBE_NARROW NCRISC stores bytes elsewhere meanwhile, until BRISC sets a flag: the delay that narrow writes add to an NIU at the banks of L1
 * (docs/evidence/time.md). */
#include "probe.h"
#if !PROBE_DATA_MOVEMENT
#elif __has_include("tensix_io.h")
#define NOC_SETUP_IN_KERNEL
#include "noc.h"
#define PROBE_SELF(address) get_noc_addr(noc_own_xy & 63u, noc_own_xy >> 6, address)
#else
#define PROBE_SELF(address) get_noc_addr(address)
#endif

void kernel_main(void) {
#ifdef COMPILE_FOR_BRISC
#if __has_include("tensix_io.h")
  noc_setup();
#endif
  uint32_t from = PROBE_ARG(1), size = 64;
  for (uint32_t i = 0; i < 3; i++) {
    for (uint32_t again = 0; again < 2; again++) {
      uint32_t start = probe_clock();
      noc_async_write(from, PROBE_SELF(from + 16384), size);
      noc_async_write_barrier();
      probe_result(i, probe_clock() - start);
    }
    size = i ? 8192 : 1024;
  }
  PROBE_WORD(PROBE_ARG(0) + 4 * 63) = 1;
#endif
#if defined(COMPILE_FOR_NCRISC) && defined(PROBE_NARROW)
  uint32_t results = PROBE_ARG(0), at = results + 4 * 56;
  while (!PROBE_WORD(results + 4 * 63)) { /* one line after the other: stores to one line would merge */
    PROBE_FOUR(*(volatile uint8_t *)at = 1; at ^= 16u;)
  }
#endif
}
