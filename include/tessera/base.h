/* Tessera, what all machines of the C API share: the version, and the results of calls.
 *
 * Every call checks its handle: NULL, a pointer to something else and a handle of another kind are rejected: the function
 * returns TESSERA_INVALID, 0, NULL or "", depending on its type. So does a call that would change a machine inside its own run: from a hook,
 * a write function or a second thread. A machine that runs, or that a debugger's session uses, is not destroyed: the call does nothing. A
 * handle that was destroyed must not be used again: its
 * memory is free. Texts are never NULL. */
#ifndef TESSERA_BASE_H
#define TESSERA_BASE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The number changes when a program that was built against the headers has to be rebuilt (it is the library's soname). */
#define TESSERA_API_VERSION 1

enum tessera_result {
  TESSERA_OK,      /* the call succeeded */
  TESSERA_DONE,    /* a run: everything has completed; no core runs and no pushed word is left */
  TESSERA_LIMIT,   /* a run: the requested cycles have passed; run again to continue */
  TESSERA_STOPPED, /* a run: a condition is met, a breakpoint, watchpoint or step is reached, or a hook requested a stop; run again to continue */
  TESSERA_HANG,    /* a run: no agent can continue; the explanation names each waiter and its resource */
  TESSERA_FAULT,   /* a run or an access: the machine has faulted and is frozen; it stays readable */
  TESSERA_INVALID, /* an argument is out of range or a handle is invalid: the call did nothing, but for registers that a write of several reached before the first one that rejects it */
  TESSERA_REFUSED, /* a file, text or saved state is damaged or of the wrong kind; the error line gives the reason */
  TESSERA_NO_MEMORY, /* nothing was done */
};

/* Progress of a long call: `done` of `all` runs. Called on the thread that made the call. */
typedef void tessera_progress_fn(void *context, uint64_t done, uint64_t all);

int tessera_api_version(void); /* TESSERA_API_VERSION of the library in use */
const char *tessera_version(void);
const char *tessera_result_name(enum tessera_result result); /* "done"; "?" for a number that is not a result */

/* For front ends that print foreign words (names in an executable, a message about an input): bytes of the character at `text` if it may be
 * shown as it is, that is, valid UTF-8 and nothing that a terminal obeys (C0, DEL, C1); 0 if not, and for "" and NULL. */
size_t tessera_text_shown(const char *text);

#ifdef __cplusplus
}
#endif
#endif
