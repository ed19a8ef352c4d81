// SPDX-License-Identifier: GPL-2.0-only
/*
 * config.c - checks a session's configuration.
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
static_assert(FXT_SCHED_STACKS_DEPTH_MAX == FXT_SCHED_STACK_FRAMES);
static_assert(FXT_SCHED_STACKS_HZ_MIN == FXT_SCHED_SAMPLE_HZ_MIN);
static_assert(FXT_SCHED_STACKS_HZ_MAX == FXT_SCHED_SAMPLE_HZ_MAX);

static_assert(sizeof(struct fxt_sched_config) == FXT_SCHED_CONFIG_SIZE_VER0);

#define FXT_FLAGS	(FXT_SCHED_OVERWRITE | FXT_SCHED_FILTER_CGROUP |		\
			 FXT_SCHED_PRIORITIES | FXT_SCHED_NO_WEIGHTS | FXT_SCHED_WAKING | \
			 FXT_SCHED_TSC)
#define FXT_STACKS_KINDS	(FXT_STACKS_EVENTS | FXT_SCHED_STACKS_ONCPU)
#define FXT_STACKS_FRAMES	(FXT_SCHED_STACKS_KERNEL | FXT_SCHED_STACKS_USER)

static int fxt_check_bits(const char *field, u32 unknown, struct fxt_reason *reason)
{
	return unknown ? fxt_refuse(reason, -EINVAL, "%s: the module does not know 0x%x", field,
				    unknown) : 0;
}

static int fxt_check_ranges(const struct fxt_sched_config *in, struct fxt_reason *reason)
{
	const struct {
		const char *field;
		u64 value;
		u64 least;
		u64 most;
	} fields[] = {
		{ "subbuf_size", in->subbuf_size, PAGE_SIZE, FXT_SCHED_SUBBUF_SIZE_MAX },
		{ "subbuf_count", in->subbuf_count, FXT_SCHED_SUBBUF_COUNT_MIN,
		  FXT_SCHED_SUBBUF_COUNT_MAX },
		{ "trigger_latency", in->trigger_latency, 0, FXT_SCHED_TRIGGER_NS_MAX },
		{ "trigger_irq", in->trigger_irq, 0, FXT_SCHED_TRIGGER_NS_MAX },
		{ "trigger_softirq", in->trigger_softirq, 0, FXT_SCHED_TRIGGER_NS_MAX },
		{ "trigger_blocked", in->trigger_blocked, 0, FXT_SCHED_TRIGGER_NS_MAX },
		{ "trigger_sleep", in->trigger_sleep, 0, FXT_SCHED_TRIGGER_NS_MAX },
		{ "trigger_lock", in->trigger_lock, 0, FXT_SCHED_TRIGGER_NS_MAX },
		{ "trigger_after", in->trigger_after, 0, FXT_SCHED_TRIGGER_NS_MAX },
		{ "filter_pid_count", in->filter_pid_count, 0, FXT_SCHED_FILTER_PIDS_MAX },
		{ "filter_cpu_words", in->filter_cpu_words, 0, FXT_SCHED_FILTER_CPU_WORDS_MAX },
		{ "stacks_depth", in->stacks_depth, in->stacks ? 1 : 0,
		  FXT_SCHED_STACKS_DEPTH_MAX },
		{ "stacks_min", in->stacks_min, 0, FXT_SCHED_STACKS_NS_MAX },
		{ "stacks_hz", in->stacks_hz,
		  in->stacks & FXT_SCHED_STACKS_ONCPU ? FXT_SCHED_SAMPLE_HZ_MIN : 0,
		  in->stacks & FXT_SCHED_STACKS_ONCPU ? FXT_SCHED_SAMPLE_HZ_MAX : 0 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(fields); i++)
		if (fields[i].value < fields[i].least || fields[i].value > fields[i].most)
			return fxt_refuse(reason, -EINVAL, "%s must be from %llu to %llu",
					  fields[i].field, fields[i].least, fields[i].most);
	return 0;
}

static int fxt_check_ignored(const struct fxt_sched_config *in, struct fxt_reason *reason)
{
	u64 of_threads = in->trigger_latency | in->trigger_blocked | in->trigger_sleep |
			 in->trigger_lock;
	const struct {
		const char *field;
		bool is_set;
		bool is_used;
		const char *by;
	} fields[] = {
		{ "trigger_pid", in->trigger_pid, of_threads, "a trigger of threads" },
		{ "trigger_comm", in->trigger_comm[0], of_threads, "a trigger of threads" },
		{ "trigger_after", in->trigger_after,
		  of_threads | in->trigger_irq | in->trigger_softirq, "a trigger" },
		{ "stacks_depth", in->stacks_depth, in->stacks, "stacks" },
		{ "stacks_min", in->stacks_min, in->stacks & FXT_STACKS_EVENTS,
		  "stacks of threads that are off the CPU or of wakers" },
		{ "filter_cgroup", in->filter_cgroup, in->flags & FXT_SCHED_FILTER_CGROUP,
		  "FXT_SCHED_FILTER_CGROUP" },
		{ "filter_pids", in->filter_pids, in->filter_pid_count, "filter_pid_count" },
		{ "filter_cpus", in->filter_cpus, in->filter_cpu_words, "filter_cpu_words" },
		{ "message", in->message, in->message_size, "message_size" },
		{ "message_size", in->message_size, in->message, "message" },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(fields); i++)
		if (fields[i].is_set && !fields[i].is_used)
			return fxt_refuse(reason, -EINVAL, "%s must be 0 without %s",
					  fields[i].field, fields[i].by);
	return 0;
}

static int fxt_set_buffers(struct fxt_config *config, const struct fxt_sched_config *in,
			   struct fxt_reason *reason)
{
	config->subbuf_size = in->subbuf_size;
	config->subbuf_count = in->subbuf_count;
	if (config->subbuf_size % PAGE_SIZE)
		return fxt_refuse(reason, -EINVAL, "subbuf_size must be a multiple of %lu",
				  PAGE_SIZE);
	if ((u64)config->subbuf_size * config->subbuf_count > FXT_SCHED_BUFFER_SIZE_MAX)
		return fxt_refuse(reason, -ENOMEM,
				  "%u sub-buffers of %u bytes are more than %u KiB per CPU",
				  config->subbuf_count, config->subbuf_size,
				  FXT_SCHED_BUFFER_SIZE_MAX >> 10);
	return 0;
}

static int fxt_set_clock(struct fxt_config *config, const struct fxt_sched_config *in,
			 struct fxt_reason *reason)
{
	bool tsc = in->flags & FXT_SCHED_TSC;

	if (tsc ? in->clockid :
		  in->clockid != CLOCK_BOOTTIME && in->clockid != CLOCK_MONOTONIC)
		return fxt_refuse(reason, -EINVAL,
				  "clockid must be CLOCK_BOOTTIME or CLOCK_MONOTONIC, or 0 with FXT_SCHED_TSC");
	config->clockid = tsc ? FXT_CLOCK_TSC : in->clockid;
	if (fxt_clock_is_usable(config->clockid))
		return 0;
	return fxt_refuse(reason, -EOPNOTSUPP,
			  "FXT_SCHED_TSC: this machine has no time-stamp counter that is reliable across CPUs");
}

static int fxt_set_content(struct fxt_config *config, const struct fxt_sched_config *in,
			   struct fxt_reason *reason)
{
	config->priorities = in->flags & FXT_SCHED_PRIORITIES;
	config->form = in->flags & (FXT_SCHED_NO_WEIGHTS | FXT_SCHED_WAKING);
	if (config->priorities && in->flags & FXT_SCHED_NO_WEIGHTS)
		return fxt_refuse(reason, -EINVAL,
				  "flags: FXT_SCHED_PRIORITIES excludes FXT_SCHED_NO_WEIGHTS");
	config->overwrite = in->flags & FXT_SCHED_OVERWRITE;
	config->events = in->events;
	return 0;
}

static int fxt_set_pattern(char *pattern, const char *in, const char *name,
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

/* From the caller's pid namespace to the initial one. */
static int fxt_translate_pid(u32 *pid, u32 id, const char *name, struct fxt_reason *reason)
{
	struct pid *found;

	rcu_read_lock();
	found = id <= PID_MAX_LIMIT ? find_vpid(id) : NULL;
	*pid = found && pid_task(found, PIDTYPE_TGID) ? pid_nr(found) : 0;
	rcu_read_unlock();
	return *pid ? 0 : fxt_refuse(reason, -ESRCH,
				     "%s: the caller's pid namespace has no process %u", name, id);
}

/* Refuse limits of events that are not recorded, or that all threads exceed. */
static int fxt_set_limits(struct fxt_config *config, const struct fxt_sched_config *in,
			  struct fxt_reason *reason)
{
	const struct {
		const char *field;
		u64 limit;
		enum fxt_sched_cause cause;
		bool is_set;	/* what it requires */
		const char *lacks;
	} limits[] = {
		{ "trigger_latency", in->trigger_latency, FXT_SCHED_CAUSE_LATENCY, true },
		{ "trigger_irq", in->trigger_irq, FXT_SCHED_CAUSE_IRQ,
		  config->events & FXT_SCHED_EVENTS_IRQ, "the events irq" },
		{ "trigger_softirq", in->trigger_softirq, FXT_SCHED_CAUSE_SOFTIRQ,
		  config->events & FXT_SCHED_EVENTS_IRQ, "the events irq" },
		{ "trigger_blocked", in->trigger_blocked, FXT_SCHED_CAUSE_BLOCKED, true },
		{ "trigger_sleep", in->trigger_sleep, FXT_SCHED_CAUSE_SLEEP,
		  in->trigger_pid || in->trigger_comm[0], "trigger_pid or trigger_comm" },
		{ "trigger_lock", in->trigger_lock, FXT_SCHED_CAUSE_LOCK,
		  config->events & FXT_SCHED_EVENTS_LOCK, "the events lock" },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(limits); i++) {
		config->trigger_limit[limits[i].cause] = limits[i].limit;
		if (limits[i].limit && (!config->overwrite || !limits[i].is_set))
			return fxt_refuse(reason, -EINVAL, "%s requires %s", limits[i].field,
					  config->overwrite ? limits[i].lacks : "overwrite mode");
	}
	return 0;
}

static int fxt_set_trigger(struct fxt_config *config, const struct fxt_sched_config *in,
			   struct fxt_reason *reason)
{
	int ret = fxt_set_limits(config, in, reason);

	if (ret)
		return ret;
	if (in->trigger_pid &&
	    fxt_translate_pid(&config->trigger_pid, in->trigger_pid, "trigger_pid", reason))
		return -ESRCH;
	config->trigger_after = in->trigger_after;
	return fxt_set_pattern(config->trigger_comm, in->trigger_comm, "trigger_comm", reason);
}

static int fxt_set_stacks(struct fxt_config *config, const struct fxt_sched_config *in,
			  struct fxt_reason *reason)
{
	if (!(in->stacks & FXT_STACKS_KINDS) != !(in->stacks & FXT_STACKS_FRAMES))
		return fxt_refuse(reason, -EINVAL,
				  "stacks must be of threads or wakers, and have frames of the kernel or of programs");
	config->stacks = in->stacks;
	config->stacks_depth = in->stacks_depth;
	config->stacks_min = in->stacks_min;
	config->stacks_hz = in->stacks_hz;
	return 0;
}

static int fxt_read_pids(struct fxt_pids *pids, const struct fxt_sched_config *in,
			 struct fxt_reason *reason)
{
	unsigned int i;

	pids->count = in->filter_pid_count;
	if (copy_from_user(pids->ids, u64_to_user_ptr(in->filter_pids),
			   pids->count * sizeof(*pids->ids)))
		return fxt_refuse(reason, -EFAULT, "filter_pids cannot be read");
	for (i = 0; i < pids->count; i++)
		if (fxt_translate_pid(&pids->ids[i], pids->ids[i], "filter_pids", reason))
			return -ESRCH;
	return 0;
}

static int fxt_set_cpu_word(struct cpumask *cpus, unsigned int first, u32 word,
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

static int fxt_read_cpus(struct cpumask *cpus, const struct fxt_sched_config *in,
			 struct fxt_reason *reason)
{
	const u32 __user *words = u64_to_user_ptr(in->filter_cpus);
	unsigned int i;
	u32 word;
	int ret = 0;

	for (i = 0; i < in->filter_cpu_words && !ret; i++) {
		if (get_user(word, words + i))
			return fxt_refuse(reason, -EFAULT, "filter_cpus cannot be read");
		ret = fxt_set_cpu_word(cpus, i * 32, word, reason);
	}
	if (!ret && i && cpumask_empty(cpus))
		return fxt_refuse(reason, -EINVAL, "filter_cpus has no CPU");
	return ret;
}

static int fxt_set_filter(struct fxt_config *config, const struct fxt_sched_config *in,
			  struct fxt_reason *reason)
{
	int ret = fxt_read_pids(&config->filter_pids, in, reason);

	if (!ret)
		ret = fxt_read_cpus(&config->filter_cpus, in, reason);
	if (!ret)
		ret = fxt_set_pattern(config->filter_comm, in->filter_comm, "filter_comm",
				      reason);
	config->filter_cgroup = in->flags & FXT_SCHED_FILTER_CGROUP ? in->filter_cgroup : -1;
	if (!ret && in->flags & FXT_SCHED_FILTER_CGROUP && in->filter_cgroup < 0)
		return fxt_refuse(reason, -EBADF, "filter_cgroup must be an open directory");
	return ret;
}

/*
 * Check a session's configuration. @config is zeroed, and filled in. Context: may sleep; of the
 * process that passed it, because @in has addresses of its memory. Return: 0, or a negative errno
 * with a reason; see struct fxt_sched_config.
 */
int fxt_config_check(struct fxt_config *config, const struct fxt_sched_config *in,
		     struct fxt_reason *reason)
{
	int ret = fxt_check_bits("flags", in->flags & ~FXT_FLAGS, reason);

	if (!ret)
		ret = fxt_check_bits("stacks", in->stacks & ~(FXT_STACKS_KINDS | FXT_STACKS_FRAMES),
				     reason);
	if (!ret)
		ret = fxt_check_ranges(in, reason);
	if (!ret)
		ret = fxt_check_ignored(in, reason);
	if (!ret)
		ret = fxt_set_buffers(config, in, reason);
	if (!ret)
		ret = fxt_set_clock(config, in, reason);
	if (!ret)
		ret = fxt_set_content(config, in, reason);
	if (!ret)
		ret = fxt_set_trigger(config, in, reason);
	if (!ret)
		ret = fxt_set_stacks(config, in, reason);
	if (!ret)
		ret = fxt_set_filter(config, in, reason);
	return ret;
}
