/* SPDX-License-Identifier: GPL-2.0 */
/*
 * migrate.h - the probe of migrations.
 */
#ifndef FXT_KMOD_MIGRATE_H
#define FXT_KMOD_MIGRATE_H

struct task_struct;

void fxt_probe_migrate(void *data, struct task_struct *p, int to);

#endif /* FXT_KMOD_MIGRATE_H */
