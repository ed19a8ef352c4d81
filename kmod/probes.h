/* SPDX-License-Identifier: GPL-2.0 */
/*
 * probes.h - a session's probes at the tracepoints.
 */
#ifndef FXT_KMOD_PROBES_H
#define FXT_KMOD_PROBES_H

struct fxt_session;

int fxt_probes_find(void);
int fxt_probes_start(struct fxt_session *ss);
void fxt_probes_fence(void);
void fxt_probes_stop(struct fxt_session *ss);
void fxt_probes_finish(struct fxt_session *ss);

#endif /* FXT_KMOD_PROBES_H */
