// SPDX-License-Identifier: GPL-2.0
/*
 * main.c - the module fxt_sched: loading and unloading.
 *
 * The loaded module costs nothing until a process opens its device and starts a session,
 * which creates the buffers and registers the probes: see device.c.
 */
#include <linux/module.h>

#include "device.h"
#include "probes.h"

static int __init fxt_init(void)
{
	int ret = fxt_probes_find();

	return ret ? ret : fxt_device_create();
}

static void __exit fxt_exit(void)
{
	fxt_device_remove();
}

module_init(fxt_init);
module_exit(fxt_exit);

MODULE_DESCRIPTION("Scheduler tracer that writes Fuchsia trace records");
MODULE_LICENSE("GPL");
