/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * place_how.h - how files are opened, and who else can put names into a directory.
 */
#ifndef FXT_COLLECT_OUTPUT_PLACE_HOW_H
#define FXT_COLLECT_OUTPUT_PLACE_HOW_H

#include <stdbool.h>
#include <sys/stat.h>

/* How a file is opened: bits. */
enum place_how {
	PLACE_NEW	= 1,	/* as PATH.part; -EEXIST if there is something at PATH */
	PLACE_STATS	= 2,	/* for --stats-json; else for --output */
	PLACE_FORCE	= 4,	/* whatever is there may be replaced */
	PLACE_LOOK	= 8,	/* change nothing: would it be refused? */
};

/* How statistics begin. */
#define PLACE_STATS_BEGIN	"{\"collector\":"

/** place_is_shared() - can others than root and us put names into a directory? */
bool place_is_shared(const struct stat *directory);

/** place_option() - which option to give another place */
const char *place_option(unsigned int how);

#endif /* FXT_COLLECT_OUTPUT_PLACE_HOW_H */
