// SPDX-License-Identifier: GPL-2.0
/*
 * main.c - the module fxt_sched: its coming and going.
 *
 * Loaded and left alone it costs nothing: buffers and probes come with a
 * session, see session.c.
 */
#include <linux/module.h>

#include "session.h"

static int __init fxt_init(void)
{
	int ret = fxt_probes_find();

	return ret ? ret : fxt_files_create();
}

static void __exit fxt_exit(void)
{
	fxt_files_remove();
}

module_init(fxt_init);
module_exit(fxt_exit);

MODULE_DESCRIPTION("Scheduler tracer that writes Fuchsia trace records");
MODULE_LICENSE("GPL");
