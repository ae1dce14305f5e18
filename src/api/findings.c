/* Faults and findings as values (include/tessera/tile.h). */
#include "api/findings.h"

#include <stdio.h>
#include <string.h>

#include "api/tile_value.h"
#include "observe/words.h"

int api_core_behind(unsigned agent) {
  if (agent <= TX_AGENT_THREAD2) return (int)agent; /* the core that pushes to this thread */
  return agent >= TX_AGENT_TRISC0 && agent <= TX_AGENT_NCRISC ? (int)(agent - TX_AGENT_TRISC0) : -1;
}

/* A KERNEL_CHECK that did not hold, as a fault of its core. */
static int failed_check(const struct tessera_tile *tile, struct tessera_fault *fault) {
  struct dbg_failure failure;
  if (!dbg_program_failure(&tile->program, &tile->tile, &failure)) return 0;
  fault->cycle = tile->tile.engine.now;
  fault->kind = "check";
  fault->who = tx_core_name(failure.core);
  fault->pc = failure.place.pc;
  snprintf(fault->why, sizeof fault->why, "%.191s", failure.text);
  dbg_source_text(&failure.place, fault->place, sizeof fault->place);
  return 1;
}

int tessera_tile_fault(const struct tessera_tile *tile, struct tessera_fault *fault) {
  struct dbg_jump jump;
  if (!fault) return 0;
  memset(fault, 0, sizeof *fault);
  fault->kind = fault->who = "";
  if (!api_is_tile(tile)) return 0;
  if (!tile->tile.fault.kind) return failed_check(tile, fault);
  const struct sim_fault *f = &tile->tile.fault;
  fault->cycle = f->cycle;
  fault->kind = sim_fault_kind_name(f->kind);
  fault->who = obs_agent_name(f->agent);
  fault->pc = f->pc;
  fault->word = f->word;
  memcpy(fault->why, f->why, sizeof fault->why - 1);
  if (dbg_program_wild_jump(&tile->program, &tile->tile, &jump)) {
    fault->who = tx_core_name(jump.core);
    snprintf(fault->why, sizeof fault->why, "jumped to 0x%08x, outside its program: %.128s", jump.to, f->why);
  }
  memcpy(fault->document, f->document, sizeof fault->document - 1);
  dbg_program_fault_place(&tile->program, &tile->tile, fault->place, sizeof fault->place);
  return 1;
}

size_t tessera_tile_finding_count(const struct tessera_tile *tile) {
  return api_is_tile(tile) ? tile->tile.diag.finding_count : 0;
}

enum tessera_result tessera_tile_finding(const struct tessera_tile *tile, size_t index, struct tessera_finding *finding) {
  if (!finding || index >= tessera_tile_finding_count(tile)) return TESSERA_INVALID;
  const struct tx_finding *f = &tile->tile.diag.findings[index];
  const struct tx_diag_info *info = &tx_diag_infos[f->id];
  memset(finding, 0, sizeof *finding);
  finding->id = info->name;
  finding->severity = (enum tessera_severity)info->severity;
  finding->core = api_core_behind(f->agent);
  finding->what = info->what;
  finding->document = info->where;
  finding->who = obs_agent_name(f->agent);
  finding->word = f->word;
  finding->pc = f->pc;
  finding->first_cycle = f->first_cycle;
  finding->count = f->count;
  snprintf(finding->why, sizeof finding->why, "%.*s", (int)sizeof finding->why - 1, f->why);
  if (f->pc && finding->core >= 0)
    dbg_program_where(&tile->program, (unsigned)finding->core, f->pc, finding->place, sizeof finding->place);
  return TESSERA_OK;
}
