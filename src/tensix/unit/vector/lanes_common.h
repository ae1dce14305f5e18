/* Operations whose formula is the same for one lane and for a vector of lanes. lanes_scalar.c and lanes_body.h include this
 * list where their EACH_LANE, A, B, C and add_exponent are defined, so it has no include guard. The two compilations of one
 * formula do not verify each other: test_vector_ops.c and the conformance cases check these operations. */
EACH_LANE(ADD, C + B)
EACH_LANE(SUB, C - B)
EACH_LANE(ADDI, C + x->i)
EACH_LANE(AND, B &C)
EACH_LANE(OR, B | C)
EACH_LANE(XOR, B ^ C)
EACH_LANE(NOT, ~C)
EACH_LANE(FLIP, C ^ x->i)
EACH_LANE(KEEP_OR, (C & x->i) | x->j)
EACH_LANE(MERGE, (C & ~x->i) | (B & x->i))
EACH_LANE(MERGE_EXPONENT, (C & ~0x7f800000u) | (B & 255u) << 23)
EACH_LANE(ADD_EXPONENT, add_exponent(C, x->i))
EACH_LANE(EXPONENT, (C >> 23 & 255u) - x->i)
