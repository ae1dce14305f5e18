/* Scripted cores: op lists that replace the programs of a tile's cores. One push per cycle with two idle cycles after every 64 (the shape
 * of the silicon probes; T cores only), stores, polls, syncs and copies, as in the conformance cases. */
#ifndef TESSERA_TENSIX_SCRIPT_H
#define TESSERA_TENSIX_SCRIPT_H

#include "tensix/state/script.h"

struct tx_tile;

void tx_script_attach(struct tx_tile *t, unsigned core, const struct tx_script *script); /* 0..4: TRISC0.., BRISC, NCRISC */
/* the list has grown: continues if the core had reached its end */
void tx_script_continue(struct tx_tile *t, unsigned core);
void tx_script_issue(struct tx_tile *t, unsigned core);

#endif
