/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A cgroup of a test's own, of version 2, or of the controller cpu of version 1. */
#ifndef SELFTESTS_CGROUP_H
#define SELFTESTS_CGROUP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define QUOTA_US	10000		/* CPU time that a cgroup with a quota may use */
#define QUOTA_PERIOD_US	100000		/* in this period */

struct cgroup {
	char name[32];		/* names the process that made it */
	char root[128];		/* where the hierarchy is mounted */
	char dir[192];		/* its directory */
	bool is_v2;
	bool is_mounted;	/* by cgroup_make() */
};

/*
 * @scratch: a directory for the hierarchy, if that is not mounted. Return: NULL, or why that is
 * impossible here.
 */
const char *cgroup_make(struct cgroup *g, const char *scratch, bool has_quota);

/* @pid: 0 for the calling process */
int cgroup_enter(const struct cgroup *g, pid_t pid);

/* in ns, according to the kernel */
uint64_t cgroup_throttled(const struct cgroup *g);

/* Its processes must have ended. */
void cgroup_remove(const struct cgroup *g);

int write_in(const char *dir, const char *name, const char *text);

#endif /* SELFTESTS_CGROUP_H */
