/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event.h - an event of the kernel, as other tracers record it. Readers of ftrace's text,
 * trace.dat, perf.data and Perfetto's traces fill it; import.h takes it.
 */
#ifndef FXT_FORMATS_IMPORT_EVENT_H
#define FXT_FORMATS_IMPORT_EVENT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_sched.h>

#include "walk/order.h"

#define TRACE_PIDS	FXT_SCHED_TID_END	/* all ids are smaller */

#define TRACE_PRIO_UNKNOWN	INT32_MIN

/* Bits of common_flags, which ftrace records with each event. */
enum trace_flag {
	TRACE_IN_HARDIRQ	= 0x08,
	TRACE_IN_SOFTIRQ	= 0x10,
	TRACE_IN_NMI		= 0x40,
};

/* enum fxt_sched_irq of common_flags. */
static inline uint8_t trace_irq_of(uint32_t flags)
{
	if (flags & TRACE_IN_NMI)
		return FXT_SCHED_IRQ_NMI;
	if (flags & TRACE_IN_HARDIRQ)
		return FXT_SCHED_IRQ_HARD;
	return flags & TRACE_IN_SOFTIRQ ? FXT_SCHED_IRQ_SOFT : FXT_SCHED_IRQ_NONE;
}

enum trace_what {
	TRACE_NOTHING,		/* only the current thread matters */
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
	TRACE_PRIORITY,
	TRACE_BLOCKED,		/* where @thread sleeps, just before its wakeup */
	TRACE_IRQ_ENTRY,
	TRACE_IRQ_EXIT,
	TRACE_SOFTIRQ_ENTRY,
	TRACE_SOFTIRQ_EXIT,
	TRACE_VECTOR_ENTRY,	/* an interrupt of the CPU itself */
	TRACE_VECTOR_EXIT,
	TRACE_IPI,		/* an interrupt is sent to a CPU */
	TRACE_IPI_MASK,		/* likewise, to several CPUs */
	TRACE_IDLE,
	TRACE_IDLE_MISS,
	TRACE_FREQUENCY,
	TRACE_LIMITS,
	TRACE_WORK_BEGIN,
	TRACE_WORK_END,
	TRACE_MARK,		/* a program wrote @text for the trace */
	TRACE_STACK,		/* the call chain of the event before it on this CPU */
	/* Events of tracers, not of the kernel. */
	TRACE_FOUND,		/* an existing thread; @other: parent of its process, or 0 */
	TRACE_LOST,		/* @value events of the CPU were lost */
	TRACE_KINDS,
};

/* Terminated; empty if unknown. */
struct trace_name {
	char bytes[FXT_SCHED_LABEL_BYTES];
};

/* Truncates long names. */
static inline void trace_name_set(struct trace_name *name, const char *from, size_t length)
{
	length = length < sizeof(name->bytes) ? length : sizeof(name->bytes) - 1;
	memcpy(name->bytes, from, length);
	name->bytes[length] = '\0';
}

struct trace_event {
	union {
		uint64_t ns;
		struct order_key key;
	};
	/*
	 * The reader allocates these and frees them after trace_add(): see trace_event_free().
	 * @frames, of switches, wakeups and TRACE_STACK: the current thread's call chain, innermost
	 * first, the kernel's frames before the program's; at most FXT_SCHED_STACK_FRAMES of each.
	 * Of TRACE_BLOCKED: the caller.
	 */
	union {
		const uint64_t *frames;
		const char *text;	/* of TRACE_MARK, terminated */
	};
	uint32_t cpu;		/* where it happened, below TRACE_CPUS */
	uint32_t on;		/* id of the current thread there */
	uint32_t tgid;		/* of its process, 0 if unknown */
	uint32_t thread;	/* switched out, woken, renamed, moved, executes, exits, or new */
	uint32_t other;		/* switched in */
	union {
		struct {
			int32_t prio;	/* the kernel's, of @thread, or TRACE_PRIO_UNKNOWN */
			int32_t other_prio;	/* of @other; TRACE_PRIORITY: of @thread from now on */
		};
		uint64_t mask;	/* of TRACE_IPI_MASK, the first 64 CPUs */
	};
	/*
	 * Target CPU of wakeups, migrations and interrupts; number of interrupts, vectors, idle
	 * states, and CPUs in @mask; kHz. TRACE_NEWTASK: is the thread in its parent's process?
	 * TRACE_BLOCKED: does it wait for I/O? TRACE_IDLE_MISS: was the state too shallow?
	 */
	uint32_t value;
	uint32_t from;		/* previous CPU of migrations; CPU of idle states and kHz */
	uint32_t most;		/* of limits, kHz; of TRACE_IDLE_MISS, the state */
	uint8_t what;		/* enum trace_what */
	uint8_t irq;		/* enum fxt_sched_irq: in which it happened */
	uint8_t frame_count;
	char state;		/* of switches: letter of the state of @thread, or '?' */
	bool hides_other;	/* the thread switched in is unknown */
	bool hides_thread;	/* the thread switched out is unknown */
	bool has_on;		/* LTTng's event itself has @on */
	bool has_ticks;		/* the time is still in ticks of a clock */
	/*
	 * Of @thread after the event; of an interrupt's handler, of the function of a work item or
	 * of a sent interrupt; TRACE_NOTHING: of the kind.
	 */
	struct trace_name name;
	struct trace_name other_name;	/* of @other; of renames, of @thread before */
	struct trace_name on_name;	/* of the current thread, perhaps newer than the event */
};

static inline void trace_event_free(const struct trace_event *e)
{
	if (e->frames)
		free((void *)e->frames);
}

/* --------------------------------------------------------------------
 * The states of threads in sched_switch: numbers, whose bits differ between kernels, or letters, as
 * the kernel prints them. They become letters of current kernels, and states of FXT.
 */

#define TRACE_STATES	16U	/* fxt does not need more */

/* The meaning of a kernel's numbers. */
struct trace_states {
	/* In the order in which the kernel prints the letters. */
	struct trace_state_bits {
		uint64_t bits;
		char letter;
	} all[TRACE_STATES];
	unsigned int count;
	uint64_t preempted;	/* bits of a thread that was preempted */
};

/*
 * For an unknown kernel: the bits of 4.14 and later, and those of earlier kernels that do not
 * conflict with them. 64 is a dead thread before 4.14 and a parked one since: its state is unknown.
 */
extern const struct trace_states trace_states_any;

/* Returns '?' if the number has no meaning. */
char trace_state_letter(const struct trace_states *s, uint64_t number);

/* Returns FXT_SCHED_STATE_UNKNOWN if the letter has no meaning. */
struct fxt_sched_state trace_state_of(char letter);

/* --------------------------------------------------------------------
 * The names of events and of their fields, and the places of these in struct trace_event, for
 * readers that find fields by name (tep/, LTTng's text) or by number (perfetto/).
 */

#define TRACE_FIELDS	8

enum trace_form {
	TRACE_FORM_NUMBER,	/* its low 32 bits */
	TRACE_FORM_NAME,
	TRACE_FORM_FILE,	/* the last part of a path, truncated to a name's length */
	TRACE_FORM_STATE,
	TRACE_FORM_CLONE,	/* is CLONE_THREAD among the flags? */
	TRACE_FORM_VECTOR,	/* FXT_STR_VECTOR_* of an interrupt of x86 */
	TRACE_FORM_FUNCTION,	/* the name of the kernel's function at an address; empty for 0 */
	TRACE_FORM_MASK,	/* of CPUs, in the low 64 bits; their number is @value */
	/* The last field of its event: */
	TRACE_FORM_CALLER,	/* an address in the kernel, as the only frame */
	TRACE_FORM_FRAMES,	/* addresses up to the end of the record */
	TRACE_FORM_TEXT,	/* bytes up to the end of the record */
};

/* A kind of events, with the fields that archives need; one without a name ends them. */
struct trace_kind {
	const char *name;	/* the kernel's */
	uint16_t number;	/* enum perfetto_event; 0: Perfetto does not have it */
	struct trace_field {
		const char *name;
		uint8_t number;		/* in Perfetto's message */
		uint8_t form;		/* enum trace_form */
		uint16_t to;
	} fields[TRACE_FIELDS];
};

extern const struct trace_kind trace_kinds[TRACE_KINDS];

/* TRACE_NOTHING: any other kind */
enum trace_what trace_known(const char *name, size_t length);

#endif /* FXT_FORMATS_IMPORT_EVENT_H */
