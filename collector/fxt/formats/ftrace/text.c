// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * text.c - lines of ftrace's text. See ftrace.h.
 *
 * Must hold: each event is one line. No name can end its line, or the JSON string around it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_sched.h>

#include "libfxt/text.h"
#include "sched/kernel_types.h"
#include "sched/types.h"
#include "terminal/memory.h"
#include "ftrace.h"

#define CPU_DIGITS		3
#define IDLE_POLICY_WEIGHT	3	/* SCHED_IDLE, whatever the nice value */

/* Room for a line: head, two names, and the text around them. */
#define LINE_BYTES	(FTRACE_HEAD + 2 * 2 * FTRACE_COMM + 512)

/* The weights descend. A weight that Linux does not have is between two of them, or a priority. */
static int fair_prio(int32_t weight)
{
	size_t i = 0;

	if (weight == sched_nice_weights[SCHED_NICE_0_PRIO - SCHED_FAIR_MIN_PRIO] ||
	    weight == IDLE_POLICY_WEIGHT)
		return SCHED_NICE_0_PRIO;
	while (i < SCHED_MAX_PRIO - SCHED_FAIR_MIN_PRIO - 1 && weight < sched_nice_weights[i])
		i++;
	/* The producer may have written priorities. */
	if (weight != sched_nice_weights[i] && weight >= 0 && weight < SCHED_MAX_PRIO)
		return weight;
	return SCHED_FAIR_MIN_PRIO + (int)i;
}

int32_t ftrace_prio(const struct ftrace_text *t, bool has_weight, int32_t weight)
{
	if (!has_weight || weight == FXT_SCHED_WEIGHT_IDLE)
		return SCHED_NICE_0_PRIO;
	if (t->weight_is_prio)
		return weight;
	if (weight == FXT_SCHED_WEIGHT_DL)
		return -1;
	if (weight >= FXT_SCHED_WEIGHT_RT &&
	    weight < FXT_SCHED_WEIGHT_RT + FXT_SCHED_MAX_RT_PRIO)
		return FXT_SCHED_WEIGHT_RT + FXT_SCHED_MAX_RT_PRIO - 1 - weight;
	return fair_prio(weight);
}

/* --- threads ------------------------------------------------------------------ */

static struct ftrace_thread *find_thread(struct ftrace_text *t, uint64_t koid)
{
	struct ftrace_thread *thread;

	if (map_get(&t->threads, map_hash(koid, 0), thread, thread->koid == koid)) {
		thread->koid = koid;
		thread->prio = SCHED_NICE_0_PRIO;
		ftrace_thread_changed(thread);
	}
	return thread;
}

/* Each event names two threads, nearly always recent ones. */
struct ftrace_thread *ftrace_thread(struct ftrace_text *t, uint64_t koid)
{
	struct ftrace_thread **recent = &t->recent[koid % FTRACE_RECENT];

	if (!*recent || (*recent)->koid != koid)
		*recent = find_thread(t, koid);
	return *recent;
}

void ftrace_threads_free(struct ftrace_text *t)
{
	struct ftrace_thread *thread;
	struct ftrace_rename *r;

	map_drain(&t->threads, thread) {
		while ((r = thread->renames)) {
			thread->renames = r->next;
			free(r);
		}
		free(thread);
	}
}

/* Readers take the first number in brackets for the CPU, so a name must not have one. */
static void hide_brackets(char *task, size_t length)
{
	char *p = task, *end = task + length, *q;

	while ((p = memchr(p, '[', end - p))) {
		for (q = p + 1; q < end && *q >= '0' && *q <= '9'; q++)
			;
		if (q > p + 1 && q < end && *q == ']') {
			*p = '(';
			*q = ')';
		}
		p++;
	}
}

void ftrace_comm(const struct ftrace_text *t, struct ftrace_comm *comm,
		 const char *name, size_t length)
{
	size_t i, used = 0;
	uint32_t n;

	for (i = 0; i < length; i += n) {
		n = fxt_utf8_length((const unsigned char *)name + i, length - i);
		n = n ? n : 1;
		if (i + n >= FTRACE_COMM)
			break;
	}
	comm->length = i;
	memcpy(comm->name, name, i);
	comm->name[i] = '\0';
	for (i = 0; i < comm->length; i += n) {
		n = fxt_text_shown((const unsigned char *)comm->name + i, comm->length - i);
		if (t->json && (comm->name[i] == '"' || comm->name[i] == '\\'))
			comm->text[used++] = '\\';
		if (n)
			memcpy(comm->text + used, comm->name + i, n);
		else
			comm->text[used] = '?';
		n = n ? n : 1;
		used += n;
	}
	comm->text_length = used;
}

/* --- lines --------------------------------------------------------------------- */

static char *end_at(const struct ftrace_text *t, char *p)
{
	return t->json ? out_str_at(p, "\\n") : out_str_at(p, "\n");
}

static void put_end(struct ftrace_text *t)
{
	out_str(t->o, t->json ? "\\n" : "\n");
}

static void put_header(struct ftrace_text *t)
{
	static const char * const lines[] = {
		"# tracer: nop",
		"#",
		"#           TASK-PID     (TGID)   CPU#  flags    TIMESTAMP  FUNCTION",
		"#              | |         |       |      |          |         |",
	};
	size_t i;

	for (i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		out_str(t->o, lines[i]);
		put_end(t);
	}
}

static char irq_flag(uint8_t irq)
{
	switch (irq) {
	case FXT_SCHED_IRQ_HARD:
		return 'h';
	case FXT_SCHED_IRQ_SOFT:
		return 's';
	case FXT_SCHED_IRQ_NMI:
		return 'z';
	}
	return '.';
}

void ftrace_thread_changed(struct ftrace_thread *thread)
{
	const char *name = thread->named ? thread->comm.text : "<...>";
	int length = thread->named ? thread->comm.text_length : 5, n;

	n = snprintf(thread->head, sizeof(thread->head), "%*s%.*s", FTRACE_HEAD_NAME - length > 0 ?
		     FTRACE_HEAD_NAME - length : 0, "", length, name);
	hide_brackets(thread->head, n);
	n += snprintf(thread->head + n, sizeof(thread->head) - n, "-%-7" PRIu64, thread->koid);
	if (thread->tgid)
		n += snprintf(thread->head + n, sizeof(thread->head) - n, " (%7" PRIu64 ")",
			      thread->tgid);
	else
		n += snprintf(thread->head + n, sizeof(thread->head) - n, " (-------)");
	thread->head_length = n;
}

/*
 * Write the line up to the event's name. "irqs off" holds for all scheduling events; "need resched"
 * and the preempt depth are unknown.
 */
static char *head_at(char *p, const struct ftrace_thread *on, uint16_t cpu, uint8_t irq,
		     uint64_t ns)
{
	if (on->koid)
		p = mempcpy(p, on->head, on->head_length);
	else
		p = out_str_at(p, "          <idle>-0       (-------)");
	p = out_u64_wide_at(out_str_at(p, " ["), cpu, CPU_DIGITS);
	p = out_str_at(p, "] d.");
	*p++ = irq_flag(irq);
	return out_str_at(out_seconds_at(out_str_at(p, ". "), ns), ": ");
}

/* Likewise, with the event's name and a colon. */
static void put_head(struct ftrace_text *t, const struct ftrace_thread *on, uint16_t cpu,
		     uint8_t irq, uint64_t ns)
{
	out_put(t->o, head_at(out_room(t->o, LINE_BYTES), on, cpu, irq, ns));
}

/* The kernel has an idle thread per CPU, archives have one for all. */
static char *comm_at(char *p, const struct ftrace_thread *thread, uint16_t cpu)
{
	if (!thread->koid)
		return out_u64_at(out_str_at(p, "swapper/"), cpu);
	if (!thread->named)
		return out_str_at(p, "<...>");
	return mempcpy(p, thread->comm.text, thread->comm.text_length);
}

static void put_switch(struct ftrace_text *t, const struct ftrace_event *e,
			      const struct ftrace_thread *thread, const struct ftrace_thread *other)
{
	char *p = head_at(out_room(t->o, LINE_BYTES), thread, e->cpu, FXT_SCHED_IRQ_NONE, e->ns);

	p = comm_at(out_str_at(p, "sched_switch: prev_comm="), thread, e->cpu);
	p = out_u64_at(out_str_at(p, " prev_pid="), thread->koid);
	p = out_i64_at(out_str_at(p, " prev_prio="), e->prio);
	p = out_str_at(p, " prev_state=");
	*p++ = e->state == '+' ? 'R' : e->state;
	/* The kernel never preempts its idle threads. */
	if (e->state == '+' && thread->koid)
		*p++ = '+';
	p = out_str_at(p, " ==> next_comm=");
	/* Readers draw nothing for it, because no thread of this name has this pid. */
	p = other ? comm_at(p, other, e->cpu) : out_str_at(p, "<...>");
	p = out_u64_at(out_str_at(p, " next_pid="), other ? other->koid : 0);
	p = out_i64_at(out_str_at(p, " next_prio="), e->other_prio);
	out_put(t->o, end_at(t, p));
}

/*
 * A wakeup has two lines, because readers use one or the other; only sched_waking if the archive's
 * wakeups are those. Their CPU is where the waker was last seen; if the waker is unknown or idle,
 * which is on all CPUs, it is the CPU where the woken thread will run. Without wakers, only that
 * CPU's idle thread can be named. As in the kernel, a line of an interrupt has the interrupted
 * thread's name and a flag.
 */
static void put_wakeup(struct ftrace_text *t, const struct ftrace_event *e,
			      const struct ftrace_thread *thread, const struct ftrace_thread *waker)
{
	static const struct ftrace_thread idle;
	char *line = out_room(t->o, 2 * LINE_BYTES), *event, *p;
	uint16_t cpu;

	waker = waker ? waker : &idle;
	cpu = waker->koid && waker->has_cpu ? waker->cpu : e->cpu;
	event = head_at(line, waker, cpu, e->irq, e->ns);
	p = comm_at(out_str_at(event, "sched_waking: comm="), thread, e->cpu);
	p = out_u64_at(out_str_at(p, " pid="), thread->koid);
	p = out_i64_at(out_str_at(p, " prio="), e->prio);
	p = out_u64_wide_at(out_str_at(p, " target_cpu="), e->cpu, CPU_DIGITS);
	p = end_at(t, p);
	if (t->has_wakings) {
		out_put(t->o, p);
		return;
	}
	/* The other line differs only in the event's name. */
	out_put(t->o, mempcpy(p, line, p - line));
	out_str_at(p + (event - line), "sched_wakeup");
}

/* A comment, because no switch took place and the kernel has no event for it. */
static void put_mark(struct ftrace_text *t, const struct ftrace_event *e,
			    const struct ftrace_thread *thread)
{
	static const char * const texts[] = {
		"has the CPU, whose recording begins", "has the CPU, whose recording ends",
		"has the CPU, which is online from here on", "has the CPU, which goes offline",
	};
	char *p = out_str_at(out_room(t->o, LINE_BYTES), "# ");

	p = head_at(p, thread, e->cpu, FXT_SCHED_IRQ_NONE, e->ns);
	out_put(t->o, end_at(t, out_str_at(p, texts[e->what - FXT_STR_BEGIN])));
}

/* --------------------------------------------------------------------
 * Events besides switches and wakeups.
 *
 * Fields that archives lack get the most common value: the handler of an interrupt succeeded, the
 * handler of a signal is 1 if the program has one. Zero are the address of a work item, arguments
 * of a system call, the caller that interrupts a CPU, and the other fields of a signal.
 */

/* x86's vectors, in the order of FXT_STR_VECTOR_*. */
static const struct {
	const char *name;
	unsigned int number;
} vectors[] = {
	{ "local_timer", 0xec }, { "reschedule", 0xfd }, { "call_function", 0xfc },
	{ "call_function_single", 0xfb }, { "irq_work", 0xf6 }, { "x86_platform_ipi", 0xf7 },
	{ "thermal_apic", 0xfa }, { "error_apic", 0xfe }, { "spurious_apic", 0xff },
	{ "threshold_apic", 0xf9 }, { "deferred_error_apic", 0xf4 },
};

/* Values of a line: put_fields() writes one for each letter after a percent sign. */
struct fields {
	const struct ftrace_thread *thread;	/* c: name, p: id, r: priority */
	const struct ftrace_thread *other;	/* C: name, P: id */
	const char *name;			/* n: of a function, a handler, ... */
	uint16_t cpu;				/* u */
	int64_t values[3];			/* 0, 1, 2; m: the first one as a mask of CPUs */
};

/* A name from the archive could otherwise end the line. */
static void put_name(struct ftrace_text *t, const char *name)
{
	struct ftrace_comm comm;

	ftrace_comm(t, &comm, name, strlen(name));
	out_bytes(t->o, comm.text, comm.text_length);
}

static void put_field(struct ftrace_text *t, char letter, const struct fields *f)
{
	switch (letter) {
	case 'c':
		out_put(t->o, comm_at(out_room(t->o, LINE_BYTES), f->thread, f->cpu));
		break;
	case 'C':
		out_put(t->o, comm_at(out_room(t->o, LINE_BYTES), f->other, f->cpu));
		break;
	case 'p':
		out_u64(t->o, f->thread->koid);
		break;
	case 'P':
		out_u64(t->o, f->other->koid);
		break;
	case 'r':
		out_i64(t->o, f->thread->prio);
		break;
	case 'n':
		put_name(t, f->name);
		break;
	case 'u':
		out_u64(t->o, f->cpu);
		break;
	case 'm':
		out_printf(t->o, "%08" PRIx32 ",%08" PRIx32, (uint32_t)(f->values[0] >> 32),
			   (uint32_t)f->values[0]);
		break;
	default:
		out_i64(t->o, f->values[letter - '0']);
	}
}

static void put_fields(struct ftrace_text *t, const char *form, const struct fields *f)
{
	const char *percent;

	for (; (percent = strchr(form, '%')); form = percent + 2) {
		out_bytes(t->o, form, percent - form);
		put_field(t, percent[1], f);
	}
	out_str(t->o, form);
	put_end(t);
}

/* Archives have one clone flag: whether the thread is in its parent's process. */
static void put_newtask(struct ftrace_text *t, uint64_t ns, const struct ftrace_thread *thread,
			const struct ftrace_thread *parent)
{
	bool is_process = !thread->tgid || thread->tgid == thread->koid;

	put_head(t, parent, parent->cpu, FXT_SCHED_IRQ_NONE, ns);
	put_fields(t, is_process ? "task_newtask: pid=%p comm=%c clone_flags=0 oom_score_adj=0" :
				   "task_newtask: pid=%p comm=%c clone_flags=10000 oom_score_adj=0",
		   &(struct fields){ .thread = thread, .cpu = parent->cpu });
}

static void put_rename(struct ftrace_text *t, uint64_t ns, const struct ftrace_thread *thread,
		       const struct ftrace_comm *comm)
{
	put_head(t, thread, thread->cpu, FXT_SCHED_IRQ_NONE, ns);
	put_fields(t, "task_rename: pid=%p oldcomm=%c newcomm=%n oom_score_adj=0",
		   &(struct fields){ .thread = thread, .cpu = thread->cpu, .name = comm->name });
}

static const struct line {
	const char *form;
	const char *other;	/* the end of a slice, or the line if is_other() */
	uint8_t irq;		/* the interrupt in which it happens */
	bool is_of_thread;	/* the head shows the event's thread, not the running one */
} lines[] = {
	[KERNEL_IRQ] = {
		"irq_handler_entry: irq=%0 name=%n", "irq_handler_exit: irq=%0 ret=handled",
		FXT_SCHED_IRQ_HARD,
	},
	[KERNEL_VECTOR] = { "%n_entry: vector=%0", "%n_exit: vector=%0", FXT_SCHED_IRQ_HARD },
	[KERNEL_SOFTIRQ] = {
		"softirq_entry: vec=%0 [action=%n]", "softirq_exit: vec=%0 [action=%n]",
		FXT_SCHED_IRQ_SOFT,
	},
	[KERNEL_IDLE] = { "cpu_idle: state=%0 cpu_id=%u", "cpu_idle: state=4294967295 cpu_id=%u" },
	[KERNEL_WORK] = {
		"workqueue_execute_start: work struct 0000000000000000: function %n",
		"workqueue_execute_end: work struct 0000000000000000: function %n",
		.is_of_thread = true,
	},
	[KERNEL_SYSCALL] = {
		"sys_enter: NR %0 (0, 0, 0, 0, 0, 0)", "sys_exit: NR %0 = %1",
		.is_of_thread = true,
	},
	[KERNEL_IDLE_MISS] = {
		"cpu_idle_miss: cpu_id=%u state=%0 type=above",
		"cpu_idle_miss: cpu_id=%u state=%0 type=below",
	},
	[KERNEL_MIGRATE] = {
		"sched_migrate_task: comm=%c pid=%p prio=%r orig_cpu=%0 dest_cpu=%1",
	},
	[KERNEL_FORK] = { "sched_process_fork: comm=%c pid=%p child_comm=%C child_pid=%P" },
	[KERNEL_EXIT] = { "sched_process_exit: comm=%c pid=%p prio=%r" },
	[KERNEL_PRIORITY] = { "sched_pi_setprio: comm=%c pid=%p oldprio=%0 newprio=%1" },
	[KERNEL_IPI] = {
		"ipi_send_cpu: cpu=%1 callsite=0x0 callback=%n",
		"ipi_send_cpumask: cpumask=%m callsite=0x0 callback=%n",
	},
	[KERNEL_SIGNAL] = {
		"signal_generate: sig=%0 errno=0 code=0 comm=%C pid=%P grp=0 res=%1",
	},
	[KERNEL_DELIVERY] = {
		"signal_deliver: sig=%0 errno=0 code=%1 sa_handler=%2 sa_flags=0",
		.is_of_thread = true,
	},
	[KERNEL_FREQUENCY] = { "cpu_frequency: state=%0 cpu_id=%u" },
	[KERNEL_LIMITS] = { "cpu_frequency_limits: min=%0 max=%1 cpu_id=%u" },
};

static bool is_other(const struct ftrace_event *e)
{
	return e->kind == FTRACE_EXIT ||
	       (e->what == KERNEL_IPI && e->args.ipi.cpu == KERNEL_EVENT_NO_CPU) ||
	       (e->what == KERNEL_IDLE_MISS && e->args.idle_miss.is_below);
}

static void set_values(struct fields *f, int64_t first, int64_t second, int64_t third)
{
	f->values[0] = first;
	f->values[1] = second;
	f->values[2] = third;
}

static void set_args(struct fields *f, const struct ftrace_event *e)
{
	const union kernel_args *a = &e->args;

	switch (e->what) {
	case KERNEL_VECTOR:
		/* Only known vectors become events. */
		f->name = vectors[a->irq.number].name;
		set_values(f, vectors[a->irq.number].number, 0, 0);
		break;
	case KERNEL_SYSCALL:
		set_values(f, a->syscall.number, a->syscall.ret, 0);
		break;
	case KERNEL_MIGRATE:
		set_values(f, a->migrate.from_cpu, a->migrate.to_cpu, 0);
		break;
	case KERNEL_PRIORITY:
		set_values(f, a->priority.before, a->priority.after, 0);
		break;
	case KERNEL_IPI:
		set_values(f, a->ipi.mask, a->ipi.cpu, 0);
		break;
	case KERNEL_SIGNAL:
		set_values(f, a->signal.number, a->signal.result, 0);
		break;
	case KERNEL_DELIVERY:
		set_values(f, a->delivery.number, a->delivery.code, a->delivery.is_handled);
		break;
	case KERNEL_LIMITS:
		set_values(f, a->limits.min_khz, a->limits.max_khz, 0);
		break;
	default:	/* all others have at most one number, the first */
		set_values(f, a->irq.number, 0, 0);
	}
}

static void put_kernel(struct ftrace_text *t, const struct ftrace_event *e,
		       const struct ftrace_thread *thread, const struct ftrace_thread *other)
{
	static const struct ftrace_thread idle;
	const struct line *line = &lines[e->what];
	const struct ftrace_thread *runs = t->runs[e->cpu] ? t->runs[e->cpu] : &idle;
	struct fields f = {
		.thread = thread, .other = other, .cpu = e->cpu,
		.name = e->has_origin ? ftrace_origin(t, e)->name : "0x0",
	};
	/* A system call may end on another CPU. */
	bool is_elsewhere = e->what == KERNEL_SYSCALL && e->kind == FTRACE_ENTRY && thread->runs;
	bool is_by_irq = e->what == KERNEL_SIGNAL && e->args.signal.is_by_irq;

	set_args(&f, e);
	put_head(t, line->is_of_thread ? thread : runs, is_elsewhere ? thread->cpu : e->cpu,
		 is_by_irq ? FXT_SCHED_IRQ_HARD : line->irq, e->ns);
	put_fields(t, is_other(e) ? line->other : line->form, &f);
}

/* The line of a system call needs its number. */
static bool has_line(const struct kernel_event *e)
{
	return kernel_event_is_as(e->what, FXT_AS_FTRACE) &&
	       (e->what != KERNEL_SYSCALL || e->args.syscall.number != KERNEL_EVENT_NO_NUMBER);
}

const struct ftrace_sink ftrace_lines = {
	.begin		= put_header,
	.put_switch	= put_switch,
	.put_wakeup	= put_wakeup,
	.put_mark	= put_mark,
	.put_newtask	= put_newtask,
	.put_rename	= put_rename,
	.put_kernel	= put_kernel,
	.accepts		= has_line,
};
