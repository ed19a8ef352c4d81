/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * files.h - places in files, for addresses whose functions are unknown.
 *
 * In: modules, and where they are mapped. Out: "libfoo.so+0x1234", "[nvme]+0x12".
 */
#ifndef FXT_SCHED_FILES_H
#define FXT_SCHED_FILES_H

#include "libfxt/fxt_reader.h"
#include "libfxt/map.h"

struct sched_symbol;

/** struct sched_files - all of them; begins as zeros, ends with sched_files_free() */
struct sched_files {
	struct map modules;		/* by provider, process and number */
	struct sched_mapping *mappings;	/* sorted, unless @is_unsorted */
	size_t mapping_count;
	size_t room;
	bool is_unsorted;
	struct map places;		/* that were asked for, by name */
	struct sched_symbol **list;	/* the same, in their order */
	size_t count;
	size_t list_room;
};

/** sched_files_take() - take a module or mapping record; others are ignored. Return: 0 or -ENOMEM */
int sched_files_take(struct sched_files *f, uint32_t provider, const struct fxt_content *c);

/**
 * sched_files_find() - the place in a file that a frame is at
 * @f: the files
 * @provider: id of the provider
 * @process: koid of the process, 0 of the kernel
 * @frame: the address, as the stack has it
 *
 * Return: a symbol of that name, the same for the same place in all processes, valid until
 * sched_files_free(); NULL if the address is in no file, or without memory.
 */
const struct sched_symbol *sched_files_find(struct sched_files *f, uint32_t provider,
					    uint64_t process, uint64_t frame);

/** sched_files_place() - the symbol with that @place; NULL if there is none */
const struct sched_symbol *sched_files_place(const struct sched_files *f, uint64_t place);

void sched_files_free(struct sched_files *f);

#endif /* FXT_SCHED_FILES_H */
