// SPDX-License-Identifier: GPL-2.0-only
/*
 * fxt_detectors.c - injects one fault, to prove that the kernel detects it.
 * In:  the parameter "fault".
 * Out: a report in the kernel log, if the kernel has a detector for that fault. Only a debug kernel
 * that reports these faults would also report those of fxt_sched.
 *
 * Use it only in a disposable guest. Loading the module injects the fault, in the context of
 * insmod. The machine should survive, unless the kernel panics on warnings.
 */
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/timer.h>
#include <linux/tracepoint.h>
#include <linux/vmalloc.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

static char *fault = "";
module_param(fault, charp, 0400);
MODULE_PARM_DESC(fault, "which one, see struct fault");

/* Hide a number from the compiler. */
static int hidden(int number)
{
	OPTIMIZER_HIDE_VAR(number);
	return number;
}

static int slab_overrun(void)
{
	char *p = kmalloc(60, GFP_KERNEL);

	if (!p)
		return -ENOMEM;
	p[hidden(60)] = 1;
	kfree(p);
	return 0;
}

static int use_after_free(void)
{
	char *p = kmalloc(60, GFP_KERNEL);

	if (!p)
		return -ENOMEM;
	kfree(p);
	WRITE_ONCE(p[hidden(30)], 1);
	return 0;
}

/* Overrun within the last page: beyond the page, another guard would catch the write. */
static int vmalloc_overrun(void)
{
	char *p = vmalloc(PAGE_SIZE + 60);

	if (!p)
		return -ENOMEM;
	p[hidden(PAGE_SIZE + 60)] = 1;
	vfree(p);
	return 0;
}

static int stack_overrun(void)
{
	char on_stack[24];

	on_stack[0] = hidden(0);
	WRITE_ONCE(*(on_stack + hidden(sizeof(on_stack) + 1)), 1);
	return hidden(on_stack[0]) * 0;
}

static int leak(void)
{
	char *p = kmalloc(600, GFP_KERNEL);

	OPTIMIZER_HIDE_VAR(p);
	return p ? 0 : -ENOMEM;
}

static int list_corruption(void)
{
	LIST_HEAD(list);
	LIST_HEAD(one);

	list_add(&one, &list);
	list.next = &list;
	list_del(&one);
	return 0;
}

static DECLARE_WAIT_QUEUE_HEAD(queue);
static bool awake;

static int wait_for_waker(void *arg)
{
	wait_event_interruptible(queue, READ_ONCE(awake) || kthread_should_stop());
	while (!kthread_should_stop())
		msleep(10);
	return 0;
}

/* No thread is waiting: only the order of the two locks is wrong. */
static void wake_in_switch(void *data, bool preempt, struct task_struct *prev,
			   struct task_struct *next, unsigned int prev_state)
{
	wake_up(&queue);
}

static void find_sched_switch(struct tracepoint *tp, void *found)
{
	if (!strcmp(tp->name, "sched_switch"))
		*(struct tracepoint **)found = tp;
}

/* wake_up() takes the lock of a run queue under that of a wait queue; this inverts it. */
static int lock_inversion(void)
{
	struct task_struct *waiter = kthread_run(wait_for_waker, NULL, "detectors");
	struct tracepoint *tp = NULL;
	int ret;

	if (IS_ERR(waiter))
		return PTR_ERR(waiter);
	msleep(100);
	WRITE_ONCE(awake, true);
	wake_up(&queue);
	kthread_stop(waiter);

	for_each_kernel_tracepoint(find_sched_switch, &tp);
	if (!tp)
		return -ENOENT;
	ret = tracepoint_probe_register(tp, wake_in_switch, NULL);
	if (ret)
		return ret;
	msleep(100);
	tracepoint_probe_unregister(tp, wake_in_switch, NULL);
	tracepoint_synchronize_unregister();
	return 0;
}

static int __rcu *guarded;

static int rcu_unlocked(void)
{
	return rcu_dereference(guarded) ? -EINVAL : 0;
}

/* Only might_sleep(), because a real sleep here would disable lockdep, too. */
static int atomic_sleep(void)
{
	static DEFINE_SPINLOCK(lock);

	spin_lock(&lock);
	might_sleep();
	spin_unlock(&lock);
	return 0;
}

static int preemptible_cpu(void)
{
	return smp_processor_id() < nr_cpu_ids ? 0 : -EINVAL;
}

struct clock {
	struct timer_list timer;
};

static void ring(struct timer_list *timer)
{
}

static struct clock *active_clock(void)
{
	struct clock *clock = kmalloc(sizeof(*clock), GFP_KERNEL);

	if (!clock)
		return NULL;
	timer_setup(&clock->timer, ring, 0);
	mod_timer(&clock->timer, jiffies + 1000 * HZ);
	return clock;
}

static int free_active(void)
{
	struct clock *clock = active_clock();

	if (!clock)
		return -ENOMEM;
	kfree(clock);
	return 0;
}

static int init_active(void)
{
	struct clock *clock = active_clock();

	if (!clock)
		return -ENOMEM;
	timer_setup(&clock->timer, ring, 0);
	del_timer_sync(&clock->timer);
	kfree(clock);
	return 0;
}

static void do_work(struct work_struct *work)
{
}

static int free_work(void)
{
	struct delayed_work *work = kmalloc(sizeof(*work), GFP_KERNEL);

	if (!work)
		return -ENOMEM;
	INIT_DELAYED_WORK(work, do_work);
	schedule_delayed_work(work, 1000 * HZ);
	kfree(work);
	return 0;
}

static int table[4], sink;

static int out_of_bounds(void)
{
	WRITE_ONCE(sink, table[hidden(5)]);
	return 0;
}

static int shift(void)
{
	WRITE_ONCE(sink, hidden(1) << hidden(40));
	return 0;
}

static unsigned long contended;

static int contend(void *arg)
{
	while (!kthread_should_stop()) {
		int i;

		for (i = 0; i < 1000; i++)
			contended++;
		cond_resched();
	}
	return 0;
}

static int race(void)
{
	struct task_struct *threads[2];
	int i, ret = 0;

	for (i = 0; i < 2; i++) {
		threads[i] = kthread_create(contend, NULL, "contend/%d", i);
		if (IS_ERR(threads[i])) {
			ret = PTR_ERR(threads[i]);
			break;
		}
		kthread_bind(threads[i], i ? cpumask_last(cpu_online_mask) :
					     cpumask_first(cpu_online_mask));
		wake_up_process(threads[i]);
	}
	msleep(5000);
	while (i--)
		kthread_stop(threads[i]);
	return ret;
}

/**
 * struct fault - a fault to inject
 * @name: value of the parameter
 * @commit: injects it; returns 0, or a negative errno if that was not possible
 */
static const struct fault {
	const char *name;
	int (*commit)(void);
} faults[] = {
	{ "slab_overrun", slab_overrun },
	{ "use_after_free", use_after_free },
	{ "vmalloc_overrun", vmalloc_overrun },
	{ "stack_overrun", stack_overrun },
	{ "leak", leak },
	{ "list_corruption", list_corruption },
	{ "lock_inversion", lock_inversion },
	{ "rcu_unlocked", rcu_unlocked },
	{ "atomic_sleep", atomic_sleep },
	{ "preemptible_cpu", preemptible_cpu },
	{ "free_active", free_active },
	{ "init_active", init_active },
	{ "free_work", free_work },
	{ "out_of_bounds", out_of_bounds },
	{ "shift", shift },
	{ "race", race },
};

static int __init detectors_init(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(faults); i++)
		if (!strcmp(faults[i].name, fault))
			return faults[i].commit();
	pr_err("fxt_detectors: no fault '%s'\n", fault);
	return -EINVAL;
}

static void __exit detectors_exit(void)
{
}

module_init(detectors_init);
module_exit(detectors_exit);

MODULE_DESCRIPTION("Injects faults to prove that the kernel detects them");
MODULE_LICENSE("GPL");
