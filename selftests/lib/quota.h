/* SPDX-License-Identifier: GPL-2.0-or-later */
/* quota.h - a cgroup that may use little CPU time, of cgroup v2 or v1. */
#ifndef SELFTESTS_QUOTA_H
#define SELFTESTS_QUOTA_H

#include <stdbool.h>
#include <stdint.h>

#define QUOTA_NAME	"fxt-selftest-quota"
#define QUOTA_US	10000		/* CPU time that the cgroup may use */
#define QUOTA_PERIOD_US	100000		/* in this period */

/** struct quota - that cgroup */
struct quota {
	char path[128];	/* its directory */
	bool is_v2;	/* it is a cgroup of version 2 */
};

/** quota_make() - create the cgroup. Return: NULL, or why that is impossible here */
const char *quota_make(struct quota *q);

/** quota_enter() - put the calling process into it. Return: 0 or -1 */
int quota_enter(const struct quota *q);

/** quota_throttled() - throttled time of the cgroup according to the kernel, in ns */
uint64_t quota_throttled(const struct quota *q);

/** quota_remove() - remove it; its processes must have ended */
void quota_remove(const struct quota *q);

#endif /* SELFTESTS_QUOTA_H */
