/* The regions of the address map, each in the file of its window or block. */
#ifndef TESSERA_TENSIX_WINDOWS_H
#define TESSERA_TENSIX_WINDOWS_H

#include "tensix/tile/bus_region.h"

tx_region_fn tx_access_l1, tx_access_local, tx_access_local_slow, tx_access_gpr, tx_access_config, tx_access_push,
    tx_access_mop, tx_access_sync, tx_access_pcbuf, tx_access_tdma, tx_access_mmio, tx_access_control, tx_access_pic,
    tx_access_noc, tx_access_mailbox, tx_access_dst, tx_access_ethernet;
tx_arrive_fn tx_arrive_l1, tx_arrive_local_slow, tx_arrive_gpr, tx_arrive_config, tx_arrive_sync, tx_arrive_pcbuf,
    tx_arrive_tdma, tx_arrive_mmio, tx_arrive_control, tx_arrive_pic, tx_arrive_noc, tx_arrive_mailbox, tx_arrive_dst,
    tx_arrive_ethernet;

/* The load of a whole word of the wall clock, short because cores that wait do little else. false: it is no such load, or after
 * others that are under way. */
bool tx_control_load_clock(struct tx_tile *t, unsigned agent, uint32_t address, struct tx_bus_answer *answer);

#endif
