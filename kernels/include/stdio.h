/* Kernels print with DPRINT; this file is for sources that include stdio.h and use nothing of it. */
