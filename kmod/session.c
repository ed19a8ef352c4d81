// SPDX-License-Identifier: GPL-2.0
/*
 * session.c - one recording at a time, bound to an open file.
 *
 * What flows in: opening and closing of the files "session", "tracing" and
 * "freeze". What flows out: buffers that come and go with the first, probes that
 * come and go with the second, and the recording, which is off while the third is
 * open. A collector that dies closes them all, so nothing of it is left, in
 * whatever order they go. The files are read-only and opening them is all the
 * control there is: that works on a locked-down kernel as well.
 */
#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include <linux/fxt_sched.h>

#include "clock.h"
#include "compat.h"
#include "session.h"

static struct dentry *fxt_dir;
static DEFINE_MUTEX(fxt_session_lock);
/* The session that is on, or NULL; under fxt_session_lock. */
static struct fxt_session *fxt_session;

static void fxt_session_free(struct kref *ref)
{
	struct fxt_session *ss = container_of(ref, struct fxt_session, ref);

	fxt_filter_close(ss);
	fxt_sleepers_free(&ss->sleepers);
	fxt_trigger_free(&ss->trigger);
	free_percpu(ss->rename_users);
	free_percpu(ss->names);
	free_percpu(ss->cpus);
	kvfree(ss);
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
	ss->tsc_offset = fxt_tsc() - fxt_ns_to_ticks(ktime_get_boottime_ns(),
						     ss->ticks_per_second);
}

static int fxt_session_init(struct fxt_session *ss)
{
	int ret;

	fxt_params_get(&ss->params);
	if (ss->params.trigger_latency && !ss->params.overwrite) {
		pr_err("session refused: trigger_latency needs overwrite=1, where there is something to freeze\n");
		return -EINVAL;
	}
	ss->clock = ss->params.clock;
	ss->weight = ss->params.weight;
	fxt_session_set_clock(ss);
	ret = fxt_trigger_init(ss);
	if (!ret)
		ret = fxt_filter_open(ss);
	if (!ret)
		ret = fxt_sleepers_init(&ss->sleepers, ss->trigger.latency);
	if (!ret)
		ret = fxt_channels_open(ss, fxt_dir);
	return ret;
}

static struct fxt_session *fxt_session_new(void)
{
	struct fxt_session *ss = kvzalloc(sizeof(*ss), GFP_KERNEL);
	int ret;

	if (!ss)
		return ERR_PTR(-ENOMEM);
	kref_init(&ss->ref);
	init_rwsem(&ss->rest_lock);
	mutex_init(&ss->hand_over_lock);
	ss->at_rest = true;

	ret = fxt_session_init(ss);
	if (!ret)
		return ss;
	fxt_session_put(ss);
	return ERR_PTR(ret);
}

static void fxt_streams_show(struct seq_file *m, struct fxt_session *ss,
			     struct fxt_stream __percpu *streams)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		struct fxt_stream *s = per_cpu_ptr(streams, cpu);

		if (fxt_stream_exists(s))
			fxt_stream_show(m, ss, s);
	}
}

static int fxt_session_show(struct seq_file *m, void *v)
{
	struct fxt_session *ss = m->private;

	seq_printf(m, "abi %u\n", FXT_SCHED_ABI);
	seq_printf(m, "clock %s\n", fxt_clock_names[ss->clock]);
	seq_printf(m, "weight %s\n", fxt_weight_names[ss->weight]);
	seq_printf(m, "ticks_per_second %llu\n", ss->ticks_per_second);
	seq_printf(m, "subbuf_size %u\n", ss->params.subbuf_size);
	seq_printf(m, "subbuf_count %u\n", ss->params.subbuf_count);
	seq_printf(m, "tracing %d\n", READ_ONCE(ss->tracing));
	seq_printf(m, "now %llu\n", fxt_clock_now(ss));
	fxt_streams_show(m, ss, ss->cpus);
	fxt_streams_show(m, ss, ss->names);
	fxt_params_show(m, &ss->params);
	mutex_lock(&fxt_session_lock);
	seq_printf(m, "frozen %d\n", ss->frozen);
	fxt_trigger_show(m, &ss->trigger);
	mutex_unlock(&fxt_session_lock);
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

/* From here on there are records. Context: nothing is recorded. */
static void fxt_recording_begin(struct fxt_session *ss)
{
	if (ss->params.overwrite)
		fxt_channels_wake(ss);
	fxt_trigger_arm(ss);
	/*
	 * The trigger is armed before that; pairs with the acquire in
	 * fxt_trigger_judge(). Otherwise this word is loaded plainly: a probe
	 * depends on nothing else that changes with it, and what it then stores
	 * into the stream does not come before the load that it is controlled by.
	 */
	atomic64_set_release(&ss->until, FXT_RECORDING);
}

/*
 * Let the recording end now, if it has not ended yet. Only a trigger can be
 * beside us; if it is first, it may have set a time to come. Whoever calls this
 * then waits for probes: the grace period orders all that those stored which
 * may have seen an older value before all that the caller does next.
 */
static void fxt_recording_cut(struct fxt_session *ss)
{
	u64 now = fxt_clock_now(ss);

	if (atomic64_cmpxchg(&ss->until, FXT_RECORDING, now) != FXT_RECORDING &&
	    (u64)atomic64_read(&ss->until) > now)
		atomic64_set(&ss->until, now);
}

/*
 * All that was recorded is in the buffers: let it be read. Context: no probe runs
 * that began before the cut.
 */
static void fxt_recording_rest(struct fxt_session *ss)
{
	/* The clocks may step back by some ns. */
	atomic64_set(&ss->until, 0);
	if (ss->params.overwrite)
		fxt_channels_rest(ss);
}

static int fxt_tracing_start(struct fxt_session *ss)
{
	int ret;

	lockdep_assert_held(&fxt_session_lock);
	ret = fxt_probes_start(ss);
	if (ret)
		return ret;
	WRITE_ONCE(ss->tracing, true);
	fxt_recording_begin(ss);
	return 0;
}

static void fxt_tracing_stop(struct fxt_session *ss)
{
	lockdep_assert_held(&fxt_session_lock);
	if (!ss->tracing)
		return;
	fxt_recording_cut(ss);
	fxt_probes_stop(ss);
	fxt_recording_rest(ss);
	WRITE_ONCE(ss->tracing, false);
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
	ret = !ss ? -ENODEV : ss->tracing || ss->frozen ? -EBUSY : 0;
	if (!ret)
		ret = fxt_tracing_start(ss);
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

static int fxt_may_freeze(const struct fxt_session *ss)
{
	if (!ss || !ss->tracing)
		return -ENODEV;
	if (!ss->params.overwrite)
		return -EINVAL;
	return ss->frozen ? -EBUSY : 0;
}

static int fxt_freeze_open(struct inode *inode, struct file *file)
{
	struct fxt_session *ss;
	int ret;

	mutex_lock(&fxt_session_lock);
	ss = fxt_session;
	ret = fxt_may_freeze(ss);
	if (!ret) {
		/* The probes stay: threads go to sleep and wake meanwhile. */
		fxt_recording_cut(ss);
		fxt_probes_wait();
		fxt_recording_rest(ss);
		ss->frozen = true;
		fxt_session_get(ss);
		file->private_data = ss;
	}
	mutex_unlock(&fxt_session_lock);
	return ret;
}

static int fxt_freeze_release(struct inode *inode, struct file *file)
{
	struct fxt_session *ss = file->private_data;

	mutex_lock(&fxt_session_lock);
	ss->frozen = false;
	if (ss->tracing)
		fxt_recording_begin(ss);
	mutex_unlock(&fxt_session_lock);
	fxt_session_put(ss);
	return 0;
}

static const struct file_operations fxt_freeze_fops = {
	.owner = THIS_MODULE,
	.open = fxt_freeze_open,
	.release = fxt_freeze_release,
};

/*
 * Asks for more than the file's mode: root's id alone, as in a process that has given up
 * its capabilities, must not be enough to trace all others.
 *
 * Takes the reference to the module, which debugfs would take if the file had an owner.
 * delete_module() gives up the last reference before it marks the module as going, and
 * debugfs warns of an owner that can be referred to no more but is not marked: it takes
 * it for one that left its files behind. An opener can meet that moment. Until we
 * return the module is whole: debugfs_remove() waits for us.
 */
static int fxt_door_open(struct inode *inode, struct file *file)
{
	const struct file_operations *fops = inode->i_private;

	if (!fxt_may_trace())
		return -EPERM;
	if (!fops_get(fops))
		return -ENXIO;
	replace_fops(file, fops);
	return fops->open(inode, file);
}

static const struct file_operations fxt_door_fops = {
	.open = fxt_door_open,
};

/* debugfs_create_file_unsafe: who has the file open pins the module, and so the file. */
static void fxt_door_create(const char *name, const struct file_operations *fops)
{
	debugfs_create_file_unsafe(name, 0400, fxt_dir, (void *)fops, &fxt_door_fops);
}

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
	fxt_door_create(FXT_SCHED_FILE_SESSION, &fxt_session_fops);
	fxt_door_create(FXT_SCHED_FILE_TRACING, &fxt_tracing_fops);
	fxt_door_create(FXT_SCHED_FILE_FREEZE, &fxt_freeze_fops);
	fxt_door_create(FXT_SCHED_FILE_RUNDOWN, &fxt_rundown_fops);
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
