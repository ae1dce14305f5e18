/* The systems of tessera/system.h. */
#include "tessera/system.h"

#include "system/descriptor.h"

const char *tessera_system_name(unsigned index) {
  const struct system_product *system = system_product_at(index);
  return system ? system->name : "";
}

const char *tessera_system_text(unsigned index) {
  const struct system_product *system = system_product_at(index);
  return system ? system->text : "";
}

size_t tessera_system_descriptor(const char *system, const char *product, char *text, size_t size) {
  const struct chip_product *parts = chip_product_find(product ? product : "full");
  struct system_plan plan;
  struct sim_text to = {text, size, 0};
  if (!system || !parts || !system_plan_find(&plan, system, &parts->harvest)) return 0;
  system_descriptor_write(&plan, &to);
  return to.length;
}
