/* The requests of packets.h. */
#include "observe/hang/packets.h"

#include <string.h>

#include "chip/grid.h"
#include "chip/trail.h"
#include "noc/streams.h"
#include "noc/translation.h"
#include "tensix/mem/l1.h"
#include "tensix/tile/bus.h"

/* ISA: NoC/Atomics.md */
#define ATOMIC_INCREMENT 1u
#define ATOMIC_ALL_BITS 31u /* the increment is not cut to fewer bits */

void obs_niu_begin(const struct tx_tile *t, uint32_t *value, bool *known) {
  memset(known, true, OBS_NIU_WORDS * sizeof *known);
  for (unsigned noc = 0; noc < NOC_NOCS; noc++)
    for (unsigned i = 0; i < NOC_INITIATORS; i++)
      memcpy(&value[(noc * NOC_INITIATORS + i) * NOC_INITIATOR_WORDS], t->niu[noc].initiator[i],
             NOC_INITIATOR_WORDS * sizeof *value);
}

bool obs_niu_store(uint32_t offset, uint32_t *word, uint32_t *first) {
  uint32_t noc = offset >> 16, initiator = (offset & 0xffffu) / NOC_INITIATOR_STRIDE, at = offset % NOC_INITIATOR_STRIDE;
  *word = *first = OBS_NIU_WORDS;
  if (noc >= NOC_NOCS || initiator >= NOC_INITIATORS) return false;
  *first = (noc * NOC_INITIATORS + initiator) * NOC_INITIATOR_WORDS;
  if (at / 4 < NOC_INITIATOR_WORDS) *word = *first + at / 4;
  return at == NOC_REG_CMD_CTRL;
}

static struct noc_place place_of(const struct noc_niu *n, uint32_t word) {
  unsigned x = word & 63u, y = word >> 6 & 63u;
  if (n->config[NOC_CFG_NIU_0] & NOC_NIU_CFG_TRANSLATE) noc_translate_words(n->config, x, y, &x, &y);
  return (struct noc_place){(uint8_t)x, (uint8_t)y};
}

/* Where it goes. A broadcast that excludes tiles has no known receivers. */
static void set_target(const struct noc_niu *n, unsigned noc, uint32_t ctrl, uint32_t word, bool excludes,
                       struct obs_packet *p) {
  p->end = place_of(n, word);
  p->broadcast = ctrl & NOC_CTRL_BROADCAST;
  if (p->broadcast) p->start = place_of(n, word >> 12);
  p->with_source = ctrl & NOC_CTRL_SOURCE_INCLUDE;
  p->tile_known = !(p->broadcast && excludes);
  p->tile = p->broadcast ? 0 : chip_tile_of_raw(noc, p->end.x, p->end.y);
}

bool obs_niu_packet(const struct tx_tile *t, const uint32_t *value, const bool *known, uint32_t first, uint32_t pc,
                    struct obs_packet *out, bool *vague) {
  const uint32_t *v = &value[first], noc = first / (NOC_INITIATORS * NOC_INITIATOR_WORDS);
  const bool *k = &known[first];
  unsigned kind = v[NOC_CTRL] & NOC_CTRL_TYPE;
  *vague = !k[NOC_CTRL];
  if (*vague) return false;
  bool small = kind == NOC_ATOMIC || (kind == NOC_WRITE && (v[NOC_CTRL] & NOC_CTRL_INLINE));
  /* The data of a read goes to the tile itself. A write of more than a few bytes, or of a number that is not in the code, carries
   * data: it may have a flag in it if its place is known, else kernels set semaphores and flags with a constant length. */
  bool data = !small && (!k[NOC_AT_LEN_BE] || v[NOC_AT_LEN_BE] > CHIP_TRAIL_BYTES);
  if (kind == NOC_READ || (data && !(k[NOC_AT_LEN_BE] && k[NOC_RET_LO] && k[NOC_RET_HI]))) return false;
  bool counts = kind == NOC_ATOMIC && k[NOC_AT_LEN_BE] && v[NOC_AT_LEN_BE] >> 12 == ATOMIC_INCREMENT;
  if (counts && k[NOC_AT_DATA] && !v[NOC_AT_DATA]) return false; /* by 0 */
  unsigned low = small ? NOC_TARG_LO : NOC_RET_LO, high = small ? NOC_TARG_HI : NOC_RET_HI;
  memset(out, 0, sizeof *out); /* packets are compared with their padding */
  out->pc = pc;
  out->noc = (uint8_t)noc;
  out->length = small ? 4 : v[NOC_AT_LEN_BE];
  out->data = data;
  out->counts = counts;
  if (counts && k[NOC_AT_DATA] && (v[NOC_AT_LEN_BE] >> 2 & 31u) == ATOMIC_ALL_BITS) out->adds = v[NOC_AT_DATA];
  out->copies = !small;
  out->source = k[NOC_TARG_LO] ? v[NOC_TARG_LO] : UINT32_MAX;
  if (small) out->source = 0;
  out->value_known = kind == NOC_WRITE && small && k[NOC_AT_DATA];
  if (out->value_known) out->value = v[NOC_AT_DATA];
  out->address_known = k[low];
  if (k[low]) out->address = v[low];
  if (!k[high]) return true;
  bool excludes = !k[NOC_BRCST_EXCLUDE] || v[NOC_BRCST_EXCLUDE] >> 22 & 1u;
  set_target(&t->niu[noc], noc, v[NOC_CTRL], v[high], excludes, out);
  return true;
}

static bool in_span(unsigned v, unsigned start, unsigned end) {
  return start <= end ? v >= start && v <= end : v >= start || v <= end;
}

/* The rectangle alone decides: tiles that opt out of broadcasts run no kernels. */
static bool reaches(const struct obs_packet *p, unsigned from, unsigned tile) {
  unsigned x, y;
  if (!p->broadcast) return p->tile == tile;
  chip_raw_of_tile(p->noc, tile, &x, &y);
  return in_span(x, p->start.x, p->end.x) && in_span(y, p->start.y, p->end.y) && (tile != from || p->with_source);
}

/* The counters have 16 bits. */
static bool is_too_few(const struct obs_resource *want, uint32_t value) {
  bool known = want->wish == OBS_WISH_AT_LEAST || want->wish == OBS_WISH_EQUAL;
  return known && ((value - want->wanted) & 0xffffu) >= 0x8000u;
}

bool obs_is_of_no_use(const struct obs_resource *want, uint32_t address, uint32_t value) {
  bool buffer = want && (want->kind == OBS_RESOURCE_BUFFER_PAGES || want->kind == OBS_RESOURCE_BUFFER_ROOM);
  if (buffer) return address == want->address && is_too_few(want, value);
  if (!want || want->bytes != 4 || address != want->address) return false;
  switch (want->wish) {
    case OBS_WISH_EQUAL: return value != want->wanted;
    case OBS_WISH_NOT_EQUAL: return value == want->value;
    case OBS_WISH_AT_LEAST: return value < want->wanted;
    case OBS_WISH_BITS: return !((value ^ want->value) & want->wanted);
    default: return false;
  }
}

/* The bytes that the packet will copy to the word may be others by then: only those that would end the wait now are taken for granted. */
static bool copies_in_vain(const struct obs_packet *p, const struct tx_tile *from, uint32_t address,
                           const struct obs_resource *want) {
  uint32_t source = p->source + ((address & ~3u) - p->address);
  if (!p->copies || p->value_known) return false;
  if (p->source == UINT32_MAX || source > TX_L1_BYTES - 4) return true;
  return obs_is_of_no_use(want, address & ~3u, tx_l1_read(from, source, 4));
}

enum obs_sends obs_packet_writes(const struct obs_packet *p, const struct tx_tile *from, unsigned tile, uint32_t address,
                                 const struct obs_resource *want) {
  uint32_t to = noc_stream_changes(p->address, p->value_known ? p->value : 0);
  uint32_t first = to & ~3u, end = (to + p->length + 3u) & ~3u;
  if (p->tile_known && !reaches(p, from->niu[0].tile, tile)) return OBS_SENDS_NONE;
  if (p->address_known && (address & ~3u) - first >= end - first) return OBS_SENDS_NONE;
  if (p->address_known && to != p->address) return p->tile_known ? OBS_SENDS_SURELY : OBS_SENDS_POSSIBLY;
  if (p->value_known && p->address_known && obs_is_of_no_use(want, p->address, p->value)) return OBS_SENDS_NONE;
  if (!p->tile_known || !p->address_known || p->data) return OBS_SENDS_POSSIBLY;
  return copies_in_vain(p, from, address, want) ? OBS_SENDS_POSSIBLY : OBS_SENDS_SURELY;
}
