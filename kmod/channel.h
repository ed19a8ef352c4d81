/* SPDX-License-Identifier: GPL-2.0 */
/*
 * channel.h - a session's relay channels and their files: the reader's side of streams.
 */
#ifndef FXT_KMOD_CHANNEL_H
#define FXT_KMOD_CHANNEL_H

#include <linux/percpu.h>

struct dentry;
struct fxt_session;
struct fxt_stream;
struct seq_file;

int fxt_channels_open(struct fxt_session *ss, struct dentry *dir);
void fxt_channels_close(struct fxt_session *ss);
void fxt_channels_quiesce(struct fxt_session *ss);
void fxt_channels_resume(struct fxt_session *ss);
void fxt_streams_show(struct seq_file *m, struct fxt_session *ss,
		      struct fxt_stream __percpu *streams);

#endif /* FXT_KMOD_CHANNEL_H */
