// SPDX-License-Identifier: GPL-2.0-or-later
/* expression.c - see expression.h. */
#include <dwarf.h>

#include "expression.h"

#define MOST_VALUES	8
#define MOST_OPERATIONS	32
#define PAGE		4096U	/* the smallest: a file's addresses and a process's agree below it */

struct machine {
	const struct expression_registers *r;
	struct expression_value stack[MOST_VALUES];
	size_t used;
};

static bool push(struct machine *m, enum expression_base base, uint64_t offset)
{
	if (m->used == MOST_VALUES)
		return false;
	m->stack[m->used++] = (struct expression_value){ .base = base, .offset = offset };
	return true;
}

static bool push_register(struct machine *m, uint64_t number, uint64_t offset)
{
	if (number == m->r->sp)
		return push(m, EXPRESSION_SP, offset);
	if (number == m->r->fp)
		return push(m, EXPRESSION_FP, offset);
	if (number == m->r->ip)
		return push(m, EXPRESSION_IP, m->r->ip_value + offset);
	return false;
}

static bool is_number(const struct expression_value *v)
{
	return v->base == EXPRESSION_NUMBER;
}

static bool add(struct expression_value *a, const struct expression_value *b)
{
	if (a->is_word || b->is_word || (!is_number(a) && !is_number(b)))
		return false;
	if (is_number(a))
		a->base = b->base;
	a->offset += b->offset;
	return true;
}

static bool calculate(struct expression_value *a, const struct expression_value *b, uint8_t atom)
{
	if (atom == DW_OP_plus)
		return add(a, b);
	/* Where in its page an instruction is does not depend on where the file is mapped. */
	if (atom == DW_OP_and && a->base == EXPRESSION_IP && b->offset < PAGE)
		a->base = EXPRESSION_NUMBER;
	if (!is_number(a) || !is_number(b) || (atom == DW_OP_shl && b->offset > 63))
		return false;
	if (atom == DW_OP_and)
		a->offset &= b->offset;
	else if (atom == DW_OP_shl)
		a->offset <<= b->offset;
	else
		a->offset = (int64_t)a->offset >= (int64_t)b->offset;
	return true;
}

static bool dereference(struct expression_value *v)
{
	if (v->is_word || (v->base != EXPRESSION_SP && v->base != EXPRESSION_FP))
		return false;
	v->is_word = true;
	return true;
}

static bool run(struct machine *m, const Dwarf_Op *op)
{
	const struct expression_value number = { .offset = op->number };
	struct expression_value *top = m->used ? &m->stack[m->used - 1] : NULL;

	if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31)
		return push_register(m, op->atom - DW_OP_breg0, op->number);
	if (op->atom >= DW_OP_lit0 && op->atom <= DW_OP_lit31)
		return push(m, EXPRESSION_NUMBER, op->atom - DW_OP_lit0);
	switch (op->atom) {
	case DW_OP_bregx:
		return push_register(m, op->number, op->number2);
	case DW_OP_call_frame_cfa:
		return push(m, EXPRESSION_CFA, 0);
	case DW_OP_plus_uconst:
		return top && add(top, &number);
	case DW_OP_deref:
		return top && dereference(top);
	case DW_OP_and:
	case DW_OP_ge:
	case DW_OP_plus:
	case DW_OP_shl:
		if (m->used < 2)
			return false;
		m->used--;
		return calculate(top - 1, top, op->atom);
	}
	return false;
}

bool expression_evaluate(const Dwarf_Op *ops, size_t count, const struct expression_registers *r,
			 struct expression_value *value)
{
	struct machine m = { .r = r };
	size_t i;

	if (count > MOST_OPERATIONS)
		return false;
	for (i = 0; i < count; i++)
		if (!run(&m, &ops[i]))
			return false;
	if (!m.used)
		return false;
	*value = m.stack[m.used - 1];
	return true;
}
