// SPDX-License-Identifier: GPL-2.0-or-later
/* command_line.c - see command_line.h. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <fxt/fxt_sched.h>

#include "libfxt/usage.h"
#include "command_line.h"
#include "foreign.h"
#include "write/result.h"
#include "terminal/terminal.h"

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
	case FILTER_OPT_COMM:
		return filter_set_comm(f, value);
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
		[FILTER_OPT_TYPE - FILTER_OPT_TYPE] = "unknown record kind",
		[FILTER_OPT_TID - FILTER_OPT_TYPE] = "invalid list of thread ids; use e.g. 1 or 1,20",
		[FILTER_OPT_COMM - FILTER_OPT_TYPE] = FILTER_PATTERN_WRONG,
		[FILTER_OPT_PID - FILTER_OPT_TYPE] = "invalid list of process ids; use e.g. 1 or 1,20",
		[FILTER_OPT_CPU - FILTER_OPT_TYPE] = "invalid list of CPUs; use e.g. 0 or 0,2-5",
		[FILTER_OPT_FROM - FILTER_OPT_TYPE] = "invalid time; use e.g. " FILTER_TIME_EXAMPLES,
		[FILTER_OPT_TO - FILTER_OPT_TYPE] = "invalid time; use e.g. " FILTER_TIME_EXAMPLES,
	};
	int ret = set(f, option, value);

	if (!ret)
		return NULL;
	return ret == -ENOMEM ? strerror(ENOMEM) : wrong[option - FILTER_OPT_TYPE];
}

/* NULL, or what is wrong with the value. */
static const char *take_option(const struct command_line *c, void *arg, struct archive *a,
			       struct filter *f, int option)
{
	if (is_filter(option))
		return take_filter(f, option, optarg);
	if (option == COMMAND_OPT_NO_PAGER) {
		terminal_no_pager();
		return NULL;
	}
	if (option == COMMAND_OPT_FORCE) {
		result_force();
		return NULL;
	}
	if (!a || (option != ARCHIVE_OPT_FORMAT && option != ARCHIVE_OPT_STRICT &&
		   option != ARCHIVE_OPT_QUIET))
		return c->take(arg, option, optarg);
	return archive_option(a, option, optarg) ? NULL : "unknown format; use 2017";
}

static int take_operands(const struct command_line *c, struct operands *operands)
{
	static char usual[] = FXT_SCHED_ARCHIVE;
	static char *all[] = { usual, NULL };

	if (!operands->count && c->usual)
		*operands = (struct operands){ all, 1 };
	if (c->none)
		return operands->count ? archive_usage(c->verb, operands->paths[0],
						       "unexpected argument") : -1;
	if (!operands->count)
		return archive_usage(c->verb, NULL, "no archive given");
	if (operands->count > 1 && !c->several)
		return archive_usage(c->verb, operands->paths[1], "unexpected argument: only one archive is allowed");
	return -1;
}

int command_line_parse(const struct command_line *c, void *arg, struct archive *a,
		       struct filter *f, int argc, char **argv, struct operands *operands)
{
	char text[FXT_USAGE_TEXT];
	const char *why;
	int option;

	foreign_forget();
	opterr = 0;
	while ((option = getopt_long(argc, argv, c->letters, c->options, NULL)) != -1) {
		if (option == 'h') {
			fputs(c->help, stdout);
			return VERB_DONE;
		}
		if (option == ':' || option == '?')
			return archive_usage(c->verb, NULL,
					     fxt_usage_option(text, sizeof(text), option, argv,
							      c->options));
		why = take_option(c, arg, a, f, option);
		if (why)
			return archive_usage(c->verb, optarg, why);
	}
	if (f && filter_is_backwards(f))
		return archive_usage(c->verb, "--to", FILTER_BACKWARDS);
	*operands = (struct operands){ argv + optind, argc - optind };
	return take_operands(c, operands);
}
