/* Commands that show: positions, reasons, registers, numbers in their formats. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "gdb/access.h"
#include "gdb/breaks.h"
#include "gdb/front.h"
#include "gdb/middle.h"
#include "gdb/monitor.h"
#include "gdb/place.h"
#include "gdb/registers.h"
#include "tessera/debug.h"
#include "tessera/isa.h"

static struct tessera_tile *tile_of(struct tessera_debugger *d) { return d->machine.unit[d->focus.unit].tile; }

static void where(struct tessera_debugger *d, unsigned count, char **words) {
  (void)count, (void)words;
  gdb_say(d, "cycle %llu\n%s", (unsigned long long)d->cycle, tessera_tile_where(tile_of(d)));
}

static void why(struct tessera_debugger *d, unsigned count, char **words) {
  (void)count, (void)words;
  bool here = d->end != GDB_END_TIME && d->cycle >= d->end_cycle;
  if (here && d->end_text && d->end_text[0]) gdb_say(d, "%s", d->end_text);
  else where(d, 0, NULL);
}

static void findings(struct tessera_debugger *d, unsigned count, char **words) {
  struct tessera_finding f;
  (void)count, (void)words;
  for (size_t i = 0; tessera_tile_finding(tile_of(d), i, &f) == TESSERA_OK; i++)
    gdb_say(d, "%s %s: %s, first in cycle %llu, %llu times  %s\n  %s%s%s\n", tessera_severity_name(f.severity), f.id, f.who,
            (unsigned long long)f.first_cycle, (unsigned long long)f.count, f.place, f.what, f.why[0] ? ": " : "", f.why);
  if (!d->text_length) gdb_say(d, "no findings up to cycle %llu\n", (unsigned long long)d->cycle);
}

/* --- numbers --- */

static double as_float(uint32_t bits) {
  float f;
  memcpy(&f, &bits, sizeof f);
  return (double)f;
}

static double as_fp16(uint32_t h) {
  uint32_t exponent = h >> 10 & 31u, mantissa = h & 1023u;
  double value = exponent ? 1.0 + mantissa / 1024.0 : mantissa / 512.0;
  for (int e = (int)exponent - 15; e > 0; e--) value *= 2;
  for (int e = (int)exponent - 15; e < 0; e++) value /= 2;
  return h & 0x8000u ? -value : value;
}

static const struct {
  const char *name;
  unsigned bytes;
} formats[] = {{"bf16", 2}, {"fp16", 2}, {"fp32", 4}, {"int32", 4}, {"int16", 2}, {"int8", 1}, {"hex", 4}};
enum { BF16, FP16, FP32, INT32, INT16, INT8, HEX, FORMATS };

static void say_number(struct tessera_debugger *d, unsigned format, uint32_t v) {
  switch (format) {
    case BF16: gdb_say(d, " %10.5g", as_float(v << 16)); break;
    case FP16: gdb_say(d, " %10.5g", as_fp16(v)); break;
    case FP32: gdb_say(d, " %12.7g", as_float(v)); break;
    case INT32: gdb_say(d, " %11d", (int)v); break;
    case INT16: gdb_say(d, " %6d", (int)(int16_t)v); break;
    case INT8: gdb_say(d, " %4d", (int)(int8_t)v); break;
    default: gdb_say(d, " %08x", v); break;
  }
}

static unsigned format_of(const char *name) {
  for (unsigned i = 0; i < FORMATS; i++)
    if (strcasecmp(formats[i].name, name) == 0) return i;
  return FORMATS;
}

/* page ADDR [FORMAT [COUNT]] */
static void page(struct tessera_debugger *d, unsigned count, char **words) {
  uint64_t address, numbers = 64;
  unsigned format = count > 2 ? format_of(words[2]) : BF16;
  if (count < 2 || !gdb_number(words[1], &address) || format == FORMATS || (count > 3 && !gdb_number(words[3], &numbers)) ||
      numbers > 4096 || address > UINT32_MAX) {
    gdb_say(d, "page takes ADDR [bf16|fp16|fp32|int32|int16|int8|hex [COUNT]]\n");
    return;
  }
  for (uint64_t i = 0; i < numbers; i++) {
    uint32_t v = 0, at = (uint32_t)(address + i * formats[format].bytes);
    if (!gdb_read(d, d->focus, at, &v, formats[format].bytes)) {
      gdb_say(d, "%s0x%x cannot be read\n", i ? "\n" : "", at);
      return;
    }
    if (i % 8 == 0) gdb_say(d, "%s%08x:", i ? "\n" : "", at);
    say_number(d, format, v);
  }
  gdb_say(d, "\n");
}

/* Dst stores s | mantissa 7 | exponent 8. */
static uint32_t bf16_of_dst(uint32_t high) { return (high & 0x8000u) | (high & 0xffu) << 7 | (high >> 8 & 0x7fu); }

static void dst(struct tessera_debugger *d, unsigned count, char **words) {
  uint64_t first = 0, rows = 16;
  unsigned format = count > 3 ? format_of(words[3]) : BF16;
  bool good = (count < 2 || gdb_number(words[1], &first)) && (count < 3 || gdb_number(words[2], &rows)) &&
              first < TX_DST_ROWS && rows <= TX_DST_ROWS - first && format != FORMATS;
  if (!good) gdb_say(d, "dst takes [ROW [ROWS [bf16|hex]]] of the 16-bit view\n");
  for (uint64_t row = first; good && row < first + rows; row++) {
    uint32_t values[TX_DST_COLUMNS], valid = 0;
    tessera_tile_registers(tile_of(d), TESSERA_FILE_DST, (unsigned)row, 1, values);
    tessera_tile_register(tile_of(d), TESSERA_FILE_DST_VALID, (unsigned)row, 0, &valid);
    gdb_say(d, "%4u:%s", (unsigned)row, valid ? "" : " (undefined)");
    for (unsigned c = 0; c < TX_DST_COLUMNS; c++)
      if (format == HEX) gdb_say(d, " %04x", values[c]);
      else say_number(d, BF16, bf16_of_dst(values[c]));
    gdb_say(d, "\n");
  }
}

/* 19 bits: s | mantissa 10 | exponent 8, as TF32. */
static uint32_t fp32_of_src(uint32_t v) { return (v & 0x40000u) << 13 | (v & 0xffu) << 23 | (v >> 8 & 0x3ffu) << 13; }

static void src(struct tessera_debugger *d, unsigned count, char **words) {
  bool b = words[0][3] == 'b' || words[0][3] == 'B';
  uint64_t bank = 0;
  if (count > 1 && (!gdb_number(words[1], &bank) || bank > 1)) {
    gdb_say(d, "%s takes a bank, 0 or 1\n", words[0]);
    return;
  }
  uint32_t state[4] = {0};
  tessera_tile_registers(tile_of(d), TESSERA_FILE_SRC_BANK, 2u * b + (unsigned)bank, 1, state);
  gdb_say(d, "Src%c bank %u belongs to the %s\n", b ? 'B' : 'A', (unsigned)bank, state[0] ? "matrix unit" : "unpackers");
  for (unsigned row = 0; row < TX_SRC_ROWS; row++) {
    uint32_t values[TX_SRC_COLUMNS];
    tessera_tile_registers(tile_of(d), b ? TESSERA_FILE_SRCB : TESSERA_FILE_SRCA, (unsigned)bank * TX_SRC_ROWS + row, 1,
                           values);
    gdb_say(d, "%4u:", row);
    for (unsigned c = 0; c < TX_SRC_COLUMNS; c++) gdb_say(d, " %10.5g", as_float(fp32_of_src(values[c])));
    gdb_say(d, "\n");
  }
}

static void lreg(struct tessera_debugger *d, unsigned count, char **words) {
  uint64_t number = 0;
  unsigned format = count > 2 ? format_of(words[2]) : FP32;
  uint32_t lanes[32];
  if (count < 2 || !gdb_number(words[1], &number) || number > 16 || format == FORMATS ||
      tessera_tile_registers(tile_of(d), TESSERA_FILE_LREG, (unsigned)number, 1, lanes) != TESSERA_OK) {
    gdb_say(d, "lreg takes 0 to 16 [fp32|int32|hex]\n");
    return;
  }
  for (unsigned i = 0; i < 32; i++) {
    if (i % 8 == 0) gdb_say(d, "%slane %2u:", i ? "\n" : "", i);
    say_number(d, format, lanes[i]);
  }
  gdb_say(d, "\n");
}

/* --- code and registers --- */

static void dis(struct tessera_debugger *d, unsigned count, char **words) {
  uint64_t address = gdb_pc(d, d->focus), lines = 8;
  if ((count > 1 && !gdb_number(words[1], &address)) || (count > 2 && !gdb_number(words[2], &lines)) || lines > 1024) {
    gdb_say(d, "dis takes [ADDR [COUNT]]\n");
    return;
  }
  if (count < 2) address -= address >= 8 ? 8 : 0;
  for (uint64_t i = 0; i < lines; i++) {
    uint32_t at = (uint32_t)(address + 4 * i), word;
    char text[128] = "", place[256] = "";
    if (!gdb_read(d, d->focus, at, &word, 4)) break;
    if ((word & 3u) != 3u) tessera_disassemble(tessera_stream_to_word(word), text, sizeof text);
    else tessera_disassemble_riscv(word, at, text, sizeof text);
    tessera_tile_place_text(tile_of(d), (enum tessera_core)d->focus.core, at, place, sizeof place);
    gdb_say(d, "%s %05x: %-36s %s\n", at == gdb_pc(d, d->focus) ? "=>" : "  ", at, text, place);
  }
}

static void registers(struct tessera_debugger *d, unsigned count, char **words) {
  struct gdb_register r;
  uint64_t value;
  unsigned shown = 0;
  const char *group = count > 1 ? words[1] : "general";
  for (unsigned i = 0; gdb_register(d->focus.core, i, &r); i++) {
    if (strcasecmp(group, r.group) != 0 && strncasecmp(group, r.name, strlen(group)) != 0) continue;
    gdb_register_read(d, d->focus, i, &value);
    gdb_say(d, "%-24s 0x%llx%s", r.name, (unsigned long long)value, ++shown % 3 ? "  " : "\n");
  }
  gdb_say(d, shown ? shown % 3 ? "\n" : "" : "no such group; general, float, csr, tensix, thread_config\n");
}

static void history(struct tessera_debugger *d, unsigned count, char **words) {
  uint64_t mebibytes;
  if (count > 1 && (!gdb_number(words[1], &mebibytes) || !mebibytes || mebibytes >= 1u << 20)) {
    gdb_say(d, "history takes MiB from 1 on, not '%s'\n", words[1]);
    return;
  }
  if (count > 1) gdb_history_limit(&d->history, (size_t)mebibytes << 20);
  gdb_say(d, "%zu snapshots from cycle %llu on, %.1f of %zu MiB, one every %llu cycles\n", d->history.count,
          (unsigned long long)d->history.at[0].cycle, (double)d->machine.pool.bytes / 1048576.0, d->history.bytes_max >> 20,
          (unsigned long long)d->history.interval);
}

static void hash(struct tessera_debugger *d, unsigned count, char **words) {
  (void)count, (void)words;
  bool ended = d->end != GDB_END_TIME && d->cycle == d->end_cycle;
  const bool middle = d->middle;
  const uint32_t sub = d->sub;
  if (!d->plain && !ended) gdb_go_to(d, d->cycle);
  uint64_t h = gdb_front_hash(&d->machine);
  if (middle) gdb_return(d, d->cycle, true);
  d->sub = sub;
  gdb_say(d, "cycle %llu hash %016llx\n", (unsigned long long)d->cycle, (unsigned long long)h);
}

#define FORMAT_WORDS "bf16 fp16 fp32 int32 int16 int8 hex"
const struct gdb_command gdb_shows[] = {
    {"where", "", "position and wait of every core and thread", "", where},
    {"why", "", "at the end: the fault or hang, explained", "", why},
    {"findings", "", "findings of the checkers so far", "", findings},
    {"dis", "[ADDR [COUNT]]", "disassemble around the pc", "", dis},
    {"registers", "[GROUP|NAME]", "registers of the core; groups general, float, csr, tensix, thread_config",
     "general float csr tensix thread_config", registers},
    {"dst", "[ROW [ROWS [hex]]]", "rows of Dst as numbers", "", dst},
    {"srca", "[BANK]", "a bank of SrcA as numbers", "", src},
    {"srcb", "[BANK]", "a bank of SrcB as numbers", "", src},
    {"lreg", "N [FORMAT]", "a register of the vector unit", "", lreg},
    {"page", "ADDR [FORMAT [COUNT]]", "memory as numbers: bf16, fp16, fp32, int32, int16, int8, hex", "", page},
    {"history", "[MIB]", "the snapshots, and their memory limit", "", history},
    {"hash", "", "hash of the state at this cycle", "", hash},
};
const size_t gdb_show_count = sizeof gdb_shows / sizeof *gdb_shows;
