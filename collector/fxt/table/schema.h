/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * schema.h - the JSON Schema of what a command prints with --json, from a list of its members.
 *
 * In:  arrays of struct schema, ended by zeros; tables, whose columns are members as well.
 * Out: a JSON Schema (draft 2020-12) on one line. It does not allow additional members, so that
 * validators find those that it lacks.
 */
#ifndef FXT_TABLE_SCHEMA_H
#define FXT_TABLE_SCHEMA_H

#include "table.h"

struct out;

enum schema_is {
	IS_END,
	IS_NUMBER,	/* at least 0; beyond 2^53 a string of digits */
	IS_NS,		/* likewise, a duration */
	IS_TIME,	/* likewise, a time of the archive's clock, in ns */
	IS_SIGNED,	/* an integer */
	IS_FRACTION,	/* any number */
	IS_DOUBLE,	/* likewise, from the recording, perhaps not a number: out_json_double() */
	IS_FLAG,
	IS_TEXT,
	IS_WORD,	/* one of @words */
	IS_OBJECT,	/* of the members @of, or @columns */
	IS_MAP,		/* an object with any keys, whose values are @of */
	IS_LIST,	/* of @of, or of objects of @columns */
	IS_EITHER,	/* any of @of */
	IS_ANY,		/* any value */
	/* Members, without a key here. */
	IS_TABLE,	/* @table, at its key */
	IS_TABLES,	/* all of @tables, which end with NULL */
	IS_HERE,	/* the members @of, or @columns, in this place */
	/* Bits, with one of the above. */
	OR_NULL		= 0x100,
	OR_ABSENT	= 0x200,
};

/* A member of an object; without a key, of a list or a map: one of several alternatives. */
struct schema {
	const char *key;
	unsigned int is;		/* enum schema_is */
	const char *about;		/* its meaning; NULL: obvious from the key */
	const struct schema *of;
	const char *words;		/* with | between them */
	const struct column *columns;
	const struct table *table;
	const struct table *const *tables;
};

/* A row; members of struct schema from @about on may follow. */
#define MEMBER(_key, _is, ...)	{ .key = (_key), .is = (_is), ##__VA_ARGS__ }

/* A struct schema without a key. */
#define SCHEMA_OF(...)	(&(const struct schema){ .is = __VA_ARGS__ })

/* The member that scope_print_json() prints. */
extern const struct schema schema_command[];

/*
 * Print the schema of command @name. @members: of the object that it prints; or several objects
 * without keys, any of which it prints
 */
void schema_print(struct out *o, const char *name, const struct schema *members);

#endif /* FXT_TABLE_SCHEMA_H */
