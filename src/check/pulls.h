/* Polls by NoC reads: a core fetches a word of another tile, of its own or of DRAM, and compares the copy. */
#ifndef TESSERA_CHECK_PULLS_H
#define TESSERA_CHECK_PULLS_H

#include "check/internal.h"

#define CHK_PULL_BYTES 256u /* a read of that size may fetch a flag: programs poll lines of 64 bytes, and blocks of flags */

/* In the word of a mark, beside those of a request of another tile: a read that may be a poll, and its length in words. */
#define CHK_PULL (1u << 22)
#define CHK_PULL_LENGTH(length) (CHK_PULL | (((length) + 3u) / 4u) << 23)
static inline bool chk_is_pull(const struct chk_mark *m) {
  return m->word & CHK_PULL && (m->entity == CHK_NETWORK || (unsigned)m->entity - CHK_NOC_IN < TX_CORES);
}

/* The core that sends this read has compared what its earlier ones fetched with nothing: they fetch data. */
bool chk_pull_is_data(const struct chk *c, unsigned core, uint32_t pc, uint32_t length);
/* The access `now` writes what the read `read` may still fetch. `controller`: of DRAM; CHK_IN_L1: L1 of this tile. */
#define CHK_IN_L1 UINT32_MAX
void chk_pull_suspect(struct chk *c, const struct chk_mark *now, const struct chk_mark *read, uint32_t address,
                      uint32_t controller);
/* A short read of tile `tile`, `r`, is served; clocks.of[CHK_NETWORK] is what its sender knows of this tile. */
void chk_pull_served(struct chk *c, const struct tx_range *r, unsigned tile, const struct chk_request *s);
/* Its answer leaves: the vector that the changes of its words have released. */
void chk_pull_answer(struct chk *c, struct chk_request *s, uint32_t number);
/* The vector of a tile that has heard a part of an answer. */
struct chk_vector chk_pull_part(const struct chk *c, const struct chk_heard *h);
/* The answer of tile `tile` arrives at a core's tile. */
void chk_pull_arrives(struct chk *c, const struct noc_packet *p, const struct chk_request *s);
/* A read of the tile from itself, just served. */
void chk_pull_own(struct chk *c, const struct noc_packet *p, const struct chk_request *s);
/* A short read of DRAM: returns the place for what it finds. Its copies there before are decided. */
struct chk_pulled *chk_pull_memory(struct chk *c, const struct noc_packet *p, const struct chk_request *s,
                                   unsigned controller);
/* One more cause of what a read finds; NULL: no room. Its contents are undefined, but for its place. */
struct chk_cause *chk_pull_cause(struct chk_answer *a, uint64_t from, uint32_t length);
/* A core sends an atomic that returns the old value to `address`; it has waited for the answers of all its atomics. */
void chk_pull_atomic(struct chk *c, unsigned core, uint32_t address);
/* A store of the core arrives, perhaps where it waits for the answer of an atomic. */
void chk_pull_stored(struct chk *c, unsigned core, const struct tx_range *r);
void chk_pull_answered(struct chk *c, unsigned core);
/* A core loads a copy, or the answer of an atomic. */
void chk_pull_load(struct chk *c, unsigned core, const struct tx_range *r);
/* Data that was fetched with no order and that no core has loaded; writes over data that was being fetched. */
void chk_pulls_finish(struct chk *c);

#endif
