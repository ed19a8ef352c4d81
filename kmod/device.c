// SPDX-License-Identifier: GPL-2.0
/*
 * device.c - see device.h, and the uapi header for what processes see.
 *
 * In:  open, ioctl, poll and close of /dev/fxt_sched. Out: sessions, each bound to one open
 * file. The kernel closes the files of a process that dies, so nothing of its session
 * remains, however it dies.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include <linux/fxt_sched.h>

#include "channel.h"
#include "control.h"
#include "device.h"
#include "directory.h"
#include "groups.h"
#include "limits.h"
#include "mark.h"
#include "permission.h"
#include "reason.h"
#include "session.h"
#include "stacks.h"

/* A request without the size of its structure. */
#define FXT_REQUEST(cmd)	((cmd) & ~(_IOC_SIZEMASK << _IOC_SIZESHIFT))

/**
 * struct fxt_device_file - an open file
 * @lock: serializes requests
 * @number: of the session
 * @dir: the session's directory
 * @session: NULL until it is configured, and then constant
 */
struct fxt_device_file {
	struct mutex lock;
	unsigned int number;
	struct dentry *dir;
	struct fxt_session *session;
};

static int fxt_device_open(struct inode *inode, struct file *file)
{
	struct fxt_device_file *f;
	int ret = fxt_permitted();

	if (ret)
		return ret;
	f = kzalloc(sizeof(*f), GFP_KERNEL);
	if (!f)
		return -ENOMEM;
	ret = fxt_limits_take_session();
	if (ret < 0) {
		kfree(f);
		return ret;
	}
	mutex_init(&f->lock);
	f->number = ret;
	file->private_data = f;
	return 0;
}

static int fxt_device_release(struct inode *inode, struct file *file)
{
	struct fxt_device_file *f = file->private_data;
	struct fxt_session *ss = f->session;

	if (ss) {
		fxt_control_stop(ss);
		fxt_control_finish(ss);
		fxt_channels_close(ss);
		debugfs_remove(f->dir);
		fxt_session_put(ss);
	}
	fxt_limits_return_session(f->number);
	kfree(f);
	return 0;
}

/* --- configuration -------------------------------------------------------- */

/* Make the session, its directory and its buffers, or nothing. */
static int fxt_device_make(struct fxt_device_file *f, const struct fxt_config *config,
			   struct fxt_reason *reason)
{
	struct fxt_session *ss = fxt_session_new(config, reason);
	struct dentry *dir;
	int ret;

	if (IS_ERR(ss))
		return PTR_ERR(ss);
	dir = fxt_directory_add(f->number);
	ret = PTR_ERR_OR_ZERO(dir);
	if (ret)
		goto put;
	ret = fxt_channels_open(ss, dir, reason);
	if (ret)
		goto remove;
	f->dir = dir;
	/* Publish what was set up. Pairs with the acquire in fxt_device_poll(). */
	smp_store_release(&f->session, ss);
	return 0;
remove:
	debugfs_remove(dir);
put:
	fxt_session_put(ss);
	return ret;
}

/* Tell the caller why. A buffer that cannot be written does not change the error. */
static void fxt_device_explain(const struct fxt_sched_config *in, struct fxt_reason *reason)
{
	size_t size = min_t(size_t, in->message_size, strlen(reason->text) + 1);

	if (!size || !in->message)
		return;
	reason->text[size - 1] = '\0';
	if (copy_to_user(u64_to_user_ptr(in->message), reason->text, size))
		pr_debug("the buffer for the message cannot be written\n");
}

static int fxt_device_configure(struct fxt_device_file *f, const void __user *arg,
				size_t size)
{
	struct fxt_reason reason = { "" };
	struct fxt_sched_config in;
	struct fxt_config *config;
	int ret;

	if (f->session)
		return -EBUSY;
	ret = copy_struct_from_user(&in, sizeof(in), arg, size);
	if (ret)
		return ret;
	config = kzalloc(sizeof(*config), GFP_KERNEL);
	if (!config)
		return -ENOMEM;
	ret = fxt_config_check(config, &in, &reason);
	if (!ret)
		ret = fxt_groups_check(config->events, &reason);
	if (!ret)
		ret = fxt_stacks_check(config->stacks, &reason);
	if (!ret)
		ret = fxt_device_make(f, config, &reason);
	kfree(config);
	if (ret)
		fxt_device_explain(&in, &reason);
	return ret;
}

/* --- what a session says -------------------------------------------------- */

/* Fields that the caller does not know are cut off, those that we do not know are zero. */
static int fxt_copy_struct_to_user(void __user *arg, size_t size, const void *from,
				   size_t room)
{
	if (copy_to_user(arg, from, min(size, room)))
		return -EFAULT;
	if (size > room && clear_user(arg + room, size - room))
		return -EFAULT;
	return 0;
}

static int fxt_device_status(struct fxt_device_file *f, void __user *arg, size_t size)
{
	const struct fxt_session *ss = f->session;
	struct fxt_sched_status status = {
		.session = f->number,
		.state = (ss->tracing ? FXT_SCHED_RECORDING : 0) |
			 (ss->frozen ? FXT_SCHED_FROZEN : 0),
		.subbuf_size = ss->config.subbuf_size,
		.subbuf_count = ss->config.subbuf_count,
		.clock = ss->clock.id,
		.weight = ss->weight,
		.ticks_per_second = (u64)ss->clock.khz * 1000,
		.now = fxt_clock_now(&ss->clock),
	};

	status.stacks_cut = atomic64_read(&ss->stacks.saved.cut);
	fxt_trigger_get(&ss->trigger, &status.trigger);
	fxt_trigger_get_longest(&ss->trigger, &status.longest);
	return fxt_copy_struct_to_user(arg, size, &status, sizeof(status));
}

static int fxt_device_count(struct fxt_session *ss, void __user *arg, size_t size)
{
	struct fxt_sched_counters counters;
	int ret = copy_struct_from_user(&counters, sizeof(counters), arg, size);

	if (!ret)
		ret = fxt_channels_count(ss, &counters);
	if (!ret)
		ret = fxt_copy_struct_to_user(arg, size, &counters, sizeof(counters));
	return ret;
}

static int fxt_device_mark(struct fxt_session *ss, void __user *arg, size_t size)
{
	struct fxt_sched_mark mark;
	int ret = copy_struct_from_user(&mark, sizeof(mark), arg, size);

	if (!ret)
		ret = fxt_mark_take(ss, &mark);
	if (!ret)
		ret = fxt_copy_struct_to_user(arg, size, &mark, sizeof(mark));
	return ret;
}

/* --- requests ------------------------------------------------------------- */

/* A request to a configured session. Context: fxt_device_file.lock is held. */
static int fxt_device_request(struct fxt_device_file *f, unsigned int cmd, void __user *arg)
{
	struct fxt_session *ss = f->session;

	switch (cmd) {
	case FXT_SCHED_IOC_START:
		return fxt_control_start(ss);
	case FXT_SCHED_IOC_STOP:
		fxt_control_stop(ss);
		return 0;
	case FXT_SCHED_IOC_FREEZE:
		return fxt_control_freeze(ss);
	case FXT_SCHED_IOC_THAW:
		return fxt_control_thaw(ss);
	case FXT_SCHED_IOC_FLUSH:
		fxt_control_flush(ss);
		return 0;
	}
	if (FXT_REQUEST(cmd) == FXT_REQUEST(FXT_SCHED_IOC_STATUS))
		return fxt_device_status(f, arg, _IOC_SIZE(cmd));
	if (FXT_REQUEST(cmd) == FXT_REQUEST(FXT_SCHED_IOC_COUNTERS))
		return fxt_device_count(ss, arg, _IOC_SIZE(cmd));
	if (FXT_REQUEST(cmd) == FXT_REQUEST(FXT_SCHED_IOC_MARK))
		return fxt_device_mark(ss, arg, _IOC_SIZE(cmd));
	return -ENOTTY;
}

static bool fxt_device_knows(unsigned int cmd)
{
	switch (cmd) {
	case FXT_SCHED_IOC_START:
	case FXT_SCHED_IOC_STOP:
	case FXT_SCHED_IOC_FREEZE:
	case FXT_SCHED_IOC_THAW:
	case FXT_SCHED_IOC_FLUSH:
		return true;
	}
	return FXT_REQUEST(cmd) == FXT_REQUEST(FXT_SCHED_IOC_STATUS) ||
	       FXT_REQUEST(cmd) == FXT_REQUEST(FXT_SCHED_IOC_COUNTERS) ||
	       FXT_REQUEST(cmd) == FXT_REQUEST(FXT_SCHED_IOC_MARK);
}

static long fxt_device_ioctl(struct file *file, unsigned int cmd, unsigned long argument)
{
	struct fxt_device_file *f = file->private_data;
	void __user *arg = (void __user *)argument;
	const u64 events = fxt_groups_available();
	const u32 abi = FXT_SCHED_ABI;
	long ret;

	if (cmd == FXT_SCHED_IOC_VERSION)
		return fxt_copy_struct_to_user(arg, sizeof(abi), &abi, sizeof(abi));
	if (cmd == FXT_SCHED_IOC_EVENTS)
		return fxt_copy_struct_to_user(arg, sizeof(events), &events, sizeof(events));
	mutex_lock(&f->lock);
	if (FXT_REQUEST(cmd) == FXT_REQUEST(FXT_SCHED_IOC_CONFIGURE))
		ret = fxt_device_configure(f, arg, _IOC_SIZE(cmd));
	else if (f->session)
		ret = fxt_device_request(f, cmd, arg);
	else
		ret = fxt_device_knows(cmd) ? -EINVAL : -ENOTTY;
	mutex_unlock(&f->lock);
	return ret;
}

static __poll_t fxt_device_poll(struct file *file, poll_table *wait)
{
	struct fxt_device_file *f = file->private_data;
	/* Pairs with the release in fxt_device_make(). */
	struct fxt_session *ss = smp_load_acquire(&f->session);
	__poll_t mask = 0;

	if (!ss)
		return EPOLLERR;
	poll_wait(file, &ss->notify.wait, wait);
	/* Enqueue before the checks. Pairs with wq_has_sleeper() in fxt_notify(). */
	smp_mb();
	if (fxt_channels_wait(ss))
		mask |= EPOLLIN | EPOLLRDNORM;
	if (fxt_trigger_fired(&ss->trigger))
		mask |= EPOLLPRI;
	return mask;
}

static const struct file_operations fxt_device_fops = {
	.owner = THIS_MODULE,
	.open = fxt_device_open,
	.release = fxt_device_release,
	.unlocked_ioctl = fxt_device_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.poll = fxt_device_poll,
	.llseek = noop_llseek,
};

static struct miscdevice fxt_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = FXT_SCHED_DEVICE,
	.fops = &fxt_device_fops,
	.mode = 0600,
};

/**
 * fxt_device_create() - create the device
 *
 * Context: may sleep; once, when the module is loaded, and last: the device can be opened
 * at once.
 *
 * Return: 0, or a negative errno with a line in the kernel log.
 */
int fxt_device_create(void)
{
	int ret = misc_register(&fxt_device);

	if (ret)
		pr_err("cannot create the device %s: error %d\n", FXT_SCHED_DEVICE, ret);
	return ret;
}

/**
 * fxt_device_remove() - undo fxt_device_create()
 *
 * Context: may sleep; the device is not open, because an open file pins the module.
 */
void fxt_device_remove(void)
{
	misc_deregister(&fxt_device);
}
