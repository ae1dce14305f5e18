/* tessera man: manual pages from the tables of verb.h, in troff. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/verb.h"
#include "tessera/base.h"

/* Escapes text for troff: hyphens stay hyphens, and no line becomes a request. */
static void put(const char *text) {
  bool start = true;
  for (; *text; text++) {
    if (start && (*text == '.' || *text == '\'')) fputs("\\&", stdout);
    if (*text == '\\') fputs("\\e", stdout);
    else if (*text == '-') fputs("\\-", stdout);
    else putchar(*text);
    start = *text == '\n';
  }
}

/* Paragraphs are separated by an empty line; indented lines are kept as they are. */
static void put_paragraphs(const char *text) {
  bool literal = false;
  while (*text) {
    size_t length = strcspn(text, "\n");
    char line[512];
    snprintf(line, sizeof line, "%.*s", (int)length, text);
    bool indented = line[0] == ' ';
    if (indented != literal) puts(indented ? ".nf" : ".fi");
    literal = indented;
    if (!line[0]) puts(".PP");
    else put(line), putchar('\n');
    text += length + (text[length] == '\n');
  }
  if (literal) puts(".fi");
}

static void page_name(const struct cli_verb *verb, char *text, size_t size) {
  snprintf(text, size, "tessera%s%s", verb->name[0] ? "-" : "", verb->name);
  for (char *c = text; *c; c++)
    if (*c == ' ') *c = '-';
}

static void put_options(const struct cli_verb *verb) {
  if (!verb->option_count) return;
  puts(".SH OPTIONS");
  for (size_t i = 0; i < verb->option_count; i++) {
    const struct cli_opt *o = &verb->options[i];
    fputs(".TP\n.B ", stdout);
    put(o->name);
    if (o->argument) {
      fputs(" \\fI", stdout);
      put(o->argument);
      fputs("\\fR", stdout);
    }
    putchar('\n');
    put(o->what);
    putchar('\n');
  }
}

static void put_subs(const struct cli_verb *verb) {
  char name[64];
  if (!verb->sub_count) return;
  puts(".SH VERBS");
  for (size_t i = 0; i < verb->sub_count; i++) {
    page_name(verb->subs[i], name, sizeof name);
    fputs(".TP\n.BR ", stdout);
    put(name);
    puts(" (1)");
    put(verb->subs[i]->what);
    putchar('\n');
  }
}

static void put_page(const struct cli_verb *verb) {
  char name[64];
  page_name(verb, name, sizeof name);
  printf(".TH %s 1 \"\" \"Tessera %s\" \"Tessera\"\n.SH NAME\n", name, tessera_version());
  put(name);
  fputs(" \\- ", stdout);
  put(verb->what);
  fputs("\n.SH SYNOPSIS\n.B tessera", stdout);
  if (verb->name[0]) printf(" %s", verb->name);
  fputs("\n", stdout);
  put(verb->usage);
  puts("\n.SH DESCRIPTION");
  put_paragraphs(verb->about);
  put_subs(verb);
  put_options(verb);
  if (verb->notes[0]) puts(".SH NOTES");
  put_paragraphs(verb->notes);
  puts(".SH EXIT STATUS");
  put_paragraphs(CLI_EXIT_CODES);
  puts(".SH EXAMPLE\n.nf");
  put(verb->example);
  puts("\n.fi\n.SH SEE ALSO");
  if (verb->name[0]) puts(".BR tessera (1)");
  else puts("The documents in docs/ of the source.");
}

/* --- the verb --- */

static const struct cli_verb *find(const struct cli_verb *verb, const char *page) {
  char name[64];
  page_name(verb, name, sizeof name);
  if (strcmp(name, page) == 0) return verb;
  for (size_t i = 0; i < verb->sub_count; i++) {
    const struct cli_verb *found = find(verb->subs[i], page);
    if (found) return found;
  }
  return NULL;
}

static void list(const struct cli_verb *verb) {
  char name[64];
  page_name(verb, name, sizeof name);
  puts(name);
  for (size_t i = 0; i < verb->sub_count; i++) list(verb->subs[i]);
}

struct settings {
  const char *page;
  bool list;
};

static bool set_list(void *settings, const char *value) {
  (void)value;
  return ((struct settings *)settings)->list = true;
}

static bool set_page(void *settings, const char *text) {
  struct settings *s = settings;
  if (s->page) return cli_bad_input("man", "one page at a time: %s and %s", s->page, text), false;
  s->page = text;
  return true;
}

static int describe(const struct cli_verb *verb, const struct cli_verb *command, int argc, char **argv) {
  struct settings s = {0};
  if (!cli_parse(verb, argc, argv, &s, set_page)) return CLI_BAD_INPUT;
  if (s.list) {
    list(command);
    return CLI_OK;
  }
  const struct cli_verb *found = find(command, s.page ? s.page : "tessera");
  if (!found) return cli_bad_input("man", "no page '%s'; tessera man --list names them", s.page);
  put_page(found);
  return CLI_OK;
}

static const struct cli_opt options[] = {{"--list", NULL, "print the names of all pages", CLI_NOTHING, set_list}};

const struct cli_verb cli_man = {
    .name = "man",
    .what = "print a manual page",
    .usage = "[--list] [PAGE]",
    .about = "Prints the manual page (default: tessera) in troff, for man -l. make install installs all of them.",
    CLI_OPTIONS(options),
    .notes = "",
    .example = "tessera man tessera-run | man -l -",
    .operands = CLI_NOTHING,
    .describe = describe,
};
