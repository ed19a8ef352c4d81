// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * waits.c - see waits.h.
 *
 * In: the programs' tables, in shared memory. Out: a run of a program for each thread whose wait
 * seems too long, or longer than all others that go on; it decides, and fires the trigger.
 */
#include <bpf/bpf.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>

#include "bpf/filter.h"
#include "bpf/waits.h"
#include "waits.h"

static void *map(int fd, size_t bytes)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	return p == MAP_FAILED ? NULL : p;
}

int waits_open(struct waits *w, int table, int groups, size_t threads)
{
	w->threads = threads;
	w->table = map(table, threads * sizeof(*w->table));
	w->groups = map(groups, threads / FXT_WAITS_GROUP);
	if (w->table && w->groups)
		return 0;
	waits_close(w);
	return -ENOMEM;
}

void waits_close(struct waits *w)
{
	if (w->table)
		munmap(w->table, w->threads * sizeof(*w->table));
	if (w->groups)
		munmap(w->groups, w->threads / FXT_WAITS_GROUP);
	w->table = NULL;
	w->groups = NULL;
}

static void look_at_wait(const struct waits *w, uint64_t index)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts,
		.ctx_in = &index,
		.ctx_size_in = sizeof(index),
	);

	bpf_prog_test_run_opts(w->prog, &opts);
}

/* Return: does a thread of the group wait? */
static bool look_at_group(const struct waits *w, size_t group, uint64_t now)
{
	size_t i, first = group * FXT_WAITS_GROUP;
	bool waits = false;
	uint64_t woken;

	for (i = first; i < first + FXT_WAITS_GROUP; i++) {
		woken = __atomic_load_n(&w->table[i].woken, __ATOMIC_ACQUIRE);
		if (!woken)
			continue;
		waits = true;
		if (now > woken &&
		    (now - woken > w->latency || now - woken > w->longest->value))
			look_at_wait(w, i);
	}
	return waits;
}

void waits_look(const struct waits *w, uint64_t now)
{
	size_t groups = w->threads / FXT_WAITS_GROUP, i;
	uint8_t state;
	uint64_t some;

	for (i = 0; w->table && i < groups; i++) {
		/* Most are empty. */
		if (!(i % sizeof(some))) {
			memcpy(&some, &w->groups[i], sizeof(some));
			if (!some) {
				i += sizeof(some) - 1;
				continue;
			}
		}
		state = __atomic_load_n(&w->groups[i], __ATOMIC_RELAXED);
		if (state == FXT_WAITS_WOKEN)
			__atomic_store_n(&w->groups[i], FXT_WAITS_SEEN, __ATOMIC_RELAXED);
		if (state == FXT_WAITS_NONE || look_at_group(w, i, now) ||
		    state != FXT_WAITS_SEEN)
			continue;
		__atomic_compare_exchange_n(&w->groups[i], &state, FXT_WAITS_NONE, false,
					    __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
	}
}
