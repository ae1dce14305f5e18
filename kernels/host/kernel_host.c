/* The host's side of kernels: see kernel_host.h. */
#include "kernel_host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CORES 0x1fu

static const char *const core_names[] = {"trisc0", "trisc1", "trisc2", "brisc", "ncrisc"}; /* enum tessera_core */
static const char *const launch_names[] = {"BRISC", "NCRISC", "TRISC0 (unpack)", "TRISC1 (math)",
                                           "TRISC2 (pack)"}; /* enum launch_core */

static unsigned char *read_file(const char *path, size_t *size) {
  FILE *f = fopen(path, "rb");
  if (f == NULL) return NULL;
  unsigned char *bytes = NULL;
  long length = -1;
  if (fseek(f, 0, SEEK_END) == 0) length = ftell(f);
  if (length > 0) bytes = malloc((size_t)length);
  if (bytes) {
    rewind(f);
    *size = fread(bytes, 1, (size_t)length, f);
  }
  fclose(f);
  return bytes;
}

static int load_core(struct tessera_tile *tile, const char *directory, unsigned core) {
  char path[1024];
  size_t size = 0;
  snprintf(path, sizeof path, "%s/%s.elf", directory, core_names[core]);
  unsigned char *file = read_file(path, &size);
  if (file == NULL) {
    fprintf(stderr, "kernel: cannot read %s\n", path);
    return -1;
  }
  enum tessera_result result = tessera_tile_load_elf(tile, (enum tessera_core)core, file, size);
  free(file);
  if (result == TESSERA_OK) return 0;
  fprintf(stderr, "kernel: %s: %s\n", path, tessera_tile_error(tile));
  return -1;
}

int kernel_load(struct tessera_tile *tile, const char *directory) {
  for (unsigned core = 0; core < 5; core++)
    if (load_core(tile, directory, core) != 0) return -1;
  return tessera_tile_start(tile, CORES) == TESSERA_OK ? 0 : -1;
}

uint32_t kernel_alloc(uint32_t *heap, uint32_t bytes) {
  if (*heap < LAUNCH_HEAP) *heap = LAUNCH_HEAP;
  uint32_t address = *heap;
  if (bytes > LAUNCH_L1_BYTES - address) return 0;
  *heap = (address + bytes + 31u) & ~31u;
  return address;
}

static uint32_t read_word(struct tessera_tile *tile, uint32_t address) {
  uint32_t value = 0;
  tessera_tile_read(tile, address, &value, sizeof value);
  return value;
}

static void read_text(struct tessera_tile *tile, uint32_t address, char *text, size_t n) {
  size_t i = 0;
  while (i + 1 < n && tessera_tile_read(tile, address + (uint32_t)i, &text[i], 1) == TESSERA_OK && text[i]) i++;
  text[i] = '\0';
}

/* A KERNEL_CHECK that did not hold. */
static int kernel_failed(struct tessera_tile *tile, char *why, size_t n) {
  char text[160], file[160];
  uint32_t core = read_word(tile, LAUNCH_FIELD(failed));
  if (core == 0 || core > LAUNCH_CORES) return 0;
  read_text(tile, read_word(tile, LAUNCH_FIELD(failed_text)), text, sizeof text);
  read_text(tile, read_word(tile, LAUNCH_FIELD(failed_file)), file, sizeof file);
  char value[16] = "";
  char *rest = strstr(text, "%u");
  if (rest) {
    *rest = '\0';
    rest += 2;
    snprintf(value, sizeof value, "%u", (unsigned)read_word(tile, LAUNCH_FIELD(failed_value)));
  }
  snprintf(why, n, "%s stopped: %s%s%s (%s:%u)", launch_names[core - 1], text, value, rest ? rest : "", file,
           (unsigned)read_word(tile, LAUNCH_FIELD(failed_line)));
  return 1;
}

/* Threads wait for semaphores, and their instructions have no line: the kernel's last call is used instead. */
static void add_places(struct tessera_tile *tile, char *why, size_t n) {
  for (unsigned core = 0; core < LAUNCH_CORES; core++) {
    char text[256];
    uint32_t address = read_word(tile, LAUNCH_FIELD(place) + 4 * core);
    size_t length = strlen(why);
    if (address == 0 || length + 1 >= n) continue;
    read_text(tile, address, text, sizeof text);
    snprintf(why + length, n - length, "%s's last call on Dst: %s\n", launch_names[core], text);
  }
}

enum tessera_result kernel_launch(struct tessera_tile *tile, const struct launch *launch, uint64_t cycles, char *why,
                                  size_t n) {
  struct launch block = *launch;
  block.go = RUN_SYNC_MSG_GO;
  if (n) why[0] = '\0';
  if (tessera_tile_write(tile, LAUNCH_ADDRESS, &block, sizeof block) != TESSERA_OK) return TESSERA_INVALID;
  tessera_tile_unwatch(tile, -1);
  tessera_tile_until(tile, LAUNCH_FIELD(go), UINT32_MAX, RUN_SYNC_MSG_DONE, NULL);
  enum tessera_result result = tessera_tile_run(tile, cycles);
  if (kernel_failed(tile, why, n)) return TESSERA_FAULT;
  if (result == TESSERA_STOPPED) return TESSERA_DONE;
  if (result == TESSERA_LIMIT) snprintf(why, n, "not done after %llu cycles", (unsigned long long)cycles);
  else snprintf(why, n, "%s", tessera_tile_explain(tile));
  if (result == TESSERA_HANG) add_places(tile, why, n);
  return result;
}

const char *kernel_throttle_line(struct tessera_tile *tile) {
  static const char *const levels[] = {"",
                                       "throttled: static level 1",
                                       "throttled: static level 2",
                                       "throttled: static level 3",
                                       "throttled: static level 4",
                                       "throttled: static level 5"};
  uint32_t throttle = read_word(tile, LAUNCH_FIELD(throttle));
  return throttle == 0x100 ? "throttled: dynamic" : throttle <= 5 ? levels[throttle] : "";
}
