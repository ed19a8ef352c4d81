/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * build_id.h - build ids of the kernel and of its modules, from their notes.
 */
#ifndef LIBSYM_BUILD_ID_H
#define LIBSYM_BUILD_ID_H

#include <stddef.h>

#define BUILD_ID_MOST	64	/* bytes */

/**
 * build_id_of_kernel() - read a build id
 * @module: of this module; NULL: of the kernel itself
 * @id: filled in
 *
 * Return: its bytes; 0 if the kernel shows none.
 */
size_t build_id_of_kernel(const char *module, unsigned char id[BUILD_ID_MOST]);

/**
 * build_id_find() - find a build id in notes
 * @notes: as an ELF file has them
 * @bytes: their length
 * @id: filled in
 *
 * Return: its bytes; 0 if there is none.
 */
size_t build_id_find(const void *notes, size_t bytes, unsigned char id[BUILD_ID_MOST]);

#endif /* LIBSYM_BUILD_ID_H */
