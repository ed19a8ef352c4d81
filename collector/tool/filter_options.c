// SPDX-License-Identifier: GPL-2.0-or-later
/* filter_options.c - see filter_options.h. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "filter_options.h"

static bool is_filter(int option)
{
	return option >= FILTER_OPT_TYPE && option <= FILTER_OPT_TO;
}

/* 0, -EINVAL if the value is not understood, or -ENOMEM. */
static int set(struct filter *f, int option, const char *value)
{
	switch (option) {
	case FILTER_OPT_TYPE:
		return filter_add_kinds(f, value);
	case FILTER_OPT_TID:
		return filter_add_ids(&f->tids, value);
	case FILTER_OPT_PID:
		return filter_add_ids(&f->pids, value);
	case FILTER_OPT_CPU:
		return filter_add_cpus(f, value);
	case FILTER_OPT_FROM:
		return filter_set_limit(&f->from, value);
	default:
		return filter_set_limit(&f->to, value);
	}
}

/* NULL, or what is wrong with the value. */
static const char *take_filter(struct filter *f, int option, const char *value)
{
	static const char *const wrong[] = {
		[FILTER_OPT_TYPE - FILTER_OPT_TYPE] = "no such kind of record",
		[FILTER_OPT_TID - FILTER_OPT_TYPE] = "no list of thread ids, as 1 or 1,20",
		[FILTER_OPT_PID - FILTER_OPT_TYPE] = "no list of process ids, as 1 or 1,20",
		[FILTER_OPT_CPU - FILTER_OPT_TYPE] = "no list of CPUs, as 0 or 0,2-5",
		[FILTER_OPT_FROM - FILTER_OPT_TYPE] = "no time in seconds, as 12.345 or +0.5",
		[FILTER_OPT_TO - FILTER_OPT_TYPE] = "no time in seconds, as 12.345 or +0.5",
	};
	int ret = set(f, option, value);

	if (!ret)
		return NULL;
	return ret == -ENOMEM ? strerror(ENOMEM) : wrong[option - FILTER_OPT_TYPE];
}

int filter_parse(const struct filter_command *c, void *arg, struct archive *a,
		 struct filter *f, int argc, char **argv)
{
	const char *why;
	int option;

	opterr = 0;
	while ((option = getopt_long(argc, argv, c->letters, c->options, NULL)) != -1) {
		why = NULL;
		if (option == 'h') {
			fputs(c->help, stdout);
			return VERB_DONE;
		}
		if (option == ':')
			return archive_usage(c->verb, argv[optind - 1], "needs a value");
		if (option == '?')
			return archive_usage(c->verb, argv[optind - 1], "unknown option");
		if (is_filter(option))
			why = take_filter(f, option, optarg);
		else if (option != ARCHIVE_OPT_FORMAT && option != ARCHIVE_OPT_STRICT)
			why = c->take(arg, option, optarg);
		else if (!archive_option(a, option, optarg))
			why = "no such format";
		if (why)
			return archive_usage(c->verb, optarg, why);
	}
	return -1;
}
