/* The C API of include/tessera/pto.h over the program builder and the machine. Instructions: pto_instr.c. */
#include "api/pto_machine.h"
#include "api/pto_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "observe/pto/hang.h"
#include "observe/pto/report.h"
#include "observe/pto/sarif.h"
#include "pto/ir/params.h"
#include "pto/ir/parse.h"
#include "pto/program/pipe.h"
#include "pto/program/place.h"
#include "pto/runtime/explain.h"
#include "pto/runtime/finding.h"
#include "sim/text.h"

_Static_assert((int)TESSERA_PTO_SCALING == (int)PTO_SCALING && (int)TESSERA_PTO_U8 == (int)PTO_U8,
               "the public enums are the machine's own");
_Static_assert((int)TESSERA_PTO_BOTH_GM == (int)PTO_BOTH_GM && (int)TESSERA_PTO_V1C1_VEC1 == (int)PTO_V1C1_VEC1, "likewise");
_Static_assert((int)TESSERA_PTO_ALL_UNITS == (int)PTO_UNITS && (int)TESSERA_PTO_VDEQF16 == (int)PTO_VDEQF16 &&
                   (int)TESSERA_PTO_NZ2NZ == (int)PTO_NZ2NZ,
               "likewise");
_Static_assert((int)TESSERA_PTO_LEFT_RIGHT_ODD == (int)PTO_LEFT_RIGHT_ODD && (int)TESSERA_PTO_LIMIT == (int)PTO_TIME_LIMIT,
               "likewise");
_Static_assert(TESSERA_PTO_SLOTS_MAX == PTO_SLOTS_MAX && TESSERA_PTO_BLOCKS_MAX == PTO_BLOCKS_MAX &&
                   TESSERA_PTO_SETTINGS_MAX == PTO_PARAMS_MAX && TESSERA_PTO_CORES == (unsigned)PTO_CORES,
               "the public limits are the machine's own");

static struct tessera_pto_program *wrap(struct pto_program *program) {
  struct tessera_pto_program *p = program ? calloc(1, sizeof *p) : NULL;
  if (p) p->handle.magic = API_PTO_PROGRAM, p->program = program;
  else pto_program_free(program);
  return p;
}

static struct tessera_pto_program *parse(const struct tessera_pto_source *source, const char *name, char *error,
                                         size_t error_size) {
  struct pto_ir_error why;
  struct pto_setting values[PTO_PARAMS_MAX];
  int id = source->profile ? pto_profile_find(source->profile) : -1;
  if (source->profile && id < 0) return snprintf(error, error_size, "no profile %s", source->profile), NULL;
  for (size_t i = 0; i < source->setting_count; i++) {
    snprintf(values[i].name, sizeof values[i].name, "%s", source->settings[i].name ? source->settings[i].name : "");
    values[i].value = source->settings[i].value;
  }
  struct pto_program *program =
      pto_ir_parse_with(source->text, source->length, id, values, (unsigned)source->setting_count, &why);
  if (!program) pto_ir_error_text(&why, name, source->text, source->length, error, error_size);
  struct tessera_pto_program *p = wrap(program);
  if (program && !p) snprintf(error, error_size, "%s: out of memory\n", name);
  return p;
}

struct tessera_pto_program *tessera_pto_parse_source(const struct tessera_pto_source *source, char *error,
                                                     size_t error_size) {
  if (!error) error_size = 0;
  if (error_size) error[0] = '\0';
  if (!source || !source->text || source->setting_count > PTO_PARAMS_MAX || (source->setting_count && !source->settings))
    return snprintf(error, error_size, "no text, or too many settings"), NULL;
  const char *name = source->name ? source->name : "input";
  struct tessera_pto_program *p = parse(source, name, error, error_size);
  if (!p) return NULL;
  p->name = malloc(strlen(name) + 1);
  if (p->name) return strcpy(p->name, name), sim_text_clean(p->name, strlen(name)), p;
  tessera_pto_destroy(p);
  snprintf(error, error_size, "%s: out of memory\n", name);
  return NULL;
}

struct tessera_pto_program *tessera_pto_parse_with(const char *text, size_t length, const char *profile,
                                                   const struct tessera_pto_setting *settings, size_t setting_count,
                                                   char *error, size_t error_size) {
  const struct tessera_pto_source source = {
      .text = text, .length = length, .profile = profile, .settings = settings, .setting_count = setting_count};
  return tessera_pto_parse_source(&source, error, error_size);
}

struct tessera_pto_program *tessera_pto_parse(const char *text, size_t length, const char *profile, char *error,
                                              size_t error_size) {
  return tessera_pto_parse_with(text, length, profile, NULL, 0, error, error_size);
}

const char *tessera_pto_profile_name(unsigned index) { return index < PTO_PROFILES ? pto_profile_get(index)->name : ""; }
const char *tessera_pto_policy_name(unsigned index) { return index < pto_policy_count() ? pto_policy_get(index)->name : ""; }

struct tessera_pto_program *tessera_pto_create(const char *profile) {
  int id = pto_profile_find(profile ? profile : "a2a3");
  return id < 0 ? NULL : wrap(pto_program_new((unsigned)id));
}

void tessera_pto_destroy(struct tessera_pto_program *p) {
  if (!pto_api_is(p)) return;
  p->handle.magic = 0;
  pto_program_free(p->program);
  free(p->name);
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

unsigned tessera_pto_tensor_count(const struct tessera_pto_program *p) {
  return pto_api_is(p) ? p->program->global_count : 0;
}

int tessera_pto_tensor(const struct tessera_pto_program *p, int index, struct tessera_pto_tensor *tensor) {
  if (!tensor || index < 0 || (unsigned)index >= tessera_pto_tensor_count(p)) return -1;
  const struct pto_global *g = &p->program->globals[index];
  *tensor = (struct tessera_pto_tensor){.name = g->name,
                                        .dtype = (enum tessera_pto_dtype)g->dtype,
                                        .rank = g->rank,
                                        .elements = g->bytes / pto_dtype_bytes(g->dtype),
                                        .bytes = g->bytes,
                                        .file = g->init == PTO_INIT_FILE ? (const char *)p->program->data + g->data : ""};
  _Static_assert(sizeof tensor->shape == sizeof g->shape, "the public rank is the program's own");
  memcpy(tensor->shape, g->shape, sizeof tensor->shape);
  return 0;
}

unsigned tessera_pto_dtype_bytes(enum tessera_pto_dtype dtype) {
  return (unsigned)dtype < PTO_DTYPES ? pto_dtype_bytes((unsigned)dtype) : 0;
}

int tessera_pto_add_function(struct tessera_pto_program *p, const char *name, unsigned cores) {
  if (!pto_api_is(p) || !name) return -1;
  if (!cores || cores > 7 || ((cores & 1u) && cores != 1))
    return pto_api_fail(p, "a function runs on the Cube or on Vectors");
  return pto_program_function(p->program, name, cores, 0);
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

int tessera_pto_add_pipe(struct tessera_pto_program *p, int function, const char *name,
                         const struct tessera_pto_pipe *pipe) {
  if (!pto_api_is(p) || !name || !pipe) return -1;
  struct pto_pipe_config c;
  memset(&c, 0, sizeof c);
  if (!pto_api_function(p, function)) return pto_api_fail(p, "no such function");
  if ((unsigned)pipe->fifo > PTO_CTRL_FIFO || (unsigned)pipe->ratio > PTO_V1C1_VEC1 || (unsigned)pipe->dir > PTO_BOTH_GM)
    return pto_api_fail(p, "no such direction, FIFO or ratio");
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
      return pto_api_fail(p, "the pipe's slot buffer is not a tensor of this program");
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

static struct tessera_pto_machine *start(struct tessera_pto_program *const *programs, size_t program_count, size_t blocks,
                                         int policy, bool with_data) {
  const struct pto_program **list = calloc(program_count, sizeof *list);
  struct tessera_pto_machine *m = calloc(1, sizeof *m);
  bool alike = true;
  for (size_t i = 0; i < program_count && list; i++) {
    list[i] = programs[i]->program;
    alike = alike && pto_same_tensors(list[0], list[i]);
  }
  if (m && list) m->grid = pto_grid_new(list, (uint32_t)program_count, (uint32_t)blocks, with_data);
  free(list);
  if (!m || !m->grid) {
    free(m);
    pto_api_fail(programs[0], alike ? "out of memory" : "the programs of the blocks declare different tensors");
    return NULL;
  }
  m->handle.magic = API_PTO_MACHINE;
  m->machine = m->grid->blocks[0];
  m->name = programs[0]->name ? programs[0]->name : "input";
  for (uint32_t i = 0; i < m->grid->count && programs[0]->name; i++) m->grid->blocks[i]->file = sim_base_name(m->name);
  pto_grid_set_policy(m->grid, policy);
  return m;
}

static struct tessera_pto_machine *start_grid(struct tessera_pto_program *const *programs, size_t program_count,
                                              size_t blocks, const char *policy, bool with_data) {
  int id = policy ? pto_policy_find(policy) : -1;
  if (!programs || !program_count) return NULL;
  for (size_t i = 0; i < program_count; i++)
    if (!pto_api_is(programs[i])) return NULL;
  if (policy && id < 0) return pto_api_fail(programs[0], "no such policy"), NULL;
  if (blocks < program_count || blocks > PTO_BLOCKS_MAX || (program_count > 1 && program_count != blocks))
    return pto_api_fail(programs[0], "a grid has 1 to 1024 blocks, and one program for each or one for all"), NULL;
  for (size_t i = 0; i < program_count; i++)
    if (!pto_api_finish(programs[i])) return NULL;
  return start(programs, program_count, blocks, id, with_data);
}

struct tessera_pto_machine *tessera_pto_start_grid(struct tessera_pto_program *const *programs, size_t program_count,
                                                   size_t blocks, const char *policy) {
  return start_grid(programs, program_count, blocks, policy, true);
}

struct tessera_pto_machine *tessera_pto_start(struct tessera_pto_program *p, const char *policy) {
  return pto_api_is(p) ? start_grid(&p, 1, p->program->blocks, policy, true) : NULL;
}

struct tessera_pto_machine *tessera_pto_start_without_data(struct tessera_pto_program *p, const char *policy) {
  return pto_api_is(p) ? start_grid(&p, 1, p->program->blocks, policy, false) : NULL;
}

void tessera_pto_stop(struct tessera_pto_machine *m) {
  if (!pto_api_is_machine(m)) return;
  while (m->trace || m->timeline) tessera_pto_trace_end(m);
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
  if (tensor < 0 || (uint32_t)tensor >= p->global_count || !m->machine->with_data) return 0;
  return p->globals[tensor].bytes / pto_dtype_bytes(p->globals[tensor].dtype);
}

enum tessera_pto_result tessera_pto_write(struct tessera_pto_machine *m, int tensor, const double *values, size_t count) {
  if (!pto_api_is_machine(m) || !values) return TESSERA_PTO_INVALID;
  if (!count || count > elements(m, tensor)) return TESSERA_PTO_INVALID;
  const struct pto_global *g = &m->machine->program->globals[tensor];
  for (size_t i = 0; i < count; i++)
    pto_dtype_store(g->dtype, pto_gm_at(m->machine, g->addr) + i * pto_dtype_bytes(g->dtype), values[i]);
  return TESSERA_PTO_OK;
}

enum tessera_pto_result tessera_pto_read(const struct tessera_pto_machine *m, int tensor, double *values, size_t count) {
  if (!pto_api_is_machine(m) || !values) return TESSERA_PTO_INVALID;
  if (!count || count > elements(m, tensor)) return TESSERA_PTO_INVALID;
  const struct pto_global *g = &m->machine->program->globals[tensor];
  for (size_t i = 0; i < count; i++)
    values[i] = pto_dtype_load(g->dtype, pto_gm_at(m->machine, g->addr) + i * pto_dtype_bytes(g->dtype));
  return TESSERA_PTO_OK;
}

static bool inside(const struct tessera_pto_machine *m, int tensor, size_t offset, size_t count) {
  const struct pto_program *p = m->machine->program;
  if (tensor < 0 || (uint32_t)tensor >= p->global_count || !count || !m->machine->with_data) return false;
  return offset <= p->globals[tensor].bytes && count <= p->globals[tensor].bytes - offset;
}

enum tessera_pto_result tessera_pto_write_bytes(struct tessera_pto_machine *m, int tensor, size_t offset, const void *bytes,
                                                size_t count) {
  if (!pto_api_is_machine(m)) return TESSERA_PTO_INVALID;
  if (!bytes || !inside(m, tensor, offset, count)) return TESSERA_PTO_INVALID;
  memcpy(pto_gm_at(m->machine, m->machine->program->globals[tensor].addr) + offset, bytes, count);
  return TESSERA_PTO_OK;
}

enum tessera_pto_result tessera_pto_read_bytes(const struct tessera_pto_machine *m, int tensor, size_t offset, void *bytes,
                                               size_t count) {
  if (!pto_api_is_machine(m)) return TESSERA_PTO_INVALID;
  if (!bytes || !inside(m, tensor, offset, count)) return TESSERA_PTO_INVALID;
  memcpy(bytes, pto_gm_at(m->machine, m->machine->program->globals[tensor].addr) + offset, count);
  return TESSERA_PTO_OK;
}

enum tessera_pto_result tessera_pto_run(struct tessera_pto_machine *m, uint64_t cycle_limit) {
  if (!pto_api_is_machine(m)) return TESSERA_PTO_INVALID;
  m->reran = false;
  m->end = pto_grid_run(m->grid, cycle_limit > UINT64_C(1) << 60 ? UINT64_C(1) << 60 : cycle_limit);
  return (enum tessera_pto_result)m->end;
}

void tessera_pto_request_stop(struct tessera_pto_machine *m) {
  if (pto_api_is_machine(m)) m->grid->stop = 1;
}

uint64_t tessera_pto_cycles(const struct tessera_pto_machine *m) {
  if (!pto_api_is_machine(m)) return 0;
  return pto_grid_cycles(m->grid);
}

uint64_t tessera_pto_hazards(const struct tessera_pto_machine *m) {
  if (!pto_api_is_machine(m)) return 0;
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
  if (m->fault.kind) sim_text_add(o, "%sfault (%s): %s\n", block, sim_fault_kind_name(m->fault.kind), m->fault.why);
}

const char *tessera_pto_run_report(struct tessera_pto_machine *m, enum tessera_pto_report_format format) {
  if (!pto_api_is_machine(m) || (unsigned)format > TESSERA_PTO_REPORT_SARIF) return "";
  if (m->why && !m->reran && m->end == PTO_RAN && format != TESSERA_PTO_REPORT_SARIF) {
    m->rerun = obs_pto_rerun(m->grid);
    m->reran = true;
  }
  const struct obs_pto_report r = {.grid = m->grid,
                                   .end = m->end,
                                   .file = m->name,
                                   .code = tessera_pto_exit_code(m),
                                   .verbose = m->verbose,
                                   .reran = m->reran,
                                   .rerun = m->rerun};
  static size_t (*const renders[])(const struct obs_pto_report *, char *,
                                   size_t) = {obs_pto_report_text, obs_pto_report_json, obs_pto_report_sarif};
  size_t (*render)(const struct obs_pto_report *, char *, size_t) = renders[format];
  size_t length = render(&r, NULL, 0);
  char *text = realloc(m->text, length + 1);
  if (!text) return "";
  m->text = text;
  render(&r, text, length + 1);
  return text;
}

enum tessera_pto_result tessera_pto_set_strict(struct tessera_pto_machine *m, int strict) {
  if (!pto_api_is_machine(m)) return TESSERA_PTO_INVALID;
  for (uint32_t i = 0; i < m->grid->count; i++) m->grid->blocks[i]->strict = strict != 0;
  return TESSERA_PTO_OK;
}

enum tessera_pto_result tessera_pto_set_verbose(struct tessera_pto_machine *m, int verbose) {
  if (!pto_api_is_machine(m)) return TESSERA_PTO_INVALID;
  m->verbose = verbose != 0;
  return TESSERA_PTO_OK;
}

enum tessera_pto_result tessera_pto_set_why(struct tessera_pto_machine *m, int why) {
  if (!pto_api_is_machine(m)) return TESSERA_PTO_INVALID;
  m->why = why != 0;
  return TESSERA_PTO_OK;
}

/* A hazard means that results may be wrong. In strict mode a leak, which is only a warning, suffices. */
static bool found_errors(const struct pto_machine *m) {
  for (unsigned kind = 1; kind < PTO_FIND_KINDS; kind++)
    if (m->finding_total[kind] && (m->strict || pto_finding_is_hazard(kind))) return true;
  return false;
}

int tessera_pto_exit_code(const struct tessera_pto_machine *m) {
  static const int codes[] = {
      [PTO_RAN] = 0, [PTO_FAULTED] = 3, [PTO_DEADLOCKED] = 4, [PTO_HAZARD_STOP] = 5, [PTO_TIME_LIMIT] = 6};
  if (!pto_api_is_machine(m)) return 0;
  if (m->code) return m->code - 1;
  if (m->end != PTO_RAN && m->end != PTO_TIME_LIMIT) return codes[m->end];
  for (uint32_t i = 0; i < m->grid->count; i++)
    if (found_errors(m->grid->blocks[i])) return 5;
  return codes[m->end];
}

void tessera_pto_set_exit_code(struct tessera_pto_machine *m, int code) {
  if (pto_api_is_machine(m)) m->code = code < 0 ? 0 : code + 1;
}

const char *tessera_pto_report(struct tessera_pto_machine *m) {
  if (!pto_api_is_machine(m)) return "";
  struct sim_text o = {m->report, PTO_API_REPORT_MAX, 0};
  m->report[0] = '\0';
  obs_pto_hang_text(m->grid, &o);
  for (uint32_t i = 0; i < m->grid->count; i++) report_block(m->grid->blocks[i], &o);
  return m->report;
}
