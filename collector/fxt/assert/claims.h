/* SPDX-License-Identifier: GPL-2.0-or-later */
/* claims.h - the claims of a command line, judged in one archive, and how they are printed. */
#ifndef FXT_ASSERT_CLAIMS_H
#define FXT_ASSERT_CLAIMS_H

#include "judge.h"
#include "liboutput/out.h"
#include "table/schema.h"

struct claim {
	struct expression e;
	struct judgement *of;	/* of each of its nodes; unused for nodes that join others */
	enum verdict verdict;
};

struct archive_claims {
	const char *path;
	bool is_stdin;		/* there is no path */
	const struct report *r;
	bool is_named;		/* each line of text names the archive, one of several */
	bool trusts;		/* the archives are assumed to be complete */
	struct claim *claims;
	size_t count;
	enum verdict verdict;	/* of all claims together */
};

/* Print a line for each comparison, and the worst case of a failed one. */
void claims_print_text(struct out *o, const struct archive_claims *a);

/* Print one object on one line. */
void claims_print_json(struct out *o, const struct archive_claims *a);
extern const struct schema claims_schema[];

#endif /* FXT_ASSERT_CLAIMS_H */
