/* Virtual time: cycles since the machine was created. */
#ifndef TESSERA_SIM_TIME_H
#define TESSERA_SIM_TIME_H

#include <stdint.h>

typedef uint64_t sim_time;

#define SIM_NEVER UINT64_MAX

#endif
