// SPDX-License-Identifier: GPL-2.0-or-later
/* memory.c - see memory.h. */
#include <stdio.h>
#include <unistd.h>

#include "exit_status.h"
#include "memory.h"
#include "message.h"
#include "progress.h"

static const char *subject;
static unsigned int child_gib;

void memory_is_for(const char *path)
{
	subject = path;
}

void memory_is_of_child(unsigned int gib)
{
	child_gib = gib;
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
	if (child_gib) {
		message("fxt: %sout of memory; the process that reads a trace may use %u GiB of addresses, also for the file\n",
			memory_subject(), child_gib);
		_exit(VERB_UNREADABLE);
	}
	message("fxt: %sout of memory; select less, e.g. with --from and --to or with fxt cut, or free some\n",
		memory_subject());
	exit(VERB_UNREADABLE);
}
