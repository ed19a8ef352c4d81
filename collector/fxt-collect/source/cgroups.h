/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cgroups.h - the cgroups of this machine. */
#ifndef FXT_COLLECT_SOURCE_CGROUPS_H
#define FXT_COLLECT_SOURCE_CGROUPS_H

#include <stdbool.h>
#include <stddef.h>

/** cgroups_root() - find where cgroup v2 is mounted. Return: 0 or a negative errno */
int cgroups_root(char *path, size_t room);

/** cgroups_are_v2() - is there no hierarchy but that of cgroup v2? False also if that is unknown. */
bool cgroups_are_v2(void);

/**
 * cgroups_quota_root() - find where cgroups with quotas of CPU time are mounted
 * @is_v1: set to whether it is the CPU controller's hierarchy of cgroup v1, not cgroup v2
 *
 * Return: 0 or a negative errno.
 */
int cgroups_quota_root(char *path, size_t room, bool *is_v1);

/** cgroups_have_quotas() - is the kernel built with quotas of CPU time? */
bool cgroups_have_quotas(void);

/* Why no quota of CPU time can be read, as the end of a sentence; NULL if they can be read. */
const char *cgroups_lack_quotas(void);

#endif /* FXT_COLLECT_SOURCE_CGROUPS_H */
