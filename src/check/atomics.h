/* Atomics of the cores (Zaamo) on words of L1. An atomic changes the word in one access: it reads like a load and then arrives like a
 * store. */
#ifndef TESSERA_CHECK_ATOMICS_H
#define TESSERA_CHECK_ATOMICS_H

#include "check/internal.h"

/* Before an atomic, and after its access has been checked if it has changed the word. */
void chk_atomic_starts(struct chk *c, uint32_t address);
void chk_atomic_done(struct chk *c, const struct tx_atomic *a);
/* All changes of a word that cores have changed by atomics; NULL: none are known. */
struct chk_changes *chk_changes_of(struct chk *c, uint32_t address);
/* The value of the word without the core's changes from number `first` on. */
uint32_t chk_value_without(const struct chk_changes *w, unsigned core, uint32_t first);
/* An atomic changes the word: reports a load since the last atomic of another core. */
void chk_atomic_readers(struct chk *c, const struct tx_atomic *a);
/* The core has loaded the word as data: reports an atomic that the last change of the word hides. */
void chk_atomic_read(struct chk *c, unsigned core, const struct tx_range *r);
/* Are both accesses atomics? Two of them do not race. */
bool chk_both_atomic(const struct chk *c, const struct tx_range *r, const struct chk_mark *other) __attribute__((cold));
/* Is one an atomic of a core and the other of the NoC? L1 does one after the other. */
bool chk_are_atomics(const struct chk_mark *a, const struct chk_mark *b);

#endif
