/* A reader with nested zones: the kernel's, in it one per page ("page"), in that one per copy ("copy"); the last one has a name that
 * file formats must not misread. */
#include "dataflow.h"

void kernel_main(void) {
#ifdef COMPILE_FOR_NCRISC
  DeviceZoneScopedN("whole");
  for (uint32_t i = 0; i < 5; i++) {
    DeviceZoneScopedN("page");
    {
      DeviceZoneScopedN("copy");
      l1_copy(0x50000 + 256 * i, 0x40000, 256);
    }
  }
  DeviceZoneScopedMainN("</script>\"'\\<16,32>&größe=a_name_that_is_longer_than_all_of_the_others_together\n.");
#endif
}
