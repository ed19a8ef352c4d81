/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * windows.h - which times of which threads to explain.
 *
 * In: a history, and the user's choice.
 * Out: windows: the longest waits or sleeps first, threads in the order of their first events.
 */
#ifndef FXT_WHY_WINDOWS_H
#define FXT_WHY_WINDOWS_H

#include "path.h"
#include "walk/scope.h"

enum why_kind {
	WHY_TRIGGER,	/* the wait that fired the trigger */
	WHY_TRIGGER_SLEEP,	/* the sleep that fired the trigger */
	WHY_WAIT,	/* the longest waits */
	WHY_SLEEP,	/* the longest sleeps, because there is no wait */
	WHY_TIME,	/* the selected time of threads */
	WHY_LIFE,	/* all recorded time of threads */
};

struct why_choice {
	struct scope scope;	/* threads, or processes and all that they started */
	uint64_t worst;		/* number of longest waits; 0: not given */
	bool has_time;		/* from @from to @to, ns; else these are all time */
	uint64_t from;
	uint64_t to;
};

struct why_windows {
	enum why_kind kind;
	uint64_t threads;	/* in the scope */
	struct why_window *list;
	size_t count;
};

/* Find the windows, perhaps none, and complete the scope of @choice. */
void why_choose(const struct history *h, struct why_choice *choice, struct why_windows *w);

/* Find all time of all threads of a complete scope. */
void why_find_lives(const struct history *h, const struct why_choice *choice, struct why_windows *w);

#endif /* FXT_WHY_WINDOWS_H */
