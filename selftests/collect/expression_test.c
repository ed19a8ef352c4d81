// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Expressions in call frame information. Those of linkage tables and signal handlers, as linkers
 * and libc write them, yield the values that the processor would have; others, that need more than
 * one register, or that are damaged, yield none.
 */
#include "harness.h"

#include <dwarf.h>

#include "libsym/cfi.h"

#define IP	0x401020U
#define MOST	40

/* Numbers of registers are those of x86-64. */
static bool evaluate_at(uint64_t ip, const Dwarf_Op *ops, struct expression_value *v)
{
	const struct expression_registers r = { .sp = 7, .fp = 6, .ip = 16, .ip_value = ip };
	size_t count = 0;

	while (ops[count].atom)
		count++;
	return expression_evaluate(ops, count, &r, v);
}

#define OPS(...)	((const Dwarf_Op[]){ __VA_ARGS__, { .atom = 0 } })
#define OP(name, ...)	{ .atom = DW_OP_##name, ##__VA_ARGS__ }

#define EXPECT_VALUE(of, at, word, ...) do {				\
	struct expression_value v;					\
									\
	ASSERT_TRUE(evaluate_at(IP, OPS(__VA_ARGS__), &v));		\
	EXPECT_EQ(EXPRESSION_##of, v.base);				\
	EXPECT_EQ((uint64_t)(at), v.offset);				\
	EXPECT_EQ(word, v.is_word);					\
} while (0)

#define EXPECT_NONE(...) do {						\
	struct expression_value v;					\
									\
	EXPECT_FALSE(evaluate_at(IP, OPS(__VA_ARGS__), &v));		\
} while (0)

TEST(registers_and_distances)
{
	EXPECT_VALUE(SP, 8, false, OP(breg7, .number = 8));
	EXPECT_VALUE(FP, -16, false, OP(breg6, .number = -16));
	EXPECT_VALUE(SP, 24, false, OP(bregx, .number = 7, .number2 = 24));
	EXPECT_VALUE(CFA, 0, false, OP(call_frame_cfa));
	EXPECT_VALUE(CFA, -8, false, OP(call_frame_cfa), OP(plus_uconst, .number = -8));
	EXPECT_VALUE(SP, 10, false, OP(lit3), OP(breg7, .number = 7), OP(plus));
}

/* libc's rules for the registers that a signal's frame holds. They do not use the CFA below. */
TEST(signal_handlers)
{
	EXPECT_VALUE(SP, 160, true, OP(breg7, .number = 160), OP(deref));
	EXPECT_VALUE(SP, 168, false, OP(call_frame_cfa), OP(breg7, .number = 168));
}

/* In each entry of 16 bytes, a linkage table has pushed a word from the 12th byte on. */
TEST(linkage_tables)
{
	static const Dwarf_Op ops[] = {
		OP(breg7, .number = 8), OP(breg16), OP(lit15), OP(and), OP(lit11), OP(ge),
		OP(lit3), OP(shl), OP(plus), { .atom = 0 },
	};
	struct expression_value v;

	for (unsigned int i = 0; i < 64; i++) {
		ASSERT_TRUE(evaluate_at(IP + i, ops, &v));
		EXPECT_EQ(EXPRESSION_SP, v.base);
		EXPECT_FALSE(v.is_word);
		EXPECT_EQ(i % 16 < 11 ? 8U : 16U, v.offset);
	}
}

TEST(comparisons_have_signs)
{
	EXPECT_VALUE(NUMBER, 0, false, OP(lit0), OP(plus_uconst, .number = -1), OP(lit0), OP(ge));
	EXPECT_VALUE(NUMBER, 1, false, OP(lit0), OP(lit0), OP(ge));
}

TEST(what_needs_more_has_no_value)
{
	/* Another register, two registers, memory at a value from memory, memory at a constant. */
	EXPECT_NONE(OP(breg3));
	EXPECT_NONE(OP(bregx, .number = UINT64_MAX));
	EXPECT_NONE(OP(breg7), OP(breg6), OP(plus));
	EXPECT_NONE(OP(breg7), OP(deref), OP(deref));
	EXPECT_NONE(OP(breg7), OP(deref), OP(plus_uconst, .number = 8));
	EXPECT_NONE(OP(lit1), OP(deref));
	EXPECT_NONE(OP(call_frame_cfa), OP(deref));
	EXPECT_NONE(OP(breg7), OP(lit15), OP(and));
	EXPECT_NONE(OP(breg16), OP(lit15), OP(ge));
	/* Higher bits of an address depend on where the program is mapped. */
	EXPECT_NONE(OP(breg16), OP(lit1), OP(lit12), OP(shl), OP(and));
	EXPECT_NONE(OP(breg7), OP(stack_value));
	EXPECT_NONE(OP(skip, .number = 0));
}

TEST(damaged_expressions_have_no_value)
{
	Dwarf_Op ops[MOST + 1] = { { .atom = 0 } };
	struct expression_value v;

	EXPECT_FALSE(evaluate_at(IP, ops, &v));
	EXPECT_NONE(OP(plus));
	EXPECT_NONE(OP(lit1), OP(plus));
	EXPECT_NONE(OP(deref));
	EXPECT_NONE(OP(plus_uconst));
	EXPECT_NONE(OP(lit1), OP(lit0), OP(plus_uconst, .number = 64), OP(shl));
	/* Too many values, too many operations. */
	for (unsigned int i = 0; i < 9; i++)
		ops[i].atom = DW_OP_lit1;
	EXPECT_FALSE(evaluate_at(IP, ops, &v));
	for (unsigned int i = 1; i < MOST; i++)
		ops[i].atom = DW_OP_plus_uconst;
	EXPECT_FALSE(evaluate_at(IP, ops, &v));
}
