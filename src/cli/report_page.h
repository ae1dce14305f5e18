/* The HTML report's page: what is before and after its data. One self-contained file; nothing is fetched. */
#ifndef TESSERA_CLI_REPORT_PAGE_H
#define TESSERA_CLI_REPORT_PAGE_H

extern const char *const cli_report_head; /* up to the data */
extern const char *const cli_report_tail; /* the program that shows it */

extern const char *const cli_report_chip_body,
    *const cli_report_chip_tail; /* of a chip's report: after the verdict; its program */

#endif
