/* Tessera, what all machines of the C API share: the version, and the results of calls.
 *
 * Every call checks its handle: NULL, a pointer to something else and a handle of another kind are refused with TESSERA_INVALID,
 * 0, NULL or "", whatever the function returns. (A handle that was destroyed is refused only as long as its memory holds no new
 * one.) Texts are never NULL. */
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
  TESSERA_OK,        /* the call has done what it says */
  TESSERA_DONE,      /* a run: everything has completed; no core runs and nothing that was pushed is left */
  TESSERA_LIMIT,     /* a run: the cycles asked for have passed; run again to go on */
  TESSERA_STOPPED,   /* a run: a condition is met, a breakpoint, watchpoint or step is reached, or a hook asked; run again */
  TESSERA_HANG,      /* a run: nothing can ever go on; the explanation names who waits for what */
  TESSERA_FAULT,     /* a run or an access: the machine has faulted and is frozen; it stays readable */
  TESSERA_INVALID,   /* an argument makes no sense or a handle is none: nothing was done */
  TESSERA_REFUSED,   /* a file, text or saved state is damaged or of another kind; the error line names the reason */
  TESSERA_NO_MEMORY, /* nothing was done */
};

/* How far a long call is: `done` of `all` runs. Called on the thread that made the call. */
typedef void tessera_progress_fn(void *context, uint64_t done, uint64_t all);

int tessera_api_version(void); /* TESSERA_API_VERSION of the library that runs */
const char *tessera_version(void);
const char *tessera_result_name(enum tessera_result result); /* "done"; "?" for a number that is no result */

#ifdef __cplusplus
}
#endif
#endif
