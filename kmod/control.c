// SPDX-License-Identifier: GPL-2.0
/*
 * control.c - the files that control a recording: one session at a time, bound to an open
 * file.
 *
 * In:  opening and closing of the files "session", "tracing" and "freeze". Out: buffers
 * that exist while the first is open, probes that are registered while the second is
 * open, and a recording that is off while the third is open.
 *
 * The kernel closes the files of a collector that dies, so nothing of its session
 * remains, whatever the order. The files are read-only, and to open them is the only
 * control: that also works on a locked-down kernel.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>

#include <linux/fxt_sched.h>

#include "channel.h"
#include "compat.h"
#include "control.h"
#include "probes.h"
#include "rundown.h"
#include "session.h"

static struct dentry *fxt_dir;
static DEFINE_MUTEX(fxt_session_lock);
/* The only session, or NULL; under fxt_session_lock. */
static struct fxt_session *fxt_session;

static int fxt_session_show(struct seq_file *m, void *v)
{
	struct fxt_session *ss = m->private;

	seq_printf(m, "abi %u\n", FXT_SCHED_ABI);
	seq_printf(m, "clock %s\n", fxt_clock_names[ss->clock.id]);
	seq_printf(m, "weight %s\n", fxt_weight_names[ss->weight]);
	seq_printf(m, "ticks_per_second %llu\n", (u64)ss->clock.khz * 1000);
	seq_printf(m, "subbuf_size %u\n", ss->params.subbuf_size);
	seq_printf(m, "subbuf_count %u\n", ss->params.subbuf_count);
	seq_printf(m, "tracing %d\n", READ_ONCE(ss->tracing));
	seq_printf(m, "now %llu\n", fxt_clock_now(&ss->clock));
	fxt_streams_show(m, ss, ss->cpus);
	fxt_streams_show(m, ss, ss->names);
	fxt_params_show(m, &ss->params);
	mutex_lock(&fxt_session_lock);
	seq_printf(m, "frozen %d\n", ss->frozen);
	fxt_trigger_show(m, &ss->trigger);
	mutex_unlock(&fxt_session_lock);
	return 0;
}

/* Make a session and its buffers. */
static struct fxt_session *fxt_session_create(void)
{
	struct fxt_session *ss = fxt_session_new();
	int ret;

	if (IS_ERR(ss))
		return ss;
	ret = fxt_channels_open(ss, fxt_dir);
	if (!ret)
		return ss;
	fxt_session_put(ss);
	return ERR_PTR(ret);
}

static int fxt_session_open(struct inode *inode, struct file *file)
{
	struct fxt_session *ss;
	int ret = -EBUSY;

	mutex_lock(&fxt_session_lock);
	if (fxt_session)
		goto out;
	ss = fxt_session_create();
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

/* Begin to write records. Context: under fxt_session_lock; nothing is recorded. */
static void fxt_recording_start(struct fxt_session *ss)
{
	if (ss->params.overwrite)
		fxt_channels_resume(ss);
	fxt_trigger_arm(&ss->trigger, fxt_clock_now(&ss->clock));
	fxt_recording_begin(&ss->recording);
}

/*
 * Everything recorded is in the buffers: let it be read. Context: under fxt_session_lock;
 * no probe runs that began before the cut.
 */
static void fxt_recording_quiesce(struct fxt_session *ss)
{
	fxt_recording_close(&ss->recording);
	if (ss->params.overwrite)
		fxt_channels_quiesce(ss);
}

static int fxt_tracing_start(struct fxt_session *ss)
{
	int ret;

	lockdep_assert_held(&fxt_session_lock);
	ret = fxt_probes_start(ss);
	if (ret)
		return ret;
	WRITE_ONCE(ss->tracing, true);
	fxt_recording_start(ss);
	return 0;
}

static void fxt_tracing_stop(struct fxt_session *ss)
{
	lockdep_assert_held(&fxt_session_lock);
	if (!ss->tracing)
		return;
	fxt_recording_cut(&ss->recording, fxt_clock_now(&ss->clock));
	fxt_probes_stop(ss);
	fxt_recording_quiesce(ss);
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
		/* The probes stay, because threads continue to sleep and wake. */
		fxt_recording_cut(&ss->recording, fxt_clock_now(&ss->clock));
		fxt_probes_wait();
		fxt_recording_quiesce(ss);
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
		fxt_recording_start(ss);
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
 * The files are opened through a proxy, which checks the capability and takes the
 * reference to the module.
 *
 * The file's mode is not enough: a process with root's id that has dropped its
 * capabilities must not be able to trace all others.
 *
 * debugfs would take the reference if the file had an owner. But delete_module() drops
 * the last reference before it marks the module as going, and debugfs warns about an
 * owner that cannot be referenced and is not marked, because it looks like a module that
 * left its files behind. An open can hit that window. The module stays loaded until this
 * function returns, because debugfs_remove() waits for it.
 */
static int fxt_proxy_open(struct inode *inode, struct file *file)
{
	const struct file_operations *fops = inode->i_private;

	if (!fxt_may_trace())
		return -EPERM;
	if (!fops_get(fops))
		return -ENXIO;
	replace_fops(file, fops);
	return fops->open(inode, file);
}

static const struct file_operations fxt_proxy_fops = {
	.open = fxt_proxy_open,
};

/* debugfs_create_file_unsafe() suffices: an open file pins the module, and so itself. */
static void fxt_proxy_create(const char *name, const struct file_operations *fops)
{
	debugfs_create_file_unsafe(name, 0400, fxt_dir, (void *)fops, &fxt_proxy_fops);
}

/**
 * fxt_control_create() - create the module's directory and files
 *
 * Context: may sleep; once, when the module is loaded.
 *
 * Return: 0, or a negative errno with a line in the kernel log.
 */
int fxt_control_create(void)
{
	fxt_dir = debugfs_create_dir(FXT_SCHED_DIR, NULL);
	if (IS_ERR(fxt_dir)) {
		pr_err("cannot create debugfs directory %s: error %ld; is debugfs enabled?\n",
		       FXT_SCHED_DIR, PTR_ERR(fxt_dir));
		return PTR_ERR(fxt_dir);
	}
	fxt_proxy_create(FXT_SCHED_FILE_SESSION, &fxt_session_fops);
	fxt_proxy_create(FXT_SCHED_FILE_TRACING, &fxt_tracing_fops);
	fxt_proxy_create(FXT_SCHED_FILE_FREEZE, &fxt_freeze_fops);
	fxt_proxy_create(FXT_SCHED_FILE_RUNDOWN, &fxt_rundown_fops);
	return 0;
}

/**
 * fxt_control_remove() - undo fxt_control_create()
 *
 * Context: may sleep; no file is open, because an open file pins the module.
 */
void fxt_control_remove(void)
{
	debugfs_remove(fxt_dir);
}
