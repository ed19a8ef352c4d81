/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * fxt_sched_event.h - events of the kernel besides switches and wakeups: interrupts, idle states,
 * migrations, frequencies, work items, lives of threads, system calls, signals.
 *
 * In:  facts as a tracepoint sees them.
 * Out: finished event records (type 4) in the stream of the CPU, counted by its ledger.
 *
 * A slice is one duration-complete record, which is written when it ends and contains the time of
 * its beginning. Ledgers ("time", "last") and the order of records use the time of its end.
 *
 * Events of a CPU are on a track of that CPU: each kind of event has a synthetic process, with a
 * synthetic thread for each CPU. Events of a thread are on the thread's own track. Koids are
 * inline, because thread references end at 255. Names and categories are indexed; names that only
 * the kernel knows are inline.
 *
 * In all fxt_sched_put_*(), unless they say otherwise, @rec has room for FXT_SCHED_*_WORDS, times
 * are in ticks, and @tid and @tgid are the thread of the event. Those that return __u32 return the
 * number of words written.
 */
#ifndef FXT_FXT_SCHED_EVENT_H
#define FXT_FXT_SCHED_EVENT_H

#include "fxt_argument.h"
#include "fxt_event.h"
#include "fxt_sched_ids.h"
#include "fxt_word.h"

/* Bytes of names that only the kernel knows, without a terminating 0. */
#define FXT_SCHED_LABEL_BYTES	32
#define FXT_SCHED_LABEL_WORDS	(FXT_SCHED_LABEL_BYTES / FXT_WORD)

/* Header, ticks, process and thread koid. */
#define FXT_SCHED_EVENT_HEAD	4
/* After the name of a handler: the interrupt's number, ticks of the end. */
#define FXT_SCHED_IRQ_TAIL	2
#define FXT_SCHED_IRQ_WORDS	(FXT_SCHED_EVENT_HEAD + FXT_SCHED_LABEL_WORDS + FXT_SCHED_IRQ_TAIL)
#define FXT_SCHED_CPU_SLICE_WORDS	(FXT_SCHED_EVENT_HEAD + 1)
#define FXT_SCHED_IDLE_WORDS	(FXT_SCHED_EVENT_HEAD + 2)
#define FXT_SCHED_MIGRATE_WORDS	(FXT_SCHED_EVENT_HEAD + 2)
#define FXT_SCHED_IDLE_MISS_WORDS	(FXT_SCHED_EVENT_HEAD + 2)
#define FXT_SCHED_FREQUENCY_WORDS	(FXT_SCHED_EVENT_HEAD + 3)
#define FXT_SCHED_WORK_WORDS	(FXT_SCHED_EVENT_HEAD + FXT_SCHED_LABEL_WORDS + 1)
#define FXT_SCHED_FORK_WORDS	(FXT_SCHED_EVENT_HEAD + 2)
#define FXT_SCHED_EXIT_WORDS	(FXT_SCHED_EVENT_HEAD + 2)
#define FXT_SCHED_PRIORITY_WORDS	(FXT_SCHED_EVENT_HEAD + 2)
#define FXT_SCHED_SYSCALL_WORDS	(FXT_SCHED_EVENT_HEAD + 4)
#define FXT_SCHED_IPI_WORDS	(FXT_SCHED_EVENT_HEAD + FXT_SCHED_LABEL_WORDS + 1)
#define FXT_SCHED_IPI_MASK_WORDS	(FXT_SCHED_EVENT_HEAD + FXT_SCHED_LABEL_WORDS + 3)
#define FXT_SCHED_SIGNAL_WORDS	(FXT_SCHED_EVENT_HEAD + 5)
#define FXT_SCHED_DELIVERY_WORDS	(FXT_SCHED_EVENT_HEAD + 3)
/*
 * The largest of all has 14. The verifiers of Linux 6.1 and before count one word more in the name
 * of a device.
 */
#define FXT_SCHED_EVENT_WORDS	15

/* A name that only the kernel knows, as a stream. */
struct fxt_sched_label {
	__u64 words[FXT_SCHED_LABEL_WORDS];	/* ASCII, padded with zeros */
	__u64 bytes;			/* at least 1 */
};

/*
 * Complete a name of @bytes in @label->words, truncated to FXT_SCHED_LABEL_BYTES and padded with
 * zeros. An empty or unknown name, 0, becomes "?", as does any byte that is not ASCII.
 */
static __always_inline void fxt_sched_label_finish(struct fxt_sched_label *label, __u64 bytes)
{
	__u64 other;
	__u32 i;

	for (i = 0; i < FXT_SCHED_LABEL_WORDS; i++) {
		other = (label->words[i] >> 7 & 0x0101010101010101ULL) * 0xff;
		label->words[i] = (label->words[i] & ~other) | (other & 0x3f3f3f3f3f3f3f3fULL);
	}
	if (!bytes)
		*(char *)label->words = '?';
	label->bytes = bytes ? bytes : 1;
}

static __always_inline void fxt_sched_put_event_head(__u64 *rec, __u64 header, __u64 time,
						     __u64 process, __u64 thread)
{
	rec[0] = header;
	rec[1] = time;
	rec[2] = process;
	rec[3] = thread;
}

/*
 * The koid of a CPU's track for a kind of event. @process: FXT_SCHED_KOID_IRQ,
 * FXT_SCHED_KOID_SOFTIRQ or FXT_SCHED_KOID_IDLE
 */
static __always_inline __u64 fxt_sched_cpu_track(__u64 process, __u32 cpu)
{
	return process + 1 + cpu;
}

/* Words of the record of a handler. @bytes: length of its name */
static __always_inline __u32 fxt_sched_irq_words(__u64 bytes)
{
	return FXT_SCHED_EVENT_HEAD + fxt_stream_words(bytes) + FXT_SCHED_IRQ_TAIL;
}

/* Header of the record of a handler. @bytes: length of its name */
static __always_inline __u64 fxt_sched_irq_header(__u64 bytes)
{
	return fxt_event(fxt_sched_irq_words(bytes), FXT_EVENT_DURATION_COMPLETE, 1,
			 FXT_THREAD_REF_INLINE, FXT_STR_IRQ, fxt_string_ref_inline(bytes));
}

/* Argument of the record of a handler: the interrupt's number. */
static __always_inline __u64 fxt_sched_irq_argument(__u32 irq)
{
	return fxt_arg_uint32(1, FXT_STR_IRQ, irq);
}

/* The last word of a slice, before @after. */
static __always_inline void fxt_sched_put_slice_end(__u64 *after, __u64 end)
{
	after[-1] = end;
}

/*
 * The CPU served a hardware interrupt of a device. "Duration complete": on "irq cpu N", with the
 * Uint32 argument "irq".
 */
static __always_inline __u32 fxt_sched_put_irq(__u64 *rec, __u64 begin, __u64 end, __u32 cpu,
					       __u32 irq, const struct fxt_sched_label *name)
{
	__u32 words = fxt_sched_irq_words(name->bytes), i;

	/* Copy all words. The rest of the record overwrites those after the name. */
	for (i = 0; i < FXT_SCHED_LABEL_WORDS; i++)
		rec[FXT_SCHED_EVENT_HEAD + i] = name->words[i];
	fxt_sched_put_event_head(rec, fxt_sched_irq_header(name->bytes), begin, FXT_SCHED_KOID_IRQ,
				 fxt_sched_cpu_track(FXT_SCHED_KOID_IRQ, cpu));
	fxt_put_arg_uint32(rec + words - FXT_SCHED_IRQ_TAIL, 1, FXT_STR_IRQ, irq);
	fxt_sched_put_slice_end(rec + words, end);
	return words;
}

/* Header of a slice of a CPU without arguments. */
static __always_inline __u64 fxt_sched_cpu_slice_header(__u32 category, __u32 name)
{
	return fxt_event(FXT_SCHED_CPU_SLICE_WORDS, FXT_EVENT_DURATION_COMPLETE, 0,
			 FXT_THREAD_REF_INLINE, category, name);
}

/* fxt_sched_put_cpu_slice() with a header that the caller knows. */
static __always_inline void fxt_sched_put_cpu_slice_of(__u64 *rec, __u64 header, __u64 begin,
						       __u64 end, __u64 process, __u32 cpu)
{
	fxt_sched_put_event_head(rec, header, begin, process, fxt_sched_cpu_track(process, cpu));
	rec[FXT_SCHED_EVENT_HEAD] = end;
}

/*
 * A slice of a CPU without arguments, "Duration complete". @process: FXT_SCHED_KOID_IRQ or
 * FXT_SCHED_KOID_SOFTIRQ. @category: FXT_STR_IRQ or FXT_STR_SOFTIRQ. @name: FXT_STR_VECTOR_*;
 * FXT_STR_SOFTIRQ_FIRST + vector
 */
static __always_inline __u32 fxt_sched_put_cpu_slice(__u64 *rec, __u64 begin, __u64 end,
						     __u64 process, __u32 cpu,
						     __u32 category, __u32 name)
{
	fxt_sched_put_cpu_slice_of(rec, fxt_sched_cpu_slice_header(category, name), begin, end,
				   process, cpu);
	return FXT_SCHED_CPU_SLICE_WORDS;
}

/* States without a string of their own share one. */
static __always_inline __u32 fxt_sched_idle_name(__u32 state)
{
	return state <= FXT_STR_IDLE_LAST - FXT_STR_IDLE_FIRST ? FXT_STR_IDLE_FIRST + state :
								 FXT_STR_IDLE;
}

/*
 * A CPU was in an idle state. "Duration complete": on "idle cpu N", with the Uint32 argument
 * "state". Names of states differ between machines, numbers do not.
 */
static __always_inline __u32 fxt_sched_put_idle(__u64 *rec, __u64 begin, __u64 end, __u32 cpu,
						__u32 state)
{
	fxt_sched_put_event_head(rec, fxt_event(FXT_SCHED_IDLE_WORDS,
						FXT_EVENT_DURATION_COMPLETE, 1,
						FXT_THREAD_REF_INLINE, FXT_STR_IDLE,
						fxt_sched_idle_name(state)),
				 begin, FXT_SCHED_KOID_IDLE,
				 fxt_sched_cpu_track(FXT_SCHED_KOID_IDLE, cpu));
	rec[4] = fxt_arg_uint32(1, FXT_STR_STATE, state);
	rec[5] = end;
	return FXT_SCHED_IDLE_WORDS;
}

/*
 * An idle state was too deep or too shallow. "Instant": FXT_STR_IDLE_MISS on "idle cpu N", with the
 * Uint32 argument "state" and the Bool argument "below". @below: the CPU slept longer than
 * expected, so a deeper state was better
 */
static __always_inline __u32 fxt_sched_put_idle_miss(__u64 *rec, __u64 time, __u32 cpu,
						     __u32 state, __u32 below)
{
	fxt_sched_put_event_head(rec, fxt_event(FXT_SCHED_IDLE_MISS_WORDS, FXT_EVENT_INSTANT,
						2, FXT_THREAD_REF_INLINE, FXT_STR_IDLE,
						FXT_STR_IDLE_MISS),
				 time, FXT_SCHED_KOID_IDLE,
				 fxt_sched_cpu_track(FXT_SCHED_KOID_IDLE, cpu));
	rec[4] = fxt_arg_uint32(1, FXT_STR_STATE, state);
	rec[5] = fxt_arg_bool(1, FXT_STR_BELOW, !!below);
	return FXT_SCHED_IDLE_MISS_WORDS;
}

/*
 * A queued thread moves to another CPU. "Instant": FXT_STR_MIGRATE on the thread, with the Uint32
 * arguments "from" and "to".
 */
static __always_inline __u32 fxt_sched_put_migrate(__u64 *rec, __u64 time, __u32 tid,
						   __u32 tgid, __u32 from, __u32 to)
{
	fxt_sched_put_event_head(rec, fxt_event(FXT_SCHED_MIGRATE_WORDS, FXT_EVENT_INSTANT, 2,
						FXT_THREAD_REF_INLINE, FXT_STR_CATEGORY,
						FXT_STR_MIGRATE), time, tgid, tid);
	rec[4] = fxt_arg_uint32(1, FXT_STR_FROM, from);
	rec[5] = fxt_arg_uint32(1, FXT_STR_TO, to);
	return FXT_SCHED_MIGRATE_WORDS;
}

/*
 * A CPU's frequency, or its limits if @max_khz is not 0. "Counter": the CPU is the id;
 * FXT_STR_FREQUENCY with the Uint32 argument "kHz", or FXT_STR_FREQUENCY_LIMITS with the Uint32
 * arguments "min_kHz" and "max_kHz".
 */
static __always_inline __u32 fxt_sched_put_frequency(__u64 *rec, __u64 time, __u32 cpu,
						     __u32 khz, __u32 max_khz)
{
	__u32 args = max_khz ? 2 : 1, words = FXT_SCHED_EVENT_HEAD;

	fxt_sched_put_event_head(rec, fxt_event(words + args + 1, FXT_EVENT_COUNTER, args,
						FXT_THREAD_REF_INLINE, FXT_STR_CATEGORY,
						max_khz ? FXT_STR_FREQUENCY_LIMITS :
							  FXT_STR_FREQUENCY),
				 time, FXT_SCHED_KOID_FREQUENCY, FXT_SCHED_KOID_FREQUENCY);
	rec[words++] = fxt_arg_uint32(1, max_khz ? FXT_STR_MIN_KHZ : FXT_STR_KHZ, khz);
	if (max_khz)
		rec[words++] = fxt_arg_uint32(1, FXT_STR_MAX_KHZ, max_khz);
	rec[words++] = cpu;
	return words;
}

/* A kworker executed a work item. "Duration complete": on the thread. */
static __always_inline __u32 fxt_sched_put_work(__u64 *rec, __u64 begin, __u64 end, __u32 tid,
						__u32 tgid,
						const struct fxt_sched_label *function)
{
	__u32 label = fxt_stream_words(function->bytes), words = FXT_SCHED_EVENT_HEAD, i;

	fxt_sched_put_event_head(rec, fxt_event(words + label + 1, FXT_EVENT_DURATION_COMPLETE,
						0, FXT_THREAD_REF_INLINE, FXT_STR_WORK,
						fxt_string_ref_inline(function->bytes)),
				 begin, tgid, tid);
	for (i = 0; i < FXT_SCHED_LABEL_WORDS; i++)
		if (i < label)
			rec[words++] = function->words[i];
	rec[words++] = end;
	return words;
}

/*
 * A thread created another one, @child. "Instant": FXT_STR_FORK on the creator, with the koid
 * argument "thread".
 */
static __always_inline __u32 fxt_sched_put_fork(__u64 *rec, __u64 time, __u32 tid, __u32 tgid,
						__u32 child)
{
	fxt_sched_put_event_head(rec, fxt_event(FXT_SCHED_FORK_WORDS, FXT_EVENT_INSTANT, 1,
						FXT_THREAD_REF_INLINE, FXT_STR_CATEGORY,
						FXT_STR_FORK), time, tgid, tid);
	rec[4] = fxt_arg_koid(2, FXT_STR_THREAD);
	rec[5] = child;
	return FXT_SCHED_FORK_WORDS;
}

/*
 * A thread ends. "Instant": FXT_STR_EXIT on the thread, with the Uint32 arguments "code", the
 * argument of exit(2), and "signal", which ended it, or 0. @status: task_struct.exit_code, as
 * wait(2) reports it
 */
static __always_inline __u32 fxt_sched_put_exit(__u64 *rec, __u64 time, __u32 tid, __u32 tgid,
						__u32 status)
{
	fxt_sched_put_event_head(rec, fxt_event(FXT_SCHED_EXIT_WORDS, FXT_EVENT_INSTANT, 2,
						FXT_THREAD_REF_INLINE, FXT_STR_CATEGORY,
						FXT_STR_EXIT), time, tgid, tid);
	rec[4] = fxt_arg_uint32(1, FXT_STR_CODE, status >> 8 & 0xff);
	rec[5] = fxt_arg_uint32(1, FXT_STR_SIGNAL, status & 0x7f);
	return FXT_SCHED_EXIT_WORDS;
}

/*
 * A thread inherits a priority, or gives it back. "Instant": FXT_STR_PRIORITY on the thread, with
 * the Int32 arguments "oldprio" and "newprio". @from, @to: as task_struct.prio
 */
static __always_inline __u32 fxt_sched_put_priority(__u64 *rec, __u64 time, __u32 tid,
						    __u32 tgid, __s32 from, __s32 to)
{
	fxt_sched_put_event_head(rec, fxt_event(FXT_SCHED_PRIORITY_WORDS, FXT_EVENT_INSTANT,
						2, FXT_THREAD_REF_INLINE, FXT_STR_CATEGORY,
						FXT_STR_PRIORITY), time, tgid, tid);
	rec[4] = fxt_arg_int32(1, FXT_STR_OLDPRIO, from);
	rec[5] = fxt_arg_int32(1, FXT_STR_NEWPRIO, to);
	return FXT_SCHED_PRIORITY_WORDS;
}

/*
 * A thread was in a system call. "Duration complete": on the thread, with the Int64 argument "ret".
 * Calls without a string of their own share one string as their name, and have the Uint32 argument
 * "nr". @native: @nr is a number of the machine's own architecture, not of its 32-bit one
 */
static __always_inline __u32 fxt_sched_put_syscall(__u64 *rec, __u64 begin, __u64 end,
						   __u32 tid, __u32 tgid, __u32 nr,
						   int native, __s64 ret)
{
	int named = native && nr <= FXT_STR_SYSCALL_LAST - FXT_STR_SYSCALL_FIRST;
	__u32 words = FXT_SCHED_EVENT_HEAD + (named ? 3 : 4);

	fxt_sched_put_event_head(rec, fxt_event(words, FXT_EVENT_DURATION_COMPLETE,
						named ? 1 : 2, FXT_THREAD_REF_INLINE,
						FXT_STR_SYSCALL,
						named ? FXT_STR_SYSCALL_FIRST + nr :
							FXT_STR_SYSCALL), begin, tgid, tid);
	rec[4] = fxt_arg_int64(2, FXT_STR_RET);
	rec[5] = (__u64)ret;
	if (!named)
		rec[6] = fxt_arg_uint32(1, FXT_STR_NR, nr);
	rec[words - 1] = end;
	return words;
}

static __always_inline __u32 fxt_sched_put_ipi_head(__u64 *rec, __u64 time, __u32 tid,
						    __u32 tgid, __u32 args, __u32 arg_words,
						    const struct fxt_sched_label *function)
{
	__u32 label = function ? fxt_stream_words(function->bytes) : 0, i;
	__u32 words = FXT_SCHED_EVENT_HEAD + label;

	fxt_sched_put_event_head(rec, fxt_event(words + arg_words, FXT_EVENT_INSTANT, args,
						FXT_THREAD_REF_INLINE, FXT_STR_IPI,
						function ?
						fxt_string_ref_inline(function->bytes) :
						FXT_STR_IPI), time, tgid, tid);
	if (function)
		for (i = 0; i < FXT_SCHED_LABEL_WORDS; i++)
			rec[FXT_SCHED_EVENT_HEAD + i] = function->words[i];
	return words;
}

/*
 * A CPU interrupts another one, @cpu. "Instant": on the thread that the sender runs, with the
 * Uint32 argument "cpu". @function: that the other CPU calls; NULL: it schedules, or does irq work
 */
static __always_inline __u32 fxt_sched_put_ipi(__u64 *rec, __u64 time, __u32 tid, __u32 tgid,
					       __u32 cpu,
					       const struct fxt_sched_label *function)
{
	__u32 words = fxt_sched_put_ipi_head(rec, time, tid, tgid, 1, 1, function);

	rec[words] = fxt_arg_uint32(1, FXT_STR_CPU, cpu);
	return words + 1;
}

/*
 * A CPU interrupts several others. "Instant": on the thread that the sender runs, with the Uint32
 * argument "targets", the number of CPUs, and the Uint64 argument "mask", which of the first 64
 * CPUs are. @function: as for fxt_sched_put_ipi()
 */
static __always_inline __u32 fxt_sched_put_ipi_mask(__u64 *rec, __u64 time, __u32 tid,
						    __u32 tgid, __u32 targets, __u64 mask,
						    const struct fxt_sched_label *function)
{
	__u32 words = fxt_sched_put_ipi_head(rec, time, tid, tgid, 2, 3, function);

	rec[words] = fxt_arg_uint32(1, FXT_STR_TARGETS, targets);
	rec[words + 1] = fxt_arg_uint64(2, FXT_STR_MASK);
	rec[words + 2] = mask;
	return words + 3;
}

/*
 * A signal is sent. "Instant": FXT_STR_SIGNAL on the current thread, with the Uint32 argument
 * "signal", the koid argument "thread", the Uint32 argument "result" and the Bool argument "irq".
 * @target: the receiver; one of its threads if the signal is for a process
 * @result: of the tracepoint: 0: the signal will be delivered, 1: it is ignored, 2: it was pending
 * already, 3: the queue was full, 4: only the information about it is lost
 * @irq: an interrupt sends it, as for a timer, not the current thread
 */
static __always_inline __u32 fxt_sched_put_signal(__u64 *rec, __u64 time, __u32 tid,
						  __u32 tgid, __u32 signal, __u32 target,
						  __u32 result, int irq)
{
	fxt_sched_put_event_head(rec, fxt_event(FXT_SCHED_SIGNAL_WORDS, FXT_EVENT_INSTANT, 4,
						FXT_THREAD_REF_INLINE, FXT_STR_CATEGORY,
						FXT_STR_SIGNAL), time, tgid, tid);
	rec[4] = fxt_arg_uint32(1, FXT_STR_SIGNAL, signal);
	rec[5] = fxt_arg_koid(2, FXT_STR_THREAD);
	rec[6] = target;
	rec[7] = fxt_arg_uint32(1, FXT_STR_RESULT, result);
	rec[8] = fxt_arg_bool(1, FXT_STR_IRQ, !!irq);
	return FXT_SCHED_SIGNAL_WORDS;
}

/*
 * A thread takes a signal. "Instant": FXT_STR_DELIVERED on the thread, with the Uint32 argument
 * "signal", the Int32 argument "code" and the Bool argument "handled". @code: origin,
 * siginfo_t.si_code. @handled: a function of the program handles it; otherwise the kernel does the
 * default
 */
static __always_inline __u32 fxt_sched_put_delivery(__u64 *rec, __u64 time, __u32 tid,
						    __u32 tgid, __u32 signal, __s32 code,
						    int handled)
{
	fxt_sched_put_event_head(rec, fxt_event(FXT_SCHED_DELIVERY_WORDS, FXT_EVENT_INSTANT,
						3, FXT_THREAD_REF_INLINE, FXT_STR_CATEGORY,
						FXT_STR_DELIVERED), time, tgid, tid);
	rec[4] = fxt_arg_uint32(1, FXT_STR_SIGNAL, signal);
	rec[5] = fxt_arg_int32(1, FXT_STR_CODE, code);
	rec[6] = fxt_arg_bool(1, FXT_STR_HANDLED, !!handled);
	return FXT_SCHED_DELIVERY_WORDS;
}

#endif /* FXT_FXT_SCHED_EVENT_H */
