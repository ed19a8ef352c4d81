// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * hook.c - see hook.h.
 *
 * In: names of functions. Out: what this kernel lets be attached to them. Many kernels have
 * only one kind, or neither: fentry depends on the architecture, kprobes on the
 * configuration, and either can be forbidden. Only trying shows it, with programs that are
 * empty, because loading the real ones takes long.
 */
#include <bpf/bpf.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "hook.h"
#include "types.h"

#define KPROBE_TYPE	"/sys/bus/event_source/devices/kprobe/type"
#define FTRACE_SWITCH	"/proc/sys/kernel/ftrace_enabled"

/* What programs read the function's first argument from: bpf/throttle.bpf.h. */
#ifdef __aarch64__
#define FIRST_ARGUMENT	"regs"
#else
#define FIRST_ARGUMENT	"di"
#endif

/*
 * Where the administrator has turned ftrace off, some kernels attach programs and never call
 * them. Both kinds depend on it.
 */
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

enum hook_kind hook_find(const char * const *functions, const struct kernel_types *t)
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
