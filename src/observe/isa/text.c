/* One instruction as text, and the list of all (isa/text.h). */
#include "observe/isa/text.h"

#include <ctype.h>
#include <stdio.h>

#include "observe/isa/docs.h"
#include "observe/words.h"
#include "tensix/isa/encode.h"

void obs_isa_list(struct sim_text *out) {
  unsigned all = 0, work = 0;
  for (unsigned i = 0; i < 256; i++) {
    const struct tx_op *op = &tx_ops[i];
    if (op->name == NULL) continue;
    all++;
    work += op->state == TX_OP_WORKS;
    sim_text_add(out, "0x%02x  %-13s  %-18s  %-12s  %s\n", i, op->name, obs_unit_name(op->unit), obs_isa_state(op),
                 op->semantics);
  }
  sim_text_add(out, "\n%u of %u work\n", work, all);
}

static void explain_fields(struct sim_text *out, const struct tx_op *op) {
  char letter = 'A';
  for (unsigned i = 0; i < op->field_count; i++) {
    const struct tx_field *field = &tx_op_fields(op)[i];
    if (field->width == 0) {
      sim_text_add(out, "     %-7s %-24s the hardware uses no bit of it: must be 0\n", "", field->name);
      continue;
    }
    char range[16];
    snprintf(range, sizeof range, field->width == 1 ? "[%u]" : "[%u:%u]", field->lo + field->width - 1u, field->lo);
    sim_text_add(out, "  %c  %-7s %-24s %lld to %lld%s\n", letter++, range, field->name, (long long)tx_field_min(field),
                 (long long)tx_field_max(field), field->named_only ? "; written by name" : "");
  }
}

static void explain_gate(struct sim_text *out, const struct tx_op *op) {
  static const char *const block_names[] = {"B0 TDMA",   "B1 sync",   "B2 pack",   "B3 unpack", "B4 mover",
                                            "B5 scalar", "B6 matrix", "B7 config", "B8 vector"};
  static const char *const wait_names[] = {"the SrcA bank", "the SrcB bank", "the mutex", "the unpacker's bank"};
  const char *separator = "";
  sim_text_add(out, "stopped by   ");
  if (op->block == TX_BLOCK_ALL9) sim_text_add(out, "all nine block bits together");
  else if (op->block == TX_BLOCK_BITS) sim_text_add(out, "any block bit");
  else if (op->block == TX_BLOCK_NONE) sim_text_add(out, "nothing: the front end consumes it before the wait gate");
  for (unsigned i = 0; i < 9 && op->block < TX_BLOCK_BITS; i++) {
    if (!(op->block & TX_B(i))) continue;
    sim_text_add(out, "%s%s", separator, block_names[i]);
    separator = ", ";
  }
  separator = "\nwaits for    ";
  for (unsigned i = 0; i < 4; i++) {
    if (!(op->wait & 1u << i)) continue;
    sim_text_add(out, "%s%s", separator, wait_names[i]);
    separator = ", ";
  }
  sim_text_add(out, "\n");
}

static void explain_evidence(struct sim_text *out, const struct tx_op *op) {
  static const char *const states[] = {[TX_OP_WORKS] = "works",
                                       [TX_OP_LATER] = "defined by its document; not simulated yet, faults as unsupported",
                                       [TX_OP_UNDOC] = "no document defines it; faults as unsupported"};
  sim_text_add(out, "cycles       issue %u, latency ", op->issue_cycles);
  if (op->latency_cycles) sim_text_add(out, "%u", op->latency_cycles);
  else sim_text_add(out, "not documented");
  sim_text_add(out, " (%s: %s)\n", obs_isa_evidence(op->timing_evidence), op->timing_source);
  sim_text_add(out, "state        %s\n", states[op->state]);
  if (op->state != TX_OP_UNDOC)
    sim_text_add(out, "evidence     %s; in %u conformance cases\n", obs_isa_evidence(op->evidence), obs_isa_cases(op));
  sim_text_add(out, "document     %s\n", op->spec);
}

void obs_isa_explain(struct sim_text *out, const struct tx_op *op) {
  sim_text_add(out, "%s  0x%02x  %s\n  %s\n\n", op->name, op->opcode, obs_unit_name(op->unit), op->semantics);
  obs_isa_layout(out, op);
  explain_fields(out, op);
  sim_text_add(out, "\noperands     tt");
  for (const char *c = op->name; *c; c++) sim_text_add(out, "%c", tolower((unsigned char)*c));
  const char *separator = " ";
  for (unsigned i = 0; i < op->field_count; i++) {
    if (tx_op_fields(op)[i].named_only) continue;
    sim_text_add(out, "%s%s", separator, tx_op_fields(op)[i].name);
    separator = ",";
  }
  sim_text_add(out, "\n");
  explain_gate(out, op);
  explain_evidence(out, op);
}

void obs_isa_json(struct sim_text *out, const struct tx_op *op) {
  sim_text_add(out, "{\"name\":\"%s\",\"opcode\":%u,\"unit\":\"%s\",\"state\":\"%s\",\"evidence\":\"%s\",\"cases\":%u",
               op->name, op->opcode, obs_unit_name(op->unit), obs_isa_state(op), obs_isa_evidence(op->evidence),
               obs_isa_cases(op));
  sim_text_add(out, ",\"issue_cycles\":%u,\"latency_cycles\":", op->issue_cycles);
  if (op->latency_cycles) sim_text_add(out, "%u", op->latency_cycles);
  else sim_text_add(out, "null"); /* not documented */
  sim_text_add(out, ",\"semantics\":");
  sim_text_add_json(out, op->semantics);
  sim_text_add(out, ",\"document\":");
  sim_text_add_json(out, op->spec);
  sim_text_add(out, ",\"fields\":[");
  for (unsigned i = 0; i < op->field_count; i++) {
    const struct tx_field *field = &tx_op_fields(op)[i];
    sim_text_add(out, "%s{\"name\":\"%s\",\"low_bit\":%u,\"width\":%u}", i ? "," : "", field->name, field->lo, field->width);
  }
  sim_text_add(out, "]}");
}
