/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * patch.h - replace marks in BPF programs by what is known only when they are loaded.
 */
#ifndef FXT_COLLECT_SOURCE_BPF_PATCH_H
#define FXT_COLLECT_SOURCE_BPF_PATCH_H

#include <stddef.h>
#include <stdint.h>

struct bpf_program;

/**
 * struct patch - a mark, and what takes its place
 * @mark: the number in the programs
 * @code: the instructions that have it; others may have the same number
 * @src_reg: the kind of the number that takes its place, BPF_PSEUDO_*; 0: it is just a number
 * @imm: that number
 */
struct patch {
	uint64_t mark;
	uint8_t code;
	uint8_t src_reg;
	int32_t imm;
};

/* Their codes. */
#define PATCH_CALL	(BPF_JMP | BPF_CALL)
#define PATCH_LOAD	(BPF_LD | BPF_IMM | BPF_DW)
#define PATCH_AND	(BPF_ALU64 | BPF_AND | BPF_K)
#define PATCH_MOVE	(BPF_ALU64 | BPF_MOV | BPF_K)

/**
 * patch_program() - replace all marks in a program
 * @prog: not loaded yet; unchanged if it has none
 * @patches: what to replace
 * @count: how many
 *
 * Return: 0 or a negative errno.
 */
int patch_program(struct bpf_program *prog, const struct patch *patches, size_t count);

#endif /* FXT_COLLECT_SOURCE_BPF_PATCH_H */
