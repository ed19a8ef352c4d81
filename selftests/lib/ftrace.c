// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ftrace.h"
#include "collector.h"

static int put(const char *file, const char *value)
{
	char path[256];
	int fd, ret;

	snprintf(path, sizeof(path), FTRACE_INSTANCE "/%s", file);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	ret = write(fd, value, strlen(value)) < 0 ? -1 : 0;
	close(fd);
	return ret;
}

const char *ftrace_missing(void)
{
	if (!in_guest())
		return "a host's ftrace may omit switches; it is tested in a guest (FXT_GUEST=1)";
	if (access("/sys/kernel/tracing/instances", W_OK))
		return "no tracefs on /sys/kernel/tracing";
	return NULL;
}

static int enable(const char *events)
{
	char event[64], file[96];
	int bytes;

	for (; sscanf(events, "%63s%n", event, &bytes) == 1; events += bytes) {
		snprintf(file, sizeof(file), "events/%s/enable", event);
		if (put(file, "1"))
			return -1;
	}
	return 0;
}

int ftrace_begin(const char *events)
{
	if (mkdir(FTRACE_INSTANCE, 0700) && errno != EEXIST)
		return -1;
	return put("trace_clock", "boot") || put("buffer_size_kb", "8192") ||
	       put("options/record-tgid", "1") || put("trace", "") || enable(events) || put("tracing_on", "1") ? -1 : 0;
}

int ftrace_end(void)
{
	return put("tracing_on", "0") || put("events/enable", "0") ? -1 : 0;
}

int ftrace_remove(void)
{
	return rmdir(FTRACE_INSTANCE);
}
