/* ADC instructions and the automatic steps of UNPACR and PACR. */
#include "tensix/regs/adc.h"

#include "sim/keep.h"
#include "tensix/body.h"
#include "tensix/machine.h"

const uint32_t tx_adc_mask[TX_ADC_DIMS] = {
    [TX_ADC_X] = 0x3ffff, [TX_ADC_Y] = 0x1fff, [TX_ADC_Z] = 0x1fff, [TX_ADC_W] = 0x1fff};

static void set(struct tx_adc_channel *ch, unsigned dim, uint32_t value) {
  tx_assert(dim < TX_ADC_DIMS);
  ch->c[dim] = ch->cr[dim] = value & tx_adc_mask[dim];
}

static void add(struct tx_adc_channel *ch, unsigned dim, uint32_t value) {
  ch->c[dim] = (ch->c[dim] + value) & tx_adc_mask[dim];
}

static void add_to_checkpoint(struct tx_adc_channel *ch, unsigned dim, uint32_t value) { set(ch, dim, ch->cr[dim] + value); }

__attribute__((noinline)) static void report_same_cycle(struct tx_tile *t, unsigned which) {
  tx_diag(t, TX_DIAG_ADC_SAME_CYCLE, "set of thread %u", which);
}

/* The set of ADCs that an instruction changes. An override of 0 selects the issuing thread's own. Two threads that change one set
 * in the same cycle corrupt it (ADCs.md); here the later one wins and a finding is reported. */
static inline struct tx_adc *select_set(struct tx_tile *t, unsigned thread, uint32_t override) {
  struct tx_adc_watch *watch = &t->adc_watch;
  unsigned which = override ? override - 1 : thread;
  tx_assert(thread < TX_THREADS && which < TX_THREADS);
  if (watch->cycle != t->engine.now) *watch = (struct tx_adc_watch){.cycle = t->engine.now};
  if (watch->by[which] && watch->by[which] != thread + 1) report_same_cycle(t, which);
  watch->by[which] = (uint8_t)(thread + 1);
  return &t->adc[which];
}

/* The common fields of the SET, INC and ADDRCR forms of XY and ZW: two channels x two dimensions, three bits each. */
struct pairs {
  uint32_t units;       /* bit per enum tx_adc_unit */
  uint32_t value[2][2]; /* [channel][dimension] */
  uint32_t mask;        /* bit 2 * channel + dimension */
};

static struct pairs pairs_of(uint32_t word) {
  return (struct pairs){
      .units = TX_FIELD(word, SETADCXY, cnt_set_mask),
      .value = {{TX_FIELD(word, SETADCXY, ch0_x), TX_FIELD(word, SETADCXY, ch0_y)},
                {TX_FIELD(word, SETADCXY, ch1_x), TX_FIELD(word, SETADCXY, ch1_y)}},
      .mask = TX_FIELD(word, SETADCXY, bit_mask),
  };
}

typedef void step_fn(struct tx_adc_channel *ch, unsigned dim, uint32_t value);

/* Inlined into each instruction, so that `step` is too. */
__attribute__((always_inline)) static inline void apply_pairs(struct tx_tile *t, unsigned thread, uint32_t word,
                                                              unsigned first_dim, bool masked, step_fn *step) {
  struct pairs p = pairs_of(word);
  struct tx_adc *adc = select_set(t, thread, TX_FIELD(word, SETADCXY, thread_override));
  const uint32_t counters = masked ? p.mask & 15u : 15u;
  for (uint32_t units = p.units & ((1u << TX_ADC_UNITS) - 1u); units; units &= units - 1) {
    struct tx_adc_channel *ch = adc->unit[__builtin_ctz(units)];
    if (counters & 1u) step(&ch[0], first_dim, p.value[0][0]);
    if (counters & 2u) step(&ch[0], first_dim + 1, p.value[0][1]);
    if (counters & 4u) step(&ch[1], first_dim, p.value[1][0]);
    if (counters & 8u) step(&ch[1], first_dim + 1, p.value[1][1]);
  }
}

void tx_exec_SETADCXY(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  (void)cost;
  apply_pairs(t, thread, word, TX_ADC_X, true, set);
}

void tx_exec_SETADCZW(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  (void)cost;
  apply_pairs(t, thread, word, TX_ADC_Z, true, set);
}

void tx_exec_INCADCXY(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  (void)cost;
  apply_pairs(t, thread, word, TX_ADC_X, false, add);
}

void tx_exec_INCADCZW(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  (void)cost;
  apply_pairs(t, thread, word, TX_ADC_Z, false, add);
}

void tx_exec_ADDRCRXY(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  (void)cost;
  apply_pairs(t, thread, word, TX_ADC_X, true, add_to_checkpoint);
}

void tx_exec_ADDRCRZW(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  (void)cost;
  apply_pairs(t, thread, word, TX_ADC_Z, true, add_to_checkpoint);
}

void tx_exec_SETADC(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  (void)cost;
  struct tx_adc *adc = select_set(t, thread, TX_FIELD(word, SETADC, thread_override));
  unsigned dim = TX_FIELD(word, SETADC, dimension_index), channel = TX_FIELD(word, SETADC, channel_index);
  /* SETADC.md extends X by the override bits in bits 17:16, "confidence is weak"; LLK's face-compressed matmul sets X with
   * an override and needs only the 16 bits. */
  uint32_t value = TX_FIELD(word, SETADC, value);
  for (unsigned unit = 0; unit < TX_ADC_UNITS; unit++)
    if (TX_FIELD(word, SETADC, cnt_set_mask) >> unit & 1u) set(&adc->unit[unit][channel], dim, value);
}

void tx_exec_SETADCXX(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  (void)cost;
  struct tx_adc *adc = select_set(t, thread, 0);
  for (unsigned unit = 0; unit < TX_ADC_UNITS; unit++) {
    if (!(TX_FIELD(word, SETADCXX, cnt_set_mask) >> unit & 1u)) continue;
    set(&adc->unit[unit][0], TX_ADC_X, TX_FIELD(word, SETADCXX, x_start));
    set(&adc->unit[unit][1], TX_ADC_X, TX_FIELD(word, SETADCXX, x_end2));
  }
}

/* --- automatic steps --- */

/* One counter of a pack section: clear, step from the checkpoint, or plain step. */
static void step_pack(struct tx_adc_channel *ch, unsigned dim, uint32_t increment, bool from_checkpoint, bool clear) {
  if (clear) set(ch, dim, 0);
  else if (from_checkpoint) add_to_checkpoint(ch, dim, increment);
  else add(ch, dim, increment);
}

/* ADDR_MOD_PACK (PACR.md):
 *      15      14      13      12     11      10     9    6  5       4     3    0
 *   | ZdClr | ZdInc | ZsClr | ZsInc | YdClr | YdCR | YdInc | YsClr | YsCR | YsInc |   s: channel 0, d: channel 1 */
void tx_adc_apply_pack(struct tx_tile *t, unsigned thread, unsigned section) {
  struct tx_adc_channel *ch = sim_keep(t->adc[thread].unit[TX_ADC_PACKER]);
  tx_assert(thread < TX_THREADS && section < 4);
  uint32_t mode = t->config.thread_words[thread][TX_CFG_ADDR_MOD_PACK_SEC0_YsrcIncr_ADDR + section];
  if (mode <= 0xfu) { /* the most common: Y of channel 0 steps */
    add(&ch[0], TX_ADC_Y, mode);
    return;
  }
  step_pack(&ch[0], TX_ADC_Y, mode & 0xfu, mode >> 4 & 1u, mode >> 5 & 1u);
  step_pack(&ch[1], TX_ADC_Y, mode >> 6 & 0xfu, mode >> 10 & 1u, mode >> 11 & 1u);
  step_pack(&ch[0], TX_ADC_Z, mode >> 12 & 1u, false, mode >> 13 & 1u);
  step_pack(&ch[1], TX_ADC_Z, mode >> 14 & 1u, false, mode >> 15 & 1u);
}

/* UNPACR's addr_mode:   7    6 5    4 3    2 1    0
 *                     | Ch1Y  | Ch1Z | Ch0Y | Ch0Z |  */
void tx_adc_apply_unpack(struct tx_tile *t, unsigned thread, unsigned unpacker, unsigned increments) {
  struct tx_adc_channel *ch = sim_keep(t->adc[thread].unit[TX_ADC_UNPACKER0 + unpacker]);
  tx_assert(thread < TX_THREADS && unpacker < 2 && increments < 256);
  add(&ch[0], TX_ADC_Z, increments & 3u);
  add(&ch[0], TX_ADC_Y, increments >> 2 & 3u);
  add(&ch[1], TX_ADC_Z, increments >> 4 & 3u);
  add(&ch[1], TX_ADC_Y, increments >> 6 & 3u);
}
