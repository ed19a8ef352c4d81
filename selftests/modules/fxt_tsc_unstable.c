// SPDX-License-Identifier: GPL-2.0-only
/*
 * fxt_tsc_unstable.c - a time-stamp counter that the kernel has found to be unreliable.
 * In:  calls of check_tsc_unstable().
 * Out: they return 1 while the module is loaded. mark_tsc_unstable() could not be undone.
 */
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/ptrace.h>

static int say_unstable(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	regs_set_return_value(regs, 1);
	return 0;
}

static struct kretprobe probe = {
	.kp.symbol_name = "check_tsc_unstable",
	.handler = say_unstable,
};

static int __init tsc_unstable_init(void)
{
	return register_kretprobe(&probe);
}

static void __exit tsc_unstable_exit(void)
{
	unregister_kretprobe(&probe);
}

module_init(tsc_unstable_init);
module_exit(tsc_unstable_exit);

MODULE_DESCRIPTION("Lets check_tsc_unstable() return 1");
MODULE_LICENSE("GPL");
