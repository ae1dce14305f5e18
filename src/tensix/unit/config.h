/* The configuration unit: Config (two banks, shared) and ThreadConfig (one per thread), their instructions and the
 * pipeline through which all writes but SETC16 go.
 *
 *   stage            -4           -3  -2   -1                0                 +1
 *   STREAMWRCFG      prepare      memory read               write
 *   WRCFG                                  GPR read         write
 *   CFGSHIFTMASK                           (second half)    read, then write
 *   RMWCIB                                                  read and write
 *   RDCFG                                                   read              GPR write
 *   cores, mover                                            read or write
 *
 * An instruction enters when its own stage is free and no stage from -3 up to it is occupied, by whichever thread (a bug
 * of the hardware: -4 does not count). Several may enter in one cycle at different stages. Of CFGSHIFTMASK the page says
 * that it takes two cycles, that one NOP is enough before a consumer, and that it blocks stage -1 while it reads in stage
 * 0: so its second half stands in stage -1 while the first is in stage 0, and it needs both free (inferred).
 *
 * What happens in stage 0 in cycle c is seen by the others in cycle c+1. ISA: ConfigurationUnit.md,
 * BackendConfiguration.md (Blackhole). Not modelled: contention of RDCFG for the GPR write port, of STREAMWRCFG for the
 * overlay (see the parameter stream_prepare_cycles). */
#ifndef TESSERA_TENSIX_CONFIG_H
#define TESSERA_TENSIX_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/time.h"

#define TX_CFG_WORDS 224u
#define TX_CFG_GLOBAL_BASE 180u /* from here on a write goes to both banks */
#define TX_CFG_THCON_BASE 64u
#define TX_THREAD_CFG_WORDS 68u
#define TX_CONFIG_READERS 4u /* 0..2: a thread together with its T core; 3: BRISC */

/* A word that somebody read and may write back: how lost updates are found. */
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
  uint8_t bank1_used;      /* somebody has chosen bank 1 or written to it since reset */
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

struct tx_tile;
struct sim_effect;

/* Reads a field of Config as thread `thread` sees it (its bank), or of its ThreadConfig. NAME is a row of config.def. `t`
 * needs the whole struct tx_tile in sight: the hot loops of the units must not pay for a call. */
#define TX_CFG_BANK(t, thread) ((t)->config.thread_words[thread][0] & 1u) /* CFG_STATE_ID_StateID */
#define TX_CFG_GET(t, thread, NAME) \
  ((t)->config.words[TX_CFG_BANK(t, thread)][TX_CFG_##NAME##_ADDR] >> TX_CFG_##NAME##_SHIFT & \
   (0xffffffffu >> (32 - TX_CFG_##NAME##_WIDTH)))
#define TX_THREAD_CFG_GET(t, thread, NAME) \
  ((uint32_t)(t)->config.thread_words[thread][TX_CFG_##NAME##_ADDR] >> TX_CFG_##NAME##_SHIFT & \
   (0xffffffffu >> (32 - TX_CFG_##NAME##_WIDTH)))

void tx_config_reset(struct tx_config *c); /* from all zero */

uint32_t tx_config_word(const struct tx_tile *t, unsigned thread, unsigned index);
uint16_t tx_thread_config_word(const struct tx_tile *t, unsigned thread, unsigned index);

/* Writes one word of a bank now, with everything a write triggers (both banks from 180 on, STATE_RESET_EN, PRNG seed
 * ...). */
void tx_config_write(struct tx_tile *t, unsigned bank, unsigned index, uint32_t value);
/* Writes one word of a thread's ThreadConfig now. Only that thread reads it, in order. */
void tx_thread_config_write(struct tx_tile *t, unsigned thread, unsigned index, uint16_t value);
/* The scalar unit's REG2FLOP: one or four words of the thread's bank, `cycles` from now. */
void tx_config_write_later(struct tx_tile *t, unsigned thread, unsigned index, const uint32_t *values, unsigned count,
                           uint32_t cycles);

/* Stage numbers -4..0: may something enter there this cycle, and enter. `twice`: CFGSHIFTMASK. */
bool tx_config_can_enter(struct tx_tile *t, int stage);
void tx_config_enter(struct tx_tile *t, int stage, bool twice);
/* A core's request takes stage 0 of this cycle; false: it cannot enter now. */
bool tx_config_core_enter(struct tx_tile *t);
/* The stage at which an instruction of the unit enters; 1 for SETC16, which has no pipeline. The entry rule that the gate
 * asks for is tx_config_ready (units.h). */
int tx_config_entry_stage(uint8_t opcode);

/* The gate, before the body of an instruction of another unit, while now < pending_until[thread]: reports a reader of a word
 * whose write has not landed. */
void tx_config_check_reader(struct tx_tile *t, unsigned thread, uint32_t word);

/* For the diagnostics of cores' accesses (bus.c). Reader numbers: see TX_CONFIG_READERS. */
bool tx_config_reads(uint32_t word, unsigned index); /* does this instruction read this word of Config as it runs */
void tx_config_note_read(struct tx_tile *t, unsigned reader, unsigned bank, unsigned index);
/* Before a whole-word write: does it put back what was read before somebody else's change? */
void tx_config_check_lost_update(struct tx_tile *t, unsigned reader, unsigned bank, unsigned index, uint32_t value);

void tx_effect_CFG_WRITE(struct tx_tile *t, const struct sim_effect *e);

#endif
