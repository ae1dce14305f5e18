/* ELF32 little-endian RISC-V executables, read in place from a buffer.
 *
 * Nothing in the file is trusted: every offset and length is checked against the buffer before it is used, and an inconsistent file is
 * rejected with one line. The buffer belongs to the caller and must outlive the reader.
 * Follows the System V gABI chapters 4 and 5 and the RISC-V ELF psABI. Not read: relocations, dynamic linking, notes. */
#ifndef TESSERA_DEBUG_ELF_H
#define TESSERA_DEBUG_ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A part of the file: always inside the buffer. */
struct dbg_bytes {
  const uint8_t *data;
  size_t size;
};

struct dbg_segment {
  uint32_t address;     /* load address (physical) */
  uint32_t run_address; /* address at which the program runs */
  uint32_t memory_size; /* memory after `bytes` is zero */
  bool executable;
  struct dbg_bytes bytes;
};

#define DBG_SEGMENTS_MAX 256u /* linkers produce few; overlaps are searched in pairs */

struct dbg_elf {
  struct dbg_bytes file;
  uint32_t entry;
  uint32_t segment_at, segment_count, segment_step; /* program headers; the table is inside the file */
  uint32_t section_at, section_count, section_step; /* section headers; 0 of them when the table is unusable */
  bool sections_over;                               /* there are more than DBG_SECTIONS_MAX: the first ones are read */
  struct dbg_bytes section_names;
  struct dbg_lines *lines; /* where the owner of the file keeps its index (frames.h); NULL: nowhere */
};

/* false: `why` gives the reason in one line. */
bool dbg_elf_open(struct dbg_elf *elf, const void *data, size_t size, char *why, size_t why_size);

/* The n-th PT_LOAD segment that is not empty; false: there are no more. */
bool dbg_elf_segment(const struct dbg_elf *elf, unsigned n, struct dbg_segment *out);

/* Is this an address of the program's code? */
bool dbg_elf_executes(const struct dbg_elf *elf, uint32_t address);

/* End of the highest section with memory between `from` and `to`, except a section for the stack; 0: none. */
uint32_t dbg_elf_data_end(const struct dbg_elf *elf, uint32_t from, uint32_t to);

/* Is there such a section, and is it compressed (gcc -gz)? Its contents are not read. */
bool dbg_elf_is_compressed(const struct dbg_elf *elf, const char *name);
/* Contents of the section with this name; empty if there is none, it is compressed or it lies outside the file. */
struct dbg_bytes dbg_elf_section(const struct dbg_elf *elf, const char *name);
/* The section that section `name` links to (a symbol table's strings). */
struct dbg_bytes dbg_elf_linked_section(const struct dbg_elf *elf, const char *name);

/* Makes the names of functions and files fit to be shown: in `file`, the caller's copy of the bytes that were opened, what a terminal would
 * obey and what is not UTF-8 becomes '?'. Bytes that are loaded stay. false: nothing was changed. */
bool dbg_elf_clean_names(const struct dbg_elf *elf, void *file);

/* Little-endian reads inside `bytes`; 0 past its end. */
uint32_t dbg_u32(struct dbg_bytes bytes, size_t at);
uint16_t dbg_u16(struct dbg_bytes bytes, size_t at);
uint8_t dbg_u8(struct dbg_bytes bytes, size_t at);
/* A zero-terminated string inside `bytes`; "" when it starts or ends outside, is longer than DBG_NAME_MAX, or cannot be shown as it
 * is (sim_text_shown). */
const char *dbg_string(struct dbg_bytes bytes, size_t at);
/* Is this the string there? */
bool dbg_is_string(struct dbg_bytes bytes, size_t at, const char *text, size_t length);

#endif
