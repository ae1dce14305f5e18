/* The record backend of kernels/include/tensix_io.h. */
#include "record.h"

static struct {
  struct rig *rig;
  unsigned thread;
  const struct launch *launch;
  char failure[512];
} state;

void tt_record_push(uint32_t word);
void tt_record_store(uint32_t address, uint32_t value);
uint32_t tt_record_load(uint32_t address);
void tt_record_poll(uint32_t address, uint32_t mask, uint32_t value);
void tt_record_poll_tiles(uint32_t cb, uint32_t index, uint32_t known, uint32_t count);
void tt_record_sync(void);
void tt_record_mop_sync(void);
void tt_record_fail(const char *text, uint32_t value, const char *file, uint32_t line);

void tt_record_push(uint32_t word) { rig_push(state.rig, state.thread, word); }
void tt_record_store(uint32_t address, uint32_t value) { rig_store(state.rig, state.thread, address, value); }
void tt_record_poll(uint32_t address, uint32_t mask, uint32_t value) {
  rig_poll(state.rig, state.thread, address, mask, value);
}
void tt_record_sync(void) { rig_sync(state.rig, state.thread); }
void tt_record_mop_sync(void) { rig_sync(state.rig, state.thread); }

void tt_record_poll_tiles(uint32_t cb, uint32_t index, uint32_t known, uint32_t count) {
  (void)cb, (void)index, (void)known, (void)count; /* always filled, always room */
}

/* A recorded kernel reads the launch block only; the rest of L1 is not known yet. */
uint32_t tt_record_load(uint32_t address) {
  uint32_t value = 0;
  if (address >= LAUNCH_ADDRESS && address + 4 <= LAUNCH_ADDRESS + sizeof *state.launch)
    memcpy(&value, (const uint8_t *)state.launch + (address - LAUNCH_ADDRESS), 4);
  return value;
}

void tt_record_fail(const char *text, uint32_t value, const char *file, uint32_t line) {
  if (state.failure[0] == '\0') snprintf(state.failure, sizeof state.failure, "%s:%u: %s (%u)", file, line, text, value);
}

void record_kernel(struct rig *r, unsigned thread, void (*entry)(void), const struct launch *launch) {
  state.rig = r;
  state.thread = thread;
  state.launch = launch;
  state.failure[0] = '\0';
  entry();
}

const char *record_failure(void) { return state.failure; }
