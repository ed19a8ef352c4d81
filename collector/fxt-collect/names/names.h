/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names.h - the registry of the names of threads and processes.
 *
 * In: kernel object records of the rundown and of the stream of names, ordered by time.
 * Out: the records of all tasks at the head of each archive, and better names at its end.
 *
 * Keeps the newest name of each thread and process, until another thread or process gets its id, or
 * names_forget() finds that it has ended.
 *
 * registry.c has the table; proc.c fills gaps from /proc; write.c writes the records and drops
 * threads that have ended. Functions of type int return 0 or a negative errno.
 */
#ifndef FXT_COLLECT_NAMES_H
#define FXT_COLLECT_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fxt/fxt_sched.h>

struct fxt_writer;
struct names;
struct texts;

struct names_options {
	bool cmdline;	/* processes have their command lines (cut at 128 bytes), not 15 bytes */
	/*
	 * Look up cgroups: they become the argument "cgroup" of a process's kernel object, and part
	 * of its name where processes of different cgroups have the same name.
	 */
	bool cgroups;
};

int names_open(struct names **n, const struct names_options *o);

/* Set the reader of command lines, which outlives the registry. */
void names_read_by(struct names *n, struct texts *texts);

void names_close(struct names *n);	/* NULL is ignored */

/**
 * names_note() - take names from whole records; those that are not kernel objects are ignored
 * @n: a void pointer, as source_emit requires
 *
 * Return: 0, -ENOMEM, or -EBADMSG for malformed records.
 */
int names_note(void *n, const void *records, size_t bytes);

/*
 * A thread was renamed, or got the id of an earlier thread. An exec that changes the name reports a
 * rename first.
 */
struct names_event {
	uint32_t what;		/* FXT_STR_EXEC, FXT_STR_RENAME; FXT_STR_FORK: of a reused id */
	uint64_t time;		/* ticks */
	uint32_t thread;
	uint32_t process;
	/* For a fork, of the thread that had the id before: */
	uint32_t before_process;
	uint32_t before_parent;	/* of that process; 0: unknown */
	uint64_t before_fork;	/* ticks of its fork; 0 if a rundown found it */
	char before[FXT_SCHED_COMM_SIZE];	/* its name, or the previous one; "" if unknown */
	char after[FXT_SCHED_COMM_SIZE];
	bool is_later;		/* another thread had the id before */
};

/* Set the callback for events in names_note(), which returns its errors. */
void names_on_event(struct names *n,
		    int (*on_event)(void *arg, const struct names_event *e), void *arg);

/*
 * Mark new tasks as found by a rundown or in /proc at @now (ticks; 0: before tracing). A fork up to
 * then is that of the thread found, not of a later thread with its id.
 */
void names_found(struct names *n, uint64_t now);

/* Names noted from @now (ticks) on have no record; 0 ends this. */
void names_catch_up(struct names *n, uint64_t now);

/*
 * Do slow lookups before tracing, while the registry is empty, so that buffers do not fill while
 * the head of the first archive is written.
 */
int names_prepare(struct names *n);

/* Take names of unnamed tasks from /proc. */
int names_fill_gaps(struct names *n);

/**
 * names_ask_proc() - take the names of all tasks from /proc
 *
 * For a source that cannot repeat its rundown. Kernel workers keep their name, to which /proc
 * appends their current work. A /proc of another pid namespace than the initial one is ignored,
 * because its ids differ.
 */
int names_ask_proc(struct names *n);

/**
 * names_write() - write all names into an archive that has just begun
 * @is_begin: the newest rundown was taken when the recording began, and no event is filtered out:
 *	also write what tasks did then
 *
 * names_finish() writes names that are noted later and reach the archive in no other way.
 */
int names_write(struct names *n, struct fxt_writer *w, bool is_begin);

/**
 * names_finish() - write missing and better names at the end of an archive
 *
 * Missing: threads and processes noted since names_write() that no chunk has brought into the
 * archive. Better: full names of processes whose name the kernel truncated, or command lines of all
 * processes; cgroups of new processes; distinct names for processes of different cgroups with the
 * same name. Call it last: readers show the last name in an archive. The session's description gets
 * the number of command lines that did not come in time.
 */
int names_finish(struct names *n, struct fxt_writer *w);

/* names_note() for a chunk that is in the archive, with its ledgers. */
int names_noted_in_archive(struct names *n, const void *records, size_t bytes);

/*
 * Between two archives, drop threads that had already ended at the previous call, so that each
 * archive names all threads that run in it.
 */
void names_forget(struct names *n);

/*
 * The name of a thread, for terminals; "?" if unknown. Anything but printable ASCII becomes a
 * question mark, because any user can choose a name. @comm has FXT_SCHED_COMM_SIZE bytes.
 * Return: @comm
 */
const char *names_comm(const struct names *n, uint32_t thread, char *comm);

/* How many threads and processes have a name. */
uint64_t names_threads(const struct names *n);
uint64_t names_processes(const struct names *n);

/* Do records use the ids of this process's pid namespace? No if /proc does not show that. */
bool names_fit_records(void);

#endif /* FXT_COLLECT_NAMES_H */
