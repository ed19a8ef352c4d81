// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * unwind.c - see unwind.h.
 *
 * The kernel takes the innermost frame from the program counter, and the next one from behind
 * the word that the frame pointer points to. Functions in between have no frame pointer, and leave
 * the register alone. So unwinding ends at the function whose return address is in that place.
 */
#include "unwind.h"

#if defined(__aarch64__)
#define ADDRESS_MASK	((1ULL << 48) - 1)	/* without the authentication code */
#else
#define ADDRESS_MASK	(~0ULL)
#endif

/**
 * struct registers - of the function that is left next
 * @ip: its address, or where it returns to
 * @sp: the stack pointer
 * @fp: the register of the frame pointer, if @has_fp
 * @is_exact: @ip is an instruction that has not run yet, not one behind a call
 */
struct registers {
	uint64_t ip;
	uint64_t sp;
	uint64_t fp;
	bool has_fp;
	bool is_exact;
};

static bool read_word(const struct unwinding *u, uint64_t at, uint64_t *word)
{
	uint64_t from = at - u->copy[FXT_SCHED_COPY_SP];

	if (from % FXT_WORD || from / FXT_WORD >= u->words - FXT_SCHED_COPY_HEAD)
		return false;
	*word = u->copy[FXT_SCHED_COPY_HEAD + from / FXT_WORD];
	return true;
}

static void add(struct unwinding *u, uint64_t frame)
{
	if (u->found < FXT_SCHED_STACK_FRAMES)
		u->result[u->found++] = frame;
}

/* The frames that the kernel found, but for the innermost one. */
static void add_known(struct unwinding *u)
{
	size_t i;

	for (i = 1; i < u->count; i++)
		add(u, u->frames[i]);
}

enum step {
	STEP_FINE,
	STEP_MET,	/* the return address is where the kernel found it */
	STEP_END,	/* there is no caller */
	STEP_UNKNOWN
};

/* @base: what the CFA counts from */
static void restore_fp(const struct unwinding *u, const struct cfi_rule *rule, uint64_t cfa,
		       uint64_t base, struct registers *r)
{
	if (rule->fp == CFI_SAVED || rule->fp == CFI_SAVED_AT_BASE)
		r->has_fp = read_word(u, (rule->fp == CFI_SAVED ? cfa : base) + rule->fp_at,
				      &r->fp);
	else if (rule->fp == CFI_LOST)
		r->has_fp = false;
}

/* Leave a function. */
static enum step step(const struct unwinding *u, struct registers *r, bool is_first)
{
	/* A call may be the last instruction of a function. */
	const struct cfi_rule *rule = u->rule(u->arg, r->ip - !r->is_exact);
	uint64_t base, cfa, link;

	if (rule && rule->link == CFI_LOST)
		return STEP_END;
	if (!rule || (rule->base == CFI_FP && !r->has_fp))
		return STEP_UNKNOWN;
	base = rule->base == CFI_SP ? r->sp : r->fp;
	cfa = base + rule->cfa;
	if (rule->is_cfa_saved && !read_word(u, cfa, &cfa))
		return STEP_UNKNOWN;
	/* Frames that do not grow would never end. */
	if (cfa < r->sp || (cfa == r->sp && !is_first))
		return STEP_UNKNOWN;
	r->sp = cfa;
	link = (rule->link == CFI_SAVED ? cfa : base) + rule->link_at;
	if (rule->link == CFI_KEPT) {
		/* Only the innermost function can have it in a register, on arm64. */
		if (!is_first || !u->copy[FXT_SCHED_COPY_LINK])
			return STEP_UNKNOWN;
		r->ip = u->copy[FXT_SCHED_COPY_LINK];
	} else if (link == u->copy[FXT_SCHED_COPY_FP] + FXT_WORD) {
		return STEP_MET;
	} else if (!read_word(u, link, &r->ip)) {
		return STEP_UNKNOWN;
	}
	restore_fp(u, rule, cfa, base, r);
	r->is_exact = rule->is_signal;
	r->ip &= ADDRESS_MASK;
	return r->ip ? STEP_FINE : STEP_END;
}

/*
 * Has the register held something else than a frame pointer? So it is if a function has saved it,
 * and used it for something else; or if it points into the frame of a function that was left, or
 * whose return address the copy lacks.
 */
static bool is_no_frame_pointer(const struct unwinding *u, const struct registers *r)
{
	const uint64_t fp = u->copy[FXT_SCHED_COPY_FP];

	return !r->has_fp || r->fp != fp || r->sp > fp;
}

void unwind(struct unwinding *u)
{
	struct registers r = {
		.ip = u->frames[0],
		.sp = u->copy[FXT_SCHED_COPY_SP],
		.fp = u->copy[FXT_SCHED_COPY_FP],
		.has_fp = true,
		.is_exact = true,
	};
	enum step done = STEP_FINE;

	u->found = u->added = 0;
	while (u->found < FXT_SCHED_STACK_FRAMES && done == STEP_FINE) {
		add(u, r.ip);
		done = step(u, &r, u->found == 1);
	}
	u->added = u->found - 1;
	u->is_whole = done != STEP_UNKNOWN;
	if (done == STEP_MET || (done == STEP_UNKNOWN && !is_no_frame_pointer(u, &r)))
		add_known(u);
}
