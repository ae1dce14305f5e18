/* Register files of the tile as text, for tessera run --show. Numbers are as stored, with floating point beside them. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/run.h"

/* A whole register file: `indices` rows of `items` numbers; NULL: out of memory. */
struct file {
  unsigned indices, items;
  uint32_t *values;
};

static struct file read_file(const struct tessera_tile *tile, enum tessera_file which) {
  struct file f = {0};
  tessera_file_shape(which, &f.indices, &f.items);
  f.values = calloc((size_t)f.indices * f.items, sizeof *f.values);
  if (!f.values) f.indices = 0;
  else tessera_tile_registers(tile, which, 0, f.indices, f.values);
  return f;
}

static const uint32_t *row_of(const struct file *f, unsigned index) { return &f->values[(size_t)index * f->items]; }

static bool any_set(const uint32_t *row, unsigned count) {
  for (unsigned i = 0; i < count; i++)
    if (row[i]) return true;
  return false;
}

static double as_float(uint32_t bits) {
  float f;
  memcpy(&f, &bits, sizeof f);
  return (double)f;
}

/* s | mantissa 7 | exponent 8, as BF16. */
static uint32_t fp32_of(uint32_t high) { return (high & 0x8000u) << 16 | (high & 0xffu) << 23 | (high >> 8 & 0x7fu) << 16; }

static void show_dst(FILE *out, const struct tessera_tile *tile) {
  struct file dst = read_file(tile, TESSERA_FILE_DST), valid = read_file(tile, TESSERA_FILE_DST_VALID);
  unsigned shown = 0;
  fprintf(out, "\nDst: rows that were written, 16-bit view (row, stored bits, as BF16)\n");
  for (unsigned row = 0; row < dst.indices && row < valid.indices; row++) {
    const uint32_t *bits = row_of(&dst, row);
    if (!any_set(bits, dst.items) || !valid.values[row]) continue;
    fprintf(out, "%4u ", row);
    for (unsigned c = 0; c < dst.items; c++) fprintf(out, " %04x", bits[c]);
    fprintf(out, "  |");
    for (unsigned c = 0; c < dst.items; c++) fprintf(out, " %.4g", as_float(fp32_of(bits[c])));
    fputc('\n', out);
    shown++;
  }
  if (!shown) fprintf(out, "  all rows are zero or undefined\n");
  free(dst.values);
  free(valid.values);
}

static void show_src(FILE *out, const struct tessera_tile *tile, bool srcb) {
  struct file src = read_file(tile, srcb ? TESSERA_FILE_SRCB : TESSERA_FILE_SRCA);
  unsigned rows = src.indices / 2;
  for (unsigned bank = 0; bank < 2; bank++) {
    uint32_t b[4] = {0};
    tessera_tile_registers(tile, TESSERA_FILE_SRC_BANK, 2u * srcb + bank, 1, b);
    fprintf(out, "\nSrc%c bank %u: owned by the %s, implied format %u%s%s\n", srcb ? 'B' : 'A', bank,
            b[0] ? "matrix unit" : "unpackers", b[1], b[2] ? ", matrix side" : "", b[3] ? ", unpack side" : "");
    for (unsigned row = 0; row < rows; row++) {
      const uint32_t *datum = row_of(&src, bank * rows + row);
      if (!any_set(datum, src.items)) continue;
      fprintf(out, "%4u ", row);
      for (unsigned c = 0; c < src.items; c++) fprintf(out, " %05x", datum[c]);
      fputc('\n', out);
    }
  }
  free(src.values);
}

static void show_lreg(FILE *out, const struct tessera_tile *tile) {
  struct file lreg = read_file(tile, TESSERA_FILE_LREG);
  fprintf(out, "\nLReg (lanes 0 to 31)\n");
  for (unsigned i = 0; i < lreg.indices; i++) {
    fprintf(out, "%4u ", i);
    for (unsigned lane = 0; lane < lreg.items; lane++)
      fprintf(out, "%s%08x", lane && lane % 8 == 0 ? "\n      " : " ", row_of(&lreg, i)[lane]);
    fputc('\n', out);
  }
  free(lreg.values);
}

static void show_rwc(FILE *out, const struct tessera_tile *tile) {
  fprintf(out, "\nRWC       SrcA  Cr  SrcB  Cr  Dst   Cr  fidelity\n");
  for (unsigned i = 0; i < TESSERA_THREADS; i++) {
    uint32_t r[8] = {0};
    tessera_tile_registers(tile, TESSERA_FILE_RWC, i, 1, r);
    fprintf(out, "thread %u  %4u %3u  %4u %3u %4u %4u  %8u\n", i, r[0], r[1], r[2], r[3], r[4], r[5], r[6]);
  }
}

static void show_adc(FILE *out, const struct tessera_tile *tile) {
  static const char *const sets[] = {"unpacker 0", "unpacker 1", "packer"};
  fprintf(out, "\nADC                   channel     X      Y      Z      W   (Cr: X Y Z W)\n");
  for (unsigned thread = 0; thread < TESSERA_THREADS; thread++) {
    uint32_t all[48] = {0};
    tessera_tile_registers(tile, TESSERA_FILE_ADC, thread, 1, all);
    for (unsigned i = 0; i < 6; i++) {
      const uint32_t *now = &all[8 * i], *cr = now + 4;
      fprintf(out, "thread %u %-12s %u    %6u %6u %6u %6u   (%u %u %u %u)\n", thread, sets[i / 2], i % 2, now[0], now[1],
              now[2], now[3], cr[0], cr[1], cr[2], cr[3]);
    }
  }
}

static void show_cfg(FILE *out, const struct tessera_tile *tile) {
  struct file config = read_file(tile, TESSERA_FILE_CONFIG), thread = read_file(tile, TESSERA_FILE_THREAD_CONFIG);
  fprintf(out, "\nConfig: words that are not 0 (index, bank 0, bank 1)\n");
  for (unsigned i = 0; config.indices && i < config.items; i++)
    if (row_of(&config, 0)[i] || row_of(&config, 1)[i])
      fprintf(out, "%4u  %08x  %08x\n", i, row_of(&config, 0)[i], row_of(&config, 1)[i]);
  fprintf(out, "ThreadConfig: words that are not 0 (index, threads 0, 1, 2)\n");
  for (unsigned i = 0; thread.indices && i < thread.items; i++)
    if (row_of(&thread, 0)[i] || row_of(&thread, 1)[i] || row_of(&thread, 2)[i])
      fprintf(out, "%4u  %04x  %04x  %04x\n", i, row_of(&thread, 0)[i], row_of(&thread, 1)[i], row_of(&thread, 2)[i]);
  free(config.values);
  free(thread.values);
}

static void show_sem(FILE *out, const struct tessera_tile *tile) {
  struct file sem = read_file(tile, TESSERA_FILE_SEMAPHORE), mutex = read_file(tile, TESSERA_FILE_MUTEX);
  fprintf(out, "\nsemaphore                value  max\n");
  for (unsigned i = 0; i < sem.indices; i++)
    fprintf(out, "%u %-22s %5u %4u\n", i, tessera_semaphore_name(i), row_of(&sem, i)[0], row_of(&sem, i)[1]);
  for (unsigned i = 0; i < mutex.indices; i++)
    if (mutex.values[i] < TESSERA_THREADS) fprintf(out, "mutex %u is held by thread %u\n", i, mutex.values[i]);
  free(sem.values);
  free(mutex.values);
}

void run_show(FILE *out, const struct tessera_tile *tile, unsigned shows) {
  if (shows >> RUN_SHOW_DST & 1u) show_dst(out, tile);
  if (shows >> RUN_SHOW_SRCA & 1u) show_src(out, tile, false);
  if (shows >> RUN_SHOW_SRCB & 1u) show_src(out, tile, true);
  if (shows >> RUN_SHOW_LREG & 1u) show_lreg(out, tile);
  if (shows >> RUN_SHOW_RWC & 1u) show_rwc(out, tile);
  if (shows >> RUN_SHOW_ADC & 1u) show_adc(out, tile);
  if (shows >> RUN_SHOW_CFG & 1u) show_cfg(out, tile);
  if (shows >> RUN_SHOW_SEM & 1u) show_sem(out, tile);
}
