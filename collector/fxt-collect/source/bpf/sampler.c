// SPDX-License-Identifier: GPL-2.0-or-later
/* sampler.c - see sampler.h. */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sampler.h"
#include "source/cpus.h"

/*
 * The timer of a software clock: virtual machines have it, too, and its hard interrupt is no NMI,
 * in which programs could not write. Return: a descriptor or a negative errno
 */
static int open_event(const struct sampler *s, unsigned int cpu)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = s->period, .exclude_idle = 1,
	};
	int fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC), err;

	if (fd < 0)
		return -errno;
	if (!ioctl(fd, PERF_EVENT_IOC_SET_BPF, s->program))
		return fd;
	err = -errno;
	close(fd);
	return err;
}

/* A CPU that the filter hides is not interrupted: it may be isolated. */
static bool is_sampled(const struct sampler *s, unsigned int cpu)
{
	return !s->filter || !s->filter->cpus || s->filter->has_cpu[cpu];
}

/* A CPU without an event does not keep others from one. Return: 0 or the first error */
static int follow(struct sampler *s)
{
	struct cpus online;
	unsigned int i;
	int ret = 0;

	cpus_read("online", &online);
	if (!online.count)
		return -ENOENT;
	for (i = 0; i < s->cpu_count; i++) {
		if (!online.has[i] && s->events[i] >= 0) {
			close(s->events[i]);
			s->events[i] = -1;
		} else if (online.has[i] && s->events[i] < 0 && is_sampled(s, i)) {
			s->events[i] = open_event(s, i);
			/* -ENODEV: the CPU has gone offline again. */
			if (s->events[i] < 0 && s->events[i] != -ENODEV && !ret)
				ret = s->events[i];
		}
	}
	return ret;
}

int sampler_open(struct sampler *s, int program, uint64_t period, unsigned int cpu_count,
		 const struct source_filter *filter, struct error *e)
{
	int *events = malloc(cpu_count * sizeof(*events)), ret;

	if (!events)
		return fail(e, EXIT_FAILED, -ENOMEM, "no memory for the events of %u CPUs",
			    cpu_count);
	memset(events, 0xff, cpu_count * sizeof(*events));
	*s = (struct sampler){ events, cpu_count, filter, program, period };
	ret = follow(s);
	if (!ret)
		return 0;
	sampler_close(s);
	if (ret == -ENOENT)
		return fail(e, EXIT_NO_SOURCE, ret,
			    "--stacks oncpu: /sys/devices/system/cpu/online: not a list of CPUs; mount sysfs on /sys");
	return fail(e, EXIT_NO_SOURCE, ret,
		    "--stacks oncpu: the kernel refuses a perf event with a BPF program: %s; omit oncpu, or use the module",
		    strerror(-ret));
}

int sampler_follow(struct sampler *s)
{
	return s->events ? follow(s) : 0;
}

void sampler_close(struct sampler *s)
{
	unsigned int i;

	for (i = 0; i < s->cpu_count; i++)
		if (s->events[i] >= 0)
			close(s->events[i]);
	free(s->events);
	*s = (struct sampler){ 0 };
}
