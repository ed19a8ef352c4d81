// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * iterators.c - see iterators.h.
 *
 * In: the iterator programs of bpf/fxt_sched.bpf.c. Out: kernel object records of all tasks; the
 * filter's results for all tasks.
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "bpf/custom.h"
#include "bpf/filter.h"
#include "bpf/frames.h"
#include "bpf/owner.h"
#include "bpf/ring.h"
#include "bpf/stack_config.h"
#include "fxt/fxt_sched.h"
#include "bpf/fxt_sched.skel.h"
#include "iterators.h"
#include "load.h"
#include "machine.h"

#define RUNDOWN_NAMES	256		/* read and emitted at once */

/*
 * Return: a descriptor to read what @prog writes for each task, or a negative errno. The
 * tasks are iterated when it is read.
 */
static int open_iterator(struct bpf_program *prog, struct error *e)
{
	struct bpf_link *link = bpf_program__attach_iter(prog, NULL);
	int fd = link ? bpf_iter_create(bpf_link__fd(link)) : -1, err = fd < 0 ? -errno : 0;

	/* The descriptor holds a reference to the link. */
	bpf_link__destroy(link);
	return err ? machine_refused(e, err, "attach the BPF iterator of tasks") : fd;
}

/* Return: bytes read; 0 at the end, or a negative errno. */
static ssize_t read_iterator(int fd, void *to, size_t bytes, struct error *e)
{
	ssize_t n;

	/* The kernel returns EAGAIN after many tasks without output. */
	do
		n = read(fd, to, bytes);
	while (n < 0 && (errno == EINTR || errno == EAGAIN));
	return n < 0 ? machine_refused(e, -errno, "read the BPF iterator of tasks") : n;
}

static int emit_names(const struct fxt_name *names, size_t count, source_emit emit,
		      void *arg)
{
	static const size_t most = RUNDOWN_NAMES * FXT_SCHED_TASK_WORDS;
	struct fxt_sched_comm comm;
	size_t i, words = 0;
	__u32 records;
	__u64 *buf;
	int err;

	buf = malloc(most * FXT_WORD);
	if (!buf)
		return -ENOMEM;
	for (i = 0; i < count; i++) {
		comm = fxt_sched_comm(names[i].comm);
		words += fxt_sched_put_task(buf + words, names[i].tid, names[i].tgid,
					    names[i].parent, &comm, (struct fxt_sched_event){ 0 }, &records);
	}
	err = emit(arg, buf, words * FXT_WORD);
	free(buf);
	return err;
}

void rundowns_init(int *rundowns)
{
	int i;

	for (i = 0; i < RUNDOWNS; i++)
		rundowns[i] = -1;
}

int rundowns_open(int *rundowns, const struct programs *p, struct error *e)
{
	int i, fd;

	for (i = 0; i < RUNDOWNS; i++) {
		fd = open_iterator(p->skel->progs.rundown, e);
		if (fd < 0)
			return fd;
		rundowns[i] = fd;
	}
	return 0;
}

void rundowns_close(int *rundowns)
{
	int i;

	for (i = 0; i < RUNDOWNS; i++)
		if (rundowns[i] >= 0)
			close(rundowns[i]);
}

static int take(int *rundowns)
{
	int i, fd = -1;

	for (i = 0; i < RUNDOWNS && fd < 0; i++) {
		fd = rundowns[i];
		rundowns[i] = -1;
	}
	return fd;
}

int rundowns_read(int *rundowns, source_emit emit, void *arg, struct error *e)
{
	struct fxt_name names[RUNDOWN_NAMES];
	int fd = take(rundowns), err = 0;
	ssize_t n;

	if (fd < 0)
		return -ENODATA;
	/* The kernel writes whole name records, never a part of one. */
	while (!err && (n = read_iterator(fd, names, sizeof(names), e)) != 0) {
		if (n < 0)
			err = n;
		else if (n % sizeof(*names))
			err = machine_refused(e, -EIO, "read the BPF iterator of tasks");
		else
			err = emit_names(names, n / sizeof(*names), emit, arg);
	}
	close(fd);
	return err;
}

int iterators_mark(const struct programs *p, struct error *e)
{
	ssize_t n;
	char none;
	int fd;

	fd = open_iterator(p->skel->progs.mark, e);
	if (fd < 0)
		return fd;
	n = read_iterator(fd, &none, sizeof(none), e);
	close(fd);
	return n;
}
