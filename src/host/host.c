#include "host/host.h"

#include <stdio.h>
#include <string.h>

#include "chips/blackhole/grid.h"
#include "tensix/state/control.h"

#define NOC_WINDOW_SHIFT 58u
#define NOC_WINDOW_TRANSLATED \
  4u /* windows 4 to 7 pass through the iATU, 0 to 3 bypass it; 8 and up are registers of the controller */
#define NOC_WINDOWS 8u
#define POLL_SLICE_CYCLES \
  128u /* as long as a window of the chip with timing off; a real read over PCIe takes ten times that */

void host_init(struct host *host, const struct host_port *port, unsigned device, struct host_time *time) {
  memset(host, 0, sizeof *host);
  host->time = time;
  host_pci_config_init(&host->config, device);
  host->settings = (struct host_settings){.cycles_per_clock = 1, .poll_bound = 10000, .lines_max = 20};
  host->port = *port;
}

void host_lost(struct host *host, const char *format, ...) {
  char line[256];
  va_list arguments;
  if (host->lost++ >= host->settings.lines_max || !host->say) return;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  host->say(host->listener, line);
  if (host->lost == host->settings.lines_max)
    host->say(host->listener, "further accesses to unmapped addresses are only counted");
}

/* --- tiles --- */

/* A host that takes a product for the full part writes to tiles that this one does not have, and then waits for them forever. */
static bool lost_off(struct host *host, const struct host_target *target) {
  if (!host->port.fused_off || !host->port.fused_off(host->port.chip, target)) return false;
  if (host->lost_off++) {
    host->lost++;
    return true;
  }
  host_lost(
      host,
      "the host uses tile (%u,%u), which TESSERA_PRODUCT has fused off: it was not told the product; sim-dir DIR PYTHON "
      "PRODUCT makes a directory that tells it",
      target->x_end, target->y_end);
  return true;
}

/* Both axes are translated separately, so a pair that is no tile's reaches one: told once for each pair. */
static void tell_alias(struct host *host, const struct host_target *target, const char *does) {
  unsigned x = target->x_end & 63u, y = target->y_end & 63u, tile_x, tile_y;
  uint32_t *told = &host->aliases[y][x / 32], bit = 1u << x % 32;
  if ((x < NOC_GRID_X && y < NOC_GRID_Y) || *told & bit || !host->port.alias) return;
  *told |= bit;
  if (!host->port.alias(host->port.chip, target, &tile_x, &tile_y) || !host->say || !host->settings.lines_max) return;
  char line[256];
  snprintf(line, sizeof line,
           "the host %s tile (%u,%u), which does not exist: the coordinates reach the tile at (%u,%u) of NoC 0", does, x, y,
           tile_x, tile_y);
  host->say(host->listener, line);
}

static struct host_word *poll_word(struct host_poll *poll, const struct host_target *target, uint64_t address,
                                   uint64_t *key) {
  *key = (address << 13 | (uint64_t)target->noc << 12 | (uint64_t)target->y_end << 6 | target->x_end) + 1;
  return &poll->word[*key * 0x9e3779b97f4a7c15ull >> 54 & (HOST_POLL_WORDS - 1)];
}

/* Two reads of a word that return the same value, with no write by the host between them, are a poll. Longer reads are
 * transfers. */
static void note_read(struct host *host, const struct host_target *target, uint64_t address, const void *bytes,
                      uint32_t size) {
  struct host_poll *poll = &host->poll;
  uint64_t key;
  host->time->read_since_clock = true;
  host->time->last = host;
  poll->again = false;
  if (size != sizeof poll->value) return;
  struct host_word *word = poll_word(poll, target, address, &key);
  memcpy(&poll->value, bytes, sizeof poll->value);
  poll->again = word->key == key && word->value == poll->value;
  word->key = key, word->value = poll->value;
  if (!poll->again) return;
  poll->target = *target;
  poll->address = address;
}

static void note_write(struct host *host, const struct host_target *target, uint64_t address) {
  uint64_t key;
  struct host_word *word = poll_word(&host->poll, target, address, &key);
  if (word->key == key) word->key = 0;
}

void host_window_read(struct host *host, const struct host_target *target, uint64_t address, void *bytes, uint32_t size) {
  bool done = false;
  tell_alias(host, target, "reads");
  if (!target->broadcast && (host->time->idle || host->debug.run))
    done = host->port.peek(host->port.chip, target, address, bytes, size);
  if (!target->broadcast && !done) {
    host_settle(host);
    host->time->idle = false; /* the read of a register may have a side effect */
    if (host->debug.wrote) host->debug.wrote(host->debug.debug);
    done = host->port.read(host->port.chip, target, address, bytes, size);
  }
  if (!done) {
    memset(bytes, 0xff, size);
    if (lost_off(host, target)) return;
    host_lost(host, "the host reads %u bytes of tile (%u,%u) at 0x%llx: %s", size, target->x_end, target->y_end,
              (unsigned long long)address, target->broadcast ? "the window is a rectangle" : "nothing answers there");
    return;
  }
  note_read(host, target, address, bytes, size);
}

static bool run_chip(struct host *host, uint64_t cycles) {
  return host->debug.run ? host->debug.run(host->debug.debug, cycles) : host->port.run(host->port.system, cycles);
}

static bool is_debug_command(const struct host_target *target, uint64_t address, const void *bytes, uint32_t size) {
  uint32_t value;
  if (address != TX_ADDR_CONTROL + TX_CONTROL_RISC_DBG_CNTL_0 || size != sizeof value || target->broadcast) return false;
  memcpy(&value, bytes, sizeof value);
  return value >> 31;
}

/* A debugger reads the result of its command without asking whether the core has completed it: over PCIe the next access comes hundreds
 * of cycles later. So does it here. */
static void complete_debug_command(struct host *host, const struct host_target *target, const void *bytes) {
  static const char *const cores[] = {"BRISC", "TRISC0", "TRISC1", "TRISC2"};
  const char *refusal = host->port.refusal ? host->port.refusal(host->port.chip, target) : NULL;
  uint32_t value;
  memcpy(&value, bytes, sizeof value);
  if (refusal)
    host_lost(host, "tile (%u,%u), debug interface of %s (0x%08x): the command has no effect: %s", target->x_end,
              target->y_end, cores[value >> 17 & 3u], TX_ADDR_CONTROL + TX_CONTROL_RISC_DBG_CNTL_0, refusal);
  run_chip(host, POLL_SLICE_CYCLES);
}

void host_window_write(struct host *host, const struct host_target *target, uint64_t address, const void *bytes,
                       uint32_t size) {
  note_write(host, target, address);
  tell_alias(host, target, "writes to");
  host_settle(host);
  host->time->idle = false;
  if (host->debug.wrote) host->debug.wrote(host->debug.debug);
  if (host->resets && address == TX_ADDR_CONTROL + TX_CONTROL_SOFT_RESET_0 && size == 4 && !target->broadcast) {
    uint32_t value;
    memcpy(&value, bytes, sizeof value);
    host->resets(host->owner, target, value);
  }
  if (host->wrote) host->wrote(host->owner, target);
  if (host->port.write(host->port.chip, target, address, bytes, size)) {
    if (is_debug_command(target, address, bytes, size)) complete_debug_command(host, target, bytes);
    return;
  }
  if (lost_off(host, target)) return;
  host_lost(host, "the host writes %u bytes to tile (%u,%u) at 0x%llx: there is no memory or register", size, target->x_end,
            target->y_end, (unsigned long long)address);
}

static struct host_target one_tile(uint32_t x, uint32_t y) {
  return (struct host_target){.x_end = (uint8_t)x, .y_end = (uint8_t)y};
}

void host_tile_read(struct host *host, uint32_t x, uint32_t y, uint64_t address, void *bytes, uint32_t size) {
  struct host_target target = one_tile(x, y);
  if (host->time->frozen || x > 63 || y > 63) {
    memset(bytes, 0xff, size);
    if (!host->time->frozen) host_lost(host, "the host reads tile (%u,%u), which does not exist", x, y);
    return;
  }
  host_window_read(host, &target, address, bytes, size);
}

void host_tile_write(struct host *host, uint32_t x, uint32_t y, uint64_t address, const void *bytes, uint32_t size) {
  struct host_target target = one_tile(x, y);
  if (host->time->frozen) return;
  if (x > 63 || y > 63) {
    host_lost(host, "the host writes tile (%u,%u), which does not exist", x, y);
    return;
  }
  host_window_write(host, &target, address, bytes, size);
}

/* --- time --- */

void host_settle(struct host *host) {
  struct host_time *time = host->time;
  if (time->owed) run_chip(host, time->owed);
  time->owed = 0;
}

/* Has a word that the host polls changed since its last read? */
static bool poll_changed(struct host *host, uint64_t host_memory_writes) {
  const struct host_poll *poll = &host->poll;
  uint32_t value;
  if (!host->time->read_since_clock) return host->time->host_memory_writes != host_memory_writes;
  return !host->port.peek(host->port.chip, &poll->target, poll->address, &value, sizeof value) || value != poll->value;
}

/* The host waits for a word to change: runs up to the slice in which it does. Reading a register may have a side effect, so a poll
 * of a register runs one slice. Idle chips skip the rest of the time at once. */
static void run_poll(struct host *host, uint64_t bound) {
  struct host_time *time = host->time;
  uint64_t writes = time->host_memory_writes, done = 0;
  uint64_t most = time->least_cycles > POLL_SLICE_CYCLES ? time->least_cycles : POLL_SLICE_CYCLES;
  while (done < bound) {
    uint64_t slice = bound - done < most ? bound - done : most;
    time->idle = !run_chip(host, slice);
    done += slice;
    if (host->port.faulted(host->port.system) || poll_changed(host, writes)) return;
    if (time->idle) {
      time->owed = bound - done;
      return;
    }
  }
}

void host_clock(struct host *any, uint32_t clocks) {
  struct host_time *time = any->time;
  struct host *host = time->last ? time->last : any;
  if (time->frozen) return;
  uint64_t cycles = clocks * host->settings.cycles_per_clock;
  if (cycles < time->least_cycles) cycles = time->least_cycles;
  bool polls = (host->poll.again || !time->read_since_clock) && cycles < host->settings.poll_bound;
  if (time->idle) {
    time->owed += polls ? host->settings.poll_bound : cycles;
  } else if (polls) {
    run_poll(host, host->settings.poll_bound);
  } else {
    time->idle = !run_chip(host, cycles);
  }
  time->read_since_clock = false;
  host->poll.again = false;
  time->frozen = host->port.faulted(host->port.system);
}

/* --- host memory --- */

typedef void move_bytes(struct host *host, uint64_t address, void *bytes, uint32_t size);

static void from_host(struct host *host, uint64_t address, void *bytes, uint32_t size) {
  host->memory.read(address, bytes, size);
}

static void to_host(struct host *host, uint64_t address, void *bytes, uint32_t size) {
  host->memory.write(address, bytes, size);
}

static void each_region(struct host *host, uint64_t address, uint8_t *bytes, uint32_t size, move_bytes *move) {
  bool translated = address >> NOC_WINDOW_SHIFT >= NOC_WINDOW_TRANSLATED;
  address &= (1ull << NOC_WINDOW_SHIFT) - 1;
  while (size) {
    uint64_t length = size, at = translated ? host_iatu_translate(&host->iatu, address, &length) : address;
    move(host, at, bytes, (uint32_t)length);
    address += length, bytes += length, size -= (uint32_t)length;
  }
}

bool host_memory_read(struct host *host, uint64_t address, void *bytes, uint32_t size) {
  if (address >> NOC_WINDOW_SHIFT >= NOC_WINDOWS || !host->memory.read) return false;
  each_region(host, address, bytes, size, from_host);
  return true;
}

bool host_memory_write(struct host *host, uint64_t address, const void *bytes, uint32_t size) {
  if (address >> NOC_WINDOW_SHIFT >= NOC_WINDOWS || !host->memory.write) return false;
  host->time->host_memory_writes++;
  each_region(host, address, (uint8_t *)bytes, size, to_host);
  return true;
}
