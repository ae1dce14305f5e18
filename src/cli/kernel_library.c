/* Finds the kernel library: in the user's folder, beside the command, or in the configured install directory. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/kernel.h"

#ifndef TESSERA_DATADIR
#define TESSERA_DATADIR "/usr/local/share"
#endif

static bool there(const char *folder, const char *file) {
  char path[KERNEL_PATH + 64];
  int length = snprintf(path, sizeof path, "%s/%s", folder, file);
  return length > 0 && (size_t)length < sizeof path && access(path, R_OK) == 0;
}

/* The folder of this command, with links resolved; "" if the system does not provide it. */
static void own_folder(char folder[KERNEL_PATH]) {
  ssize_t length = readlink("/proc/self/exe", folder, KERNEL_PATH - 1);
  folder[length > 0 ? length : 0] = '\0';
  char *slash = strrchr(folder, '/');
  if (slash) *slash = '\0';
}

static bool take(struct kernel_library *l, const char *root, const char *isa) {
  if (!there(root, "firmware/tensix.ld")) return false;
  snprintf(l->root, sizeof l->root, "%s", root);
  char own[KERNEL_PATH];
  snprintf(own, sizeof own, "%.*s/include", (int)(KERNEL_PATH - 16), root);
  const char *from = there(own, "tensix_isa.h") ? own : isa;
  if (!there(from, "tensix_isa.h")) return false;
  snprintf(l->isa, sizeof l->isa, "%s", from);
  return true;
}

bool kernel_library_find(struct kernel_library *l, const char *wanted) {
  static const char *const beside[] = {"../share/tessera/kernels", "../kernels", "../../kernels"};
  char folder[KERNEL_PATH], root[KERNEL_PATH + 32], isa[KERNEL_PATH + 32];
  own_folder(folder);
  snprintf(isa, sizeof isa, "%s/kernels/include", folder); /* a source tree: $(BUILD)/kernels/include */
  if (!wanted) wanted = getenv("TESSERA_KERNELS");
  if (wanted && *wanted) {
    if (take(l, wanted, isa)) return true;
    return cli_bad_input("kernel", "%s holds no kernel library (include/tensix_isa.h, firmware/tensix.ld)", wanted), false;
  }
  for (size_t i = 0; folder[0] && i < CLI_COUNT(beside); i++) {
    snprintf(root, sizeof root, "%s/%s", folder, beside[i]);
    if (take(l, root, isa)) return true;
  }
  if (take(l, TESSERA_DATADIR "/tessera/kernels", isa)) return true;
  cli_bad_input("kernel", "no kernel library beside the command or in " TESSERA_DATADIR
                          "/tessera/kernels; make install puts it there, --library DIR names another");
  return false;
}
