#include "cli/kernel_firmware.h"

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/input.h"

#define FNV_BASE 0xcbf29ce484222325u
#define FNV_PRIME 0x100000001b3u
#define HEADER_MAX ((size_t)8 << 20)
#define CACHE_ROOM 512u /* for the names below the cache */

static uint64_t add_bytes(uint64_t sum, const void *bytes, size_t size) {
  const unsigned char *at = bytes;
  for (size_t i = 0; i < size; i++) sum = (sum ^ at[i]) * FNV_PRIME;
  return sum;
}

/* Sums of files are added, so their order in the directory does not matter. */
static bool add_file(uint64_t *sum, const char *path, const char *name) {
  struct cli_input in = {0};
  if (!cli_input_read(&in, "kernel", path, HEADER_MAX)) return false;
  *sum += add_bytes(add_bytes(FNV_BASE, name, strlen(name) + 1), in.data, in.size);
  cli_input_free(&in);
  return true;
}

static bool add_directory(uint64_t *sum, const char *directory) {
  DIR *entries = opendir(directory);
  char path[4096 + 300];
  struct stat info;
  bool good = entries;
  for (struct dirent *entry; good && (entry = readdir(entries));) {
    snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
    if (entry->d_name[0] == '.' || stat(path, &info) != 0 || !S_ISREG(info.st_mode)) continue;
    /* Without a sum the firmware is compiled and not kept; if the compiler needs the file, it reports it. */
    good = access(path, R_OK) == 0 && (uint64_t)info.st_size <= HEADER_MAX && add_file(sum, path, entry->d_name);
  }
  if (entries) closedir(entries);
  return good;
}

uint64_t kernel_firmware_sum(const char *root, const char *isa) {
  char path[4096];
  uint64_t sum = 1;
  snprintf(path, sizeof path, "%s/firmware", root);
  if (!add_directory(&sum, path)) return 0;
  snprintf(path, sizeof path, "%s/include", root);
  if (!add_directory(&sum, path)) return 0;
  return strcmp(path, isa) == 0 || add_directory(&sum, isa) ? sum | 1 : 0;
}

static bool make_directories(char *path) {
  for (char *slash = path; (slash = strchr(slash + 1, '/'));) {
    *slash = '\0';
    mkdir(path, 0777);
    *slash = '/';
  }
  return mkdir(path, 0777) == 0 || access(path, W_OK) == 0;
}

static bool find_cache(char *path, size_t size) {
  const char *own = getenv("TESSERA_CACHE"), *caches = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  int length;
  if (own && *own) length = snprintf(path, size, "%s/firmware", own);
  else if (caches && *caches) length = snprintf(path, size, "%s/tessera/firmware", caches);
  else if (home && *home) length = snprintf(path, size, "%s/.cache/tessera/firmware", home);
  else return false;
  return length > 0 && (size_t)length + CACHE_ROOM < size && path[0] == '/' && make_directories(path);
}

/* The compiler counts by its name, size and date. */
static uint64_t key_of(uint64_t sum, const struct kernel_words *command) {
  struct stat info;
  for (size_t i = 0; i < command->count; i++) sum = add_bytes(sum, command->word[i], strlen(command->word[i]) + 1);
  if (stat(command->word[0], &info) != 0) return sum;
  int64_t of_compiler[] = {info.st_size, info.st_mtim.tv_sec, info.st_mtim.tv_nsec};
  return add_bytes(sum, of_compiler, sizeof of_compiler);
}

static void start_compiler(struct kernel_firmware *f, const char *root, const struct kernel_words *command) {
  struct kernel_words all = {0};
  for (size_t i = 0; i < command->count; i++) kernel_words_add(&all, "%s", command->word[i]);
  kernel_words_add(&all, "-r"); /* both sources as one object */
  kernel_words_add(&all, "%s/firmware/start.S", root);
  kernel_words_add(&all, "%s/firmware/firmware.c", root);
  kernel_words_add(&all, "-o");
  kernel_words_add(&all, "%s", f->part);
  if (!all.full) f->process = kernel_spawn(all.word[0], &all, "/dev/null");
  kernel_words_free(&all);
}

void kernel_firmware_begin(struct kernel_firmware *f, uint64_t sum, const char *root, const struct kernel_words *command,
                           const char *core) {
  char cache[sizeof f->object];
  f->process = -1;
  f->object[0] = '\0';
  if (!sum || root[0] != '/' || command->full || !find_cache(cache, sizeof cache)) return;
  snprintf(f->object, sizeof f->object, "%.*s/%016llx-%s.o", (int)(sizeof cache - CACHE_ROOM), cache,
           (unsigned long long)key_of(sum, command), core);
  if (access(f->object, R_OK) == 0) return;
  snprintf(f->part, sizeof f->part, "%s.%ld", f->object, (long)getpid());
  start_compiler(f, root, command);
}

bool kernel_firmware_end(struct kernel_firmware *f) {
  if (!f->object[0]) return false;
  if (f->process >= 0 && (kernel_wait(f->process) != 0 || rename(f->part, f->object) != 0)) remove(f->part);
  if (access(f->object, R_OK) != 0) f->object[0] = '\0';
  return f->object[0];
}
