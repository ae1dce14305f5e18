/* The C API of include/tessera/pto.h over the program builder and the machine. Instructions: api_instr.c. */
#include "api/pto_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "observe/pto_report.h"
#include "pto/ir/parse.h"
#include "pto/program/pipe.h"
#include "pto/program/place.h"
#include "pto/runtime/explain.h"
#include "pto/runtime/explore.h"
#include "pto/runtime/grid.h"
#include "pto/runtime/verdict.h"
#include "sim/text.h"

#define REPORT_MAX 65536u

struct tessera_pto_machine {
  struct api_handle handle; /* first: API_PTO_MACHINE */
  struct pto_grid *grid;
  struct pto_machine *machine; /* its first block */
  enum pto_end_kind end;
  char *text; /* of tessera_pto_run_report */
  char report[REPORT_MAX];
};

static bool is_machine(const struct tessera_pto_machine *m) { return api_is(m, API_PTO_MACHINE); }

_Static_assert((int)TESSERA_PTO_SCALING == (int)PTO_SCALING && (int)TESSERA_PTO_U8 == (int)PTO_U8,
               "the public enums are the machine's own");
_Static_assert((int)TESSERA_PTO_BOTH_GM == (int)PTO_BOTH_GM && (int)TESSERA_PTO_V1C1_VEC1 == (int)PTO_V1C1_VEC1, "likewise");
_Static_assert((int)TESSERA_PTO_ALL_UNITS == (int)PTO_UNITS && (int)TESSERA_PTO_VDEQF16 == (int)PTO_VDEQF16 &&
                   (int)TESSERA_PTO_NZ2NZ == (int)PTO_NZ2NZ,
               "likewise");
_Static_assert((int)TESSERA_PTO_LEFT_RIGHT_ODD == (int)PTO_LEFT_RIGHT_ODD && (int)TESSERA_PTO_LIMIT == (int)PTO_TIME_LIMIT,
               "likewise");

int pto_api_fail(struct tessera_pto_program *p, const char *what) {
  if (!pto_api_is(p)) return -1;
  if (!p->program->error[0]) snprintf(p->program->error, sizeof p->program->error, "%s", what);
  return -1;
}

static struct tessera_pto_program *wrap(struct pto_program *program) {
  struct tessera_pto_program *p = program ? calloc(1, sizeof *p) : NULL;
  if (p) p->handle.magic = API_PTO_PROGRAM, p->program = program;
  else pto_program_free(program);
  return p;
}

struct tessera_pto_program *tessera_pto_parse_with(const char *text, size_t length, const char *profile,
                                                   const struct tessera_pto_setting *settings, size_t setting_count,
                                                   char *error, size_t error_size) {
  struct pto_ir_error why;
  struct pto_setting values[PTO_PARAMS_MAX];
  int id = profile ? pto_profile_find(profile) : -1;
  if (!error) error_size = 0;
  if (error_size) error[0] = '\0';
  if (!text || (profile && id < 0) || setting_count > PTO_PARAMS_MAX || (setting_count && !settings)) {
    snprintf(error, error_size, profile && id < 0 ? "no profile %s" : "no text, or too many settings",
             profile ? profile : "");
    return NULL;
  }
  for (size_t i = 0; i < setting_count; i++) {
    snprintf(values[i].name, sizeof values[i].name, "%s", settings[i].name ? settings[i].name : "");
    values[i].value = settings[i].value;
  }
  struct pto_program *program = pto_ir_parse_with(text, length, id, values, (unsigned)setting_count, &why);
  if (!program) pto_ir_error_text(&why, "input", text, length, error, error_size);
  return wrap(program);
}

struct tessera_pto_program *tessera_pto_parse(const char *text, size_t length, const char *profile, char *error,
                                              size_t error_size) {
  return tessera_pto_parse_with(text, length, profile, NULL, 0, error, error_size);
}

struct tessera_pto_program *tessera_pto_create(const char *profile) {
  int id = pto_profile_find(profile ? profile : "a2a3");
  return id < 0 ? NULL : wrap(pto_program_new((unsigned)id));
}

void tessera_pto_destroy(struct tessera_pto_program *p) {
  if (!pto_api_is(p)) return;
  p->handle.magic = 0;
  pto_program_free(p->program);
  free(p);
}

const char *tessera_pto_error(const struct tessera_pto_program *p) {
  if (!pto_api_is(p)) return "";
  return p->program->error;
}

int tessera_pto_set_policy(struct tessera_pto_program *p, const char *policy) {
  if (!pto_api_is(p)) return -1;
  int id = policy ? pto_policy_find(policy) : -1;
  if (id < 0) return pto_api_fail(p, "no such policy");
  p->program->policy = (uint8_t)id;
  return 0;
}

int tessera_pto_set_dispatches(struct tessera_pto_program *p, uint32_t dispatches) {
  if (!pto_api_is(p)) return -1;
  if (dispatches < 1 || dispatches > 100000) return pto_api_fail(p, "1 to 100000 dispatches");
  p->program->dispatches = dispatches;
  return 0;
}

int tessera_pto_set_blocks(struct tessera_pto_program *p, uint32_t blocks) {
  if (!pto_api_is(p)) return -1;
  if (blocks < 1 || blocks > PTO_BLOCKS_MAX) return pto_api_fail(p, "1 to 1024 blocks");
  p->program->blocks = blocks;
  return 0;
}

int tessera_pto_add_tensor(struct tessera_pto_program *p, const char *name, enum tessera_pto_dtype dtype, uint32_t rows,
                           uint32_t cols) {
  if (!pto_api_is(p) || !name) return -1;
  uint32_t shape[2] = {rows, cols};
  if ((unsigned)dtype >= PTO_DTYPES || !rows || !cols) return pto_api_fail(p, "a tensor needs a format and a shape");
  return pto_program_global(p->program, name, (unsigned)dtype, shape, 2);
}

int tessera_pto_find_tensor(const struct tessera_pto_program *p, const char *name) {
  if (!pto_api_is(p) || !name) return -1;
  for (uint32_t i = 0; i < p->program->global_count; i++)
    if (strcmp(p->program->globals[i].name, name) == 0) return (int)i;
  return -1;
}

int tessera_pto_add_function(struct tessera_pto_program *p, const char *name, unsigned cores) {
  if (!pto_api_is(p) || !name) return -1;
  if (!cores || cores > 7 || ((cores & 1u) && cores != 1))
    return pto_api_fail(p, "a function runs on the Cube or on Vectors");
  return pto_program_function(p->program, name, cores, 0);
}

bool pto_api_function(const struct tessera_pto_program *p, int function) {
  return pto_api_is(p) && function >= 0 && (uint32_t)function < p->program->function_count;
}

static bool convert_tile(const struct tessera_pto_tile *from, struct pto_tile *to) {
  memset(to, 0, sizeof *to);
  to->loc = (uint8_t)from->loc;
  to->dtype = (uint8_t)from->dtype;
  to->rows = from->rows;
  to->cols = from->cols;
  to->valid_rows = from->valid_rows ? from->valid_rows : from->rows;
  to->valid_cols = from->valid_cols ? from->valid_cols : from->cols;
  to->addr = from->addr;
  to->line = from->line;
  return (unsigned)from->loc >= PTO_MAT && (unsigned)from->loc < PTO_LOCS && (unsigned)from->dtype < PTO_DTYPES &&
         to->valid_rows <= to->rows && to->valid_cols <= to->cols;
}

int tessera_pto_add_tile(struct tessera_pto_program *p, int function, const char *name,
                         const struct tessera_pto_tile *tile) {
  if (!pto_api_is(p) || !name || !tile) return -1;
  struct pto_tile t;
  if (!pto_api_function(p, function) || !convert_tile(tile, &t))
    return pto_api_fail(p, "a tile needs a function, a location, a format and a shape");
  snprintf(t.name, sizeof t.name, "%s", name);
  return pto_program_tile(p->program, function, &t);
}

int pto_api_emit(struct tessera_pto_program *p, int function, struct pto_instr instr) {
  if (p->program->error[0]) return -1;
  return pto_program_emit(p->program, function, &instr);
}

int tessera_pto_add_pipe(struct tessera_pto_program *p, int function, const char *name,
                         const struct tessera_pto_pipe *pipe) {
  if (!pto_api_is(p) || !name || !pipe) return -1;
  struct pto_pipe_config c;
  memset(&c, 0, sizeof c);
  if (!pto_api_function(p, function)) return pto_api_fail(p, "no such function");
  c.flag_id = (uint16_t)pipe->flag_id;
  c.dir = (uint8_t)pipe->dir;
  c.slot_size = pipe->slot_size;
  c.slot_num = pipe->slot_num;
  c.local_slot_num = pipe->local_slot_num ? pipe->local_slot_num : 2;
  c.no_split = pipe->no_split != 0;
  c.unit_flag = pipe->unit_flag != 0;
  c.multi = pipe->multi != 0;
  c.fifo = (uint8_t)pipe->fifo;
  c.ratio = (uint8_t)pipe->ratio;
  c.sync_period = pipe->sync_period;
  c.line = pipe->line;
  c.gm_addr = pipe->gm_addr;
  c.gm_global = PTO_NONE;
  if (pipe->gm_tensor) {
    if (pipe->gm_tensor < 0 || (uint32_t)pipe->gm_tensor > p->program->global_count)
      return pto_api_fail(p, "the pipe's slot buffer is no tensor of this program");
    c.gm_global = (int16_t)(pipe->gm_tensor - 1);
    c.gm_inside = 1;
  }
  c.c2v_addr = pipe->c2v_addr;
  c.v2c_addr = pipe->v2c_addr;
  if (c.multi && (!convert_tile(&pipe->prod, &c.prod) || !convert_tile(&pipe->cons, &c.cons)))
    return pto_api_fail(p, "a TMPipe needs its two tile types");
  const char *why = "";
  if (c.multi && !pto_pipe_complete(&c, &why)) return pto_api_fail(p, why);
  if (!c.slot_num || c.slot_num > PTO_SLOTS_MAX || c.local_slot_num > PTO_SLOTS_MAX || !c.slot_size ||
      c.slot_size > 1u << 24 || c.dir < PTO_C2V || c.dir > PTO_BOTH_GM || pipe->flag_id > 1000 || c.fifo > PTO_CTRL_FIFO ||
      c.ratio > PTO_V1C1_VEC1 || c.sync_period > 64)
    return pto_api_fail(p, "a pipe needs a direction, 1 to 64 slots and their size");
  int index = pto_program_pipe(p->program, function, &c, name);
  if (index < 0) return -1;
  struct pto_instr i = pto_instr_make(PTO_OP_PIPE_INIT, pipe->line);
  i.pipe = (int16_t)index;
  return pto_api_emit(p, function, i) < 0 ? -1 : index;
}

/* --- looking and running --- */

bool pto_api_finish(struct tessera_pto_program *p) {
  for (unsigned i = 0; i < PTO_CORES; i++)
    if (p->open_count[i]) return pto_api_fail(p, "a loop or lane block is not closed"), false;
  if (!p->program->function_count) return pto_api_fail(p, "the program has no function"), false;
  return pto_program_finish(p->program);
}

int tessera_pto_check(struct tessera_pto_program *p, char *text, size_t size) {
  if (!pto_api_is(p)) return -1;
  if (!text) size = 0;
  static const char *const severities[] = {"note", "warning", "error"};
  struct pto_notes *notes = pto_api_finish(p) ? malloc(sizeof *notes) : NULL;
  size_t used = 0;
  if (size) text[0] = '\0';
  if (!notes) return -1;
  if (!pto_verdict(p->program, -1, notes)) return free(notes), pto_api_fail(p, "out of memory");
  for (uint32_t i = 0; i < notes->count; i++) {
    int n = snprintf(used < size ? text + used : NULL, used < size ? size - used : 0, "line %u: %s: %s\n",
                     notes->notes[i].line, severities[notes->notes[i].severity], notes->notes[i].text);
    if (n > 0) used += (size_t)n;
  }
  int result = notes->errors != 0;
  free(notes);
  return result;
}

int tessera_pto_explore(struct tessera_pto_program *p, uint32_t schedules, char *text, size_t size) {
  if (!pto_api_is(p)) return -1;
  if (!text) size = 0;
  struct pto_explore_result *r = pto_api_finish(p) ? malloc(sizeof *r) : NULL;
  if (size) text[0] = '\0';
  if (!r || !pto_explore(p->program, &(struct pto_explore_options){.schedules = schedules, .policy = -1}, r)) {
    free(r);
    return -1;
  }
  if (r->broken) snprintf(text, size, "%s%s\n", r->schedule_text, r->text);
  int result = r->broken != 0;
  free(r);
  return result;
}

static struct tessera_pto_machine *start(struct tessera_pto_program *const *programs, size_t program_count, size_t blocks,
                                         int policy) {
  const struct pto_program **list = calloc(program_count, sizeof *list);
  struct tessera_pto_machine *m = calloc(1, sizeof *m);
  for (size_t i = 0; i < program_count && list; i++) list[i] = programs[i]->program;
  if (m && list) m->grid = pto_grid_new(list, (uint32_t)program_count, (uint32_t)blocks, true);
  free(list);
  if (!m || !m->grid) {
    free(m);
    pto_api_fail(programs[0], "out of memory, or the programs of the blocks declare different tensors");
    return NULL;
  }
  m->handle.magic = API_PTO_MACHINE;
  m->machine = m->grid->blocks[0];
  pto_grid_set_policy(m->grid, policy);
  return m;
}

struct tessera_pto_machine *tessera_pto_start_grid(struct tessera_pto_program *const *programs, size_t program_count,
                                                   size_t blocks, const char *policy) {
  int id = policy ? pto_policy_find(policy) : -1;
  if (!programs || !program_count) return NULL;
  for (size_t i = 0; i < program_count; i++)
    if (!pto_api_is(programs[i])) return NULL;
  if (policy && id < 0) return pto_api_fail(programs[0], "no such policy"), NULL;
  if (blocks < program_count || blocks > PTO_BLOCKS_MAX || (program_count > 1 && program_count != blocks))
    return pto_api_fail(programs[0], "a grid has 1 to 1024 blocks, and one program for each or one for all"), NULL;
  for (size_t i = 0; i < program_count; i++)
    if (!programs[i] || !pto_api_finish(programs[i])) return NULL;
  return start(programs, program_count, blocks, id);
}

struct tessera_pto_machine *tessera_pto_start(struct tessera_pto_program *p, const char *policy) {
  if (!pto_api_is(p)) return NULL;
  return tessera_pto_start_grid(&p, 1, p->program->blocks, policy);
}

void tessera_pto_stop(struct tessera_pto_machine *m) {
  if (!is_machine(m)) return;
  m->handle.magic = 0;
  free(m->text);
  pto_grid_free(m->grid);
  free(m);
}

uint64_t tessera_pto_free_credits(const char *policy, uint64_t pushes, uint32_t slot_num, uint32_t period) {
  int id = policy ? pto_policy_find(policy) : (int)PTO_POLICY_EXACT;
  if (id < 0 || !slot_num || slot_num > PTO_SLOTS_MAX) return 0;
  const struct pto_policy *p = pto_policy_get((unsigned)id);
  uint32_t every = pto_policy_period(p, slot_num, period);
  uint64_t waited = 0;
  for (uint64_t t = 0; t < pushes; t++) waited += pto_policy_waits(p, t, slot_num, every);
  return pto_policy_drain(p, pushes, waited, slot_num, every);
}

static uint64_t elements(const struct tessera_pto_machine *m, int tensor) {
  const struct pto_program *p = m->machine->program;
  if (tensor < 0 || (uint32_t)tensor >= p->global_count) return 0;
  return p->globals[tensor].bytes / pto_dtype_bytes(p->globals[tensor].dtype);
}

enum tessera_pto_result tessera_pto_write(struct tessera_pto_machine *m, int tensor, const double *values, size_t count) {
  if (!is_machine(m) || !values) return TESSERA_PTO_INVALID;
  if (!count || count > elements(m, tensor)) return TESSERA_PTO_INVALID;
  const struct pto_global *g = &m->machine->program->globals[tensor];
  for (size_t i = 0; i < count; i++)
    pto_dtype_store(g->dtype, pto_gm_at(m->machine, g->addr) + i * pto_dtype_bytes(g->dtype), values[i]);
  return TESSERA_PTO_RAN;
}

enum tessera_pto_result tessera_pto_read(const struct tessera_pto_machine *m, int tensor, double *values, size_t count) {
  if (!is_machine(m) || !values) return TESSERA_PTO_INVALID;
  if (!count || count > elements(m, tensor)) return TESSERA_PTO_INVALID;
  const struct pto_global *g = &m->machine->program->globals[tensor];
  for (size_t i = 0; i < count; i++)
    values[i] = pto_dtype_load(g->dtype, pto_gm_at(m->machine, g->addr) + i * pto_dtype_bytes(g->dtype));
  return TESSERA_PTO_RAN;
}

static bool inside(const struct tessera_pto_machine *m, int tensor, size_t offset, size_t count) {
  const struct pto_program *p = m->machine->program;
  if (tensor < 0 || (uint32_t)tensor >= p->global_count || !count) return false;
  return offset <= p->globals[tensor].bytes && count <= p->globals[tensor].bytes - offset;
}

enum tessera_pto_result tessera_pto_write_bytes(struct tessera_pto_machine *m, int tensor, size_t offset, const void *bytes,
                                                size_t count) {
  if (!is_machine(m)) return TESSERA_PTO_INVALID;
  if (!bytes || !inside(m, tensor, offset, count)) return TESSERA_PTO_INVALID;
  memcpy(pto_gm_at(m->machine, m->machine->program->globals[tensor].addr) + offset, bytes, count);
  return TESSERA_PTO_RAN;
}

enum tessera_pto_result tessera_pto_read_bytes(const struct tessera_pto_machine *m, int tensor, size_t offset, void *bytes,
                                               size_t count) {
  if (!is_machine(m)) return TESSERA_PTO_INVALID;
  if (!bytes || !inside(m, tensor, offset, count)) return TESSERA_PTO_INVALID;
  memcpy(bytes, pto_gm_at(m->machine, m->machine->program->globals[tensor].addr) + offset, count);
  return TESSERA_PTO_RAN;
}

enum tessera_pto_result tessera_pto_run(struct tessera_pto_machine *m, uint64_t cycle_limit) {
  if (!is_machine(m)) return TESSERA_PTO_INVALID;
  m->end = pto_grid_run(m->grid, cycle_limit > UINT64_C(1) << 60 ? UINT64_C(1) << 60 : cycle_limit);
  return (enum tessera_pto_result)m->end;
}

uint64_t tessera_pto_cycles(const struct tessera_pto_machine *m) {
  if (!is_machine(m)) return 0;
  return pto_grid_cycles(m->grid);
}

uint64_t tessera_pto_hazards(const struct tessera_pto_machine *m) {
  if (!is_machine(m)) return 0;
  uint64_t sum = 0;
  for (uint32_t i = 0; i < m->grid->count; i++)
    for (unsigned k = 0; k < PTO_FIND_KINDS; k++) sum += m->grid->blocks[i]->finding_total[k];
  return sum;
}

static void report_block(const struct pto_machine *m, struct sim_text *o) {
  char words[8192], block[32] = "";
  if (m->blocks > 1) snprintf(block, sizeof block, "block %u: ", m->block);
  for (uint32_t i = 0; i < m->finding_count; i++) {
    pto_explain_finding(m, &m->findings[i], words, sizeof words);
    sim_text_add(o, "%s%s\n", block, words);
  }
  if (m->deadlocked) {
    pto_explain_deadlock(m, words, sizeof words);
    sim_text_add(o, "%s%s", block, words);
  }
  if (m->fault.kind) sim_text_add(o, "%sfault (%s): %s\n", block, sim_fault_kind_name(m->fault.kind), m->fault.why);
}

const char *tessera_pto_run_report(struct tessera_pto_machine *m, enum tessera_pto_report_format format) {
  if (!is_machine(m) || (unsigned)format > TESSERA_PTO_REPORT_JSON) return "";
  const struct obs_pto_report r = {.grid = m->grid, .end = m->end, .file = "input"};
  size_t (*render)(const struct obs_pto_report *, char *, size_t) =
      format == TESSERA_PTO_REPORT_JSON ? obs_pto_report_json : obs_pto_report_text;
  size_t length = render(&r, NULL, 0);
  char *text = realloc(m->text, length + 1);
  if (!text) return "";
  m->text = text;
  render(&r, text, length + 1);
  return text;
}

enum tessera_pto_result tessera_pto_set_strict(struct tessera_pto_machine *m, int strict) {
  if (!is_machine(m)) return TESSERA_PTO_INVALID;
  for (uint32_t i = 0; i < m->grid->count; i++) m->grid->blocks[i]->strict = strict != 0;
  return TESSERA_PTO_RAN;
}

const char *tessera_pto_report(struct tessera_pto_machine *m) {
  if (!is_machine(m)) return "";
  struct sim_text o = {m->report, REPORT_MAX, 0};
  m->report[0] = '\0';
  for (uint32_t i = 0; i < m->grid->count; i++) report_block(m->grid->blocks[i], &o);
  return m->report;
}
