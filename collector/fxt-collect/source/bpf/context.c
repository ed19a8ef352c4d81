// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * context.c - see context.h.
 *
 * In: the kernel's types. Out: where the preempt count is, for bpf/context.bpf.h.
 *
 * Most architectures keep it in the current thread, x86 in a per-CPU variable. A program
 * can refer to the variable if kallsyms has its address (CONFIG_KALLSYMS_ALL) and its BTF
 * lists it; only an attempt shows that. Otherwise its distance from this CPU's run queue
 * comes from BTF, or else from the symbols.
 *
 * The reference is patched into the programs, because libbpf would read all types of
 * the kernel for it (see types.h).
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "fxt/fxt_sched.h"
#include "context.h"
#include "patch.h"
#include "types.h"

#define NEED_RESCHED	0x80000000U	/* x86 keeps it in the preempt count */
#define PREEMPT_MASK	0x000000ffU
#define NAME_ROOM	64

static const char *variable_name(const struct kernel_types *t)
{
	return kernel_types_have_field(t, "pcpu_hot", "preempt_count") ? "pcpu_hot" :
									 "__preempt_count";
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
	int fd = bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, NULL, "GPL", insns,
			       sizeof(insns) / sizeof(insns[0]), NULL);

	if (fd < 0)
		return false;
	close(fd);
	return true;
}

/* Distance between two kernel symbols: in Linux 5.10, BTF lists no variables. */
static int symbol_distance(const char *to, const char *from, int64_t *distance)
{
	unsigned long long address, found[2] = { 0 };
	FILE *f = fopen("/proc/kallsyms", "re");
	char name[NAME_ROOM], type;

	if (!f)
		return -errno;
	while ((!found[0] || !found[1]) &&
	       fscanf(f, "%llx %c %63s%*[^\n]", &address, &type, name) == 3)
		for (int i = 0; i < 2; i++)
			if (!strcmp(name, i ? from : to))
				found[i] = address;
	fclose(f);
	*distance = found[0] - found[1];
	return found[0] && found[1] ? 0 : -ENOENT;
}

static int run_queue_distance(const struct kernel_types *t, const char *variable,
			      int64_t *distance)
{
	int64_t at, runqueues;

	if (!kernel_types_have_field(t, "cfs_rq", "rq"))
		return -ENOENT;
	if (kernel_types_per_cpu(t, variable, &at) < 0 ||
	    kernel_types_per_cpu(t, "runqueues", &runqueues) < 0)
		return symbol_distance(variable, "runqueues", distance);
	*distance = at - runqueues;
	return 0;
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
	else if (!run_queue_distance(t, variable, &place.distance))
		place.kind = FXT_BPF_CONTEXT_RUNQUEUE;
	return place;
}

size_t context_patches(struct patch *patches, const struct context_place *place)
{
	patches[0] = (struct patch){ FXT_BPF_CONTEXT_MARK, PATCH_LOAD, BPF_PSEUDO_BTF_ID,
				     place->variable };
	/* Elsewhere, programs do not reach the mark. */
	return place->kind == FXT_BPF_CONTEXT_VARIABLE;
}

/* The test run executes in thread context: outside of any interrupt. */
bool context_is_sane(int fd)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts);

	return !bpf_prog_test_run_opts(fd, &opts) &&
	       !(opts.retval & ~(NEED_RESCHED | PREEMPT_MASK));
}
