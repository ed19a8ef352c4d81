/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * maps.h - what the addresses of call chains are in.
 *
 * In: records of mappings, forks and execs, and call chains.
 * Out: modules and mappings at the end of the archive, of those that occur. `fxt symbolize` names
 * the functions.
 */
#ifndef FXT_FORMATS_PERF_DATA_MAPS_H
#define FXT_FORMATS_PERF_DATA_MAPS_H

#include "libsym/addresses.h"
#include "libsym/elf_server.h"
#include "libsym/images.h"
#include "formats/import/event.h"
#include "file.h"

#define PERF_KERNEL_MAPS	512U	/* of the kernel and its modules; more are ignored */
#define PERF_MAPS_SECONDS	10U	/* for reading the files of all programs */

struct fxt_writer;

struct perf_kernel_map {
	uint64_t start;
	uint64_t end;
	struct elf_id id;
	char name[80];
};

/**
 * struct perf_maps - begins as zeros but for @file and @server
 * @server: reads files of programs, which say at which of their addresses a mapping begins
 * @unread: files whose reader has ended
 * @late: files that were not read within PERF_MAPS_SECONDS, or took too long
 */
struct perf_maps {
	const struct perf_file *file;
	const struct elf_server *server;
	uint64_t unread;
	uint64_t late;
	struct images images;
	struct addresses addresses;
	struct perf_kernel_map kernel[PERF_KERNEL_MAPS];
	unsigned int kernel_count;
};

/**
 * perf_maps_mmap() - take a record of the type MMAP or MMAP2
 * @m: the maps
 * @type: of the record
 * @misc: of its header
 * @body: without its header
 * @time: ns
 *
 * Return: 0; -EBADMSG if it is damaged; -ENOMEM.
 */
int perf_maps_mmap(struct perf_maps *m, uint32_t type, uint16_t misc, struct perf_bytes body,
		   uint64_t time);

/** perf_maps_fork() - a process begins with the mappings of its parent. Return: 0 or -ENOMEM */
int perf_maps_fork(struct perf_maps *m, uint32_t process, uint32_t parent, uint64_t time);

/** perf_maps_exec() - a process has no mappings any more. Return: 0 or -ENOMEM */
int perf_maps_exec(struct perf_maps *m, uint32_t process, uint64_t time);

/** perf_maps_frames() - take the call chain of an event in a process. Return: 0 or -ENOMEM */
int perf_maps_frames(struct perf_maps *m, uint32_t process, const struct trace_event *e);

/** perf_maps_write() - write all that occur; take no more. Return: 0, -ENOMEM, or of the writer */
int perf_maps_write(struct perf_maps *m, struct fxt_writer *w);

void perf_maps_close(struct perf_maps *m);

#endif /* FXT_FORMATS_PERF_DATA_MAPS_H */
