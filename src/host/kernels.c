#include "host/kernels.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define DEPTH_MAX 8u
#define FILE_MAX (64l << 20)
#define ANCHOR_BYTES 16u
#define AROUND_BYTES 512u /* compared on both sides of the pc */
#define LEAST_WORDS 8u
#define DIFFER_WEIGHT 8u /* weight of a word that differs: kernels of one source share most of their code */

/* --- comparing a file with L1 --- */

static unsigned equal_words(struct dbg_bytes code, size_t at, const uint8_t *l1, size_t l1_size, uint32_t pc,
                            unsigned *compared) {
  unsigned equal = 0;
  size_t from = at > AROUND_BYTES ? at - AROUND_BYTES : 0, to = at + AROUND_BYTES;
  *compared = 0;
  if (to > code.size) to = code.size;
  for (size_t i = from & ~(size_t)3; i + 4 <= to; i += 4) {
    uint64_t address = (uint64_t)pc + i - at;
    if (address + 4 > l1_size) continue; /* also below address 0, where it wraps */
    equal += memcmp(&code.data[i], &l1[address], 4) == 0;
    ++*compared;
  }
  return equal;
}

/* The loader changes words that hold addresses, so the search starts at several positions near the pc, and a tenth of the
 * words may differ. */
static unsigned match_segment(const struct dbg_segment *s, const uint8_t *l1, size_t l1_size, uint32_t pc, uint32_t *moved) {
  static const int anchors[] = {0, 16, -16, 32, -32, 64};
  unsigned best = 0, compared;
  for (unsigned k = 0; k < sizeof anchors / sizeof *anchors && !best; k++) {
    uint64_t anchor = (uint64_t)pc + (uint64_t)(int64_t)anchors[k];
    if (anchor + ANCHOR_BYTES > l1_size) continue;
    for (size_t at = 0; at + ANCHOR_BYTES <= s->bytes.size; at += 4) {
      if (memcmp(&s->bytes.data[at], &l1[anchor], ANCHOR_BYTES) != 0) continue;
      unsigned equal = equal_words(s->bytes, at, l1, l1_size, (uint32_t)anchor, &compared), differ = compared - equal;
      if (equal < LEAST_WORDS || equal <= 9 * differ || equal - DIFFER_WEIGHT * differ <= best) continue;
      best = equal - DIFFER_WEIGHT * differ;
      *moved = (uint32_t)anchor - (s->run_address + (uint32_t)at);
    }
  }
  return best;
}

unsigned host_kernel_match(const struct dbg_elf *elf, const uint8_t *l1, size_t l1_size, uint32_t pc, uint32_t *moved) {
  struct dbg_segment s;
  unsigned best = 0;
  for (unsigned n = 0; dbg_elf_segment(elf, n, &s); n++) {
    uint32_t by = 0;
    unsigned equal = s.executable ? match_segment(&s, l1, l1_size, pc, &by) : 0;
    if (equal > best) best = equal, *moved = by;
  }
  return best;
}

/* --- the directory --- */

static void *read_whole(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  void *bytes = NULL;
  if (!file) return NULL;
  if (!fseek(file, 0, SEEK_END)) {
    long length = ftell(file);
    rewind(file);
    if (length > 0 && length < FILE_MAX && (bytes = malloc((size_t)length))) {
      *size = (size_t)length;
      if (fread(bytes, 1, *size, file) != *size) {
        free(bytes);
        bytes = NULL;
      }
    }
  }
  fclose(file);
  return bytes;
}

/* Kernels are in a directory named after their core. */
static int core_of(const char *path) {
  const char *slash = strrchr(path, '/'), *before = slash;
  if (!slash) return -1;
  while (before > path && before[-1] != '/') before--;
  return dbg_core_number(before, (size_t)(slash - before));
}

static void add_file(struct host_kernels *k, const char *path, size_t below, bool firmware, int64_t written) {
  struct host_kernel_file file = {.firmware = firmware, .written = written};
  int core = core_of(path);
  size_t size = 0;
  char why[128];
  if (core < 0) return;
  if (k->count == k->capacity) {
    size_t wanted = k->capacity ? 2 * k->capacity : 64;
    void *moved = realloc(k->files, wanted * sizeof *k->files);
    if (!moved) return;
    k->files = moved;
    k->capacity = wanted;
  }
  file.core = (unsigned)core;
  file.bytes = read_whole(path, &size);
  if (file.bytes && dbg_elf_open(&file.elf, file.bytes, size, why, sizeof why) &&
      (file.path = strdup(path + below + (path[below] == '/')))) {
    dbg_elf_clean_names(&file.elf, file.bytes);
    k->files[k->count++] = file;
  } else {
    free(file.bytes);
  }
}

static void walk(struct host_kernels *k, const char *path, size_t below_root, bool firmware, unsigned depth) {
  DIR *directory = depth ? opendir(path) : NULL;
  char below[4096];
  struct stat info;
  if (!directory) return;
  for (struct dirent *entry; (entry = readdir(directory));) {
    size_t length = strlen(entry->d_name);
    if (entry->d_name[0] == '.') continue;
    if ((size_t)snprintf(below, sizeof below, "%s/%s", path, entry->d_name) >= sizeof below || stat(below, &info)) continue;
    if (S_ISDIR(info.st_mode)) walk(k, below, below_root, firmware, depth - 1);
    else if (length > 4 && !strcmp(entry->d_name + length - 4, ".elf"))
      add_file(k, below, below_root, firmware, info.st_mtime);
  }
  closedir(directory);
}

/* Is there such a directory beside or above the file? */
static bool firmware_above(const char *file, char *directory, size_t size) {
  char path[4096];
  struct stat info;
  snprintf(path, sizeof path, "%s", file);
  for (char *slash; (slash = strrchr(path, '/'));) {
    *slash = '\0';
    int length = snprintf(directory, size, "%s/tt_metal/pre-compiled", path);
    if (length > 0 && (size_t)length < size && !stat(directory, &info) && S_ISDIR(info.st_mode)) return true;
  }
  return false;
}

static void find_firmware(FILE *maps, char *directory, size_t size) {
  char line[4096 + 128];
  while (fgets(line, sizeof line, maps)) {
    char *file = strchr(line, '/');
    line[strcspn(line, "\n")] = '\0';
    if (file && strstr(file, "/libtt_metal.so") && firmware_above(file, directory, size)) return;
  }
  directory[0] = '\0';
}

void host_kernels_init(struct host_kernels *kernels, const char *directory, char *(*get)(const char *name)) {
  const char *cache = get("TT_METAL_CACHE"), *home = get("HOME");
  memset(kernels, 0, sizeof *kernels);
  if (directory) snprintf(kernels->directory, sizeof kernels->directory, "%s", directory);
  else if (cache && *cache) snprintf(kernels->directory, sizeof kernels->directory, "%s", cache);
  else if (home) snprintf(kernels->directory, sizeof kernels->directory, "%s/.cache", home);
  FILE *maps = fopen("/proc/self/maps", "r");
  if (!maps) return;
  find_firmware(maps, kernels->firmware, sizeof kernels->firmware);
  fclose(maps);
}

static void take_file(struct host_kernels *k, const struct host_kernel_file *file, uint32_t moved) {
  k->program.elf[file->core] = file->elf;
  k->program.loaded[file->core] = true;
  k->program.moved[file->core] = moved;
  k->names[file->core] = file->path;
}

static uint64_t key_of(const uint8_t *l1, unsigned core, uint32_t pc) {
  uint64_t hash = 0xcbf29ce484222325u ^ ((uint64_t)pc << 3 | core); /* FNV-1a over words */
  uint32_t from = pc > HOST_KERNEL_REACH ? (pc - HOST_KERNEL_REACH) & ~3u : 0, word;
  for (uint64_t at = from; at < (uint64_t)pc + HOST_KERNEL_REACH && at + 4 <= TX_L1_BYTES; at += 4) {
    memcpy(&word, &l1[at], sizeof word);
    hash = (hash ^ word) * 0x100000001b3u;
  }
  return hash | 1;
}

static void search(struct host_kernels *kernels, const uint8_t *l1, unsigned core, uint32_t pc,
                   struct host_kernel_answer *answer) {
  unsigned best = 0;
  int64_t written = 0;
  for (size_t i = 0; i < kernels->count; i++) {
    const struct host_kernel_file *file = &kernels->files[i];
    uint32_t moved = 0;
    if (file->core != core || (file->firmware && best)) continue;
    unsigned fit = host_kernel_match(&file->elf, l1, TX_L1_BYTES, pc, &moved);
    if (!fit || fit < best || (fit == best && file->written <= written)) continue;
    best = fit;
    written = file->written;
    answer->file = i + 1;
    answer->moved = moved;
  }
}

static void read_files(struct host_kernels *kernels) {
  if (kernels->directory[0]) walk(kernels, kernels->directory, strlen(kernels->directory), false, DEPTH_MAX);
  if (kernels->firmware[0]) walk(kernels, kernels->firmware, strlen(kernels->firmware), true, DEPTH_MAX);
  kernels->read = true;
}

/* NULL: no file has this code. */
static const struct host_kernel_answer *answer_at(struct host_kernels *kernels, const uint8_t *l1, unsigned core,
                                                  uint32_t pc) {
  if (!kernels->read) read_files(kernels);
  uint64_t key = key_of(l1, core, pc);
  struct host_kernel_answer *answer = &kernels->answers[(key >> 32) % HOST_KERNEL_ANSWERS];
  if (answer->key != key) {
    *answer = (struct host_kernel_answer){.key = key};
    search(kernels, l1, core, pc, answer);
  }
  return answer->file ? answer : NULL;
}

static bool find_core(struct host_kernels *kernels, const uint8_t *l1, unsigned core, uint32_t pc) {
  const struct host_kernel_answer *answer = pc ? answer_at(kernels, l1, core, pc) : NULL;
  if (answer) take_file(kernels, &kernels->files[answer->file - 1], answer->moved);
  return answer;
}

static void find_second(struct host_kernels *kernels, const uint8_t *l1, unsigned core, uint32_t pc) {
  const struct host_kernel_answer *answer = pc ? answer_at(kernels, l1, core, pc) : NULL;
  struct dbg_program *p = &kernels->program;
  const struct host_kernel_file *file = answer ? &kernels->files[answer->file - 1] : NULL;
  if (!file || file->path == kernels->names[core]) return;
  p->second[core] = file->elf;
  p->has_second[core] = true;
  p->second_moved[core] = answer->moved;
  kernels->second_names[core] = file->path;
}

static void forget_program(struct host_kernels *kernels) {
  memset(&kernels->program, 0, sizeof kernels->program);
  memset(kernels->names, 0, sizeof kernels->names);
  memset(kernels->second_names, 0, sizeof kernels->second_names);
}

void host_kernels_find_at(struct host_kernels *kernels, const uint8_t *l1, const uint32_t pcs[TX_CORES]) {
  forget_program(kernels);
  for (unsigned core = 0; core < TX_CORES; core++) find_core(kernels, l1, core, pcs[core]);
}

uint32_t host_kernels_thread_pc(const struct tx_tile *tile, unsigned thread) {
  const struct tx_fifo *fifo = &tile->frontend[thread].fifo3;
  const struct tx_word *head = &fifo->slot[fifo->head % TX_FIFO_SLOTS];
  if (!tile->engine.agents[tx_agent_of_thread(thread)].wait.kind) return 0;
  if (fifo->count && head->flags & TX_WORD_BRISC) return 0;
  if (tile->gate[thread].latch.pc) return tile->gate[thread].latch.pc;
  return fifo->count ? head->pc : 0;
}

void host_kernels_find(struct host_kernels *kernels, const struct tx_tile *tile) {
  forget_program(kernels);
  for (unsigned core = 0; core < TX_CORES; core++) {
    const struct tx_core *c = &tile->core[core];
    if (c->state == TX_CORE_HELD || find_core(kernels, tile->l1, core, c->pc)) continue;
    if (!find_core(kernels, tile->l1, core, c->jump_from)) find_core(kernels, tile->l1, core, c->x[1]);
  }
  for (unsigned thread = 0; thread < TX_THREADS; thread++)
    if (tile->core[thread].state != TX_CORE_HELD)
      find_second(kernels, tile->l1, thread, host_kernels_thread_pc(tile, thread));
}

void host_kernels_free(struct host_kernels *kernels) {
  for (size_t i = 0; i < kernels->count; i++) {
    free(kernels->files[i].path);
    free(kernels->files[i].bytes);
  }
  free(kernels->files);
  kernels->files = NULL;
  kernels->count = kernels->capacity = 0;
  kernels->read = false;
  memset(kernels->answers, 0, sizeof kernels->answers);
  forget_program(kernels);
}
