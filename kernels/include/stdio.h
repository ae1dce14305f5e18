/* Kernels print with DPRINT; this file is for sources that include stdio.h and use none of its functions. Host programs use
 * their own. */
#if __STDC_HOSTED__
#include_next <stdio.h>
#endif
