/* Semaphores as edges. */
#ifndef TESSERA_CHECK_SYNC_H
#define TESSERA_CHECK_SYNC_H

#include "check/internal.h"

void chk_semaphore_post(struct chk *c, unsigned entity, unsigned index);
void chk_semaphore_get(struct chk *c, unsigned entity, unsigned index);
void chk_semaphore_init(struct chk *c, unsigned entity, unsigned index, unsigned value);
void chk_semaphore_wait(struct chk *c, unsigned entity, unsigned index, unsigned condition, unsigned max);
void chk_semaphore_read(struct chk *c, unsigned entity, unsigned index);

#endif
