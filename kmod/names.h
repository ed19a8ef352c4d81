/* SPDX-License-Identifier: GPL-2.0 */
/*
 * names.h - records of thread names: at fork, exec and rename, and at the exit of threads
 * whose newest name is in no record.
 */
#ifndef FXT_KMOD_NAMES_H
#define FXT_KMOD_NAMES_H

struct fxt_session;
struct task_struct;

void fxt_names_fork(struct fxt_session *ss, struct task_struct *child);
void fxt_names_exec(struct fxt_session *ss, struct task_struct *p);
void fxt_names_rename(struct fxt_session *ss, struct task_struct *p, const char *comm);
void fxt_names_exit(struct fxt_session *ss, struct task_struct *p);

#endif /* FXT_KMOD_NAMES_H */
