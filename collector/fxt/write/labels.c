// SPDX-License-Identifier: GPL-2.0-or-later
/* labels.c - see labels.h. */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

#include "labels.h"

/* Print a number, which is below 1000 after rounding, with three digits. */
static void three_digits(struct label *l, double value, const char *unit)
{
	int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;

	snprintf(l->text, sizeof(l->text), "%.*f%s", decimals, value, unit);
}

struct label time_label(uint64_t ns)
{
	static const struct {
		double ns;
		double most;	/* number in the next smaller unit */
		const char *name;
	} units[] = {
		{ 1e3, 999.5, "us" }, { 1e6, 999.5, "ms" }, { 1e9, 99999.5, "s" },
		{ 3600e9, 99999.5, "h" }, { 8766 * 3600e9, 1e9, "y" },
	};
	struct label l;
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

struct label count_label(uint64_t count)
{
	static const char *const units[] = { "M", "G", "T", "P", "E" };
	double value = count / 1e6;
	struct label l;
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

struct label size_label(uint64_t bytes)
{
	static const char *const units[] = { " KiB", " MiB", " GiB", " TiB", " PiB", " EiB" };
	double value = bytes / 1024.0;
	struct label l;
	size_t i;

	if (bytes < 1024) {
		snprintf(l.text, sizeof(l.text), "%u bytes", (unsigned int)bytes);
		return l;
	}
	for (i = 0; value >= 999.5; i++)
		value /= 1024;
	three_digits(&l, value, units[i]);
	return l;
}

struct label share_label(double share)
{
	struct label l;

	snprintf(l.text, sizeof(l.text), "%.*f%%", share < 0.99995 ? 2 : 0, share * 100);
	return l;
}

struct label id_label(uint64_t koid)
{
	struct label l;

	if (koid < 100000000)
		snprintf(l.text, sizeof(l.text), "%" PRIu64, koid);
	else
		snprintf(l.text, sizeof(l.text), "~%07u", (unsigned int)(koid % 10000000));
	return l;
}
