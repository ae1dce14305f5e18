/* Two accesses to one word of L1 with no order between them: a race, unless the word is a flag. */
#ifndef TESSERA_CHECK_CONTEND_H
#define TESSERA_CHECK_CONTEND_H

#include "check/internal.h"

/* A core has looked at the word before any agent wrote it, and a branch depends on what it has read: a flag that gets its first value. */
bool chk_is_first_flag(struct chk *c, unsigned entity, const struct tx_range *r, const struct chk_mark *other);
/* Two cores store the word of a lock. If the code of only one of them compares the word, the end of the run decides: is it polled by then? */
bool chk_is_contended(struct chk *c, unsigned entity, const struct tx_range *r, const struct chk_mark *other);
/* A core stores a flag that another core has stored last. */
void chk_flag_turns(struct chk *c, unsigned core, const struct tx_range *r);
void chk_contended_finish(struct chk *c);

#endif
