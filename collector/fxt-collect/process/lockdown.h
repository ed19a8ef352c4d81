/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lockdown.h - does this kernel keep modules out that nobody signed?
 */
#ifndef FXT_COLLECT_PROCESS_LOCKDOWN_H
#define FXT_COLLECT_PROCESS_LOCKDOWN_H

/**
 * lockdown_level() - how far this kernel is locked down
 *
 * At any level it loads only modules that are signed with a key it trusts.
 *
 * Return: "integrity", "confidentiality", or NULL if it is not, or if it cannot
 * be asked (securityfs is not mounted, or the kernel has no lockdown).
 */
const char *lockdown_level(void);

#endif /* FXT_COLLECT_PROCESS_LOCKDOWN_H */
