// SPDX-License-Identifier: GPL-2.0-or-later
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

static void read_row(struct count_row *row, char *line, const unsigned int *cpus,
		     unsigned int count)
{
	char *word, *save, *colon = strchr(line, ':'), *end;

	memset(row, 0, sizeof(*row));
	if (!colon)
		return;
	*colon = '\0';
	snprintf(row->name, sizeof(row->name), "%s", line + strspn(line, " "));
	word = strtok_r(colon + 1, " \n", &save);
	for (unsigned int i = 0; i < count && word; i++) {
		row->cpu[cpus[i]] = strtoull(word, &end, 10);
		if (*end)
			break;
		word = strtok_r(NULL, " \n", &save);
	}
	for (; word; word = strtok_r(NULL, " \n", &save))
		snprintf(row->last, sizeof(row->last), "%s", word);
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
		read_row(&k->rows[k->count++], line, cpus, count);
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
