/* tessera kernel: folders of kernels outside the tree. The settings of the command line, and the parts of the verb. */
#ifndef TESSERA_CLI_KERNEL_H
#define TESSERA_CLI_KERNEL_H

#include "cli/chip_job.h"
#include "cli/report_html.h"
#include "cli/session.h"

#define KERNEL_PATH 1024u
#define KERNEL_MANIFEST "kernel.chip"

/* The installed kernel library, or that of a source tree. */
struct kernel_library {
  char root[KERNEL_PATH]; /* include/, firmware/, template/, empty.c */
  char isa[KERNEL_PATH];  /* folder of the generated tensix_isa.h */
};
/* `wanted`: a folder given by an option, or NULL. false after one line on stderr. */
bool kernel_library_find(struct kernel_library *l, const char *wanted);

struct kernel_settings {
  struct cli_session session; /* first */
  const char *folder, *compiler, *library, *build, *template;
  bool no_build, debug, list;
  const char *product, *tile, *json_path, *report_path, *gdb;
  uint64_t threads;
  bool why;
  const char *what_if; /* of a rerun; NULL: the unchanged machine */
  const char **what_ifs;
  size_t what_if_count;
  double tolerance;
  const char **ins, **outs, **cbs, **args, **expects, **defines, **includes, **cflags;
  size_t in_count, out_count, cb_count, arg_count, expect_count, define_count, include_count, cflag_count;
};

/* Reads the folder's manifest (a missing one counts as empty) and applies the options to it. The description keeps no pointers into the
 * settings except folder and path. false after one line. */
bool kernel_describe(const struct kernel_settings *s, struct chip_description *d, char path[KERNEL_PATH]);
/* The output folder of the executables, of a program's if it is not 0. */
bool kernel_build_folder(const struct kernel_settings *s, const struct chip_description *d, unsigned program,
                         char folder[KERNEL_PATH]);
/* Calls `act` for each program with a description that has only its statements and those of all programs; statements that it adds are added
 * to the whole. Without programs: once, for 0. Stops at the first false. */
typedef bool kernel_program_fn(void *context, struct chip_description *view, unsigned program);
bool kernel_each_program(struct chip_description *d, kernel_program_fn *act, void *context);
/* Compiles the kernels of the description. false after one line. */
bool kernel_build(const struct kernel_settings *s, struct chip_description *d);
#define KERNEL_NO_TIMING ((enum tessera_timing)(TESSERA_TIMING_CYCLE + 1))    /* not given: that of the manifest, or cycle */
bool kernel_create_chip(const struct kernel_settings *s, struct chip_job *j); /* false after one line */
/* Adds the executables of the build to the description. */
bool kernel_add_programs(const struct kernel_settings *s, struct chip_description *d);
/* `kernel run` after the build. */
int kernel_run(struct kernel_settings *s, struct chip_job *j);
int kernel_new(const char *folder, const char *library, const char *template); /* template NULL: the usual one */
int kernel_list_templates(const char *library);

#endif
