#include "host/kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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

unsigned host_kernel_match(const struct host_kernel_code *code, const uint8_t *l1, size_t l1_size, uint32_t pc,
                           uint32_t *moved) {
  unsigned best = 0;
  for (unsigned n = 0; n < code->count; n++) {
    uint32_t by = 0;
    unsigned equal = match_segment(&code->segments[n], l1, l1_size, pc, &by);
    if (equal > best) best = equal, *moved = by;
  }
  return best;
}

/* --- which file --- */

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

static void take_twins(struct host_kernels *k, const struct host_kernel_answer *answer, unsigned core) {
  unsigned count = 0;
  for (unsigned i = 0; i < DBG_TWINS && answer->twins[i].file; i++) {
    struct host_kernel_file *twin = k->files.file[answer->twins[i].file - 1];
    if (!host_kernel_file_open(twin)) continue;
    k->program.twins[core][count] = (struct dbg_twin){&twin->elf, answer->twins[i].moved};
    k->twin_names[core][count++] = twin->name;
  }
}

static bool take_file(struct host_kernels *k, const struct host_kernel_answer *answer) {
  struct host_kernel_file *file = k->files.file[answer->file - 1];
  if (!host_kernel_file_open(file)) return false;
  k->program.elf[file->core] = file->elf;
  k->program.loaded[file->core] = true;
  k->program.moved[file->core] = answer->moved;
  k->names[file->core] = file->name;
  take_twins(k, answer, file->core);
  return true;
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

/* Files that fit equally well. */
#define TIES_MAX 64u
struct ties {
  unsigned fit, count;
  size_t file[TIES_MAX];
  uint32_t moved[TIES_MAX];
};

static bool is_newer(const struct host_kernel_file *a, const struct host_kernel_file *b) {
  return a->written != b->written ? a->written > b->written : a->nanoseconds > b->nanoseconds;
}

/* The newest comes first. */
static void add_tie(struct host_kernels *kernels, struct ties *ties, size_t file, uint32_t moved) {
  unsigned at = ties->count < TIES_MAX ? ties->count++ : TIES_MAX - 1;
  for (; at && is_newer(kernels->files.file[file], kernels->files.file[ties->file[at - 1]]); at--) {
    ties->file[at] = ties->file[at - 1];
    ties->moved[at] = ties->moved[at - 1];
  }
  ties->file[at] = file;
  ties->moved[at] = moved;
}

/* The source file of a pc; "": not known. */
static void source_of(struct host_kernels *kernels, const struct ties *ties, unsigned i, unsigned core, uint32_t pc,
                      struct dbg_source *source) {
  struct host_kernel_file *file = kernels->files.file[ties->file[i]];
  struct dbg_program program = {0};
  source->path[0] = '\0';
  if (!host_kernel_file_open(file)) return;
  program.elf[core] = file->elf;
  program.loaded[core] = true;
  program.moved[core] = ties->moved[i];
  dbg_program_source(&program, core, pc, source);
}

/* Different sources may give the same code, and then nothing in L1 tells which of them the core runs. Of one source the newest file counts:
 * a cache keeps those of its earlier versions. */
static void find_twins(struct host_kernels *kernels, const struct ties *ties, unsigned core, uint32_t pc,
                       struct host_kernel_answer *answer) {
  struct dbg_source known[DBG_TWINS + 1];
  unsigned count = 0;
  for (unsigned i = 0; i < ties->count && count <= DBG_TWINS; i++) {
    source_of(kernels, ties, i, core, pc, &known[count]);
    bool told = i && !known[count].path[0];
    for (unsigned k = 0; k < count; k++) told |= strcmp(known[k].path, known[count].path) == 0;
    if (told) continue;
    if (count) {
      answer->twins[count - 1].file = ties->file[i] + 1;
      answer->twins[count - 1].moved = ties->moved[i];
    }
    count++;
  }
}

static void search(struct host_kernels *kernels, const uint8_t *l1, unsigned core, uint32_t pc,
                   struct host_kernel_answer *answer) {
  struct ties ties = {0};
  for (size_t i = 0; i < kernels->files.count; i++) {
    const struct host_kernel_file *file = kernels->files.file[i];
    uint32_t moved = 0;
    if (file->core != core || (file->firmware && ties.fit)) continue;
    unsigned fit = host_kernel_match(&file->code, l1, TX_L1_BYTES, pc, &moved);
    if (!fit || fit < ties.fit) continue;
    if (fit > ties.fit) ties.count = 0;
    ties.fit = fit;
    add_tie(kernels, &ties, i, moved);
  }
  if (!ties.count) return;
  answer->file = ties.file[0] + 1;
  answer->moved = ties.moved[0];
  if (ties.count > 1) find_twins(kernels, &ties, core, pc, answer);
}

static void read_files(struct host_kernels *kernels) {
  struct host_kernel_walk walk = host_kernel_files_begin(&kernels->files);
  if (kernels->directory[0]) host_kernel_files_add(&kernels->files, &walk, kernels->directory, false);
  if (kernels->firmware[0]) host_kernel_files_add(&kernels->files, &walk, kernels->firmware, true);
  if (host_kernel_files_end(&kernels->files, &walk)) memset(kernels->answers, 0, sizeof kernels->answers);
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
  return answer && take_file(kernels, answer);
}

static void find_second(struct host_kernels *kernels, const uint8_t *l1, unsigned core, uint32_t pc) {
  const struct host_kernel_answer *answer = pc ? answer_at(kernels, l1, core, pc) : NULL;
  struct dbg_program *p = &kernels->program;
  struct host_kernel_file *file = answer ? kernels->files.file[answer->file - 1] : NULL;
  if (!file || file->name == kernels->names[core] || !host_kernel_file_open(file)) return;
  p->second[core] = file->elf;
  p->has_second[core] = true;
  p->second_moved[core] = answer->moved;
  kernels->second_names[core] = file->name;
}

static void forget_program(struct host_kernels *kernels) {
  memset(&kernels->program, 0, sizeof kernels->program);
  memset(kernels->names, 0, sizeof kernels->names);
  memset(kernels->twin_names, 0, sizeof kernels->twin_names);
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

/* --- places --- */

static uint64_t mix(uint64_t hash, uint64_t value) { return (hash ^ value) * 0x100000001b3u; }

static uint64_t place_key(const struct host_kernels *kernels, unsigned core, uint32_t pc) {
  const struct dbg_program *p = &kernels->program;
  uint64_t hash = mix(0xcbf29ce484222325u, (uint64_t)pc << 3 | core);
  for (unsigned i = 0; i < TX_CORES; i++) {
    hash = mix(mix(hash, (uintptr_t)kernels->names[i]), p->moved[i]);
    hash = mix(mix(hash, (uintptr_t)kernels->second_names[i]), p->second_moved[i]);
  }
  return (hash ^ hash >> 32) | 1;
}

const struct host_kernel_place *host_kernels_place(struct host_kernels *kernels, unsigned core, uint32_t pc) {
  uint64_t key = place_key(kernels, core, pc);
  struct host_kernel_place *place = &kernels->places[key / 2 % HOST_KERNEL_PLACES];
  struct dbg_source source;
  if (place->key == key) return place;
  dbg_program_source(&kernels->program, core, pc, &source);
  *place = (struct host_kernel_place){.key = key, .user = source.file[0] && !source.library, .library = source.library};
  dbg_program_where(&kernels->program, core, pc, place->where, sizeof place->where);
  return place;
}

static bool is_library(const struct host_kernels *kernels, const char *name) {
  for (size_t i = 0; i < kernels->files.count; i++)
    if (kernels->files.file[i]->name == name) return host_kernel_file_is_library(kernels->files.file[i]);
  return false;
}

bool host_kernels_run_library(const struct host_kernels *kernels, unsigned core) {
  if (core >= TX_CORES || !kernels->program.loaded[core] || !is_library(kernels, kernels->names[core])) return false;
  for (unsigned i = 0; i < DBG_TWINS && kernels->twin_names[core][i]; i++)
    if (!is_library(kernels, kernels->twin_names[core][i])) return false;
  return true;
}

void host_kernels_forget(struct host_kernels *kernels) {
  memset(kernels->places, 0, sizeof kernels->places);
  host_kernel_files_close(&kernels->files);
  kernels->read = false;
  forget_program(kernels);
}

void host_kernels_free(struct host_kernels *kernels) {
  host_kernels_forget(kernels);
  host_kernel_files_free(&kernels->files);
  memset(kernels->answers, 0, sizeof kernels->answers);
}
