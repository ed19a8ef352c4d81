// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes synthetic archives to standard output. Exit status: 2 for wrong usage, 4 for a failed
 * write.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "generate.h"
#include "schedule.h"

static int print_usage(void)
{
	fputs("usage: generate all [swapped] [no-large] [small] > FILE\n"
	      "       generate sched RECORDS CPUS [segment BEFORE | snapshot BEFORE]\n"
	      "                [only-cpus N] [only-processes N] [marks 0|1] > FILE\n"
	      "       generate page [trigger | events | stacks | late | raised | moved | commanded |\n"
	      "                requests] > FILE\n"
	      "       generate fleet HOST DAY CYCLES > FILE\n"
	      "       generate schedule SEED > FILE\n", stderr);
	return 2;
}

static int parse(const char *text, unsigned long long *number)
{
	char *end;

	errno = 0;
	*number = strtoull(text, &end, 10);
	return errno || end == text || *end ? -1 : 0;
}

static int sched(int argc, char **argv, int *ret)
{
	unsigned long long records, cpus, number;
	struct generate_wishes w = { 0 };
	int i;

	if (argc < 4 || parse(argv[2], &records) || parse(argv[3], &cpus) || cpus > 1024)
		return -1;
	w.records = records;
	w.cpus = cpus;
	for (i = 4; i + 1 < argc; i += 2) {
		if (parse(argv[i + 1], &number))
			return -1;
		if (!strcmp(argv[i], "only-cpus"))
			w.only_cpus = number;
		else if (!strcmp(argv[i], "only-processes"))
			w.only_processes = number;
		else if (!strcmp(argv[i], "marks"))
			w.is_marked = number;
		else if (!strcmp(argv[i], "segment") || !strcmp(argv[i], "snapshot"))
			w.before = number;
		else
			return -1;
		w.snapshot |= !strcmp(argv[i], "snapshot");
	}
	*ret = generate_part(STDOUT_FILENO, &w);
	return i < argc ? -1 : 0;
}

static int fleet(int argc, char **argv, int *ret)
{
	unsigned long long host, day, cycles;

	if (argc != 5 || parse(argv[2], &host) || parse(argv[3], &day) || parse(argv[4], &cycles) ||
	    host > 99 || day > 1 || cycles > 1000000)
		return -1;
	*ret = generate_fleet(STDOUT_FILENO, host, day, cycles);
	return 0;
}

static int schedule(int argc, char **argv, int *ret)
{
	unsigned long long seed;
	struct schedule *s;
	ssize_t bytes;

	if (argc != 3 || parse(argv[2], &seed))
		return -1;
	s = malloc(sizeof(*s));
	if (!s) {
		*ret = -ENOMEM;
		return 0;
	}
	schedule_make(s, seed);
	bytes = built_bytes(&s->story.b);
	*ret = write(STDOUT_FILENO, s->story.b.words, bytes) == bytes ? 0 : -EIO;
	schedule_free(s);
	free(s);
	return 0;
}

static int page(int argc, char **argv, int *ret)
{
	bool is_triggered = argc == 3 && !strcmp(argv[2], "trigger");
	bool has_events = argc == 3 && !strcmp(argv[2], "events");
	static const struct {
		const char *name;
		int (*generate)(int fd);
	} pages[] = {
		{ "stacks", generate_stacks }, { "late", generate_late },
		{ "raised", generate_raised }, { "moved", generate_moved },
		{ "commanded", generate_commanded }, { "requests", generate_requests },
	};

	for (size_t i = 0; argc == 3 && i < sizeof(pages) / sizeof(pages[0]); i++) {
		if (strcmp(argv[2], pages[i].name))
			continue;
		*ret = pages[i].generate(STDOUT_FILENO);
		return 0;
	}
	if (argc > 2 && !is_triggered && !has_events)
		return -1;
	*ret = generate_page(STDOUT_FILENO, is_triggered, has_events);
	return 0;
}

static int generate(int argc, char **argv, int *ret)
{
	unsigned int flags = 0;

	if (argc > 1 && !strcmp(argv[1], "sched"))
		return sched(argc, argv, ret);
	if (argc > 1 && !strcmp(argv[1], "page"))
		return page(argc, argv, ret);
	if (argc > 1 && !strcmp(argv[1], "fleet"))
		return fleet(argc, argv, ret);
	if (argc > 1 && !strcmp(argv[1], "schedule"))
		return schedule(argc, argv, ret);
	if (argc < 2 || strcmp(argv[1], "all"))
		return -1;
	for (int i = 2; i < argc; i++) {
		if (!strcmp(argv[i], "swapped"))
			flags |= GENERATE_SWAPPED;
		else if (!strcmp(argv[i], "no-large"))
			flags |= GENERATE_NO_LARGE;
		else if (!strcmp(argv[i], "small"))
			flags |= GENERATE_SMALL;
		else
			return -1;
	}
	*ret = generate_all(STDOUT_FILENO, flags);
	return 0;
}

int main(int argc, char **argv)
{
	int ret = 0;

	if (generate(argc, argv, &ret) || ret == -EINVAL)
		return print_usage();
	if (!ret)
		return 0;
	fprintf(stderr, "generate: cannot write the archive: %s\n", strerror(-ret));
	return 4;
}
