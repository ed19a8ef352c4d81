/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * images.h - what processes have mapped, over time.
 *
 * In:  mappings of files, forks and execs, in any order. Out: for a process, an address and a
 * time, the file and the place in it.
 */
#ifndef LIBSYM_IMAGES_H
#define LIBSYM_IMAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mapping.h"

#define IMAGES_BYTES	(32U << 20)	/* of memory, for mappings and names of files */
#define IMAGES_EACH	(IMAGES_BYTES / 8)	/* of one process, as long as there is room */
#define IMAGES_LEAST	(IMAGES_BYTES / 1024)	/* of one process, in any case */

/**
 * struct images - all zero is none
 * @processes: by process id
 * @modules: by path and build id
 * @module_count: modules that there have been
 * @bytes: of memory, about
 * @each: of one process, at most; 0: IMAGES_EACH
 * @is_full: to make room did not help, when @tried were lost
 * @lost: mappings that were forgotten, or for which there was no room
 * @most_lost: of these, those of the process @most_lost_by
 */
struct images {
	struct map processes;
	struct map modules;
	uint64_t module_count;
	size_t bytes;
	size_t each;
	bool is_full;
	uint64_t tried;
	uint64_t lost;
	uint64_t most_lost;
	uint64_t most_lost_by;
};

/**
 * images_module() - find a module, or add it
 *
 * It is valid until the next call of images_add(), and then as long as a mapping has it, or it is
 * held: @uses is more by one.
 *
 * Return: NULL without memory
 */
struct module *images_module(struct images *im, const char *path, size_t length,
			     const struct elf_id *id);

/** images_file() - the same for a file whose build id is unknown; @inode is 0 if there is none */
struct module *images_file(struct images *im, const char *path, size_t length, uint64_t device,
			   uint64_t inode);

/** images_same_file() - are both the same file, as far as is known? */
bool images_same_file(const struct module *a, const struct module *b);

/**
 * images_add() - add a mapping, fork or exec of a process
 *
 * They come about in the order of time. A process that has more than its part of the memory
 * loses mappings: first those of no file, of these the oldest.
 *
 * Return: 0 or -ENOMEM
 */
int images_add(struct images *im, uint64_t process, const struct mapping *m);

/** images_exit() - a process has ended: it may be forgotten when there is no room */
void images_exit(struct images *im, uint64_t process);

/**
 * images_find() - the mapping that an address is in at a time
 *
 * Some of those that others have taken the place of are still known.
 *
 * Return: NULL if it is in none; valid until the next call of images_add() or images_use()
 */
struct mapping *images_find(struct images *im, uint64_t process, uint64_t time, uint64_t at);

/** images_use() - the same, and it is of that process itself, no parent, and marked as used */
struct mapping *images_use(struct images *im, uint64_t process, uint64_t time, uint64_t at);

/**
 * images_each_used() - call @visit for all that are used, and mark them as unused
 *
 * It stops if that returns not 0. Return: 0 or what @visit has returned
 */
int images_each_used(struct images *im,
		     int (*visit)(void *arg, uint64_t process, struct mapping *m), void *arg);

void images_free(struct images *im);

#endif /* LIBSYM_IMAGES_H */
