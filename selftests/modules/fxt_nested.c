// SPDX-License-Identifier: GPL-2.0-only
/*
 * fxt_nested.c - events while the kernel unwinds a stack.
 * In:  calls of stack_trace_save(), which fxt_sched.ko makes while it writes a record.
 * Out: cpu_frequency fires in each, as tracepoints fire if the unwinder warns. The frequency is 0,
 *      which no CPU has.
 */
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/smp.h>
#include <trace/events/power.h>

static int fire(struct kprobe *p, struct pt_regs *regs)
{
	trace_cpu_frequency(0, raw_smp_processor_id());
	return 0;
}

static struct kprobe probe = {
	.symbol_name = "stack_trace_save",
	.pre_handler = fire,
};

static int __init nested_init(void)
{
	return register_kprobe(&probe);
}

static void __exit nested_exit(void)
{
	unregister_kprobe(&probe);
}

module_init(nested_init);
module_exit(nested_exit);

MODULE_DESCRIPTION("Fires a tracepoint in stack_trace_save()");
MODULE_LICENSE("GPL");
