/* A tile inside another program: runs an executable on TRISC1, reads its result, restores the saved state and runs it again.
 *
 *   cc embed.c -ltessera -o embed && ./embed kernel.elf     (kernel.elf writes its result to L1 address 0x20000 and ends in ebreak) */
#include <stdio.h>
#include <stdlib.h>

#include <tessera/tensix.h>

static void *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  void *bytes = malloc(1 << 20);
  *size = file && bytes ? fread(bytes, 1, 1 << 20, file) : 0;
  if (file) fclose(file);
  return bytes;
}

int main(int argc, char **argv) {
  size_t size = 0;
  void *file = argc == 2 ? read_file(argv[1], &size) : NULL;
  struct tessera_tile *tile = tessera_tile_create(TESSERA_TIMING_CYCLE);
  size_t state_size = tessera_tile_state_size(tile);
  void *before = malloc(state_size);
  if (!size || !tile || !before) return fprintf(stderr, "usage: embed kernel.elf\n"), 2;

  if (tessera_tile_load_elf(tile, TESSERA_TRISC1, file, size) != TESSERA_OK)
    return fprintf(stderr, "%s: %s\n", argv[1], tessera_tile_error(tile)), 2;
  tessera_tile_save(tile, before, state_size);

  for (uint32_t input = 10; input <= 20; input += 10) {
    uint32_t result = 0, pc = 0;
    uint64_t instructions = 0;
    tessera_tile_restore(tile, before, state_size);
    tessera_tile_write(tile, 0x20008, &input, 4);
    tessera_tile_start(tile, 1u << TESSERA_TRISC1);
    enum tessera_result end = tessera_tile_run(tile, 1000000);
    if (end != TESSERA_DONE) return printf("%s", tessera_tile_explain(tile)), 1;
    tessera_tile_read(tile, 0x20000, &result, 4);
    tessera_tile_register(tile, TESSERA_FILE_CORE, TESSERA_TRISC1, 64, &pc);
    tessera_tile_counter(tile, TESSERA_COUNTER_INSTRUCTIONS, TESSERA_TRISC1, &instructions);
    printf("input %u: result %u after %llu cycles, %llu instructions, stopped at 0x%x\n", input, result,
           (unsigned long long)tessera_tile_cycle(tile), (unsigned long long)instructions, pc);
  }
  tessera_tile_destroy(tile);
  free(before);
  free(file);
  return 0;
}
