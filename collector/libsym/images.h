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

#include "libfxt/map.h"
#include "elf_file.h"

/* --- mappings --------------------------------------------------------------------------- */

/**
 * struct module - a file that is mapped somewhere
 * @path: terminated
 * @length: of @path
 * @id: its build id, if it is known
 * @device: of a file whose build id was unknown when it was mapped, as /proc/PID/maps has it
 * @inode: of such a file, from the same line
 * @number: from 0, never used again
 * @uses: mappings that have it, and holders
 * @fault: of a resolution: why its functions are unknown
 * @is_late: likewise: it is asked for again, when all others are done
 * @written_for: of an archive: the last process with a record of it, plus 1
 * @written_as: its id in that record
 */
struct module {
	struct map_node node;
	char *path;
	size_t length;
	struct elf_id id;
	uint64_t device;
	uint64_t inode;
	uint64_t number;
	uint32_t uses;
	enum elf_fault fault;
	bool is_late;
	uint64_t written_for;
	uint32_t written_as;
};

enum mapping_kind {
	MAPPING_FILE,
	MAPPING_FORK,		/* what the parent had at that time */
	MAPPING_EXEC,		/* nothing any more */
};

/**
 * struct mapping - a part of a file that a process has mapped; or a fork or an exec
 * @time: ticks
 * @kind: what of these it is
 * @is_used: of an archive: a frame is in it
 * @start: its first address; @end is the one after it
 * @offset: of @start in the file
 * @vaddr: address of @start in the file, FXT_SCHED_NO_VADDR until it is known
 * @parent: of a fork: the process id of the parent
 */
struct mapping {
	uint64_t time;
	enum mapping_kind kind;
	bool is_used;
	uint64_t start;
	uint64_t end;
	uint64_t offset;
	uint64_t vaddr;
	union {
		struct module *module;
		uint64_t parent;
	};
};

/* --- pieces ----------------------------------------------------------------------------- */

/*
 * What a process has mapped between two of its forks and execs.
 *
 * In:  mappings, about in the order of time. Out: for an address and a time, what it is in.
 */

#define PIECES_OLD	64U	/* of those that others have taken the place of */

/* --- images ----------------------------------------------------------------------------- */

#define IMAGES_BYTES	(32U << 20)	/* of memory, for mappings and names of files */
#define IMAGES_EACH	(IMAGES_BYTES / 8)	/* of one process, as long as there is room */
#define IMAGES_LEAST	(IMAGES_BYTES / 1024)	/* of one process, in any case */

/**
 * struct images - what processes have mapped; initialized with zeros
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
