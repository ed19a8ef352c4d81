/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * verbs.h - what fxt can do with an archive, one file a verb.
 */
#ifndef FXT_VERBS_H
#define FXT_VERBS_H

/* Exit codes of fxt, as --help lists them. */
enum verb_exit {
	VERB_DONE	= 0,
	VERB_DEVIATES	= 1,	/* check: violations; others: parts were skipped */
	VERB_USAGE	= 2,
	VERB_UNREADABLE	= 3,
	VERB_UNWRITABLE	= 4,	/* the output could not be written */
};

/* Each takes its own part of the command line, its name first. */
int verb_check(int argc, char **argv);
int verb_dump(int argc, char **argv);
int verb_info(int argc, char **argv);
int verb_convert(int argc, char **argv);
int verb_report(int argc, char **argv);
int verb_cut(int argc, char **argv);
int verb_merge(int argc, char **argv);
int verb_open(int argc, char **argv);

#endif /* FXT_VERBS_H */
