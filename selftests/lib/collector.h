/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * collector.h - fxt-collect as a child process, and a directory for its output.
 * In:  options.
 * Out: archives, exit statuses, messages.
 */
#ifndef SELFTESTS_COLLECTOR_H
#define SELFTESTS_COLLECTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "tool.h"
#include "trace.h"

#define RECORD_PATH		512
#define RECORD_ARGS		32
/* The longest wait for an event that must happen eventually; only a failure takes that long. */
#define PATIENCE_MS		60000

/**
 * source_missing() - can this source be used here?
 * @source: "kmod" or "bpf"
 *
 * Return: NULL, or why not.
 */
const char *source_missing(const char *source);

/** kernel_is_since() - is the running kernel of this version, or a later one? */
bool kernel_is_since(unsigned int major, unsigned int minor);
bool machine_is_x86(void);

/**
 * stacks_missing() - can this source take stacks in the kernel of threads that are off the CPU?
 *
 * Return: NULL, or why not.
 */
const char *stacks_missing(const char *source);

/** module_built_in() - is the module built into the kernel, so that it cannot be unloaded? */
bool module_built_in(void);

/** source_required() - does $FXT_REQUIRE name it, so that a test fails without it? */
bool source_required(const char *source);

/** in_guest() - is $FXT_GUEST set? Then no one else uses this machine and its kernel. */
bool in_guest(void);

/** dir_make() - make an empty directory below $TMPDIR or /tmp; 0 or -1 */
int dir_make(char *path, size_t room);
void dir_remove(const char *path);

/** collector_path() - $FXT_COLLECT, else the fxt-collect that was built beside the tests */
const char *collector_path(void);

/** struct collector - a running or ended fxt-collect */
struct collector {
	pid_t pid;	/* 0 when it has ended */
	int status;	/* as of waitpid(2), when it has ended */
	char text[8192];	/* its standard error, when it has ended */
	char output[RECORD_PATH];	/* the archive */
	char errors[RECORD_PATH];
	uint64_t began;	/* CLOCK_BOOTTIME in ns, from which everything is recorded */
	/*
	 * descriptor that ends a recording of record_begin() when it is closed, -1 if there is none
	 */
	int gate;
};

/**
 * collector_spawn() - run fxt-collect
 * @c: filled in
 * @dir: directory of the archive (sched.fxt, unless @args select another) and of the messages
 * @args: its arguments, NULL at the end
 * @out: descriptor that becomes its standard output, -1 for this process's own
 *
 * Return: 0 or -1.
 */
int collector_spawn(struct collector *c, const char *dir, const char * const *args, int out);

/** collector_wait() - wait for its end; returns its exit status, 128 + n for signals */
int collector_wait(struct collector *c);

/** collector_run() - spawn and wait; -1 if it cannot be run */
int collector_run(struct collector *c, const char *dir, const char * const *args);

/** collector_read() - read the messages of a running collector so far into @text */
void collector_read(struct collector *c);

/** collector_said() - the last line that it wrote to standard error */
const char *collector_said(const struct collector *c);

/**
 * wait_for_records() - wait until the archive holds a switch
 *
 * For recordings without a gate. Return: 0, or -1 if no switch appears.
 */
int wait_for_records(const struct collector *c, struct why *why);

/**
 * record_begin() - begin to record, around the next actions of the caller
 * @c: filled in
 * @dir: directory of the archive
 * @source: "kmod" or "bpf"
 * @more: more arguments, NULL at the end, or NULL
 * @why: set to the reason why it did not begin
 *
 * The command that the collector runs is a gate. The collector starts it once it records and all
 * threads have names. The gate reports that, and runs until record_end() closes it.
 *
 * Return: 0 or -1.
 */
int record_begin(struct collector *c, const char *dir, const char *source,
		 const char * const *more, struct why *why);

/** record_end() - end the recording; 0, or -1 if the exit status is not 0 */
int record_end(struct collector *c, struct why *why);

/** record_load() - record_end() and trace_load() */
int record_load(struct collector *c, struct trace *t, struct why *why);

#endif /* SELFTESTS_COLLECTOR_H */
