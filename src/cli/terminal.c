/* tessera debug: a terminal for users without gdb. On a terminal it has line editing and a history (up, down, TAB
 * completes); otherwise it reads lines. */
#define _POSIX_C_SOURCE 200809L
#include "cli/terminal.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/interrupt.h"

#define LINE 256u
#define LINES 64u

struct terminal {
  char past[LINES][LINE];
  unsigned count, at;
  char line[LINE];
  size_t length;
};

static void show(const struct terminal *t) {
  printf("\r\033[K(tessera) %s", t->line);
  fflush(stdout);
}

static void recall(struct terminal *t, int by) {
  unsigned oldest = t->count > LINES ? t->count - LINES : 0;
  if ((by < 0 && t->at == oldest) || (by > 0 && t->at == t->count)) return;
  t->at += (unsigned)by;
  if (t->at == t->count) t->line[0] = '\0';
  else memcpy(t->line, t->past[t->at % LINES], LINE);
  t->length = strlen(t->line);
}

/* The longest prefix common to all words that begin with the typed one. */
static void extend(struct terminal *t, size_t from, const char *word, size_t length, char *common) {
  size_t typed = t->length - from;
  if (length < typed || strncmp(word, t->line + from, typed) != 0) return;
  if (!common[0]) {
    snprintf(common, LINE, "%.*s", (int)length, word);
    return;
  }
  size_t same = 0;
  while (same < length && common[same] == word[same]) same++;
  common[same] = '\0';
}

static void complete(struct terminal *t) {
  struct tessera_debugger_verb verb;
  char common[LINE] = "";
  char *space = strchr(t->line, ' ');
  size_t from = space ? (size_t)(space + 1 - t->line) : 0;
  for (size_t i = 0; tessera_debugger_verb(i, &verb) == TESSERA_OK; i++) {
    if (!space) extend(t, 0, verb.name, strlen(verb.name), common);
    else if (strlen(verb.name) == from - 1 && strncmp(verb.name, t->line, from - 1) == 0)
      for (const char *w = verb.complete; *w; w += strcspn(w, " "), w += strspn(w, " "))
        extend(t, from, w, strcspn(w, " "), common);
  }
  if (!common[0] || from + strlen(common) >= LINE) return;
  memcpy(t->line + from, common, strlen(common) + 1);
  t->length = strlen(t->line);
}

static void escape(struct terminal *t) {
  char sequence[2];
  if (read(STDIN_FILENO, sequence, 2) != 2 || sequence[0] != '[') return;
  if (sequence[1] == 'A') recall(t, -1);
  if (sequence[1] == 'B') recall(t, 1);
}

/* One line with editing; false: the end. */
static bool edit(struct terminal *t) {
  t->line[0] = '\0';
  t->length = 0;
  t->at = t->count;
  for (;;) {
    char c;
    show(t);
    if (read(STDIN_FILENO, &c, 1) != 1 || (c == 4 && !t->length)) return false;
    if (c == '\n' || c == '\r') return putchar('\n'), true;
    if (c == '\t') complete(t);
    else if (c == 27) escape(t);
    else if (c == 127 || c == 8) t->length -= t->length > 0;
    else if (c == 21 || c == 3) t->length = 0;
    else if ((unsigned char)c >= ' ' && t->length + 1 < LINE) t->line[t->length++] = c;
    t->line[t->length] = '\0';
  }
}

static void append_history(struct terminal *t) {
  if (!t->length || (t->count && strcmp(t->past[(t->count - 1) % LINES], t->line) == 0)) return;
  memcpy(t->past[t->count++ % LINES], t->line, LINE);
}

/* A key stops a run. */
static int key_waits(void *context) {
  struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
  (void)context;
  return poll(&p, 1, 0) > 0;
}

static int signalled(void *context) {
  (void)context;
  return cli_interrupted();
}

static bool act(struct tessera_debugger *debugger, const char *line) {
  if (strcmp(line, "quit") == 0 || strcmp(line, "q") == 0) return false;
  cli_show(stdout, tessera_debugger_command(debugger, line));
  return fflush(stdout) == 0; /* a full disk ends the session */
}

/* A signal stops a command that runs; while it waits for the next one, the signal ends it at once. */
static void read_lines(struct tessera_debugger *debugger) {
  char line[512];
  tessera_debugger_on_run(debugger, signalled, NULL);
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = '\0';
    cli_showf("(tessera) %s\n", line);
    cli_catch_signals();
    if (!act(debugger, line) || cli_interrupted()) break;
    cli_release_signals();
  }
}

static struct termios before;
static volatile sig_atomic_t changed; /* the terminal's mode */

static void restore(void) {
  if (changed) tcsetattr(STDIN_FILENO, TCSANOW, &before);
  changed = 0;
}

void cli_terminal(struct tessera_debugger *debugger) {
  struct termios raw;
  struct terminal *t = calloc(1, sizeof *t);
  if (!t || !isatty(STDIN_FILENO) || tcgetattr(STDIN_FILENO, &before) != 0) {
    read_lines(debugger);
  } else {
    raw = before;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG);
    cli_on_end(restore);
    changed = 1;
    tcsetattr(STDIN_FILENO, TCSANOW, &raw);
    tessera_debugger_on_run(debugger, key_waits, NULL);
    while (edit(t)) {
      append_history(t);
      if (!act(debugger, t->line)) break;
    }
    restore();
  }
  tessera_debugger_on_run(debugger, NULL, NULL);
  free(t);
}
