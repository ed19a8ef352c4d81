/* SPDX-License-Identifier: GPL-2.0-or-later */
/* exit_status.h - the exit statuses of fxt, as --help lists them. */
#ifndef FXT_TERMINAL_EXIT_STATUS_H
#define FXT_TERMINAL_EXIT_STATUS_H

enum verb_exit {
	VERB_DONE	= 0,
	VERB_DEVIATES	= 1,	/* check: violations; assert: a claim fails; others: records were skipped */
	VERB_NOTHING	= 1,	/* nothing is selected */
	VERB_USAGE	= 2,
	VERB_UNREADABLE	= 3,	/* the archive cannot be read */
	VERB_UNWRITABLE	= 4,	/* the output cannot be written */
	VERB_UNKNOWN	= 4,	/* assert: the verdict cannot be known */
};

#endif /* FXT_TERMINAL_EXIT_STATUS_H */
