/* The configuration space of the cores, from 0xFFEF0000 on: Config[2][224], an alias [224] whose stores go to both banks,
 * ThreadConfig[3][68]. ISA: BackendConfiguration.md (Blackhole) */
#ifndef TESSERA_TENSIX_CONFIG_SPACE_H
#define TESSERA_TENSIX_CONFIG_SPACE_H

#include <stdint.h>

#include "chips/blackhole/address_map.h"
#include "tensix/state/config.h"

enum tx_config_part { TX_CONFIG_BANKS, TX_CONFIG_DUAL, TX_CONFIG_THREAD, TX_CONFIG_NOWHERE };

/* Bank (or thread, of ThreadConfig) and index of the word at an address. */
static inline enum tx_config_part tx_config_find(uint32_t address, unsigned *bank, unsigned *index) {
  uint32_t at = (address - TX_ADDR_CONFIG) / 4;
  if (at < 2 * TX_CFG_WORDS) {
    *bank = at / TX_CFG_WORDS;
    *index = at % TX_CFG_WORDS;
    return TX_CONFIG_BANKS;
  }
  at -= 2 * TX_CFG_WORDS;
  *bank = 0;
  *index = at;
  if (at < TX_CFG_WORDS) return TX_CONFIG_DUAL;
  at -= TX_CFG_WORDS;
  if (at >= 3 * TX_THREAD_CFG_WORDS) return TX_CONFIG_NOWHERE;
  *bank = at / TX_THREAD_CFG_WORDS;
  *index = at % TX_THREAD_CFG_WORDS;
  return TX_CONFIG_THREAD;
}

#endif
