/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The events of perf that a process has open. A recorder opens some for each CPU. */
#ifndef SELFTESTS_PERF_EVENTS_H
#define SELFTESTS_PERF_EVENTS_H

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "collector.h"
#include "workload.h"

static inline int count_perf_events(int pid)
{
	char path[320], target[64];
	struct dirent *entry;
	int count = 0;
	ssize_t n;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/fd", pid);
	dir = opendir(path);
	while (dir && (entry = readdir(dir))) {
		snprintf(path, sizeof(path), "/proc/%d/fd/%s", pid, entry->d_name);
		n = readlink(path, target, sizeof(target) - 1);
		target[n > 0 ? n : 0] = '\0';
		count += !strcmp(target, "anon_inode:[perf_event]");
	}
	if (dir)
		closedir(dir);
	return count;
}

/* Wait until it has at least @least, and at most @most. Return: false if that takes too long. */
static inline bool wait_for_perf_events(int pid, int least, int most)
{
	int count = -1;

	for (unsigned int ms = 0; ms < PATIENCE_MS && (count < least || count > most); ms += 10) {
		sleep_ms(10);
		count = count_perf_events(pid);
	}
	return count >= least && count <= most;
}

#endif /* SELFTESTS_PERF_EVENTS_H */
