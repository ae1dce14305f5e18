/* Counting semaphores as both machines use them: a small counter, a maximum, and a rule for each end of the range.
 *
 *   Tensix   width 4, on_full saturate, on_zero saturate, point to point; waiting is separate from counting (SEMWAIT)
 *   Ascend   width 4, on_full error, on_zero block; A5 point to point, A2/A3 broadcast (Cube to both Vectors) and reduce-min
 *            (both Vectors to Cube: a credit exists once every source has given one) */
#ifndef TESSERA_SIM_CSEM_H
#define TESSERA_SIM_CSEM_H

#include <stdbool.h>
#include <stdint.h>

#define SIM_CSEM_SOURCES_MAX 4u

enum sim_csem_on_full { SIM_FULL_SATURATE, SIM_FULL_ERROR, SIM_FULL_BLOCK };
enum sim_csem_on_zero { SIM_ZERO_SATURATE, SIM_ZERO_BLOCK };
enum sim_csem_fan { SIM_FAN_P2P, SIM_FAN_BROADCAST, SIM_FAN_REDUCE_MIN };
enum sim_csem_result {
  SIM_CSEM_OK,
  SIM_CSEM_SATURATED, /* unchanged: the counter was already at its limit */
  SIM_CSEM_OVERFLOW,  /* error: more than the counter can hold */
  SIM_CSEM_WOULD_BLOCK,
};

struct sim_csem {
  uint16_t value; /* credits ready to be taken */
  uint16_t max;   /* advisory maximum; waits compare with it */
  uint8_t width;  /* bits of the counter: full is (1 << width) - 1 */
  uint8_t on_full, on_zero, fan;
  uint8_t sources; /* reduce-min: number of sources that must post for one credit */
  uint8_t pad[3];
  uint32_t posted[SIM_CSEM_SOURCES_MAX]; /* reduce-min: posts by source that have not yet become a credit */
  uint64_t posts, gets;                  /* totals, for leak reports */
};

struct sim_csem sim_csem_make(uint8_t width, uint16_t max, enum sim_csem_on_full on_full, enum sim_csem_on_zero on_zero,
                              enum sim_csem_fan fan, uint8_t sources);
uint16_t sim_csem_full(const struct sim_csem *sem); /* the largest value the width can hold */
enum sim_csem_result sim_csem_post(struct sim_csem *sem, unsigned source);
enum sim_csem_result sim_csem_get(struct sim_csem *sem);

#endif
