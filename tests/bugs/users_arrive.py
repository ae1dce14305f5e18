"""Further rows for users.py: several tiles change one word, and a wait is credited with those that its end needs."""
R = 'reader.c'

SIGNAL = '  noc_semaphore_inc(get_noc_addr(x, my_y, ARRIVED), 1);\n'
WAIT = '  while (arrived() < 3 * round) {}\n'
FIELDS = '  noc_semaphore_inc(get_noc_addr(x, my_y, ARRIVED), 1u << 8 * (column - 1));\n'
BYTES = '  *(volatile uint8_t *)(FLAG + column) = (uint8_t)round;\n  l1_fence(FLAG);\n  noc_async_write(FLAG + column, get_noc_addr(x, my_y, ARRIVED + column), 1);\n'
LOAD = 'static uint32_t arrived(void) { return tt_load(ARRIVED); }\n'
BYTE = LOAD + 'static uint32_t byte(uint32_t k) { return *(volatile uint8_t *)(ARRIVED + k); }\n'


def wait(what, wait, signal=SIGNAL, load=LOAD):
    return ('arrive', what, R, LOAD, load, R, SIGNAL, signal, R, WAIT, f'  {wait}\n')


FIELD = '(arrived() >> 8 * %d & 255u) != round'

BUGS = [
    wait('waits for two of three', 'while (arrived() < 3 * round - 1) {}'),
    wait('leaves the third field of the word out', f'while ({FIELD % 0} || {FIELD % 1}) {{}}', FIELDS),
    wait('leaves the first field of the word out', f'while ({FIELD % 1} || {FIELD % 2}) {{}}', FIELDS),
    wait('a mask without the third field', 'while ((arrived() & 0xffffu) != 0x101u * round) {}', FIELDS),
    wait('any field is enough', f'while ({FIELD % 0} && {FIELD % 1} && {FIELD % 2}) {{}}', FIELDS),
    wait('leaves the first byte out', 'while (byte(3) != round) {} while (byte(2) != round) {}', BYTES, BYTE),
    wait('leaves the last byte out', 'while (byte(1) != round) {} while (byte(2) != round) {}', BYTES, BYTE),
    wait('a mask without the last byte', 'while ((arrived() & 0xffff00u) != 0x10100u * round) {}', BYTES),
    wait('gives up after some turns', 'for (uint32_t turns = 0; turns < 4 && arrived() < 3 * round; turns++) {}'),
]

CORRECT = [
    wait('waits for the sum of three', 'while (arrived() != 3 * round) {}'),
    wait('waits for three fields', f'while ({FIELD % 0} || {FIELD % 1} || {FIELD % 2}) {{}}', FIELDS),
    wait('waits for one field after the other', f'for (uint32_t k = 0; k < 3; k++) while ((arrived() >> 8 * k & 255u) != round) {{}}', FIELDS),
    wait('waits for the word of three fields', 'while (arrived() != 0x10101u * round) {}', FIELDS),
    wait('waits for three bytes', 'while (byte(1) != round) {} while (byte(2) != round) {} while (byte(3) != round) {}', BYTES, BYTE),
    wait('waits for the word of three bytes', 'while (arrived() != 0x1010100u * round) {}', BYTES),
    wait('waits for the smallest field', 'for (uint32_t least = 0; least < round;) { least = 255; for (uint32_t k = 0; k < 3; k++) { uint32_t field = arrived() >> 8 * k & 255u; if (field < least) least = field; } }', FIELDS),
    wait('looks once per turn', 'for (uint32_t left = 3; left;) { left = 3; uint32_t word = arrived(); for (uint32_t k = 0; k < 3; k++) if ((word >> 8 * k & 255u) == round) left--; }', FIELDS),
]
