// SPDX-License-Identifier: GPL-2.0-or-later
/* command_line.c - see command_line.h. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include <fxt/fxt_sched.h>

#include "command_line.h"
#include "walk/format.h"
#include "write/result.h"
#include "terminal/terminal.h"

bool command_line_format(unsigned int i, struct option_word *w)
{
	w->name = "2017";
	return !i;
}

const struct option_row *command_line_rows(const struct verb *v)
{
	if (v->prepare)
		v->prepare();
	return v->rows;
}

static bool is_filter(int option)
{
	return option >= FILTER_OPT_TYPE && option <= FILTER_OPT_ALL;
}

/* Return: 0, -EINVAL if the value is invalid, or -ENOMEM. */
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
	case FILTER_OPT_TO:
		return filter_set_limit(&f->to, value);
	case FILTER_OPT_CGROUP:
		return filter_set_cgroup(f, value);
	default:
		f->is_all = true;
		return 0;
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
		[FILTER_OPT_CGROUP - FILTER_OPT_TYPE] = FILTER_CGROUP_WRONG,
	};
	int ret = set(f, option, value);

	if (!ret)
		return NULL;
	return ret == -ENOMEM ? strerror(ENOMEM) : wrong[option - FILTER_OPT_TYPE];
}

/* NULL, or what is wrong with the value. */
static const char *take_option(const struct verb *v, void *arg, struct archive *a,
			       struct filter *f, int option, const char *value)
{
	if (is_filter(option))
		return take_filter(f, option, value);
	if (option == COMMAND_OPT_NO_PAGER) {
		terminal_no_pager();
		return NULL;
	}
	if (option == COMMAND_OPT_FORCE) {
		result_force();
		return NULL;
	}
	return a && archive_option(a, option) ? NULL : v->take(arg, option, value);
}

static int take_operands(const struct verb *v, struct operands *operands)
{
	static char path[] = FXT_SCHED_ARCHIVE;
	static char *all[] = { path, NULL };

	if (!operands->count && v->has_default_archive)
		*operands = (struct operands){ all, 1 };
	if (v->none)
		return operands->count ? archive_usage(v->name, operands->paths[0],
						       "unexpected argument") : -1;
	if (!operands->count)
		return archive_usage(v->name, NULL, "no archive given");
	if (operands->count > 1 && !v->several)
		return archive_usage(v->name, operands->paths[1], "unexpected argument: only one archive is allowed");
	return -1;
}

const char *command_line_operands(const struct verb *v)
{
	if (v->none)
		return "";
	if (v->operands)
		return v->operands;
	if (v->has_default_archive)
		return v->several ? "[FILE...]" : "[FILE]";
	return v->several ? "FILE..." : "FILE";
}

static void print_help(const struct verb *v)
{
	printf("usage: fxt %s", v->name);
	option_print_usage(stdout, v->rows);
	printf("%s%s\n\n%s\n", v->none ? "" : " ", command_line_operands(v), v->about);
	option_print_help(stdout, v->rows);
	printf("\n%s", v->more);
}

int command_line_parse(const struct verb *v, void *arg, struct archive *a, struct filter *f,
		       int argc, char **argv, struct operands *operands)
{
	struct option_parser p = { .rows = command_line_rows(v) };
	const struct option_row *row;
	const char *why;
	int option;

	foreign_forget();
	while ((option = option_next(&p, argc, argv, false, &row)) != -1) {
		if (option == 'h') {
			print_help(v);
			return VERB_DONE;
		}
		why = option == '?' ? p.why : take_option(v, arg, a, f, option, p.value);
		if (why)
			return archive_usage(v->name, p.value, why);
	}
	if (f && filter_is_backwards(f))
		return archive_usage(v->name, "--to", FILTER_BACKWARDS);
	*operands = (struct operands){ argv + optind, argc - optind };
	return take_operands(v, operands);
}
