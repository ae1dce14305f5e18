/* SIGINT and SIGTERM end a run with the report so far and complete files. Before the run, and at a second signal, the command ends at
 * once: programs that it has started end too, and no unfinished file remains. */
#ifndef TESSERA_CLI_INTERRUPT_H
#define TESSERA_CLI_INTERRUPT_H

#include <stdbool.h>

/* At the start of the command. Also: a file that exceeds its limit (RLIMIT_FSIZE) is a write that fails. */
void cli_guard_signals(void);
/* Calls `clean`, which may only do what a signal handler may, when a signal ends the command at once. At most eight; the same one once. */
void cli_on_end(void (*clean)(void));
/* From here on a signal is only noted: the caller looks at cli_interrupted or cli_stop_word. */
void cli_catch_signals(void);
void cli_release_signals(void); /* the opposite */
/* The same; a call that waits for a pipe returns with EINTR. */
void cli_catch_signals_in_calls(void);
/* The same; the handler also calls `stop` with `what`, which may only set a flag. NULL removes it. */
void cli_on_signal(void (*stop)(void *what), void *what);
/* Not 0 after a signal that has been caught, and after cli_stop. The address may be given to a call of the API that stops. */
const volatile int *cli_stop_word(void);
/* Ends loops that look at this word, because their result is of no use: memory.c. */
void cli_stop(void);
bool cli_stopped(void);
/* 0, or the exit code: 130 after SIGINT, 143 after SIGTERM. */
int cli_interrupted(void);
/* Prints one line on stderr if a signal has ended the run; returns its exit code, or `code`. */
int cli_code_of_run(const char *verb, int code);

#endif
