/* SPDX-License-Identifier: GPL-2.0-or-later */
/* subids.h - ranges of user ids that persons own besides their own, for containers: subuid(5). */
#ifndef FXT_COLLECT_PROCESS_SUBIDS_H
#define FXT_COLLECT_PROCESS_SUBIDS_H

#include <stddef.h>
#include <stdint.h>

#define SUBIDS_FILE	"/etc/subuid"

/* User ids from @first to @last. */
struct users {
	uint32_t first;
	uint32_t last;
};

/* Initialize with zeros. */
struct subids {
	struct users *ranges;
	size_t count;
};

/*
 * Read the ranges from a file like SUBIDS_FILE; none without it. Lines that are no ranges are left
 * out. Return: 0 or -ENOMEM
 */
int subids_read(struct subids *s, const char *path);

/* The range that a user id is in; the id alone if it is in none. */
struct users subids_of(const struct subids *s, uint32_t user);

void subids_free(struct subids *s);

#endif /* FXT_COLLECT_PROCESS_SUBIDS_H */
