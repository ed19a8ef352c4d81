// SPDX-License-Identifier: GPL-2.0
/*
 * params.c - the module's parameters.
 *
 * In:  writes to sysfs, and the options of modprobe. Out: struct fxt_params, of which each
 * session takes a copy. An invalid value leaves the previous one in place, and a line in
 * the kernel log says what is valid.
 *
 * All callbacks run under the lock of the module's parameters. For a built-in module some
 * may run before memory can be allocated, so they allocate none.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/ctype.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/threads.h>

#include <fxt/fxt_glob.h>

#include "clock.h"
#include "params.h"

static_assert(FXT_SCHED_PATTERN_SIZE == FXT_GLOB_TEXT);

#define FXT_PID_DIGITS	7	/* of PID_MAX_LIMIT */
#define FXT_PIDS_TEXT	(FXT_SCHED_FILTER_PIDS_MAX * (FXT_PID_DIGITS + 1))

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

/* Under kernel_param_lock(). */
static struct fxt_params fxt_params = {
	.subbuf_size = FXT_SCHED_SUBBUF_SIZE_DEFAULT,
	.subbuf_count = FXT_SCHED_SUBBUF_COUNT_DEFAULT,
	.clock = FXT_CLOCK_BOOT,
	.weight = FXT_WEIGHT_WEIGHT,
};

static bool fxt_is_empty(const char *val)
{
	return sysfs_streq(val, "");
}

/* A number with an optional suffix K, M, ...; 0 or -EINVAL. */
static int fxt_parse_size(const char *val, unsigned long long *n)
{
	char *end;

	*n = memparse(val, &end);
	return end == val || *skip_spaces(end) ? -EINVAL : 0;
}

static int fxt_set_subbuf_size(const char *val, const struct kernel_param *kp)
{
	unsigned long long n;

	if (fxt_parse_size(val, &n) || !n || n % PAGE_SIZE ||
	    n > FXT_SCHED_SUBBUF_SIZE_MAX) {
		pr_err("subbuf_size refused: it must be a multiple of %lu bytes, at most %u\n",
		       PAGE_SIZE, FXT_SCHED_SUBBUF_SIZE_MAX);
		return -EINVAL;
	}
	fxt_params.subbuf_size = n;
	return 0;
}

static int fxt_set_subbuf_count(const char *val, const struct kernel_param *kp)
{
	unsigned long long n;

	if (fxt_parse_size(val, &n) || n < FXT_SCHED_SUBBUF_COUNT_MIN ||
	    n > FXT_SCHED_SUBBUF_COUNT_MAX) {
		pr_err("subbuf_count refused: it must be from %u to %u\n",
		       FXT_SCHED_SUBBUF_COUNT_MIN, FXT_SCHED_SUBBUF_COUNT_MAX);
		return -EINVAL;
	}
	fxt_params.subbuf_count = n;
	return 0;
}

static int fxt_find_name(const char * const *names, const char *val)
{
	int i;

	for (i = 0; names[i]; i++)
		if (sysfs_streq(names[i], val))
			return i;
	return -EINVAL;
}

static int fxt_set_clock(const char *val, const struct kernel_param *kp)
{
	int clock = fxt_find_name(fxt_clock_names, val);

	if (clock < 0) {
		pr_err("clock refused: it must be boot, mono or tsc\n");
		return clock;
	}
	if (clock == FXT_CLOCK_TSC && !fxt_tsc_khz()) {
		pr_err("clock tsc refused: this machine has no time-stamp counter that is reliable across CPUs; use boot\n");
		return -EOPNOTSUPP;
	}
	fxt_params.clock = clock;
	return 0;
}

static int fxt_set_weight(const char *val, const struct kernel_param *kp)
{
	int weight = fxt_find_name(fxt_weight_names, val);

	if (weight < 0) {
		pr_err("weight refused: it must be weight or prio\n");
		return weight;
	}
	fxt_params.weight = weight;
	return 0;
}

static int fxt_get_clock(char *buf, const struct kernel_param *kp)
{
	return sprintf(buf, "%s\n", fxt_clock_names[fxt_params.clock]);
}

static int fxt_get_weight(char *buf, const struct kernel_param *kp)
{
	return sprintf(buf, "%s\n", fxt_weight_names[fxt_params.weight]);
}

static int fxt_set_overwrite(const char *val, const struct kernel_param *kp)
{
	bool overwrite = false;

	if (!fxt_is_empty(val) && kstrtobool(val, &overwrite)) {
		pr_err("overwrite refused: it must be 0 or 1\n");
		return -EINVAL;
	}
	fxt_params.overwrite = overwrite;
	return 0;
}

static int fxt_get_overwrite(char *buf, const struct kernel_param *kp)
{
	return sprintf(buf, "%d\n", fxt_params.overwrite);
}

static int fxt_set_ns(const char *val, const struct kernel_param *kp)
{
	unsigned long long ns = 0;

	if (!fxt_is_empty(val) &&
	    (kstrtoull(val, 10, &ns) || ns > FXT_SCHED_TRIGGER_NS_MAX)) {
		pr_err("%s refused: it must be a number of nanoseconds, at most %llu\n",
		       kp->name, FXT_SCHED_TRIGGER_NS_MAX);
		return -EINVAL;
	}
	*(u64 *)kp->arg = ns;
	return 0;
}

static int fxt_get_ns(char *buf, const struct kernel_param *kp)
{
	return sprintf(buf, "%llu\n", *(u64 *)kp->arg);
}

/* Copy a value without its line end. Only one line fits into the session file. */
static int fxt_take_text(char *text, size_t size, const char *val)
{
	size_t length = strcspn(val, "\n");

	if (length >= size || (val[length] && val[length + 1]))
		return -EINVAL;
	memcpy(text, val, length);
	text[length] = '\0';
	return 0;
}

static int fxt_set_pattern(const char *val, const struct kernel_param *kp)
{
	static struct fxt_glob glob;	/* too large for the stack */
	char text[FXT_SCHED_PATTERN_SIZE];

	if (fxt_take_text(text, sizeof(text), val) ||
	    fxt_glob_compile(&glob, text)) {
		pr_err("%s refused: it must be a pattern of at most %u bytes, with a ] for each [, that can match names of at most %u bytes\n",
		       kp->name, FXT_SCHED_PATTERN_SIZE - 1, FXT_GLOB_STATES - 1);
		return -EINVAL;
	}
	strscpy(kp->arg, text, sizeof(text));
	return 0;
}

static int fxt_get_text(char *buf, const struct kernel_param *kp)
{
	return scnprintf(buf, PAGE_SIZE, "%s\n", (char *)kp->arg);
}

/* The process id, from 1 on, at the beginning of @val; 0 if there is none. */
static unsigned int fxt_parse_pid(const char **val)
{
	unsigned int id = 0, digits = 0;

	for (; isdigit(**val) && digits < FXT_PID_DIGITS; digits++)
		id = id * 10 + *(*val)++ - '0';
	return id <= PID_MAX_LIMIT ? id : 0;
}

/* Process ids separated by commas; false if @val is not such a list. */
static bool fxt_parse_pids(const char *val, struct fxt_pids *pids)
{
	pids->count = 0;
	for (;;) {
		unsigned int id = fxt_parse_pid(&val);

		if (!id || pids->count == ARRAY_SIZE(pids->ids))
			return false;
		pids->ids[pids->count++] = id;
		if (*val != ',')
			return fxt_is_empty(val);
		val++;
	}
}

static int fxt_set_pids(const char *val, const struct kernel_param *kp)
{
	struct fxt_pids pids = { 0 };

	if (!fxt_is_empty(val) && !fxt_parse_pids(val, &pids)) {
		pr_err("filter_pids refused: it must be process ids from 1 to %u, at most %u of them, separated by commas\n",
		       (unsigned int)PID_MAX_LIMIT, FXT_SCHED_FILTER_PIDS_MAX);
		return -EINVAL;
	}
	fxt_params.filter_pids = pids;
	return 0;
}

static void fxt_print_pids(char *text, const struct fxt_pids *pids)
{
	unsigned int i;

	*text = '\0';
	for (i = 0; i < pids->count; i++)
		text += sprintf(text, "%s%d", i ? "," : "", pids->ids[i]);
}

static int fxt_get_pids(char *buf, const struct kernel_param *kp)
{
	char pids[FXT_PIDS_TEXT];

	fxt_print_pids(pids, &fxt_params.filter_pids);
	return scnprintf(buf, PAGE_SIZE, "%s\n", pids);
}

static int fxt_set_pid(const char *val, const struct kernel_param *kp)
{
	unsigned int pid = 0;

	if (!fxt_is_empty(val) && (kstrtouint(val, 10, &pid) || pid > PID_MAX_LIMIT)) {
		pr_err("trigger_pid refused: it must be a process id, at most %u, or 0 for all\n",
		       (unsigned int)PID_MAX_LIMIT);
		return -EINVAL;
	}
	fxt_params.trigger_pid = pid;
	return 0;
}

static int fxt_get_pid(char *buf, const struct kernel_param *kp)
{
	return sprintf(buf, "%d\n", fxt_params.trigger_pid);
}

static int fxt_set_cpus(const char *val, const struct kernel_param *kp)
{
	static struct cpumask cpus;	/* too large for the stack */

	cpumask_clear(&cpus);
	if (!fxt_is_empty(val) &&
	    (cpulist_parse(val, &cpus) || cpumask_empty(&cpus))) {
		pr_err("filter_cpus refused: it must be a list of CPUs below %u, e.g. 0-3,8\n",
		       nr_cpu_ids);
		return -EINVAL;
	}
	cpumask_copy(&fxt_params.filter_cpus, &cpus);
	return 0;
}

static int fxt_get_cpus(char *buf, const struct kernel_param *kp)
{
	return scnprintf(buf, PAGE_SIZE, "%*pbl\n",
			 cpumask_pr_args(&fxt_params.filter_cpus));
}

static int fxt_set_cgroup(const char *val, const struct kernel_param *kp)
{
	char *text = fxt_params.filter_cgroup;

	if (!fxt_is_empty(val) && !IS_ENABLED(CONFIG_CGROUPS)) {
		pr_err("filter_cgroup refused: this kernel has no cgroups\n");
		return -EOPNOTSUPP;
	}
	if ((!fxt_is_empty(val) && *val != '/') ||
	    fxt_take_text(text, FXT_SCHED_CGROUP_SIZE, val)) {
		pr_err("filter_cgroup refused: it must be a path below the root of cgroup v2 that begins with a slash, at most %u bytes\n",
		       FXT_SCHED_CGROUP_SIZE - 1);
		return -EINVAL;
	}
	return 0;
}

/**
 * fxt_params_get() - copy the present parameters
 * @params: set to them
 *
 * Context: may sleep.
 */
void fxt_params_get(struct fxt_params *params)
{
	kernel_param_lock(THIS_MODULE);
	*params = fxt_params;
	kernel_param_unlock(THIS_MODULE);
}

/**
 * fxt_params_show() - print the session file's lines about overwrite mode, trigger and
 *	filter
 * @m: the file
 * @params: the session's parameters
 *
 * Context: may sleep.
 */
void fxt_params_show(struct seq_file *m, const struct fxt_params *params)
{
	char pids[FXT_PIDS_TEXT];

	fxt_print_pids(pids, &params->filter_pids);
	seq_printf(m, "overwrite %d\n", params->overwrite);
	seq_printf(m, "trigger_latency %llu\n", params->trigger_latency);
	seq_printf(m, "trigger_after %llu\n", params->trigger_after);
	seq_printf(m, "trigger_comm %s\n", params->trigger_comm);
	seq_printf(m, "trigger_pid %d\n", params->trigger_pid);
	seq_printf(m, "filter_cpus %*pbl\n", cpumask_pr_args(&params->filter_cpus));
	seq_printf(m, "filter_pids %s\n", pids);
	seq_printf(m, "filter_comm %s\n", params->filter_comm);
	seq_printf(m, "filter_cgroup %s\n", params->filter_cgroup);
}

#define FXT_PARAM(name, setter, getter, where)				\
	static const struct kernel_param_ops fxt_##name##_ops = {		\
		.set = setter,							\
		.get = getter,							\
	};									\
	module_param_cb(name, &fxt_##name##_ops, where, 0644)

FXT_PARAM(subbuf_size, fxt_set_subbuf_size, param_get_uint, &fxt_params.subbuf_size);
MODULE_PARM_DESC(subbuf_size, "bytes of a sub-buffer, a multiple of the page size (default: 256K)");

FXT_PARAM(subbuf_count, fxt_set_subbuf_count, param_get_uint, &fxt_params.subbuf_count);
MODULE_PARM_DESC(subbuf_count, "sub-buffers per CPU (default: 16)");

FXT_PARAM(clock, fxt_set_clock, fxt_get_clock, NULL);
MODULE_PARM_DESC(clock, "clock of the time stamps: boot, mono or tsc (default: boot)");

FXT_PARAM(weight, fxt_set_weight, fxt_get_weight, NULL);
MODULE_PARM_DESC(weight, "content of weights: weight or the kernel's prio (default: weight)");

FXT_PARAM(overwrite, fxt_set_overwrite, fxt_get_overwrite, NULL);
MODULE_PARM_DESC(overwrite, "1: the newest records replace the oldest (default: 0)");

FXT_PARAM(trigger_latency, fxt_set_ns, fxt_get_ns, &fxt_params.trigger_latency);
MODULE_PARM_DESC(trigger_latency, "freeze the recording if a wait from wakeup to switch-in exceeds that many ns; requires overwrite=1 (default: 0, no trigger)");

FXT_PARAM(trigger_after, fxt_set_ns, fxt_get_ns, &fxt_params.trigger_after);
MODULE_PARM_DESC(trigger_after, "ns to record after that (default: 0)");

FXT_PARAM(trigger_comm, fxt_set_pattern, fxt_get_text, fxt_params.trigger_comm);
MODULE_PARM_DESC(trigger_comm, "pattern of the names of the threads that count for the trigger (default: all)");

FXT_PARAM(trigger_pid, fxt_set_pid, fxt_get_pid, NULL);
MODULE_PARM_DESC(trigger_pid, "process whose threads count for the trigger (default: 0, all)");

FXT_PARAM(filter_cpus, fxt_set_cpus, fxt_get_cpus, NULL);
MODULE_PARM_DESC(filter_cpus, "list of the CPUs to record, e.g. 0-3,8 (default: all)");

FXT_PARAM(filter_pids, fxt_set_pids, fxt_get_pids, NULL);
MODULE_PARM_DESC(filter_pids, "ids of the processes to record, with their future children, e.g. 12,34 (default: all)");

FXT_PARAM(filter_comm, fxt_set_pattern, fxt_get_text, fxt_params.filter_comm);
MODULE_PARM_DESC(filter_comm, "pattern of the names of the threads to record (default: all)");

FXT_PARAM(filter_cgroup, fxt_set_cgroup, fxt_get_text, fxt_params.filter_cgroup);
MODULE_PARM_DESC(filter_cgroup, "path of the cgroup, v2, whose threads to record (default: all)");
