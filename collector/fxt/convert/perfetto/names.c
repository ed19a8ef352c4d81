// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * names.c - processes and threads.
 *
 * In: kernel objects.
 * Out: their names, in the order of the archive: as in an archive, the last one holds.
 */
#include <string.h>

#include <fxt/fxt_sched.h>

#include "libfxt/objects.h"
#include "perfetto.h"

static int put(struct perfetto *p, Perfetto__ProcessTree *tree)
{
	Perfetto__Packet packet = PERFETTO__PACKET__INIT;

	packet.has_timestamp = p->latest;
	packet.timestamp = p->latest;
	packet.process_tree = tree;
	return packets_put(&p->packets, &packet);
}

int perfetto_name(struct perfetto *p)
{
	Perfetto__ProcessTree tree = PERFETTO__PROCESS_TREE__INIT;
	Perfetto__Process process = PERFETTO__PROCESS__INIT, *processes[] = { &process };
	Perfetto__Thread thread = PERFETTO__THREAD__INIT, *threads[] = { &thread };
	const struct fxt_content *c = &p->content;
	char *name = p->texts.name, *cmdline[] = { name };
	uint64_t of;

	memcpy(name, c->name.length ? c->name.bytes : "", c->name.length);
	name[c->name.length] = '\0';
	if (c->object_type == FXT_OBJECT_PROCESS) {
		process.has_pid = true;
		process.pid = c->object;
		process.cmdline = cmdline;
		process.n_cmdline = c->name.length ? 1 : 0;
		tree.processes = processes;
		tree.n_processes = 1;
		return put(p, &tree);
	}
	thread.has_tid = true;
	thread.tid = c->object;
	thread.has_tgid = fxt_object_process(c, &of);
	thread.tgid = thread.has_tgid ? of : 0;
	thread.name = c->name.length ? name : NULL;
	tree.threads = threads;
	tree.n_threads = 1;
	return put(p, &tree);
}
