/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sessions of the module, without a collector. Functions return 0 or errno, where no other value is
 * named.
 */
#ifndef SELFTESTS_KMOD_H
#define SELFTESTS_KMOD_H

#include <linux/fxt_sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace.h"

#define KMOD_PATH	"/dev/" FXT_SCHED_DEVICE
#define KMOD_PARAMS	"/sys/module/" FXT_SCHED_MODULE "/parameters/"
#define KMOD_PATH_SIZE 128

struct kmod_session {
	int fd;		/* -1 if it is closed */
	char reason[256];	/* why kmod_configure() failed; not terminated by a line end */
};

int kmod_open(struct kmod_session *d);

/* Does nothing if it is closed. */
void kmod_close(struct kmod_session *d);

/* a valid configuration of small buffers: 4 sub-buffers of 64 KiB */
struct fxt_sched_config kmod_config(void);

/* @d->reason is set, and the message of @c. */
int kmod_configure(struct kmod_session *d, const struct fxt_sched_config *c);

/* without an argument: FXT_SCHED_IOC_START, ... */
int kmod_request(const struct kmod_session *d, unsigned long request);

/* Open, configure and start a session. Return: 0 or -1. */
int kmod_start(struct kmod_session *d, const struct fxt_sched_config *c, struct why *why);

int kmod_status(const struct kmod_session *d, struct fxt_sched_status *status);

int kmod_count(const struct kmod_session *d, uint32_t cpu, uint32_t kind,
	       struct fxt_sched_counters *counters);

/* the events that poll(2) reports now */
short kmod_poll(const struct kmod_session *d);

/* a stream of a session, of enum fxt_sched_stream_kind; or -1 */
int kmod_file(const struct kmod_session *d, uint32_t kind, uint32_t cpu);

/* how many devices and streams are open, or -1 if the module is built in */
int kmod_users(void);

/* Are @times devices and streams open? Always true if the module is built in. */
bool kmod_is_used(int times);

int kmod_set(const char *name, const char *value);

/* without its line end */
int kmod_get(const char *name, char *value, size_t room);

/*
 * @name: without .ko, in the folder of fxt_sched.ko, which $FXT_MODULE names; ENOENT if it is not
 * there
 */
int kmod_load(const char *name, const char *parameters);

int kmod_unload(const char *name);

#endif /* SELFTESTS_KMOD_H */
