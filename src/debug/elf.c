/* The ELF reader of elf.h. */
#include "debug/elf.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "debug/limits.h"
#include "sim/text.h"

#define HEADER_BYTES 52u
#define SEGMENT_BYTES 32u /* an Elf32_Phdr */
#define SECTION_BYTES 40u /* an Elf32_Shdr */
#define MACHINE_RISCV 243u
#define TYPE_EXEC 2u
#define PT_LOAD 1u
#define PF_X 1u
#define SHT_NOBITS 8u
#define SHF_ALLOC 2u

/* --- reads --- */

uint8_t dbg_u8(struct dbg_bytes bytes, size_t at) { return at < bytes.size ? bytes.data[at] : 0; }

uint16_t dbg_u16(struct dbg_bytes bytes, size_t at) {
  if (at > bytes.size || bytes.size - at < 2) return 0;
  return (uint16_t)(bytes.data[at] | bytes.data[at + 1] << 8);
}

uint32_t dbg_u32(struct dbg_bytes bytes, size_t at) {
  if (at > bytes.size || bytes.size - at < 4) return 0;
  const uint8_t *p = bytes.data + at;
  return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

const char *dbg_string(struct dbg_bytes bytes, size_t at) {
  if (at >= bytes.size) return "";
  const size_t room = bytes.size - at;
  if (!memchr(bytes.data + at, 0, room < DBG_NAME_MAX + 1 ? room : DBG_NAME_MAX + 1)) return "";
  const char *text = (const char *)bytes.data + at;
  for (const char *c = text; *c;) {
    size_t shown = sim_text_shown(c);
    if (!shown) return "";
    c += shown;
  }
  return text;
}

bool dbg_is_string(struct dbg_bytes bytes, size_t at, const char *text, size_t length) {
  return at < bytes.size && length < bytes.size - at && memcmp(bytes.data + at, text, length) == 0 &&
         bytes.data[at + length] == 0;
}

static struct dbg_bytes part(struct dbg_bytes file, uint32_t at, uint32_t size) {
  if (at > file.size || size > file.size - at) return (struct dbg_bytes){0};
  return (struct dbg_bytes){.data = file.data + at, .size = size};
}

static bool inside(struct dbg_bytes file, uint32_t at, uint64_t size) { return at <= file.size && size <= file.size - at; }

/* --- opening --- */

static bool refuse(char *why, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

static bool refuse(char *why, size_t size, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(why, size, format, args);
  va_end(args);
  return false;
}

/* What kind of file it is. */
static bool check_identity(struct dbg_bytes file, char *why, size_t n) {
  if (file.size < 4 || memcmp(file.data, "\177ELF", 4) != 0) return refuse(why, n, "not an ELF file");
  if (file.size < HEADER_BYTES) return refuse(why, n, "ELF header cut off after %zu bytes", file.size);
  if (file.data[4] != 1) return refuse(why, n, "not a 32-bit ELF file (class %u)", file.data[4]);
  if (file.data[5] != 1) return refuse(why, n, "not a little-endian ELF file");
  if (dbg_u16(file, 18) != MACHINE_RISCV)
    return refuse(why, n, "ELF file for machine %u, not for RISC-V (%u)", dbg_u16(file, 18), MACHINE_RISCV);
  if (dbg_u16(file, 16) != TYPE_EXEC)
    return refuse(why, n, "ELF type %u: only linked executables (type 2) can be loaded", dbg_u16(file, 16));
  return true;
}

static bool check_segment(const struct dbg_elf *elf, uint32_t i, char *why, size_t n) {
  size_t at = elf->segment_at + (size_t)i * elf->segment_step;
  uint32_t offset = dbg_u32(elf->file, at + 4), file_size = dbg_u32(elf->file, at + 16);
  uint32_t memory_size = dbg_u32(elf->file, at + 20);
  if (dbg_u32(elf->file, at) != PT_LOAD) return true;
  if (!inside(elf->file, offset, file_size))
    return refuse(why, n, "segment %u: %u bytes at offset %u lie outside the file (%zu bytes)", i, file_size, offset,
                  elf->file.size);
  if (memory_size < file_size)
    return refuse(why, n, "segment %u: %u bytes in the file but only %u in memory", i, file_size, memory_size);
  if ((uint64_t)dbg_u32(elf->file, at + 12) + memory_size > UINT64_C(1) << 32)
    return refuse(why, n, "segment %u: 0x%x bytes from 0x%08x on leave the address space", i, memory_size,
                  dbg_u32(elf->file, at + 12));
  return true;
}

/* Section headers are only needed for names and lines: a broken table means none. */
static void find_sections(struct dbg_elf *elf) {
  uint32_t at = dbg_u32(elf->file, 32), step = dbg_u16(elf->file, 46), count = dbg_u16(elf->file, 48);
  uint32_t names = dbg_u16(elf->file, 50);
  if (step < SECTION_BYTES || !inside(elf->file, at, (uint64_t)step * count)) return;
  elf->section_at = at;
  elf->section_step = step;
  elf->sections_over = count > DBG_SECTIONS_MAX;
  elf->section_count = elf->sections_over ? DBG_SECTIONS_MAX : count;
  if (names >= count) return;
  size_t header = at + (size_t)names * step;
  elf->section_names = part(elf->file, dbg_u32(elf->file, header + 16), dbg_u32(elf->file, header + 20));
}

bool dbg_elf_open(struct dbg_elf *elf, const void *data, size_t size, char *why, size_t why_size) {
  memset(elf, 0, sizeof *elf);
  elf->file = (struct dbg_bytes){.data = data, .size = size};
  if (!check_identity(elf->file, why, why_size)) return false;
  elf->entry = dbg_u32(elf->file, 24);
  elf->segment_at = dbg_u32(elf->file, 28);
  elf->segment_step = dbg_u16(elf->file, 42);
  elf->segment_count = dbg_u16(elf->file, 44);
  if (elf->segment_count == 0) return refuse(why, why_size, "no program headers: nothing to load");
  if (elf->segment_count > DBG_SEGMENTS_MAX)
    return refuse(why, why_size, "%u program headers: at most %u are read", elf->segment_count, DBG_SEGMENTS_MAX);
  if (elf->segment_step < SEGMENT_BYTES ||
      !inside(elf->file, elf->segment_at, (uint64_t)elf->segment_step * elf->segment_count))
    return refuse(why, why_size, "%u program headers at offset %u lie outside the file (%zu bytes)", elf->segment_count,
                  elf->segment_at, size);
  for (uint32_t i = 0; i < elf->segment_count; i++)
    if (!check_segment(elf, i, why, why_size)) return false;
  find_sections(elf);
  return true;
}

/* --- segments and sections --- */

bool dbg_elf_segment(const struct dbg_elf *elf, unsigned n, struct dbg_segment *out) {
  for (uint32_t i = 0; i < elf->segment_count; i++) {
    size_t at = elf->segment_at + (size_t)i * elf->segment_step;
    uint32_t memory_size = dbg_u32(elf->file, at + 20);
    if (dbg_u32(elf->file, at) != PT_LOAD || memory_size == 0 || n-- != 0) continue;
    *out = (struct dbg_segment){.address = dbg_u32(elf->file, at + 12),
                                .run_address = dbg_u32(elf->file, at + 8),
                                .memory_size = memory_size,
                                .executable = dbg_u32(elf->file, at + 24) & PF_X,
                                .bytes = part(elf->file, dbg_u32(elf->file, at + 4), dbg_u32(elf->file, at + 16))};
    return true;
  }
  return false;
}

/* Offset of the header of the section with this name; 0: none. */
static size_t find_section(const struct dbg_elf *elf, const char *name) {
  const size_t length = strlen(name);
  for (uint32_t i = 0; i < elf->section_count; i++) {
    size_t header = elf->section_at + (size_t)i * elf->section_step;
    if (dbg_is_string(elf->section_names, dbg_u32(elf->file, header), name, length)) return header;
  }
  return 0;
}

#define SHF_COMPRESSED 0x800u
static bool is_compressed(const struct dbg_elf *elf, size_t header) {
  return header && dbg_u32(elf->file, header + 8) & SHF_COMPRESSED;
}

bool dbg_elf_is_compressed(const struct dbg_elf *elf, const char *name) {
  return is_compressed(elf, find_section(elf, name));
}

static struct dbg_bytes contents(const struct dbg_elf *elf, size_t header) {
  if (!header || dbg_u32(elf->file, header + 4) == SHT_NOBITS || is_compressed(elf, header)) return (struct dbg_bytes){0};
  return part(elf->file, dbg_u32(elf->file, header + 16), dbg_u32(elf->file, header + 20));
}

bool dbg_elf_executes(const struct dbg_elf *elf, uint32_t address) {
  struct dbg_segment s;
  for (unsigned i = 0; dbg_elf_segment(elf, i, &s); i++)
    if (s.executable && address - s.run_address < s.memory_size) return true;
  return false;
}

uint32_t dbg_elf_data_end(const struct dbg_elf *elf, uint32_t from, uint32_t to) {
  uint32_t end = 0;
  for (uint32_t i = 0; i < elf->section_count; i++) {
    size_t header = elf->section_at + (size_t)i * elf->section_step;
    uint32_t address = dbg_u32(elf->file, header + 12), size = dbg_u32(elf->file, header + 20);
    if (!(dbg_u32(elf->file, header + 8) & SHF_ALLOC) || address < from || address >= to || size > to - address) continue;
    if (!size || address + size <= end) continue;
    if (!strstr(dbg_string(elf->section_names, dbg_u32(elf->file, header)), "stack")) end = address + size;
  }
  return end;
}

struct dbg_bytes dbg_elf_section(const struct dbg_elf *elf, const char *name) {
  return contents(elf, find_section(elf, name));
}

struct dbg_bytes dbg_elf_linked_section(const struct dbg_elf *elf, const char *name) {
  size_t header = find_section(elf, name);
  uint32_t link = header ? dbg_u32(elf->file, header + 24) : 0;
  if (!link || link >= elf->section_count) return (struct dbg_bytes){0};
  return contents(elf, elf->section_at + (size_t)link * elf->section_step);
}

/* --- names --- */

static bool is_loaded(const struct dbg_elf *elf, struct dbg_bytes bytes) {
  struct dbg_segment s;
  for (unsigned n = 0; dbg_elf_segment(elf, n, &s); n++)
    if (s.bytes.data < bytes.data + bytes.size && bytes.data < s.bytes.data + s.bytes.size) return true;
  return false;
}

static bool clean(const struct dbg_elf *elf, struct dbg_bytes names, uint8_t *file) {
  if (!names.size || names.data[names.size - 1] || is_loaded(elf, names)) return false;
  return sim_text_clean((char *)file + (names.data - elf->file.data), names.size);
}

bool dbg_elf_clean_names(const struct dbg_elf *elf, void *file) {
  bool changed = clean(elf, dbg_elf_linked_section(elf, ".symtab"), file);
  changed |= clean(elf, dbg_elf_section(elf, ".debug_str"), file);
  return clean(elf, dbg_elf_section(elf, ".debug_line_str"), file) || changed;
}
