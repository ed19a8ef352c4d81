/* SPDX-License-Identifier: GPL-2.0 */
/*
 * permission.h - who may observe the whole machine.
 */
#ifndef FXT_KMOD_PERMISSION_H
#define FXT_KMOD_PERMISSION_H

#include <linux/capability.h>
#include <linux/security.h>

/**
 * fxt_permitted() - may the current process observe all others?
 *
 * The mode of a file is not enough: a process with root's id that has dropped its
 * capabilities must not be able to trace all others. And a kernel that is locked down for
 * confidentiality shows its activity to nobody, as tracefs does not there.
 *
 * Context: may sleep; security modules are asked, and may log it.
 *
 * Return: 0 or -EPERM.
 */
static inline int fxt_permitted(void)
{
	if (!perfmon_capable())
		return -EPERM;
	return security_locked_down(LOCKDOWN_TRACEFS);
}

#endif /* FXT_KMOD_PERMISSION_H */
