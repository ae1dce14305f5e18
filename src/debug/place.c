/* Places of place.h. */
#include "debug/place.h"

#include <stdio.h>
#include <string.h>

#include "debug/demangle.h"
#include "debug/frames.h"
#include "debug/symbols.h"

void dbg_place_find(const struct dbg_elf *elf, uint32_t address, struct dbg_place *out) {
  struct dbg_frame frames[DBG_FRAMES_MAX];
  memset(out, 0, sizeof *out);
  if (!dbg_elf_executes(elf, address)) return;
  out->function = dbg_symbol_at(elf, address, &out->offset);
  unsigned count = dbg_frames_find(elf, address, frames, DBG_FRAMES_MAX), user = dbg_frames_user(frames, count);
  if (count == 0) return;
  /* a compiler's copy of a function (scrub.constprop.0) has the function's name in DWARF */
  if (out->function && strchr(out->function, '.') && frames[count - 1].function) out->function = frames[count - 1].function;
  const struct dbg_frame *shown = &frames[user < count ? user : 0];
  out->file = dbg_path_base(&shown->path);
  out->line = shown->line;
  out->library = user == count && shown->path.file && dbg_path_is_library(&shown->path);
  if (user == count || user == 0) return;
  out->call = frames[user - 1].function;
}

int dbg_place_words(const struct dbg_elf *elf, uint32_t address, char *text, size_t size) {
  struct dbg_place p;
  char function[256] = "", call[256] = "";
  dbg_place_find(elf, address, &p);
  if (size) text[0] = '\0';
  if (p.function) dbg_readable_name(p.function, function, sizeof function);
  if (p.call) dbg_readable_name(p.call, call, sizeof call);
  if (p.function && p.file && p.call)
    return snprintf(text, size, "%s+0x%x (%s:%u, in %s)", function, p.offset, p.file, p.line, call);
  if (p.function && p.file) return snprintf(text, size, "%s+0x%x (%s:%u)", function, p.offset, p.file, p.line);
  if (p.function) return snprintf(text, size, "%s+0x%x", function, p.offset);
  if (p.file) return snprintf(text, size, "%s:%u", p.file, p.line);
  return 0;
}
