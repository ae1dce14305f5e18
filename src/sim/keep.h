/* An address that is computed once. An element of an array in a large structure is at base + index * size + offset, and with sizes that
 * are no powers of two the compiler computes that again at each access to a member, instead of keeping the element's address. */
#ifndef TESSERA_SIM_KEEP_H
#define TESSERA_SIM_KEEP_H

/* The same address, of whose origin the compiler knows nothing: accesses to the members use it as it is. */
static inline void *sim_keep(const void *address) {
  void *kept;
  __asm__("" : "=r"(kept) : "0"(address));
  return kept;
}

#endif
