/* A tile gets its checker and its trace at the first run after its creation. */
#include "host/watch.h"

#include <errno.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "check/check.h"
#include "host/chip_port.h"
#include "observe/trace/tracer.h"

#define TRACES_MAX 16u

struct trace {
  uint16_t tile;
  unsigned x, y; /* as given by the user */
  FILE *file;
  struct obs_tracer *tracer; /* NULL: not begun, or ended */
  bool begun;
};

struct host_watch {
  struct chip *chip;
  const struct host_options *options;
  struct chk *check[CHIP_TILES];
  struct chk_chip checks;   /* those of all tiles: they order each other */
  bool starved[CHIP_TILES]; /* out of memory for a checker */
  struct trace trace[TRACES_MAX];
  unsigned trace_count;
  bool failed; /* a trace could not be written */
};

/* --- the tiles that are traced --- */

static bool refuse(char *error, size_t size, const char *name, const char *value, const char *why) {
  snprintf(error, size, "%s=%s: %s", name, value, why);
  return false;
}

/* "1,2 3,4": translated coordinates of Tensix tiles. */
static bool read_tiles(struct host_watch *w, const char *name, const char *text, char *error, size_t error_size) {
  const struct chip_grid *grid = chip_grid(w->chip);
  w->trace_count = 0;
  for (const char *at = text; *at;) {
    unsigned x, y;
    int length = 0;
    if (sscanf(at, "%2u,%2u%n", &x, &y, &length) != 2 || (at[length] && at[length] != ' '))
      return refuse(error, error_size, name, text, "must be Tensix tiles X,Y with spaces between them, such as \"1,2 3,4\"");
    unsigned tile = chip_tile_of(grid, 0, x, y);
    if (tile == CHIP_NO_TILE || grid->slot[tile].kind != CHIP_TENSIX)
      return refuse(error, error_size, name, text, "names coordinates without a Tensix tile");
    if (!grid->slot[tile].good)
      return refuse(error, error_size, name, text, "names a tile that TESSERA_PRODUCT has fused off");
    for (unsigned i = 0; i < w->trace_count; i++)
      if (w->trace[i].tile == tile) return refuse(error, error_size, name, text, "names a tile twice");
    if (w->trace_count == TRACES_MAX) return refuse(error, error_size, name, text, "names more than 16 tiles");
    w->trace[w->trace_count++] = (struct trace){.tile = (uint16_t)tile, .x = x, .y = y};
    at += length;
    while (*at == ' ') at++;
  }
  return true;
}

/* A list is checked even if no trace and no debugger will use it. */
static bool check_tiles(struct host_watch *w, char *error, size_t error_size) {
  const struct host_options *o = w->options;
  bool good = (!o->gdb_tiles || read_tiles(w, "TESSERA_GDB_TILES", o->gdb_tiles, error, error_size)) &&
              read_tiles(w, "TESSERA_TRACE_TILES", o->trace_tiles ? o->trace_tiles : "", error, error_size);
  w->trace_count = 0;
  return good;
}

static bool open_traces(struct host_watch *w, char *error, size_t error_size) {
  static const char *const suffixes[OBS_TRACE_FORMATS] = {"txt", "pftrace", "json", "kanata", "compact", "vcd"};
  const struct host_options *o = w->options;
  char path[4096];
  if (!o->trace) return true;
  if (!read_tiles(w, "TESSERA_TRACE_TILES", o->trace_tiles ? o->trace_tiles : "1,2", error, error_size)) return false;
  mkdir(o->trace, 0777);
  for (unsigned i = 0; i < w->trace_count; i++) {
    struct trace *t = &w->trace[i];
    snprintf(path, sizeof path, "%s/tile-%u-%u.%s", o->trace, t->x, t->y, suffixes[o->trace_format]);
    t->file = fopen(path, "w");
    if (t->file) continue;
    snprintf(path, sizeof path, "must be a directory that can be written: %s", strerror(errno));
    return refuse(error, error_size, "TESSERA_TRACE", o->trace, path);
  }
  return true;
}

static bool write_file(void *file, const void *bytes, size_t size) { return fwrite(bytes, 1, size, file) == size; }

static void begin_trace(struct host_watch *w, struct trace *t, struct tx_tile *tile) {
  struct obs_trace_options options = {.format = (enum obs_trace_format)w->options->trace_format,
                                      .to = SIM_NEVER,
                                      .agents = UINT32_MAX,
                                      .write = write_file,
                                      .context = t->file};
  t->begun = true;
  t->tracer = calloc(1, sizeof *t->tracer);
  if (t->tracer && obs_tracer_begin(t->tracer, tile, &options)) return;
  free(t->tracer);
  t->tracer = NULL;
  w->failed = true;
}

bool host_watch_end_traces(struct host_watch *w) {
  for (unsigned i = 0; i < w->trace_count; i++) {
    struct trace *t = &w->trace[i];
    if (t->tracer && !obs_tracer_end(t->tracer, SIM_NEVER)) w->failed = true;
    free(t->tracer);
    t->tracer = NULL;
    t->begun = true;
    if (t->file && fclose(t->file) != 0) w->failed = true;
    t->file = NULL;
  }
  return !w->failed;
}

/* --- both --- */

struct host_watch *host_watch_create(struct chip *chip, const struct host_options *options, char *error, size_t error_size) {
  error[0] = '\0';
  if (!options->check && !options->trace && !options->trace_tiles && !options->gdb_tiles) return NULL;
  struct host_watch *w = calloc(1, sizeof *w);
  if (!w) {
    snprintf(error, error_size, "no memory for checkers and traces");
    return NULL;
  }
  w->chip = chip;
  w->options = options;
  if (check_tiles(w, error, error_size) && open_traces(w, error, error_size) && (options->check || options->trace)) return w;
  host_watch_destroy(w);
  return NULL;
}

void host_watch_destroy(struct host_watch *w) {
  if (!w) return;
  host_watch_end_traces(w);
  chip_watch_memory(w->chip, NULL, NULL);
  for (unsigned tile = 0; tile < CHIP_TILES; tile++) chk_free(w->check[tile]);
  chk_dram_free(w->checks.dram);
  free(w);
}

void host_watch_wrote(struct host_watch *w) { chk_dram_forget(w->checks.dram); }

static void pass_memory(void *context, unsigned controller, const struct noc_packet *packet) {
  const struct host_watch *w = context;
  chk_dram_arrives(&w->checks, controller, packet);
}

static struct tx_tile *tensix_at(struct chip *chip, unsigned tile) {
  struct chip_endpoint *e = chip_endpoint_peek(chip, tile);
  return e && e->self && e->slot->kind == CHIP_TENSIX ? chip_tensix(chip, tile) : NULL;
}

static bool check_tile(struct host_watch *w, unsigned tile, struct tx_tile *t) {
  if (!w->check[tile]) w->check[tile] = chk_create();
  if (!w->check[tile]) {
    w->starved[tile] = true;
    return false;
  }
  chk_attach(w->check[tile], t, w->options->check);
  chk_join_chip(w->check[tile], &w->checks, tile);
  w->checks.of[tile] = w->check[tile];
  w->checks.logical[tile] = chip_endpoint_peek(w->chip, tile)->slot->logical;
  if (!w->checks.dram) w->checks.dram = chk_dram_create(); /* without it DRAM is not checked */
  chip_watch_memory(w->chip, pass_memory, w);
  return true;
}

bool host_watch_prepare(struct host_watch *w) {
  bool good = true;
  for (unsigned tile = 0; w->options->check && tile < CHIP_TILES; tile++) {
    bool known = w->starved[tile] || w->check[tile];
    struct tx_tile *t = known ? NULL : tensix_at(w->chip, tile);
    if (t && !check_tile(w, tile, t)) good = false;
  }
  for (unsigned i = 0; i < w->trace_count; i++) {
    struct tx_tile *t = w->trace[i].begun ? NULL : tensix_at(w->chip, w->trace[i].tile);
    if (t) begin_trace(w, &w->trace[i], t);
  }
  return good;
}

void host_watch_abandon(struct host_watch *w) {
  for (unsigned i = 0; i < w->trace_count; i++)
    if (w->trace[i].file) __fpurge(w->trace[i].file);
}
