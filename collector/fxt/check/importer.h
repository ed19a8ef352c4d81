/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * importer.h - does Perfetto keep a record?
 *
 * In: records, in the order of the file, as words.
 * Out: whether Perfetto's importer drops each, and the first reason that it finds, which is the
 * only one that it counts. It reads the fields in the order in which they are in the record and
 * checks less than the format asks for: of an argument only its header and its strings first,
 * whatever its size says; later, record by record in the order of time, all values.
 *
 * As in src/trace_processor/importers/fuchsia of Perfetto in August 2026.
 */
#ifndef FXT_CHECK_IMPORTER_H
#define FXT_CHECK_IMPORTER_H

#include "libfxt/fxt_reader.h"
#include "walk/koids.h"

#define IMPORTER_STRINGS	(1U << 22)	/* remembered: 200 MiB */

/* Why a record is dropped. */
enum importer_reason {
	IMPORTER_KEPT,
	IMPORTER_PROVIDER,	/* it follows a section of an unknown provider */
	IMPORTER_STRING,	/* a string was not registered */
	IMPORTER_SHORT,		/* a field reaches beyond the end of the record */
	IMPORTER_TIME,		/* more than 63 bits of ns */
	IMPORTER_DURATION,	/* the end is before the begin */
	IMPORTER_WEIGHT,	/* a weight is no Int32 */
	IMPORTER_WAKER,		/* a waker is no koid */
	IMPORTER_PROCESS,	/* the process of a thread is no koid */
};

/**
 * struct importer_result - what becomes of a record
 * @is_read: Perfetto takes it for a record at all
 * @is_astray: the record before ended elsewhere, by its size; what follows is not predicted
 * @is_section: it is a section of a provider that is not known
 * @strings: references to strings that are not registered, but drop nothing
 * @numbers: arguments of a counter that are no numbers, and are dropped
 */
struct importer_result {
	bool is_read;
	bool is_astray;
	bool is_section;
	enum importer_reason reason;
	unsigned int strings;
	unsigned int numbers;
};

/**
 * struct importer - what Perfetto knows of the archive so far; begins with importer_begin()
 * @strings: by provider and index, which string of FXT_SCHED_STRINGS it is, or 0
 * @providers: by id, their numbers here; each record that introduces one gives it a new one
 * @rates: by number of the provider, ticks per second, if they are not 10^9
 * @last: the number that was given last
 * @provider: number of the current one; 0: it is not known
 * @rate: its ticks per second
 * @next: where the next record begins, in bytes; @number: of the record before
 * @has_ended: nothing more is read, or it cannot be predicted
 */
struct importer {
	struct koids strings;
	struct koids providers;
	struct koids rates;
	uint64_t last;
	uint64_t provider;
	uint64_t rate;
	uint64_t next;
	uint64_t number;
	bool has_ended;
};

void importer_begin(struct importer *p);

/** importer_end() - Perfetto reads no further */
void importer_end(struct importer *p);

/** importer_record() - feed a record, before it is decoded */
struct importer_result importer_record(struct importer *p, const struct fxt_record *rec);

void importer_free(struct importer *p);

#endif /* FXT_CHECK_IMPORTER_H */
