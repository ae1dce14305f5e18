/* DRAM tiles: 24 tiles over 8 controllers of 4 GiB of GDDR6. The three tiles of a controller access the same memory; each has its
 * own NIUs and overlay streams.
 *
 *   0 .. 0xFEFFFFFF          GDDR; reads and writes of bytes
 *   ....FFB20000, ....FFB30000   NIU of NoC 0 and 1, for any value of bits 63:32
 *   ....FFB40000             16 streams
 *
 * Memory is allocated by page: a page that was never written reads as zeros and costs nothing. The controller has a calendar: an
 * access occupies it in proportion to its bytes, so that all its ports together reach the bandwidth measured on silicon for one channel.
 *
 * Not simulated, and rejected by name: the RISC-V core inside (its registers, its L1 at 0x2000000000, the view of NIU_CFG_0 bit 15).
 * ISA: NoC/MemoryMap.md (Blackhole), DRAMTile (Wormhole); the vendor's dev_mem_map.h for the core's addresses. */
#include <stdlib.h>
#include <string.h>

#include "chip/internal.h"
#include "chip/kinds.h"
#include "chip/passive.h"
#include "chip/stream.h"
#include "noc/streams.h"
#include "sim/hash.h"

#define PAGE_BITS 16u
#define PAGE_BYTES (1u << PAGE_BITS)
#define TABLE_BITS 8u
#define TABLE_ENTRIES (1u << TABLE_BITS)
#define RATE_BYTES 4096u /* the unit of dram_4096_cycles */

struct table {
  uint8_t *page[TABLE_ENTRIES];
};

struct controller {
  struct table *table[TABLE_ENTRIES];
  sim_time free_at; /* the calendar: the time at which the next access can begin */
  uint32_t rest;    /* and the remaining fraction of a cycle, in 1/4096 */
};

struct dram {
  struct chip_passive passive; /* first */
  struct controller *controller;
  bool owner; /* port 0 frees, saves and hashes the controller */
  struct noc_streams streams;
};

static struct dram *dram_of(struct chip_passive *p) { return (struct dram *)p; }

/* --- pages --- */

static uint8_t *find_page(const struct controller *c, uint64_t address) {
  unsigned number = (unsigned)(address >> PAGE_BITS);
  const struct table *table = c->table[number >> TABLE_BITS];
  return table ? table->page[number & (TABLE_ENTRIES - 1)] : NULL;
}

static uint8_t *make_page(struct controller *c, uint64_t address) {
  unsigned number = (unsigned)(address >> PAGE_BITS);
  struct table **table = &c->table[number >> TABLE_BITS];
  if (!*table) *table = calloc(1, sizeof **table);
  if (!*table) return NULL;
  uint8_t **page = &(*table)->page[number & (TABLE_ENTRIES - 1)];
  if (!*page) *page = calloc(1, PAGE_BYTES);
  return *page;
}

static void free_pages(struct controller *c) {
  for (unsigned i = 0; i < TABLE_ENTRIES; i++) {
    if (!c->table[i]) continue;
    for (unsigned k = 0; k < TABLE_ENTRIES; k++) free(c->table[i]->page[k]);
    free(c->table[i]);
    c->table[i] = NULL;
  }
}

static void read_pages(const struct controller *c, uint64_t address, uint8_t *bytes, uint32_t length) {
  while (length) {
    uint32_t at = (uint32_t)address & (PAGE_BYTES - 1), chunk = PAGE_BYTES - at < length ? PAGE_BYTES - at : length;
    const uint8_t *page = find_page(c, address);
    if (page) memcpy(bytes, page + at, chunk);
    else memset(bytes, 0, chunk);
    bytes += chunk;
    address += chunk;
    length -= chunk;
  }
}

static bool write_pages(struct controller *c, uint64_t address, const uint8_t *bytes, uint32_t length) {
  while (length) {
    uint32_t at = (uint32_t)address & (PAGE_BYTES - 1), chunk = PAGE_BYTES - at < length ? PAGE_BYTES - at : length;
    uint8_t *page = make_page(c, address);
    if (!page) return false;
    memcpy(page + at, bytes, chunk);
    bytes += chunk;
    address += chunk;
    length -= chunk;
  }
  return true;
}

/* --- the address map of the NoC --- */

static bool niu_at(uint64_t address, unsigned noc, unsigned *which, uint32_t *offset) {
  uint32_t low = (uint32_t)address - CHIP_DRAM_NIU;
  (void)noc;
  *which = low / NOC_NIU_BYTES;
  *offset = low % NOC_NIU_BYTES;
  return *which < CHIP_NOCS;
}

static bool is_stream(uint64_t address) {
  return (uint32_t)address - CHIP_DRAM_STREAM < CHIP_DRAM_STREAMS * NOC_STREAM_BYTES;
}

static enum noc_space space(struct chip_passive *p, uint64_t address, uint64_t length) {
  (void)p;
  if (address < CHIP_DRAM_BYTES && length <= CHIP_DRAM_BYTES - address) return NOC_SPACE_MEMORY;
  return is_stream(address) ? NOC_SPACE_REGISTERS : NOC_SPACE_NOTHING;
}

static const char *refusal(struct chip_passive *p, uint64_t address) {
  if (p->niu[p->noc].config[NOC_CFG_NIU_0] & NOC_NIU_CFG_AXI)
    return "NIU_CFG_0 bit 15 shows the core of the DRAM tile, not simulated";
  if (address < CHIP_DRAM_BYTES || is_stream(address)) return NULL;
  if (address - CHIP_DRAM_CORE_L1 < CHIP_DRAM_CORE_L1_BYTES)
    return "the L1 of the DRAM tile's core (DRISC) is not simulated";
  if ((uint32_t)address >= CHIP_DRAM_REGISTERS) return "the registers of the DRAM tile's core (DRISC) are not simulated";
  return "the address is beyond the end of the DRAM bank, 0xFEFFFFFF";
}

static bool read_stream(struct dram *d, uint64_t address, uint8_t *bytes, uint32_t length) {
  uint32_t at = (uint32_t)address - CHIP_DRAM_STREAM, value;
  if (length != 4 || !noc_stream_read(&d->streams, at / NOC_STREAM_BYTES, at % NOC_STREAM_BYTES / 4, &value)) return false;
  for (unsigned k = 0; k < 4; k++) bytes[k] = (uint8_t)(value >> (8 * k));
  return true;
}

/* No core waits for a stream of a DRAM tile. */
static void no_listener(void *tile, unsigned stream, unsigned index) { (void)tile, (void)stream, (void)index; }

static bool write_stream(struct dram *d, uint64_t address, const uint8_t *b, uint32_t length) {
  uint32_t at = (uint32_t)address - CHIP_DRAM_STREAM;
  if (length != 4) return false;
  uint32_t value = b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
  return noc_stream_write(&d->streams, at / NOC_STREAM_BYTES, at % NOC_STREAM_BYTES / 4, value, 0xfu, no_listener, NULL);
}

static bool read(struct chip_passive *p, uint64_t address, void *bytes, uint32_t length) {
  struct dram *d = dram_of(p);
  if (is_stream(address)) return read_stream(d, address, bytes, length);
  read_pages(d->controller, address, bytes, length);
  return true;
}

static bool write(struct chip_passive *p, uint64_t address, const void *bytes, uint32_t length) {
  struct dram *d = dram_of(p);
  if (is_stream(address)) return write_stream(d, address, bytes, length);
  return write_pages(d->controller, address, bytes, length);
}

/* Serves accesses one after the other: the data of a read leaves when the controller has delivered enough that its flits
 * never wait. */
static sim_time serve(struct chip_passive *p, uint64_t address, uint32_t length, bool is_write) {
  struct controller *c = dram_of(p)->controller;
  const struct noc_times *times = &p->niu[p->noc].times;
  uint64_t work = (uint64_t)length * times->dram_4096_cycles + (c->free_at > p->now ? c->rest : 0);
  sim_time start = c->free_at > p->now ? c->free_at : p->now;
  uint32_t cycles = (uint32_t)(work / RATE_BYTES), flits = noc_flits(length);
  c->free_at = start + cycles;
  c->rest = (uint32_t)(work % RATE_BYTES);
  struct chip *chip = p->endpoint->chip;
  chip->dram_busy[p->endpoint->slot->index % CHIP_DRAMS] += cycles;
  if (chip->burst_watch && address < CHIP_DRAM_BYTES)
    chip->burst_watch(chip->burst_context, &(struct chip_burst){.start = start,
                                                                .address = address,
                                                                .cycles = cycles,
                                                                .bytes = length,
                                                                .controller = p->endpoint->slot->index,
                                                                .write = is_write});
  if (is_write) return start + times->dram_write;
  return start + times->dram_read + (cycles > flits ? cycles - flits : 0);
}

static const struct chip_passive_map map = {
    .niu = niu_at, .space = space, .read = read, .write = write, .refusal = refusal, .serve = serve};

static uint32_t take(void *self, const struct noc_packet *packet, sim_time at) {
  const struct dram *d = self;
  const struct chip *chip = d->passive.endpoint->chip;
  if (chip->memory_watch && packet->address < CHIP_DRAM_BYTES)
    chip->memory_watch(chip->memory_context, d->passive.endpoint->slot->index, packet);
  return chip_passive_take(self, packet, at);
}

/* --- life --- */

static void destroy(void *self) {
  struct dram *d = self;
  if (d->owner) {
    free_pages(d->controller);
    free(d->controller);
  }
  free(d);
}

/* Port 0 owns the controller; creating another port creates port 0 first. */
static struct controller *controller_of(struct chip *chip, const struct chip_endpoint *endpoint) {
  const struct chip_slot *slot = endpoint->slot;
  if (slot->port == 0) return calloc(1, sizeof(struct controller));
  unsigned owner = chip_tile_of_kind(chip_grid(chip), CHIP_DRAM, slot->index * CHIP_DRAM_PORTS);
  struct chip_endpoint *first = chip_endpoint(chip, owner);
  return first && first->self ? ((struct dram *)first->self)->controller : NULL;
}

static void *create(struct chip *chip, struct chip_endpoint *endpoint) {
  struct dram *d = calloc(1, sizeof *d);
  if (!d) return NULL;
  d->owner = endpoint->slot->port == 0;
  d->controller = controller_of(chip, endpoint);
  if (!d->controller) {
    free(d);
    return NULL;
  }
  chip_passive_init(&d->passive, endpoint, &map);
  return d;
}

/* Resets in place: the other ports keep their pointer to the controller. */
static void reset(struct chip *chip, struct chip_endpoint *endpoint) {
  struct dram *d = endpoint->self;
  (void)chip;
  if (d->owner) {
    free_pages(d->controller);
    d->controller->free_at = 0;
    d->controller->rest = 0;
  }
  memset(&d->streams, 0, sizeof d->streams);
  chip_passive_init(&d->passive, endpoint, &map);
}

/* --- state --- */

#define LAST_PAGE UINT32_MAX

/* The first allocated page from this number on, or LAST_PAGE. */
static uint32_t next_page(const struct controller *c, uint32_t number) {
  while (number < TABLE_ENTRIES * TABLE_ENTRIES) {
    const struct table *table = c->table[number >> TABLE_BITS];
    if (!table) number = ((number >> TABLE_BITS) + 1) << TABLE_BITS;
    else if (table->page[number & (TABLE_ENTRIES - 1)]) return number;
    else number++;
  }
  return LAST_PAGE;
}

static uint64_t key_of(const struct dram *d, uint32_t number) { return (uint64_t)d->passive.endpoint->tile << 32 | number; }

static void save_pages(const struct dram *d, struct chip_stream *to) {
  const struct controller *c = d->controller;
  for (uint32_t number = next_page(c, 0); number != LAST_PAGE; number = next_page(c, number + 1)) {
    chip_put(to, &number, sizeof number);
    chip_put_bulk(to, key_of(d, number), find_page(c, (uint64_t)number << PAGE_BITS), PAGE_BYTES, NULL);
  }
  chip_put(to, &(uint32_t){LAST_PAGE}, sizeof(uint32_t));
}

/* Frees the pages from `from` up to, not including, `to`. */
static void free_between(struct controller *c, uint32_t from, uint32_t to) {
  for (uint32_t number = next_page(c, from); number < to; number = next_page(c, number + 1)) {
    uint8_t **page = &c->table[number >> TABLE_BITS]->page[number & (TABLE_ENTRIES - 1)];
    free(*page);
    *page = NULL;
  }
}

/* Pages keep their addresses: the numbers are in ascending order. */
static bool restore_pages(struct dram *d, struct chip_stream *from) {
  struct controller *c = d->controller;
  uint32_t number, done = 0;
  while (chip_get(from, &number, sizeof number)) {
    if (number != LAST_PAGE && (number < done || number >= TABLE_ENTRIES * TABLE_ENTRIES)) return false;
    free_between(c, done, number);
    if (number == LAST_PAGE) return true;
    uint8_t *page = make_page(c, (uint64_t)number << PAGE_BITS);
    if (!page || !chip_get_bulk(from, key_of(d, number), page, PAGE_BYTES, NULL)) return false;
    done = number + 1;
  }
  return false;
}

static void save(const void *self, struct chip_stream *to) {
  const struct dram *d = self;
  chip_passive_save(self, to);
  chip_put(to, &d->streams, sizeof d->streams);
  if (!d->owner) return;
  chip_put(to, &d->controller->free_at, sizeof d->controller->free_at);
  chip_put(to, &d->controller->rest, sizeof d->controller->rest);
  save_pages(d, to);
}

static bool restore(void *self, struct chip_stream *from) {
  struct dram *d = self;
  if (!chip_passive_restore(self, from) || !chip_get(from, &d->streams, sizeof d->streams)) return false;
  if (!d->owner) return true;
  return chip_get(from, &d->controller->free_at, sizeof d->controller->free_at) &&
         chip_get(from, &d->controller->rest, sizeof d->controller->rest) && restore_pages(d, from);
}

static uint64_t hash(const void *self) {
  const struct dram *d = self;
  uint64_t h = sim_hash_bytes(chip_passive_hash(self), &d->streams, sizeof d->streams);
  if (!d->owner) return h;
  h = sim_hash_bytes(h, &d->controller->free_at, sizeof d->controller->free_at);
  for (uint32_t number = 0; number < TABLE_ENTRIES * TABLE_ENTRIES; number++) {
    if (!d->controller->table[number >> TABLE_BITS]) {
      number |= TABLE_ENTRIES - 1;
      continue;
    }
    const uint8_t *page = find_page(d->controller, (uint64_t)number << PAGE_BITS);
    if (page) h = sim_hash_bytes(sim_hash_bytes(h, &number, sizeof number), page, PAGE_BYTES);
  }
  return h;
}

const struct chip_endpoint_ops chip_dram_ops = {
    .name = "DRAM",
    .create = create,
    .destroy = destroy,
    .reset = reset,
    .take = take,
    .read = chip_passive_read,
    .write = chip_passive_write,
    .space = chip_passive_space,
    .niu = chip_passive_niu,
    .save = save,
    .restore = restore,
    .hash = hash,
};
