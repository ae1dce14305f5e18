/* The cores behind findings and faults. */
#ifndef TESSERA_API_FINDINGS_H
#define TESSERA_API_FINDINGS_H

/* The core whose program contains a finding or fault of this agent; -1. */
int api_core_behind(unsigned agent);

#endif
