/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text.h - lines of ftrace's text, and the state of threads that they need.
 *
 * In: scheduling events in the order of time.
 * Out: lines as in the kernel's tracefs with the option record-tgid, except that times have
 * nine decimals: readers accept any number of them, and archives have nanoseconds.
 */
#ifndef FXT_FORMATS_FTRACE_TEXT_H
#define FXT_FORMATS_FTRACE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libfxt/map.h"
#include "order.h"
#include "sched/sources.h"
#include "write/out.h"

#define FTRACE_COMM	64	/* bytes, the 0 included */
#define FTRACE_HEAD_NAME	16	/* columns of a name at the head of a line */
#define FTRACE_HEAD	(2 * FTRACE_COMM + 48)	/* with two numbers of 64 bits */

/**
 * struct ftrace_comm - a thread's name, as written in lines
 * @name: as in the archive, terminated, truncated between characters
 * @length: bytes of @name
 * @text: the form to write
 */
struct ftrace_comm {
	uint8_t length;
	uint8_t text_length;
	char name[FTRACE_COMM];
	char text[2 * FTRACE_COMM];
};

/**
 * struct ftrace_thread - one thread
 * @named: @comm is its name; else it is "<...>", as ftrace calls such threads
 * @tgid: koid of its process, 0 if unknown
 * @head: how its lines begin, made of @koid, @named, @comm and @tgid
 * @told: its name in the latest record in file order, which may be ahead of time
 * @told_tgid: the same
 * @cpu: the CPU that it runs on or ran on last
 * @has_cpu: @cpu is known
 * @runs: it runs on @cpu now
 * @prio: the kernel's priority, as last seen
 * @renames: names to apply when it runs next, in their order
 * @noted: the first walk found an object record of it
 * @born: the archive shows that it was a new thread
 * @seen: some event named it
 * @taken: the second walk found an object record of it
 */
struct ftrace_thread {
	struct map_node node;
	uint64_t koid;
	uint64_t tgid;
	uint16_t cpu;
	bool has_cpu;
	bool runs;
	int32_t prio;
	bool noted;
	bool born;
	bool seen;
	bool taken;
	bool named;
	uint8_t head_length;
	struct ftrace_comm comm;
	char head[FTRACE_HEAD];
	uint64_t told_tgid;
	char told[FTRACE_COMM];
	struct ftrace_rename *renames;
	struct ftrace_rename *last_rename;
	struct ftrace_thread *next;	/* of all threads */
};

/**
 * struct ftrace_rename - a thread's name from some time on
 * @is_fork: a new thread gets the id
 */
struct ftrace_rename {
	struct ftrace_rename *next;
	uint64_t tgid;
	bool is_fork;
	struct ftrace_comm comm;
};

/**
 * struct ftrace_text - one text, or another result of the same events
 * @sink: writes it
 * @o: the output
 * @json: it is the inside of a JSON string
 * @arg: the sink's own
 * @weight_is_prio: the archive has the kernel's priorities as weights
 * @all: threads, as a list
 * @runs: by CPU: the thread that runs on it, NULL if unknown
 * @sources: of the kernel's events
 */
struct ftrace_text {
	const struct ftrace_sink *sink;
	struct out *o;
	bool json;
	void *arg;
	bool weight_is_prio;
	struct ftrace_thread *all;
	struct map threads;
	struct ftrace_thread *runs[1 << 16];
	struct sched_sources sources;
};

/** ftrace_source() - what an event is of, that has a source */
static inline const struct sched_source *ftrace_source(const struct ftrace_text *t,
						       const struct ftrace_event *e)
{
	return t->sources.list[e->source];
}

/**
 * struct ftrace_sink - what events in the order of time become
 * @begin: before the first one; may be NULL
 * @put_switch: @thread is switched out, @other is switched in; NULL if unknown
 * @put_wakeup: @waker may be NULL
 * @put_mark: @thread has the CPU where its recording begins or ends: no switch
 * @put_newtask: @parent forked @thread, which is about to run for the first time; may be NULL
 * @put_rename: before the thread has the name @comm
 * @put_kernel: a FTRACE_ENTRY, FTRACE_EXIT or FTRACE_MOMENT; of what threads do @thread, of a
 *	fork @other is the new thread, of a signal the receiver; else ignored
 * @takes: is there a form for an event?
 */
struct ftrace_sink {
	void (*begin)(struct ftrace_text *t);
	void (*put_switch)(struct ftrace_text *t, const struct ftrace_event *e,
			   const struct ftrace_thread *thread, const struct ftrace_thread *other);
	void (*put_wakeup)(struct ftrace_text *t, const struct ftrace_event *e,
			   const struct ftrace_thread *thread, const struct ftrace_thread *waker);
	void (*put_mark)(struct ftrace_text *t, const struct ftrace_event *e,
			 const struct ftrace_thread *thread);
	void (*put_newtask)(struct ftrace_text *t, uint64_t ns, const struct ftrace_thread *thread,
			    const struct ftrace_thread *parent);
	void (*put_rename)(struct ftrace_text *t, uint64_t ns, const struct ftrace_thread *thread,
			   const struct ftrace_comm *comm);
	void (*put_kernel)(struct ftrace_text *t, const struct ftrace_event *e,
			   const struct ftrace_thread *thread, const struct ftrace_thread *other);
	bool (*takes)(const struct kernel_event *e);
};

/** ftrace_thread() - find or create a thread by koid. Return: NULL: no memory */
struct ftrace_thread *ftrace_thread(struct ftrace_text *t, uint64_t koid);
void ftrace_threads_free(struct ftrace_text *t);

/** ftrace_thread_changed() - its name or process is another one now */
void ftrace_thread_changed(struct ftrace_thread *thread);

/** ftrace_comm() - make a name ready for this text */
void ftrace_comm(const struct ftrace_text *t, struct ftrace_comm *comm,
		 const char *name, size_t length);

/* --- lines: see struct ftrace_sink --- */

void ftrace_put_header(struct ftrace_text *t);

void ftrace_put_switch(struct ftrace_text *t, const struct ftrace_event *e,
		       const struct ftrace_thread *thread, const struct ftrace_thread *other);

void ftrace_put_wakeup(struct ftrace_text *t, const struct ftrace_event *e,
		       const struct ftrace_thread *thread,
		       const struct ftrace_thread *waker);

void ftrace_put_mark(struct ftrace_text *t, const struct ftrace_event *e,
		     const struct ftrace_thread *thread);

/** ftrace_put_head() - all of a line up to the event's name and a colon; see ftrace_put_end() */
void ftrace_put_head(struct ftrace_text *t, const struct ftrace_thread *on, uint16_t cpu,
		     uint8_t irq, uint64_t ns, const char *event);

/** ftrace_put_comm() - a thread's name as a field */
void ftrace_put_comm(struct ftrace_text *t, const struct ftrace_thread *thread, uint16_t cpu);

void ftrace_put_end(struct ftrace_text *t);

void ftrace_put_newtask(struct ftrace_text *t, uint64_t ns,
			const struct ftrace_thread *thread,
			const struct ftrace_thread *parent);

void ftrace_put_rename(struct ftrace_text *t, uint64_t ns, const struct ftrace_thread *thread,
		       const struct ftrace_comm *comm);

/** ftrace_prio() - the kernel's priority of a thread (task_struct.prio) by its weight */
int32_t ftrace_prio(const struct ftrace_text *t, bool has_weight, int32_t weight);

#endif /* FXT_FORMATS_FTRACE_TEXT_H */
