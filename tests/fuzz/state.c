/* Fuzz target: damaged saved states whose checksum was recomputed. The tile rejects the state, or restores it and runs 10,000 cycles.
 *
 *   0       number of damages applied, modulo 9; divided by 9: observers (observers.h) of the tile that restores the state, from bit 3 on of the
 *           one that saved it
 *   1       cores that start and timing, as in tile.c; bit 6: the program is assembly
 *   2  3    cycles before the state is saved, little-endian
 *   4  67   eight damages: offset (4 bytes, modulo the state without L1), kind (1), one unused byte, value (2)
 *   68      the program: code for the cores, or assembly */
#include <stdlib.h>
#include <string.h>

#include "api/state.h"
#include "api/tile_value.h"
#include "observers.h"
#include "tessera/isa.h"
#include "tessera/tensix.h"

#define DAMAGES 8u
#define PROGRAM 68u
#define HEADER 40u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void load_code(struct tessera_tile *tile, const uint8_t *code, size_t size, unsigned cores) {
  for (unsigned core = 0; core < TESSERA_CORES; core++) {
    uint32_t at = 0x4000 + core * 0x1000;
    size_t from = core * 1024u < size ? core * 1024u : 0, length = size - from > 1024 ? 1024 : size - from;
    tessera_tile_write(tile, at, code + from, length);
    tessera_tile_set_reset_pc(tile, (enum tessera_core)core, at);
  }
  tessera_tile_start(tile, cores ? cores : 8u);
}

static void load_program(struct tessera_tile *tile, const uint8_t *data, size_t size) {
  if (data[1] & 0x40u) {
    struct tessera_asm *assembly = tessera_assemble("fuzz", (const char *)data + PROGRAM, size - PROGRAM);
    if (tessera_asm_error_count(assembly) == 0) tessera_tile_load_asm(tile, assembly);
    tessera_asm_destroy(assembly);
  } else {
    load_code(tile, data + PROGRAM, size - PROGRAM, data[1] & 0x1fu);
  }
}

/* Bytes and words: set, one bit flipped, incremented, decremented. */
static void damage(uint8_t *state, const uint8_t *how) {
  const size_t l1 = offsetof(struct tx_tile, l1);
  uint32_t place = (uint32_t)how[0] | (uint32_t)how[1] << 8 | (uint32_t)how[2] << 16 | (uint32_t)how[3] << 24;
  uint32_t value = (uint32_t)how[6] | (uint32_t)how[7] << 8, word;
  uint8_t *at = state + HEADER + place % (l1 - 4);
  memcpy(&word, at, sizeof word);
  switch (how[4] % 6) {
    case 0: at[0] = (uint8_t)value; return;
    case 1: at[0] = (uint8_t)(at[0] ^ 1u << value % 8); return;
    case 2: word = value; break;
    case 3: word = ~value; break;
    case 4: word++; break;
    default: word--; break;
  }
  memcpy(at, &word, sizeof word);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static struct tessera_tile *tile, *other;
  static uint8_t *state;
  static size_t room;
  if (size < PROGRAM + 4) return 0;
  if (!tile) tile = tessera_tile_create(TESSERA_TIMING_CYCLE), other = tessera_tile_create(TESSERA_TIMING_CYCLE);
  tessera_tile_reset(tile, data[1] & 0x20 ? TESSERA_TIMING_CYCLE : TESSERA_TIMING_OFF);
  fuzz_observe(tile, data[0] / (DAMAGES + 1) >> 3);
  fuzz_observe(other, data[0] / (DAMAGES + 1) & 7u);
  load_program(tile, data, size);
  tessera_tile_run(tile, (data[2] | (uint64_t)data[3] << 8) % 4096);
  size_t needed = tessera_tile_state_size(tile);
  if (needed > room) state = realloc(state, room = needed);
  if (!state || tessera_tile_save(tile, state, room) != TESSERA_OK) abort();
  for (unsigned i = 0; i < data[0] % (DAMAGES + 1); i++) damage(state, data + 4 + 8 * i);
  api_seal_state(state, needed);
  if (tessera_tile_restore(other, state, needed) != TESSERA_OK) {
    if (!(data[0] % (DAMAGES + 1))) abort(); /* this one is valid */
    return 0;
  }
  tessera_tile_run(other, 10000);
  tessera_tile_explain(other);
  tessera_tile_report(other, TESSERA_REPORT_TEXT);
  return 0;
}
