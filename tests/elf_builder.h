/* Builds small ELF32 RISC-V executables in memory for the tests: text, optional data, symbols, a DWARF line table. */
#ifndef TESSERA_TESTS_ELF_BUILDER_H
#define TESSERA_TESTS_ELF_BUILDER_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define BUILT_MAX 8192u

struct built {
  uint8_t bytes[BUILT_MAX];
  uint32_t size;
};

static inline void put(struct built *b, const void *data, uint32_t size) {
  if (size > BUILT_MAX - b->size) size = BUILT_MAX - b->size;
  memcpy(b->bytes + b->size, data, size);
  b->size += size;
}
static inline void put8(struct built *b, uint32_t v) { put(b, &(uint8_t){(uint8_t)v}, 1); }
static inline void put16(struct built *b, uint32_t v) { put8(b, v), put8(b, v >> 8); }
static inline void put32(struct built *b, uint32_t v) { put16(b, v), put16(b, v >> 16); }
static inline void put_text(struct built *b, const char *text) { put(b, text, (uint32_t)strlen(text) + 1); }
static inline void set32(struct built *b, uint32_t at, uint32_t v) {
  for (unsigned i = 0; i < 4; i++) b->bytes[at + i] = (uint8_t)(v >> (8 * i));
}

/* A line table of one unit. Rows: line 10 at `base`, 12 at base+4, 13 at base+12; the sequence ends at base+16.
 * The program is written down by hand after DWARF section 6.2.5: line_base -3, line_range 12, opcode_base 13. */
static inline void put_lines(struct built *b, unsigned version, uint32_t base, const char *directory) {
  uint32_t unit = b->size;
  put32(b, 0); /* unit_length */
  put16(b, version);
  if (version >= 5) put8(b, 4), put8(b, 0);
  uint32_t header = b->size;
  put32(b, 0); /* header_length */
  put8(b, 1);  /* minimum_instruction_length */
  if (version >= 4) put8(b, 1);
  put8(b, 1); /* default_is_stmt */
  put8(b, (uint8_t)-3), put8(b, 12), put8(b, 13);
  put(b, (const uint8_t[]){0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1}, 12);
  if (version >= 5) {
    put8(b, 1), put8(b, 1), put8(b, 0x08), put8(b, 1), put_text(b, directory); /* one directory, inline string */
    put8(b, 2), put8(b, 1), put8(b, 0x1f), put8(b, 2), put8(b, 0x0b);          /* files: line_strp and a directory index */
    put8(b, 2), put32(b, 0), put8(b, 0), put32(b, 0), put8(b, 0);
  } else {
    put_text(b, directory), put8(b, 0);
    put_text(b, "kernel.c"), put8(b, 1), put8(b, 0), put8(b, 0), put8(b, 0);
  }
  set32(b, header, b->size - header - 4);
  put8(b, 0), put8(b, 5), put8(b, 2), put32(b, base);         /* set address */
  put8(b, 3), put8(b, 9), put8(b, 1);                         /* line 1 + 9, copy: row (base, 10) */
  put8(b, 13 + (4 * 12) + (2 + 3));                           /* special: address + 4, line + 2: row (base+4, 12) */
  put8(b, 2), put8(b, 8), put8(b, 3), put8(b, 1), put8(b, 1); /* advance 8, line 13, copy */
  put8(b, 9), put16(b, 4);                                    /* fixed advance 4 */
  put8(b, 0), put8(b, 1), put8(b, 1);                         /* end of sequence */
  set32(b, unit, b->size - unit - 4);
}

struct built_options {
  uint32_t base; /* of the text, and the entry */
  const uint32_t *text;
  uint32_t words;
  uint32_t data_at;      /* 0: no data segment; else 8 bytes 1, 2 and 8 bytes of zeros */
  unsigned dwarf;        /* 0: no lines */
  const char *directory; /* of the source; NULL: "/src" */
};

static inline void put_section(struct built *b, uint32_t name, uint32_t type, uint32_t at, uint32_t size, uint32_t link) {
  const uint32_t words[10] = {name, type, 0, 0, at, size, link, 0, 1, 0};
  for (unsigned i = 0; i < 10; i++) put32(b, words[i]);
}

static inline void put_segment(struct built *b, uint32_t at, uint32_t address, uint32_t size, uint32_t room,
                               uint32_t flags) {
  const uint32_t words[8] = {1, at, address, address, size, room, flags, 4};
  for (unsigned i = 0; i < 8; i++) put32(b, words[i]);
}

static inline void put_symbol(struct built *b, uint32_t name, uint32_t value, uint32_t size, uint32_t info,
                              uint32_t section) {
  put32(b, name), put32(b, value), put32(b, size), put8(b, info), put8(b, 0), put16(b, section);
}

/* Symbols: main (function, the first 8 bytes), helper (function, the rest), flag (object at 0x20000), end (absolute). */
static inline void build_elf(struct built *b, const struct built_options *o) {
  static const char names[] = "\0.text\0.symtab\0.strtab\0.debug_line\0.debug_line_str\0.shstrtab";
  static const char symbols[] = "\0main\0helper\0flag\0end";
  uint32_t segments = o->data_at ? 2 : 1;
  memset(b, 0, sizeof *b);
  put(b, "\177ELF\1\1\1\0\0\0\0\0\0\0\0\0", 16);
  put16(b, 2), put16(b, 243), put32(b, 1), put32(b, o->base), put32(b, 52), put32(b, 0), put32(b, 0);
  put16(b, 52), put16(b, 32), put16(b, segments), put16(b, 40), put16(b, 7), put16(b, 6);
  uint32_t text_at = 52 + 32 * segments, data_at = text_at + 4 * o->words;
  put_segment(b, text_at, o->base, 4 * o->words, 4 * o->words, 5);
  if (o->data_at) put_segment(b, data_at, o->data_at, 8, 16, 6);
  for (uint32_t i = 0; i < o->words; i++) put32(b, o->text[i]);
  if (o->data_at) put32(b, 1), put32(b, 2);
  uint32_t symtab = b->size;
  put_symbol(b, 0, 0, 0, 0, 0);
  put_symbol(b, 1, o->base, 8, 0x12, 1);
  put_symbol(b, 6, o->base + 8, 4 * o->words > 8 ? 4 * o->words - 8 : 0, 0x12, 1);
  put_symbol(b, 13, 0x20000, 4, 0x11, 1);
  put_symbol(b, 18, 0x30000, 0, 0x10, 0xfff1);
  uint32_t strtab = b->size;
  put(b, symbols, sizeof symbols);
  uint32_t lines = b->size;
  if (o->dwarf) put_lines(b, o->dwarf, o->base, o->directory ? o->directory : "/src");
  uint32_t line_str = b->size;
  put_text(b, "dir/kernel.c");
  uint32_t shstr = b->size;
  put(b, names, sizeof names);
  uint32_t sections = b->size;
  put_section(b, 0, 0, 0, 0, 0);
  put_section(b, 1, 1, text_at, 4 * o->words, 0);
  put_section(b, 7, 2, symtab, strtab - symtab, 3);
  put_section(b, 15, 3, strtab, lines - strtab, 0);
  put_section(b, 23, 1, lines, line_str - lines, 0);
  put_section(b, 35, 1, line_str, shstr - line_str, 0);
  put_section(b, 51, 3, shstr, sections - shstr, 0);
  set32(b, 32, sections);
}

#endif
