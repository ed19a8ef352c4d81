// SPDX-License-Identifier: GPL-2.0
/*
 * main.c - the module fxt_sched: its parameters, its coming and going.
 *
 * Loaded and left alone it costs nothing: buffers and probes come with a
 * session, see session.c.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/string.h>

#include <linux/fxt_sched.h>

#include "clock.h"
#include "session.h"

struct fxt_params fxt_params = {
	.subbuf_size = FXT_SCHED_SUBBUF_SIZE_DEFAULT,
	.subbuf_count = FXT_SCHED_SUBBUF_COUNT_DEFAULT,
	.clock = FXT_CLOCK_BOOT,
	.weight = FXT_WEIGHT_WEIGHT,
};

/* A number with an optional K or M; anything else is refused. */
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
	if (clock == FXT_CLOCK_TSC && !fxt_tsc_frequency()) {
		pr_err("clock tsc refused: this machine has no time-stamp counter that its CPUs agree on; use boot\n");
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

static const struct kernel_param_ops fxt_subbuf_size_ops = {
	.set = fxt_set_subbuf_size,
	.get = param_get_uint,
};

static const struct kernel_param_ops fxt_subbuf_count_ops = {
	.set = fxt_set_subbuf_count,
	.get = param_get_uint,
};

static const struct kernel_param_ops fxt_clock_ops = {
	.set = fxt_set_clock,
	.get = fxt_get_clock,
};

static const struct kernel_param_ops fxt_weight_ops = {
	.set = fxt_set_weight,
	.get = fxt_get_weight,
};

module_param_cb(subbuf_size, &fxt_subbuf_size_ops, &fxt_params.subbuf_size, 0644);
MODULE_PARM_DESC(subbuf_size, "bytes of a sub-buffer, a multiple of the page size (256K)");
module_param_cb(subbuf_count, &fxt_subbuf_count_ops, &fxt_params.subbuf_count, 0644);
MODULE_PARM_DESC(subbuf_count, "sub-buffers per CPU (16)");
module_param_cb(clock, &fxt_clock_ops, NULL, 0644);
MODULE_PARM_DESC(clock, "clock of the time stamps: boot, mono or tsc (boot)");
module_param_cb(weight, &fxt_weight_ops, NULL, 0644);
MODULE_PARM_DESC(weight, "what weights hold: weight or the kernel's prio (weight)");

static int __init fxt_init(void)
{
	int ret = fxt_probes_find();

	return ret ? ret : fxt_files_create();
}

static void __exit fxt_exit(void)
{
	fxt_files_remove();
}

module_init(fxt_init);
module_exit(fxt_exit);

MODULE_DESCRIPTION("Scheduler tracer that writes Fuchsia trace records");
MODULE_LICENSE("GPL");
