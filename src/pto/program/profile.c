/* See profile.h. */
#include "pto/program/profile.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pto/program/dtype.h"
#include "sim/text.h"

#define QUEUE_DEPTH_MAX 24u /* a push adds several items at once */

static const struct pto_figure figures[] = {
#define FIGURE(key, member, unit, a2a3, a2a3_source, a5, a5_source, meaning) \
  {key, unit, meaning, {a2a3, a5}, {a2a3_source, a5_source}, offsetof(struct pto_profile, member)},
#include "pto/program/profile.def"
#undef FIGURE
};

static const struct pto_profile profiles[PTO_PROFILES] = {
    [PTO_A2A3] =
        {
            .name = "a2a3",
            .wait_stalls_core = true,
#define FIGURE(key, member, unit, a2a3, a2a3_source, a5, a5_source, meaning) .member = (a2a3),
#include "pto/program/profile.def"
#undef FIGURE
        },
    [PTO_A5] =
        {
            .name = "a5",
            .point_to_point = true,
            .local_fifos = true,
#define FIGURE(key, member, unit, a2a3, a2a3_source, a5, a5_source, meaning) .member = (a5),
#include "pto/program/profile.def"
#undef FIGURE
        },
};

const struct pto_profile *pto_profile_get(unsigned id) { return &profiles[id < PTO_PROFILES ? id : PTO_A2A3]; }

int pto_profile_find(const char *name) {
  if (strcmp(name, "a2") == 0 || strcmp(name, "a3") == 0) return PTO_A2A3;
  for (int i = 0; i < (int)PTO_PROFILES; i++)
    if (strcmp(name, profiles[i].name) == 0) return i;
  return -1;
}

/* --- figures --- */

unsigned pto_figure_count(void) { return (unsigned)(sizeof figures / sizeof figures[0]); }

const struct pto_figure *pto_figure(unsigned index) { return index < pto_figure_count() ? &figures[index] : NULL; }

/* Rates and the queue depth are divisors or bounds and must not be 0. Operands of the Cube must fit the model's scratch
 * memory. */
static bool sensible(const struct pto_figure *f, uint64_t value) {
  if (strcmp(f->key, "queue_depth") == 0) return value >= 1 && value <= QUEUE_DEPTH_MAX;
  if (strstr(f->key, "cycles") || strncmp(f->key, "document", 8) == 0) return value <= 1000000;
  if (strncmp(f->key, "l0a", 3) == 0 || strncmp(f->key, "l0b", 3) == 0) return value >= 64 && value <= 262144;
  if (strcmp(f->unit, "bytes") == 0) return value >= 64 && value <= 16777216;
  return value >= 1 && value <= 1000000000;
}

bool pto_profile_set(struct pto_profile *profile, const char *key, uint64_t value) {
  for (unsigned i = 0; i < pto_figure_count(); i++) {
    if (strcmp(figures[i].key, key) != 0) continue;
    uint32_t small = (uint32_t)value;
    if (!sensible(&figures[i], value)) return false;
    memcpy((char *)profile + figures[i].offset, &small, sizeof small);
    return true;
  }
  return false;
}

/* One line: 1 applied, 0 empty, -1 invalid. */
static int read_line(struct pto_profile *profile, const char *line) {
  char key[32], *end;
  size_t n = 0;
  while (isspace((unsigned char)*line)) line++;
  if (!*line || *line == '#') return 0;
  while ((isalnum((unsigned char)*line) || *line == '_') && n + 1 < sizeof key) key[n++] = *line++;
  key[n] = '\0';
  while (isspace((unsigned char)*line)) line++;
  if (*line++ != '=') return -1;
  while (isspace((unsigned char)*line)) line++;
  if (!isdigit((unsigned char)*line)) return -1;
  uint64_t value = strtoull(line, &end, 0);
  while (isspace((unsigned char)*end)) end++;
  return (*end && *end != '#') || !pto_profile_set(profile, key, value) ? -1 : 1;
}

bool pto_profile_read(struct pto_profile *profile, const char *text, size_t length, char *why, size_t size) {
  unsigned number = 1;
  for (size_t at = 0; at < length; number++) {
    char line[200];
    size_t width = 0;
    while (at + width < length && text[at + width] != '\n') width++;
    snprintf(line, sizeof line, "%.*s", (int)(width < sizeof line ? width : sizeof line - 1), text + at);
    if (read_line(profile, line) < 0) {
      snprintf(why, size, "line %u: not a figure and a value it can have: %.60s", number, line);
      return false;
    }
    at += width + 1;
  }
  return true;
}

/* --- times --- */

/* bytes / (GB/s) is nanoseconds; times the clock in GHz is cycles. */
uint64_t pto_transfer_cycles(const struct pto_profile *profile, unsigned route, uint64_t bytes) {
  uint64_t rate = (uint64_t)profile->centi_gb_per_s[route] * 10;
  return (bytes * profile->clock_mhz + rate - 1) / rate;
}

uint64_t pto_matmul_cycles(const struct pto_profile *profile, unsigned dtype, uint64_t macs) {
  uint32_t rate = profile->macs_by_bytes[pto_dtype_bytes(dtype)];
  return (macs + rate - 1) / rate;
}

bool pto_profile_has_dir(unsigned id, unsigned dir) {
  if (dir == PTO_DIR_NONE || dir > PTO_BOTH_GM) return false;
  return id == PTO_A5 || dir <= PTO_V2C_CTRL;
}

size_t pto_profiles_text(char *text, size_t size) {
  struct sim_text o = {text, size, 0};
  if (size) text[0] = '\0';
  sim_text_add(&o, "%-15s %10s %-10s %10s %-10s %-16s %s\n", "figure", "a2a3", "source", "a5", "source", "unit", "meaning");
  for (unsigned i = 0; i < pto_figure_count(); i++) {
    const struct pto_figure *f = &figures[i];
    sim_text_add(&o, "%-15s %10u %-10s %10u %-10s %-16s %s\n", f->key, f->value[PTO_A2A3], f->source[PTO_A2A3],
                 f->value[PTO_A5], f->source[PTO_A5], f->unit, f->meaning);
  }
  sim_text_add(
      &o,
      "\nsources: costmodel, PTO's public cost model; product, Ascend 910B product figures; document, the TPUSH document;\n"
      "inferred, no public source. A file with lines `figure = value` overrides them: --profile-file FILE.\n");
  return o.length;
}
