/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wakers.h - what ended the sleep of a thread.
 *
 * In:  a history, and a turn that began with a wakeup.
 * Out: the thread whose time explains the sleep, with its turn; or an interrupt. history_ended_by()
 *	has what was done in the interrupt, or by the thread.
 */
#ifndef FXT_ACCOUNT_WAKERS_H
#define FXT_ACCOUNT_WAKERS_H

#include "waits.h"

enum account_ended_by {
	ENDED_BY_UNKNOWN,
	ENDED_BY_THREAD,	/* which woke it, or raised the soft interrupt that did */
	ENDED_BY_INTERRUPT,	/* or an idle CPU, or a timer of the thread itself */
};

struct account_waker {
	enum account_ended_by by;
	uint32_t turn;		/* of the thread, in which it ended the sleep */
	uint64_t left;		/* ns, until when it had a CPU then, at most until the wakeup */
};

/* What ended the sleep before @t, which begins with a wakeup. */
struct account_waker account_waker(struct account *a, struct history_raised *raised,
				   const struct history_turn *t);

#endif /* FXT_ACCOUNT_WAKERS_H */
