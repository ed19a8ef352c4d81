// SPDX-License-Identifier: GPL-2.0-only
/*
 * rundown.c - the present state: the stream "rundown" of all threads, and which thread has a CPU.
 *
 * In:  all threads, as they are when the stream is opened.
 * Out: records as lifecycle.c writes them, and, during a recording, what each thread is doing. The
 *      reader pulls them, so their number does not matter.
 */
#include <linux/anon_inodes.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/smp.h>

#include <fxt/fxt_sched_name.h>
#include <fxt/fxt_sched_thread.h>
#include <linux/fxt_sched.h>

#include "cgroup.h"
#include "compat.h"
#include "record.h"
#include "session.h"
#include "util.h"

struct fxt_rundown {
	u64 bytes;			/* charged to the limits */
	size_t count;
	struct fxt_rundown_task {
		pid_t tid;
		pid_t tgid;
		u32 parent;
		bool is_apart;	/* in a cgroup of its own */
		struct fxt_sched_sight sight;
		char comm[TASK_COMM_LEN];
	} tasks[];			/* the content of each thread's records */
};

struct fxt_rundown_fill {
	struct fxt_session *ss;
	struct fxt_rundown *r;	/* NULL if @room is 0 */
	size_t room;		/* threads that fit into @r */
	size_t count;		/* threads seen */
};

/*
 * What is the thread doing? No lock that a module can take keeps that from changing. The time is
 * read last: if the thread has changed its state before, an event precedes the time, and the reader
 * ignores what was seen here.
 */
static struct fxt_sched_sight fxt_rundown_look(struct fxt_session *ss, struct task_struct *p)
{
	bool queued = FXT_TASK_QUEUED(p);
	struct fxt_sched_sight sight = {
		.letter = fxt_sched_seen(queued ? READ_ONCE(p->on_rq) : 0, FXT_TASK_STATE(p),
					 READ_ONCE(p->exit_state)),
		.cpu = task_cpu(p),
	};

	/* A thread leaves its run queue before it leaves its CPU. */
	smp_rmb();
	if (fxt_task_running(p) || FXT_TASK_QUEUED(p) != queued)
		sight.letter = 0;
	sight.time = fxt_clock_now(&ss->clock);
	if (!fxt_recording_covers(&ss->recording, sight.time))
		sight.letter = 0;
	return sight;
}

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
	to->is_apart = fxt_cgroup_is_apart(p, false);
	to->sight = fxt_rundown_look(fill->ss, p);
	/* Another thread may change it now; fxt_sched_comm() accepts any bytes. */
	data_race(memcpy(to->comm, p->comm, TASK_COMM_LEN));
}

static size_t fxt_rundown_fill(struct fxt_session *ss, struct fxt_rundown *r, size_t room)
{
	struct fxt_rundown_fill fill = { .ss = ss, .r = r, .room = room };

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

static struct fxt_rundown *fxt_rundown_read(struct fxt_session *ss)
{
	struct fxt_rundown *r;
	size_t room = fxt_rundown_fill(ss, NULL, 0), n;

	for (;;) {
		/* Room for threads that are created before the second walk. */
		room += room / 8 + 64;
		r = fxt_rundown_alloc(room);
		if (!r)
			return NULL;
		n = fxt_rundown_fill(ss, r, room);
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
	u64 rec[FXT_SCHED_SEEN_WORDS];
	u32 words, records;

	words = fxt_sched_put_task(rec, task->tid, task->tgid, task->parent, &comm,
				   (struct fxt_sched_event){ 0 }, &records);
	if (task->is_apart)
		words = fxt_sched_add_apart(rec, words);
	words = fxt_sched_add_sight(rec, words, &task->sight);
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

/*
 * A file with the records of all threads. Its memory counts for max_memory and for the caller's
 * memory cgroup.
 *
 * Context: may sleep. Return: the file, or an ERR_PTR(), also of -ENOMEM if max_memory allows no
 * more.
 */
struct file *fxt_rundown_file(struct fxt_session *ss)
{
	struct file *file = anon_inode_getfile("[fxt_sched]", &fxt_rundown_fops, NULL, O_RDONLY);
	struct fxt_rundown *r;
	int ret;

	if (IS_ERR(file))
		return file;
	r = fxt_rundown_read(ss);
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

/*
 * --- which thread has a CPU ---
 *
 * The collector records it (fxt_mark.h): a CPU that switches no threads would otherwise be missing
 * from the archive.
 */

struct fxt_mark_call {
	struct fxt_session *ss;
	struct fxt_sched_mark *mark;
	int ret;	/* 0 or -ENODATA */
};

/* Context: an interrupt, with interrupts disabled, so no thread is switched in or out here. */
static void fxt_mark_here(void *info)
{
	struct fxt_mark_call *call = info;
	struct fxt_session *ss = call->ss;
	struct fxt_stream *s = this_cpu_ptr(ss->cpus);

	if (ss->filter.by_thread && !fxt_filter_matches(&ss->filter, &ss->tasks, current)) {
		call->ret = -ENODATA;
		return;
	}
	/*
	 * The switch that ends the thread's run gets a record, even if the thread stops matching.
	 */
	if (ss->filter.by_thread)
		s->current_known = true;
	call->mark->thread = current->pid;
	call->mark->weight = fxt_slow_weight(ss, current);
	call->mark->time = fxt_stream_now(s, &ss->clock);
	call->mark->steal = ss->config.events & FXT_SCHED_EVENTS_STEAL ? fxt_steal_now() : 0;
}

/*
 * Which thread has the CPU of @mark? Fills in the rest of @mark. Context: may sleep; serialized
 * (device.c).
 *
 * Return: 0; -EINVAL if @reserved is not 0, or with a filter by thread and no probes, which know
 * what threads match; -ENXIO if the CPU is offline or does not exist; -ENODATA if the filter drops
 * the CPU or the thread.
 */
int fxt_mark_read(struct fxt_session *ss, struct fxt_sched_mark *mark)
{
	struct fxt_mark_call call = { .ss = ss, .mark = mark };
	int ret;

	if (mark->reserved || (ss->filter.by_thread && !ss->started))
		return -EINVAL;
	if (mark->cpu >= nr_cpu_ids || !cpu_possible(mark->cpu))
		return -ENXIO;
	/* Do not interrupt a CPU that may be isolated. */
	if (!per_cpu_ptr(ss->cpus, mark->cpu)->cpu_traced)
		return -ENODATA;
	ret = smp_call_function_single(mark->cpu, fxt_mark_here, &call, 1);
	return ret ? ret : call.ret;
}
