/* The files of chip_profile.h. */
#include "cli/chip_profile.h"

#include <errno.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/coverage.h"
#include "cli/output.h"
#include "cli/session.h"
#include "tessera/profile.h"

static bool open_one(const char *verb, const char *path, FILE **file) {
  if (!path || (*file = cli_create(path))) return true;
  return cli_bad_input(verb, "%s: could not be written: %s", path, strerror(errno)), false;
}

bool chip_profile_open(struct chip_profile *p, const char *verb) {
  if (open_one(verb, p->profile_path, &p->profile) && open_one(verb, p->coverage_path, &p->coverage)) return true;
  chip_profile_discard(p);
  return false;
}

void chip_profile_discard(struct chip_profile *p) {
  cli_discard(p->profile, p->profile_path);
  cli_discard(p->coverage, p->coverage_path);
  p->profile = p->coverage = NULL;
}

static bool finish(const char *verb, FILE **file, const char *path, bool good) {
  FILE *out = *file;
  *file = NULL;
  return cli_finish(out, path, good) || (cli_not_written(verb, path), false);
}

/* A tile that has not begun its account has no text. */
static bool write_profile(struct chip_profile *p, const struct chip_job *j) {
  const char *text = tessera_chip_profile(j->chip, cli_profile_format(p->profile_path));
  return finish(j->d.verb, &p->profile, p->profile_path, fputs(text, p->profile) >= 0);
}

static bool write_coverage(struct chip_profile *p, const struct chip_job *j) {
  struct cli_coverage sum = {.records = NULL};
  bool good = true;
  for (size_t i = 0; good && i < j->unit_count; i++)
    good = cli_coverage_add(&sum, tessera_tile_profile(j->units[i].tile, TESSERA_PROFILE_LCOV));
  good = good && cli_coverage_write(&sum, p->coverage);
  cli_coverage_free(&sum);
  return finish(j->d.verb, &p->coverage, p->coverage_path, good);
}

bool chip_profile_write(struct chip_profile *p, const struct chip_job *j) {
  bool good = !p->profile || write_profile(p, j);
  return (!p->coverage || write_coverage(p, j)) && good;
}
