// SPDX-License-Identifier: GPL-2.0-or-later
/* cpus.c - see cpus.h. */
#include <stdio.h>
#include <string.h>

#include "cpus.h"

#define CPU_DIR		"/sys/devices/system/cpu/"

void cpus_read(const char *name, struct cpus *cpus)
{
	unsigned int from, to;
	char path[64];
	FILE *f;

	memset(cpus, 0, sizeof(*cpus));
	snprintf(path, sizeof(path), CPU_DIR "%s", name);
	f = fopen(path, "re");
	if (!f)
		return;
	while (fscanf(f, "%u", &from) == 1) {
		to = from;
		if (fscanf(f, "-%u", &to) == 1 && to < from)
			break;
		for (; from <= to && from < MAX_CPUS; from++) {
			cpus->has[from] = true;
			cpus->count++;
			cpus->end = from + 1;
		}
		if (fgetc(f) != ',')
			break;
	}
	fclose(f);
}
