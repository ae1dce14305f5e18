/* The compiler's messages of kernel_failure.h. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "cli/kernel_failure.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/input.h"
#include "cli/output.h"

#define LOG_MAX ((size_t)1 << 20)

/* The first line of the log that contains this word, or its first line; `line` and `length` delimit it. */
static bool find_line(const char *log, const char *word, const char **line, size_t *length) {
  const char *at = strstr(log, word);
  if (!at) return false;
  while (at > log && at[-1] != '\n') at--;
  *line = at;
  *length = strcspn(at, "\n");
  return true;
}

/* SOURCE:LINE[:COLUMN] at or after `at` and before `end`; returns its length, 0: there is none. */
static size_t find_place(const char *at, const char *end, const char *source, const char **place) {
  size_t name = strlen(source);
  while ((at = strstr(at, source)) && at < end) {
    size_t digits = at[name] == ':' ? strspn(at + name + 1, "0123456789:") : 0;
    *place = at;
    at += name;
    if (!digits) continue;
    while (at[digits] == ':') digits--;
    return name + digits + 1;
  }
  return 0;
}

/* The user's place of an error inside one of the library's headers: the note after it (expansion of a macro), or the last
 * place before it (inlined from, required from). */
static size_t user_place(const char *log, const char *line, size_t length, const char *source, const char **place) {
  const char *next = strstr(line + length, ": error: "), *found;
  while (next && next > line + length && next[-1] != '\n') next--; /* the place of the next error is not this one's */
  size_t size = find_place(line + length, next ? next : line + strlen(line), source, place);
  if (size) return size;
  for (const char *at = log; (length = find_place(at, line, source, &found)); at = found + length)
    size = length, *place = found;
  return size;
}

/* Whether the file lies in the directory; the compiler may name it by another path (ccache makes paths relative). */
static bool lies_in(const char *path, const char *directory) {
  char *file = realpath(path, NULL), *root = realpath(directory, NULL);
  size_t length = root ? strlen(root) : 0;
  bool lies = file && root && strncmp(file, root, length) == 0 && file[length] == '/';
  free(file);
  free(root);
  return lies;
}

/* A line of the compiler about one of the library's files. The user's own headers are named as they are. */
static bool is_of_library(const struct kernel_library *library, const char *line) {
  char path[KERNEL_PATH];
  size_t length = strcspn(line, ":");
  if (length >= sizeof path) return false;
  memcpy(path, line, length);
  path[length] = '\0';
  return lies_in(path, library->root) || lies_in(path, library->isa);
}

/* --- names that kernel.chip does not give --- */

#define NAME_CHARACTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"

/* A namespace of constants from kernel.chip (kernels/include/api_names.h),
 * and statements that add a name to it. */
static const struct name_space {
  const char *name, *help;
} name_spaces[] = {
    {"args", "'args %s %.*s=VALUE', 'args common ...' or 'compile ...'"},
    {"dfb", "'compile %s %.*s=buffer:INDEX', or 'buffer NAME=INDEX ...'"},
    {"sem", "'compile %s %.*s=semaphore:INDEX'"},
    {"tensor", "'compile %s %.*s=accessor:TENSOR'"},
    {"scratch", "'compile %s %.*s=scratch:BYTES'"},
};

static bool is_name_character(char c) { return c && strchr(NAME_CHARACTERS, c); }

/* The first SPACE::NAME in [at, end); NULL: none. */
static const char *qualified(const char *at, const char *end, const char *space, size_t *length) {
  for (size_t size = strlen(space); (at = strstr(at, space)) && at < end; at += size)
    if (strncmp(at + size, "::", 2) == 0 && (*length = strspn(at + size + 2, NAME_CHARACTERS))) return at + size + 2;
  return NULL;
}

/* The word after the first quotation mark of the text, which the compiler writes in ASCII or in UTF-8. */
static const char *quoted(const char *text, size_t *length) {
  while (*text && *text != '\n' && !is_name_character(*text)) text++;
  *length = strspn(text, NAME_CHARACTERS);
  return text;
}

static const struct name_space *space_of(const char *text) {
  size_t length;
  text = quoted(text, &length);
  for (size_t i = 0; i < CLI_COUNT(name_spaces); i++)
    if (strlen(name_spaces[i].name) == length && strncmp(name_spaces[i].name, text, length) == 0) return &name_spaces[i];
  return NULL;
}

/* `text`: the compiler's message after "error: ". Writes help about a constant that kernel.chip does not name; false: it is about
 * something else. In a namespace without names its own name is undeclared; the source line, which follows, has the other. */
static bool explain_name(const char *text, size_t text_length, const char *role, char *help, size_t size) {
  static const char member[] = " is not a member of ", undeclared[] = " has not been declared";
  const char *end = text + text_length, *next = strstr(end, ": error: "), *at = strstr(text, member), *name = NULL;
  const struct name_space *s = NULL;
  size_t length = 0;
  if (at && at < end && (s = space_of(at + sizeof member - 1))) name = quoted(text, &length);
  at = strstr(text, undeclared);
  if (!s && at && at < end && (s = space_of(text))) name = qualified(end, next ? next : end + strlen(end), s->name, &length);
  if (!name) return false;
  int used = snprintf(help, size, "kernel.chip does not name %s::%.*s: add ", s->name, (int)length, name);
  if (used > 0 && (size_t)used < size) snprintf(help + used, size - (size_t)used, s->help, role, (int)length, name);
  return true;
}

/* The same for get_named_compile_time_arg_val (kernels/include/compile_args.h): the name is an argument of by_name, in the error or in the
 * lines before it. */
static bool explain_named_arg(const char *log, const char *text, size_t length, const char *role, char *help, size_t size) {
  static const char call[] = "kernel_args::by_name(((const char*)\"";
  const char *end = text + length, *mark = strstr(text, "no_such_named_argument"), *own = strstr(text, call), *name = NULL;
  if ((!mark || mark >= end) && (!own || own >= end)) return false;
  for (const char *at = log; (at = strstr(at, call)) && at < end; at++) name = at + sizeof call - 1;
  if (!name) return false;
  int width = (int)strcspn(name, "\"\n");
  snprintf(help, size,
           "get_named_compile_time_arg_val(\"%.*s\"): kernel.chip does not name this argument: add 'compile %s %.*s=VALUE'",
           width, name, role, width, name);
  return true;
}

/* A call NAME<...>(...) of a function that is no template: the compiler takes < as a comparison. The source line follows the error. */
static bool explain_template(const char *text, size_t length, char *help, size_t size) {
  static const char *const marks[] = {"comparison between pointer and integer", "unresolved overloaded function type"};
  const char *end = text + length, *at = NULL;
  for (size_t i = 0; i < CLI_COUNT(marks) && !(at && at < end); i++) at = strstr(text, marks[i]);
  const char *source = at && at < end ? strstr(end, " | ") : NULL;
  if (!source || (strchr(end + 1, '\n') && source > strchr(end + 1, '\n'))) return false;
  for (at = source + 3; *at && *at != '\n'; at++) {
    const char *name = at;
    while (is_name_character(*at)) at++;
    if (at > name && at[0] == '<' && at[1] != '<' && at[1] != '=' && at[1] != ' ') {
      snprintf(help, size, "error: %.*s is a function without template arguments: call it without <...>", (int)(at - name),
               name);
      return true;
    }
    if (!*at || *at == '\n') break;
  }
  return false;
}

/* --- the line --- */

static void print_failure(const struct kernel_failure *f, const char *log) {
  static const char *const marks[] = {"undefined reference", "not fit", "overlaps", ": error: ", ": fatal error: ", "rror"};
  const char *source = f->source, *base = strrchr(source, '/'), *line = "the compiler failed", *place = NULL;
  const char *name = !source[0] ? f->core : base ? base + 1 : source, *role = chip_role_name(f->role);
  size_t length = strlen(line), size = 0;
  char help[512];
  bool found = false;
  for (size_t i = 0; !found && i < CLI_COUNT(marks); i++) found = find_line(log, marks[i], &line, &length);
  if (!found && !cli_can_write(f->log_path)) { /* the log too */
    cli_bad_input("kernel", "%s does not build: %s: could not be written: %s", name, f->log_path, strerror(errno));
    return;
  }
  if (strncmp(line + length - (length > 13 ? 13 : length), "`kernel_main'", 13) == 0) {
    cli_bad_input("kernel", "%s does not build: it has no function kernel_main", name);
    return;
  }
  if (length > 14 &&
      strncmp(line + length - 14, "`kernel_entry'", 14) == 0) { /* that of kernel.h, which calls kernel_main */
    cli_bad_input("kernel", "%s does not build: it includes no header of the kernel library: #include \"%s.h\"", name,
                  f->role == CHIP_COMPUTE ? "compute" : "dataflow");
    return;
  }
  const char *text = strstr(line, ": error: ");
  if (text && text < line + length && source[0] && is_of_library(f->library, line))
    size = user_place(log, line, length, source, &place);
  if (text && text < line + length && !size) place = line, size = (size_t)(text - line);
  if (size) length -= (size_t)(text - line), line = text;
  if (size &&
      (explain_name(line + strlen(": error: "), length - strlen(": error: "), role, help, sizeof help) ||
       explain_named_arg(log, line, length, role, help, sizeof help) || explain_template(line, length, help, sizeof help)))
    cli_bad_input("kernel", "%s does not build: %.*s: %s (all of it: %s)", name, (int)size, place, help, f->log_path);
  else
    cli_bad_input("kernel", "%s does not build: %.*s%.*s (all of it: %s)", name, (int)size, size ? place : "", (int)length,
                  line, f->log_path);
}

bool kernel_failure_print(const struct kernel_failure *f) {
  struct cli_input in = {0};
  bool read = cli_input_read(&in, "kernel", f->log_path, LOG_MAX);
  if (read) print_failure(f, in.data);
  cli_input_free(&in);
  return false;
}

void kernel_failure_warnings(const struct kernel_failure *f) {
  struct cli_input in = {0};
  if (f->role == CHIP_COMPUTE && strcmp(f->core, "trisc1") != 0) return;
  if (!f->source[0] || !cli_input_read(&in, "kernel", f->log_path, LOG_MAX)) return;
  const char *line, *at = in.data;
  size_t length;
  while (find_line(at, ": warning: ", &line, &length)) {
    char text[1024];
    snprintf(text, sizeof text, "tessera kernel: %.*s\n", (int)length, line);
    cli_show(stderr, text);
    at = line + length;
  }
  cli_input_free(&in);
}

bool kernel_failure_of_memory(const char *log_path) {
  struct cli_input in = {0};
  if (!cli_input_read(&in, "kernel", log_path, LOG_MAX)) return false;
  bool found = false;
  const char *line, *at = in.data;
  size_t length;
  for (; !found && find_line(at, "undefined reference to `mem", &line, &length); at = line + length) {
    const char *name = strstr(line, "to `mem") + strlen("to `mem");
    found = strncmp(name, "cpy'", 4) == 0 || strncmp(name, "move'", 5) == 0 || strncmp(name, "set'", 4) == 0 ||
            strncmp(name, "cmp'", 4) == 0;
  }
  cli_input_free(&in);
  return found;
}
