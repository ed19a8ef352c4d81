// SPDX-License-Identifier: GPL-2.0
/*
 * limits.c - see limits.h.
 *
 * In:  the module's parameters, and the memory that is available. Out: numbers of
 * sessions, and leave to allocate buffers.
 */
#include <linux/atomic.h>
#include <linux/bitmap.h>
#include <linux/mm.h>
#include <linux/mutex.h>

#include "limits.h"
#include "params.h"
#include "reason.h"

static DEFINE_MUTEX(fxt_limits_lock);
/* Numbers in use, from 1 on; under fxt_limits_lock. */
static DECLARE_BITMAP(fxt_numbers, FXT_SCHED_SESSIONS_MAX + 1);
/* Bytes in use, and how many may be; 0: no limit. */
static atomic64_t fxt_memory;
static u64 fxt_memory_max;

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

static bool fxt_limits_add(u64 bytes)
{
	u64 most = READ_ONCE(fxt_memory_max);

	if ((u64)atomic64_add_return(bytes, &fxt_memory) <= most || !most)
		return true;
	atomic64_sub(bytes, &fxt_memory);
	return false;
}

/**
 * fxt_limits_take_memory() - get leave to allocate memory for a session that is made
 * @bytes: how many; of buffers on all CPUs that are online
 * @reason: says why not
 *
 * Context: may sleep.
 *
 * Return: 0, or -ENOMEM if all sessions would exceed max_memory, or this alone half of the
 * memory that is available: relay would wake the OOM killer.
 */
int fxt_limits_take_memory(u64 bytes, struct fxt_reason *reason)
{
	u64 available = ((u64)si_mem_available() << PAGE_SHIFT) / 2;
	struct fxt_params params;

	fxt_params_get(&params);
	WRITE_ONCE(fxt_memory_max, params.max_memory);
	if (bytes > available)
		return fxt_refuse(reason, -ENOMEM,
				  "the buffers need %llu KiB, the limit is %llu KiB (half of what is available)",
				  bytes >> 10, available >> 10);
	if (fxt_limits_add(bytes))
		return 0;
	return fxt_refuse(reason, -ENOMEM,
			  "the buffers need %llu KiB, %llu KiB are in use, and the parameter max_memory allows %llu KiB in all",
			  bytes >> 10, (u64)atomic64_read(&fxt_memory) >> 10,
			  params.max_memory >> 10);
}

/**
 * fxt_limits_take_more() - get leave to allocate more for a session
 * @bytes: how many
 *
 * Context: any.
 *
 * Return: false if all sessions would exceed max_memory, as it was when the last was made.
 */
bool fxt_limits_take_more(u64 bytes)
{
	return fxt_limits_add(bytes);
}

/**
 * fxt_limits_count_memory() - count what is allocated in any case
 * @bytes: how many
 *
 * Context: any.
 */
void fxt_limits_count_memory(u64 bytes)
{
	atomic64_add(bytes, &fxt_memory);
}

/**
 * fxt_limits_return_memory() - memory is freed
 * @bytes: as taken
 *
 * Context: any.
 */
void fxt_limits_return_memory(u64 bytes)
{
	atomic64_sub(bytes, &fxt_memory);
}
