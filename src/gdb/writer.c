/* The last writer, found by running again from the snapshot before it. */
#include "gdb/writer.h"

#include <stdio.h>

#include "api/findings.h"
#include "gdb/place.h"
#include "observe/words.h"
#include "tessera/debug.h"

bool gdb_last_write(struct tessera_debugger *d, unsigned unit, uint32_t address, uint32_t length, uint64_t until,
                    struct tx_trail *out) {
  struct tx_tile *t = gdb_tile(&d->machine, unit);
  bool found = false;
  for (uint64_t end = until; end > d->history.at[0].cycle && !found;) {
    const struct gdb_snapshot *s = gdb_history_before(&d->history, end - 1);
    if (!s) break;
    gdb_go_to(d, s->cycle);
    gdb_begin_trial(&d->machine);
    t->unsaved.writers = (struct tx_writers){.count = 1, .of = {{.address = address, .length = length}}};
    sim_park_nobody(&t->engine);
    d->plain = false;
    end = s->cycle < end ? end : s->cycle;
    gdb_try(&d->machine, end, false);
    *out = t->unsaved.writers.of[0].last;
    t->unsaved.writers.count = 0;
    found = out->known;
    end = s->cycle;
  }
  return found;
}

void gdb_writer_text(struct tessera_debugger *d, unsigned unit, const struct tx_trail *trail, char *text, size_t size) {
  gdb_access_text(d, unit, trail, "written", text, size);
}

void gdb_access_text(struct tessera_debugger *d, unsigned unit, const struct tx_trail *trail, const char *what, char *text,
                     size_t size) {
  struct tessera_tile *tile = d->machine.unit[unit].tile;
  int core = trail->agent == SIM_NO_AGENT ? -1 : api_core_behind(trail->agent);
  char place[256] = "";
  if (core >= 0 && trail->pc) tessera_tile_place_text(tile, (enum tessera_core)core, trail->pc, place, sizeof place);
  if (core >= 0 && trail->pc && !place[0]) snprintf(place, sizeof place, "0x%05x", (unsigned)trail->pc); /* no symbols */
  snprintf(text, size, "%s by %s%s%s", what,
           trail->agent == SIM_NO_AGENT ? "the host or the network" : obs_agent_name(trail->agent), place[0] ? " at " : "",
           place);
}
