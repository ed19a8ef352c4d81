/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * images.h - the mappings of processes over time.
 *
 * In:  mappings of files, forks and execs, in any order.
 * Out: for a process, an address and a time, the file and the place in it.
 */
#ifndef LIBSYM_IMAGES_H
#define LIBSYM_IMAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libfxt/map.h"
#include "elf_file.h"

/* --- mappings --------------------------------------------------------------------------- */

/* A file that is mapped somewhere. */
struct module {
	struct map_node node;
	char *path;
	size_t length;
	struct elf_id id;	/* if known */
	/* from /proc/PID/maps, if @id was unknown when the file was mapped */
	uint64_t device;
	uint64_t inode;
	uint64_t number;	/* from 0, never reused */
	uint32_t uses;		/* mappings and other holders */
	enum elf_fault fault;	/* for resolve(): why its functions are unknown */
	bool is_late;		/* for resolve(): ask for it again when all others are done */
	uint64_t written_for;	/* last process for which the archive has a record of it, plus 1 */
	uint32_t written_as;	/* id in that record */
};

enum mapping_kind {
	MAPPING_FILE,
	MAPPING_FORK,		/* the process gets the parent's mappings of that time */
	MAPPING_EXEC,		/* the process loses all mappings */
};

/* A part of a file that a process has mapped; or a fork or an exec. */
struct mapping {
	uint64_t time;		/* ticks */
	enum mapping_kind kind;
	bool is_used;		/* a frame of the archive is in it */
	uint64_t start;		/* first address */
	uint64_t end;		/* after the last one */
	uint64_t offset;	/* of @start in the file */
	uint64_t vaddr;		/* address of @start in the file; FXT_SCHED_NO_VADDR: unknown yet */
	union {
		struct module *module;
		uint64_t parent;	/* of a fork: id of the parent */
	};
};

/* --- pieces ----------------------------------------------------------------------------- */

/*
 * The mappings of a process between two of its forks and execs, added roughly in the order of time.
 */

#define PIECES_OLD	64U	/* replaced pieces that are kept */

/* --- images ----------------------------------------------------------------------------- */

#define IMAGES_BYTES	(32U << 20)	/* of memory, for mappings and names of files */
#define IMAGES_EACH	(IMAGES_BYTES / 8)	/* of one process, as long as there is room */
#define IMAGES_LEAST	(IMAGES_BYTES / 1024)	/* of one process, in any case */

/* The mappings of processes; initialize with zeros. */
struct images {
	struct map processes;	/* by id */
	struct map modules;	/* by path and build id */
	uint64_t module_count;	/* so far, including freed ones */
	size_t bytes;		/* of memory, roughly */
	size_t each;		/* limit of bytes of a process; 0: IMAGES_EACH */
	bool is_full;		/* making room did not help, when @lost was @tried */
	uint64_t tried;
	uint64_t lost;		/* mappings that were forgotten, or had no room */
	uint64_t most_lost;	/* by one process, @most_lost_by */
	uint64_t most_lost_by;
};

/*
 * Find or add a module. It is valid until the next images_add(), and after that while a mapping has
 * it or the caller holds it by adding one to @uses. Return: NULL without memory.
 */
struct module *images_module(struct images *im, const char *path, size_t length,
			     const struct elf_id *id);

/* Like images_module(), without a build id; @inode is 0 if there is none. */
struct module *images_file(struct images *im, const char *path, size_t length, uint64_t device,
			   uint64_t inode);

/* Are both at one address the same place in the same file? NULL: in none. */
bool images_same_place(const struct mapping *a, const struct mapping *b);

/*
 * Add a mapping, fork or exec of a process, roughly in the order of time. A process that has more
 * than its share of the memory loses mappings: first those without a file, then the oldest. Return:
 * 0 or -ENOMEM.
 */
int images_add(struct images *im, uint64_t process, const struct mapping *m);

/* Has a fork or an exec of the process been added? */
bool images_began(const struct images *im, uint64_t process);

/* The process has ended, and may be forgotten when there is no room. */
void images_exit(struct images *im, uint64_t process);

/*
 * The mapping of an address at a time, which may have been replaced since. Return: NULL if there is
 * none; valid until the next images_add() or images_use().
 */
struct mapping *images_find(struct images *im, uint64_t process, uint64_t time, uint64_t at);

/*
 * Like images_find(), for all times from @first to @last. Return: the mapping at @last; NULL unless
 * the process had the same file there in each of its lives and programs between these times, as far
 * as these are known.
 */
struct mapping *images_steady(struct images *im, uint64_t process, uint64_t first, uint64_t last,
			      uint64_t at);

/* Like images_find(), but give the process its own mapping, and mark it as used. */
struct mapping *images_use(struct images *im, uint64_t process, uint64_t time, uint64_t at);

/*
 * Call @visit for all used mappings until it does not return 0, and mark them as unused. Return:
 * the last value of @visit.
 */
int images_each_used(struct images *im,
		     int (*visit)(void *arg, uint64_t process, struct mapping *m), void *arg);

void images_free(struct images *im);

#endif /* LIBSYM_IMAGES_H */
