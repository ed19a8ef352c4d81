/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * thread.h - the compressing thread, and its queue.
 */
#ifndef FXT_COLLECT_OUTPUT_THREAD_H
#define FXT_COLLECT_OUTPUT_THREAD_H

#include <stddef.h>
#include <stdint.h>

#include "file.h"
#include "marks.h"
#include "options.h"

struct output_thread;

/**
 * output_thread_open() - set up the compressor; the thread is created with the first
 * block
 * @t: set to the thread
 * @compression: which compressor
 * @level: its level; 0 for the default
 * @file: the file below
 * @marks: receives the ends of frames
 *
 * Return: 0, -ENOMEM, -EINVAL for an unknown level.
 */
int output_thread_open(struct output_thread **t, enum compression compression, int level,
		       struct output_file *file, struct output_marks *marks);

/** output_thread_write() - queue bytes; 0 or the thread's error */
int output_thread_write(struct output_thread *t, const void *data, size_t bytes);

/** output_thread_boundary() - queue a boundary and all bytes before it */
int output_thread_boundary(struct output_thread *t);

/** output_thread_finish() - wait until everything is in the file; 0 or the thread's error */
int output_thread_finish(struct output_thread *t);

/** output_thread_stop() - end the thread, discard its queue and its error */
void output_thread_stop(struct output_thread *t);

/** output_thread_restart() - after that: continue at @archive, without a thread */
void output_thread_restart(struct output_thread *t, uint64_t archive);

/** output_thread_safe() - bytes of the archive that the file certainly holds */
uint64_t output_thread_safe(const struct output_thread *t);

void output_thread_close(struct output_thread *t);

#endif /* FXT_COLLECT_OUTPUT_THREAD_H */
