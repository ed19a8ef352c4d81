// SPDX-License-Identifier: GPL-2.0-only
/*
 * device.c - the module fxt_sched and its device. The uapi header describes the interface.
 *
 * In:  open, ioctl, poll and close of /dev/fxt_sched.
 * Out: sessions, each of one open file: registered probes, a recording, buffers that can be read.
 *      The kernel closes the files of a process that dies, so nothing of its session remains.
 *      Without a session the module costs nothing.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/capability.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/ktime.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/nodemask.h>
#include <linux/poll.h>
#include <linux/refcount.h>
#include <linux/security.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include <linux/fxt_sched.h>

#include "probes.h"
#include "session.h"
#include "util.h"

#define FXT_CLOSE_WAIT_MS	250

/* A request without the size of its structure. */
#define FXT_REQUEST(cmd)	((cmd) & ~(_IOC_SIZEMASK << _IOC_SIZESHIFT))

/* The first versions are final: new fields come after them. */
static_assert(sizeof(struct fxt_sched_stream) == FXT_SCHED_STREAM_SIZE_VER0);
static_assert(sizeof(struct fxt_sched_status) == FXT_SCHED_STATUS_SIZE_VER0);
static_assert(sizeof(struct fxt_sched_counters) == FXT_SCHED_COUNTERS_SIZE_VER0);
static_assert(offsetof(struct fxt_sched_mark, steal) == FXT_SCHED_MARK_SIZE_VER0);
static_assert(sizeof(struct fxt_sched_limits) == FXT_SCHED_LIMITS_SIZE_VER0);

/*
 * --- starting, stopping, freezing and thawing ---
 *
 * Context of all functions: may sleep; the calls for one session are serialized by
 * fxt_device_file.lock.
 */

/*
 * For each probe the kernel patches its code in some places, and for each place it interrupts all
 * CPUs three times and waits; ten probes took 90 interrupts in 6.1. Each time, the caller would
 * lose its CPU to the load that it wants to record. So threads of this queue do it, with the
 * highest priority below real time. They run on any CPU, so real-time threads that own some CPUs
 * hardly delay them. channel.c makes buffers in it, on CPUs of a node. Emptied before the module
 * goes.
 */
struct workqueue_struct *fxt_wq;

static void fxt_control_work(struct work_struct *work)
{
	struct fxt_session *ss = container_of(work, struct fxt_session, work);
	unsigned int asked = READ_ONCE(ss->asked);
	bool wanted = asked % 2;

	if (wanted && !ss->registered) {
		ss->error = fxt_probes_start(ss);
		ss->registered = !ss->error;
	} else if (!wanted && ss->registered) {
		fxt_probes_stop(ss);
		fxt_probes_finish(ss);
		ss->registered = false;
	}
	/* Pairs with the acquire in fxt_control_is_done(). */
	smp_store_release(&ss->served, asked);
	wake_up(&ss->serving);
}

/* Request that the probes are registered, or unregistered, in turn. */
static void fxt_control_ask(struct fxt_session *ss)
{
	WRITE_ONCE(ss->asked, ss->asked + 1);
	queue_work(fxt_wq, &ss->work);
}

static bool fxt_control_is_done(const struct fxt_session *ss)
{
	/* Pairs with the release in fxt_control_work(). */
	return smp_load_acquire(&ss->served) == ss->asked;
}

/*
 * Wait until that is done. Workers run on CPUs of the caller's node; if real-time threads own
 * these, another node does it.
 *
 * Waits with a limit use high-resolution timers. Other timers expire in soft interrupts, which a
 * CPU may leave to ksoftirqd, and a real-time thread can keep that from running. With PREEMPT_RT
 * this helps real-time callers only: the timers of others expire in soft interrupts.
 *
 * Return: 0, or -ERESTARTSYS if the caller is killed.
 */
static int fxt_control_wait(struct fxt_session *ss)
{
	int node = numa_node_id(), ret;

	for (;;) {
		ret = __wait_event_hrtimeout(ss->serving, fxt_control_is_done(ss),
					     ms_to_ktime(FXT_NODE_WAIT_MS), TASK_KILLABLE);
		if (ret != -ETIME)
			return ret;
		/* Do not wait for one that has begun. */
		if (num_online_nodes() == 1 || work_busy(&ss->work) != WORK_BUSY_PENDING ||
		    !cancel_work_sync(&ss->work))
			continue;
		node = next_node_in(node, node_online_map);
		queue_work_node(node, fxt_wq, &ss->work);
	}
}

/* Context: as above; nothing is recorded. */
static void fxt_recording_start(struct fxt_session *ss)
{
	if (ss->config.overwrite)
		fxt_channels_resume(ss);
	fxt_trigger_arm(&ss->trigger);
	fxt_recording_begin(&ss->recording, fxt_clock_now(&ss->clock));
	fxt_watch_start(ss);
}

/*
 * End the recording, and complete the open sub-buffers. This waits for interrupts, not for a grace
 * period.
 */
static void fxt_recording_stop(struct fxt_session *ss)
{
	fxt_watch_stop(ss);
	fxt_recording_cut(&ss->recording, fxt_clock_now(&ss->clock));
	fxt_probes_fence();
	fxt_recording_close(&ss->recording);
	if (ss->config.overwrite)
		fxt_channels_quiesce(ss);
	fxt_channels_flush(ss);
}

/*
 * If the session was stopped before, this waits for its last probes, as long as a grace period
 * takes. The kernel itself does so since 5.15 before it replaces a tracepoint's only probe
 * (tracepoint.c: tp_rcu_cond_sync()).
 *
 * Return: 0; -EBUSY if it is started or frozen; -ERESTARTSYS if the caller is killed; or the error
 * of fxt_probes_start().
 */
static int fxt_control_start(struct fxt_session *ss)
{
	int ret;

	if (ss->started || ss->frozen)
		return -EBUSY;
	ret = fxt_control_wait(ss);
	if (ret)
		return ret;
	WRITE_ONCE(ss->naming, true);
	fxt_control_ask(ss);
	ret = fxt_control_wait(ss);
	if (!ret)
		ret = ss->error;
	if (ret) {
		WRITE_ONCE(ss->naming, false);
		fxt_control_ask(ss);
		return ret;
	}
	ss->started = true;
	fxt_recording_start(ss);
	return 0;
}

/* On return nothing is recorded any more; the probes are unregistered meanwhile. */
static int fxt_control_stop(struct fxt_session *ss)
{
	if (!ss->started)
		return 0;
	WRITE_ONCE(ss->naming, false);
	fxt_recording_stop(ss);
	fxt_control_ask(ss);
	ss->started = false;
	return 0;
}

/*
 * Overwrite mode: pause the recording and make it readable. The probes stay, because threads
 * continue to sleep and wake.
 *
 * Return: 0; -EINVAL if not in overwrite mode; -EBUSY if it is not started, or frozen.
 */
static int fxt_control_freeze(struct fxt_session *ss)
{
	if (!ss->config.overwrite)
		return -EINVAL;
	if (!ss->started || ss->frozen)
		return -EBUSY;
	fxt_recording_stop(ss);
	ss->frozen = true;
	return 0;
}

/*
 * Drop unread records, and resume the recording. If it was stopped meanwhile, everything stays
 * readable. Return: 0, or -EBUSY if it is not frozen.
 */
static int fxt_control_thaw(struct fxt_session *ss)
{
	if (!ss->frozen)
		return -EBUSY;
	ss->frozen = false;
	if (ss->started)
		fxt_recording_start(ss);
	return 0;
}

/* Make readable what was recorded until now. */
static int fxt_control_flush(struct fxt_session *ss)
{
	/* A probe may be about to open a sub-buffer. */
	fxt_probes_fence();
	fxt_channels_flush(ss);
	return 0;
}

/* --- opening and closing --- */

/*
 * May the current process observe all others? The file's mode is not enough: root without its
 * capabilities must not trace. A kernel that is locked down for confidentiality hides its activity
 * from all users, as tracefs does.
 *
 * Context: may sleep; security modules are asked, and may log it. Return: 0 or -EPERM.
 */
static int fxt_permitted(void)
{
	if (!perfmon_capable())
		return -EPERM;
	return security_locked_down(LOCKDOWN_TRACEFS);
}

struct fxt_device_file {
	struct mutex lock;
	struct fxt_session *session;	/* NULL until it is configured, then constant */
	/* frees the session after the file was closed and the last probe has returned */
	struct work_struct end;
	wait_queue_head_t ending;	/* for those who wait for @ended */
	bool ended;			/* published by @end */
	refcount_t users;		/* the open file, and @end */
};

static void fxt_device_file_put(struct fxt_device_file *f)
{
	if (refcount_dec_and_test(&f->users))
		kfree(f);
}

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
	refcount_set(&f->users, 1);
	file->private_data = f;
	return 0;
}

static void fxt_device_end_work(struct work_struct *work)
{
	struct fxt_device_file *f = container_of(work, struct fxt_device_file, end);

	flush_work(&f->session->work);
	fxt_channels_close(f->session);
	fxt_session_put(f->session);
	fxt_limits_return_session();
	/* Pairs with the acquire in fxt_device_end(). */
	smp_store_release(&f->ended, true);
	wake_up(&f->ending);
	fxt_device_file_put(f);
}

/*
 * A grace period takes some ms, but a real-time thread can delay it without limit, so closing waits
 * at most FXT_CLOSE_WAIT_MS. Memory is mostly returned by then: who closes a session may make
 * another of the same size.
 */
static void fxt_device_end(struct fxt_device_file *f)
{
	fxt_control_stop(f->session);
	fxt_channels_end(f->session);
	init_waitqueue_head(&f->ending);
	INIT_WORK(&f->end, fxt_device_end_work);
	refcount_inc(&f->users);
	queue_work(fxt_wq, &f->end);
	/* Pairs with the release in fxt_device_end_work(). */
	wait_event_hrtimeout(f->ending, smp_load_acquire(&f->ended),
			     ms_to_ktime(FXT_CLOSE_WAIT_MS));
}

static int fxt_device_release(struct inode *inode, struct file *file)
{
	struct fxt_device_file *f = file->private_data;

	if (f->session)
		fxt_device_end(f);
	else
		fxt_limits_return_session();
	fxt_device_file_put(f);
	return 0;
}

/* --- configuration -------------------------------------------------------- */

/* All or nothing. */
static int fxt_device_make(struct fxt_device_file *f, const struct fxt_config *config,
			   struct fxt_reason *reason)
{
	struct fxt_session *ss = fxt_session_new(config, reason);
	int ret;

	if (IS_ERR(ss))
		return PTR_ERR(ss);
	INIT_WORK(&ss->work, fxt_control_work);
	ret = fxt_channels_open(ss, reason);
	if (ret) {
		fxt_session_put(ss);
		return ret;
	}
	/* Pairs with the acquire in fxt_device_poll(). */
	smp_store_release(&f->session, ss);
	return 0;
}

/* If the buffer cannot be written, the error stays the same. */
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
	if (size < FXT_SCHED_CONFIG_SIZE_VER0)
		return -EINVAL;
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

/* --- state and counters of a session -------------------------------------------------- */

/* Omit fields that the caller does not know; zero those that the module does not know. */
static int fxt_copy_struct_to_user(void __user *arg, size_t size, const void *from,
				   size_t room)
{
	if (copy_to_user(arg, from, min(size, room)))
		return -EFAULT;
	if (size > room && clear_user(arg + room, size - room))
		return -EFAULT;
	return 0;
}

static int fxt_device_status(struct fxt_session *ss, void *arg)
{
	struct fxt_sched_status *status = arg;

	status->state = (ss->started ? FXT_SCHED_STARTED : 0) |
			(ss->frozen ? FXT_SCHED_FROZEN : 0);
	status->ticks_per_second = (u64)ss->clock.khz * 1000;
	status->now = fxt_clock_now(&ss->clock);
	status->user_stacks_dropped = atomic64_read(&ss->saved_stacks.dropped);
	status->sleep_stacks_dropped = READ_ONCE(ss->sleep_stacks_dropped);
	fxt_trigger_get(&ss->trigger, status);
	fxt_trigger_get_longest(&ss->trigger, &status->longest);
	return 0;
}

static int fxt_device_count(struct fxt_session *ss, void *arg)
{
	return fxt_channels_count(ss, arg);
}

static int fxt_device_limits(struct fxt_session *ss, void *arg)
{
	return fxt_trigger_set_limits(&ss->trigger, &ss->clock, arg);
}

static int fxt_device_mark(struct fxt_session *ss, void *arg)
{
	return fxt_mark_read(ss, arg);
}

static struct file *fxt_device_file_of(struct fxt_session *ss, const struct fxt_sched_stream *s)
{
	if (s->kind != FXT_SCHED_STREAM_RUNDOWN)
		return fxt_channels_file(ss, s->kind, s->cpu);
	return s->cpu ? ERR_PTR(-EINVAL) : fxt_rundown_file(ss);
}

/* Return: a descriptor or a negative errno. */
static int fxt_device_stream(struct fxt_session *ss, void *arg)
{
	struct file *file;
	int fd = get_unused_fd_flags(O_CLOEXEC);

	if (fd < 0)
		return fd;
	file = fxt_device_file_of(ss, arg);
	if (IS_ERR(file)) {
		put_unused_fd(fd);
		return PTR_ERR(file);
	}
	fd_install(fd, file);
	return fd;
}

/* --- requests ------------------------------------------------------------- */

struct fxt_request {
	unsigned int cmd;
	int (*control)(struct fxt_session *ss);			/* without a structure */
	/* for requests with one, of which the module knows @size bytes */
	int (*serve)(struct fxt_session *ss, void *arg);
	size_t size;
	size_t ver0;			/* of its first version */
};

union fxt_request_arg {
	struct fxt_sched_status status;
	struct fxt_sched_stream stream;
	struct fxt_sched_counters counters;
	struct fxt_sched_mark mark;
	struct fxt_sched_limits limits;
};

#define FXT_STRUCT_REQUEST(name, func)						\
	{ FXT_SCHED_IOC_##name, .serve = (func), .size = _IOC_SIZE(FXT_SCHED_IOC_##name),\
	  .ver0 = FXT_SCHED_##name##_SIZE_VER0 }

static const struct fxt_request fxt_requests[] = {
	{ FXT_SCHED_IOC_START, fxt_control_start },
	{ FXT_SCHED_IOC_STOP, fxt_control_stop },
	{ FXT_SCHED_IOC_FREEZE, fxt_control_freeze },
	{ FXT_SCHED_IOC_THAW, fxt_control_thaw },
	{ FXT_SCHED_IOC_FLUSH, fxt_control_flush },
	FXT_STRUCT_REQUEST(STREAM, fxt_device_stream),
	FXT_STRUCT_REQUEST(MARK, fxt_device_mark),
	FXT_STRUCT_REQUEST(LIMITS, fxt_device_limits),
	FXT_STRUCT_REQUEST(STATUS, fxt_device_status),
	FXT_STRUCT_REQUEST(COUNTERS, fxt_device_count),
};

static const struct fxt_request *fxt_request_find(unsigned int cmd)
{
	const struct fxt_request *r = fxt_requests;

	for (; r < fxt_requests + ARRAY_SIZE(fxt_requests); r++)
		if (cmd == r->cmd || (r->serve && FXT_REQUEST(cmd) == FXT_REQUEST(r->cmd)))
			return r;
	return NULL;
}

/*
 * The structure may be of another version of the interface. Context: fxt_device_file.lock is held.
 */
static int fxt_request_serve(struct fxt_session *ss, const struct fxt_request *r,
			     void __user *arg, size_t size)
{
	union fxt_request_arg in = { };
	int ret = size < r->ver0 ? -EINVAL : 0;

	if (r->control)
		return r->control(ss);
	if (!ret && _IOC_DIR(r->cmd) & _IOC_WRITE)
		ret = copy_struct_from_user(&in, r->size, arg, size);
	if (!ret)
		ret = r->serve(ss, &in);
	if (!ret && _IOC_DIR(r->cmd) & _IOC_READ)
		ret = fxt_copy_struct_to_user(arg, size, &in, r->size);
	return ret;
}

static long fxt_device_ioctl(struct file *file, unsigned int cmd, unsigned long argument)
{
	struct fxt_device_file *f = file->private_data;
	void __user *arg = (void __user *)argument;
	const struct fxt_request *request = fxt_request_find(cmd);
	const u64 events = fxt_groups_available();
	long ret;

	if (cmd == FXT_SCHED_IOC_EVENTS)
		return copy_to_user(arg, &events, sizeof(events)) ? -EFAULT : 0;
	/* The owner may wait for memory of a process, as long as that likes. */
	if (mutex_lock_killable(&f->lock))
		return -EINTR;
	if (FXT_REQUEST(cmd) == FXT_REQUEST(FXT_SCHED_IOC_CONFIGURE))
		ret = fxt_device_configure(f, arg, _IOC_SIZE(cmd));
	else if (!request)
		ret = -ENOTTY;
	else if (!f->session)
		ret = -EINVAL;
	else
		ret = fxt_request_serve(f->session, request, arg, _IOC_SIZE(cmd));
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
	/* fxt_device_open() checks who may open it. */
	.mode = 0666,
};

/* --- the module --- */

static int __init fxt_init(void)
{
	int ret = fxt_probes_find();

	if (ret)
		return ret;
	ret = fxt_channels_init();
	if (ret)
		return ret;
	ret = fxt_samples_init();
	if (ret)
		goto no_samples;
	fxt_wq = alloc_workqueue(KBUILD_MODNAME, WQ_UNBOUND | WQ_HIGHPRI, 0);
	if (!fxt_wq) {
		ret = -ENOMEM;
		goto no_queue;
	}
	/* Last, because the device can be opened at once. */
	ret = misc_register(&fxt_device);
	if (!ret)
		return 0;
	pr_err("cannot create the device %s: error %d\n", FXT_SCHED_DEVICE, ret);
	destroy_workqueue(fxt_wq);
no_queue:
	fxt_samples_exit();
no_samples:
	fxt_channels_exit();
	return ret;
}

static void __exit fxt_exit(void)
{
	/* Open files would pin the module, so there are none; but sessions may be about to end. */
	misc_deregister(&fxt_device);
	destroy_workqueue(fxt_wq);
	fxt_samples_exit();
	fxt_channels_exit();
}

module_init(fxt_init);
module_exit(fxt_exit);

MODULE_DESCRIPTION("Scheduler tracer that writes Fuchsia trace records");
MODULE_LICENSE("GPL");
