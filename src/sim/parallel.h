/* Jobs that do not depend on each other, on as many host threads as there are. */
#ifndef TESSERA_SIM_PARALLEL_H
#define TESSERA_SIM_PARALLEL_H

typedef void sim_job_fn(void *context, unsigned index);

/* Runs job 0 to count - 1, each once; returns when all are done. threads 0: one for each processor of the host. Which thread does a
 * job, and in which order, is not determined: jobs must not share what they write. */
void sim_parallel(unsigned threads, unsigned count, sim_job_fn *job, void *context);

#endif
