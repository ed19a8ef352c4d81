// SPDX-License-Identifier: GPL-2.0
/*
 * params.c - the module's parameters.
 *
 * In:  writes to sysfs, and the options of modprobe. Out: struct fxt_params: defaults for
 * sessions that do not choose, and limits. An invalid value leaves the previous one in
 * place, and a line in the kernel log says what is valid.
 *
 * All callbacks run under the lock of the module's parameters. For a built-in module some
 * may run before memory can be allocated, so they allocate none.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/string.h>

#include "clock.h"
#include "params.h"

static const char * const fxt_clock_names[] = {
	[FXT_SCHED_CLOCK_BOOT] = "boot",
	[FXT_SCHED_CLOCK_MONO] = "mono",
	[FXT_SCHED_CLOCK_TSC] = "tsc",
};

static const char * const fxt_weight_names[] = {
	[FXT_SCHED_WEIGHT_WEIGHT] = "weight",
	[FXT_SCHED_WEIGHT_PRIO] = "prio",
};

/* Under kernel_param_lock(). */
static struct fxt_params fxt_params = {
	.subbuf_size = FXT_SCHED_SUBBUF_SIZE_DEFAULT,
	.subbuf_count = FXT_SCHED_SUBBUF_COUNT_DEFAULT,
	.clock = FXT_SCHED_CLOCK_BOOT,
	.weight = FXT_SCHED_WEIGHT_WEIGHT,
	.max_sessions = FXT_SCHED_SESSIONS_DEFAULT,
};

/* A number with an optional suffix K, M, ...; 0 or -EINVAL. */
static int fxt_parse_size(const char *val, u64 *n)
{
	char *end;

	*n = memparse(val, &end);
	return end == val || *skip_spaces(end) ? -EINVAL : 0;
}

static int fxt_set_subbuf_size(const char *val, const struct kernel_param *kp)
{
	u64 n;

	if (fxt_parse_size(val, &n) || !fxt_subbuf_size_is_valid(n)) {
		pr_err("subbuf_size refused: it must be a multiple of %lu bytes, at most %u\n",
		       PAGE_SIZE, FXT_SCHED_SUBBUF_SIZE_MAX);
		return -EINVAL;
	}
	fxt_params.subbuf_size = n;
	return 0;
}

static int fxt_set_subbuf_count(const char *val, const struct kernel_param *kp)
{
	u64 n;

	if (fxt_parse_size(val, &n) || !fxt_subbuf_count_is_valid(n)) {
		pr_err("subbuf_count refused: it must be from %u to %u\n",
		       FXT_SCHED_SUBBUF_COUNT_MIN, FXT_SCHED_SUBBUF_COUNT_MAX);
		return -EINVAL;
	}
	fxt_params.subbuf_count = n;
	return 0;
}

/* Return: the index of @val, or -EINVAL. Index 0 is not a name. */
static int fxt_find_name(const char * const *names, int count, const char *val)
{
	int i;

	for (i = 1; i < count; i++)
		if (sysfs_streq(names[i], val))
			return i;
	return -EINVAL;
}

static int fxt_set_clock(const char *val, const struct kernel_param *kp)
{
	int clock = fxt_find_name(fxt_clock_names, ARRAY_SIZE(fxt_clock_names), val);

	if (clock < 0) {
		pr_err("clock refused: it must be boot, mono or tsc\n");
		return clock;
	}
	if (!fxt_clock_is_usable(clock)) {
		pr_err("clock tsc refused: this machine has no time-stamp counter that is reliable across CPUs; use boot\n");
		return -EOPNOTSUPP;
	}
	fxt_params.clock = clock;
	return 0;
}

static int fxt_set_weight(const char *val, const struct kernel_param *kp)
{
	int weight = fxt_find_name(fxt_weight_names, ARRAY_SIZE(fxt_weight_names), val);

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

static int fxt_set_max_sessions(const char *val, const struct kernel_param *kp)
{
	unsigned int n;

	if (kstrtouint(val, 10, &n) || n > FXT_SCHED_SESSIONS_MAX) {
		pr_err("max_sessions refused: it must be from 0 to %u\n",
		       FXT_SCHED_SESSIONS_MAX);
		return -EINVAL;
	}
	fxt_params.max_sessions = n;
	return 0;
}

static int fxt_set_max_memory(const char *val, const struct kernel_param *kp)
{
	u64 n;

	if (fxt_parse_size(val, &n)) {
		pr_err("max_memory refused: it must be a number of bytes, e.g. 512M, or 0 for no limit\n");
		return -EINVAL;
	}
	fxt_params.max_memory = n;
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

#define FXT_PARAM(name, setter, getter, where)				\
	static const struct kernel_param_ops fxt_##name##_ops = {		\
		.set = setter,							\
		.get = getter,							\
	};									\
	module_param_cb(name, &fxt_##name##_ops, where, 0644)

FXT_PARAM(subbuf_size, fxt_set_subbuf_size, param_get_uint, &fxt_params.subbuf_size);
MODULE_PARM_DESC(subbuf_size, "default bytes of a sub-buffer, a multiple of the page size (256K)");

FXT_PARAM(subbuf_count, fxt_set_subbuf_count, param_get_uint, &fxt_params.subbuf_count);
MODULE_PARM_DESC(subbuf_count, "default number of sub-buffers per CPU (16)");

FXT_PARAM(clock, fxt_set_clock, fxt_get_clock, NULL);
MODULE_PARM_DESC(clock, "default clock of the time stamps: boot, mono or tsc (boot)");

FXT_PARAM(weight, fxt_set_weight, fxt_get_weight, NULL);
MODULE_PARM_DESC(weight, "default content of weights: weight or the kernel's prio (weight)");

FXT_PARAM(max_sessions, fxt_set_max_sessions, param_get_uint, &fxt_params.max_sessions);
MODULE_PARM_DESC(max_sessions, "number of sessions that can exist at the same time (16)");

FXT_PARAM(max_memory, fxt_set_max_memory, param_get_ullong, &fxt_params.max_memory);
MODULE_PARM_DESC(max_memory, "bytes of the buffers and tables of all sessions together, 0 for no limit (0)");
