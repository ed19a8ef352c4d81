// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * empty_programs.c - attaches BPF programs that do nothing to tracepoints while a command runs.
 * In:  names of tracepoints, "--", and the command.
 * Out: load: what the kernel takes to enter and leave a program, the least that a tracer made of
 *      BPF can cost. Exit status: the command's, 128 + N if signal N ended it, 1 a program cannot
 *      be attached, 2 wrong usage, 127 the command cannot be run.
 *
 * The programs are attached as those of fxt-collect are, by BTF.
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/bpf.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Return: a descriptor that keeps the program attached, or -1. */
static int attach(const char *tracepoint)
{
	const struct bpf_insn empty[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = BPF_TRACE_RAW_TP);
	int id = libbpf_find_vmlinux_btf_id(tracepoint, BPF_TRACE_RAW_TP);
	int program;

	if (id < 0)
		return -1;
	opts.attach_btf_id = id;
	program = bpf_prog_load(BPF_PROG_TYPE_TRACING, "empty", "GPL", empty,
				sizeof(empty) / sizeof(*empty), &opts);
	return program < 0 ? -1 : bpf_raw_tracepoint_open(NULL, program);
}

static int run(char **command)
{
	pid_t child = fork();
	int status;

	if (!child) {
		execvp(*command, command);
		perror(*command);
		_exit(127);
	}
	if (child < 0 || waitpid(child, &status, 0) < 0)
		return 1;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int main(int argc, char **argv)
{
	int i, count = 0;

	for (i = 1; i < argc && !count; i++)
		if (!strcmp(argv[i], "--"))
			count = i - 1;
	if (!count || i == argc) {
		fputs("usage: empty_programs TRACEPOINT... -- COMMAND [ARGUMENT...]\n", stderr);
		return 2;
	}
	for (i = 1; i <= count; i++) {
		if (attach(argv[i]) < 0) {
			perror(argv[i]);
			return 1;
		}
	}
	return run(argv + count + 2);
}
