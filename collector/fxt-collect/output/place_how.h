/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * place_how.h - how files are opened, and who else can create names in a directory.
 */
#ifndef FXT_COLLECT_OUTPUT_PLACE_HOW_H
#define FXT_COLLECT_OUTPUT_PLACE_HOW_H

#include <stdbool.h>
#include <sys/stat.h>

/* How a file is opened, as bits. */
enum place_how {
	PLACE_NEW	= 1,	/* as PATH.part; -EEXIST if PATH exists */
	PLACE_STATS	= 2,	/* for --stats-json; else for --output */
	PLACE_FORCE	= 4,	/* replace any existing file */
	PLACE_LOOK	= 8,	/* change nothing, only check whether it would be refused */
};

/* The first bytes of statistics. */
#define PLACE_STATS_BEGIN	"{\"collector\":"

/** place_is_shared() - can users other than root and ours create names in a directory? */
bool place_is_shared(const struct stat *directory);

/** place_option() - the option that names the file */
const char *place_option(unsigned int how);

#endif /* FXT_COLLECT_OUTPUT_PLACE_HOW_H */
