/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * demangle.h - names of functions as in the source, from the names of the linker.
 */
#ifndef LIBSYM_DEMANGLE_H
#define LIBSYM_DEMANGLE_H

#include <stddef.h>

/*
 * The name of a C++ or Rust function, without parameters and hashes. @name: as in an ELF file; it is
 * not trusted. @to: gets the name, not terminated, truncated after @room bytes. Names that are
 * invalid, of other languages, or very long are copied.
 *
 * Takes long for some invalid names, so only confined readers call it. Return: bytes at @to
 */
size_t demangle(const char *name, char *to, size_t room);

#endif /* LIBSYM_DEMANGLE_H */
