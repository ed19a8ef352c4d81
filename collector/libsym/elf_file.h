/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * elf_file.h - functions in ELF files: programs, shared libraries, and separate debug files.
 *
 * In:  an open file, and the build id that it must have.
 * Out: for an address in the file, its function. A file that has another build id, or none, is not
 *      used.
 */
#ifndef LIBSYM_ELF_FILE_H
#define LIBSYM_ELF_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- build ids -------------------------------------------------------------------------- */

#define BUILD_ID_MOST	64	/* bytes */

/*
 * The build id of a kernel module; NULL: of the kernel itself. Return: bytes; 0 if the kernel shows
 * none.
 */
size_t build_id_of_kernel(const char *module, unsigned char id[BUILD_ID_MOST]);

/* Find a build id in the notes of an ELF file. Return: bytes; 0 if there is none. */
size_t build_id_find(const void *notes, size_t bytes, unsigned char id[BUILD_ID_MOST]);

/* --- files ------------------------------------------------------------------------------ */

#define ELF_LOADS	16	/* segments that are used */

/* Why the functions of a file are unknown. */
enum elf_fault {
	ELF_FINE,
	ELF_NO_ID,		/* the build id that it must have is unknown */
	ELF_NO_FILE,		/* it cannot be opened */
	ELF_DAMAGED,
	ELF_OTHER_ID,
	ELF_TOO_LARGE,		/* more symbols than are read, or than it can have */
	ELF_TOO_SLOW,		/* longer than the time limit */
	ELF_CRASHED,		/* the process that reads it has died */
	ELF_NO_FUNCTIONS,	/* neither it nor its separate debug file has symbols */
	ELF_FAULTS
};

/* Unknown if @bytes is 0. */
struct elf_id {
	unsigned char id[BUILD_ID_MOST];
	size_t bytes;
};

struct elf_load {
	uint64_t offset;
	uint64_t size;
	uint64_t vaddr;
};

struct elf_function {
	uint64_t start;		/* first address in the file */
	uint64_t end;		/* after the last one */
	const char *name;
	unsigned int rank;	/* the symbol of the lowest rank names the function */
};

/* An open ELF file; initialize with zeros. */
struct elf_file {
	void *elf;	/* libelf's handle */
	void *debug;	/* of the separate debug file */
	int fd;
	int debug_fd;
	struct elf_load loads[ELF_LOADS];	/* in the order of the file */
	size_t load_count;
	struct elf_function *functions;	/* by address, @count of them */
	size_t count;
};

/*
 * Open a file for reading, unless it is a device, pipe or directory. For paths that other users
 * chose: no user can make it wait. Return: a descriptor; -1 also if somebody has a lease on the
 * file.
 */
int elf_open_regular(const char *path);

/*
 * Open a separate debug file, .build-id/12/34abcd.debug in @dir. @id: of the file whose symbols it
 * has. Return: a descriptor, or -1.
 */
int elf_open_debug(const struct elf_id *id, const char *dir);

/*
 * Check an open file. @f owns @fd from now on; -1: it could not be opened. elf_close() frees @f in
 * all cases. @id: its build id
 */
enum elf_fault elf_open(struct elf_file *f, int fd, const struct elf_id *id);

/*
 * Find all functions, after elf_open(); if that has failed, only in @debug. @debug: the separate
 * debug file, which @f owns from now on; -1: none. Return: 0; ELF_NO_FUNCTIONS, ELF_DAMAGED,
 * ELF_OTHER_ID or ELF_TOO_LARGE; -ENOMEM.
 */
int elf_read_functions(struct elf_file *f, const struct elf_id *id, int debug);

/* The address of an offset of the file. Return: false if it has none. */
bool elf_vaddr(const struct elf_file *f, uint64_t offset, uint64_t *vaddr);

/* NULL if the address is in no function. */
const struct elf_function *elf_find(const struct elf_file *f, uint64_t vaddr);

void elf_close(struct elf_file *f);

/*
 * The build id of an open file, which the caller still owns. @id: without bytes if the file has
 * none or is damaged
 */
void elf_read_id(int fd, struct elf_id *id);

#endif /* LIBSYM_ELF_FILE_H */
