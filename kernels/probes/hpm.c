/* Which events the HPM counters of a core count, on BRISC: mhpmevent3 := event, then the same instructions between two reads of mhpmcounter3:
 * 32 additions, 32 loads from L1, 32 stores to L1, 32 taken branches, 8 multiplications. Results: word n is the count of event n. Event 0 counts
 * nothing; the others are for a card, with PROBE_EVENTS (1 to 31; PROBE_SHIFT selects higher bits of the event register). */
#include "probe.h"

#ifndef PROBE_SHIFT
#define PROBE_SHIFT 0
#endif
#define PROBE_CSR(text) ".option push\n.option arch, +zicsr\n" text "\n.option pop"

static inline uint32_t probe_count(void) {
  uint32_t value;
  __asm__ volatile(PROBE_CSR("csrr %0, 0xb03") : "=r"(value) : : "memory");
  return value;
}

static inline uint32_t probe_event(uint32_t event, uint32_t address) {
  uint32_t sum = event;
  __asm__ volatile(PROBE_CSR("csrw 0x323, %0") : : "r"(event) : "memory");
  uint32_t start = probe_count();
  PROBE_TIMES(__asm__ volatile("addi %0, %0, 1" : "+r"(sum));)
  PROBE_TIMES((void)PROBE_WORD(address);)
  PROBE_TIMES(PROBE_WORD(address) = sum;)
  PROBE_TIMES(__asm__ volatile("beq zero, zero, 1f\n1:");)
  PROBE_FOUR(__asm__ volatile("mul %0, %0, %0\n mul %0, %0, %0" : "+r"(sum));)
  return probe_count() - start;
}

void kernel_main(void) {
#ifdef COMPILE_FOR_BRISC
  uint32_t memory = PROBE_ARG(1);
  probe_result(0, probe_event(0, memory));
#ifdef PROBE_EVENTS
  for (uint32_t event = 1; event < 32; event++) probe_result(event, probe_event(event << PROBE_SHIFT, memory));
#endif
#endif
}
