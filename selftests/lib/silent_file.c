// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "silent_file.h"

#define DEVICE		"/dev/fuse"
#define REQUEST_MOST	(1 << 20)
#define FILE_NODE	2	/* FUSE_ROOT_ID is 1 */
#define CLOSED_NODE	3
#define SECONDS		1000	/* time for which the kernel need not ask again */

const char *silent_file_missing(void)
{
	return access(DEVICE, R_OK | W_OK) ? "no " DEVICE : geteuid() ? "not root" : NULL;
}

static void reply(int fd, uint64_t request, int error, const void *data, size_t bytes)
{
	struct {
		struct fuse_out_header head;
		char data[sizeof(struct fuse_entry_out)];
	} out = { .head = { .len = sizeof(out.head) + bytes, .error = error, .unique = request } };

	memcpy(out.data, data, bytes);
	if (write(fd, &out, out.head.len) != (ssize_t)out.head.len)
		_exit(1);
}

static struct fuse_attr attributes(uint64_t node)
{
	return (struct fuse_attr){
		.ino = node, .nlink = 1, .size = SILENT_FILE_BYTES,
		.mode = node == FUSE_ROOT_ID ? S_IFDIR | 0755 : S_IFREG | 0755,
	};
}

static void answer(int fd, const struct fuse_in_header *in, int ready)
{
	const struct fuse_init_out init = {
		.major = FUSE_KERNEL_VERSION, .minor = 31, .max_write = 4096,
	};
	/* After the header of a LOOKUP, there is a name. */
	const char *name = (const char *)(in + 1);
	uint64_t node = in->opcode == FUSE_LOOKUP && !strcmp(name, SILENT_FILE_CLOSED) ?
			CLOSED_NODE : FILE_NODE;
	const struct fuse_entry_out entry = {
		.nodeid = node, .entry_valid = SECONDS, .attr_valid = SECONDS,
		.attr = attributes(node),
	};
	const struct fuse_attr_out attr = {
		.attr_valid = SECONDS, .attr = attributes(in->nodeid),
	};
	const struct fuse_open_out opened = { .fh = 1 };

	switch (in->opcode) {
	case FUSE_INIT:
		reply(fd, in->unique, 0, &init, sizeof(init));
		break;
	case FUSE_LOOKUP:
		reply(fd, in->unique, 0, &entry, sizeof(entry));
		break;
	case FUSE_GETATTR:
		reply(fd, in->unique, 0, &attr, sizeof(attr));
		break;
	case FUSE_OPEN:
		if (in->nodeid == FILE_NODE)
			reply(fd, in->unique, 0, &opened, sizeof(opened));
		break;
	case FUSE_READ:
		if (write(ready, "", 1) != 1)
			_exit(1);
		break;
	case FUSE_FORGET:
	case FUSE_BATCH_FORGET:
	case FUSE_INTERRUPT:
		break;
	default:
		reply(fd, in->unique, -ENOSYS, "", 0);
	}
}

static void serve(int fd, uid_t user, int ready)
{
	static union {
		struct fuse_in_header head;
		char room[REQUEST_MOST];
	} in;

	/* Only a signal of the same user reaches it. */
	if (setuid(user) || prctl(PR_SET_PDEATHSIG, SIGKILL))
		_exit(1);
	while (read(fd, &in, sizeof(in)) >= (ssize_t)sizeof(in.head))
		answer(fd, &in.head, ready);
	_exit(0);
}

int silent_file_open(const char *dir, uid_t user, int ready)
{
	char options[128], path[4096];
	int fd = open(DEVICE, O_RDWR | O_CLOEXEC);
	pid_t server;

	snprintf(options, sizeof(options),
		 "fd=%d,rootmode=40000,user_id=0,group_id=0,allow_other", fd);
	if (fd < 0 || unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("silent", dir, "fuse", 0, options))
		return -1;
	server = fork();
	if (!server)
		serve(fd, user, ready);
	close(fd);
	snprintf(path, sizeof(path), "%s/file", dir);
	return server < 0 ? -1 : open(path, O_RDONLY | O_CLOEXEC);
}
