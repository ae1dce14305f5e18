/* What the command does, through the installed library alone: the output is compared with the command's.
 *
 *   everything run CORE=FILE.elf      as tessera run --elf CORE=FILE.elf --json -
 *   everything exec FILE.tta          as tessera exec FILE.tta
 *   everything conform FILE.case      as tessera conform FILE.case
 *   everything pto FILE.pto           as tessera pto run FILE.pto
 *   everything state FILE.elf         saves, damages and restores a state
 *   everything debug FILE.elf         breakpoints, steps, watchpoints, conditions, writes, hooks, symbols */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/pto.h>
#include <tessera/tensix.h>

static char *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  char *bytes = malloc(64u << 20);
  *size = file && bytes ? fread(bytes, 1, (64u << 20) - 1, file) : 0;
  if (file) fclose(file);
  if (bytes) bytes[*size] = '\0';
  return bytes;
}

static int fail(const char *what) {
  fprintf(stderr, "everything: %s\n", what);
  return 2;
}

/* Configured as the command: with its default checkers. */
static struct tessera_tile *checked_tile(void) {
  struct tessera_tile *tile = tessera_tile_create(TESSERA_TIMING_CYCLE);
  tessera_tile_set_option(tile, TESSERA_OPTION_CHECK, TESSERA_CHECK_DEFAULT);
  return tile;
}

static struct tessera_tile *load(const char *path, enum tessera_core core) {
  size_t size;
  char *file = read_file(path, &size);
  struct tessera_tile *tile = checked_tile();
  if (tessera_tile_load_elf(tile, core, file, size) != TESSERA_OK) exit(fail(tessera_tile_error(tile)));
  tessera_tile_start(tile, 1u << core);
  free(file);
  return tile;
}

static int run(const char *argument) {
  char name[16];
  snprintf(name, sizeof name, "%.*s", (int)strcspn(argument, "="), argument);
  int core = tessera_core_number(name);
  if (core < 0) return fail("no such core");
  struct tessera_tile *tile = load(strchr(argument, '=') + 1, (enum tessera_core)core);
  tessera_tile_run(tile, 1000000000);
  fputs(tessera_tile_report(tile, TESSERA_REPORT_JSON), stdout);
  tessera_tile_destroy(tile);
  return 0;
}

static int exec(const char *path) {
  size_t size;
  char *text = read_file(path, &size);
  struct tessera_asm *program = tessera_assemble(path, text, size);
  struct tessera_tile *tile = checked_tile();
  if (tessera_tile_load_asm(tile, program) != TESSERA_OK) return fail(tessera_tile_error(tile));
  tessera_tile_run(tile, 100000000);
  fputs(tessera_tile_report(tile, TESSERA_REPORT_TEXT), stdout);
  tessera_tile_destroy(tile);
  tessera_asm_destroy(program);
  free(text);
  return 0;
}

static int conform(const char *path) {
  size_t size;
  char *text = read_file(path, &size);
  struct tessera_tile *tile = tessera_tile_create(TESSERA_TIMING_CYCLE);
  struct tessera_cases *cases = tessera_cases_text(path, text, size);
  unsigned counts[2] = {0};
  while (tessera_cases_next(cases) == TESSERA_OK) {
    struct tessera_case_result result;
    struct tessera_case current;
    tessera_cases_current(cases, &current);
    tessera_cases_run(cases, tile, NULL, &result);
    if (!result.passed) printf("FAIL %s (%s): %s\n", current.name, current.tags, tessera_cases_why(cases));
    counts[result.passed]++;
  }
  if (tessera_cases_error(cases)[0]) return fail(tessera_cases_error(cases));
  printf("%u passed, %u failed\n", counts[1], counts[0]);
  tessera_cases_close(cases);
  tessera_tile_destroy(tile);
  free(text);
  return 0;
}

static int pto(const char *path) {
  char error[1024];
  size_t size;
  char *text = read_file(path, &size);
  const struct tessera_pto_source source = {.name = path, .text = text, .length = size};
  struct tessera_pto_program *program = tessera_pto_parse_source(&source, error, sizeof error);
  if (!program) return fail(error);
  struct tessera_pto_machine *machine = tessera_pto_start(program, NULL);
  tessera_pto_run(machine, UINT64_C(1) << 50);
  fputs(tessera_pto_run_report(machine, TESSERA_PTO_REPORT_TEXT), stdout);
  tessera_pto_stop(machine);
  tessera_pto_destroy(program);
  free(text);
  return 0;
}

static int state(const char *path) {
  struct tessera_tile *tile = load(path, TESSERA_TRISC0);
  size_t size = tessera_tile_state_size(tile);
  unsigned char *saved = malloc(size);
  tessera_tile_run(tile, 100);
  tessera_tile_save(tile, saved, size);
  tessera_tile_run(tile, 1000000);
  uint64_t hash = tessera_tile_hash(tile);
  saved[size / 2] ^= 1;
  printf("flipped: %s, %s\n", tessera_result_name(tessera_tile_restore(tile, saved, size)), tessera_tile_error(tile));
  saved[size / 2] ^= 1;
  saved[8] ^= 1;
  printf("other version: %s, %s\n", tessera_result_name(tessera_tile_restore(tile, saved, size)), tessera_tile_error(tile));
  saved[8] ^= 1;
  printf("cut: %s, %s\n", tessera_result_name(tessera_tile_restore(tile, saved, size - 1)), tessera_tile_error(tile));
  printf("good: %s\n", tessera_result_name(tessera_tile_restore(tile, saved, size)));
  tessera_tile_run(tile, 1000000);
  printf("the same end: %s\n", tessera_tile_hash(tile) == hash ? "yes" : "no");
  tessera_tile_destroy(tile);
  free(saved);
  return 0;
}

static void count_event(void *context, const struct tessera_event *event) {
  (void)event;
  ++*(unsigned *)context;
}

static int debug(const char *path) {
  struct tessera_tile *tile = load(path, TESSERA_TRISC0);
  struct tessera_stop_info stop;
  uint32_t address = 0, pc = 0;
  unsigned events = 0;
  int hook = -1;
  tessera_tile_symbol(tile, TESSERA_TRISC0, "sum", &address);
  tessera_tile_entries(tile, TESSERA_TRISC0, "sum", &address, 1);
  tessera_tile_break(tile, TESSERA_TRISC0, address, NULL);
  tessera_tile_watch(tile, 0x20000, 4, NULL);
  tessera_tile_hook(tile, TESSERA_EVENT_BIT(TESSERA_EVENT_CORE), count_event, &events, &hook);
  for (unsigned i = 0; i < 2; i++) {
    enum tessera_result result = tessera_tile_run(tile, 1000000);
    tessera_tile_stop_info(tile, &stop);
    printf("%s: %s\n", tessera_result_name(result), tessera_stop_name(stop.reason));
    if (i == 0) printf("at the symbol: %s\n", stop.pc == address ? "yes" : "no");
    if (i) break;
    for (unsigned k = 0; k < 3; k++) tessera_tile_step(tile, TESSERA_TRISC0, 1000);
    tessera_tile_register(tile, TESSERA_FILE_CORE, TESSERA_TRISC0, 64, &pc);
    printf("stepped: %s\n", pc != address ? "yes" : "no");
  }
  tessera_tile_unwatch(tile, -1);
  tessera_tile_unbreak(tile, -1);
  printf("end: %s\n", tessera_result_name(tessera_tile_run(tile, 1000000)));
  printf("events: %s\n", events > 20 ? "many" : "few");
  tessera_tile_destroy(tile);
  return 0;
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    int (*run)(const char *argument);
  } verbs[] = {{"run", run}, {"exec", exec}, {"conform", conform}, {"pto", pto}, {"state", state}, {"debug", debug}};
  if (tessera_api_version() != TESSERA_API_VERSION) return fail("another API version");
  for (size_t i = 0; argc == 3 && i < sizeof verbs / sizeof *verbs; i++)
    if (strcmp(argv[1], verbs[i].name) == 0) return verbs[i].run(argv[2]);
  return fail("usage: everything run|exec|conform|pto|state|debug ARGUMENT");
}
