/* The machine of the libttsim ABI: the chips of a system as PCI devices, under one clock. */
#ifndef TESSERA_HOST_DEVICES_H
#define TESSERA_HOST_DEVICES_H

#include "host/machine.h"

struct host_devices;

struct host_device {
  struct host_devices *all;
  struct host_machine *machine; /* NULL: the chip is no PCI device */
  struct host_options options;
  char *report, *trace; /* directories of this device; NULL: those of the options */
};

struct host_devices {
  struct host_options options;
  struct system *system;
  struct host_time time;
  unsigned count;
  struct host_device device[SYSTEM_CHIPS]; /* by chip */
};

/* NULL: the voice's error has the reason in one line. `configure` may change the configuration of the chips; may be NULL. */
struct host_devices *host_devices_create(const struct host_options *options, void (*configure)(struct chip_config *config),
                                         struct host_voice voice);
void host_devices_destroy(struct host_devices *devices); /* NULL is allowed */
void host_devices_memory(struct host_devices *devices, const struct host_memory *memory);
void host_devices_clock(struct host_devices *devices, uint32_t clocks);
void host_devices_exit(struct host_devices *devices);
void host_devices_abandon(struct host_devices *devices);
void host_devices_report(struct host_devices *devices, const char *when);

/* The first device. */
struct host_machine *host_devices_first(const struct host_devices *devices);
/* NULL: there is no device at that bus, device and function (bits 15:8, 7:3, 2:0). */
struct host_machine *host_devices_at(const struct host_devices *devices, uint32_t function);
/* That whose BAR has the address, else the first: it reports the access. */
struct host_machine *host_devices_of(const struct host_devices *devices, uint64_t address);

#endif
