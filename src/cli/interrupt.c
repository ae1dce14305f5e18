/* The signals of interrupt.h. */
#include "cli/interrupt.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t caught;  /* may be set by a signal handler */
static volatile sig_atomic_t stopped; /* the same, or out of memory */
static void (*volatile on_signal)(void *what);
static void *volatile on_signal_what;

#define ENDS_MAX 8u
static void (*volatile ends[ENDS_MAX])(void);
static volatile sig_atomic_t watched; /* a run looks at `caught` */

/* Only calls that are allowed in a signal handler. */
static void clean_all(void) {
  for (unsigned i = 0; i < ENDS_MAX; i++)
    if (ends[i]) ends[i]();
}

static void end_now(int signal) {
  static const char interrupt[] = "tessera: interrupted by SIGINT\n", terminate[] = "tessera: interrupted by SIGTERM\n";
  clean_all();
  if (signal == SIGINT) (void)!write(STDERR_FILENO, interrupt, sizeof interrupt - 1);
  else (void)!write(STDERR_FILENO, terminate, sizeof terminate - 1);
  _exit(128 + signal);
}

static void note(int signal) {
  if (!watched || caught) end_now(signal);
  caught = stopped = signal;
  if (on_signal) on_signal(on_signal_what);
}

void cli_on_end(void (*clean)(void)) {
  unsigned i = 0;
  while (i < ENDS_MAX && ends[i] && ends[i] != clean) i++;
  if (i < ENDS_MAX) ends[i] = clean;
}

static void set_handlers(int flags) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = note;
  action.sa_flags = flags;
  sigemptyset(&action.sa_mask);
  sigaddset(&action.sa_mask, SIGINT);
  sigaddset(&action.sa_mask, SIGTERM);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}

/* Signals that end the command without a report: it cleans up, and ends by the signal. */
static const int fatal[] = {SIGHUP, SIGQUIT, SIGPIPE, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU, SIGVTALRM, SIGPROF};

static void clean_up(int number) {
  clean_all();
  raise(number); /* SA_RESETHAND: pending until the handler returns, then its default */
}

/* A signal that the caller ignores (nohup) stays ignored. */
static void guard_fatal(int number) {
  struct sigaction action, before;
  memset(&action, 0, sizeof action);
  action.sa_handler = clean_up;
  action.sa_flags = (int)SA_RESETHAND;
  sigfillset(&action.sa_mask);
  if (sigaction(number, NULL, &before) == 0 && before.sa_handler == SIG_DFL) sigaction(number, &action, NULL);
}

void cli_guard_signals(void) {
  set_handlers(SA_RESTART);
  for (unsigned i = 0; i < sizeof fatal / sizeof *fatal; i++) guard_fatal(fatal[i]);
  signal(SIGXFSZ, SIG_IGN);
}

void cli_catch_signals(void) { watched = 1; }

void cli_catch_signals_in_calls(void) {
  set_handlers(0);
  cli_catch_signals();
}

void cli_release_signals(void) { watched = 0; }

void cli_on_signal(void (*stop)(void *what), void *what) {
  on_signal = NULL;
  on_signal_what = what;
  on_signal = stop;
  if (stop) cli_catch_signals();
}

_Static_assert(sizeof(sig_atomic_t) == sizeof(int), "the word that stops a call is an int");
const volatile int *cli_stop_word(void) { return &stopped; }

void cli_stop(void) {
  stopped = 1;
  if (on_signal) on_signal(on_signal_what);
}

bool cli_stopped(void) { return stopped; }

int cli_interrupted(void) { return caught ? 128 + caught : 0; }

int cli_code_of_run(const char *verb, int code) {
  if (!caught) return code;
  fflush(stdout); /* where report and errors share a pipe, the line follows the report */
  fprintf(stderr, "tessera %s: interrupted by %s; the report shows the run so far\n", verb,
          caught == SIGINT ? "SIGINT" : "SIGTERM");
  return cli_interrupted();
}
