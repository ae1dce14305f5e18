/* libttsim.so: the chips behind the libttsim ABI, which UMD, tt-metal, ttnn and tt-exalens load as simulated devices.
 *
 * The ABI has no handle, so this file holds the project's only global. UMD opens the library by path, closes it, and opens
 * a copy of it from a memory file: loading has no effect, two images may exist in one process, and unloading frees
 * everything. No call ends the process unless TESSERA_ON_ERROR=exit.
 *
 * Calls may come from several threads at once, libttsim_init and libttsim_exit too: one lock serialises them. A call that gets it
 * after libttsim_exit finds no device. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/abi/debug.h"
#include "host/devices.h"
#include "tessera/host.h"

static struct host_devices *devices;
static struct host_debug *debug;  /* NULL: no debugger */
static struct host_memory memory; /* may be set before init */
static volatile sig_atomic_t report_asked;
static bool inherited; /* the process was forked from one with a device, and has made no call since */
static bool ended;     /* the device was closed, and no call has been made since */

static pthread_mutex_t lock;
static pthread_once_t lock_made = PTHREAD_ONCE_INIT;
static unsigned depth; /* of calls that hold the lock; more than 1: a callback of the host calls the library */

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

/* --- one call at a time --- */

/* Recursive: a callback of the host that calls the library must not wait for itself. */
static void make_lock(void) {
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&lock, &kind);
  pthread_mutexattr_destroy(&kind);
}

static void enter(void) {
  pthread_once(&lock_made, make_lock);
  pthread_mutex_lock(&lock);
  depth++;
}

static void leave(void) {
  depth--;
  pthread_mutex_unlock(&lock);
}

/* A device cannot be replaced while a call of it has not returned. */
static bool is_nested(const char *call) {
  char line[96];
  if (depth == 1) return false;
  snprintf(line, sizeof line, "%s is called by a callback of the host; it does nothing", call);
  print(NULL, line);
  return true;
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
  make_lock(); /* a thread of the parent may have held it */
  depth = 0;
  if (!devices) return;
  inherited = devices->options.log != HOST_LOG_QUIET;
  release_signal();
  host_devices_abandon(devices);
  devices = NULL; /* not freed: a thread of the parent may have been changing it */
  debug = NULL;
}

static void watch_forks(void) {
  static bool watched;
  if (!watched) watched = !pthread_atfork(NULL, NULL, begin_child);
}

/* Takes the lock. */
static bool has_device(void) {
  enter();
  if (devices) return true;
  if (inherited)
    print(NULL,
          "this process was forked from one with a device; the device is its parent's, and reads return all ones here");
  if (ended) print(NULL, "a call comes after libttsim_exit: there is no device, and reads return all ones");
  inherited = ended = false;
  return false;
}

static void open_device(void) {
  struct host_options options;
  char error[256];
  const struct host_voice voice = {print, error, sizeof error};
  if (devices) {
    print(NULL, "libttsim_init is called twice; the second call does nothing");
    return;
  }
  if (!host_options_read(&options, getenv, error, sizeof error) ||
      !(devices = host_devices_create(&options, options.gdb ? host_debug_configure : NULL, voice))) {
    print(NULL, error);
    return;
  }
  if (options.gdb && !(debug = host_debug_begin(host_devices_first(devices), error, sizeof error))) {
    print(NULL, error);
    host_devices_destroy(devices);
    devices = NULL;
    return;
  }
  inherited = ended = false;
  watch_forks();
  char *const *next = options.log != HOST_LOG_QUIET ? environ : NULL;
  while (next && (next = host_options_unknown(next, variables, error, sizeof error))) print(NULL, error);
  host_devices_memory(devices, &memory);
  if (options.report) catch_signal();
}

void libttsim_init(void) {
  enter();
  if (!is_nested("libttsim_init")) open_device();
  leave();
}

static void close_device(void) {
  release_signal();
  host_debug_end(debug);
  debug = NULL;
  host_devices_destroy(devices);
  devices = NULL;
}

__attribute__((destructor)) static void unload(void) {
  enter();
  if (depth == 1) close_device(); /* else a callback ends the process */
  leave();
}

void libttsim_exit(void) {
  enter();
  if (!is_nested("libttsim_exit")) {
    if (devices) host_devices_exit(devices);
    if (devices) ended = devices->options.log != HOST_LOG_QUIET;
    close_device();
  }
  leave();
}

void libttsim_set_pci_dma_mem_callbacks(void (*read)(uint64_t, void *, uint32_t),
                                        void (*write)(uint64_t, const void *, uint32_t)) {
  enter();
  memory = (struct host_memory){read, write};
  if (devices) host_devices_memory(devices, &memory);
  leave();
}

uint32_t libttsim_pci_config_rd32(uint32_t device, uint32_t offset) {
  const struct host_machine *m = has_device() ? host_devices_at(devices, device) : NULL;
  uint32_t value = m ? host_pci_config_read(&m->host.config, device, offset) : 0xffffffffu;
  leave();
  return value;
}

void libttsim_pci_config_wr32(uint32_t device, uint32_t offset, uint32_t data) {
  struct host_machine *m = has_device() ? host_devices_at(devices, device) : NULL;
  if (m) host_pci_config_write(&m->host.config, device, offset, data);
  leave();
}

void libttsim_pci_mem_rd_bytes(uint64_t address, void *bytes, uint32_t size) {
  if (has_device()) host_read(&host_devices_of(devices, address)->host, address, bytes, size);
  else memset(bytes, 0xff, size);
  leave();
}

void libttsim_pci_mem_wr_bytes(uint64_t address, const void *bytes, uint32_t size) {
  if (has_device()) host_write(&host_devices_of(devices, address)->host, address, bytes, size);
  leave();
}

void libttsim_tile_rd_bytes(uint32_t x, uint32_t y, uint64_t address, void *bytes, uint32_t size) {
  if (has_device()) host_tile_read(&host_devices_first(devices)->host, x, y, address, bytes, size);
  else memset(bytes, 0xff, size);
  leave();
}

void libttsim_tile_wr_bytes(uint32_t x, uint32_t y, uint64_t address, const void *bytes, uint32_t size) {
  if (has_device()) host_tile_write(&host_devices_first(devices)->host, x, y, address, bytes, size);
  leave();
}

static void clock_device(uint32_t clocks) {
  host_devices_clock(devices, clocks);
  if (!report_asked) return;
  host_devices_report(devices, "signal");
  report_asked = 0; /* a signal in the meantime asks for the same report: the chip has not run */
}

void libttsim_clock(uint32_t clocks) {
  if (has_device()) clock_device(clocks);
  leave();
}
