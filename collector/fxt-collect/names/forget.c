// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * forget.c - drop threads that have ended.
 *
 * In: the registry, and which of its threads exist. Out: the registry without those
 * that have ended. Its size follows the threads that live, not those that ever lived.
 */
#include <stdlib.h>

#include "proc.h"
#include "registry.h"

/*
 * A thread found ended for the first time stays for one more archive: its last records
 * may not have been fetched yet.
 */
void names_forget(struct names *n)
{
	size_t i, kept = 0;
	struct task *t;
	bool ended;

	names_look_at_proc(n);
	for (i = 0; i < n->count; i++) {
		t = &n->tasks[i];
		ended = !names_exists(n, t->id);
		if (ended && t->ended) {
			free(t->cgroup);
			continue;
		}
		t->ended = ended;
		n->tasks[kept++] = *t;
	}
	names_keep(n, kept);
}
