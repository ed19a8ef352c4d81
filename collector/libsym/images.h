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

/**
 * struct module - a file that is mapped somewhere
 * @path: terminated
 * @length: of @path
 * @id: its build id, if it is known
 * @device: from /proc/PID/maps, if the build id was unknown when the file was mapped
 * @inode: likewise
 * @number: from 0, never reused
 * @uses: number of mappings and of other holders
 * @fault: for resolve(): why its functions are unknown
 * @is_late: for resolve(): ask for it again when all others are done
 * @written_for: the last process for which the archive has a record of it, plus 1
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
	MAPPING_FORK,		/* the process gets the parent's mappings of that time */
	MAPPING_EXEC,		/* the process loses all mappings */
};

/**
 * struct mapping - a part of a file that a process has mapped; or a fork or an exec
 * @time: ticks
 * @kind: which of these it is
 * @is_used: a frame of the archive is in it
 * @start: its first address; @end: the address after it
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
 * The mappings of a process between two of its forks and execs, added roughly in the order of time.
 */

#define PIECES_OLD	64U	/* replaced pieces that are kept */

/* --- images ----------------------------------------------------------------------------- */

#define IMAGES_BYTES	(32U << 20)	/* of memory, for mappings and names of files */
#define IMAGES_EACH	(IMAGES_BYTES / 8)	/* of one process, as long as there is room */
#define IMAGES_LEAST	(IMAGES_BYTES / 1024)	/* of one process, in any case */

/**
 * struct images - the mappings of processes; initialize with zeros
 * @processes: by process id
 * @modules: by path and build id
 * @module_count: number of modules so far, including freed ones
 * @bytes: of memory, roughly
 * @each: limit of bytes for one process; 0: IMAGES_EACH
 * @is_full: making room did not help, when @lost was @tried
 * @lost: mappings that were forgotten, or for which there was no room
 * @most_lost: the most of these that one process lost; @most_lost_by: that process
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
 * It is valid until the next call of images_add(), and after that as long as a mapping has it or
 * the caller holds it by adding one to @uses.
 *
 * Return: NULL without memory
 */
struct module *images_module(struct images *im, const char *path, size_t length,
			     const struct elf_id *id);

/** images_file() - as images_module(), without a build id; @inode is 0 if there is none */
struct module *images_file(struct images *im, const char *path, size_t length, uint64_t device,
			   uint64_t inode);

/** images_same_place() - are both at one address the same place in the same file? NULL: in none */
bool images_same_place(const struct mapping *a, const struct mapping *b);

/**
 * images_add() - add a mapping, fork or exec of a process
 *
 * Mappings come roughly in the order of time. A process that has more than its share of the memory
 * loses mappings: first those without a file, then the oldest.
 *
 * Return: 0 or -ENOMEM
 */
int images_add(struct images *im, uint64_t process, const struct mapping *m);

/** images_began() - has a fork or an exec of the process been added? */
bool images_began(const struct images *im, uint64_t process);

/** images_exit() - note that a process has ended: it may be forgotten when there is no room */
void images_exit(struct images *im, uint64_t process);

/**
 * images_find() - the mapping that an address is in at a time
 *
 * Some mappings that others have replaced are still known.
 *
 * Return: NULL if it is in none; valid until the next call of images_add() or images_use()
 */
struct mapping *images_find(struct images *im, uint64_t process, uint64_t time, uint64_t at);

/**
 * images_steady() - as images_find(), for all times from @first to @last
 *
 * Return: the mapping at @last; NULL unless the process had the same file there in each of its
 * lives and programs between these times, as far as these are known
 */
struct mapping *images_steady(struct images *im, uint64_t process, uint64_t first, uint64_t last,
			      uint64_t at);

/** images_use() - as images_find(), but give the process its own mapping, and mark it as used */
struct mapping *images_use(struct images *im, uint64_t process, uint64_t time, uint64_t at);

/**
 * images_each_used() - call @visit for all used mappings, and mark them as unused
 *
 * It stops if @visit returns another value than 0. Return: 0, or that value
 */
int images_each_used(struct images *im,
		     int (*visit)(void *arg, uint64_t process, struct mapping *m), void *arg);

void images_free(struct images *im);

#endif /* LIBSYM_IMAGES_H */
