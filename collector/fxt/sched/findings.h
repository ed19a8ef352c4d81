/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * findings.h - reports and counts findings.
 */
#ifndef FXT_SCHED_FINDINGS_H
#define FXT_SCHED_FINDINGS_H

#include "data.h"

/**
 * sched_tell() - report a finding
 * @m: the model
 * @kind: of it
 * @violation: impossible for any scheduler or producer; false for a note
 * @count: how often
 * @offset: bytes, of the first record that shows it
 * @time: ns, of that record
 * @format: the text after "byte N: "
 */
void sched_tell(struct sched_model *m, enum sched_finding_kind kind, bool violation,
		uint64_t count, uint64_t offset, uint64_t time, const char *format, ...)
	__attribute__((format(printf, 7, 8), cold));

/** sched_add() - count @count more findings; the first of all is at @offset */
void sched_add(struct sched_sum *sum, uint64_t count, uint64_t offset, uint64_t time);

/** sched_add_unordered() - the same for findings out of the order of time */
void sched_add_unordered(struct sched_sum *sum, uint64_t count, uint64_t offset,
			 uint64_t time);

/** sched_filtered() - count findings that the filter explains; @count: of such findings */
void sched_filtered(struct sched_model *m, uint64_t count, uint64_t offset,
		    uint64_t time);

void sched_late(struct sched_model *m, const struct sched_event *e)
	__attribute__((cold));

#endif /* FXT_SCHED_FINDINGS_H */
