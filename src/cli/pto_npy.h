/* Tensors of a PTO program as .npy files. */
#ifndef TESSERA_CLI_PTO_NPY_H
#define TESSERA_CLI_PTO_NPY_H

#include <stdio.h>

#include "cli/pto_cli.h"

/* A tensor of a machine, and files of NumPy (npy.h). Numbers are converted to the tensor's format; bfloat16 is stored as 2-byte words. */
struct pto_cli_tensor {
  struct tessera_pto_machine *machine;
  int index;
  struct tessera_pto_tensor info;
};

bool pto_npy_load(const char *path, const struct pto_cli_tensor *tensor);
bool pto_npy_save(const char *path, const struct pto_cli_tensor *tensor);
/* Can the file be compared with the tensor? false after one line on stderr. */
bool pto_npy_fits(const char *path, const struct pto_cli_tensor *tensor);
/* Compares with the file and prints the first difference. 0: the same, 1: different, -1: cannot be compared. */
int pto_npy_compare(const char *path, const struct pto_cli_tensor *tensor, double tolerance, FILE *out);

#endif
