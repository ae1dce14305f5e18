/* tessera kernel: builds and runs the user's own kernels, in any folder. */
#include "cli/kernel.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/gdb.h"
#include "cli/output.h"
#include "cli/verb.h"
#include "cli/what_if.h"

#define THREADS_MAX 1024u

/* --- options --- */

static bool bad(const char *option, const char *wants, const char *got) {
  cli_bad_input("kernel", "%s takes %s, not '%s'", option, wants, got);
  return false;
}

static bool add(const char ***list, size_t *count, const char *value) {
  const char **moved = cli_grow("kernel", (void *)*list, count, sizeof **list);
  if (!moved) return false;
  *list = moved;
  moved[*count - 1] = value;
  return true;
}

#define LIST_OPTION(name, list, count) \
  static bool name(void *settings, const char *value) { \
    struct kernel_settings *s = settings; \
    return add(&s->list, &s->count, value); \
  }
LIST_OPTION(add_in, ins, in_count)
LIST_OPTION(add_out, outs, out_count)
LIST_OPTION(add_cb, cbs, cb_count)
LIST_OPTION(add_arg, args, arg_count)
LIST_OPTION(add_expect, expects, expect_count)
LIST_OPTION(add_cflag, cflags, cflag_count)

#define TEXT_OPTION(name, member) \
  static bool name(void *settings, const char *value) { \
    ((struct kernel_settings *)settings)->member = value; \
    return true; \
  }
TEXT_OPTION(set_compiler, compiler)
TEXT_OPTION(set_library, library)
TEXT_OPTION(set_build, build)
TEXT_OPTION(set_product, product)
TEXT_OPTION(set_tile, tile)
TEXT_OPTION(set_json, json_path)
TEXT_OPTION(set_gdb, gdb)
TEXT_OPTION(set_template, template)

static bool add_define(void *settings, const char *value) {
  struct kernel_settings *s = settings;
  return chip_is_macro(value) ? add(&s->defines, &s->define_count, value) : bad("--define", "NAME or NAME=VALUE", value);
}

static bool add_include(void *settings, const char *value) {
  struct kernel_settings *s = settings;
  struct stat is;
  if (stat(value, &is) != 0) return cli_bad_input("kernel", "--include %s: %s", value, strerror(errno)), false;
  if (!S_ISDIR(is.st_mode)) return bad("--include", "a folder of headers", value);
  return add(&s->includes, &s->include_count, value);
}

static bool set_tolerance(void *settings, const char *value) {
  struct kernel_settings *s = settings;
  char *end = NULL;
  s->tolerance = strtod(value, &end);
  return (end != value && !*end && s->tolerance >= 0) || bad("--tolerance", "a number of at least 0", value);
}

static bool set_threads(void *settings, const char *value) {
  struct kernel_settings *s = settings;
  return (cli_parse_u64(value, &s->threads) && s->threads <= THREADS_MAX) || bad("--threads", "a number up to 1024", value);
}

static bool set_no_build(void *settings, const char *value) {
  (void)value;
  return ((struct kernel_settings *)settings)->no_build = true;
}

static bool set_debug(void *settings, const char *value) {
  (void)value;
  return ((struct kernel_settings *)settings)->debug = true;
}

static bool set_list(void *settings, const char *value) {
  (void)value;
  return ((struct kernel_settings *)settings)->list = true;
}

static bool set_report(void *settings, const char *value) {
  struct kernel_settings *s = settings;
  s->session.account = true;
  s->report_path = value;
  return cli_is_file("kernel", "--report", value);
}

static bool set_why(void *settings, const char *value) {
  struct kernel_settings *s = settings;
  (void)value;
  s->session.account = true;
  return s->why = true;
}

static bool add_what_if(void *settings, const char *text) {
  struct kernel_settings *s = settings;
  if (!cli_what_if_known("kernel", text)) return false;
  return add(&s->what_ifs, &s->what_if_count, text) && set_why(settings, text);
}

static bool set_folder(void *settings, const char *text) {
  struct kernel_settings *s = settings;
  if (s->folder) return cli_bad_input("kernel", "one folder at a time, not also '%s'", text), false;
  s->folder = text;
  return *text || bad("kernel", "a folder", text);
}

/* --- the verbs --- */

static bool parse(const struct cli_verb *verb, int argc, char **argv, struct kernel_settings *s) {
  *s = (struct kernel_settings){.session = {.verb = "kernel", .timing = KERNEL_NO_TIMING, .check = TESSERA_CHECK_DEFAULT},
                                .tolerance = -1};
  if (!cli_parse(verb, argc, argv, s, set_folder)) return false;
  return s->folder || s->list ||
         (cli_bad_input("kernel", "no folder given; tessera %s --help shows an example", verb->name), false);
}

static void free_settings(struct kernel_settings *s) {
  free((void *)s->ins);
  free((void *)s->outs);
  free((void *)s->cbs);
  free((void *)s->args);
  free((void *)s->expects);
  free((void *)s->defines);
  free((void *)s->includes);
  free((void *)s->cflags);
  free((void *)s->what_ifs);
  cli_session_free(&s->session);
}

static int build_verb(const struct cli_verb *verb, int argc, char **argv) {
  struct kernel_settings s;
  struct chip_description d = {0};
  char path[KERNEL_PATH], folder[KERNEL_PATH];
  int code = CLI_BAD_INPUT;
  if (parse(verb, argc, argv, &s) && kernel_describe(&s, &d, path) && kernel_build(&s, &d) &&
      kernel_build_folder(&s, &d, 0, folder)) {
    char word[4 * KERNEL_PATH + 8];
    cli_shell_word(s.folder, word, sizeof word);
    cli_showf("%s: %sbrisc.elf, ncrisc.elf, trisc0.elf, trisc1.elf and trisc2.elf; now: tessera kernel run %s\n", folder,
              d.program_count ? "a folder per program with " : "", word);
    code = CLI_OK;
  }
  chip_file_free(&d);
  free_settings(&s);
  return code;
}

/* A folder may do without a description if options describe the run. */
static bool is_described(const struct kernel_settings *s, const char *path) {
  if (s->in_count + s->out_count + s->cb_count + s->arg_count + s->expect_count || access(path, F_OK) == 0) return true;
  cli_bad_input(
      "kernel",
      "%s is missing: it describes the tensors, circular buffers and arguments of the run ('tessera kernel new NAME' "
      "makes one; for kernels without any an empty file is enough)",
      path);
  return false;
}

static int run_verb(const struct cli_verb *verb, int argc, char **argv) {
  struct kernel_settings s;
  struct chip_job j = {0};
  char path[KERNEL_PATH];
  int code = CLI_BAD_INPUT;
  if (parse(verb, argc, argv, &s) && kernel_describe(&s, &j.d, path) && is_described(&s, path) &&
      (s.no_build || kernel_build(&s, &j.d)) && kernel_create_chip(&s, &j))
    code = kernel_run(&s, &j);
  free_settings(&s); /* before the chip, which owns the tile */
  chip_job_free(&j);
  return code;
}

static int new_verb(const struct cli_verb *verb, int argc, char **argv) {
  struct kernel_settings s;
  int code = CLI_BAD_INPUT;
  if (parse(verb, argc, argv, &s))
    code = s.list ? kernel_list_templates(s.library) : kernel_new(s.folder, s.library, s.template);
  free_settings(&s);
  return code;
}

/* clang-format off */
#define LIBRARY_OPTION {"--library", "DIR", "the kernel library (default TESSERA_KERNELS, or beside the command)", CLI_FILE, set_library}
#define BUILD_OPTIONS \
  {"--cc", "PROGRAM", "the RISC-V compiler, with arguments behind it (default TESSERA_RISCV_CC, or riscv64-unknown-elf-gcc)", CLI_NOTHING, set_compiler}, \
  {"--cflag", "OPTION", "an option of the compiler for all kernels, after the usual ones (may be repeated): --cflag -O3", CLI_NOTHING, add_cflag}, \
  {"--debug", NULL, "compile for the debugger (-Og): breakpoints and steps follow the source lines; other cycles than without", CLI_NOTHING, set_debug}, \
  LIBRARY_OPTION, \
  {"--build", "DIR", "where the executables go (default the folder's build)", CLI_FILE, set_build}, \
  {"--define", "NAME[=VALUE]", "define a macro for all three kernels", CLI_NOTHING, add_define}, \
  {"--include", "DIR", "a folder in which the kernels' #include looks for headers (may be repeated)", CLI_FILE, add_include}

static const struct cli_opt new_options[] = {
    {"--template", "NAME", "which kernel: copy, eltwise, matmul, reduce, softmax, multicast or ring, all in C++ (default add, in C)", CLI_NOTHING, set_template},
    {"--list", NULL, "list the templates with what each does", CLI_NOTHING, set_list},
    LIBRARY_OPTION,
};
static const struct cli_opt build_options[] = {BUILD_OPTIONS};
static const struct cli_opt run_options[] = {
    {"--in", "NAME=FILE[:FORMAT]", "a tensor's numbers from a .npy file; with a format for one that kernel.chip does not have", CLI_FILE, add_in},
    {"--out", "NAME=FILE", "save a tensor as .npy; NAME=FILE:FORMAT:ROWSxCOLUMNS makes one", CLI_OUTPUT, add_out},
    {"--cb", "INDEX=PAGES:FORMAT", "a circular buffer; INDEX=PAGESxBYTES:FORMAT for other pages than a data tile", CLI_NOTHING, add_cb},
    {"--arg", "INDEX=VALUE", "an argument of all kernels; reader.INDEX=VALUE of one; NAME=VALUE of the name in kernel.chip", CLI_NOTHING, add_arg},
    {"--expect", "NAME=FILE", "compare a tensor with a .npy file (exit code 1 if they differ); FILE alone: the tensor of the only --out", CLI_FILE, add_expect},
    {"--tolerance", "T", "largest allowed |got - want| / (1 + |want|) of an expectation (default 0.01; integers 0)", CLI_NOTHING, set_tolerance},
    {"--no-build", NULL, "run the existing build", CLI_NOTHING, set_no_build},
    {"--tile", "X,Y", "with a grid: report, trace and account of this tile (default the first; --report and a trace in .pftrace or .json: all)", CLI_NOTHING, set_tile},
    {"--product", "NAME", "full, p150, galaxy or p100", "full p150 galaxy p100", set_product},
    {"--threads", "N", "host threads (default 0: all cores); the result is the same for every N", CLI_NOTHING, set_threads},
    {"--json", "FILE", "write the report as JSON to FILE (- is standard output, instead of text)", CLI_OUTPUT, set_json},
    {"--report", "FILE", "write one HTML file: verdict, timeline, where the cycles go, source lines, findings", CLI_OUTPUT, set_report},
    {"--why", NULL, "report what bounds the run, where, and what to change", CLI_NOTHING, set_why},
    CLI_WHAT_IF_OPTION(add_what_if),
    CLI_FROM_OPTION,
    CLI_GDB_OPTION(set_gdb),
    BUILD_OPTIONS,
    CLI_SESSION_OPTIONS,
};
/* clang-format on */

#define FOLDER_NOTES \
  "A folder holds reader.c (NCRISC), compute.c (TRISC0 to TRISC2) and writer.c (BRISC), or .cpp, of which any may be " \
  "missing, and\n" \
  "kernel.chip, which describes tiles, tensors, circular buffers, arguments and expectations: docs/guide/kernels.md.\n\n"

static const struct cli_verb new_kernel = {
    .name = "kernel new",
    .what = "make a folder with a working kernel",
    .usage = "NAME [OPTIONS]",
    .about = "Makes the folder NAME with a working kernel and kernel.chip: reader.c, compute.c and writer.c of C = A + B on "
             "one tile,\n"
             "or another template.",
    CLI_OPTIONS(new_options),
    .notes = "",
    .example = "tessera kernel new mine --template multicast",
    .operands = CLI_FILE,
    .run = new_verb,
};

static const struct cli_verb build_kernel = {
    .name = "kernel build",
    .what = "compile the kernels of a folder",
    .usage = "DIR [OPTIONS]",
    .about = "Compiles reader, compute and writer of the folder DIR with the library's firmware into five executables.",
    CLI_OPTIONS(build_options),
    .notes = FOLDER_NOTES "Exit code 0, or 2 after one line with the first error of the compiler.",
    .example = "tessera kernel build mine",
    .operands = CLI_FILE,
    .run = build_verb,
};

static const struct cli_verb run_kernel = {
    .name = "kernel run",
    .what = "compile and run the kernels of a folder, check the result, and report",
    .usage = "DIR [OPTIONS]",
    .about = "Compiles the kernels of the folder DIR, loads its tensors into DRAM or L1, runs the kernels on a tile or a "
             "grid of\n"
             "a Blackhole chip, saves and checks tensors, and reports.",
    CLI_OPTIONS(run_options),
    .notes = FOLDER_NOTES
    "Options that name a tensor, buffer or argument may be repeated; they take precedence over kernel.chip. With --in, its\n"
    "expectations that name a file are ignored.\n\n" CLI_EXIT_CODES,
    .example = "tessera kernel run mine --in A=a.npy --out C=c.npy --expect C=expected.npy --tolerance 0.01",
    .operands = CLI_FILE,
    .run = run_verb,
};

static const struct cli_verb *const sub_verbs[] = {&new_kernel, &build_kernel, &run_kernel};

const struct cli_verb cli_kernel = {
    .name = "kernel",
    .what = "make, build and run kernels of your own, in any folder",
    .usage = "new|build|run DIR [OPTIONS]",
    .about = "Kernels of your own: a folder with a reader, a compute kernel, a writer and a description of the run.",
    .notes = "tessera kernel run --help shows every option.",
    .example = "tessera kernel new mine && tessera kernel run mine",
    .operands = CLI_NOTHING,
    .run = cli_run_sub,
    .subs = sub_verbs,
    .sub_count = CLI_COUNT(sub_verbs),
};
