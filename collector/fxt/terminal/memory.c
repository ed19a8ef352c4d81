// SPDX-License-Identifier: GPL-2.0-or-later
/* memory.c - see memory.h. */
#include "exit_status.h"
#include "memory.h"
#include "message.h"

void memory_ran_out(void)
{
	message("fxt: out of memory; select less, e.g. with --from and --to or with fxt cut, or free some\n");
	exit(VERB_UNREADABLE);
}
