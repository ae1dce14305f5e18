/* A path of the vendor with nothing behind it here. */
#error "api/scratchpad.h: scratchpads are bound by the host of Metal 2.0, which this library has not: use a circular buffer that only one kernel fills"
