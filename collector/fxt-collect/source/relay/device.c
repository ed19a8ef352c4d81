// SPDX-License-Identifier: GPL-2.0-or-later
/* device.c - see device.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include <fxt/fxt_catalogue.h>

#include "device.h"
#include "process/privilege.h"

#define DEVICE		"/dev/" FXT_SCHED_DEVICE
#define MODULE_DIR	"/sys/module/" FXT_SCHED_MODULE

/* By kind; with the time-stamp counter, a flag. */
static const __s32 clocks[] = {
	[CLOCK_KIND_BOOT] = CLOCK_BOOTTIME,
	[CLOCK_KIND_MONO] = CLOCK_MONOTONIC,
	[CLOCK_KIND_TSC] = 0,
};

static int not_loaded(struct error *e)
{
	const char *level = lockdown_level();

	if (!level)
		return fail(e, EXIT_NO_SOURCE, -ENODEV,
			    "the module " FXT_SCHED_MODULE " is not loaded: load it (insmod fxt_sched.ko) or record with --source=bpf");
	return fail(e, EXIT_NO_SOURCE, -ENODEV,
		    "the module " FXT_SCHED_MODULE " is not loaded, and under lockdown=%s only a signed one can be: sign it and load it (insmod fxt_sched.ko) or record with --source=bpf",
		    level);
}

/* The device's minor number; -1 if the module has registered none. */
static int find_minor(void)
{
	FILE *f = fopen("/proc/misc", "re");
	char line[128], name[64];
	int minor = -1, n;

	while (f && minor < 0 && fgets(line, sizeof(line), f))
		if (sscanf(line, "%d %63s", &n, name) == 2 && !strcmp(name, FXT_SCHED_DEVICE))
			minor = n;
	if (f)
		fclose(f);
	return minor;
}

/* There is no device of this name, or the name is of another device. */
static int no_device(int err, struct error *e)
{
	int minor;

	if (access(MODULE_DIR, F_OK))
		return not_loaded(e);
	minor = find_minor();
	if (minor < 0)
		return fail(e, EXIT_NO_SOURCE, -EPROTO,
			    "the loaded module " FXT_SCHED_MODULE " is older than this collector, and has no " DEVICE "; load the module that was built with it");
	return fail(e, EXIT_NO_SOURCE, -ENXIO,
		    "the module " FXT_SCHED_MODULE " is loaded, but " DEVICE " cannot be opened: %s; mount devtmpfs on /dev, or run mknod -m 666 " DEVICE " c 10 %d",
		    strerror(err), minor);
}

static int not_permitted(int err, struct error *e)
{
	const char *level = lockdown_level();

	if (level && !strcmp(level, "confidentiality"))
		return fail(e, EXIT_PERMISSION, -err,
			    "cannot open " DEVICE ": %s; lockdown=confidentiality forbids to record this kernel; boot it with lockdown=integrity",
			    strerror(err));
	return fail(e, EXIT_PERMISSION, -err,
		    "cannot open " DEVICE ": %s; run with CAP_PERFMON, which root has (CAP_SYS_ADMIN before Linux 5.8)",
		    strerror(err));
}

static int open_failed(int err, struct error *e)
{
	switch (err) {
	case ENOENT:
	case ENXIO:
	case ENODEV:
		return no_device(err, e);
	case EACCES:
	case EPERM:
		return not_permitted(err, e);
	case EBUSY:
		return fail(e, EXIT_BUSY, -EBUSY,
			    "the module has reached its limit of sessions; end one, raise " MODULE_DIR "/parameters/max_sessions, or use --source=bpf");
	}
	return fail(e, EXIT_FAILED, -err, "cannot open " DEVICE ": %s; see the kernel log (dmesg)",
		    strerror(err));
}

/* A module with another interface has none of these requests. */
static int check_interface(int device, struct error *e)
{
	__u64 events;

	if (!ioctl(device, FXT_SCHED_IOC_EVENTS, &events) && events & FXT_SCHED_EVENTS_MOVES)
		return 0;
	return fail(e, EXIT_NO_SOURCE, -EPROTO,
		    "the loaded module " FXT_SCHED_MODULE " has an older interface than this collector needs; load the module that was built with it");
}

int device_open(struct error *e)
{
	int device = open(DEVICE, O_RDWR | O_CLOEXEC), ret;

	if (device < 0)
		return open_failed(errno, e);
	ret = check_interface(device, e);
	if (!ret)
		return device;
	close(device);
	return ret;
}

uint64_t device_events(int device)
{
	__u64 events = 0;

	ioctl(device, FXT_SCHED_IOC_EVENTS, &events);
	return events | FXT_SCHED_EVENTS_SCHED;
}

/* --- the configuration --------------------------------------------------------------- */

static uint64_t address(const void *p)
{
	return (uintptr_t)p;
}

static void set_filter(struct fxt_sched_config *to, const struct source_filter *f, __u32 *cpus)
{
	size_t cpu;

	for (cpu = 0; f->cpus && cpu < MAX_CPUS; cpu++) {
		if (!f->has_cpu[cpu])
			continue;
		cpus[cpu / 32] |= 1U << cpu % 32;
		to->filter_cpu_words = cpu / 32 + 1;
	}
	if (to->filter_cpu_words)
		to->filter_cpus = address(cpus);
	if (f->pid_count)
		to->filter_pids = address(f->pids);
	to->filter_pid_count = f->pid_count;
	if (f->comm)
		snprintf(to->filter_comm, sizeof(to->filter_comm), "%s", f->comm);
}

/* If the filter has a cgroup, open its directory. */
static int open_cgroup(struct fxt_sched_config *to, const struct source_filter *f,
		       struct error *e)
{
	if (!f->cgroup)
		return 0;
	to->filter_cgroup = open(f->cgroup_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (to->filter_cgroup < 0)
		return fail(e, EXIT_USAGE, -errno,
			    "cannot filter by cgroup %s: %s; use a directory below the root of cgroup v2",
			    f->cgroup, strerror(errno));
	to->flags |= FXT_SCHED_FILTER_CGROUP;
	return 0;
}

/* @why: the module's reason, may be empty. */
static int refused(int err, const char *why, struct error *e)
{
	if (!*why)
		why = err == E2BIG ?
		      "it is older than this collector and does not know all of them; load the module that was built with it" :
		      strerror(err);
	switch (err) {
	case ENOMEM:
		return fail(e, EXIT_FAILED, -err,
			    "the module cannot allocate the buffers: %s; use a smaller --buffer",
			    why);
	case E2BIG:
	case EBADF:
	case ESRCH:
	case EINVAL:
	case EOPNOTSUPP:
		return fail(e, EXIT_USAGE, -err, "the module refused the options: %s", why);
	}
	return fail(e, EXIT_FAILED, -err, "the module cannot create a session: %s", why);
}

int device_configure(int device, const struct source_config *c, struct error *e)
{
	__u32 cpus[MAX_CPUS / 32] = { 0 };
	char why[256] = "";
	struct fxt_sched_config to = {
		.flags = (c->overwrite ? FXT_SCHED_OVERWRITE : 0) |
			 (c->weight == WEIGHT_MODE_PRIO ? FXT_SCHED_PRIORITIES : 0) |
			 (c->weight == WEIGHT_MODE_NONE ? FXT_SCHED_NO_WEIGHTS : 0) |
			 (c->wakeups == WAKEUP_MODE_WAKING ? FXT_SCHED_WAKING : 0) |
			 (c->clock == CLOCK_KIND_TSC ? FXT_SCHED_TSC : 0),
		.clockid = clocks[c->clock],
		.events = (c->events & ~FXT_SCHED_EVENTS_SCHED) | FXT_SCHED_EVENTS_MOVES,
		.subbuf_size = c->subbuf_size,
		.subbuf_count = c->subbuf_count,
		.trigger_latency = c->trigger.limit[FXT_SCHED_CAUSE_LATENCY],
		.trigger_irq = c->trigger.limit[FXT_SCHED_CAUSE_IRQ],
		.trigger_softirq = c->trigger.limit[FXT_SCHED_CAUSE_SOFTIRQ],
		.trigger_blocked = c->trigger.limit[FXT_SCHED_CAUSE_BLOCKED],
		.trigger_sleep = c->trigger.limit[FXT_SCHED_CAUSE_SLEEP],
		.trigger_lock = c->trigger.limit[FXT_SCHED_CAUSE_LOCK],
		.trigger_after = c->trigger.after,
		.trigger_pid = c->trigger.pid,
		.stacks = c->stacks.what & (STACKS_KINDS | STACKS_FRAMES),
		.stacks_depth = c->stacks.what ? c->stacks.depth : 0,
		.stacks_min = c->stacks.what & STACKS_EVENTS ? c->stacks.min : 0,
		.stacks_hz = c->stacks.what & STACKS_ONCPU ? c->stacks.hz : 0,
		.message = address(why),
		.message_size = sizeof(why),
	};
	int ret = 0;

	if (c->trigger.comm)
		snprintf(to.trigger_comm, sizeof(to.trigger_comm), "%s", c->trigger.comm);
	if (c->filter) {
		set_filter(&to, c->filter, cpus);
		ret = open_cgroup(&to, c->filter, e);
	}
	if (ret)
		return ret;
	if (ioctl(device, FXT_SCHED_IOC_CONFIGURE, &to))
		ret = refused(errno, why, e);
	if (to.flags & FXT_SCHED_FILTER_CGROUP)
		close(to.filter_cgroup);
	return ret;
}

/* --- the configured session ---------------------------------------------------------- */

int device_control(int device, unsigned long request, const char *what, struct error *e)
{
	if (!ioctl(device, request))
		return 0;
	return fail(e, EXIT_FAILED, -errno,
		    "the module cannot %s the recording: %s; see the kernel log (dmesg)", what,
		    strerror(errno));
}

int device_stream(int device, uint32_t kind, uint32_t cpu)
{
	struct fxt_sched_stream stream = { .cpu = cpu, .kind = kind };
	int fd = ioctl(device, FXT_SCHED_IOC_STREAM, &stream);

	return fd < 0 ? -errno : fd;
}

struct fxt_sched_status device_status(int device)
{
	struct fxt_sched_status status = { 0 };

	ioctl(device, FXT_SCHED_IOC_STATUS, &status);
	return status;
}

int device_limits(int device, const struct raised_limit *limits, unsigned int count,
		  uint64_t *ignored, struct error *e)
{
	struct fxt_sched_limits to = { 0 };

	for (; to.count < count && to.count < FXT_SCHED_LIMITS_MAX; to.count++)
		to.limits[to.count] = (struct fxt_sched_limit){
			.cause = limits[to.count].cause,
			.user = limits[to.count].users.first,
			.last_user = limits[to.count].users.last,
			.limit = limits[to.count].limit,
		};
	if (ioctl(device, FXT_SCHED_IOC_LIMITS, &to))
		return fail(e, EXIT_FAILED, -errno,
			    "the module cannot change the limits of users: %s; load the module of this version",
			    strerror(errno));
	*ignored = to.ignored;
	return 0;
}

int device_counters(int device, struct fxt_sched_counters *c)
{
	return ioctl(device, FXT_SCHED_IOC_COUNTERS, c) ? -errno : 0;
}

void device_flush(int device)
{
	ioctl(device, FXT_SCHED_IOC_FLUSH);
}

int device_marks(int device, size_t cpus, source_mark_fn take, void *arg, struct error *e)
{
	size_t cpu;

	for (cpu = 0; cpu < cpus; cpu++) {
		struct fxt_sched_mark mark = { .cpu = cpu };

		if (!ioctl(device, FXT_SCHED_IOC_MARK, &mark))
			take(arg, &(struct source_mark){ mark.time, mark.cpu, mark.thread,
							 mark.weight, mark.steal });
		else if (errno != ENXIO && errno != ENODATA && errno != EINVAL)
			return fail(e, EXIT_FAILED, -errno,
				    "cannot ask the module which thread has CPU %zu: %s; load the module that was built with this collector",
				    cpu, strerror(errno));
	}
	return 0;
}
