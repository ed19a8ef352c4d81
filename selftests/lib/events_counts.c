// SPDX-License-Identifier: GPL-2.0-or-later
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "events_counts.h"

/* "NAME: COUNT COUNT ... TEXT"; lines with fewer counts are not per CPU. */
static bool read_line(struct counts_line *line, char *text, unsigned int cpus)
{
	char *colon = strchr(text, ':'), *end;
	unsigned int cpu;

	if (!colon)
		return false;
	*colon = '\0';
	text += strspn(text, " ");
	snprintf(line->name, sizeof(line->name), "%.15s", text);
	line->is_irq = isdigit((unsigned char)line->name[0]);
	for (text = colon + 1, cpu = 0; cpu < cpus; cpu++, text = end) {
		line->of[cpu] = strtoull(text, &end, 10);
		if (end == text)
			return false;
	}
	text[strcspn(text, "\n")] = '\0';
	snprintf(line->text, sizeof(line->text), "%.127s", text);
	return true;
}

void counts_read_file(struct counts_file *file, const char *path)
{
	FILE *f = fopen(path, "r");
	char *text = NULL, *at;
	size_t room = 0;

	memset(file, 0, sizeof(*file));
	if (!f)
		return;
	if (getline(&text, &room, f) > 0)
		for (at = text; (at = strstr(at, "CPU")) && file->cpus < MAX_CPUS; at++)
			file->cpus++;
	while (file->count < COUNTS_LINES && getline(&text, &room, f) > 0)
		file->count += read_line(&file->lines[file->count], text, file->cpus);
	free(text);
	fclose(f);
}

void counts_read_idle(struct counts_file *file)
{
	struct counts_line *line;
	char path[96];
	FILE *f;

	memset(file, 0, sizeof(*file));
	file->cpus = sysconf(_SC_NPROCESSORS_CONF);
	for (;; file->count++) {
		unsigned int cpu, found = 0;

		line = &file->lines[file->count];
		snprintf(line->name, sizeof(line->name), "state%zu", file->count);
		for (cpu = 0; cpu < file->cpus && cpu < MAX_CPUS; cpu++) {
			snprintf(path, sizeof(path),
				 "/sys/devices/system/cpu/cpu%u/cpuidle/%s/usage", cpu, line->name);
			f = fopen(path, "r");
			if (!f)
				continue;
			found += fscanf(f, "%ju", (uintmax_t *)&line->of[cpu]) == 1;
			fclose(f);
		}
		if (!found)
			return;
	}
}

static const struct counts_line *find_line(const struct counts_file *file, const char *name)
{
	const struct counts_line *line;

	counts_for_each_line(file, line)
		if (!strcmp(line->name, name))
			return line;
	return NULL;
}

uint64_t counts_between(const struct counts_file *from, const struct counts_file *to,
			const char *name, uint32_t cpu)
{
	const struct counts_line *a = find_line(from, name), *b = find_line(to, name);

	return a && b ? b->of[cpu] - a->of[cpu] : 0;
}

uint64_t counts_handlers(const struct counts_file *file, const char *name)
{
	const struct counts_line *line = find_line(file, name);
	uint64_t handlers = 1;

	for (const char *at = line && line->is_irq ? line->text : ""; (at = strchr(at, ',')); at++)
		handlers++;
	return handlers;
}
