/* Words in L1 that the pack core leaves for the writer, and the count of them. */
enum { SUMS = 0x100000, COUNT = 0x100100 };
