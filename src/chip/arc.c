/* The ARC tile: the interface of the management firmware to hosts and kernels after it has booted. The firmware itself is not simulated.
 *
 *   0x80030000  reset unit: scratch registers, reference clock, the doorbell
 *   0x10000000  memory: telemetry table and values, message queues
 *
 *   SCRATCH_RAM[2] boot status, [11] -> queue control block, [12] -> telemetry values, [13] -> telemetry table
 *   table: version, count, then words tag | index << 16; the value is values[index]
 *   control block: base of the queues, entries | queues << 8
 *   a queue: 32-byte header (request wptr 0x00, response rptr 0x04, request rptr 0x10, response wptr 0x14, all modulo 2 * entries),
 *            then entries x 32-byte requests, then entries x 32-byte responses
 *
 * A write of bit 16 to ARC_MISC_CNTL makes the ARC answer all queued messages at once.
 * Sources: tt-zephyr-platforms (telemetry.h, msgqueue.c), tt-umd's Blackhole ARC code. */
#include <stdlib.h>
#include <string.h>

#include "chip/kinds.h"
#include "chip/passive.h"
#include "chip/service.h"
#include "chip/stream.h"
#include "chips/blackhole/arc_map.h"
#include "sim/hash.h"

struct arc {
  struct chip_passive passive; /* first */
  uint32_t unit[CHIP_ARC_UNIT_BYTES / 4];
  uint8_t memory[CHIP_ARC_MEMORY_BYTES];
};

static struct arc *arc_of(struct chip_passive *p) { return (struct arc *)p; }

static uint32_t get_word(const struct arc *a, uint32_t at) {
  const uint8_t *b = &a->memory[at];
  return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static void put_word(struct arc *a, uint32_t at, uint32_t value) {
  for (unsigned k = 0; k < 4; k++) a->memory[at + k] = (uint8_t)(value >> (8 * k));
}

/* --- telemetry --- */

enum tag {
#define TELEMETRY(tag, name, value) TAG_##name = tag,
#include "chips/blackhole/telemetry.def"
#undef TELEMETRY
};

/* The board type is in bits 36 and up of the board id: tt-umd, board types. */
static uint32_t board_type(const struct chip_harvest *h) {
  if (h->pcie == 1) return ARC_BOARD_P100;
  unsigned bad = 0;
  for (uint32_t mask = h->tensix; mask; mask &= mask - 1) bad++;
  return bad == 1 ? ARC_BOARD_GALAXY : ARC_BOARD_P150;
}

static uint32_t trained_drams(const struct chip_harvest *h) {
  uint32_t value = 0;
  for (unsigned i = 0; i < CHIP_DRAMS; i++)
    if (!(h->dram >> i & 1u)) value |= 1u << (2 * i);
  return value;
}

static uint32_t heartbeat(const struct arc *a) { return 1u + (uint32_t)(a->passive.now >> ARC_HEARTBEAT_SHIFT); }

static uint32_t index_of(enum tag tag) {
  static const uint32_t tags[] = {
#define TELEMETRY(number, name, value) number,
#include "chips/blackhole/telemetry.def"
#undef TELEMETRY
  };
  uint32_t index = 0;
  while (tags[index] != tag) index++;
  return index;
}

static void fill_telemetry(struct arc *a, const struct chip_config *config) {
  const struct chip_harvest *h = &config->harvest;
  const struct chip_identity *own = &config->identity;
  const uint64_t board = own->board ? own->board : (uint64_t)board_type(h) << ARC_BOARD_SHIFT | 1u;
  const uint64_t asic = own->board ? own->asic : 1u;
  const uint32_t BOARD_ID_HIGH = (uint32_t)(board >> 32), BOARD_ID_LOW = (uint32_t)board;
  const uint32_t ASIC_ID_HIGH = (uint32_t)(asic >> 32), ASIC_ID_LOW = (uint32_t)asic, ASIC_LOCATION = own->location;
  const uint32_t AICLK = ARC_AICLK_IDLE, HEARTBEAT = 1;
  const uint32_t ENABLED_TENSIX = ~(uint32_t)h->tensix & ((1u << CHIP_COLUMNS) - 1),
                 ENABLED_ETH = ~(uint32_t)h->ethernet & ((1u << CHIP_COLUMNS) - 1);
  const uint32_t ENABLED_GDDR = ~(uint32_t)h->dram & ((1u << CHIP_DRAMS) - 1), GDDR_TRAINED = trained_drams(h),
                 PCIE_USAGE = 1u << (2 * h->pcie);
  const uint32_t words[][2] = {
#define FIXED(n) (n)
#define TELEMETRY(tag, name, value) {tag, value},
#include "chips/blackhole/telemetry.def"
#undef TELEMETRY
#undef FIXED
  };
  const uint32_t count = sizeof words / sizeof *words;
  for (uint32_t i = 0; i < count; i++) {
    put_word(a, ARC_TABLE + 8 + 4 * i, words[i][0] | i << 16);
    put_word(a, ARC_VALUES + 4 * i, words[i][1]);
  }
  put_word(a, ARC_TABLE, ARC_TABLE_VERSION);
  put_word(a, ARC_TABLE + 4, count);
}

static void set_aiclk(struct arc *a, uint32_t mhz) { put_word(a, ARC_VALUES + 4 * index_of(TAG_AICLK), mhz); }

/* --- messages --- */

/* Word 0: code in [7:0]; the answer's word 0: status in [7:0], result in [31:16]. */
static void answer(struct arc *a, const uint32_t request[8], uint32_t response[8]) {
  memset(response, 0, ARC_MESSAGE_BYTES);
  switch (request[0] & 0xffu) {
    case ARC_MSG_TEST: response[1] = request[1] + 1; break;
    case ARC_MSG_GO_BUSY: set_aiclk(a, ARC_AICLK_BUSY); break;
    case ARC_MSG_GO_SHORT_IDLE:
    case ARC_MSG_GO_LONG_IDLE: set_aiclk(a, ARC_AICLK_IDLE); break;
    case ARC_MSG_GET_AICLK: response[1] = get_word(a, ARC_VALUES + 4 * index_of(TAG_AICLK)); break;
    case ARC_MSG_DEASSERT_RISCV_RESET:
    case ARC_MSG_POWER_SETTING: break; /* no effect in this model */
    default: response[0] = ARC_STATUS_UNKNOWN; break;
  }
}

static void drain_queue(struct arc *a, uint32_t queue) {
  uint32_t wptr = get_word(a, queue) % (2 * ARC_QUEUE_ENTRIES), rptr = get_word(a, queue + 0x10) % (2 * ARC_QUEUE_ENTRIES);
  uint32_t answered = get_word(a, queue + 0x14) % (2 * ARC_QUEUE_ENTRIES);
  while (rptr != wptr) {
    uint32_t taken = get_word(a, queue + 4) % (2 * ARC_QUEUE_ENTRIES), request[8], response[8];
    /* full: the host must read first */
    if ((answered + 2 * ARC_QUEUE_ENTRIES - taken) % (2 * ARC_QUEUE_ENTRIES) == ARC_QUEUE_ENTRIES) break;
    uint32_t from = queue + ARC_QUEUE_HEADER + rptr % ARC_QUEUE_ENTRIES * ARC_MESSAGE_BYTES;
    uint32_t to = queue + ARC_QUEUE_HEADER + (ARC_QUEUE_ENTRIES + answered % ARC_QUEUE_ENTRIES) * ARC_MESSAGE_BYTES;
    for (unsigned i = 0; i < 8; i++) request[i] = get_word(a, from + 4 * i);
    answer(a, request, response);
    for (unsigned i = 0; i < 8; i++) put_word(a, to + 4 * i, response[i]);
    rptr = (rptr + 1) % (2 * ARC_QUEUE_ENTRIES);
    answered = (answered + 1) % (2 * ARC_QUEUE_ENTRIES);
  }
  put_word(a, queue + 0x10, rptr);
  put_word(a, queue + 0x14, answered);
}

/* --- the address map of the NoC --- */

static bool in_unit(uint64_t address) { return address - CHIP_ARC_UNIT < CHIP_ARC_UNIT_BYTES; }

static enum noc_space space(struct chip_passive *p, uint64_t address, uint64_t length) {
  (void)p;
  if (address >= CHIP_ARC_MEMORY && address + length <= CHIP_ARC_MEMORY + CHIP_ARC_MEMORY_BYTES) return NOC_SPACE_MEMORY;
  return in_unit(address) ? NOC_SPACE_REGISTERS : NOC_SPACE_NOTHING;
}

static const char *refusal(struct chip_passive *p, uint64_t address) {
  if (space(p, address, 1) != NOC_SPACE_NOTHING) return NULL;
  return "of the ARC tile only scratch registers, telemetry and message queues are simulated";
}

static uint32_t read_unit(struct arc *a, uint32_t offset) {
  uint64_t clock = a->passive.now / ARC_AICLK_PER_REFERENCE;
  if (offset == ARC_REFERENCE_CLOCK) return (uint32_t)clock;
  if (offset == ARC_REFERENCE_CLOCK + 4) return (uint32_t)(clock >> 32);
  return a->unit[offset / 4];
}

static bool read(struct chip_passive *p, uint64_t address, void *bytes, uint32_t length) {
  struct arc *a = arc_of(p);
  if (!in_unit(address)) {
    put_word(a, ARC_VALUES + 4 * index_of(TAG_TIMER_HEARTBEAT), heartbeat(a));
    memcpy(bytes, &a->memory[address - CHIP_ARC_MEMORY], length);
    return true;
  }
  if (length != 4 || address & 3u) return false;
  uint32_t value = read_unit(a, (uint32_t)(address - CHIP_ARC_UNIT));
  for (unsigned k = 0; k < 4; k++) ((uint8_t *)bytes)[k] = (uint8_t)(value >> (8 * k));
  return true;
}

static bool write(struct chip_passive *p, uint64_t address, const void *bytes, uint32_t length) {
  struct arc *a = arc_of(p);
  const uint8_t *b = bytes;
  if (!in_unit(address)) {
    memcpy(&a->memory[address - CHIP_ARC_MEMORY], bytes, length);
    return true;
  }
  if (length != 4 || address & 3u) return false;
  uint32_t offset = (uint32_t)(address - CHIP_ARC_UNIT);
  uint32_t value = b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
  if (offset == ARC_MISC_CNTL && value & ARC_MISC_CNTL_DOORBELL) {
    for (unsigned i = 0; i < ARC_QUEUES; i++) drain_queue(a, ARC_QUEUES_AT + i * ARC_QUEUE_BYTES);
    value &= ~ARC_MISC_CNTL_DOORBELL;
  }
  a->unit[offset / 4] = value;
  return true;
}

static const struct chip_passive_map map = {
    .niu = chip_niu_at_top, .space = space, .read = read, .write = write, .refusal = refusal};

/* --- life and state --- */

static void *create(struct chip *chip, struct chip_endpoint *endpoint) {
  struct arc *a = calloc(1, sizeof *a);
  if (!a) return NULL;
  chip_passive_init(&a->passive, endpoint, &map);
  a->unit[ARC_SCRATCH_RAM / 4 + 2] = ARC_BOOT_STATUS_READY;
  a->unit[ARC_SCRATCH_RAM / 4 + 11] = CHIP_ARC_MEMORY + ARC_CONTROL_BLOCK;
  a->unit[ARC_SCRATCH_RAM / 4 + 12] = CHIP_ARC_MEMORY + ARC_VALUES;
  a->unit[ARC_SCRATCH_RAM / 4 + 13] = CHIP_ARC_MEMORY + ARC_TABLE;
  put_word(a, ARC_CONTROL_BLOCK, CHIP_ARC_MEMORY + ARC_QUEUES_AT);
  put_word(a, ARC_CONTROL_BLOCK + 4, ARC_QUEUE_ENTRIES | ARC_QUEUES << 8);
  fill_telemetry(a, chip_config(chip));
  return a;
}

static void save(const void *self, struct chip_stream *to) {
  const struct arc *a = self;
  chip_passive_save(self, to);
  chip_put(to, a->unit, sizeof a->unit);
  chip_put(to, a->memory, sizeof a->memory);
}

static bool restore(void *self, struct chip_stream *from) {
  struct arc *a = self;
  return chip_passive_restore(self, from) && chip_get(from, a->unit, sizeof a->unit) &&
         chip_get(from, a->memory, sizeof a->memory);
}

static uint64_t hash(const void *self) {
  const struct arc *a = self;
  uint64_t h = sim_hash_bytes(chip_passive_hash(self), a->unit, sizeof a->unit);
  return sim_hash_bytes(h, a->memory, sizeof a->memory);
}

const struct chip_endpoint_ops chip_arc_ops = {
    .name = "ARC",
    .create = create,
    .destroy = free,
    .take = chip_passive_take,
    .read = chip_passive_read,
    .write = chip_passive_write,
    .space = chip_passive_space,
    .niu = chip_passive_niu,
    .save = save,
    .restore = restore,
    .hash = hash,
};
