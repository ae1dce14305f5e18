/* The C API: names of the enumerations of include/tessera/pto.h. Those that programs contain are spelled as in their text. */
#include <stddef.h>

#include "api/pto_instr.h"
#include "pto/program/program.h"
#include "pto/program/types.h"
#include "pto/runtime/finding.h"
#include "tessera/pto.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const char *name_of(const char *const *names, size_t count, unsigned value) {
  return value < count && names[value] ? names[value] : "?";
}

const char *tessera_pto_result_name(enum tessera_pto_result result) {
  static const char *const names[] = {
      [TESSERA_PTO_RAN] = "ran",       [TESSERA_PTO_FAULT] = "fault", [TESSERA_PTO_DEADLOCK] = "deadlock",
      [TESSERA_PTO_HAZARD] = "hazard", [TESSERA_PTO_LIMIT] = "limit", [TESSERA_PTO_INVALID] = "invalid",
      [TESSERA_PTO_OK] = "ok"};
  return name_of(names, COUNT(names), (unsigned)result);
}

const char *tessera_pto_cores_name(enum tessera_pto_core cores) {
  static const char *const names[] = {[TESSERA_PTO_CUBE] = "Cube",
                                      [TESSERA_PTO_VECTOR0] = "Vector 0",
                                      [TESSERA_PTO_VECTOR1] = "Vector 1",
                                      [TESSERA_PTO_VECTORS] = "Vectors"};
  return name_of(names, COUNT(names), (unsigned)cores);
}

const char *tessera_pto_core_name(unsigned core) { return pto_core_name(core); }
const char *tessera_pto_loc_name(enum tessera_pto_loc loc) {
  return loc < TESSERA_PTO_MAT ? "?" : pto_loc_name((unsigned)loc);
}
const char *tessera_pto_dtype_name(enum tessera_pto_dtype dtype) { return pto_dtype_name((unsigned)dtype); }
const char *tessera_pto_dir_name(enum tessera_pto_dir dir) {
  return dir < TESSERA_PTO_C2V ? "?" : pto_dir_name((unsigned)dir);
}
const char *tessera_pto_split_name(enum tessera_pto_split split) { return pto_split_name((unsigned)split); }
const char *tessera_pto_finding_name(unsigned kind) { return pto_finding_name(kind); }

const char *tessera_pto_unit_name(enum tessera_pto_unit unit) {
  return unit == TESSERA_PTO_ALL_UNITS ? "ALL" : pto_unit_name((unsigned)unit);
}

const char *tessera_pto_op_name(enum tessera_pto_op op) {
  return (unsigned)op < TESSERA_PTO_OPS ? pto_op_name(pto_api_op(op)) : "?";
}

const char *tessera_pto_fifo_name(enum tessera_pto_fifo fifo) { return pto_fifo_name((unsigned)fifo); }

const char *tessera_pto_ratio_name(enum tessera_pto_ratio ratio) { return pto_ratio_name((unsigned)ratio); }

const char *tessera_pto_status_name(enum tessera_pto_status status) {
  static const char *const names[] = {[TESSERA_PTO_ALLOCATE] = "allocate",
                                      [TESSERA_PTO_RECORD] = "record",
                                      [TESSERA_PTO_WAIT] = "wait",
                                      [TESSERA_PTO_FREE] = "free"};
  return name_of(names, COUNT(names), (unsigned)status);
}

const char *tessera_pto_field_name(enum tessera_pto_field field) {
  static const char *const names[] = {[TESSERA_PTO_PROD_OFFSET] = "prod_offset",
                                      [TESSERA_PTO_CONS_OFFSET] = "cons_offset",
                                      [TESSERA_PTO_PROD_TILE] = "prod_tile",
                                      [TESSERA_PTO_CONS_TILE] = "cons_tile"};
  return name_of(names, COUNT(names), (unsigned)field);
}

const char *tessera_pto_quant_name(enum tessera_pto_quant quant) { return pto_quant_name((unsigned)quant); }

const char *tessera_pto_layout_name(enum tessera_pto_layout layout) { return pto_layout_name((unsigned)layout); }

const char *tessera_pto_severity_name(enum tessera_pto_severity severity) {
  static const char *const names[] = {
      [TESSERA_PTO_NOTE] = "note", [TESSERA_PTO_WARNING] = "warning", [TESSERA_PTO_ERROR] = "error"};
  return name_of(names, COUNT(names), (unsigned)severity);
}

const char *tessera_pto_report_format_name(enum tessera_pto_report_format format) {
  static const char *const names[] = {
      [TESSERA_PTO_REPORT_TEXT] = "text", [TESSERA_PTO_REPORT_JSON] = "json", [TESSERA_PTO_REPORT_SARIF] = "sarif"};
  return name_of(names, COUNT(names), (unsigned)format);
}

const char *tessera_pto_event_kind_name(enum tessera_pto_event_kind kind) {
  static const char *const names[] = {[TESSERA_PTO_EVENT_WORK] = "work", [TESSERA_PTO_EVENT_OCCUPANCY] = "occupancy"};
  return name_of(names, COUNT(names), (unsigned)kind);
}

const char *tessera_pto_trace_format_name(enum tessera_pto_trace_format format) {
  static const char *const names[TESSERA_PTO_TRACE_FORMATS] = {[TESSERA_PTO_TRACE_TEXT] = "text",
                                                               [TESSERA_PTO_TRACE_PERFETTO] = "perfetto",
                                                               [TESSERA_PTO_TRACE_CHROME] = "chrome",
                                                               [TESSERA_PTO_TRACE_COMPACT] = "compact"};
  return name_of(names, COUNT(names), (unsigned)format);
}
