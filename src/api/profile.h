/* The account and the profile of a tile. */
#ifndef TESSERA_API_PROFILE_H
#define TESSERA_API_PROFILE_H

#include "api/tile_value.h"
#include "debug/frames.h"

/* Begins or ends both (TESSERA_OPTION_ACCOUNT). */
enum tessera_result api_set_profile(struct tessera_tile *tile, bool on);
/* Both, if there are any, begin again after the tile's present cycle, with the same region if that has not begun. */
void api_restart_profile(struct tessera_tile *tile);

/* Builds the line index of a core's program; index->elf is NULL if there is no program or no memory. The caller frees the
 * result, which is NULL if the program's file keeps the index for later questions. */
void *api_line_index(const struct dbg_program *program, unsigned core, struct dbg_index *index);
/* Of all cores; the caller frees each memory. */
void api_line_indexes(const struct dbg_program *program, struct dbg_index index[TX_CORES], void *memory[TX_CORES]);

/* Tiles of a grid often run one program, each from its own copy of the file. */
bool api_same_program(const struct dbg_program *a, const struct dbg_program *b);

#endif
