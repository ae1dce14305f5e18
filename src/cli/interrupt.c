/* The signals of interrupt.h. */
#include "cli/interrupt.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

static volatile sig_atomic_t caught; /* may be set by a signal handler */
static void (*volatile on_signal)(void *what);
static void *volatile on_signal_what;

static void note(int signal) {
  caught = signal;
  if (on_signal) on_signal(on_signal_what);
}

void cli_catch_signals(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = note;
  action.sa_flags = (int)SA_RESETHAND | SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}

void cli_on_signal(void (*stop)(void *what), void *what) {
  on_signal = NULL;
  on_signal_what = what;
  on_signal = stop;
  if (stop) cli_catch_signals();
}

_Static_assert(sizeof(sig_atomic_t) == sizeof(int), "the word that stops a call is an int");
const volatile int *cli_stop_word(void) { return &caught; }

int cli_interrupted(void) { return caught ? 128 + caught : 0; }

int cli_code_of_run(const char *verb, int code) {
  if (!caught) return code;
  fflush(stdout); /* where report and errors share a pipe, the line follows the report */
  fprintf(stderr, "tessera %s: interrupted by %s; the report shows the run so far\n", verb,
          caught == SIGINT ? "SIGINT" : "SIGTERM");
  return cli_interrupted();
}
