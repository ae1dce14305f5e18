/* Register files of the tile in words, for tessera run --show. Numbers are as stored; floating point is given beside them. */
#include <inttypes.h>
#include <string.h>

#include "cli/run.h"
#include "observe/words.h"
#include "tensix/isa/isa.h"

static double as_float(uint32_t bits) {
  float f;
  memcpy(&f, &bits, sizeof f);
  return (double)f;
}

/* s | mantissa 7 | exponent 8, and eight rows further the low half. */
static uint32_t fp32_of(uint16_t high, uint16_t low) {
  return (high & 0x8000u) << 16 | (uint32_t)(high & 0xffu) << 23 | (uint32_t)(high >> 8 & 0x7fu) << 16 | low;
}

static void show_dst(FILE *out, const struct tx_tile *t) {
  unsigned shown = 0;
  fprintf(out, "\nDst: rows that were written, 16-bit view (row, stored bits, as BF16)\n");
  for (unsigned row = 0; row < TX_DST_ROWS; row++) {
    bool any = false;
    for (unsigned c = 0; c < TX_DST_COLUMNS; c++) any |= t->dst.bits[row][c] != 0;
    if (!any || t->dst.valid[row] == TX_DST_UNDEFINED) continue;
    fprintf(out, "%4u ", row);
    for (unsigned c = 0; c < TX_DST_COLUMNS; c++) fprintf(out, " %04x", t->dst.bits[row][c]);
    fprintf(out, "  |");
    for (unsigned c = 0; c < TX_DST_COLUMNS; c++) fprintf(out, " %.4g", as_float(fp32_of(t->dst.bits[row][c], 0)));
    fputc('\n', out);
    shown++;
  }
  if (!shown) fprintf(out, "  all rows are zero or undefined\n");
}

static void show_src(FILE *out, const struct tx_tile *t, enum tx_src_which which) {
  for (unsigned bank = 0; bank < 2; bank++) {
    const struct tx_src_bank *b = &t->src.bank[which][bank];
    fprintf(out, "\nSrc%c bank %u: owned by the %s, implied format %u%s%s\n", which == TX_SRCA ? 'A' : 'B', bank,
            b->owner == TX_CLIENT_MATRIX ? "matrix unit" : "unpackers", b->format,
            t->src.matrix_bank[which] == bank ? ", matrix side" : "",
            t->src.unpack_bank[which] == bank ? ", unpack side" : "");
    for (unsigned row = 0; row < TX_SRC_ROWS; row++) {
      bool any = false;
      for (unsigned c = 0; c < TX_SRC_COLUMNS; c++) any |= b->datum[row][c] != 0;
      if (!any) continue;
      fprintf(out, "%4u ", row);
      for (unsigned c = 0; c < TX_SRC_COLUMNS; c++) fprintf(out, " %05x", b->datum[row][c]);
      fputc('\n', out);
    }
  }
}

static void show_lreg(FILE *out, const struct tx_tile *t) {
  fprintf(out, "\nLReg (lanes 0 to 31)\n");
  for (unsigned i = 0; i < TX_LREGS; i++) {
    uint32_t row[32];
    memcpy(row, &t->vector.lreg[i], sizeof row);
    fprintf(out, "%4u ", i);
    for (unsigned lane = 0; lane < 32; lane++) fprintf(out, "%s%08x", lane && lane % 8 == 0 ? "\n      " : " ", row[lane]);
    fputc('\n', out);
  }
}

static void show_rwc(FILE *out, const struct tx_tile *t) {
  fprintf(out, "\nRWC       SrcA  Cr  SrcB  Cr  Dst   Cr  fidelity\n");
  for (unsigned i = 0; i < TX_THREADS; i++) {
    const struct tx_rwc *r = &t->rwc[i];
    fprintf(out, "thread %u  %4u %3u  %4u %3u %4u %4u  %8u\n", i, r->srca, r->srca_cr, r->srcb, r->srcb_cr, r->dst,
            r->dst_cr, r->fidelity);
  }
}

static void show_adc(FILE *out, const struct tx_tile *t) {
  static const char *const sets[] = {"unpacker 0", "unpacker 1", "packer"};
  fprintf(out, "\nADC                   channel     X      Y      Z      W   (Cr: X Y Z W)\n");
  for (unsigned thread = 0; thread < TX_THREADS; thread++)
    for (unsigned set = 0; set < 3; set++)
      for (unsigned channel = 0; channel < 2; channel++) {
        const uint32_t *now = t->adc[thread].unit[set][channel].c, *cr = t->adc[thread].unit[set][channel].cr;
        fprintf(out, "thread %u %-12s %u    %6u %6u %6u %6u   (%u %u %u %u)\n", thread, sets[set], channel, now[0], now[1],
                now[2], now[3], cr[0], cr[1], cr[2], cr[3]);
      }
}

static void show_cfg(FILE *out, const struct tx_tile *t) {
  fprintf(out, "\nConfig: words that are not 0 (index, bank 0, bank 1)\n");
  for (unsigned i = 0; i < TX_CFG_WORDS; i++)
    if (t->config.words[0][i] || t->config.words[1][i])
      fprintf(out, "%4u  %08x  %08x\n", i, t->config.words[0][i], t->config.words[1][i]);
  fprintf(out, "ThreadConfig: words that are not 0 (index, threads 0, 1, 2)\n");
  for (unsigned i = 0; i < TX_THREAD_CFG_WORDS; i++)
    if (t->config.thread_words[0][i] || t->config.thread_words[1][i] || t->config.thread_words[2][i])
      fprintf(out, "%4u  %04x  %04x  %04x\n", i, t->config.thread_words[0][i], t->config.thread_words[1][i],
              t->config.thread_words[2][i]);
}

static void show_sem(FILE *out, const struct tx_tile *t) {
  fprintf(out, "\nsemaphore                value  max\n");
  for (unsigned i = 0; i < TX_SEMAPHORES; i++)
    fprintf(out, "%u %-22s %5u %4u\n", i, obs_semaphore_name(i), t->sync.sem[i].value, t->sync.sem[i].max);
  for (unsigned i = 0; i < TX_MUTEXES; i++)
    if (t->sync.mutex_holder[i] != TX_MUTEX_FREE)
      fprintf(out, "mutex %u is held by thread %u\n", i, t->sync.mutex_holder[i]);
}

void run_show(FILE *out, const struct tx_tile *t, unsigned shows) {
  if (shows >> RUN_SHOW_DST & 1u) show_dst(out, t);
  if (shows >> RUN_SHOW_SRCA & 1u) show_src(out, t, TX_SRCA);
  if (shows >> RUN_SHOW_SRCB & 1u) show_src(out, t, TX_SRCB);
  if (shows >> RUN_SHOW_LREG & 1u) show_lreg(out, t);
  if (shows >> RUN_SHOW_RWC & 1u) show_rwc(out, t);
  if (shows >> RUN_SHOW_ADC & 1u) show_adc(out, t);
  if (shows >> RUN_SHOW_CFG & 1u) show_cfg(out, t);
  if (shows >> RUN_SHOW_SEM & 1u) show_sem(out, t);
}
