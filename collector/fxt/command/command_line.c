// SPDX-License-Identifier: GPL-2.0-or-later
/* command_line.c - see command_line.h. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <fxt/fxt_sched.h>

#include "command_line.h"
#include "table/schema.h"
#include "terminal/memory.h"
#include "walk/format.h"

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

static int check_operands(const struct verb *v, struct operands *operands)
{
	static char path[] = FXT_SCHED_ARCHIVE;
	static char *all[] = { path, NULL };

	if (!operands->count && v->has_default_archive)
		*operands = (struct operands){ all, 1, -1 };
	if (!operands->count)
		return archive_usage(v->name, NULL, "no archive given");
	if (operands->count > 1 && !v->several)
		return archive_usage(v->name, operands->paths[1], "unexpected argument: only one archive is allowed");
	return -1;
}

const char *command_line_operands(const struct verb *v)
{
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
	printf(" %s\n\n%s\n", command_line_operands(v), v->about);
	option_print_help(stdout, v->rows);
	printf("\n%s", v->more);
}

/* After an option that ends the command line. Returns like parse(). */
static int print_about(const struct verb *v, const struct option_row *row)
{
	struct out o;

	if (row->letter) {
		print_help(v);
		return VERB_DONE;
	}
	out_open(&o, STDOUT_FILENO);
	schema_print(&o, v->name, v->schema);
	return archive_output(&o, NULL, VERB_DONE);
}

static int count_after(int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i++)
		if (!strcmp(argv[i], "--"))
			return argc - i - 1;
	return -1;
}

/* Returns -1 if there is work to do; else the exit status, after --help or an error. */
static int parse(const struct verb *v, void *command, int argc, char **argv,
		 struct operands *operands)
{
	struct option_parser p = { .rows = command_line_rows(v) };
	int after = count_after(argc, argv), status;

	foreign_forget();
	switch (option_parse(&p, command, argc, argv, false)) {
	case OPTION_WRONG:
		return archive_usage(v->name, p.value, p.why);
	case OPTION_ENDED:
		return print_about(v, p.row);
	case OPTION_ALL:
		break;
	}
	if (v->filter_at && filter_is_backwards(command + v->filter_at))
		return archive_usage(v->name, "--to", FILTER_BACKWARDS);
	*operands = (struct operands){ argv + optind, argc - optind, after };
	status = check_operands(v, operands);
	if (status < 0 && option_is_missing(&p))
		return archive_usage(v->name, NULL, p.why);
	return status;
}

int command_line_run(const struct verb *v, int argc, char **argv)
{
	void *command = must(calloc(1, v->bytes));
	struct operands operands;
	int status;

	if (v->begin)
		v->begin(command);
	status = parse(v, command, argc, argv, &operands);
	if (status < 0)
		status = v->run(command, &operands);
	if (v->filter_at)
		filter_free(command + v->filter_at);
	free(command);
	return status;
}
