/* Runs conformance cases from standard input through the public API and counts them: usage: conform off|cycle < FILE.case
 * It needs the library and libc only, so a cross compiler without zlib can build it. Ends with "N passed, N failed". */
#include <stdio.h>
#include <string.h>

#include "tessera/conform.h"

static long read_input(void *context, char *bytes, size_t size) {
  size_t count = fread(bytes, 1, size, context);
  return ferror((FILE *)context) ? -1 : (long)count;
}

int main(int argc, char **argv) {
  struct tessera_case_options options = {
      .timing = argc > 1 && !strcmp(argv[1], "off") ? TESSERA_TIMING_OFF : TESSERA_TIMING_CYCLE, .threads = 2};
  struct tessera_cases *cases = tessera_cases_open("input", read_input, stdin);
  struct tessera_tile *tile = tessera_tile_create(options.timing);
  if (!cases || !tile) return 1;
  unsigned passed = 0, failed = 0;
  enum tessera_result next;
  while ((next = tessera_cases_next(cases)) == TESSERA_OK) {
    struct tessera_case_result result;
    struct tessera_case current;
    if (tessera_cases_run(cases, tile, &options, &result) != TESSERA_OK) result.passed = 0;
    if (!result.passed && failed < 5 && tessera_cases_current(cases, &current) == TESSERA_OK)
      printf("%s: %s\n", current.name, tessera_cases_why(cases));
    passed += result.passed != 0;
    failed += result.passed == 0;
  }
  if (next != TESSERA_DONE) printf("%s\n", tessera_cases_error(cases));
  tessera_tile_destroy(tile);
  tessera_cases_close(cases);
  printf("%u passed, %u failed\n", passed, failed);
  return failed || next != TESSERA_DONE;
}
