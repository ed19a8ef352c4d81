// SPDX-License-Identifier: GPL-2.0-or-later
/* place_how.c - see place_how.h. */
#include <unistd.h>

#include "place_how.h"

const char *place_option(unsigned int how)
{
	return how & PLACE_STATS ? "--stats-json" : "--output";
}

/* A group other than root's is trusted if the directory belongs to us. */
bool place_is_shared(const struct stat *directory)
{
	if (directory->st_mode & S_IWOTH)
		return true;
	if (directory->st_uid)
		return directory->st_uid != geteuid();
	return directory->st_mode & S_IWGRP && directory->st_gid;
}
