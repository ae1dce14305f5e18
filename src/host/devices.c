#include "host/devices.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/text.h"
#include "system/descriptor.h"

#define DESCRIPTOR_MAX_BYTES (1u << 20)

/* --- the plan --- */

static bool find_product(const char *name, struct chip_harvest *harvest, struct host_voice voice) {
  const struct chip_product *product = name ? chip_product_find(name) : chip_product_at(0);
  if (product) {
    *harvest = product->harvest;
    return true;
  }
  struct sim_text out = {voice.error, voice.error_size, 0};
  sim_text_add(&out, "TESSERA_PRODUCT=%s: must be one of", name);
  for (unsigned i = 0; (product = chip_product_at(i)); i++) sim_text_add(&out, "%s %s", i ? "," : "", product->name);
  return false;
}

/* NULL: it cannot be read, with errno. */
static char *read_file(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  char *text = file ? malloc(DESCRIPTOR_MAX_BYTES + 1) : NULL;
  bool good = text != NULL;
  if (good) {
    *length = fread(text, 1, DESCRIPTOR_MAX_BYTES + 1, file);
    good = !ferror(file);
    if (*length > DESCRIPTOR_MAX_BYTES) good = false, errno = EFBIG;
  }
  int kept = errno;
  if (file) fclose(file);
  errno = kept;
  if (good) return text;
  free(text);
  return NULL;
}

static bool read_descriptor(struct system_plan *plan, const char *path, struct host_voice voice) {
  size_t length = 0;
  char why[128] = "", *text = read_file(path, &length);
  if (text) {
    bool good = system_descriptor_read(plan, text, length, why, sizeof why);
    free(text);
    if (good) return true;
  }
  struct sim_text out = {voice.error, voice.error_size, 0};
  sim_text_add(&out, "TESSERA_SYSTEM=%s: %s", path, text ? why : strerror(errno));
  if (text) return false;
  sim_text_puts(&out, "; must be a cluster descriptor, or one of");
  for (unsigned i = 0; system_product_at(i); i++) sim_text_add(&out, "%s %s", i ? "," : "", system_product_at(i)->name);
  return false;
}

static bool make_plan(struct system_plan *plan, const struct host_options *options, struct host_voice voice) {
  struct chip_harvest harvest;
  if (!find_product(options->product, &harvest, voice)) return false;
  if (!options->system) {
    system_plan_alone(plan, &harvest);
    return true;
  }
  if (system_plan_find(plan, options->system, &harvest)) return true;
  if (!options->product) return read_descriptor(plan, options->system, voice);
  snprintf(
      voice.error, voice.error_size,
      "TESSERA_SYSTEM=%s: there is no such system of TESSERA_PRODUCT=%s; a cluster descriptor has the products of its chips",
      options->system, options->product);
  return false;
}

static bool set_links(struct system_plan *plan, const struct host_options *options, struct host_voice voice) {
  char why[128];
  if (!options->links || system_plan_options(plan, options->links, why, sizeof why)) return true;
  snprintf(voice.error, voice.error_size, "TESSERA_LINKS: %s", why);
  return false;
}

/* --- creation --- */

static bool memory_read(void *device, uint64_t address, void *bytes, size_t length) {
  const struct host_device *d = device;
  return d->machine && host_memory_read(&d->machine->host, address, bytes, (uint32_t)length);
}

static bool memory_write(void *device, uint64_t address, const void *bytes, size_t length) {
  const struct host_device *d = device;
  return d->machine && host_memory_write(&d->machine->host, address, bytes, (uint32_t)length);
}

static void configure_chip(void *devices, unsigned number, struct chip_config *config) {
  struct host_devices *d = devices;
  config->host = (struct chip_host){&d->device[number], memory_read, memory_write};
}

/* A device of several has folders of its own in the directories of reports and traces. */
static char *folder_of(const char *directory, unsigned chip) {
  size_t size = strlen(directory) + 16;
  char *path = malloc(size);
  mkdir(directory, 0777); /* one that cannot be made is named when a file in it is */
  if (path) snprintf(path, size, "%s/chip-%u", directory, chip);
  return path;
}

static bool make_folders(struct host_device *device, unsigned chip) {
  struct host_options *o = &device->options;
  if (o->report) o->report = device->report = folder_of(o->report, chip);
  if (device->all->options.report && !o->report) return false;
  if (o->trace) o->trace = device->trace = folder_of(o->trace, chip);
  return !device->all->options.trace || o->trace;
}

static bool make_device(struct host_devices *d, unsigned chip, struct host_voice voice) {
  struct host_device *device = &d->device[chip];
  device->options = d->options;
  if (d->count > 1 && !make_folders(device, chip)) {
    snprintf(voice.error, voice.error_size, "no memory for the device");
    return false;
  }
  device->machine = host_machine_create(&device->options, d->system, chip, &d->time, voice);
  return device->machine != NULL;
}

static bool make_devices(struct host_devices *d, struct host_voice voice) {
  const struct system_plan *plan = system_plan(d->system);
  d->count = plan->chips;
  if (plan->links) d->time.least_cycles = system_window(d->system);
  if (d->options.gdb && d->count > 1) {
    snprintf(voice.error, voice.error_size, "TESSERA_GDB=%s: gdb debugs a chip alone, not one of TESSERA_SYSTEM=%s",
             d->options.gdb, d->options.system);
    return false;
  }
  for (unsigned i = 0; i < d->count; i++)
    if (plan->chip[i].device && !make_device(d, i, voice)) return false;
  if (host_devices_first(d)) return true;
  snprintf(voice.error, voice.error_size, "TESSERA_SYSTEM=%s: no chip is a PCI device", d->options.system);
  return false;
}

struct host_devices *host_devices_create(const struct host_options *options, void (*configure)(struct chip_config *config),
                                         struct host_voice voice) {
  struct host_devices *d = calloc(1, sizeof *d);
  struct chip_config config = {.timing = options->timing, .threads = options->threads};
  struct system_plan plan;
  const char *why = "no memory for the machine";
  voice.error[0] = '\0';
  if (!d) {
    snprintf(voice.error, voice.error_size, "%s", why);
    return NULL;
  }
  d->options = *options;
  for (unsigned i = 0; i < SYSTEM_CHIPS; i++) d->device[i].all = d;
  if (make_plan(&plan, options, voice) && set_links(&plan, options, voice)) {
    if (configure) configure(&config);
    d->system = system_create(&plan, &config, configure_chip, d, &why);
    if (!d->system) snprintf(voice.error, voice.error_size, "%s", why);
    if (d->system && make_devices(d, voice)) return d;
  }
  host_devices_destroy(d);
  return NULL;
}

void host_devices_destroy(struct host_devices *d) {
  if (!d) return;
  for (unsigned i = 0; i < d->count; i++) {
    host_machine_destroy(d->device[i].machine);
    free(d->device[i].report);
    free(d->device[i].trace);
  }
  system_destroy(d->system);
  free(d);
}

/* --- all devices --- */

void host_devices_memory(struct host_devices *d, const struct host_memory *memory) {
  for (unsigned i = 0; i < d->count; i++)
    if (d->device[i].machine) host_machine_memory(d->device[i].machine, memory);
}

void host_devices_clock(struct host_devices *d, uint32_t clocks) {
  const bool frozen = d->time.frozen;
  const uint64_t begin = system_now(d->system);
  for (unsigned i = 0; i < d->count; i++)
    if (d->device[i].machine) host_machine_before_clock(d->device[i].machine);
  host_clock(&host_devices_first(d)->host, clocks);
  const bool stops = d->time.frozen && !frozen;
  for (unsigned i = 0; i < d->count; i++)
    if (d->device[i].machine) host_machine_after_clock(d->device[i].machine, system_now(d->system) - begin, stops);
  if (stops && d->options.exit_on_error) _Exit(3);
}

void host_devices_exit(struct host_devices *d) {
  for (unsigned i = 0; i < d->count; i++)
    if (d->device[i].machine) host_machine_exit(d->device[i].machine);
}

void host_devices_abandon(struct host_devices *d) {
  for (unsigned i = 0; i < d->count; i++)
    if (d->device[i].machine) host_machine_abandon(d->device[i].machine);
}

void host_devices_report(struct host_devices *d, const char *when) {
  for (unsigned i = 0; i < d->count; i++)
    if (d->device[i].machine) host_machine_report(d->device[i].machine, when);
}

/* --- one of them --- */

struct host_machine *host_devices_first(const struct host_devices *d) {
  for (unsigned i = 0; i < d->count; i++)
    if (d->device[i].machine) return d->device[i].machine;
  return NULL;
}

struct host_machine *host_devices_at(const struct host_devices *d, uint32_t function) {
  const uint32_t number = function >> 3;
  return function & 7u || number >= d->count ? NULL : d->device[number].machine;
}

struct host_machine *host_devices_of(const struct host_devices *d, uint64_t address) {
  uint64_t offset;
  for (unsigned i = 0; i < d->count; i++) {
    struct host_machine *m = d->device[i].machine;
    if (m && host_pci_find_bar(&m->host.config, address, &offset) >= 0) return m;
  }
  return host_devices_first(d);
}
