/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names.h - who has a name, and what it is.
 *
 * What flows in: the kernel object records of rundown and stream of names, in the
 * order of time. What flows out: the records of all tasks, at the head of each
 * archive of a recording and at its end what can be said better by then.
 *
 * Kept is the newest name of each thread and process that was ever seen, until its
 * id is taken by another one or names_forget() finds that it has ended.
 */
#ifndef FXT_COLLECT_NAMES_H
#define FXT_COLLECT_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fxt/fxt_sched.h>

struct fxt_writer;
struct names;

/**
 * struct names_options - what names look like
 * @cmdline: processes are named by their command lines (cut at 128 bytes), not by
 *	the kernel's 15 bytes
 * @cgroups: cgroups are looked up: they become the argument "cgroup" of a process's
 *	kernel object, and part of the name where processes of different cgroups
 *	share one
 */
struct names_options {
	bool cmdline;
	bool cgroups;
};

/** names_open() - begin with nobody named; 0 or -ENOMEM */
int names_open(struct names **n, const struct names_options *o);

/** names_close() - free the registry; NULL is ignored */
void names_close(struct names *n);

/**
 * names_note() - remember whom these records name
 * @n: the registry; a void pointer so that this is a source_emit
 * @records: whole records; those that are no kernel objects are passed over
 * @bytes: their length
 *
 * Return: 0, -ENOMEM, or -EBADMSG for what are no records.
 */
int names_note(void *n, const void *records, size_t bytes);

/**
 * struct names_event - a thread got another name than it was born with, or got the id
 *	of another one
 * @what: FXT_STR_EXEC or FXT_STR_RENAME; FXT_STR_FORK: its id was another thread's
 * @time: ticks
 * @thread: its id
 * @process: its process's id
 * @before: its name up to then, "" if that is unknown; of a fork, like what follows,
 *	that of the thread whose id it was
 * @before_process: of a fork, the process of that thread
 * @before_fork: ticks, of the fork of that thread; 0: it was found
 * @after: its name from then on
 * @is_later: its id was another one's before
 *
 * An exec that changes the name is a rename before.
 */
struct names_event {
	uint32_t what;
	uint64_t time;
	uint32_t thread;
	uint32_t process;
	uint32_t before_process;
	uint64_t before_fork;
	char before[FXT_SCHED_COMM_SIZE];
	char after[FXT_SCHED_COMM_SIZE];
	bool is_later;
};

/**
 * names_on_event() - have told what names_note() learns of events
 * @n: the registry
 * @tell: returns 0 or a negative errno, which names_note() returns then
 * @arg: for @tell
 */
void names_on_event(struct names *n, int (*tell)(void *arg, const struct names_event *e),
		    void *arg);

/**
 * names_found() - whom a rundown or a look into /proc has just found
 * @n: the registry
 * @now: ticks; 0: nothing is traced yet
 *
 * Forks up to then are those of the threads that were found, and not of others that
 * have got their ids.
 */
void names_found(struct names *n, uint64_t now);

/**
 * names_catch_up() - what is noted from now on are names of which no record tells
 * @n: the registry
 * @now: ticks; 0: no longer so
 */
void names_catch_up(struct names *n, uint64_t now);

/**
 * names_prepare() - before tracing: find out what takes long
 * @n: the registry, still empty
 *
 * So that buffers do not fill while the head of the first archive is being written.
 *
 * Return: 0 or -ENOMEM.
 */
int names_prepare(struct names *n);

/**
 * names_fill_gaps() - name from /proc whom nothing has named so far
 * @n: the registry
 *
 * Return: 0 or -ENOMEM; a task that ends meanwhile is none.
 */
int names_fill_gaps(struct names *n);

/**
 * names_ask_proc() - name from /proc whoever is there
 * @n: the registry
 *
 * For a source that cannot tell once more. Kernel workers keep the name that they have:
 * /proc adds to it what they do. Nobody is named by a /proc whose ids are those of
 * another pid namespace than the initial one.
 *
 * Return: 0 or -ENOMEM; a task that ends meanwhile is none.
 */
int names_ask_proc(struct names *n);

/**
 * names_write() - all names there are, into an archive that has just begun
 * @n: the registry
 * @w: the archive; its strings are registered
 *
 * What is noted later, and is not in the archive by other ways, names_finish() writes.
 *
 * Return: 0 or a negative errno.
 */
int names_write(struct names *n, struct fxt_writer *w);

/**
 * names_finish() - the archive is about to end: write what can be said better now
 * @n: the registry
 * @w: the archive
 *
 * That is: threads and processes noted since names_write() by names_fill_gaps() or
 * another rundown, which no chunk has brought into the archive; processes whose name
 * the kernel cut, with their full name, or all of them with their command line; cgroups
 * of processes that are new; names that processes of different cgroups share, made
 * different. To be called last: the last name of an archive is the one that is shown.
 *
 * Return: 0 or a negative errno.
 */
int names_finish(struct names *n, struct fxt_writer *w);

/**
 * names_noted_in_archive() - as names_note(), for records that are in the archive
 * @n: the registry
 * @records: of a chunk of the stream of names, ledgers included
 * @bytes: their length
 */
int names_noted_in_archive(struct names *n, const void *records, size_t bytes);

/**
 * names_forget() - drop threads that have ended, between two archives
 * @n: the registry
 *
 * Dropped is who has ended and had already ended at the call before, so that whoever
 * runs in an archive is named in it.
 */
void names_forget(struct names *n);

/**
 * names_comm() - what a thread is called, for terminals
 * @n: the registry
 * @thread: its id
 * @comm: set to it, FXT_SCHED_COMM_SIZE bytes, "?" if it has no name; what is not
 *	printable ASCII is a question mark, for anybody may have chosen it
 *
 * Return: @comm.
 */
const char *names_comm(const struct names *n, uint32_t thread, char *comm);

/** names_threads() - how many threads have a name */
uint64_t names_threads(const struct names *n);

/** names_processes() - how many processes have a name */
uint64_t names_processes(const struct names *n);

#endif /* FXT_COLLECT_NAMES_H */
