// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "kmod.h"

int kmod_open(struct kmod_session *d)
{
	*d = (struct kmod_session){ .fd = open(KMOD_PATH, O_RDWR | O_CLOEXEC) };
	return d->fd < 0 ? errno : 0;
}

void kmod_close(struct kmod_session *d)
{
	if (d->fd >= 0)
		close(d->fd);
	d->fd = -1;
}

struct fxt_sched_config kmod_config(void)
{
	return (struct fxt_sched_config) {
		.clockid = CLOCK_BOOTTIME, .subbuf_size = 64 << 10, .subbuf_count = 4,
	};
}

int kmod_configure(struct kmod_session *d, const struct fxt_sched_config *c)
{
	struct fxt_sched_config config = *c;

	d->reason[0] = '\0';
	config.message = (uintptr_t)d->reason;
	config.message_size = sizeof(d->reason);
	return ioctl(d->fd, FXT_SCHED_IOC_CONFIGURE, &config) ? errno : 0;
}

int kmod_request(const struct kmod_session *d, unsigned long request)
{
	return ioctl(d->fd, request) ? errno : 0;
}

int kmod_start(struct kmod_session *d, const struct fxt_sched_config *c, struct why *why)
{
	int err = kmod_open(d);

	if (err)
		return complain(why, "the device cannot be opened: %s", strerror(err));
	err = kmod_configure(d, c);
	if (err)
		return complain(why, "the session cannot be configured: %s: %s", strerror(err),
				d->reason);
	err = kmod_request(d, FXT_SCHED_IOC_START);
	return err ? complain(why, "the session cannot start: %s", strerror(err)) : 0;
}

int kmod_status(const struct kmod_session *d, struct fxt_sched_status *status)
{
	return ioctl(d->fd, FXT_SCHED_IOC_STATUS, status) ? errno : 0;
}

int kmod_count(const struct kmod_session *d, uint32_t cpu, uint32_t kind,
	       struct fxt_sched_counters *counters)
{
	*counters = (struct fxt_sched_counters){ .cpu = cpu, .kind = kind };
	return ioctl(d->fd, FXT_SCHED_IOC_COUNTERS, counters) ? errno : 0;
}

short kmod_poll(const struct kmod_session *d)
{
	struct pollfd p = { .fd = d->fd, .events = POLLIN | POLLPRI };

	return poll(&p, 1, 0) < 0 ? POLLNVAL : p.revents;
}

int kmod_file(const struct kmod_session *d, uint32_t kind, uint32_t cpu)
{
	struct fxt_sched_stream stream = { .cpu = cpu, .kind = kind };

	return ioctl(d->fd, FXT_SCHED_IOC_STREAM, &stream);
}

int kmod_users(void)
{
	FILE *f = fopen("/sys/module/" FXT_SCHED_MODULE "/refcnt", "re");
	int users = -1;

	if (f && fscanf(f, "%d", &users) != 1)
		users = -1;
	if (f)
		fclose(f);
	return users;
}

bool kmod_is_used(int times)
{
	int users = kmod_users();

	return users < 0 || users == times;
}

int kmod_set(const char *name, const char *value)
{
	char path[KMOD_PATH_SIZE];
	int fd, err;

	snprintf(path, sizeof(path), KMOD_PARAMS "%s", name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return errno;
	err = write(fd, value, strlen(value)) < 0 ? errno : 0;
	close(fd);
	return err;
}

int kmod_get(const char *name, char *value, size_t room)
{
	char path[KMOD_PATH_SIZE];
	ssize_t n;
	int fd, err;

	snprintf(path, sizeof(path), KMOD_PARAMS "%s", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return errno;
	n = read(fd, value, room - 1);
	err = n < 0 ? errno : 0;
	close(fd);
	value[n < 0 ? 0 : n] = '\0';
	value[strcspn(value, "\n")] = '\0';
	return err;
}

int kmod_load(const char *name, const char *parameters)
{
	const char *module = getenv("FXT_MODULE"), *end;
	char path[PATH_MAX];
	int fd, err;

	end = module ? strrchr(module, '/') : NULL;
	if (!end)
		return ENOENT;
	snprintf(path, sizeof(path), "%.*s/%s.ko", (int)(end - module), module, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return errno;
	err = syscall(SYS_finit_module, fd, parameters, 0) ? errno : 0;
	close(fd);
	return err;
}

int kmod_unload(const char *name)
{
	return syscall(SYS_delete_module, name, 0) ? errno : 0;
}
