/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * survey.h - what an archive says of its stacks: addresses, mappings, known functions.
 *
 * In: the records of an archive. Out: addresses without a function, and what was mapped there.
 */
#ifndef FXT_SYMBOLIZE_SURVEY_H
#define FXT_SYMBOLIZE_SURVEY_H

#include <stdbool.h>
#include <stdint.h>

#include "libfxt/fxt_reader.h"
#include "libfxt/map.h"
#include "libsym/addresses.h"
#include "libsym/images.h"
#include "sched/symbols.h"

/**
 * struct survey - all zero at the beginning
 * @addresses: of stacks; after survey_finish() sorted, and without those that have a function
 * @images: of processes
 * @known: functions that the archive names
 * @modules: by process and module id
 * @kernel_id: build id of the kernel that was recorded
 * @kernel_module: its module id
 * @kernel_start: the address of its code, 0 if unknown
 * @provider: id of the provider of the stacks
 * @has_stacks: there are any
 * @is_merged: there are stacks of several providers
 * @content: the current record
 */
struct survey {
	struct addresses addresses;
	struct images images;
	struct sched_symbols known;
	struct map modules;
	struct elf_id kernel_id;
	uint16_t kernel_module;
	uint64_t kernel_start;
	uint32_t provider;
	bool has_stacks;
	bool is_merged;
	struct fxt_content content;
};

/** survey_record() - take a record; for io_walk(), with the survey as @arg */
int survey_record(void *arg, struct fxt_reader *r, const struct fxt_record *rec);

/** survey_finish() - after the last record */
void survey_finish(struct survey *s);

/** survey_has_kernel() - are there addresses of the kernel without a function? */
static inline bool survey_has_kernel(const struct survey *s)
{
	return s->addresses.count && !s->addresses.slots[0].process;
}

void survey_free(struct survey *s);

#endif /* FXT_SYMBOLIZE_SURVEY_H */
