/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * claims.h - the claims of a command line, judged in one archive, and how they are printed.
 */
#ifndef FXT_ASSERT_CLAIMS_H
#define FXT_ASSERT_CLAIMS_H

#include "judge.h"
#include "liboutput/out.h"
#include "table/schema.h"

/** struct claim - one expression */
struct claim {
	struct expression e;
	struct judgement *of;	/* of each of its nodes; unused for nodes that join others */
	enum verdict verdict;
};

/** struct archive_claims - all claims about one archive */
struct archive_claims {
	const char *path;
	bool is_stdin;		/* it has no path */
	const struct report *r;
	bool is_named;		/* several archives are judged, so each line of text names the archive */
	bool trusts;		/* the archives are assumed to be complete */
	struct claim *claims;
	size_t count;
	enum verdict verdict;	/* of all claims together */
};

/** claims_print_text() - print a line for each comparison, and the worst case where one fails */
void claims_print_text(struct out *o, const struct archive_claims *a);

/** claims_print_json() - print one object on one line */
void claims_print_json(struct out *o, const struct archive_claims *a);
extern const struct schema claims_schema[];

#endif /* FXT_ASSERT_CLAIMS_H */
