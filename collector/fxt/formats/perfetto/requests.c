// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * requests.c - requests of block devices as events of ftrace, for Perfetto's linux.block_io.
 *
 * In: begins and ends of drivers' requests, in the order of time.
 * Out: block_io_start and block_io_done, in pairs, except for requests without an end.
 *
 * Perfetto counts a device's requests by its number, which only begins have. An end without a begin
 * would end another request there, so it is omitted. A request without an end ends when it begins
 * again.
 *
 * Must hold: memory grows with operations that have not ended, which operations.h limits.
 */
#include "sched/kernel_event.h"
#include "terminal/memory.h"
#include "perfetto.h"

struct begun {
	struct map_node node;
	uint64_t id;
	struct packets_request request;
};

static uint64_t hash_of(uint64_t id)
{
	return map_hash(id, KERNEL_REQUEST);
}

void perfetto_request_of(struct perfetto *p, const struct kernel_event *k)
{
	const struct fxt_arg *device, *sector;

	p->request = (struct packets_request){ .cpu = KERNEL_EVENT_NO_CPU };
	if (!k || (k->what != KERNEL_REQUEST && k->what != KERNEL_COMPLETION))
		return;
	p->request.cpu = k->cpu;
	if (k->what == KERNEL_COMPLETION)
		return;
	device = kernel_event_arg(&p->content, FXT_STR_DEVICE, FXT_ARG_UINT32);
	sector = kernel_event_arg(&p->content, FXT_STR_SECTOR, FXT_ARG_UINT64);
	p->request.device = device && sector ? device->u64 : 0;
	p->request.sector = sector ? sector->u64 : 0;
	p->request.bytes = k->args.request.bytes;
}

void perfetto_request(struct perfetto *p, uint64_t ns, const struct packets_part *part)
{
	uint16_t cpu = part->request.cpu;
	struct begun *b;

	if (cpu == KERNEL_EVENT_NO_CPU)
		return;
	b = map_find(&p->requests, hash_of(part->id), b, b->id == part->id);
	if (b) {
		perfetto_io(p, PERFETTO_IO_DONE, ns, cpu, &b->request);
		map_remove(&p->requests, &b->node);
		free(b);
	}
	if (!part->request.device)
		return;
	must(map_new(&p->requests, hash_of(part->id), b));
	b->id = part->id;
	b->request = part->request;
	perfetto_io(p, PERFETTO_IO_START, ns, cpu, &b->request);
}

void perfetto_requests_free(struct perfetto *p)
{
	map_free_all(&p->requests, struct begun);
}
