// SPDX-License-Identifier: GPL-2.0-or-later
/* offers.c - see offers.h. */
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "offers.h"
#include "source/cgroups.h"
#include "tracepoint.h"

#define TRACEPOINTS	"/sys/kernel/tracing/available_events"

static void offer_tracepoints(struct option_offers *o)
{
	FILE *f = fopen(TRACEPOINTS, "re");
	char line[256], name[sizeof(line) + sizeof(TRACEPOINT_PREFIX)], *colon;

	if (!f)
		return;		/* only root may read it */
	while (fgets(line, sizeof(line), f)) {
		colon = strchr(line, ':');
		/* Those of single system calls are none of their own. */
		if (!colon || !strncmp(line, "syscalls:", strlen("syscalls:")))
			continue;
		colon[strcspn(colon, "\n")] = '\0';
		snprintf(name, sizeof(name), TRACEPOINT_PREFIX "%s", colon + 1);
		option_offer(o, name, NULL);
	}
	fclose(f);
}

void offer_events(struct option_offers *o, const char *typed)
{
	option_offer(o, "all", "all groups that this kernel has");
	option_offer(o, "none", "only switches, wakeups and names");
	option_offer(o, "help", "list the groups and their cost");
	if (strncmp(typed, TRACEPOINT_PREFIX, strlen(TRACEPOINT_PREFIX)))
		option_offer(o, TRACEPOINT_PREFIX, "a tracepoint");
	else
		offer_tracepoints(o);
}

void offer_cgroups(struct option_offers *o, const char *typed)
{
	const char *slash = strrchr(typed, '/');
	int parent = slash ? (int)(slash - typed) : 0;
	char root[1024], path[2048];
	struct dirent *d;
	DIR *dir;

	if (cgroups_root(root, sizeof(root)))
		return;
	snprintf(path, sizeof(path), "%s%.*s/", root, parent, typed);
	dir = opendir(path);
	while (dir && (d = readdir(dir))) {
		if (d->d_type != DT_DIR || d->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "%.*s/%s/", parent, typed, d->d_name);
		option_offer(o, path, NULL);
	}
	if (dir)
		closedir(dir);
}
