/* SPDX-License-Identifier: GPL-2.0 */
/*
 * syscore.h - callbacks for suspend and resume as newer kernels register them.
 */
#ifndef FXT_KMOD_SYSCORE_H
#define FXT_KMOD_SYSCORE_H

#include <linux/syscore_ops.h>

/* As in newer kernels. */
struct syscore {
	struct syscore_ops *ops;	/* the callbacks */
};

static inline void register_syscore(struct syscore *syscore)
{
	register_syscore_ops(syscore->ops);
}

static inline void unregister_syscore(struct syscore *syscore)
{
	unregister_syscore_ops(syscore->ops);
}

#endif /* FXT_KMOD_SYSCORE_H */
