// SPDX-License-Identifier: GPL-2.0-only
/*
 * fxt_softirqs.c - a burst of soft interrupts, more than an interrupt serves.
 * In:  the parameter "cpu".
 * Out: that CPU leaves the rest to ksoftirqd. Until that has run, some kernels serve few soft
 *      interrupts there, and no timers. A real-time thread can keep it from the CPU.
 */
#include <linux/interrupt.h>
#include <linux/module.h>
#include <linux/smp.h>

/* The kernel gives up after ten in a row. */
#define BURST	100

static int cpu;
module_param(cpu, int, 0400);
MODULE_PARM_DESC(cpu, "where they are raised");

static unsigned int left = BURST;

static void raise_again(struct tasklet_struct *t)
{
	if (--left)
		tasklet_schedule(t);
}

static DECLARE_TASKLET(tasklet, raise_again);

static void raise_first(void *unused)
{
	tasklet_schedule(&tasklet);
}

static int __init softirqs_init(void)
{
	return smp_call_function_single(cpu, raise_first, NULL, 1);
}

static void __exit softirqs_exit(void)
{
	tasklet_kill(&tasklet);
}

module_init(softirqs_init);
module_exit(softirqs_exit);

MODULE_DESCRIPTION("Raises many soft interrupts at once");
MODULE_LICENSE("GPL");
