/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * device.h - the module's device: an open one is a session.
 */
#ifndef FXT_COLLECT_SOURCE_RELAY_DEVICE_H
#define FXT_COLLECT_SOURCE_RELAY_DEVICE_H

#include <stdint.h>
#include <linux/fxt_sched.h>

#include "process/error.h"
#include "source/source.h"

/**
 * device_open() - create a session of a module whose interface this collector knows
 * @e: filled in on error
 *
 * Return: a descriptor, or a negative errno: as of source_ops.available, and -EBUSY if the
 * module has as many sessions as it may have.
 */
int device_open(struct error *e);

/** device_events() - the groups of events that the module and this kernel have */
uint64_t device_events(int device);

/**
 * device_configure() - configure the session
 * @device: the descriptor
 * @c: the configuration
 * @e: filled in on error
 *
 * Return: 0 or a negative errno.
 */
int device_configure(int device, const struct source_config *c, struct error *e);

/**
 * device_control() - change the session's state
 * @device: the descriptor
 * @request: a request without an argument
 * @what: what it does, for the error message
 * @e: filled in on error
 *
 * Return: 0 or a negative errno.
 */
int device_control(int device, unsigned long request, const char *what, struct error *e);

/**
 * device_stream() - open a stream of the configured session
 * @device: the descriptor
 * @kind: enum fxt_sched_stream_kind
 * @cpu: of the stream
 *
 * Return: a descriptor or a negative errno; -ENOENT if the stream does not exist.
 */
int device_stream(int device, uint32_t kind, uint32_t cpu);

/** device_status() - the state of the configured session */
struct fxt_sched_status device_status(int device);

/**
 * device_limits() - replace the limits of users
 * @device: the descriptor
 * @limits: of them, @count; those beyond FXT_SCHED_LIMITS_MAX are ignored
 * @ignored: set to how many waits such limits have kept from firing the trigger
 * @e: filled in on error
 *
 * Return: 0 or a negative errno.
 */
int device_limits(int device, const struct raised_limit *limits, unsigned int count,
		  uint64_t *ignored, struct error *e);

/**
 * device_counters() - read the counters of a stream
 * @device: the descriptor
 * @c: @c->cpu and @c->kind are set, the others are filled in
 *
 * Return: 0 or a negative errno; -ENOENT if the stream does not exist.
 */
int device_counters(int device, struct fxt_sched_counters *c);

/** device_flush() - make everything that was recorded until now readable */
void device_flush(int device);

/**
 * device_marks() - implements source_ops.marks
 * @device: the descriptor
 * @cpus: number of CPUs that may be online
 * @take: called for each CPU that is online
 * @arg: for @take
 * @e: filled in on error
 *
 * A session that filters by thread has none after it was stopped.
 *
 * Return: 0 or a negative errno.
 */
int device_marks(int device, size_t cpus, source_mark_fn take, void *arg, struct error *e);

#endif /* FXT_COLLECT_SOURCE_RELAY_DEVICE_H */
