/* SPDX-License-Identifier: GPL-2.0 */
/*
 * tracepoints.h - lists of tracepoints and their probes.
 */
#ifndef FXT_KMOD_TRACEPOINTS_H
#define FXT_KMOD_TRACEPOINTS_H

#include <linux/types.h>

struct fxt_session;
struct tracepoint;

/* The kinds of probes, see record.h. */
enum fxt_probes {
	FXT_PROBES_SLOW,
	FXT_PROBES_FAST_BOOT,
	FXT_PROBES_FAST_MONO,
	FXT_PROBES_FAST_TSC,
	FXT_PROBES_COUNT
};

/**
 * struct fxt_probe - a tracepoint and its probes
 * @name: name of the tracepoint
 * @func: the probes, by enum fxt_probes
 * @optional: a kernel that lacks the tracepoint can do without
 * @tp: the tracepoint, once found; NULL if this kernel lacks it
 */
struct fxt_probe {
	const char *name;
	void *func[FXT_PROBES_COUNT];
	bool optional;
	struct tracepoint *tp;
};

/* A tracepoint with one probe of all kinds. */
#define FXT_PROBE(tracepoint, func)	{ tracepoint, { [0 ... FXT_PROBES_COUNT - 1] = func } }

void fxt_tracepoints_find(struct fxt_probe *probes, unsigned int count);
const char *fxt_tracepoints_missing(const struct fxt_probe *probes, unsigned int count);
int fxt_tracepoints_register(const struct fxt_probe *probes, unsigned int count,
			     struct fxt_session *ss);
void fxt_tracepoints_unregister(const struct fxt_probe *probes, unsigned int count,
				struct fxt_session *ss);

#endif /* FXT_KMOD_TRACEPOINTS_H */
