/* SIGINT and SIGTERM end a run with the report so far and complete files. A second signal ends the command at once. */
#ifndef TESSERA_CLI_INTERRUPT_H
#define TESSERA_CLI_INTERRUPT_H

void cli_catch_signals(void);
/* The same; the handler also calls `stop` with `what`, which may only set a flag. NULL removes it. */
void cli_on_signal(void (*stop)(void *what), void *what);
/* 0; the number of a signal that has been caught. The address may be given to a call of the API that stops. */
const volatile int *cli_stop_word(void);
/* 0, or the exit code: 130 after SIGINT, 143 after SIGTERM. */
int cli_interrupted(void);
/* Prints one line on stderr if a signal has ended the run; returns its exit code, or `code`. */
int cli_code_of_run(const char *verb, int code);

#endif
