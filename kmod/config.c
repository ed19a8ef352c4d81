// SPDX-License-Identifier: GPL-2.0
/*
 * config.c - see config.h.
 *
 * In:  struct fxt_sched_config as a process passed it.
 * Out: struct fxt_config, or why it is refused.
 */
#include <linux/bitops.h>
#include <linux/pid.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/threads.h>
#include <linux/uaccess.h>

#include <fxt/fxt_glob.h>
#include <fxt/fxt_sched_stack.h>

#include "clock.h"
#include "config.h"
#include "util.h"

static_assert(FXT_SCHED_PATTERN_SIZE == FXT_GLOB_TEXT);

static_assert(sizeof(struct fxt_sched_config) == FXT_SCHED_CONFIG_SIZE_VER0);

#define FXT_FLAGS	(FXT_SCHED_OVERWRITE | FXT_SCHED_FILTER_CGROUP |		\
			 FXT_SCHED_PRIORITIES | FXT_SCHED_NO_WEIGHTS | FXT_SCHED_WAKING)
#define FXT_STACKS_KINDS	(FXT_SCHED_STACKS_OFFCPU | FXT_SCHED_STACKS_PREEMPT |	\
				 FXT_SCHED_STACKS_WAKE)
#define FXT_STACKS_FRAMES	(FXT_SCHED_STACKS_KERNEL | FXT_SCHED_STACKS_USER)

static int fxt_check_known(const struct fxt_sched_config *in, struct fxt_reason *reason)
{
	if (in->flags & ~FXT_FLAGS)
		return fxt_refuse(reason, -EINVAL, "flags: the module does not know 0x%x",
				  in->flags & ~FXT_FLAGS);
	if (in->reserved)
		return fxt_refuse(reason, -EINVAL, "reserved must be 0");
	return 0;
}

static int fxt_take_buffers(struct fxt_config *config, const struct fxt_sched_config *in,
			    struct fxt_reason *reason)
{
	config->subbuf_size = in->subbuf_size;
	config->subbuf_count = in->subbuf_count;
	if (!config->subbuf_size || config->subbuf_size % PAGE_SIZE ||
	    config->subbuf_size > FXT_SCHED_SUBBUF_SIZE_MAX)
		return fxt_refuse(reason, -EINVAL,
				  "subbuf_size must be a multiple of %lu bytes, at most %u",
				  PAGE_SIZE, FXT_SCHED_SUBBUF_SIZE_MAX);
	if (config->subbuf_count < FXT_SCHED_SUBBUF_COUNT_MIN ||
	    config->subbuf_count > FXT_SCHED_SUBBUF_COUNT_MAX)
		return fxt_refuse(reason, -EINVAL, "subbuf_count must be from %u to %u",
				  FXT_SCHED_SUBBUF_COUNT_MIN, FXT_SCHED_SUBBUF_COUNT_MAX);
	if ((u64)config->subbuf_size * config->subbuf_count > FXT_SCHED_BUFFER_SIZE_MAX)
		return fxt_refuse(reason, -ENOMEM,
				  "%u sub-buffers of %u bytes are more than %u KiB per CPU",
				  config->subbuf_count, config->subbuf_size,
				  FXT_SCHED_BUFFER_SIZE_MAX >> 10);
	return 0;
}

static int fxt_take_content(struct fxt_config *config, const struct fxt_sched_config *in,
			    struct fxt_reason *reason)
{
	if (in->clockid != CLOCK_BOOTTIME && in->clockid != CLOCK_MONOTONIC &&
	    in->clockid != FXT_SCHED_CLOCK_TSC)
		return fxt_refuse(reason, -EINVAL,
				  "clockid must be CLOCK_BOOTTIME, CLOCK_MONOTONIC or FXT_SCHED_CLOCK_TSC, not %d",
				  in->clockid);
	config->clockid = in->clockid;
	config->priorities = in->flags & FXT_SCHED_PRIORITIES;
	config->form = in->flags & (FXT_SCHED_NO_WEIGHTS | FXT_SCHED_WAKING);
	if (config->priorities && in->flags & FXT_SCHED_NO_WEIGHTS)
		return fxt_refuse(reason, -EINVAL,
				  "flags: FXT_SCHED_PRIORITIES excludes FXT_SCHED_NO_WEIGHTS");
	if (!fxt_clock_is_usable(config->clockid))
		return fxt_refuse(reason, -EOPNOTSUPP,
				  "clockid: this machine has no time-stamp counter that is reliable across CPUs");
	config->overwrite = in->flags & FXT_SCHED_OVERWRITE;
	config->events = in->events;
	return 0;
}

static int fxt_take_pattern(char *pattern, const char *in, const char *name,
			    struct fxt_reason *reason)
{
	struct fxt_glob *glob = kmalloc(sizeof(*glob), GFP_KERNEL);
	bool valid;

	if (!glob)
		return -ENOMEM;
	valid = strnlen(in, FXT_SCHED_PATTERN_SIZE) < FXT_SCHED_PATTERN_SIZE &&
		!fxt_glob_compile(glob, in);
	kfree(glob);
	if (!valid)
		return fxt_refuse(reason, -EINVAL,
				  "%s must be a pattern of at most %u bytes, with a ] for each [, that can match names of at most %u bytes",
				  name, FXT_SCHED_PATTERN_SIZE - 1, FXT_GLOB_STATES - 1);
	strscpy(pattern, in, FXT_SCHED_PATTERN_SIZE);
	return 0;
}

/* Translate a process id from the caller's pid namespace to the initial one. */
static int fxt_take_pid(u32 *pid, u32 id, const char *name, struct fxt_reason *reason)
{
	struct pid *found;

	rcu_read_lock();
	found = id <= PID_MAX_LIMIT ? find_vpid(id) : NULL;
	*pid = found && pid_task(found, PIDTYPE_TGID) ? pid_nr(found) : 0;
	rcu_read_unlock();
	return *pid ? 0 : fxt_refuse(reason, -ESRCH,
				     "%s: the caller's pid namespace has no process %u", name, id);
}

static int fxt_take_trigger(struct fxt_config *config, const struct fxt_sched_config *in,
			    struct fxt_reason *reason)
{
	u64 interrupts = in->trigger_irq | in->trigger_softirq;

	if (in->trigger_latency > FXT_SCHED_TRIGGER_NS_MAX ||
	    in->trigger_irq > FXT_SCHED_TRIGGER_NS_MAX ||
	    in->trigger_softirq > FXT_SCHED_TRIGGER_NS_MAX ||
	    in->trigger_after > FXT_SCHED_TRIGGER_NS_MAX)
		return fxt_refuse(reason, -EINVAL,
				  "trigger_latency, trigger_irq, trigger_softirq and trigger_after must be at most %llu ns",
				  FXT_SCHED_TRIGGER_NS_MAX);
	if ((in->trigger_latency || interrupts) && !config->overwrite)
		return fxt_refuse(reason, -EINVAL, "%s requires overwrite mode",
				  in->trigger_latency ? "trigger_latency" :
				  in->trigger_irq ? "trigger_irq" : "trigger_softirq");
	if (interrupts && !(config->events & FXT_SCHED_EVENTS_IRQ))
		return fxt_refuse(reason, -EINVAL,
				  "trigger_irq and trigger_softirq require the events irq");
	if (in->trigger_pid &&
	    fxt_take_pid(&config->trigger_pid, in->trigger_pid, "trigger_pid", reason))
		return -ESRCH;
	config->trigger_limit[FXT_SCHED_CAUSE_LATENCY] = in->trigger_latency;
	config->trigger_limit[FXT_SCHED_CAUSE_IRQ] = in->trigger_irq;
	config->trigger_limit[FXT_SCHED_CAUSE_SOFTIRQ] = in->trigger_softirq;
	config->trigger_after = in->trigger_after;
	return fxt_take_pattern(config->trigger_comm, in->trigger_comm, "trigger_comm", reason);
}

static int fxt_take_stacks(struct fxt_config *config, const struct fxt_sched_config *in,
			   struct fxt_reason *reason)
{
	const u32 unknown = in->stacks & ~(FXT_STACKS_KINDS | FXT_STACKS_FRAMES);

	if (unknown)
		return fxt_refuse(reason, -EINVAL, "stacks: the module does not know 0x%x",
				  unknown);
	if (!(in->stacks & FXT_STACKS_KINDS) != !(in->stacks & FXT_STACKS_FRAMES))
		return fxt_refuse(reason, -EINVAL,
				  "stacks must be of threads or wakers, and have frames of the kernel or of programs");
	if (in->stacks ? !in->stacks_depth || in->stacks_depth > FXT_SCHED_STACK_FRAMES :
			 in->stacks_depth)
		return fxt_refuse(reason, -EINVAL,
				  "stacks_depth must be from 1 to %u frames, or 0 without stacks",
				  FXT_SCHED_STACK_FRAMES);
	if (in->stacks_min > FXT_SCHED_STACKS_NS_MAX)
		return fxt_refuse(reason, -EINVAL, "stacks_min must be at most %llu ns",
				  FXT_SCHED_STACKS_NS_MAX);
	config->stacks = in->stacks;
	config->stacks_depth = in->stacks_depth;
	config->stacks_min = in->stacks_min;
	return 0;
}

static int fxt_take_pids(struct fxt_pids *pids, const struct fxt_sched_config *in,
			 struct fxt_reason *reason)
{
	unsigned int i;

	if (in->filter_pid_count > ARRAY_SIZE(pids->ids))
		return fxt_refuse(reason, -EINVAL, "filter_pids must be at most %zu",
				  ARRAY_SIZE(pids->ids));
	pids->count = in->filter_pid_count;
	if (copy_from_user(pids->ids, u64_to_user_ptr(in->filter_pids),
			   pids->count * sizeof(*pids->ids)))
		return fxt_refuse(reason, -EFAULT, "filter_pids cannot be read");
	for (i = 0; i < pids->count; i++)
		if (fxt_take_pid(&pids->ids[i], pids->ids[i], "filter_pids", reason))
			return -ESRCH;
	return 0;
}

/* Set the CPUs of one word of the mask. */
static int fxt_take_cpu_word(struct cpumask *cpus, unsigned int first, u32 word,
			     struct fxt_reason *reason)
{
	unsigned int cpu;

	for (; word; word &= word - 1) {
		cpu = first + __ffs(word);
		if (cpu >= nr_cpu_ids)
			return fxt_refuse(reason, -EINVAL,
					  "filter_cpus must be CPUs below %u, not CPU %u",
					  nr_cpu_ids, cpu);
		cpumask_set_cpu(cpu, cpus);
	}
	return 0;
}

static int fxt_take_cpus(struct cpumask *cpus, const struct fxt_sched_config *in,
			 struct fxt_reason *reason)
{
	const u32 __user *words = u64_to_user_ptr(in->filter_cpus);
	unsigned int i;
	u32 word;
	int ret = 0;

	if (in->filter_cpu_words > FXT_SCHED_FILTER_CPU_WORDS_MAX)
		return fxt_refuse(reason, -EINVAL, "filter_cpu_words must be at most %u",
				  FXT_SCHED_FILTER_CPU_WORDS_MAX);
	for (i = 0; i < in->filter_cpu_words && !ret; i++) {
		if (get_user(word, words + i))
			return fxt_refuse(reason, -EFAULT, "filter_cpus cannot be read");
		ret = fxt_take_cpu_word(cpus, i * 32, word, reason);
	}
	if (!ret && i && cpumask_empty(cpus))
		return fxt_refuse(reason, -EINVAL, "filter_cpus has no CPU");
	return ret;
}

static int fxt_take_filter(struct fxt_config *config, const struct fxt_sched_config *in,
			   struct fxt_reason *reason)
{
	int ret = fxt_take_pids(&config->filter_pids, in, reason);

	if (!ret)
		ret = fxt_take_cpus(&config->filter_cpus, in, reason);
	if (!ret)
		ret = fxt_take_pattern(config->filter_comm, in->filter_comm, "filter_comm",
				       reason);
	config->filter_cgroup = in->flags & FXT_SCHED_FILTER_CGROUP ? in->filter_cgroup : -1;
	if (!ret && in->flags & FXT_SCHED_FILTER_CGROUP && in->filter_cgroup < 0)
		return fxt_refuse(reason, -EBADF, "filter_cgroup must be an open directory");
	return ret;
}

/**
 * fxt_config_check() - check a session's configuration
 * @config: zeroed; filled in
 * @in: what the process passed
 * @reason: says why it is refused
 *
 * Context: may sleep; of that process, because @in has addresses in its memory.
 *
 * Return: 0 or a negative errno, see struct fxt_sched_config.
 */
int fxt_config_check(struct fxt_config *config, const struct fxt_sched_config *in,
		     struct fxt_reason *reason)
{
	int ret = fxt_check_known(in, reason);

	if (!ret)
		ret = fxt_take_buffers(config, in, reason);
	if (!ret)
		ret = fxt_take_content(config, in, reason);
	if (!ret)
		ret = fxt_take_trigger(config, in, reason);
	if (!ret)
		ret = fxt_take_stacks(config, in, reason);
	if (!ret)
		ret = fxt_take_filter(config, in, reason);
	return ret;
}
