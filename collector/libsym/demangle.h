/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * demangle.h - names of functions as in the source, from the names of the linker.
 */
#ifndef LIBSYM_DEMANGLE_H
#define LIBSYM_DEMANGLE_H

#include <stddef.h>

/**
 * demangle() - the name of a C++ or Rust function, without parameters and hashes
 * @name: as in an ELF file; it is not trusted
 * @to: gets the name, not terminated; a name of another language, or an invalid one, is copied
 * @room: bytes at @to; longer names are truncated
 *
 * Takes long for some invalid names, so only confined readers call it.
 *
 * Return: bytes of the name.
 */
size_t demangle(const char *name, char *to, size_t room);

#endif /* LIBSYM_DEMANGLE_H */
