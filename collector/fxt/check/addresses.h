/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * addresses.h - addresses of stacks that are outside of every mapping.
 *
 * In: backtraces of our producers, mappings, symbols.
 * Out: a note of the class sched for the kernel, and one for all programs. An address that has a symbol needs no
 * mapping, and one in a mapping needs no symbol: a mapping may be without a file.
 *
 * Memory grows with different addresses, up to ADDRESSES_MOST of them, and with mappings and
 * symbols.
 */
#ifndef FXT_CHECK_ADDRESSES_H
#define FXT_CHECK_ADDRESSES_H

#include "libfxt/map.h"
#include "report.h"
#include "sched/symbols.h"

#define ADDRESSES_MOST	(1UL << 19)	/* 32 MiB */

struct check_mapping;

/**
 * struct check_addresses - of one archive; all zero before the first record
 * @known: each address once
 * @mappings: in the order of the archive, @mapping_count of them
 * @more: addresses beyond ADDRESSES_MOST; @more_offset and @more_record: of the first of them
 */
struct check_addresses {
	struct map known;
	struct check_mapping *mappings;
	size_t mapping_count;
	struct sched_symbols symbols;
	uint64_t more;
	uint64_t more_offset;
	uint64_t more_record;
};

/** check_addresses_content() - feed a record; 0 or -ENOMEM */
int check_addresses_content(struct check_addresses *a, const struct fxt_record *rec,
			    const struct fxt_content *c);

/**
 * check_addresses_end() - report, and free everything
 * @a: the archive
 * @report: NULL to report nothing
 *
 * Return: 0 or -ENOMEM.
 */
int check_addresses_end(struct check_addresses *a, struct check_report *report);

#endif /* FXT_CHECK_ADDRESSES_H */
