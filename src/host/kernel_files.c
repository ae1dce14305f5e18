#include "host/kernel_files.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "debug/frames.h"
#include "debug/program.h"

#define DEPTH_MAX 8u
#define FILE_MAX (64l << 20)

/* --- one file --- */

/* The first bytes of a file. NULL: it has fewer, or cannot be read. */
static void *read_bytes(FILE *file, size_t size) {
  void *bytes = malloc(size);
  if (bytes && !fseek(file, 0, SEEK_SET) && fread(bytes, 1, size, file) == size) return bytes;
  free(bytes);
  return NULL;
}

static void *read_whole(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  void *bytes = NULL;
  if (!file) return NULL;
  long length = fseek(file, 0, SEEK_END) ? 0 : ftell(file);
  *size = (size_t)length;
  if (length > 0 && length < FILE_MAX) bytes = read_bytes(file, *size);
  fclose(file);
  return bytes;
}

bool host_kernel_file_open(struct host_kernel_file *file) {
  size_t size = 0;
  char why[128];
  if (file->bytes) return true;
  file->bytes = read_whole(file->path, &size);
  if (!file->bytes) return false;
  if (dbg_elf_open(&file->elf, file->bytes, size, why, sizeof why)) {
    dbg_elf_clean_names(&file->elf, file->bytes);
    return true;
  }
  free(file->bytes);
  file->bytes = NULL;
  return false;
}

/* "<artificial>" is no file, and assembly is of the compiler's runtime: kernels are C++. */
static bool is_source(const struct dbg_path *path) {
  size_t length = path->file ? strlen(path->file) : 0;
  return length && path->file[0] != '<' && (length < 2 || strcmp(path->file + length - 2, ".S") != 0);
}

/* Of the files that have lines. */
static bool only_library(const struct dbg_index *index) {
  bool lines = false;
  for (uint32_t i = 0; i < index->row_count; i++) {
    const struct dbg_path *path = &index->paths[index->rows[i].path];
    if (!is_source(path)) continue;
    if (!dbg_path_is_library(path)) return false;
    lines = true;
  }
  return lines;
}

bool host_kernel_file_is_library(struct host_kernel_file *file) {
  struct dbg_index index;
  if (file->sources != HOST_SOURCES_NEW || !host_kernel_file_open(file)) return file->sources == HOST_SOURCES_LIBRARY;
  size_t bytes = dbg_index_bytes(&index, &file->elf);
  void *memory = malloc(bytes + 1);
  file->sources = HOST_SOURCES_USER;
  if (memory && dbg_index_build(&index, memory, bytes) && only_library(&index))
    file->sources = HOST_SOURCES_LIBRARY;
  free(memory);
  return file->sources == HOST_SOURCES_LIBRARY;
}

/* The copy lies behind the segments, in one block. */
static bool copy_code(struct host_kernel_code *code, const struct dbg_elf *elf) {
  struct dbg_segment s;
  size_t bytes = 0;
  unsigned count = 0;
  for (unsigned n = 0; dbg_elf_segment(elf, n, &s); n++)
    if (s.executable) count++, bytes += s.bytes.size;
  code->segments = malloc(count * sizeof s + bytes + 1);
  if (!code->segments) return false;
  uint8_t *to = (uint8_t *)&code->segments[count];
  for (unsigned n = 0; dbg_elf_segment(elf, n, &s); n++) {
    if (!s.executable) continue;
    if (s.bytes.size) memcpy(to, s.bytes.data, s.bytes.size);
    s.bytes.data = to;
    to += s.bytes.size;
    code->segments[code->count++] = s;
  }
  return true;
}

/* The end of the last segment: tables of symbols and lines, most of a file, lie behind it. 0: not known from these bytes. */
static size_t segments_end(struct dbg_bytes head) {
  size_t at = dbg_u32(head, 28), step = dbg_u16(head, 42), count = dbg_u16(head, 44), end = 0;
  if (at > head.size || step < 32 || count > (head.size - at) / step) return 0;
  if (at + count * step > end) end = at + count * step;
  for (size_t i = 0; i < count; i++) {
    size_t last = (size_t)dbg_u32(head, at + i * step + 4) + dbg_u32(head, at + i * step + 16);
    if (last > end) end = last;
  }
  return end;
}

/* The file from its beginning to the end of its segments, or whole if its first bytes do not have its program headers. */
static void *read_segments(const struct host_kernel_file *file, size_t *size) {
  uint8_t head[1024];
  FILE *stream = fopen(file->path, "rb");
  if (!stream) return NULL;
  setvbuf(stream, NULL, _IONBF, 0);
  size_t end = fread(head, 1, sizeof head, stream) == sizeof head
                   ? segments_end((struct dbg_bytes){.data = head, .size = sizeof head})
                   : 0;
  bool part = end > 0 && end < FILE_MAX;
  void *bytes = part ? read_bytes(stream, *size = end) : NULL;
  fclose(stream);
  return part ? bytes : read_whole(file->path, size);
}

static bool read_code(struct host_kernel_file *file) {
  struct dbg_elf elf;
  size_t size = 0;
  char why[128];
  void *bytes = read_segments(file, &size);
  bool good = bytes && dbg_elf_open(&elf, bytes, size, why, sizeof why) && copy_code(&file->code, &elf);
  free(bytes);
  return good;
}

static void free_file(struct host_kernel_file *file) {
  free(file->code.segments);
  free(file->bytes);
  free(file->path);
  free(file);
}

/* Kernels are in a directory named after their core. */
static int core_of(const char *path) {
  const char *slash = strrchr(path, '/'), *before = slash;
  if (!slash) return -1;
  while (before > path && before[-1] != '/') before--;
  return dbg_core_number(before, (size_t)(slash - before));
}

/* --- the walk --- */

static int by_path(const void *a, const void *b) {
  return strcmp((*(struct host_kernel_file *const *)a)->path, (*(struct host_kernel_file *const *)b)->path);
}

struct host_kernel_walk host_kernel_files_begin(struct host_kernel_files *files) {
  struct host_kernel_walk walk = {.known = files->file, .count = files->count};
  if (walk.count) qsort(walk.known, walk.count, sizeof *walk.known, by_path);
  for (size_t i = 0; i < walk.count; i++) walk.known[i]->seen = false;
  memset(files, 0, sizeof *files);
  return walk;
}

static struct host_kernel_file *known_file(const struct host_kernel_walk *walk, const char *path, const struct stat *info) {
  struct host_kernel_file wanted = {.path = (char *)path}, *key = &wanted, **at;
  if (!walk->count) return NULL;
  at = bsearch(&key, walk->known, walk->count, sizeof *walk->known, by_path);
  if (!at || (*at)->seen || (*at)->size != info->st_size || (*at)->written != info->st_mtim.tv_sec ||
      (*at)->nanoseconds != info->st_mtim.tv_nsec)
    return NULL;
  return *at;
}

static struct host_kernel_file *new_file(const char *path, size_t below, int core, const struct stat *info) {
  struct host_kernel_file *file = calloc(1, sizeof *file);
  if (!file) return NULL;
  file->core = (unsigned)core;
  file->size = info->st_size;
  file->written = info->st_mtim.tv_sec;
  file->nanoseconds = info->st_mtim.tv_nsec;
  file->path = strdup(path);
  if (file->path && read_code(file)) {
    file->name = file->path + below + (path[below] == '/');
    return file;
  }
  free_file(file);
  return NULL;
}

static bool make_room(struct host_kernel_files *files) {
  size_t wanted = files->capacity ? 2 * files->capacity : 64;
  if (files->count < files->capacity) return true;
  void *moved = realloc(files->file, wanted * sizeof *files->file);
  if (!moved) return false;
  files->file = moved;
  files->capacity = wanted;
  return true;
}

static void add_file(struct host_kernel_files *files, struct host_kernel_walk *walk, const char *path, size_t below,
                     bool firmware, const struct stat *info) {
  int core = core_of(path);
  if (core < 0 || !make_room(files)) return;
  struct host_kernel_file *file = known_file(walk, path, info);
  if (!file) {
    file = new_file(path, below, core, info);
    if (!file) return;
    walk->changed = true;
  }
  if (file->at != files->count) walk->changed = true;
  file->at = files->count;
  file->firmware = firmware;
  file->seen = true;
  files->file[files->count++] = file;
}

static void add_below(struct host_kernel_files *files, struct host_kernel_walk *walk, const char *path, size_t root,
                      bool firmware, unsigned depth) {
  DIR *directory = depth ? opendir(path) : NULL;
  char below[4096];
  struct stat info;
  if (!directory) return;
  for (struct dirent *entry; (entry = readdir(directory));) {
    size_t length = strlen(entry->d_name);
    if (entry->d_name[0] == '.') continue;
    if ((size_t)snprintf(below, sizeof below, "%s/%s", path, entry->d_name) >= sizeof below || stat(below, &info)) continue;
    if (S_ISDIR(info.st_mode)) add_below(files, walk, below, root, firmware, depth - 1);
    else if (length > 4 && !strcmp(entry->d_name + length - 4, ".elf")) add_file(files, walk, below, root, firmware, &info);
  }
  closedir(directory);
}

void host_kernel_files_add(struct host_kernel_files *files, struct host_kernel_walk *walk, const char *directory,
                           bool firmware) {
  add_below(files, walk, directory, strlen(directory), firmware, DEPTH_MAX);
}

bool host_kernel_files_end(struct host_kernel_files *files, struct host_kernel_walk *walk) {
  bool changed = walk->changed || walk->count != files->count;
  for (size_t i = 0; i < walk->count; i++)
    if (!walk->known[i]->seen) free_file(walk->known[i]);
  free(walk->known);
  return changed;
}

void host_kernel_files_close(struct host_kernel_files *files) {
  for (size_t i = 0; i < files->count; i++) {
    free(files->file[i]->bytes);
    files->file[i]->bytes = NULL;
  }
}

void host_kernel_files_free(struct host_kernel_files *files) {
  for (size_t i = 0; i < files->count; i++) free_file(files->file[i]);
  free(files->file);
  memset(files, 0, sizeof *files);
}
