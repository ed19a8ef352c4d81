/* SPDX-License-Identifier: GPL-2.0 */
/*
 * control.h - the module's directory in debugfs.
 */
#ifndef FXT_KMOD_CONTROL_H
#define FXT_KMOD_CONTROL_H

int fxt_control_create(void);
void fxt_control_remove(void);

#endif /* FXT_KMOD_CONTROL_H */
