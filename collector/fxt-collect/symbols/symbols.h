/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symbols.h - names the addresses in an archive's stacks.
 *
 * In:  chunks with stacks; what processes map.
 * Out: at the end of each archive, modules, mappings and symbols as <fxt/fxt_sched_stack.h>
 * describes them, only of functions that occur; and samples for Perfetto.
 */
#ifndef FXT_COLLECT_SYMBOLS_SYMBOLS_H
#define FXT_COLLECT_SYMBOLS_SYMBOLS_H

#include <stdbool.h>
#include <stdint.h>

#include "libsym/addresses.h"
#include "libsym/images.h"
#include "libsym/resolve.h"
#include "libsym/texts.h"
#include "callers.h"
#include "mappings.h"
#include "samples.h"

struct chunk;
struct fxt_writer;

/**
 * struct symbols - data for naming the addresses of a recording
 * @is_on: stacks are recorded
 * @has_user: stacks have frames of programs
 * @names: write functions, not only modules and mappings
 * @kallsyms: descriptor, -1 for none, like @modules
 * @addresses: of the current archive
 * @sleeps: likewise; all zero without samples for Perfetto
 * @images: what processes have mapped
 * @walk: reads mappings of the processes that existed before; NULL when it is done
 * @unread: then the processes that it did not read
 * @live: the events that report mappings
 * @callers: adds functions that stacks lack
 * @server: reads the files of programs
 * @texts: reads texts of /proc by it
 * @live_error: why there are no events, a negative errno
 * @unnamed: the kernel hides the addresses of its functions
 * @frames_left_out: frames whose address had no room, so that it has no name, in all archives
 * @user: results for programs, in all archives
 */
struct symbols {
	bool is_on;
	bool has_user;
	bool names;
	int kallsyms;
	int modules;
	struct addresses addresses;
	struct sleeps sleeps;
	struct images images;
	struct proc_walk *walk;
	uint64_t unread;
	struct live_maps live;
	struct callers callers;
	struct elf_server server;
	struct texts texts;
	int live_error;
	bool unnamed;
	uint64_t frames_left_out;
	struct resolution user;
};

/**
 * symbols_prepare() - fork the process that reads files, see elf_server_start()
 *
 * It is needed without stacks, too: @texts of command lines.
 *
 * Return: 0 or a negative errno.
 */
int symbols_prepare(struct symbols *s);

/**
 * symbols_open() - open the kernel's files, and list processes, while there are privileges
 * @s: zeros, after symbols_prepare()
 * @c: what is recorded
 * @names: see struct symbols
 *
 * Return: 0 or -ENOMEM.
 */
int symbols_open(struct symbols *s, const struct source_config *c, bool names);

/**
 * symbols_complete() - add the functions that the stacks of a chunk lack, see callers_chunk()
 *
 * Call this before other code sees the chunk.
 */
int symbols_complete(struct symbols *s, struct chunk *c, bool is_last);

/** symbols_wait() - wait until files are read that have them, see callers_wait() */
bool symbols_wait(struct symbols *s, int ms);

/** symbols_unread() - processes whose mappings were not read, or not all */
uint64_t symbols_unread(const struct symbols *s);

/** symbols_walk() - read the mappings of another process, if not all are read. Return: 0 or -ENOMEM */
int symbols_walk(struct symbols *s);

/** symbols_walk_on() - read those of all others; this has a limit of time. Return: 0 or -ENOMEM */
int symbols_walk_on(struct symbols *s);

/** symbols_chunk() - take a chunk of a CPU. Return: 0 or -ENOMEM */
int symbols_chunk(struct symbols *s, const struct chunk *c);

/** symbols_update() - take mappings since the last call. Return: 0 or -ENOMEM */
int symbols_update(struct symbols *s);

/** symbols_lost() - number of mappings since symbols_open() that were lost for lack of room */
uint64_t symbols_lost(const struct symbols *s);

/**
 * symbols_write() - write the symbols of the archive that ends, and begin the next one
 * @s: the symbols
 * @w: the archive
 * @time: ticks of its beginning: the kernel's mappings are valid from then on
 *
 * Return: 0, -ENOMEM or a negative errno of writing.
 */
int symbols_write(struct symbols *s, struct fxt_writer *w, uint64_t time);
void symbols_close(struct symbols *s);

#endif /* FXT_COLLECT_SYMBOLS_SYMBOLS_H */
