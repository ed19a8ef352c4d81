/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cgroups.h - cgroups of version 2 on this machine.
 */
#ifndef FXT_COLLECT_SOURCE_CGROUPS_H
#define FXT_COLLECT_SOURCE_CGROUPS_H

#include <stddef.h>

/**
 * cgroups_root() - find where cgroup v2 is mounted
 * @path: set to the path
 * @room: bytes
 *
 * Return: 0 or a negative errno.
 */
int cgroups_root(char *path, size_t room);

/**
 * cgroups_lack_quotas() - find out why cgroups of version 2 cannot have quotas of CPU time
 *
 * Return: the reason, as the end of a sentence; NULL if they can have quotas.
 */
const char *cgroups_lack_quotas(void);

#endif /* FXT_COLLECT_SOURCE_CGROUPS_H */
