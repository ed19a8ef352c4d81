/* SPDX-License-Identifier: GPL-2.0 */
/*
 * names.h - what threads are called: fork, exec, rename, and the end of threads whose
 * newest name is in no record.
 */
#ifndef FXT_KMOD_NAMES_H
#define FXT_KMOD_NAMES_H

#include <linux/types.h>

#include <fxt/fxt_rename.h>

struct fxt_session;
struct task_struct;

/**
 * struct fxt_rename_users - what users have left of their renames on one CPU
 * @until: for fxt_rename_fits(), by fxt_rename_user()
 */
struct fxt_rename_users {
	u32 until[FXT_RENAME_USERS];
};

void fxt_names_fork(struct fxt_session *ss, struct task_struct *child);
void fxt_names_exec(struct fxt_session *ss, struct task_struct *p);
void fxt_names_rename(struct fxt_session *ss, struct task_struct *p, const char *comm);
void fxt_names_exit(struct fxt_session *ss, struct task_struct *p);

#endif /* FXT_KMOD_NAMES_H */
