/* Loaded with LD_PRELOAD: allocation number TESSERA_FAIL_AT of the process fails, and all later ones too if
 * TESSERA_FAIL_ON is set. TESSERA_FAIL_COUNT names a file that gets the number of allocations at the end. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_ulong count;
static unsigned long fail_at;
static int fail_on, ready;

/* dlsym allocates before the real functions are known. */
static char early[4096];
static size_t early_used;

static void *(*real_malloc)(size_t);
static void *(*real_calloc)(size_t, size_t);
static void *(*real_realloc)(void *, size_t);
static void (*real_free)(void *);

static void set_up(void) {
  const char *at = getenv("TESSERA_FAIL_AT");
  if (real_malloc) return;
  *(void **)&real_calloc = dlsym(RTLD_NEXT, "calloc");
  *(void **)&real_realloc = dlsym(RTLD_NEXT, "realloc");
  *(void **)&real_free = dlsym(RTLD_NEXT, "free");
  *(void **)&real_malloc = dlsym(RTLD_NEXT, "malloc");
  fail_at = at ? strtoul(at, NULL, 10) : 0;
  fail_on = getenv("TESSERA_FAIL_ON") != NULL;
}

/* Starts at main: allocations of the loader are not counted. */
__attribute__((constructor)) static void begin(void) {
  set_up();
  ready = 1;
}

static int fails(void) {
  if (!ready) return 0;
  unsigned long n = atomic_fetch_add(&count, 1) + 1;
  if (!fail_at || n < fail_at || (n > fail_at && !fail_on)) return 0;
  errno = ENOMEM;
  return 1;
}

void *malloc(size_t size) {
  set_up();
  return fails() ? NULL : real_malloc(size);
}

void *calloc(size_t n, size_t size) {
  if (!real_calloc) { /* called by dlsym */
    size_t bytes = (n * size + 15) & ~(size_t)15;
    if (bytes > sizeof early - early_used) return NULL;
    early_used += bytes;
    return early + early_used - bytes;
  }
  return fails() ? NULL : real_calloc(n, size);
}

void *realloc(void *old, size_t size) {
  set_up();
  return fails() ? NULL : real_realloc(old, size);
}

void free(void *p) {
  if ((char *)p >= early && (char *)p < early + sizeof early) return;
  if (real_free) real_free(p);
}

__attribute__((destructor)) static void end(void) {
  const char *path = getenv("TESSERA_FAIL_COUNT");
  char text[32];
  if (!path) return;
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  int n = snprintf(text, sizeof text, "%lu\n", atomic_load(&count));
  if (fd >= 0 && write(fd, text, (size_t)n) == n) close(fd);
}
