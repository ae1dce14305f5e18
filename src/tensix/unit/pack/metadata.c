/* The records of metadata.h. */
#include "tensix/unit/pack/metadata.h"

#include <string.h>

#include "tensix/machine.h"

void tx_pack_clear_histogram(struct tx_tile *t) {
  for (unsigned i = 0; i < TX_PACKERS; i++)
    memset(t->pack_stats.packer[i].exponent_histogram, 0, sizeof t->pack_stats.packer[i].exponent_histogram);
  t->pack_stats.exponent_histogram_max = 0;
}

/* ISA: TDMA-RISC.md */
/* Cores may be parked on polls of TDMA-RISC's words about packer 0: sizes of three threads, flags, the state of the FIFO. */
static void poke_registers(struct tx_tile *t) {
  if (t->engine.parked) sim_poke_range(&t->engine, TX_ADDR_TDMA + 0x18, 0x100 - 0x18);
}

void tx_pack_metadata_publish(struct tx_tile *t, const struct tx_pack_batch *b) {
  struct tx_pack *p = &t->pack;
  struct tx_pack_stats_of *stats = &t->pack_stats.packer[0];
  unsigned thread = b->agent - TX_AGENT_THREAD0;
  tx_assert(thread < TX_THREADS && p->metadata_count <= TX_PACK_METADATA);
  stats->last_tile_size = (uint16_t)b->tile_size;
  stats->last_thread = (uint8_t)thread;
  stats->all_zero_flags = b->all_zero_flags;
  stats->acc_tile_size[thread] = (uint16_t)(stats->acc_tile_size[thread] + b->tile_size + b->add_header);
  poke_registers(t);
  if (!b->out_fifo || p->metadata_count == TX_PACK_METADATA) return;
  p->metadata[p->metadata_count].tile_size = b->tile_size;
  p->metadata[p->metadata_count].all_zero_flags = b->all_zero_flags;
  p->metadata_count++;
  tx_signal(t, TX_CH_UNIT + TX_UNIT_PACK);
}

/* ISA: TDMA-RISC.md, ResetPackerAccTileSize */
void tx_pack_metadata_set_offset(struct tx_tile *t, uint32_t value) {
  if (!(value >> 16 & 1u)) return; /* packers 1 to 3 do not exist */
  memset(t->pack_stats.packer[0].acc_tile_size, 0, sizeof t->pack_stats.packer[0].acc_tile_size);
  t->pack.l1_dest_addr_offset = (uint16_t)value;
  poke_registers(t);
}

bool tx_pack_metadata_read(struct tx_tile *t, bool pop, uint32_t *tile_size, uint32_t *all_zero_flags) {
  struct tx_pack *p = &t->pack;
  if (!p->metadata_count) return false;
  *tile_size = p->metadata[0].tile_size;
  *all_zero_flags = p->metadata[0].all_zero_flags;
  if (pop) {
    p->metadata_count--;
    memmove(&p->metadata[0], &p->metadata[1], (TX_PACK_METADATA - 1) * sizeof p->metadata[0]);
    poke_registers(t);
  }
  return true;
}
