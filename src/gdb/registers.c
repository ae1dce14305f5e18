/* The registers of registers.h. */
#include "gdb/registers.h"

#include <stdio.h>
#include <string.h>

#include "gdb/access.h"
#include "gdb/breaks.h"
#include "sim/text.h"
#include "tensix/isa/isa.h"

enum kind {
  KIND_X,
  KIND_PC,
  KIND_F,
  KIND_CSR,
  KIND_COUNTER,
  KIND_GPR,
  KIND_RWC,
  KIND_ADC,
  KIND_SEMAPHORE,
  KIND_CONFIG,
  KINDS
};

static const char *const x_names[32] = {"zero", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "fp", "s1", "a0",
                                        "a1",   "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
                                        "s6",   "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"};
/* Indices into tx_core.csr (riscv/csr.c). */
static const struct {
  const char *name;
  unsigned slot;
} csrs[] = {{"cfg0", TX_CSR_CFG0}, {"pmacfg0", TX_CSR_PMACFG0}, {"pmacfg1", TX_CSR_PMACFG1}, {"cfg1", 3}, {"fcsr", 7}};
static const char *const counters[] = {"cycle", "instret"};
static const char *const rwc_names[8] = {"srca", "srca_cr", "srcb", "srcb_cr", "dst", "dst_cr", "fidelity", "sp"};
static const char *const adc_units[TX_ADC_UNITS] = {"unpack0", "unpack1", "pack"};

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* The index-th field of ThreadConfig. */
static const struct tx_config_field *config_field(unsigned index) {
  for (size_t i = 0; i < tx_config_field_count; i++)
    if (tx_config_fields[i].thread && index-- == 0) return &tx_config_fields[i];
  return NULL;
}

static unsigned config_count(void) {
  unsigned count = 0;
  for (size_t i = 0; i < tx_config_field_count; i++) count += tx_config_fields[i].thread ? 1u : 0u;
  return count;
}

/* The kind of register with this number. KINDS: none. */
static enum kind kind_of(unsigned core, unsigned number, unsigned *index) {
  const unsigned counts[KINDS] = {
      32, 1, 32, COUNT(csrs), COUNT(counters), TX_GPRS, 8, 16 * TX_ADC_UNITS, 2 * TX_SEMAPHORES, config_count()};
  unsigned kinds = core < TX_THREADS ? KINDS : KIND_GPR;
  for (unsigned kind = 0; kind < kinds; kind++) {
    if (number < counts[kind]) {
      *index = number;
      return (enum kind)kind;
    }
    number -= counts[kind];
  }
  return KINDS;
}

static void name_adc(unsigned index, char *name, size_t size) {
  snprintf(name, size, "adc_%s_ch%u_%c%s", adc_units[index / 16], index / 8 % 2, "xyzw"[index % 4],
           index / 4 % 2 ? "_cr" : "");
}

bool gdb_register(unsigned core, unsigned number, struct gdb_register *out) {
  unsigned i = 0;
  enum kind kind = kind_of(core, number, &i);
  *out = (struct gdb_register){.type = "uint32", .group = "tensix", .bits = 32};
  switch (kind) {
    case KIND_X:
      snprintf(out->name, sizeof out->name, "%s", x_names[i]);
      out->group = "general";
      out->type = i == 1 ? "code_ptr" : i == 2 || i == 8 ? "data_ptr" : "int";
      break;
    case KIND_PC: snprintf(out->name, sizeof out->name, "pc"), out->group = "general", out->type = "code_ptr"; break;
    case KIND_F: snprintf(out->name, sizeof out->name, "tf%u", i), out->group = "float", out->type = "ieee_single"; break;
    case KIND_CSR: snprintf(out->name, sizeof out->name, "%s", csrs[i].name), out->group = "csr"; break;
    case KIND_COUNTER:
      snprintf(out->name, sizeof out->name, "%s", counters[i]), out->group = "csr", out->type = "uint64", out->bits = 64;
      break;
    case KIND_GPR: snprintf(out->name, sizeof out->name, "gpr%u", i); break;
    case KIND_RWC: snprintf(out->name, sizeof out->name, "rwc_%s", rwc_names[i]); break;
    case KIND_ADC: name_adc(i, out->name, sizeof out->name); break;
    case KIND_SEMAPHORE: snprintf(out->name, sizeof out->name, "sem%u%s", i / 2, i % 2 ? "_max" : ""); break;
    case KIND_CONFIG:
      snprintf(out->name, sizeof out->name, "tc_%s", config_field(i)->name);
      out->group = "thread_config";
      break;
    default: return false;
  }
  return true;
}

static uint32_t item_of(const struct tessera_debugger *d, struct gdb_where w, enum tessera_file file, unsigned index,
                        unsigned item) {
  uint32_t value = 0;
  tessera_tile_register(d->machine.unit[w.unit].tile, file, index, item, &value);
  return value;
}

static uint32_t config_value(const struct tessera_debugger *d, struct gdb_where w, unsigned index) {
  const struct tx_config_field *f = config_field(index);
  uint32_t word = item_of(d, w, TESSERA_FILE_THREAD_CONFIG, w.core, f->addr);
  return f->width >= 32 ? word >> f->shift : word >> f->shift & ((1u << f->width) - 1u);
}

bool gdb_register_read(const struct tessera_debugger *d, struct gdb_where w, unsigned number, uint64_t *value) {
  unsigned i = 0;
  const struct tx_core *c = gdb_core(d, w);
  switch (kind_of(w.core, number, &i)) {
    case KIND_X: *value = c->x[i]; break;
    case KIND_PC: *value = gdb_pc(d, w); break;
    case KIND_F: *value = c->f[i]; break;
    case KIND_CSR: *value = c->csr[csrs[i].slot]; break;
    case KIND_COUNTER: *value = i ? c->retired + c->instret_offset : d->cycle; break;
    case KIND_GPR: *value = item_of(d, w, TESSERA_FILE_GPR, w.core, i); break;
    case KIND_RWC: *value = item_of(d, w, TESSERA_FILE_RWC, w.core, i); break;
    case KIND_ADC: *value = item_of(d, w, TESSERA_FILE_ADC, w.core, i); break;
    case KIND_SEMAPHORE: *value = item_of(d, w, TESSERA_FILE_SEMAPHORE, i / 2, i % 2); break;
    case KIND_CONFIG: *value = config_value(d, w, i); break;
    default: return false;
  }
  return true;
}

static bool write_config(struct tessera_debugger *d, struct gdb_where w, unsigned index, uint32_t value) {
  const struct tx_config_field *f = config_field(index);
  uint32_t mask = (f->width >= 32 ? UINT32_MAX : (1u << f->width) - 1u) << f->shift;
  uint32_t word = item_of(d, w, TESSERA_FILE_THREAD_CONFIG, w.core, f->addr);
  return gdb_set_register(d, w, TESSERA_FILE_THREAD_CONFIG, w.core, f->addr, (word & ~mask) | (value << f->shift & mask));
}

bool gdb_register_write(struct tessera_debugger *d, struct gdb_where w, unsigned number, uint64_t value) {
  unsigned i = 0;
  uint32_t v = (uint32_t)value;
  switch (kind_of(w.core, number, &i)) {
    case KIND_X: return i == 0 || gdb_set_register(d, w, TESSERA_FILE_CORE, w.core, i, v);
    case KIND_PC: return gdb_set_register(d, w, TESSERA_FILE_CORE, w.core, 64, v);
    case KIND_F: return gdb_set_register(d, w, TESSERA_FILE_CORE, w.core, 32 + i, v);
    case KIND_GPR: return gdb_set_register(d, w, TESSERA_FILE_GPR, w.core, i, v);
    case KIND_RWC: return gdb_set_register(d, w, TESSERA_FILE_RWC, w.core, i, v);
    case KIND_ADC: return gdb_set_register(d, w, TESSERA_FILE_ADC, w.core, i, v);
    case KIND_SEMAPHORE: return gdb_set_register(d, w, TESSERA_FILE_SEMAPHORE, i / 2, i % 2, v);
    case KIND_CONFIG: return write_config(d, w, i, v);
    default: return false;
  }
}

/* --- target.xml --- */

static const char *feature_of(enum kind kind) {
  if (kind <= KIND_PC) return "org.gnu.gdb.riscv.cpu";
  return kind <= KIND_COUNTER ? "org.tessera.core" : "org.tessera.tensix";
}

size_t gdb_target_xml(unsigned core, char *text, size_t size) {
  struct sim_text out = {.data = text, .size = size};
  struct gdb_register r;
  const char *feature = "";
  sim_text_add(&out, "<?xml version=\"1.0\"?>\n<!DOCTYPE target SYSTEM \"gdb-target.dtd\">\n<target version=\"1.0\">\n"
                     "<architecture>riscv:rv32</architecture>\n");
  for (unsigned number = 0; gdb_register(core, number, &r); number++) {
    unsigned i;
    const char *now = feature_of(kind_of(core, number, &i));
    if (strcmp(now, feature) != 0) sim_text_add(&out, "%s<feature name=\"%s\">\n", feature[0] ? "</feature>\n" : "", now);
    feature = now;
    sim_text_add(&out, "<reg name=\"%s\" bitsize=\"%u\" regnum=\"%u\" type=\"%s\" group=\"%s\"/>\n", r.name, r.bits, number,
                 r.type, r.group);
  }
  sim_text_add(&out, "</feature>\n</target>\n");
  return out.length;
}
