/* See ops.h. */
#include "pto/ir/ops.h"

#include <stdio.h>
#include <string.h>

#include "pto/program/program.h"

static const struct ir_row rows[] = {
#define IR_ROW(name, builder, code, tiles, shapes, number, core, syntax, meaning) \
  {name, IR_B_##builder, PTO_OP_##code, tiles, IR_SHAPES_##shapes, number, IR_CORE_##core, syntax, meaning},
#include "pto/ir/ops.def"
#undef IR_ROW
};

#define ROWS (sizeof rows / sizeof rows[0])
#define NAME_MAX_LENGTH 40u

unsigned pto_ir_row_count(void) { return (unsigned)ROWS; }

const struct ir_row *pto_ir_row(unsigned index) { return index < ROWS ? &rows[index] : NULL; }

const struct ir_row *pto_ir_row_find(struct ir_slice name) {
  for (size_t i = 0; i < ROWS; i++)
    if (pto_ir_is(name, rows[i].name)) return &rows[i];
  return NULL;
}

/* Edit distance of two names: letters inserted, removed or replaced. */
static unsigned distance(struct ir_slice a, const char *b) {
  unsigned line[NAME_MAX_LENGTH + 1], length = (unsigned)strlen(b);
  for (unsigned j = 0; j <= length; j++) line[j] = j;
  for (unsigned i = 1; i <= a.length; i++) {
    unsigned corner = line[0];
    line[0] = i;
    for (unsigned j = 1; j <= length; j++) {
      unsigned replaced = corner + (a.at[i - 1] != b[j - 1]), other = (line[j] < line[j - 1] ? line[j] : line[j - 1]) + 1;
      corner = line[j];
      line[j] = replaced < other ? replaced : other;
    }
  }
  return line[length];
}

void pto_ir_row_nearest(struct ir_slice name, char *text, size_t size) {
  bool taken[ROWS] = {false};
  size_t used = 0;
  if (name.length > NAME_MAX_LENGTH) name.length = NAME_MAX_LENGTH;
  if (size) text[0] = '\0';
  for (unsigned n = 0; n < 3; n++) {
    size_t best = ROWS;
    unsigned least = 0;
    for (size_t i = 0; i < ROWS; i++) {
      unsigned d = taken[i] || strlen(rows[i].name) > NAME_MAX_LENGTH ? UINT32_MAX : distance(name, rows[i].name);
      if (best < ROWS && d >= least) continue;
      best = i;
      least = d;
    }
    taken[best] = true;
    int more = snprintf(text + used, size - used, "%s%s", n == 0 ? "" : n == 2 ? " or " : ", ", rows[best].name);
    if (more < 0 || (size_t)more >= size - used) return;
    used += (size_t)more;
  }
}
