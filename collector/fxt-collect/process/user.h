/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * user.h - whose process or thread it is.
 */
#ifndef FXT_COLLECT_PROCESS_USER_H
#define FXT_COLLECT_PROCESS_USER_H

#include <stdint.h>

#define USER_UNKNOWN	UINT32_MAX

/**
 * user_of() - the real user id of a process or thread
 * @id: its id, as /proc of this process shows it
 *
 * Reads /proc/ID/status: the owner of that folder is root if the process does not want core dumps.
 *
 * Return: the id; USER_UNKNOWN if it has ended, or is hidden
 */
uint32_t user_of(uint32_t id);

#endif /* FXT_COLLECT_PROCESS_USER_H */
