// SPDX-License-Identifier: GPL-2.0
/*
 * directory.c - see directory.h.
 *
 * Everything below it is read-only: a kernel that is locked down for integrity refuses
 * files in debugfs that can be written, mapped or controlled by ioctl.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/module.h>

#include <linux/fxt_sched.h>

#include "directory.h"
#include "permission.h"
#include "rundown.h"

static struct dentry *fxt_dir;

/*
 * The file "rundown" is opened through a proxy, which checks the permission and takes the
 * reference to the module.
 *
 * debugfs would take the reference if the file had an owner. But delete_module() drops
 * the last reference before it marks the module as going, and debugfs warns about an
 * owner that cannot be referenced and is not marked, because it looks like a module that
 * left its files behind. An open can hit that window. The module stays loaded until this
 * function returns, because debugfs_remove() waits for it.
 */
static int fxt_proxy_open(struct inode *inode, struct file *file)
{
	const struct file_operations *fops = inode->i_private;
	int ret = fxt_permitted();

	if (ret)
		return ret;
	if (!fops_get(fops))
		return -ENXIO;
	replace_fops(file, fops);
	return fops->open(inode, file);
}

static const struct file_operations fxt_proxy_fops = {
	.open = fxt_proxy_open,
};

/**
 * fxt_directory_create() - create the directory
 *
 * Context: may sleep; once, when the module is loaded.
 *
 * Return: 0, or a negative errno with a line in the kernel log.
 */
int fxt_directory_create(void)
{
	fxt_dir = debugfs_create_dir(FXT_SCHED_DIR, NULL);
	if (IS_ERR(fxt_dir)) {
		pr_err("cannot create debugfs directory %s: error %ld; is debugfs enabled?\n",
		       FXT_SCHED_DIR, PTR_ERR(fxt_dir));
		return PTR_ERR(fxt_dir);
	}
	/* This suffices: an open file pins the module, and so itself. */
	debugfs_create_file_unsafe(FXT_SCHED_FILE_RUNDOWN, 0400, fxt_dir,
				   (void *)&fxt_rundown_fops, &fxt_proxy_fops);
	return 0;
}

/**
 * fxt_directory_remove() - undo fxt_directory_create()
 *
 * Context: may sleep; no file is open, because an open file pins the module.
 */
void fxt_directory_remove(void)
{
	debugfs_remove(fxt_dir);
}

/**
 * fxt_directory_add() - create the directory of a session
 * @session: its number
 *
 * Context: may sleep.
 *
 * Return: the directory, for debugfs_remove(); or an ERR_PTR().
 */
struct dentry *fxt_directory_add(unsigned int session)
{
	char name[12];

	snprintf(name, sizeof(name), "%u", session);
	return debugfs_create_dir(name, fxt_dir);
}
