/* Faults as values: names and filling in. */
#include "sim/fault.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sim/assert.h"

const char *sim_fault_kind_name(uint32_t kind) {
  switch (kind) {
    case SIM_FAULT_NONE: return "none";
    case SIM_FAULT_BAD_INSTRUCTION: return "bad instruction";
    case SIM_FAULT_UNSUPPORTED: return "unsupported";
    case SIM_FAULT_UNDEFINED: return "undefined";
    case SIM_FAULT_ADDRESS: return "address";
    case SIM_FAULT_CAPACITY: return "capacity";
    case SIM_FAULT_HAZARD: return "hazard";
    default: return "unknown";
  }
}

/* Clears the bytes after the terminator: vsnprintf may leave anything there. */
static void clear_tail(char *text, size_t size) {
  size_t used = strlen(text);
  if (used < size) memset(text + used, 0, size - used);
}

void sim_fault_set(struct sim_fault *fault, uint32_t kind, sim_time cycle, const char *document, const char *format, ...) {
  sim_assert(kind != SIM_FAULT_NONE);
  memset(fault, 0, sizeof *fault);
  fault->kind = kind;
  fault->cycle = cycle;
  fault->agent = SIM_NO_AGENT;
  va_list args;
  va_start(args, format);
  vsnprintf(fault->why, sizeof fault->why, format, args);
  va_end(args);
  snprintf(fault->document, sizeof fault->document, "%s", document ? document : "");
  clear_tail(fault->why, sizeof fault->why);
  clear_tail(fault->document, sizeof fault->document);
}
