/* The two profiles. A2/A3: sizes and bandwidths of the public cost model. A5's sizes and rates, and every compute time,
 * have no public source: they carry the tag `inferred` and are meant to be overridden by a `cost` attribute where they
 * matter. */
#include "pto/program/profile.h"

#include <string.h>

#include "pto/program/dtype.h"

#define KB 1024u

/* A2/A3's, by route; inferred for A5, which has the same here. */
static const uint32_t centi_gb_per_s[PTO_ROUTES] = {
    [PTO_GM_TO_UB] = 10090,  [PTO_GM_TO_L1] = 13500,  [PTO_UB_TO_GM] = 18846,
    [PTO_L0C_TO_GM] = 7000,  [PTO_L0C_TO_L1] = 12800, [PTO_L0C_TO_UB] = 12800, /* inferred: as L0C to L1 */
    [PTO_UB_TO_L1] = 18846,                                                    /* inferred: as UB to GM */
    [PTO_L1_TO_L0A] = 44100, [PTO_L1_TO_L0B] = 22050, [PTO_UB_TO_UB] = 102400,
};

/* inferred: a 16x16x16 cube of 16-bit operands a cycle, a quarter of it with 32 bits, twice with 8. */
static const uint32_t macs_by_bytes[] = {[1] = 8192, [2] = 4096, [4] = 1024};

static const struct pto_profile profiles[PTO_PROFILES] = {
    [PTO_A2A3] = {.name = "a2a3",
                  .clock_mhz = 1850,
                  .memory_bytes = {[PTO_MAT] = 512 * KB,
                                   [PTO_ACC] = 128 * KB,
                                   [PTO_VEC] = 192 * KB,
                                   [PTO_LEFT] = 64 * KB,
                                   [PTO_RIGHT] = 64 * KB,
                                   [PTO_BIAS] = 1 * KB, /* inferred */
                                   [PTO_SCALING] = 4 * KB /* inferred */},
                  .gm_centi_gb_per_s = 160000,   /* 1.6 TB/s of HBM: Ascend 910B, public product figures */
                  .vector_bytes_per_cycle = 256, /* inferred */
                  .start_cycles = 16,            /* inferred */
                  .issue_cycles = 1,             /* inferred */
                  .flag_cycles = 8,              /* inferred */
                  .queue_depth = 16,             /* inferred */
                  .seed_depth_max = 8,
                  .seed_flag_max = 7,
                  .point_to_point = false,
                  .wait_stalls_core = true,
                  .local_fifos = false},
    /* inferred throughout, but for the 4-bit point-to-point flags: A2/A3's figures, a larger L0C and UB */
    [PTO_A5] = {.name = "a5",
                .clock_mhz = 1850,
                .memory_bytes = {[PTO_MAT] = 512 * KB,
                                 [PTO_ACC] = 256 * KB,
                                 [PTO_VEC] = 256 * KB,
                                 [PTO_LEFT] = 64 * KB,
                                 [PTO_RIGHT] = 64 * KB,
                                 [PTO_BIAS] = 4 * KB,
                                 [PTO_SCALING] = 4 * KB},
                .gm_centi_gb_per_s = 160000,
                .vector_bytes_per_cycle = 256,
                .start_cycles = 16,
                .issue_cycles = 1,
                .flag_cycles = 4,
                .queue_depth = 16,
                .seed_depth_max = 16,
                .seed_flag_max = 15,
                .point_to_point = true,
                .wait_stalls_core = false,
                .local_fifos = true},
};

const struct pto_profile *pto_profile_get(unsigned id) { return &profiles[id < PTO_PROFILES ? id : PTO_A2A3]; }

int pto_profile_find(const char *name) {
  if (strcmp(name, "a2") == 0 || strcmp(name, "a3") == 0) return PTO_A2A3;
  for (int i = 0; i < (int)PTO_PROFILES; i++)
    if (strcmp(name, profiles[i].name) == 0) return i;
  return -1;
}

/* bytes / (GB/s) is nanoseconds; times the clock in GHz is cycles. */
uint64_t pto_transfer_cycles(const struct pto_profile *profile, unsigned route, uint64_t bytes) {
  uint64_t rate = (uint64_t)centi_gb_per_s[route] * 10;
  return (bytes * profile->clock_mhz + rate - 1) / rate;
}

uint64_t pto_matmul_cycles(unsigned dtype, uint64_t macs) {
  uint32_t rate = macs_by_bytes[pto_dtype_bytes(dtype)];
  return (macs + rate - 1) / rate;
}

bool pto_profile_has_dir(unsigned id, unsigned dir) {
  if (dir == PTO_DIR_NONE || dir > PTO_BOTH_GM) return false;
  return id == PTO_A5 || dir <= PTO_V2C_CTRL;
}
