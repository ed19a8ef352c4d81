/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lockdown.h - the kernel's lockdown, which refuses unsigned modules.
 */
#ifndef FXT_COLLECT_PROCESS_LOCKDOWN_H
#define FXT_COLLECT_PROCESS_LOCKDOWN_H

/**
 * lockdown_level() - the lockdown level of this kernel
 *
 * At any level, the kernel loads only modules signed with a trusted key.
 *
 * Return: "integrity", "confidentiality", or NULL if it is not locked down or the level
 * is unknown (securityfs is not mounted, or the kernel has no lockdown).
 */
const char *lockdown_level(void);

#endif /* FXT_COLLECT_PROCESS_LOCKDOWN_H */
