/* The table of monitor.h: finds a command, splits its words, collects its output. */
#include "gdb/monitor.h"

#include <stdio.h>
#include <string.h>

/* --- the table --- */

static const struct gdb_command *command_at(size_t index) {
  if (index < gdb_move_count) return &gdb_moves[index];
  index -= gdb_move_count;
  return index < gdb_show_count ? &gdb_shows[index] : NULL;
}

enum tessera_result tessera_debugger_verb(size_t index, struct tessera_debugger_verb *verb) {
  const struct gdb_command *c = command_at(index);
  if (!c || !verb) return TESSERA_INVALID;
  *verb = (struct tessera_debugger_verb){c->name, c->arguments, c->help, c->complete};
  return TESSERA_OK;
}

static void help(struct tessera_debugger *d) {
  const struct gdb_command *c;
  for (size_t i = 0; (c = command_at(i)); i++) gdb_say(d, "%-11s %-28s %s\n", c->name, c->arguments, c->help);
  gdb_say(d, "a command may be cut short: %s\n", "s steps, b breaks, c continues, r goes back");
}

/* The command of this name, or the first with this prefix. */
static const struct gdb_command *find(const char *word) {
  const struct gdb_command *c, *begins = NULL;
  for (size_t i = 0; (c = command_at(i)); i++) {
    if (strcmp(c->name, word) == 0) return c;
    if (!begins && strncmp(c->name, word, strlen(word)) == 0) begins = c;
  }
  return begins;
}

/* The number of words in its description, each of which is one argument. */
static unsigned arguments_max(const struct gdb_command *c) {
  unsigned count = 0;
  for (const char *at = c->arguments; *at; at += strcspn(at, " "), at += strspn(at, " ")) count++;
  return count;
}

static void run(struct tessera_debugger *d, const struct gdb_command *c, unsigned count, char **words) {
  if (count - 1 <= arguments_max(c)) c->run(d, count, words);
  else gdb_say(d, "%s takes %s\n", c->name, c->arguments[0] ? c->arguments : "no argument");
}

const char *gdb_monitor(struct tessera_debugger *d, const char *line) {
  char copy[512], *words[GDB_WORDS + 1] = {0}, *rest = copy;
  unsigned count = 0;
  d->text_length = 0;
  gdb_say(d, "%s", "");
  if (!d->text) return "";
  d->text[0] = '\0';
  snprintf(copy, sizeof copy, "%s", line);
  for (char *word; count < GDB_WORDS && *(word = rest + strspn(rest, " \t\r\n"));) {
    words[count++] = word;
    rest = word + strcspn(word, " \t\r\n");
    if (*rest) *rest++ = '\0';
  }
  if (!count) return d->text;
  const struct gdb_command *c = strcmp(words[0], "help") == 0 ? NULL : find(words[0]);
  if (c) run(d, c, count, words);
  else if (strcmp(words[0], "help") == 0 || strcmp(words[0], "?") == 0) help(d);
  else gdb_say(d, "no command '%s'; help lists them\n", words[0]);
  return d->text;
}
