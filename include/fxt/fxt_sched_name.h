/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * fxt_sched_name.h - the names of threads and processes: kernel object records.
 *
 * In:  thread ids and task_struct.comm.
 * Out: finished records.
 * Context: any.
 */
#ifndef FXT_FXT_SCHED_NAME_H
#define FXT_FXT_SCHED_NAME_H

#include "fxt_argument.h"
#include "fxt_object.h"
#include "fxt_sched_ids.h"

#define FXT_SCHED_COMM_SIZE	16	/* the kernel's TASK_COMM_LEN, bytes */
#define FXT_SCHED_PROCESS_WORDS	4
#define FXT_SCHED_THREAD_WORDS	10
#define FXT_SCHED_TASK_WORDS	(FXT_SCHED_PROCESS_WORDS + FXT_SCHED_THREAD_WORDS)

/*
 * Length of the UTF-8 sequence at the beginning of a string. @bytes: that may be read, at least 1.
 * Return: 1 to 4; 0 if the sequence is invalid (also an overlong form, a surrogate, a value beyond
 * U+10FFFF) or truncated.
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

/* A thread's name, as a stream. */
struct fxt_sched_comm {
	__u64 words[FXT_SCHED_COMM_SIZE / FXT_WORD];	/* padded with zeros */
	__u32 bytes;			/* at most FXT_SCHED_COMM_SIZE - 1 */
};

/*
 * Convert a thread's name to a stream. Streams hold UTF-8. Linux takes any bytes and truncates a
 * name to 15 of them, even in the middle of a character. Invalid UTF-8 becomes '?'.
 *
 * @comm: task_struct.comm, FXT_SCHED_COMM_SIZE bytes, which may change meanwhile
 */
static __always_inline struct fxt_sched_comm fxt_sched_comm(const char *comm)
{
	struct fxt_sched_comm c = { { 0, 0 }, 0 };
	unsigned char *s = (unsigned char *)c.words;
	unsigned long byte;
	__u32 i, n;

	for (i = 0; i < FXT_SCHED_COMM_SIZE - 1; i++) {
		byte = (unsigned char)comm[i];
		/* Hide it from the compiler, which would otherwise load @comm again. */
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

/*
 * The event that gave a thread its name.
 *
 * Linux reuses thread ids. A koid is the plain id, so that people find the numbers that they know;
 * unique koids would cost a load for each of the two threads of a switch. The time of the fork
 * distinguishes threads that had the same id one after the other.
 */
struct fxt_sched_event {
	/*
	 * FXT_STR_FORK, FXT_STR_EXEC or FXT_STR_RENAME; FXT_STR_ATTACH if it moved to another
	 * cgroup, alone or with its process; 0 if it had this name when all threads were listed;
	 * FXT_STR_FOLDED if so, or if it ended with this name, after renames without a record
	 */
	__u32 what;
	__u64 time;	/* ticks; valid if @what is not 0 */
};

/* Records that fxt_sched_put_task() writes: 2 for the leader of a process, else 1. */
static __always_inline __u32 fxt_sched_task_records(__u32 tid, __u32 tgid)
{
	return tid == tgid ? 2 : 1;
}

/*
 * Write the kernel object records of one thread.
 * @parent: thread group id of its parent process; 0: unknown
 * @event: what gave the thread this name
 * @records: set to the number of records
 *
 * "Kernel object record (record type = 7)" of the thread, with the koid argument "process" and, if
 * there was an event, a last Uint64 argument with the event's name and time. If the thread is the
 * leader of its process, the record of the process precedes it, and the thread's record has the
 * koid argument "parent". The process's record does not have that, because it may be repeated
 * without arguments, for a better name.
 */
static __always_inline __u32 fxt_sched_put_task(__u64 *rec, __u32 tid, __u32 tgid,
						__u32 parent,
						const struct fxt_sched_comm *comm,
						struct fxt_sched_event event,
						__u32 *records)
{
	__u32 has_parent = tid == tgid && parent, args = 1 + has_parent + !!event.what;
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
	rec[n++] = fxt_kernel_object(2 + name + 2 * args, FXT_OBJECT_THREAD, ref, args);
	rec[n++] = tid;
	for (i = 0; i < name; i++)
		rec[n++] = comm->words[i];
	rec[n++] = fxt_arg_koid(2, FXT_STR_PROCESS);
	rec[n++] = tgid;
	if (has_parent) {
		rec[n++] = fxt_arg_koid(2, FXT_STR_PARENT);
		rec[n++] = parent;
	}
	if (event.what) {
		rec[n++] = fxt_arg_uint64(2, event.what);
		rec[n++] = event.time;
	}
	return n;
}

struct fxt_sched_sight {
	__u64 time;	/* ticks */
	__u32 cpu;	/* of its run queue, or on which it ran last */
	__u32 letter;	/* of fxt_sched_seen(); 0: it had a CPU, or its state was not certain */
};

#define FXT_SCHED_SIGHT_WORDS	5	/* FXT_STR_STATE, FXT_STR_CPU, FXT_STR_SEEN */
#define FXT_SCHED_APART_WORDS	1	/* FXT_STR_CGROUP */
#define FXT_SCHED_SEEN_WORDS	(FXT_SCHED_TASK_WORDS + FXT_SCHED_APART_WORDS +	\
				 FXT_SCHED_SIGHT_WORDS)

/* Let the last record of fxt_sched_put_task() have more arguments, of @words. */
static __always_inline void fxt_sched_grow_task(__u64 *rec, __u32 words, __u32 args, __u32 more)
{
	__u64 first = fxt_get(FXT_SIZE, rec[0]);

	rec[first < words ? first : 0] += fxt_put(FXT_SIZE, more) |
					  fxt_put(FXT_KERNEL_OBJECT_ARGS, args);
}

/*
 * The thread is in another cgroup than its process: its record gets an empty String argument
 * "cgroup", because the path is unknown. @rec: @words of fxt_sched_put_task() without an event,
 * with room for FXT_SCHED_SEEN_WORDS. Return: words.
 */
static __always_inline __u32 fxt_sched_add_apart(__u64 *rec, __u32 words)
{
	fxt_sched_grow_task(rec, words, 1, FXT_SCHED_APART_WORDS);
	rec[words] = fxt_arg_string(FXT_SCHED_APART_WORDS, FXT_STR_CGROUP, FXT_STRING_REF_EMPTY);
	return words + FXT_SCHED_APART_WORDS;
}

/*
 * The thread's record gets a String argument "state", the letter, a Uint32 argument "cpu" and a
 * Uint64 argument "seen", the time; nothing without a letter. @rec: @words of fxt_sched_put_task()
 * or fxt_sched_add_apart() without an event, with room for FXT_SCHED_SEEN_WORDS. Return: words.
 */
static __always_inline __u32 fxt_sched_add_sight(__u64 *rec, __u32 words,
						 const struct fxt_sched_sight *sight)
{
	__u64 *end = rec + words;

	if (!sight->letter)
		return words;
	fxt_sched_grow_task(rec, words, 3, FXT_SCHED_SIGHT_WORDS);
	end[0] = fxt_arg_string(2, FXT_STR_STATE, fxt_string_ref_inline(1));
	end[1] = sight->letter;
	end[2] = fxt_arg_uint32(1, FXT_STR_CPU, sight->cpu);
	end[3] = fxt_arg_uint64(2, FXT_STR_SEEN);
	end[4] = sight->time;
	return words + FXT_SCHED_SIGHT_WORDS;
}

#define FXT_SCHED_PATH_SIZE	256	/* of a cgroup, including the terminating 0 */
#define FXT_SCHED_ATTACH_WORDS	(FXT_SCHED_TASK_WORDS + 1 + FXT_SCHED_PATH_SIZE / FXT_WORD)

/* Replace what is not UTF-8. */
static __always_inline void fxt_sched_clean_path(unsigned char *s, __u32 bytes)
{
	__u32 i, n;

	for (i = 0; i < bytes; i += n) {
		n = fxt_utf8_length(s + i, bytes - i);
		if (!n) {
			s[i] = '?';
			n = 1;
		}
	}
}

/* A thread is or begins in another cgroup, alone or with its process. */
struct fxt_sched_attach {
	__u32 tid;	/* the main thread if the process moved */
	__u32 tgid;
	__u32 parent;	/* as for fxt_sched_put_task() */
	__u32 alone;	/* without the other threads of its process */
	struct fxt_sched_event event;	/* FXT_STR_ATTACH, or FXT_STR_FORK */
	const char *path; /* of the cgroup */
	__u32 bytes;	/* of @path; FXT_SCHED_PATH_SIZE or more: unknown */
};

/*
 * The records of fxt_sched_put_task() for a thread in another cgroup. That of the process, or of a
 * thread that is there alone, also has the String argument "cgroup", before that of the event;
 * empty if the path is unknown. @records: set to the number of records
 */
static inline __u32 fxt_sched_put_attach(__u64 *rec, const struct fxt_sched_attach *a,
					 const struct fxt_sched_comm *comm, __u32 *records)
{
	__u32 known = a->bytes < FXT_SCHED_PATH_SIZE ? a->bytes : 0;
	__u32 words = fxt_stream_words(known);
	__u64 ref = known ? fxt_string_ref_inline(known) : FXT_STRING_REF_EMPTY;
	__u64 *from = rec + 1 + words, *head = rec, *arg;
	__u32 n, first;

	n = fxt_sched_put_task(from, a->tid, a->tgid, a->parent, comm, a->event, records);
	first = fxt_get(FXT_SIZE, from[0]);
	/* What comes before the argument moves to the front. */
	arg = rec + (a->alone ? n - 2 : first);
	if (a->alone && a->tid == a->tgid)
		head = rec + first;
	__builtin_memmove(rec, from, (arg - rec) * FXT_WORD);
	*head += fxt_put(FXT_SIZE, 1 + words) + fxt_put(FXT_KERNEL_OBJECT_ARGS, 1);
	arg[0] = fxt_arg_string(1 + words, FXT_STR_CGROUP, ref);
	if (words)
		arg[words] = 0;
	__builtin_memcpy(arg + 1, a->path, known);
	fxt_sched_clean_path((unsigned char *)(arg + 1), known);
	return n + 1 + words;
}

#endif /* FXT_FXT_SCHED_NAME_H */
