// SPDX-License-Identifier: GPL-2.0-or-later
/* shares.c - see shares.h. */
#include <errno.h>
#include <stdlib.h>

#include "libfxt/heap.h"
#include "shares.h"

struct share_process {
	size_t next;	/* index of the next file */
	size_t end;	/* the one after the last */
	uint64_t spent;
};

struct share_user {
	struct share_process **processes;	/* heap of those that have files left */
	size_t count;
	uint64_t spent;
};

static int by_turn(const void *a, const void *b)
{
	const struct share *x = a, *y = b;

	if (x->user != y->user)
		return x->user < y->user ? -1 : 1;
	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	if (x->uses != y->uses)
		return x->uses > y->uses ? -1 : 1;
	return x->file < y->file ? -1 : x->file > y->file;
}

static bool process_before(const void *none, const struct share_process *a,
			   const struct share_process *b)
{
	(void)none;
	return a->spent < b->spent;
}

static bool user_before(const void *none, const struct share_user *a, const struct share_user *b)
{
	(void)none;
	return a->spent < b->spent;
}

/* Nothing was spent yet, so any order is that of a heap. */
static void make_heaps(struct shares *s, size_t count)
{
	struct share_process *p = NULL;
	struct share_user *u = NULL;
	size_t processes = 0, i;

	for (i = 0; i < count; i++) {
		bool is_user = !i || s->all[i].user != s->all[i - 1].user;

		if (is_user) {
			u = &s->user_list[s->count];
			u->processes = s->order + processes;
			s->users[s->count++] = u;
		}
		if (is_user || s->all[i].process != s->all[i - 1].process) {
			p = &s->processes[processes];
			p->next = i;
			s->order[processes++] = p;
			u->count++;
		}
		p->end = i + 1;
	}
}

int shares_open(struct shares *s, struct share *all, size_t count)
{
	*s = (struct shares){
		.all = all, .processes = calloc(count + 1, sizeof(*s->processes)),
		.order = calloc(count + 1, sizeof(*s->order)),
		.user_list = calloc(count + 1, sizeof(*s->user_list)),
		.users = calloc(count + 1, sizeof(*s->users)),
	};
	if (!s->processes || !s->order || !s->user_list || !s->users)
		return -ENOMEM;
	if (count)
		qsort(all, count, sizeof(*all), by_turn);
	make_heaps(s, count);
	return 0;
}

bool shares_next(const struct shares *s, size_t *file, uint64_t *spent)
{
	if (!s->count)
		return false;
	*file = s->all[s->users[0]->processes[0]->next].file;
	*spent = s->users[0]->spent;
	return true;
}

void shares_spend(struct shares *s, uint64_t ns)
{
	struct share_user *u = s->users[0];
	struct share_process *p = u->processes[0];

	u->spent += ns;
	p->spent += ns;
	if (++p->next == p->end)
		heap_pop(u->processes, u->count, process_before, NULL);
	else
		heap_set_top(u->processes, u->count, p, process_before, NULL);
	if (!u->count)
		heap_pop(s->users, s->count, user_before, NULL);
	else
		heap_set_top(s->users, s->count, u, user_before, NULL);
}

void shares_close(struct shares *s)
{
	free(s->processes);
	free(s->order);
	free(s->user_list);
	free(s->users);
	*s = (struct shares){ .count = 0 };
}
