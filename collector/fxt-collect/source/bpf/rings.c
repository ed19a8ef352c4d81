// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * rings.c - see rings.h.
 *
 * Chunks of CPUs are not copied: they point into the mapped sub-buffers, and the next call gives a
 * sub-buffer back to its producer. If a part of an open sub-buffer is handed out early, the rest
 * must begin with a ledger of its own. That ledger overwrites the last words already handed out, so
 * the rest needs no copy either.
 *
 * In overwrite mode the producers wait for no one, so CPUs are read only while the producers are
 * stopped.
 */
#include <bpf/libbpf.h>
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "bpf/ring.h"
#include "fxt/fxt_sched.h"
#include "rings.h"
#include "source/names_stream.h"

_Static_assert(offsetof(struct fxt_ring, irq_begin) == 2 * FXT_RING_CACHE_LINE,
	       "producer and consumer have a cache line each");

/* The consumer's side of one CPU's ring. */
struct cpu {
	struct fxt_ring *ring;	/* shared with the producer */
	__u64 *subbufs;		/* its first sub-buffer, NULL if it has none */
	unsigned int slot;	/* index of the oldest sub-buffer not given back */
	__u32 consumed;		/* sub-buffers given back */
	__u32 given;		/* words of that sub-buffer already handed out */
	struct fxt_ledger head;	/* the ledger at its head, if @given is not 0 */
	uint64_t pass;		/* rings.pass when the open sub-buffer was last handed out */
};

struct rings {
	struct rings_config config;
	void *rings;			/* struct fxt_ring of each CPU */
	size_t rings_bytes;		/* size of the mapping */
	void *subbufs;			/* all sub-buffers */
	size_t subbufs_bytes;		/* size of the mapping */
	struct fxt_deferred *deferred;	/* queues of deferred records, or NULL */
	size_t deferred_bytes;		/* size of the mapping */
	struct ring_buffer *doorbell;	/* signals complete sub-buffers */
	struct cpu *cpus;
	unsigned int turn;		/* the next CPU to check */
	struct cpu *held;		/* whose oldest sub-buffer is handed out, or NULL */
	bool frozen;			/* overwrite mode: CPUs can be read */
	/*
	 * Incremented whenever next finds nothing. Within a pass, each open sub-buffer is handed
	 * out once; otherwise, the events that reading causes would make it endless.
	 */
	uint64_t pass;
	struct names_stream names;
	struct ring_buffer *names_ring;
};

/* --- open and close -------------------------------------------------------- */

void *rings_map(int fd, size_t bytes)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	return p == MAP_FAILED ? NULL : p;
}

static void share_out(struct rings *r)
{
	const struct rings_config *c = &r->config;
	struct fxt_ring *rings = r->rings;
	unsigned int i, first = 0;

	for (i = 0; i < c->cpu_count; i++) {
		r->cpus[i].ring = &rings[i];
		r->cpus[i].pass = UINT64_MAX;
		rings[i].index = FXT_RING_NO_SUBBUF;
		rings[i].switch_header = c->bare ?
			fxt_sched_bare_switch_header(i, FXT_THREAD_NEW) :
			fxt_sched_switch_header(i, FXT_THREAD_NEW);
		if (!c->present->has[i])
			continue;
		rings[i].first = first;
		rings[i].index = first;
		r->cpus[i].subbufs = (__u64 *)r->subbufs +
				     first * (c->subbuf_size / FXT_WORD);
		first += c->subbuf_count;
	}
}

static int ignore_ring(void *arg, void *data, size_t bytes)
{
	(void)arg, (void)data, (void)bytes;
	return 0;
}

static __u32 put_attach(__u64 *rec, const struct fxt_attach *from, __u64 time,
			const struct fxt_sched_comm *comm, __u32 *records)
{
	const struct fxt_sched_attach attach = {
		.tid = from->name.tid, .tgid = from->name.tgid, .parent = from->name.parent,
		.alone = from->alone, .event = { from->name.event, time },
		.path = from->path, .bytes = from->bytes,
	};

	return fxt_sched_put_attach(rec, &attach, comm, records);
}

static int put_name(void *arg, void *data, size_t bytes)
{
	struct names_stream *n = arg;
	const struct fxt_name *name = data;
	struct fxt_sched_comm comm = fxt_sched_comm(name->comm);
	/* The time was read before the space in the ring buffer was reserved. */
	__u64 time = name->time > n->last ? name->time : n->last;
	__u32 words, records;

	if (bytes == sizeof(struct fxt_attach))
		words = put_attach(names_stream_at(n, time), data, time, &comm, &records);
	else
		words = fxt_sched_put_task(names_stream_at(n, time), name->tid, name->tgid,
					   name->parent, &comm,
					   (struct fxt_sched_event){ name->event, time },
					   &records);
	names_stream_add(n, time, words, records);
	/* libbpf consumes this sample regardless of the return value. */
	return names_stream_has_room(n) ? 0 : -ENOSPC;
}

static int map_deferred(struct rings *r, size_t page)
{
	size_t bytes = r->config.cpu_count * FXT_DEFERRED_LEVELS * sizeof(*r->deferred);

	if (r->config.deferred_fd < 0)
		return 0;
	r->deferred_bytes = (bytes + page - 1) / page * page;
	r->deferred = rings_map(r->config.deferred_fd, r->deferred_bytes);
	return r->deferred ? 0 : -1;
}

static int map_all(struct rings *r)
{
	const struct rings_config *c = &r->config;
	size_t page = sysconf(_SC_PAGESIZE);

	r->rings_bytes = (c->cpu_count * sizeof(struct fxt_ring) + page - 1) / page * page;
	r->subbufs_bytes = c->present->count * c->subbuf_count * c->subbuf_size;
	r->cpus = calloc(c->cpu_count, sizeof(*r->cpus));
	if (!r->cpus || names_stream_open(&r->names))
		return -1;
	r->rings = rings_map(c->rings_fd, r->rings_bytes);
	if (!r->rings)
		return -1;
	r->subbufs = rings_map(c->subbufs_fd, r->subbufs_bytes);
	if (!r->subbufs)
		return -1;
	if (map_deferred(r, page))
		return -1;
	r->names_ring = ring_buffer__new(c->names_fd, put_name, &r->names, NULL);
	if (!r->names_ring)
		return -1;
	r->doorbell = ring_buffer__new(c->doorbell_fd, ignore_ring, NULL, NULL);
	return r->doorbell ? 0 : -1;
}

struct rings *rings_open(const struct rings_config *c)
{
	struct rings *r = calloc(1, sizeof(*r));
	int err;

	if (!r)
		return NULL;
	r->config = *c;
	if (map_all(r)) {
		err = errno;
		rings_close(r);
		errno = err;
		return NULL;
	}
	share_out(r);
	r->config.present = NULL;
	return r;
}

void rings_close(struct rings *r)
{
	if (!r)
		return;
	ring_buffer__free(r->names_ring);
	ring_buffer__free(r->doorbell);
	if (r->deferred)
		munmap(r->deferred, r->deferred_bytes);
	if (r->subbufs)
		munmap(r->subbufs, r->subbufs_bytes);
	if (r->rings)
		munmap(r->rings, r->rings_bytes);
	names_stream_close(&r->names);
	free(r->cpus);
	free(r);
}

int rings_poll_fd(const struct rings *r)
{
	return ring_buffer__epoll_fd(r->doorbell);
}

/* --- chunks of CPUs ---------------------------------------------------------- */

/*
 * Give the oldest sub-buffer back to the producer. Release: all reads of it, and the ledger that
 * continue_at() stored in it, come before. Pairs with the producer's control dependency in
 * ring_open() of ring.bpf.h.
 */
static void give_back(struct rings *r, struct cpu *cpu)
{
	cpu->slot = cpu->slot + 1 == r->config.subbuf_count ? 0 : cpu->slot + 1;
	cpu->given = 0;
	cpu->consumed++;
	__atomic_store_n(&cpu->ring->consumed, cpu->consumed, __ATOMIC_RELEASE);
}

/*
 * Write a ledger of kind continued, a copy of the one at the head, over the words before those not
 * handed out yet. If the first record is shorter than a ledger, it overwrites the one at the head,
 * of which there is a copy.
 */
static __u64 *continue_at(struct cpu *cpu, __u64 *buf)
{
	struct fxt_ledger ledger = cpu->head;

	if (!cpu->given) {
		fxt_sched_get_ledger(buf, &cpu->head);
		return buf;
	}
	ledger.kind = FXT_LEDGER_CONTINUED;
	fxt_sched_put_ledger(buf + cpu->given - FXT_LEDGER_WORDS, &ledger);
	return buf + cpu->given - FXT_LEDGER_WORDS;
}

/*
 * Hand out the CPU's oldest words: the rest of a complete sub-buffer, or, with @partial and once
 * per pass, the contents of the open one.
 */
static bool next_of_cpu(struct rings *r, struct cpu *cpu, struct chunk *c, bool partial)
{
	const size_t size = r->config.subbuf_size / FXT_WORD;
	__u64 head, *buf, *begin;
	bool complete;
	__u32 words;

	for (;;) {
		/* Pairs with the release in ring_publish(): read words and footers after head. */
		head = __atomic_load_n(&cpu->ring->head, __ATOMIC_ACQUIRE);
		complete = (__u32)(head >> FXT_RING_SEQUENCE_SHIFT) != cpu->consumed;
		if (!complete && (!partial || cpu->pass == r->pass))
			return false;
		buf = cpu->subbufs + cpu->slot * size;
		words = complete ? buf[size - FXT_RING_FOOTER_USED] :
				   head & FXT_RING_WORDS_MASK;
		if (words > cpu->given)
			break;
		if (!complete)
			return false;
		give_back(r, cpu);
	}
	begin = continue_at(cpu, buf);
	*c = (struct chunk) {
		.data = begin,
		.bytes = (buf + words - begin) * FXT_WORD,
		.kept = complete ? buf[size - FXT_RING_FOOTER_KEPT] : 0,
		.last = complete ? buf[size - FXT_RING_FOOTER_LAST] : 0,
	};
	cpu->given = words;
	if (complete)
		r->held = cpu;
	else
		cpu->pass = r->pass;
	return true;
}

/* Check the CPUs round-robin. */
static bool next_of_cpus(struct rings *r, struct chunk *c, bool partial)
{
	unsigned int i, turn;

	for (i = 0; i < r->config.cpu_count; i++) {
		turn = (r->turn + i) % r->config.cpu_count;
		if (next_of_cpu(r, &r->cpus[turn], c, partial)) {
			r->turn = turn + 1;
			return true;
		}
	}
	return false;
}

/* --- chunks of names ----------------------------------------------------------- */

static bool next_of_names(struct rings *r, struct chunk *c, bool partial)
{
	struct names_stream *n = &r->names;

	names_stream_drop(n);
	/* The ring buffer was empty: names lost so far were lost before all later ones. */
	if (names_stream_has_room(n) && ring_buffer__consume(r->names_ring) >= 0)
		n->lost = __atomic_load_n(r->config.names_lost, __ATOMIC_RELAXED);
	return names_stream_fetch(n, c, partial);
}

/*
 * Clear the doorbell only after finding nothing, so that the source stays readable while data
 * waits; then check once more for data that arrived in between.
 */
bool rings_next(struct rings *r, struct chunk *c, bool partial)
{
	if (r->held)
		give_back(r, r->held);
	r->held = NULL;
	if (next_of_names(r, c, partial))
		return true;
	if (r->config.overwrite && !r->frozen)
		return false;
	if (next_of_cpus(r, c, partial))
		return true;
	ring_buffer__consume(r->doorbell);
	if (next_of_cpus(r, c, partial))
		return true;
	r->pass++;
	return false;
}

/* --- stopped producers ------------------------------------------------------------- */

void rings_wait(const struct rings *r)
{
	const struct timespec wait = { .tv_nsec = 100000 };
	int tries = 10000;
	unsigned int i;

	for (i = 0; r->deferred && i < r->config.cpu_count; i++)
		while (__atomic_load_n(&r->cpus[i].ring->writing, __ATOMIC_ACQUIRE) && tries--)
			nanosleep(&wait, NULL);
}

static void lose_half(struct fxt_ring *ring, struct fxt_deferred_half *h)
{
	__u64 records = h->counts[FXT_RING_SWITCHES] + h->counts[FXT_RING_WAKEUPS] +
			h->counts[FXT_RING_EVENTS];
	int i;

	for (i = 0; i < FXT_RING_LOST; i++)
		ring->counts[i] += h->counts[i];
	ring->counts[FXT_RING_LOST] += records;
	*h = (struct fxt_deferred_half){ 0 };
}

/* Events in NMIs have no record and count as lost. */
static void lose_missed(struct fxt_ring *ring)
{
	ring->counts[FXT_RING_EVENTS] += ring->missed;
	ring->counts[FXT_RING_LOST] += ring->missed;
	ring->missed = 0;
}

void rings_lose_rest(struct rings *r)
{
	unsigned int i, half;

	for (i = 0; r->deferred && i < r->config.cpu_count * FXT_DEFERRED_LEVELS; i++) {
		for (half = 0; half < 2; half++)
			lose_half(r->cpus[i / FXT_DEFERRED_LEVELS].ring,
				  &r->deferred[i].halves[half]);
		r->deferred[i].stale = 0;
		r->cpus[i / FXT_DEFERRED_LEVELS].ring->queued[i % FXT_DEFERRED_LEVELS] = 0;
	}
	for (i = 0; i < r->config.cpu_count; i++)
		lose_missed(r->cpus[i].ring);
}

/* --- overwrite mode --------------------------------------------------------------- */

static __u32 sequence_of(const struct fxt_ring *ring)
{
	return ring->head >> FXT_RING_SEQUENCE_SHIFT;
}

/* Earlier sub-buffers are whole, except the one whose slot the open one reuses. */
void rings_freeze(struct rings *r)
{
	const __u32 count = r->config.subbuf_count;
	struct cpu *cpu;
	unsigned int i;

	for (i = 0; i < r->config.cpu_count; i++) {
		cpu = &r->cpus[i];
		if (!cpu->subbufs ||
		    sequence_of(cpu->ring) - cpu->consumed < count)
			continue;
		cpu->consumed = sequence_of(cpu->ring) - (count - 1);
		cpu->slot = (cpu->ring->index - cpu->ring->first + 1) % count;
		cpu->given = 0;
	}
	r->frozen = true;
}

/* Skip the open sub-buffer on behalf of the producer. It needs no footer: nobody reads it again. */
static void begin_anew(struct rings *r, struct cpu *cpu)
{
	struct fxt_ring *ring = cpu->ring;
	__u32 slot = ring->index - ring->first;

	if (ring->head & FXT_RING_WORDS_MASK) {
		slot = slot + 1 == r->config.subbuf_count ? 0 : slot + 1;
		ring->index = ring->first + slot;
		ring->head = (__u64)(sequence_of(ring) + 1) << FXT_RING_SEQUENCE_SHIFT;
	}
	cpu->consumed = sequence_of(ring);
	cpu->slot = slot;
	cpu->given = 0;
	cpu->pass = UINT64_MAX;
}

void rings_thaw(struct rings *r)
{
	unsigned int i;

	for (i = 0; i < r->config.cpu_count; i++)
		if (r->cpus[i].subbufs)
			begin_anew(r, &r->cpus[i]);
	r->held = NULL;
	r->frozen = false;
}

/* --- statistics ------------------------------------------------------------------ */

void rings_cpu_stats(const struct rings *r, unsigned int cpu, struct stream_stats *stats)
{
	struct fxt_ring ring = *(volatile struct fxt_ring *)r->cpus[cpu].ring;

	*stats = (struct stream_stats) {
		.stream = cpu,
		.switches = ring.counts[FXT_RING_SWITCHES],
		.wakeups = ring.counts[FXT_RING_WAKEUPS],
		.events = ring.counts[FXT_RING_EVENTS],
		.lost = ring.counts[FXT_RING_LOST],
		.last = ring.last,
		.subbufs = (ring.head >> FXT_RING_SEQUENCE_SHIFT) +
			   !!(ring.head & FXT_RING_WORDS_MASK),
		.waiting = r->config.overwrite ? 0 :
			   sequence_of(&ring) - r->cpus[cpu].consumed,
	};
}

bool rings_longest(const struct rings *r, struct trigger_hit *hit)
{
	unsigned int i;

	*hit = (struct trigger_hit){ 0 };
	for (i = 0; i < r->config.cpu_count; i++) {
		struct fxt_ring ring = *(volatile struct fxt_ring *)r->cpus[i].ring;

		if (ring.longest <= hit->value)
			continue;
		*hit = (struct trigger_hit) {
			.time = ring.longest_time,
			.value = ring.longest,
			.thread = ring.longest_thread,
			.cpu = i,
		};
	}
	return hit->value;
}

void rings_names_stats(const struct rings *r, struct stream_stats *stats)
{
	*stats = (struct stream_stats) {
		.stream = FXT_LEDGER_STREAM_NAMES,
		.last = r->names.last,
		.subbufs = r->names.sequence,
	};
}
