/* libttsim.so: the chip behind the libttsim ABI, which UMD, tt-metal, ttnn and tt-exalens load as a simulated device.
 *
 * The ABI has no handle, so this file holds the project's only global. UMD opens the library by path, closes it, and opens
 * a copy of it from a memory file: loading has no effect, two images may exist in one process, and unloading frees
 * everything. Calls are serialised but come from several threads. No call ends the process unless TESSERA_ON_ERROR=exit. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/abi/debug.h"
#include "host/machine.h"
#include "tessera/host.h"

static struct host_machine *machine;
static struct host_debug *debug;  /* NULL: no debugger */
static struct host_memory memory; /* may be set before init */
static volatile sig_atomic_t report_asked;
static bool inherited; /* the process was forked from one with a device, and has made no call since */

void libttsim_init(void);
void libttsim_exit(void);
void libttsim_set_pci_dma_mem_callbacks(void (*read)(uint64_t, void *, uint32_t),
                                        void (*write)(uint64_t, const void *, uint32_t));
uint32_t libttsim_pci_config_rd32(uint32_t device, uint32_t offset);
void libttsim_pci_config_wr32(uint32_t device, uint32_t offset, uint32_t data);
void libttsim_pci_mem_rd_bytes(uint64_t address, void *bytes, uint32_t size);
void libttsim_pci_mem_wr_bytes(uint64_t address, const void *bytes, uint32_t size);
void libttsim_tile_rd_bytes(uint32_t x, uint32_t y, uint64_t address, void *bytes, uint32_t size);
void libttsim_tile_wr_bytes(uint32_t x, uint32_t y, uint64_t address, const void *bytes, uint32_t size);
void libttsim_clock(uint32_t clocks);

extern char **environ;
#define VARIABLE(name, values, standard, text) name,
static const char *const variables[] = {TESSERA_HOST_VARIABLES(VARIABLE) NULL};
#undef VARIABLE

static void print(void *who, const char *text) {
  (void)who;
  fprintf(stderr, "tessera: %s\n", text);
}

static void ask_report(int signal) {
  (void)signal;
  report_asked = 1;
}

/* A report on SIGUSR1, unless the program handles that signal itself. */
static void catch_signal(void) {
  struct sigaction old, catcher = {.sa_handler = ask_report, .sa_flags = SA_RESTART};
  if (!sigaction(SIGUSR1, NULL, &old) && old.sa_handler == SIG_DFL) sigaction(SIGUSR1, &catcher, NULL);
}

static void release_signal(void) {
  struct sigaction old;
  if (!sigaction(SIGUSR1, NULL, &old) && old.sa_handler == ask_report) signal(SIGUSR1, SIG_DFL);
}

/* --- fork: a child has the parent's memory and none of its threads; the device stays the parent's --- */

static void begin_child(void) {
  if (!machine) return;
  inherited = machine->options.log != HOST_LOG_QUIET;
  release_signal();
  host_machine_abandon(machine);
  machine = NULL; /* not freed: a thread of the parent may have been changing it */
  debug = NULL;
}

static void watch_forks(void) {
  static bool watched;
  if (!watched) watched = !pthread_atfork(NULL, NULL, begin_child);
}

static bool has_device(void) {
  if (machine) return true;
  if (inherited)
    print(NULL,
          "this process was forked from one with a device; the device is its parent's, and reads return all ones here");
  inherited = false;
  return false;
}

void libttsim_init(void) {
  struct host_options options;
  char error[256];
  if (machine) {
    print(NULL, "libttsim_init is called twice; the second call does nothing");
    return;
  }
  if (!host_options_read(&options, getenv, error, sizeof error) ||
      !(machine = host_machine_create(&options, options.gdb ? host_debug_configure : NULL, print, error, sizeof error))) {
    print(NULL, error);
    return;
  }
  if (options.gdb && !(debug = host_debug_begin(machine, error, sizeof error))) {
    print(NULL, error);
    host_machine_destroy(machine);
    machine = NULL;
    return;
  }
  inherited = false;
  watch_forks();
  char *const *next = options.log != HOST_LOG_QUIET ? environ : NULL;
  while (next && (next = host_options_unknown(next, variables, error, sizeof error))) print(NULL, error);
  host_machine_memory(machine, &memory);
  if (options.report) catch_signal();
}

__attribute__((destructor)) static void unload(void) {
  release_signal();
  host_debug_end(debug);
  debug = NULL;
  host_machine_destroy(machine);
  machine = NULL;
}

void libttsim_exit(void) {
  if (machine) host_machine_exit(machine);
  unload();
}

void libttsim_set_pci_dma_mem_callbacks(void (*read)(uint64_t, void *, uint32_t),
                                        void (*write)(uint64_t, const void *, uint32_t)) {
  memory = (struct host_memory){read, write};
  if (machine) host_machine_memory(machine, &memory);
}

uint32_t libttsim_pci_config_rd32(uint32_t device, uint32_t offset) {
  return has_device() ? host_pci_config_read(&machine->host.config, device, offset) : 0xffffffffu;
}

void libttsim_pci_config_wr32(uint32_t device, uint32_t offset, uint32_t data) {
  if (has_device()) host_pci_config_write(&machine->host.config, device, offset, data);
}

void libttsim_pci_mem_rd_bytes(uint64_t address, void *bytes, uint32_t size) {
  if (has_device()) host_read(&machine->host, address, bytes, size);
  else memset(bytes, 0xff, size);
}

void libttsim_pci_mem_wr_bytes(uint64_t address, const void *bytes, uint32_t size) {
  if (has_device()) host_write(&machine->host, address, bytes, size);
}

void libttsim_tile_rd_bytes(uint32_t x, uint32_t y, uint64_t address, void *bytes, uint32_t size) {
  if (has_device()) host_tile_read(&machine->host, x, y, address, bytes, size);
  else memset(bytes, 0xff, size);
}

void libttsim_tile_wr_bytes(uint32_t x, uint32_t y, uint64_t address, const void *bytes, uint32_t size) {
  if (has_device()) host_tile_write(&machine->host, x, y, address, bytes, size);
}

void libttsim_clock(uint32_t clocks) {
  if (!has_device()) return;
  host_machine_clock(machine, clocks);
  if (!report_asked) return;
  report_asked = 0;
  host_machine_report(machine, "signal");
}
