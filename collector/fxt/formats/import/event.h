/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event.h - an event of the kernel, as other tracers record it.
 *
 * In: filled by the readers of ftrace's text, trace.dat and perf.data.
 * Out: taken by import.h.
 */
#ifndef FXT_FORMATS_IMPORT_EVENT_H
#define FXT_FORMATS_IMPORT_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include <fxt/fxt_sched.h>

#define TRACE_PIDS	FXT_SCHED_TID_END	/* all ids are smaller */

#define TRACE_PRIO_UNKNOWN	INT32_MIN

enum trace_what {
	TRACE_NOTHING,		/* only the current thread is of interest */
	TRACE_SWITCH,
	TRACE_WAKING,
	TRACE_WAKEUP,
	TRACE_WAKEUP_NEW,
	TRACE_FORK,
	TRACE_NEWTASK,
	TRACE_EXEC,
	TRACE_EXIT,
	TRACE_RENAME,
	TRACE_MIGRATE,
	TRACE_IRQ_ENTRY,
	TRACE_IRQ_EXIT,
	TRACE_SOFTIRQ_ENTRY,
	TRACE_SOFTIRQ_EXIT,
	TRACE_IDLE,
	TRACE_FREQUENCY,
	/* Events of tracers, not of the kernel. */
	TRACE_FOUND,		/* a thread that was there before the trace */
	TRACE_LOST,		/* events of the CPU were lost, @value of them */
	TRACE_KINDS,
};

/**
 * struct trace_name - a name, terminated; empty if it is unknown
 */
struct trace_name {
	char bytes[FXT_SCHED_LABEL_BYTES];
};

/**
 * struct trace_event - an event of a tracer
 * @ns: its time
 * @what: enum trace_what
 * @cpu: on which it happened, below TRACE_CPUS
 * @on: id of the current thread there; @tgid: of its process, 0 if unknown
 * @irq: enum fxt_sched_irq, the kind of interrupt in which it happened
 * @state: of switches, the letter of the state that @thread is left in, or '?'
 * @thread: switched out, woken, renamed, migrated, executes or exits; of forks, the new one
 * @other: switched in; @hides_other: the thread switched in is unknown
 * @prio: the kernel's priority of @thread, or TRACE_PRIO_UNKNOWN; @other_prio: likewise
 * @name: of @thread after the event; of interrupts, of the handler
 * @other_name: of @other; of renames, of @thread before
 * @on_name: what the tracer calls the current thread now, perhaps not the name at that time
 * @value: target CPU of wakeups and migrations, number of interrupts, vectors and idle states,
 *	kHz; of TRACE_NEWTASK, is the thread in its parent's process?
 * @frames: of switches and wakeups, @frame_count addresses of the current thread's call chain,
 *	innermost first, those of the kernel before those of the program; at most
 *	FXT_SCHED_STACK_FRAMES of each
 * @from: of migrations, the previous CPU; of frequencies, the CPU that runs at it
 */
struct trace_event {
	uint64_t ns;
	const uint64_t *frames;
	uint32_t cpu;
	uint32_t on;
	uint32_t tgid;
	uint32_t thread;
	uint32_t other;
	int32_t prio;
	int32_t other_prio;
	uint32_t value;
	uint32_t from;
	uint8_t what;
	uint8_t irq;
	uint8_t frame_count;
	char state;
	bool hides_other;
	struct trace_name name;
	struct trace_name other_name;
	struct trace_name on_name;
};

/* --------------------------------------------------------------------
 * The states of threads in sched_switch.
 *
 * In: numbers, whose bits differ between kernels; letters, as the kernel prints them.
 * Out: letters of current kernels, and states of the FXT format.
 */

#define TRACE_STATES	16U	/* more have no meaning for fxt */

/**
 * struct trace_states - the meaning of a kernel's numbers
 * @all: the letter of each bit, in the order in which the kernel prints them
 * @count: number of letters
 * @preempted: bits of a thread that was preempted
 */
struct trace_states {
	struct trace_state_bits {
		uint64_t bits;
		char letter;
	} all[TRACE_STATES];
	unsigned int count;
	uint64_t preempted;
};

/**
 * trace_states_any - for numbers of an unknown kernel
 *
 * The bits of 4.14 and later, and those of earlier kernels that cannot be mistaken for them. 64 is
 * a dead thread before 4.14 and a parked one since: its state is unknown.
 */
extern const struct trace_states trace_states_any;

/** trace_state_letter() - the letter of a number; '?' if it has no meaning */
char trace_state_letter(const struct trace_states *s, uint64_t number);

/** trace_state_of() - the state of a letter; FXT_SCHED_STATE_UNKNOWN if it has no meaning */
struct fxt_sched_state trace_state_of(char letter);

#endif /* FXT_FORMATS_IMPORT_EVENT_H */
