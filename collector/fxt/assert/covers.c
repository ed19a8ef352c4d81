// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * covers.c - does a filtered recording have everything that a comparison needs?
 *
 * Must hold: "yes" only if each item of the selected threads is in the recording. Several filters
 * at once, and filters by cgroup, which threads may enter and leave, are never enough.
 */
#include <stddef.h>
#include <string.h>

#include <fxt/fxt_glob.h>

#include "expression.h"

/* Returns what follows the word, or NULL. */
static const char *after(const char *text, const char *word)
{
	size_t length = strlen(word);

	return strncmp(text, word, length) ? NULL : text + length;
}

static bool is_list(const char *text)
{
	return text && text[strspn(text, "0123456789,-")] == '\0';
}

static bool covers_pids(const char *list, const struct filter *f)
{
	struct filter kept = { 0 };
	bool covers = f->pids.count && !filter_add_ids(&kept.pids, list);
	size_t i;

	for (i = 0; covers && i < f->pids.count; i++)
		covers = filter_has_id(&kept.pids, f->pids.ids[i]);
	filter_free(&kept);
	return covers;
}

static bool covers_comm(const char *pattern, const struct filter *f)
{
	struct fxt_glob kept;

	return f->by_comm && !fxt_glob_compile(&kept, pattern) &&
	       !memcmp(&kept, &f->comm, sizeof(kept));
}

/* All switches of these CPUs are there, but a wait or a migration may have begun elsewhere. */
static bool covers_cpus(const char *list, const struct comparison *c)
{
	struct filter kept = { 0 };
	bool covers = c->filter.by_cpu && c->quantity->class == CLASS_EVENTS &&
		      (c->quantity->offset == offsetof(struct report_counts, switches) ||
		       c->quantity->offset == offsetof(struct report_counts, preempted)) &&
		      !filter_add_cpus(&kept, list);
	unsigned int i;

	for (i = 0; covers && i < FILTER_CPUS; i++)
		covers = !filter_has_cpu(&c->filter, i) || filter_has_cpu(&kept, i);
	filter_free(&kept);
	return covers;
}

/* Who had a CPU during a wait is unknown in a filtered recording, so the wait's kind is, too. */
bool quantity_has_kind(const struct quantity *q)
{
	return q->class == CLASS_WAITS && q->waits != (1U << REPORT_WAITS) - 1;
}

bool comparison_is_covered(const struct report *r, const struct comparison *c)
{
	const char *filter = r->totals.filtered, *list;

	if (!filter)
		return true;
	if (quantity_has_kind(c->quantity))
		return false;
	list = after(filter, "pids ");
	if (is_list(list))
		return covers_pids(list, &c->filter);
	list = after(filter, "cpus ");
	if (is_list(list))
		return covers_cpus(list, c);
	list = after(filter, "comm ");
	return list && covers_comm(list, &c->filter);
}
