/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kmod.h - sessions of the module, without a collector.
 * In:  requests to the module's device, parameters of the module.
 * Out: their errno values, the reasons for refusals, descriptors of a session's streams.
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

/** struct kmod_session - an open device: a session */
struct kmod_session {
	int fd;		/* -1 if it is closed */
	char reason[256];	/* why kmod_configure() failed; not terminated by a line end */
};

/** kmod_open() - open a session; returns 0 or errno */
int kmod_open(struct kmod_session *d);

/** kmod_close() - end the session; does nothing if it is closed */
void kmod_close(struct kmod_session *d);

/** kmod_config() - a valid configuration of small buffers: 4 sub-buffers of 64 KiB */
struct fxt_sched_config kmod_config(void);

/**
 * kmod_configure() - configure a session
 * @d: the session; @reason is set
 * @c: the configuration; its message is set by this function
 *
 * Return: 0 or errno.
 */
int kmod_configure(struct kmod_session *d, const struct fxt_sched_config *c);

/** kmod_request() - a request without an argument: FXT_SCHED_IOC_START, ...; 0 or errno */
int kmod_request(const struct kmod_session *d, unsigned long request);

/**
 * kmod_start() - open, configure and start a session
 * @d: filled in
 * @c: the configuration
 * @why: set to what failed
 *
 * Return: 0 or -1.
 */
int kmod_start(struct kmod_session *d, const struct fxt_sched_config *c, struct why *why);

/** kmod_status() - read the state of a session; returns 0 or errno */
int kmod_status(const struct kmod_session *d, struct fxt_sched_status *status);

/** kmod_count() - read the counters of a stream; returns 0 or errno */
int kmod_count(const struct kmod_session *d, uint32_t cpu, uint32_t kind,
	       struct fxt_sched_counters *counters);

/** kmod_poll() - the events that poll(2) reports now */
short kmod_poll(const struct kmod_session *d);

/** kmod_file() - open a stream of a session, of enum fxt_sched_stream_kind; or -1 */
int kmod_file(const struct kmod_session *d, uint32_t kind, uint32_t cpu);

/** kmod_users() - how many devices and streams are open, or -1 if the module is built in */
int kmod_users(void);

/** kmod_is_used() - are @times devices and streams open? Always true if the module is built in. */
bool kmod_is_used(int times);

/** kmod_set() - write a parameter of the module; returns 0 or errno */
int kmod_set(const char *name, const char *value);

/** kmod_get() - read a parameter of the module, without its line end; 0 or errno */
int kmod_get(const char *name, char *value, size_t room);

/**
 * kmod_load() - load another module, from the folder of fxt_sched.ko, which $FXT_MODULE names
 * @name: without .ko
 * @parameters: of the module
 *
 * Return: 0 or errno; ENOENT if it is not there.
 */
int kmod_load(const char *name, const char *parameters);

/** kmod_unload() - unload it; 0 or errno */
int kmod_unload(const char *name);

#endif /* SELFTESTS_KMOD_H */
