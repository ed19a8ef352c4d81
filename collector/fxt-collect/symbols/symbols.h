/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symbols.h - names the addresses in an archive's stacks.
 *
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

struct symbols {
	bool is_on;		/* stacks are recorded */
	bool has_user;		/* stacks have frames of programs */
	bool names;		/* write functions, not only modules and mappings */
	int kallsyms;		/* descriptor, -1 for none */
	int modules;		/* likewise */
	struct addresses addresses;	/* of the current archive */
	struct sleeps sleeps;	/* likewise; all zero without samples for Perfetto */
	struct images images;	/* what processes have mapped */
	struct proc_walk *walk;	/* of processes that existed before; NULL when it is done */
	uint64_t unread;	/* then the processes that it did not read */
	struct live_maps live;	/* the events that report mappings */
	struct callers callers;	/* adds functions that stacks lack */
	struct elf_server server;	/* reads the files of programs */
	struct texts texts;	/* reads texts of /proc by it */
	int live_error;		/* why there are no events, a negative errno */
	bool unnamed;		/* the kernel hides the addresses of its functions */
	uint64_t frames_left_out;	/* in all archives, without a name for lack of room */
	struct resolution user;	/* results for programs, in all archives */
};

/*
 * Fork the process that reads files, see elf_server_start(). It is needed without stacks, too:
 * @texts of command lines. Return: 0 or a negative errno
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

/*
 * Add the functions that the stacks of a chunk lack, see callers_chunk(), before other code sees
 * the chunk.
 */
int symbols_complete(struct symbols *s, struct chunk *c, bool is_last);

/* Wait until files are read that have them, see callers_wait(). */
bool symbols_wait(struct symbols *s, int ms);

/* Processes whose mappings were not read, or not all. */
uint64_t symbols_unread(const struct symbols *s);

/* Read the mappings of another process, if not all are read. Return: 0 or -ENOMEM */
int symbols_walk(struct symbols *s);

/* Read those of all others; this has a limit of time. Return: 0 or -ENOMEM */
int symbols_walk_on(struct symbols *s);

/* Take a chunk of a CPU. Return: 0 or -ENOMEM */
int symbols_chunk(struct symbols *s, const struct chunk *c);

/* Take mappings since the last call. Return: 0 or -ENOMEM */
int symbols_update(struct symbols *s);

/* Mappings since symbols_open() that were lost for lack of room. */
uint64_t symbols_lost(const struct symbols *s);

/**
 * symbols_write() - write the symbols of the archive that ends, and begin the next one
 * @time: ticks of its beginning: the kernel's mappings are valid from then on
 *
 * Return: 0, -ENOMEM or a negative errno of writing.
 */
int symbols_write(struct symbols *s, struct fxt_writer *w, uint64_t time);
void symbols_close(struct symbols *s);

#endif /* FXT_COLLECT_SYMBOLS_SYMBOLS_H */
