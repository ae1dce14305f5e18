/* Shared by passive endpoints (passive.h): the NIU's port for a tile without its own time. */
#include "chip/passive.h"
#include "chip/service.h"
#include "chip/stream.h"
#include "noc/at.h"
#include "sim/hash.h"

#include <string.h>

bool chip_niu_at_top(uint64_t address, unsigned noc, unsigned *which, uint32_t *offset) {
  *which = noc;
  if (address - CHIP_NIU_TOP < NOC_NIU_BYTES) *offset = (uint32_t)(address - CHIP_NIU_TOP);
  else if (address - CHIP_NIU_NEAR_TOP < CHIP_NIU_NEAR_TOP_BYTES)
    *offset = (uint32_t)(address - CHIP_NIU_NEAR_TOP) % NOC_NIU_BYTES;
  else return false;
  return true;
}

/* --- the port --- */

static bool find_niu(struct chip_passive *p, uint64_t address, unsigned *noc, uint32_t *offset) {
  return p->map->niu(address, p->noc, noc, offset);
}

static enum noc_space port_space(void *tile, uint64_t address, uint32_t length) {
  struct chip_passive *p = tile;
  unsigned noc;
  uint32_t offset;
  if (find_niu(p, address, &noc, &offset)) return NOC_SPACE_REGISTERS;
  if (!p->endpoint->slot->good || !p->map->space) return NOC_SPACE_NOTHING; /* a tile without a clock has only its NIUs */
  return p->map->space(p, address, length);
}

static sim_time port_now(void *tile) { return ((struct chip_passive *)tile)->now; }

static void port_fault(void *tile, enum sim_fault_kind kind, const char *document, const char *why) {
  struct chip_passive *p = tile;
  chip_refuse(p->endpoint, p->now, kind, document, why);
}

static void port_later(void *tile, sim_time when, unsigned noc, uint32_t what) {
  (void)when, (void)noc, (void)what;
  port_fault(tile, SIM_FAULT_UNSUPPORTED, "NoC/MemoryMap.md", "the request initiators of this tile are not simulated");
}

static bool port_send(void *tile, struct noc_packet *packet) {
  chip_send(((struct chip_passive *)tile)->endpoint, packet);
  return true;
}

static sim_time port_serve(void *tile, uint64_t address, uint32_t length, bool write) {
  struct chip_passive *p = tile;
  unsigned noc;
  uint32_t offset;
  if (!p->map->serve || find_niu(p, address, &noc, &offset)) return p->now + (write ? p->niu[p->noc].times.write_answer : 0);
  return p->map->serve(p, address, length, write);
}

static bool port_read(void *tile, uint64_t address, void *bytes, uint32_t length);
static bool port_write(void *tile, uint64_t address, const void *bytes, uint32_t length);

static const struct noc_port port = {.space = port_space,
                                     .read = port_read,
                                     .write = port_write,
                                     .now = port_now,
                                     .later = port_later,
                                     .fault = port_fault,
                                     .serve = port_serve,
                                     .send = port_send};

static bool port_read(void *tile, uint64_t address, void *bytes, uint32_t length) {
  struct chip_passive *p = tile;
  unsigned noc;
  uint32_t offset, value;
  if (!find_niu(p, address, &noc, &offset)) return p->map->read && p->map->read(p, address, bytes, length);
  if (length != 4 || offset & 3u || !noc_niu_read(&p->niu[noc], &port, p, offset, &value)) return false;
  for (unsigned k = 0; k < 4; k++) ((uint8_t *)bytes)[k] = (uint8_t)(value >> (8 * k));
  return true;
}

static bool write_niu(struct chip_passive *p, unsigned noc, uint32_t offset, uint32_t value) {
  if (offset % NOC_INITIATOR_STRIDE == NOC_REG_CMD_CTRL && value & 1u) {
    port_later(p, 0, noc, 0);
    return false;
  }
  return noc_niu_write(&p->niu[noc], &port, p, offset, value);
}

static bool port_write(void *tile, uint64_t address, const void *bytes, uint32_t length) {
  struct chip_passive *p = tile;
  const uint8_t *b = bytes;
  unsigned noc;
  uint32_t offset;
  if (!find_niu(p, address, &noc, &offset)) return p->map->write && p->map->write(p, address, bytes, length);
  if (length != 4 || offset & 3u) return false;
  return write_niu(p, noc, offset, b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24);
}

/* --- packets --- */

void chip_passive_init(struct chip_passive *p, struct chip_endpoint *endpoint, const struct chip_passive_map *map) {
  p->endpoint = endpoint;
  p->map = map;
  for (unsigned noc = 0; noc < CHIP_NOCS; noc++) chip_niu_init(endpoint, noc, &p->niu[noc]);
}

uint32_t chip_passive_take(void *self, const struct noc_packet *packet, sim_time at) {
  struct chip_passive *p = self;
  unsigned noc;
  uint32_t offset;
  bool faulted = chip_fault(p->endpoint->chip, NULL);
  p->now = at;
  p->noc = packet->noc;
  if (!noc_packet_is_answer(packet)) {
    const char *why = NULL;
    enum sim_fault_kind kind = SIM_FAULT_UNSUPPORTED;
    const unsigned tile = p->endpoint->slot->kind;
    if (packet->kind == NOC_WRITE && packet->ctrl & NOC_CTRL_INLINE && tile != CHIP_TENSIX && tile != CHIP_ETHERNET)
      kind = SIM_FAULT_UNDEFINED, why = "an inline write may go to a Tensix or an Ethernet tile only";
    else if (find_niu(p, packet->address, &noc, &offset)) why = NULL;
    else if (!p->endpoint->slot->good) why = "the tile is fused off";
    else if (p->map->refusal) why = p->map->refusal(p, packet->address);
    if (why) {
      noc_refuse(&(struct noc_at){&p->niu[packet->noc], &port, p}, kind, "NoC/MemoryMap.md", packet, why);
      if (!faulted) chip_blame(p->endpoint->chip, packet);
      return 0;
    }
  }
  noc_niu_arrive(&p->niu[packet->noc], &port, p, packet);
  if (!faulted) chip_blame(p->endpoint->chip, packet);
  return 0;
}

/* --- from outside --- */

/* Bytes of the next piece: a register, or as many as a packet; 0: there is nothing. */
static uint32_t piece_at(struct chip_passive *p, uint64_t address, size_t length) {
  uint32_t chunk = length < NOC_PACKET_BYTES ? (uint32_t)length : NOC_PACKET_BYTES;
  if (port_space(p, address, 1) == NOC_SPACE_REGISTERS) chunk = 4;
  return chunk > length || port_space(p, address, chunk) == NOC_SPACE_NOTHING ? 0 : chunk;
}

static bool all_there(struct chip_passive *p, uint64_t address, size_t length) {
  while (length) {
    uint32_t chunk = piece_at(p, address, length);
    if (!chunk) return false;
    address += chunk;
    length -= chunk;
  }
  return true;
}

static bool access_all(struct chip_passive *p, uint64_t address, uint8_t *in, const uint8_t *out, size_t length) {
  p->now = chip_now(p->endpoint->chip);
  p->noc = 0;
  if (!all_there(p, address, length)) return false;
  while (length) {
    uint32_t chunk = piece_at(p, address, length);
    bool done = in ? port_read(p, address, in, chunk) : port_write(p, address, out, chunk);
    if (!done) return false;
    if (in) in += chunk;
    else out += chunk;
    address += chunk;
    length -= chunk;
  }
  return true;
}

bool chip_passive_read(void *self, uint64_t address, void *bytes, size_t length) {
  return access_all(self, address, bytes, NULL, length);
}

bool chip_passive_write(void *self, uint64_t address, const void *bytes, size_t length) {
  return access_all(self, address, NULL, bytes, length);
}

enum noc_space chip_passive_space(void *self, uint64_t address, size_t length) {
  ((struct chip_passive *)self)->noc = 0;
  return length > UINT32_MAX ? NOC_SPACE_NOTHING : port_space(self, address, (uint32_t)length);
}

bool chip_passive_niu_read(void *self, unsigned noc, uint32_t offset, uint32_t *value) {
  struct chip_passive *p = self;
  p->now = chip_now(p->endpoint->chip);
  return noc_niu_read(&p->niu[noc], &port, p, offset, value);
}

bool chip_passive_niu_write(void *self, unsigned noc, uint32_t offset, uint32_t value) {
  struct chip_passive *p = self;
  p->now = chip_now(p->endpoint->chip);
  return write_niu(p, noc, offset, value);
}

struct noc_niu *chip_passive_niu(void *self, unsigned noc) {
  return &((struct chip_passive *)self)->niu[noc];
}

void chip_passive_save(const void *self, struct chip_stream *to) {
  chip_put(to, ((const struct chip_passive *)self)->niu, sizeof((const struct chip_passive *)self)->niu);
}

bool chip_passive_restore(void *self, struct chip_stream *from) {
  struct chip_passive *p = self;
  return chip_get(from, p->niu, sizeof p->niu) && noc_niu_valid(&p->niu[0]) && noc_niu_valid(&p->niu[1]);
}

uint64_t chip_passive_hash(const void *self) {
  const struct chip_passive *p = self;
  return sim_hash_bytes(p->endpoint->tile, p->niu, sizeof p->niu);
}
