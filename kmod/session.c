// SPDX-License-Identifier: GPL-2.0
/*
 * session.c - one recording at a time, bound to an open file.
 *
 * What flows in: opening and closing of the files "session" and "tracing".
 * What flows out: buffers that come and go with the first, probes that come
 * and go with the second. A collector that dies closes both, so nothing of it
 * is left. The files are read-only and opening them is all the control there
 * is: that works on a locked-down kernel as well.
 */
#include <linux/debugfs.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include <linux/fxt_sched.h>

#include "clock.h"
#include "session.h"

const char * const fxt_clock_names[] = {
	[FXT_CLOCK_BOOT] = "boot",
	[FXT_CLOCK_MONO] = "mono",
	[FXT_CLOCK_TSC] = "tsc",
	NULL,
};

const char * const fxt_weight_names[] = {
	[FXT_WEIGHT_WEIGHT] = "weight",
	[FXT_WEIGHT_PRIO] = "prio",
	NULL,
};

static struct dentry *fxt_dir;
static DEFINE_MUTEX(fxt_session_lock);
/* The session that is on, or NULL; under fxt_session_lock. */
static struct fxt_session *fxt_session;

static void fxt_session_free(struct kref *ref)
{
	struct fxt_session *ss = container_of(ref, struct fxt_session, ref);

	fxt_sleepers_free(&ss->sleepers);
	free_percpu(ss->cpus);
	kfree(ss);
}

/**
 * fxt_session_get() - keep a session's memory
 * @ss: the session
 */
void fxt_session_get(struct fxt_session *ss)
{
	kref_get(&ss->ref);
}

/**
 * fxt_session_put() - give up what fxt_session_get() took
 * @ss: the session
 *
 * Context: may sleep.
 */
void fxt_session_put(struct fxt_session *ss)
{
	kref_put(&ss->ref, fxt_session_free);
}

static void fxt_session_set_clock(struct fxt_session *ss)
{
	ss->ticks_per_second = NSEC_PER_SEC;
	if (ss->clock != FXT_CLOCK_TSC)
		return;
	ss->ticks_per_second = fxt_tsc_frequency();
	/* So that tick 0 is boot, as with the other clocks. */
	ss->tsc_offset = fxt_tsc() - mul_u64_u64_div_u64(ktime_get_boottime_ns(),
							 ss->ticks_per_second,
							 NSEC_PER_SEC);
}

static struct fxt_session *fxt_session_new(void)
{
	struct fxt_session *ss = kzalloc(sizeof(*ss), GFP_KERNEL);
	int ret = -ENOMEM;

	if (!ss)
		return ERR_PTR(-ENOMEM);
	kref_init(&ss->ref);
	raw_spin_lock_init(&ss->names_lock);
	mutex_init(&ss->hand_over_lock);

	kernel_param_lock(THIS_MODULE);
	ss->subbuf_size = fxt_params.subbuf_size;
	ss->subbuf_count = fxt_params.subbuf_count;
	ss->clock = fxt_params.clock;
	ss->weight = fxt_params.weight;
	kernel_param_unlock(THIS_MODULE);
	fxt_session_set_clock(ss);

	if (!fxt_sleepers_init(&ss->sleepers))
		ret = fxt_channels_open(ss, fxt_dir);
	if (!ret)
		return ss;
	fxt_session_put(ss);
	return ERR_PTR(ret);
}

static int fxt_session_show(struct seq_file *m, void *v)
{
	struct fxt_session *ss = m->private;
	unsigned int cpu;

	seq_printf(m, "abi %u\n", FXT_SCHED_ABI);
	seq_printf(m, "clock %s\n", fxt_clock_names[ss->clock]);
	seq_printf(m, "weight %s\n", fxt_weight_names[ss->weight]);
	seq_printf(m, "ticks_per_second %llu\n", ss->ticks_per_second);
	seq_printf(m, "subbuf_size %u\n", ss->subbuf_size);
	seq_printf(m, "subbuf_count %u\n", ss->subbuf_count);
	seq_printf(m, "tracing %d\n", READ_ONCE(ss->recording));
	seq_printf(m, "now %llu\n", fxt_clock_now(ss));
	for_each_possible_cpu(cpu) {
		struct fxt_stream *s = per_cpu_ptr(ss->cpus, cpu);

		if (READ_ONCE(s->buf))
			fxt_stream_show(m, s);
	}
	fxt_stream_show(m, &ss->names);
	return 0;
}

static int fxt_session_open(struct inode *inode, struct file *file)
{
	struct fxt_session *ss;
	int ret = -EBUSY;

	mutex_lock(&fxt_session_lock);
	if (fxt_session)
		goto out;
	ss = fxt_session_new();
	ret = PTR_ERR_OR_ZERO(ss);
	if (ret)
		goto out;
	ret = single_open(file, fxt_session_show, ss);
	if (ret) {
		fxt_channels_close(ss);
		fxt_session_put(ss);
		goto out;
	}
	fxt_session = ss;
out:
	mutex_unlock(&fxt_session_lock);
	return ret;
}

static void fxt_tracing_stop(struct fxt_session *ss)
{
	lockdep_assert_held(&fxt_session_lock);
	if (ss->recording)
		fxt_probes_stop(ss);
}

static int fxt_session_release(struct inode *inode, struct file *file)
{
	struct fxt_session *ss = ((struct seq_file *)file->private_data)->private;

	mutex_lock(&fxt_session_lock);
	fxt_tracing_stop(ss);
	fxt_channels_close(ss);
	fxt_session = NULL;
	mutex_unlock(&fxt_session_lock);
	fxt_session_put(ss);
	return single_release(inode, file);
}

static const struct file_operations fxt_session_fops = {
	.owner = THIS_MODULE,
	.open = fxt_session_open,
	.release = fxt_session_release,
	.read = seq_read,
	.llseek = seq_lseek,
};

static int fxt_tracing_open(struct inode *inode, struct file *file)
{
	struct fxt_session *ss;
	int ret;

	mutex_lock(&fxt_session_lock);
	ss = fxt_session;
	ret = !ss ? -ENODEV : ss->recording ? -EBUSY : 0;
	if (!ret)
		ret = fxt_probes_start(ss);
	if (!ret) {
		fxt_session_get(ss);
		file->private_data = ss;
	}
	mutex_unlock(&fxt_session_lock);
	return ret;
}

static int fxt_tracing_release(struct inode *inode, struct file *file)
{
	struct fxt_session *ss = file->private_data;

	mutex_lock(&fxt_session_lock);
	fxt_tracing_stop(ss);
	mutex_unlock(&fxt_session_lock);
	fxt_session_put(ss);
	return 0;
}

static const struct file_operations fxt_tracing_fops = {
	.owner = THIS_MODULE,
	.open = fxt_tracing_open,
	.release = fxt_tracing_release,
};

/**
 * fxt_files_create() - make the module's directory and files
 *
 * Context: may sleep; once, when the module is loaded.
 *
 * Return: 0 or a negative errno.
 */
int fxt_files_create(void)
{
	fxt_dir = debugfs_create_dir(FXT_SCHED_DIR, NULL);
	if (IS_ERR(fxt_dir)) {
		pr_err("cannot create debugfs directory %s: error %ld; is debugfs enabled?\n",
		       FXT_SCHED_DIR, PTR_ERR(fxt_dir));
		return PTR_ERR(fxt_dir);
	}
	debugfs_create_file(FXT_SCHED_FILE_SESSION, 0400, fxt_dir, NULL,
			    &fxt_session_fops);
	debugfs_create_file(FXT_SCHED_FILE_TRACING, 0400, fxt_dir, NULL,
			    &fxt_tracing_fops);
	debugfs_create_file(FXT_SCHED_FILE_RUNDOWN, 0400, fxt_dir, NULL,
			    &fxt_rundown_fops);
	return 0;
}

/**
 * fxt_files_remove() - undo fxt_files_create()
 *
 * Context: may sleep; no file is open any more, they pin the module.
 */
void fxt_files_remove(void)
{
	debugfs_remove(fxt_dir);
}
