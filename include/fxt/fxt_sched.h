/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * fxt_sched.h - the FXT records that fxt-sched's producers write.
 *
 * What flows in: facts of the Linux scheduler as a tracepoint sees them. What
 * flows out: finished records, the same to the bit from the kernel module and
 * from the BPF program, because both call the builders below. User space
 * includes the file to know the string indices and the ledger.
 *
 * Builders write to memory that the caller owns, at most the number of words
 * that the matching FXT_SCHED_*_WORDS says, and return the words written. They
 * may run in any context.
 */
#ifndef FXT_FXT_SCHED_H
#define FXT_FXT_SCHED_H

#include "fxt.h"
#include "fxt_waker.h"

/*
 * The strings that producers refer to by index. Each archive registers all of
 * them before its first record that is not metadata. Their texts are user space's.
 */
enum fxt_sched_string {
	FXT_STR_INCOMING_WEIGHT	= 1,
	FXT_STR_OUTGOING_WEIGHT	= 2,
	FXT_STR_WEIGHT		= 3,
	FXT_STR_WAKER		= 4,
	FXT_STR_PROCESS		= 5,
	FXT_STR_STATE		= 6,
	FXT_STR_STATE_D		= 7,
	FXT_STR_STATE_I		= 8,
	FXT_STR_STATE_T		= 9,
	FXT_STR_STATE_P		= 10,
	FXT_STR_LEDGER		= 11,
	FXT_STR_SESSION		= 12,
	FXT_STR_CATEGORY	= 13,
	FXT_STR_LOST		= 14,
	FXT_STR_RECORDS		= 15,
	FXT_STR_CGROUP		= 16,
	FXT_STR_TRIGGER		= 17,
	FXT_STR_COMPLETE	= 18,
	FXT_STR_THREAD		= 19,
	FXT_STR_CPU		= 20,
	FXT_STR_LATENCY		= 21,
	FXT_STR_EXEC		= 22,
	FXT_STR_RENAME		= 23,
	FXT_STR_COMM		= 24,
	FXT_STR_OLDCOMM		= 25,
	FXT_STR_NEWCOMM		= 26,
	FXT_STR_RUNNABLE	= 27,
	FXT_STR_SWITCHES	= 28,
	FXT_STR_FORK		= 29,
	FXT_STR_UNKNOWN		= 30,
	FXT_STR_FILTERED	= 31,
	FXT_STR_IRQ		= 32,
	FXT_STR_INTERRUPTED	= 33,
	FXT_STR_HARD		= 34,
	FXT_STR_SOFT		= 35,
	FXT_STR_NMI		= 36,
	FXT_STR_FOLDED		= 37,

	FXT_STR_LAST = FXT_STR_FOLDED,
};

#define FXT_SCHED_PROVIDER_ID	1
#define FXT_SCHED_PROVIDER_NAME	"fxt_sched"

/* What is recorded into, and looked into, unless another file is named. */
#define FXT_SCHED_ARCHIVE	"sched.fxt"

/*
 * Koids that are no Linux ids (pid_max ends at 2^22) but still fit 32 bits:
 * the process that losses are drawn under, and one thread per stream in it. Its
 * main thread, of the same koid, is where snapshots are marked: an instant
 * FXT_STR_TRIGGER (who had to wait, how long, on which CPU) and an instant
 * FXT_STR_COMPLETE; and where CPUs are counted: a counter FXT_STR_CPU, whose id is
 * the CPU's number, of FXT_STR_RUNNABLE and FXT_STR_SWITCHES.
 */
#define FXT_SCHED_KOID_LOSS	0x7fff0000ULL
#define FXT_SCHED_TID_END	0x400000U	/* the kernel's PID_MAX_LIMIT */

static __always_inline __u64 fxt_sched_loss_koid(__u32 stream)
{
	return FXT_SCHED_KOID_LOSS + 1 + stream;
}

/* --- weight, "relative weight": more is more --------------------------- */

#define FXT_SCHED_WEIGHT_IDLE	((__s32)0x80000000)	/* INT32_MIN: the idle task */
#define FXT_SCHED_WEIGHT_DL	0x7fffffff		/* INT32_MAX: deadline class */
#define FXT_SCHED_WEIGHT_RT	1000000			/* + real-time priority, 1..99 */
#define FXT_SCHED_MAX_RT_PRIO	100			/* the kernel's MAX_RT_PRIO */

/**
 * fxt_sched_weight() - the weight of a thread as archives carry it
 * @tid: thread id; 0 is an idle task
 * @prio: the kernel's effective priority (task_struct.prio), boosts included
 * @load_weight: the fair class's load weight, 1024 for nice 0
 *
 * The kernel's stop class counts as real time of priority 99, which is what
 * its task_struct says.
 */
static __always_inline __s32 fxt_sched_weight(__u32 tid, __s32 prio, __u64 load_weight)
{
	if (!tid)
		return FXT_SCHED_WEIGHT_IDLE;
	if (__builtin_expect(prio >= FXT_SCHED_MAX_RT_PRIO, 1))
		return (__s32)load_weight;
	if (prio < 0)
		return FXT_SCHED_WEIGHT_DL;
	return FXT_SCHED_WEIGHT_RT + FXT_SCHED_MAX_RT_PRIO - 1 - prio;
}

/**
 * fxt_sched_weight_is_load() - is a thread's weight the fair class's load weight?
 * @tid: as there
 * @prio: as there
 */
static __always_inline int fxt_sched_weight_is_load(__u32 tid, __s32 prio)
{
	return tid && prio >= FXT_SCHED_MAX_RT_PRIO;
}

/**
 * fxt_sched_prio() - what stands in a weight's place under --weight=prio
 * @tid: thread id; 0 is an idle task
 * @prio: the kernel's effective priority (task_struct.prio)
 */
static __always_inline __s32 fxt_sched_prio(__u32 tid, __s32 prio)
{
	return tid ? prio : FXT_SCHED_WEIGHT_IDLE;
}

/* --- state of the outgoing thread -------------------------------------- */

/* Bits of task_struct.__state and .exit_state; the same since Linux 4.14. */
enum fxt_linux_state {
	FXT_LINUX_UNINTERRUPTIBLE	= 0x0002,
	FXT_LINUX_STOPPED		= 0x0004,
	FXT_LINUX_TRACED		= 0x0008,
	FXT_LINUX_EXIT_DEAD		= 0x0010,
	FXT_LINUX_EXIT_ZOMBIE		= 0x0020,
	FXT_LINUX_PARKED		= 0x0040,
	FXT_LINUX_DEAD			= 0x0080,
	FXT_LINUX_NOLOAD		= 0x0400,
	FXT_LINUX_RTLOCK_WAIT		= 0x1000,	/* since 5.15 */
	FXT_LINUX_FROZEN		= 0x8000,	/* since 6.1 */
};

/* A "Thread States" number, and the string index of a letter or 0. */
struct fxt_sched_state {
	__u32 state;
	__u32 letter;
};

/**
 * fxt_sched_state() - the state that a thread is switched out in
 * @blocked: the thread left its run queue; false means preempted or yielding
 * @task_state: task_struct.__state as sched_switch reports it
 * @exit_state: task_struct.exit_state
 *
 * The letter is given where the number alone cannot tell Linux's states apart:
 * D and I beside the plain sleep S, t and P beside the stop T. As the kernel
 * has it, how a thread ends comes before what it waits for meanwhile.
 */
static __always_inline struct fxt_sched_state
fxt_sched_state(int blocked, __u32 task_state, __u32 exit_state)
{
	struct fxt_sched_state s = { FXT_THREAD_NEW, 0 };

	if (!blocked)
		return s;
	s.state = FXT_THREAD_BLOCKED;
	if (exit_state & FXT_LINUX_EXIT_ZOMBIE) {
		s.state = FXT_THREAD_DYING;
	} else if (exit_state & FXT_LINUX_EXIT_DEAD ||
		   task_state & FXT_LINUX_DEAD) {
		s.state = FXT_THREAD_DEAD;
	} else if (task_state & (FXT_LINUX_UNINTERRUPTIBLE |
				 FXT_LINUX_RTLOCK_WAIT | FXT_LINUX_FROZEN)) {
		s.letter = task_state & FXT_LINUX_NOLOAD ? FXT_STR_STATE_I :
							   FXT_STR_STATE_D;
	} else if (task_state & (FXT_LINUX_STOPPED | FXT_LINUX_TRACED |
				 FXT_LINUX_PARKED)) {
		s.state = FXT_THREAD_SUSPENDED;
		if (task_state & FXT_LINUX_TRACED)
			s.letter = FXT_STR_STATE_T;
		else if (task_state & FXT_LINUX_PARKED)
			s.letter = FXT_STR_STATE_P;
	}
	return s;
}

/**
 * fxt_sched_is_sleep() - would fxt_sched_state() make a plain sleep of it?
 * @task_state: as there, of a thread that left its run queue
 * @exit_state: as there
 *
 * Nearly all are; this is what tells them in the fewest instructions.
 */
static __always_inline int fxt_sched_is_sleep(__u32 task_state, __u32 exit_state)
{
	return !(exit_state & (FXT_LINUX_EXIT_ZOMBIE | FXT_LINUX_EXIT_DEAD)) &&
	       !(task_state & (FXT_LINUX_DEAD | FXT_LINUX_UNINTERRUPTIBLE |
			       FXT_LINUX_RTLOCK_WAIT | FXT_LINUX_FROZEN |
			       FXT_LINUX_STOPPED | FXT_LINUX_TRACED |
			       FXT_LINUX_PARKED));
}

/* --- the hot records ---------------------------------------------------- */

#define FXT_SCHED_SWITCH_WORDS	7
#define FXT_SCHED_USUAL_SWITCH_WORDS	6	/* without a state letter */
#define FXT_SCHED_WAKEUP_WORDS	7
#define FXT_SCHED_USUAL_WAKEUP_WORDS	6	/* by a thread */
#define FXT_SCHED_RECORD_WORDS	7	/* the largest of all, those of fxt_unknown.h included */

/**
 * fxt_sched_switch_header() - the header of a context switch record without a letter
 * @cpu: the CPU that switches
 * @state: what fxt_sched_state() says of the outgoing thread
 *
 * For those who make it once and keep it.
 */
static __always_inline __u64 fxt_sched_switch_header(__u32 cpu, __u32 state)
{
	return fxt_context_switch(FXT_SCHED_USUAL_SWITCH_WORDS,
				  FXT_SCHED_USUAL_SWITCH_WORDS - FXT_SWITCH_BASE_WORDS,
				  cpu, state);
}

/*
 * The parts of a context switch record, for those who make it without a letter:
 * FXT_SCHED_USUAL_SWITCH_WORDS then. One after the other they need fewer registers
 * than all at once.
 */
static __always_inline void fxt_sched_put_switch_head(__u64 *rec, __u64 header,
						      __u64 time)
{
	rec[0] = header;
	rec[1] = time;
}

static __always_inline void fxt_sched_put_switch_out(__u64 *rec, __u64 tid, __s32 weight)
{
	rec[2] = tid;
	rec[4] = fxt_arg_int32(1, FXT_STR_OUTGOING_WEIGHT, weight);
}

static __always_inline void fxt_sched_put_switch_in(__u64 *rec, __u64 tid, __s32 weight)
{
	rec[3] = tid;
	rec[5] = fxt_arg_int32(1, FXT_STR_INCOMING_WEIGHT, weight);
}

/**
 * fxt_sched_put_switch() - write one context switch record
 * @rec: room for FXT_SCHED_SWITCH_WORDS
 * @time: ticks
 * @cpu: the CPU that switches
 * @out: thread id of the outgoing thread
 * @in: thread id of the incoming thread
 * @out_weight: fxt_sched_weight() or fxt_sched_prio() of @out
 * @in_weight: the same of @in
 * @state: fxt_sched_state() of @out
 *
 * "Context Switch Record (scheduling event record type = 1)".
 *
 * Return: words written.
 */
static __always_inline __u32 fxt_sched_put_switch(__u64 *rec, __u64 time, __u32 cpu,
						  __u32 out, __u32 in,
				      __s32 out_weight, __s32 in_weight,
				      struct fxt_sched_state state)
{
	__u32 words = FXT_SCHED_USUAL_SWITCH_WORDS;

	if (state.letter) {
		rec[6] = fxt_arg_string(1, FXT_STR_STATE, state.letter);
		words++;
	}
	fxt_sched_put_switch_head(rec, fxt_context_switch(words,
							  words - FXT_SWITCH_BASE_WORDS,
							  cpu, state.state), time);
	fxt_sched_put_switch_out(rec, out, out_weight);
	fxt_sched_put_switch_in(rec, in, in_weight);
	return words;
}

/**
 * fxt_sched_put_usual_wakeup() - write one thread wakeup record: a thread woke another
 * @rec: room for FXT_SCHED_USUAL_WAKEUP_WORDS
 * @time: ticks
 * @cpu: the CPU whose run queue the thread was put on
 * @tid: thread id of the woken thread
 * @weight: fxt_sched_weight() or fxt_sched_prio() of @tid
 * @waker: thread id of the thread that woke it
 *
 * "Thread Wakeup Record (scheduling event record type = 2)".
 *
 * Return: words written.
 */
static __always_inline __u32 fxt_sched_put_usual_wakeup(__u64 *rec, __u64 time,
							__u32 cpu, __u64 tid,
							__s32 weight, __u64 waker)
{
	rec[0] = fxt_thread_wakeup(FXT_SCHED_USUAL_WAKEUP_WORDS, 2, cpu);
	rec[1] = time;
	rec[2] = tid;
	rec[3] = fxt_arg_int32(1, FXT_STR_WEIGHT, weight);
	rec[4] = fxt_arg_koid(2, FXT_STR_WAKER);
	rec[5] = waker;
	return FXT_SCHED_USUAL_WAKEUP_WORDS;
}

/**
 * fxt_sched_put_wakeup() - write one thread wakeup record
 * @rec: room for FXT_SCHED_WAKEUP_WORDS
 * @time: as there
 * @cpu: as there
 * @tid: as there
 * @weight: as there
 * @waker: fxt_sched_waker(), as it was when the wakeup began
 *
 * What no thread woke has no argument "waker". If an interrupt woke it, there is a
 * String argument "irq", whose value is indexed, and, if that did not interrupt the idle
 * thread, a koid argument "interrupted".
 *
 * Return: words written.
 */
static __always_inline __u32 fxt_sched_put_wakeup(__u64 *rec, __u64 time, __u32 cpu,
						  __u64 tid, __s32 weight, __u32 waker)
{
	__u64 irq = fxt_get(FXT_SCHED_WAKER_IRQ, waker), thread = waker & FXT_SCHED_WAKER_TID;
	__u32 args = !irq ? 1 : !thread ? 2 : 3, words = FXT_WAKEUP_BASE_WORDS + args;

	if (fxt_sched_waker_is_thread(waker))
		return fxt_sched_put_usual_wakeup(rec, time, cpu, tid, weight, waker);
	if (irq)
		rec[4] = fxt_arg_string(1, FXT_STR_IRQ,
					FXT_STR_HARD + irq - FXT_SCHED_IRQ_HARD);
	if (irq && thread) {
		rec[5] = fxt_arg_koid(2, FXT_STR_INTERRUPTED);
		rec[6] = thread;
		words++;
	}
	rec[0] = fxt_thread_wakeup(words, args, cpu);
	rec[1] = time;
	rec[2] = tid;
	rec[3] = fxt_arg_int32(1, FXT_STR_WEIGHT, weight);
	return words;
}

/* --- names --------------------------------------------------------------- */

#define FXT_SCHED_COMM_SIZE	16	/* the kernel's TASK_COMM_LEN, bytes */
#define FXT_SCHED_PROCESS_WORDS	4
#define FXT_SCHED_THREAD_WORDS	8
#define FXT_SCHED_TASK_WORDS	(FXT_SCHED_PROCESS_WORDS + FXT_SCHED_THREAD_WORDS)

/**
 * fxt_utf8_length() - length of the UTF-8 sequence at the head of a string
 * @s: the string
 * @bytes: bytes that may be read, at least 1
 *
 * Return: 1 to 4, or 0 if the head is no well-formed sequence (overlong forms,
 * surrogates, values beyond U+10FFFF and cut sequences are not).
 */
static __always_inline __u32 fxt_utf8_length(const unsigned char *s, __u64 bytes)
{
	__u32 length, i;

	if (s[0] < 0x80)
		return 1;
	if (s[0] < 0xc2 || s[0] > 0xf4)
		return 0;
	length = s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
	if (bytes < length)
		return 0;
	for (i = 1; i < length; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
	    (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
		return 0;
	return length;
}

/**
 * struct fxt_sched_comm - a thread's name, ready to be a stream
 * @words: the bytes, padded with zeros
 * @bytes: length in bytes, at most FXT_SCHED_COMM_SIZE - 1
 */
struct fxt_sched_comm {
	__u64 words[FXT_SCHED_COMM_SIZE / FXT_WORD];
	__u32 bytes;
};

/**
 * fxt_sched_comm() - make a stream of a thread's name
 * @comm: task_struct.comm, FXT_SCHED_COMM_SIZE bytes; may change meanwhile
 *
 * Streams hold UTF-8, while Linux takes any bytes and cuts a name at 15 of
 * them, in the middle of a character if need be: what is no UTF-8 becomes '?'.
 */
static __always_inline struct fxt_sched_comm fxt_sched_comm(const char *comm)
{
	struct fxt_sched_comm c = { { 0, 0 }, 0 };
	unsigned char *s = (unsigned char *)c.words;
	unsigned long byte;
	__u32 i, n;

	for (i = 0; i < FXT_SCHED_COMM_SIZE - 1; i++) {
		byte = (unsigned char)comm[i];
		/* Hidden from the compiler, so that it does not read it again. */
		__asm__("" : "+r" (byte));
		s[i] = byte;
		if (!s[i])
			break;
	}
	c.bytes = i;
	for (i = 0; i < c.bytes; i += n) {
		n = fxt_utf8_length(s + i, c.bytes - i);
		if (!n) {
			s[i] = '?';
			n = 1;
		}
	}
	return c;
}

/**
 * struct fxt_sched_event - what a thread has its name from
 * @what: FXT_STR_FORK, FXT_STR_EXEC, FXT_STR_RENAME; FXT_STR_FOLDED: it was found or
 *	ended with it after renames of which there is no record; or 0: it was found with it
 * @time: ticks, with @what
 *
 * Linux gives thread ids out again. A koid is the id as it is, so that people find
 * the numbers that they know; koids of their own for all threads would cost a load
 * for each side of each switch. The time of the fork is what tells those apart that
 * had one id after the other.
 */
struct fxt_sched_event {
	__u32 what;
	__u64 time;
};

/** fxt_sched_task_records() - how many records fxt_sched_put_task() makes */
static __always_inline __u32 fxt_sched_task_records(__u32 tid, __u32 tgid)
{
	return tid == tgid ? 2 : 1;
}

/**
 * fxt_sched_put_task() - write the kernel object records of one thread
 * @rec: room for FXT_SCHED_TASK_WORDS
 * @tid: thread id
 * @tgid: thread group id
 * @comm: the thread's name
 * @event: how it came by it
 * @records: set to the number of records written
 *
 * "Kernel object record (record type = 7)" of a thread, with the koid argument
 * "process", and a Uint64 argument that has the name and the time of the event, if
 * there was one; before it that of the process, if @tid is its leader.
 *
 * Return: words written.
 */
static __always_inline __u32 fxt_sched_put_task(__u64 *rec, __u32 tid, __u32 tgid,
						const struct fxt_sched_comm *comm,
						struct fxt_sched_event event,
						__u32 *records)
{
	__u32 extra = event.what ? 2 : 0;
	__u32 name = fxt_stream_words(comm->bytes), n = 0, i;
	__u64 ref = comm->bytes ? fxt_string_ref_inline(comm->bytes) :
				  FXT_STRING_REF_EMPTY;

	*records = fxt_sched_task_records(tid, tgid);
	if (tid == tgid) {
		rec[n++] = fxt_kernel_object(2 + name, FXT_OBJECT_PROCESS, ref, 0);
		rec[n++] = tgid;
		for (i = 0; i < name; i++)
			rec[n++] = comm->words[i];
	}
	rec[n++] = fxt_kernel_object(4 + name + extra, FXT_OBJECT_THREAD, ref,
				     event.what ? 2 : 1);
	rec[n++] = tid;
	for (i = 0; i < name; i++)
		rec[n++] = comm->words[i];
	rec[n++] = fxt_arg_koid(2, FXT_STR_PROCESS);
	rec[n++] = tgid;
	if (event.what) {
		rec[n++] = fxt_arg_uint64(2, event.what);
		rec[n++] = event.time;
	}
	return n;
}

/* --- the ledger ----------------------------------------------------------- */

/*
 * A stream is what one producer writes in order: that of each CPU, and that of
 * the names. Each sub-buffer of a stream begins with a ledger: a BLOB record
 * of fixed size that says what the stream's producer had written and lost up
 * to here. Records that follow it in the archive, up to the next ledger of
 * whatever stream, belong to its stream. The archive ends with one closing
 * ledger per stream. So written = stored + lost can be proved from the archive
 * alone, for the whole and for each gap. Ledgers are not counted themselves.
 *
 * An archive may be a part of a recording: a segment, or the snapshot of a flight
 * recorder. There each stream begins with an opening ledger, which says what had
 * been written and lost before; both count from there.
 */
#define FXT_LEDGER_WORDS	6
#define FXT_LEDGER_BYTES	((FXT_LEDGER_WORDS - 1) * FXT_WORD)	/* payload */
#define FXT_LEDGER_HEADER \
	fxt_blob(FXT_LEDGER_WORDS, FXT_STR_LEDGER, FXT_LEDGER_BYTES, FXT_BLOB_DATA)

/* Payload word 0; the words after it: time, last, written, lost. */
#define FXT_LEDGER_STREAM	FXT_BITS(0, 15)
#define FXT_LEDGER_VERSION	FXT_BITS(16, 23)
#define FXT_LEDGER_KIND		FXT_BITS(24, 31)
#define FXT_LEDGER_SEQUENCE	FXT_BITS(32, 63)

#define FXT_LEDGER_VERSION_1	1
#define FXT_LEDGER_STREAM_NAMES	0xffff	/* not a CPU: the stream of names */

enum fxt_ledger_kind {
	FXT_LEDGER_HEAD		= 0,	/* begins a sub-buffer */
	FXT_LEDGER_CONTINUED	= 1,	/* goes on with the sub-buffer of that sequence */
	FXT_LEDGER_CLOSING	= 2,	/* nothing of this stream comes after it */
	FXT_LEDGER_OPENING	= 3,	/* nothing of this stream comes before it */
};

/**
 * struct fxt_ledger - a ledger's content
 * @stream: CPU number, or FXT_LEDGER_STREAM_NAMES
 * @kind: enum fxt_ledger_kind
 * @sequence: number of this sub-buffer in its stream, from 0; when opening or
 *	closing, of the sub-buffer that comes next
 * @time: ticks, of the first record that follows; of the stop when closing; from
 *	when on the archive has all of the stream when opening
 * @last: ticks, of the last record kept before this ledger, 0 if none was
 * @written: records that the producer wrote or tried to write before this
 * @lost: how many of those found no room
 */
struct fxt_ledger {
	__u32 stream;
	__u32 kind;
	__u32 sequence;
	__u64 time;
	__u64 last;
	__u64 written;
	__u64 lost;
};

static __always_inline __u64 fxt_ledger_word(__u32 stream, __u32 kind, __u32 sequence)
{
	return fxt_put(FXT_LEDGER_STREAM, stream) |
	       fxt_put(FXT_LEDGER_VERSION, FXT_LEDGER_VERSION_1) |
	       fxt_put(FXT_LEDGER_KIND, kind) |
	       fxt_put(FXT_LEDGER_SEQUENCE, sequence);
}

/**
 * fxt_sched_put_ledger() - write one ledger
 * @rec: room for FXT_LEDGER_WORDS
 * @l: what it says
 *
 * "BLOB record (record type = 5)" of type data.
 */
static __always_inline void fxt_sched_put_ledger(__u64 *rec, const struct fxt_ledger *l)
{
	rec[0] = FXT_LEDGER_HEADER;
	rec[1] = fxt_ledger_word(l->stream, l->kind, l->sequence);
	rec[2] = l->time;
	rec[3] = l->last;
	rec[4] = l->written;
	rec[5] = l->lost;
}

/**
 * fxt_sched_get_ledger() - read a ledger
 * @rec: a record, FXT_LEDGER_WORDS of it readable
 * @l: where it goes
 *
 * Return: 1 if @rec is a ledger of a known version, 0 if not.
 */
static __always_inline int fxt_sched_get_ledger(const __u64 *rec, struct fxt_ledger *l)
{
	if (rec[0] != FXT_LEDGER_HEADER ||
	    fxt_get(FXT_LEDGER_VERSION, rec[1]) != FXT_LEDGER_VERSION_1)
		return 0;
	l->stream = fxt_get(FXT_LEDGER_STREAM, rec[1]);
	l->kind = fxt_get(FXT_LEDGER_KIND, rec[1]);
	l->sequence = fxt_get(FXT_LEDGER_SEQUENCE, rec[1]);
	l->time = rec[2];
	l->last = rec[3];
	l->written = rec[4];
	l->lost = rec[5];
	return 1;
}

#endif /* FXT_FXT_SCHED_H */
