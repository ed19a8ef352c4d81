/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace.h - the events of another tracer as an archive.
 *
 * In: events in the order of time.
 * Out: context switches, wakeups, names, and slices of interrupts and idle states.
 */
#ifndef FXT_FORMATS_IMPORT_TRACE_H
#define FXT_FORMATS_IMPORT_TRACE_H

#include "archive.h"
#include "event.h"
#include "slices.h"
#include "threads.h"
#include "wakeups.h"

/**
 * struct trace - a trace that is being converted
 * @has_renames: the trace has task_rename
 * @is_filtered: some events were not recorded
 * @has_ended: trace_end() was called
 * @taken: events of known kinds
 * @other: events of other kinds
 * @uncertain_stacks: call chains of threads whose later switches may be missing
 * @late: events that came too late to be sorted; they are counted as lost as well
 * @misplaced: events of a CPU or thread that Linux cannot have
 */
struct trace {
	struct trace_archive a;
	struct trace_threads threads;
	struct trace_slices slices;
	struct trace_wakeups wakeups;
	bool has_renames;
	bool is_filtered;
	bool has_ended;
	uint64_t taken;
	uint64_t other;
	uint64_t uncertain_stacks;
	uint64_t late;
	uint64_t misplaced;
};

/** trace_open() - as trace_archive_open(), of zeros */
int trace_open(struct trace *t, int fd, const char *from);

/** trace_take() - an event. Return: 0 or a negative errno */
int trace_take(struct trace *t, const struct trace_event *e);

/** trace_lost() - the tracer lost events on a CPU. Return: 0 or a negative errno */
int trace_lost(struct trace *t, uint32_t cpu, uint64_t events);

/** trace_filtered() - only events that match @filter were recorded. Return: 0 or a negative errno */
int trace_filtered(struct trace *t, const char *filter);

/** trace_late() - an event of a CPU came too late to be sorted. Return: 0 or a negative errno */
int trace_late(struct trace *t, uint32_t cpu);

/** trace_is_possible() - can Linux have the CPU and the threads of an event? */
bool trace_is_possible(const struct trace_event *e);

/**
 * trace_end() - write the rest
 *
 * Only modules, mappings and symbols may follow, by the writer of the archive.
 *
 * Return: 0 or a negative errno.
 */
int trace_end(struct trace *t);

/** trace_close() - write the rest unless trace_end() was called, and free all. Return: 0 or a negative errno */
int trace_close(struct trace *t);

/** trace_report() - report on standard error what the archive of @path lacks */
void trace_report(const struct trace *t, const char *path);

/** trace_known() - the kind of an event by its name; TRACE_NOTHING: another kind */
enum trace_what trace_known(const char *name, size_t length);

#endif /* FXT_FORMATS_IMPORT_TRACE_H */
