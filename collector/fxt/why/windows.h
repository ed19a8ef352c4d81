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
#include "walk/filter.h"

/* What the windows are. */
enum why_kind {
	WHY_TRIGGER,	/* the wait that fired the trigger */
	WHY_WAIT,	/* the longest waits */
	WHY_SLEEP,	/* the longest sleeps, because there is no wait */
	WHY_TIME,	/* the selected time of threads */
	WHY_LIFE,	/* all recorded time of threads */
};

/**
 * struct why_choice - what the user wants to be explained
 * @has_thread: threads are chosen, by @koid or by @name
 * @by_id: by @koid
 * @is_program: processes are chosen, with all that they have started
 * @is_all: choose from the whole machine, even if a command was recorded
 * @worst: number of longest waits; 0: not given
 * @has_time: from @from to @to, ns; else these are all time
 */
struct why_choice {
	bool has_thread;
	bool by_id;
	bool is_program;
	bool is_all;
	uint64_t koid;
	struct fxt_glob name;
	size_t worst;
	bool has_time;
	uint64_t from;
	uint64_t to;
};

/**
 * struct why_windows - the list, and what it is
 * @is_of_command: only threads of the recorded command
 * @is_timed: of all threads, because that command only measured the time
 */
struct why_windows {
	enum why_kind kind;
	bool is_of_command;
	bool is_timed;
	struct why_window *list;
	size_t count;
};

/** why_choose() - find the windows, maybe none. Return: 0 or -ENOMEM */
int why_choose(const struct history *h, const struct why_choice *choice, struct why_windows *w);

#endif /* FXT_WHY_WINDOWS_H */
