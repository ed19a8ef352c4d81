/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symbolize.h - addresses in an archive's stacks without a function, and the mappings that have
 * them.
 */
#ifndef FXT_SYMBOLIZE_SYMBOLIZE_H
#define FXT_SYMBOLIZE_SYMBOLIZE_H

#include "libfxt/fxt_reader.h"
#include "libfxt/map.h"
#include "libsym/addresses.h"
#include "libsym/images.h"
#include "libsym/resolve.h"
#include "sched/symbols.h"

/* What an archive has of stacks; initialize with zeros. */
struct survey {
	struct addresses addresses;	/* after survey_finish() sorted, only those without a function */
	struct images images;		/* of processes */
	struct sched_symbols known;	/* functions that the archive names */
	struct map modules;		/* by process and module id */
	struct elf_id kernel_id;	/* build id of the recorded kernel */
	uint16_t kernel_module;		/* its module id */
	uint64_t kernel_start;		/* start address of its code, 0 if unknown */
	uint32_t provider;		/* id of the provider of the stacks */
	bool has_stacks;
	bool is_merged;			/* several providers have stacks */
	struct fxt_content content;	/* the current record */
};

/* Are there addresses of the kernel without a function? */
static inline bool survey_has_kernel(const struct survey *s)
{
	return s->addresses.count && !s->addresses.slots[0].process;
}

/* Take a record; for io_walk(), with the survey as @arg. */
int survey_record(void *arg, struct fxt_reader *r, const struct fxt_record *rec);

/* Sort and select addresses after the last record. */
void survey_finish(struct survey *s);
void survey_free(struct survey *s);

#endif /* FXT_SYMBOLIZE_SYMBOLIZE_H */
