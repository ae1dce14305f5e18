/* The debugger of debug.h. */
#define _POSIX_C_SOURCE 200809L
#include "host/abi/debug.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/chip.h"
#include "api/chip_hang.h"
#include "api/tile.h"
#include "gdb/debugger.h"
#include "gdb/serve.h"
#include "gdb/travel.h"

struct host_debug {
  struct host_machine *machine;
  struct tessera_chip chip; /* the handle for the debugger; the machine owns its parts */
  struct tessera_debugger *debugger;
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t turned;
  uint64_t granted, reached; /* cycles: the host waits for the first, the debugger has reached the second */
  bool wrote;                /* the host has changed the chip since its last wait */
  bool closing, gone;        /* the host is closing the device; the debugger has ended */
};

void host_debug_configure(struct chip_config *config) {
  config->tile_bytes = sizeof(struct tessera_tile);
  config->tile_offset = offsetof(struct tessera_tile, tile);
  config->tile_made = api_tile_made;
  config->tile_gone = api_tile_gone;
}

/* --- the host's thread --- */

/* Replaces chip_run. A debugger that steps may have gone further than the host requested. */
static bool run(void *debug, uint64_t cycles) {
  struct host_debug *d = debug;
  uint64_t until = chip_now(d->chip.chip) + cycles;
  pthread_mutex_lock(&d->lock);
  d->granted = until;
  pthread_cond_broadcast(&d->turned);
  while (d->reached < until && !d->gone) pthread_cond_wait(&d->turned, &d->lock);
  bool gone = d->gone;
  d->wrote = false;
  pthread_mutex_unlock(&d->lock);
  if (gone && chip_now(d->chip.chip) < until) chip_run(d->chip.chip, until);
  return true; /* gdb may change the state, so the chip never counts as idle */
}

static void wrote(void *debug) { ((struct host_debug *)debug)->wrote = true; }

/* --- the debugger's thread --- */

/* Waits for a clock call; returns the cycle up to which the chip may run. 0: there are no more calls. */
static uint64_t grant(void *debug, uint64_t now, bool *changed) {
  struct host_debug *d = debug;
  pthread_mutex_lock(&d->lock);
  d->reached = now;
  pthread_cond_broadcast(&d->turned);
  while (d->granted <= now && !d->closing) pthread_cond_wait(&d->turned, &d->lock);
  uint64_t granted = d->closing ? 0 : d->granted;
  *changed = d->wrote;
  d->wrote = false;
  pthread_mutex_unlock(&d->lock);
  return granted;
}

static void say(void *debug, const char *line) {
  struct host *host = &((struct host_debug *)debug)->machine->host;
  char text[320];
  snprintf(text, sizeof text, "TESSERA_GDB: %s", line);
  host->say(host->listener, text);
}

static void *serve(void *debug) {
  struct host_debug *d = debug;
  if (!gdb_wait_for_grant(d->debugger)) { /* waits for the first clock call: before it, the host owns the chip */
    d->gone = true;
    return NULL;
  }
  enum tessera_result result = tessera_debugger_serve(d->debugger, d->machine->options.gdb, say, d);
  if (result != TESSERA_DONE && result != TESSERA_STOPPED) say(d, tessera_debugger_error(d->debugger));
  else say(d, "the debugger has ended; the host program continues without it");
  pthread_mutex_lock(&d->lock);
  tessera_debugger_close(d->debugger);
  d->debugger = NULL;
  d->gone = true;
  pthread_cond_broadcast(&d->turned);
  pthread_mutex_unlock(&d->lock);
  return NULL;
}

/* --- both --- */

static bool add_tiles(struct host_debug *d, const char *tiles, char *error, size_t error_size) {
  const char *at = tiles ? tiles : "1,2";
  while (*at) {
    unsigned x, y;
    int length = 0;
    bool good = sscanf(at, "%u,%u%n", &x, &y, &length) == 2 && (at[length] == ' ' || !at[length]);
    if (!good || tessera_debugger_add_tile(d->debugger, x, y) != TESSERA_OK) {
      snprintf(error, error_size, "TESSERA_GDB_TILES=%s: must be X,Y X,Y ... of Tensix tiles, each once", tiles);
      return false;
    }
    at += length + (at[length] == ' ');
  }
  return true;
}

/* The debugger listens from the first clock call on; a place where it cannot listen is an error of the settings, found before. */
static bool check_place(const char *where, char *error, size_t error_size) {
  if (gdb_can_listen(where)) return true;
  snprintf(error, error_size, "TESSERA_GDB=%s: must be unix:PATH, HOST:PORT or PORT where gdb can connect: %s", where,
           strerror(errno));
  return false;
}

static bool open_debugger(struct host_debug *d, char *error, size_t error_size) {
  if (!check_place(d->machine->options.gdb, error, error_size)) return false;
  snprintf(error, error_size, "TESSERA_GDB: no memory for the debugger");
  d->debugger = tessera_debugger_open_chip(&d->chip);
  if (!d->debugger || !add_tiles(d, d->machine->options.gdb_tiles, error, error_size)) return false;
  d->debugger->grant = grant;
  d->debugger->grant_context = d;
  pthread_mutex_init(&d->lock, NULL);
  pthread_cond_init(&d->turned, NULL);
  return pthread_create(&d->thread, NULL, serve, d) == 0;
}

struct host_debug *host_debug_begin(struct host_machine *m, char *error, size_t error_size) {
  struct host_debug *d = calloc(1, sizeof *d);
  if (d) {
    d->machine = m;
    d->chip.handle.magic = API_CHIP;
    d->chip.chip = m->chip;
    d->chip.end = CHIP_END_TIME;
  }
  if (!d || !open_debugger(d, error, error_size)) {
    if (d && d->debugger) tessera_debugger_close(d->debugger);
    free(d);
    return NULL;
  }
  m->host.debug = (struct host_debug_port){d, run, wrote};
  return d;
}

void host_debug_end(struct host_debug *d) {
  if (!d) return;
  pthread_mutex_lock(&d->lock);
  d->closing = true;
  pthread_cond_broadcast(&d->turned);
  pthread_mutex_unlock(&d->lock);
  pthread_join(d->thread, NULL);
  if (d->debugger) tessera_debugger_close(d->debugger);
  d->machine->host.debug = (struct host_debug_port){0};
  api_chip_forget_hang(&d->chip);
  free(d->chip.text);
  pthread_cond_destroy(&d->turned);
  pthread_mutex_destroy(&d->lock);
  free(d);
}
