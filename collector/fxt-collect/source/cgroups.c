// SPDX-License-Identifier: GPL-2.0-or-later
/* cgroups.c - see cgroups.h. */
#include <errno.h>
#include <mntent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cgroups.h"

/* Only kernels with CONFIG_CFS_BANDWIDTH have it. */
#define SLICE_FILE	"/proc/sys/kernel/sched_cfs_bandwidth_slice_us"

#define OWN_CGROUPS	"/proc/self/cgroup"

/* Find where a hierarchy is mounted. @option: of the mount, or NULL. Return: 0 or -errno */
static int find_mount(char *path, size_t room, const char *type, const char *option)
{
	FILE *mounts = setmntent("/proc/self/mounts", "r");
	struct mntent *m;
	int ret = -ENOENT;

	if (!mounts)
		return -errno;
	while (ret && (m = getmntent(mounts)))
		if (!strcmp(m->mnt_type, type) && (!option || hasmntopt(m, option)))
			ret = snprintf(path, room, "%s", m->mnt_dir) < (int)room ? 0 : -E2BIG;
	endmntent(mounts);
	return ret;
}

int cgroups_root(char *path, size_t room)
{
	return find_mount(path, room, "cgroup2", NULL);
}

/* Each process is in a cgroup of each hierarchy, whose number and controllers begin its line. */
bool cgroups_are_v2(void)
{
	static const char v2[] = "0::";
	FILE *f = fopen(OWN_CGROUPS, "re");
	size_t room = 0, lines = 0, others = 0;
	char *line = NULL;

	for (; f && getline(&line, &room, f) > 0; lines++)
		others += !!strncmp(line, v2, sizeof(v2) - 1);
	free(line);
	if (f)
		fclose(f);
	return lines && !others;
}

static bool has_cpu_controller(const char *root)
{
	char path[1200], word[32];
	bool has = false;
	FILE *f;

	snprintf(path, sizeof(path), "%s/cgroup.controllers", root);
	f = fopen(path, "re");
	while (f && !has && fscanf(f, "%31s", word) == 1)
		has = !strcmp(word, "cpu");
	if (f)
		fclose(f);
	return has;
}

int cgroups_quota_root(char *path, size_t room, bool *is_v1)
{
	*is_v1 = cgroups_root(path, room) || !has_cpu_controller(path);
	return *is_v1 ? find_mount(path, room, "cgroup", "cpu") : 0;
}

bool cgroups_have_quotas(void)
{
	return !access(SLICE_FILE, F_OK);
}

const char *cgroups_lack_quotas(void)
{
	char root[1024];
	bool is_v1;

	if (!cgroups_have_quotas())
		return "it is built without quotas of CPU time (CONFIG_CFS_BANDWIDTH)";
	if (cgroups_quota_root(root, sizeof(root), &is_v1))
		return "no cgroups with the CPU controller are mounted here";
	return NULL;
}
