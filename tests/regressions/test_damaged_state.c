/* Saved states with one field that no tile can have and a checksum that was recomputed: each is rejected by its block, and the tile keeps
 * its state. Formerly they were accepted, and the tile later accessed its arrays out of bounds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "api/state.h"
#include "api/tile_value.h"

#define HEADER 40u

struct damage {
  const char *block;
  size_t at, bytes;
  uint64_t value;
};

#define DAMAGE(block, field, value) \
  { block, offsetof(struct tx_tile, field), sizeof(((struct tx_tile *)0)->field), value }

static const struct damage damages[] = {
    DAMAGE("parameters", l1_bytes, 0xffffffffu),
    DAMAGE("parameters", params.fifo2_capacity, 4000),
    DAMAGE("fault", fault.kind, 77),
    DAMAGE("engine", engine.effect_count, 100000),
    DAMAGE("engine", engine.agents_used, 65),
    DAMAGE("engine", engine.agent_count, 64),
    DAMAGE("engine", engine.agents[3].park_count, 5),
    DAMAGE("engine", engine.agents[3].state, 9),
    DAMAGE("engine", engine.parked, 1),
    DAMAGE("engine", engine.in_effects, 1),
    DAMAGE("front ends", frontend[0].fifo1.head, 32),
    DAMAGE("front ends", frontend[1].fifo3.count, 33),
    DAMAGE("front ends", frontend[2].plain_behind, 1),
    DAMAGE("front ends", frontend[0].replay.index, 32),
    DAMAGE("front ends", frontend[0].stepped, UINT64_MAX),
    DAMAGE("gates", gate[0].latch.opcode, 3),
    DAMAGE("gates", gate[2].accesses, 1),
    DAMAGE("gates", arbiter.last[4], 3),
    DAMAGE("cores", core[0].retire_next, 8),
    DAMAGE("cores", core[0].retire_pad, 1),
    DAMAGE("cores", core[3].queue_count, 5),
    DAMAGE("cores", core[1].l1_under_way, 1),
    DAMAGE("cores", core[4].fetch.slot, 256),
    DAMAGE("cores", port[2].pending[1], 1),
    DAMAGE("findings", diag.finding_count, 65),
    DAMAGE("semaphores", sync.sem[2].width, 0),
    DAMAGE("semaphores", sync.mutex_holder[0], 3),
    DAMAGE("counters", rwc[1].srca, 64),
    DAMAGE("configuration", config.reads[1].index, 224),
    DAMAGE("scalar unit", scalar.outstanding[0], 1),
    DAMAGE("scalar unit", scalar.gpr_pending[2][7], 1),
    DAMAGE("scalar unit", scalar.waiting_word, 0x12345678u),
    DAMAGE("Src", src.matrix_bank[1], 2),
    DAMAGE("Src", dst.valid[77], TX_DST_STATES),
    DAMAGE("vector unit", vector.slot_base, 8),
    DAMAGE("vector unit", vector.slots[1][2][3].columns, 1),
    DAMAGE("unpackers", unpack.jobs[1], 5),
    DAMAGE("unpackers", unpack.inside[0][2], 1),
    DAMAGE("mover", mover.busy, 1),
    DAMAGE("mover", mover.commands, 5),
    DAMAGE("packer", pack.first, 16),
    DAMAGE("packer", pack.count, 1),
    DAMAGE("packer", pack.compress.in_group, 32),
    DAMAGE("ranges in flight", niu[0].claims[2], 9),
    DAMAGE("ranges in flight", inflight.used, 1),
    DAMAGE("mailboxes", mailboxes.box[1][2].head, 4),
    DAMAGE("mailboxes", pcbufs.backlog.count, 5),
    DAMAGE("NIUs", niu[1].fifo_count[3], 9),
    DAMAGE("NIUs", niu[0].queue, 0x88u),
    DAMAGE("NIUs", niu[0].loop[1].packet.next, 0x1000),
    DAMAGE("L1 ports", l1_ports.read_next[1], 6),
    DAMAGE("L1 ports", l1_ports.stream_next[0], TX_L1_PLANNED),
    DAMAGE("L1 ports", l1_ports.stream[1][2].until, 5),
    DAMAGE("watches", watch[3].kind, 4),
};

static void every_damage_is_refused(void **state) {
  static const uint32_t words[3] = {0x02000000, 0x02000000, 0x02000000};
  struct tessera_tile *tile = tessera_tile_create(TESSERA_TIMING_CYCLE), *other = tessera_tile_create(TESSERA_TIMING_CYCLE);
  (void)state;
  tessera_tile_push(tile, 0, words, 3);
  assert_int_equal(tessera_tile_run(tile, 5), TESSERA_LIMIT);
  size_t size = tessera_tile_state_size(tile);
  unsigned char *saved = malloc(size), *bytes = malloc(size + 1);
  uint64_t hash = tessera_tile_hash(other);
  assert_int_equal(tessera_tile_save(tile, saved, size), TESSERA_OK);
  for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
    const struct damage *d = &damages[i];
    unsigned char *damaged = bytes + i % 2; /* the caller may keep it anywhere */
    memcpy(damaged, saved, size);
    memcpy(damaged + HEADER + d->at, &d->value, d->bytes);
    api_seal_state(damaged, size);
    if (tessera_tile_restore(other, damaged, size) != TESSERA_REFUSED) fail_msg("damage %zu (%s) was taken", i, d->block);
    if (!strstr(tessera_tile_error(other), d->block))
      fail_msg("damage %zu: \"%s\" does not name %s", i, tessera_tile_error(other), d->block);
    assert_true(tessera_tile_hash(other) == hash);
  }
  api_seal_state(saved, size);
  assert_int_equal(tessera_tile_restore(other, saved, size), TESSERA_OK);
  assert_int_equal(tessera_tile_run(other, 1000), TESSERA_DONE);
  free(saved);
  free(bytes);
  tessera_tile_destroy(tile);
  tessera_tile_destroy(other);
}

/* A stop by ebreak with an unrecorded fault: the run never ended. */
static void a_fault_beside_a_pause_ends_the_run(void **state) {
  struct tessera_tile *tile = tessera_tile_create(TESSERA_TIMING_CYCLE);
  (void)state;
  size_t size = tessera_tile_state_size(tile);
  unsigned char *saved = malloc(size);
  assert_int_equal(tessera_tile_save(tile, saved, size), TESSERA_OK);
  const uint32_t kind = SIM_FAULT_ADDRESS, stop = SIM_PAUSE;
  memcpy(saved + HEADER + offsetof(struct tx_tile, fault.kind), &kind, sizeof kind);
  memcpy(saved + HEADER + offsetof(struct tx_tile, engine.stop), &stop, sizeof stop);
  api_seal_state(saved, size);
  assert_int_equal(tessera_tile_restore(tile, saved, size), TESSERA_OK);
  assert_int_equal(tessera_tile_run(tile, 1000), TESSERA_FAULT);
  free(saved);
  tessera_tile_destroy(tile);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_damage_is_refused),
                                     cmocka_unit_test(a_fault_beside_a_pause_ends_the_run)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
