// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * names.c - processes and threads.
 *
 * In: kernel objects.
 * Out: their names and parents. A name that has a time is given then, because the id may be that
 * of another thread before; all others in the order of the archive.
 *
 * The record of a process has no time. It waits for that of its main thread, which follows.
 */
#include <string.h>

#include <fxt/fxt_sched.h>

#include "libfxt/objects.h"
#include "perfetto.h"

#define KTHREADD	2	/* the kernel's id of it */

static int put(struct perfetto *p, Perfetto__ProcessTree *tree, uint64_t ns)
{
	Perfetto__Packet packet = PERFETTO__PACKET__INIT;

	packet.has_timestamp = ns;
	packet.timestamp = ns;
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
 * The process that waits, and @thread if it is not NULL. Of a command line with one element,
 * Perfetto takes what is before a space for the name: a name with a space is followed by an empty
 * element. Of the names of workers that are children of kthreadd it takes what is before a dash,
 * "kworker/R" of all rescuers: these have no parent.
 */
static int put_process(struct perfetto *p, Perfetto__Thread *thread, uint64_t ns)
{
	Perfetto__ProcessTree tree = PERFETTO__PROCESS_TREE__INIT;
	Perfetto__Process process = PERFETTO__PROCESS__INIT, *processes[] = { &process };
	Perfetto__Thread *threads[] = { thread };
	char *name = p->process_name, *cmdline[] = { name, (char *)"" };
	uint64_t parent;

	process.has_pid = true;
	process.pid = p->process;
	process.has_ppid = koids_get(&p->parents, p->process, &parent) &&
			   (parent != KTHREADD || strncmp(name, "kworker/", 8));
	process.ppid = process.has_ppid ? parent : 0;
	process.cmdline = cmdline;
	process.n_cmdline = *name ? 1 + !!strchr(name, ' ') : 0;
	tree.processes = processes;
	tree.n_processes = p->has_process;
	tree.threads = threads;
	tree.n_threads = thread ? 1 : 0;
	p->has_process = false;
	return put(p, &tree, ns);
}

int perfetto_names_finish(struct perfetto *p)
{
	return p->has_process ? put_process(p, NULL, p->process_ns) : 0;
}

/* Return: ns, or those of the latest record before it */
static uint64_t time_of(const struct perfetto *p, uint64_t ticks_per_second)
{
	const struct fxt_content *c = &p->content;
	unsigned int i;

	for (i = 0; i < c->arg_count; i++) {
		uint16_t name = c->args[i].name.known;

		if (c->args[i].type == FXT_ARG_UINT64 &&
		    (name == FXT_STR_FORK || name == FXT_STR_EXEC || name == FXT_STR_RENAME))
			return fxt_ticks_to_ns(c->args[i].u64, ticks_per_second);
	}
	return p->latest;
}

int perfetto_name(struct perfetto *p, uint64_t ticks_per_second)
{
	Perfetto__Thread thread = PERFETTO__THREAD__INIT;
	const struct fxt_content *c = &p->content;
	bool is_process = c->object_type == FXT_OBJECT_PROCESS;
	char *name = is_process ? p->process_name : p->texts.name;
	uint64_t of;
	int ret = 0;

	if (is_process || c->object != p->process)
		ret = perfetto_names_finish(p);
	if (ret)
		return ret;
	memcpy(name, c->name.length ? c->name.bytes : "", c->name.length);
	name[c->name.length] = '\0';
	if (is_process) {
		p->process = c->object;
		p->process_ns = p->latest;
		p->has_process = true;
		return 0;
	}
	thread.has_tid = true;
	thread.tid = c->object;
	thread.has_tgid = fxt_object_process(c, &of);
	thread.tgid = thread.has_tgid ? of : 0;
	thread.name = c->name.length ? name : NULL;
	return put_process(p, &thread, time_of(p, ticks_per_second));
}
