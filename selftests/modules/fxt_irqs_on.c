// SPDX-License-Identifier: GPL-2.0-only
/*
 * fxt_irqs_on.c - an interrupt whose handler enables interrupts, as some drivers do.
 * In:  the parameter "cpu", on which a thread raises the interrupt again and again.
 * Out: irq_handler_exit fires with interrupts enabled: the kernel looks only afterwards. It would
 *      disable them and warn. Here a probe that runs after all others has disabled them, so that
 *      the kernel's log stays clean.
 */
#include <linux/delay.h>
#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/irqflags.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

static int cpu;
module_param(cpu, int, 0400);
MODULE_PARM_DESC(cpu, "where the interrupt is raised");

static int number;
static struct task_struct *raiser;
static struct tracepoint *handler_exit;

static irqreturn_t handle(int irq, void *unused)
{
	local_irq_enable();
	return IRQ_HANDLED;
}

static void disable_again(void *unused, int irq, struct irqaction *action, int ret)
{
	if (irq == number)
		local_irq_disable();
}

static int raise_again(void *unused)
{
	while (!kthread_should_stop()) {
		local_irq_disable();
		generic_handle_irq(number);
		local_irq_enable();
		udelay(5);
		cond_resched();
	}
	return 0;
}

static void find_tracepoint(struct tracepoint *tp, void *unused)
{
	if (!strcmp(tp->name, "irq_handler_exit"))
		handler_exit = tp;
}

static int start_raiser(void)
{
	raiser = kthread_create(raise_again, NULL, "fxt_irqs_on");
	if (IS_ERR(raiser))
		return PTR_ERR(raiser);
	kthread_bind(raiser, cpu);
	wake_up_process(raiser);
	return 0;
}

static int __init irqs_on_init(void)
{
	int ret;

	for_each_kernel_tracepoint(find_tracepoint, NULL);
	if (!handler_exit)
		return -ENOENT;
	/* Without an owner: a handler would hold a reference to it, and the module stay loaded. */
	number = __irq_alloc_descs(-1, 0, 1, 0, NULL, NULL);
	if (number < 0)
		return number;
	irq_set_chip_and_handler(number, &dummy_irq_chip, handle_simple_irq);
	irq_modify_status(number, IRQ_NOREQUEST, 0);
	ret = request_irq(number, handle, IRQF_NO_THREAD, "fxt_irqs_on", &number);
	if (ret)
		goto free_number;
	ret = tracepoint_probe_register_prio(handler_exit, disable_again, NULL, 0);
	if (ret)
		goto free_handler;
	ret = start_raiser();
	if (!ret)
		return 0;
	tracepoint_probe_unregister(handler_exit, disable_again, NULL);
	tracepoint_synchronize_unregister();
free_handler:
	free_irq(number, &number);
free_number:
	irq_free_descs(number, 1);
	return ret;
}

static void __exit irqs_on_exit(void)
{
	kthread_stop(raiser);
	free_irq(number, &number);
	tracepoint_probe_unregister(handler_exit, disable_again, NULL);
	tracepoint_synchronize_unregister();
	irq_free_descs(number, 1);
}

module_init(irqs_on_init);
module_exit(irqs_on_exit);

MODULE_DESCRIPTION("Raises an interrupt whose handler enables interrupts");
MODULE_LICENSE("GPL");
