/* The page of a chip's report. */
#ifndef TESSERA_CLI_REPORT_CHIP_PAGE_H
#define TESSERA_CLI_REPORT_CHIP_PAGE_H

#include "cli/report_page.h"

extern const char *const cli_report_chip_body,
    *const cli_report_chip_tail; /* of a chip's report: the part after the verdict; its script */

#endif
