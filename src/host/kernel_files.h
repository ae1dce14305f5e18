/* The ELF files of a directory of kernels. Of each the code is kept, which is a few kilobytes, so that a core's program is found by its
 * code; the whole file, with symbols and lines, is read only when a report needs it. A file is read again only after it has changed. */
#ifndef TESSERA_HOST_KERNEL_FILES_H
#define TESSERA_HOST_KERNEL_FILES_H

#include "debug/elf.h"

/* The executable segments of a file, in memory of their own. */
struct host_kernel_code {
  struct dbg_segment *segments;
  unsigned count;
};

struct host_kernel_file {
  char *path;       /* the whole one */
  const char *name; /* its part below the directory */
  struct host_kernel_code code;
  void *bytes; /* the whole file; NULL: closed */
  struct dbg_elf elf;
  int64_t size, nanoseconds;
  int64_t
      written; /* seconds: of several files with the same code of one source the newest is used, because a cache keeps old ones */
  unsigned core;
  enum { HOST_SOURCES_NEW, HOST_SOURCES_LIBRARY, HOST_SOURCES_USER } sources; /* NEW: not looked at yet */
  bool firmware; /* one of the package's firmware sets, which contain the same code many times: the first match is used */
  size_t at;     /* its place in the list */
  bool seen;     /* in the present walk */
};

struct host_kernel_files {
  struct host_kernel_file **file;
  size_t count, capacity;
};

/* The walk through the directories: the files known before, sorted by path. */
struct host_kernel_walk {
  struct host_kernel_file **known;
  size_t count;
  bool changed;
};

struct host_kernel_walk host_kernel_files_begin(struct host_kernel_files *files);
void host_kernel_files_add(struct host_kernel_files *files, struct host_kernel_walk *walk, const char *directory,
                           bool firmware);
/* Drops files that are gone. True: the list is not what it was before the walk. */
bool host_kernel_files_end(struct host_kernel_files *files, struct host_kernel_walk *walk);

/* Reads the whole file if it is not open. False: it can no longer be read. */
bool host_kernel_file_open(struct host_kernel_file *file);
/* Does all of its code come from sources of the vendor's device library? Its firmware and its dispatcher. */
bool host_kernel_file_is_library(struct host_kernel_file *file);
/* Closes all files; their code stays. */
void host_kernel_files_close(struct host_kernel_files *files);
void host_kernel_files_free(struct host_kernel_files *files);

#endif
