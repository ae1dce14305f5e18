/* Config and ThreadConfig, and the pipeline in front of them. Plain data; the functions are in unit/config.h. */
#ifndef TESSERA_TENSIX_STATE_CONFIG_H
#define TESSERA_TENSIX_STATE_CONFIG_H

#include <stdint.h>

#include "sim/time.h"

#define TX_CFG_WORDS 224u
#define TX_CFG_GLOBAL_BASE 180u /* from here on a write goes to both banks */
#define TX_CFG_THCON_BASE 64u
#define TX_THREAD_CFG_WORDS 68u
#define TX_CONFIG_READERS 4u /* 0..2: a thread together with its T core; 3: BRISC */

/* A word that an agent read and may write back: how lost updates are found. */
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
  uint8_t bank1_used;      /* an agent has chosen bank 1 or written to it since reset */
  uint8_t pad[5];
  sim_time pipe_at;          /* the cycle for which the two below are right */
  uint32_t pipe;             /* bit 0..4: stages -4..0 occupied */
  uint32_t pipe_old;         /* of these: by what entered in an earlier cycle */
  sim_time stream_leaves_at; /* the cycle in which the STREAMWRCFG in stage -4 is in -3 */
  sim_time busy_until;       /* C12: an instruction is in the pipeline before this time */
  uint64_t version;          /* counts writes to words and thread_words: decoded copies are kept by it */
  sim_time pending_until[3]; /* before this time a thread's own writes have not all landed ... */
  uint32_t pending_units[3]; /* ... in words that these units read (bit per enum tx_unit) */
  uint32_t stream_thread;    /* who issued the STREAMWRCFG in stage -4 */
  struct tx_config_read reads[TX_CONFIG_READERS];
  uint32_t prng_seed;     /* last value written to PRNG_SEED ... */
  uint32_t prng_seedings; /* ... and how often: the owner of the PRNGs reseeds when this changes */
  uint32_t ic_invalidate; /* cores whose instruction cache is to be emptied: B, T0, T1, T2, NC; the owner clears its bit */
  uint32_t assigned[TX_CFG_WORDS]; /* the bits of a word that hold what is written; the others read as 0 */
};

/* Reads a field of Config as thread `thread` sees it (its bank), or of its ThreadConfig. NAME is a row of config.def. `t`
 * needs the whole struct tx_tile in sight: the hot loops of the units must not pay for a call. */
#define TX_CFG_BANK(t, thread) ((t)->config.thread_words[thread][0] & 1u) /* CFG_STATE_ID_StateID */
#define TX_CFG_GET(t, thread, NAME) \
  ((t)->config.words[TX_CFG_BANK(t, thread)][TX_CFG_##NAME##_ADDR] >> TX_CFG_##NAME##_SHIFT & \
   (0xffffffffu >> (32 - TX_CFG_##NAME##_WIDTH)))
#define TX_THREAD_CFG_GET(t, thread, NAME) \
  ((uint32_t)(t)->config.thread_words[thread][TX_CFG_##NAME##_ADDR] >> TX_CFG_##NAME##_SHIFT & \
   (0xffffffffu >> (32 - TX_CFG_##NAME##_WIDTH)))

#endif
