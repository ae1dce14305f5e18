/* Loads libttsim.so as UMD does: by its path, and as a copy in a memory file; two images at once; from several threads, one call at a
 * time; unloaded. Prints TAP. Usage: ttsim_loader LIBRARY. With a second argument: a child of fork uses the library; the exit status is 0 if
 * it ends by itself, has no device, and the parent keeps its own. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static int tests;

static void check(int good, const char *what) { printf("%s %d - %s\n", good ? "ok" : "not ok", ++tests, what); }

struct image {
  void *handle;
  void (*init)(void), (*exit)(void), (*clock)(uint32_t);
  uint32_t (*config)(uint32_t, uint32_t);
  void (*read)(uint64_t, void *, uint32_t);
  void (*write)(uint64_t, const void *, uint32_t);
};

static int load(struct image *image, const char *path) {
  image->handle = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
  if (!image->handle) return 0;
  *(void **)&image->init = dlsym(image->handle, "libttsim_init");
  *(void **)&image->exit = dlsym(image->handle, "libttsim_exit");
  *(void **)&image->clock = dlsym(image->handle, "libttsim_clock");
  *(void **)&image->config = dlsym(image->handle, "libttsim_pci_config_rd32");
  *(void **)&image->read = dlsym(image->handle, "libttsim_pci_mem_rd_bytes");
  *(void **)&image->write = dlsym(image->handle, "libttsim_pci_mem_wr_bytes");
  return image->init && image->exit && image->clock && image->config && image->read && image->write;
}

/* The library's bytes in a memory file: no name, no directory. */
static int load_copy(struct image *image, const char *path) {
  char name[64], buffer[65536];
  size_t got;
  FILE *file = fopen(path, "rb");
  int copy = memfd_create("libttsim", 0);
  if (!file || copy < 0) return 0;
  while ((got = fread(buffer, 1, sizeof buffer, file)) > 0)
    if (write(copy, buffer, got) != (ssize_t)got) return 0;
  fclose(file);
  snprintf(name, sizeof name, "/proc/self/fd/%d", copy);
  int good = load(image, name);
  close(copy);
  return good;
}

static uint32_t window_word(const struct image *image, uint32_t value) {
  static const uint32_t tile_1_2[3] = {0, 1u << 11 | 2u << 17, 0};
  uint32_t back = 0;
  for (unsigned i = 0; i < 3; i++) image->write(0x11fc00000ull + 4 * i, &tile_1_2[i], 4);
  image->write(0x100000040ull, &value, 4);
  image->read(0x100000040ull, &back, 4);
  return back;
}

static void *use(void *image) {
  uintptr_t wrong = 0;
  for (uint32_t i = 1; i < 200; i++) {
    wrong += window_word(image, i) != i;
    ((struct image *)image)->clock(1);
  }
  return (void *)wrong;
}

static long resident_kib(void) {
  long pages = 0, resident = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file || fscanf(file, "%ld %ld", &pages, &resident) != 2) resident = 0;
  if (file) fclose(file);
  return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

/* The child ends as a program does: the library's destructor runs. */
static int fork_with_device(struct image *image) {
  int status = 1;
  image->init();
  window_word(image, 5);
  image->clock(1000);
  pid_t child = fork();
  if (!child) {
    alarm(20);
    image->clock(1000);
    int alone = window_word(image, 6) == 0xffffffffu && image->config(0, 0) == 0xffffffffu;
    image->exit();
    exit(alone ? 0 : 3);
  }
  if (child < 0 || waitpid(child, &status, 0) != child || status) return 1;
  image->clock(1000);
  return window_word(image, 7) == 7 ? 0 : 1;
}

int main(int argc, char **argv) {
  struct image first, second;
  if (argc == 3) return load(&first, argv[1]) ? fork_with_device(&first) : 2;
  if (argc != 2) return 2;
  printf("1..9\n");
  check(load(&first, argv[1]), "the library has the nine entry points");
  check(!dlsym(first.handle, "libttsim_create_device_by_id") && !dlsym(first.handle, "libttsim_select_device_by_id"),
        "it does not claim to hold several chips");
  check(load_copy(&second, argv[1]), "a copy of it loads from a memory file");
  first.init();
  second.init();
  check(first.config(0, 0) == 0xb1401e52u && second.config(0, 0) == 0xb1401e52u, "two images work in one process");
  check(window_word(&first, 11) == 11 && window_word(&second, 22) == 22, "each has its own chip");
  pthread_t thread;
  void *wrong = (void *)1;
  for (unsigned i = 0; i < 3; i++) {
    pthread_create(&thread, NULL, use, &second);
    pthread_join(thread, &wrong);
    if (wrong) break;
  }
  check(!wrong, "calls may come from several threads");
  first.exit();
  check(first.config(0, 0) == 0xffffffffu, "after exit there is no device");
  first.init();
  check(window_word(&first, 33) == 33, "it can be initialised again");
  dlclose(first.handle); /* without exit */
  dlclose(second.handle);
  long before = resident_kib();
  for (unsigned i = 0; i < 20 && load(&first, argv[1]); i++) {
    first.init();
    window_word(&first, i);
    dlclose(first.handle);
  }
  check(resident_kib() - before < 16384, "unloading frees the chip");
  return 0;
}
