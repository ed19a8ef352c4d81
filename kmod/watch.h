/* SPDX-License-Identifier: GPL-2.0 */
/*
 * watch.h - waits that go on make a trigger fire.
 */
#ifndef FXT_KMOD_WATCH_H
#define FXT_KMOD_WATCH_H

struct fxt_session;

void fxt_watch_start(struct fxt_session *ss);
void fxt_watch_stop(struct fxt_session *ss);

#endif /* FXT_KMOD_WATCH_H */
