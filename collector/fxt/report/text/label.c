// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * label.c - numbers of a report in few columns, and latencies in few classes.
 */
#include <inttypes.h>
#include <stdio.h>

#include "label.h"

#define FIRST_CLASS_BITS	12	/* 4096 ns */

/* Three digits of a number that is less than 1000 once it is rounded to them. */
static void three_digits(struct report_label *l, double value, const char *unit)
{
	int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;

	snprintf(l->text, sizeof(l->text), "%.*f%s", decimals, value, unit);
}

struct report_label report_time_label(uint64_t ns)
{
	static const struct {
		double ns;
		double most;	/* of this unit */
		const char *name;
	} units[] = {
		{ 1e3, 999.5, "us" }, { 1e6, 999.5, "ms" }, { 1e9, 99999.5, "s" },
		{ 3600e9, 99999.5, "h" }, { 8766 * 3600e9, 1e9, "y" },
	};
	struct report_label l;
	size_t i;

	if (ns < 1000) {
		snprintf(l.text, sizeof(l.text), "%uns", (unsigned int)ns);
		return l;
	}
	for (i = 0; ns / units[i].ns >= units[i].most; i++)
		;
	three_digits(&l, ns / units[i].ns, units[i].name);
	return l;
}

struct report_label report_count_label(uint64_t count)
{
	static const char *const units[] = { "M", "G", "T", "P", "E" };
	double value = count / 1e6;
	struct report_label l;
	size_t i;

	if (count < 1000000) {
		snprintf(l.text, sizeof(l.text), "%" PRIu64, count);
		return l;
	}
	for (i = 0; value >= 999.5; i++)
		value /= 1000;
	three_digits(&l, value, units[i]);
	return l;
}

struct report_label report_share_label(double share)
{
	struct report_label l;

	snprintf(l.text, sizeof(l.text), "%.*f%%", share < 0.99995 ? 2 : 0, share * 100);
	return l;
}

struct report_label report_id_label(uint64_t koid)
{
	struct report_label l;

	if (koid < 100000000)
		snprintf(l.text, sizeof(l.text), "%" PRIu64, koid);
	else
		snprintf(l.text, sizeof(l.text), "~%07u", (unsigned int)(koid % 10000000));
	return l;
}

struct report_label report_cpus_label(uint16_t from, uint16_t to)
{
	struct report_label l;

	if (from == to)
		snprintf(l.text, sizeof(l.text), "%u", to);
	else
		snprintf(l.text, sizeof(l.text), "%u -> %u", from, to);
	return l;
}

uint64_t report_class_limit(unsigned int class)
{
	return 1ULL << (FIRST_CLASS_BITS + 2 * class);
}

void report_classes(const struct report_hist *h, uint64_t counts[REPORT_CLASSES])
{
	struct report_bucket b;
	unsigned int at = 0, class = 0, i;

	for (i = 0; i < REPORT_CLASSES; i++)
		counts[i] = 0;
	while (report_hist_next(h, &at, &b)) {
		while (class < REPORT_CLASSES - 1 && b.low >= report_class_limit(class))
			class++;
		counts[class] += b.count;
	}
}
