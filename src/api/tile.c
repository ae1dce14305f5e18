/* The public C API of include/tessera/tile.h over the tile: creation, memory, programs, runs. Registers are in registers.c, findings in
 * findings.c, texts in texts.c, saved states in state.c, include/tessera/debug.h in debug.c.
 *
 * api/ is the only folder of the library that allocates after a tile exists: for the lists of pushed words, copies of executables,
 * and texts. */
#include "api/tile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/findings.h"
#include "api/history.h"
#include "api/profile.h"
#include "api/texts.h"
#include "api/tile_error.h"
#include "api/trace.h"
#include "api/what_if.h"
#include "observe/account/profile.h"
#include "observe/hang/progress.h"
#include "tensix/riscv/code.h"
#include "tensix/tile/outside.h"

_Static_assert(TESSERA_L1_BYTES == TX_L1_BYTES && TESSERA_MOP_CFG == TX_ADDR_MOP_CFG &&
                   TESSERA_MOP_CFG_BYTES == TX_MOP_CFG_BYTES,
               "include/tessera/tile.h and the chip's address map");

/* --- life --- */

static void set_up(struct tessera_tile *tile, enum tessera_timing timing) {
  tx_tile_reset(&tile->tile, timing == TESSERA_TIMING_CYCLE);
  tile->tile.unsaved.cores.code = tile->decoded;
  for (unsigned i = 0; i < TX_THREADS; i++) {
    tile->script[i].count = 0;
    tile->tile.unsaved.scripts[i] = &tile->script[i];
  }
  memset(tile->hooks, 0, sizeof tile->hooks);
  api_forget_history(tile);
  tile->end = SIM_END_DONE;
  tile->stop = (struct tessera_stop_info){.number = -1, .core = -1};
}

struct tessera_tile *tessera_tile_create(enum tessera_timing timing) {
  struct tessera_tile *tile = (unsigned)timing <= TESSERA_TIMING_CYCLE ? calloc(1, sizeof *tile) : NULL;
  if (!tile) return NULL;
  tile->handle.magic = API_TILE;
  tile->lap = tx_lap_create();
  tile->decoded = tx_code_create();
  set_up(tile, timing);
  return tile;
}

static void unload(struct tessera_tile *tile) {
  for (unsigned i = 0; i < TX_CORES; i++) {
    api_file_drop(tile->files[i]);
    tile->files[i] = NULL;
  }
  free(tile->script_name);
  tile->script_name = NULL;
  memset(&tile->program, 0, sizeof tile->program);
}

static void give_back(struct tessera_tile *tile) {
  tile->handle.magic = 0;
  for (unsigned i = 0; i < TX_THREADS; i++) free(tile->ops[i]);
  unload(tile);
  chk_free(tile->check);
  tx_lap_destroy(tile->lap);
  tx_code_destroy(tile->decoded);
  free(tile->history.start);
  free(tile->profile);
  api_forget_trace(tile);
  api_forget_what_if(tile);
  free(tile->text);
}

void tessera_tile_destroy(struct tessera_tile *tile) {
  if (!api_is_tile(tile) || tile->in_chip || tile->handle.sessions) return;
  give_back(tile);
  free(tile);
}

void api_tile_made(void *memory) {
  struct tessera_tile *tile = memory;
  tile->handle.magic = API_TILE;
  tile->in_chip = 1;
  for (unsigned i = 0; i < TX_THREADS; i++) tile->tile.unsaved.scripts[i] = &tile->script[i];
  tile->end = SIM_END_TIME;
  tile->stop = (struct tessera_stop_info){.number = -1, .core = -1};
}

void api_tile_gone(void *memory) { give_back(memory); }

enum tessera_result tessera_tile_reset(struct tessera_tile *tile, enum tessera_timing timing) {
  if (!api_is_tile(tile)) return TESSERA_INVALID;
  if (tile->in_chip) return api_refuse(tile, TESSERA_INVALID, "the tile belongs to a chip, which alone can reset it");
  if ((unsigned)timing > TESSERA_TIMING_CYCLE) return api_refuse(tile, TESSERA_INVALID, "no such timing");
  unload(tile);
  chk_free(tile->check);
  free(tile->profile);
  tile->check = NULL;
  tile->profile = NULL;
  api_forget_trace(tile);
  api_forget_what_if(tile);
  tile->brisc_pc = tile->verbose = 0;
  set_up(tile, timing);
  return api_ok(tile);
}

/* --- memory --- */

int tessera_visible(uint32_t address, size_t length) {
  return length <= UINT32_MAX && tx_outside_visible(address, (uint32_t)length);
}

static enum tessera_result access_result(struct tessera_tile *tile, bool done, uint32_t address, size_t length) {
  if (done) return api_ok(tile);
  if (tile->tile.fault.kind) return api_refuse(tile, TESSERA_FAULT, "%s", tile->tile.fault.why);
  return api_refuse(tile, TESSERA_INVALID, "the NoC cannot access all of the %zu bytes at 0x%08x", length, address);
}

enum tessera_result tessera_tile_write(struct tessera_tile *tile, uint32_t address, const void *bytes, size_t length) {
  if (!api_is_tile(tile)) return TESSERA_INVALID;
  if (!bytes && length) return api_refuse(tile, TESSERA_INVALID, "no bytes given");
  bool good = !tile->tile.fault.kind && tessera_visible(address, length);
  if (good) api_written(tile);
  if (good) obs_history_write(&tile->history, tile->tile.engine.now, address, bytes, (uint32_t)length);
  return access_result(tile, good && tx_host_write(&tile->tile, address, bytes, (uint32_t)length), address, length);
}

enum tessera_result tessera_tile_read(struct tessera_tile *tile, uint32_t address, void *bytes, size_t length) {
  const bool untouched = api_is_const_tile(tile) && tile->untouched;
  if (!api_is_read_tile(tile)) return TESSERA_INVALID;
  if (!bytes && length) return api_refuse(tile, TESSERA_INVALID, "no room given");
  bool good = tessera_visible(address, length) && tx_outside_read(&tile->tile, address, bytes, (uint32_t)length);
  if (!good && !tessera_visible(address, length))
    return api_refuse(tile, TESSERA_INVALID, "the NoC cannot access all of the %zu bytes at 0x%08x", length, address);
  tile->untouched = untouched && good && address + length <= TX_L1_BYTES; /* registers may change when they are read */
  return access_result(tile, good, address, length);
}

/* --- programs --- */

static bool good_core(enum tessera_core core) { return (unsigned)core < TX_CORES; }

enum tessera_result tessera_tile_load_elf(struct tessera_tile *tile, enum tessera_core core, const void *file, size_t size) {
  if (!api_is_tile(tile)) return TESSERA_INVALID;
  if (!good_core(core)) return api_refuse(tile, TESSERA_INVALID, "no such core");
  if (!file) return api_refuse(tile, TESSERA_INVALID, "no file given");
  struct api_file *held = api_file_hold(tile->chip_files ? tile->chip_files : &tile->own_files, file, size);
  char why[256];
  if (!held) return api_refuse(tile, TESSERA_NO_MEMORY, "out of memory");
  api_changed(tile);
  api_file_drop(tile->files[core]);
  tile->files[core] = held;
  tile->program.loaded[core] = false;
  if (!dbg_program_load(&tile->program, &tile->tile, core, held->bytes, size, why, sizeof why))
    return api_refuse(tile, TESSERA_REFUSED, "%s", why);
  held->lines.index.elf = &held->elf;
  tile->program.elf[core].lines = &held->lines;
  if (core == TESSERA_BRISC) tile->brisc_pc = tile->program.elf[core].entry;
  return api_ok(tile);
}

enum tessera_result tessera_tile_set_reset_pc(struct tessera_tile *tile, enum tessera_core core, uint32_t pc) {
  if (!api_is_tile(tile)) return TESSERA_INVALID;
  if (!good_core(core)) return api_refuse(tile, TESSERA_INVALID, "no such core");
  if ((pc & 3u) || pc >= TX_L1_BYTES) return api_refuse(tile, TESSERA_INVALID, "0x%08x is not an aligned address in L1", pc);
  api_changed(tile);
  if (core == TESSERA_BRISC) tile->brisc_pc = pc;
  else dbg_program_reset_pc(&tile->tile, core, pc);
  return api_ok(tile);
}

enum tessera_result tessera_tile_reset_pc(const struct tessera_tile *tile, enum tessera_core core, uint32_t *pc) {
  if (!api_is_tile(tile) || !good_core(core) || !pc) return TESSERA_INVALID;
  const uint32_t *word = tile->tile.control.word;
  if (core == TESSERA_BRISC) *pc = tile->brisc_pc;
  else if (core == TESSERA_NCRISC) *pc = word[TX_CONTROL_NCRISC_RESET_PC / 4];
  else *pc = word[TX_CONTROL_TRISC0_RESET_PC / 4 + core];
  return TESSERA_OK;
}

enum tessera_result tessera_tile_start(struct tessera_tile *tile, unsigned cores) {
  if (!api_is_tile(tile)) return TESSERA_INVALID;
  if (!cores || cores >> TX_CORES) return api_refuse(tile, TESSERA_INVALID, "no such core");
  api_changed(tile);
  dbg_program_start(&tile->tile, cores, tile->brisc_pc);
  return tile->tile.fault.kind ? TESSERA_FAULT : api_ok(tile);
}

/* --- operations without a program --- */

bool api_reserve(struct tessera_tile *tile, unsigned thread, uint64_t count) {
  if (count >= UINT32_MAX) return false;
  size_t wanted = tile->capacity[thread] ? tile->capacity[thread] : SIM_LIMIT(1024u, 1u);
  while (wanted < count) wanted *= 2;
  if (wanted == tile->capacity[thread]) return true;
  struct tx_script_op *moved = wanted < UINT32_MAX ? realloc(tile->ops[thread], wanted * sizeof *moved) : NULL;
  if (!moved) return false;
  tile->ops[thread] = moved;
  tile->capacity[thread] = wanted;
  tile->script[thread].ops = moved;
  return true;
}

/* Wakes a stand-in that had reached the end of its list. */
enum tessera_result api_append(struct tessera_tile *tile, unsigned thread, struct tx_script_op op) {
  if (thread >= TX_THREADS) return api_refuse(tile, TESSERA_INVALID, "no thread %u", thread);
  struct tx_script *script = &tile->script[thread];
  if (!api_reserve(tile, thread, (uint64_t)script->count + 1)) return api_refuse(tile, TESSERA_NO_MEMORY, "out of memory");
  api_changed(tile);
  tile->ops[thread][script->count++] = op;
  tx_script_continue(&tile->tile, thread);
  return api_ok(tile);
}

enum tessera_result tessera_tile_push(struct tessera_tile *tile, unsigned thread, const uint32_t *words, size_t count) {
  if (!api_is_tile(tile)) return TESSERA_INVALID;
  if (!words && count) return api_refuse(tile, TESSERA_INVALID, "no words given");
  if (thread >= TX_THREADS) return api_refuse(tile, TESSERA_INVALID, "no thread %u", thread);
  if (count >= UINT32_MAX || !api_reserve(tile, thread, tile->script[thread].count + (uint64_t)count))
    return api_refuse(tile, TESSERA_NO_MEMORY, "out of memory");
  for (size_t i = 0; i < count; i++) {
    enum tessera_result result = api_append(tile, thread, (struct tx_script_op){.kind = TX_SCRIPT_PUSH, .a = words[i]});
    if (result != TESSERA_OK) return result;
  }
  return api_ok(tile);
}

enum tessera_result tessera_tile_store(struct tessera_tile *tile, unsigned thread, uint32_t address, uint32_t value) {
  if (!api_is_tile(tile)) return TESSERA_INVALID;
  return api_append(tile, thread, (struct tx_script_op){.kind = TX_SCRIPT_STORE, .a = address, .b = value});
}

enum tessera_result tessera_tile_poll(struct tessera_tile *tile, unsigned thread, uint32_t address, uint32_t mask,
                                      uint32_t value) {
  if (!api_is_tile(tile)) return TESSERA_INVALID;
  return api_append(tile, thread, (struct tx_script_op){.kind = TX_SCRIPT_WAIT, .a = address, .b = mask, .c = value});
}

enum tessera_result tessera_tile_sync(struct tessera_tile *tile, unsigned thread) {
  if (!api_is_tile(tile)) return TESSERA_INVALID;
  return api_append(tile, thread, (struct tx_script_op){.kind = TX_SCRIPT_SYNC});
}

enum tessera_result tessera_tile_copy(struct tessera_tile *tile, unsigned thread, uint32_t from, uint32_t to) {
  if (!api_is_tile(tile)) return TESSERA_INVALID;
  return api_append(tile, thread, (struct tx_script_op){.kind = TX_SCRIPT_COPY, .a = from, .b = to});
}

/* --- runs --- */

uint64_t tessera_tile_cycle(const struct tessera_tile *tile) { return api_is_tile(tile) ? tile->tile.engine.now : 0; }

/* A condition or watchpoint of this cycle, else a core at a break. */
static void find_stop(struct tessera_tile *tile) {
  struct tessera_stop_info *s = &tile->stop;
  struct tx_breaks *b = &tile->tile.unsaved.breaks;
  int watch = tx_watch_take(&tile->tile);
  s->cores = b->stopped;
  b->stopped = 0;
  if (watch >= 0) {
    const struct tx_watch *w = &tile->tile.watch[watch];
    s->reason = w->kind == TX_WATCH_RANGE ? TESSERA_STOP_WATCHPOINT : TESSERA_STOP_CONDITION;
    s->number = watch;
    s->address = w->word[0].address;
  } else if (s->cores) {
    s->core = __builtin_ctz(s->cores);
    s->pc = tile->tile.core[s->core].pc;
    s->reason = b->stepping >> s->core & 1u ? TESSERA_STOP_STEP : TESSERA_STOP_BREAKPOINT;
    for (unsigned i = 0; i < b->used; i++)
      if (b->at[i].core == (unsigned)s->core && b->at[i].pc == s->pc)
        s->number = (int)i, s->reason = TESSERA_STOP_BREAKPOINT;
  } else {
    s->reason = TESSERA_STOP_REQUEST;
  }
}

static void note_stop(struct tessera_tile *tile) {
  struct tessera_stop_info *s = &tile->stop;
  uint32_t fault = tile->tile.fault.kind;
  *s = (struct tessera_stop_info){.number = -1, .core = -1, .cycle = tile->tile.engine.now};
  if (fault) {
    s->reason = fault == SIM_FAULT_HAZARD ? TESSERA_STOP_FINDING : TESSERA_STOP_FAULT;
    s->core = api_core_behind(tile->tile.fault.agent);
    s->pc = tile->tile.fault.pc;
    return;
  }
  struct dbg_failure failure; /* a KERNEL_CHECK that did not hold ends the run like a fault */
  if (dbg_program_failure(&tile->program, &tile->tile, &failure)) {
    s->reason = TESSERA_STOP_FAULT;
    s->core = (int)failure.core;
    s->pc = failure.place.pc;
    return;
  }
  switch (tile->end) {
    case SIM_END_DONE: s->reason = TESSERA_STOP_DONE; break;
    case SIM_END_TIME: s->reason = TESSERA_STOP_LIMIT; break;
    case SIM_END_BLOCKED: s->reason = TESSERA_STOP_HANG; break;
    default: find_stop(tile); break;
  }
}

void api_end(struct tessera_tile *tile, enum sim_end end) {
  tile->error[0] = '\0';
  tile->end = end;
  tile->code = 0;
  note_stop(tile);
}

void api_restored(struct tessera_tile *tile) {
  if (tile->check) chk_attach(tile->check, &tile->tile, chk_kinds(tile->check));
  api_restart_profile(tile);
  api_forget_history(tile);
}

enum sim_end api_run(struct tessera_tile *tile, uint64_t cycles) {
  sim_time now = tile->tile.engine.now, until = cycles < SIM_NEVER - 1 - now ? now + cycles : SIM_NEVER - 1;
  bool rests = cycles < TESSERA_FOREVER && tx_tile_rest(&tile->tile, until);
  if (tile->check) chk_program(tile->check, &tile->program);
  if (!rests) api_begin_history(tile);
  if (!tile->untouched) tx_lap_forget(tile->lap);
  tile->untouched = false;
  enum sim_end end = SIM_END_DONE;
  if (tx_watch_met(&tile->tile)) end = SIM_END_STOPPED; /* several in one cycle: each of them is a stop */
  else if (!rests) end = obs_run_on(&tile->progress, &tile->tile, &tile->program, tile->lap, until);
  api_end(tile, end);
  if (tile->profile) obs_profile_settle(tile->profile, api_account_end(tile, tile->tile.engine.now));
  if (tile->check && tile->stop.reason == TESSERA_STOP_DONE) chk_finish(tile->check);
  if (tile->check && tile->stop.reason == TESSERA_STOP_HANG) chk_hung(tile->check);
  api_find_writers(tile);
  return tile->end;
}

enum tessera_result api_run_result(const struct tessera_tile *tile) {
  switch (tile->stop.reason) {
    case TESSERA_STOP_DONE: return TESSERA_DONE;
    case TESSERA_STOP_LIMIT: return TESSERA_LIMIT;
    case TESSERA_STOP_HANG: return TESSERA_HANG;
    case TESSERA_STOP_FINDING:
    case TESSERA_STOP_FAULT: return TESSERA_FAULT;
    default: return TESSERA_STOPPED;
  }
}

enum tessera_result tessera_tile_run(struct tessera_tile *tile, uint64_t cycles) {
  if (!api_is_const_tile(tile)) return TESSERA_INVALID; /* whether it was touched is of interest */
  if (tile->in_chip) return api_refuse(tile, TESSERA_INVALID, "the tile belongs to a chip: run the chip");
  if (!api_enter_tile(tile)) return TESSERA_INVALID;
  api_run(tile, cycles);
  tile->untouched = true;
  enum tessera_result result = api_run_result(tile);
  api_leave(&tile->handle);
  return result;
}

enum tessera_result tessera_tile_stop_info(const struct tessera_tile *tile, struct tessera_stop_info *info) {
  if (!api_is_tile(tile) || !info) return TESSERA_INVALID;
  *info = tile->stop;
  return TESSERA_OK;
}
