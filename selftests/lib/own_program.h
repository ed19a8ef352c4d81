/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The file of the running test program, as an ELF file whose functions are known. */
#ifndef SELFTESTS_OWN_PROGRAM_H
#define SELFTESTS_OWN_PROGRAM_H

#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "libsym/elf_file.h"

static inline int take_first_bias(struct dl_phdr_info *info, size_t size, void *bias)
{
	(void)size;
	*(uint64_t *)bias = info->dlpi_addr;
	return 1;
}

/* the difference between the program's addresses and those in its file */
static inline uint64_t own_bias(void)
{
	uint64_t bias = 0;

	dl_iterate_phdr(take_first_bias, &bias);
	return bias;
}

/*
 * @size, @id: set to its length and its build id. Return: its bytes, for free(); NULL if it cannot
 * be read.
 */
static inline char *own_program_read(size_t *size, struct elf_id *id)
{
	FILE *f = fopen("/proc/self/exe", "re");
	char *bytes = NULL;
	struct stat st;

	if (f && !fstat(fileno(f), &st)) {
		elf_read_id(fileno(f), id);
		*size = st.st_size;
		bytes = malloc(*size);
	}
	if (bytes && fread(bytes, *size, 1, f) != 1) {
		free(bytes);
		bytes = NULL;
	}
	if (f)
		fclose(f);
	return bytes;
}

#endif /* SELFTESTS_OWN_PROGRAM_H */
