/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mapping.h - a file that a process has mapped.
 */
#ifndef LIBSYM_MAPPING_H
#define LIBSYM_MAPPING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf_file.h"
#include "libfxt/map.h"

/**
 * struct module - a file that is mapped somewhere
 * @path: terminated
 * @length: of @path
 * @id: its build id, if it is known
 * @device: of a file whose build id was unknown when it was mapped, as /proc/PID/maps has it
 * @inode: likewise
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

#endif /* LIBSYM_MAPPING_H */
