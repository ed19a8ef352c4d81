/* SPDX-License-Identifier: GPL-2.0 */
/*
 * rundown.h - the file "rundown".
 */
#ifndef FXT_KMOD_RUNDOWN_H
#define FXT_KMOD_RUNDOWN_H

#include <linux/fs.h>

extern const struct file_operations fxt_rundown_fops;

#endif /* FXT_KMOD_RUNDOWN_H */
