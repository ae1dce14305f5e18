/* A source position as a value: copied out of the executable, so that it outlives it. */
#ifndef TESSERA_DEBUG_SOURCE_H
#define TESSERA_DEBUG_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

struct dbg_source {
  uint32_t pc;       /* 0: none, also for a .tta program, which has lines only */
  uint32_t line;     /* 0: not known */
  char file[96];     /* "reader.c"; "": not known */
  char also[128];    /* " or writer.c:20": the lines of other sources that give the same code; "": none */
  char path[256];    /* with its directory, as the compiler was given it */
  char function[64]; /* the user's function; "": not known */
  char call[64];     /* the library call that holds the pc; "": none */
  char caller[112];  /* "writer.c:5": the user's line that calls the function; "": not known, or the kernel's own function */
  char caller_path[256];
  uint32_t caller_line;
  bool library; /* every frame belongs to the library or the firmware */
};

#endif
