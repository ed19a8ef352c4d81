// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * main.c - fxt: look into FXT archives.
 */
#include <stdio.h>
#include <string.h>

#include "verbs.h"

static const char help[] =
"usage: fxt report [--top N] FILE\n"
"\n"
"  report   who ran how long, who was switched and woken how often\n"
"\n"
"  --top N  the N busiest threads (15)\n"
"\n"
"exit status: 0 done, 2 wrong usage, 3 the archive cannot be read to its end.\n";

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "report"))
		return verb_report(argc - 1, argv + 1);
	if (argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
		fputs(help, stdout);
		return VERB_DONE;
	}
	if (argc > 1 && !strcmp(argv[1], "--version")) {
		puts("fxt " FXT_VERSION);
		return VERB_DONE;
	}
	fprintf(stderr, "fxt: %s: no such verb; see fxt --help\n",
		argc > 1 ? argv[1] : "(none)");
	return VERB_USAGE;
}
