/* Names of enumerations, and the version (include/tessera/base.h, tile.h). */
#include <string.h>

#include "api/tile_value.h"
#include "observe/words.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

int tessera_api_version(void) { return TESSERA_API_VERSION; }
const char *tessera_version(void) { return TESSERA_VERSION; }

static const char *name_of(const char *const *names, size_t count, unsigned value) {
  return value < count && names[value] ? names[value] : "?";
}

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

const char *tessera_core_name(enum tessera_core core) { return (unsigned)core < TX_CORES ? tx_core_name(core) : "?"; }

int tessera_core_number(const char *name) { return name ? dbg_core_number(name, strlen(name)) : -1; }

const char *tessera_thread_name(unsigned thread) {
  return thread < TX_THREADS ? obs_agent_name(tx_agent_of_thread(thread)) : "?";
}

const char *tessera_unit_name(unsigned unit) { return unit <= TX_UNIT_FRONTEND ? obs_unit_name(unit) : "?"; }

const char *tessera_semaphore_name(unsigned semaphore) {
  return semaphore < TX_SEMAPHORES ? obs_semaphore_name(semaphore) : "?";
}
