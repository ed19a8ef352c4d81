// SPDX-License-Identifier: GPL-2.0-or-later
/* load.c - see load.h. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <inttypes.h>
#include <linux/bpf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bpf/config.h"
#include "bpf/frames.h"
#include "bpf/fxt_sched.skel.h"
#include "bpf/ring.h"
#include "fxt/fxt_sched.h"
#include "load.h"
#include "machine.h"
#include "source/groups.h"
#include "types.h"

/* --- marks in programs ------------------------------------------------------------------ */

/* What replaces a mark; all 0 if no program reaches it. */
struct patch {
	bool is_known;		/* replace it */
	uint8_t src_reg;	/* the kind of @imm, BPF_PSEUDO_*; 0: it is just a number */
	int32_t imm;
};

/* Return: was there a mark? */
static bool patch(struct bpf_insn *insn, const struct patch *patches)
{
	uint32_t mark = (uint32_t)insn->imm - FXT_BPF_MARK_FIRST;

	if (insn->src_reg || mark >= FXT_BPF_MARKS || !patches[mark].is_known)
		return false;
	insn->src_reg = patches[mark].src_reg;
	insn->imm = patches[mark].imm;
	return true;
}

/* For a program that is not loaded yet. */
static int patch_program(struct bpf_program *prog, const struct patch *patches)
{
	size_t insn_count = bpf_program__insn_cnt(prog), i;
	struct bpf_insn *insns = calloc(insn_count, sizeof(*insns));
	bool is_used = false;
	int err;

	if (!insns)
		return -ENOMEM;
	memcpy(insns, bpf_program__insns(prog), insn_count * sizeof(*insns));
	for (i = 0; i < insn_count; i++)
		is_used |= patch(insns + i, patches);
	err = is_used ? bpf_program__set_insns(prog, insns, insn_count) : 0;
	free(insns);
	return err;
}

/* --- the interrupt context -------------------------------------------------------------- */

/*
 * Where the preempt count is, for bpf/context.bpf.h.
 *
 * Most architectures keep it in the current thread, x86 in a per-CPU variable. A program can refer
 * to the variable if kallsyms has its address (CONFIG_KALLSYMS_ALL) and its BTF lists it; only an
 * attempt shows that. Otherwise, its distance from this CPU's run queue comes from BTF or from the
 * symbols.
 */

#define NEED_RESCHED	0x80000000U	/* x86 keeps it in the preempt count */
#define PREEMPT_MASK	0x000000ffU

static const char *variable_name(const struct kernel_types *t)
{
	return kernel_types_have_field(t, "pcpu_hot", "preempt_count") ? "pcpu_hot" :
									 "__preempt_count";
}

static bool accepts(const struct bpf_insn *insns, size_t count)
{
	int fd = bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, NULL, "GPL", insns, count, NULL);

	if (fd < 0)
		return false;
	close(fd);
	return true;
}

/* Does the kernel accept a program that refers to it? */
static bool can_refer(int variable)
{
	const struct bpf_insn insns[] = {
		{ .code = BPF_LD | BPF_IMM | BPF_DW, .dst_reg = BPF_REG_1,
		  .src_reg = BPF_PSEUDO_BTF_ID, .imm = variable },
		{ 0 },
		{ .code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_this_cpu_ptr },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};

	return accepts(insns, sizeof(insns) / sizeof(insns[0]));
}

struct context_place context_find(const struct kernel_types *t)
{
	struct context_place place = { .kind = FXT_BPF_CONTEXT_NONE };
	const char *variable = variable_name(t);
	int64_t at;

	if (kernel_types_have_field(t, "thread_info", "preempt_count")) {
		place.kind = FXT_BPF_CONTEXT_THREAD;
		return place;
	}
	place.variable = kernel_types_per_cpu(t, variable, &at);
	if (place.variable > 0 && can_refer(place.variable))
		place.kind = FXT_BPF_CONTEXT_VARIABLE;
	else if (!kernel_types_distance(t, variable, &place.distance))
		place.kind = FXT_BPF_CONTEXT_RUNQUEUE;
	return place;
}

/* Does the program return a plausible preempt count? A test run is outside of any interrupt. */
static bool context_is_sane(int fd)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts);

	return !bpf_prog_test_run_opts(fd, &opts) &&
	       !(opts.retval & ~(NEED_RESCHED | PREEMPT_MASK));
}

/* --- filters ---------------------------------------------------------------------------- */

/* Patterns are compiled here, so that the kernel parses nothing. */

_Static_assert(FXT_BPF_CPUS == MAX_CPUS && FXT_BPF_PIDS == FXT_SCHED_FILTER_PIDS_MAX,
	       "a filter fits the programs");

static int compile(struct fxt_glob *to, const char *pattern, struct error *e)
{
	if (!fxt_glob_compile(to, pattern))
		return 0;
	return fail(e, EXIT_USAGE, -EINVAL,
		    "invalid pattern %s: [ without ], or longer than the 15 bytes of a thread name; use [[] for a literal bracket, or shorten it",
		    pattern);
}

/* @to: all zero; @from: NULL for no filter. */
static int bpf_filter_set(struct fxt_bpf_filter *to, const struct source_filter *from,
			  struct error *e)
{
	unsigned int i;

	if (!from)
		return 0;
	to->by_cpu = !!from->cpus;
	for (i = 0; i < FXT_BPF_CPUS; i++)
		to->has_cpu[i] = from->has_cpu[i];
	to->by_pid = !!from->pid_count;
	to->pid_count = from->pid_count;
	memcpy(to->pids, from->pids, sizeof(to->pids));
	to->by_cgroup = !!from->cgroup;
	to->cgroup_id = from->cgroup_id;
	to->cgroup_level = from->cgroup_level;
	to->by_comm = !!from->comm;
	to->threads = to->by_pid || to->by_comm || to->by_cgroup;
	to->on = to->threads || to->by_cpu;
	return from->comm ? compile(&to->comm, from->comm, e) : 0;
}

/* @to: all zero. */
static int bpf_trigger_set(struct fxt_bpf_trigger *to, const struct source_trigger *from,
			   struct error *e)
{
	unsigned int i;

	for (i = 0; i < FXT_SCHED_CAUSES; i++) {
		to->limit[i] = from->limit[i];
		to->on |= !!from->limit[i];
	}
	to->after = from->after;
	to->pid = from->pid;
	to->by_comm = !!from->comm;
	return from->comm ? compile(&to->comm, from->comm, e) : 0;
}

/* --- interrupts off --------------------------------------------------------------------- */

/* Let programs turn interrupts off (bpf/cpu.bpf.h), if the kernel has functions for it. */

struct mask_functions {
	int save;	/* BTF id of bpf_local_irq_save() */
	int restore;	/* BTF id of bpf_local_irq_restore() */
};

/* Linux 6.14 and later has them. */
static bool mask_find(struct mask_functions *f, const struct kernel_types *t)
{
	f->save = kernel_types_function(t, "bpf_local_irq_save");
	f->restore = kernel_types_function(t, "bpf_local_irq_restore");
	return f->save > 0 && f->restore > 0;
}

/* --- rings ------------------------------------------------------------------------------ */

/*
 * Create maps with one element, which has a ring for each CPU (bpf/cpu.bpf.h), or an entry for each
 * thread (bpf/threads.bpf.h), and put its address into the programs. Their descriptors must be
 * known before libbpf loads the programs.
 */

/* A power of two, so that a mask bounds the number of a CPU. */
static uint32_t rings_of(unsigned int cpus)
{
	uint32_t count = 1;

	while (count < cpus)
		count *= 2;
	return count;
}

/* For a map that is not loaded yet. */
static int create_element(struct bpf_map *map, uint32_t bytes, uint32_t flags)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = flags);
	int fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, bpf_map__name(map), sizeof(uint32_t), bytes,
				1, &opts);
	int err;

	if (fd < 0)
		return fd;
	/* It duplicates the descriptor. */
	err = bpf_map__reuse_fd(map, fd);
	close(fd);
	return err;
}

/* If one element has no room for all threads, the second map has the rest. */
static int create_threads(struct fxt_sched_bpf *skel, uint32_t *near)
{
	uint32_t threads = machine_threads();
	int err = create_element(skel->maps.threads, threads * FXT_BPF_THREAD_BYTES, 0);

	*near = threads;
	if (err == -E2BIG && threads > FXT_BPF_NEAR_THREADS) {
		*near = FXT_BPF_NEAR_THREADS;
		bpf_map__set_max_entries(skel->maps.more_threads, threads - *near);
		err = create_element(skel->maps.threads, *near * FXT_BPF_THREAD_BYTES, 0);
	}
	return err;
}

/* Each sub-buffer is an element if one element has no room for all. */
static int create_subbufs(struct fxt_sched_bpf *skel, uint32_t count, uint32_t bytes)
{
	int err = -E2BIG;

	bpf_map__set_max_entries(skel->maps.subbufs, count);
	bpf_map__set_value_size(skel->maps.subbufs, bytes);
	if ((uint64_t)count * bytes <= FXT_BPF_SUBBUFS_BYTES)
		err = create_element(skel->maps.subbufs, count * bytes, BPF_F_MMAPABLE);
	if (!err)
		skel->rodata->subbufs_in_element = count;
	return err == -E2BIG ? 0 : err;
}

/* --- programs --------------------------------------------------------------------------- */

/* What to load, and how. */
struct attempt {
	const struct source_config *config;
	struct kernel_types *types;
	unsigned int possible;		/* CPUs */
	unsigned int present;		/* CPUs with sub-buffers */
	struct context_place context;
	struct mask_functions mask;
	bool masks;	/* the kernel has these functions, and the programs need them */
	bool quick;	/* give @types to libbpf; else it reads the kernel's types itself */
};

static int place_create(struct fxt_sched_bpf *skel, const struct attempt *a)
{
	const struct source_config *c = a->config;
	int err = create_element(skel->maps.rings,
				 rings_of(a->possible) * sizeof(struct fxt_ring), BPF_F_MMAPABLE);

	err = err ? err : create_subbufs(skel, a->present * c->subbuf_count, c->subbuf_size);
	return err ? err : create_threads(skel, &skel->rodata->near_threads);
}

/* The forms of the frequent programs: of recordings without extras, and with them. */
enum form {
	FORM_USUAL,
	FORM_BARE,
	FORM_WAKING,
	FORM_BARE_WAKING,
	FORM_EXTRAS,
	FORM_WAKING_EXTRAS,
	FORMS,
};

static enum form form_of(const struct source_config *c, bool extras)
{
	bool waking = c->wakeups == WAKEUP_MODE_WAKING;

	if (extras)
		return waking ? FORM_WAKING_EXTRAS : FORM_EXTRAS;
	if (c->weight == WEIGHT_MODE_NONE)
		return waking ? FORM_BARE_WAKING : FORM_BARE;
	return waking ? FORM_WAKING : FORM_USUAL;
}

/* At most one form of each program is loaded. */
static void choose_programs(struct programs *p, const struct source_config *c)
{
	struct bpf_program *all[PROBES][FORMS] = {
#define ONE_FORM(name)	{ PROG(name), PROG(name), PROG(name), PROG(name), PROG(name), PROG(name) }
#define PROG(name)	p->skel->progs.name
		[PROBE_FORK] = ONE_FORM(on_sched_process_fork),
		[PROBE_EXEC] = ONE_FORM(on_sched_process_exec),
		[PROBE_RENAME] = ONE_FORM(on_task_rename),
		[PROBE_EXIT] = ONE_FORM(on_sched_process_exit),
		[PROBE_WAKEUP_NEW] = ONE_FORM(on_sched_wakeup_new),
		[PROBE_WAKEUP] = {
			[FORM_USUAL] = PROG(on_sched_wakeup),
			[FORM_BARE] = PROG(on_sched_wakeup_bare),
			[FORM_EXTRAS] = PROG(on_sched_wakeup_extras),
		},
		[PROBE_WAKING] = {
			[FORM_USUAL] = PROG(on_sched_waking),
			[FORM_BARE] = PROG(on_sched_waking),
			[FORM_WAKING] = PROG(on_sched_waking_record),
			[FORM_BARE_WAKING] = PROG(on_sched_waking_record_bare),
			[FORM_EXTRAS] = PROG(on_sched_waking_extras),
			[FORM_WAKING_EXTRAS] = PROG(on_sched_waking_record_extras),
		},
		[PROBE_SWITCH] = {
			[FORM_USUAL] = PROG(on_sched_switch),
			[FORM_BARE] = PROG(on_sched_switch_bare),
			[FORM_WAKING] = PROG(on_sched_switch_waking),
			[FORM_BARE_WAKING] = PROG(on_sched_switch_bare_waking),
			[FORM_EXTRAS] = PROG(on_sched_switch_extras),
			[FORM_WAKING_EXTRAS] = PROG(on_sched_switch_waking_extras),
		},
#undef PROG
#undef ONE_FORM
	};
	enum form form = form_of(c, p->skel->rodata->extras);
	int i, other;

	for (i = 0; i < PROBES; i++) {
		for (other = 0; other < FORMS; other++)
			if (all[i][other])
				bpf_program__set_autoload(all[i][other], false);
		p->progs[i] = all[i][form];
		if (p->progs[i])
			bpf_program__set_autoload(p->progs[i], true);
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

	to->on = !!(stacks->what & STACKS_EVENTS);
	to->blocked = !!(stacks->what & STACKS_OFFCPU);
	to->preempted = !!(stacks->what & STACKS_PREEMPT);
	to->wakers = !!(stacks->what & STACKS_WAKE);
	to->kernel = stacks->what & STACKS_KERNEL ? stacks->depth * FXT_WORD : 0;
	to->user = stacks->what & STACKS_USER ? stacks->depth * FXT_WORD : 0;
	to->has_registers = a->types && kernel_types_function(a->types, "bpf_task_pt_regs") > 0;
	to->walks = to->has_registers && !(stacks->what & STACKS_UNWIND);
	to->check = !!(stacks->what & STACKS_CHECK);
	to->period = stacks->what & STACKS_ONCPU ? fxt_sched_sample_period(stacks->hz) : 0;
	to->min = stacks->min;
}

static int set_constants(struct programs *p, const struct attempt *a, struct error *e)
{
	static const uint32_t weights[] = {
		[WEIGHT_MODE_WEIGHT] = FXT_BPF_WEIGHT_LOAD,
		[WEIGHT_MODE_PRIO] = FXT_BPF_WEIGHT_PRIO,
		[WEIGHT_MODE_NONE] = FXT_BPF_WEIGHT_NONE,
	};
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
	if (getentropy(&constants->block_secret, sizeof(constants->block_secret)))
		return fail(e, EXIT_FAILED, -errno, "no random number: %s", strerror(errno));
	constants->subbuf_count = c->subbuf_count;
	constants->clock_kind = c->clock == CLOCK_KIND_MONO ?
				FXT_BPF_CLOCK_MONO : FXT_BPF_CLOCK_BOOT;
	constants->weight = weights[c->weight];
	constants->has_prev_state = kernel_types_have_prev_state(a->types);
	constants->overwrite = c->overwrite;
	constants->all_moves = !!(c->events & FXT_SCHED_EVENTS_MIGRATE);
	constants->names_bytes = machine_names_bytes(a->present, c);
	constants->context = a->context.kind;
	constants->context_distance = a->context.distance;
	constants->steals = !!(c->events & FXT_SCHED_EVENTS_STEAL);
	if (constants->steals)
		kernel_types_steal(a->types, (int64_t *)&constants->steal_distance);
	err = bpf_filter_set(&constants->filter, c->filter, e);
	err = err ? err : bpf_trigger_set(&constants->trigger, &c->trigger, e);
	set_stacks(&constants->stacks, a);
	constants->extras = constants->filter.on || constants->trigger.on || constants->stacks.on;
	constants->fast_nested = p->defers && !constants->extras;
	p->marks = constants->filter.by_pid || constants->filter.by_comm;
	bpf_program__set_autoload(p->skel->progs.mark, p->marks);
	bpf_program__set_autoload(p->skel->progs.on_queue_length,
				  c->trigger.limit[FXT_SCHED_CAUSE_RUNNABLE]);
	bpf_program__set_autoload(p->skel->progs.on_sample, c->stacks.what & STACKS_ONCPU);
	bpf_program__set_autoload(p->skel->progs.look_at_wait,
				  fxt_limits_waits(constants->trigger.limit));
	bpf_program__set_autoload(p->skel->progs.keep_sleeper,
				  fxt_limits_sleeps(constants->trigger.limit) &&
				  c->stacks.what & STACKS_OFFCPU);
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
	bpf_map__set_max_entries(p->skel->maps.renames, threads / FXT_RENAMES_PER_ELEMENT);
	if (fxt_limits_waits(p->skel->rodata->trigger.limit)) {
		bpf_map__set_max_entries(p->skel->maps.waits, threads);
		bpf_map__set_max_entries(p->skel->maps.wait_groups,
					 threads / FXT_WAITS_GROUP / FXT_BPF_WAIT_GROUPS);
	}
	if (c->stacks.what & STACKS_EVENTS)
		bpf_map__set_max_entries(p->skel->maps.off_since, threads);
	if (c->stacks.what & STACKS_KERNEL)
		bpf_map__set_max_entries(p->skel->maps.lessons, a->possible);
	if (c->stacks.what & STACKS_USER && c->stacks.what & STACKS_OFF)
		set_user_stacks(p, c->stacks.depth);
	if (p->defers)
		bpf_map__set_max_entries(p->skel->maps.deferred,
					 a->possible * FXT_DEFERRED_LEVELS);
	if (c->events & FXT_SCHED_EVENTS_SYSCALL)
		bpf_map__set_max_entries(p->skel->maps.calls, threads);
	if (c->events & FXT_SCHED_EVENTS_LOCK)
		bpf_map__set_max_entries(p->skel->maps.lock_waits, threads);
	if (c->events & FXT_SCHED_EVENTS_MEMORY)
		bpf_map__set_max_entries(p->skel->maps.memory_begun, threads);
	if (!(c->events & FXT_SCHED_EVENTS_WORK))
		bpf_map__set_max_entries(p->skel->maps.work_begun, 1);
	if (!(c->events & NAMES_FUNCTIONS))
		bpf_map__set_max_entries(p->skel->maps.functions, 1);
	if (!(c->events & FXT_SCHED_EVENTS_THROTTLE))
		bpf_map__set_max_entries(p->skel->maps.throttled_since, 1);
}

static int set_marks(struct programs *p, const struct attempt *a)
{
	const struct fxt_sched_bpf__rodata *c = p->skel->rodata;
	const bool mono = a->config->clock == CLOCK_KIND_MONO;
#define MARK(mark)	[FXT_BPF_MARK_##mark - FXT_BPF_MARK_FIRST]
#define NUMBER(n)	{ true, 0, n }
#define ELEMENT(map)	{ true, BPF_PSEUDO_MAP_VALUE, bpf_map__fd(p->skel->maps.map) }
	const struct patch patches[FXT_BPF_MARKS] = {
		MARK(RINGS) = ELEMENT(rings),
		MARK(CPUS) = NUMBER(rings_of(a->possible) - 1),
		MARK(FAST) = NUMBER(c->extras ? 0 : c->subbuf_limit - FXT_SCHED_EVENT_WORDS),
		MARK(SUBBUF) = { !!c->subbufs_in_element, BPF_PSEUDO_MAP_VALUE,
				 bpf_map__fd(p->skel->maps.subbufs) },
		MARK(SUBBUF_BYTES) = NUMBER(c->subbuf_words * FXT_WORD),
		MARK(SUBBUFS) = NUMBER(c->subbufs_in_element),
		MARK(NESTING) = NUMBER(p->defers),
		MARK(THREADS) = ELEMENT(threads),
		MARK(NEAR) = NUMBER(c->near_threads),
		MARK(PLACES) = NUMBER((c->near_threads - 1) * FXT_BPF_THREAD_BYTES),
		MARK(CLOCK) = NUMBER(mono ? BPF_FUNC_ktime_get_ns : BPF_FUNC_ktime_get_boot_ns),
		MARK(WEIGHT) = NUMBER(c->weight),
		MARK(PREV_STATE) = NUMBER(c->has_prev_state),
		MARK(CONTEXT) = NUMBER(a->context.kind),
		MARK(PREEMPT_COUNT) = { a->context.kind == FXT_BPF_CONTEXT_VARIABLE,
					BPF_PSEUDO_BTF_ID, a->context.variable },
		MARK(IRQ_SAVE) = { a->masks, BPF_PSEUDO_KFUNC_CALL, a->mask.save },
		MARK(IRQ_RESTORE) = { a->masks, BPF_PSEUDO_KFUNC_CALL, a->mask.restore },
	};
#undef ELEMENT
#undef NUMBER
#undef MARK
	struct bpf_program *prog;
	int err = 0;

	bpf_object__for_each_program(prog, p->skel->obj)
		err = err ? err : patch_program(prog, patches);
	return err;
}

/* A probe may need no program for this form of records. */
static int attach(struct programs *p, enum probe probe)
{
	if (!p->progs[probe])
		return 0;
	p->links[probe] = bpf_program__attach_trace(p->progs[probe]);
	return p->links[probe] ? 0 : -errno;
}

static int load_opened(struct programs *p, const struct attempt *a, struct error *e)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts,
		    .btf_custom_path = a->quick ? kernel_types_path(a->types) : NULL);
	int err = 0;

	p->skel = fxt_sched_bpf__open_opts(&opts);
	if (!p->skel)
		return -errno;
	if (opts.btf_custom_path)
		err = kernel_types_reduce(a->types, bpf_object__btf(p->skel->obj));
	p->defers = is_interrupted(a->config) && !a->masks;
	events_choose(&p->events, p->skel, a->types, a->config);
	err = err ? err : set_constants(p, a, e);
	set_sizes(p, a);
	choose_programs(p, a->config);
	p->sees_interrupts = a->context.kind != FXT_BPF_CONTEXT_NONE;
	err = err ? err : place_create(p->skel, a);
	err = err ? err : set_marks(p, a);
	err = err ? err : fxt_sched_bpf__load(p->skel);
	if (!err && p->sees_interrupts &&
	    !context_is_sane(bpf_program__fd(p->skel->progs.preempt_count)))
		err = -ENXIO;
	err = err ? err : attach(p, PROBE_FORK);
	if (err)
		programs_unload(p);
	return err;
}

static int load(struct programs *p, const struct attempt *a, struct error *e)
{
	int err = a->quick ? kernel_types_begin(a->types) : 0;
	bool is_spread;

	if (err)
		return err;
	is_spread = machine_spread();
	err = load_opened(p, a, e);
	if (is_spread)
		machine_gather();
	if (a->quick)
		kernel_types_end(a->types);
	return err;
}

/* Does the kernel accept a program with an exchange? See bpf/threads.bpf.h. */
static bool can_exchange(void)
{
	const struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_STX | BPF_MEM | BPF_DW, .dst_reg = BPF_REG_10, .off = -FXT_WORD },
		{ .code = BPF_STX | BPF_ATOMIC | BPF_DW, .dst_reg = BPF_REG_10,
		  .off = -FXT_WORD, .imm = BPF_XCHG },
		{ .code = BPF_JMP | BPF_EXIT },
	};

	return accepts(insns, sizeof(insns) / sizeof(insns[0]));
}

/* Would another attempt fail for the same reason? */
static bool is_final(int err, const struct error *e)
{
	return !err || err == -ENOMEM || err == -E2BIG || e->text[0];
}

/* Do programs take the kernel stack of a thread that is being switched out or in? */
static bool unwinds_others(const struct source_config *c)
{
	return c->stacks.what & STACKS_KERNEL && c->stacks.what & STACKS_OFF;
}

/* With the types that were read already, or with those that libbpf reads. */
static int load_any(struct programs *p, struct attempt a, struct error *e)
{
	int err = load(p, &a, e);

	a.quick = false;
	if (!is_final(err, e))
		err = load(p, &a, e);
	return err;
}

/* Programs of the user's tracepoints must know the context: they must not write in an NMI. */
static int find_custom(struct programs *p, const struct attempt *a, struct error *e)
{
	struct tracepoints *t = a->config->tracepoints;

	if (!source_tracepoints(a->config))
		return 0;
	if (a->context.kind == FXT_BPF_CONTEXT_NONE)
		return fail(e, EXIT_NO_SOURCE, -EOPNOTSUPP,
			    "--events tp:%s: this kernel hides from BPF programs whether they run in an NMI",
			    t->all[0].name);
	return events_find_custom(&p->events, t, a->types, e);
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
				    "--events %s: %s; omit it, or use all to record what this kernel has",
				    event_group_name(group), why);
		c->events &= ~group;
		used += snprintf(p->lacking + used, sizeof(p->lacking) - used, "%s%s: %s",
				 used ? ", " : "", event_group_name(group), why);
		if (used >= sizeof(p->lacking))
			used = sizeof(p->lacking) - 1;
	}
	return 0;
}

/* Does the kernel have the tracepoint that the trigger needs? */
static int check_trigger(const struct kernel_types *types, const struct source_trigger *t,
			 struct error *e)
{
	static const char event[] = "sched_update_nr_running_tp";

	if (!t->limit[FXT_SCHED_CAUSE_RUNNABLE] || kernel_types_have_event(types, event))
		return 0;
	return fail(e, EXIT_NO_SOURCE, -EOPNOTSUPP,
		    "--trigger runnable>%" PRIu64 ": this kernel lacks the tracepoint %s for BPF (Linux 5.12 or later has it); use another trigger",
		    t->limit[FXT_SCHED_CAUSE_RUNNABLE], event);
}

int programs_load(struct programs *p, struct source_config *c, unsigned int possible,
		  unsigned int present, struct error *e)
{
	struct attempt a = {
		.config = c, .types = kernel_types_open(),
		.possible = possible, .present = present,
		.quick = true,
	};
	int err;

	if (!a.types)
		return machine_refused(e, -errno, "read the kernel's types");
	e->text[0] = '\0';
	a.context = context_find(a.types);
	err = check_events(p, a.types, c, e);
	err = err ? err : check_trigger(a.types, &c->trigger, e);
	err = err ? err : find_custom(p, &a, e);
	a.masks = is_interrupted(c) && mask_find(&a.mask, a.types);
	err = err ? err : load_any(p, a, e);
	/* Rather record without it than not at all. */
	if (!is_final(err, e) && a.context.kind != FXT_BPF_CONTEXT_NONE &&
	    !source_tracepoints(c)) {
		a.context.kind = FXT_BPF_CONTEXT_NONE;
		err = load_any(p, a, e);
	}
	kernel_types_close(a.types);
	if (!err || e->text[0])
		return err;
	if (c->wakeups == WAKEUP_MODE_WAKING && !can_exchange())
		return fail(e, EXIT_NO_SOURCE, -EOPNOTSUPP,
			    "--wakeups waking: BPF programs of this kernel cannot exchange a word (Linux 5.12 or later can); use --wakeups wakeup, or the module");
	if (unwinds_others(c) && err != -ENOMEM && err != -E2BIG)
		return fail(e, EXIT_NO_SOURCE, err,
			    "--stacks: this kernel lets no BPF program on sched_switch take the stack of another thread (bpf_get_task_stack): %s; omit it, or use --stacks=wake, or --stacks=offcpu,user",
			    strerror(-err));
	return machine_refused(e, err, "load the BPF programs");
}

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
	int i, err = events_attach(&p->events, true);

	for (i = 0; i < PROBES && !err; i++)
		err = p->links[i] ? 0 : attach(p, i);
	err = err ? err : events_attach(&p->events, false);
	err = err ? err : attach_trigger(p);
	if (err)
		programs_detach(p);
	return err;
}

void programs_detach(struct programs *p)
{
	int i;

	bpf_link__destroy(p->trigger);
	p->trigger = NULL;
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
