// SPDX-License-Identifier: GPL-2.0-or-later
/* events.c - see events.h. */
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/fxt_sched.h>

#include "bpf/config.h"
#include "bpf/frames.h"
#include "bpf/fxt_sched.skel.h"
#include "bpf/ring.h"
#include "events.h"
#include "source/cgroups.h"
#include "source/source.h"
#include "types.h"

/* --- hooks ------------------------------------------------------------------------------ */

/*
 * The kind of program that this kernel lets be attached to some functions. Many kernels have only
 * one kind, or neither: fentry depends on the architecture, kprobes on the configuration, and
 * either can be forbidden. Only trying shows it, with empty programs, because loading the real ones
 * takes long.
 */

#define KPROBE_TYPE	"/sys/bus/event_source/devices/kprobe/type"
#define FTRACE_SWITCH	"/proc/sys/kernel/ftrace_enabled"

/* Where programs find the function's first argument: bpf/load.bpf.h. */
#ifdef __aarch64__
#define FIRST_ARGUMENT	"regs"
#else
#define FIRST_ARGUMENT	"di"
#endif

/* Both kinds need ftrace. If it is turned off, some kernels attach programs and never call them. */
static bool is_off(void)
{
	FILE *f = fopen(FTRACE_SWITCH, "re");
	int on = 1;

	if (!f)
		return false;
	if (fscanf(f, "%d", &on) != 1)
		on = 1;
	fclose(f);
	return !on;
}

static bool has_fentry(const char *function, const struct kernel_types *t)
{
	/* r0 = 0; exit */
	static const struct bpf_insn empty[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	int id = kernel_types_function(t, function), prog, link;
	LIBBPF_OPTS(bpf_prog_load_opts, opts,
		    .expected_attach_type = BPF_TRACE_FENTRY, .attach_btf_id = id);

	if (id <= 0)
		return false;
	prog = bpf_prog_load(BPF_PROG_TYPE_TRACING, NULL, "GPL", empty, 2, &opts);
	if (prog < 0)
		return false;
	link = bpf_raw_tracepoint_open(NULL, prog);
	if (link >= 0)
		close(link);
	close(prog);
	return link >= 0;
}

static bool has_kprobe(const char *function)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .kprobe_func = (uintptr_t)function,
	};
	FILE *f = fopen(KPROBE_TYPE, "re");
	int fd = -1;

	if (!f)
		return false;
	if (fscanf(f, "%u", &attr.type) == 1)
		fd = syscall(__NR_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
	fclose(f);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* The cheapest kind that works for all of the functions, whose list ends with NULL. */
static enum hook_kind hook_find(const char * const *functions, const struct kernel_types *t)
{
	bool fentry = true, kprobe = kernel_types_have_field(t, "pt_regs", FIRST_ARGUMENT);

	if (is_off())
		return HOOK_NONE;
	for (; *functions; functions++) {
		fentry = fentry && has_fentry(*functions, t);
		kprobe = kprobe && (fentry || has_kprobe(*functions));
	}
	return fentry ? HOOK_FENTRY : kprobe ? HOOK_KPROBE : HOOK_NONE;
}

const char *hook_name(enum hook_kind kind)
{
	static const char * const names[] = {
		[HOOK_FENTRY] = "fentry", [HOOK_KPROBE] = "kprobe",
	};

	return names[kind];
}

/* --- fields ----------------------------------------------------------------------------- */

/* Find a field of a tracepoint ("prev.pid"), and how a program reads it. */

struct event_arguments {
	const char *event;		/* the tracepoint */
	const struct btf *btf;		/* the kernel's types */
	unsigned int count;
	unsigned int types[FXT_BPF_CUSTOM_ARGS];	/* type ids */
	char names[FXT_BPF_CUSTOM_ARGS][TRACEPOINT_FIELD];	/* unknown ones: arg0, arg1, ... */
};

#define KNOWN_ROOM	320	/* bytes of a list in a message */

struct search {
	const struct btf *btf;		/* the kernel's types */
	struct fxt_bpf_field *f;	/* what was found so far */
	const struct btf_type *type;	/* its type, NULL for void */
	unsigned int bits;		/* of a bit field; 0 for other members */
};

static const char *name_at(const struct btf *btf, unsigned int offset)
{
	return btf__name_by_offset(btf, offset);
}

/* Without typedef, const and volatile; NULL for void. */
static const struct btf_type *strip(const struct btf *btf, unsigned int id)
{
	const struct btf_type *t = btf__type_by_id(btf, id);

	while (t && (btf_is_mod(t) || btf_is_typedef(t) || btf_is_type_tag(t)))
		t = btf__type_by_id(btf, t->type);
	return t && !btf_is_void(t) ? t : NULL;
}

/* --- arguments ------------------------------------------------------------------------ */

/* Types of tracepoints lack names of parameters; functions made by the same macros have them. */
static const struct btf_type *named_proto(const struct btf *btf, const char *event,
					  unsigned int params)
{
	static const char * const prefixes[] = { "__traceiter_", "__probestub_", "__bpf_trace_" };
	const struct btf_type *t;
	char name[128];
	size_t i;
	int id;

	for (i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		snprintf(name, sizeof(name), "%s%s", prefixes[i], event);
		id = btf__find_by_name_kind(btf, name, BTF_KIND_FUNC);
		t = id > 0 ? btf__type_by_id(btf, btf__type_by_id(btf, id)->type) : NULL;
		if (t && btf_is_func_proto(t) && btf_vlen(t) == params &&
		    *name_at(btf, btf_params(t)[params - 1].name_off))
			return t;
	}
	return NULL;
}

/* Return: false if there is no such tracepoint */
static bool event_arguments(struct event_arguments *a, const struct kernel_types *types,
			    const char *event)
{
	const struct btf *btf = kernel_types_btf(types);
	const struct btf_type *proto, *named;
	int id = kernel_types_event(types, event);
	unsigned int i;

	proto = id > 0 ? strip(btf, id) : NULL;
	if (proto && btf_is_ptr(proto))
		proto = strip(btf, proto->type);
	if (!proto || !btf_is_func_proto(proto) || !btf_vlen(proto))
		return false;
	/* The first parameter belongs to the probe. */
	*a = (struct event_arguments){ .event = event, .btf = btf, .count = btf_vlen(proto) - 1 };
	if (a->count > FXT_BPF_CUSTOM_ARGS)
		a->count = FXT_BPF_CUSTOM_ARGS;
	named = a->count ? named_proto(btf, event, btf_vlen(proto)) : NULL;
	for (i = 0; i < a->count; i++) {
		a->types[i] = btf_params(proto)[i + 1].type;
		if (named)
			snprintf(a->names[i], sizeof(a->names[i]), "%s",
				 name_at(btf, btf_params(named)[i + 1].name_off));
		if (!*a->names[i])
			snprintf(a->names[i], sizeof(a->names[i]), "arg%u", i);
	}
	return true;
}

static bool is_integer(const struct btf_type *t)
{
	return t && (btf_is_int(t) || btf_is_any_enum(t)) && t->size <= 8;
}

/* Choose all integer arguments, up to FXT_SCHED_CUSTOM_FIELDS. */
static void event_integers(const struct event_arguments *a, struct tracepoint *t)
{
	unsigned int i;

	for (i = 0; i < a->count && t->field_count < FXT_SCHED_CUSTOM_FIELDS; i++)
		if (is_integer(strip(a->btf, a->types[i])))
			snprintf(t->fields[t->field_count++], TRACEPOINT_FIELD, "%s",
				 a->names[i]);
}

/* Return: the argument's number, or -1 */
static int argument_of(const struct event_arguments *a, const char *name)
{
	unsigned int i;
	char number[16];

	for (i = 0; i < a->count; i++) {
		snprintf(number, sizeof(number), "arg%u", i);
		if (!strcmp(a->names[i], name) || !strcmp(number, name))
			return i;
	}
	return -1;
}

/* --- members ------------------------------------------------------------------------------ */

static void list(char *known, const char *name)
{
	size_t used = strlen(known);

	if (used + strlen(name) + 8 < KNOWN_ROOM)
		snprintf(known + used, KNOWN_ROOM - used, "%s%s", used ? ", " : "", name);
	else if (strcmp(known + used - 3, "..."))
		snprintf(known + used, KNOWN_ROOM - used, ", ...");
}

static void list_members(const struct btf *btf, const struct btf_type *t, char *known)
{
	unsigned int i, count = btf_is_composite(t) ? btf_vlen(t) : 0;
	const char *name;

	for (i = 0; i < count; i++) {
		name = name_at(btf, btf_members(t)[i].name_off);
		if (*name)
			list(known, name);
		else
			list_members(btf, strip(btf, btf_members(t)[i].type), known);
	}
}

/*
 * Find a member, also in members without a name. Return: its number, with @t set to the struct that
 * has it and @before to the bits before that; or -1
 */
static int find_member(const struct btf *btf, const struct btf_type **t, const char *name,
		       unsigned int *before)
{
	unsigned int i, count = *t && btf_is_composite(*t) ? btf_vlen(*t) : 0, below;
	const struct btf_type *inner;
	const char *candidate;
	int found;

	for (i = 0; i < count; i++) {
		candidate = name_at(btf, btf_members(*t)[i].name_off);
		if (!strcmp(candidate, name))
			return i;
		if (*candidate)
			continue;
		inner = strip(btf, btf_members(*t)[i].type);
		below = *before + btf_member_bit_offset(*t, i);
		found = find_member(btf, &inner, name, &below);
		if (found >= 0) {
			*t = inner;
			*before = below;
			return found;
		}
	}
	return -1;
}

static int enter(struct search *s, const struct event_arguments *a, const char *text,
		 const char *name, struct error *e)
{
	struct fxt_bpf_field *f = s->f;
	const struct btf_type *t = s->type;
	unsigned int before = 0;
	char known[KNOWN_ROOM] = "";
	int i;

	if (t && btf_is_ptr(t)) {
		if (f->memory && f->steps == FXT_BPF_CUSTOM_STEPS)
			return fail(e, EXIT_USAGE, -EINVAL,
				    "--events tp:%s: %s: more than %u pointers", a->event, text,
				    FXT_BPF_CUSTOM_STEPS);
		if (f->memory)
			f->at[f->steps++] = f->offset;
		f->memory = true;
		f->offset = 0;
		t = strip(s->btf, t->type);
	} else if (!f->memory && t && btf_is_composite(t)) {
		return fail(e, EXIT_USAGE, -EINVAL,
			    "--events tp:%s: %s: the kernel passes a struct, not a pointer to it",
			    a->event, text);
	}
	if (t)
		list_members(s->btf, t, known);
	i = find_member(s->btf, &t, name, &before);
	if (i < 0)
		return fail(e, EXIT_USAGE, -EINVAL, "--events tp:%s: %s: no member %s; %s%s",
			    a->event, text, name, *known ? "there are " : "it has none", known);
	before += btf_member_bit_offset(t, i);
	s->bits = btf_member_bitfield_size(t, i);
	f->offset += before / 8;
	f->shift = before % 8;
	s->type = strip(s->btf, btf_members(t)[i].type);
	return 0;
}

/* --- fields ---------------------------------------------------------------------------- */

static bool is_char(const struct btf *btf, unsigned int id)
{
	const struct btf_type *t = strip(btf, id);

	return t && btf_is_int(t) && t->size == 1 && !(btf_int_encoding(t) & BTF_INT_BOOL) &&
	       !strcmp(name_at(btf, t->name_off), "char");
}

static enum fxt_bpf_field_kind integer_kind(const struct btf_type *t)
{
	bool is_signed = btf_is_int(t) ? btf_int_encoding(t) & BTF_INT_SIGNED : btf_kflag(t);

	if (btf_is_int(t) && btf_int_encoding(t) & BTF_INT_BOOL)
		return FXT_BPF_FIELD_BOOL;
	return is_signed ? FXT_BPF_FIELD_SIGNED : FXT_BPF_FIELD_UNSIGNED;
}

static void finish_integer(struct search *s)
{
	struct fxt_bpf_field *f = s->f;

	f->kind = btf_is_ptr(s->type) ? FXT_BPF_FIELD_POINTER : integer_kind(s->type);
	f->bits = s->bits ? s->bits : 8 * f->size;
	/* A bit field may begin in one of the type's units and end in the next one. */
	if (s->bits)
		f->size = (f->shift + f->bits + 7) / 8;
}

/* Choose how to record the field by its type. Return: 0; -EINVAL if it cannot be recorded */
static int finish_search(struct search *s)
{
	const struct btf_type *t = s->type;
	struct fxt_bpf_field *f = s->f;

	if (!t)
		return -EINVAL;
	f->size = btf_is_ptr(t) ? 8 : t->size;
	if (btf_is_array(t) && f->memory && is_char(s->btf, btf_array(t)->type)) {
		f->kind = FXT_BPF_FIELD_STRING;
	} else if (btf_is_ptr(t) && is_char(s->btf, t->type) &&
		   (!f->memory || f->steps < FXT_BPF_CUSTOM_STEPS)) {
		f->kind = FXT_BPF_FIELD_STRING;
		if (f->memory)
			f->at[f->steps++] = f->offset;
		f->offset = 0;
	} else if (is_integer(t) || btf_is_ptr(t)) {
		finish_integer(s);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
		return s->bits ? -EINVAL : 0;
#endif
	} else {
		return -EINVAL;
	}
	return f->size <= 8 || f->kind == FXT_BPF_FIELD_STRING ? 0 : -EINVAL;
}

/* @text: an argument, by name or as arg0, arg1, ..., and members. */
static int field_find(struct fxt_bpf_field *f, const struct event_arguments *a, const char *text,
		      struct error *e)
{
	struct search s = { .btf = a->btf, .f = f };
	char copy[TRACEPOINT_FIELD], known[KNOWN_ROOM] = "", *rest = copy, *name;
	unsigned int i;
	int arg, ret = 0;

	snprintf(copy, sizeof(copy), "%s", text);
	name = strsep(&rest, ".");
	arg = argument_of(a, name);
	if (arg < 0) {
		for (i = 0; i < a->count; i++)
			list(known, a->names[i]);
		return fail(e, EXIT_USAGE, -EINVAL,
			    "--events tp:%s: no argument %s; %s%s", a->event, name,
			    a->count ? "there are " : "it has none", known);
	}
	*f = (struct fxt_bpf_field){ .arg = arg };
	s.type = strip(a->btf, a->types[arg]);
	while (!ret && (name = strsep(&rest, ".")))
		ret = enter(&s, a, text, name, e);
	if (!ret && finish_search(&s))
		ret = fail(e, EXIT_USAGE, -EINVAL,
			   "--events tp:%s: %s is not a number, string or pointer; choose one of its members",
			   a->event, text);
	return ret;
}

/* --- tracepoints of the user ------------------------------------------------------------ */

static bool field_is_number(const struct fxt_bpf_field *f)
{
	return f->kind == FXT_BPF_FIELD_SIGNED || f->kind == FXT_BPF_FIELD_UNSIGNED ||
	       f->kind == FXT_BPF_FIELD_BOOL;
}

static int find_one(struct fxt_bpf_custom *where, struct tracepoint *t,
		    const struct kernel_types *types, struct error *e)
{
	struct event_arguments args;
	unsigned int i;
	int ret = 0;

	if (!event_arguments(&args, types, t->name))
		return fail(e, EXIT_NO_SOURCE, -ENOENT,
			    "--events tp:%s: this kernel has no tracepoint %s, except perhaps in a module; /sys/kernel/tracing/available_events lists them",
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

int events_find_custom(struct event_programs *p, struct tracepoints *t,
		       const struct kernel_types *types, struct error *e)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < t->count && !ret; i++)
		ret = find_one(&p->custom[i], &t->all[i], types, e);
	return ret;
}

/* --- groups ----------------------------------------------------------------------------- */

/*
 * A tracepoint or a function of a group. Ends of slices are attached before their beginnings, so
 * that the end of each recorded beginning is seen.
 */
struct hook {
	uint64_t group;			/* FXT_SCHED_EVENTS_*; of several, one is enough */
	const char *event;
	size_t program;			/* PROGRAM() to attach; several hooks may share it */
	bool is_optional;		/* the group is recorded even if the kernel lacks it */
	size_t kprobe;			/* of a function: PROGRAM() without fentry; else 0 */
};

#define PROGRAM(name)	offsetof(struct fxt_sched_bpf, progs.name)

/* Further arguments initialize other fields. */
#define HOOK(of, at, name, ...)							\
	{ .group = FXT_SCHED_EVENTS_##of, .event = (at), .program = PROGRAM(name), ##__VA_ARGS__ }

#define VECTOR(name)							\
	HOOK(IRQ, name "_exit", on_vector_exits, .is_optional = true),	\
	HOOK(IRQ, name "_entry", on_vector_entries, .is_optional = true)

/* If the kernel has it, from 6.3 on, tcp_probe is not needed. */
#define DATA_EVENT	"sk_data_ready"

/* Other architectures may have these tracepoints, but need no more than the vectors. */
#ifdef __aarch64__
#define IRQ_OF_ARM64	FXT_SCHED_EVENTS_IRQ
#else
#define IRQ_OF_ARM64	0
#endif

static const struct hook hooks[] = {
	HOOK(IRQ, "irq_handler_exit", on_irq_handler_exit),
	HOOK(IRQ, "irq_handler_entry", on_irq_handler_entry),
	HOOK(IRQ, "softirq_exit", on_softirq_exit),
	HOOK(IRQ, "softirq_entry", on_softirq_entry),
	/* x86 has these, by its configuration. */
	VECTOR("local_timer"), VECTOR("reschedule"), VECTOR("call_function"),
	VECTOR("call_function_single"), VECTOR("irq_work"), VECTOR("x86_platform_ipi"),
	VECTOR("thermal_apic"), VECTOR("error_apic"), VECTOR("spurious_apic"),
	VECTOR("threshold_apic"), VECTOR("deferred_error_apic"),
	{ IRQ_OF_ARM64, "ipi_exit", PROGRAM(on_ipi_exit), .is_optional = true },
	{ IRQ_OF_ARM64, "ipi_entry", PROGRAM(on_ipi_entry), .is_optional = true },
	HOOK(SCHED | FXT_SCHED_EVENTS_MIGRATE, "sched_migrate_task", on_sched_migrate_task),
	HOOK(SCHED, "cgroup_attach_task", on_cgroup_attach_task, .is_optional = true),
	HOOK(IDLE, "cpu_idle", on_cpu_idle),
	HOOK(IDLE, "cpu_idle_miss", on_cpu_idle_miss, .is_optional = true),
	HOOK(FREQ, "cpu_frequency", on_cpu_frequency),
	HOOK(FREQ, "cpu_frequency_limits", on_cpu_frequency_limits),
	{ NAMES_FUNCTIONS, "module_free", PROGRAM(on_module_change), .is_optional = true },
	{ NAMES_FUNCTIONS, "module_load", PROGRAM(on_module_change), .is_optional = true },
	HOOK(WORK, "workqueue_execute_end", on_workqueue_execute_end),
	HOOK(WORK, "workqueue_execute_start", on_workqueue_execute_start),
	HOOK(TASK, "sched_process_fork", on_task_fork),
	HOOK(TASK, "sched_process_exit", on_task_exit),
	HOOK(TASK, "sched_pi_setprio", on_task_priority),
	HOOK(SYSCALL, "sched_process_exit", on_syscall_end),
	HOOK(SYSCALL, "sched_process_exec", on_syscall_exec),
	HOOK(SYSCALL, "sys_exit", on_sys_exit),
	HOOK(SYSCALL, "sys_enter", on_sys_enter),
	HOOK(LOAD, "sched_update_nr_running_tp", on_nr_running),
	HOOK(LOAD, "pelt_cfs_tp", on_pelt_cpu),
	HOOK(LOAD, "pelt_se_tp", on_pelt_thread),
	HOOK(LOCK, "contention_end", on_contention_end),
	HOOK(LOCK, "contention_begin", on_contention_begin),
	HOOK(LOCK, "sched_waking", on_futex_waking),
	HOOK(LOCK, "sched_switch", on_futex_switch),
	HOOK(STEAL, "sched_switch", on_steal),
	HOOK(MEMORY, "mm_vmscan_direct_reclaim_end", on_reclaim_end),
	HOOK(MEMORY, "mm_vmscan_direct_reclaim_begin", on_reclaim_begin),
	HOOK(MEMORY, "mm_vmscan_memcg_reclaim_end", on_memcg_reclaim_end, .is_optional = true),
	HOOK(MEMORY, "mm_vmscan_memcg_reclaim_begin", on_reclaim_begin, .is_optional = true),
	HOOK(MEMORY, "mm_compaction_end", on_compaction_end, .is_optional = true),
	HOOK(MEMORY, "mm_compaction_begin", on_compaction_begin, .is_optional = true),
	HOOK(IPI, "ipi_send_cpu", on_ipi_cpu),
	HOOK(IPI, "ipi_send_cpumask", on_ipi_cpus),
	HOOK(SIGNAL, "signal_generate", on_signal_generate),
	HOOK(SIGNAL, "signal_deliver", on_signal_deliver),
	HOOK(TIMER, "hrtimer_expire_entry", on_hrtimer_expiry),
	HOOK(TIMER, "timer_expire_entry", on_timer_expiry),
	HOOK(NET, DATA_EVENT, on_data_ready, .is_optional = true),
	HOOK(NET, "tcp_probe", on_tcp_segment),
	HOOK(BLOCK, "block_rq_complete", on_block_completed),
	HOOK(BLOCK, "block_rq_requeue", on_block_requeued),
	HOOK(BLOCK, "block_rq_issue", on_block_issued),
	HOOK(BLOCK, "block_rq_insert", on_block_queued),
	HOOK(THROTTLE, "unthrottle_cfs_rq", on_unthrottle_cfs_rq_fentry, .is_optional = true,
	     .kprobe = PROGRAM(on_unthrottle_cfs_rq_kprobe)),
	HOOK(THROTTLE, "throttle_cfs_rq", on_throttle_cfs_rq_fentry, .is_optional = true,
	     .kprobe = PROGRAM(on_throttle_cfs_rq_kprobe)),
};

#define HOOKS	(sizeof(hooks) / sizeof(hooks[0]))

_Static_assert(HOOKS <= EVENT_HOOKS, "all hooks have room");

/* Without hooks, the collector's own counters remain: source/cgroups.h. */
static bool lacks_throttle(struct event_programs *e, const struct kernel_types *t, char *why,
			   size_t room)
{
	static const char * const functions[] = {
		"throttle_cfs_rq", "unthrottle_cfs_rq", NULL,
	};
	const char *lacks = cgroups_lack_quotas();

	e->functions = hook_find(functions, t);
	if (e->functions != HOOK_NONE || !lacks)
		return false;
	snprintf(why, room, "this kernel does not let programs be attached to throttle_cfs_rq, and %s",
		 lacks);
	return true;
}

bool events_lacking(struct event_programs *e, const struct kernel_types *t, uint64_t group,
		    char *why, size_t room)
{
	int64_t distance;
	size_t i;

	if (group == FXT_SCHED_EVENTS_THROTTLE)
		return lacks_throttle(e, t, why, room);
	for (i = 0; i < HOOKS; i++) {
		if (!(hooks[i].group & group) || hooks[i].is_optional ||
		    kernel_types_have_event(t, hooks[i].event))
			continue;
		snprintf(why, room, "this kernel lacks the tracepoint %s", hooks[i].event);
		return true;
	}
	/* Before 5.10.137 the queue came first. */
	if (group == FXT_SCHED_EVENTS_BLOCK && kernel_types_arguments(t, "block_rq_issue") != 1) {
		snprintf(why, room, "the tracepoint block_rq_issue has other arguments on this kernel (Linux 5.10.137 or later is required)");
		return true;
	}
	if ((group == FXT_SCHED_EVENTS_WORK || group == FXT_SCHED_EVENTS_TIMER) &&
	    libbpf_probe_bpf_helper(BPF_PROG_TYPE_RAW_TRACEPOINT, BPF_FUNC_snprintf, NULL) != 1) {
		snprintf(why, room, "BPF programs cannot name functions on this kernel (Linux 5.13 or later is required)");
		return true;
	}
	if (group == FXT_SCHED_EVENTS_STEAL && kernel_types_steal(t, &distance)) {
		snprintf(why, room, "this kernel hides from BPF programs where it counts the time that the hypervisor takes");
		return true;
	}
	if (group == FXT_SCHED_EVENTS_SYSCALL && !kernel_types_have_field(t, "pt_regs", "orig_ax") &&
	    !kernel_types_have_field(t, "pt_regs", "syscallno")) {
		snprintf(why, room, "BPF programs cannot read the numbers of system calls on this architecture");
		return true;
	}
	return false;
}

bool events_interrupted(uint64_t groups)
{
	return groups & ~(FXT_SCHED_EVENTS_SCHED | FXT_SCHED_EVENTS_MIGRATE |
			  FXT_SCHED_EVENTS_LOAD | FXT_SCHED_EVENTS_THROTTLE |
			  FXT_SCHED_EVENTS_STEAL);
}

static struct bpf_program *program_at(struct fxt_sched_bpf *skel, size_t offset)
{
	return *(struct bpf_program **)((char *)skel + offset);
}

static bool has_hook(const struct event_programs *e, const struct kernel_types *t,
		     const struct hook *h)
{
	return h->kprobe ? e->functions != HOOK_NONE : kernel_types_have_event(t, h->event);
}

static void choose_custom(struct event_programs *e, struct fxt_sched_bpf *skel,
			  const struct tracepoints *t)
{
	struct bpf_program * const all[FXT_SCHED_CUSTOM_MOST] = {
		skel->progs.on_custom0, skel->progs.on_custom1, skel->progs.on_custom2,
		skel->progs.on_custom3, skel->progs.on_custom4, skel->progs.on_custom5,
		skel->progs.on_custom6, skel->progs.on_custom7,
	};
	unsigned int i;

	for (i = 0; i < FXT_SCHED_CUSTOM_MOST; i++) {
		bool is_used = t && i < t->count;

		bpf_program__set_autoload(all[i], is_used);
		skel->rodata->custom[i] = e->custom[i];
		if (is_used)
			e->hooks[EVENT_HOOKS + i] = (struct hooked){ all[i], t->all[i].name, NULL };
	}
}

void events_choose(struct event_programs *e, struct fxt_sched_bpf *skel,
		   const struct kernel_types *t, const struct source_config *c)
{
	/* Averages of threads are too frequent unless processes are selected. */
	bool of_threads = c->filter && c->filter->pid_count, is_kprobe;
	struct bpf_program *prog;
	size_t i;

	memset(e->hooks, 0, sizeof(e->hooks));
	for (i = 0; i < HOOKS; i++) {
		bpf_program__set_autoload(program_at(skel, hooks[i].program), false);
		if (hooks[i].kprobe)
			bpf_program__set_autoload(program_at(skel, hooks[i].kprobe), false);
	}
	for (i = 0; i < HOOKS; i++) {
		if (!(hooks[i].group & c->events) || !has_hook(e, t, &hooks[i]) ||
		    (hooks[i].program == PROGRAM(on_pelt_thread) && !of_threads) ||
		    (hooks[i].program == PROGRAM(on_tcp_segment) &&
		     kernel_types_have_event(t, DATA_EVENT)))
			continue;
		is_kprobe = hooks[i].kprobe && e->functions == HOOK_KPROBE;
		prog = program_at(skel, is_kprobe ? hooks[i].kprobe : hooks[i].program);
		e->hooks[i] = (struct hooked){ prog, hooks[i].event, NULL };
		bpf_program__set_autoload(prog, true);
	}
	choose_custom(e, skel, c->tracepoints);
}

static struct bpf_link *attach(const struct bpf_program *prog, const char *event)
{
	switch (bpf_program__expected_attach_type(prog)) {
	case BPF_TRACE_RAW_TP:
	case BPF_TRACE_FENTRY:
		return bpf_program__attach_trace(prog);
	default:
		if (bpf_program__type(prog) == BPF_PROG_TYPE_KPROBE)
			return bpf_program__attach_kprobe(prog, false, event);
		return bpf_program__attach_raw_tracepoint(prog, event);
	}
}

int events_attach(struct event_programs *e, bool is_first)
{
	struct hooked *h;
	size_t i;

	for (i = 0; i < HOOKS_ALL; i++) {
		h = &e->hooks[i];
		if (!h->prog || h->link ||
		    (i < HOOKS && hooks[i].program == PROGRAM(on_steal)) != is_first)
			continue;
		h->link = attach(h->prog, h->event);
		if (!h->link)
			return -errno;
	}
	return 0;
}

void events_detach(struct event_programs *e)
{
	size_t i;

	for (i = 0; i < HOOKS_ALL; i++) {
		bpf_link__destroy(e->hooks[i].link);
		e->hooks[i].link = NULL;
	}
}

void events_each(const struct event_programs *e,
		 void (*visit)(const struct bpf_program *prog, void *arg), void *arg)
{
	size_t i, j;

	for (i = 0; i < HOOKS_ALL; i++) {
		/* Once, however many tracepoints share it. */
		for (j = 0; j < i && e->hooks[j].prog != e->hooks[i].prog; j++)
			;
		if (e->hooks[i].prog && j == i)
			visit(e->hooks[i].prog, arg);
	}
}
