/* Faults are values: kind, cycle, place, reason, and the document. The machine freezes and stays readable. */
#ifndef TESSERA_SIM_FAULT_H
#define TESSERA_SIM_FAULT_H

#include <stdint.h>

#include "sim/time.h"

enum sim_fault_kind {
  SIM_FAULT_NONE = 0,
  SIM_FAULT_BAD_INSTRUCTION, /* unknown opcode, field out of range */
  SIM_FAULT_UNSUPPORTED,     /* decodes, but no document defines it, or it is not implemented; `why` has the reason */
  SIM_FAULT_UNDEFINED,       /* the documents call it undefined, or hardware hangs on it */
  SIM_FAULT_ADDRESS,         /* outside the address map, misaligned */
  SIM_FAULT_CAPACITY,        /* a bound of the simulator itself was reached */
  SIM_FAULT_HAZARD,          /* a warning turned into a stop by strict mode */
};

enum sim_severity { SIM_NOTE, SIM_WARNING, SIM_ERROR };

#define SIM_WHY_MAX 192u
#define SIM_NO_AGENT 0xffffu

struct sim_fault {
  sim_time cycle;
  uint32_t kind;  /* enum sim_fault_kind */
  uint32_t pc;    /* 0 when the agent has none */
  uint32_t word;  /* the instruction */
  uint16_t agent; /* SIM_NO_AGENT: no particular one */
  uint16_t unit;  /* the machine's numbering; of a packet's fault: pc, word and unit are the sender's pc, agent and tile */
  char why[SIM_WHY_MAX]; /* one line, no newline */
  char document[64];     /* the page that documents the rule */
};

const char *sim_fault_kind_name(uint32_t kind);

/* printf-style, always terminated; truncates a text that does not fit. Clears all of `fault` first (states are hashed). */
void sim_fault_set(struct sim_fault *fault, uint32_t kind, sim_time cycle, const char *document, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

#endif
