/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fxt-collect as a child process, and a directory for its output. */
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

/* Return: NULL, or why this source ("kmod" or "bpf") cannot be used here. */
const char *source_missing(const char *source);

/* Does $FXT_TESTS ("stream.vsock ...") select tests of sources, but not this one? */
bool test_left_out(const char *fixture, const char *test);

bool kernel_is_since(unsigned int major, unsigned int minor);
bool machine_is_x86(void);

/* For stacks in the kernel of threads that are off the CPU. Return: NULL, or why not. */
const char *stacks_missing(const char *source);

/* Then it cannot be unloaded. */
bool module_built_in(void);

/* Does $FXT_REQUIRE name the source, so that a test fails without it? */
bool source_required(const char *source);

/* Is $FXT_GUEST set? Then no one else uses this machine and its kernel. */
bool in_guest(void);

/* below $TMPDIR or /tmp */
int dir_make(char *path, size_t room);
void dir_remove(const char *path);

/* $FXT_COLLECT, else the fxt-collect that was built beside the tests */
const char *collector_path(void);

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

/*
 * Run fxt-collect with @args, NULL at the end. Its messages are in @dir, as is its archive
 * (sched.fxt, unless @args select another). @out becomes its standard output; -1: this process's
 * own.
 */
int collector_spawn(struct collector *c, const char *dir, const char * const *args, int out);

/* Return: its exit status, 128 + n for signals */
int collector_wait(struct collector *c);

/* -1 if it cannot be run */
int collector_run(struct collector *c, const char *dir, const char * const *args);

/* Read the messages of a running collector so far into @text. */
void collector_read(struct collector *c);

/* the last line that it wrote to standard error */
const char *collector_said(const struct collector *c);

/* Wait until the archive holds a switch, for recordings without a gate. */
int wait_for_records(const struct collector *c, struct why *why);

/* Wait until the collector has read all records that there are now. */
int wait_for_reads(const struct collector *c);

/*
 * Begin to record the next actions of the caller. The command that the collector runs is a gate:
 * the collector starts it once it records and all threads have names. The gate reports that, and
 * runs until record_end() closes it. @more: more arguments, NULL at the end, or NULL.
 */
int record_begin(struct collector *c, const char *dir, const char *source,
		 const char * const *more, struct why *why);

/* Return: 0, or -1 if the exit status is not 0 */
int record_end(struct collector *c, struct why *why);

/* record_end() and trace_load() */
int record_load(struct collector *c, struct trace *t, struct why *why);

/* record_load() and trace_check_all() */
int record_check(struct collector *c, struct trace *t, struct why *why);

#endif /* SELFTESTS_COLLECTOR_H */
