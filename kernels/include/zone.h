/* Zones: DeviceZoneScopedN("name") names the cycles from here to the end of the block in traces, in reports and for --from.
 *
 * Both marks are slti with x0 as its destination: an instruction without effect, which RISC-V reserves for such hints. Tessera reads the
 * address of the name from its source register. */
#ifndef TENSIX_ZONE_H
#define TENSIX_ZONE_H

static inline __attribute__((always_inline)) const char *zone_begin(const char *name) {
  __asm__ volatile("slti zero, %0, 1" : : "r"(name) : "memory");
  return name;
}

static inline __attribute__((always_inline)) void zone_end(const char **name) {
  __asm__ volatile("slti zero, %0, 2" : : "r"(*name) : "memory");
}

#define ZONE_JOIN_(a, b) a##b
#define ZONE_NAME_(number) ZONE_JOIN_(zone_here_, number)
#define DeviceZoneScopedN(name) \
  const char *ZONE_NAME_(__LINE__) __attribute__((cleanup(zone_end), unused)) = zone_begin(name)
#define DeviceZoneScopedMainN(name) DeviceZoneScopedN(name)
#define DeviceZoneScopedSumN1(name) DeviceZoneScopedN(name)
#define DeviceZoneScopedSumN2(name) DeviceZoneScopedN(name)

#endif
