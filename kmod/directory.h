/* SPDX-License-Identifier: GPL-2.0 */
/*
 * directory.h - the module's directory in debugfs.
 */
#ifndef FXT_KMOD_DIRECTORY_H
#define FXT_KMOD_DIRECTORY_H

struct dentry;

int fxt_directory_create(void);
void fxt_directory_remove(void);
struct dentry *fxt_directory_add(unsigned int session);

#endif /* FXT_KMOD_DIRECTORY_H */
