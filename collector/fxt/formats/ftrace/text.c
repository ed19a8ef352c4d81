// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * text.c - lines of ftrace's text. The API is text.h.
 *
 * Must hold: each event is one line whatever the names are; a name can end neither its line
 * nor the JSON string around it.
 */
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include <fxt/fxt_sched.h>

#include "libfxt/text.h"
#include "sched/types.h"
#include "text.h"

#define CPU_DIGITS		3
#define IDLE_POLICY_WEIGHT	3	/* SCHED_IDLE, whatever the nice value */

/* Room for a line: its head, two names, and what is around them. */
#define LINE_BYTES	(FTRACE_HEAD + 2 * 2 * FTRACE_COMM + 512)

/* The weights descend. One that is not of Linux is between two of them, or a priority. */
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

struct ftrace_thread *ftrace_thread(struct ftrace_text *t, uint64_t koid)
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

void ftrace_put_end(struct ftrace_text *t)
{
	out_str(t->o, t->json ? "\\n" : "\n");
}

void ftrace_put_header(struct ftrace_text *t)
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

void ftrace_put_head(struct ftrace_text *t, const struct ftrace_thread *on, uint16_t cpu,
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

void ftrace_put_comm(struct ftrace_text *t, const struct ftrace_thread *thread, uint16_t cpu)
{
	out_put(t->o, comm_at(out_room(t->o, LINE_BYTES), thread, cpu));
}

void ftrace_put_switch(struct ftrace_text *t, const struct ftrace_event *e,
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
	/* No thread of that name has this pid, so readers draw nothing. */
	p = other ? comm_at(p, other, e->cpu) : out_str_at(p, "<...>");
	p = out_u64_at(out_str_at(p, " next_pid="), other ? other->koid : 0);
	p = out_i64_at(out_str_at(p, " next_prio="), e->other_prio);
	out_put(t->o, end_at(t, p));
}

/*
 * Write both lines of the kernel for a wakeup, because some readers use one, some the other.
 * Their CPU is the one on which the waker was last seen. If the waker is the idle thread,
 * which is on all CPUs, or is unknown, it is the CPU on which the woken thread will run. In
 * archives without wakers, only that CPU's idle thread can be named. As in the kernel, a line
 * of an interrupt has the name of the interrupted thread, and a flag.
 */
void ftrace_put_wakeup(struct ftrace_text *t, const struct ftrace_event *e,
		       const struct ftrace_thread *thread,
		       const struct ftrace_thread *waker)
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
	/* The other line is the same but for its event. */
	out_put(t->o, mempcpy(p, line, p - line));
	out_str_at(p + (event - line), "sched_wakeup");
}

/* Of all flags, archives show only whether the thread is in its parent's process. */
/* A comment, because the kernel has no event for what was no switch. */
void ftrace_put_mark(struct ftrace_text *t, const struct ftrace_event *e,
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

void ftrace_put_newtask(struct ftrace_text *t, uint64_t ns,
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

void ftrace_put_rename(struct ftrace_text *t, uint64_t ns, const struct ftrace_thread *thread,
		       const struct ftrace_comm *comm)
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
