/* Checker a: circular buffers of the kernel library. */
#ifndef TESSERA_CHECK_BUFFERS_H
#define TESSERA_CHECK_BUFFERS_H

#include "check/internal.h"

void chk_counter_store(struct chk *c, unsigned entity, unsigned core, uint32_t address, uint32_t value);
void chk_counter_load(struct chk *c, unsigned core, uint32_t address, uint32_t value);
struct chk_buffer *chk_buffer_search(struct chk *c, uint32_t address);
static inline struct chk_buffer *chk_buffer_at(struct chk *c, uint32_t address) {
  return c->buffer_of[address / CHK_BLOCK] ? chk_buffer_search(c, address) : NULL;
}
void chk_pages_use(struct chk *c, unsigned entity, const struct tx_range *r);
/* A core's NoC request that sends from (write) or fills this address of L1. */
void chk_pages_request(struct chk *c, unsigned core, uint32_t address, bool write);
void chk_pages_tag(struct chk *c, uint32_t address, uint32_t length, uint16_t tag);
uint16_t chk_page_tag(struct chk *c, uint32_t address);
void chk_buffers_finish(struct chk *c);

#endif
