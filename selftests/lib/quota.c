// SPDX-License-Identifier: GPL-2.0-or-later
/* quota.c - see quota.h. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "quota.h"

#define V2_ROOT	"/sys/fs/cgroup"
#define V1_ROOT	"/sys/fs/cgroup/cpu"

static int write_text(const char *dir, const char *name, const char *text)
{
	ssize_t bytes = strlen(text);
	char path[256];
	int fd, ret;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	ret = write(fd, text, bytes) == bytes ? 0 : -1;
	close(fd);
	return ret;
}

const char *quota_make(struct quota *q)
{
	char text[32];

	q->is_v2 = !access(V2_ROOT "/cgroup.controllers", F_OK);
	if (q->is_v2 && write_text(V2_ROOT, "cgroup.subtree_control", "+cpu"))
		return "the controller cpu of cgroup v2 cannot be used";
	snprintf(q->path, sizeof(q->path), "%s/" QUOTA_NAME, q->is_v2 ? V2_ROOT : V1_ROOT);
	rmdir(q->path);
	if (mkdir(q->path, 0755))
		return "no cgroup can be made";
	snprintf(text, sizeof(text), q->is_v2 ? "%d %d" : "%d", QUOTA_US, QUOTA_PERIOD_US);
	if (!write_text(q->path, q->is_v2 ? "cpu.max" : "cpu.cfs_quota_us", text))
		return NULL;
	quota_remove(q);
	return "the kernel has no quota of CPU time";
}

int quota_enter(const struct quota *q)
{
	return write_text(q->path, "cgroup.procs", "0");
}

uint64_t quota_throttled(const struct quota *q)
{
	char path[256], text[1024] = "";
	const char *key = q->is_v2 ? "throttled_usec " : "throttled_time ", *at;
	uint64_t value;
	int fd;

	snprintf(path, sizeof(path), "%s/cpu.stat", q->path);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || read(fd, text, sizeof(text) - 1) < 0)
		text[0] = '\0';
	if (fd >= 0)
		close(fd);
	at = strstr(text, key);
	value = at ? strtoull(at + strlen(key), NULL, 10) : 0;
	return q->is_v2 ? value * 1000 : value;
}

void quota_remove(const struct quota *q)
{
	rmdir(q->path);
}
