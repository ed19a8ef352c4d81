// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * names.c - processes and threads.
 *
 * In: kernel objects.
 * Out: their names and parents, in the order of the archive: as in an archive, the last name holds.
 */
#include <string.h>

#include <fxt/fxt_sched.h>

#include "libfxt/objects.h"
#include "perfetto.h"

#define KTHREADD	2	/* the kernel's id of it */

static int put(struct perfetto *p, Perfetto__ProcessTree *tree)
{
	Perfetto__Packet packet = PERFETTO__PACKET__INIT;

	packet.has_timestamp = p->latest;
	packet.timestamp = p->latest;
	packet.process_tree = tree;
	return packets_put(&p->packets, &packet);
}

int perfetto_parent(struct perfetto *p)
{
	const struct fxt_content *c = &p->content;
	uint64_t process;
	unsigned int i;

	if (c->object_type != FXT_OBJECT_THREAD || !fxt_object_process(c, &process) ||
	    process != c->object || koids_get(&p->parents, process, NULL))
		return 0;
	for (i = 0; i < c->arg_count; i++)
		if (c->args[i].type == FXT_ARG_KOID && c->args[i].name.known == FXT_STR_PARENT)
			return koids_set(&p->parents, process, c->args[i].u64);
	return 0;
}

/*
 * Of a command line with one element, Perfetto takes what is before a space for the name: a name
 * with a space is followed by an empty element. Of the names of workers that are children of
 * kthreadd it takes what is before a dash, "kworker/R" of all rescuers: these have no parent.
 */
static int put_process(struct perfetto *p)
{
	Perfetto__ProcessTree tree = PERFETTO__PROCESS_TREE__INIT;
	Perfetto__Process process = PERFETTO__PROCESS__INIT, *processes[] = { &process };
	char *name = p->texts.name, *cmdline[] = { name, (char *)"" };
	uint64_t parent;

	process.has_pid = true;
	process.pid = p->content.object;
	process.has_ppid = koids_get(&p->parents, p->content.object, &parent) &&
			   (parent != KTHREADD || strncmp(name, "kworker/", 8));
	process.ppid = process.has_ppid ? parent : 0;
	process.cmdline = cmdline;
	process.n_cmdline = *name ? 1 + !!strchr(name, ' ') : 0;
	tree.processes = processes;
	tree.n_processes = 1;
	return put(p, &tree);
}

int perfetto_name(struct perfetto *p)
{
	Perfetto__ProcessTree tree = PERFETTO__PROCESS_TREE__INIT;
	Perfetto__Thread thread = PERFETTO__THREAD__INIT, *threads[] = { &thread };
	const struct fxt_content *c = &p->content;
	char *name = p->texts.name;
	uint64_t of;

	memcpy(name, c->name.length ? c->name.bytes : "", c->name.length);
	name[c->name.length] = '\0';
	if (c->object_type == FXT_OBJECT_PROCESS)
		return put_process(p);
	thread.has_tid = true;
	thread.tid = c->object;
	thread.has_tgid = fxt_object_process(c, &of);
	thread.tgid = thread.has_tgid ? of : 0;
	thread.name = c->name.length ? name : NULL;
	tree.threads = threads;
	tree.n_threads = 1;
	return put(p, &tree);
}
