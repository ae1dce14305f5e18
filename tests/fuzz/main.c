/* A plain main for fuzz targets without libFuzzer: runs every named file, and with -n COUNT that many mutations of them
 * from a fixed seed, so that a failure is reproducible. -s SEED sets another seed. Prints one line. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define INPUTS_MAX 256u
#define INPUT_BYTES (1u << 16)

static struct {
  uint8_t *data;
  size_t size;
} inputs[INPUTS_MAX];
static unsigned input_count;
static uint64_t random_state = 1;

static uint32_t draw(uint32_t below) {
  random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(random_state >> 33) % below;
}

static void read_input(const char *path) {
  FILE *f = fopen(path, "rb");
  uint8_t *data = malloc(INPUT_BYTES);
  if (!f || !data || input_count == INPUTS_MAX) {
    fprintf(stderr, "%s: cannot be read\n", path);
    exit(2);
  }
  inputs[input_count].data = data;
  inputs[input_count++].size = fread(data, 1, INPUT_BYTES, f);
  fclose(f);
}

/* Changes some bytes, copies a range from another offset, or truncates. */
static size_t mutate(uint8_t *data, size_t size) {
  for (uint32_t n = 1 + draw(8); n && size; n--) {
    uint32_t at = draw((uint32_t)size), from = draw((uint32_t)size), length = 1 + draw(16);
    switch (draw(5)) {
      case 0: data[at] = (uint8_t)draw(256); break;
      case 1: data[at] = (uint8_t)(data[at] ^ 1u << draw(8)); break;
      case 2: data[at] = (uint8_t)(draw(2) ? 0xff : 0); break;
      case 3:
        if (length > size - at) length = (uint32_t)size - at;
        if (length > size - from) length = (uint32_t)size - from;
        memmove(data + at, data + from, length);
        break;
      default:
        if (draw(8) == 0) size = at;
        break;
    }
  }
  return size;
}

int main(int argc, char **argv) {
  static uint8_t data[INPUT_BYTES];
  unsigned long count = 0;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "-n") == 0 && i + 1 < argc) count = strtoul(argv[++i], NULL, 10);
    else if (strcmp(argv[i], "-s") == 0 && i + 1 < argc) random_state = strtoull(argv[++i], NULL, 10);
    else read_input(argv[i]);
  }
  for (unsigned i = 0; i < input_count; i++) LLVMFuzzerTestOneInput(inputs[i].data, inputs[i].size);
  for (unsigned long n = 0; n < count && input_count; n++) {
    unsigned i = draw(input_count);
    memcpy(data, inputs[i].data, inputs[i].size);
    uint8_t *copy = malloc(inputs[i].size + 1); /* of exact size: a read past the end is detected */
    if (!copy) return 2;
    size_t size = mutate(data, inputs[i].size);
    memcpy(copy, data, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
  }
  printf("note: %s: %u files and %lu mutations\n", argv[0], input_count, count);
  return 0;
}
