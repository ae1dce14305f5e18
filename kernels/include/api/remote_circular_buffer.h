/* A path of the vendor with nothing behind it here. */
#error "api/remote_circular_buffer.h: a circular buffer of another tile has no counterpart here: send pages with noc_async_write and a semaphore (docs/guide/chip.md)"
