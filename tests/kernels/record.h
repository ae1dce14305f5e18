/* Kernels run on the host: their core's pushes, stores and polls become op lists for scripted cores (tests/rig.h). The
 * compute kernels are compiled with TT_RECORD for each of the three T cores; circular buffers are taken as filled and as
 * large as the run needs, so a recorded run covers the coprocessor's side of a kernel. */
#ifndef TESSERA_TESTS_RECORD_H
#define TESSERA_TESTS_RECORD_H

#include "../../kernels/include/launch.h"
#include "../rig.h"

/* Runs `entry` as the kernel of thread `thread`. The launch block is all that the kernel reads of L1. */
void record_kernel(struct rig *r, unsigned thread, void (*entry)(void), const struct launch *launch);

/* "" or the message of a failed KERNEL_CHECK of the last recorded kernel. Recording continues after it. */
const char *record_failure(void);

#endif
