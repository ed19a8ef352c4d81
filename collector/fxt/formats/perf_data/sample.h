/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sample.h - the fields of a sample, and the ids at the end of other records.
 */
#ifndef FXT_FORMATS_PERF_DATA_SAMPLE_H
#define FXT_FORMATS_PERF_DATA_SAMPLE_H

#include "formats/import/event.h"
#include "file.h"

#define PERF_NO_CPU	UINT32_MAX

/**
 * struct perf_sample - what a record says beside its own fields
 * @time: 0 if unknown
 * @pid: of the process; @tid: of the thread; 0 if unknown
 * @cpu: PERF_NO_CPU if unknown
 * @chain: words of the call chain
 * @raw: of samples of tracepoints, the record of the tracepoint
 */
struct perf_sample {
	uint64_t time;
	uint32_t pid;
	uint32_t tid;
	uint32_t cpu;
	struct perf_bytes chain;
	struct perf_bytes raw;
};

/** perf_sample() - parse a sample. @body: without its header. Return: false if it is damaged */
bool perf_sample(const struct perf_file *f, struct perf_bytes body, struct perf_sample *s);

/**
 * perf_frames() - take the call chain of a sample
 * @s: the sample
 * @e: its event, whose @frames are set, allocated
 *
 * Return: 0 or -ENOMEM.
 */
int perf_frames(const struct perf_sample *s, struct trace_event *e);

/** perf_trailer() - parse what other records end with. Return: false if it is damaged */
bool perf_trailer(const struct perf_file *f, struct perf_bytes body, struct perf_sample *s);

#endif /* FXT_FORMATS_PERF_DATA_SAMPLE_H */
