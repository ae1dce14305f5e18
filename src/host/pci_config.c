#include "host/pci_config.h"

#include <string.h>

#include "chips/blackhole/host_map.h"

enum {
  IDENTITY = 0x00,
  COMMAND = 0x04,
  CLASS = 0x08,
  HEADER = 0x0c,
  BAR_FIRST = 0x10,
  BAR_END = 0x28,
  SUBSYSTEM = 0x2c,
  INTERRUPT = 0x3c,
  SPACE_END = 0x1000,
};
#define CLASS_ACCELERATOR 0x12000000u /* processing accelerator, revision 0 */
#define BAR_64_BIT 0x4u
#define COMMAND_WRITABLE 0x0547u /* memory, bus master, parity, SERR and INTx bits */

static const uint64_t bar_size[HOST_BARS] = {HOST_BAR0_BYTES, HOST_BAR2_BYTES, HOST_BAR4_BYTES};

#define DEVICE_SHIFT 36u /* the space of one device's BARs; golden: libttsim, tt-umd 0.9.14 */

void host_pci_config_init(struct host_pci_config *config, unsigned number) {
  const uint64_t base = (uint64_t)number << DEVICE_SHIFT;
  memset(config, 0, sizeof *config);
  config->device = number << 3;
  config->bar[0] = base + 0x100000000ull;
  config->bar[1] = base + 0x120000000ull;
  config->bar[2] = base + 0x800000000ull;
}

static uint32_t read_bar(const struct host_pci_config *config, uint32_t offset) {
  unsigned word = (offset - BAR_FIRST) / 4;
  uint64_t base = config->bar[word / 2];
  return word & 1 ? (uint32_t)(base >> 32) : (uint32_t)base | BAR_64_BIT;
}

/* Bits below the BAR's size always read as 0: a host measures the size in this way. */
static void write_bar(struct host_pci_config *config, uint32_t offset, uint32_t value) {
  unsigned word = (offset - BAR_FIRST) / 4;
  uint64_t *base = &config->bar[word / 2];
  if (word & 1) *base = (*base & 0xffffffffu) | (uint64_t)value << 32;
  else *base = (*base & ~0xffffffffull) | value;
  *base &= ~(bar_size[word / 2] - 1);
}

static bool present(const struct host_pci_config *config, uint32_t device, uint32_t offset) {
  return device == config->device && offset < SPACE_END && offset % 4 == 0;
}

uint32_t host_pci_config_read(const struct host_pci_config *config, uint32_t device, uint32_t offset) {
  if (!present(config, device, offset)) return 0xffffffffu;
  if (offset >= BAR_FIRST && offset < BAR_END) return read_bar(config, offset);
  switch (offset) {
    case IDENTITY: return HOST_PCI_DEVICE << 16 | HOST_PCI_VENDOR;
    case COMMAND: return config->command;
    case CLASS: return CLASS_ACCELERATOR;
    case HEADER: return config->cache_line;
    case SUBSYSTEM: return HOST_PCI_VENDOR;
    case INTERRUPT: return config->interrupt_line;
    default: return 0;
  }
}

void host_pci_config_write(struct host_pci_config *config, uint32_t device, uint32_t offset, uint32_t value) {
  if (!present(config, device, offset)) return;
  if (offset >= BAR_FIRST && offset < BAR_END) write_bar(config, offset, value);
  if (offset == COMMAND) config->command = (uint16_t)(value & COMMAND_WRITABLE);
  if (offset == HEADER) config->cache_line = (uint8_t)value;
  if (offset == INTERRUPT) config->interrupt_line = (uint8_t)value;
}

int host_pci_find_bar(const struct host_pci_config *config, uint64_t address, uint64_t *offset) {
  for (int i = 0; i < (int)HOST_BARS; i++)
    if (address - config->bar[i] < bar_size[i]) {
      *offset = address - config->bar[i];
      return i;
    }
  return -1;
}
