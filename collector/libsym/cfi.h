/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cfi.h - how to leave a function: the call frame information of ELF files.
 *
 * In:  an open file, and the build id that it must have.
 * Out: for addresses in the file, where the function that they are in keeps its return address and
 * the frame pointer of its caller. A file that has another build id, or none, is not used.
 */
#ifndef LIBSYM_CFI_H
#define LIBSYM_CFI_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fxt/fxt_sched_stack.h>

#include "elf_file.h"

/* --- expressions ------------------------------------------------------------------------ */

/*
 * Values of the expressions in call frame information.
 *
 * In:  an expression, as libdw reads it.
 * Out: its value, as far as it follows from one register and one word of memory. So it is in
 * linkage tables and in what returns from signal handlers.
 */

/* What a value counts from. */
enum expression_base {
	EXPRESSION_NUMBER,	/* nothing */
	EXPRESSION_SP,
	EXPRESSION_FP,
	EXPRESSION_IP,
	EXPRESSION_CFA,
};

/**
 * struct expression_value - a value
 * @base: of type enum expression_base
 * @is_word: it is the word of memory at that place
 * @offset: bytes from @base; of EXPRESSION_IP an address of the file
 */
struct expression_value {
	uint8_t base;
	bool is_word;
	uint64_t offset;
};

/**
 * struct expression_registers - of an architecture, by their numbers in DWARF
 * @ip_value: address in the file of the instruction for which to evaluate
 */
struct expression_registers {
	uint64_t sp;
	uint64_t fp;
	uint64_t ip;
	uint64_t ip_value;
};

/**
 * expression_evaluate() - evaluate an expression
 * @ops: its operations, @count of them, from anyone
 * @r: the registers
 * @value: set to the value
 *
 * Return: false if it needs more than there is.
 */
bool expression_evaluate(const Dwarf_Op *ops, size_t count, const struct expression_registers *r,
			 struct expression_value *value);

/* --- rules ------------------------------------------------------------------------------ */

/* What the address of the frame, the CFA, counts from. */
enum cfi_base {
	CFI_SP,			/* the stack pointer */
	CFI_FP,			/* the register of the frame pointer: rbp, x29 */
};

/* Where the caller's value of a register is. */
enum cfi_place {
	CFI_KEPT,		/* it is still in the register */
	CFI_SAVED,		/* in the frame, counted from the CFA */
	CFI_SAVED_AT_BASE,	/* in the frame, counted from what the CFA counts from */
	CFI_LOST,		/* nowhere; of the return address: there is no caller */
};

/**
 * struct cfi_rule - how to leave a function from one of its instructions
 * @base: of the CFA, of type enum cfi_base
 * @link: where the return address is, of type enum cfi_place
 * @fp: the same for the register of the frame pointer
 * @is_signal: it returns from a signal handler, to where the signal interrupted its caller
 * @is_cfa_saved: the CFA is in the frame, @cfa bytes from @base
 * @cfa: bytes from @base to the CFA, which is the caller's stack pointer
 * @link_at: bytes to the return address, if it is saved
 * @fp_at: the same for the register of the frame pointer
 */
struct cfi_rule {
	uint8_t base;
	uint8_t link;
	uint8_t fp;
	bool is_signal : 1;
	bool is_cfa_saved : 1;
	int32_t cfa;
	int32_t link_at;
	int32_t fp_at;
};

/**
 * struct cfi_file - the information of a file
 * @elf: its segments; the file is not open
 * @image: memory with the parts of the file that are read, @size bytes; most of it is empty
 * @held: bytes that were read
 * @memory: @image, of libelf
 * @cfi: of libdw
 * @arm: it is for arm64
 */
struct cfi_file {
	struct elf_file elf;
	void *image;
	size_t size;
	size_t held;
	void *memory;
	void *cfi;
	bool arm;
};

/**
 * cfi_open() - read the information of a file
 * @f: filled in; cfi_close() frees it in all cases
 * @fd: the file, which is @f's from now on; -1: it could not be opened
 * @id: its build id
 *
 * Return: ELF_FINE; ELF_DAMAGED also if it has none, or more than CFI_MOST; or as elf_open().
 */
enum elf_fault cfi_open(struct cfi_file *f, int fd, const struct elf_id *id);

/**
 * cfi_find() - how to leave a function
 * @f: the file
 * @vaddr: address of an instruction of the function in the file
 * @rule: filled in
 *
 * Return: false if the file does not say it, or struct cfi_rule cannot express it.
 */
bool cfi_find(const struct cfi_file *f, uint64_t vaddr, struct cfi_rule *rule);

/** cfi_close() - free all */
void cfi_close(struct cfi_file *f);

/* --- unwinding -------------------------------------------------------------------------- */

/*
 * The frames that are missing in the stack of a program.
 *
 * In:  frames that the kernel found by frame pointers; registers and a piece of the stack; how to
 * leave functions.
 * Out: all frames, as far as the piece of the stack reaches.
 */

/**
 * unwind_rule - how to leave the function at an address
 * @arg: of unwind()
 * @address: of an instruction of the function, in the process
 *
 * Return: NULL if that is unknown.
 */
typedef const struct cfi_rule *(*unwind_rule)(void *arg, uint64_t address);

/**
 * struct unwinding - the state of unwinding one stack
 * @frames: of the program, innermost first, as the kernel found them: @count, at least 1
 * @copy: what fxt_sched_stack.h calls so: @words, at least FXT_SCHED_COPY_HEAD
 * @rule: finds rules, with @arg
 * @result: what was found: @found frames
 * @added: how many of these the kernel has not found
 * @is_whole: no frame is missing between the innermost one and those of frame pointers, or up
 *	to the end of the stack
 */
struct unwinding {
	const uint64_t *frames;
	size_t count;
	const uint64_t *copy;
	size_t words;
	unwind_rule rule;
	void *arg;
	uint64_t result[FXT_SCHED_STACK_FRAMES];
	size_t found;
	size_t added;
	bool is_whole;
};

/**
 * unwind() - find the missing frames
 * @u: filled in up to @arg
 *
 * Each frame that is added is exact. Those of the kernel are left out if it turns out that the
 * register held no frame pointer.
 */
void unwind(struct unwinding *u);

#endif /* LIBSYM_CFI_H */
