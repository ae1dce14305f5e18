/* Scripted cores: op lists that stand in for the cores of a tile. A push a cycle with two idle cycles after every 64 (the shape
 * of the silicon probes; T cores only), stores, polls, syncs and copies, as in the conformance cases. */
#ifndef TESSERA_TENSIX_SCRIPT_H
#define TESSERA_TENSIX_SCRIPT_H

#include "tensix/state/script.h"

struct tx_tile;

void tx_script_attach(struct tx_tile *t, unsigned core, const struct tx_script *script); /* 0..4: TRISC0.., BRISC, NCRISC */
void tx_script_continue(struct tx_tile *t, unsigned core); /* the list has grown: go on if the core had come to its end */
void tx_script_issue(struct tx_tile *t, unsigned core);

#endif
