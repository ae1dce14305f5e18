/* The HTML report's page: the text before and after its data. One self-contained file; it loads nothing from the network. */
#ifndef TESSERA_CLI_REPORT_PAGE_H
#define TESSERA_CLI_REPORT_PAGE_H

extern const char *const cli_report_head; /* the part before the data */
extern const char *const cli_report_tail; /* the script that shows the data */

#endif
