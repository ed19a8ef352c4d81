/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * elf_file.h - functions in ELF files: programs, shared libraries, and separate debug files.
 *
 * In:  an open file, and the build id that it must have.
 * Out: for an address in the file, its function. A file that has another build id, or none, is not
 * used.
 */
#ifndef LIBSYM_ELF_FILE_H
#define LIBSYM_ELF_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- build ids -------------------------------------------------------------------------- */

#define BUILD_ID_MOST	64	/* bytes */

/**
 * build_id_of_kernel() - read a build id
 * @module: name of the module; NULL: the kernel itself
 * @id: filled in
 *
 * Return: its bytes; 0 if the kernel shows none.
 */
size_t build_id_of_kernel(const char *module, unsigned char id[BUILD_ID_MOST]);

/**
 * build_id_find() - find a build id in notes
 * @notes: notes of an ELF file
 * @bytes: their length
 * @id: filled in
 *
 * Return: its bytes; 0 if there is none.
 */
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
	ELF_TOO_LARGE,		/* it claims more symbols than are read, or than it has */
	ELF_TOO_SLOW,		/* reading it took longer than its time limit */
	ELF_CRASHED,		/* the process that reads it has died */
	ELF_NO_FUNCTIONS,	/* neither it nor its separate debug file has symbols */
	ELF_FAULTS
};

/** struct elf_id - a build id; it is unknown if @bytes is 0 */
struct elf_id {
	unsigned char id[BUILD_ID_MOST];
	size_t bytes;
};

struct elf_load {
	uint64_t offset;
	uint64_t size;
	uint64_t vaddr;
};

/**
 * struct elf_function - a function
 * @start: its first address in the file; @end is the one after it
 * @name: as in the file
 * @rank: of several symbols of a function, the one with the lowest rank names it
 */
struct elf_function {
	uint64_t start;
	uint64_t end;
	const char *name;
	unsigned int rank;
};

/**
 * struct elf_file - an open ELF file; initialize with zeros
 * @elf: libelf's handle; @debug: the handle of the separate debug file
 * @loads: segments in the order of the file, @load_count of them
 * @functions: by address, @count of them
 */
struct elf_file {
	void *elf;
	void *debug;
	int fd;
	int debug_fd;
	struct elf_load loads[ELF_LOADS];
	size_t load_count;
	struct elf_function *functions;
	size_t count;
};

/**
 * elf_open_regular() - open a file for reading, unless it is a device, pipe or directory
 *
 * For paths that other users chose: no user can make it wait. Return: a descriptor; -1 also if
 * somebody has a lease on the file.
 */
int elf_open_regular(const char *path);

/**
 * elf_open_debug() - open a separate debug file
 * @id: build id of the file whose symbols it has
 * @dir: directory with separate debug files, .build-id/12/34abcd.debug
 *
 * Return: a descriptor, or -1.
 */
int elf_open_debug(const struct elf_id *id, const char *dir);

/**
 * elf_open() - check an open file
 * @f: filled in; elf_close() frees it in all cases
 * @fd: the file, which @f owns from now on; -1: it could not be opened
 * @id: its build id
 */
enum elf_fault elf_open(struct elf_file *f, int fd, const struct elf_id *id);

/**
 * elf_read_functions() - find all functions
 * @f: after elf_open(); if that has failed, only a separate debug file is read
 * @id: build id of the file
 * @debug: its separate debug file, which @f owns from now on; -1: there is none
 *
 * Return: 0; ELF_NO_FUNCTIONS, ELF_DAMAGED, ELF_OTHER_ID or ELF_TOO_LARGE; -ENOMEM.
 */
int elf_read_functions(struct elf_file *f, const struct elf_id *id, int debug);

/** elf_vaddr() - the address of an offset of the file. Return: false if it has none */
bool elf_vaddr(const struct elf_file *f, uint64_t offset, uint64_t *vaddr);

/** elf_find() - the function that an address of the file is in, NULL if it is in none */
const struct elf_function *elf_find(const struct elf_file *f, uint64_t vaddr);

/** elf_close() - close the files and free the functions */
void elf_close(struct elf_file *f);

/**
 * elf_read_id() - read the build id of an open file
 * @fd: the file, which the caller still owns
 * @id: filled in; without bytes if the file has none or is damaged
 */
void elf_read_id(int fd, struct elf_id *id);

#endif /* LIBSYM_ELF_FILE_H */
