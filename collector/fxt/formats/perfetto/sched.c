// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sched.c - events of ftrace, in bundles for each CPU.
 *
 * In: events in the order of time; stacks of sleeps, and the kernel's symbols of the first walk;
 * begins and ends of drivers' requests.
 * Out: the same events. A full bundle is written. Names of kernel functions are interned at their
 * first use.
 */
#include <stdio.h>

#include <fxt/fxt_mark.h>
#include <fxt/fxt_sched.h>
#include <fxt/fxt_sched_stack.h>

#include "formats/import/event.h"
#include "libfxt/objects.h"
#include "sched/kernel_event.h"
#include "sched/kernel_types.h"
#include "sched/types.h"
#include "terminal/memory.h"
#include "perfetto.h"

/* --- processes and threads --------------------------------------------------------------- */

/*
 * A name with a time is written at that time, because an earlier thread may have had the id; others
 * are written in the order of the archive. The record of a process has no time: it waits for the
 * record of its main thread, which follows.
 */

#define KTHREADD	2	/* the kernel's id of kthreadd */

static void put_object(struct perfetto *p, Perfetto__ProcessTree *tree, uint64_t ns)
{
	Perfetto__Packet packet = PERFETTO__PACKET__INIT;

	packet.has_timestamp = ns;
	packet.timestamp = ns;
	packet.process_tree = tree;
	packets_put(&p->packets, &packet);
}

void perfetto_parent(struct perfetto *p)
{
	const struct fxt_content *c = &p->content;
	uint64_t process;
	unsigned int i;

	if (c->object_type != FXT_OBJECT_THREAD || !fxt_object_process(c, &process) ||
	    process != c->object)
		return;
	for (i = 0; i < c->arg_count && !koids_get(&p->parents, process, NULL); i++)
		if (c->args[i].type == FXT_ARG_KOID && c->args[i].name.known == FXT_STR_PARENT)
			koids_set(&p->parents, process, c->args[i].u64);
}

/*
 * Write the waiting process, and @thread unless it is NULL. Perfetto cuts a command line of one
 * element at its first space, so an empty element follows such a name. Perfetto cuts the names of
 * kthreadd's children at a dash, which makes all rescuers "kworker/R", so workers get no parent.
 */
static void put_process(struct perfetto *p, Perfetto__Thread *thread, uint64_t ns)
{
	Perfetto__ProcessTree tree = PERFETTO__PROCESS_TREE__INIT;
	Perfetto__Process process = PERFETTO__PROCESS__INIT, *processes[] = { &process };
	Perfetto__Thread *threads[] = { thread };
	char *name = p->process_name, *cmdline[] = { name, (char *)"" };
	uint64_t parent;

	PERFETTO_SET(&process, pid, p->process);
	process.has_ppid = koids_get(&p->parents, p->process, &parent) &&
			   (parent != KTHREADD || strncmp(name, "kworker/", 8));
	process.ppid = process.has_ppid ? parent : 0;
	process.cmdline = cmdline;
	process.n_cmdline = *name ? 1 + !!strchr(name, ' ') : 0;
	tree.processes = processes;
	tree.n_processes = p->has_process;
	tree.threads = threads;
	tree.n_threads = thread ? 1 : 0;
	p->has_process = false;
	put_object(p, &tree, ns);
}

void perfetto_names_finish(struct perfetto *p)
{
	if (p->has_process)
		put_process(p, NULL, p->process_ns);
}

/* The time of a name in ns, else that of the latest record before it. */
static uint64_t time_of(const struct perfetto *p, uint64_t ticks_per_second)
{
	const struct fxt_content *c = &p->content;
	unsigned int i;

	for (i = 0; i < c->arg_count; i++) {
		uint16_t name = c->args[i].name.known;

		if (c->args[i].type == FXT_ARG_UINT64 &&
		    (name == FXT_STR_FORK || name == FXT_STR_EXEC || name == FXT_STR_RENAME))
			return fxt_ticks_to_ns(c->args[i].u64, ticks_per_second);
	}
	return p->latest;
}

void perfetto_name(struct perfetto *p, uint64_t ticks_per_second)
{
	Perfetto__Thread thread = PERFETTO__THREAD__INIT;
	const struct fxt_content *c = &p->content;
	bool is_process = c->object_type == FXT_OBJECT_PROCESS;
	char *name = is_process ? p->process_name : p->texts.name;
	uint64_t of;

	if (is_process || c->object != p->process)
		perfetto_names_finish(p);
	memcpy(name, c->name.length ? c->name.bytes : "", c->name.length);
	name[c->name.length] = '\0';
	if (is_process) {
		p->process = c->object;
		p->process_ns = p->latest;
		p->has_process = true;
		return;
	}
	PERFETTO_SET(&thread, tid, c->object);
	thread.has_tgid = fxt_object_process(c, &of);
	thread.tgid = thread.has_tgid ? of : 0;
	thread.name = c->name.length ? name : NULL;
	put_process(p, &thread, time_of(p, ticks_per_second));
}

/* --- bundles ----------------------------------------------------------------------------- */

#define BUNDLE_BYTES	(16U << 10)	/* write the bundle at this size */
#define WAKINGS_MOST	64U		/* or with so many wakings */
#define NOT_IDLE	UINT32_MAX	/* PWR_EVENT_EXIT */
#define SECTOR_BYTES	512		/* the kernel's unit for all devices */
#define HANDLED		1		/* IRQ_HANDLED; archives lack what a handler returned */

/*
 * Wakeups by interrupts. Perfetto reads their flags only in the compact form; without these it
 * takes the interrupted thread for the waker and adds it to the critical path.
 */
struct wakings {
	uint64_t last;		/* ns */
	size_t count;
	uint64_t time[WAKINGS_MOST];	/* ns since the one before */
	int32_t pid[WAKINGS_MOST];
	int32_t target[WAKINGS_MOST];
	int32_t prio[WAKINGS_MOST];
	uint32_t comm_index[WAKINGS_MOST];
	uint32_t flags[WAKINGS_MOST];
	char *comm[WAKINGS_MOST];
	char names[WAKINGS_MOST][FTRACE_COMM];
};

struct perfetto_bundle {
	const struct ftrace_thread *runs;	/* switched in last, if @has_run; NULL if unknown */
	bool has_run;
	bool ends;	/* the CPU's recording ended at @end, unless it continues at once */
	uint64_t end;	/* ns */
	struct wakings *wakings;
	size_t bytes;
	size_t room;
	uint8_t *data;
};

static void append_wakings(struct perfetto_bundle *b, uint16_t cpu)
{
	Perfetto__Events events = PERFETTO__EVENTS__INIT;
	Perfetto__Compact compact = PERFETTO__COMPACT__INIT;
	struct wakings *w = b->wakings;

	if (!w || !w->count)
		return;
	compact.intern_table = w->comm;
	compact.waking_timestamp = w->time;
	compact.waking_pid = w->pid;
	compact.waking_target_cpu = w->target;
	compact.waking_prio = w->prio;
	compact.waking_comm_index = w->comm_index;
	compact.waking_common_flags = w->flags;
	compact.n_intern_table = compact.n_waking_timestamp = compact.n_waking_pid = w->count;
	compact.n_waking_target_cpu = compact.n_waking_prio = w->count;
	compact.n_waking_comm_index = compact.n_waking_common_flags = w->count;
	events.has_cpu = !b->bytes;
	events.cpu = cpu;
	events.compact_sched = &compact;
	w->count = 0;
	w->last = 0;
	/* Concatenated encoded messages are one message with the fields of both. */
	array_hold(b->data, b->room, b->bytes + perfetto__events__get_packed_size(&events));
	b->bytes += perfetto__events__pack(&events, b->data + b->bytes);
}

static void flush_bundle(struct perfetto *p, struct perfetto_bundle *b, uint16_t cpu)
{
	Perfetto__Packet packet = PERFETTO__PACKET__INIT;

	append_wakings(b, cpu);
	if (!b->bytes)
		return;
	PERFETTO_SET(&packet, ftrace_events, (ProtobufCBinaryData){ b->bytes, b->data });
	b->bytes = 0;
	packets_put(&p->packets, &packet);
}

/* Returns NULL if the CPU is too large; the event is then counted. */
static struct perfetto_bundle *bundle_of(struct perfetto *p, uint16_t cpu)
{
	if (cpu >= PERFETTO_CPUS) {
		p->left_out[LEFT_CPU]++;
		return NULL;
	}
	if (!p->bundles[cpu])
		p->bundles[cpu] = new_zero(struct perfetto_bundle);
	return p->bundles[cpu];
}

/* --- events, byte by byte ---------------------------------------------------------------- */

/*
 * Events are encoded by hand: packing by protobuf-c takes 60 % of a conversion, because it visits
 * all possible fields twice. Numbers of fields are those of Perfetto's FtraceEvent and its parts.
 */

#define VARINT_BYTES	10
#define MESSAGE_BYTES	512	/* two names, numbers, and messages around them */

_Static_assert(2 * FTRACE_COMM + 16 * VARINT_BYTES < MESSAGE_BYTES &&
	       SCHED_SOURCE_BYTES + 16 * VARINT_BYTES < MESSAGE_BYTES, "all fields fit");

struct message {
	size_t bytes;
	uint8_t data[MESSAGE_BYTES];
};

static uint8_t *varint_at(uint8_t *p, uint64_t value)
{
	for (; value > 0x7f; value >>= 7)
		*p++ = value | 0x80;
	*p++ = value;
	return p;
}

/* Negative 32-bit numbers are extended to 64 bits. */
static void put_number(struct message *to, unsigned int field, uint64_t value)
{
	uint8_t *p = varint_at(to->data + to->bytes, field << 3);

	to->bytes = varint_at(p, value) - to->data;
}

static void put_bytes(struct message *to, unsigned int field, const void *data, size_t bytes)
{
	uint8_t *p = varint_at(to->data + to->bytes, field << 3 | 2);

	p = varint_at(p, bytes);
	memcpy(p, data, bytes);
	to->bytes = p + bytes - to->data;
}

static void put_text(struct message *to, unsigned int field, const char *text)
{
	put_bytes(to, field, text, strlen(text));
}

static void begin_event(struct message *event, uint64_t ns, uint32_t pid)
{
	event->bytes = 0;
	put_number(event, PERFETTO_EVENT_TIME, ns);
	put_number(event, PERFETTO_EVENT_PID, pid);
}

static void put_message(struct ftrace_text *t, uint16_t cpu, const struct message *event)
{
	struct message events;
	struct perfetto *p = t->arg;
	struct perfetto_bundle *b = bundle_of(p, cpu);

	if (!b)
		return;
	events.bytes = 0;
	if (!b->bytes)
		put_number(&events, 1, cpu);
	put_bytes(&events, 2, event->data, event->bytes);
	array_hold(b->data, b->room, b->bytes + events.bytes);
	memcpy(b->data + b->bytes, events.data, events.bytes);
	b->bytes += events.bytes;
	if (b->bytes > BUNDLE_BYTES)
		flush_bundle(p, b, cpu);
}

static void put_event(struct ftrace_text *t, uint16_t cpu, uint64_t ns, uint32_t pid,
		      unsigned int field, const struct message *body)
{
	struct message event;

	begin_event(&event, ns, pid);
	put_bytes(&event, field, body->data, body->bytes);
	put_message(t, cpu, &event);
}

/* --- switches, wakeups, names ---------------------------------------------------------- */

/* The kernel has an idle thread per CPU, archives have one for all. */
static char *comm_of(const struct ftrace_thread *thread, uint16_t cpu, char idle[24])
{
	if (!thread || (thread->koid && !thread->named))
		return (char *)"";
	if (thread->koid)
		return (char *)thread->comm.name;
	snprintf(idle, 24, "swapper/%u", cpu);
	return idle;
}

/*
 * The value that Perfetto decodes as a state. Some changed in Linux 4.14; Perfetto assumes an older
 * kernel if the version is unknown. It has no value for an unknown state, and ignores wakeups of
 * threads that do not sleep.
 */
static int64_t raw_state(char state, bool is_recent)
{
	switch (state) {
	case SCHED_UNKNOWN:
	case 'S': return 0x01;
	case 'D': return 0x02;
	case 'T': return 0x04;
	case 't': return 0x08;
	case 'X': return 0x10;
	case 'Z': return 0x20;
	case 'P': return is_recent ? 0x40 : 0x200;
	case 'I': return is_recent ? 0x80 : 0x402;
	case '+': return is_recent ? 0x100 : 0x800;
	default: return 0;
	}
}

static uint32_t koid_of(const struct ftrace_thread *thread)
{
	return thread ? thread->koid : 0;
}

/*
 * An unknown thread is NULL and gets the id of the idle thread. The kernel never preempts idle
 * threads.
 */
static void put_one_switch(struct ftrace_text *t, const struct ftrace_event *e,
			   const struct ftrace_thread *thread, const struct ftrace_thread *other)
{
	const struct perfetto *p = t->arg;
	int32_t prev_pid = koid_of(thread), next_pid = koid_of(other);
	struct message sw;
	char prev[24], next[24];

	sw.bytes = 0;
	put_text(&sw, 1, comm_of(thread, e->cpu, prev));
	put_number(&sw, 2, (int64_t)prev_pid);
	put_number(&sw, 3, (int64_t)e->prio);
	put_number(&sw, 4, prev_pid ? raw_state(e->state, p->has_host) : 0);
	put_text(&sw, 5, comm_of(other, e->cpu, next));
	put_number(&sw, 6, (int64_t)next_pid);
	put_number(&sw, 7, (int64_t)e->other_prio);
	put_event(t, e->cpu, e->ns, prev_pid, PERFETTO_SWITCH, &sw);
}

/* Perfetto cannot express the end of a run without a switch. */
static void put_end(struct ftrace_text *t, struct perfetto_bundle *b, uint16_t cpu)
{
	if (b->ends && b->has_run)
		put_one_switch(t, &(struct ftrace_event){
			.ns = b->end, .cpu = cpu, .state = SCHED_UNKNOWN,
			.prio = b->runs ? b->runs->prio : 0,
		}, b->runs, NULL);
	b->has_run &= !b->ends;
	b->ends = false;
}

/*
 * If the thread that is switched out is not the one switched in last (records are missing),
 * Perfetto never ends the run of the latter. So switch the outgoing thread in at the time of its
 * switch out; or, if its next state is unknown, replace it by the thread switched in last.
 */
static void put_switch(struct ftrace_text *t, const struct ftrace_event *e,
		       const struct ftrace_thread *thread, const struct ftrace_thread *other)
{
	struct perfetto_bundle *b = bundle_of(t->arg, e->cpu);
	struct ftrace_event last = *e;

	if (!b)
		return;
	put_end(t, b, e->cpu);
	if (b->has_run && koid_of(b->runs) != thread->koid) {
		last.prio = b->runs ? b->runs->prio : 0;
		if (e->state == SCHED_UNKNOWN) {
			thread = b->runs;
		} else {
			last.state = SCHED_UNKNOWN;
			last.other_prio = e->prio;
			put_one_switch(t, &last, b->runs, thread);
			last = *e;
		}
	}
	put_one_switch(t, &last, thread, other);
	b->has_run = true;
	b->runs = other;
}

/*
 * A run begins or ends with the recording. If another part continues at once, it is the same run.
 */
static void put_mark(struct ftrace_text *t, const struct ftrace_event *e,
		     const struct ftrace_thread *thread)
{
	struct perfetto_bundle *b = bundle_of(t->arg, e->cpu);
	bool goes_on = b && b->has_run && b->runs == thread && (!b->ends || b->end == e->ns);

	if (!b)
		return;
	if (fxt_mark_is_end(e->what)) {
		/* Without an earlier switch or mark, the run has no beginning. */
		b->ends = true;
		b->end = e->ns;
		return;
	}
	if (goes_on) {
		b->ends = false;
		return;
	}
	put_end(t, b, e->cpu);
	put_one_switch(t, &(struct ftrace_event){
		.ns = e->ns, .cpu = e->cpu, .state = SCHED_UNKNOWN, .other_prio = e->prio,
	}, b->has_run ? b->runs : NULL, thread);
	b->has_run = true;
	b->runs = thread;
}

void perfetto_sched_finish(struct perfetto *p)
{
	unsigned int i;

	for (i = 0; i < PERFETTO_CPUS; i++)
		if (p->bundles[i])
			put_end(p->text, p->bundles[i], i);
	perfetto_bundles_finish(p);
}

void perfetto_bundles_finish(struct perfetto *p)
{
	unsigned int i;

	for (i = 0; i < PERFETTO_CPUS; i++)
		if (p->bundles[i])
			flush_bundle(p, p->bundles[i], i);
}

void perfetto_sched_free(struct perfetto *p)
{
	unsigned int i;

	for (i = 0; i < PERFETTO_CPUS; i++) {
		if (p->bundles[i]) {
			free(p->bundles[i]->data);
			free(p->bundles[i]->wakings);
		}
		free(p->bundles[i]);
	}
}

static uint32_t flags_of(uint8_t irq)
{
	switch (irq) {
	case FXT_SCHED_IRQ_HARD:
		return TRACE_IN_HARDIRQ;
	case FXT_SCHED_IRQ_SOFT:
		return TRACE_IN_SOFTIRQ;
	case FXT_SCHED_IRQ_NMI:
		return TRACE_IN_NMI;
	}
	return 0;
}

static void put_irq_wakeup(struct perfetto *p, struct perfetto_bundle *b, uint16_t cpu,
			   const struct ftrace_event *e, const struct ftrace_thread *thread)
{
	struct wakings *w = b->wakings;
	char idle[24];
	size_t i;

	if (!w)
		w = b->wakings = new_zero(struct wakings);
	i = w->count++;
	w->time[i] = e->ns - w->last;	/* wraps if the event is late */
	w->last = e->ns;
	w->pid[i] = thread->koid;
	w->target[i] = e->cpu;
	w->prio[i] = e->prio;
	w->comm_index[i] = i;
	w->flags[i] = flags_of(e->irq);
	w->comm[i] = w->names[i];
	snprintf(w->names[i], sizeof(w->names[i]), "%s", comm_of(thread, e->cpu, idle));
	if (w->count == WAKINGS_MOST)
		flush_bundle(p, b, cpu);
}

/* Before the first switch of the CPU, Perfetto drops compact wakeups. */
static void put_wakeup(struct ftrace_text *t, const struct ftrace_event *e,
		       const struct ftrace_thread *thread, const struct ftrace_thread *waker)
{
	uint16_t cpu = waker && waker->koid && waker->has_cpu ? waker->cpu : e->cpu;
	struct perfetto_bundle *b = bundle_of(t->arg, cpu);
	struct message event, wakeup;
	char idle[24];

	if (!b)
		return;
	if (e->irq && b->has_run) {
		put_irq_wakeup(t->arg, b, cpu, e, thread);
		return;
	}
	wakeup.bytes = 0;
	put_text(&wakeup, 1, comm_of(thread, e->cpu, idle));
	put_number(&wakeup, 2, (int64_t)(int32_t)thread->koid);
	put_number(&wakeup, 3, (int64_t)e->prio);
	put_number(&wakeup, 4, 1);		/* success */
	put_number(&wakeup, 5, e->cpu);
	begin_event(&event, e->ns, waker ? waker->koid : 0);
	put_number(&event, PERFETTO_EVENT_FLAGS, flags_of(e->irq));
	put_bytes(&event, PERFETTO_WAKING, wakeup.data, wakeup.bytes);
	put_message(t, cpu, &event);
}

static void put_rename(struct ftrace_text *t, uint64_t ns, const struct ftrace_thread *thread,
		       const struct ftrace_comm *comm)
{
	struct message rename;
	char idle[24];

	rename.bytes = 0;
	put_number(&rename, 1, (int64_t)(int32_t)thread->koid);
	put_text(&rename, 2, comm_of(thread, thread->cpu, idle));
	put_text(&rename, 3, comm->name);
	put_event(t, thread->cpu, ns, thread->koid, PERFETTO_RENAME, &rename);
}

/* --- the kernel function in which a thread slept ------------------------------------------ */

/* Functions whose sleeps the kernel counts as waiting for input or output. */
static bool is_of_io(const char *name)
{
	static const char *const names[] = {
		"io_schedule", "io_schedule_timeout", "bit_wait_io", "bit_wait_io_timeout",
		"wait_for_completion_io", "wait_for_completion_io_timeout", "blk_io_schedule",
		"blk_wait_io", "submit_bio_wait", "folio_wait_bit", "folio_wait_bit_common",
		"migration_entry_wait_on_locked",
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

static void intern(struct perfetto *p, const struct sched_symbol *symbol, uint64_t number)
{
	Perfetto__Packet packet = PERFETTO__PACKET__INIT;
	Perfetto__InternedData data = PERFETTO__INTERNED_DATA__INIT;
	Perfetto__InternedString string = PERFETTO__INTERNED_STRING__INIT, *strings[] = { &string };

	PERFETTO_SET(&string, iid, number);
	PERFETTO_SET(&string, str, (ProtobufCBinaryData){ strlen(symbol->name), (uint8_t *)symbol->name });
	data.kernel_symbols = strings;
	data.n_kernel_symbols = 1;
	packet.interned_data = &data;
	packets_put(&p->packets, &packet);
}

/*
 * The number of the function in the trace, times two, plus one if the stack shows that the thread
 * slept for input or output; 0: unknown.
 */
static uint64_t slept(struct ftrace_text *t, uint32_t provider, const struct fxt_content *c)
{
	const struct sched_symbol *symbol, *first = NULL;
	struct perfetto *p = t->arg;
	bool is_io = false;
	uint64_t number;
	uint32_t i;

	for (i = 0; i < c->frame_count && fxt_sched_is_kernel(c->frames[i]); i++) {
		symbol = sched_symbol_find(&p->symbols, provider, 0,
					   fxt_sched_frame_address(c->frames[i]));
		if (!symbol)
			continue;
		is_io |= is_of_io(symbol->name);
		if (!first && !sched_symbol_is_of_scheduler(symbol->name))
			first = symbol;
	}
	if (!first)
		return 0;
	number = 1 + (first - p->symbols.all);
	if (!p->has_symbol)
		p->has_symbol = must(calloc(p->symbols.count + 1, sizeof(bool)));
	if (!p->has_symbol[number])
		intern(p, first, number);
	p->has_symbol[number] = true;
	return number << 1 | is_io;
}

/* Perfetto takes a missing io_wait for 0. */
static unsigned int blocked_body(struct message *body, const struct ftrace_event *e)
{
	put_number(body, 1, e->thread);
	put_number(body, 2, e->args.other >> 1);
	if (e->args.other & 1)
		put_number(body, 3, 1);
	return PERFETTO_BLOCKED;
}

/* --- interrupts, idle states, frequencies ------------------------------------------------ */

static bool accepts(const struct kernel_event *e)
{
	return kernel_event_is_as(e->what, FXT_AS_PERFETTO);
}

/* CPU-internal interrupts have a number in archives, but none in the kernel. */
static unsigned int irq_body(struct message *body, struct ftrace_text *t, const struct ftrace_event *e)
{
	if (e->what == KERNEL_IRQ)
		put_number(body, 1, (int64_t)(int32_t)e->args.irq.number);
	if (e->kind == FTRACE_ENTRY)
		put_text(body, 2, ftrace_origin(t, e)->name);
	else
		put_number(body, 2, HANDLED);
	return e->kind == FTRACE_ENTRY ? PERFETTO_IRQ_ENTRY : PERFETTO_IRQ_EXIT;
}

static unsigned int cpu_body(struct message *body, const struct ftrace_event *e)
{
	bool is_idle = e->what == KERNEL_IDLE;

	if (is_idle || e->what == KERNEL_FREQUENCY) {
		put_number(body, 1, !is_idle ? e->args.frequency.khz :
				    e->kind == FTRACE_ENTRY ? e->args.idle.state : NOT_IDLE);
		put_number(body, 2, e->cpu);
		return is_idle ? PERFETTO_IDLE : PERFETTO_FREQUENCY;
	}
	put_number(body, 1, e->args.limits.min_khz);
	put_number(body, 2, e->args.limits.max_khz);
	put_number(body, 3, e->cpu);
	return PERFETTO_LIMITS;
}

static void put_kernel(struct ftrace_text *t, const struct ftrace_event *e,
		       const struct ftrace_thread *thread, const struct ftrace_thread *other)
{
	unsigned int field;
	struct perfetto *p = t->arg;
	struct message body;

	(void)other;
	if (e->what == KERNEL_LOCK) {
		p->wait_end(p, e, thread);
		return;
	}
	body.bytes = 0;
	if (e->what == KERNEL_STACK) {
		field = blocked_body(&body, e);
	} else if (e->what == KERNEL_IRQ || e->what == KERNEL_VECTOR) {
		field = irq_body(&body, t, e);
	} else if (e->what == KERNEL_SOFTIRQ) {
		put_number(&body, 1, e->args.irq.number);
		field = e->kind == FTRACE_ENTRY ? PERFETTO_SOFTIRQ_ENTRY : PERFETTO_SOFTIRQ_EXIT;
	} else {
		field = cpu_body(&body, e);
	}
	put_event(t, e->cpu, e->ns, koid_of(t->runs[e->cpu]), field, &body);
}

/* --- requests of block devices, for linux.block_io ---------------------------------------- */

/*
 * Begins and ends are in pairs, except for requests without an end: Perfetto counts a device's
 * requests by its number, which only begins have. An end without a begin would end another request
 * there, so it is omitted. A request without an end ends when it begins again. Memory grows with
 * operations that have not ended, which operations.h limits.
 */

/* Archives do not record the thread during which a request ended. */
static void put_io(struct perfetto *p, enum perfetto_event field, uint64_t ns, uint16_t cpu,
		   const struct packets_request *r)
{
	struct message io;

	io.bytes = 0;
	put_number(&io, 1, r->device);
	put_number(&io, 2, r->sector);
	put_number(&io, 3, r->bytes / SECTOR_BYTES);
	put_number(&io, 4, r->bytes);
	put_event(p->text, cpu, ns, 0, field, &io);
}

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
		put_io(p, PERFETTO_IO_DONE, ns, cpu, &b->request);
		map_remove(&p->requests, &b->node);
		free(b);
	}
	if (!part->request.device)
		return;
	must(map_new(&p->requests, hash_of(part->id), b));
	b->id = part->id;
	b->request = part->request;
	put_io(p, PERFETTO_IO_START, ns, cpu, &b->request);
}

void perfetto_requests_free(struct perfetto *p)
{
	map_free_all(&p->requests, struct begun);
}

static void begin(struct ftrace_text *t)
{
	((struct perfetto *)t->arg)->text = t;
}

/* No new tasks: Perfetto would not take them for the threads that have the names. */
const struct ftrace_sink perfetto_sched = {
	.begin		= begin,
	.put_switch	= put_switch,
	.put_wakeup	= put_wakeup,
	.put_mark	= put_mark,
	.put_rename	= put_rename,
	.put_kernel	= put_kernel,
	.slept		= slept,
	.has_waits	= true,
	.accepts		= accepts,
};
