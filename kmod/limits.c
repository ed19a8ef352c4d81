// SPDX-License-Identifier: GPL-2.0
/*
 * limits.c - see limits.h.
 *
 * In:  the module's parameters, and the memory that is available. Out: numbers of
 * sessions, and leave to allocate buffers.
 */
#include <linux/bitmap.h>
#include <linux/mm.h>
#include <linux/mutex.h>

#include "limits.h"
#include "params.h"
#include "reason.h"

static DEFINE_MUTEX(fxt_limits_lock);
/* Numbers in use, from 1 on, and bytes in use; under fxt_limits_lock. */
static DECLARE_BITMAP(fxt_numbers, FXT_SCHED_SESSIONS_MAX + 1);
static u64 fxt_memory;

/**
 * fxt_limits_take_session() - get a number for a new session
 *
 * Context: may sleep.
 *
 * Return: the smallest one that is free, from 1 on; -EBUSY if there are max_sessions
 * sessions.
 */
int fxt_limits_take_session(void)
{
	struct fxt_params params;
	int number = -EBUSY;

	fxt_params_get(&params);
	mutex_lock(&fxt_limits_lock);
	if (bitmap_weight(fxt_numbers, FXT_SCHED_SESSIONS_MAX + 1) < params.max_sessions) {
		number = find_next_zero_bit(fxt_numbers, FXT_SCHED_SESSIONS_MAX + 1, 1);
		__set_bit(number, fxt_numbers);
	}
	mutex_unlock(&fxt_limits_lock);
	return number;
}

/**
 * fxt_limits_return_session() - let a session's number be used again
 * @number: the number
 *
 * Context: may sleep.
 */
void fxt_limits_return_session(unsigned int number)
{
	mutex_lock(&fxt_limits_lock);
	__clear_bit(number, fxt_numbers);
	mutex_unlock(&fxt_limits_lock);
}

/**
 * fxt_limits_take_memory() - get leave to allocate buffers
 * @bytes: of the buffers on all CPUs that are online
 * @reason: says why not
 *
 * Context: may sleep.
 *
 * Return: 0, or -ENOMEM if the buffers of all sessions would exceed max_memory, or these
 * alone half of the memory that is available: relay would wake the OOM killer.
 */
int fxt_limits_take_memory(u64 bytes, struct fxt_reason *reason)
{
	u64 available = ((u64)si_mem_available() << PAGE_SHIFT) / 2;
	struct fxt_params params;
	int ret = 0;

	fxt_params_get(&params);
	mutex_lock(&fxt_limits_lock);
	if (bytes > available)
		ret = fxt_refuse(reason, -ENOMEM,
				 "the buffers need %llu KiB, the limit is %llu KiB (half of what is available)",
				 bytes >> 10, available >> 10);
	else if (params.max_memory && fxt_memory + bytes > params.max_memory)
		ret = fxt_refuse(reason, -ENOMEM,
				 "the buffers need %llu KiB, other sessions use %llu KiB, and the parameter max_memory allows %llu KiB in all",
				 bytes >> 10, fxt_memory >> 10, params.max_memory >> 10);
	else
		fxt_memory += bytes;
	mutex_unlock(&fxt_limits_lock);
	return ret;
}

/**
 * fxt_limits_return_memory() - the buffers are freed
 * @bytes: as of fxt_limits_take_memory()
 *
 * Context: may sleep.
 */
void fxt_limits_return_memory(u64 bytes)
{
	mutex_lock(&fxt_limits_lock);
	fxt_memory -= bytes;
	mutex_unlock(&fxt_limits_lock);
}
