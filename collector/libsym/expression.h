/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * expression.h - values of the expressions in call frame information.
 *
 * In:  an expression, as libdw reads it. Out: its value, as far as it follows from one register
 * and one word of memory. So it is in linkage tables and in what returns from signal handlers.
 */
#ifndef LIBSYM_EXPRESSION_H
#define LIBSYM_EXPRESSION_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a value counts from. */
enum expression_base {
	EXPRESSION_NUMBER,	/* nothing */
	EXPRESSION_SP,
	EXPRESSION_FP,
	EXPRESSION_IP,
	EXPRESSION_CFA,
};

/**
 * struct expression_value - a value
 * @base: of type enum expression_base
 * @is_word: it is the word of memory at that place
 * @offset: bytes from @base; of EXPRESSION_IP an address of the file
 */
struct expression_value {
	uint8_t base;
	bool is_word;
	uint64_t offset;
};

/**
 * struct expression_registers - of an architecture, by their numbers in DWARF
 * @ip_value: address in the file of the instruction for which to evaluate
 */
struct expression_registers {
	uint64_t sp;
	uint64_t fp;
	uint64_t ip;
	uint64_t ip_value;
};

/**
 * expression_evaluate() - evaluate an expression
 * @ops: its operations, @count of them, from anyone
 * @r: the registers
 * @value: set to the value
 *
 * Return: false if it needs more than there is.
 */
bool expression_evaluate(const Dwarf_Op *ops, size_t count, const struct expression_registers *r,
			 struct expression_value *value);

#endif /* LIBSYM_EXPRESSION_H */
