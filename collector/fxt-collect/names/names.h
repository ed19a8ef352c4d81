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
 * The table is in registry.c; proc.c fills gaps from /proc, write.c writes the records and drops
 * threads that have ended.
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

/**
 * struct names_options - how tasks are named
 * @cmdline: processes are named by their command lines (cut at 128 bytes), not by
 *	the kernel's 15 bytes
 * @cgroups: look up cgroups: they become the argument "cgroup" of a process's kernel
 *	object, and part of its name where processes of different cgroups have the same
 *	name
 */
struct names_options {
	bool cmdline;
	bool cgroups;
};

/** names_open() - create an empty registry; 0 or -ENOMEM */
int names_open(struct names **n, const struct names_options *o);

/**
 * names_read_by() - set the reader of command lines, which outlives the registry
 *
 * Without a reader they are unknown.
 */
void names_read_by(struct names *n, struct texts *texts);

/** names_close() - free the registry; NULL is ignored */
void names_close(struct names *n);

/**
 * names_note() - take names from records
 * @n: the registry; a void pointer, as source_emit requires
 * @records: whole records; those that are not kernel objects are ignored
 * @bytes: their length
 *
 * Return: 0, -ENOMEM, or -EBADMSG for malformed records.
 */
int names_note(void *n, const void *records, size_t bytes);

/**
 * struct names_event - a thread was renamed, or got the id of an earlier thread
 * @what: FXT_STR_EXEC or FXT_STR_RENAME; FXT_STR_FORK: its id was another thread's before
 * @time: ticks
 * @thread: its id
 * @process: its process's id
 * @before: its previous name, "" if unknown; for a fork, the name of the thread that had
 *	the id before
 * @before_process: for a fork, the process of that thread
 * @before_parent: for a fork, the parent of that process; 0: unknown
 * @before_fork: for a fork, ticks of the fork of that thread; 0 if it was found by a
 *	rundown
 * @after: its new name
 * @is_later: another thread had the id before
 *
 * An exec that changes the name reports a rename first.
 */
struct names_event {
	uint32_t what;
	uint64_t time;
	uint32_t thread;
	uint32_t process;
	uint32_t before_process;
	uint32_t before_parent;
	uint64_t before_fork;
	char before[FXT_SCHED_COMM_SIZE];
	char after[FXT_SCHED_COMM_SIZE];
	bool is_later;
};

/**
 * names_on_event() - set the callback for events in names_note()
 * @n: the registry
 * @on_event: returns 0, or a negative errno for names_note() to return
 * @arg: argument of @on_event
 */
void names_on_event(struct names *n,
		    int (*on_event)(void *arg, const struct names_event *e), void *arg);

/**
 * names_found() - mark new tasks as found by a rundown or in /proc
 * @n: the registry
 * @now: ticks; 0 before tracing
 *
 * A fork up to @now is that of the thread found, not of a later thread with its id.
 */
void names_found(struct names *n, uint64_t now);

/**
 * names_catch_up() - names noted from now on have no record
 * @n: the registry
 * @now: ticks; 0 ends this
 */
void names_catch_up(struct names *n, uint64_t now);

/**
 * names_prepare() - do slow lookups before tracing
 * @n: the registry, still empty
 *
 * Keeps buffers from filling while the head of the first archive is written.
 *
 * Return: 0 or -ENOMEM.
 */
int names_prepare(struct names *n);

/**
 * names_fill_gaps() - take names of unnamed tasks from /proc
 * @n: the registry
 *
 * Return: 0 or -ENOMEM; a task that ends meanwhile is not an error.
 */
int names_fill_gaps(struct names *n);

/**
 * names_ask_proc() - take the names of all tasks from /proc
 * @n: the registry
 *
 * For a source that cannot repeat its rundown. Kernel workers keep their name, to which
 * /proc appends their current work. No names are taken from a /proc of a pid namespace
 * other than the initial one, because its ids differ.
 *
 * Return: 0 or -ENOMEM; a task that ends meanwhile is not an error.
 */
int names_ask_proc(struct names *n);

/**
 * names_write() - write all names into an archive that has just begun
 * @n: the registry
 * @w: the archive; its strings are registered
 * @is_begin: the newest rundown was taken when the recording began, and no event is filtered out:
 *	also write what tasks did then
 *
 * names_finish() writes names that are noted later and reach the archive in no other way.
 *
 * Return: 0 or a negative errno.
 */
int names_write(struct names *n, struct fxt_writer *w, bool is_begin);

/**
 * names_finish() - write missing and better names at the end of an archive
 * @n: the registry
 * @w: the archive
 *
 * Missing: threads and processes noted since names_write() that no chunk has brought into
 * the archive. Better: full names of processes whose name the kernel truncated, or
 * command lines of all processes; cgroups of new processes; distinct names for processes
 * of different cgroups with the same name. Must be called last: readers show the last
 * name in an archive. The session's description gets the number of command lines that did not come
 * in time.
 *
 * Return: 0 or a negative errno.
 */
int names_finish(struct names *n, struct fxt_writer *w);

/**
 * names_noted_in_archive() - names_note() for records that are in the archive
 * @n: the registry
 * @records: a chunk of the stream of names, including ledgers
 * @bytes: their length
 */
int names_noted_in_archive(struct names *n, const void *records, size_t bytes);

/**
 * names_forget() - drop ended threads, between two archives
 * @n: the registry
 *
 * Drops threads that had already ended at the previous call, so that each archive names
 * all threads that run in it.
 */
void names_forget(struct names *n);

/**
 * names_comm() - the name of a thread, for terminals
 * @n: the registry
 * @thread: its id
 * @comm: set to it, FXT_SCHED_COMM_SIZE bytes; "?" if unknown. Anything but printable
 *	ASCII becomes a question mark, because any user can choose a name
 *
 * Return: @comm.
 */
const char *names_comm(const struct names *n, uint32_t thread, char *comm);

/** names_threads() - number of threads with a name */
uint64_t names_threads(const struct names *n);

/** names_processes() - number of processes with a name */
uint64_t names_processes(const struct names *n);

/**
 * names_fit_records() - do records use the ids of this process's pid namespace?
 *
 * Return: false also if /proc does not show that.
 */
bool names_fit_records(void);

#endif /* FXT_COLLECT_NAMES_H */
