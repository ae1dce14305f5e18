/* A profile: the figures of one hardware generation, A2/A3 or A5; profile.def has their sources. */
#ifndef TESSERA_PTO_PROGRAM_PROFILE_H
#define TESSERA_PTO_PROGRAM_PROFILE_H

#include "pto/program/types.h"

enum pto_profile_id { PTO_A2A3, PTO_A5, PTO_PROFILES };

/* Routes of data, each with its own bandwidth. */
enum pto_route {
  PTO_GM_TO_UB,
  PTO_GM_TO_L1,
  PTO_UB_TO_GM,
  PTO_L0C_TO_GM,
  PTO_L0C_TO_L1,
  PTO_L0C_TO_UB,
  PTO_UB_TO_L1,
  PTO_L1_TO_L0A,
  PTO_L1_TO_L0B,
  PTO_UB_TO_UB,
  PTO_ROUTES,
};

struct pto_profile {
  const char *name;
  uint32_t clock_mhz;
  uint32_t centi_gb_per_s[PTO_ROUTES];
  uint32_t gm_centi_gb_per_s;      /* bandwidth of global memory, for all blocks together */
  uint32_t memory_bytes[PTO_LOCS]; /* size of each memory; the program sets that of GM */
  uint32_t macs_by_bytes[5];       /* MACs per cycle, by the bytes of an operand's element */
  uint32_t vector_bytes_per_cycle;
  uint32_t start_cycles;       /* cycles before any operation on a pipe */
  uint32_t issue_cycles;       /* cycles of the scalar unit per instruction given to a pipe */
  uint32_t flag_cycles;        /* cycles from the set of a flag until the other core sees it */
  uint32_t queue_depth;        /* queue length of a pipe at which the scalar unit stalls */
  uint32_t document_depth_max; /* the TPUSH page's limits: notes, not errors */
  uint32_t document_flag_max;
  bool point_to_point;   /* A5: set_intra_block / wait_intra_block; else mode 2 broadcast and reduce */
  bool wait_stalls_core; /* A2/A3: wait_flag_dev holds the scalar unit */
  bool local_fifos;      /* A5: UB and L1 can be written by the other core */
};

/* A row of profile.def. */
struct pto_figure {
  const char *key, *unit, *meaning;
  uint32_t value[PTO_PROFILES];
  const char *source[PTO_PROFILES];
  size_t offset; /* offset of the figure in struct pto_profile */
};

const struct pto_profile *pto_profile_get(unsigned id);
int pto_profile_find(const char *name); /* -1: no such profile */
unsigned pto_figure_count(void);
const struct pto_figure *pto_figure(unsigned index);
/* false: no such figure, or a value out of range. */
bool pto_profile_set(struct pto_profile *profile, const char *key, uint64_t value);
/* Lines `key = value`, # begins a comment. false: `why` names the invalid line. */
bool pto_profile_read(struct pto_profile *profile, const char *text, size_t length, char *why, size_t size);
size_t pto_profiles_text(char *text, size_t size); /* all figures as a table; returns the full length */
uint64_t pto_transfer_cycles(const struct pto_profile *profile, unsigned route, uint64_t bytes);
uint64_t pto_matmul_cycles(const struct pto_profile *profile, unsigned dtype,
                           uint64_t macs); /* dtype: type of the operands */
bool pto_profile_has_dir(unsigned id, unsigned dir);

#endif
