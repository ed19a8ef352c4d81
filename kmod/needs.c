// SPDX-License-Identifier: GPL-2.0
/*
 * needs.c - compares what the module needs from the kernel with its headers.
 *
 * In:  the headers of the kernel to build for, and compat.h. Out: errors only; no object
 * of this file is linked. Kbuild checks it before it compiles anything, and needs.awk
 * turns the first error into one line. A comment that names a header or an option
 * becomes part of that line, so it stands before the code that it describes, without an
 * empty line between.
 *
 * The module's sources follow at the end. For a need that is not named here the line has
 * the compiler's words.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/build_bug.h>
#include <linux/kconfig.h>

/* CONFIG_RELAY */
static_assert(IS_ENABLED(CONFIG_RELAY));
/* CONFIG_DEBUG_FS */
static_assert(IS_ENABLED(CONFIG_DEBUG_FS));
/* CONFIG_TRACEPOINTS */
static_assert(IS_ENABLED(CONFIG_TRACEPOINTS));

/* include/linux/relay.h: the header */
#include <linux/relay.h>
/* include/linux/debugfs.h: the header */
#include <linux/debugfs.h>
/* include/linux/tracepoint.h: the header */
#include <linux/tracepoint.h>
/* include/trace/events/sched.h: the header */
#include <trace/events/sched.h>
/* include/trace/events/task.h: the header */
#include <trace/events/task.h>

#include <linux/interrupt.h>
#include <linux/workqueue.h>

/* include/trace/events/ipi.h: the header */
#include <trace/events/ipi.h>
/* include/trace/events/irq.h: the header */
#include <trace/events/irq.h>
/* include/trace/events/power.h: the header */
#include <trace/events/power.h>
/* include/trace/events/signal.h: the header */
#include <trace/events/signal.h>
/* include/trace/events/syscalls.h: the header */
#include <trace/events/syscalls.h>
/* include/trace/events/workqueue.h: the header */
#include <trace/events/workqueue.h>

#include <linux/binfmts.h>
#include <linux/capability.h>
#include <linux/cgroup.h>
#include <linux/clocksource.h>
#include <linux/compat.h>
#include <linux/cpu.h>
#include <linux/cpufreq.h>
#include <linux/cred.h>
#include <linux/idr.h>
#include <linux/irq_work.h>
#include <linux/ktime.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/pvclock_gtod.h>
#include <linux/sched.h>
#include <linux/security.h>
#include <linux/smp.h>
#include <linux/stacktrace.h>
#include <linux/timekeeper_internal.h>
#include <linux/uaccess.h>
#include <asm/syscall.h>

#include <fxt/fxt_sched.h>

#include "compat.h"

typedef void fxt_task_probe(void *data, struct task_struct *p);
typedef void FXT_PROBE_SWITCH(fxt_switch_probe);
typedef void fxt_fork_probe(void *data, struct task_struct *parent,
			    struct task_struct *child);
typedef void fxt_exec_probe(void *data, struct task_struct *p, pid_t old_pid,
			    struct linux_binprm *bprm);
typedef void fxt_rename_probe(void *data, struct task_struct *p, const char *comm);

typedef void FXT_PROBE_EXIT(fxt_exit_probe);

static void fxt_needs_tracepoints(void)
{
	/* include/trace/events/sched.h: sched_switch */
	check_trace_callback_type_sched_switch((fxt_switch_probe *)NULL);
	/* include/trace/events/sched.h: sched_waking */
	check_trace_callback_type_sched_waking((fxt_task_probe *)NULL);
	/* include/trace/events/sched.h: sched_wakeup */
	check_trace_callback_type_sched_wakeup((fxt_task_probe *)NULL);
	/* include/trace/events/sched.h: sched_wakeup_new */
	check_trace_callback_type_sched_wakeup_new((fxt_task_probe *)NULL);
	/* include/trace/events/sched.h: sched_process_fork */
	check_trace_callback_type_sched_process_fork((fxt_fork_probe *)NULL);
	/* include/trace/events/sched.h: sched_process_exec */
	check_trace_callback_type_sched_process_exec((fxt_exec_probe *)NULL);
	/* include/trace/events/task.h: task_rename */
	check_trace_callback_type_task_rename((fxt_rename_probe *)NULL);
	/* include/trace/events/sched.h: sched_process_exit */
	check_trace_callback_type_sched_process_exit((fxt_exit_probe *)NULL);
}

typedef void fxt_handler_probe(void *data, int irq, struct irqaction *action);
typedef void fxt_handled_probe(void *data, int irq, struct irqaction *action, int ret);
typedef void fxt_number_probe(void *data, unsigned int number);
typedef void fxt_migrate_probe(void *data, struct task_struct *p, int cpu);
typedef void fxt_cpu_probe(void *data, unsigned int state, unsigned int cpu);
typedef void fxt_miss_probe(void *data, unsigned int cpu, unsigned int state, bool below);
typedef void fxt_policy_probe(void *data, struct cpufreq_policy *policy);
typedef void fxt_start_probe(void *data, struct work_struct *work);
typedef void fxt_end_probe(void *data, struct work_struct *work, work_func_t function);
typedef void fxt_ipi_probe(void *data, unsigned int cpu, unsigned long site, void *function);
typedef void fxt_ipi_mask_probe(void *data, const struct cpumask *cpus, unsigned long site,
				void *function);
typedef void fxt_call_probe(void *data, struct pt_regs *regs, long value);
typedef void fxt_signal_probe(void *data, int signal, struct kernel_siginfo *info,
			      struct task_struct *target, int group, int result);
typedef void fxt_delivery_probe(void *data, int signal, struct kernel_siginfo *info,
				struct k_sigaction *action);
typedef void fxt_priority_probe(void *data, struct task_struct *p, struct task_struct *donor);

static void fxt_needs_groups(void)
{
	/* include/trace/events/irq.h: irq_handler_entry */
	check_trace_callback_type_irq_handler_entry((fxt_handler_probe *)NULL);
	/* include/trace/events/irq.h: irq_handler_exit */
	check_trace_callback_type_irq_handler_exit((fxt_handled_probe *)NULL);
	/* include/trace/events/irq.h: softirq_entry */
	check_trace_callback_type_softirq_entry((fxt_number_probe *)NULL);
	/* include/trace/events/irq.h: softirq_exit */
	check_trace_callback_type_softirq_exit((fxt_number_probe *)NULL);
	/* include/trace/events/sched.h: sched_migrate_task */
	check_trace_callback_type_sched_migrate_task((fxt_migrate_probe *)NULL);
	/* include/trace/events/power.h: cpu_idle */
	check_trace_callback_type_cpu_idle((fxt_cpu_probe *)NULL);
	/* include/trace/events/power.h: cpu_idle_miss */
	FXT_CHECK_IDLE_MISS((fxt_miss_probe *)NULL);
	/* include/trace/events/power.h: cpu_frequency */
	check_trace_callback_type_cpu_frequency((fxt_cpu_probe *)NULL);
	/* include/trace/events/power.h: cpu_frequency_limits */
	check_trace_callback_type_cpu_frequency_limits((fxt_policy_probe *)NULL);
	/* include/trace/events/workqueue.h: workqueue_execute_start */
	check_trace_callback_type_workqueue_execute_start((fxt_start_probe *)NULL);
	/* include/trace/events/workqueue.h: workqueue_execute_end */
	check_trace_callback_type_workqueue_execute_end((fxt_end_probe *)NULL);
	/* include/trace/events/sched.h: sched_pi_setprio */
	check_trace_callback_type_sched_pi_setprio((fxt_priority_probe *)NULL);
	/* include/trace/events/signal.h: signal_generate */
	check_trace_callback_type_signal_generate((fxt_signal_probe *)NULL);
	/* include/trace/events/signal.h: signal_deliver */
	check_trace_callback_type_signal_deliver((fxt_delivery_probe *)NULL);
	/* include/trace/events/ipi.h: ipi_send_cpu */
	FXT_CHECK_IPI_CPU((fxt_ipi_probe *)NULL);
	/* include/trace/events/ipi.h: ipi_send_cpumask */
	FXT_CHECK_IPI_MASK((fxt_ipi_mask_probe *)NULL);
#ifdef CONFIG_HAVE_SYSCALL_TRACEPOINTS
	/* include/trace/events/syscalls.h: sys_enter */
	check_trace_callback_type_sys_enter((fxt_call_probe *)NULL);
	/* include/trace/events/syscalls.h: sys_exit */
	check_trace_callback_type_sys_exit((fxt_call_probe *)NULL);
#endif
}

static u32 fxt_needs_events(const struct irqaction *action, const struct cpufreq_policy *policy)
{
	/* include/trace/events/power.h: PWR_EVENT_EXIT */
	u32 n = PWR_EVENT_EXIT;

	/* include/linux/interrupt.h: struct irqaction.name */
	n += action->name[0];
	/* include/linux/cpufreq.h: struct cpufreq_policy.cpu, .min and .max */
	return n + policy->cpu + policy->min + policy->max;
}

static int fxt_needs_syscall(struct pt_regs *regs)
{
	/* include/asm-generic/syscall.h: syscall_get_nr() */
	int nr = syscall_get_nr(current, regs);

	/* include/linux/compat.h: in_compat_syscall() */
	return nr + in_compat_syscall();
}

static void fxt_needs_match(struct tracepoint *tp, void *priv)
{
	/* include/linux/tracepoint-defs.h: struct tracepoint.name */
	const char *name = tp->name;

	/* include/linux/tracepoint.h: tracepoint_probe_register() */
	int ret = tracepoint_probe_register(tp, priv, priv);

	/* include/linux/tracepoint.h: tracepoint_probe_unregister() */
	ret = tracepoint_probe_unregister(tp, priv, priv);
	/* include/linux/tracepoint.h: tracepoint_synchronize_unregister() */
	tracepoint_synchronize_unregister();
	/* include/linux/tracepoint.h: for_each_kernel_tracepoint() */
	for_each_kernel_tracepoint(fxt_needs_match, (void *)name + ret);
}

static int FXT_SUBBUF_START(fxt_needs_start)
{
	/* include/linux/relay.h: struct rchan.private_data */
	size_t n = !!buf->chan->private_data;

	/* include/linux/relay.h: struct rchan.cb */
	n += !!buf->chan->cb;
	/* include/linux/relay.h: struct rchan.n_subbufs */
	n += buf->chan->n_subbufs;
	/* include/linux/relay.h: struct rchan.subbuf_size */
	n += buf->chan->subbuf_size;
	/* include/linux/relay.h: struct rchan_buf.start and .data */
	n += buf->start - buf->data;
	/* include/linux/relay.h: struct rchan_buf.offset */
	n += buf->offset;
	/* include/linux/relay.h: struct rchan_buf.subbufs_produced */
	n += buf->subbufs_produced;
	/* include/linux/relay.h: struct rchan_buf.subbufs_consumed */
	n += buf->subbufs_consumed;
	/* include/linux/relay.h: struct rchan_buf.padding */
	n += buf->padding[0];
	/* include/linux/relay.h: struct rchan_buf.read_wait */
	wake_up_interruptible(&buf->read_wait);
	/* include/linux/relay.h: struct rchan_buf.finalized */
	n += buf->finalized;
	/* include/linux/relay.h: struct rchan_buf.cpu */
	return n + buf->cpu;
}

static struct dentry *fxt_needs_create(const char *name, struct dentry *parent,
				       umode_t mode, struct rchan_buf *buf, int *is_global)
{
	/* include/linux/relay.h: relay_file_operations */
	const struct file_operations *fops = &relay_file_operations;

	/* include/linux/debugfs.h: debugfs_create_dir() */
	parent = debugfs_create_dir(name, parent);
	/* include/linux/debugfs.h: debugfs_create_file_unsafe() */
	return debugfs_create_file_unsafe(name, mode, parent, buf, fops);
}

static int fxt_needs_open(struct file *file)
{
	const struct file_operations *fops = file->f_op;

	/* include/linux/fs.h: fops_get() */
	if (!fops_get(fops))
		return -ENXIO;
	/* include/linux/fs.h: replace_fops() */
	replace_fops(file, fops);
	return 0;
}

static bool fxt_needs_right(void)
{
	/* include/linux/capability.h: perfmon_capable() */
	return perfmon_capable();
}

static int fxt_needs_lockdown(void)
{
	/* include/linux/security.h: security_locked_down() and LOCKDOWN_TRACEFS */
	return security_locked_down(LOCKDOWN_TRACEFS);
}

static int fxt_needs_device(struct miscdevice *device, void *to, const void __user *from)
{
	long (*compat)(struct file *file, unsigned int cmd, unsigned long arg);
	/* include/linux/miscdevice.h: misc_register() */
	int ret = misc_register(device);

	/* include/linux/miscdevice.h: misc_deregister() */
	misc_deregister(device);
	/* include/linux/fs.h: compat_ptr_ioctl(), NULL in kernels without 32-bit processes */
	compat = compat_ptr_ioctl;
	/* include/linux/uaccess.h: copy_struct_from_user() */
	return ret + !compat + copy_struct_from_user(to, 8, from, 8);
}

static void fxt_needs_work(struct irq_work *work)
{
	/* include/linux/irq_work.h: init_irq_work() */
	init_irq_work(work, NULL);
	/* include/linux/irq_work.h: irq_work_queue() */
	irq_work_queue(work);
	/* include/linux/irq_work.h: irq_work_sync() */
	irq_work_sync(work);
}

static int fxt_needs_remove(struct dentry *dentry)
{
	/* include/linux/debugfs.h: debugfs_remove() */
	debugfs_remove(dentry);
	return 0;
}

static FXT_CALLBACKS_CONST struct rchan_callbacks fxt_needs_callbacks = {
	/* include/linux/relay.h: struct rchan_callbacks.subbuf_start */
	.subbuf_start = fxt_needs_start,
	/* include/linux/relay.h: struct rchan_callbacks.create_buf_file */
	.create_buf_file = fxt_needs_create,
	/* include/linux/relay.h: struct rchan_callbacks.remove_buf_file */
	.remove_buf_file = fxt_needs_remove,
};

static size_t fxt_needs_relay(struct dentry *dir, struct rchan_buf *buf, void *session)
{
	/* include/linux/relay.h: relay_open() */
	struct rchan *chan = relay_open("", dir, PAGE_SIZE, 2, &fxt_needs_callbacks, session);

	/* include/linux/relay.h: relay_close() */
	relay_close(chan);
	/* include/linux/relay.h: relay_subbufs_consumed() */
	relay_subbufs_consumed(chan, 0U, 1);
	/* include/linux/relay.h: relay_buf_full() */
	if (relay_buf_full(buf))
		return 0;
	/* include/linux/relay.h: relay_switch_subbuf() */
	return relay_switch_subbuf(buf, 1);
}

static unsigned long fxt_needs_task(struct task_struct *p)
{
	unsigned int prev_state = 0;
	/* include/linux/sched.h: the state of struct task_struct */
	unsigned long n = FXT_PREV_STATE(p);

	/* include/linux/sched.h: struct task_struct.exit_state */
	n += p->exit_state;
	/* include/linux/sched.h: struct task_struct.on_rq */
	n += p->on_rq;
	/* include/linux/sched.h: struct task_struct.pid and .tgid */
	n += p->pid + p->tgid;
#ifdef CONFIG_SMP
	/* include/linux/sched.h: struct task_struct.on_cpu */
	n += p->on_cpu;
#endif
	/* include/linux/sched.h: struct task_struct.prio and .normal_prio */
	n += p->prio + p->normal_prio;
	/* include/linux/sched.h: struct task_struct.exit_code */
	n += p->exit_code;
	/* include/linux/sched.h: struct task_struct.comm */
	n += p->comm[0];
	/* include/linux/sched.h: struct sched_entity.load.weight */
	n += p->se.load.weight;
	/* include/linux/sched.h: SCHED_FIXEDPOINT_SHIFT */
	n >>= SCHED_FIXEDPOINT_SHIFT;
	/* include/linux/sched.h: task_cpu() */
	n += task_cpu(p);
	return n + prev_state;
}

static struct task_struct *fxt_needs_walk(int id)
{
	/* include/linux/pid_namespace.h: init_pid_ns and struct pid_namespace.idr */
	struct idr *ids = &init_pid_ns.idr;
	/* include/linux/idr.h: idr_get_next() */
	struct pid *pid = idr_get_next(ids, &id);

	/* include/linux/pid.h: pid_task() */
	return pid_task(pid, PIDTYPE_PID);
}

static u64 fxt_needs_kernel(smp_call_func_t func, void *info)
{
	/* include/linux/timekeeping.h: ktime_get_boot_fast_ns() */
	u64 ns = ktime_get_boot_fast_ns();

	/* include/linux/timekeeping.h: ktime_get_mono_fast_ns() */
	ns += ktime_get_mono_fast_ns();
	/* include/linux/timekeeping.h: ktime_get_boottime_ns() */
	ns += ktime_get_boottime_ns();
	/* include/linux/mm.h: si_mem_available() */
	ns += si_mem_available();
	/* include/linux/cpu.h: cpus_read_lock() */
	cpus_read_lock();
	/* include/linux/smp.h: smp_call_function_single() */
	ns += smp_call_function_single(0, func, info, 1);
	/* include/linux/cpu.h: cpus_read_unlock() */
	cpus_read_unlock();
	return ns;
}

#ifdef CONFIG_STACKTRACE
static unsigned int fxt_needs_stack(struct task_struct *p, unsigned long *frames)
{
	/* include/linux/stacktrace.h: stack_trace_save_tsk(), or x86's <asm/unwind.h> before 6.12 */
	unsigned int n = FXT_STACK_OF_TASK(p, frames, 1, 0);

	/* include/linux/stacktrace.h: stack_trace_save() */
	return n + stack_trace_save(frames, 1, 0);
}
#endif

static long fxt_needs_frame(void *to, const void __user *from)
{
	/* include/linux/uaccess.h: copy_from_user_nofault() */
	return copy_from_user_nofault(to, from, 1);
}

static u32 fxt_needs_user(void)
{
	/* include/linux/cred.h: current_uid() */
	kuid_t user = current_uid();

	/* include/linux/uidgid.h: from_kuid() and init_user_ns */
	return from_kuid(&init_user_ns, user);
}

#ifdef CONFIG_X86_TSC
static u64 fxt_needs_timekeeper(const struct timekeeper *tk, struct notifier_block *nb)
{
	/* include/linux/timekeeper_internal.h: struct timekeeper.tkr_mono */
	const struct tk_read_base *mono = &tk->tkr_mono;
	/* include/linux/timekeeper_internal.h: struct timekeeper.offs_boot */
	u64 ns = tk->offs_boot;

	/* include/linux/timekeeper_internal.h: struct tk_read_base.base and .xtime_nsec */
	ns += mono->base + mono->xtime_nsec;
	/* include/linux/timekeeper_internal.h: struct tk_read_base.cycle_last */
	ns += mono->cycle_last;
	/* include/linux/timekeeper_internal.h: struct tk_read_base.mult and .shift */
	ns += mono->mult >> mono->shift;
	/* include/linux/clocksource.h: struct clocksource.max_cycles */
	ns += mono->clock->max_cycles;
	/* include/linux/clocksource.h: struct clocksource.vdso_clock_mode */
	if (mono->clock->vdso_clock_mode != VDSO_CLOCKMODE_TSC)
		return 0;
	/* include/linux/pvclock_gtod.h: pvclock_gtod_register_notifier() */
	ns += pvclock_gtod_register_notifier(nb);
	/* include/linux/pvclock_gtod.h: pvclock_gtod_unregister_notifier() */
	return ns + pvclock_gtod_unregister_notifier(nb);
}
#endif

#ifdef CONFIG_CGROUPS
static bool fxt_needs_cgroup(struct task_struct *p, int fd)
{
	/* include/linux/cgroup.h: cgroup_get_from_fd() */
	struct cgroup *cgroup = cgroup_get_from_fd(fd);

	/* include/linux/cgroup.h: cgroup_put() */
	cgroup_put(cgroup);
	/* include/linux/cgroup.h: task_dfl_cgroup() and cgroup_is_descendant() */
	return cgroup_is_descendant(task_dfl_cgroup(p), cgroup);
}
#endif

/* The module's own sources. */
#include "channel.c"
#include "clock.c"
#include "config.c"
#include "control.c"
#include "device.c"
#include "directory.c"
#include "filter.c"
#include "freq.c"
#include "function_names.c"
#include "groups.c"
#include "idle.c"
#include "ipi.c"
#include "irq.c"
#include "saved_stacks.c"
#include "kernel_stack.c"
#include "lifecycle.c"
#include "limits.c"
#include "main.c"
#include "migrate.c"
#include "names.c"
#include "notify.c"
#include "params.c"
#include "probes.c"
#include "reason.c"
#include "rundown.c"
#include "session.c"
#include "signals.c"
#include "softirq.c"
#include "stack_record.c"
#include "stacks.c"
#include "stream.c"
#include "switch.c"
#include "syscall.c"
#include "task_events.c"
#include "task_table.c"
#include "tracepoints.c"
#include "trigger.c"
#include "user_stack.c"
#include "wakeup.c"
#include "walk.c"
#include "work.c"
