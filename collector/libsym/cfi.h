/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cfi.h - how to leave a function: the call frame information of ELF files.
 *
 * In:  an open file, and the build id that it must have.
 * Out: for an address in the file, the places where its function keeps the return address and the
 * caller's frame pointer. A file that has another build id, or none, is not used.
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
 * Evaluates the expressions in call frame information.
 *
 * In:  an expression, as libdw reads it.
 * Out: its value, if that depends only on one register and one word of memory. This is enough for
 * linkage tables and for code that returns from signal handlers.
 */

/* The base to which the offset of a value is added. */
enum expression_base {
	EXPRESSION_NUMBER,	/* none */
	EXPRESSION_SP,
	EXPRESSION_FP,
	EXPRESSION_IP,
	EXPRESSION_CFA,
};

/**
 * struct expression_value - a value
 * @base: of type enum expression_base
 * @is_word: the value is the word of memory at that address
 * @offset: bytes from @base; of EXPRESSION_IP an address of the file
 */
struct expression_value {
	uint8_t base;
	bool is_word;
	uint64_t offset;
};

/**
 * struct expression_registers - the numbers in DWARF of an architecture's registers
 * @ip_value: address in the file of the instruction for which the value holds
 */
struct expression_registers {
	uint64_t sp;
	uint64_t fp;
	uint64_t ip;
	uint64_t ip_value;
};

/**
 * expression_evaluate() - evaluate an expression
 * @ops: its operations, @count of them, which are not trusted
 * @r: the registers
 * @value: set to the value
 *
 * Return: false if the value depends on anything else.
 */
bool expression_evaluate(const Dwarf_Op *ops, size_t count, const struct expression_registers *r,
			 struct expression_value *value);

/* --- rules ------------------------------------------------------------------------------ */

/* The register to which the offset of the frame's address, the CFA, is added. */
enum cfi_base {
	CFI_SP,			/* the stack pointer */
	CFI_FP,			/* the register of the frame pointer: rbp, x29 */
};

/* Where the caller's value of a register is. */
enum cfi_place {
	CFI_KEPT,		/* still in the register */
	CFI_SAVED,		/* in the frame, at an offset from the CFA */
	CFI_SAVED_AT_BASE,	/* in the frame, at an offset from the register of enum cfi_base */
	CFI_LOST,		/* lost; if it is the return address, there is no caller */
};

/**
 * struct cfi_rule - how to leave a function from one of its instructions
 * @base: register of the CFA, of type enum cfi_base
 * @link: where the return address is, of type enum cfi_place
 * @fp: where the caller's frame pointer is, likewise
 * @is_signal: the function returns from a signal handler to the interrupted instruction
 * @is_cfa_saved: the CFA is in the frame, @cfa bytes from @base
 * @cfa: bytes from @base to the CFA, which is the caller's stack pointer
 * @link_at: offset of the return address, if it is saved
 * @fp_at: offset of the caller's frame pointer, likewise
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
 * struct cfi_file - the call frame information of a file
 * @elf: its segments; the file is not open
 * @image: memory with the parts of the file that are read, @size bytes; most of it is empty
 * @held: bytes that were read
 * @memory: libelf's handle of @image
 * @cfi: libdw's handle of the information
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
 * cfi_open() - read the call frame information of a file
 * @f: filled in; cfi_close() frees it in all cases
 * @fd: the file, which @f owns from now on; -1: it could not be opened
 * @id: its build id
 *
 * Return: ELF_FINE; ELF_DAMAGED, also without information or above CFI_MOST; or as elf_open().
 */
enum elf_fault cfi_open(struct cfi_file *f, int fd, const struct elf_id *id);

/**
 * cfi_find() - find the rule for leaving a function
 * @f: the file
 * @vaddr: address of an instruction of the function in the file
 * @rule: filled in
 *
 * Return: false if the file has no rule, or struct cfi_rule cannot express it.
 */
bool cfi_find(const struct cfi_file *f, uint64_t vaddr, struct cfi_rule *rule);

/** cfi_close() - free the information */
void cfi_close(struct cfi_file *f);

/* --- unwinding -------------------------------------------------------------------------- */

/*
 * Finds the frames that are missing in the stack of a program.
 *
 * In:  frames that the kernel found by frame pointers; registers and a piece of the stack; rules
 * for leaving functions.
 * Out: all frames, as far as the piece of the stack reaches.
 */

/**
 * unwind_rule - find the rule for leaving the function at an address
 * @arg: of unwind()
 * @address: of an instruction of the function, in the process
 *
 * Return: NULL if that is unknown.
 */
typedef const struct cfi_rule *(*unwind_rule)(void *arg, uint64_t address);

/**
 * struct unwinding - the state of unwinding one stack
 * @frames: of the program, innermost first, as the kernel found them: @count, at least 1
 * @copy: the copy defined in fxt_sched_stack.h: @words, at least FXT_SCHED_COPY_HEAD
 * @is_sample: the innermost frame is the address after the first byte of an instruction
 * @rule: finds rules, with @arg
 * @result: all frames, @found of them
 * @added: number of these that the kernel did not find
 * @is_whole: no frame is missing between the innermost one and those of frame pointers, or up
 *	to the end of the stack
 */
struct unwinding {
	const uint64_t *frames;
	size_t count;
	const uint64_t *copy;
	size_t words;
	bool is_sample;
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
 * Each frame that is added is exact. Frames that the kernel found are left out if it turns out that
 * the register held no frame pointer.
 */
void unwind(struct unwinding *u);

#endif /* LIBSYM_CFI_H */
