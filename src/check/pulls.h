/* Polls by NoC reads: a core fetches a word of another tile and compares the copy. */
#ifndef TESSERA_CHECK_PULLS_H
#define TESSERA_CHECK_PULLS_H

#include "check/internal.h"

#define CHK_PULL_BYTES 32u /* a read of that size may fetch a flag: some programs align them so */

/* The core that sends this read has compared what its earlier ones fetched with nothing: they fetch data. */
bool chk_pull_is_data(const struct chk *c, unsigned core, uint32_t pc);
/* A short read of another tile, `r`, is served; clocks.of[CHK_NETWORK] is what its sender knows of this tile. `data`: the access is recorded
 * as that of any other agent. */
void chk_pull_served(struct chk *c, const struct tx_range *r, bool data);
/* Its answer leaves: the vector that the stores to its words have released. */
void chk_pull_answer(struct chk *c, struct chk_request *s, uint32_t number);
/* The answer of tile `tile` arrives at a core's tile. */
void chk_pull_arrives(struct chk *c, const struct noc_packet *p, const struct chk_request *s);
/* A core loads a copy. */
void chk_pull_load(struct chk *c, unsigned core, const struct tx_range *r);
/* Data that was fetched with no order and that no core has loaded. */
void chk_pulls_finish(struct chk *c);

#endif
