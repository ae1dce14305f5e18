/* tessera pto launches: kernel launches of a C++ source, name<<<blocks, ...>>>(arguments), rewritten as calls of tessera::pto_launch.
 * All other text is unchanged, line by line. */
#include "cli/pto_launches.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/input.h"
#include "cli/verb.h"

#define SOURCE_MAX ((size_t)16 << 20)

struct text {
  const char *at;
  size_t size;
};

static bool starts(struct text t, size_t i, const char *word) {
  size_t length = strlen(word);
  return length <= t.size - i && memcmp(t.at + i, word, length) == 0;
}

static size_t skip_quoted(struct text t, size_t i) {
  char quote = t.at[i++];
  while (i < t.size && t.at[i] != quote && t.at[i] != '\n') i += t.at[i] == '\\' ? 2 : 1;
  return i < t.size ? i + 1 : t.size;
}

/* R"delimiter( ... )delimiter" */
static size_t skip_raw(struct text t, size_t i) {
  char end[24] = ")";
  size_t n = 1, j = i + 2;
  while (j < t.size && t.at[j] != '(' && n < sizeof end - 2) end[n++] = t.at[j++];
  end[n] = '"';
  end[n + 1] = '\0';
  while (j < t.size && !starts(t, j, end)) j++;
  return j < t.size ? j + n + 1 : t.size;
}

/* Skips a comment, string or character constant at i; returns i if there is none. */
static size_t skip_dead(struct text t, size_t i) {
  size_t j = i;
  if (starts(t, i, "//")) {
    while (j < t.size && t.at[j] != '\n') j++;
  } else if (starts(t, i, "/*")) {
    j += 2;
    while (j < t.size && !starts(t, j, "*/")) j++;
    j = j < t.size ? j + 2 : t.size;
  } else if (starts(t, i, "R\"")) {
    j = skip_raw(t, i);
  } else if (t.at[i] == '"' || (t.at[i] == '\'' && (i == 0 || !isalnum((unsigned char)t.at[i - 1])))) {
    j = skip_quoted(t, i);
  }
  return j;
}

/* The next occurrence of `word` outside brackets, comments and strings; t.size: none before the brackets end. */
static size_t find_outside(struct text t, size_t i, const char *word) {
  int depth = 0;
  while (i < t.size) {
    size_t dead = skip_dead(t, i);
    if (dead != i) {
      i = dead;
      continue;
    }
    if (depth == 0 && starts(t, i, word)) return i;
    if (strchr("([{", t.at[i])) depth++;
    if (strchr(")]}", t.at[i]) && depth-- == 0) break;
    i++;
  }
  return t.size;
}

static bool name_char(char c) { return isalnum((unsigned char)c) || c == '_' || c == ':'; }

/* The start of the kernel's name that ends before i: identifiers, ::, template arguments. */
static size_t name_start(const char *text, size_t i, size_t first) {
  while (i > first && isspace((unsigned char)text[i - 1])) i--;
  if (i > first && text[i - 1] == '>') {
    int depth = 0, round = 0;
    while (i > first) {
      char c = text[--i];
      if (c == ')') round++;
      if (c == '(') round--;
      if (c == '>' && round == 0) depth++;
      if (c == '<' && round == 0 && --depth == 0) break;
    }
  }
  while (i > first && name_char(text[i - 1])) i--;
  return i;
}

/* Writes the text with its launches replaced. false: a launch is incomplete; *line is its line. */
static bool rewrite(struct text t, FILE *out, unsigned *line) {
  size_t done = 0, i = 0;
  while (i < t.size) {
    size_t dead = skip_dead(t, i);
    if (dead != i || !starts(t, i, "<<<")) {
      i = dead != i ? dead : i + 1;
      continue;
    }
    size_t name = name_start(t.at, i, done), close = find_outside(t, i + 3, ">>>"), open = close + 3;
    while (open < t.size && isspace((unsigned char)t.at[open])) open++;
    size_t end = open < t.size && t.at[open] == '(' ? find_outside(t, open + 1, ")") : t.size;
    *line = 1;
    for (size_t k = 0; k < i; k++) *line += t.at[k] == '\n';
    if (name == i || close >= t.size || end >= t.size) return false;
    fwrite(t.at + done, 1, name - done, out);
    fputs("::tessera::pto_launch([&] { ", out);
    fwrite(t.at + name, 1, i - name, out);
    fwrite(t.at + open, 1, end + 1 - open, out);
    fputs("; }, ", out);
    fwrite(t.at + i + 3, 1, close - i - 3, out);
    fputc(')', out);
    done = i = end + 1;
  }
  fwrite(t.at + done, 1, t.size - done, out);
  return true;
}

static bool set_file(void *settings, const char *text) {
  const char **file = settings;
  if (*file) return cli_bad_input("pto launches", "one file, not also %s", text), false;
  *file = text;
  return true;
}

static int run(const struct cli_verb *verb, int argc, char **argv) {
  struct cli_input source = {0};
  const char *file = NULL;
  unsigned line = 0;
  if (!cli_parse(verb, argc, argv, &file, set_file)) return CLI_BAD_INPUT;
  if (!file) return cli_bad_input("pto launches", "takes one file; --help shows an example");
  if (!cli_input_read(&source, "pto launches", file, SOURCE_MAX)) return CLI_BAD_INPUT;
  bool good = rewrite((struct text){source.data, source.size}, stdout, &line);
  cli_input_free(&source);
  return good ? CLI_OK : cli_bad_input("pto launches", "%s:%u: no complete launch: name<<<blocks>>>(arguments)", file, line);
}

const struct cli_verb pto_launches = {
    .name = "pto launches",
    .what = "print a C++ source with its kernel launches as calls",
    .usage = "FILE.cpp",
    .about = "Prints the source with name<<<blocks, ...>>>(arguments) as tessera::pto_launch([&] { name(arguments); }, "
             "blocks, ...),\n"
             "for a compiler with -I include -I include/tessera/compat.",
    .notes = "",
    .example = "tessera pto launches kernel.cpp > kernel_host.cpp",
    .operands = CLI_FILE,
    .run = run,
};
