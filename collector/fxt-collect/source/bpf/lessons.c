// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lessons.c - see lessons.h.
 */
#include <stdlib.h>
#include <sys/mman.h>

#include "frames.h"
#include "lessons.h"

/**
 * struct lessons - the lessons, and what was learned
 * @config: of the caller
 * @cpus: lessons of each CPU, mapped
 * @learner: what was learned
 */
struct lessons {
	struct lessons_config config;
	struct fxt_bpf_lessons *cpus;
	struct frame_learner learner;
};

struct lessons *lessons_open(const struct lessons_config *c)
{
	struct lessons *l = calloc(1, sizeof(*l));

	if (!l)
		return NULL;
	l->config = *c;
	l->learner.table = c->table;
	l->cpus = mmap(NULL, c->cpus * sizeof(*l->cpus), PROT_READ | PROT_WRITE, MAP_SHARED,
		       c->fd, 0);
	if (l->cpus != MAP_FAILED)
		return l;
	free(l);
	return NULL;
}

static void learn_of(struct lessons *l, struct fxt_bpf_lessons *cpu)
{
	uint32_t given = __atomic_load_n(&cpu->given, __ATOMIC_ACQUIRE), read = cpu->read;

	for (; read != given; read++)
		frames_learn(&l->learner, &cpu->all[read % FXT_BPF_LESSONS], l->config.depth);
	__atomic_store_n(&cpu->read, read, __ATOMIC_RELEASE);
}

void lessons_learn(struct lessons *l)
{
	unsigned int i;

	if (!l)
		return;
	for (i = 0; i < l->config.cpus; i++)
		learn_of(l, &l->cpus[i]);
	__atomic_store_n(l->config.running, l->learner.running, __ATOMIC_RELAXED);
}

struct stack_checks lessons_checks(const struct lessons *l)
{
	if (!l)
		return (struct stack_checks) { 0 };
	return (struct stack_checks) {
		.stacks = __atomic_load_n(&l->config.checks->stacks, __ATOMIC_RELAXED),
		.wrong = __atomic_load_n(&l->config.checks->wrong, __ATOMIC_RELAXED),
	};
}

void lessons_close(struct lessons *l)
{
	if (!l)
		return;
	munmap(l->cpus, l->config.cpus * sizeof(*l->cpus));
	free(l);
}
