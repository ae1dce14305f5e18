/* Sizes and sections of Config and ThreadConfig; config.def has their fields. */
#ifndef TESSERA_CHIPS_BLACKHOLE_CONFIG_MAP_H
#define TESSERA_CHIPS_BLACKHOLE_CONFIG_MAP_H

#define TX_CFG_WORDS 224u
#define TX_CFG_GLOBAL_BASE 180u /* from here on a write goes to both banks */
#define TX_CFG_THCON_BASE 64u
#define TX_THREAD_CFG_WORDS 68u
#define TX_CFG_CONTEXTS 8u /* base addresses of an unpacker, from THCON_SEC0_REG3 and THCON_SEC1_REG3 on */

/* Auto TTSync: resources that each class of instructions declares after reset. assembly.yaml: RESOURCEDECL, "resources" */
#define TX_SYNC_DEFAULTS \
  { 0x060, 0x060, 0x1e0, 0x060, 0x01f, 0x020, 0x040, 0x100, 0x03e, 0x05d, 0x07f, 0x19d, 0x191, 0x1ff, 0x1ff, 0x011 }

#endif
