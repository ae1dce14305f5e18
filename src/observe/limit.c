/* The texts of limit.h. */
#include "observe/limit.h"

#include "observe/hang.h"

#define OWN_MEMORY_CYCLES \
  65536u /* a core that has computed for longer than this without an access to the tile is reported as running on its own memory */

struct running {
  const char *name;
  struct dbg_source place;
  bool only_own_memory;
  sim_time since;
};

/* A scripted core that has not reached the end of its script, and does not wait. */
static bool look_at_script(const struct tx_tile *t, const struct dbg_program *program, unsigned core, struct running *out) {
  const struct tx_script *script = t->unsaved.scripts[core];
  uint32_t next = t->script[core].next;
  if (!script || next >= script->count || t->engine.agents[TX_AGENT_TRISC0 + core].wait.kind) return false;
  *out = (struct running){.name = tx_core_name(core)};
  dbg_program_source(program, core, script->ops[next].line, &out->place);
  return out->place.line != 0;
}

/* Is the core inside its kernel, neither waiting nor polling? */
static bool look_at(const struct tx_tile *t, const struct dbg_program *program, unsigned core, struct running *out) {
  const struct tx_core *c = &t->core[core];
  if (c->state == TX_CORE_HELD) return look_at_script(t, program, core, out);
  if (c->state != TX_CORE_RUNNING || t->engine.agents[TX_AGENT_TRISC0 + core].wait.kind) return false;
  *out = (struct running){.name = tx_core_name(core), .since = t->unsaved.memo.last_tile_access[core]};
  dbg_program_source(program, core, c->pc, &out->place);
  if (!out->place.pc) out->place.pc = c->pc;
  if (out->place.library && !out->place.call[0]) return false; /* the firmware */
  if (out->since < c->started_at) out->since = c->started_at;
  out->only_own_memory = t->engine.now > out->since && t->engine.now - out->since >= OWN_MEMORY_CYCLES;
  return true;
}

void obs_limit_words(const struct tx_tile *t, const struct dbg_program *program, struct sim_text *out) {
  const char *between = "";
  for (unsigned core = 0; core < TX_CORES; core++) {
    struct running r;
    char line[160];
    if (!look_at(t, program, core, &r)) continue;
    dbg_source_text(&r.place, line, sizeof line);
    sim_text_add(out, "%s%s still runs at ", between, r.name);
    if (line[0]) sim_text_add(out, "%s", line);
    else sim_text_add(out, "0x%08x", r.place.pc);
    if (r.only_own_memory)
      sim_text_add(out, ", and has read and written only its own memory since cycle %llu", (unsigned long long)r.since);
    between = "; ";
  }
}

void obs_limit_place(const struct tx_tile *t, const struct dbg_program *program, struct dbg_source *out) {
  struct running r;
  *out = (struct dbg_source){0};
  for (unsigned core = 0; core < TX_CORES; core++)
    if (look_at(t, program, core, &r)) {
      *out = r.place;
      return;
    }
}

void obs_limit_json(const struct tx_tile *t, const struct dbg_program *program, struct sim_text *out) {
  const char *between = "";
  sim_text_add(out, "[");
  for (unsigned core = 0; core < TX_CORES; core++) {
    struct running r;
    if (!look_at(t, program, core, &r)) continue;
    sim_text_add(out, "%s{\"core\":\"%s\",\"place\":", between, r.name);
    obs_source_json(&r.place, out);
    sim_text_add(out, ",\"alone_since\":");
    if (r.only_own_memory) sim_text_add(out, "%llu}", (unsigned long long)r.since);
    else sim_text_add(out, "null}");
    between = ",";
  }
  sim_text_add(out, "]");
}
