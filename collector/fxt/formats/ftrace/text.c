// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * text.c - lines of ftrace's text. The API is in ftrace.h.
 *
 * Must hold: each event is one line whatever the names are; a name can end neither its line
 * nor the JSON string around it.
 */
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_sched.h>

#include "libfxt/text.h"
#include "sched/kernel_types.h"
#include "sched/types.h"
#include "ftrace.h"

#define CPU_DIGITS		3
#define IDLE_POLICY_WEIGHT	3	/* SCHED_IDLE, whatever the nice value */

/* Room for a line: its head, two names, and what is around them. */
#define LINE_BYTES	(FTRACE_HEAD + 2 * 2 * FTRACE_COMM + 512)

/* The weights descend. One that Linux does not have is between two of them, or is a priority. */
static int fair_prio(int32_t weight)
{
	size_t low = 0, high = SCHED_MAX_PRIO - SCHED_FAIR_MIN_PRIO - 1, middle;

	if (weight == sched_nice_weights[SCHED_NICE_0_PRIO - SCHED_FAIR_MIN_PRIO] ||
	    weight == IDLE_POLICY_WEIGHT)
		return SCHED_NICE_0_PRIO;
	while (low < high) {
		middle = (low + high) / 2;
		if (weight < sched_nice_weights[middle])
			low = middle + 1;
		else
			high = middle;
	}
	/* Perhaps the producer wrote priorities. */
	if (weight != sched_nice_weights[low] && weight >= 0 && weight < SCHED_MAX_PRIO)
		return weight;
	return SCHED_FAIR_MIN_PRIO + (int)low;
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
	uint64_t hash = map_hash(koid, 0);
	struct ftrace_thread *thread;
	struct map_node *n;

	for (n = map_first(&t->threads, hash); n; n = map_next(n, hash)) {
		thread = map_entry(n, struct ftrace_thread, node);
		if (thread->koid == koid)
			return thread;
	}
	thread = calloc(1, sizeof(*thread));
	if (!thread || map_reserve(&t->threads)) {
		free(thread);
		return NULL;
	}
	thread->koid = koid;
	thread->prio = SCHED_NICE_0_PRIO;
	ftrace_thread_changed(thread);
	thread->next = t->all;
	t->all = thread;
	map_add(&t->threads, &thread->node, hash);
	return thread;
}

/* Each event names two threads, which nearly always were named recently. */
struct ftrace_thread *ftrace_thread(struct ftrace_text *t, uint64_t koid)
{
	struct ftrace_thread **recent = &t->recent[koid % FTRACE_RECENT];

	if (!*recent || (*recent)->koid != koid)
		*recent = find_thread(t, koid);
	return *recent;
}

void ftrace_threads_free(struct ftrace_text *t)
{
	struct ftrace_thread *thread, *next;
	struct ftrace_rename *r;

	for (thread = t->all; thread; thread = next) {
		next = thread->next;
		while ((r = thread->renames)) {
			thread->renames = r->next;
			free(r);
		}
		free(thread);
	}
	map_free(&t->threads);
}

/* Readers take the first number in brackets as the CPU, so a name must not have one. */
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

static void ftrace_put_end(struct ftrace_text *t)
{
	out_str(t->o, t->json ? "\\n" : "\n");
}

static void ftrace_put_header(struct ftrace_text *t)
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
		ftrace_put_end(t);
	}
}

/* The flag for the interrupt in which an event happens. */
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
 * Write everything up to the event's name. Of the flags, "irqs off" holds for any scheduling
 * event; "need resched" and the preempt depth are unknown.
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

/** ftrace_put_head() - all of a line up to the event's name and a colon; see ftrace_put_end() */
static void ftrace_put_head(struct ftrace_text *t, const struct ftrace_thread *on, uint16_t cpu,
			    uint8_t irq, uint64_t ns, const char *event)
{
	out_put(t->o, head_at(out_room(t->o, LINE_BYTES), on, cpu, irq, ns));
	out_str(t->o, event);
}

static void put_line(struct ftrace_text *t, const struct ftrace_thread *on, uint16_t cpu,
		     uint64_t ns, const char *event)
{
	ftrace_put_head(t, on, cpu, FXT_SCHED_IRQ_NONE, ns, event);
}

/* The kernel has one idle thread per CPU, archives have one for all. */
static char *comm_at(char *p, const struct ftrace_thread *thread, uint16_t cpu)
{
	if (!thread->koid)
		return out_u64_at(out_str_at(p, "swapper/"), cpu);
	if (!thread->named)
		return out_str_at(p, "<...>");
	return mempcpy(p, thread->comm.text, thread->comm.text_length);
}

/** ftrace_put_comm() - a thread's name as a field */
static void ftrace_put_comm(struct ftrace_text *t, const struct ftrace_thread *thread, uint16_t cpu)
{
	out_put(t->o, comm_at(out_room(t->o, LINE_BYTES), thread, cpu));
}

static void ftrace_put_switch(struct ftrace_text *t, const struct ftrace_event *e,
			      const struct ftrace_thread *thread, const struct ftrace_thread *other)
{
	char *p = head_at(out_room(t->o, LINE_BYTES), thread, e->cpu, FXT_SCHED_IRQ_NONE, e->ns);

	p = comm_at(out_str_at(p, "sched_switch: prev_comm="), thread, e->cpu);
	p = out_u64_at(out_str_at(p, " prev_pid="), thread->koid);
	p = out_i64_at(out_str_at(p, " prev_prio="), e->prio);
	p = out_str_at(p, " prev_state=");
	*p++ = e->state == '+' ? 'R' : e->state;
	/* The kernel's idle threads are never preempted. */
	if (e->state == '+' && thread->koid)
		*p++ = '+';
	p = out_str_at(p, " ==> next_comm=");
	/* Readers draw nothing for it, because no thread with this name has this pid. */
	p = other ? comm_at(p, other, e->cpu) : out_str_at(p, "<...>");
	p = out_u64_at(out_str_at(p, " next_pid="), other ? other->koid : 0);
	p = out_i64_at(out_str_at(p, " next_prio="), e->other_prio);
	out_put(t->o, end_at(t, p));
}

/*
 * Write both lines of the kernel for a wakeup, because some readers use one, some the other; but
 * only sched_waking if the archive's wakeups are those of sched_waking.
 * Their CPU is the one on which the waker was last seen. If the waker is the idle thread,
 * which is on all CPUs, or is unknown, it is the CPU on which the woken thread will run. In
 * archives without wakers, only that CPU's idle thread can be named. As in the kernel, a line
 * of an interrupt has the name of the interrupted thread, and a flag.
 */
static void ftrace_put_wakeup(struct ftrace_text *t, const struct ftrace_event *e,
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

/* Archives have only one of the clone flags: whether the thread is in its parent's process. */
/* A comment, because the kernel has no event for it: no switch took place. */
static void ftrace_put_mark(struct ftrace_text *t, const struct ftrace_event *e,
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

static void ftrace_put_newtask(struct ftrace_text *t, uint64_t ns,
			       const struct ftrace_thread *thread,
			       const struct ftrace_thread *parent)
{
	bool is_process = !thread->tgid || thread->tgid == thread->koid;

	put_line(t, parent, parent->cpu, ns, "task_newtask: pid=");
	out_u64(t->o, thread->koid);
	out_str(t->o, " comm=");
	ftrace_put_comm(t, thread, parent->cpu);
	out_printf(t->o, " clone_flags=%x oom_score_adj=0", is_process ? 0 : CLONE_THREAD);
	ftrace_put_end(t);
}

static void ftrace_put_rename(struct ftrace_text *t, uint64_t ns,
			      const struct ftrace_thread *thread, const struct ftrace_comm *comm)
{
	put_line(t, thread, thread->cpu, ns, "task_rename: pid=");
	out_u64(t->o, thread->koid);
	out_str(t->o, " oldcomm=");
	ftrace_put_comm(t, thread, thread->cpu);
	out_str(t->o, " newcomm=");
	out_bytes(t->o, comm->text, comm->text_length);
	out_str(t->o, " oom_score_adj=0");
	ftrace_put_end(t);
}

/* --------------------------------------------------------------------
 * Events beside switches and wakeups.
 *
 * Archives lack some fields of the kernel's lines. The return value of an interrupt's handler is
 * written as the most common one; the handler of a signal as 1 if the program has one. Written as 0
 * are the address of a work item, the arguments of a system call, the caller that interrupts a
 * CPU, and the other fields of a signal.
 */

#define NOT_IDLE	UINT32_MAX	/* PWR_EVENT_EXIT */

/* x86's vectors, in the order of FXT_STR_VECTOR_*, with their numbers there. */
static const struct {
	const char *name;
	unsigned int number;
} vectors[] = {
	{ "local_timer", 0xec }, { "reschedule", 0xfd }, { "call_function", 0xfc },
	{ "call_function_single", 0xfb }, { "irq_work", 0xf6 }, { "x86_platform_ipi", 0xf7 },
	{ "thermal_apic", 0xfa }, { "error_apic", 0xfe }, { "spurious_apic", 0xff },
	{ "threshold_apic", 0xf9 }, { "deferred_error_apic", 0xf4 },
};

static const struct ftrace_thread *runs_on(const struct ftrace_text *t, uint16_t cpu)
{
	static const struct ftrace_thread idle;

	return t->runs[cpu] ? t->runs[cpu] : &idle;
}

/* A name of the archive, which could end the line. */
static void put_name(struct ftrace_text *t, const char *name)
{
	struct ftrace_comm comm;

	ftrace_comm(t, &comm, name, strlen(name));
	out_bytes(t->o, comm.text, comm.text_length);
}

static void put_irq(struct ftrace_text *t, const struct ftrace_event *e, bool is_entry)
{
	ftrace_put_head(t, runs_on(t, e->cpu), e->cpu, FXT_SCHED_IRQ_HARD, e->ns,
			is_entry ? "irq_handler_entry: irq=" : "irq_handler_exit: irq=");
	out_u64(t->o, e->args.irq.number);
	if (is_entry) {
		out_str(t->o, " name=");
		put_name(t, ftrace_origin(t, e)->name);
	} else {
		out_str(t->o, " ret=handled");
	}
}

static void put_vector(struct ftrace_text *t, const struct ftrace_event *e, bool is_entry)
{
	char event[48];
	uint32_t n = e->args.irq.number;

	/* Only known vectors become events. */
	snprintf(event, sizeof(event), "%s_%s: vector=%u", vectors[n].name,
		 is_entry ? "entry" : "exit", vectors[n].number);
	ftrace_put_head(t, runs_on(t, e->cpu), e->cpu, FXT_SCHED_IRQ_HARD, e->ns, event);
}

static void put_softirq(struct ftrace_text *t, const struct ftrace_event *e, bool is_entry)
{
	ftrace_put_head(t, runs_on(t, e->cpu), e->cpu, FXT_SCHED_IRQ_SOFT, e->ns,
			is_entry ? "softirq_entry: vec=" : "softirq_exit: vec=");
	out_u64(t->o, e->args.irq.number);
	out_str(t->o, " [action=");
	put_name(t, ftrace_origin(t, e)->name);
	out_char(t->o, ']');
}

static void put_idle(struct ftrace_text *t, const struct ftrace_event *e, bool is_entry)
{
	ftrace_put_head(t, runs_on(t, e->cpu), e->cpu, FXT_SCHED_IRQ_NONE, e->ns,
			"cpu_idle: state=");
	out_u64(t->o, is_entry ? e->args.idle.state : NOT_IDLE);
	out_str(t->o, " cpu_id=");
	out_u64(t->o, e->cpu);
}

static void put_work(struct ftrace_text *t, const struct ftrace_event *e,
		     const struct ftrace_thread *thread, bool is_entry)
{
	ftrace_put_head(t, thread, e->cpu, FXT_SCHED_IRQ_NONE, e->ns,
			is_entry ? "workqueue_execute_start: work struct 0000000000000000: function " :
				   "workqueue_execute_end: work struct 0000000000000000: function ");
	put_name(t, ftrace_origin(t, e)->name);
}

/* It may have begun on another CPU than that on which it ended. */
static void put_syscall(struct ftrace_text *t, const struct ftrace_event *e,
			const struct ftrace_thread *thread, bool is_entry)
{
	uint16_t cpu = is_entry && thread->runs ? thread->cpu : e->cpu;

	ftrace_put_head(t, thread, cpu, FXT_SCHED_IRQ_NONE, e->ns,
			is_entry ? "sys_enter: NR " : "sys_exit: NR ");
	out_u64(t->o, e->args.syscall.number);
	if (is_entry)
		out_str(t->o, " (0, 0, 0, 0, 0, 0)");
	else
		out_printf(t->o, " = %" PRId64, e->args.syscall.ret);
}

static void put_slice(struct ftrace_text *t, const struct ftrace_event *e,
		      const struct ftrace_thread *thread, bool is_entry)
{
	switch (e->what) {
	case KERNEL_IRQ:
		put_irq(t, e, is_entry);
		break;
	case KERNEL_VECTOR:
		put_vector(t, e, is_entry);
		break;
	case KERNEL_SOFTIRQ:
		put_softirq(t, e, is_entry);
		break;
	case KERNEL_IDLE:
		put_idle(t, e, is_entry);
		break;
	case KERNEL_SYSCALL:
		put_syscall(t, e, thread, is_entry);
		break;
	default:
		put_work(t, e, thread, is_entry);
	}
}

static void put_migration(struct ftrace_text *t, const struct ftrace_event *e,
			  const struct ftrace_thread *thread)
{
	ftrace_put_head(t, runs_on(t, e->cpu), e->cpu, FXT_SCHED_IRQ_NONE, e->ns,
			"sched_migrate_task: comm=");
	ftrace_put_comm(t, thread, e->cpu);
	out_printf(t->o, " pid=%" PRIu64 " prio=%" PRIi32 " orig_cpu=%" PRIu32 " dest_cpu=%" PRIu32,
		   thread->koid, thread->prio, e->args.migrate.from_cpu, e->args.migrate.to_cpu);
}

static void put_fork(struct ftrace_text *t, const struct ftrace_event *e,
		     const struct ftrace_thread *thread, const struct ftrace_thread *child)
{
	ftrace_put_head(t, runs_on(t, e->cpu), e->cpu, FXT_SCHED_IRQ_NONE, e->ns,
			"sched_process_fork: comm=");
	ftrace_put_comm(t, thread, e->cpu);
	out_printf(t->o, " pid=%" PRIu64 " child_comm=", thread->koid);
	ftrace_put_comm(t, child, e->cpu);
	out_printf(t->o, " child_pid=%" PRIu64, child->koid);
}

static void put_exit(struct ftrace_text *t, const struct ftrace_event *e,
		     const struct ftrace_thread *thread)
{
	ftrace_put_head(t, runs_on(t, e->cpu), e->cpu, FXT_SCHED_IRQ_NONE, e->ns,
			"sched_process_exit: comm=");
	ftrace_put_comm(t, thread, e->cpu);
	out_printf(t->o, " pid=%" PRIu64 " prio=%" PRIi32, thread->koid, thread->prio);
}

static void put_priority(struct ftrace_text *t, const struct ftrace_event *e,
			 const struct ftrace_thread *thread)
{
	ftrace_put_head(t, runs_on(t, e->cpu), e->cpu, FXT_SCHED_IRQ_NONE, e->ns,
			"sched_pi_setprio: comm=");
	ftrace_put_comm(t, thread, e->cpu);
	out_printf(t->o, " pid=%" PRIu64 " oldprio=%" PRIi32 " newprio=%" PRIi32, thread->koid,
		   e->args.priority.before, e->args.priority.after);
}

static void put_ipi(struct ftrace_text *t, const struct ftrace_event *e)
{
	bool is_one = e->args.ipi.cpu != KERNEL_EVENT_NO_CPU;
	uint64_t mask = e->args.ipi.mask;

	ftrace_put_head(t, runs_on(t, e->cpu), e->cpu, FXT_SCHED_IRQ_NONE, e->ns,
			is_one ? "ipi_send_cpu: cpu=" : "ipi_send_cpumask: cpumask=");
	if (is_one)
		out_u64(t->o, e->args.ipi.cpu);
	else
		out_printf(t->o, "%08" PRIx32 ",%08" PRIx32, (uint32_t)(mask >> 32),
			   (uint32_t)mask);
	out_str(t->o, " callsite=0x0 callback=");
	if (e->has_origin)
		put_name(t, ftrace_origin(t, e)->name);
	else
		out_str(t->o, "0x0");
}

static void put_signal(struct ftrace_text *t, const struct ftrace_event *e,
		       const struct ftrace_thread *target)
{
	ftrace_put_head(t, runs_on(t, e->cpu), e->cpu,
			e->args.signal.is_by_irq ? FXT_SCHED_IRQ_HARD : FXT_SCHED_IRQ_NONE, e->ns,
			"signal_generate: sig=");
	out_u64(t->o, e->args.signal.number);
	out_str(t->o, " errno=0 code=0 comm=");
	ftrace_put_comm(t, target, e->cpu);
	out_printf(t->o, " pid=%" PRIu64 " grp=0 res=%u", target->koid, e->args.signal.result);
}

static void put_delivery(struct ftrace_text *t, const struct ftrace_event *e,
			 const struct ftrace_thread *thread)
{
	ftrace_put_head(t, thread, e->cpu, FXT_SCHED_IRQ_NONE, e->ns, "signal_deliver: sig=");
	out_printf(t->o, "%" PRIu32 " errno=0 code=%" PRIi32 " sa_handler=%u sa_flags=0",
		   e->args.delivery.number, e->args.delivery.code, e->args.delivery.is_handled);
}

static void put_value(struct ftrace_text *t, const struct ftrace_event *e)
{
	char event[80];

	switch (e->what) {
	case KERNEL_FREQUENCY:
		snprintf(event, sizeof(event), "cpu_frequency: state=%" PRIu32 " cpu_id=%u",
			 e->args.frequency.khz, e->cpu);
		break;
	case KERNEL_LIMITS:
		snprintf(event, sizeof(event), "cpu_frequency_limits: min=%" PRIu32 " max=%" PRIu32 " cpu_id=%u",
			 e->args.limits.min_khz, e->args.limits.max_khz, e->cpu);
		break;
	default:
		snprintf(event, sizeof(event), "cpu_idle_miss: cpu_id=%u state=%" PRIu32 " type=%s",
			 e->cpu, e->args.idle_miss.state,
			 e->args.idle_miss.is_below ? "below" : "above");
	}
	ftrace_put_head(t, runs_on(t, e->cpu), e->cpu, FXT_SCHED_IRQ_NONE, e->ns, event);
}

static void put_moment(struct ftrace_text *t, const struct ftrace_event *e,
		       const struct ftrace_thread *thread, const struct ftrace_thread *other)
{
	switch (e->what) {
	case KERNEL_MIGRATE:
		put_migration(t, e, thread);
		break;
	case KERNEL_FORK:
		put_fork(t, e, thread, other);
		break;
	case KERNEL_EXIT:
		put_exit(t, e, thread);
		break;
	case KERNEL_PRIORITY:
		put_priority(t, e, thread);
		break;
	case KERNEL_IPI:
		put_ipi(t, e);
		break;
	case KERNEL_SIGNAL:
		put_signal(t, e, other);
		break;
	case KERNEL_DELIVERY:
		put_delivery(t, e, thread);
		break;
	default:
		put_value(t, e);
	}
}

static void put_kernel(struct ftrace_text *t, const struct ftrace_event *e,
		       const struct ftrace_thread *thread, const struct ftrace_thread *other)
{
	if (e->kind == FTRACE_MOMENT)
		put_moment(t, e, thread, other);
	else
		put_slice(t, e, thread, e->kind == FTRACE_ENTRY);
	ftrace_put_end(t);
}

/* A system call without a known number has no line, because the line has to name it. */
static bool has_line(const struct kernel_event *e)
{
	return kernel_event_is_as(e->what, FXT_AS_FTRACE) &&
	       (e->what != KERNEL_SYSCALL || e->args.syscall.number != KERNEL_EVENT_NO_NUMBER);
}

const struct ftrace_sink ftrace_lines = {
	.begin		= ftrace_put_header,
	.put_switch	= ftrace_put_switch,
	.put_wakeup	= ftrace_put_wakeup,
	.put_mark	= ftrace_put_mark,
	.put_newtask	= ftrace_put_newtask,
	.put_rename	= ftrace_put_rename,
	.put_kernel	= put_kernel,
	.takes		= has_line,
};
