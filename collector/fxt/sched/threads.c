// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * threads.c - threads and processes by koid.
 *
 * In: koids, up to three for each event.
 * Out: the thread, created when it is first seen. Linux ids are below 2^22 and are found in
 * a table in two steps; koids of other systems are found in a hash. Threads never move, so
 * that others may keep pointers to them.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libfxt/hash.h"
#include "threads.h"

#define CACHE_LINE	64
#define SLAB_THREADS	128
#define PAGE_KOIDS	1024
#define FIRST_HASH	256

_Static_assert(offsetof(struct sched_thread, process) == CACHE_LINE,
	       "what each event touches fills one line");
_Static_assert(sizeof(struct sched_thread) % CACHE_LINE == 0, "lines stay whole");

/* Threads are in slabs, so that each begins a cache line and none ever moves. */
struct sched_page {
	struct sched_page *next;
	char pad[CACHE_LINE - sizeof(struct sched_page *)];
	struct sched_thread threads[SLAB_THREADS];
};

int sched_threads_open(struct sched_threads *t)
{
	t->slab_used = SLAB_THREADS;
	t->hash_size = FIRST_HASH;
	t->process_hash_size = FIRST_HASH;
	t->hash = calloc(t->hash_size, sizeof(*t->hash));
	t->process_hash = calloc(t->process_hash_size, sizeof(*t->process_hash));
	return t->hash && t->process_hash ? 0 : -ENOMEM;
}

void sched_threads_close(struct sched_threads *t)
{
	struct sched_page *slab;
	size_t i;

	for (i = 0; i < sizeof(t->pages) / sizeof(t->pages[0]); i++)
		free(t->pages[i]);
	for (i = 0; i < t->count; i++)
		free(t->list[i]->cpus);
	while ((slab = t->slabs)) {
		t->slabs = slab->next;
		free(slab);
	}
	for (i = 0; i < t->process_count; i++) {
		free(t->processes[i]->cgroup);
		free(t->processes[i]);
	}
	free(t->hash);
	free(t->list);
	free(t->processes);
	free(t->process_hash);
}

static size_t slot_of(uint64_t koid, size_t size)
{
	return fxt_hash(koid, 0) & (size - 1);
}

/* Room for one more in an array that doubles. */
static int grow(void **list, size_t count, size_t *room, size_t size)
{
	size_t more = *room ? *room * 2 : 64;
	void *bigger;

	if (count < *room)
		return 0;
	bigger = realloc(*list, more * size);
	if (!bigger)
		return -ENOMEM;
	*list = bigger;
	*room = more;
	return 0;
}

static struct sched_thread *new_thread(struct sched_threads *t, uint64_t koid)
{
	struct sched_page *slab = t->slabs;
	struct sched_thread *thread;

	if (grow((void **)&t->list, t->count, &t->room, sizeof(*t->list)))
		return NULL;
	if (t->slab_used == SLAB_THREADS) {
		slab = aligned_alloc(CACHE_LINE, sizeof(*slab));
		if (!slab)
			return NULL;
		slab->next = t->slabs;
		t->slabs = slab;
		t->slab_used = 0;
	}
	thread = &slab->threads[t->slab_used++];
	*thread = (struct sched_thread){
		.koid = koid,
		.id = t->count,
		.state = SCHED_UNKNOWN,
		/* The idle threads run on all CPUs at once, so they have no state. */
		.on_state = koid ? SCHED_RUNNING : SCHED_UNKNOWN,
		.cpu = SCHED_NO_CPU,
		.queue = SCHED_NO_CPU,
		.waker_cpu = SCHED_NO_CPU,
	};
	t->list[t->count++] = thread;
	return thread;
}

static struct sched_thread **hash_slot(const struct sched_threads *t, uint64_t koid)
{
	size_t i = slot_of(koid, t->hash_size);

	while (t->hash[i] && t->hash[i]->koid != koid)
		i = (i + 1) & (t->hash_size - 1);
	return &t->hash[i];
}

/* At most half of it is used, so that searches are short and end. */
static int grow_hash(struct sched_threads *t)
{
	struct sched_thread **old = t->hash;
	size_t i, size = t->hash_size;

	t->hash = calloc(size * 2, sizeof(*t->hash));
	if (!t->hash) {
		t->hash = old;
		return -ENOMEM;
	}
	t->hash_size = size * 2;
	for (i = 0; i < size; i++)
		if (old[i])
			*hash_slot(t, old[i]->koid) = old[i];
	free(old);
	return 0;
}

static struct sched_thread *get_hashed(struct sched_threads *t, uint64_t koid)
{
	struct sched_thread **slot = hash_slot(t, koid);

	if (*slot)
		return *slot;
	if (t->hash_used >= t->hash_size / 2) {
		if (grow_hash(t))
			return NULL;
		slot = hash_slot(t, koid);
	}
	*slot = new_thread(t, koid);
	t->hash_used += !!*slot;
	return *slot;
}

struct sched_thread *sched_thread_slow(struct sched_threads *t, uint64_t koid)
{
	struct sched_thread **page;

	if (koid >> 22)
		return get_hashed(t, koid);
	page = t->pages[koid >> 10];
	if (!page) {
		page = calloc(PAGE_KOIDS, sizeof(*page));
		if (!page)
			return NULL;
		t->pages[koid >> 10] = page;
	}
	if (!page[koid & (PAGE_KOIDS - 1)])
		page[koid & (PAGE_KOIDS - 1)] = new_thread(t, koid);
	return page[koid & (PAGE_KOIDS - 1)];
}

struct sched_thread *sched_thread_another(struct sched_threads *t, uint64_t koid)
{
	return new_thread(t, koid);
}

void sched_thread_put(struct sched_threads *t, struct sched_thread *thread)
{
	uint64_t koid = thread->koid;

	if (koid >> 22)
		*hash_slot(t, koid) = thread;
	else
		t->pages[koid >> 10][koid & (PAGE_KOIDS - 1)] = thread;
}

struct sched_thread *sched_thread_find(const struct sched_threads *t, uint64_t koid)
{
	struct sched_thread **page;

	if (koid >> 22)
		return *hash_slot(t, koid);
	page = t->pages[koid >> 10];
	return page ? page[koid & (PAGE_KOIDS - 1)] : NULL;
}

static struct sched_process **process_slot(const struct sched_threads *t, uint64_t koid)
{
	size_t i = slot_of(koid, t->process_hash_size);

	while (t->process_hash[i] && t->process_hash[i]->koid != koid)
		i = (i + 1) & (t->process_hash_size - 1);
	return &t->process_hash[i];
}

static int grow_process_hash(struct sched_threads *t)
{
	size_t i, size = t->process_hash_size * 2;
	struct sched_process **bigger = calloc(size, sizeof(*bigger));

	if (!bigger)
		return -ENOMEM;
	free(t->process_hash);
	t->process_hash = bigger;
	t->process_hash_size = size;
	for (i = 0; i < t->process_count; i++)
		*process_slot(t, t->processes[i]->koid) = t->processes[i];
	return 0;
}

struct sched_process *sched_process_find(const struct sched_threads *t, uint64_t koid)
{
	return *process_slot(t, koid);
}

static struct sched_process *new_process(struct sched_threads *t, uint64_t koid)
{
	struct sched_process *p;

	if (grow((void **)&t->processes, t->process_count, &t->process_room,
		 sizeof(*t->processes)))
		return NULL;
	p = calloc(1, sizeof(*p));
	if (!p)
		return NULL;
	p->koid = koid;
	p->id = t->process_count;
	t->processes[t->process_count++] = p;
	return p;
}

struct sched_process *sched_process_get(struct sched_threads *t, uint64_t koid)
{
	struct sched_process **slot = process_slot(t, koid), *p;

	if (*slot)
		return *slot;
	if (t->process_count >= t->process_hash_size / 2 && grow_process_hash(t))
		return NULL;
	p = new_process(t, koid);
	if (p)
		*process_slot(t, koid) = p;
	return p;
}

struct sched_process *sched_process_another(struct sched_threads *t, uint64_t koid)
{
	struct sched_process **slot = process_slot(t, koid), *p = new_process(t, koid);

	if (!p)
		return NULL;
	p->nth = (*slot)->nth + 1;
	*slot = p;
	return p;
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
