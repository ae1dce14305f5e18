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

/* Two threads that change one set in the same cycle corrupt it (ADCs.md); here the later one wins and a finding is reported. */
static inline bool corrupts(const struct tx_tile *t, unsigned thread, unsigned which) {
  const struct tx_adc_watch *watch = &t->adc_watch;
  return watch->cycle == t->engine.now && watch->by[which] && watch->by[which] != thread + 1;
}

/* Reports that, then executes the instruction, which does not find it again: its last call, so that it saves no registers. */
__attribute__((noinline)) static void report_same_cycle(struct tx_tile *t, unsigned thread, uint32_t word, unsigned which,
                                                        tx_body_fn *body) {
  tx_diag(t, TX_DIAG_ADC_SAME_CYCLE, "set of thread %u", which);
  t->adc_watch.by[which] = (uint8_t)(thread + 1);
  body(t, thread, word, NULL);
}

/* The set of ADCs that an instruction changes. */
static inline struct tx_adc *take_set(struct tx_tile *t, unsigned thread, unsigned which) {
  struct tx_adc_watch *watch = &t->adc_watch;
  tx_assert(thread < TX_THREADS && which < TX_THREADS);
  if (watch->cycle != t->engine.now) *watch = (struct tx_adc_watch){.cycle = t->engine.now};
  watch->by[which] = (uint8_t)(thread + 1);
  return sim_keep(&t->adc[which]);
}

/* An override of 0 selects the issuing thread's own. */
static inline unsigned set_of(unsigned thread, uint32_t override) { return override ? override - 1 : thread; }

typedef void step_fn(struct tx_adc_channel *ch, unsigned dim, uint32_t value);

/* The common fields of the SET, INC and ADDRCR forms of XY and ZW: two channels x two dimensions, three bits each, counter i from bit
 * FIRST_VALUE + 3 * i on; bit i selects it. INC: zero changes nothing. */
enum { FIRST_VALUE = TX_SETADCXY_ch0_x_LO };
_Static_assert(TX_SETADCXY_bit_mask_LO == 0 && TX_SETADCXY_ch0_y_LO == FIRST_VALUE + 3 &&
                   TX_SETADCXY_ch1_x_LO == FIRST_VALUE + 6 && TX_SETADCXY_ch1_y_LO == FIRST_VALUE + 9 &&
                   (int)TX_SETADCXY_cnt_set_mask_WIDTH == (int)TX_ADC_UNITS,
               "the masks and shifts below");

/* Inlined into each instruction, so that `step` is too. */
__attribute__((always_inline)) static inline void step_channel(struct tx_adc_channel *ch, uint32_t values, unsigned dim,
                                                               uint32_t which, step_fn *step) {
  if (step == add ? values & 7u : which & 1u) step(ch, dim, values & 7u);
  if (step == add ? values & 070u : which & 2u) step(ch, dim + 1, values >> 3 & 7u);
}

__attribute__((always_inline)) static inline void apply_pairs(struct tx_tile *t, unsigned thread, uint32_t word,
                                                              unsigned dim, step_fn *step, tx_body_fn *body) {
  const unsigned which = set_of(thread, TX_FIELD(word, SETADCXY, thread_override));
  if (corrupts(t, thread, which)) {
    report_same_cycle(t, thread, word, which, body);
    return;
  }
  struct tx_adc *adc = take_set(t, thread, which);
  for (uint32_t units = TX_FIELD(word, SETADCXY, cnt_set_mask); units; units &= units - 1) {
    struct tx_adc_channel *ch = sim_keep(adc->unit[__builtin_ctz(units)]);
    __asm__("" : "+r"(word)); /* most words change one counter of one unit: none of the values is computed in advance */
    if (step == add || word & 3u) step_channel(&ch[0], word >> FIRST_VALUE, dim, word, step);
    if (step == add || word & 12u) step_channel(&ch[1], word >> (FIRST_VALUE + 6), dim, word >> 2, step);
  }
}

void tx_exec_SETADCXY(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  (void)cost;
  apply_pairs(t, thread, word, TX_ADC_X, set, tx_exec_SETADCXY);
}

void tx_exec_SETADCZW(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  (void)cost;
  apply_pairs(t, thread, word, TX_ADC_Z, set, tx_exec_SETADCZW);
}

void tx_exec_INCADCXY(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  (void)cost;
  apply_pairs(t, thread, word, TX_ADC_X, add, tx_exec_INCADCXY);
}

void tx_exec_INCADCZW(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  (void)cost;
  apply_pairs(t, thread, word, TX_ADC_Z, add, tx_exec_INCADCZW);
}

void tx_exec_ADDRCRXY(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  (void)cost;
  apply_pairs(t, thread, word, TX_ADC_X, add_to_checkpoint, tx_exec_ADDRCRXY);
}

void tx_exec_ADDRCRZW(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  (void)cost;
  apply_pairs(t, thread, word, TX_ADC_Z, add_to_checkpoint, tx_exec_ADDRCRZW);
}

void tx_exec_SETADC(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  (void)cost;
  const unsigned which = set_of(thread, TX_FIELD(word, SETADC, thread_override));
  if (corrupts(t, thread, which)) {
    report_same_cycle(t, thread, word, which, tx_exec_SETADC);
    return;
  }
  struct tx_adc *adc = take_set(t, thread, which);
  const unsigned dim = TX_FIELD(word, SETADC, dimension_index), channel = TX_FIELD(word, SETADC, channel_index);
  /* SETADC.md extends X by the override bits in bits 17:16, "confidence is weak"; LLK's face-compressed matmul sets X with
   * an override and needs only the 16 bits. */
  const uint32_t value = TX_FIELD(word, SETADC, value);
  for (uint32_t units = TX_FIELD(word, SETADC, cnt_set_mask); units; units &= units - 1)
    set(sim_keep(&adc->unit[__builtin_ctz(units)][channel]), dim, value);
}

void tx_exec_SETADCXX(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  (void)cost;
  if (corrupts(t, thread, thread)) {
    report_same_cycle(t, thread, word, thread, tx_exec_SETADCXX);
    return;
  }
  struct tx_adc *adc = take_set(t, thread, thread);
  for (uint32_t units = TX_FIELD(word, SETADCXX, cnt_set_mask); units; units &= units - 1) {
    struct tx_adc_channel *ch = sim_keep(adc->unit[__builtin_ctz(units)]);
    set(&ch[0], TX_ADC_X, TX_FIELD(word, SETADCXX, x_start));
    set(&ch[1], TX_ADC_X, TX_FIELD(word, SETADCXX, x_end2));
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
void tx_adc_step_pack(struct tx_adc_channel *ch, uint32_t mode) {
  step_pack(&ch[0], TX_ADC_Y, mode & 0xfu, mode >> 4 & 1u, mode >> 5 & 1u);
  step_pack(&ch[1], TX_ADC_Y, mode >> 6 & 0xfu, mode >> 10 & 1u, mode >> 11 & 1u);
  step_pack(&ch[0], TX_ADC_Z, mode >> 12 & 1u, false, mode >> 13 & 1u);
  step_pack(&ch[1], TX_ADC_Z, mode >> 14 & 1u, false, mode >> 15 & 1u);
}

void tx_adc_apply_pack(struct tx_tile *t, unsigned thread, unsigned section) {
  tx_assert(thread < TX_THREADS && section < 4);
  tx_adc_step_pack(t->adc[thread].unit[TX_ADC_PACKER],
                   t->config.thread_words[thread][TX_CFG_ADDR_MOD_PACK_SEC0_YsrcIncr_ADDR + section]);
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
