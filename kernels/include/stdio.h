/* Kernels print with DPRINT; this file is for sources that include stdio.h and use nothing of it. Host programs get their own. */
#if __STDC_HOSTED__
#include_next <stdio.h>
#endif
