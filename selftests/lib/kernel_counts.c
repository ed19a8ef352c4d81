// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel_counts.h"

/* "CPU0 CPU1 ...": the columns are of online CPUs. Return: their number. */
static unsigned int read_head(FILE *f, unsigned int *cpus)
{
	char *line = NULL, *word, *save;
	unsigned int count = 0;
	size_t room = 0;

	if (getline(&line, &room, f) > 0)
		for (word = strtok_r(line, " \n", &save); word && count < MAX_CPUS;
		     word = strtok_r(NULL, " \n", &save))
			if (sscanf(word, "CPU%u", &cpus[count]) == 1 && cpus[count] < MAX_CPUS)
				count++;
	free(line);
	return count;
}

/* "NAME: COUNT COUNT ... TEXT"; lines with fewer counts are not per CPU. */
static bool read_row(struct count_row *row, char *line, const unsigned int *cpus,
		     unsigned int count)
{
	char *colon = strchr(line, ':'), *at, *end;

	if (!colon)
		return false;
	*colon = '\0';
	memset(row, 0, sizeof(*row));
	snprintf(row->name, sizeof(row->name), "%s", line + strspn(line, " "));
	at = colon + 1;
	for (unsigned int i = 0; i < count; i++, at = end) {
		row->cpu[cpus[i]] = strtoull(at, &end, 10);
		if (end == at)
			return false;
	}
	snprintf(row->text, sizeof(row->text), "%.*s", (int)strcspn(at, "\n"), at);
	return true;
}

int kernel_counts_read(struct kernel_counts *k, const char *path)
{
	unsigned int cpus[MAX_CPUS], count;
	char *line = NULL;
	size_t room = 0;
	FILE *f;

	k->count = 0;
	k->from = boottime_ns();
	f = fopen(path, "re");
	if (!f)
		return -1;
	count = read_head(f, cpus);
	while (k->count < COUNT_ROWS && getline(&line, &room, f) > 0)
		k->count += read_row(&k->rows[k->count], line, cpus, count);
	free(line);
	fclose(f);
	k->to = boottime_ns();
	return count ? 0 : -1;
}

const struct count_row *kernel_counts_row(const struct kernel_counts *k, const char *name)
{
	for (size_t i = 0; i < k->count; i++)
		if (!strcmp(k->rows[i].name, name))
			return &k->rows[i];
	return NULL;
}

uint64_t kernel_counts_between(const struct kernel_counts *a, const struct kernel_counts *b,
			       const char *name, unsigned int cpu)
{
	const struct count_row *x = kernel_counts_row(a, name), *y = kernel_counts_row(b, name);

	return x && y ? y->cpu[cpu] - x->cpu[cpu] : 0;
}
