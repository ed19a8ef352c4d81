// SPDX-License-Identifier: GPL-2.0-or-later
/* memory.c - see memory.h. */
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "exit_status.h"
#include "memory.h"
#include "message.h"
#include "progress.h"

static const char *subject;
static bool is_child;

void memory_is_for(const char *path)
{
	subject = path;
}

void memory_is_of_child(void)
{
	is_child = true;
}

const char *memory_subject(void)
{
	static char text[4096];

	if (subject)
		snprintf(text, sizeof(text), "%s: ", subject);
	return text;
}

void memory_ran_out(void)
{
	progress_interrupt();
	if (is_child) {
		message("fxt: %sout of memory\n", memory_subject());
		_exit(VERB_UNREADABLE);
	}
	message("fxt: %sout of memory; select less, e.g. with --from and --to or with fxt cut, or free some\n",
		memory_subject());
	exit(VERB_UNREADABLE);
}
