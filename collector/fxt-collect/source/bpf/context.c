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
 * The reference is patched into the programs here, because libbpf would read all types of
 * the kernel for it (see types.h).
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fxt/fxt_sched.h"
#include "context.h"
#include "types.h"

#define NEED_RESCHED	0x80000000U	/* x86 keeps it in the preempt count */
#define PREEMPT_MASK	0x000000ffU
#define NAME_ROOM	64

/* The low and the high half of a 64-bit immediate, loaded by two instructions. */
#define LOW(value)	((__s32)(value))
#define HIGH(value)	((__s32)((value) >> 32))

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

static bool is_mark(const struct bpf_insn *insn)
{
	return insn[0].code == (BPF_LD | BPF_IMM | BPF_DW) && !insn[0].src_reg &&
	       insn[0].imm == LOW(FXT_BPF_CONTEXT_MARK) &&
	       insn[1].imm == HIGH(FXT_BPF_CONTEXT_MARK);
}

int context_put_variable(struct bpf_program *prog, int variable)
{
	size_t count = bpf_program__insn_cnt(prog), i;
	const struct bpf_insn *before = bpf_program__insns(prog);
	struct bpf_insn *insns = calloc(count, sizeof(*insns));
	bool is_used = false;
	int err;

	if (!insns)
		return -ENOMEM;
	memcpy(insns, before, count * sizeof(*insns));
	for (i = 0; i + 1 < count; i++) {
		if (!is_mark(insns + i))
			continue;
		insns[i].src_reg = BPF_PSEUDO_BTF_ID;
		insns[i].imm = variable;
		insns[i + 1].imm = 0;
		is_used = true;
	}
	err = is_used ? bpf_program__set_insns(prog, insns, count) : 0;
	free(insns);
	return err;
}

/* The test run executes in thread context: outside of any interrupt. */
bool context_is_sane(int fd)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts);

	return !bpf_prog_test_run_opts(fd, &opts) &&
	       !(opts.retval & ~(NEED_RESCHED | PREEMPT_MASK));
}
