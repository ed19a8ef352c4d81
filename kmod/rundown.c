// SPDX-License-Identifier: GPL-2.0
/*
 * rundown.c - the stream "rundown": kernel object records of all threads.
 *
 * In:  all threads, as they are when the stream is opened. Out: the records that lifecycle.c
 * writes into streams. Here the reader pulls them, so that their number does not matter.
 */
#include <linux/anon_inodes.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include <fxt/fxt_sched_name.h>

#include "session.h"
#include "util.h"

/**
 * struct fxt_rundown - the threads at the time when the stream was opened
 * @bytes: of memory, as charged to the limits
 * @count: number of threads
 * @tasks: the content of each thread's records
 */
struct fxt_rundown {
	u64 bytes;
	size_t count;
	struct fxt_rundown_task {
		pid_t tid;
		pid_t tgid;
		u32 parent;
		char comm[TASK_COMM_LEN];
	} tasks[];
};

/**
 * struct fxt_rundown_fill - a walk that fills in a struct fxt_rundown
 * @r: the struct; NULL if @room is 0
 * @room: number of threads that @r has room for
 * @count: number of threads seen
 */
struct fxt_rundown_fill {
	struct fxt_rundown *r;
	size_t room;
	size_t count;
};

static void fxt_rundown_visit(struct task_struct *p, void *arg)
{
	struct fxt_rundown_fill *fill = arg;
	struct fxt_rundown_task *to;

	if (fill->count++ >= fill->room)
		return;
	to = &fill->r->tasks[fill->count - 1];
	to->tid = p->pid;
	to->tgid = p->tgid;
	to->parent = fxt_parent(p);
	/* Another thread may change it now; fxt_sched_comm() accepts any bytes. */
	data_race(memcpy(to->comm, p->comm, TASK_COMM_LEN));
}

static size_t fxt_rundown_fill(struct fxt_rundown *r, size_t room)
{
	struct fxt_rundown_fill fill = { .r = r, .room = room };

	fxt_walk(fxt_rundown_visit, &fill);
	return fill.count;
}

static struct fxt_rundown *fxt_rundown_alloc(size_t room)
{
	struct fxt_rundown *r;
	u64 bytes = struct_size(r, tasks, room);

	if (!fxt_limits_try_charge(bytes))
		return NULL;
	r = kvmalloc(bytes, GFP_KERNEL_ACCOUNT);
	if (r)
		r->bytes = bytes;
	else
		fxt_limits_uncharge(bytes);
	return r;
}

static void fxt_rundown_free(struct fxt_rundown *r)
{
	fxt_limits_uncharge(r->bytes);
	kvfree(r);
}

static struct fxt_rundown *fxt_rundown_take(void)
{
	struct fxt_rundown *r;
	size_t room = fxt_rundown_fill(NULL, 0), n;

	for (;;) {
		/* Room for threads that are created before the second walk. */
		room += room / 8 + 64;
		r = fxt_rundown_alloc(room);
		if (!r)
			return NULL;
		n = fxt_rundown_fill(r, room);
		if (n <= room)
			break;
		fxt_rundown_free(r);
		room = n;
	}
	r->count = n;
	return r;
}

static void *fxt_rundown_at(struct fxt_rundown *r, loff_t pos)
{
	return pos < r->count ? &r->tasks[pos] : NULL;
}

static void *fxt_rundown_start(struct seq_file *m, loff_t *pos)
{
	return fxt_rundown_at(m->private, *pos);
}

static void *fxt_rundown_next(struct seq_file *m, void *v, loff_t *pos)
{
	return fxt_rundown_at(m->private, ++*pos);
}

static void fxt_rundown_stop(struct seq_file *m, void *v)
{
}

static int fxt_rundown_show(struct seq_file *m, void *v)
{
	const struct fxt_rundown_task *task = v;
	struct fxt_sched_comm comm = fxt_sched_comm(task->comm);
	u64 rec[FXT_SCHED_TASK_WORDS];
	u32 words, records;

	words = fxt_sched_put_task(rec, task->tid, task->tgid, task->parent, &comm,
				   (struct fxt_sched_event){ 0 }, &records);
	seq_write(m, rec, words * sizeof(*rec));
	return 0;
}

static const struct seq_operations fxt_rundown_ops = {
	.start = fxt_rundown_start,
	.next = fxt_rundown_next,
	.stop = fxt_rundown_stop,
	.show = fxt_rundown_show,
};

static int fxt_rundown_release(struct inode *inode, struct file *file)
{
	struct seq_file *m = file->private_data;

	/* seq_open() has failed. */
	if (!m)
		return 0;
	fxt_rundown_free(m->private);
	return seq_release(inode, file);
}

static const struct file_operations fxt_rundown_fops = {
	.owner = THIS_MODULE,	/* pins the module while a file is open */
	.release = fxt_rundown_release,
	.read = seq_read,
};

/**
 * fxt_rundown_file() - make a file of the records of all threads
 *
 * Its memory counts for max_memory, and for the caller's memory cgroup.
 *
 * Context: may sleep.
 *
 * Return: the file or an ERR_PTR(), of -ENOMEM also if max_memory allows no more.
 */
struct file *fxt_rundown_file(void)
{
	struct file *file = anon_inode_getfile("[fxt_sched]", &fxt_rundown_fops, NULL, O_RDONLY);
	struct fxt_rundown *r;
	int ret;

	if (IS_ERR(file))
		return file;
	r = fxt_rundown_take();
	ret = r ? seq_open(file, &fxt_rundown_ops) : -ENOMEM;
	if (ret) {
		if (r)
			fxt_rundown_free(r);
		fput(file);
		return ERR_PTR(ret);
	}
	((struct seq_file *)file->private_data)->private = r;
	return file;
}
