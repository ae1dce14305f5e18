/* Runs the compiler: a list of words without a shell, with its messages in a file. */
#ifndef TESSERA_CLI_KERNEL_SPAWN_H
#define TESSERA_CLI_KERNEL_SPAWN_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define KERNEL_WORDS 160u

/* A growing command line. It copies its words. */
struct kernel_words {
  char *word[KERNEL_WORDS + 1];
  size_t count;
  bool full, no_memory; /* a word was not added */
};
void kernel_words_add(struct kernel_words *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
void kernel_words_free(struct kernel_words *w);

/* The path of a program by the rules of execvp; false: there is none. */
bool kernel_find_program(const char *name, char *path, size_t size);
/* A signal that ends the command ends it too, with what it has started. Starts it with standard output and error in the file `log`; -1 with errno set. */
pid_t kernel_spawn(const char *program, struct kernel_words *w, const char *log);
/* Its exit code; -1: a signal ended it. */
int kernel_wait(pid_t process);

#endif
