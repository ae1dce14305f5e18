/* Names of enumerations, and the version (include/tessera/base.h, tile.h, isa.h, trace.h, profile.h, explore.h). */
#include <string.h>

#include "api/tile_value.h"
#include "observe/words.h"
#include "sim/text.h"
#include "tessera/explore.h"
#include "tessera/isa.h"
#include "tessera/profile.h"
#include "tessera/trace.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

int tessera_api_version(void) { return TESSERA_API_VERSION; }
const char *tessera_version(void) { return TESSERA_VERSION; }

static const char *name_of(const char *const *names, size_t count, unsigned value) {
  return value < count && names[value] ? names[value] : "?";
}

size_t tessera_text_shown(const char *text) { return text ? sim_text_shown(text) : 0; }

const char *tessera_result_name(enum tessera_result result) {
  static const char *const names[] = {
      [TESSERA_OK] = "ok",           [TESSERA_DONE] = "done",       [TESSERA_LIMIT] = "limit",
      [TESSERA_STOPPED] = "stopped", [TESSERA_HANG] = "hang",       [TESSERA_FAULT] = "fault",
      [TESSERA_INVALID] = "invalid", [TESSERA_REFUSED] = "refused", [TESSERA_NO_MEMORY] = "no memory"};
  return name_of(names, COUNT(names), (unsigned)result);
}

const char *tessera_stop_name(enum tessera_stop stop) {
  static const char *const names[TESSERA_STOPS] = {[TESSERA_STOP_NONE] = "none",
                                                   [TESSERA_STOP_DONE] = "done",
                                                   [TESSERA_STOP_LIMIT] = "limit",
                                                   [TESSERA_STOP_CONDITION] = "condition",
                                                   [TESSERA_STOP_BREAKPOINT] = "breakpoint",
                                                   [TESSERA_STOP_WATCHPOINT] = "watchpoint",
                                                   [TESSERA_STOP_STEP] = "step",
                                                   [TESSERA_STOP_REQUEST] = "request",
                                                   [TESSERA_STOP_HANG] = "hang",
                                                   [TESSERA_STOP_FINDING] = "finding",
                                                   [TESSERA_STOP_FAULT] = "fault"};
  return name_of(names, COUNT(names), (unsigned)stop);
}

const char *tessera_severity_name(enum tessera_severity severity) {
  static const char *const names[] = {"note", "warning", "error"};
  return name_of(names, COUNT(names), (unsigned)severity);
}

const char *tessera_timing_name(enum tessera_timing timing) {
  static const char *const names[] = {[TESSERA_TIMING_OFF] = "off", [TESSERA_TIMING_CYCLE] = "cycle"};
  return name_of(names, COUNT(names), (unsigned)timing);
}

const char *tessera_check_name(enum tessera_check check) {
  static const char *const names[] = {[TESSERA_CHECK_A] = "a",
                                      [TESSERA_CHECK_B] = "b",
                                      [TESSERA_CHECK_C] = "c",
                                      [TESSERA_CHECK_D] = "d",
                                      [TESSERA_CHECK_E] = "e",
                                      [TESSERA_CHECK_F] = "f",
                                      [TESSERA_CHECK_DEFAULT] = "default",
                                      [TESSERA_CHECK_ALL] = "all"};
  return name_of(names, COUNT(names), (unsigned)check);
}

const char *tessera_option_name(enum tessera_option option) {
  static const char *const names[TESSERA_OPTIONS] = {
      [TESSERA_OPTION_STRICT] = "strict", [TESSERA_OPTION_QUIET] = "quiet", [TESSERA_OPTION_VERBOSE] = "verbose",
      [TESSERA_OPTION_SCALAR] = "scalar", [TESSERA_OPTION_CHECK] = "check", [TESSERA_OPTION_ACCOUNT] = "account"};
  return name_of(names, COUNT(names), (unsigned)option);
}

const char *tessera_report_name(enum tessera_report format) {
  static const char *const names[TESSERA_REPORTS] = {
      [TESSERA_REPORT_TEXT] = "text", [TESSERA_REPORT_JSON] = "json", [TESSERA_REPORT_SARIF] = "sarif"};
  return name_of(names, COUNT(names), (unsigned)format);
}

const char *tessera_difference_name(enum tessera_difference difference) {
  static const char *const names[] = {[TESSERA_SAME] = "same",
                                      [TESSERA_DIFFERENT_OUTPUT] = "output",
                                      [TESSERA_DIFFERENT_END] = "end",
                                      [TESSERA_DIFFERENT_FAULT] = "fault",
                                      [TESSERA_DIFFERENT_FINDING] = "finding"};
  return name_of(names, COUNT(names), (unsigned)difference);
}

const char *tessera_asm_op_kind_name(enum tessera_asm_op_kind kind) {
  static const char *const names[] = {
      [TESSERA_ASM_STORE] = "store", [TESSERA_ASM_POLL] = "poll", [TESSERA_ASM_SYNC] = "sync"};
  return name_of(names, COUNT(names), (unsigned)kind);
}

const char *tessera_isa_text_name(enum tessera_isa_text which) {
  static const char *const names[TESSERA_ISA_TEXTS] = {
      [TESSERA_ISA_LIST] = "list",         [TESSERA_ISA_EXPLAIN] = "explain",   [TESSERA_ISA_JSON] = "json",
      [TESSERA_ISA_MARKDOWN] = "markdown", [TESSERA_ISA_COVERAGE] = "coverage", [TESSERA_ISA_C_HEADER] = "C header"};
  return name_of(names, COUNT(names), (unsigned)which);
}

const char *tessera_of_name(enum tessera_of of) {
  static const char *const names[] = {
      [TESSERA_OF_CORE] = "core", [TESSERA_OF_THREAD] = "thread", [TESSERA_OF_UNIT] = "unit"};
  return name_of(names, COUNT(names), (unsigned)of);
}

const char *tessera_profile_format_name(enum tessera_profile_format format) {
  static const char *const names[TESSERA_PROFILES] = {[TESSERA_PROFILE_CALLGRIND] = "callgrind",
                                                      [TESSERA_PROFILE_SPEEDSCOPE] = "speedscope",
                                                      [TESSERA_PROFILE_LCOV] = "lcov"};
  return name_of(names, COUNT(names), (unsigned)format);
}

const char *tessera_trace_format_name(enum tessera_trace_format format) {
  static const char *const names[TESSERA_TRACE_FORMATS] = {
      [TESSERA_TRACE_TEXT] = "text",     [TESSERA_TRACE_PERFETTO] = "perfetto", [TESSERA_TRACE_CHROME] = "chrome",
      [TESSERA_TRACE_KANATA] = "kanata", [TESSERA_TRACE_COMPACT] = "compact",   [TESSERA_TRACE_VCD] = "vcd"};
  return name_of(names, COUNT(names), (unsigned)format);
}

const char *tessera_core_name(enum tessera_core core) { return (unsigned)core < TX_CORES ? tx_core_name(core) : "?"; }

int tessera_core_number(const char *name) { return name ? dbg_core_number(name, strlen(name)) : -1; }

const char *tessera_thread_name(unsigned thread) {
  return thread < TX_THREADS ? obs_agent_name(tx_agent_of_thread(thread)) : "?";
}

const char *tessera_unit_name(unsigned unit) { return unit <= TX_UNIT_FRONTEND ? obs_unit_name(unit) : "?"; }

const char *tessera_semaphore_name(unsigned semaphore) {
  return semaphore < TX_SEMAPHORES ? obs_semaphore_name(semaphore) : "?";
}
