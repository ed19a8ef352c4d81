/* SPDX-License-Identifier: GPL-2.0 */
/*
 * control.h - starting, stopping, freezing and thawing a session's recording.
 */
#ifndef FXT_KMOD_CONTROL_H
#define FXT_KMOD_CONTROL_H

struct fxt_session;

int fxt_control_start(struct fxt_session *ss);
void fxt_control_stop(struct fxt_session *ss);
void fxt_control_finish(struct fxt_session *ss);
int fxt_control_freeze(struct fxt_session *ss);
int fxt_control_thaw(struct fxt_session *ss);
void fxt_control_flush(struct fxt_session *ss);

#endif /* FXT_KMOD_CONTROL_H */
