/* SPDX-License-Identifier: GPL-2.0-or-later */
/* user.h - whose process or thread it is. */
#ifndef FXT_COLLECT_PROCESS_USER_H
#define FXT_COLLECT_PROCESS_USER_H

#include <stdint.h>

#define USER_UNKNOWN	UINT32_MAX

/*
 * The real user id of a process or thread, whose @id is as this process's /proc shows it;
 * USER_UNKNOWN if it has ended, or is hidden. Reads /proc/ID/status: the owner of that folder is
 * root if the process does not want core dumps.
 */
uint32_t user_of(uint32_t id);

#endif /* FXT_COLLECT_PROCESS_USER_H */
