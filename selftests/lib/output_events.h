/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Write an archive with numbered events into an output, and read it: the events have to be in order
 * and without a gap, from 0 on.
 */
#ifndef SELFTESTS_OUTPUT_EVENTS_H
#define SELFTESTS_OUTPUT_EVENTS_H

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "fxt-collect/output/broker.h"
#include "fxt-collect/output/output.h"
#include "libfxt/fxt_writer.h"
#include "archive_builder.h"
#include "collector.h"

#define EVENT_BYTES	48
#define CHUNK_EVENTS	500
#define NOBODY		65534

struct rig {
	/* the user with whose rights files are opened, if @broker is not started yet */
	struct invoker who;
	struct broker *broker;	/* opens the files */
	struct output *o;	/* the output, NULL if it is not open */
	struct fxt_writer *w;	/* writes into @o */
	struct output_options options;	/* options of @o */
	struct error e;	/* set to the reason if opening failed */
	bool random;	/* events have numbers that do not compress */
	uint64_t head;	/* bytes of the archive before the first event */
	uint64_t events;	/* number of events written so far */
	uint64_t seen;	/* number of events found by the last rig_read() */
	struct walk walk;	/* other results of the last rig_read() */
};

static inline int rig_writer(struct rig *r)
{
	fxt_writer_close(r->w);
	r->w = NULL;
	return fxt_writer_open_sink(&r->w, output_write, r->o);
}

static inline int rig_broker(struct rig *r)
{
	return r->broker ? 0 : broker_start(&r->broker, &r->who, -1, &r->e);
}

/* Open the output only; the reader of a pipe may come late. */
static inline int rig_output(struct rig *r, const char *path)
{
	int ret = rig_broker(r);

	r->options.broker = r->broker;
	r->options.end = -1;
	while (!ret && (ret = output_open(&r->o, path, &r->options, &r->e)) == -EAGAIN) {
		usleep(10000);
		ret = 0;
		r->e.text[0] = '\0';
	}
	return ret;
}

static inline int rig_begin(struct rig *r)
{
	int ret = rig_writer(r);

	if (ret)
		return ret;
	fxt_writer_magic(r->w);
	fxt_writer_provider(r->w, 1, "test");
	fxt_writer_initialization(r->w, 1000000000);
	ret = fxt_writer_string(r->w, 1, "event");
	r->head = fxt_writer_bytes(r->w);
	r->events = 0;
	return ret;
}

/* The head of the archive is in the writer. */
static inline int rig_open(struct rig *r, const char *path)
{
	int ret = rig_output(r, path);

	return ret ? ret : rig_begin(r);
}

static inline uint64_t noise(uint64_t n)
{
	n *= 0x9e3779b97f4a7c15;
	n ^= n >> 29;
	n *= 0xbf58476d1ce4e5b9;
	return n ^ n >> 32;
}

/* Write @n events; a whole chunk ends after each @chunk of them, or never if @chunk is 0. */
static inline int rig_write(struct rig *r, unsigned int n, unsigned int chunk)
{
	int ret = 0;

	for (unsigned int i = 1; i <= n && !ret; i++) {
		uint64_t x = r->random ? noise(r->events) : r->events;
		struct fxt_slice s = {
			.start = 1000 * r->events, .end = x, .process = x >> 1,
			.thread = x >> 2, .category = 1, .name = 1, .arg_name = 1,
			.arg = r->events,
		};

		ret = fxt_writer_slice(r->w, &s);
		r->events++;
		if (!ret && chunk && i % chunk == 0) {
			ret = fxt_writer_flush(r->w);
			if (!ret)
				ret = output_boundary(r->o);
		}
	}
	return ret;
}

/* Write chunk after chunk until something fails. Return: that error. */
static inline int rig_fill(struct rig *r)
{
	int ret;

	do {
		ret = rig_write(r, CHUNK_EVENTS, CHUNK_EVENTS);
	} while (!ret);
	return ret;
}

static inline int rig_close(struct rig *r, bool keep)
{
	int ret = fxt_writer_close(r->w), err = output_close(r->o, keep);

	r->w = NULL;
	r->o = NULL;
	return ret ? ret : err;
}

static inline void see(struct walk *w, struct fxt_reader *reader,
		       const struct fxt_record *rec, const struct fxt_content *c)
{
	struct rig *r = w->arg;

	(void)reader;
	(void)rec;
	if (c->kind != FXT_KIND_DURATION_COMPLETE)
		return;
	/* An event out of order sets the count to an impossible number. */
	if (c->args[0].u64 == r->seen && c->time == 1000 * r->seen)
		r->seen++;
	else
		r->seen = 1ULL << 60;
}

/* Read all of a valid archive (return 0), or as much as possible of an invalid one. */
static inline int rig_read(struct rig *r, const char *path)
{
	r->seen = 0;
	r->walk.each = see;
	r->walk.arg = r;
	r->walk.o.strict = true;
	walk_path(&r->walk, path);
	if (!r->walk.ret && !r->walk.told_count)
		return 0;
	r->seen = 0;
	r->walk.o.strict = false;
	walk_path(&r->walk, path);
	return -1;
}

static inline void rig_free(struct rig *r)
{
	fxt_writer_close(r->w);
	output_close(r->o, false);
	broker_stop(r->broker);
	r->broker = NULL;
}

/* ~0 if it is not there */
static inline uint64_t status_of(const char *path, const char *key, int base)
{
	uint64_t value = ~0ULL;
	char line[256];
	FILE *f = fopen(path, "re");

	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, key, strlen(key)) && line[strlen(key)] == ':')
			value = strtoull(line + strlen(key) + 1, NULL, base);
	if (f)
		fclose(f);
	return value;
}

/* The same for the only other thread of this process. */
static inline uint64_t other_thread(const char *key)
{
	DIR *d = opendir("/proc/self/task");
	uint64_t value = ~0ULL;
	struct dirent *entry;
	char path[512];

	while (d && (entry = readdir(d))) {
		if (entry->d_name[0] == '.' || atoi(entry->d_name) == getpid())
			continue;
		snprintf(path, sizeof(path), "/proc/self/task/%s/status", entry->d_name);
		value = status_of(path, key, 16);
	}
	if (d)
		closedir(d);
	return value;
}

#endif /* SELFTESTS_OUTPUT_EVENTS_H */
