/* SPDX-License-Identifier: GPL-2.0 */
/*
 * mark.h - which thread has a CPU at this moment.
 */
#ifndef FXT_KMOD_MARK_H
#define FXT_KMOD_MARK_H

struct fxt_sched_mark;
struct fxt_session;

int fxt_mark_take(struct fxt_session *ss, struct fxt_sched_mark *mark);

#endif /* FXT_KMOD_MARK_H */
