/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * internal.h - what the parts of the registry of names share.
 *
 * What flows in: from names.c, who is there; from proc.c, what /proc says of
 * them; from cgroup.c, what tells cgroups apart. What flows out: write.c
 * makes records of it.
 */
#ifndef FXT_COLLECT_NAMES_INTERNAL_H
#define FXT_COLLECT_NAMES_INTERNAL_H

#include <fxt/fxt_sched.h>

#include "libfxt/fxt_reader.h"
#include "names.h"

/* Room for the best name of a process: of a file name, and of a command line. */
#define NAMES_FULL_ROOM		256
#define NAMES_CMDLINE_ROOM	(128 + 1)
/* Room for what tells a cgroup apart. */
#define NAMES_LABEL_ROOM	(24 + 1)

/**
 * struct task - a thread; the main thread stands for its process, too
 * @id: thread id
 * @process: process id; the main thread's is its own
 * @name: as the record had it, terminated
 * @cgroup: of a process that was asked under this name; NULL if unknown
 * @folded: ticks, of when it was found to have that name, of which no record tells; or 0
 * @written: thread and process are in the archive under this name
 * @cgroup_written: and the process with this cgroup
 * @since: ticks, of its fork, or when it was found
 * @is_forked: a record told of its fork
 * @is_later: its id was another one's before
 * @ended: the last names_forget() found it nowhere
 */
struct task {
	uint32_t id;
	uint32_t process;
	char name[FXT_SCHED_COMM_SIZE];
	char *cgroup;
	uint64_t since;
	bool is_forked;
	bool is_later;
	uint64_t folded;
	bool written;
	bool cgroup_written;
	bool ended;
};

/**
 * struct names - the registry
 * @options: what names look like
 * @proc: where /proc is mounted
 * @proc_is_ours: it shows our own pid namespace
 * @tasks: all tasks, in the order in which their ids were first seen
 * @count: of them
 * @room: for them
 * @slots: hash table of indices into @tasks, each plus 1; 0 is free
 * @slot_bits: it has 1 << slot_bits of them
 * @found: how many of @tasks names_found() has seen
 * @catch_up: as given to names_catch_up()
 * @prepared: names_prepare() was called, and names_write() not yet
 * @tell: as given to names_on_event(), NULL without; @tell_arg is for it
 * @content: the record that is being written
 */
struct names {
	struct names_options options;
	const char *proc;
	bool proc_is_ours;
	struct task *tasks;
	size_t count;
	size_t room;
	uint32_t *slots;
	unsigned int slot_bits;
	size_t found;
	uint64_t catch_up;
	bool prepared;
	int (*tell)(void *arg, const struct names_event *e);
	void *tell_arg;
	struct fxt_content content;
};

static inline bool task_is_process(const struct task *t)
{
	return t->id == t->process;
}

/** names_find() - the task of this id, or NULL */
struct task *names_find(const struct names *n, uint32_t id);

/* --- proc.c ----------------------------------------------------------------- */

/** names_look_at_proc() - set @proc_is_ours; before a row of questions */
void names_look_at_proc(struct names *n);

/** names_exists() - is there a thread of this id? If in doubt, yes */
bool names_exists(const struct names *n, uint32_t id);

/**
 * names_ask_cgroup() - look up the cgroup of a process
 * @n: the registry
 * @t: the process; if it is gone, what is known of it stays
 *
 * Return: 0 or -ENOMEM.
 */
int names_ask_cgroup(const struct names *n, struct task *t);

/**
 * names_ask_full() - the name of a process whose program's name the kernel cut
 * @n: the registry
 * @t: the process
 * @name: NAMES_FULL_ROOM bytes
 *
 * That is the first word of its command line, without directories, if it begins with
 * what the kernel kept: programs that write titles there do not pass.
 *
 * Return: is there one?
 */
bool names_ask_full(const struct names *n, const struct task *t, char *name);

/**
 * names_ask_cmdline() - the command line of a process
 * @n: the registry
 * @t: the process
 * @name: NAMES_CMDLINE_ROOM bytes; arguments are joined by spaces
 *
 * Return: is there one? Kernel threads and zombies have none.
 */
bool names_ask_cmdline(const struct names *n, const struct task *t, char *name);

/* --- cgroup.c --------------------------------------------------------------- */

/**
 * clean_text() - make a stream of any bytes
 * @to: terminated
 * @room: its size, at least 1; what does not fit is left out, whole characters of it
 * @from: bytes; control characters and what is no UTF-8 become '?'
 * @bytes: how many
 */
void clean_text(char *to, size_t room, const char *from, size_t bytes);

/**
 * cgroup_of() - choose the path out of /proc/PID/cgroup
 * @text: the file, terminated; will be changed
 *
 * That of cgroup v2, or where processes are not told apart by it, of v1: systemd's
 * own, else the longest.
 *
 * Return: the path, in @text, or NULL.
 */
char *cgroup_of(char *text);

/** cgroup_compare() - as strcmp(3), but from the last byte on */
int cgroup_compare(const char *a, const char *b);

/** cgroup_common() - how many components both have in common at their ends */
size_t cgroup_common(const char *a, const char *b);

/**
 * cgroup_label() - one component, to be shown
 * @cgroup: the path
 * @skip: components to pass over, from the last one on
 * @label: NAMES_LABEL_ROOM bytes; "/" if no component is left
 */
void cgroup_label(const char *cgroup, size_t skip, char *label);

#endif /* FXT_COLLECT_NAMES_INTERNAL_H */
