/* The model's named parameters (params.def), one set per tile. */
#ifndef TESSERA_TENSIX_PARAMS_H
#define TESSERA_TENSIX_PARAMS_H

#include <stddef.h>
#include <stdint.h>

struct tx_params {
#define PARAM(name, value, evidence, source, what) uint32_t name;
#include "chips/blackhole/params.def"
#undef PARAM
};

struct tx_param_info {
  const char *name, *evidence, *source, *what;
  uint32_t initial;
  size_t offset;
};

extern const struct tx_param_info tx_param_infos[];
extern const size_t tx_param_count;

struct tx_params tx_params_default(void);

#endif
