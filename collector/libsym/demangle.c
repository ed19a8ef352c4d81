// SPDX-License-Identifier: GPL-2.0-or-later
/* demangle.c - see demangle.h. */
#include <setjmp.h>
#include <string.h>

#if __has_include(<libiberty/demangle.h>)
#include <libiberty/demangle.h>
#else
#include <demangle.h>
#endif

#include "demangle.h"

#define LONGEST	4096U	/* of the names that are decoded, because a file may have one of megabytes */

struct text {
	char *to;
	size_t used;
	size_t room;
	jmp_buf full;
};

/* The library has no other way to stop: some short names stand for texts of gigabytes. */
static void add(const char *part, size_t bytes, void *arg)
{
	struct text *t = arg;
	size_t fits = bytes < t->room - t->used ? bytes : t->room - t->used;

	memcpy(t->to + t->used, part, fits);
	t->used += fits;
	if (fits < bytes)
		longjmp(t->full, 1);
}

size_t demangle(const char *name, char *to, size_t room)
{
	struct text t = { .to = to, .room = room };

	if (name[0] == '_' && (name[1] == 'Z' || name[1] == 'R') &&
	    strnlen(name, LONGEST) < LONGEST) {
		if (setjmp(t.full))
			return room;
		/* Names of older Rust compilers are also valid in C++, but with a hash. */
		if (rust_demangle_callback(name, DMGL_NO_OPTS, add, &t) && t.used)
			return t.used;
		t.used = 0;
		if (cplus_demangle_v3_callback(name, DMGL_NO_OPTS, add, &t) && t.used)
			return t.used;
	}
	t.used = strnlen(name, room);
	memcpy(to, name, t.used);
	return t.used;
}
