/* The list of verbs. */
#include "cli/verbs.h"

#include "cli/cli.h"

static const struct cli_verb *const verbs[] = {&cli_run,  &cli_debug, &cli_kernel, &cli_explore, &cli_annotate,  &cli_exec,
                                               &cli_asm,  &cli_dis,   &cli_isa,    &cli_explain, &cli_conform,   &cli_pto,
                                               &cli_chip, &cli_sim,   &cli_demo,   &cli_man,     &cli_completion};

const struct cli_verb cli_tessera = {
    .name = "",
    .what = "a simulator of tile-based AI accelerators",
    .usage = "VERB [ARGUMENTS]",
    .about = "Tessera simulates tile-based AI accelerators: the Tenstorrent Blackhole chip and the Ascend PTO "
             "Cube-Vector pipe.",
    .notes = "tessera VERB --help shows every option and an example; tessera --version the version.\n\n" CLI_EXIT_CODES,
    .example = "tessera isa MVMUL",
    .operands = CLI_NOTHING,
    .run = cli_run_sub,
    .subs = verbs,
    .sub_count = CLI_COUNT(verbs),
};
