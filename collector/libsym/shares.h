/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * shares.h - in which order files are read, so that all users get names.
 *
 * In:  for each process, its files, and how many addresses are in each.
 * Out: files. Each time it is the turn of the user whose files have taken the least time so far,
 *      then of the process of that user likewise, then of the file with the most addresses.
 */
#ifndef LIBSYM_SHARES_H
#define LIBSYM_SHARES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct share {
	uint32_t user;	/* of the process */
	uint64_t process;
	size_t uses;	/* number of addresses */
	size_t file;	/* its number; several processes can have it */
};

struct share_process;
struct share_user;

/* Initialize with zeros. */
struct shares {
	struct share *all;	/* sorted */
	struct share_process *processes;
	struct share_process **order;
	struct share_user *user_list;
	struct share_user **users;	/* heap of those that have files left */
	size_t count;
};

/* Sort @count shares, which remain the caller's. Return: 0 or -ENOMEM. */
int shares_open(struct shares *s, struct share *all, size_t count);

/*
 * Whose turn is it? @file: set to the number of the file. @spent: set to the ns that files of this
 * user have taken. Call shares_spend() afterwards. Return: false if there is no file left.
 */
bool shares_next(const struct shares *s, size_t *file, uint64_t *spent);

/* The last file has taken so many ns. */
void shares_spend(struct shares *s, uint64_t ns);

void shares_close(struct shares *s);

#endif /* LIBSYM_SHARES_H */
