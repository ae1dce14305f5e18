/* Output files of the command. A file has another name until it is complete, so that a reader never sees a partial file and an
 * interrupted run leaves the old one. Devices, pipes and links are written in place. */
#ifndef TESSERA_CLI_OUTPUT_H
#define TESSERA_CLI_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

/* Is it the name of a file? false after one line for "-": standard output has the report of the run. */
bool cli_is_file(const char *verb, const char *option, const char *path);
/* NULL with errno set. */
FILE *cli_create(const char *path);
/* Before work that takes long: could cli_create create it? false with errno set. Leaves nothing behind. */
bool cli_can_create(const char *path);
/* The same for a block of bytes: has the disk room? */
bool cli_can_write(const char *path);
FILE *cli_create_or_stdout(const char *path); /* "-" is standard output */
/* A file without a name, in the directory of `path` (of a device or pipe: that of temporary files), to write and read: it vanishes with
 * the process. NULL with errno set. */
FILE *cli_nameless(const char *path);
/* What the next file to be finished was to hold could not be made, for the reason of that errno. Returns false. */
bool cli_blame(int why);
/* Everything has been written into the file; if not, its reason is that of the next file to be finished. */
bool cli_flushed(FILE *file);
/* Closes the file and renames it. `good`: all writes succeeded; otherwise the file is removed. false: the file was not
 * created. */
bool cli_finish(FILE *file, const char *path, bool good);
/* After that: one line with the reason, for the first of several files. Returns CLI_BAD_INPUT. */
int cli_not_written(const char *verb, const char *path);
/* Removes every file that has been created and not been finished; returns how many. A signal that ends the command does so too. */
unsigned cli_remove_unfinished(void);
/* Closes and removes a file; NULL does nothing. */
void cli_discard(FILE *file, const char *path);

#endif
