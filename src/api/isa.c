/* The disassembler and the tables of the instruction set (include/tessera/isa.h). */
#include "tessera/isa.h"

#include <ctype.h>
#include <string.h>

#include "observe/isa/docs.h"
#include "observe/isa/header.h"
#include "observe/isa/text.h"
#include "observe/words.h"
#include "tensix/isa/dis.h"
#include "tensix/isa/encode.h"
#include "tensix/isa/symbols.h"
#include "tensix/riscv/decode.h"

/* --- disassembler --- */

typedef size_t render_fn(uint32_t word, char *text, size_t size);

static size_t render(render_fn *fn, uint32_t word, char *text, size_t size) {
  return text || !size ? fn(word, text, size) : 0;
}

size_t tessera_disassemble(uint32_t word, char *text, size_t size) { return render(tx_dis, word, text, size); }

size_t tessera_disassemble_fields(uint32_t word, char *text, size_t size) {
  if (text && size) text[0] = '\0';
  return render(tx_dis_fields, word, text, size);
}

size_t tessera_disassemble_riscv(uint32_t word, uint32_t pc, char *text, size_t size) {
  char whole[128] = "";
  tx_rv_dis(word, pc, whole, sizeof whole);
  size_t length = strlen(whole), part = length < size ? length : size ? size - 1 : 0;
  if (text && size) memcpy(text, whole, part), text[part] = '\0';
  return length;
}

int tessera_is_instruction(uint32_t word) { return tx_is_instruction(word); }
uint32_t tessera_word_to_stream(uint32_t word) { return tx_word_to_stream(word); }
uint32_t tessera_stream_to_word(uint32_t stream) { return tx_stream_to_word(stream); }

/* --- tables --- */

static const struct tx_op *op_of(unsigned opcode) { return opcode < 256 && tx_ops[opcode].name ? &tx_ops[opcode] : NULL; }

enum tessera_result tessera_isa_op(unsigned opcode, struct tessera_isa_op *op) {
  const struct tx_op *o = op_of(opcode);
  if (!o || !op) return TESSERA_INVALID;
  *op = (struct tessera_isa_op){.name = o->name,
                                .semantics = o->semantics,
                                .document = o->spec,
                                .unit_name = obs_unit_name(o->unit),
                                .state = obs_isa_state(o),
                                .evidence = obs_isa_evidence(o->evidence),
                                .timing_evidence = obs_isa_evidence(o->timing_evidence),
                                .timing_source = o->timing_source,
                                .used = o->used,
                                .blocks = o->block,
                                .waits = o->wait,
                                .unit = o->unit,
                                .issue_cycles = o->issue_cycles,
                                .latency_cycles = o->latency_cycles,
                                .field_count = o->field_count,
                                .cases = obs_isa_cases(o)};
  return TESSERA_OK;
}

enum tessera_result tessera_isa_field(unsigned opcode, unsigned index, struct tessera_isa_field *field) {
  const struct tx_op *o = op_of(opcode);
  if (!o || index >= o->field_count || !field) return TESSERA_INVALID;
  const struct tx_field *f = &tx_op_fields(o)[index];
  *field = (struct tessera_isa_field){.name = f->name,
                                      .low_bit = f->lo,
                                      .width = f->width,
                                      .named_only = f->named_only,
                                      .minimum = tx_field_min(f),
                                      .maximum = tx_field_max(f)};
  return TESSERA_OK;
}

uint32_t tessera_isa_field_value(unsigned opcode, unsigned index, uint32_t word) {
  const struct tx_op *o = op_of(opcode);
  return o && index < o->field_count ? tx_field_get(&tx_op_fields(o)[index], word) : 0;
}

int tessera_isa_find(const char *name) {
  if (!name) return -1;
  const struct tx_op *op = tx_op_by_name(name, strlen(name));
  bool prefix = tolower((unsigned char)name[0]) == 't' && tolower((unsigned char)name[1]) == 't';
  if (!op && prefix) op = tx_op_by_name(name + 2, strlen(name) - 2);
  return op ? op->opcode : -1;
}

const char *tessera_isa_nearest(const char *name) {
  const char *near = name ? tx_nearest_op(name, strlen(name)) : NULL;
  return near ? near : "";
}

size_t tessera_config_field_count(void) { return tx_config_field_count; }

enum tessera_result tessera_config_field(size_t index, struct tessera_config_field *field) {
  if (index >= tx_config_field_count || !field) return TESSERA_INVALID;
  const struct tx_config_field *f = &tx_config_fields[index];
  *field = (struct tessera_config_field){
      .name = f->name, .address = f->addr, .low_bit = f->shift, .width = f->width, .thread = f->thread};
  return TESSERA_OK;
}

size_t tessera_isa_text(enum tessera_isa_text which, unsigned opcode, char *text, size_t size) {
  const struct tx_op *op = op_of(opcode);
  struct sim_text out = {.data = text, .size = size};
  if (text && size) text[0] = '\0';
  if (!text && size) return 0;
  switch (which) {
    case TESSERA_ISA_LIST: obs_isa_list(&out); break;
    case TESSERA_ISA_EXPLAIN:
      if (op) obs_isa_explain(&out, op);
      break;
    case TESSERA_ISA_JSON:
      if (op) obs_isa_json(&out, op);
      break;
    case TESSERA_ISA_MARKDOWN: obs_isa_markdown(&out); break;
    case TESSERA_ISA_COVERAGE: obs_isa_coverage_markdown(&out); break;
    case TESSERA_ISA_C_HEADER: obs_isa_c_header(&out); break;
    default: break;
  }
  return out.length;
}
