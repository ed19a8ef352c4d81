/* SPDX-License-Identifier: GPL-2.0 */
/*
 * rundown.h - the stream "rundown".
 */
#ifndef FXT_KMOD_RUNDOWN_H
#define FXT_KMOD_RUNDOWN_H

struct file;

struct file *fxt_rundown_file(void);

#endif /* FXT_KMOD_RUNDOWN_H */
