// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * write.c - an archive's scheduling as a file of ftrace text.
 *
 * In: an archive, in two walks: the first for names, the second for everything else.
 * Out: text in the format of /sys/kernel/tracing/trace.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_sched.h>

#include "libfxt/objects.h"
#include "sched/model.h"
#include "sched/origins.h"
#include "terminal/memory.h"
#include "terminal/message.h"
#include "walk/io.h"
#include "sched/session_text.h"
#include "formats/formats.h"
#include "ftrace.h"

/* --------------------------------------------------------------------
 * Lines, from the records of an archive in file order, sorted by time. Events too far out of order
 * for the memory limit are counted.
 *
 * A thread's first name holds from the beginning of the archive; any other name is a rename.
 * Object records have no time. They take that of the ledger before them, or without ledgers that of
 * the latest event, or of the thread's next run, because a thread changes its name while it runs.
 * So renames may be early, by the time that a sub-buffer of names took to fill.
 *
 * Records of forks, execs and renames may have a time. From a fork on, the id means a new thread
 * with that name, whose parent is its first waker. If forks have no time, the first wakeup of a
 * thread counts as its fork if it is new in the stream of names and has not run.
 */

#define MAX_RENAMES	65536	/* waiting ones; others are applied at once */

struct ftrace {
	struct ftrace_text text;
	struct order order;
	uint64_t latest;	/* ns, of the events so far */
	uint64_t written;	/* ns, of the latest line */
	uint64_t late;		/* lines out of order */
	uint64_t left_out;	/* events of the kernel without a line */
	uint64_t object_ns;	/* ns, of object records; 0: use @latest */
	bool in_names;		/* first walk: in the stream of names */
	size_t renames;
	uint16_t stream;	/* CPU of the records after the latest ledger */
	bool has_stream;
	uint64_t in;		/* koid, of the thread that the latest switch switched in */
	uint64_t in_ns;		/* of that switch */
	uint16_t in_cpu;
	struct fxt_content content;
};

struct ftrace *ftrace_open(const struct ftrace_sink *sink, bool json)
{
	struct ftrace *f = new_zero(struct ftrace);

	f->text.sink = sink;
	f->text.json = json;
	f->order.size = sizeof(struct ftrace_event);
	f->order.room = FTRACE_ORDER_EVENTS;
	return f;
}

void ftrace_close(struct ftrace *f)
{
	const struct ftrace_event *e;

	while ((e = order_pop(&f->order)))
		if (e->kind == FTRACE_RENAME)
			free(e->name);
	order_free(&f->order);
	sched_origins_free(&f->text.origins);
	ftrace_threads_free(&f->text);
	free(f);
}

/* --- names: first walk ----------------------------------------------------- */

static bool is_thread_object(const struct fxt_content *c)
{
	return c->kind == FXT_KIND_KERNEL_OBJECT && c->object_type == FXT_OBJECT_THREAD;
}

static uint64_t process_of(const struct fxt_content *c)
{
	uint64_t process;

	return fxt_object_process(c, &process) ? process : 0;
}

/* A foreign writer may have another string at the index of the ledgers' name. */
static bool read_ledger(const struct fxt_content *c, const struct fxt_reader *r,
			const struct fxt_record *rec, struct fxt_ledger *l)
{
	__u64 words[FXT_LEDGER_WORDS] = { FXT_LEDGER_HEADER };
	uint32_t i;

	if (c->name.known != FXT_STR_LEDGER || rec->size != FXT_LEDGER_WORDS)
		return false;
	for (i = 1; i < FXT_LEDGER_WORDS; i++)
		words[i] = fxt_record_word(r, rec, i);
	return fxt_sched_get_ledger(words, l);
}

static bool session_says(const struct fxt_content *c, const char *key, const char *value)
{
	size_t length;
	const char *text = session_value(c->blob.data, c->blob.bytes, key, &length);

	return text && length == strlen(value) && !memcmp(text, value, length);
}

static void note_blob(struct ftrace *f, const struct fxt_content *c,
		      const struct fxt_reader *r, const struct fxt_record *rec)
{
	struct fxt_ledger l;

	if (read_ledger(c, r, rec, &l))
		f->in_names = l.stream == FXT_LEDGER_STREAM_NAMES &&
			      (l.kind == FXT_LEDGER_HEAD || l.kind == FXT_LEDGER_CONTINUED);
	if (c->name.known != FXT_STR_SESSION)
		return;
	f->text.weight_is_prio |= session_says(c, "weight", "prio");
	f->text.has_wakings |= session_says(c, "wakeups", "waking");
}

/* A thread whose name was found, not set by an event, was not forked then. */
static bool is_folded(const struct fxt_content *c)
{
	return c->arg_count && c->args[c->arg_count - 1].name.known == FXT_STR_FOLDED;
}

void ftrace_note(struct ftrace *f, const struct fxt_content *c,
		 const struct fxt_reader *r, const struct fxt_record *rec)
{
	struct ftrace_thread *t;

	if (c->kind == FXT_KIND_BLOB)
		note_blob(f, c, r, rec);
	if (!is_thread_object(c))
		return;
	t = ftrace_thread(&f->text, c->object);
	t->born |= !t->noted && f->in_names && !is_folded(c);
	t->noted = true;
	if (!t->tgid)
		t->tgid = t->told_tgid = process_of(c);
	if (!t->named && c->name.length) {
		ftrace_comm(&f->text, &t->comm, c->name.bytes, c->name.length);
		memcpy(t->told, t->comm.name, sizeof(t->told));
		t->named = true;
	}
	ftrace_thread_changed(t);
}

/* --- lines ------------------------------------------------------------------- */

/* The new thread with the id has its name from the beginning. */
static void apply_fork(struct ftrace_thread *thread, const struct ftrace_rename *r)
{
	thread->comm = r->comm;
	thread->tgid = r->tgid ? r->tgid : thread->tgid;
	thread->born = true;
	thread->seen = false;
	ftrace_thread_changed(thread);
}

static void apply_rename(struct ftrace *f, struct ftrace_thread *thread, uint64_t ns,
			 struct ftrace_rename *r)
{
	/* With a reused id, a thread has another process, but perhaps the same name. */
	thread->tgid = r->tgid ? r->tgid : thread->tgid;
	ftrace_thread_changed(thread);
	if (strcmp(thread->comm.name, r->comm.name)) {
		f->text.sink->put_rename(&f->text, ns, thread, &r->comm);
		thread->comm = r->comm;
		thread->named = true;
		ftrace_thread_changed(thread);
	}
	free(r);
	f->renames--;
}

/* Called when the thread runs or the archive ends. */
static void apply_renames(struct ftrace *f, struct ftrace_thread *thread, uint64_t ns)
{
	struct ftrace_rename *r;

	while ((r = thread->renames)) {
		thread->renames = r->next;
		apply_rename(f, thread, ns, r);
	}
}

/* A thread changes its name while it runs, so a rename waits until it runs. */
static void put_rename(struct ftrace *f, struct ftrace_thread *thread, uint64_t ns,
		       struct ftrace_rename *r)
{
	if (r->is_fork) {
		apply_renames(f, thread, ns);
		apply_fork(thread, r);
		free(r);
		f->renames--;
		return;
	}
	r->next = NULL;
	if (thread->renames)
		thread->last_rename->next = r;
	else
		thread->renames = r;
	thread->last_rename = r;
	if (thread->runs || f->renames > MAX_RENAMES)
		apply_renames(f, thread, ns);
}

static void runs_now(struct ftrace_thread *thread, uint16_t cpu, int32_t prio)
{
	thread->prio = prio;
	thread->cpu = cpu;
	thread->has_cpu = true;
	thread->runs = true;
}

static void set_running(struct ftrace_text *t, const struct ftrace_event *e,
			struct ftrace_thread *thread, struct ftrace_thread *other)
{
	runs_now(thread, e->cpu, e->prio);
	thread->runs = false;
	t->runs[e->cpu] = other;
	if (other)
		runs_now(other, e->cpu, e->other_prio);
}

static void put_sched(struct ftrace *f, const struct ftrace_event *e,
		      struct ftrace_thread *thread, struct ftrace_thread *other)
{
	const struct ftrace_sink *sink = f->text.sink;

	if (e->kind == FTRACE_SWITCH) {
		sink->put_switch(&f->text, e, thread, other);
		set_running(&f->text, e, thread, other);
		if (other)
			apply_renames(f, other, e->ns);
	} else {
		thread->woken_ns = e->ns;
		thread->waker = other && e->irq == FXT_SCHED_IRQ_NONE ? other->koid : 0;
		if (thread->born && !thread->seen && other && sink->put_newtask)
			sink->put_newtask(&f->text, e->ns, thread, other);
		/*
		 * Without a wakeup, readers would show the thread as waiting until its next event.
		 */
		if (e->state != SCHED_UNKNOWN)
			sink->put_wakeup(&f->text, e, thread, other);
	}
	thread->seen = true;
	if (other)
		other->seen = true;
}

static void put_mark(struct ftrace *f, const struct ftrace_event *e,
		     struct ftrace_thread *thread)
{
	bool is_begin = fxt_mark_is_begin(e->what);

	f->text.sink->put_mark(&f->text, e, thread);
	f->text.runs[e->cpu] = is_begin ? thread : NULL;
	thread->seen = true;
	if (is_begin)
		runs_now(thread, e->cpu, e->prio);
}

/* Most outgoing threads are known to run there: no search. */
static struct ftrace_thread *thread_of(struct ftrace *f, const struct ftrace_event *e)
{
	struct ftrace_thread *runs = f->text.runs[e->cpu];

	if (runs && runs->koid == e->thread)
		return runs;
	return ftrace_thread(&f->text, e->thread);
}

static void put_event(struct ftrace *f, const struct ftrace_event *e)
{
	struct ftrace_thread *thread = thread_of(f, e), *other = NULL;

	if (e->has_other)
		other = ftrace_thread(&f->text,
				      e->kind == FTRACE_MOMENT ? e->args.other : e->other);
	f->late += e->ns < f->written;
	f->written = e->ns > f->written ? e->ns : f->written;
	if (e->kind == FTRACE_RENAME)
		put_rename(f, thread, e->ns, e->name);
	else if (e->kind == FTRACE_MARK)
		put_mark(f, e, thread);
	else if (e->kind >= FTRACE_ENTRY)
		f->text.sink->put_kernel(&f->text, e, thread, other);
	else
		put_sched(f, e, thread, other);
}

static void add_event(struct ftrace *f, const struct ftrace_event *e, uint64_t rank)
{
	if (order_is_full(&f->order))
		put_event(f, order_pop(&f->order));
	order_add(&f->order, e, rank);
}

/* --- records: second walk ------------------------------------------------------ */

static void note_ledger(struct ftrace *f, const struct fxt_reader *r,
			const struct fxt_record *rec)
{
	struct fxt_ledger l;

	if (!read_ledger(&f->content, r, rec, &l))
		return;
	f->object_ns = fxt_ticks_to_ns(l.time, rec->provider->ticks_per_second);
	f->stream = l.stream;
	f->has_stream = l.stream <= UINT16_MAX;
}

static void add_object(struct ftrace *f, const struct fxt_record *rec)
{
	const struct fxt_content *c = &f->content;
	struct ftrace_thread *t = ftrace_thread(&f->text, c->object);
	struct ftrace_event e = { .kind = FTRACE_RENAME, .thread = c->object };
	struct ftrace_rename *r = new_zero(struct ftrace_rename);
	uint64_t ticks;
	uint16_t what = fxt_object_time(c, &ticks);

	r->tgid = process_of(c);
	ftrace_comm(&f->text, &r->comm, c->name.bytes, c->name.length);
	e.ns = what ? fxt_ticks_to_ns(ticks, rec->provider->ticks_per_second) :
	       f->object_ns ? f->object_ns : f->latest;
	/* The first record belongs to the thread that the first walk has noted. */
	r->is_fork = what == FXT_STR_FORK && t->taken;
	t->taken = true;
	if (!c->object || !c->name.length ||
	    (!r->is_fork && !strcmp(r->comm.name, t->told) && (!r->tgid || r->tgid == t->told_tgid))) {
		free(r);
		return;
	}
	memcpy(t->told, r->comm.name, sizeof(t->told));
	t->told_tgid = r->tgid ? r->tgid : t->told_tgid;
	/* The time may be only a bound; keep lines sorted. */
	e.ns = e.ns > f->written ? e.ns : f->written;
	e.name = r;
	f->renames++;
	if (f->renames > MAX_RENAMES)
		put_event(f, &e);
	else
		add_event(f, &e, 0);
}

static void add_mark(struct ftrace *f, uint64_t ns)
{
	const struct fxt_switch *sw = &f->content.sw;
	bool is_begin = fxt_mark_is_begin(sw->unknown);

	add_event(f, &(struct ftrace_event){
		.kind = FTRACE_MARK,
		.ns = ns,
		.thread = is_begin ? sw->in : sw->out,
		.cpu = sw->cpu,
		.what = sw->unknown,
		.prio = is_begin ? ftrace_prio(&f->text, sw->has_in_weight, sw->in_weight) :
				   ftrace_prio(&f->text, sw->has_out_weight, sw->out_weight),
	}, 0);
}

static void add_switch(struct ftrace *f, uint64_t ns)
{
	const struct fxt_switch *sw = &f->content.sw;

	f->in = sw->in;
	f->in_ns = ns;
	f->in_cpu = sw->cpu;
	add_event(f, &(struct ftrace_event){
		.kind = FTRACE_SWITCH,
		.ns = ns,
		.thread = sw->out,
		.other = sw->in,
		.has_other = !fxt_switch_hides_in(sw),
		.cpu = sw->cpu,
		.state = sched_out_state(sw->state, sw->letter),
		.prio = ftrace_prio(&f->text, sw->has_out_weight, sw->out_weight),
		.other_prio = ftrace_prio(&f->text, sw->has_in_weight, sw->in_weight),
	}, 0);
}

/* The legacy record has priorities of a kernel other than Linux; write them unchanged. */
static void add_legacy_switch(struct ftrace *f, uint64_t ns)
{
	const struct fxt_legacy_switch *sw = &f->content.legacy;

	add_event(f, &(struct ftrace_event){
		.kind = FTRACE_SWITCH,
		.ns = ns,
		.thread = sw->out.thread,
		.other = sw->in.thread,
		.has_other = true,
		.cpu = sw->cpu,
		.state = sched_out_state(sw->state, 0),
		.prio = sw->out_priority,
		.other_prio = sw->in_priority,
	}, 0);
}

static void add_wakeup(struct ftrace *f, uint64_t ns)
{
	const struct fxt_wakeup *w = &f->content.wakeup;

	add_event(f, &(struct ftrace_event){
		.kind = FTRACE_WAKEUP,
		.ns = ns,
		.thread = w->thread,
		.other = w->has_waker ? w->waker : w->interrupted,
		.has_other = w->has_waker || w->has_interrupted,
		.irq = w->has_waker ? FXT_SCHED_IRQ_NONE : w->irq,
		.cpu = w->cpu,
		.state = w->unknown ? SCHED_UNKNOWN : 'R',
		.prio = ftrace_prio(&f->text, w->has_weight, w->weight),
	}, 0);
}

/*
 * A slice becomes two lines. The archive has it where it ends, so its first line is in order only
 * if fewer than FTRACE_ORDER_EVENTS events are between begin and end.
 */
static void add_slice(struct ftrace *f, struct ftrace_event *e, uint64_t end)
{
	uint64_t begin = e->ns;

	/* Of slices with the same begin, the outer one is added later. */
	e->kind = FTRACE_ENTRY;
	add_event(f, e, UINT64_MAX - 1 - f->order.number);
	e->kind = FTRACE_EXIT;
	e->ns = end;
	add_event(f, e, begin == end ? UINT64_MAX : 0);
}

/* The end of a sleep is the last moment at which all readers know the sleep. */
static void add_stack(struct ftrace *f, const struct fxt_record *rec, const struct kernel_event *k)
{
	uint64_t ns = fxt_ticks_to_ns(k->begin, rec->provider->ticks_per_second), what;

	if (!f->text.sink->slept || k->thread != f->in || ns != f->in_ns || !ns)
		return;
	what = f->text.sink->slept(&f->text, rec->provider->id, &f->content);
	if (what)
		add_event(f, &(struct ftrace_event){
			.kind = FTRACE_MOMENT, .ns = ns - 1, .thread = k->thread,
			.args = { .other = what }, .cpu = f->in_cpu, .what = KERNEL_STACK,
		}, 0);
}

/* The event comes after a wakeup of the same time. */
static void add_wait(struct ftrace *f, const struct fxt_record *rec, const struct kernel_event *k)
{
	uint64_t rate = rec->provider->ticks_per_second;
	struct ftrace_event e = {
		.kind = FTRACE_MOMENT, .ns = fxt_ticks_to_ns(k->end, rate), .thread = k->thread,
		.cpu = f->stream, .what = KERNEL_LOCK,
	};

	e.args.lock.address = fxt_ticks_to_ns(k->begin, rate);
	e.args.lock.holder = kernel_event_releaser(k, &f->content);
	if (f->text.sink->has_waits && e.args.lock.holder)
		add_event(f, &e, UINT64_MAX);
}

static void add_kernel(struct ftrace *f, const struct fxt_record *rec,
		       const struct kernel_event *k)
{
	uint64_t rate = rec->provider->ticks_per_second;
	bool is_slice = kernel_event_is_slice(k->what);
	struct ftrace_event e = {
		.kind = FTRACE_MOMENT,
		.ns = fxt_ticks_to_ns(k->begin, rate),
		.thread = k->thread,
		.args = k->args,
		.cpu = k->cpu == KERNEL_EVENT_NO_CPU ? f->stream : k->cpu,
		.what = k->what,
		.has_other = !is_slice && kernel_event_has_other(k->what),
		.has_origin = is_slice ||
			      (k->what == KERNEL_IPI && f->content.name.known != FXT_STR_IPI),
	};

	if (k->fault)
		return;
	if (k->what == KERNEL_STACK)
		add_stack(f, rec, k);
	if (k->what == KERNEL_LOCK)
		add_wait(f, rec, k);
	if (!f->text.sink->accepts(k)) {
		f->left_out++;
		return;
	}
	if (e.has_origin) {
		const struct sched_origin *origin = sched_origin_get(
			&f->text.origins, k->what, kernel_event_number(k), &f->content.name);

		e.origin = origin->id;
	}
	if (is_slice)
		add_slice(f, &e, fxt_ticks_to_ns(k->end, rate));
	else
		add_event(f, &e, 0);
}

/* A fast path for switches and wakeups, which are most of an archive. */
static int read_content(struct ftrace *f, struct fxt_reader *r, const struct fxt_record *rec)
{
	f->content.kind = rec->kind;
	if (rec->kind == FXT_KIND_CONTEXT_SWITCH)
		return fxt_reader_switch(r, rec, &f->content.sw);
	if (rec->kind == FXT_KIND_THREAD_WAKEUP)
		return fxt_reader_wakeup(r, rec, &f->content.wakeup);
	return fxt_reader_content(r, rec, &f->content);
}

uint16_t ftrace_stream(const struct ftrace *f)
{
	return f->has_stream ? f->stream : KERNEL_EVENT_NO_CPU;
}

int ftrace_record(void *arg, struct fxt_reader *r, const struct fxt_record *rec)
{
	struct ftrace *f = arg;
	int ret = read_content(f, r, rec);
	struct kernel_event k;
	uint64_t ns = 0;

	if (ret)
		return ret;
	if (kernel_event_decode(&k, rec->provider, &f->content)) {
		add_kernel(f, rec, &k);
		return 0;
	}
	if (fxt_kind_has_time(rec->kind))
		ns = fxt_ticks_to_ns(fxt_record_word(r, rec, 1), rec->provider->ticks_per_second);
	f->latest = ns > f->latest ? ns : f->latest;
	switch (f->content.kind) {
	case FXT_KIND_CONTEXT_SWITCH:
		(fxt_is_mark(f->content.sw.unknown) ? add_mark : add_switch)(f, ns);
		break;
	case FXT_KIND_LEGACY_SWITCH:
		add_legacy_switch(f, ns);
		break;
	case FXT_KIND_THREAD_WAKEUP:
		add_wakeup(f, ns);
		break;
	case FXT_KIND_KERNEL_OBJECT:
		if (is_thread_object(&f->content))
			add_object(f, rec);
		break;
	case FXT_KIND_BLOB:
		note_ledger(f, r, rec);
		break;
	default:
		break;
	}
	return 0;
}

void ftrace_begin(struct ftrace *f, struct out *o, void *arg)
{
	f->text.o = o;
	f->text.arg = arg;
	if (f->text.sink->begin)
		f->text.sink->begin(&f->text);
}

uint64_t ftrace_finish(struct ftrace *f)
{
	const struct ftrace_event *e;
	struct map_node *n;

	while ((e = order_pop(&f->order)))
		put_event(f, e);
	for (n = f->text.threads.newest; n; n = n->older)
		apply_renames(f, map_entry(n, struct ftrace_thread, node), f->written);
	return f->late;
}

void ftrace_report_late(const char *path, uint64_t late)
{
	if (late)
		message("fxt: %s: %" PRIu64 " events were stored too late to be sorted; sort the lines by time\n",
			path, late);
}

/* --- the file --- */

/* The second walk reports damage. */
static int first_walk(struct io *io, const struct ftrace_walks *walks, void *arg)
{
	int ret = io_open(io);

	if (ret != VERB_DONE)
		return ret;
	ret = io_walk(io, NULL, walks->note, arg);
	if (ret)
		return archive_close(&io->a, ret);
	archive_drop(&io->a);
	return VERB_DONE;
}

int ftrace_convert(struct io *io, const struct ftrace_walks *walks, void *arg)
{
	struct out *o = must(malloc(sizeof(*o)));
	int ret = io_rereadable(io);

	if (ret == VERB_DONE)
		ret = first_walk(io, walks, arg);
	if (ret == VERB_DONE)
		ret = io_open(io);
	if (ret == VERB_DONE)
		ret = io_create_text(io, o);
	if (ret == VERB_DONE)
		ret = walks->write(arg, io, o);
	free(o);
	return ret;
}

static int note_record(void *arg, struct fxt_reader *r, const struct fxt_record *rec)
{
	struct ftrace *f = arg;
	int ret = 0;

	if (rec->kind != FXT_KIND_KERNEL_OBJECT && rec->kind != FXT_KIND_BLOB)
		return 0;
	ret = fxt_reader_content(r, rec, &f->content);
	if (!ret)
		ftrace_note(f, &f->content, r, rec);
	return ret;
}

static int write_lines(void *arg, struct io *io, struct out *o)
{
	struct ftrace *f = arg;
	int ret;

	ftrace_begin(f, o, NULL);
	ret = io_walk(io, o, ftrace_record, f);
	ftrace_report_late(io->a.path, ftrace_finish(f));
	if (f->left_out)
		message("fxt: %s: %" PRIu64 " events cannot be written as text of ftrace and are omitted: call stacks, load, throttled cgroups, requests of block devices, and system calls whose number is unknown\n",
			io->a.path, f->left_out);
	return io_close(io, o, ret);
}

int ftrace_write(struct io *io)
{
	static const struct ftrace_walks walks = { .note = note_record, .write = write_lines };
	struct ftrace *f = ftrace_open(&ftrace_lines, false);
	int ret = ftrace_convert(io, &walks, f);

	ftrace_close(f);
	return ret;
}

bool ftrace_is_ours(int fd)
{
	struct result_ends e;

	return result_read_ends(fd, &e) && result_begins(&e, "# tracer: nop\n#\n#") &&
	       strstr(e.head, " CPU#  flags ");
}
