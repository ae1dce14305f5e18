/* Config and ThreadConfig, and the pipeline of their unit. Plain data; the functions are in unit/config.h. */
#ifndef TESSERA_TENSIX_STATE_CONFIG_H
#define TESSERA_TENSIX_STATE_CONFIG_H

#include <stdint.h>

#include "chips/blackhole/config_map.h"
#include "sim/time.h"

#define TX_CONFIG_READERS 4u /* 0..2: a thread together with its T core; 3: BRISC */

/* A word that an agent read and may write back: detects lost updates. */
struct tx_config_read {
  uint32_t value;
  uint16_t index;
  uint8_t bank;
  uint8_t valid;
};

struct tx_config {
  uint32_t words[2][TX_CFG_WORDS];
  uint16_t thread_words[3][TX_THREAD_CFG_WORDS];
  uint8_t state_id_set[3]; /* CFG_STATE_ID written since reset (or its absence reported) */
  uint8_t bank1_used;      /* an agent has selected bank 1 or written to it since reset */
  uint8_t pad[5];
  sim_time pipe_at;          /* the cycle for which the next two are valid */
  uint32_t pipe;             /* bit 0..4: stages -4..0 occupied */
  uint32_t pipe_old;         /* of these: instructions that entered in an earlier cycle */
  sim_time stream_leaves_at; /* the cycle in which the STREAMWRCFG in stage -4 is in -3 */
  sim_time busy_until;       /* C12: an instruction is in the pipeline before this time */
  uint64_t version;          /* counts writes to words and thread_words: the key of decoded copies */
  sim_time pending_until[3]; /* before this time some of a thread's own writes are pending ... */
  uint32_t pending_units[3]; /* ... in words that these units read (bit per enum tx_unit) */
  uint32_t stream_thread;    /* thread of the STREAMWRCFG in stage -4 */
  struct tx_config_read reads[TX_CONFIG_READERS];
  uint32_t prng_seed;     /* last value written to PRNG_SEED ... */
  uint32_t prng_seedings; /* ... and the number of writes: the owner of the PRNGs reseeds when it changes */
  /* cores whose instruction cache is to be invalidated: B, T0, T1, T2, NC; the owner clears its bit */
  uint32_t ic_invalidate;
  uint32_t assigned[TX_CFG_WORDS]; /* the implemented bits of a word; the others read as 0 */
};

/* Reads a field of Config in the bank of thread `thread`, or of its ThreadConfig. NAME is a row of config.def. `t` must
 * be a complete struct tx_tile: a macro, so that the hot loops of the units have no call. */
#define TX_CFG_BANK(t, thread) ((t)->config.thread_words[thread][0] & 1u) /* CFG_STATE_ID_StateID */
#define TX_CFG_GET(t, thread, NAME) \
  ((t)->config.words[TX_CFG_BANK(t, thread)][TX_CFG_##NAME##_ADDR] >> TX_CFG_##NAME##_SHIFT & \
   (0xffffffffu >> (32 - TX_CFG_##NAME##_WIDTH)))
#define TX_THREAD_CFG_GET(t, thread, NAME) \
  ((uint32_t)(t)->config.thread_words[thread][TX_CFG_##NAME##_ADDR] >> TX_CFG_##NAME##_SHIFT & \
   (0xffffffffu >> (32 - TX_CFG_##NAME##_WIDTH)))

#endif
