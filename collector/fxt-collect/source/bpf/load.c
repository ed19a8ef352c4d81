// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * load.c - see load.h.
 *
 * In: a session's configuration; the skeleton of bpf/fxt_sched.bpf.c; the kernel's types.
 * Out: programs and maps in the kernel, of the first kind that it accepts.
 */
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "bpf/clock.h"
#include "bpf/custom.h"
#include "bpf/deferred.h"
#include "bpf/filter.h"
#include "bpf/frames.h"
#include "bpf/owner.h"
#include "bpf/ring.h"
#include "bpf/stack_config.h"
#include "bpf/threads.h"
#include "bpf/waits.h"
#include "fxt/fxt_sched.h"
#include "bpf/fxt_sched.skel.h"
#include "source/groups.h"
#include "context.h"
#include "filter.h"
#include "load.h"
#include "machine.h"
#include "mask.h"
#include "patch.h"
#include "place.h"
#include "types.h"

/**
 * struct attempt - what to load, and how
 * @config: what to record
 * @types: the kernel's
 * @possible: number of possible CPUs
 * @present: number of CPUs with sub-buffers
 * @direct: use the programs that read with plain loads
 * @context: location of the kernel's preempt count
 * @mask: functions that turn interrupts off
 * @masks: the kernel has these functions, and the programs need them
 * @quick: give @types to libbpf; else it reads the kernel's types itself
 */
struct attempt {
	const struct source_config *config;
	struct kernel_types *types;
	unsigned int possible;
	unsigned int present;
	struct context_place context;
	struct mask_functions mask;
	bool masks;
	bool direct;
	bool quick;
};

/* Of the two or four kinds of each program, one is loaded. */
static void choose_programs(struct programs *p)
{
	struct bpf_program *all[PROBES][4] = {
#define KINDS(name)	p->skel->progs.name##_raw, p->skel->progs.name##_btf
		[PROBE_FORK] = { KINDS(on_sched_process_fork) },
		[PROBE_EXEC] = { KINDS(on_sched_process_exec) },
		[PROBE_RENAME] = { KINDS(on_task_rename) },
		[PROBE_EXIT] = { KINDS(on_sched_process_exit) },
		[PROBE_WAKEUP_NEW] = { KINDS(on_sched_wakeup_new),
				       KINDS(on_sched_wakeup_new_extras) },
		[PROBE_WAKEUP] = { KINDS(on_sched_wakeup), KINDS(on_sched_wakeup_extras) },
		[PROBE_WAKING] = { KINDS(on_sched_waking), KINDS(on_sched_waking_extras) },
		[PROBE_SWITCH] = { KINDS(on_sched_switch), KINDS(on_sched_switch_extras) },
#undef KINDS
	};
	int i, kind, chosen;

	for (i = 0; i < PROBES; i++) {
		chosen = p->direct + (p->skel->rodata->extras && all[i][2] ? 2 : 0);
		for (kind = 0; kind < 4 && all[i][kind]; kind++)
			bpf_program__set_autoload(all[i][kind], kind == chosen);
		p->progs[i] = all[i][chosen];
	}
}

/* Do programs run with interrupts on? */
static bool is_interrupted(const struct source_config *c)
{
	return events_interrupted(c->events) || source_tracepoints(c);
}

static void set_stacks(struct fxt_bpf_stacks *to, const struct attempt *a)
{
	const struct source_stacks *stacks = &a->config->stacks;

	to->on = !!stacks->what;
	to->blocked = !!(stacks->what & STACKS_OFFCPU);
	to->preempted = !!(stacks->what & STACKS_PREEMPT);
	to->wakers = !!(stacks->what & STACKS_WAKE);
	to->kernel = stacks->what & STACKS_KERNEL ? stacks->depth * FXT_WORD : 0;
	to->user = stacks->what & STACKS_USER ? stacks->depth * FXT_WORD : 0;
	to->has_registers = a->types && kernel_types_function(a->types, "bpf_task_pt_regs") > 0;
	to->check = !!(stacks->what & STACKS_CHECK);
	to->min = stacks->min;
}

/* Constants of the programs. */
static int set_constants(struct programs *p, const struct attempt *a, struct error *e)
{
	struct fxt_sched_bpf__rodata *constants = p->skel->rodata;
	const struct source_config *c = a->config;
	uint32_t words = c->subbuf_size / FXT_WORD;
	int err;

	/* Nothing is recorded yet. */
	p->skel->bss->since = UINT64_MAX;
	constants->subbuf_words = words;
	constants->subbuf_limit = words - FXT_RING_FOOTER_WORDS -
				  source_record_words(c);
	constants->deferred_limit = FXT_DEFERRED_WORDS - source_record_words(c);
	constants->mask_words = (a->possible + 63) / 64;
	constants->masks = a->masks;
	constants->interruptible = p->defers;
	constants->subbuf_count = c->subbuf_count;
	constants->clock_kind = c->clock == CLOCK_KIND_MONO ?
				FXT_BPF_CLOCK_MONO : FXT_BPF_CLOCK_BOOT;
	constants->weight_is_prio = c->weight == WEIGHT_MODE_PRIO;
	constants->has_prev_state = kernel_types_have_prev_state(a->types);
	constants->overwrite = c->overwrite;
	constants->names_bytes = machine_names_bytes(a->present, c);
	constants->context = a->context.kind;
	constants->context_distance = a->context.distance;
	err = bpf_filter_set(&constants->filter, c->filter, e);
	if (!err)
		err = bpf_trigger_set(&constants->trigger, &c->trigger, e);
	set_stacks(&constants->stacks, a);
	constants->extras = constants->filter.on || constants->trigger.on || constants->stacks.on;
	constants->fast_nested = p->defers && !constants->extras;
	p->marks = constants->filter.by_pid || constants->filter.by_comm;
	bpf_program__set_autoload(p->skel->progs.mark, p->marks);
	bpf_program__set_autoload(p->skel->progs.on_queue_length, c->trigger.runnable);
	bpf_program__set_autoload(p->skel->progs.look_at_wait, c->trigger.latency);
	return err;
}

/* Each value is a head of two words, the copy of registers and stack, and the frames. */
static void set_user_stacks(struct programs *p, unsigned int depth)
{
	uint32_t bytes = (2 + FXT_SCHED_COPY_WORDS + depth) * FXT_WORD;

	bpf_map__set_max_entries(p->skel->maps.user_stacks, FXT_BPF_USER_STACKS);
	bpf_map__set_value_size(p->skel->maps.user_stacks, bytes);
	bpf_map__set_value_size(p->skel->maps.no_user_stack, bytes);
}

static void set_sizes(struct programs *p, const struct attempt *a)
{
	const struct source_config *c = a->config;
	unsigned int threads = machine_threads();

	bpf_map__set_max_entries(p->skel->maps.names, machine_names_bytes(a->present, c));
	bpf_map__set_max_entries(p->skel->maps.threads, threads);
	bpf_map__set_max_entries(p->skel->maps.renames, threads / FXT_RENAMES_PER_ELEMENT);
	if (c->trigger.latency) {
		bpf_map__set_max_entries(p->skel->maps.waits, threads);
		bpf_map__set_max_entries(p->skel->maps.wait_groups,
					 threads / FXT_WAITS_GROUP / FXT_BPF_WAIT_GROUPS);
	}
	if (c->stacks.what)
		bpf_map__set_max_entries(p->skel->maps.off_since, threads);
	if (c->stacks.what & STACKS_KERNEL)
		bpf_map__set_max_entries(p->skel->maps.lessons, a->possible);
	if (c->stacks.what & STACKS_USER)
		set_user_stacks(p, c->stacks.depth);
	bpf_map__set_max_entries(p->skel->maps.subbufs, a->present * c->subbuf_count);
	bpf_map__set_value_size(p->skel->maps.subbufs, c->subbuf_size);
	if (p->defers)
		bpf_map__set_max_entries(p->skel->maps.deferred,
					 a->possible * FXT_DEFERRED_LEVELS);
	if (c->events & FXT_SCHED_EVENTS_SYSCALL)
		bpf_map__set_max_entries(p->skel->maps.calls, threads);
	if (!(c->events & FXT_SCHED_EVENTS_WORK))
		bpf_map__set_max_entries(p->skel->maps.work_begun, 1);
	if (!(c->events & (FXT_SCHED_EVENTS_WORK | FXT_SCHED_EVENTS_IPI)))
		bpf_map__set_max_entries(p->skel->maps.functions, 1);
	if (!(c->events & FXT_SCHED_EVENTS_THROTTLE))
		bpf_map__set_max_entries(p->skel->maps.throttled_since, 1);
}

/* Replace the marks in all programs. */
static int set_marks(struct programs *p, const struct attempt *a)
{
	struct patch patches[CONTEXT_PATCHES + MASK_PATCHES + PLACE_PATCHES + 1];
	struct bpf_program *prog;
	const struct fxt_sched_bpf__rodata *c = p->skel->rodata;
	uint32_t fast = c->extras ? 0 : c->subbuf_limit - FXT_SCHED_EVENT_WORDS;
	size_t count = 0;
	int err = 0;

	count += context_patches(patches, &a->context);
	if (a->masks)
		count += mask_patches(patches + count, &a->mask);
	count += place_patches(patches + count, p->skel->maps.rings, a->possible, fast);
	patches[count++] = (struct patch){ FXT_BPF_CLOCK_MARK, PATCH_CALL, 0,
					   a->config->clock == CLOCK_KIND_MONO ?
					   BPF_FUNC_ktime_get_ns : BPF_FUNC_ktime_get_boot_ns };
	bpf_object__for_each_program(prog, p->skel->obj)
		err = err ? err : patch_program(prog, patches, count);
	return err;
}

static int attach(struct programs *p, enum probe probe)
{
	p->links[probe] = p->direct ? bpf_program__attach_trace(p->progs[probe]) :
				      bpf_program__attach(p->progs[probe]);
	return p->links[probe] ? 0 : -errno;
}

/* Open, load, and check that it can be attached. */
static int load_opened(struct programs *p, const struct attempt *a, struct error *e)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts,
		    .btf_custom_path = a->quick ? kernel_types_path(a->types) : NULL);
	int err = 0;

	p->skel = fxt_sched_bpf__open_opts(&opts);
	if (!p->skel)
		return -errno;
	p->direct = a->direct;
	if (opts.btf_custom_path)
		err = kernel_types_reduce(a->types, bpf_object__btf(p->skel->obj));
	p->defers = is_interrupted(a->config) && !a->masks;
	events_choose(&p->events, p->skel, a->types, a->config, a->direct);
	custom_choose(&p->custom, p->skel, a->config->tracepoints);
	set_sizes(p, a);
	if (!err)
		err = set_constants(p, a, e);
	choose_programs(p);
	p->sees_interrupts = a->context.kind != FXT_BPF_CONTEXT_NONE;
	if (!err)
		err = place_create(p->skel->maps.rings, a->possible);
	if (!err)
		err = set_marks(p, a);
	if (!err)
		err = fxt_sched_bpf__load(p->skel);
	if (!err && p->sees_interrupts &&
	    !context_is_sane(bpf_program__fd(p->skel->progs.preempt_count)))
		err = -ENXIO;
	if (!err)
		err = attach(p, PROBE_FORK);
	if (err)
		programs_unload(p);
	return err;
}

static int load(struct programs *p, const struct attempt *a, struct error *e)
{
	int err = a->quick ? kernel_types_begin(a->types) : 0;

	if (err)
		return err;
	err = load_opened(p, a, e);
	if (a->quick)
		kernel_types_end(a->types);
	return err;
}

/* Would another attempt fail in the same way? */
static bool is_final(int err, const struct error *e)
{
	return !err || err == -ENOMEM || err == -E2BIG || e->text[0];
}

/* Only programs that read with plain loads can take the stack of another thread. */
static bool needs_direct(const struct source_config *c)
{
	return c->stacks.what & STACKS_KERNEL && c->stacks.what & (STACKS_OFFCPU | STACKS_PREEMPT);
}

/* The kinds of programs, the cheapest first. */
static int load_any(struct programs *p, struct attempt a, struct error *e)
{
	int err = load(p, &a, e);

	a.quick = false;
	if (!is_final(err, e))
		err = load(p, &a, e);
	a.direct = false;
	if (!is_final(err, e) && !needs_direct(a.config))
		err = load(p, &a, e);
	return err;
}

/*
 * Find the fields of the tracepoints that the user chose. In an NMI their programs must write
 * nothing, so they must know where they run.
 */
static int find_custom(struct programs *p, const struct attempt *a, struct error *e)
{
	p->tracepoints = a->config->tracepoints;
	if (!source_tracepoints(a->config))
		return 0;
	if (a->context.kind == FXT_BPF_CONTEXT_NONE)
		return fail(e, EXIT_NO_SOURCE, -EOPNOTSUPP,
			    "--events tp:%s: this kernel hides from BPF programs whether they run in an NMI",
			    p->tracepoints->all[0].name);
	return custom_find(&p->custom, p->tracepoints, a->types, e);
}

/* Leave out groups that the kernel does not have, or fail. */
static int check_events(struct programs *p, const struct kernel_types *types,
			struct source_config *c, struct error *e)
{
	uint64_t groups = c->events & ~FXT_SCHED_EVENTS_SCHED, group;
	size_t used = 0;
	char why[256];

	for (; groups; groups &= ~group) {
		group = groups & -groups;
		if (!events_lacking(&p->events, types, group, why, sizeof(why)))
			continue;
		if (!c->events_optional)
			return fail(e, EXIT_NO_SOURCE, -EOPNOTSUPP,
				    "--events %s: %s; omit it, or use all for what there is",
				    event_group_name(group), why);
		c->events &= ~group;
		used += snprintf(p->lacking + used, sizeof(p->lacking) - used, "%s%s: %s",
				 used ? ", " : "", event_group_name(group), why);
		if (used >= sizeof(p->lacking))
			used = sizeof(p->lacking) - 1;
	}
	return 0;
}

/* The tracepoint that the trigger needs. */
static int check_trigger(const struct kernel_types *types, const struct source_trigger *t,
			 struct error *e)
{
	static const char event[] = "sched_update_nr_running_tp";

	if (!t->runnable || kernel_types_have_event(types, event))
		return 0;
	return fail(e, EXIT_NO_SOURCE, -EOPNOTSUPP,
		    "--trigger runnable>%u: this kernel lacks the tracepoint %s for BPF (Linux 5.12 or later has it); use another trigger",
		    t->runnable, event);
}

int programs_load(struct programs *p, struct source_config *c, unsigned int possible,
		  unsigned int present, struct error *e)
{
	struct attempt a = {
		.config = c, .types = kernel_types_open(),
		.possible = possible, .present = present,
		.direct = true, .quick = true,
	};
	int err;

	if (!a.types)
		return machine_refused(e, -errno, "read the kernel's types");
	e->text[0] = '\0';
	a.context = context_find(a.types);
	err = check_events(p, a.types, c, e);
	if (!err)
		err = check_trigger(a.types, &c->trigger, e);
	if (!err)
		err = find_custom(p, &a, e);
	a.masks = is_interrupted(c) && mask_find(&a.mask, a.types);
	if (!err)
		err = load_any(p, a, e);
	/* Record without it rather than not at all. */
	if (!is_final(err, e) && a.context.kind != FXT_BPF_CONTEXT_NONE &&
	    !source_tracepoints(c)) {
		a.context.kind = FXT_BPF_CONTEXT_NONE;
		err = load_any(p, a, e);
	}
	kernel_types_close(a.types);
	if (!err || e->text[0])
		return err;
	if (needs_direct(c) && err != -ENOMEM && err != -E2BIG)
		return fail(e, EXIT_NO_SOURCE, err,
			    "--stacks: this kernel lets no BPF program on sched_switch take the stack of another thread (bpf_get_task_stack): %s; omit it, or use --stacks=wake, or --stacks=offcpu,user",
			    strerror(-err));
	return machine_refused(e, err, "load the BPF programs");
}

/* The trigger's own program, if it has one. */
static int attach_trigger(struct programs *p)
{
	struct bpf_program *prog = p->skel->progs.on_queue_length;

	if (p->trigger || !bpf_program__autoload(prog))
		return 0;
	p->trigger = bpf_program__attach(prog);
	return p->trigger ? 0 : -errno;
}

int programs_attach(struct programs *p)
{
	int i, err;

	for (i = 0; i < PROBES; i++) {
		err = p->links[i] ? 0 : attach(p, i);
		if (err) {
			programs_detach(p);
			return err;
		}
	}
	err = events_attach(&p->events);
	if (!err)
		err = custom_attach(&p->custom, p->tracepoints);
	if (!err)
		err = attach_trigger(p);
	if (err)
		programs_detach(p);
	return err;
}

void programs_detach(struct programs *p)
{
	int i;

	bpf_link__destroy(p->trigger);
	p->trigger = NULL;
	custom_detach(&p->custom);
	events_detach(&p->events);
	for (i = PROBES - 1; i >= 0; i--) {
		bpf_link__destroy(p->links[i]);
		p->links[i] = NULL;
	}
}

void programs_unload(struct programs *p)
{
	programs_detach(p);
	fxt_sched_bpf__destroy(p->skel);
	p->skel = NULL;
}
