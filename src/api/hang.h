/* A waiter of observe in the API's form. */
#ifndef TESSERA_API_HANG_H
#define TESSERA_API_HANG_H

#include "observe/hang/hang_value.h"
#include "observe/report/report.h"
#include "tessera/hang.h"

void api_copy_waiter(struct tessera_waiter *to, const struct obs_waiter *from);
void api_copy_party(struct tessera_party *to, const struct obs_party *from, int x, int y);

#endif
