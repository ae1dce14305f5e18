/* diagnostics.h: the rows of diag.def with those of diag_help.def. */
#include "tessera/diagnostics.h"

#include "tensix/machine.h"

static const struct {
  const char *why, *mend;
} helps[TX_DIAG_COUNT] = {
#define HELP(name, why_, mend_) [TX_DIAG_##name] = {.why = (why_), .mend = (mend_)},
#include "chips/blackhole/diag_help.def"
#undef HELP
};

size_t tessera_diagnostic_count(void) { return TX_DIAG_COUNT; }

enum tessera_result tessera_diagnostic(size_t index, struct tessera_diagnostic *diagnostic) {
  if (!diagnostic || index >= TX_DIAG_COUNT) return TESSERA_INVALID;
  const struct tx_diag_info *info = &tx_diag_infos[index];
  *diagnostic = (struct tessera_diagnostic){.name = info->name,
                                            .severity = (enum tessera_severity)info->severity,
                                            .what = info->what,
                                            .document = info->where,
                                            .why = helps[index].why ? helps[index].why : "",
                                            .mend = helps[index].mend ? helps[index].mend : ""};
  return TESSERA_OK;
}
