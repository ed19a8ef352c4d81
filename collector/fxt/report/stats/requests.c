// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * requests.c - adds up requests of block devices, by device and operation.
 *
 * Must hold: a report about a time is that of the part of the archive with this time. A part has
 * only the records inside it, so a request counts if the driver got it in the time, and its time in
 * queues if it was queued in the time. The depth is that of the whole archive: it also counts
 * requests that the driver got before.
 */
#include <stdlib.h>

#include "internal.h"

struct entry {
	struct map_node node;
	struct report_requests of;
};

static struct report_requests *entry_of(struct report_engine *e, const struct sched_origin *origin)
{
	struct entry *entry;

	if (map_get(&e->requests, map_hash(origin->id, 0), entry, entry->of.origin == origin))
		entry->of.origin = origin;
	return &entry->of;
}

static void count_open(struct report_engine *e, const struct sched_request *r)
{
	if (r->issued >= e->from && r->issued <= e->to && !e->options->filter.by_cpu)
		entry_of(e, r->origin)->open++;
}

void engine_count_request(struct report_engine *e, const struct sched_request *r)
{
	uint64_t begin = r->queued && r->queued >= e->from ? r->queued : r->issued;
	struct report_requests *of;

	if (r->is_open || r->to > e->to) {
		count_open(e, r);
		return;
	}
	if (r->issued < e->from || !engine_counts(e, r->to, r->cpu))
		return;
	of = entry_of(e, r->origin);
	of->errors += !!r->error;
	of->bytes += r->bytes;
	of->queued += r->issued - begin;
	of->depth = r->depth > of->depth ? r->depth : of->depth;
	if (r->to - begin > of->hist.max || !of->hist.count) {
		of->longest_time = r->to;
		of->longest_queued = r->issued - begin;
		of->longest_bytes = r->bytes;
		of->longest_thread = r->thread ? engine_thread(e, r->thread) : NULL;
	}
	report_hist_add(&of->hist, r->to - begin);
}

ARRAY_COMPARE(by_time, struct report_requests, x, y,
	      array_order(y->hist.sum, x->hist.sum) ?: array_order(y->open, x->open) ?:
	      array_order(x->origin->id, y->origin->id))

/* The histograms stay those of the entries. */
void engine_requests_finish(struct report_engine *e)
{
	struct report_kernel *k = &e->report.kernel;
	struct entry *entry;

	k->requests = arena_array(&e->arena, struct report_requests, e->requests.count);
	map_each(&e->requests, entry)
		k->requests[k->request_count++] = entry->of;
	array_sort(k->requests, k->request_count, by_time);
}

void engine_requests_free(struct report_engine *e)
{
	struct entry *entry;

	map_each(&e->requests, entry)
		report_hist_free(&entry->of.hist);
	map_free_all(&e->requests, struct entry);
}
