// SPDX-License-Identifier: GPL-2.0-or-later
/* types.c - names of anomalies, states and threads, weights of priorities. */
#include <string.h>

#include <fxt/fxt_sched.h>

#include "types.h"

const char *sched_anomaly_name(enum sched_anomaly_kind kind)
{
	static const char * const names[] = {
#define ANOMALY_NAME(kind, name) [kind] = name,
		SCHED_ANOMALIES(ANOMALY_NAME)
#undef ANOMALY_NAME
	};

	return kind < SCHED_ANOMALY_COUNT ? names[kind] : "?";
}

void sched_set_name(char *name, size_t size, const struct fxt_text *text)
{
	size_t n = text->length;

	if (n >= size)
		for (n = size - 1; n && (text->bytes[n] & 0xc0) == 0x80; n--)
			;
	memcpy(name, text->bytes, n);
	name[n] = '\0';
}

const char *sched_state_name(char state)
{
	static const struct {
		char state;
		const char *name;
	} names[] = {
		{ SCHED_RUNNING, "Running" }, { 'R', "R" }, { '+', "R+" }, { 'S', "S" },
		{ 'D', "D" }, { 'I', "I" }, { 'T', "T" }, { 't', "t" }, { 'P', "P" },
		{ 'Z', "Z" }, { 'X', "X" },
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i].state == state)
			return names[i].name;
	return "Unknown";
}

const int32_t sched_nice_weights[SCHED_MAX_PRIO - SCHED_FAIR_MIN_PRIO] = {
	88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916,
	9548, 7620, 6100, 4904, 3906, 3121, 2501, 1991, 1586, 1277,
	1024, 820, 655, 526, 423, 335, 272, 215, 172, 137,
	110, 87, 70, 56, 45, 36, 29, 23, 18, 15,
};

int32_t sched_weight_of_prio(uint32_t tid, int32_t prio)
{
	int32_t fair = prio < SCHED_MAX_PRIO ? prio : SCHED_MAX_PRIO - 1;

	return fxt_sched_weight(tid, prio, fair < SCHED_FAIR_MIN_PRIO ? 0 :
				sched_nice_weights[fair - SCHED_FAIR_MIN_PRIO]);
}

enum sched_class sched_class_of(const struct sched_totals *totals, int32_t weight)
{
	/* Programs other than Linux's tracers may write any number. */
	if (!weight || (!totals->ledgers && !totals->is_imported))
		return SCHED_CLASS_NONE;
	if (totals->has_priorities)
		weight = sched_weight_of_prio(1, weight);
	return weight == FXT_SCHED_WEIGHT_DL ? SCHED_CLASS_DL :
	       weight >= FXT_SCHED_WEIGHT_RT ? SCHED_CLASS_RT : SCHED_CLASS_FAIR;
}
