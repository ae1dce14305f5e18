/* Access of the matrix unit to its registers: rows, interlocks, release of banks, banks decoded for vector code.
 *
 * A block of eight Dst rows cannot be used for dst_block_busy cycles after a write; an instruction that needs it stalls
 * the unit (Dst.md: 5 cycles, readers only; silicon: 6, writers too, and blocks 64 apart are treated as one). MOVA2D and
 * MOVB2D have their own rule instead (matrix.h). */
#include "tensix/unit/matrix/access.h"

#include "tensix/regs/src.h"
#include "tensix/unit/matrix/matrix.h"

#define MOVED_CYCLES \
  4u /* from a write until an unguarded reader gets it: three cycles between. ISA: MOVA2D.md, SFPLOAD.md */

#define RELEASE_WAIT_CYCLES 1024u /* timing off: the length of a turn */

/* --- Dst --- */

struct blocks {
  uint64_t set[2]; /* a bit per aligned block of eight physical rows */
};

static void add_block(struct blocks *blocks, unsigned physical_row) {
  unsigned block = physical_row / 8u;
  tx_assert(block < TX_DST_BLOCKS);
  blocks->set[block / 64u] |= UINT64_C(1) << (block % 64u);
}

static sim_time latest(const sim_time until[TX_DST_BLOCKS], const struct blocks *blocks) {
  sim_time at = 0;
  for (unsigned half = 0; half < 2; half++)
    for (uint64_t left = blocks->set[half]; left; left &= left - 1) {
      sim_time t = until[64u * half + (unsigned)__builtin_ctzll(left)];
      if (t > at) at = t;
    }
  return at;
}

/* The interlock compares block numbers without their top bit (inferred from silicon, see params.def): adds the aliases of
 * these blocks. */
static struct blocks with_aliases(const struct tx_tile *t, struct blocks blocks) {
  if (t->params.dst_alias_blocks == 64) blocks.set[0] = blocks.set[1] = blocks.set[0] | blocks.set[1];
  return blocks;
}

static void set_until(sim_time until[TX_DST_BLOCKS], const struct blocks *blocks, sim_time at) {
  for (unsigned half = 0; half < 2; half++)
    for (uint64_t left = blocks->set[half]; left; left &= left - 1) until[64u * half + (unsigned)__builtin_ctzll(left)] = at;
}

/* The usual case: one block, or one of the 32-bit view with its low halves in the next, and no move and no SFPSTORE whose data
 * would be read too soon. false: nothing done, see interlock. */
bool tx_matrix_interlock_block(struct tx_tile *t, unsigned block, bool wide, unsigned use, struct tx_cost *cost) {
  struct tx_dst *dst = &t->dst;
  const unsigned other = block + wide;
  tx_assert(other < TX_DST_BLOCKS);
  const sim_time now = tx_now(t);
  if (use & TX_DST_READS) {
    if (dst->mov_until[block] > now || dst->sfpu_until[block] > now) return false;
    if (dst->mov_until[other] > now || dst->sfpu_until[other] > now) return false;
  }
  sim_time busy = dst->busy_until[block];
  if (dst->busy_until[other] > busy) busy = dst->busy_until[other];
  if (t->params.dst_alias_blocks == 64) {
    if (dst->busy_until[block ^ 64u] > busy) busy = dst->busy_until[block ^ 64u];
    if (dst->busy_until[other ^ 64u] > busy) busy = dst->busy_until[other ^ 64u];
  }
  if (busy > now && busy - now > cost->hold) cost->hold = (uint32_t)(busy - now);
  if (!(use & TX_DST_WRITES)) return true;
  const sim_time start = now + cost->hold;
  if (use & TX_DST_BY_MOVE) {
    dst->mov_until[block] = dst->mov_until[other] = t->matrix.movdst_until = start + MOVED_CYCLES;
  } else {
    dst->busy_until[block] = dst->busy_until[other] = start + t->params.dst_block_busy;
    dst->fpu_until[block] = dst->fpu_until[other] = start + MOVED_CYCLES;
  }
  return true;
}

static void interlock(struct tx_tile *t, const struct blocks *blocks, unsigned use, struct tx_cost *cost) {
  if (!t->timing) return;
  struct blocks compared = with_aliases(t, *blocks);
  sim_time now = tx_now(t), busy = latest(t->dst.busy_until, &compared);
  if (busy > now && busy - now > cost->hold) cost->hold = (uint32_t)(busy - now);
  sim_time start = now + cost->hold;
  /* Hardware stalls some instructions after MOVA2D and MOVB2D; ELWADD and ELWSUB are not among them. */
  if ((use & TX_DST_READS) && latest(t->dst.mov_until, blocks) > start)
    tx_diag(t, TX_DIAG_DST_READ_TOO_SOON, "within 3 cycles of MOVA2D or MOVB2D to the same block");
  if ((use & TX_DST_READS) && latest(t->dst.sfpu_until, blocks) > start)
    tx_diag(t, TX_DIAG_DST_READ_TOO_SOON, "within %u cycles of SFPSTORE to the same block", TX_DST_SFPU_CYCLES);
  if (!(use & TX_DST_WRITES)) return;
  if (use & TX_DST_BY_MOVE) {
    set_until(t->dst.mov_until, blocks, start + MOVED_CYCLES);
    t->matrix.movdst_until = start + MOVED_CYCLES;
  } else {
    set_until(t->dst.busy_until, blocks, start + t->params.dst_block_busy);
    set_until(t->dst.fpu_until, blocks, start + MOVED_CYCLES);
  }
}

static bool any_row_written(const struct tx_tile *t) {
  for (unsigned row = 0; row < TX_DST_ROWS; row++)
    if (t->dst.valid[row] == TX_DST_VALID16 || t->dst.valid[row] == TX_DST_VALID32) return true;
  return false;
}

static void check_map(struct tx_tile *t, struct tx_dst_map map) {
  uint8_t now = (uint8_t)(map.remap | map.swizzle << 1);
  if (now == t->matrix.dst_map) return;
  if (any_row_written(t)) tx_diag(t, TX_DIAG_DST_REMAP_LIVE, "remap %u, swizzle %u", map.remap, map.swizzle);
  t->matrix.dst_map = now;
}

static void check_read(struct tx_tile *t, uint32_t row, uint8_t state, bool wide) {
  if (state == TX_DST_POWER_ON)
    tx_diag(t, TX_DIAG_DST_UNDEFINED_READ, "row %u has not been written or cleared since power-on", row);
  else if (state == (wide ? TX_DST_VALID16 : TX_DST_VALID32))
    tx_diag(t, TX_DIAG_DST_VIEW_MIXED, "row %u was written in the %u-bit view", row, wide ? 16 : 32);
  else if (state == TX_DST_EVEN || state == TX_DST_ODD)
    tx_diag(t, TX_DIAG_DST_PARTIAL_WRITE, "row %u is read, and SFPSTORE wrote only its %s columns since it was cleared", row,
            state == TX_DST_EVEN ? "even" : "odd");
}

/* The view of the next reader. Bits written over a half of a 32-bit row leave a 32-bit row. */
static void mark_written(uint8_t *state, const struct tx_dst_request *request) {
  if (request->wide) *state = TX_DST_VALID32;
  else if (!(request->use & TX_DST_HALVES) || *state != TX_DST_VALID32) *state = TX_DST_VALID16;
}

void tx_matrix_interlock_rows(struct tx_tile *t, unsigned first, bool wide, unsigned use, struct tx_cost *cost) {
  if (tx_matrix_interlock_block(t, first / 8u, wide, use, cost)) return;
  struct blocks blocks = {{0, 0}};
  add_block(&blocks, first);
  if (wide) add_block(&blocks, first + 8);
  interlock(t, &blocks, use, cost);
}

/* Rows of one block. false: the caller checks and reports row by row. */
static bool use_block(struct tx_tile *t, struct tx_dst_map map, const struct tx_dst_request *request, struct tx_cost *cost,
                      struct num_fpu_rows *rows) {
  const uint32_t row = request->row, count = request->count;
  const bool wide = request->wide;
  if (!tx_matrix_in_block(map, request)) return false;
  const unsigned first = wide ? tx_dst_map32(map, row) : tx_dst_map16(map, row);
  const uint8_t written = wide ? TX_DST_VALID32 : TX_DST_VALID16;
  uint8_t *state = &t->dst.valid[first];
  for (uint32_t i = 0; (request->use & TX_DST_READS) && i < count; i++)
    if (state[i] != written && state[i] != TX_DST_UNDEFINED) return false;
  for (uint32_t i = 0; i < count; i++) {
    rows->high[i] = t->dst.bits[first + i];
    rows->low[i] = wide ? t->dst.bits[first + 8 + i] : NULL;
    rows->defined[i] = state[i] != TX_DST_UNDEFINED;
    if (request->use & TX_DST_WRITES) mark_written(&state[i], request);
  }
  if (t->timing) tx_matrix_interlock_rows(t, first, request->wide, request->use, cost);
  return true;
}

void tx_matrix_use_rows(struct tx_tile *t, const struct tx_dst_request *request, struct tx_cost *cost,
                        struct num_fpu_rows *rows) {
  uint32_t row = request->row, count = request->count;
  bool wide = request->wide;
  unsigned use = request->use;
  struct tx_dst_map map = tx_dst_map(t);
  check_map(t, map);
  tx_assert(count <= sizeof rows->high / sizeof *rows->high);
  rows->count = count;
  if (use_block(t, map, request, cost, rows)) return;
  struct blocks blocks = {{0, 0}};
  for (uint32_t i = 0; i < count; i++, row += request->step) {
    unsigned high = wide ? tx_dst_map32(map, row) : tx_dst_map16(map, row);
    tx_assert(high + (wide ? 8 : 0) < TX_DST_ROWS);
    uint8_t state = t->dst.valid[high];
    rows->high[i] = t->dst.bits[high];
    rows->low[i] = wide ? t->dst.bits[high + 8] : NULL;
    rows->defined[i] = state != TX_DST_UNDEFINED;
    add_block(&blocks, high);
    if (wide) add_block(&blocks, high + 8);
    if ((use & TX_DST_READS) && state != (wide ? TX_DST_VALID32 : TX_DST_VALID16)) check_read(t, row, state, wide);
    if (use & TX_DST_WRITES) mark_written(&t->dst.valid[high], request);
  }
  interlock(t, &blocks, use, cost);
}

/* --- after the data step --- */

void tx_matrix_release(struct tx_tile *t, unsigned thread, uint32_t clear_dvalid, const struct tx_cost *cost) {
  for (unsigned which = TX_SRCA; which <= TX_SRCB; which++)
    if (clear_dvalid & 1u << which)
      tx_src_release_after(t, (enum tx_src_which)which, 1 + cost->hold,
                           tx_src_release_mode(t, thread, (enum tx_src_which)which));
}

/* --- entry: instructions that the unit does not accept yet --- */

static bool reads_dst_guarded(uint32_t opcode) {
  switch (opcode) { /* ISA: MOVA2D.md, MOVB2D.md; the legacy 3S1 and 3S2 forms fault */
    case TX_MOVD2A:
    case TX_MOVD2B:
    case TX_ELWMUL:
    case TX_MVMUL:
    case TX_DOTPV:
    case TX_GMPOOL:
    case TX_GAPOOL: return true;
    default: return false;
  }
}

/* Banks that the instruction releases without having waited for them, and that the matrix unit does not own. */
static unsigned releases_unowned(const struct tx_tile *t, uint32_t word) {
  unsigned banks = 0;
  if (word >> 24 == TX_SETRWC) banks = TX_FIELD(word, SETRWC, clear_ab_vld);
  else if (word >> 24 == TX_CLEARDVALID) banks = TX_FIELD(word, CLEARDVALID, cleardvalid);
  if (tx_src_matrix_owns(&t->src, TX_SRCA)) banks &= ~(1u << TX_SRCA);
  if (tx_src_matrix_owns(&t->src, TX_SRCB)) banks &= ~(1u << TX_SRCB);
  return banks & 3u;
}

/* Timing off. SETRWC releases a bank without waiting for it (ISA: SETRWC.md). The vendor's copy of a data tile to Dst waits
 * for SrcA only and also releases SrcB, for which the unpack thread issues an UNPACR_NOP: on hardware that always arrives
 * in time. With turns the unpack thread may be paused meanwhile, so the instruction waits for it up to the length of a
 * turn. */
static void wait_for_unpacker(struct tx_tile *t, uint32_t word, struct tx_answer *answer) {
  struct tx_matrix *m = &t->matrix;
  unsigned banks = releases_unowned(t, word);
  if (banks && !m->release_by) m->release_by = tx_now(t) + RELEASE_WAIT_CYCLES;
  if (!banks || tx_now(t) >= m->release_by) {
    m->release_by = 0;
    return;
  }
  *answer = (struct tx_answer){.retry_at = m->release_by,
                               .channels = TX_CH(TX_CH_BANK),
                               .wait = {.kind = banks & 1u << TX_SRCA ? TX_BLOCKED_SRCA : TX_BLOCKED_SRCB}};
}

void tx_matrix_ready(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_answer *answer) {
  (void)thread;
  if (!t->timing) {
    if (word >> 24 == TX_SETRWC || word >> 24 == TX_CLEARDVALID) wait_for_unpacker(t, word, answer);
    return;
  }
  const struct tx_matrix *m = &t->matrix;
  uint32_t opcode = word >> 24;
  sim_time until = 0;
  if (opcode != TX_MOVD2A && opcode != TX_MOVB2A && m->movd2a_until > until) until = m->movd2a_until;
  if (opcode != TX_MOVD2B && m->movd2b_until > until) until = m->movd2b_until;
  if (m->movdst_until > until && reads_dst_guarded(opcode)) until = m->movdst_until;
  if (until <= tx_now(t)) return;
  answer->ok = false;
  answer->channels = 0; /* only time ends it */
  answer->retry_at = until;
  answer->wait = (struct sim_wait){.kind = TX_BLOCKED_HAZARD, .object = TX_UNIT_MATRIX};
}

/* --- decoded banks --- */

void tx_matrix_forget(struct tx_tile *t) { memset(t->unsaved.matrix.bank, 0, sizeof t->unsaved.matrix.bank); }

static uint8_t *aligned_room(struct tx_matrix_cache *cache, size_t offset) {
  tx_assert(offset + 63 < sizeof cache->room);
  uint8_t *room = cache->room + offset;
  return room + (-(uintptr_t)cache->room & 63u);
}

const struct num_fpu_bank_a *tx_matrix_bank_a(struct tx_tile *t, const struct num_fpu_mode *mode) {
  struct tx_matrix_cache *cache = &t->unsaved.matrix;
  tx_assert(cache->ops);
  unsigned index = t->src.matrix_bank[TX_SRCA];
  const struct tx_src_bank *bank = &t->src.bank[TX_SRCA][index];
  struct num_fpu_bank_a *out = (struct num_fpu_bank_a *)(void *)aligned_room(cache, index * sizeof *out);
  if (cache->bank[TX_SRCA][index].tag != bank->version + 1 || cache->bank[TX_SRCA][index].mask != mode->mask_a) {
    cache->ops->decode_a(bank->datum, mode->mask_a, out);
    cache->bank[TX_SRCA][index].tag = bank->version + 1;
    cache->bank[TX_SRCA][index].mask = mode->mask_a;
  }
  return out;
}

const struct num_fpu_bank_b *tx_matrix_bank_b(struct tx_tile *t, const struct num_fpu_mode *mode, unsigned row) {
  struct tx_matrix_cache *cache = &t->unsaved.matrix;
  const unsigned index = t->src.matrix_bank[TX_SRCB], group = 1u << row / NUM_FPU_GROUP;
  const struct tx_src_bank *bank = &t->src.bank[TX_SRCB][index];
  struct num_fpu_bank_b *out =
      (struct num_fpu_bank_b *)(void *)aligned_room(cache, 2 * sizeof(struct num_fpu_bank_a) + index * sizeof *out);
  if (cache->bank[TX_SRCB][index].tag != bank->version + 1 || cache->bank[TX_SRCB][index].mask != mode->mask_b ||
      cache->bank[TX_SRCB][index].keep != mode->keep_b) {
    cache->bank[TX_SRCB][index].tag = bank->version + 1;
    cache->bank[TX_SRCB][index].mask = mode->mask_b;
    cache->bank[TX_SRCB][index].keep = mode->keep_b;
    cache->bank[TX_SRCB][index].groups = 0;
  }
  if (!(cache->bank[TX_SRCB][index].groups & group)) {
    cache->ops->decode_b(bank->datum, row & ~(NUM_FPU_GROUP - 1u), mode->mask_b, mode->keep_b, out);
    cache->bank[TX_SRCB][index].groups = (uint8_t)(cache->bank[TX_SRCB][index].groups | group);
  }
  return out;
}

/* --- data that does not fit its format --- */

static void scan(struct tx_tile *t, enum tx_src_which which) {
  unsigned index = t->src.matrix_bank[which];
  const struct tx_src_bank *bank = &t->src.bank[which][index];
  struct tx_matrix_cache *cache = &t->unsaved.matrix;
  if (cache->bank[which][index].scanned_tag == bank->version + 1) return;
  cache->bank[which][index].scanned_tag = bank->version + 1;
  uint64_t high = 0, odd = 0;
  for (unsigned row = 0; row < TX_SRC_ROWS; row++) {
    for (unsigned c = 0; c < TX_SRC_COLUMNS; c++) {
      uint32_t exponent = bank->datum[row][c] & 0xffu;
      if (exponent & 0xe0u) high |= UINT64_C(1) << row;
      if (exponent != 0 && exponent != 16) odd |= UINT64_C(1) << row;
    }
  }
  cache->bank[which][index].high_exponent_rows = high;
  cache->bank[which][index].odd_int8_rows = odd;
}

void tx_matrix_check_rows(struct tx_tile *t, enum tx_style style, uint64_t rows_a, uint64_t rows_b) {
  uint64_t rows[2] = {rows_a, rows_b};
  for (unsigned which = TX_SRCA; which <= TX_SRCB; which++) {
    scan(t, (enum tx_src_which)which);
    unsigned index = t->src.matrix_bank[which];
    const char *name = which == TX_SRCA ? "SrcA" : "SrcB";
    if (style == TX_STYLE_INT8) {
      uint64_t odd = t->unsaved.matrix.bank[which][index].odd_int8_rows & rows[which];
      if (odd) tx_diag(t, TX_DIAG_INT8_EXPONENT, "%s row %d", name, __builtin_ctzll(odd));
    } else {
      uint64_t high = t->unsaved.matrix.bank[which][index].high_exponent_rows & rows[which];
      if (high) tx_diag(t, TX_DIAG_FP16_HIGH_EXPONENT, "%s row %d", name, __builtin_ctzll(high));
    }
  }
}
