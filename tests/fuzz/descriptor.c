/* Fuzz target: a cluster descriptor. One that is read is written, and what is written is read as the same chips and links. */
#include <stdlib.h>
#include <string.h>

#include "system/descriptor.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static struct system_plan plan, again;
  static char text[1u << 16];
  char error[160];
  if (!system_descriptor_read(&plan, (const char *)data, size, error, sizeof error)) {
    if (!error[0]) abort();
    return 0;
  }
  struct sim_text to = {text, sizeof text, 0};
  system_descriptor_write(&plan, &to);
  if (to.length >= sizeof text || !system_descriptor_read(&again, text, to.length, error, sizeof error)) abort();
  if (plan.chips != again.chips || plan.links != again.links || memcmp(plan.link, again.link, sizeof plan.link) != 0)
    abort();
  for (unsigned i = 0; i < plan.chips; i++)
    if (plan.chip[i].identity.board != again.chip[i].identity.board || plan.chip[i].device != again.chip[i].device) abort();
  return 0;
}
