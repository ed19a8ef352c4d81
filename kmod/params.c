// SPDX-License-Identifier: GPL-2.0
/*
 * params.c - the module's parameters. Sessions that are opened or configured later obey them.
 */
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/moduleparam.h>
#include <linux/string.h>

#include "params.h"

unsigned int fxt_max_sessions = 16;
u64 fxt_max_memory;

/* A number with an optional suffix K, M, ... */
static int fxt_set_max_memory(const char *val, const struct kernel_param *kp)
{
	char *end;
	u64 n = memparse(val, &end);

	if (end == val || *skip_spaces(end))
		return -EINVAL;
	WRITE_ONCE(fxt_max_memory, n);
	return 0;
}

static const struct kernel_param_ops fxt_max_memory_ops = {
	.set = fxt_set_max_memory,
	.get = param_get_ullong,
};

module_param_named(max_sessions, fxt_max_sessions, uint, 0644);
MODULE_PARM_DESC(max_sessions, "number of sessions that can exist at the same time (16)");

module_param_cb(max_memory, &fxt_max_memory_ops, &fxt_max_memory, 0644);
MODULE_PARM_DESC(max_memory, "bytes of the buffers and tables of all sessions together, 0 for no limit (0)");
