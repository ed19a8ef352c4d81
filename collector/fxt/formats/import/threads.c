// SPDX-License-Identifier: GPL-2.0-or-later
/* threads.c - the threads, stacks and wakeups of a trace of another tracer. See import.h. */
#include <stdlib.h>
#include <string.h>

#include "libfxt/fxt_writer.h"
#include "sched/types.h"
#include "terminal/memory.h"
#include "import.h"

#define PAGES	(TRACE_PIDS / TRACE_PAGE_THREADS)

struct trace_thread *trace_thread(struct trace *t, uint32_t tid)
{
	struct trace_thread **page = &t->pages[tid / TRACE_PAGE_THREADS];

	if (__builtin_expect(!*page, 0))
		*page = must(calloc(TRACE_PAGE_THREADS, sizeof(**page)));
	return &(*page)[tid % TRACE_PAGE_THREADS];
}

static const struct trace_thread *find_thread(const struct trace *t, uint32_t tid)
{
	const struct trace_thread *page = t->pages[tid / TRACE_PAGE_THREADS];

	return page ? &page[tid % TRACE_PAGE_THREADS] : NULL;
}

/* As fxt_sched_put_task(), but for an unknown process. */
static uint32_t put_thread(__u64 *rec, uint32_t tid, const struct fxt_sched_comm *comm,
			   const struct trace_thread *thread)
{
	uint32_t name = fxt_stream_words(comm->bytes), n = 2, args = !!thread->what, i;

	rec[0] = fxt_kernel_object(2 + name + 2 * args, FXT_OBJECT_THREAD,
				   fxt_string_ref_inline(comm->bytes), args);
	rec[1] = tid;
	for (i = 0; i < name; i++)
		rec[n++] = comm->words[i];
	if (args) {
		rec[n++] = fxt_arg_uint64(2, thread->what);
		rec[n++] = thread->time;
	}
	return n;
}

static uint32_t tgid_of(uint32_t tid, const struct trace_thread *thread)
{
	return thread->tgid ? thread->tgid : thread->is_leader ? tid : 0;
}

/* Returns the words of the records; 0 if the thread has no name. */
static uint32_t put_record(const struct trace *t, uint32_t tid, __u64 *rec,
			   const struct trace_thread *thread, __u32 *records)
{
	const struct trace_thread *parent = thread->parent ? find_thread(t, thread->parent) : NULL;
	struct fxt_sched_event event = { .what = thread->what, .time = thread->time };
	struct fxt_sched_comm comm = fxt_sched_comm(thread->name);
	uint32_t tgid = tgid_of(tid, thread);

	*records = 1;
	if (!thread->has_name)
		return 0;
	return tgid ? fxt_sched_put_task(rec, tid, tgid, parent ? tgid_of(thread->parent, parent) : 0,
					 &comm, event, records) :
		      put_thread(rec, tid, &comm, thread);
}

/* Write the waiting record, before another one. */
static void write_pending(struct trace *t, uint32_t tid, struct trace_thread *thread)
{
	__u64 *rec = trace_archive_room(&t->a, TRACE_CPUS);
	__u32 records, words;

	if (!thread->is_pending)
		return;
	thread->is_pending = false;
	/* Without an event that gave the name, the thread was found, not forked. */
	thread->what = thread->what ? thread->what : FXT_STR_FOLDED;
	words = put_record(t, tid, rec, thread, &records);
	if (words)
		trace_archive_add(&t->a, TRACE_CPUS, t->a.last, words, records);
}

/* Empty names are known, too. */
static bool is_known(const char *name)
{
	return name && (*name != '<' || strcmp(name, "<...>"));
}

static bool is_name(const char *name)
{
	return is_known(name) && *name;
}

static void set_name(struct trace *t, struct trace_thread *thread, const char *name)
{
	size_t length = strnlen(name, sizeof(thread->name));

	if (length == sizeof(thread->name)) {
		t->long_names++;
		length--;
	}
	memcpy(thread->name, name, length);
	memset(thread->name + length, 0, sizeof(thread->name) - length);
	thread->has_name = true;
	thread->is_weak = false;
	thread->is_found = false;
	thread->is_pending = true;
}

void trace_thread_named(struct trace *t, uint32_t tid, const char *name, uint32_t what,
			uint64_t ns)
{
	struct trace_thread *thread;

	if (!tid || !is_known(name))
		return;
	thread = trace_thread(t, tid);
	if (thread->is_found && !what && *name && !strncmp(thread->name, name, strlen(name))) {
		thread->is_found = false;
	} else if (!thread->has_name || thread->is_weak) {
		thread->time = thread->what ? thread->time : ns;
	} else {
		if (!what && !strncmp(thread->name, name, sizeof(thread->name) - 1))
			return;
		write_pending(t, tid, thread);
		thread->what = what ? what : FXT_STR_FOLDED;
		thread->time = ns;
	}
	set_name(t, thread, name);
}

void trace_thread_found(struct trace *t, uint32_t tid, const char *name, uint32_t parent)
{
	struct trace_thread *thread = trace_thread(t, tid);

	if (!tid)
		return;
	if (parent && !thread->parent) {
		thread->parent = parent;
		thread->is_pending = thread->has_name;
	}
	if (!is_name(name) || (thread->has_name && !thread->is_weak))
		return;
	trace_thread_named(t, tid, name, 0, 0);
	thread->is_found = true;
}

void trace_thread_called(struct trace *t, uint32_t tid, const char *name)
{
	struct trace_thread *thread;

	if (!tid || !is_name(name))
		return;
	thread = trace_thread(t, tid);
	if (thread->has_name)
		return;
	set_name(t, thread, name);
	thread->is_weak = true;
}

/* The thread with the process's id belongs to it: write its record, later or once more. */
static void note_leader(struct trace *t, uint32_t tgid)
{
	struct trace_thread *leader = trace_thread(t, tgid);

	if (!leader->tgid && !leader->is_leader) {
		leader->is_leader = true;
		leader->is_pending = leader->has_name;
	}
}

void trace_thread_of(struct trace *t, uint32_t tid, uint32_t tgid, uint64_t ns)
{
	struct trace_thread *thread;

	if (!tid || !tgid)
		return;
	thread = trace_thread(t, tid);
	if (thread->tgid == tgid)
		return;
	/* If its process differs, the id belongs to a new thread. */
	if (thread->tgid) {
		write_pending(t, tid, thread);
		thread->what = FXT_STR_FOLDED;
		thread->time = ns;
	}
	thread->tgid = tgid;
	thread->is_pending = thread->has_name;
	note_leader(t, tgid);
}

void trace_thread_later(struct trace *t, uint32_t tid, uint32_t tgid)
{
	struct trace_thread *thread;

	if (!tid || !tgid)
		return;
	thread = trace_thread(t, tid);
	if (!thread->later_tgid)
		thread->later_tgid = tgid;
}

uint32_t trace_thread_process(struct trace *t, uint32_t tid)
{
	const struct trace_thread *thread = find_thread(t, tid);
	uint32_t tgid = thread ? tgid_of(tid, thread) : 0;

	return tgid ? tgid : thread && thread->later_tgid ? thread->later_tgid : tid;
}

void trace_thread_forked(struct trace *t, uint32_t tid, uint32_t parent, uint32_t tgid,
			 const char *name, uint64_t ns)
{
	struct trace_thread *thread = trace_thread(t, tid);

	if (thread->is_new) {
		/* Two events show the same fork. */
		thread->tgid = thread->tgid ? thread->tgid : tgid;
		thread->parent = thread->parent ? thread->parent : parent;
		return;
	}
	write_pending(t, tid, thread);
	free(thread->frames);
	free(thread->work);
	memset(thread, 0, sizeof(*thread));
	thread->tgid = tgid;
	thread->parent = parent;
	thread->what = FXT_STR_FORK;
	thread->time = ns;
	thread->is_new = true;
	if (is_name(name))
		set_name(t, thread, name);
}

int32_t trace_thread_weight(struct trace_thread *thread, uint32_t tid, int32_t prio)
{
	if (prio != TRACE_PRIO_UNKNOWN) {
		thread->prio = prio;
		thread->has_prio = true;
	}
	/* Other kernels than Linux have larger priorities, whose meaning is unknown. */
	if (tid && thread->has_prio && thread->prio >= SCHED_MAX_PRIO)
		return FXT_SCHED_WEIGHT_NONE;
	return sched_weight_of_prio(tid, thread->has_prio ? thread->prio : SCHED_NICE_0_PRIO);
}

typedef void (*thread_fn)(struct trace *t, uint32_t tid, struct trace_thread *thread);

static void for_each(struct trace *t, thread_fn call)
{
	uint32_t i, k;

	for (i = 0; i < PAGES; i++)
		for (k = 0; t->pages[i] && k < TRACE_PAGE_THREADS; k++)
			call(t, i * TRACE_PAGE_THREADS + k, &t->pages[i][k]);
}

static void write_known(struct trace *t, uint32_t tid, struct trace_thread *thread)
{
	if (thread->what)
		write_pending(t, tid, thread);
}

static void write_found(struct trace *t, uint32_t tid, struct trace_thread *thread)
{
	__u64 rec[FXT_SCHED_TASK_WORDS];
	__u32 records, words;

	if (!thread->is_pending)
		return;
	words = put_record(t, tid, rec, thread, &records);
	if (words)
		trace_archive_record(&t->a, rec, words);
}

void trace_threads_end(struct trace *t)
{
	for_each(t, write_known);
	trace_archive_end(&t->a);
	for_each(t, write_found);
}

void trace_threads_close(struct trace *t)
{
	uint32_t i, k;

	for (i = 0; i < PAGES; i++) {
		for (k = 0; t->pages[i] && k < TRACE_PAGE_THREADS; k++) {
			free(t->pages[i][k].frames);
			free(t->pages[i][k].work);
		}
		free(t->pages[i]);
	}
}

/* --- call chains --- */

void trace_stack_keep(struct trace_thread *thread, const struct trace_event *e)
{
	trace_stack_drop(thread);
	if (!e->frame_count)
		return;
	thread->frames = must(malloc(e->frame_count * sizeof(*e->frames)));
	memcpy(thread->frames, e->frames, e->frame_count * sizeof(*e->frames));
	thread->frame_count = e->frame_count;
}

void trace_stack_drop(struct trace_thread *thread)
{
	free(thread->frames);
	thread->frames = NULL;
	thread->frame_count = 0;
}

/* @tgid: the process of the frames that are not the kernel's */
static void put_backtrace(struct trace *t, const struct trace_event *e, uint32_t tid,
			  uint32_t tgid, const uint64_t *frames, unsigned int count)
{
	__u64 *rec = trace_room(t, e);

	memcpy(rec + FXT_SCHED_STACK_HEAD, frames, count * sizeof(*frames));
	trace_put(t, e, fxt_sched_put_stack(rec, e->ns, tid, tgid, count));
}

void trace_stack_in(struct trace *t, const struct trace_event *e, struct trace_thread *in)
{
	if (!in->frame_count)
		return;
	put_backtrace(t, e, e->other, trace_thread_process(t, e->other), in->frames,
		      in->frame_count);
	trace_stack_drop(in);
}

/*
 * The stack of what wakes @e->thread. In an interrupt, it omits the frames of the program, which is
 * not the waker.
 */
static void put_waker_stack(struct trace *t, const struct trace_event *e)
{
	unsigned int count = e->frame_count;

	while (e->irq != FXT_SCHED_IRQ_NONE && count && !fxt_sched_is_kernel(e->frames[count - 1]))
		count--;
	if (count)
		put_backtrace(t, e, e->thread, trace_thread_process(t, e->on ? e->on : e->thread),
			      e->frames, count);
}

/* --- wakeups --- */

void trace_wakeups_owner(struct trace *t, const struct trace_event *e, bool is_switch)
{
	if (t->wakeups.owners && !e->frame_count)
		t->wakeups.owners[e->cpu] = (struct trace_stack_owner){ e->thread, is_switch, !is_switch, true };
}

/* Write the stack of a waker, or note that it may follow. */
static void put_waker(struct trace *t, const struct trace_event *e)
{
	put_waker_stack(t, e);
	trace_wakeups_owner(t, e, false);
}

bool trace_wakeups_stack(struct trace *t, const struct trace_event *e)
{
	const struct trace_stack_owner owner = t->wakeups.owners ? t->wakeups.owners[e->cpu] :
							   (struct trace_stack_owner){ 0 };
	const struct trace_held *held = t->wakeups.held ? &t->wakeups.held[e->cpu] : NULL;
	struct trace_event of = *e;

	if (!owner.is_switch && !owner.is_wakeup)
		return owner.is_known;
	t->wakeups.owners[e->cpu] = (struct trace_stack_owner){ 0 };
	if (owner.is_switch && owner.thread)
		trace_stack_keep(trace_thread(t, owner.thread), e);
	if (owner.is_switch)
		return true;
	of.thread = owner.thread;
	if (held && held->is_held)
		of.ns = held->ns;
	put_waker_stack(t, &of);
	return true;
}

static bool serves_softirqs(const char *name)
{
	static const char * const starts[] = {
		FXT_SCHED_KSOFTIRQD, FXT_SCHED_KTIMERS, FXT_SCHED_IRQ_THREAD,
	};
	size_t i;

	for (i = 0; i < sizeof(starts) / sizeof(*starts); i++)
		if (!strncmp(name, starts[i], strlen(starts[i])))
			return true;
	return false;
}

/* For the rule, see collector/README.md, "The archive". */
static uint32_t waker_of(struct trace *t, const struct trace_event *e)
{
	const struct trace_thread *on = e->irq == FXT_SCHED_IRQ_SOFT && e->on ?
					trace_thread(t, e->on) : NULL;
	bool is_own = on && serves_softirqs(on->has_name ? on->name : e->on_name.bytes);

	return fxt_sched_waker(e->on, is_own ? FXT_SCHED_IRQ_NONE : e->irq);
}

static void put_wakeup(struct trace *t, uint32_t cpu, const struct trace_held *h)
{
	__u64 *rec = trace_archive_room(&t->a, cpu);

	trace_archive_add(&t->a, cpu, h->ns,
			  fxt_sched_put_wakeup(rec, h->ns, h->target, h->thread, h->weight,
					       h->waker), 1);
}

static void release(struct trace *t, uint32_t cpu)
{
	struct trace_held held;

	if (!t->wakeups.held || !t->wakeups.held[cpu].is_held)
		return;
	held = t->wakeups.held[cpu];
	t->wakeups.held[cpu].is_held = false;
	put_wakeup(t, cpu, &held);
}

static void wake(struct trace *t, const struct trace_event *e, struct trace_thread *thread,
		 uint32_t waker)
{
	const struct trace_held h = {
		.ns = e->ns,
		.thread = e->thread,
		.target = e->value,
		.waker = waker,
		.weight = trace_thread_weight(thread, e->thread, e->prio),
		.is_held = true,
	};

	thread->state = TRACE_STATE_AWAKE;
	thread->losses = t->wakeups.losses;
	thread->is_waking = false;
	thread->is_early = false;
	if (e->what != TRACE_WAKING && !t->wakeups.has_stacks) {
		put_wakeup(t, e->cpu, &h);
		return;
	}
	if (!t->wakeups.held)
		t->wakeups.held = must(calloc(TRACE_CPUS, sizeof(*t->wakeups.held)));
	t->wakeups.held[e->cpu] = h;
}

static bool is_awake(const struct trace *t, const struct trace_thread *thread)
{
	return thread->state == TRACE_STATE_AWAKE && thread->losses == t->wakeups.losses;
}

void trace_wakeup(struct trace *t, const struct trace_event *e)
{
	static const char line[] = "wakeups waking\n";
	struct trace_thread *thread = trace_thread(t, e->thread);
	bool has_waker;

	trace_thread_named(t, e->thread, e->name.bytes, 0, e->ns);
	/* The running thread is woken before it has left, by itself or an interrupt. */
	if (e->on == e->thread && e->what != TRACE_WAKEUP_NEW) {
		thread->state = TRACE_STATE_AWAKE;
		thread->losses = t->wakeups.losses;
		return;
	}
	if (e->what == TRACE_WAKING && t->wakeups.has_events) {
		thread->waker = waker_of(t, e);
		thread->is_waking = true;
		if (!is_awake(t, thread))
			put_waker(t, e);
		return;
	}
	if (e->what == TRACE_WAKING && !t->wakeups.has_wakings) {
		t->wakeups.has_wakings = true;
		fxt_writer_blob(t->a.w, FXT_STR_SESSION, line, strlen(line));
	}
	if (is_awake(t, thread)) {
		if (!thread->is_waking || e->what == TRACE_WAKING)
			thread->waker = waker_of(t, e);
		thread->is_waking = e->what == TRACE_WAKING;
		thread->is_early = e->what == TRACE_WAKEUP;
		thread->woken = e->ns;
		return;
	}
	has_waker = thread->is_waking && e->what != TRACE_WAKING;
	if (!has_waker)
		put_waker(t, e);
	wake(t, e, thread, has_waker ? thread->waker : waker_of(t, e));
}

void trace_wakeup_early(struct trace *t, const struct trace_event *e,
			struct trace_thread *in)
{
	struct trace_event woken = {
		.what = TRACE_WAKEUP, .cpu = e->cpu, .thread = e->other, .value = e->cpu,
		.prio = e->other_prio,
	};
	uint64_t last = t->a.streams[e->cpu].chunk_last;

	if (e->hides_other || !(in->is_waking || in->is_early) ||
	    in->state != TRACE_STATE_ASLEEP || in->losses != t->wakeups.losses)
		return;
	woken.ns = last > in->left ? last : in->left;
	if (woken.ns > e->ns)
		return;
	wake(t, &woken, in, in->waker);
	release(t, e->cpu);
}

static bool moves(const struct trace_held *h, const struct trace_event *e)
{
	return e->what == TRACE_MIGRATE && e->thread == h->thread && e->from == h->target;
}

void trace_wakeups_before(struct trace *t, const struct trace_event *e)
{
	struct trace_held *h = t->wakeups.held ? &t->wakeups.held[e->cpu] : NULL;

	if (t->wakeups.has_stacks && !t->wakeups.owners)
		t->wakeups.owners = must(calloc(TRACE_CPUS, sizeof(*t->wakeups.owners)));
	if (t->wakeups.owners && e->what != TRACE_STACK)
		t->wakeups.owners[e->cpu] = (struct trace_stack_owner){
			.is_known = e->what >= TRACE_SWITCH && e->what <= TRACE_WAKEUP_NEW,
		};
	if (h && h->is_held && e->what != TRACE_NOTHING && e->what != TRACE_STACK && !moves(h, e))
		release(t, e->cpu);
}

uint64_t trace_wakeup_move(struct trace *t, const struct trace_event *e)
{
	struct trace_held *h = t->wakeups.held ? &t->wakeups.held[e->cpu] : NULL;

	if (!h || !h->is_held || !moves(h, e))
		return e->ns;
	h->target = e->value;
	return h->ns;
}

void trace_wakeups_lost(struct trace *t, uint32_t cpu)
{
	t->wakeups.losses++;
	release(t, cpu);
	if (t->wakeups.owners)
		t->wakeups.owners[cpu] = (struct trace_stack_owner){ 0 };
}

void trace_wakeups_end(struct trace *t)
{
	uint32_t i;

	for (i = 0; t->wakeups.held && i < TRACE_CPUS; i++)
		release(t, i);
}

void trace_wakeups_close(struct trace *t)
{
	free(t->wakeups.held);
	free(t->wakeups.owners);
}
