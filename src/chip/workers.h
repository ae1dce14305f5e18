/* Host threads that run the tiles of a window. */
#ifndef TESSERA_CHIP_WORKERS_H
#define TESSERA_CHIP_WORKERS_H

#include "chip/internal.h"

/* Runs some endpoints up to `until`, on all host threads. */
struct chip_workers *chip_workers_create(unsigned threads);
void chip_workers_destroy(struct chip_workers *workers);
void chip_workers_run(struct chip_workers *workers, struct chip_endpoint **endpoints, unsigned count, sim_time until);

#endif
