/* Shared by the files of the chip's hang report. */
#ifndef TESSERA_OBSERVE_HANG_CHIP_INTERNAL_H
#define TESSERA_OBSERVE_HANG_CHIP_INTERNAL_H

#include "observe/hang/chip_value.h"
#include "observe/hang/sends.h"

/* What the waiting cores add to one word. */
struct sum {
  bool known;
  uint32_t tile, address, wanted;
  uint32_t adds, cores, last; /* the last of them as a waiter */
};

struct finder {
  struct chip *chip;
  const bool *tiles; /* that are examined; NULL: all */
  struct obs_chip_hang *hang;
  obs_program_fn *programs;
  void *context;
  struct obs_hang *one;        /* of the tile being examined */
  uint32_t first[CHIP_TILES];  /* the first waiter of a tile */
  uint8_t parties[CHIP_TILES]; /* states of its cores that do not wait, bit per enum obs_party_state */
  struct sum sum;
  unsigned asked;                                    /* futures of cores for waits that lie ahead of others */
  struct obs_sends_list sends[OBS_CHIP_WAITERS_MAX]; /* of a waiter's core, found when it is first used */
};

/* --- hang/chip_sends.c --- */

const struct tx_tile *obs_chip_hang_cores(const struct finder *f,
                                          unsigned tile);             /* NULL: no cores, or they are not examined */
uint32_t obs_chip_hang_behind(const struct finder *f, unsigned tile); /* the first waiter of a later tile */
/* What the waiter's core can do for the word of `w` after its own wait. */
enum obs_sends obs_chip_hang_sends(struct finder *f, uint32_t waiter, const struct obs_chip_waiter *w, uint32_t *pc);
/* What the waiting core `waiter`, and what all waiting cores add to the word of `w`. */
uint32_t obs_chip_hang_gives(struct finder *f, const struct obs_chip_waiter *w, uint32_t waiter);
uint32_t obs_chip_hang_sum(struct finder *f, const struct obs_chip_waiter *w);

/* --- hang/chip_side.c --- */

void obs_chip_hang_releasers(struct finder *f, struct obs_chip_waiter *w);
void obs_chip_hang_absent(struct finder *f, struct obs_chip_waiter *w);
void obs_chip_hang_few(struct finder *f, struct obs_chip_waiter *w);

/* --- hang/chip_text.c --- */

/* The tiles that a broadcast reaches. */
unsigned obs_receivers_of(const struct finder *f, const struct noc_packet *p, uint16_t tiles[CHIP_TILES]);

/* Clauses after "waits for ...: " with the reason why the other tile does not act. */
void obs_receiver_words(const struct finder *f, struct obs_chip_waiter *w, const struct noc_packet *broadcast,
                        unsigned count, const uint16_t *missing, unsigned absent);
void obs_writer_words(const struct finder *f, struct obs_chip_waiter *w, sim_time last);
void obs_core_words(const struct finder *f, struct obs_chip_waiter *w, unsigned core);
/* Tiles whose core has returned with fewer packets to the word than the others have sent: `counts` by tile, `writers` tiles with any. */
void obs_absent_words(const struct finder *f, struct obs_chip_waiter *w, unsigned core, const uint16_t *tiles,
                      unsigned absent, const uint32_t *counts, unsigned writers);
/* The waiter that has a write to the word at `pc` before it. */
void obs_pending_words(const struct finder *f, struct obs_chip_waiter *w, const struct obs_chip_waiter *ahead, uint32_t pc);
/* `live`: other tiles whose kernels have not ended; `able`: of these, the ones that can perhaps write the word. */
void obs_live_words(const struct finder *f, struct obs_chip_waiter *w, unsigned live, unsigned able);
void obs_lost_words(const struct finder *f, struct obs_chip_waiter *w, const struct noc_packet *lost);
/* A packet that would end the wait is held up by a linked transaction. */
void obs_held_words(const struct finder *f, struct obs_chip_waiter *w, const struct chip_waiting *held);
void obs_outstanding_words(struct obs_chip_waiter *w, unsigned noc, const struct noc_niu *niu);
void obs_answered_words(const struct finder *f, struct obs_chip_waiter *w, const struct noc_packet *broadcast,
                        const uint16_t *tiles, unsigned count);
void obs_chip_cause(struct finder *f);

#endif
