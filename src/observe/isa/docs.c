/* The documents of isa/text.h, all from tensix.def, config.def and coverage.def. */

#include "observe/isa/docs.h"

#include <string.h>

#include "observe/words.h"
#include "tensix/isa/encode.h"

static const struct {
  uint8_t opcode;
  uint16_t cases;
} coverage[] = {
#define CASES(name, count) {TX_##name, (count)},
#include "chips/blackhole/coverage.def"
#undef CASES
};

unsigned obs_isa_cases(const struct tx_op *op) {
  for (size_t i = 0; i < sizeof coverage / sizeof coverage[0]; i++) {
    if (coverage[i].opcode == op->opcode) return coverage[i].cases;
  }
  return 0;
}

const char *obs_isa_state(const struct tx_op *op) {
  static const char *const names[] = {[TX_OP_WORKS] = "works", [TX_OP_LATER] = "later", [TX_OP_UNDOC] = "undocumented"};
  return names[op->state];
}

const char *obs_isa_evidence(unsigned evidence) {
  static const char *const names[] = {
      [TX_GOLDEN] = "golden", [TX_DOCUMENT] = "document", [TX_SILICON] = "silicon", [TX_INFERRED] = "inferred"};
  return names[evidence];
}

/* --- one instruction as a drawing: three columns per bit ---
 *
 *    31    24 23 22 21 20 19 ...
 *   +--------+-----+-----+--+
 *   |00100110|  A  |     | B|
 */

struct segment {
  unsigned hi, lo;
  char letter; /* ' ': unused */
};

static unsigned find_segments(const struct tx_op *op, struct segment *segments) {
  unsigned count = 0, above = 24;
  char letter = 'A';
  for (unsigned i = 0; i < op->field_count; i++) {
    const struct tx_field *field = &tx_op_fields(op)[i];
    if (field->width == 0) continue;
    unsigned top = field->lo + field->width;
    if (top < above) segments[count++] = (struct segment){above - 1, top, ' '};
    segments[count++] = (struct segment){top - 1, field->lo, letter++};
    above = field->lo;
  }
  if (above > 0) segments[count++] = (struct segment){above - 1, 0, ' '};
  return count;
}

static unsigned width_of(const struct segment *segment) { return 3 * (segment->hi - segment->lo + 1) - 1; }

static void draw_rule(struct sim_text *out, const struct segment *segments, unsigned count) {
  sim_text_puts(out, "  +--------+");
  for (unsigned i = 0; i < count; i++) {
    for (unsigned k = 0; k < width_of(&segments[i]); k++) sim_text_add(out, "%c", '-');
    sim_text_add(out, "%c", '+');
  }
  sim_text_add(out, "%c", '\n');
}

static void draw_numbers(struct sim_text *out, const struct segment *segments, unsigned count) {
  sim_text_puts(out, "   31    24");
  for (unsigned i = 0; i < count; i++) {
    if (segments[i].hi == segments[i].lo) sim_text_add(out, " %2u", segments[i].hi);
    else sim_text_add(out, " %-2u%*u", segments[i].hi, (int)width_of(&segments[i]) - 2, segments[i].lo);
  }
  sim_text_add(out, "%c", '\n');
}

void obs_isa_layout(struct sim_text *out, const struct tx_op *op) {
  struct segment segments[33];
  unsigned count = find_segments(op, segments);
  draw_numbers(out, segments, count);
  draw_rule(out, segments, count);
  sim_text_puts(out, "  |");
  for (int bit = 7; bit >= 0; bit--) sim_text_add(out, "%c", '0' + (op->opcode >> bit & 1));
  sim_text_add(out, "%c", '|');
  for (unsigned i = 0; i < count; i++) {
    unsigned width = width_of(&segments[i]), left = width / 2;
    sim_text_add(out, "%*s%c%*s|", (int)left, "", segments[i].letter, (int)(width - left - 1), "");
  }
  sim_text_add(out, "%c", '\n');
  draw_rule(out, segments, count);
}

/* --- docs/reference/isa.md --- */

/* The documents list the units in the order in which an instruction passes them. */
static const uint8_t unit_order[] = {TX_UNIT_FRONTEND, TX_UNIT_SYNC,   TX_UNIT_CONFIG, TX_UNIT_SCALAR, TX_UNIT_MISC,
                                     TX_UNIT_MOVER,    TX_UNIT_UNPACK, TX_UNIT_PACK,   TX_UNIT_MATRIX, TX_UNIT_VECTOR};
#define UNIT_COUNT (sizeof unit_order / sizeof unit_order[0])

static void print_operands(struct sim_text *out, const struct tx_op *op) {
  for (unsigned i = 0; i < op->field_count; i++) {
    const struct tx_field *field = &tx_op_fields(op)[i];
    sim_text_add(out, "%s`%s%s", i ? " " : "", field->name, field->named_only ? "=" : "");
    if (field->width == 0) sim_text_puts(out, "[-]`");
    else if (field->width == 1) sim_text_add(out, "[%u]`", field->lo);
    else sim_text_add(out, "[%u:%u]`", field->lo + field->width - 1u, field->lo);
  }
}

static void print_block(struct sim_text *out, const struct tx_op *op) {
  const char *separator = "";
  if (op->block == TX_BLOCK_ALL9) sim_text_puts(out, "all nine");
  else if (op->block == TX_BLOCK_BITS) sim_text_puts(out, "any");
  else if (op->block == TX_BLOCK_NONE) sim_text_puts(out, "-");
  for (unsigned i = 0; i < 9 && op->block < TX_BLOCK_BITS; i++) {
    if (!(op->block & TX_B(i))) continue;
    sim_text_add(out, "%sB%u", separator, i);
    separator = " ";
  }
}

static void print_waits(struct sim_text *out, const struct tx_op *op) {
  static const char *const names[] = {"SrcA", "SrcB", "mutex", "unpack bank"};
  const char *separator = "";
  if (op->wait == TX_WAIT_NONE) sim_text_puts(out, "-");
  for (unsigned i = 0; i < 4; i++) {
    if (!(op->wait & 1u << i)) continue;
    sim_text_add(out, "%s%s", separator, names[i]);
    separator = " ";
  }
}

static void print_instruction_row(struct sim_text *out, const struct tx_op *op) {
  sim_text_add(out, "| 0x%02X | **%s** ", op->opcode, op->name);
  print_operands(out, op);
  sim_text_add(out, " | %s | ", op->semantics);
  print_block(out, op);
  sim_text_puts(out, " | ");
  print_waits(out, op);
  sim_text_add(out, " | %u / ", op->issue_cycles);
  if (op->latency_cycles) sim_text_add(out, "%u", op->latency_cycles);
  else sim_text_add(out, "%c", '?');
  sim_text_add(out, " | %s |\n", op->spec);
}

static void print_unit(struct sim_text *out, unsigned unit) {
  const char *name = obs_unit_name(unit);
  sim_text_add(out, "\n## The %s\n\n", name);
  sim_text_puts(
      out, "| Opcode | Instruction and fields | What it does | Stopped by | Waits for | Issue / latency | Defined by |\n");
  sim_text_puts(out, "|---|---|---|---|---|---|---|\n");
  for (unsigned i = 0; i < 256; i++) {
    if (tx_ops[i].name && tx_ops[i].unit == unit) print_instruction_row(out, &tx_ops[i]);
  }
}

static void print_config_word(struct sim_text *out, bool thread, unsigned addr) {
  bool any = false;
  for (size_t i = 0; i < tx_config_field_count; i++) {
    const struct tx_config_field *field = &tx_config_fields[i];
    if (field->thread != thread || field->addr != addr) continue;
    if (any) sim_text_add(out, "%c", ' ');
    else sim_text_add(out, "| %u | ", addr);
    any = true;
    if (field->width == 1) sim_text_add(out, "`%s[%u]`", field->name, field->shift);
    else sim_text_add(out, "`%s[%u:%u]`", field->name, field->shift + field->width - 1u, field->shift);
  }
  if (any) sim_text_puts(out, " |\n");
}

static void print_config(struct sim_text *out, const char *title, bool thread, unsigned words) {
  sim_text_add(out, "\n### %s\n\n| Word | Fields |\n|---|---|\n", title);
  for (unsigned i = 0; i < words; i++) print_config_word(out, thread, i);
}

static unsigned count_instructions(void) {
  unsigned count = 0;
  for (unsigned i = 0; i < 256; i++) count += tx_ops[i].name != NULL;
  return count;
}

void obs_isa_markdown(struct sim_text *out) {
  sim_text_add(
      out,
      "# The Blackhole Tensix instruction set\n\n"
      "<!-- Generated by `tessera isa --markdown` from src/chips/blackhole/*.def: change the rows, then run `make docs`. "
      "-->\n\n"
      "%u instructions of 32 bits, of which the top eight are the opcode. In a RISC-V instruction stream (`.ttinsn`) the "
      "same\n"
      "word is rotated left by two; words from 0xC0000000 on have no such form.\n\n",
      count_instructions());
  sim_text_puts(
      out,
      "- **Fields** are the bits that the hardware uses, in the order of the operands. `[-]` is an operand of the vendor's\n"
      "  macros of which the hardware uses no bit: it must be 0. `name=` is a field that those macros hide in another "
      "operand;\n"
      "  in assembler text it is written by name.\n"
      "- **Stopped by** names the block bits of STALLWAIT, SEMWAIT and STREAMWAIT that hold the instruction at the wait "
      "gate.\n"
      "- **Waits for** is what the gate checks by itself: ownership of a Src bank, a free mutex.\n"
      "- **Issue / latency** in cycles: distance between two accepted ones, and accept to result; ? when no source says.\n"
      "- State, evidence and the sources of the figures: [coverage.md](../evidence/coverage.md). `tessera isa NAME` draws "
      "one.\n");
  for (size_t i = 0; i < UNIT_COUNT; i++) print_unit(out, unit_order[i]);
  sim_text_puts(
      out,
      "\n## Configuration registers\n\nField names as the assembler takes them: a name is its word's address, NAME.shift "
      "and\n"
      "NAME.mask its place in the word.\n");
  print_config(out, "ThreadConfig: 16 bits, one copy per thread, written by SETC16", true, 68);
  print_config(out, "Config: 32 bits, two banks below word 180", false, 224);
}

/* --- docs/evidence/coverage.md --- */

static void print_counts(struct sim_text *out) {
  unsigned states[3] = {0}, evidence[4] = {0}, timing[4] = {0}, total = 0, reached = 0;
  for (unsigned i = 0; i < 256; i++) {
    const struct tx_op *op = &tx_ops[i];
    if (op->name == NULL) continue;
    total++;
    states[op->state]++;
    evidence[op->evidence] += op->state != TX_OP_UNDOC;
    timing[op->timing_evidence]++;
    reached += obs_isa_cases(op) > 0;
  }
  sim_text_add(out,
               "| Of %u instructions | |\n|---|---|\n"
               "| work | %u |\n| are defined by documents but do not work yet: they fault as unsupported | %u |\n"
               "| have no documented semantics: they fault as unsupported, by name | %u |\n"
               "| are reached by a conformance case | %u |\n"
               "| semantics: golden / document / inferred | %u / %u / %u |\n"
               "| timing: silicon / document / inferred | %u / %u / %u |\n\n",
               total, states[TX_OP_WORKS], states[TX_OP_LATER], states[TX_OP_UNDOC], reached, evidence[TX_GOLDEN],
               evidence[TX_DOCUMENT], evidence[TX_INFERRED], timing[TX_SILICON], timing[TX_DOCUMENT], timing[TX_INFERRED]);
}

static void print_coverage_row(struct sim_text *out, const struct tx_op *op) {
  sim_text_add(out, "| 0x%02X | %s | %s | %s | %s | %u | %s | %u / ", op->opcode, op->name, obs_unit_name(op->unit),
               obs_isa_state(op), op->state == TX_OP_UNDOC ? "none" : obs_isa_evidence(op->evidence), obs_isa_cases(op),
               obs_isa_evidence(op->timing_evidence), op->issue_cycles);
  if (op->latency_cycles) sim_text_add(out, "%u", op->latency_cycles);
  else sim_text_add(out, "%c", '?');
  sim_text_add(out, " | %s |\n", op->timing_source);
}

static void print_uncovered_modes(struct sim_text *out) {
  static const struct {
    const char *instructions, *modes, *source, *test;
  } rows[] = {
#define MODES(instructions, modes, source, test) {instructions, modes, source, test},
#include "chips/blackhole/modes.def"
#undef MODES
  };
  sim_text_puts(out, "\n## Modes that no case reaches\n\n"
                     "The golden model rejects these; their evidence is the pages, and tests written from them.\n\n"
                     "| Instructions | Modes | Source | Tests |\n|---|---|---|---|\n");
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    sim_text_add(out, "| %s | %s | %s | %s |\n", rows[i].instructions, rows[i].modes, rows[i].source, rows[i].test);
}

void obs_isa_coverage_markdown(struct sim_text *out) {
  sim_text_puts(
      out,
      "# Coverage: what works, and how we know\n\n"
      "<!-- Generated by `tessera isa --coverage-markdown` from src/chips/blackhole/*.def: change the rows, then run `make "
      "docs`. -->\n\n");
  print_counts(out);
  sim_text_puts(
      out,
      "Evidence is one of four words: **golden** (conformance cases with expected bits from the golden model contain it),\n"
      "**document** (the vendor's ISA documentation), **silicon** (measured on a card), **inferred** (no source; the most "
      "reasonable reading).\n"
      "Cases counts those of the conformance corpus that contain the instruction, in any role.\n\n"
      "| Opcode | Instruction | Unit | State | Semantics | Cases | Timing | Issue / latency | Source of the timing |\n"
      "|---|---|---|---|---|---|---|---|---|\n");
  for (unsigned i = 0; i < 256; i++) {
    if (tx_ops[i].name) print_coverage_row(out, &tx_ops[i]);
  }
  print_uncovered_modes(out);
}
