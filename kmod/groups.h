/* SPDX-License-Identifier: GPL-2.0 */
/*
 * groups.h - the groups of events beside switches and wakeups.
 */
#ifndef FXT_KMOD_GROUPS_H
#define FXT_KMOD_GROUPS_H

#include <linux/types.h>

struct fxt_reason;
struct fxt_session;

void fxt_groups_find(void);
u64 fxt_groups_available(void);
int fxt_groups_check(u64 events, struct fxt_reason *reason);
int fxt_groups_register(struct fxt_session *ss);
void fxt_groups_unregister(struct fxt_session *ss);

#endif /* FXT_KMOD_GROUPS_H */
