/* SPDX-License-Identifier: GPL-2.0 */
/*
 * channel.h - a session's relay channels: the reader's side of streams.
 */
#ifndef FXT_KMOD_CHANNEL_H
#define FXT_KMOD_CHANNEL_H

#include <linux/types.h>

struct file;
struct fxt_reason;
struct fxt_sched_counters;
struct fxt_session;

int fxt_channels_open(struct fxt_session *ss, struct fxt_reason *reason);
struct file *fxt_channels_file(struct fxt_session *ss, u32 kind, u32 cpu);
void fxt_channels_close(struct fxt_session *ss);
void fxt_channels_flush(struct fxt_session *ss);
void fxt_channels_quiesce(struct fxt_session *ss);
void fxt_channels_resume(struct fxt_session *ss);
bool fxt_channels_wait(struct fxt_session *ss);
int fxt_channels_count(struct fxt_session *ss, struct fxt_sched_counters *c);

#endif /* FXT_KMOD_CHANNEL_H */
