// SPDX-License-Identifier: GPL-2.0-or-later
/* main.c - fxt-collect: records the scheduling of the whole system. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options/options.h"
#include "session/state.h"
#include "session/status.h"

/* Join the words into one printable line. Return: NULL without memory */
static char *join(char *const *words)
{
	size_t bytes;
	char *text;
	FILE *f = open_memstream(&text, &bytes);
	const char *c;

	if (!f)
		return NULL;
	for (; *words; words++) {
		for (c = *words; *c; c++)
			putc((unsigned char)*c < ' ' ? '?' : *c, f);
		if (words[1])
			putc(' ', f);
	}
	return fclose(f) ? NULL : text;
}

static int refuse(const struct error *e)
{
	status_print("%s", e->text);
	return e->code;
}

/* A failure to print the help is a failure. */
static int flush_text(void)
{
	if (!fflush(stdout) && !ferror(stdout))
		return EXIT_DONE;
	fprintf(stderr, "fxt-collect: cannot write standard output: %s\n", strerror(errno));
	return EXIT_FAILED;
}

int main(int argc, char **argv)
{
	struct error e = { EXIT_FAILED, "" };
	/* Before option parsing permutes the words. */
	char *invocation = join(argv);
	struct options o;
	int ret = options_parse(&o, argc, argv, &e);

	o.invocation = invocation ? invocation : "";
	if (!ret)
		ret = session_run(&o, &e);
	else if (ret == OPTIONS_END)
		ret = flush_text();
	else
		ret = refuse(&e);
	free(invocation);
	return ret;
}
