/* The parameters' names, defaults and sources, from params.def. */
#include "tensix/params.h"

#define EVIDENCE_DOCUMENT "document"
#define EVIDENCE_SILICON "silicon"
#define EVIDENCE_INFERRED "inferred"

const struct tx_param_info tx_param_infos[] = {
#define PARAM(field, value, evidence_, source_, what_) \
  {.name = #field, \
   .evidence = EVIDENCE_##evidence_, \
   .source = (source_), \
   .what = (what_), \
   .initial = (value), \
   .offset = offsetof(struct tx_params, field)},
#include "chips/blackhole/params.def"
#undef PARAM
};

const size_t tx_param_count = sizeof tx_param_infos / sizeof *tx_param_infos;

struct tx_params tx_params_default(void) {
  return (struct tx_params){
#define PARAM(field, value, evidence_, source_, what_) .field = (value),
#include "chips/blackhole/params.def"
#undef PARAM
  };
}
