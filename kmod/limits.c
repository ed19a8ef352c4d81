// SPDX-License-Identifier: GPL-2.0
/*
 * limits.c - see limits.h.
 *
 * In:  the module's parameters, and the memory that is available. Out: leave to make sessions,
 * and to allocate their memory.
 */
#include <linux/atomic.h>
#include <linux/mm.h>

#include "limits.h"
#include "params.h"
#include "reason.h"

static atomic_t fxt_sessions;
/* Bytes in use. */
static atomic64_t fxt_memory;

/**
 * fxt_limits_take_session() - may there be one session more?
 *
 * Context: any.
 *
 * Return: 0, or -EBUSY if there are max_sessions sessions.
 */
int fxt_limits_take_session(void)
{
	if ((unsigned int)atomic_inc_return(&fxt_sessions) <= READ_ONCE(fxt_max_sessions))
		return 0;
	atomic_dec(&fxt_sessions);
	return -EBUSY;
}

/** fxt_limits_return_session() - a session has ended */
void fxt_limits_return_session(void)
{
	atomic_dec(&fxt_sessions);
}

static bool fxt_limits_add(u64 bytes)
{
	u64 most = READ_ONCE(fxt_max_memory);

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

	if (bytes > available)
		return fxt_refuse(reason, -ENOMEM,
				  "the buffers need %llu KiB, the limit is %llu KiB (half of what is available)",
				  bytes >> 10, available >> 10);
	if (fxt_limits_add(bytes))
		return 0;
	return fxt_refuse(reason, -ENOMEM,
			  "the buffers need %llu KiB, %llu KiB are in use, and the parameter max_memory allows %llu KiB in all",
			  bytes >> 10, (u64)atomic64_read(&fxt_memory) >> 10,
			  READ_ONCE(fxt_max_memory) >> 10);
}

/**
 * fxt_limits_take_more() - get leave to allocate more for a session
 * @bytes: how many
 *
 * Context: any.
 *
 * Return: false if all sessions would exceed max_memory.
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
