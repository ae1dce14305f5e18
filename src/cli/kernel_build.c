/* tessera kernel build: five executables from a folder's reader, compute and writer, with the library's firmware. The
 * compiler's messages go to CORE.log beside the executables; the first error of the first core that has one is printed. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/input.h"
#include "cli/kernel.h"
#include "cli/kernel_accessor.h"
#include "cli/kernel_failure.h"
#include "cli/kernel_firmware.h"
#include "cli/kernel_fresh.h"
#include "cli/kernel_names.h"
#include "cli/kernel_spawn.h"

/* In the order of the launch block, which defines the address of each in L1 (kernels/include/launch.h). */
#define CODE_BASE 0x2000u
#define CODE_BYTES 0x6000u
static const struct core {
  const char *name, *define;
  enum chip_role role;
  unsigned local_bytes;
} cores[TESSERA_CORES] = {
    {"brisc", "COMPILE_FOR_BRISC", CHIP_WRITER, 8192}, {"ncrisc", "COMPILE_FOR_NCRISC", CHIP_READER, 8192},
    {"trisc0", "TRISC_UNPACK", CHIP_COMPUTE, 4096},    {"trisc1", "TRISC_MATH", CHIP_COMPUTE, 4096},
    {"trisc2", "TRISC_PACK", CHIP_COMPUTE, 4096},
};

struct builder {
  const struct kernel_settings *s;
  const struct chip_description *d;
  struct kernel_library library;
  char compiler[KERNEL_PATH], out[KERNEL_PATH];
  const char *compiler_words;           /* behind the program's name in --cc; "": none */
  unsigned program;                     /* 0: the folder has no programs */
  char source[CHIP_ROLES][KERNEL_PATH]; /* "": the empty kernel */
};

/* --- what there is --- */

static bool find_compiler(struct builder *b) {
  static const char *const known[] = {"riscv64-unknown-elf-gcc", "riscv32-unknown-elf-gcc", "riscv-tt-elf-gcc",
                                      "riscv64-elf-gcc", "riscv32-elf-gcc"};
  const char *wanted = b->s->compiler ? b->s->compiler : getenv("TESSERA_RISCV_CC");
  b->compiler_words = "";
  if (wanted && *wanted) {
    char program[KERNEL_PATH];
    if (kernel_find_program(wanted, b->compiler, sizeof b->compiler)) return true;
    b->compiler_words = wanted + strcspn(wanted, " ");
    snprintf(program, sizeof program, "%.*s", (int)(b->compiler_words - wanted), wanted);
    return kernel_find_program(program, b->compiler, sizeof b->compiler) ||
           (cli_bad_input("kernel", "cannot find the compiler '%s'", program), false);
  }
  for (size_t i = 0; i < CLI_COUNT(known); i++)
    if (kernel_find_program(known[i], b->compiler, sizeof b->compiler)) return true;
  cli_bad_input("kernel",
                "no RISC-V compiler: install riscv64-unknown-elf-gcc (Debian: gcc-riscv64-unknown-elf), or name one "
                "with --cc or TESSERA_RISCV_CC");
  return false;
}

static bool is_cpp(const char *path) {
  const char *dot = strrchr(path, '.');
  return dot && (strcmp(dot, ".cpp") == 0 || strcmp(dot, ".cc") == 0 || strcmp(dot, ".cxx") == 0);
}

static bool find_source(struct builder *b, unsigned role) {
  char *path = b->source[role], other[KERNEL_PATH];
  for (size_t i = 0; i < b->d->count; i++) {
    const struct chip_statement *s = &b->d->statements[i];
    if (s->kind != CHIP_SOURCE || s->role != role) continue;
    snprintf(path, KERNEL_PATH, "%s", s->path);
    return access(path, R_OK) == 0 || chip_file_refuse(b->d, s->line, "%s: %s", path, strerror(errno));
  }
  const char *name = b->program ? b->d->programs[b->program - 1].name : "";
  snprintf(path, KERNEL_PATH, "%s%s%s/%s.c", b->s->folder, name[0] ? "/" : "", name, chip_role_name(role));
  snprintf(other, sizeof other, "%.*s.cpp", (int)strlen(path) - 2, path);
  bool c = access(path, R_OK) == 0, cpp = access(other, R_OK) == 0;
  if (c && cpp)
    return cli_bad_input("kernel", "both %s and %s exist; remove one or name it in kernel.chip", path, other), false;
  if (cpp) memcpy(path, other, sizeof other);
  else if (!c) path[0] = '\0';
  return true;
}

static bool find_sources(struct builder *b) {
  bool any = false;
  for (unsigned role = 0; role < CHIP_ROLES; role++) {
    if (!find_source(b, role)) return false;
    any |= b->source[role][0] != '\0';
  }
  if (any) return true;
  const char *name = b->program ? b->d->programs[b->program - 1].name : "";
  return cli_bad_input("kernel", "%s%s%s has no reader.c, compute.c or writer.c (or .cpp)", b->s->folder, name[0] ? "/" : "",
                       name),
         false;
}

/* --- command lines --- */

/* Does the description or the command line define this name for the role? */
static bool defines(const struct builder *b, unsigned role, const char *name) {
  size_t length = strlen(name);
  for (size_t i = 0; i < b->d->count; i++) {
    const struct chip_statement *s = &b->d->statements[i];
    if (s->kind == CHIP_DEFINE && (s->role == role || s->role == CHIP_ALL_ROLES) && strncmp(s->path, name, length) == 0 &&
        (s->path[length] == '=' || !s->path[length]))
      return true;
  }
  for (size_t i = 0; i < b->s->define_count; i++)
    if (strncmp(b->s->defines[i], name, length) == 0 && (b->s->defines[i][length] == '=' || !b->s->defines[i][length]))
      return true;
  return false;
}

/* The circular buffers as constants (kernels/include/circular_buffer.h), and which of them hold integers in two's complement
 * (kernels/include/pack.h). 32-bit numbers or INT8 in one of them require a 32-bit Dst, which the compute kernel gets unless the
 * description sets it. */
static bool add_buffers(const struct builder *b, struct kernel_words *w, unsigned role) {
  char text[48 * TESSERA_LAUNCH_BUFFERS + 1] = "";
  bool wide = false;
  uint32_t complements = 0, buffers = 0;
  for (size_t i = 0, used = 0; i < b->d->count; i++) {
    const struct chip_statement *s = &b->d->statements[i];
    unsigned format;
    uint32_t page;
    if (s->kind != CHIP_BUFFER) continue;
    if (!kernel_buffer(b->d, s, &format, &page)) return false;
    if (used + 48 < sizeof text)
      used += (size_t)snprintf(text + used, sizeof text - used, "{%u,%u,%u},", (unsigned)s->number[0] & 255u, (unsigned)page,
                               (unsigned)chip_format_code(format));
    wide |= format == CHIP_FP32 || chip_format_is_wide_integer(format);
    if (format == CHIP_INT32 || format == CHIP_UINT32) complements |= 1u << (s->number[0] & 31u);
    buffers |= 1u << (s->number[0] & 31u);
  }
  if (text[0]) kernel_words_add(w, "-DKERNEL_BUFFERS=%s", text);
  kernel_words_add(w, "-DKERNEL_BUFFER_MASK=0x%xu", (unsigned)buffers);
  if (complements) kernel_words_add(w, "-DKERNEL_TWOS_COMPLEMENT=0x%xu", (unsigned)complements);
  if (wide && role == CHIP_COMPUTE && !defines(b, role, "DST_ACCUM_MODE")) {
    kernel_words_add(w, "-DDST_ACCUM_MODE=1");
    if (!defines(b, role, "UNPACK_TO_DST")) kernel_words_add(w, "-DUNPACK_TO_DST=1");
  }
  return true;
}

/* How many arguments the description gives: get_arg_val stops at an index beyond them. */
static void add_arg_counts(const struct builder *b, struct kernel_words *w, unsigned role) {
  uint64_t own = 0, common = 0;
  for (size_t i = 0; i < b->d->count; i++) {
    const struct chip_statement *s = &b->d->statements[i];
    uint64_t end = s->number[0] + s->word_count;
    if (s->kind != CHIP_ARGS) continue;
    if ((s->role == role || s->role == CHIP_ALL_ROLES) && own < end) own = end;
    if ((s->role == CHIP_COMMON || s->role == CHIP_ALL_ROLES) && common < end) common = end;
  }
  kernel_words_add(w, "-DKERNEL_ARG_COUNT=%u", (unsigned)own);
  if (common > TESSERA_LAUNCH_ARGS) common = TESSERA_LAUNCH_ARGS;
  kernel_words_add(w, "-DKERNEL_COMMON_ARG_COUNT=%u", (unsigned)common);
}

static bool add_settings(const struct builder *b, struct kernel_words *w, unsigned role) {
  if (!add_buffers(b, w, role) || !kernel_names_add(b->d, role, w)) return false;
  add_arg_counts(b, w, role);
  for (size_t i = 0; i < b->d->count; i++) {
    const struct chip_statement *s = &b->d->statements[i];
    if (s->role != role && s->role != CHIP_ALL_ROLES) continue;
    if (s->kind == CHIP_DEFINE) kernel_words_add(w, "-D%s", s->path);
  }
  for (size_t i = 0; i < b->s->define_count; i++) kernel_words_add(w, "-D%s", b->s->defines[i]);
  for (size_t i = 0; i < b->s->include_count; i++) kernel_words_add(w, "-I%s", b->s->includes[i]);
  if (b->s->debug) kernel_words_add(w, "-Og"); /* the last one counts */
  for (size_t i = 0; i < b->s->cflag_count; i++) kernel_words_add(w, "%s", b->s->cflags[i]);
  return true;
}

/* The last step uses the base instruction set, for which compilers ship their own library (float arithmetic). */
#define LINK_MACHINE "rv32im"

static void add_machine(const struct builder *b, struct kernel_words *w, const struct core *core, const char *machine) {
  static const char *const fixed[] = {
      "-mabi=ilp32", "-ffreestanding", "-nostdlib", "-O2", "-g", "-fno-tree-loop-distribute-patterns"};
  kernel_words_add(w, "%s", b->compiler);
  for (const char *at = b->compiler_words + strspn(b->compiler_words, " "); *at; at += strspn(at, " ")) {
    kernel_words_add(w, "%.*s", (int)strcspn(at, " "), at);
    at += strcspn(at, " ");
  }
  kernel_words_add(w, "-march=%s", machine);
  for (size_t i = 0; i < CLI_COUNT(fixed); i++) kernel_words_add(w, "%s", fixed[i]);
  kernel_words_add(w, "-D%s", core->define);
  kernel_words_add(w, "-DKERNEL_OWN_ARGS");
  kernel_words_add(w, "-DARCH_BLACKHOLE"); /* kernels for several chips choose by it, before any header */
  kernel_words_add(w, "-I%s/include", b->library.root);
  kernel_words_add(w, "-I%s", b->library.isa);
}

/* C++ kernels may omit the include of the library's header, as the vendor's do. */
static void add_header(const struct builder *b, struct kernel_words *w) {
  kernel_words_add(w, "-include");
  kernel_words_add(w, "%s/include/kernel_api.h", b->library.root);
}

static bool compile_words(const struct builder *b, struct kernel_words *w, const struct core *core) {
  const char *source = b->source[core->role];
  add_machine(b, w, core, "rv32im_zba_zbb");
  kernel_words_add(w, "-Wall");
  if (is_cpp(source))
    kernel_words_add(w, "-Wno-unused-variable"); /* the vendor's kernels have many, and its build does not report them */
  if (!is_cpp(source)) kernel_words_add(w, "-Werror=implicit-function-declaration");
  kernel_words_add(w, "-fdiagnostics-color=never");
  if (!add_settings(b, w, core->role)) return false;
  if (is_cpp(source)) {
    kernel_words_add(w, "-std=c++17");
    kernel_words_add(w, "-fno-exceptions");
    kernel_words_add(w, "-fno-rtti");
    add_header(b, w);
  }
  kernel_words_add(w, "-MMD");
  kernel_words_add(w, "-MF");
  kernel_words_add(w, "%s/%s.d", b->out, core->name);
  kernel_words_add(w, "-c");
  if (source[0]) kernel_words_add(w, "%s%s", source[0] == '-' ? "./" : "", source);
  else kernel_words_add(w, "%s/empty.c", b->library.root);
  kernel_words_add(w, "-o");
  kernel_words_add(w, "%s/%s.o", b->out, core->name);
  if (core->role == CHIP_COMPUTE) kernel_words_add(w, "-DSFPU_WITHOUT_FUNCTIONS"); /* last: compile_again drops it */
  return true;
}

/* With `object` instead of the firmware's sources. */
static void link_words(const struct builder *b, struct kernel_words *w, const struct core *core, const char *object) {
  unsigned number = (unsigned)(core - cores);
  add_machine(b, w, core, LINK_MACHINE);
  if (object) {
    kernel_words_add(w, "%s", object);
  } else {
    kernel_words_add(w, "%s/firmware/start.S", b->library.root);
    kernel_words_add(w, "%s/firmware/firmware.c", b->library.root);
  }
  kernel_words_add(w, "%s/%s.o", b->out, core->name);
  kernel_words_add(w, "-T");
  kernel_words_add(w, "%s/firmware/tensix.ld", b->library.root);
  kernel_words_add(w, "-Wl,--defsym,CODE_BASE=0x%x,--defsym,LOCAL_BYTES=%u,--no-warn-rwx-segments",
                   CODE_BASE + number * CODE_BYTES, core->local_bytes);
  kernel_words_add(w, "-lgcc");
  kernel_words_add(w, "-o");
  kernel_words_add(w, "%s/%s.elf", b->out, core->name);
}

/* --- running --- */

static struct kernel_failure failure_of(const struct builder *b, const struct core *core, const char *log_path) {
  return (struct kernel_failure){&b->library, core->name, core->role, b->source[core->role], log_path};
}

/* The commands of one core. */
struct task {
  const struct core *core;
  struct kernel_words compile, link;
  struct kernel_words short_link; /* with compiled firmware; empty: there is none */
  uint64_t started;               /* nanoseconds: a file that changes later is compiled again */
  bool fresh;                     /* nothing to do */
  pid_t process;
  char log[KERNEL_PATH + 32];
};

/* Prepares both commands; returns whether their output is up to date. */
static bool prepare(const struct builder *b, struct task *t) {
  static const char *const names[] = {"start.S", "firmware.c", "memory.c", "tensix.ld"};
  char firmware[CLI_COUNT(names)][KERNEL_PATH + 32];
  const char *also[CLI_COUNT(names) + 1] = {b->compiler};
  if (!compile_words(b, &t->compile, t->core)) return false;
  link_words(b, &t->link, t->core, NULL);
  for (size_t i = 0; i < CLI_COUNT(names); i++) {
    snprintf(firmware[i], sizeof firmware[i], "%s/firmware/%s", b->library.root, names[i]);
    also[i + 1] = firmware[i];
  }
  t->started = kernel_now();
  t->fresh = kernel_is_fresh(b->out, t->core->name, &t->compile, &t->link, also, CLI_COUNT(also));
  return true;
}

/* With the vector functions of the library, which are most of its text: a kernel that calls none compiles in half the time. */
static int compile_again(const struct builder *b, struct task *t) {
  char *last = t->compile.word[--t->compile.count];
  t->compile.word[t->compile.count] = NULL;
  pid_t process = kernel_spawn(b->compiler, &t->compile, t->log);
  t->compile.word[t->compile.count++] = last;
  return process < 0 ? -1 : kernel_wait(process);
}

/* --- compiled firmware --- */

static void find_firmware(const struct builder *b, struct task *tasks) {
  static struct kernel_firmware firmware[TESSERA_CORES];
  uint64_t sum = kernel_firmware_sum(b->library.root, b->library.isa);
  for (unsigned i = 0; i < TESSERA_CORES; i++) {
    struct kernel_words command = {0};
    firmware[i].object[0] = '\0';
    if (tasks[i].fresh) continue;
    add_machine(b, &command, tasks[i].core, LINK_MACHINE);
    kernel_firmware_begin(&firmware[i], sum, b->library.root, &command, tasks[i].core->name);
    kernel_words_free(&command);
  }
  for (unsigned i = 0; i < TESSERA_CORES; i++)
    if (kernel_firmware_end(&firmware[i])) link_words(b, &tasks[i].short_link, tasks[i].core, firmware[i].object);
}

/* With the firmware's sources: a damaged cache must not stop a build, and the messages are those of a build without one. */
static int link_again(const struct builder *b, struct task *t) {
  pid_t process = kernel_spawn(b->compiler, &t->link, t->log);
  return process < 0 ? -1 : kernel_wait(process);
}

/* With those functions, which other kernels are linked without. */
static int link_memory(const struct builder *b, struct task *t, struct kernel_words *words) {
  kernel_words_add(words, "%s/firmware/memory.c", b->library.root);
  pid_t process = kernel_spawn(b->compiler, words, t->log);
  free(words->word[--words->count]); /* kernel_made compares commands without it */
  words->word[words->count] = NULL;
  return process < 0 ? -1 : kernel_wait(process);
}

static int link_after_failure(const struct builder *b, struct task *t) {
  bool memory = kernel_failure_of_memory(t->log);
  int code = memory ? link_memory(b, t, t->short_link.count ? &t->short_link : &t->link) : 1;
  if (code == 0 || !t->short_link.count) return code;
  return memory ? link_memory(b, t, &t->link) : link_again(b, t);
}

static bool all_fresh(const struct task *tasks) {
  for (unsigned i = 0; i < TESSERA_CORES; i++)
    if (!tasks[i].fresh) return false;
  return true;
}

/* Runs one step for all cores at once: the compiler or the linker. */
static bool run_step(const struct builder *b, struct task *tasks, bool link) {
  bool good = true;
  for (unsigned i = 0; i < TESSERA_CORES; i++) {
    struct task *t = &tasks[i];
    t->process = -1;
    if (t->fresh || !good) continue;
    snprintf(t->log, sizeof t->log, "%s/%s.%s", b->out, t->core->name, link ? "link.log" : "log");
    struct kernel_words *linking = t->short_link.count ? &t->short_link : &t->link;
    t->process = kernel_spawn(b->compiler, link ? linking : &t->compile, t->log);
    if (t->process < 0) good = (cli_bad_input("kernel", "%s: %s", b->compiler, strerror(errno)), false);
  }
  for (unsigned i = 0; i < TESSERA_CORES; i++) {
    struct task *t = &tasks[i];
    if (t->process < 0) continue;
    int code = kernel_wait(t->process);
    if (code > 0 && good && !link && t->core->role == CHIP_COMPUTE) code = compile_again(b, t);
    if (code != 0 && good && link) code = link_after_failure(b, t);
    const struct kernel_failure about = failure_of(b, t->core, t->log);
    if (code != 0 && good) good = kernel_failure_print(&about);
    else if (good && !link) kernel_failure_warnings(&about);
    if (good && link) kernel_made(b->out, t->core->name, &t->compile, &t->link, t->started);
  }
  return good;
}

static bool run_tasks(const struct builder *b, struct task *tasks) {
  bool good = true;
  for (unsigned i = 0; good && i < TESSERA_CORES; i++) {
    tasks[i].core = &cores[i];
    good = prepare(b, &tasks[i]);
  }
  good = good && run_step(b, tasks, false);
  if (good && !all_fresh(tasks)) find_firmware(b, tasks);
  good = good && run_step(b, tasks, true);
  for (unsigned i = 0; i < TESSERA_CORES; i++) {
    kernel_words_free(&tasks[i].compile);
    kernel_words_free(&tasks[i].link);
    kernel_words_free(&tasks[i].short_link);
  }
  return good;
}

bool kernel_build_folder(const struct kernel_settings *s, const struct chip_description *d, unsigned program,
                         char folder[KERNEL_PATH]) {
  const char *name = program ? d->programs[program - 1].name : "", *slash = program ? "/" : "";
  int length = s->build ? snprintf(folder, KERNEL_PATH, "%s%s%s", s->build, slash, name)
                        : snprintf(folder, KERNEL_PATH, "%s/build%s%s", s->folder, slash, name);
  return (length > 0 && length < (int)(KERNEL_PATH - 64)) ||
         (cli_bad_input("kernel", "the folder's name is too long"), false);
}

/* One build at a time in a folder: another process waits here and then finds the files up to date. -1: a file system without locks, where
 * the build goes on all the same. */
static int lock_folder(const char *folder) {
  char path[KERNEL_PATH + 32];
  snprintf(path, sizeof path, "%s/lock", folder);
  int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  while (file >= 0 && flock(file, LOCK_EX) != 0)
    if (errno != EINTR) break;
  return file;
}

static bool make_folder(const char *path) {
  if (mkdir(path, 0777) == 0 || errno == EEXIST) return true;
  return cli_bad_input("kernel", "%s: %s", path, strerror(errno)), false;
}

static bool build_program(void *context, struct chip_description *d, unsigned program) {
  const struct kernel_settings *s = context;
  struct builder b = {.s = s, .d = d, .program = program};
  char whole[KERNEL_PATH];
  if (!kernel_build_folder(s, d, 0, whole) || !kernel_build_folder(s, d, program, b.out) || !find_sources(&b) ||
      !kernel_library_find(&b.library, s->library) || !find_compiler(&b))
    return false;
  if (!make_folder(whole) || !make_folder(b.out)) return false;
  struct task tasks[TESSERA_CORES] = {0};
  int lock = lock_folder(b.out);
  bool good = run_tasks(&b, tasks);
  if (lock >= 0) close(lock);
  return good;
}

bool kernel_build(const struct kernel_settings *s, struct chip_description *d) {
  struct kernel_settings settings = *s;
  return kernel_each_program(d, build_program, &settings);
}
