// SPDX-License-Identifier: GPL-2.0-or-later
/* custom.c - see custom.h. */
#include <bpf/libbpf.h>
#include <errno.h>

#include "bpf/custom.h"
#include "bpf/filter.h"
#include "bpf/frames.h"
#include "bpf/owner.h"
#include "bpf/ring.h"
#include "bpf/stack_config.h"
#include "bpf/fxt_sched.skel.h"
#include "custom.h"
#include "field.h"
#include "types.h"

static int find_one(struct fxt_bpf_custom *where, struct tracepoint *t,
		    const struct kernel_types *types, struct error *e)
{
	struct event_arguments args;
	unsigned int i;
	int ret = 0;

	if (!event_arguments(&args, types, t->name))
		return fail(e, EXIT_NO_SOURCE, -ENOENT,
			    "--events tp:%s: this kernel has no tracepoint %s, other than in a module perhaps; /sys/kernel/tracing/available_events lists them",
			    t->name, t->name);
	if (!t->field_count)
		event_integers(&args, t);
	*where = (struct fxt_bpf_custom){
		.counter = t->is_counter, .has_id = t->is_counter && t->field_count == 2,
	};
	for (i = 0; i < t->field_count && !ret; i++) {
		ret = field_find(&where->fields[i], &args, t->fields[i], e);
		if (!ret && t->is_counter && !field_is_number(&where->fields[i]))
			ret = fail(e, EXIT_USAGE, -EINVAL,
				   "--events tp:%s: %s is not a number, so it cannot be counted",
				   t->name, t->fields[i]);
	}
	return ret;
}

int custom_find(struct custom_programs *p, struct tracepoints *t,
		const struct kernel_types *types, struct error *e)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < t->count && !ret; i++)
		ret = find_one(&p->where[i], &t->all[i], types, e);
	return ret;
}

void custom_choose(struct custom_programs *p, struct fxt_sched_bpf *skel,
		   const struct tracepoints *t)
{
	struct bpf_program * const all[FXT_SCHED_CUSTOM_MOST] = {
		skel->progs.on_custom0, skel->progs.on_custom1, skel->progs.on_custom2,
		skel->progs.on_custom3, skel->progs.on_custom4, skel->progs.on_custom5,
		skel->progs.on_custom6, skel->progs.on_custom7,
	};
	unsigned int i;

	for (i = 0; i < FXT_SCHED_CUSTOM_MOST; i++) {
		p->progs[i] = t && i < t->count ? all[i] : NULL;
		bpf_program__set_autoload(all[i], p->progs[i]);
		skel->rodata->custom[i] = p->where[i];
	}
}

int custom_attach(struct custom_programs *p, const struct tracepoints *t)
{
	unsigned int i;

	for (i = 0; i < FXT_SCHED_CUSTOM_MOST; i++) {
		if (!p->progs[i] || p->links[i])
			continue;
		p->links[i] = bpf_program__attach_raw_tracepoint(p->progs[i], t->all[i].name);
		if (!p->links[i])
			return -errno;
	}
	return 0;
}

void custom_detach(struct custom_programs *p)
{
	unsigned int i;

	for (i = 0; i < FXT_SCHED_CUSTOM_MOST; i++) {
		bpf_link__destroy(p->links[i]);
		p->links[i] = NULL;
	}
}

void custom_each(const struct custom_programs *p,
		 void (*visit)(const struct bpf_program *prog, void *arg), void *arg)
{
	unsigned int i;

	for (i = 0; i < FXT_SCHED_CUSTOM_MOST; i++)
		if (p->progs[i])
			visit(p->progs[i], arg);
}
