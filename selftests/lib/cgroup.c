// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cgroup.h"

#define V1_ROOT	"/sys/fs/cgroup/cpu"

int write_in(const char *dir, const char *name, const char *text)
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

/* Can children of this cgroup of version 2 be what the test needs? */
static bool suits(const char *root, bool has_quota)
{
	char path[192];

	snprintf(path, sizeof(path), "%s/cgroup.procs", root);
	return !access(path, W_OK) &&
	       (!has_quota || !write_in(root, "cgroup.subtree_control", "+cpu"));
}

static int find_root(struct cgroup *g, const char *scratch, bool has_quota)
{
	static const char * const roots[] = { "/sys/fs/cgroup", "/sys/fs/cgroup/unified" };

	g->is_v2 = true;
	for (size_t i = 0; i < 2; i++) {
		strcpy(g->root, roots[i]);
		if (suits(g->root, has_quota))
			return 0;
	}
	if (has_quota && !access(V1_ROOT "/cgroup.procs", W_OK)) {
		strcpy(g->root, V1_ROOT);
		g->is_v2 = false;
		return 0;
	}
	snprintf(g->root, sizeof(g->root), "%.100s/cgroup", scratch);
	if (mkdir(g->root, 0755) || mount("none", g->root, "cgroup2", 0, NULL))
		return -1;
	g->is_mounted = true;
	return suits(g->root, has_quota) ? 0 : -1;
}

/* Remove what was made, and leave the reason why it is not enough. */
static void give_up(struct cgroup *g)
{
	int err = errno;

	cgroup_remove(g);
	errno = err;
}

const char *cgroup_make(struct cgroup *g, const char *scratch, bool has_quota)
{
	char text[32];

	*g = (struct cgroup){ .is_v2 = false };
	snprintf(g->name, sizeof(g->name), "fxt-test-%d", getpid());
	if (find_root(g, scratch, has_quota)) {
		give_up(g);
		return "no hierarchy of cgroups can be used";
	}
	snprintf(g->dir, sizeof(g->dir), "%s/%s", g->root, g->name);
	snprintf(text, sizeof(text), g->is_v2 ? "%d %d" : "%d", QUOTA_US, QUOTA_PERIOD_US);
	if (!mkdir(g->dir, 0755) &&
	    (!has_quota || !write_in(g->dir, g->is_v2 ? "cpu.max" : "cpu.cfs_quota_us", text)))
		return NULL;
	give_up(g);
	return has_quota ? "no cgroup can have a quota of CPU time" : "no cgroup can be made";
}

int cgroup_enter(const struct cgroup *g, pid_t pid)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", pid);
	return write_in(g->dir, "cgroup.procs", text);
}

uint64_t cgroup_throttled(const struct cgroup *g)
{
	char path[256], text[1024] = "";
	const char *key = g->is_v2 ? "throttled_usec " : "throttled_time ", *at;
	uint64_t value;
	int fd;

	snprintf(path, sizeof(path), "%s/cpu.stat", g->dir);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || read(fd, text, sizeof(text) - 1) < 0)
		text[0] = '\0';
	if (fd >= 0)
		close(fd);
	at = strstr(text, key);
	value = at ? strtoull(at + strlen(key), NULL, 10) : 0;
	return g->is_v2 ? value * 1000 : value;
}

void cgroup_remove(const struct cgroup *g)
{
	rmdir(g->dir);
	if (g->is_mounted)
		umount(g->root);
}
