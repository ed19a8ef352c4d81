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

#include "elf_file.h"
#include "libfxt/map.h"

#define IMAGES_MOST	(1U << 18)	/* mappings, forks and execs */

/**
 * struct module - a file that is mapped somewhere
 * @path: terminated
 * @id: its build id, if it has one
 * @number: from 0
 * @is_used: of a resolution: a frame is in it
 * @fault: likewise: why its functions are unknown
 */
struct module {
	struct map_node node;
	struct module *next;
	char *path;
	struct elf_id id;
	uint32_t number;
	bool is_used;
	enum elf_fault fault;
};

enum mapping_kind {
	MAPPING_FILE,
	MAPPING_FORK,		/* what the parent had at that time */
	MAPPING_EXEC,		/* nothing any more */
};

/**
 * struct mapping - a part of a file that a process has mapped; or a fork or an exec
 * @time: ticks
 * @order: of events of the same time
 * @start: its first address; @end is the one after it
 * @offset: of @start in the file
 * @vaddr: address of @start in the file, FXT_SCHED_NO_VADDR until it is known
 * @parent: of a fork: the process id of the parent
 */
struct mapping {
	uint64_t time;
	uint32_t order;
	enum mapping_kind kind;
	uint64_t start;
	uint64_t end;
	uint64_t offset;
	uint64_t vaddr;
	union {
		struct module *module;
		uint64_t parent;
	};
};

/**
 * struct images - all zero is none
 * @processes: by process id
 * @modules: by path and build id; @first to last are all of them
 * @count: mappings
 * @lost: mappings for which there was no room
 */
struct images {
	struct map processes;
	struct map modules;
	struct module *first;
	uint32_t module_count;
	size_t count;
	uint64_t lost;
};

/** images_module() - find a module, or add it. Return: NULL without memory */
struct module *images_module(struct images *im, const char *path, size_t length,
			     const struct elf_id *id);

/** images_add() - add a mapping, fork or exec of a process. Return: 0 or -ENOMEM */
int images_add(struct images *im, uint64_t process, const struct mapping *m);

/** images_exit() - a process has ended: it may be forgotten when there is no room */
void images_exit(struct images *im, uint64_t process);

/** images_find() - the mapping that an address is in at a time; NULL if it is in none */
struct mapping *images_find(struct images *im, uint64_t process, uint64_t time, uint64_t at);

void images_free(struct images *im);

#endif /* LIBSYM_IMAGES_H */
