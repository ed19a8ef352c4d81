/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cfi.h - how to leave a function: the call frame information of ELF files.
 *
 * In:  an open file, and the build id that it must have.
 * Out: for an address in the file, where its function keeps the return address and the caller's
 *      frame pointer. A file that has another build id, or none, is not used.
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
 * Expressions in call frame information, as libdw reads them. Their value is known only if it
 * depends on one register and one word of memory. That is enough for linkage tables and for code
 * that returns from signal handlers.
 */

/* What the offset of a value is added to. */
enum expression_base {
	EXPRESSION_NUMBER,	/* none */
	EXPRESSION_SP,
	EXPRESSION_FP,
	EXPRESSION_IP,
	EXPRESSION_CFA,
};

struct expression_value {
	uint8_t base;		/* enum expression_base */
	bool is_word;		/* the value is the word of memory at that address */
	uint64_t offset;	/* bytes from @base; for EXPRESSION_IP an address of the file */
};

/* DWARF's numbers of an architecture's registers. */
struct expression_registers {
	uint64_t sp;
	uint64_t fp;
	uint64_t ip;
	uint64_t ip_value;	/* file address of the instruction where the value holds */
};

/* @ops: not trusted. Return: false if the value depends on anything else. */
bool expression_evaluate(const Dwarf_Op *ops, size_t count, const struct expression_registers *r,
			 struct expression_value *value);

/* --- rules ------------------------------------------------------------------------------ */

/* The register to which the offset of the frame's address, the CFA, is added. */
enum cfi_base {
	CFI_SP,			/* stack pointer */
	CFI_FP,			/* frame pointer's register: rbp, x29 */
};

/* Where the caller's value of a register is. */
enum cfi_place {
	CFI_KEPT,		/* still in the register */
	CFI_SAVED,		/* in the frame, at an offset from the CFA */
	CFI_SAVED_AT_BASE,	/* in the frame, at an offset from the register of enum cfi_base */
	CFI_LOST,		/* if it is the return address, there is no caller */
};

/* How to leave a function from one of its instructions. */
struct cfi_rule {
	uint8_t base;		/* register of the CFA, enum cfi_base */
	uint8_t link;		/* where the return address is, enum cfi_place */
	uint8_t fp;		/* where the caller's frame pointer is, enum cfi_place */
	bool is_signal : 1;	/* returns from a signal handler to the interrupted instruction */
	bool is_cfa_saved : 1;	/* the CFA is in the frame, @cfa bytes from @base */
	int32_t cfa;		/* bytes from @base to the CFA, the caller's stack pointer */
	int32_t link_at;	/* offset of the return address, if saved */
	int32_t fp_at;		/* offset of the caller's frame pointer, if saved */
};

struct cfi_file {
	struct elf_file elf;	/* segments; the file is not open */
	void *image;		/* memory with the parts of the file that are read; mostly empty */
	size_t size;		/* of @image */
	size_t held;		/* bytes that were read */
	void *memory;		/* libelf's handle of @image */
	void *cfi;		/* libdw's handle */
	bool arm;		/* for arm64 */
};

/*
 * Read the information of the file @fd, which @f owns from now on; -1: it could not be opened.
 * cfi_close() frees @f in all cases. @id: its build id. Return: ELF_FINE; ELF_DAMAGED, also without
 * information or above CFI_MOST; or as elf_open().
 */
enum elf_fault cfi_open(struct cfi_file *f, int fd, const struct elf_id *id);

/*
 * The rule for leaving the function with an instruction at @vaddr of the file. Return: false if the
 * file has no rule, or struct cfi_rule cannot express it.
 */
bool cfi_find(const struct cfi_file *f, uint64_t vaddr, struct cfi_rule *rule);

void cfi_close(struct cfi_file *f);

/* --- unwinding -------------------------------------------------------------------------- */

/*
 * Finds the frames that are missing in the stack of a program.
 *
 * In:  frames that the kernel found by frame pointers; registers and a piece of the stack; rules
 *      for leaving functions.
 * Out: all frames, as far as the piece of the stack reaches.
 */

/*
 * The rule for leaving the function with an instruction at an address of the process; NULL if
 * unknown.
 */
typedef const struct cfi_rule *(*unwind_rule)(void *arg, uint64_t address);

struct unwinding {
	const uint64_t *frames;	/* as the kernel found them, innermost first */
	size_t count;		/* at least 1 */
	const uint64_t *copy;	/* see fxt_sched_stack.h */
	size_t words;		/* of @copy, at least FXT_SCHED_COPY_HEAD */
	bool is_sample;		/* the innermost frame follows the first byte of an instruction */
	unwind_rule rule;
	void *arg;
	uint64_t result[FXT_SCHED_STACK_FRAMES];	/* all frames */
	size_t found;		/* of @result */
	size_t added;		/* of these, not found by the kernel */
	bool is_whole;		/* no frame is missing up to those of frame pointers, or the end */
};

/*
 * Find the missing frames. @u: filled in up to @arg
 *
 * Each added frame is exact. Frames that the kernel found are left out if it turns out that the
 * register held no frame pointer.
 */
void unwind(struct unwinding *u);

#endif /* LIBSYM_CFI_H */
