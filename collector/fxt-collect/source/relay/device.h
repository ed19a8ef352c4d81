/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * device.h - the module's device: an open one is a session. Functions of type int return 0 or a
 * negative errno, unless they say otherwise.
 */
#ifndef FXT_COLLECT_SOURCE_RELAY_DEVICE_H
#define FXT_COLLECT_SOURCE_RELAY_DEVICE_H

#include <stdint.h>
#include <linux/fxt_sched.h>

#include "process/error.h"
#include "source/source.h"

/**
 * device_open() - create a session of a module whose interface this collector knows
 *
 * Return: a descriptor; errors of source_ops.available(); -EBUSY if the module has as many sessions
 * as it may have.
 */
int device_open(struct error *e);

/* The groups of events that the module and this kernel have. */
uint64_t device_events(int device);

int device_configure(int device, const struct source_config *c, struct error *e);

/* Send a request without an argument; @what it does, for the error message. */
int device_control(int device, unsigned long request, const char *what, struct error *e);

/**
 * device_stream() - open a stream of the configured session
 * @kind: enum fxt_sched_stream_kind
 *
 * Return: a descriptor or a negative errno; -ENOENT if the stream does not exist.
 */
int device_stream(int device, uint32_t kind, uint32_t cpu);

struct fxt_sched_status device_status(int device);

/**
 * device_limits() - replace the limits of users; those beyond FXT_SCHED_LIMITS_MAX are ignored
 * @ignored: set to how many waits such limits have kept from firing the trigger
 */
int device_limits(int device, const struct raised_limit *limits, unsigned int count,
		  uint64_t *ignored, struct error *e);

/* @c->cpu and @c->kind are set, the others are filled in. -ENOENT: the stream does not exist. */
int device_counters(int device, struct fxt_sched_counters *c);

/* Make everything that was recorded until now readable. */
void device_flush(int device);

/**
 * device_marks() - implements source_ops.marks
 * @cpus: number of CPUs that may be online
 *
 * A session that filters by thread has none after it was stopped.
 */
int device_marks(int device, size_t cpus, source_mark_fn take, void *arg, struct error *e);

#endif /* FXT_COLLECT_SOURCE_RELAY_DEVICE_H */
