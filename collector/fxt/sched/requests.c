// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * requests.c - requests of block devices.
 *
 * In: requests that are queued, that a driver gets, and that end, in the order of time.
 * Out: each request that a driver got, when it ends, or at the end of the archive, unless records
 * of it
 *	may be missing.
 *
 * The kernel reuses the memory of a request, and with it the id. So a record that does not fit the
 * one before it of this id is of another request. But records of two requests may fit if others are
 * missing in between: so a loss forgets all requests, and if only some CPUs were recorded, none is
 * known. A request that is merged into another one is queued, and has no other record: if the next
 * one with its id is not queued, it seems to have been queued with it.
 * Must hold: memory grows with open requests.
 */
#include <stdio.h>

#include "data.h"
#include "threads.h"

struct pending {
	struct map_node node;
	uint64_t id;
	struct sched_origin *device;	/* NULL if the driver does not have it */
	bool is_requeued;		/* the driver had it, and will get it again */
	struct sched_request r;
};

static uint64_t hash_of(uint64_t id)
{
	return map_hash(id, KERNEL_REQUEST);
}

static struct pending *find(const struct sched_model *m, uint64_t id)
{
	struct pending *p;

	return map_find(&m->requests, hash_of(id), p, p->id == id);
}

/* The driver does not have the request any more. */
static void leave(struct pending *p)
{
	if (p->device)
		p->device->requests--;
	p->device = NULL;
}

static void forget(struct sched_model *m, struct pending *p)
{
	leave(p);
	map_remove(&m->requests, &p->node);
	free(p);
}

/* Koid 0 is that of idle threads: an interrupt submitted it. */
static struct sched_thread *submitter(struct sched_model *m, uint64_t koid)
{
	return koid ? sched_thread_get(&m->threads, koid) : NULL;
}

static void queued(struct sched_model *m, const struct sched_event *e)
{
	uint64_t id = e->args.queued.request;
	struct pending *p = find(m, id);

	if (!p) {
		must(map_new(&m->requests, hash_of(id), p));
		p->id = id;
	} else if (p->is_requeued) {
		return;		/* by a thread of the kernel */
	}
	leave(p);
	p->r = (struct sched_request){ .queued = e->time, .thread = submitter(m, e->a) };
}

/* The origin of a device, which counts the requests that its driver has. */
static struct sched_origin *device_of(struct sched_model *m, const struct sched_origin *origin)
{
	const struct fxt_text name = { .bytes = origin->name, .length = strlen(origin->name) };

	return sched_origin_get(&m->origins, KERNEL_COMPLETION, 0, &name);
}

/* Name the origin, for people. */
static void name(struct sched_origin *origin)
{
	char *text;

	if (origin->path)
		return;
	if (asprintf(&text, "%s of %s", kernel_event_operation(origin->number), origin->name) < 0)
		memory_ran_out();
	origin->path = text;
}

static void issued(struct sched_model *m, const struct sched_event *e)
{
	struct sched_origin *origin = m->origins.list[e->origin];
	struct pending *p = find(m, e->a);

	if (!p) {
		must(map_new(&m->requests, hash_of(e->a), p));
		p->id = e->a;
	} else if (p->device || (p->is_requeued && p->r.origin != origin)) {
		leave(p);
		p->is_requeued = false;
		p->r = (struct sched_request){ 0 };
	}
	p->r.origin = origin;
	name(origin);
	/* Clocks of CPUs may differ a little. */
	p->r.issued = e->time > p->r.queued ? e->time : p->r.queued;
	/* The driver may have completed parts before it put the rest back. */
	if (!p->is_requeued)
		p->r.bytes = e->args.request.bytes;
	p->r.operation = e->args.request.operation;
	if (!p->r.queued)
		p->r.thread = submitter(m, e->args.request.thread);
	p->is_requeued = false;
	p->device = p->r.device = device_of(m, origin);
	p->r.depth = ++p->device->requests;
}

static void completed(struct sched_model *m, const struct sched_stream *s,
		      const struct sched_event *e)
{
	struct pending *p = find(m, e->args.completion.request);

	/* It may end the request that had this id before. */
	if (!p || (p->device && e->time + SCHED_CLOCK_STEP < p->r.issued))
		return;
	if (p->device != m->origins.list[e->origin]) {
		forget(m, p);
		return;
	}
	leave(p);
	/* The time from the first queue to the last driver is that in queues. */
	if (e->args.completion.result == FXT_BLOCK_REQUEUED) {
		p->r.queued = p->r.queued ? p->r.queued : p->r.issued;
		p->is_requeued = true;
		return;
	}
	p->r.to = e->time > p->r.issued ? e->time : p->r.issued;
	p->r.error = e->args.completion.result;
	p->r.cpu = e->cpu == SCHED_NO_CPU ? s->id : e->cpu;
	sched_report(m, request, &p->r);
	forget(m, p);
}

void sched_apply_request(struct sched_model *m, const struct sched_stream *s,
			 const struct sched_event *e)
{
	if (m->filter.cpus || (m->gap_to && e->time <= m->gap_to))
		return;
	if (e->what == KERNEL_QUEUED)
		queued(m, e);
	else if (e->what == KERNEL_REQUEST)
		issued(m, e);
	else
		completed(m, s, e);
}

void sched_requests_forget(struct sched_model *m)
{
	struct pending *p = NULL;

	while ((p = map_at(m->requests.oldest, p)))
		forget(m, p);
}

void sched_requests_finish(struct sched_model *m)
{
	struct pending *p;

	map_each(&m->requests, p) {
		if (!p->device)
			continue;
		p->r.to = m->now;
		p->r.cpu = SCHED_NO_CPU;
		p->r.is_open = true;
		sched_report(m, request, &p->r);
	}
}

void sched_requests_close(struct sched_model *m)
{
	size_t i;

	map_free_all(&m->requests, struct pending);
	for (i = 0; i < m->origins.count; i++)
		if (m->origins.list[i]->what == KERNEL_REQUEST)
			free((char *)m->origins.list[i]->path);
}
