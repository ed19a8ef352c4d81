/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mappings.h - executable mappings of processes, with the build ids of their files: from the
 * kernel's perf events, which also show forks, execs and exits, and from /proc, which is read after
 * the recording has begun. A process need not live longer than it takes to map its program.
 */
#ifndef FXT_COLLECT_SYMBOLS_MAPPINGS_H
#define FXT_COLLECT_SYMBOLS_MAPPINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "libsym/images.h"
#include "libsym/texts.h"
#include "source/source.h"

struct proc_walk;

/*
 * The real user id of a process or thread, whose @id is as this process's /proc shows it;
 * UINT32_MAX if it has ended, or is hidden. Reads /proc/ID/status: the owner of that folder is root
 * if the process does not want core dumps.
 */
uint32_t user_of(uint32_t id);

/**
 * proc_walk_open() - list the processes that exist
 * @im: takes their mappings, with the time 0
 * @filter: if it has process ids, only those are listed; NULL for none
 * @texts: reads the lists of mappings; its server, if it is not NULL, the build ids of files
 *
 * Return: 0 or -ENOMEM.
 */
int proc_walk_open(struct proc_walk **walk, struct images *im, const struct source_filter *filter,
		   struct texts *texts);

/**
 * proc_walk_step() - read the mappings of a process. Return: 1; 0 if none is left, or -ENOMEM
 *
 * Users take turns. The first call begins the time that all may take together. Processes that
 * cannot be read are left out, and those that have begun to fork or exec meanwhile, because their
 * events tell all.
 */
int proc_walk_step(struct proc_walk *walk);

/* Processes that were not read, or not to the end of their list. */
uint64_t proc_walk_left(const struct proc_walk *walk);

void proc_walk_close(struct proc_walk *walk);

/* --- what they map while recording ------------------------------------------------------ */

/* The event of a CPU, and its memory. */
struct live_cpu {
	int fd;			/* -1: none */
	void *ring;
};

/* The perf events of all CPUs; initialize with zeros. */
struct live_maps {
	struct live_cpu *cpus;	/* by their numbers */
	unsigned int cpu_count;
	unsigned int count;	/* those of @cpus that are online */
	enum clock_kind clock;	/* of the events */
	size_t bytes;		/* of the records in a ring */
	int online;		/* descriptor of the kernel's list of CPUs that are online */
	char list[1024];	/* the same, when it was last read */
	int error;		/* why a CPU that has come online has no event, a negative errno */
	bool is_old;		/* the kernel does not count per event what it lost */
	/*
	 * Events for which a ring had no room: of CPUs that are gone; if @is_old, of all CPUs, as
	 * the records say.
	 */
	uint64_t lost;
};

/* Takes CAP_PERFMON. Return: 0 or a negative errno */
int live_maps_open(struct live_maps *l, enum clock_kind clock);

/* Take what there is. Return: 0 or -ENOMEM */
int live_maps_read(struct live_maps *l, struct images *im);

/*
 * Events since live_maps_open() for which a ring had no room. Before Linux 6.0, those after the
 * last event that was read are unknown.
 */
uint64_t live_maps_lost(const struct live_maps *l);

void live_maps_close(struct live_maps *l);

#endif /* FXT_COLLECT_SYMBOLS_MAPPINGS_H */
